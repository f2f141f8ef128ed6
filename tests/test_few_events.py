"""NRI and IDI with few events, nested models on the rows of their fit, and samples so small that little is defined."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from benchmarks import reclassification_coverage as table

import rocsteady as rs
from cases import each_case
from rocsteady.errors import RocsteadyError, RocsteadyWarning

Y = np.repeat([1, 0], [8, 40])
RNG = np.random.default_rng(3)
OLD = RNG.uniform(0.05, 0.6, Y.size)
NEW = np.clip(OLD + RNG.normal(0.05, 0.2, Y.size) * (2 * Y - 1), 0.01, 0.99)


class TestIntervals:
    def test_auto_is_the_method_of_few_rows_and_wald_of_many(self) -> None:
        few, many = (rs.net_reclassification(Y.repeat(k), OLD.repeat(k), NEW.repeat(k)) for k in (1, 10))
        assert {few.nri.method, few.events.method, few.nonevents.method} == {"bonett-price"}
        assert many.nri.method == "wald"
        assert "(bonett-price)" in str(few)
        idi = [rs.integrated_discrimination(Y.repeat(k), OLD.repeat(k), NEW.repeat(k)) for k in (1, 10)]
        assert [each.idi.method for each in idi] == ["welch", "wald"]

    @pytest.mark.parametrize("cutoffs", [None, [0.2, 0.4]])
    def test_estimate_and_standard_error_do_not_depend_on_the_method(self, cutoffs: Any) -> None:
        auto, wald = (rs.net_reclassification(Y, OLD, NEW, cutoffs=cutoffs, method=kind) for kind in ("auto", "wald"))
        for name in ("nri", "events", "nonevents"):
            one, two = getattr(auto, name), getattr(wald, name)
            assert (one.estimate, one.se) == (two.estimate, two.se)
            assert (one.method, two.method) == ("bonett-price", "wald")
            assert one.low <= one.estimate <= one.high
            assert two.high - two.estimate == pytest.approx(1.959964 * two.se, rel=1e-6)

    @pytest.mark.parametrize("method", ["wald", "bonett-price"])
    @pytest.mark.parametrize("cutoffs", [None, (0.2, 0.4)])
    def test_the_table_measures_the_intervals_of_the_library(self, method: Any, cutoffs: Any) -> None:
        found = rs.net_reclassification(Y, OLD, NEW, cutoffs=cutoffs, method=method).nri
        move = np.sign(NEW - OLD) if cutoffs is None else np.sign(np.digitize(NEW, cutoffs) - np.digitize(OLD, cutoffs))
        up, down = (np.array([[np.sum(move[side == Y] == way) for side in (1, 0)]]) for way in (1, -1))
        assert (found.low, found.high) == pytest.approx([end[0] for end in table.nri_ends(up, down, (8, 40), method)])

    @pytest.mark.parametrize("method", ["wald", "welch"])
    def test_so_does_the_table_of_the_idi(self, method: Any) -> None:
        found = rs.integrated_discrimination(Y, OLD, NEW, method=method).idi
        changes = tuple((NEW - OLD)[side == Y][None] for side in (1, 0))
        assert (found.low, found.high) == pytest.approx([end[0] for end in table.idi_ends(changes, method)])

    def test_coverage_of_a_cell_of_the_table(self) -> None:
        found = table.coverage(50, 0.2, "better", 2000, np.random.default_rng(1))
        for column in table.COLUMNS:
            assert found[column][0] < found[column][1]
            assert found[column][1] > 0.93

    def test_few_events_are_told_where_intervals_are_short(self) -> None:
        told = rs.net_reclassification(Y, OLD, NEW, method="wald").warnings
        assert any("8 rows in the smaller class" in text and "method='auto'" in text for text in told)
        assert not any("by wald held" in text for text in rs.net_reclassification(Y, OLD, NEW).warnings)
        assert any("by welch held" in text for text in rs.integrated_discrimination(Y, OLD, NEW).warnings)
        some = rs.integrated_discrimination(Y.repeat(2), OLD.repeat(2), NEW.repeat(2))
        assert not any("smaller class" in text for text in some.warnings)

    def test_sampling_weights_and_subjects_have_wald(self) -> None:
        weights = np.arange(Y.size) + 0.5
        found = rs.net_reclassification(Y, OLD, NEW, sample_weight=weights)
        assert found.nri.method == "wald"
        assert any("only more rows help" in text for text in found.warnings)
        with pytest.raises(rs.ArgumentError, match="bonett-price counts rows"):
            rs.net_reclassification(Y, OLD, NEW, cluster=np.arange(Y.size), method="bonett-price")


class TestNested:
    rng = np.random.default_rng(8)
    y = rng.integers(0, 2, 200)
    odds = y + rng.normal(size=200)
    first, near, far = (
        1 / (1 + np.exp(-z)) for z in (odds, odds + 0.1 * rng.normal(size=200), rng.normal(size=200) + y)
    )

    def told(self, second: Any) -> list[bool]:
        found = [
            rs.compare_auc(self.y, self.first, second),
            rs.compare_auc(
                self.y, np.log(self.first / (1 - self.first)), np.log(second / (1 - second)), method="delong"
            ),
            rs.compare_measure("auc", self.y, self.first, second, n_resamples=20, random_state=1),
            rs.compare_models(self.y, {"a": self.first, "b": second}),
            rs.net_reclassification(self.y, self.first, second),
            rs.integrated_discrimination(self.y, self.first, second),
        ]
        return [any("likelihood-ratio" in text for text in each.warnings) for each in found]

    def test_nearly_equal_predictions_are_told_and_others_not(self) -> None:
        assert all(self.told(self.near))
        assert not any(self.told(self.far))
        assert not any(self.told(self.first))

    def test_odd_scores_are_left_alone(self) -> None:
        y = np.arange(60) % 2
        for scores in (
            np.full(60, 1e200),
            np.where(y, np.inf, 0.0),
            np.zeros(60),
            np.array([10**400 * int(v) for v in y], dtype=object),
        ):
            rs.compare_auc(y, scores, np.arange(60), method="delong")


@pytest.fixture
def strict() -> Any:
    """Every floating-point fault and every warning of others is an error."""
    with np.errstate(all="raise"), warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", RocsteadyWarning)
        yield


SMALL = {
    "one positive": ([1], [0.5]),
    "one negative": ([0], [0.5]),
    "a pair": ([1, 0], [0.7, 0.2]),
    "a tied pair": ([1, 0], [0.5, 0.5]),
    "three": ([1, 0, 0], [0.7, 0.2, 0.4]),
    "certain": ([1, 0, 1], [0.0, 1.0, 0.5]),
    "zeros": ([1, 0, 0], [0.0, 0.0, 0.0]),
    "one class": ([1, 1, 1], [0.2, 0.4, 0.6]),
    "nothing": ([], []),
}
CALLS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "idi": rs.integrated_discrimination,
    "nri": rs.net_reclassification,
    "idi turned": lambda y, s, t: rs.integrated_discrimination(y, t, s),
    "reclassification": lambda y, s, t: rs.reclassification(y, s, t, cutoffs=[0.3, 0.6]),
    "curves, unpaired": lambda y, s, t: rs.compare_curves(y, s, t, paired=False, n_permutations=20, random_state=1),
    "measures": lambda y, s, t: rs.multiclass_measures(y, (s >= 0.5).astype(int)),
    "confusion": lambda y, s, t: rs.multiclass_confusion(y, (s >= 0.5).astype(int), normalize="pred"),
    "scaled brier": lambda y, s, t: rs.scaled_brier(y, s),
    "summary": lambda y, s, t: rs.calibration_summary(y, s),
    "compare": rs.compare_auc,
    "interval": lambda y, s, t: rs.auc_interval(y, s),
    "everything": lambda y, s, t: rs.evaluate(
        {"y": y, "s": s},
        label="y",
        scores="s",
        threshold=0.5,
        intervals=True,
        n_resamples=20,
        measures=[f"family:{family}" for family in dict.fromkeys(sheet.family for sheet in rs.list_measures())],
    ),
}


@each_case("sample", SMALL)
@each_case("call", CALLS)
@pytest.mark.usefixtures("strict")
def test_tiny_samples_end_in_a_result_or_a_sentence(call: str, sample: str) -> None:
    labels, scores = SMALL[sample]
    y, s = np.array(labels, dtype=int), np.array(scores, dtype=float)
    with suppress(RocsteadyError):
        assert str(CALLS[call](y, s, np.clip(0.9 * s[::-1] + 0.02, 0, 1)))


def test_no_slope_and_no_rows_are_nan_with_a_reason() -> None:
    found = rs.integrated_discrimination([1, 0, 1, 0], [1e-170, 0.0, 1e-170, 0.0], [0.5, 0.2, 0.4, 0.1])
    assert math.isnan(found.relative.estimate)
    assert any("here undefined" in text for text in found.warnings)
    empty = rs.multiclass_measures([], [])
    assert empty.averages["macro"]["recall"].reason == "empty"
    assert empty.balanced_accuracy.estimate.reason == "empty"


@pytest.mark.parametrize("n", [3, 6, 7, 10, 49])
def test_a_constant_at_the_base_rate_has_no_skill_exactly(n: int) -> None:
    for n_pos in range(1, n):
        y = np.arange(n) < n_pos
        share = np.full(n, n_pos / n)
        assert rs.scaled_brier(y, share) == 0.0
        assert rs.calibration_summary(y, share).scaled_brier == 0.0
        assert rs.scaled_brier(y, np.full(n, 0.25)) == pytest.approx(
            1 - rs.brier_score(y, np.full(n, 0.25)) / (n_pos * (n - n_pos) / n**2), abs=1e-12
        )
