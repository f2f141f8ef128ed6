"""The consistent definition: all positives lowered, or raised, by delta. O(n) per delta once ranked.

low(delta) = share of pairs with d >= delta, up(delta) = share with d > -delta; at delta = 0 both are the AUC.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady.exact import exact_dot, exact_wins_twice
from rocsteady.pairwise.engine import points_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady.ranked import RankedScores

    Array = NDArray[Any]

FloatTies = Literal["exact", "ieee"]
TIE_ULPS = 4


@dataclass(frozen=True)
class Shifter:
    """Pairs of one set of scores, counted again after a shift.

    ``float_ties="exact"`` takes differences within a few ulp of delta as equal to it, as decimal scores mean them;
    ``"ieee"`` compares the rounded differences literally.
    """

    ranked: RankedScores
    float_ties: FloatTies = "exact"

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
    def pairs(self) -> Any:
        """Weight of all pairs."""
        return self.ranked.n_pos * self.ranked.n_neg

    @cached_property
    def auc(self) -> float:
        """Plain AUC."""
        return float(exact_wins_twice(self.ranked.pos, self.ranked.neg, most=self.pairs) / (2 * self.pairs))

    def low(self, delta: float) -> float:
        """Share of pairs with d >= delta."""
        return self.auc if delta == 0 else float(exact_dot(self.sides[1], self._won(-delta)) / self.pairs)

    def up(self, delta: float) -> float:
        """Share of pairs with d > -delta."""
        return self.auc if delta == 0 else float(exact_dot(self.sides[1], self._won(delta)) / self.pairs)

    def _won(self, shift: float) -> Array:
        return self.neg_until[self.negatives_below(shift)]

    def negatives_below(self, shift: float) -> NDArray[np.int64]:
        """For each positive point how many negative points lie below it after the shift.

        A negative at the very place counts as below when positives are lowered (d = delta can be told apart) and as
        not below when they are raised.
        """
        points, _, others, _ = self.sides
        if self.float_ties == "ieee":
            return _literally_below(points, others, shift)
        moved = points + shift
        slack = TIE_ULPS * np.spacing(np.maximum(np.maximum(np.abs(points), np.abs(moved)), abs(shift)))
        if shift < 0:
            return np.asarray(np.searchsorted(others, moved + slack, side="right"))
        return np.asarray(np.searchsorted(others, moved - slack, side="left"))


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
