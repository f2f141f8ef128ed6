"""What the group of each score of a batch carries, by arithmetic instead of a join.

The scores of the groups are cut into cells of equal width. A score falls into the cell of its group, since rounding
keeps order, and where cells are narrower than the gaps between groups that is the answer; else the groups of the cell
are halved until one is left. Every answer is compared with the score: one that is no group's is noticed. Score and what
is carried lie side by side, since it is waiting for memory that takes time.
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
    """Groups by ascending score: the score and a whole number that each carries, and the first group of each cell."""

    groups: NDArray[np.int64]  # a line of two per group, the first with the bits of the score
    kind: np.dtype[Any]  # of the score, in 64 bits
    first: NDArray[Any]
    low: float
    per_unit: float  # cells
    deepest: int  # groups of the fullest cell

    @classmethod
    def of(cls, scores: NDArray[Any], carried: NDArray[np.int64]) -> Places:
        """Cells for these scores, two to four of them a group.

        Examples
        --------
        >>> places = Places.of(np.array([-np.inf, 0.1, 0.2, 0.7]), np.array([10, 11, 12, 13]))
        >>> places.carried(np.array([0.7, -np.inf, 0.2])), places.carried(np.array([0.3])) is None
        (array([13, 10, 12]), True)
        """
        wide = scores.astype(np.dtype(f"{scores.dtype.kind}8"))
        groups = np.stack([wide.view(np.int64), carried], axis=1)
        finite = wide[np.isfinite(wide)]
        low, high = (float(finite[0]), float(finite[-1])) if finite.size else (0.0, 0.0)
        n_cells = 1 << min(max(wide.size.bit_length() + 1, LEAST_BITS), MOST_BITS)
        per_unit = n_cells / (high - low) if 0 < high - low < math.inf else math.inf
        if not math.isfinite(per_unit):  # one score, or ends too near or too far apart to be told by cells
            return cls(groups, wide.dtype, np.zeros(1, dtype=np.int32), 0.0, 0.0, wide.size)
        counts = np.bincount(_cells(wide, low, per_unit, n_cells), minlength=n_cells)
        first = np.minimum(np.cumsum(counts) - counts, wide.size - 1)
        small = np.int32 if wide.size < 2**31 else np.int64
        return cls(groups, wide.dtype, first.astype(small), low, per_unit, int(counts.max()))

    def carried(self, values: NDArray[Any]) -> NDArray[np.int64] | None:
        """What the group of each value carries; None when one of them is that of no group."""
        places = self.first.take(_cells(values, self.low, self.per_unit, self.first.size))
        lines = self.groups.view(np.complex128)[:, 0].take(places).view(np.int64)  # 16 bytes at a time
        carried, scores = lines[1::2], lines[::2].view(self.kind)
        off = np.flatnonzero(scores != values)
        if off.size:
            wanted = values[off]
            found = self._halved(places[off].astype(np.int64), wanted)
            if (self._scores.take(found) != wanted).any():
                return None
            carried[off] = self.groups[:, 1].take(found)
        return carried

    @property
    def _scores(self) -> NDArray[Any]:
        return self.groups[:, 0].view(self.kind)

    def _halved(self, places: NDArray[np.int64], wanted: NDArray[Any]) -> NDArray[np.int64]:
        """The last group not above each value, from the first of its cell on."""
        for power in reversed(range(self.deepest.bit_length())):
            ahead = np.minimum(places + (1 << power), len(self.groups) - 1)
            places = np.where(self._scores.take(ahead) <= wanted, ahead, places)
        return places


def _cells(values: NDArray[Any], low: float, per_unit: float, n_cells: int) -> NDArray[np.int64]:
    """The cell of each value: never less for a greater one."""
    if n_cells == 1:
        return np.zeros(values.size, dtype=np.int64)
    scaled = values.astype(np.float64)
    with np.errstate(over="ignore"):  # what is so far off stands in the first cell or the last
        scaled -= low
        scaled *= per_unit
    np.clip(scaled, 0, n_cells - 1, out=scaled)
    return scaled.astype(np.int64)
