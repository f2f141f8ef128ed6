"""In which group each score of a batch stands, by arithmetic instead of a join.

The scores of the groups are cut into cells of equal width. A score falls into the cell of its group, since rounding
keeps order, and where cells are narrower than the gaps between groups that is the answer; else the groups of the cell
are halved until one is left. Every answer is compared with the score: one that is no group's is noticed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_BITS, MOST_BITS = 4, 22


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Ascending scores of groups, and the first of them in each cell."""

    scores: NDArray[Any]
    first: NDArray[Any]
    low: float
    per_unit: float  # cells
    deepest: int  # groups of the fullest cell

    @classmethod
    def of(cls, scores: NDArray[Any]) -> Places:
        """Cells for these scores, two to four of them a group.

        Examples
        --------
        >>> places = Places.of(np.array([-np.inf, 0.1, 0.2, 0.7]))
        >>> places.of_values(np.array([0.7, -np.inf, 0.2])), places.of_values(np.array([0.3])) is None
        (array([3, 0, 2]), True)
        """
        finite = scores[np.isfinite(scores)]
        low, high = (float(finite[0]), float(finite[-1])) if finite.size else (0.0, 0.0)
        n_cells = 1 << min(max(scores.size.bit_length() + 1, LEAST_BITS), MOST_BITS)
        per_unit = n_cells / (high - low) if 0 < high - low < math.inf else math.inf
        if not math.isfinite(per_unit):  # one score, or ends too near or too far apart to be told by cells
            return cls(scores, np.zeros(1, dtype=np.int64), 0.0, 0.0, scores.size)
        blank = cls(scores, np.zeros(n_cells, dtype=np.int64), low, per_unit, 0)
        counts = np.bincount(blank._cells(scores), minlength=n_cells)
        first = np.minimum(np.cumsum(counts) - counts, scores.size - 1)
        kind = np.int32 if scores.size < 2**31 else np.int64
        return cls(scores, first.astype(kind), low, per_unit, int(counts.max()))

    def of_values(self, values: NDArray[Any]) -> NDArray[np.int64] | None:
        """The group of each value; None when one of them is that of no group."""
        places = self.first.take(self._cells(values)).astype(np.int64)
        off = np.flatnonzero(self.scores.take(places) != values)
        if not off.size:
            return places
        wanted, last = values[off], self.scores.size - 1
        found = places[off]
        for power in reversed(range(self.deepest.bit_length())):
            ahead = np.minimum(found + (1 << power), last)
            found = np.where(self.scores.take(ahead) <= wanted, ahead, found)
        places[off] = found
        return None if (self.scores.take(found) != wanted).any() else places

    def _cells(self, values: NDArray[Any]) -> NDArray[np.int64]:
        """The cell of each value: never less for a greater one."""
        if self.first.size == 1:
            return np.zeros(values.size, dtype=np.int64)
        scaled = values.astype(np.float64)
        scaled -= self.low
        scaled *= self.per_unit
        np.clip(scaled, 0, self.first.size - 1, out=scaled)
        return scaled.astype(np.int64)
