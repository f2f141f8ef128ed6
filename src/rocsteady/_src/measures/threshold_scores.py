"""Scores made of two or more rates at a threshold, and agreement beyond chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number
from rocsteady._src.measures.registry import WITHIN_CLASSES
from rocsteady._src.measures.threshold import as_python, defined, ratio, threshold_measure, within_one

if TYPE_CHECKING:
    from rocsteady._src.measures.confusion import Confusion


@threshold_measure("F1")
def f1(counts: Confusion) -> Any:
    """Harmonic mean of precision and recall: 2 TP / (2 TP + FP + FN).

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.f1([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5)
    0.6666666666666666
    """
    return ratio(2 * counts.tp, 2 * counts.tp + counts.fp + counts.fn)


@threshold_measure("F-beta")
def f_beta(counts: Confusion, *, beta: float = 1.0) -> Any:
    """Weighted harmonic mean of precision and recall: (1 + b^2) TP / ((1 + b^2) TP + b^2 FN + FP).

    Parameters
    ----------
    beta : float
        How many times as much recall matters as precision, 0 or more: 1 is F1, 0 is precision.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.f_beta([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5, beta=2)
    0.6666666666666666
    """
    if not (is_number(beta) and 0 <= beta < float("inf")):
        raise ArgumentError("beta", f"beta must be a finite number >= 0, got {beta!r}")
    hits = (1 + beta**2) * counts.tp
    return ratio(hits, hits + beta**2 * counts.fn + counts.fp)


@threshold_measure("G-mean", resampling=WITHIN_CLASSES)
def g_mean(counts: Confusion) -> Any:
    """Geometric mean of sensitivity and specificity: sqrt(TPR * TNR).

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.g_mean([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5)
    0.6666666666666666
    """
    return defined(lambda tpr, tnr: np.sqrt(tpr * tnr), counts.recall, counts.specificity)


@threshold_measure("Fowlkes-Mallows")
def fowlkes_mallows(counts: Confusion) -> Any:
    """Geometric mean of precision and recall: sqrt(PPV * TPR); above ``f1`` unless the two are equal.

    Examples
    --------
    >>> import rocsteady as rs
    >>> found = rs.Confusion(tp=9, fp=1, fn=81, tn=9)  # precision 0.9, recall 0.1
    >>> round(found.fowlkes_mallows, 12), round(found.f1, 12)
    (0.3, 0.18)
    """
    return defined(lambda ppv, tpr: np.sqrt(ppv * tpr), counts.precision, counts.recall)


@threshold_measure("MCC", bounds=(-1.0, 1.0), chance=0.0, aliases=("mcc",))
def matthews_correlation(counts: Confusion) -> Any:
    """Correlation of label and decision: (TP TN - FP FN) / sqrt((TP+FP)(TP+FN)(TN+FP)(TN+FN)).

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.matthews_correlation([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5)
    0.3333333333333333
    """
    c, both = counts, _determinant(counts)
    of_labels = ratio(both, _product(c.tp + c.fn, c.fp + c.tn))
    of_calls = ratio(both, _product(c.tp + c.fp, c.fn + c.tn))
    return within_one(defined(_signed_root, of_labels, of_calls))


@threshold_measure("Cohen's kappa", bounds=(-1.0, 1.0), chance=0.0)
def cohen_kappa(counts: Confusion) -> Any:
    """Agreement beyond chance: 2 (TP TN - FP FN) / ((TP+FP)(FP+TN) + (TP+FN)(FN+TN)).

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.cohen_kappa([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5)
    0.3333333333333333
    """
    c = counts
    return ratio(2 * _determinant(c), _product(c.tp + c.fp, c.fp + c.tn) + _product(c.tp + c.fn, c.fn + c.tn))


@threshold_measure("Youden's J", bounds=(-1.0, 1.0), chance=0.0, resampling=WITHIN_CLASSES)
def youden_j(counts: Confusion) -> Any:
    """Vertical distance of the ROC point from the diagonal: TPR - FPR = (TP TN - FP FN) / (P N).

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.youden_j([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5)
    0.3333333333333333
    """
    return ratio(_determinant(counts), _product(counts.tp + counts.fn, counts.fp + counts.tn))


@threshold_measure("LR+", bounds=(0.0, float("inf")), chance=1.0, resampling=WITHIN_CLASSES)
def positive_likelihood_ratio(counts: Confusion) -> Any:
    """Odds gained by a positive call: TPR / FPR.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.positive_likelihood_ratio([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5)
    2.0
    """
    return defined(ratio, counts.recall, counts.false_positive_rate)


@threshold_measure("LR-", better="lower", bounds=(0.0, float("inf")), chance=1.0, resampling=WITHIN_CLASSES)
def negative_likelihood_ratio(counts: Confusion) -> Any:
    """Odds left after a negative call: FNR / TNR.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.negative_likelihood_ratio([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5)
    0.5
    """
    return defined(ratio, counts.false_negative_rate, counts.specificity)


@threshold_measure("DOR", bounds=(0.0, float("inf")), chance=1.0, resampling=WITHIN_CLASSES)
def diagnostic_odds_ratio(counts: Confusion) -> Any:
    """Odds ratio of the table: TP TN / (FP FN).

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.diagnostic_odds_ratio([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5)
    4.0
    """
    return ratio(_product(counts.tp, counts.tn), _product(counts.fp, counts.fn))


@threshold_measure("Markedness", bounds=(-1.0, 1.0), chance=0.0)
def markedness(counts: Confusion) -> Any:
    """How far a call can be trusted either way: PPV + NPV - 1 = (TP TN - FP FN) / ((TP+FP)(TN+FN)).

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.markedness([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5)
    0.3333333333333333
    """
    return ratio(_determinant(counts), _product(counts.tp + counts.fp, counts.tn + counts.fn))


@threshold_measure("Jaccard")
def jaccard(counts: Confusion) -> Any:
    """Hits among all rows that are or are called positive: TP / (TP + FP + FN).

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.jaccard([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5)
    0.5
    """
    return ratio(counts.tp, counts.tp + counts.fp + counts.fn)


@threshold_measure("Prevalence", better="neither")
def prevalence(counts: Confusion) -> Any:
    """Share of positives: P / (P + N).

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.prevalence([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5)
    0.5
    """
    return ratio(counts.tp + counts.fn, counts.tp + counts.fp + counts.fn + counts.tn)


def _signed_root(first: Any, second: Any) -> Any:
    """Geometric mean of two numbers of one sign: of 1 and 1, or -1 and -1, exactly that."""
    return np.copysign(np.sqrt(first * second), first)


def _determinant(counts: Confusion) -> Any:
    return _product(counts.tp, counts.tn) - _product(counts.fp, counts.fn)


def _product(first: Any, second: Any) -> Any:
    """Multiply counts: as Python numbers at one threshold, as float64 over all, never as overflowing int64."""
    if np.ndim(first) or np.ndim(second):
        return np.multiply(first, second, dtype=np.float64)
    return as_python(first) * as_python(second)
