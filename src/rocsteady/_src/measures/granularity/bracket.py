"""The mean of AUC / up(delta) over a range of delta, between two bounds that hold.

up grows with delta and its integral is a sum of ramps, so in every interval its least, greatest and mean value are
known exactly. Since 1/x is convex, Jensen's inequality bounds the mean of 1/up from below and the chord bounds it from
above; the gap shrinks with the square of the interval. Intervals are halved, the widest bracket first. What rounding
may do to the mean value widens the bracket.
"""

from __future__ import annotations

import heapq
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.exact import compensated_cumsum
from rocsteady._src.ranked import sorted_distinct

if TYPE_CHECKING:
    from rocsteady._src.measures.granularity.consistent import Shifter

FEW_PAIRS = 300_000
FIRST_INTERVALS = 16
MOST_EVALUATIONS = 4000
INTEGRAL_ERROR = 1e-14  # of the range; measured errors stay below a tenth of this, up to a million rows


def mean_auc_over_up(shifter: Shifter, upper: float, tolerance: float) -> tuple[float, float]:
    """Lower and upper bound of the mean of AUC / up(delta) for delta in [0, upper]."""
    points, pos, others, neg = shifter.sides
    reach = max(float(others[-1] - points[0]), 0.0)
    inside = min(upper, reach)
    rest = (upper - inside) * shifter.auc  # from there on up is 1
    if inside == 0:
        return shifter.auc, shifter.auc
    if points.size * others.size <= FEW_PAIRS:
        weights = pos.astype(np.float64)[:, None] * neg  # products of whole weights may pass 63 bits
        exact = (_every_step(points[:, None] - others, weights, shifter, inside) + rest) / upper
        slack = 1e-14 if shifter.ranked.exact else 1e-12
        return exact * (1 - slack), exact * (1 + slack)
    low, high = _halving(shifter, inside, tolerance * upper)
    return (low + rest) / upper, (high + rest) / upper


def _every_step(gaps: Any, weights: Any, shifter: Shifter, inside: float) -> float:
    """The exact integral: up is constant between the gaps of misordered pairs."""
    lost = (gaps <= 0) & (-gaps < inside)
    steps, place = sorted_distinct(-gaps[lost])
    gained = np.bincount(place, weights[lost].astype(np.float64), minlength=steps.size)
    won = float(weights[gaps > 0].sum())
    up = (won + np.concatenate([[0.0], np.cumsum(gained)])) / float(shifter.pairs)
    widths = np.diff(np.concatenate([[0.0], steps, [inside]]))
    spent = widths > 0
    return float(shifter.auc * (widths[spent] / up[spent]).sum())


def _halving(shifter: Shifter, inside: float, tolerance: float) -> tuple[float, float]:
    until = UpIntegral(shifter)
    ends = [until.at(inside * k / FIRST_INTERVALS) for k in range(FIRST_INTERVALS + 1)]
    heap = [_bracket(shifter.auc, left, right, until.unsure) for left, right in pairwise(ends)]
    heapq.heapify(heap)
    open_gap = -sum(item[0] for item in heap)
    for _ in range(MOST_EVALUATIONS):
        if open_gap <= tolerance:
            break
        gap, low, high, left, right = heapq.heappop(heap)
        middle = until.at((left[0] + right[0]) / 2)
        halves = [_bracket(shifter.auc, a, b, until.unsure) for a, b in ((left, middle), (middle, right))]
        gained = sum(half[0] for half in halves) - gap
        if gained <= 0:  # rounding allows no more
            heapq.heappush(heap, (gap, low, high, left, right))
            break
        open_gap -= gained
        for half in halves:
            heapq.heappush(heap, half)
    return sum(item[1] for item in heap), sum(item[2] for item in heap)


def _bracket(auc: float, left: Any, right: Any, unsure: float) -> tuple[float, float, float, Any, Any]:
    """(minus the gap, lower, upper, left, right) of the integral of AUC / up over one interval."""
    width = right[0] - left[0]
    least, most = left[1], right[1]
    gained = right[2] - left[2]
    mean_least, mean_most = (min(max(area / width, least), most) for area in (gained - unsure, gained + unsure))
    lower = auc * width / mean_most
    share = (mean_least - least) / (most - least) if most > least else 0.0
    upper = max(auc * width * ((1 - share) / least + share / most), lower)
    slack = 1e-11 * upper
    return lower - upper, lower - slack, upper + slack, left, right


class UpIntegral:
    """up just above delta, and its integral from 0 to delta, in O(n) per delta."""

    def __init__(self, shifter: Shifter) -> None:
        points, pos, others, neg = shifter.sides
        origin = min(points[0], others[0])
        self.points, self.others, self.pos = points - origin, others - origin, pos / float(shifter.pairs)
        self.counts = np.concatenate([[0.0], compensated_cumsum(neg.astype(np.float64))])
        self.sums = np.concatenate([[0.0], compensated_cumsum(neg * self.others)])
        won = self.others.searchsorted(self.points, side="left")
        self.surely_won = self._area(self.points, won)
        self.unsure = INTEGRAL_ERROR * float(max(self.points[-1], self.others[-1]))

    def at(self, delta: float) -> tuple[float, float, float]:
        """(delta, up just above it, integral of up)."""
        moved = self.points + delta
        last = self.others.searchsorted(moved, side="right")
        return delta, float(self.pos @ self.counts[last]), self._area(moved, last) - self.surely_won

    def _area(self, at: Any, last: Any) -> float:
        """Mean of max(at - n, 0)."""
        area = at * self.counts[last]
        area -= self.sums[last]
        return float(self.pos @ area)
