"""Finer cells: which cells of a sketch to split, how far, and where a row falls then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.base.errors import InputError
from rocsteady._src.ranked import descending_order
from rocsteady._src.scale.sketch_cells import Cells

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.scale.sketch_keys import Keys, Kind

WHOLE = 64  # shifting by this many bits leaves a cell as it is
FEW = 1 << 19  # rows that may all have cells of their own
LEFT_WHOLE, LEFT_SPLIT = 0.2, 0.7  # of the pairs that may stay open
MOST_PLACES = 1 << 24  # finer cells of which each may have a place in an array


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Cells from ``first`` to ``last``; in each, keys that differ in their lowest ``shift`` bits only stay together.

    A row's key becomes that of the lowest row it may stand with, which names its finer cell.
    """

    first: Keys
    last: Keys
    shift: NDArray[np.uint8]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Plan):
            return NotImplemented
        return all(np.array_equal(one, two) for one, two in zip(self.columns(), other.columns(), strict=True))

    __hash__ = None  # type: ignore[assignment]

    def columns(self) -> list[Keys]:
        """What makes the plan, as whole numbers."""
        return [self.first, self.last, self.shift.astype(np.int64)]

    def floors(self, keys: Keys) -> Keys:
        """The lowest key of the finer cell of each of these increasing keys; refuses keys outside all cells."""
        places = self.first.searchsorted(keys, side="right") - 1
        outside = (places < 0) | (keys > self.last[places])
        if outside.any():
            raise rows_differ(f"{int(outside.sum())} rows fall where the first pass had none")
        shift = self.shift[places].astype(np.int64)
        floors = np.where(shift >= WHOLE, self.first[places], (keys >> shift) << shift)
        return np.maximum(floors, self.first[places])

    def cells(self, floors: Keys, pos: Keys, neg: Keys, kind: Kind) -> Cells:
        """Finer cells named by their lowest keys."""
        places = self.first.searchsorted(floors, side="right") - 1
        shift = self.shift[places].astype(np.int64)
        whole = shift >= WHOLE
        ones = (np.int64(1) << np.where(whole, 0, shift)) - 1
        last = np.minimum(np.where(whole, self.last[places], floors | ones), self.last[places])
        return Cells.made(floors, last, pos, neg, kind)

    def left_open(self, cells: Cells) -> float:
        """Share of the undecided pairs of the first pass that stays open if rows are spread evenly."""
        undecided = _undecided(cells)
        parts = np.maximum(_bit_length(cells.last ^ cells.first) - self.shift.astype(np.int64), 0)
        return float((undecided * 0.5**parts).sum() / max(undecided.sum(), 1.0))

    def totals(self, floors: Keys, pos: Keys, neg: Keys) -> tuple[Keys, Keys]:
        """Positives and negatives in each cell of the first pass."""
        places = self.first.searchsorted(floors, side="right") - 1
        sums = np.zeros((2, self.first.size), dtype=np.int64)
        np.add.at(sums[0], places, pos)
        np.add.at(sums[1], places, neg)
        return sums[0], sums[1]


def rows_differ(what: str) -> InputError:
    """The second pass has seen other rows than the first."""
    text = f"these are not the rows of the first pass: {what}; pass the same labels, scores and weights again"
    return InputError("rows_differ", text)


def make_plan(cells: Cells, *, spare: float, budget: int) -> Plan:
    """Split the cells with the most undecided pairs, so that at most ``budget`` finer cells can be occupied.

    ``spare`` is the number of undecided pairs that may stay: a few of them in cells that are left whole. The others get
    parts in proportion to the root of their undecided pairs, which leaves the least of them in all when rows are spread
    evenly; as few parts as do, if they fit, and else as many as fit. A cell of few rows is then split down to single
    scores.
    """
    undecided = _undecided(cells)
    order = descending_order(undecided)
    left = np.cumsum(undecided[order][::-1])[::-1]
    chosen = order[(left > spare * LEFT_WHOLE) & (undecided[order] > 0)]
    shift = np.full(cells.first.size, WHOLE, dtype=np.uint8)
    shift[cells.known] = 0
    room = budget - (cells.first.size - chosen.size)
    rows = (cells.pos + cells.neg)[chosen]
    depth = _bit_length(cells.last[chosen] ^ cells.first[chosen])
    parts = _parts(undecided[chosen], rows, depth, room, spare)
    shift[chosen] = np.where(parts == 0, WHOLE, depth - parts)
    return Plan(cells.first, cells.last, shift)


def _undecided(cells: Cells) -> NDArray[np.float64]:
    """Pairs of opposite classes in each cell whose order is not known."""
    return np.where(cells.known, 0.0, cells.pos.astype(np.float64) * cells.neg)


def _bit_length(keys: Keys) -> NDArray[np.int64]:
    """How many of the lowest bits vary within a cell."""
    unsigned = keys.view(np.uint64)
    high, low = (unsigned >> np.uint64(32)).astype(np.float64), (unsigned & np.uint64(2**32 - 1)).astype(np.float64)
    lengths: NDArray[np.int64] = np.where(high > 0, 32 + np.frexp(high)[1], np.frexp(low)[1]).astype(np.int64)
    return lengths


def _parts(
    undecided: NDArray[np.float64], rows: Keys, depth: NDArray[np.int64], room: int, spare: float
) -> NDArray[np.int64]:
    """Binary digits by which to split each cell: as few as do, or as many as fit into ``room`` occupied parts."""
    if int(rows.sum()) <= min(room, FEW):
        return depth
    wish = np.log2(undecided) / 2
    enough = _enough(undecided, wish, depth, spare * LEFT_SPLIT)
    if enough is not None and float((2.0**enough).sum()) <= min(room, MOST_PLACES):
        return enough
    if int(rows.sum()) <= room:
        return depth
    low, high = -float(wish.max()) - 1, 64.0 - float(wish.min())
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _occupied(_digits(wish + middle, rows, depth), rows) <= room else (low, middle)
    return _digits(wish + low, rows, depth)


def _enough(
    undecided: NDArray[np.float64], wish: NDArray[np.float64], depth: NDArray[np.int64], spare: float
) -> NDArray[np.int64] | None:
    """The fewest digits that leave at most ``spare`` pairs open if rows are spread evenly; None where none do."""
    low, high = -float(wish.max()) - 1, 64.0 - float(wish.min())

    def split(by: float) -> NDArray[np.int64]:
        return np.clip(np.floor(wish + by), 0, depth).astype(np.int64)

    def left(by: float) -> float:
        return float((undecided * 0.5 ** split(by)).sum())

    if left(high) > spare:
        return None
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if left(middle) <= spare else (middle, high)
    return split(high)


def _digits(wish: NDArray[np.float64], rows: Keys, depth: NDArray[np.int64]) -> NDArray[np.int64]:
    """Round down to whole digits; as soon as there are as many parts as rows, go all the way: it costs no more."""
    digits = np.clip(np.floor(wish), 0, depth).astype(np.int64)
    return np.where((digits > 0) & (2.0**digits >= rows), depth, digits)


def _occupied(digits: NDArray[np.int64], rows: Keys) -> float:
    return float(np.minimum(rows, 2.0**digits + (digits > 0)).sum())
