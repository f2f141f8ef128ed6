"""Weights in comparisons: a frequency weight is so many rows in every test, a sampling weight is one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import rocsteady as rs
from cases import each_case

RNG = np.random.default_rng(11)
N = 40
Y = np.arange(N) % 3 % 2
FIRST, SECOND = (np.round(gap * Y + RNG.normal(size=N), 1) for gap in (1.0, 0.4))
WEIGHT = RNG.integers(1, 5, N)
TABLE = pd.DataFrame({"y": Y, "a": FIRST, "b": SECOND, "w": WEIGHT, "who": np.arange(N) // 2})


def repeated(*columns: np.ndarray) -> list[np.ndarray]:
    return [np.repeat(column, WEIGHT) for column in columns]


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("measure", ["auc", "average_precision", "brier_score"])
def test_permutations_move_every_row_that_a_weight_counts(measure: str, paired: bool) -> None:
    """The replicates of weighted and of repeated rows come from the same distribution."""
    a, b = (1 / (1 + np.exp(-scores)) for scores in (FIRST, SECOND))
    options: dict[str, Any] = {"method": "permutation", "n_resamples": 600, "random_state": 3, "paired": paired}
    one = rs.compare_measure(measure, Y, a, b, sample_weight=WEIGHT, weight_type="frequency", **options)
    two = rs.compare_measure(measure, *repeated(Y, a, b), **options)
    assert one.estimate == pytest.approx(two.estimate, abs=1e-12)
    spreads = [each.resampling.distribution.std() for each in (one, two)]
    assert spreads[0] == pytest.approx(spreads[1], rel=0.12)  # three standard errors of a ratio of 600 replicates
    whole = rs.compare_measure(measure, Y, a, b, sample_weight=WEIGHT, **options)
    assert whole.resampling.distribution.std() > 1.25 * spreads[1]


def test_a_certain_difference_is_as_sure_as_its_rows_are_many() -> None:
    options: dict[str, Any] = {"method": "permutation", "random_state": 0, "n_resamples": 999}
    options["weight_type"] = "frequency"
    found = rs.compare_measure("auc", [1, 1, 0, 0], [4, 3, 2, 1], [1, 2, 3, 4], sample_weight=[10] * 4, **options)
    assert found.pvalue == 0.001


@pytest.mark.parametrize("options", [{}, {"weight_type": "sampling"}, {"fpr_range": (0, 0.4)}], ids=str)
def test_columns_of_a_table_give_what_the_columns_give(options: dict[str, Any]) -> None:
    named = rs.compare_auc(TABLE, "a", "b", label="y", sample_weight="w", **options)
    given = rs.compare_auc(Y, FIRST, SECOND, sample_weight=WEIGHT, **options)
    assert (named.estimate, named.se, named.pvalue) == (given.estimate, given.se, given.pvalue)


def test_subjects_of_a_table() -> None:
    named = rs.compare_auc(TABLE, "a", "b", label="y", cluster="who", method="permutation", random_state=1)
    given = rs.compare_auc(Y, FIRST, SECOND, cluster=TABLE["who"], method="permutation", random_state=1)
    assert named.pvalue == given.pvalue


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"y_true_second": [1]}, "y_true_second is for paired=False"),
        ({"cluster_second": [1]}, "cluster_second is for paired=False"),
        ({"paired": False}, "are paired"),
        ({"weight_type": "bogus"}, "weight_type must be"),
        ({"cluster": np.arange(N)}, "cluster must be the name of a column"),
    ],
)
def test_options_of_a_table_are_refused_not_ignored(options: dict[str, Any], told: str) -> None:
    with pytest.raises(rs.ArgumentError, match=told):
        rs.compare_auc(TABLE, "a", "b", label="y", **options)


@pytest.mark.parametrize(
    "options", [{"weight_type": "sampling"}, {"cluster": "who"}, {"paired": False}, {"method": "bootstrap"}], ids=str
)
def test_lazy_tables_refuse_what_their_engine_cannot_do(options: dict[str, Any]) -> None:
    import polars as pl

    with pytest.raises(rs.ArgumentError, match="into memory"):
        rs.compare_auc(pl.from_pandas(TABLE).lazy(), "a", "b", label="y", **options)


def test_welch_counts_rows_where_weights_are_of_sampling() -> None:
    options: dict[str, Any] = {"paired": False, "weight_type": "sampling"}
    found = [rs.compare_auc(Y, FIRST, SECOND, sample_weight=scale * WEIGHT, **options) for scale in (1, 0.1)]
    assert found[0].df == pytest.approx(found[1].df, rel=1e-12)
    assert found[0].se == pytest.approx(found[1].se, rel=1e-12)


def test_small_classes_are_counted_in_rows() -> None:
    def told(y: Any, weight: Any, **options: Any) -> bool:
        scores = RNG.normal(size=(2, len(y)))
        found = rs.compare_auc(y, *scores, sample_weight=weight, method="delong", **options)
        return any("7 rows in the smaller class" in text for text in found.warnings)

    many, few = np.arange(1000) % 2, np.arange(42) % 6 == 0
    assert not told(many, np.full(1000, 0.001))
    assert told(few, np.full(42, 100.5))
    assert told(few, np.full(42, 100))
    assert not told(few, np.full(42, 100), weight_type="frequency")


def test_small_second_samples_are_told() -> None:
    y, other = np.arange(60) % 2, np.arange(40) < 3
    scores = RNG.normal(size=60), RNG.normal(size=40)
    found = rs.compare_auc(y, *scores, paired=False, y_true_second=other, method="delong")
    assert any("3 rows in the smaller class" in text for text in found.warnings)


def test_differences_that_do_not_vary_are_not_equality() -> None:
    y = np.repeat([1, 0], 15)
    found = rs.compare_models(y, {"a": y, "b": -y, "c": y})
    assert (found.omnibus.statistic, found.omnibus.pvalue) == (np.inf, 0.0)
    assert "no width is not certainty" in found.omnibus.warnings[0]
    assert rs.compare_models(y, {"a": y, "b": 2 * y, "c": y}).omnibus.pvalue == 1


class TestAdviceOfIntervals:
    y, score = np.repeat([1, 0], 7), np.arange(14)[::-1]

    def test_few_subjects_are_told(self) -> None:
        y, subject = np.arange(600) % 2, np.arange(600) // 300
        score = y + RNG.normal(size=600)
        for found in (rs.auc_interval(y, score, cluster=subject), rs.auc_null_test(y, score, cluster=subject)):
            assert any("only 2 subjects" in text for text in found.warnings)

    def test_sampling_weights_are_no_rows(self) -> None:
        tied = self.score % 5
        told = [
            rs.auc_interval(self.y, tied, sample_weight=np.full(14, weight), weight_type="sampling").warnings
            for weight in (1000, 1000.5)
        ]
        assert told[0] == told[1]
        assert told[0]

    @pytest.mark.parametrize(
        "options",
        [
            {"fpr_range": (0, 0.2), "standardize": True},
            {"cluster": np.arange(14) // 2},
            {"sample_weight": np.full(14, 3), "weight_type": "sampling"},
            {},
        ],
        ids=str,
    )
    def test_the_method_named_is_one_that_works(self, options: dict[str, Any]) -> None:
        found = rs.auc_interval(self.y, self.score, method="delong", **options)
        assert "use rs.auc_interval(method='auto')" in found.warnings[-1]
        better = rs.auc_interval(self.y, self.score, **options)
        assert better.low < better.estimate < better.high or better.low < better.high == 1


@each_case(
    ("call", "name"),
    [
        (lambda: rs.auc_interval(Y, FIRST, weight_type="bogus"), "weight_type"),
        (lambda: rs.bootstrap_interval("auc", Y, FIRST, weight_type="bogus"), "weight_type"),
        (lambda: rs.jackknife_interval("auc", Y, FIRST, weight_type="bogus"), "weight_type"),
        (lambda: rs.compare_measure("auc", Y, FIRST, SECOND, method="permutation", weight_type="x"), "weight_type"),
        (lambda: rs.brier_interval([1, 0, 1], [0.5, 0.2, 0.7], weight_type="bogus"), "weight_type"),
        (lambda: rs.decision_curve(rs.rank([1, 0, 1], [0.5, 0.2, 0.7]), weight_type="bogus"), "weight_type"),
        (lambda: rs.brier_decomposition([1, 0, 1], [0.5, 0.2, 0.7], n_bins=3), "n_bins"),
        (lambda: rs.compare_learners([0.8, 0.9], [0.7, 0.9], test_share=0.5, rope=0.1), "rope"),
        (lambda: rs.auc_interval(Y, FIRST, level="0.95"), "level"),
        (lambda: rs.power_auc(auc=0.7, n_pos=40, n_neg=60, corr_pos=0.5), "second_auc"),
        (lambda: rs.power_auc(auc=0.7, n_pos=40, n_neg=60, null_variance="first"), "second_auc"),
        (lambda: rs.bootstrap_interval("auc", Y, FIRST, n_resamples=2.5), "n_resamples"),
        (lambda: rs.roc_band(Y, FIRST, method="bootstrap", random_state=-1), "random_state"),
        (lambda: rs.roc_band(Y, FIRST, method="bootstrap", random_state=1.5), "random_state"),
    ],
)
def test_bad_options_are_refused_by_name(call: Any, name: str) -> None:
    with pytest.raises(rs.ArgumentError) as error:
        call()
    assert error.value.code == name


class TestNotesOfAnEvaluation:
    def notes(self, table: dict[str, Any], **options: Any) -> str:
        return "\n".join(rs.evaluate(table, label="y", scores=["a"], intervals=True, **options).notes())

    def test_resamples_of_few_rows_are_told_once_for_all_measures(self) -> None:
        table = {"y": np.arange(50) == 3, "a": np.arange(50)}
        assert "a: average_precision, h_measure: undefined in 73 of 200 resamples" in self.notes(table, n_resamples=200)

    def test_resamples_that_agree_are_told(self) -> None:
        y = np.arange(60) % 2
        table = {"y": y, "a": 10 * y + np.arange(60) % 3}
        assert "the value is 1, and so is every resample: the other end is" in self.notes(table, n_resamples=100)

    def test_subjects_are_counted(self) -> None:
        table = {"y": Y, "a": FIRST, "who": np.arange(N) // 2}
        text = self.notes(table, cluster="who", n_resamples=100)
        assert "intervals and tests count subjects, not rows: 20 in 'who'" in text

    def test_measures_that_were_not_resampled_are_named(self) -> None:
        table = {"y": np.arange(120_000) % 2, "a": RNG.normal(size=120_000)}
        text = self.notes(table)
        assert "no interval of average_precision, ks_statistic, h_measure: scores of more than 100,000 values" in text
        assert "no interval of" not in self.notes({"y": Y, "a": FIRST}, n_resamples=100)


def test_a_verdict_on_one_positive_says_that_nothing_can_be_said() -> None:
    y = np.arange(30) == 4
    found = rs.compare_models(y, {"a": RNG.normal(size=30), "b": RNG.normal(size=30)}, method="delong")
    assert found.verdict == ("a and b cannot be compared: fewer than two independent rows in a class",)
