"""Counts in results are of distinct units: rows of repeats once, frequency weights as rows, subjects as such."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady._src.base import repeat_counts

RNG = np.random.default_rng(2)
N, REPEATS = 60, 10
ROW = np.tile(np.arange(N), REPEATS)
TABLE: dict[str, Any] = {
    "id": ROW,
    "y": (ROW < 24).astype(int),
    "repeat": np.repeat(np.arange(REPEATS), N),
    "fold": np.concatenate([RNG.permutation(np.arange(N) % 5) for _ in range(REPEATS)]),
    "person": ROW // 3,
    "times": ROW % 3 + 1,
    "heavy": ROW % 3 + 0.5,
}
TABLE |= {name: RNG.normal(size=N * REPEATS) + TABLE["y"] for name in "ab"}
ONCE = {name: column[:N] for name, column in TABLE.items()}
UNITS: dict[str, dict[str, str]] = {"rows": {"id": "id"}, "persons": {"cluster": "person"}}


def evaluated(table: dict[str, Any], **how: Any) -> Any:
    """Both models, with intervals."""
    return rs.evaluate(table, label="y", scores=["a", "b"], n_resamples=50, intervals=True, **how)


@pytest.mark.parametrize("units", UNITS)
def test_rows_of_several_repeats_count_once(units: str) -> None:
    found = evaluated(TABLE, fold="fold", repeat="repeat", **UNITS[units])
    assert (found.overall.origin.n_rows, found.overall.n_pos, found.overall.n_neg) == (60, 24, 36)
    assert [row[1:3] for row in found.cells()[1][-2:]] == [["24", "36"]] * 2
    assert "60 rows: 24 positive, 36 negative" in str(found)
    assert found.to_dict()["overall"]["n_rows"] == 60
    decision = found.decide(cost_fn=3)
    assert "24 positive cases" in decision.checks[0].text
    assert "240" not in str(decision)
    assert "60 rows: 24 positive, 36 negative" in str(found.compare())


def test_rows_that_lack_some_repeats_count_once_too() -> None:
    kept = ~((TABLE["repeat"] == 0) & (ROW % 4 == 0))
    some = {name: column[kept] for name, column in TABLE.items()}
    found = evaluated(some, fold="fold", repeat="repeat", id="id")
    assert (found.overall.origin.n_rows, found.overall.n_pos) == (60, 24)


def test_a_frequency_weight_is_so_many_rows() -> None:
    found = evaluated(ONCE, weight="times", weight_type="frequency")
    repeats = {name: column.repeat(ONCE["times"]) for name, column in ONCE.items()}
    plain = evaluated(repeats)
    assert (found.origin.n_rows, found.n_pos, found.n_neg) == (120, 48, 72)
    assert "120 rows: 48 positive, 72 negative" in str(found)
    texts = [each.decide(cost_fn=3).checks[0].text for each in (found, plain)]
    assert texts[0] == texts[1]
    assert texts[0].startswith("48 positive cases")
    assert rs.rank(ONCE["y"], ONCE["a"], sample_weight=ONCE["times"], weight_type="frequency").origin.n_rows == 120


def test_a_sampling_weight_is_one_row() -> None:
    found = evaluated(ONCE, weight="heavy", weight_type="sampling")
    assert found.origin.n_rows == 60
    assert found.decide(cost_fn=3).checks[0].text.startswith("24 positive cases")


def test_subjects_are_not_called_rows() -> None:
    found = evaluated(ONCE, cluster="person", measures=["auc", "ks_statistic"])
    (told,) = found.intervals["a"]["ks_statistic"].warnings
    assert str(told).startswith("8 subjects in the smaller class: 95% intervals of ks_statistic held the truth in")
    check = found.decide(cost_fn=3).checks[0]
    assert check.text.startswith("24 positive cases of 8 subjects;")
    assert check.answer == "no"


def test_differences_count_rows_of_frequency_weights() -> None:
    y, a, b = [1, 1, 0, 0, 0, 0], [0.9, 0.4, 0.3, 0.6, 0.2, 0.1], [0.8, 0.6, 0.2, 0.3, 0.1, 0.2]
    test = rs.calibration.compare_net_benefit(
        y, a, b, threshold=0.5, sample_weight=[3, 2, 4, 2, 5, 6], weight_type="frequency"
    )
    assert [each.params["n"] for each in test.warnings if each.code == "few_called_differently"] == [4]


class Narrow32:
    """NumPy as it is where indices have 32 bits."""

    intp = np.int32

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    @staticmethod
    def repeat(values: Any, counts: Any) -> Any:
        """Counts of 64 bits are refused there."""
        if not np.can_cast(np.asarray(counts).dtype, np.int32, "safe"):
            raise TypeError("Cannot cast array data from dtype('int64') to dtype('int32') according to the rule 'safe'")
        return np.repeat(values, counts)


def test_counts_of_64_bits_repeat_where_indices_have_32(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeat_counts, "np", Narrow32())
    found = rs.bootstrap_interval("auc", ONCE["y"], ONCE["a"], n_resamples=20, random_state=1)
    assert found.low < found.estimate
    counts = np.array([2, 1], dtype=np.int64)
    assert repeat_counts.repeat_by(np.array([5, 7]), counts).tolist() == [5, 5, 7]
