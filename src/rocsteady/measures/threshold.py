"""Metrics of a thresholded classifier: each is one formula on the four counts, scalar or array alike.

0/0 is NaN (a scalar carries its reason); x/0 is infinite. Ranges and directions are in the fact sheets.
"""

from __future__ import annotations

import inspect
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.doors import own_parameters
from rocsteady.errors import ArgumentError, Undefined, is_number
from rocsteady.measures.confusion import Confusion, confusion_at
from rocsteady.measures.registry import RANK_INVARIANCES, WITHIN_CLASSES, Measure, measure, warn_undefined
from rocsteady.typed import typed

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady.measures.registry import Better
    from rocsteady.ranked import RankedScores

SHARE = (0.0, 1.0)
MOST_EXACT_DOUBLE = 2**53
FEW_THRESHOLDS = 1 << 12  # so many are taken one by one where products of counts would round


def threshold_measure(
    label: str, *, better: Better = "higher", bounds: tuple[float, float] = SHARE, **facts: Any
) -> Callable[[Callable[..., Any]], Measure]:
    """Register ``formula(confusion, *, params)``; it also takes ranked scores, or labels and scores."""

    def register(formula: Callable[..., Any]) -> Measure:
        decorate = measure(
            label=label,
            family="threshold",
            better=better,
            bounds=bounds,
            invariances=RANK_INVARIANCES[:3],
            undefined_when=("empty",),
            ready=(Confusion,),
            **facts,
        )
        return decorate(_thresholded(formula))

    return register


def _thresholded(formula: Callable[..., Any]) -> Callable[..., Any]:
    """Put the threshold before a formula on counts."""

    def on_ranked(data: RankedScores | Confusion, *, threshold: Any = None, **params: Any) -> Any:
        if not isinstance(data, Confusion):
            return _of_counts(formula, confusion_at(data, threshold), params)
        if threshold is not None:
            raise ArgumentError("threshold_given", "a confusion matrix has its threshold already: pass it alone")
        return _of_counts(formula, data, params)

    data, threshold, _ = inspect.signature(on_ranked).parameters.values()
    for name in ("__name__", "__qualname__", "__module__", "__doc__"):
        setattr(on_ranked, name, getattr(formula, name))
    on_ranked.__signature__ = inspect.Signature([data, threshold, *own_parameters(formula)])  # type: ignore[attr-defined]
    return on_ranked


def _of_counts(formula: Callable[..., Any], counts: Confusion, params: dict[str, Any]) -> Any:
    """Value at one threshold or at all; arrays of counts that doubles would round go through Python's integers."""
    cells = [np.asarray(cell) for cell in (counts.tp, counts.fp, counts.fn, counts.tn)]
    if not cells[0].ndim or any(cell.dtype.kind != "i" for cell in cells):
        return formula(counts, **params)
    total = sum(int(cell.max(initial=0)) for cell in cells)
    if total <= MOST_EXACT_DOUBLE and (total**2 <= MOST_EXACT_DOUBLE or cells[0].size > FEW_THRESHOLDS):
        return formula(counts, **params)
    each = zip(*(cell.tolist() for cell in cells), strict=True)
    return np.array([formula(Confusion(*one), **params) for one in each], dtype=np.float64)


def ratio(part: Any, whole: Any) -> Any:
    """Divide: 0/0 is NaN, with its reason for scalars; x/0 is infinite."""
    if np.ndim(part) or np.ndim(whole):
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.true_divide(part, whole)
    if whole:
        return part / whole
    return float("inf") if part > 0 else Undefined("zero_division")


def within_one(correlation: Any) -> Any:
    """Take off what rounding of a root put beyond -1 or 1; NaN keeps its reason."""
    if np.ndim(correlation):
        return np.clip(correlation, -1.0, 1.0)
    return correlation if not abs(correlation) > 1 else math.copysign(1.0, correlation)


@threshold_measure(
    "Recall", aliases=("tpr", "sensitivity", "true_positive_rate", "recall_score"), resampling=WITHIN_CLASSES
)
def recall(counts: Confusion) -> Any:
    """Share of positives called positive: TP / (TP + FN).

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.recall([1, 1, 0], [0.9, 0.2, 0.4], threshold=0.3)
    0.5
    """
    return ratio(counts.tp, counts.tp + counts.fn)


@threshold_measure("FPR", better="lower", aliases=("fpr", "fall_out"), resampling=WITHIN_CLASSES)
def false_positive_rate(counts: Confusion) -> Any:
    """Share of negatives called positive: FP / (FP + TN)."""
    return ratio(counts.fp, counts.fp + counts.tn)


@threshold_measure("Specificity", aliases=("tnr", "true_negative_rate", "selectivity"), resampling=WITHIN_CLASSES)
def specificity(counts: Confusion) -> Any:
    """Share of negatives called negative: TN / (FP + TN)."""
    return ratio(counts.tn, counts.fp + counts.tn)


@threshold_measure("FNR", better="lower", aliases=("fnr", "miss_rate"), resampling=WITHIN_CLASSES)
def false_negative_rate(counts: Confusion) -> Any:
    """Share of positives called negative: FN / (TP + FN)."""
    return ratio(counts.fn, counts.tp + counts.fn)


@threshold_measure("Precision", aliases=("ppv", "positive_predictive_value", "precision_score"))
def precision(counts: Confusion) -> Any:
    """Share of positives among the rows called positive: TP / (TP + FP)."""
    return ratio(counts.tp, counts.tp + counts.fp)


@threshold_measure("NPV", aliases=("npv",))
def negative_predictive_value(counts: Confusion) -> Any:
    """Share of negatives among the rows called negative: TN / (TN + FN)."""
    return ratio(counts.tn, counts.tn + counts.fn)


@threshold_measure("FDR", better="lower", aliases=("fdr",))
def false_discovery_rate(counts: Confusion) -> Any:
    """Share of negatives among the rows called positive: FP / (TP + FP)."""
    return ratio(counts.fp, counts.tp + counts.fp)


@threshold_measure("FOR", better="lower", aliases=("for_",))
def false_omission_rate(counts: Confusion) -> Any:
    """Share of positives among the rows called negative: FN / (TN + FN)."""
    return ratio(counts.fn, counts.tn + counts.fn)


@threshold_measure("Accuracy", aliases=("acc", "accuracy_score"))
def accuracy(counts: Confusion) -> Any:
    """Share of rows called right: (TP + TN) / all. Read it beside the base rate, always.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.accuracy(rs.Confusion(tp=9_000, fp=1_000, fn=1_000, tn=989_000))
    0.998
    """
    return ratio(counts.tp + counts.tn, _all(counts))


@threshold_measure("Base rate", better="neither")
def base_rate(counts: Confusion) -> Any:
    """Accuracy of always answering the larger class: max(P, N) / all."""
    larger = np.maximum(counts.tp + counts.fn, counts.fp + counts.tn)
    return ratio(_python(larger), _all(counts))


@threshold_measure("Error rate", better="lower", aliases=("misclassification_rate",))
def error_rate(counts: Confusion) -> Any:
    """Share of rows called wrong: (FP + FN) / all."""
    return ratio(counts.fp + counts.fn, _all(counts))


@threshold_measure(
    "Balanced accuracy", chance=0.5, aliases=("balanced_accuracy_score", "bacc"), resampling=WITHIN_CLASSES
)
def balanced_accuracy(counts: Confusion) -> Any:
    """Mean of sensitivity and specificity: (TPR + TNR) / 2."""
    return _mean_of(counts.recall, counts.specificity)


@threshold_measure("F1", aliases=("f1_score",))
def f1(counts: Confusion) -> Any:
    """Harmonic mean of precision and recall: 2 TP / (2 TP + FP + FN)."""
    return ratio(2 * counts.tp, 2 * counts.tp + counts.fp + counts.fn)


@threshold_measure("F-beta", aliases=("fbeta_score",))
def f_beta(counts: Confusion, *, beta: float = 1.0) -> Any:
    """Weighted harmonic mean of precision and recall: (1 + b^2) TP / ((1 + b^2) TP + b^2 FN + FP)."""
    if not (is_number(beta) and 0 <= beta < float("inf")):
        raise ArgumentError("beta", f"beta must be a finite number >= 0, got {beta!r}")
    hits = (1 + beta**2) * counts.tp
    return ratio(hits, hits + beta**2 * counts.fn + counts.fp)


@threshold_measure("G-mean", resampling=WITHIN_CLASSES)
def g_mean(counts: Confusion) -> Any:
    """Geometric mean of sensitivity and specificity: sqrt(TPR * TNR)."""
    return _defined(lambda tpr, tnr: np.sqrt(tpr * tnr), counts.recall, counts.specificity)


@threshold_measure("MCC", bounds=(-1.0, 1.0), chance=0.0, aliases=("mcc", "matthews_corrcoef", "phi_coefficient"))
def matthews_correlation(counts: Confusion) -> Any:
    """Correlation of label and decision: (TP TN - FP FN) / sqrt((TP+FP)(TP+FN)(TN+FP)(TN+FN))."""
    c, both = counts, _determinant(counts)
    of_labels = ratio(both, _product(c.tp + c.fn, c.fp + c.tn))
    of_calls = ratio(both, _product(c.tp + c.fp, c.fn + c.tn))
    return within_one(_defined(_signed_root, of_labels, of_calls))


@threshold_measure("Cohen's kappa", bounds=(-1.0, 1.0), chance=0.0, aliases=("kappa", "cohen_kappa_score"))
def cohen_kappa(counts: Confusion) -> Any:
    """Agreement beyond chance: 2 (TP TN - FP FN) / ((TP+FP)(FP+TN) + (TP+FN)(FN+TN))."""
    c = counts
    return ratio(2 * _determinant(c), _product(c.tp + c.fp, c.fp + c.tn) + _product(c.tp + c.fn, c.fn + c.tn))


@threshold_measure(
    "Youden's J", bounds=(-1.0, 1.0), chance=0.0, aliases=("informedness", "youden"), resampling=WITHIN_CLASSES
)
def youden_j(counts: Confusion) -> Any:
    """Vertical distance of the ROC point from the diagonal: TPR - FPR = (TP TN - FP FN) / (P N)."""
    return ratio(_determinant(counts), _product(counts.tp + counts.fn, counts.fp + counts.tn))


@threshold_measure("LR+", bounds=(0.0, float("inf")), chance=1.0, aliases=("lr_plus",), resampling=WITHIN_CLASSES)
def positive_likelihood_ratio(counts: Confusion) -> Any:
    """Odds gained by a positive call: TPR / FPR."""
    return _defined(ratio, counts.recall, counts.false_positive_rate)


@threshold_measure(
    "LR-", better="lower", bounds=(0.0, float("inf")), chance=1.0, aliases=("lr_minus",), resampling=WITHIN_CLASSES
)
def negative_likelihood_ratio(counts: Confusion) -> Any:
    """Odds left after a negative call: FNR / TNR."""
    return _defined(ratio, counts.false_negative_rate, counts.specificity)


@threshold_measure("DOR", bounds=(0.0, float("inf")), chance=1.0, aliases=("dor",), resampling=WITHIN_CLASSES)
def diagnostic_odds_ratio(counts: Confusion) -> Any:
    """Odds ratio of the table: TP TN / (FP FN)."""
    return ratio(_product(counts.tp, counts.tn), _product(counts.fp, counts.fn))


@threshold_measure("Markedness", bounds=(-1.0, 1.0), chance=0.0)
def markedness(counts: Confusion) -> Any:
    """How far a call can be trusted either way: PPV + NPV - 1 = (TP TN - FP FN) / ((TP+FP)(TN+FN))."""
    return ratio(_determinant(counts), _product(counts.tp + counts.fp, counts.tn + counts.fn))


@threshold_measure("Jaccard", aliases=("csi", "critical_success_index", "jaccard_score", "threat_score"))
def jaccard(counts: Confusion) -> Any:
    """Hits among all rows that are or are called positive: TP / (TP + FP + FN)."""
    return ratio(counts.tp, counts.tp + counts.fp + counts.fn)


@threshold_measure("Prevalence", better="neither")
def prevalence(counts: Confusion) -> Any:
    """Share of positives: P / (P + N)."""
    return ratio(counts.tp + counts.fn, _all(counts))


@typed
def relative_error_reduction(first_accuracy: float, second_accuracy: float) -> float:
    """Share of the first model's errors that the second one avoids: ((1-r1) - (1-r2)) / (1-r1).

    Parameters
    ----------
    first_accuracy, second_accuracy : float
        Accuracies r1 and r2 in [0, 1].

    Returns
    -------
    float
        1 when no error is left, 0 when as many are left, negative when there are more. NaN with the reason
        ``no_error_to_reduce`` when the first model makes none.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.relative_error_reduction(0.75, 0.875)
    0.5
    """
    for value in (first_accuracy, second_accuracy):
        if not (is_number(value) and 0 <= value <= 1):
            raise ArgumentError("accuracy", f"an accuracy lies in [0, 1], got {value!r}")
    if first_accuracy == 1:
        value = Undefined("no_error_to_reduce")
        warn_undefined("relative_error_reduction", value)
        return value
    return (second_accuracy - first_accuracy) / (1 - first_accuracy)


def _all(counts: Confusion) -> Any:
    return counts.tp + counts.fp + counts.fn + counts.tn


def _signed_root(first: Any, second: Any) -> Any:
    """Geometric mean of two numbers of one sign: of 1 and 1, or -1 and -1, exactly that."""
    return np.copysign(np.sqrt(first * second), first)


def _mean_of(first: Any, second: Any) -> Any:
    return _defined(lambda a, b: (a + b) / 2, first, second)


def _defined(formula: Callable[[Any, Any], Any], first: Any, second: Any) -> Any:
    """Apply a formula to two rates, handing on the reason when one of them is undefined."""
    for rate in (first, second):
        if isinstance(rate, Undefined):
            return rate
    value = formula(first, second)
    return _python(value)


def _determinant(counts: Confusion) -> Any:
    return _product(counts.tp, counts.tn) - _product(counts.fp, counts.fn)


def _product(first: Any, second: Any) -> Any:
    """Multiply counts: as Python numbers at one threshold, as float64 over all, never as overflowing int64."""
    if np.ndim(first) or np.ndim(second):
        return np.multiply(first, second, dtype=np.float64)
    return _python(first) * _python(second)


def _python(number: Any) -> Any:
    return number.item() if isinstance(number, np.generic) else number
