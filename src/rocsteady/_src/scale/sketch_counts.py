"""The counts of a sketch: by score while there are few, by bucket when there are many, by finer cell after a plan.

Which of the first two it is depends on the rows alone, not on their order or on how parts were merged: as soon as any
part has more distinct scores than the capacity, so has the whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.repeat_counts import repeat_by
from rocsteady._src.ranked.cells import counted_keys
from rocsteady._src.scale.key_table import KeyTable
from rocsteady._src.scale.planned_table import PlannedTable
from rocsteady._src.scale.sketch_agree import check_kind
from rocsteady._src.scale.sketch_cells import Cells
from rocsteady._src.scale.sketch_keys import keys_of, scores_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.scale.sketch_keys import Grid, Keys, Kind
    from rocsteady._src.scale.sketch_plan import Plan

CHUNK = 1 << 15  # rows whose scores, keys and labels stay in the processor's cache
LONG_CHUNK = 1 << 18  # rows worth sorting before they are looked up among many cells


class Counts:
    """Counts of rows of one kind of scores."""

    def __init__(self, grid: Grid, capacity: int, kind: Kind, plan: Plan | None = None) -> None:
        self.grid, self.capacity, self.kind, self.plan = grid, capacity, kind, plan
        self._table: KeyTable | None = KeyTable()
        self._buckets: Keys | None = None  # negatives and positives of each bucket by turns
        self._read: tuple[Keys, Keys, Keys] | None = None  # occupied buckets as they were loaded, until rows are added
        self._planned: PlannedTable | None = None  # of finer cells that have a place each, from the first row on
        self._held = False

    def add_rows(self, scores: NDArray[Any], positive: NDArray[np.bool_], weights: Keys | None) -> None:
        """Count checked rows; all of them, or none when one is refused."""
        self._unfold()
        if weights is not None:
            keys = keys_of(scores)
            keys = keys if self.plan is None else self.plan.floors(keys)
            self.add_groups(keys, np.where(positive, weights, 0), np.where(positive, 0, weights))
        elif (table := self._places()) is not None:
            table.add_rows(scores, positive)
        elif self.plan is not None:
            self._add_planned(scores, positive, self.plan)
        else:
            for start in range(0, scores.size, CHUNK):
                chunk = slice(start, start + CHUNK)
                self._add_chunk(scores[chunk], positive[chunk])

    def _add_chunk(self, scores: NDArray[Any], positive: NDArray[np.bool_]) -> None:
        if self._buckets is not None:
            places = self.grid.buckets(scores)
            places <<= 1
            places += positive
            np.add.at(self._buckets, places, 1)
            return
        keys = keys_of(scores)
        table = self._known()
        table.wait(keys[positive], positive=True)
        table.wait(keys[~positive], positive=False)
        self._collapse_if_full(table)

    def _add_planned(self, scores: NDArray[Any], positive: NDArray[np.bool_], plan: Plan) -> None:
        chunks = [slice(start, start + LONG_CHUNK) for start in range(0, scores.size, LONG_CHUNK)]
        found = []
        for chunk in chunks:
            keys = keys_of(scores[chunk])
            for label, part in ((True, keys[positive[chunk]]), (False, keys[~positive[chunk]])):
                if part.size:
                    distinct, counts = counted_keys(part)
                    found.append((label, repeat_by(plan.floors(distinct), counts)))
        for label, floors in found:
            self._known().wait(floors, positive=label)

    def add_groups(self, keys: Keys, pos: Keys, neg: Keys) -> None:
        """Count rows that are grouped already: by score, or by finer cell where there is a plan."""
        self._unfold()
        if self._buckets is not None:
            places = self.grid.buckets(scores_of(keys, self.kind)) << 1
            np.add.at(self._buckets, places, neg)
            np.add.at(self._buckets, places + 1, pos)
            return
        if (table := self._places()) is not None:
            table.add_groups(keys, pos, neg)
            return
        self._known().add_groups(keys, pos, neg)
        self._collapse_if_full(self._known())

    def add_buckets(self, buckets: Keys, pos: Keys, neg: Keys) -> None:
        """Count rows that are grouped by bucket."""
        self._unfold()
        if self._buckets is None:
            self._collapse()
        if self._buckets is not None:
            self._buckets[2 * buckets] += neg
            self._buckets[2 * buckets + 1] += pos

    def hold(self, keys: Keys, pos: Keys, neg: Keys) -> None:
        """Take over counts of increasing keys, without copying them, where there are none yet."""
        self._table, self._held = KeyTable(keys, (neg, pos)), True

    def hold_buckets(self, buckets: Keys, pos: Keys, neg: Keys) -> None:
        """Take over counts of increasing buckets, where there are none yet; most that are loaded are only merged."""
        self._table, self._read = None, (buckets, pos, neg)

    def _unfold(self) -> None:
        if self._read is not None:
            (buckets, pos, neg), self._read = self._read, None
            self._buckets = np.zeros(2 * self.grid.size, dtype=np.int64)
            self._buckets[2 * buckets], self._buckets[2 * buckets + 1] = neg, pos

    def add(self, other: Counts) -> None:
        """Count the rows of another part, of the same grid, capacity, kind and plan."""
        add = self.add_buckets if other.collapsed else self.add_groups
        add(*other.groups())

    def refuse_unlike(self, other: Counts) -> None:
        """Refuse counts of scores of another kind, or in other cells."""
        check_kind(self.kind, other.kind)
        if self.plan != other.plan:
            raise ArgumentError("merge_settings", "the parts were refined by different plans; refine them together")

    @property
    def n_bytes(self) -> int:
        """About how much memory they take."""
        return 16 * self.grid.size if self.collapsed else 24 * self.groups()[0].size

    @property
    def collapsed(self) -> bool:
        """Whether rows are counted by bucket."""
        self._settle()
        return self._buckets is not None or self._read is not None

    def groups(self) -> tuple[Keys, Keys, Keys]:
        """Keys of scores or finer cells, or numbers of buckets, that hold rows, with positives and negatives."""
        self._settle()
        if self._planned is not None:
            return self._planned.groups()
        if self._read is not None:
            return self._read
        if self._buckets is None:
            return self._known().settle()
        neg, pos = self._buckets[::2], self._buckets[1::2]
        there = np.flatnonzero(neg | pos)
        return there, pos[there], neg[there]

    def cells(self) -> Cells:
        """What is known of the rows; rows that are counted later do not change it."""
        keys, pos, neg = (column.copy() for column in self.groups())
        if self.plan is not None:
            return self.plan.cells(keys, pos, neg, self.kind)
        if not self.collapsed:
            return Cells(keys, keys, pos, neg, self.kind)
        first, last = self.grid.first_keys(keys, self.kind), self.grid.last_keys(keys, self.kind)
        return Cells.made(first, last, pos, neg, self.kind)

    def blank(self) -> Counts:
        """The same without rows."""
        return Counts(self.grid, self.capacity, self.kind, self.plan)

    def _places(self) -> PlannedTable | None:
        """The array of finer cells, where there can be one; counts that were taken over stay where they are."""
        if self.plan is not None and self._planned is None and not self._held and not self._known().size:
            self._planned = PlannedTable.of(self.plan, self.grid, self.kind)
            self._held = self._planned is None  # looked for once
        return self._planned

    def _known(self) -> KeyTable:
        if self._table is None:
            raise AssertionError("rows are counted by bucket")
        return self._table

    def _settle(self) -> None:
        if self._table is not None:
            self._table.settle()
            self._collapse_if_full(self._table)

    def _collapse_if_full(self, table: KeyTable) -> None:
        if self.plan is None and table.size > self.capacity:
            self._collapse()

    def _collapse(self) -> None:
        """Count by bucket from now on."""
        groups = self._known().settle()
        self._table, self._buckets = None, np.zeros(2 * self.grid.size, dtype=np.int64)
        self.add_groups(*groups)
