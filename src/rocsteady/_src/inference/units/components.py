"""What each row adds to an AUC: components whose means are the AUC and whose spread is its variance.

For the whole AUC these are DeLong's placements. A partial area has them too, as its influence function.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.exact import PIECE
from rocsteady._src.inference.units.units import of_groups
from rocsteady._src.measures.ranking import auc, partial_auc

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

    Array = NDArray[np.float64]
    Range = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """At each distinct score, what a positive and what a negative there adds; both average to ``theta``."""

    theta: float
    of_pos: Array
    of_neg: Array


@dataclass(frozen=True, slots=True)
class Area:
    """Which area under the ROC: the whole, or a part over a range of FPR or TPR, raw or standardised (McClish)."""

    fpr_range: Range | None = None
    tpr_range: Range | None = None
    standardize: bool = False

    def __post_init__(self) -> None:
        if self.standardize and self.whole:
            raise ArgumentError("partial_range", "standardize=True needs fpr_range or tpr_range")

    @property
    def whole(self) -> bool:
        """Whether this is the whole AUC."""
        return self.fpr_range is None and self.tpr_range is None

    @property
    def width(self) -> float:
        """The largest value the area can take."""
        limits = self.fpr_range or self.tpr_range
        return 1.0 if limits is None or self.standardize else limits[1] - limits[0]

    @property
    def reach(self) -> float:
        """How much of the axis it covers."""
        limits = self.fpr_range or self.tpr_range or (0.0, 1.0)
        return limits[1] - limits[0]

    @property
    def slope(self) -> float:
        """Derivative by the area of its share of the largest possible."""
        return 1 / (_mcclish_slope(self) * self.reach) if self.standardize else 1 / self.reach

    def share_of(self, value: float) -> float:
        """Raw area over the largest possible: the mean height of the curve in the range."""
        share = 1 - (1 - value) * self.slope if self.standardize else value / self.reach
        return min(max(share, 0.0), 1.0)

    def value_of(self, share: float) -> float:
        """The area with this mean height."""
        return 1 - (1 - share) / self.slope if self.standardize else share * self.reach

    @property
    def name(self) -> str:
        """What to call it."""
        return "AUC" if self.whole else "partial AUC"

    def value(self, ranked: RankedScores) -> float:
        """The area itself."""
        if self.whole:
            return auc.sheet.compute(ranked)
        return partial_auc.sheet.compute(
            ranked, fpr_range=self.fpr_range, tpr_range=self.tpr_range, standardize=self.standardize
        )

    def components(self, ranked: RankedScores) -> Components:
        """What rows add to it. O(distinct scores)."""
        if self.whole:
            return _whole(self.value(ranked), ranked)
        theta = self.value(ranked)  # checks the range
        slope = _mcclish_slope(self) if self.standardize else 1.0
        if self.fpr_range is not None:
            of_pos, of_neg = _over_fpr(ranked.pos, ranked.neg, *self.fpr_range)
        else:
            start, stop = self.tpr_range or (0.0, 1.0)
            mirrored = _over_fpr(ranked.neg[::-1], ranked.pos[::-1], 1 - stop, 1 - start)
            of_neg, of_pos = (values[::-1] for values in mirrored)
        return Components(theta, theta + slope * of_pos, theta + slope * of_neg)


def _whole(theta: float, ranked: RankedScores) -> Components:
    """Placements: the share of negatives below, of positives above; ties count one half."""
    labels = ranked.row_labels
    if labels is None:
        below = (ranked.neg_below + ranked.neg / 2) / ranked.n_neg
        above = (ranked.n_pos - ranked.pos_through + ranked.pos / 2) / ranked.n_pos
        return Components(theta, below, above)
    added = _of_distinct(labels, ranked.n_pos, ranked.n_neg)
    return Components(theta, added, added)


def _of_distinct(labels: NDArray[np.bool_], n_pos: Any, n_neg: Any) -> Array:
    """Where each score is of one class, one array holds what is asked of either; fresh memory costs the most here."""
    added = np.empty(labels.size)
    for piece, values in _pieces_of_distinct(labels, n_pos, n_neg):
        added[piece] = values
    return added


def _pieces_of_distinct(labels: NDArray[np.bool_], n_pos: Any, n_neg: Any) -> Iterator[tuple[slice, Array]]:
    """Pieces of that array, each in the same memory as the one before."""
    held, seen = np.empty(PIECE), 0
    for start in range(0, labels.size, PIECE):
        piece = slice(start, start + PIECE)
        block = labels[piece]
        values = held[: block.size]
        np.divide(n_pos - seen - block.astype(np.int64).cumsum(), n_pos, out=values)
        places = np.flatnonzero(block)
        values[places] = (start + places - np.arange(seen, seen + places.size)) / n_neg
        seen += places.size
        yield piece, values


def _mcclish_slope(area: Area) -> float:
    """Derivative of (1 + (A/w - c) / (1 - c)) / 2 by A, with c the mean height of the diagonal."""
    start, stop = area.fpr_range or area.tpr_range or (0.0, 1.0)
    chance = (start + stop) / 2 if area.fpr_range is not None else 1 - (start + stop) / 2
    return 0.5 / (1 - chance) / (stop - start)


def _over_fpr(pos: NDArray[Any], neg: NDArray[Any], start: float, stop: float) -> tuple[Array, Array]:
    """Influence of a positive and of a negative at each score on the area over FPR in [start, stop].

    A positive with a share a of negatives above and p tied with it adds the mean over s in [a, a + p] of
    f(s) = stop - clip(s, start, stop); the area is the mean of these, and negatives act through a and p.
    """
    share_pos, p = pos / pos.sum(), neg / neg.sum()
    a = np.clip(1 - p.cumsum(), 0, 1)
    a[-1] = 0.0
    tied = p > 0
    width = np.where(tied, p, 1.0)
    f_near, f_far = (stop - np.clip(s, start, stop) for s in (a, a + p))
    mean = np.where(tied, (_integral(a + p, start, stop) - _integral(a, start, stop)) / width, f_near)
    by_a = np.where(tied, (f_far - f_near) / width, _slope_at(a, start, stop))
    by_p = np.where(tied, (f_far - mean) / width, 0.0)
    through = (share_pos * by_a).cumsum()
    of_neg = through - share_pos * by_a + share_pos * by_p
    return mean - share_pos @ mean, of_neg - share_pos @ (by_a * a + by_p * p)


def _integral(s: Array, start: float, stop: float) -> Array:
    inside = np.clip(s, start, stop)
    before = (stop - start) * np.minimum(s, start)
    return before + stop * (inside - start) - (inside**2 - start**2) / 2


def _slope_at(s: Array, start: float, stop: float) -> Array:
    """Derivative of f; halfway at a kink."""
    return -((s >= start) & (s < stop)).astype(np.float64) / 2 - ((s > start) & (s <= stop)) / 2


def delong_variance(ranked: RankedScores, parts: Components) -> float:
    """Variance of the area from groups, whole-number weights counting as repeated rows; NaN with one row in a class."""
    pos, neg = ranked.steps
    of_classes = ((parts.of_pos, pos, ranked.n_pos), (parts.of_neg, neg, ranked.n_neg))
    return sum(of_groups(values, counts, total, parts.theta) for values, counts, total in of_classes)


def area_spread(area: Area, ranked: RankedScores) -> float:
    """DeLong's variance of an area; of the whole of rows that are not tied without an array of what they add."""
    labels = ranked.row_labels
    if labels is None or not area.whole or min(ranked.n_pos, ranked.n_neg) < 2:
        return delong_variance(ranked, area.components(ranked))
    theta = area.value(ranked)
    sums: tuple[list[float], list[float]] = ([], [])
    for piece, values in _pieces_of_distinct(labels, ranked.n_pos, ranked.n_neg):
        squares, weights = (values - theta) ** 2, labels[piece].astype(np.float64)
        sums[0].append(float(weights @ squares))
        sums[1].append(float((1 - weights) @ squares))
    totals = float(ranked.n_pos), float(ranked.n_neg)
    return sum(math.fsum(each) / (total - 1) / total for each, total in zip(sums, totals, strict=True))
