"""Areas of a part of the ROC or precision-recall curve, and of precision-recall-gain."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number
from rocsteady._src.base.geometry import area_between, davis_goadrich_area, trapezoid_area
from rocsteady._src.measures.ranking import BOTH_CLASSES, checked_range
from rocsteady._src.measures.registry import WITHIN_CLASSES, measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

    Array = NDArray[Any]

of_curve = partial(measure, better="higher", undefined_when=BOTH_CLASSES, joins_negatives=True)


@of_curve(
    label="Two-way partial AUC",
    family="ranking",
    bounds=(0, 1),
    resampling=WITHIN_CLASSES,
    reference="Yang, Lu, Lyu and Hu 2019",
    aliases=("tpauc", "two_way_pauc"),
)
def two_way_partial_auc(
    ranked: RankedScores, *, max_fpr: float = 0.5, min_tpr: float = 0.5, standardize: bool = False
) -> float:
    """Area under the ROC curve inside the corner where FPR is at most ``max_fpr`` and TPR at least ``min_tpr``.

    The integral over FPR from 0 to max_fpr of how far TPR lies above min_tpr, 0 where it does not. The largest is
    max_fpr (1 - min_tpr), by which ``standardize=True`` divides.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.two_way_partial_auc([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.2], max_fpr=1, min_tpr=0.5)
    0.25
    """
    width = _within("max_fpr", max_fpr, open_below=True)
    floor = _within("min_tpr", min_tpr, open_below=False)
    tp, fp = ranked.called_positive
    fpr, tpr = fp / ranked.n_neg, tp / ranked.n_pos
    area = area_between(*_lifted(fpr, tpr, floor), 0.0, width)
    largest = width * (1 - floor)
    return min(area / largest, 1.0) if standardize else min(area, largest)


def _within(name: str, value: Any, *, open_below: bool) -> float:
    fits = is_number(value) and (0 < value <= 1 if open_below else 0 <= value < 1)
    if not fits:
        raise ArgumentError(name, f"{name} must lie in {'(0, 1]' if open_below else '[0, 1)'}, got {value!r}")
    return float(value)


def _lifted(x: Array, y: Array, floor: float) -> tuple[Array, Array]:
    """The curve less ``floor``, 0 below it; the point where it rises above is put in."""
    first = int(np.searchsorted(y, floor, side="right"))  # the last point has height 1, above every floor
    if first == 0:
        return x, y - floor
    left, right = y[first - 1], y[first]
    at = x[first - 1] + (x[first] - x[first - 1]) * ((floor - left) / (right - left))
    lifted = np.concatenate([np.zeros(first + 1), y[first:] - floor])
    return np.concatenate([x[:first], [at], x[first:]]), lifted


@of_curve(
    label="Concordant partial AUC",
    family="parts",
    bounds=(0, 1),
    resampling=WITHIN_CLASSES,
    reference="Carrington and others 2020",
    aliases=("cpauc",),
)
def concordant_partial_auc(
    ranked: RankedScores,
    *,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    standardize: bool = False,
) -> float:
    """Half the area below a part of the ROC curve and half the area to its right: parts add up to the AUC.

    A part runs from where the curve reaches one rate to where it reaches another: ``fpr_range`` or ``tpr_range``,
    without either FPR from 0 to 0.1. Where the curve rises straight up at an end of the range the part ends above, but
    for FPR 0, and where it is level left of it, but for TPR 1; so neighbouring parts share a point.
    ``standardize=True`` divides by half the width plus half the height of the part: the share of pairs won there.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 0, 1, 0], [0.9, 0.6, 0.4, 0.2]
    >>> parts = [rs.measures.concordant_partial_auc(y, s, fpr_range=each) for each in ((0, 0.5), (0.5, 1))]
    >>> parts, rs.auc(y, s)
    ([0.5, 0.25], 0.75)
    """
    if fpr_range is not None and tpr_range is not None:
        raise ArgumentError("partial_range", "give fpr_range or tpr_range, not both")
    tp, fp = ranked.called_positive
    fpr, tpr = fp / ranked.n_neg, tp / ranked.n_pos
    if tpr_range is None:
        ends = [_end(fpr, tpr, at) for at in checked_range((0.0, 0.1) if fpr_range is None else fpr_range)]
    else:  # seen from the other corner the curve is level where it rises
        flipped = 1 - tpr[::-1], 1 - fpr[::-1]
        ends = [_turned(_end(*flipped, 1 - at)) for at in checked_range(tpr_range)]
    (x, y), (u, v) = ends
    inside = _part(fpr, tpr, (x, y), (u, v))
    below, beside = trapezoid_area(*inside), (v - y) - trapezoid_area(inside[1], inside[0])
    share = (below + beside) / 2
    half = ((u - x) + (v - y)) / 2
    return min(share / half, 1.0) if standardize else min(share, half)


def _end(x: Array, y: Array, at: float) -> tuple[float, float]:
    """The point of a rising curve at an abscissa: the upper one where it jumps, but the origin at 0."""
    if at <= 0:
        return 0.0, 0.0
    if at >= 1:
        return 1.0, 1.0
    last = int(np.searchsorted(x, at, side="right")) - 1
    left, right = last, last + 1
    share = (at - x[left]) / (x[right] - x[left])
    return at, float(y[left] + share * (y[right] - y[left]))


def _turned(point: tuple[float, float]) -> tuple[float, float]:
    """A point of the curve as seen from the other corner, the other way round."""
    return 1 - point[1], 1 - point[0]


def _part(x: Array, y: Array, start: tuple[float, float], stop: tuple[float, float]) -> tuple[Array, Array]:
    """Points of the curve between two points on it, with these."""
    along, low, high = x + y, sum(start), sum(stop)  # grows with every step
    first, last = int(np.searchsorted(along, low, side="right")), int(np.searchsorted(along, high, side="left"))
    inner = slice(first, max(first, last))
    return np.concatenate([[start[0]], x[inner], [stop[0]]]), np.concatenate([[start[1]], y[inner], [stop[1]]])


@measure(
    label="Partial PR area",
    better="higher",
    bounds=(0, 1),
    family="ranking",
    undefined_when=("no_positives",),
    reference="Davis and Goadrich 2006",
    aliases=("partial_auprc",),
    ends="student",
)
def partial_pr_auc(
    ranked: RankedScores, *, recall_range: tuple[float, float] = (0.0, 0.5), standardize: bool = False
) -> float:
    """Area under precision-recall over a range of recall, false positives linear in true positives as in ``pr_auc``.

    Parts add up to ``pr_auc``. ``standardize=True`` divides by the width of the range: the mean precision there.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 0, 1], [0.9, 0.6, 0.2]
    >>> round(rs.measures.partial_pr_auc(y, s), 6), round(rs.measures.partial_pr_auc(y, s, recall_range=(0.5, 1)), 6)
    (0.5, 0.297267)
    """
    start, stop = checked_range(recall_range)
    tp, fp = (walk.astype(np.float64) for walk in ranked.called_positive)
    n_pos = float(ranked.n_pos)
    cut = _cut(tp, fp, start * n_pos, stop * n_pos)
    area = davis_goadrich_area(*cut) * float(cut[0][-1]) / n_pos
    return min(area / (stop - start), 1.0) if standardize else min(area, stop - start)


def _cut(tp: Array, fp: Array, start: float, stop: float) -> tuple[Array, Array]:
    """The walk from so many positives to so many, with points on its straight steps at both ends."""
    first, last = int(np.searchsorted(tp, start, side="right")), int(np.searchsorted(tp, stop, side="left"))
    x = np.concatenate([[start], tp[first:last], [stop]])
    return x, np.concatenate([[_on_step(tp, fp, first, start)], fp[first:last], [_on_step(tp, fp, last, stop)]])


def _on_step(tp: Array, fp: Array, right: int, at: float) -> float:
    left = right - 1
    if left < 0:
        return float(fp[0])
    share = (at - tp[left]) / (tp[right] - tp[left])
    return float(fp[left] + share * (fp[right] - fp[left]))


@of_curve(
    label="PR-gain area",
    family="ranking",
    bounds=(-float("inf"), 1),
    chance=0.0,
    reference="Flach and Kull 2015",
    aliases=("auprg", "prg_area"),
    ends="student",
)
def prg_auc(ranked: RankedScores) -> float:
    """Area under the precision-recall-gain curve, over recall gains from 0 to 1; 0 for scores without information.

    Precision gain is 1 - (P/N) FP/TP and recall gain 1 - (P/N) FN/TP: precision and recall on a harmonic scale between
    the prevalence, 0, and 1. Between two thresholds both are linear in 1/TP, so that straight lines join the points.
    The area is a mean of F-scores on that scale; it may be negative.

    Examples
    --------
    >>> import rocsteady as rs
    >>> round(rs.measures.prg_auc([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.2]), 6)
    0.25
    """
    recall_gain, precision_gain = gains_of(ranked)[:2]
    return trapezoid_area(recall_gain, precision_gain)


def gains_of(ranked: RankedScores) -> tuple[Array, Array, int]:
    """Recall and precision gains from recall gain 0 on, and how many thresholds lie before the second point.

    The first point lies on the straight step where recall gain passes 0, that is where recall is the prevalence.
    """
    tp, fp = ranked.called_positive
    n_pos, n_neg = float(ranked.n_pos), float(ranked.n_neg)
    at = n_pos * (n_pos / (n_pos + n_neg))
    whole = int(tp.searchsorted(ranked.n_pos))  # with next to no weight of negatives the prevalence rounds to 1
    first = min(int(tp.searchsorted(int(at) if ranked.exact else at, side="right")), whole)
    missed, found = ranked.called_negative[0][first:], tp[first:].astype(np.float64)
    wrong = np.concatenate([[_on_step(tp, fp, first, at)], fp[first:]])
    odds = n_pos / n_neg
    recall_gain = np.concatenate([[0.0], 1 - odds * (missed / found)])
    precision_gain = 1 - odds * (wrong / np.concatenate([[at], found]))
    return recall_gain, precision_gain, first
