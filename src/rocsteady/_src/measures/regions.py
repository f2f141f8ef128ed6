"""Areas of a part of the ROC or precision-recall curve, and of precision-recall-gain."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number
from rocsteady._src.base.geometry import area_between, climbed_area, trapezoid_area
from rocsteady._src.base.threads import for_blocks
from rocsteady._src.measures.ranking import BOTH_CLASSES, checked_range
from rocsteady._src.measures.registry import WITHIN_CLASSES, measure
from rocsteady._src.ranked.running_counts import Rising

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

    Array = NDArray[Any]
    Point = tuple[float, float]
    Climb = tuple[Array, Array]

of_curve = partial(measure, better="higher", undefined_when=BOTH_CLASSES, joins_negatives=True)


@of_curve(
    label="Two-way partial AUC",
    family="ranking",
    bounds=(0, 1),
    resampling=WITHIN_CLASSES,
    reference="Yang, Lu, Lyu and Hu 2019",
)
def two_way_partial_auc(
    ranked: RankedScores, *, max_fpr: float = 0.5, min_tpr: float = 0.5, standardize: bool = False
) -> float:
    """Area under the ROC curve inside the corner where FPR is at most ``max_fpr`` and TPR at least ``min_tpr``.

    The integral over FPR from 0 to max_fpr of how far TPR lies above min_tpr, 0 where it does not.

    Parameters
    ----------
    max_fpr : float
        The highest false positive rate that is of interest, in (0, 1].
    min_tpr : float
        The lowest true positive rate that is, in [0, 1).
    standardize : bool
        Divide by the largest area there can be, max_fpr (1 - min_tpr), so that 1 is perfect.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.measures.two_way_partial_auc([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.2], max_fpr=1, min_tpr=0.5)
    0.25
    """
    width = _within("max_fpr", max_fpr, open_below=True)
    floor = _within("min_tpr", min_tpr, open_below=False)
    fpr, tpr = ranked.rates
    if isinstance(fpr, Rising):
        area = _corner_of_many(ranked, width, floor)
    else:
        area = area_between(*_lifted(fpr, tpr, floor), 0.0, width)
    largest = width * (1 - floor)
    return min(area / largest, 1.0) if standardize else min(area, largest)


def _within(name: str, value: Any, *, open_below: bool) -> float:
    fits = is_number(value) and (0 < value <= 1 if open_below else 0 <= value < 1)
    if not fits:
        raise ArgumentError(name, f"{name} must lie in {'(0, 1]' if open_below else '[0, 1)'}, got {value!r}")
    return float(value)


def _corner_of_many(ranked: RankedScores, width: float, floor: float) -> float:
    """The same from counts: the whole steps inside are exact, and only the steps that enter and leave are cut."""
    fpr, tpr = ranked.rates
    first, last = int(tpr.searchsorted(floor, side="right")), int(fpr.searchsorted(width, side="left"))
    enters = fpr[first - 1] + (fpr[first] - fpr[first - 1]) * ((floor - tpr[first - 1]) / (tpr[first] - tpr[first - 1]))
    if enters >= width:
        return 0.0
    top = tpr[last - 1] + (tpr[last] - tpr[last - 1]) * ((width - fpr[last - 1]) / (fpr[last] - fpr[last - 1]))
    if first == last:
        return float((width - enters) * (top - floor) / 2)
    entering = (fpr[first] - enters) * (tpr[first] - floor) / 2
    leaving = (width - fpr[last - 1]) * ((tpr[last - 1] - floor) + (top - floor)) / 2
    pairs = int(ranked.n_pos) * int(ranked.n_neg)
    inside = ranked.area_twice(first, last - 1) / (2 * pairs) - floor * (fpr[last - 1] - fpr[first])
    return float(entering + inside + leaving)


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
)
def concordant_partial_auc(
    ranked: RankedScores,
    *,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    standardize: bool = False,
) -> float:
    """Half the area below a part of the ROC curve and half the area to its right: parts add up to the AUC.

    A part runs from where the curve reaches one rate to where it reaches another. Where the curve rises straight up at
    an end of the range the part ends above, but for FPR 0, and where it is level left of it, but for TPR 1; so
    neighbouring parts share a point.

    Parameters
    ----------
    fpr_range, tpr_range : (float, float), optional
        Where the part starts and stops, 0 <= start < stop <= 1, by the one rate or the other, not both. Without either
        it is FPR from 0 to 0.1.
    standardize : bool
        Divide by half the width plus half the height of the part: the share of pairs won there.

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
    fpr, tpr = ranked.rates
    if tpr_range is None:
        ends = [_end(fpr, tpr, at) for at in checked_range((0.0, 0.1) if fpr_range is None else fpr_range)]
    else:  # seen from the other corner the curve is level where it rises
        across, up = (each.flipped() if isinstance(each, Rising) else 1 - each[::-1] for each in (tpr, fpr))
        ends = [_turned(_end(across, up, 1 - at)) for at in checked_range(tpr_range)]
    (x, y), (u, v) = ends
    below, right = _areas_of_part(ranked, (x, y), (u, v))
    beside = (v - y) - right
    share = (below + beside) / 2
    half = ((u - x) + (v - y)) / 2
    return min(share / half, 1.0) if standardize else min(share, half)


def _areas_of_part(ranked: RankedScores, start: Point, stop: Point) -> tuple[float, float]:
    """Areas below and left of the curve between two points on it; of many counts, whole steps are exact."""
    fpr, tpr = ranked.rates
    if not isinstance(fpr, Rising):
        x, y = _part(fpr, tpr, start, stop)
        return trapezoid_area(x, y), trapezoid_area(y, x)
    along = Rising(lambda step: fpr[step] + tpr[step], fpr.size)
    first, last = along.searchsorted(sum(start), side="right"), along.searchsorted(sum(stop), side="left") - 1
    if last < first:
        return _below(start, stop), _below(start[::-1], stop[::-1])
    near, far = ((float(fpr[step]), float(tpr[step])) for step in (first, last))
    (tp, fp), pairs, twice = ranked.walked, int(ranked.n_pos) * int(ranked.n_neg), ranked.area_twice(first, last)
    corners = [int(tp[step]) * int(fp[step]) for step in (first, last)]
    below, left = twice / (2 * pairs), (2 * (corners[1] - corners[0]) - twice) / (2 * pairs)
    ends = ((start, near), (far, stop))
    return (
        below + sum(_below(*end) for end in ends),
        left + sum(_below(one[::-1], other[::-1]) for one, other in ends),
    )


def _below(start: Point, stop: Point) -> float:
    """Area below a straight line between two points."""
    return (stop[0] - start[0]) * (start[1] + stop[1]) / 2


def _end(x: Any, y: Any, at: float) -> tuple[float, float]:
    """The point of a rising curve at an abscissa: the upper one where it jumps, but the origin at 0."""
    if at <= 0:
        return 0.0, 0.0
    if at >= 1:
        return 1.0, 1.0
    last = int(x.searchsorted(at, side="right")) - 1
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
    ends="student",
)
def partial_pr_auc(
    ranked: RankedScores, *, recall_range: tuple[float, float] = (0.0, 0.5), standardize: bool = False
) -> float:
    """Area under precision-recall over a range of recall, false positives linear in true positives as in ``pr_auc``.

    Parts add up to ``pr_auc``.

    Parameters
    ----------
    recall_range : (float, float)
        Where the part starts and stops, 0 <= start < stop <= 1; (0, 0.5) unless given.
    standardize : bool
        Divide by the width of the range: the mean precision there.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 0, 1], [0.9, 0.6, 0.2]
    >>> round(rs.measures.partial_pr_auc(y, s), 6), round(rs.measures.partial_pr_auc(y, s, recall_range=(0.5, 1)), 6)
    (0.5, 0.297267)
    """
    start, stop = checked_range(recall_range)
    n_pos = float(ranked.n_pos)
    found = climbed_area(*_cut(ranked.climbs, start * n_pos, stop * n_pos)) / (stop * n_pos)
    area = found * (stop * n_pos) / n_pos
    return min(area / (stop - start), 1.0) if standardize else min(area, stop - start)


def _cut(climbs: tuple[Climb, Climb], start: float, stop: float) -> tuple[Climb, Climb]:
    """The steps that find positives from so many found to so many, with points on the straight steps at both ends."""
    reached, ends = climbs[1][0], (start, stop)
    if reached.dtype.kind == "i":  # NumPy would turn all of them into floats
        ends = math.floor(start), math.ceil(stop)
    first, last = int(reached.searchsorted(ends[0], side="right")), int(reached.searchsorted(ends[1], side="left"))
    (tp, fp), (to_tp, to_fp) = ((walk[first : last + 1].astype(np.float64) for walk in walks) for walks in climbs)
    cut = [_between((tp[at], fp[at]), (to_tp[at], to_fp[at]), on) for at, on in ((0, start), (-1, stop))]
    tp[0], fp[0] = start, cut[0]
    to_tp[-1], to_fp[-1] = stop, cut[1]
    return (tp, fp), (to_tp, to_fp)


def _between(left: Point, right: Point, at: float) -> float:
    """False positives on a straight step where so many positives are found."""
    share = (at - left[0]) / (right[0] - left[0])
    return float(left[1] + share * (right[1] - left[1]))


@of_curve(
    label="PR-gain area",
    family="ranking",
    bounds=(-float("inf"), 1),
    chance=0.0,
    reference="Flach and Kull 2015",
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
    (tp, fp), size = ranked.walked, ranked.scores.size + 1
    n_pos, n_neg = float(ranked.n_pos), float(ranked.n_neg)
    at = n_pos * (n_pos / (n_pos + n_neg))
    whole = int(tp.searchsorted(ranked.n_pos))  # with next to no weight of negatives the prevalence rounds to 1
    first = min(int(tp.searchsorted(int(at) if ranked.exact else at, side="right")), whole)
    odds = n_pos / n_neg
    recall_gain, precision_gain = (np.empty(size - first + 1) for _ in range(2))
    recall_gain[0] = 0.0
    precision_gain[0] = 1 - odds * (_between((tp[first - 1], fp[first - 1]), (tp[first], fp[first]), at) / at)

    def fill(block: slice) -> None:
        steps, out = slice(block.start + first, block.stop + first), slice(block.start + 1, block.stop + 1)
        found, wrong = ranked.walked_in(steps)
        missed = ranked.n_pos - found if ranked.exact else ranked.called_negative[0][steps]
        for errors, gain in ((missed, recall_gain[out]), (wrong, precision_gain[out])):
            np.subtract(1, np.multiply(odds, errors / found), out=gain)

    for_blocks(fill, size - first)
    return recall_gain, precision_gain, first
