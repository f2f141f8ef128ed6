"""Sums of max(0, 1 - beta d)**2 over all pairs, from gaps between neighbours: only positive terms are added."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.measures.pairwise.sums import EPSILON, PairSums, farthest_apart
from rocsteady._src.ranked.grouping import ascending_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.measures.pairwise.sums import Side

    Array = NDArray[np.float64]


def squared_hinge_sums(positives: Side, negatives: Side, beta: float, *, curvature: bool = False) -> PairSums:
    """Sums of the loss and of its derivatives, for points in any order.

    With every positive moved down by 1/beta, to t, a pair costs beta^2 (n - t)^2 where n > t. Going down the merged
    points, the mass of the negatives above, the sum of their distances and that of their squared distances each
    grow by terms that are not negative; so do mass and distances of the positives below, going up. O(n log n).
    """
    (p, p_weights), (n, n_weights) = positives, negatives
    centre = float(n[0])
    points = np.concatenate([n - centre, (p - centre) - 1 / beta])
    # Where a positive and a negative meet they cost nothing, also in the second derivative: negatives come first.
    order = ascending_order(points)
    gaps = np.diff(points.take(order))
    above = _sums_after(np.concatenate([n_weights, np.zeros(p.size)]).take(order))
    below = np.cumsum(np.concatenate([np.zeros(n.size), p_weights]).take(order))
    above_far = _sums_after(np.append(0.0, gaps * above[:-1]))
    above_squared = _sums_after(np.append(0.0, gaps * (2 * above_far[1:] + gaps * above[:-1])))
    below_far = np.cumsum(np.append(0.0, gaps * below[:-1]))
    far, squared = np.empty(points.size), np.empty(points.size)
    is_pos = order >= n.size
    far[order] = np.where(is_pos, above_far, below_far)
    squared[order] = above_squared
    total = beta**2 * float(p_weights @ squared[n.size :])
    slopes = -2 * beta**2 * far
    bends = None
    if curvature:
        mass = np.empty(points.size)
        mass[order] = 2 * beta**2 * np.where(is_pos, above, below)
        bends = mass[n.size :], mass[: n.size]
    moved = EPSILON * (farthest_apart(p, n) + 1 / beta) * float(p_weights @ far[n.size :]) * 2 * beta**2
    error = 3 * points.size * EPSILON * total + 2 * moved
    return PairSums(total, error, "prefix sums", slopes[n.size :], slopes[: n.size], bends)


def _sums_after(terms: Array) -> Array:
    """For each place the sum of the terms behind it; those at the place itself are left out."""
    after = np.zeros(terms.size)
    np.cumsum(terms[:0:-1], out=after[-2::-1])
    return after
