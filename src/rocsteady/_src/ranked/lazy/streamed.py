"""Rows of several models meet here, as they stream out of an engine in this process: no join, and no row is kept.

A batch of rows holds labels and scores. Each score's group is found by ``places.py``, its doubled placement is read off
the groups, and products of placements are added up in limbs, see ``ranked/placements.py``: the sums are those that an
engine's join makes, whole numbers, whatever the order of the batches.
"""

from __future__ import annotations

from collections import deque
from contextlib import closing
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError
from rocsteady._src.base.threads import MANY_ROWS, MOST, workers
from rocsteady._src.ranked.lazy.batches import batches
from rocsteady._src.ranked.lazy.cells import CHANGED
from rocsteady._src.ranked.lazy.places import Places
from rocsteady._src.ranked.placements import cut, doubled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores
    from rocsteady._src.ranked.lazy.lazy_rows import LazyRows
    from rocsteady._src.ranked.placements import Limbs

    Sums = dict[tuple[int, int], int]
    Totals = NDArray[np.int64]

BATCH_VALUES = 1 << 21
HALF = 31  # bits of each of two placements in one number
BLOCK = 1 << 14  # rows that stay in the processor's cache


def streams_here(rows: LazyRows) -> bool:
    """Whether the engine hands out batches in this process."""
    engine = rows.columns.frame.implementation
    return bool(engine.is_polars() or (engine.is_duckdb() and find_spec("pyarrow") is not None))


def can_stream(rows: LazyRows, groups: tuple[RankedScores, ...]) -> bool:
    """Whether it does, and its scores are of types that NumPy compares as the engine does."""
    return streams_here(rows) and all(
        _same_kind(rows, name, found) for name, found in zip(rows.columns.scores, groups, strict=True)
    )


def _same_kind(rows: LazyRows, name: str, found: RankedScores) -> bool:
    kind, held = rows.columns.types[name], found.scores.dtype.kind
    if rows.grid.resolution is not None:
        return held == "f"
    signed = kind.is_signed_integer() and str(kind) != "Int128"
    unsigned = kind.is_unsigned_integer() and str(kind) != "UInt128"
    return bool((held == "f" and kind.is_float()) or (held == "i" and signed) or (held == "u" and unsigned))


def streamed_sums(rows: LazyRows, groups: tuple[RankedScores, ...], limbs: Limbs) -> tuple[Sums, Sums]:
    """Sums of products of two models over each class, and under (i, -1) the plain sum of model i; one pass."""
    joint = JointPass.of(rows, groups, limbs)
    weighted = rows.columns.weight is not None
    size = max(BATCH_VALUES // (len(groups) + 1 + weighted), BLOCK)
    total = np.zeros((2, joint.width), dtype=np.int64)
    with closing(batches(rows.streamable(), size)) as streamed:
        for found in _side_by_side(joint, streamed, groups[0].origin.n_rows):
            total += found
    if tuple(total[:, -1]) != (groups[0].n_pos, groups[0].n_neg):
        raise InputError("table_changed", CHANGED)
    of_pos, of_neg = (joint.put_together([int(value) for value in line]) for line in total)
    return of_pos, of_neg


def _side_by_side(joint: JointPass, streamed: Iterable[Any], n_rows: int) -> Iterator[Totals]:
    """Totals of each batch, some batches at once; few of them are held at a time."""
    n_threads = min(workers(-1), MOST)
    if n_rows < MANY_ROWS or n_threads < 2:
        yield from map(joint.of_batch, streamed)
        return
    from concurrent.futures import ThreadPoolExecutor

    coming = iter(streamed)
    with ThreadPoolExecutor(n_threads) as pool:
        waiting = deque(pool.submit(joint.of_batch, batch) for batch in islice(coming, n_threads + 1))
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(pool.submit(joint.of_batch, batch) for batch in islice(coming, 1))


@dataclass(frozen=True, slots=True, eq=False)
class JointPass:
    """What is known before the rows come: groups of each model, which carry the placements of both classes.

    Both placements of a group go into one number of 64 bits, or where they are too long ``placed`` has them, and the
    group carries its place.
    """

    rows: LazyRows
    places: list[Places]
    placed: list[tuple[Totals, Totals]] | None
    limbs: Limbs

    @classmethod
    def of(cls, rows: LazyRows, groups: tuple[RankedScores, ...], limbs: Limbs) -> JointPass:
        """Tables of the groups."""
        placed = [(doubled(found, 0), doubled(found, 1)) for found in groups]
        short = max(2 * int(groups[0].n_pos), 2 * int(groups[0].n_neg)) < 1 << HALF
        carried = [below << HALF | above if short else np.arange(below.size) for below, above in placed]
        places = [Places.of(found.scores, each) for found, each in zip(groups, carried, strict=True)]
        return cls(rows, places, None if short else placed, limbs)

    @property
    def width(self) -> int:
        """How many sums a class has: those of two models, of one, and its rows."""
        size, count = len(self.places), self.limbs.count
        return size * (size - 1) // 2 * count**2 + size * count + 1

    def of_batch(self, batch: Any) -> Totals:
        """Totals over both classes of a batch."""
        import narwhals as nw

        table = nw.from_native(batch, eager_only=True)
        positive = table.get_column("positive").to_numpy().astype(bool)
        weights = table.get_column("weight").to_numpy() if "weight" in table.columns else None
        keys = [table.get_column(f"key{place}").to_numpy() for place in range(len(self.places))]
        total = np.zeros((2, self.width), dtype=np.int64)
        for start in range(0, positive.size, BLOCK):
            at = slice(start, start + BLOCK)
            found = [self._carried(place, column[at]) for place, column in enumerate(keys)]
            total += self._of_block(positive[at], found, None if weights is None else weights[at])
        return total

    def _carried(self, model: int, keys: NDArray[Any]) -> NDArray[np.int64]:
        name = self.rows.columns.scores[model]
        found = self.places[model].carried(self.rows.grid.scores(keys, name))
        if found is None:
            raise InputError("table_changed", CHANGED)
        return found

    def _placements(self, model: int, side: int, carried: NDArray[np.int64]) -> NDArray[np.int64]:
        if self.placed is not None:
            return self.placed[model][side].take(carried)
        return carried & ((1 << HALF) - 1) if side else carried >> HALF

    def _of_block(
        self, positive: NDArray[np.bool_], found: list[NDArray[np.int64]], weights: NDArray[Any] | None
    ) -> Totals:
        made = []
        for side, mask in enumerate((positive, ~positive)):
            chosen = np.flatnonzero(mask)
            lines = [self._placements(model, side, carried.take(chosen)) for model, carried in enumerate(found)]
            limbs = [cut(line, self.limbs) for line in lines]
            counted, n = limbs, chosen.size
            if weights is not None:
                often = weights.take(chosen).astype(np.int64)
                counted, n = [[limb * often for limb in model] for model in limbs], int(often.sum())
            products = [
                np.dot(counted[i][a], limbs[j][b])
                for i, j in combinations(range(len(limbs)), 2)
                for a, b in self.limbs.pairs
            ]
            made.append([*products, *(limb.sum() for model in counted for limb in model), n])
        return np.array(made, dtype=np.int64)

    def put_together(self, line: list[int]) -> Sums:
        """Sums over limbs as sums over placements."""
        bits, each = self.limbs.bits, iter(line)
        made: Sums = {}
        for pair in combinations(range(len(self.places)), 2):
            made[pair] = sum(next(each) << (a + b) * bits for a, b in self.limbs.pairs)
        for model in range(len(self.places)):
            made[model, -1] = sum(next(each) << limb * bits for limb in range(self.limbs.count))
        return made
