"""Pairs of a row with those of a later time, summed by who scores higher: O(n log n).

Scores are halved again and again, from their highest bit. At each halving every row of the upper half meets the rows of
the lower half of its node that come later, and each of the lower half those of the upper half that came before, by
running sums; every pair is parted exactly once. Nodes that fit the cache are finished one after the other, and in the
smallest ones all pairs are compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.ranked.rowsort import in_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Whole = NDArray[np.int64]
    Pairs = NDArray[np.complex128]
    Bytes = NDArray[np.uint8]

IN_CACHE = 1 << 15
SMALLEST = 1 << 4  # rows among which all pairs are compared; sums of as many ones fit a byte
COUNTED = 32  # bits of a place; those above it count rows


@dataclass(frozen=True, slots=True, eq=False)
class LaterPairs:
    """Rows in order of time, and of score: where each stands, and who ties with whom.

    ``order`` is that of time, tied times by score, None where rows stand in it; ``rank`` is the number of each, in that
    order, from the lowest score, tied scores by time.
    """

    order: Whole | None
    rank: Whole
    when: Whole
    places: Whole

    @classmethod
    def of(cls, when: Whole, places: Whole) -> LaterPairs:
        """Order rows by the numbers of their distinct times and scores; rows without ties that are in order stay."""
        order = None if increasing(when) else order_of(when, places)
        if order is not None:
            when, places = when[order], places[order]
        rank = places
        if int(places.max(initial=-1)) + 1 < places.size:
            rank = np.empty(places.size, dtype=np.int64)
            rank[in_order(places)[1]] = np.arange(places.size)
        return cls(order, rank, when, places)

    def sums(self, held: Array | None, loads: Array) -> tuple[Array, Array]:
        """For each row the sum of ``held`` below it and later, and of ``loads`` above it and earlier; ties by half.

        None holds every row once.

        Examples
        --------
        >>> pairs = LaterPairs.of(np.array([0, 1, 2]), np.array([1, 0, 1]))
        >>> [found.tolist() for found in pairs.sums(None, np.ones(3))]
        [[1.5, 0.0, 0.0], [0.0, 1.0, 0.5]]
        """
        if self.order is not None:
            held, loads = None if held is None else held[self.order], loads[self.order]
        n = self.rank.size
        size = max(SMALLEST, 1 << (n - 1).bit_length())
        rank = np.arange(size)  # rows that are not there come last and score highest: in no pair
        rank[:n] = self.rank
        carried = [_carried(each, size) for each in (loads, held) if each is not None]
        made = np.empty(size, dtype=np.complex128)  # below and above side by side: one number is moved at once
        _part(rank, carried, size.bit_length() - 1, made)
        made = made.take(self.rank)
        below, above = made.real.copy(), made.imag.copy()
        if self.rank is not self.places:
            self._add_ties(below, above, held, loads)
        return self._as_given(below), self._as_given(above)

    def _add_ties(self, below: Array, above: Array, held: Array | None, loads: Array) -> None:
        """Half of the rows of the same score that are later, or earlier."""
        rows = np.empty(self.rank.size, dtype=np.int64)
        rows[self.rank] = np.arange(rows.size)
        new_score = _starts(self.places[rows])
        of_score, of_both = _runs(new_score), _runs(new_score | _starts(self.when[rows]))
        total = _running(np.ones(rows.size) if held is None else held[rows])
        below[rows] += (total[of_score[1]] - total[of_both[1]]) / 2
        total = _running(loads[rows])
        above[rows] += (total[of_both[0]] - total[of_score[0]]) / 2

    def _as_given(self, found: Array) -> Array:
        if self.order is None:
            return found
        back = np.empty(found.size)
        back[self.order] = found
        return back


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
    alone = increasing(when)
    sums = _sums(when, values, alone=alone)
    found = np.zeros(sums.size + 1)
    np.cumsum(sums[::-1], out=found[:-1][::-1])
    return found[1:] if alone else found[when + 1]


def earlier_total(when: Whole, values: Array) -> Array:
    """The same of an earlier time."""
    alone = increasing(when)
    found = _running(_sums(when, values, alone=alone))
    return found[:-1] if alone else found[when]


def increasing(numbers: Whole) -> bool:
    """Whether each number is above the one before."""
    return bool(np.all(numbers[1:] > numbers[:-1]))


def _sums(when: Whole, values: Array, *, alone: bool) -> Array:
    """Of each time; where times increase, one value each: only their order counts then."""
    return values if alone else np.bincount(when, values).astype(np.float64, copy=False)


def _part(rank: Whole, carried: list[Pairs], bit: int, made: Pairs) -> None:
    """Part rows, which share all bits above ``bit``, until they stand by rank; their sums are filled in there.

    Above its lowest 32 bits a rank counts the rows below and later, where they count once.
    """
    size = rank.size
    stop_at = SMALLEST.bit_length() - 1 if size <= IN_CACHE else IN_CACHE.bit_length() - 1
    while bit > stop_at:
        bit -= 1
        rank, carried = _halved(rank, carried, bit) if size <= IN_CACHE else _halved_by_blocks(rank, carried, bit)
    if size > IN_CACHE:
        for at in range(0, size, IN_CACHE):
            _part(rank[at : at + IN_CACHE], [each[at : at + IN_CACHE] for each in carried], bit, made)
        return
    below, above = _meet_all(rank, carried)
    found = np.empty(size, dtype=np.complex128)
    found.real, found.imag = below, above
    made[rank & (1 << COUNTED) - 1] = found


def _halved_by_blocks(rank: Whole, carried: list[Pairs], bit: int) -> tuple[Whole, list[Pairs]]:
    """As :func:`_halved`, of nodes that do not fit the cache: some rows after the other, with sums of those before."""
    half = 1 << bit
    made, moved = np.empty_like(rank), [np.empty_like(each) for each in carried]
    for node in range(0, rank.size, 2 * half):
        n_low, load, hold = 0, 0.0, 0.0
        for start in range(node, node + 2 * half, IN_CACHE):
            rows = slice(start, start + IN_CACHE)
            upper = (rank[rows] & half) != 0
            high, low = np.flatnonzero(upper), np.flatnonzero(~upper)
            to_low = slice(node + n_low, node + n_low + low.size)
            to_high = slice(start + half - n_low, start + half - n_low + high.size)
            for source, out in zip((rank, *carried), (made, *moved), strict=True):
                out[to_low], out[to_high] = source[rows].take(low), source[rows].take(high)
            lows, highs = np.arange(low.size), np.arange(high.size)
            run = _running(moved[0][to_high].imag) + load
            moved[0][to_low].real += run.take(low - lows)
            load = run[-1]
            if len(moved) > 1:  # of those before, until all of the node are known
                run = _running(moved[1][to_low].imag) + hold
                moved[1][to_high].real -= run.take(high - highs)
                hold = run[-1]
            else:
                made[to_high] += (half - n_low) + highs - high << COUNTED
            n_low += low.size
        if len(moved) > 1:
            moved[1][node + half : node + 2 * half].real += hold
    return made, moved


@lru_cache(maxsize=64)
def _steps(size: int, bit: int) -> tuple[Whole, Whole]:
    """Of the k-th row of a half: k and where its node ends, and how far its running sum stands before it."""
    number = np.arange(size // 2)
    return number + ((number >> bit) + 1 << bit), number - (number >> bit)


def _halved(rank: Whole, carried: list[Pairs], bit: int) -> tuple[Whole, list[Pairs]]:
    """Meet across one bit, then part each node by it; rows stay in order of time within the halves.

    A node has as many rows in one half as in the other, so that the k-th row of a half is in node k >> bit.
    """
    half, size = 1 << bit, rank.size
    upper = (rank & half) != 0
    high, low = np.flatnonzero(upper), np.flatnonzero(~upper)
    moves = np.empty((size >> bit + 1, 2, half), dtype=np.intp)
    moves[:, 0], moves[:, 1] = low.reshape(-1, half), high.reshape(-1, half)
    ends, shift = _steps(size, bit)
    rank = rank.take(moves.ravel())
    carried = [each.take(moves.ravel()) for each in carried]
    loads = carried[0].reshape(-1, 2, half)
    loads[:, 0].real += _before(loads[:, 1].imag).take(low - shift).reshape(-1, half)
    if len(carried) > 1:
        held = carried[1].reshape(-1, 2, half)
        run = _before(held[:, 0].imag)
        held[:, 1].real += run[:, -1:] - run.take(high - shift).reshape(-1, half)
    else:
        rank.reshape(-1, 2, half)[:, 1] += (ends - high << COUNTED).reshape(-1, half)
    return rank, carried


def _before(values: Array) -> Array:
    """Sums before each place of a line, and of the whole line."""
    made = np.zeros((len(values), values.shape[1] + 1))
    np.cumsum(values, axis=1, out=made[:, 1:])
    return made


def _meet_all(rank: Whole, carried: list[Pairs]) -> tuple[Array, Array]:
    """All pairs within the smallest nodes, each a column: an earlier row that scores higher has a later one below."""
    place = _by_column((rank & SMALLEST - 1).astype(np.uint8))
    (above, loads), *weighted = (_columns(each) for each in carried)
    below, held = weighted[0] if weighted else (_by_column(rank >> COUNTED).astype(np.float64), None)
    once = loads.astype(np.uint8)
    if held is None and np.array_equal(once, loads):
        counts = _counted_pairs(place, once)
        return (below + counts[0]).T.ravel(), (above + counts[1]).T.ravel()
    product = np.empty(loads.shape)
    for first in range(SMALLEST - 1):
        won, rest = place[first] > place[first + 1 :], product[first + 1 :]
        if held is None:
            below[first] += won.view(np.uint8).sum(axis=0, dtype=np.uint8)
        else:
            below[first] += np.multiply(won, held[first + 1 :], out=rest).sum(axis=0)
        above[first + 1 :] += np.multiply(won, loads[first], out=rest)
    return below.T.ravel(), above.T.ravel()


def _counted_pairs(place: Bytes, loads: Bytes) -> tuple[Bytes, Bytes]:
    """The same of rows that count once or not at all: sums of so few fit a byte, up to 7 each."""
    below, above = np.zeros(place.shape, dtype=np.uint8), np.zeros(place.shape, dtype=np.uint8)
    for apart in range(1, SMALLEST):
        won = (place[:-apart] > place[apart:]).view(np.uint8)
        below[:-apart] += won
        above[apart:] += won * loads[:-apart]
    return below, above


def _columns(carried: Pairs) -> tuple[Array, Array]:
    return _by_column(carried.real), _by_column(carried.imag)


def _by_column(values: NDArray[Any]) -> NDArray[Any]:
    return np.ascontiguousarray(values.reshape(-1, SMALLEST).T)


def _carried(weights: Array, size: int) -> Pairs:
    """What moves with a row: its sum, as the real part, and its weight; one number of two doubles moves at once."""
    made = np.zeros(size, dtype=np.complex128)
    made.imag[: weights.size] = weights
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
