"""One model's rows in order, from one sort: its groups at once, the group of every row when somebody asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.ranked.counted import count_few
from rocsteady._src.ranked.grouping import FEW_PLACES, add_up, group_sorted, last_of_group, widened
from rocsteady._src.ranked.reading import origin_of
from rocsteady._src.ranked.rowsort import in_order
from rocsteady._src.ranked.scores import RankedScores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inputs import CleanRows

    Column = NDArray[Any]
    Places = NDArray[np.int64]

FEW_VALUES = 1 << 16  # are looked up sooner than rows are sorted


@dataclass(slots=True, eq=False)
class Ranking:
    """Groups of a model; ``order`` are its rows from the lowest score up, where the sort carried them.

    ``last`` marks the last row of every group in that order; it is None where no rows are tied.
    """

    ranked: RankedScores
    order: NDArray[np.int64] | None = None
    last: NDArray[np.bool_] | None = None
    placed: Places | None = None

    @classmethod
    def of_groups(cls, rows: CleanRows) -> Ranking:
        """The quickest way to the groups alone."""
        return cls(RankedScores.from_clean(rows))

    @classmethod
    def of_rows(cls, rows: CleanRows) -> Ranking:
        """Groups, by a sort that carries the rows; scores of few values are counted, which needs none."""
        if rows.weights is None and (counted := count_few(rows.positive, rows.scores)) is not None:
            return cls(RankedScores.trusted(*counted, origin_of(rows)).told(rows))
        return cls.of_sorted(rows, *in_order(rows.scores)) if rows.scores.size else cls.of_groups(rows)

    @classmethod
    def of_sorted(cls, rows: CleanRows, merged: Column, order: NDArray[np.int64]) -> Ranking:
        """Groups of rows whose order is known; ``merged`` are their scores in this order."""
        origin, last = origin_of(rows), last_of_group(merged)
        if rows.weights is None:
            ranked = RankedScores.of_groups(group_sorted(merged, rows.positive.take(order)), origin)
        else:
            zero = np.zeros((), dtype=rows.weights.dtype)
            pos, neg = np.where(rows.positive, rows.weights, zero), np.where(rows.positive, zero, rows.weights)
            distinct, pos, neg = add_up(merged, order, pos, neg)
            ranked = RankedScores.trusted(widened(distinct), pos, neg, origin)
        return cls(ranked.told(rows), order, None if last.all() else last)

    def part(self, rows: CleanRows, chosen: NDArray[np.int64], order: NDArray[np.int64] | None) -> Ranking:
        """The same for some of the rows, without a sort: their ``order`` among themselves follows from that of all."""
        if order is not None:
            return Ranking.of_sorted(rows, rows.scores.take(order), order)
        places = self.placed[chosen]  # type: ignore[index]  # counted, with the places made before
        size = self.ranked.scores.size
        both, pos = np.bincount(places, minlength=size), np.bincount(places[rows.positive], minlength=size)
        there = np.flatnonzero(both)
        number = np.zeros(size, dtype=np.int64)
        number[there] = np.arange(there.size)
        counts = self.ranked.scores[there], pos[there], (both - pos)[there]
        return Ranking(RankedScores.trusted(*counts, origin_of(rows)).told(rows), placed=number[places])

    def places(self, scores: Column) -> Places:
        """The group of every row, of rows with these scores; made once."""
        if self.placed is None:
            self.placed = self._from_order() if self.order is not None else self._from_groups(scores)
        return self.placed

    def _from_groups(self, scores: Column) -> Places:
        if self.ranked.scores.size <= FEW_VALUES:
            return self.ranked.scores.searchsorted(scores)
        self.order = in_order(scores)[1]
        last = last_of_group(scores.take(self.order))
        self.last = None if last.all() else last
        return self._from_order()

    def _from_order(self) -> Places:
        order = self.order
        assert order is not None  # noqa: S101 - for the reader of types
        places = np.empty(order.size, dtype=np.intp)
        if self.last is not None:
            places[order] = self.last.cumsum() - self.last
            return places
        for start in range(0, order.size, FEW_PLACES):  # fresh memory costs more than the loop
            stop = min(start + FEW_PLACES, order.size)
            places[order[start:stop]] = np.arange(start, stop)
        return places
