"""Rounding is not evidence: models that differ by less than sums can be off are alike, whatever compares them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

import rocsteady as rs
from rocsteady._src.inference.comparison.rounding import rounding, settled

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")


def swapped(rng: np.random.Generator, n: int) -> tuple[Any, Any, Any, Any]:
    """Labels, weights, and two models alike but for rows of one class that change places with no other between."""
    while True:
        y = rng.permutation(np.arange(n) % 2)
        first = rng.permutation(n).astype(float)
        order = np.argsort(first)
        places = [k for k in range(n - 1) if y[order[k]] == y[order[k + 1]]]
        if places:
            break
    second = first.copy()
    for k in places[:: rng.integers(1, 3)]:
        one, two = order[k], order[k + 1]
        second[one], second[two] = second[two], second[one]
    return y, rng.random(n) + 0.1, first, second


def weighted_auc(y: Any, scores: Any, weights: Any) -> Fraction:
    """By all pairs, in fractions."""
    w = [Fraction(float(each)) for each in weights]
    pairs = [(i, j) for i in range(len(y)) for j in range(len(y)) if y[i] == 1 and y[j] == 0]
    won = sum(w[i] * w[j] * Fraction(2 * int(scores[i] > scores[j]) + int(scores[i] == scores[j]), 2) for i, j in pairs)
    return won / sum((w[i] * w[j] for i, j in pairs), Fraction(0))


def test_the_models_are_equal_in_truth() -> None:
    """What the other tests stand on."""
    rng = np.random.default_rng(1)
    for _ in range(60):
        y, w, first, second = swapped(rng, 12)
        assert weighted_auc(y, first, w) == weighted_auc(y, second, w)


TIMES = 2 * settings.default.max_examples
HOW: dict[str, dict[str, Any]] = {
    "auto": {},
    "delong": {"method": "delong"},
    "score": {"method": "score"},
    "partial": {"fpr_range": (0, 0.4), "method": "delong-t"},
    "partial, TPR": {"tpr_range": (0.5, 1.0), "method": "delong"},
    "standardized": {"fpr_range": (0, 0.7), "standardize": True, "method": "delong-t"},
}


@pytest.mark.parametrize("clusters", [False, True])
@pytest.mark.parametrize("how", HOW)
def test_swaps_inside_a_class_are_no_difference(how: str, clusters: bool) -> None:
    rng = np.random.default_rng(sorted(HOW).index(how))
    for _ in range(TIMES):
        n = int(rng.integers(8, 30))
        y, w, first, second = swapped(rng, n)
        more = {"cluster": rng.permutation(np.arange(n) % (n // 2))} if clusters else {}
        found = rs.compare_auc(y, first, second, sample_weight=w, **HOW[how], **more)
        assert (found.estimate, found.pvalue, found.statistic) == (0.0, 1.0, 0.0)


def test_swaps_of_many_models_of_folds_and_of_classes() -> None:
    rng = np.random.default_rng(2)
    for _ in range(TIMES):
        n = 24
        y, w, first, second = swapped(rng, n)
        scores = {"a": first, "b": second, "c": second}
        found = rs.compare_models(y, scores, sample_weight=w)
        assert [(pair.test.estimate, pair.test.pvalue) for pair in found.pairs] == [(0.0, 1.0)] * 3
        assert found.omnibus is not None
        assert found.omnibus.pvalue == 1.0
        assert not any("ranks better" in line for line in found.verdict)
        assert rs.compare_models(y, scores, sample_weight=w, method="delong").omnibus.pvalue == 1.0
        both = [np.column_stack([-each, each]) for each in (first, second)]
        classes = rs.compare_multiclass_auc(y, *both, sample_weight=w)
        assert (classes.estimate, classes.pvalue) == (0.0, 1.0)


def test_swaps_are_no_difference_to_the_bootstrap() -> None:
    rng = np.random.default_rng(3)
    for _ in range(10):
        y, w, first, second = swapped(rng, 16)
        for measure in ("auc", "gini", "partial_auc(fpr_range=(0, 0.5))"):
            how: dict[str, Any] = {"method": "bootstrap", "n_resamples": 20, "random_state": 1}
            found = rs.compare_measure(measure, y, first, second, sample_weight=w, **how)
            assert (found.estimate, found.pvalue) == (0.0, 1.0)


def test_swaps_inside_folds() -> None:
    rng = np.random.default_rng(4)
    for _ in range(60):
        parts = [swapped(rng, 12) for _ in range(3)]
        y, w, first, second = (np.concatenate([part[k] for part in parts]) for k in range(4))
        fold = np.repeat([1, 2, 3], 12)
        for method in ("auto", "influence"):
            found = rs.compare_crossval(y, first, second, fold=fold, sample_weight=w, method=method)
            assert (found.estimate, found.pvalue) == (0.0, 1.0)


def test_probabilities_that_change_hands_inside_a_class() -> None:
    """Equal weights: sums of the same numbers in another order."""
    rng = np.random.default_rng(5)
    for _ in range(200):
        n = int(rng.integers(10, 40))
        y = rng.permutation(np.arange(n) % 2)
        old = rng.random(n)
        new = old.copy()
        side = np.flatnonzero(y == rng.integers(0, 2))
        new[side] = old[rng.permutation(side)]
        brier = rs.compare_brier(y, old, new)
        assert (brier.estimate, brier.pvalue) == (0.0, 1.0)
        idi = rs.integrated_discrimination(y, old, new)
        assert (idi.idi.estimate, idi.idi.pvalue, idi.events.estimate, idi.nonevents.pvalue) == (0.0, 1.0, 0.0, 1.0)
        assert (idi.relative.estimate, idi.relative.pvalue) == (1.0, 1.0)


def test_real_differences_stay() -> None:
    """The bound is about rounding, not about what matters: one pair of a million counts."""
    n = 2000
    y = np.arange(n) % 2
    first = np.arange(n, dtype=float)
    second = first.copy()
    second[[0, 1]] = second[[1, 0]]
    for weights in (None, np.full(n, 0.5)):
        found = rs.compare_auc(y, first, second, sample_weight=weights, method="delong")
        assert found.estimate == pytest.approx(1e-6, rel=1e-6)
        assert found.se == pytest.approx(math.sqrt(2) * 1e-6, rel=1e-2)
    assert settled(3e-16, rounding(100, 0.5)) == 0.0
    assert settled(-1e-9, rounding(100, 0.5)) == -1e-9
