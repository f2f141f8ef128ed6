"""The ROC curves of folds averaged: at false positive rates, or at thresholds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.geometry import trapezoid_area
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.folds.auc import UndefinedFolds, folds_of_both_classes, refuse_folds_of_one_class
from rocsteady._src.designs.folds.rows_by_fold import FoldedRows, read_folds
from rocsteady._src.inference.intervals.normal import check_choice, check_level, quantile_of
from rocsteady._src.inputs.reals import real_numbers
from rocsteady._src.measures.curves import roc_curve
from rocsteady._src.ranked import sorted_distinct
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.crossval import AveragedRoc
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.results import RocCurve

    Array = NDArray[np.float64]

How = Literal["vertical", "threshold"]


@typed
def averaged_roc(
    y_true: object,
    y_score: object = None,
    *,
    fold: object = None,
    repeat: object = None,
    id: object = None,  # noqa: A002 - as evaluate calls it
    how: How = "vertical",
    at: object = None,
    level: float = 0.95,
    undefined: UndefinedFolds = "nan",
    sample_weight: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> AveragedRoc:
    """Mean ROC curve of the folds, with limits at each place by itself.

    "vertical": the mean true positive rate at each false positive rate; scores of different folds are never compared,
    and the area under the mean is the mean of the areas. "threshold": the mean of both rates at each threshold, for
    folds whose scores are on one scale. Limits are mean +- t s / sqrt(k) with k - 1 degrees of freedom, s being the
    standard deviation over folds and k the folds of a repeat: repeats steady the mean, but bring no new rows. Folds
    are the units here, so that several rows per subject need no ``cluster``, as long as all rows of a subject are in
    one fold; :func:`rocsteady.crossval_auc` with ``cluster`` warns where they are not. O(n k) once ranked.

    Parameters
    ----------
    y_true, y_score, fold, repeat, id, sample_weight, pos_label, missing
        As in :func:`rocsteady.crossval_auc`.
    how : {"vertical", "threshold"}
        What stays fixed while averaging.
    at : array-like, optional
        False positive rates, or thresholds, to average at; all places where a fold's curve turns unless given. At a
        jump the upper end counts.
    level : float
        Of the limits.
    undefined : {"nan", "drop"}
        Folds with one class have no curve: they are refused, or left out.

    Returns
    -------
    AveragedRoc
        ``fpr, tpr, low, high, area``; with "threshold" also ``thresholds, fpr_low, fpr_high``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, fold = [1, 1, 0, 0] * 2, [1] * 4 + [2] * 4
    >>> scores = [0.9, 0.4, 0.6, 0.1, 0.8, 0.7, 0.3, 0.2]
    >>> roc = rs.crossval.averaged_roc(y, scores, fold=fold)
    >>> roc.fpr.tolist(), roc.tpr.tolist(), roc.area
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.75, 0.75, 1.0, 1.0], 0.875)
    >>> rs.crossval.averaged_roc(y, scores, fold=fold, how="threshold", at=[0.5]).tpr.tolist()
    [0.75]
    """
    check_choice("how", how, get_args(How))
    check_choice("undefined", undefined, get_args(UndefinedFolds))
    check_level(level)
    options: dict[str, Any] = {"sample_weight": sample_weight, "pos_label": pos_label, "missing": missing}
    rows = read_folds(y_true, {"y_score": y_score}, fold=fold, repeat=repeat, row=id, **options)
    refuse_folds_of_one_class(rows)
    rows, notes = folds_of_both_classes(rows, undefined, fewest=2, what="ROC curve")
    curves = tuple(roc_curve(each.ranked[0]) for each in rows.folds)
    makers: dict[str, Callable[..., tuple[Array, dict[str, Any]]]] = {"vertical": _vertical, "threshold": _threshold}
    fpr, found = makers[how](curves, _places(at, how), _spread(rows, level))
    area = trapezoid_area(fpr, found["tpr"]) if at is None else math.nan
    return AveragedRoc(
        fpr=fpr,
        **found,
        level=level,
        method=how,
        coverage="pointwise",
        **facts_of(rows),
        warnings=(*notes, *_on_width(found)),
        area=area,
        n_folds=len(rows.folds),
        n_repeats=rows.n_repeats,
        curves=curves,
    )


def _on_width(found: dict[str, Any]) -> list[Remark]:
    """Limits from the spread of the folds say nothing where there is none."""
    flat = int(np.count_nonzero((found["low"] == found["high"])[1:-1]))
    if not flat:
        return []
    return [Remark("flat_places", n=flat, total=found["low"].size)]


def _places(at: object, how: str) -> Array | None:
    if at is None:
        return None
    places = real_numbers(at, "at")
    if places.ndim != 1 or np.isnan(places).any() or (how == "vertical" and ((places < 0) | (places > 1)).any()):
        kind = "false positive rates in [0, 1]" if how == "vertical" else "thresholds"
        raise ArgumentError("at", f"at must hold {kind}, without NaN; got {at!r}")
    return places


def _spread(rows: FoldedRows, level: float) -> Callable[[Sequence[Array]], tuple[Array, Array, Array]]:
    """Mean of values over folds, and its limits."""
    k = min(len(folds) for folds in rows.repeats())
    reach = quantile_of(level, df=k - 1) / math.sqrt(k) if k > 1 else math.nan

    def limits(values: Sequence[Array]) -> tuple[Array, Array, Array]:
        mean = sum(values, np.zeros(1)) / len(values)
        squares: Array = sum(((value - mean) ** 2 for value in values), np.zeros(1))
        half = reach * np.sqrt(squares / (len(values) - 1))
        return mean, np.clip(mean - half, 0, 1), np.clip(mean + half, 0, 1)

    return limits


def _vertical(curves: Sequence[RocCurve], at: Array | None, limits: Any) -> tuple[Array, dict[str, Any]]:
    if at is not None:
        tpr, low, high = limits([_heights(curve, at)[1] for curve in curves])
        return at, {"tpr": tpr, "low": low, "high": high}
    places = sorted_distinct(np.concatenate([curve.fpr for curve in curves]))[0]
    both = [_heights(curve, places) for curve in curves]
    # Both ends of a jump are kept, so that the mean of the curves has the mean of their areas.
    ends = [limits([pair[side] for pair in both]) for side in (0, 1)]
    tpr, low, high = (np.stack(pair, axis=1).ravel() for pair in zip(*ends, strict=True))
    fpr = np.repeat(places, 2)
    new = np.append(True, (np.diff(fpr) != 0) | (np.diff(tpr) != 0))
    return fpr[new], {"tpr": tpr[new], "low": low[new], "high": high[new]}


def _heights(curve: RocCurve, at: Array) -> tuple[Array, Array]:
    """Lower and upper end of the curve at each false positive rate; the curve starts in (0, 0)."""
    left, right = (curve.fpr.searchsorted(at, side) for side in ("left", "right"))
    between = np.interp(at, curve.fpr, curve.tpr)
    on = right > left
    last = curve.fpr.size - 1
    lower = np.where(on, curve.tpr[np.minimum(left, last)], between)
    upper = np.where(on, curve.tpr[np.maximum(right - 1, 0)], between)
    return lower, upper


def _threshold(curves: Sequence[RocCurve], at: Array | None, limits: Any) -> tuple[Array, dict[str, Any]]:
    if at is None:
        scores = sorted_distinct(np.concatenate([curve.thresholds.astype(np.float64) for curve in curves]))[0]
        at = scores[::-1]
    steps = [_steps(curve, at) for curve in curves]
    fpr, fpr_low, fpr_high = limits([curve.fpr[step] for curve, step in zip(curves, steps, strict=True)])
    tpr, low, high = limits([curve.tpr[step] for curve, step in zip(curves, steps, strict=True)])
    found = {"tpr": tpr, "low": low, "high": high, "thresholds": at, "fpr_low": fpr_low, "fpr_high": fpr_high}
    return fpr, found


def _steps(curve: RocCurve, at: Array) -> NDArray[np.intp]:
    """The last point of the curve whose threshold is at or above the one asked for."""
    rising = curve.thresholds[:0:-1].astype(np.float64)  # inf, the first, is "nothing positive"
    return rising.size - rising.searchsorted(at, side="left")
