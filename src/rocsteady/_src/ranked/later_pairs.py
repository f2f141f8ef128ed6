"""Pairs of a row with those of a later time, summed by who scores higher: O(n log n).

Scores are halved again and again, from their highest bit. At each halving every row of the upper half meets the rows of
the lower half of its node that come later, and each of the lower half those of the upper half that came before, by
running sums; every pair is parted exactly once. Nodes that fit the cache are finished one after the other, and in the
smallest ones all pairs are compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.threads import for_each
from rocsteady._src.ranked.rowsort import in_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Whole = NDArray[np.int64]

IN_CACHE = 1 << 15
SMALLEST = 1 << 5  # rows among which all pairs are compared; sums of as many ones fit a byte


@dataclass(frozen=True, slots=True, eq=False)
class LaterPairs:
    """Rows in order of time, and of score: where each stands, and who ties with whom.

    ``order`` is that of time, tied times by score; ``by_score`` lists places in that order from the lowest score, tied
    scores by time.
    """

    order: Whole
    by_score: Whole
    when: Whole
    places: Whole

    @classmethod
    def of(cls, when: Whole, places: Whole) -> LaterPairs:
        """Order rows by the numbers of their distinct times and scores."""
        order = order_of(when, places)
        return cls(order, order_of(places[order], np.arange(order.size)), when[order], places[order])

    def sums(self, held: Array | None, loads: Array) -> tuple[Array, Array]:
        """For each row the sum of ``held`` below it and later, and of ``loads`` above it and earlier; ties by half.

        None holds every row once.

        Examples
        --------
        >>> pairs = LaterPairs.of(np.array([0, 1, 2]), np.array([1, 0, 1]))
        >>> [found.tolist() for found in pairs.sums(None, np.ones(3))]
        [[1.5, 0.0, 0.0], [0.0, 1.0, 0.5]]
        """
        n = self.order.size
        size = max(SMALLEST, 1 << (n - 1).bit_length())
        rank = np.arange(size, dtype=np.int32)  # rows that are not there come last and score highest: in no pair
        rank[self.by_score] = np.arange(n, dtype=np.int32)
        kind = np.float64 if held is not None or np.any(loads != np.rint(loads)) else np.int32
        counts = np.int32 if held is None else np.float64  # of rows that count once: whole numbers
        lines = [rank, np.zeros(size, counts), np.zeros(size, kind), _filled(loads[self.order], size, kind)]
        if held is not None:
            lines.append(_filled(held[self.order], size, kind))
        below, above = np.empty(size), np.empty(size)
        _part(lines, size.bit_length() - 1, below, above)
        return self._with_ties(below[:n], above[:n], held, loads)

    def _with_ties(self, below: Array, above: Array, held: Array | None, loads: Array) -> tuple[Array, Array]:
        """Sums stand by score, then time: half of the ties are added, and all go back to the order of the rows."""
        rows = self.order[self.by_score]
        if int(self.places.max(initial=0)) + 1 < rows.size:
            score, time = self.places[self.by_score], self.when[self.by_score]
            new_score = _starts(score)
            of_score, of_both = _runs(new_score), _runs(new_score | _starts(time))
            total = _running(np.ones(rows.size) if held is None else held[rows])
            below += (total[of_score[1]] - total[of_both[1]]) / 2
            total = _running(loads[rows])
            above += (total[of_both[0]] - total[of_score[0]]) / 2
        back = np.empty((2, rows.size))
        back[0, rows], back[1, rows] = below, above
        return back[0], back[1]


def order_of(first: Whole, second: Whole) -> Whole:
    """Order by one number, then by another, which are numbers of distinct values."""
    return in_order(first * (int(second.max(initial=0)) + 1) + second)[1]


def later_total(when: Whole, values: Array) -> Array:
    """Sum of the values of all rows of a later time, for each row.

    Examples
    --------
    >>> later_total(np.array([0, 1, 0]), np.array([1.0, 2.0, 4.0])).tolist()
    [2.0, 0.0, 2.0]
    """
    sums = np.bincount(when, values)[::-1].cumsum()[::-1]
    found: Array = np.append(sums, 0.0)[when + 1]
    return found


def earlier_total(when: Whole, values: Array) -> Array:
    """The same of an earlier time."""
    found: Array = np.concatenate([[0.0], np.bincount(when, values).cumsum()])[when]
    return found


def _part(lines: list[Any], bit: int, below: Array, above: Array) -> None:
    """Part rows, which share all bits above ``bit``, until they stand by rank; their sums are filled in there."""
    stop_at = SMALLEST.bit_length() - 1 if lines[0].size <= IN_CACHE else IN_CACHE.bit_length() - 1
    while bit > stop_at:
        bit -= 1
        lines = _halved(lines, bit)
    size = lines[0].size
    if size > IN_CACHE:
        parts = [[line[first : first + IN_CACHE] for line in lines] for first in range(0, size, IN_CACHE)]
        for_each(lambda part: _part(part, bit, below, above), parts, n_rows=size)
        return
    _meet_all(lines)
    rank = lines[0]
    below[rank], above[rank] = lines[1], lines[2]


def _halved(lines: list[Any], bit: int) -> list[Any]:
    """Meet across one bit, then part each node by it; rows stay in order of time within the halves.

    A node has as many rows in one half as in the other, so that the k-th row of a half is in node k >> bit.
    """
    rank, half = lines[0], 1 << bit
    upper = (rank & half) != 0
    high, low = np.flatnonzero(upper), np.flatnonzero(~upper)
    number = np.arange(high.size)
    low_before, high_before = high - number, low - number  # rows of the other half that stand before
    loads = _running(lines[3][high])
    if len(lines) > 4:
        held = _running(lines[4][low])
        later = np.repeat(held[half::half], half) - held[low_before]
    else:
        later = ((number >> bit) + 1 << bit) - low_before
    earlier = loads[high_before] - np.repeat(loads[:-1:half], half)
    parted = []
    for place, line in enumerate(lines):
        below, above = line[low], line[high]
        if place == 1:
            above += later
        elif place == 2:
            below += earlier
        made = np.empty((high.size >> bit, 2, half), line.dtype)
        made[:, 0], made[:, 1] = below.reshape(-1, half), above.reshape(-1, half)
        parted.append(made.ravel())
    return parted


def _meet_all(lines: list[Any]) -> None:
    """All pairs within the smallest nodes, each a column: an earlier row that scores higher has a later one below."""
    rank, below, above, loads, *held = (line.reshape(-1, SMALLEST).T.copy() for line in lines)
    for place in range(SMALLEST - 1):
        won = rank[place] > rank[place + 1 :]
        if held:
            below[place] += (won * held[0][place + 1 :]).sum(axis=0)
        else:
            below[place] += won.view(np.uint8).sum(axis=0, dtype=np.uint8)
        above[place + 1 :] += won * loads[place]
    lines[1], lines[2] = below.T.ravel(), above.T.ravel()


def _filled(values: NDArray[Any], size: int, kind: Any) -> NDArray[Any]:
    made = np.zeros(size, kind)
    made[: values.size] = values
    return made


def _running(values: NDArray[Any]) -> NDArray[Any]:
    """Sums before each place, and of all."""
    made = np.zeros(values.size + 1, values.dtype)
    np.cumsum(values, out=made[1:])
    return made


def _starts(values: NDArray[Any]) -> NDArray[np.bool_]:
    return np.concatenate([[True], values[1:] != values[:-1]])[: values.size]


def _runs(new: NDArray[np.bool_]) -> tuple[Whole, Whole]:
    """Where the run of each row starts and stops."""
    edges = np.append(np.flatnonzero(new), new.size)
    number = new.cumsum() - 1
    return edges[number], edges[number + 1]
