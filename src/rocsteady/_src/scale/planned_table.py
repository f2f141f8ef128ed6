"""Counts by finer cell in one array: where a row falls is computed, not searched for.

Every cell of a first pass is a bucket of the grid, so that a bucket's number leads to its cell; the digits of a key by
which the plan splits the cell lead to the finer one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.scale.sketch_keys import keys_of, scores_of
from rocsteady._src.scale.sketch_plan import WHOLE, rows_differ

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.scale.sketch_keys import Grid, Keys, Kind
    from rocsteady._src.scale.sketch_plan import Plan

MOST_CELLS = 1 << 25  # 16 bytes each
CHUNK = 1 << 16  # rows whose places stay in the processor's cache


class PlannedTable:
    """Positives and negatives of every finer cell, occupied or not."""

    def __init__(self, plan: Plan, grid: Grid, sizes: Keys) -> None:
        self._plan, self._grid = plan, grid
        self._whole = plan.shift >= WHOLE
        self._shift = np.where(self._whole, 0, plan.shift).astype(np.int64)
        self._starts: Keys = np.cumsum(sizes) - sizes
        lowest = np.where(self._whole, 0, plan.first >> self._shift)
        self._base: Keys = self._starts - lowest
        self._cell_of = np.full(grid.size, -1, dtype=np.int64)
        self._counts: Keys = np.zeros(2 * int(sizes.sum()), dtype=np.int64)  # negatives and positives by turns

    @classmethod
    def of(cls, plan: Plan, grid: Grid, kind: Kind) -> PlannedTable | None:
        """None where cells are not buckets of the grid, or finer ones too many to have a place each."""
        shift = plan.shift.astype(np.int64)
        spread = np.where(
            shift >= WHOLE, 0, (plan.last >> np.minimum(shift, 63)) - (plan.first >> np.minimum(shift, 63))
        )
        if not plan.first.size or spread.min() < 0 or float(spread.astype(np.float64).sum()) + spread.size > MOST_CELLS:
            return None
        first, last = (grid.buckets(scores_of(keys, kind)) for keys in (plan.first, plan.last))
        if (first != last).any() or (np.diff(first) < 1).any():
            return None
        made = cls(plan, grid, spread + 1)
        made._cell_of[first] = np.arange(first.size)
        return made

    def add_rows(self, scores: NDArray[Any], positive: NDArray[np.bool_]) -> None:
        """Count rows; all of them, or none when one stands where the first pass had none."""
        places = [
            self._places(scores[start : start + CHUNK], positive[start : start + CHUNK])
            for start in range(0, scores.size, CHUNK)
        ]
        for chunk in places:
            np.add.at(self._counts, chunk, 1)

    def add_groups(self, floors: Keys, pos: Keys, neg: Keys) -> None:
        """Count rows that are grouped by finer cell already."""
        cells = self._plan.first.searchsorted(floors, side="right") - 1
        places = self._finer(floors, cells) << 1
        np.add.at(self._counts, places, neg)
        np.add.at(self._counts, places + 1, pos)

    def groups(self) -> tuple[Keys, Keys, Keys]:
        """The lowest keys of the finer cells that hold rows, with positives and negatives."""
        neg, pos = self._counts[::2], self._counts[1::2]
        there = np.flatnonzero(neg | pos)
        cells = self._starts.searchsorted(there, side="right") - 1
        floors = np.where(self._whole[cells], 0, there - self._base[cells]) << self._shift[cells]
        lowest = self._plan.first[cells]
        return np.where(self._whole[cells], lowest, np.maximum(floors, lowest)), pos[there], neg[there]

    def _places(self, scores: NDArray[Any], positive: NDArray[np.bool_]) -> Keys:
        cells = self._cell_of[self._grid.buckets(scores)]
        if (cells < 0).any():
            raise rows_differ(f"{int((cells < 0).sum())} rows fall where the first pass had none")
        places = self._finer(keys_of(scores), cells)
        places <<= 1
        places += positive
        return places

    def _finer(self, keys: Keys, cells: Keys) -> Keys:
        digits = keys >> self._shift[cells]
        digits[self._whole[cells]] = 0
        digits += self._base[cells]
        return digits
