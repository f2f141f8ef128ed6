"""Blocks of neighbouring scores: fixed bins, or the steps of isotonic regression, which are edges of the ROC hull."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocsteady._src.base.geometry import hull_of_steps
from rocsteady._src.measures.probability import bin_starts, bin_sums, probabilities_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

    Array = NDArray[Any]


class Blocks(NamedTuple):
    """Index of the first group of each block, and sums over the block: positives, rows, scores times rows."""

    starts: NDArray[np.int64]
    pos: Array
    rows: Array
    total_score: Array

    @property
    def observed(self) -> Array:
        """Share of positives."""
        return self.pos / self.rows

    @property
    def predicted(self) -> Array:
        """Mean score."""
        return self.total_score / self.rows

    def spread(self, values: Array, n_groups: int) -> Array:
        """The value of the block at each of its groups."""
        return values.repeat(np.diff(self.starts, append=n_groups))


def blocks_of(ranked: RankedScores, strategy: str, n_bins: int, name: str) -> Blocks:
    """Cut the groups into bins ("quantile", "uniform") or into steps of isotonic regression ("isotonic")."""
    scores = probabilities_of(ranked, name)
    isotonic = strategy == "isotonic"
    if not isotonic:
        starts = bin_starts(ranked, n_bins, strategy)
        pos, rows, total_score, _ = bin_sums(ranked, starts)
        if ranked.exact:
            pos, rows = np.rint(pos).astype(np.int64), np.rint(rows).astype(np.int64)
        return Blocks(starts, pos, rows, total_score)
    starts = isotonic_starts(ranked.pos, ranked.neg)
    both = ranked.pos + ranked.neg
    return Blocks(starts, *(np.add.reduceat(column, starts) for column in (ranked.pos, both, both * scores)))


def isotonic_starts(pos: Array, neg: Array) -> NDArray[np.int64]:
    """First group of each step of the isotonic regression of the outcome on the score. O(n).

    Walking down the scores, isotonic regression draws the upper hull of the curve of positives against negatives.
    """
    vertices = hull_of_steps(neg[::-1], pos[::-1])
    last = vertices[:0:-1].copy()
    last[0] = pos.size  # groups of no weight at the lowest scores, as in a resample, join the lowest step
    return pos.size - last
