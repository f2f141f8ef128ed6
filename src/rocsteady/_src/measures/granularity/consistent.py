"""The consistent definition: all positives lowered, or raised, by delta. O(n) per delta once ranked.

low(delta) = share of pairs with d >= delta, up(delta) = share with d > -delta; at delta = 0 both are the AUC.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.exact import exact_dot, exact_wins_twice
from rocsteady._src.measures.granularity.buckets import Buckets
from rocsteady._src.measures.pairwise.engine import points_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

    Array = NDArray[Any]

FloatTies = Literal["exact", "ieee"]
TIE_ULPS = 4
EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Shifter:
    """Pairs of one set of scores, counted again after a shift.

    ``float_ties="exact"`` takes differences within a few ulp of delta as equal to it, as decimal scores mean them;
    ``"ieee"`` compares the rounded differences literally. Buckets are made where ``many_shifts`` are to be asked for.
    """

    ranked: RankedScores
    float_ties: FloatTies = "exact"
    many_shifts: bool = False

    @cached_property
    def sides(self) -> tuple[Array, Array, Array, Array]:
        """Points and weights of the positives, then of the negatives."""
        points = points_of(self.ranked)
        pos, neg = self.ranked.pos > 0, self.ranked.neg > 0
        return (
            points.compress(pos),
            self.ranked.pos.compress(pos),
            points.compress(neg),
            self.ranked.neg.compress(neg),
        )

    @cached_property
    def neg_until(self) -> Array:
        """Weight of the first k negatives, for k = 0, 1, ..."""
        weights = self.sides[3]
        return np.concatenate([np.zeros(1, dtype=weights.dtype), np.cumsum(weights)])

    @cached_property
    def places(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each positive point how many negative points lie strictly below it, and not above it."""
        if self.ranked.scores.dtype == np.float64:  # the points are the scores, which all differ
            pos, neg = self.ranked.pos > 0, self.ranked.neg > 0
            not_above = np.cumsum(neg).compress(pos)
            return not_above - neg.compress(pos), not_above
        points, _, others, _ = self.sides
        return np.searchsorted(others, points, side="left"), np.searchsorted(others, points, side="right")

    @cached_property
    def pairs(self) -> Any:
        """Weight of all pairs."""
        return self.ranked.n_pos * self.ranked.n_neg

    @cached_property
    def auc(self) -> float:
        """Plain AUC."""
        return float(exact_wins_twice(self.ranked.pos, self.ranked.neg, most=self.pairs) / (2 * self.pairs))

    def low(self, delta: float) -> float:
        """Share of pairs with d >= delta."""
        return self.auc if delta == 0 else self.share_of(self.won(-delta))

    def up(self, delta: float) -> float:
        """Share of pairs with d > -delta."""
        return self.auc if delta == 0 else self.share_of(self.won(delta))

    def share_of(self, won: Array) -> float:
        """Share of pairs won by positive points that each win so many; rounded sums do not pass all of them."""
        return min(float(exact_dot(self.sides[1], won) / self.pairs), 1.0)

    def won(self, shift: float) -> Array:
        """Weight of the negatives below each positive point after the shift."""
        return self.neg_until[self.negatives_below(shift)]

    @cached_property
    def climbed(self) -> Array:
        """Weight of the first k positive points from above, for k = 0, 1, ..."""
        return np.concatenate([[0], np.cumsum(self.sides[1][::-1])])

    @cached_property
    def _buckets(self) -> Buckets | None:
        return Buckets.of(self.sides[2]) if self.many_shifts else None

    def _search(self, sought: Array, *, right: bool) -> NDArray[Any]:
        """``np.searchsorted`` in the negative points."""
        if self._buckets is None:
            return self.sides[2].searchsorted(sought, side="right" if right else "left")
        return self._buckets.search(sought, right=right)

    def negatives_below(self, shift: float) -> NDArray[np.int64]:
        """For each positive point how many negative points lie below it after the shift.

        A negative at the very place counts as below when positives are lowered (d = delta can be told apart) and as
        not below when they are raised. However small the shift, a tied negative is not below after lowering and is
        below after raising.
        """
        points, _, others, _ = self.sides
        strictly, not_above = self.places
        if self.float_ties == "ieee":
            below = _literally_below(points, others, shift)
        else:
            gap = least_gap(points, abs(shift))
            with np.errstate(over="ignore"):  # beyond all doubles is above or below all negatives
                moved = points - gap if shift < 0 else points + gap
            below = self._search(moved, right=shift < 0)
        return np.minimum(below, strictly) if shift < 0 else np.maximum(below, not_above)


def least_gap(points: Array, delta: float) -> Array:
    """For each point the smallest difference that still counts as delta: a few ulp less, but at least half of it.

    The allowance is proportional to score and delta, without the jumps that ulp make at powers of two, so that it
    grows with delta and areas stay monotone.
    """
    slack = TIE_ULPS * EPSILON
    return np.maximum(delta * (1 - slack) - slack * np.abs(points), delta / 2)


def _literally_below(points: Array, others: Array, shift: float) -> NDArray[np.int64]:
    """Count by comparing the rounded difference with delta; its rounding can only matter next to the border."""
    below = np.searchsorted(others, points + shift, side="right" if shift < 0 else "left")
    for _ in range(4):
        below = below + _belongs(points, others, below, shift) - ~_belongs(points, others, below - 1, shift)
    return below


def _belongs(points: Array, others: Array, place: Any, shift: float) -> NDArray[np.bool_]:
    """Whether the negative at a place counts as below; places before the first do, after the last do not."""
    inside = np.clip(place, 0, others.size - 1)
    gap = points - others[inside]
    counts = gap >= -shift if shift < 0 else gap > -shift
    return np.asarray((place < 0) | (counts & (place < others.size)))
