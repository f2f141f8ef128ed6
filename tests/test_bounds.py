"""A value never leaves the bounds of its measure, whatever the weights; a threshold is compared exactly."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.measures.registry import REGISTRY
from rocsteady._src.results.base import Bounded


def samples() -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Separated, upside down and mixed scores in [0, 1] with fractional weights."""
    rng, made = np.random.default_rng(17), []
    for trial in range(60):
        n = int(rng.integers(3, 12))
        y = np.append([1, 0], rng.integers(0, 2, n - 2))
        score = np.where(y == 1, rng.integers(5, 9, n), rng.integers(0, 4, n)) / 9
        score = (score, 1 - score, rng.integers(0, 4, n) / 3)[trial % 3]
        made.append((y, score, rng.uniform(0.1, 3, n) ** 3))
    return made


@pytest.mark.parametrize("name", sorted(REGISTRY))
@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
def test_bounds_hold_with_fractional_weights(name: str) -> None:
    measure: Any = REGISTRY[name]
    low, high = measure.sheet.bounds
    for y, score, weight in samples():
        value = float(measure(y, score, sample_weight=weight))
        assert math.isnan(value) or low <= value <= high


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
@pytest.mark.parametrize("options", [{"fpr_range": (0, 0.3)}, {"tpr_range": (0.3, 0.9)}])
def test_partial_areas_stay_within_their_range(options: dict[str, tuple[float, float]]) -> None:
    ((start, stop),) = options.values()
    for y, score, weight in samples():
        assert rs.partial_auc(y, score, sample_weight=weight, **options) <= stop - start
        assert rs.partial_auc(y, score, sample_weight=weight, standardize=True, **options) <= 1


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
def test_separated_classes_have_an_area_of_one_exactly() -> None:
    for y, score, weight in samples()[::3]:
        given = {"sample_weight": weight}
        found = [rs.auc(y, score, **given), rs.average_precision(y, score, **given), rs.pr_auc(y, score, **given)]
        assert max(found) <= 1
        assert found == pytest.approx([1, 1, 1], abs=1e-14)
        assert rs.auc_interval(y, score, **given).high <= 1


def test_only_rounding_is_settled() -> None:
    sheet = REGISTRY["auc"].sheet
    assert sheet.settled(1 + 1e-15) == 1.0
    assert sheet.settled(-1e-15) == 0.0
    assert sheet.settled(1.1) == 1.1
    assert math.isnan(sheet.settled(math.nan))
    kept = sheet.settled(Bounded(1 + 2e-16, error_bound=1e-9, method="series"))
    assert (float(kept), kept.error_bound) == (1.0, 1e-9)
    assert sheet.settled(np.array([1 + 1e-15, 0.5, -1e-16, np.nan, 2.0])) == pytest.approx(
        [1, 0.5, 0, np.nan, 2], nan_ok=True, abs=0
    )


HUGE = 2**53
THRESHOLDS = [
    HUGE + 1,
    Decimal(HUGE) + Decimal("0.5"),
    Fraction(2 * HUGE + 1, 2),
    np.int64(HUGE + 1),
    np.uint64(HUGE + 1),
]


class TestThresholds:
    @each_case("scores", [[HUGE, 5], [float(HUGE), 5.0], [Decimal(HUGE), Decimal(5)]])
    @each_case("threshold", THRESHOLDS)
    def test_a_hair_above_the_highest_score_calls_nothing(self, scores: Any, threshold: Any) -> None:
        found = rs.confusion([1, 0], scores, threshold=threshold)
        assert (found.tp, found.fp, found.fn, found.tn) == (0, 0, 1, 1)
        assert rs.confusion([1, 0], scores, threshold=HUGE).tp == 1
        assert rs.confusion([1, 0], scores, threshold=HUGE - 1).tp == 1

    def test_against_exact_comparisons(self) -> None:
        rng = np.random.default_rng(3)
        numbers = [HUGE + int(step) for step in rng.integers(-4, 5, 12)] + [-HUGE - 1, 2**63 - 1, 0]
        y = np.arange(len(numbers)) % 2
        asked = [
            *numbers,
            HUGE + 0.5,
            float(HUGE),
            Fraction(1, 3),
            Decimal("-0.5"),
            10**400,
            -(10**400),
            math.inf,
            -math.inf,
        ]
        for scores in (np.array(numbers), np.array(numbers, dtype=float), [Decimal(each) for each in numbers]):
            values = [Fraction(each) for each in (scores.tolist() if isinstance(scores, np.ndarray) else scores)]
            for threshold in asked:
                called = [_at_least(value, threshold) for value in values]
                found = rs.confusion(y, scores, threshold=threshold)
                assert found.tp == sum(c for c, label in zip(called, y, strict=True) if label == 1), threshold
                assert found.fp == sum(c for c, label in zip(called, y, strict=True) if label == 0), threshold

    def test_several_thresholds_and_intervals(self) -> None:
        found = rs.confusion([1, 0], [HUGE, 5], threshold=[HUGE + 1, HUGE, 5, 4])
        assert found.tp.tolist() == [0, 1, 1, 1]
        assert found.fp.tolist() == [0, 0, 1, 1]
        y, scores = [1, 1, 0, 0], [HUGE, HUGE + 2, 5, 6]
        assert rs.measure_interval("recall", y, scores, threshold=HUGE + 1).estimate == 0.5
        by_subject = rs.measure_interval("recall", y, scores, threshold=HUGE + 1, cluster=[1, 2, 3, 4])
        assert by_subject.estimate == 0.5
        table = {"y": y, "s": scores}
        judged = rs.evaluate(table, label="y", scores="s", measures=["recall"], threshold=HUGE + 1)
        assert judged.values["s"]["recall"] == 0.5


def _at_least(value: Fraction, threshold: Any) -> bool:
    if isinstance(threshold, float) and math.isinf(threshold):
        return threshold < 0
    return value >= Fraction(threshold)


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
def test_bounds_hold_for_classes_their_averages_and_their_agreement() -> None:
    """All right, all wrong, and by chance; a likelihood ratio of no row is not divided by what rounding left."""
    rng = np.random.default_rng(11)
    measures = [sheet.name for sheet in rs.list_measures("threshold")]
    for trial in range(60):
        y = np.concatenate([[0, 1, 2], rng.integers(0, 3, int(rng.integers(2, 11)))])
        called = (y, (y + 1) % 3, rng.integers(0, 3, y.size))[trial % 3]
        given: dict[str, Any] = {"sample_weight": rng.uniform(0.1, 3, y.size) ** 3}
        found = rs.multiclass_measures(y, called, measures=measures, **given)
        for name in measures:
            low, high = REGISTRY[name].sheet.bounds
            means = [kind[name] for kind in found.averages.values()]
            for value in (*found.per_class[name], *means):
                assert math.isnan(value) or low <= value <= high, name
        for interval in (found.accuracy, found.balanced_accuracy):
            assert 0 <= interval.estimate <= 1
        for name in ("kappa", "kappa_linear", "kappa_quadratic", "matthews_correlation"):
            assert math.isnan(value := getattr(found, name)) or -1 <= value <= 1
        scores = 0.8 * np.eye(3)[called] + 0.1 * rng.random((y.size, 3))
        assert rs.top_k_accuracy(y, scores, k=3, **given).estimate <= 1
        for options in ({"average": "weighted"}, {"average": "macro"}, {"average": "weighted", "scheme": "ovo"}):
            assert 0 <= rs.multiclass_auc(y, scores, **options, **given) <= 1


def test_a_class_without_rows_elsewhere_has_no_true_negatives() -> None:
    """Weights whose sum leaves 1e-16 of them give specificity 0 and no likelihood ratio of 1e15."""
    rng = np.random.default_rng(0)
    for _ in range(40):
        weight = rng.uniform(0.1, 3, 9) ** 3
        found = rs.multiclass_measures(
            [0, 0, 0, 1, 1, 1, 2, 2, 2],
            [0, 1, 2, 0, 0, 0, 0, 0, 0],
            sample_weight=weight,
            measures=["specificity", "negative_likelihood_ratio"],
        )
        assert found.per_class["specificity"][0] == 0.0
        assert found.per_class["negative_likelihood_ratio"][0] == math.inf


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
def test_measures_of_counts_stay_within_their_bounds() -> None:
    for y, score, weight in samples():
        counts = rs.confusion(y, score, threshold=0.5, sample_weight=weight)
        for sheet in rs.list_measures("threshold"):
            value = float(getattr(counts, sheet.name))
            assert math.isnan(value) or sheet.bounds[0] <= value <= sheet.bounds[1]
