"""Measures of a thresholded classifier: each is one formula on the four counts, scalar or array alike.

0/0 is NaN (a scalar carries its reason); x/0 is infinite. Ranges and directions are in the fact sheets.
"""

from __future__ import annotations

import inspect
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, Undefined, is_number
from rocsteady._src.base.typed import typed
from rocsteady._src.measures.confusion import Confusion, confusion_at
from rocsteady._src.measures.registry import RANK_INVARIANCES, WITHIN_CLASSES, Measure, measure, warn_undefined
from rocsteady._src.ranked.takes_ranked import own_parameters

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady._src.measures.confusion import Threshold
    from rocsteady._src.measures.registry import Better
    from rocsteady._src.ranked import RankedScores

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

    def on_ranked(data: RankedScores | Confusion, *, threshold: Threshold = None, **params: Any) -> Any:
        if not isinstance(data, Confusion):
            return _of_counts(formula, confusion_at(data, threshold), params)
        if threshold is not None:
            raise ArgumentError("threshold_given", "a confusion matrix has its threshold already: pass it alone")
        return _of_counts(formula, data, params)

    data, threshold, _ = inspect.signature(on_ranked).parameters.values()
    for name in ("__name__", "__qualname__", "__module__", "__doc__"):
        setattr(on_ranked, name, getattr(formula, name))
    given = [data, threshold, *own_parameters(formula)]
    on_ranked.__signature__ = inspect.Signature(given, return_annotation="float")  # type: ignore[attr-defined]
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
    "Recall",
    aliases=("tpr", "sensitivity"),
    resampling=WITHIN_CLASSES,
)
def recall(counts: Confusion) -> Any:
    """Share of positives called positive: TP / (TP + FN).

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.recall([1, 1, 0], [0.9, 0.2, 0.4], threshold=0.3)
    0.5
    """
    return ratio(counts.tp, counts.tp + counts.fn)


@threshold_measure(
    "FPR",
    better="lower",
    aliases=("fpr",),
    resampling=WITHIN_CLASSES,
)
def false_positive_rate(counts: Confusion) -> Any:
    """Share of negatives called positive: FP / (FP + TN).

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.false_positive_rate([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5)
    0.3333333333333333
    """
    return ratio(counts.fp, counts.fp + counts.tn)


@threshold_measure("Specificity", aliases=("tnr",), resampling=WITHIN_CLASSES)
def specificity(counts: Confusion) -> Any:
    """Share of negatives called negative: TN / (FP + TN).

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.specificity([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5)
    0.6666666666666666
    """
    return ratio(counts.tn, counts.fp + counts.tn)


@threshold_measure(
    "FNR",
    better="lower",
    aliases=("fnr",),
    resampling=WITHIN_CLASSES,
)
def false_negative_rate(counts: Confusion) -> Any:
    """Share of positives called negative: FN / (TP + FN).

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.false_negative_rate([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5)
    0.3333333333333333
    """
    return ratio(counts.fn, counts.tp + counts.fn)


@threshold_measure("Precision", aliases=("ppv",))
def precision(counts: Confusion) -> Any:
    """Share of positives among the rows called positive: TP / (TP + FP).

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.precision([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5)
    0.6666666666666666
    """
    return ratio(counts.tp, counts.tp + counts.fp)


@threshold_measure("NPV", aliases=("npv",))
def negative_predictive_value(counts: Confusion) -> Any:
    """Share of negatives among the rows called negative: TN / (TN + FN).

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.negative_predictive_value([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5)
    0.6666666666666666
    """
    return ratio(counts.tn, counts.tn + counts.fn)


@threshold_measure("FDR", better="lower", aliases=("fdr",))
def false_discovery_rate(counts: Confusion) -> Any:
    """Share of negatives among the rows called positive: FP / (TP + FP).

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.false_discovery_rate([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5)
    0.3333333333333333
    """
    return ratio(counts.fp, counts.tp + counts.fp)


@threshold_measure("FOR", better="lower")
def false_omission_rate(counts: Confusion) -> Any:
    """Share of positives among the rows called negative: FN / (TN + FN).

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.false_omission_rate([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5)
    0.3333333333333333
    """
    return ratio(counts.fn, counts.tn + counts.fn)


@threshold_measure("Accuracy")
def accuracy(counts: Confusion) -> Any:
    """Share of rows called right: (TP + TN) / all. Read it beside the base rate, always.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.accuracy(rs.measures.Confusion(tp=9_000, fp=1_000, fn=1_000, tn=989_000))
    0.998
    """
    return ratio(counts.tp + counts.tn, _all(counts))


@threshold_measure("Base rate", better="neither")
def base_rate(counts: Confusion) -> Any:
    """Accuracy of always answering the larger class: max(P, N) / all.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.base_rate([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5)
    0.5
    """
    larger = np.maximum(counts.tp + counts.fn, counts.fp + counts.tn)
    return ratio(as_python(larger), _all(counts))


@threshold_measure("Error rate", better="lower")
def error_rate(counts: Confusion) -> Any:
    """Share of rows called wrong: (FP + FN) / all.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.error_rate([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5)
    0.3333333333333333
    """
    return ratio(counts.fp + counts.fn, _all(counts))


@threshold_measure("Balanced accuracy", chance=0.5, resampling=WITHIN_CLASSES)
def balanced_accuracy(counts: Confusion) -> Any:
    """Mean of sensitivity and specificity: (TPR + TNR) / 2.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.balanced_accuracy([1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.1], threshold=0.5)
    0.6666666666666666
    """
    return _mean_of(counts.recall, counts.specificity)


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
    >>> rs.measures.relative_error_reduction(0.75, 0.875)
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


def _mean_of(first: Any, second: Any) -> Any:
    return defined(lambda a, b: (a + b) / 2, first, second)


def defined(formula: Callable[[Any, Any], Any], first: Any, second: Any) -> Any:
    """Apply a formula to two rates, handing on the reason when one of them is undefined."""
    for rate in (first, second):
        if isinstance(rate, Undefined):
            return rate
    value = formula(first, second)
    return as_python(value)


def as_python(number: Any) -> Any:
    """A number of NumPy as one of Python."""
    return number.item() if isinstance(number, np.generic) else number
