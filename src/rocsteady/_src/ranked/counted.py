"""Scores with few different values are counted, not sorted.

A multiplication sends the bits of each value to a place of its own in a small table; rows are then compared with the
value in their place, and counted there. O(n).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Counts = tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64]]

MANY_ROWS = 1 << 14
BLOCK = 1 << 14
SAMPLE = 1 << 10
MOST_VALUES = 256
PLACE_BITS = 14
WIDEST = 1 << 16
TRIES = 64


def count_few(positive: NDArray[np.bool_], scores: NDArray[Any]) -> Counts | None:
    """Distinct scores, increasing, with their positives and negatives; None where too many may differ."""
    if scores.size < MANY_ROWS or scores.dtype.kind not in "iuf" or scores.dtype.itemsize > 8:
        return None
    few = scores[:: scores.size // SAMPLE]
    if scores.dtype.kind in "iu":
        if int(few.max()) - int(few.min()) >= WIDEST:
            return None
        lowest = int(scores.min())
        return _in_range(positive, scores, lowest) if int(scores.max()) - lowest < WIDEST else None
    return None if np.unique(few).size > MOST_VALUES else _by_place(positive, scores)


def _blocks(size: int) -> Iterator[slice]:
    return (slice(start, start + BLOCK) for start in range(0, size, BLOCK))


def _in_range(positive: NDArray[np.bool_], scores: NDArray[Any], lowest: int) -> Counts:
    """Whole numbers that lie close together are places themselves."""
    counts = np.zeros(0, dtype=np.int64)
    for block in _blocks(scores.size):
        places = scores[block].astype(np.int64)
        places -= lowest
        found = np.bincount(2 * places + positive[block])
        counts.resize(max(counts.size, found.size + found.size % 2), refcheck=False)
        counts[: found.size] += found
    neg, pos = counts.reshape(-1, 2).T
    there = np.flatnonzero(neg + pos)
    return (there + lowest).astype(scores.dtype), pos[there], neg[there]


def _by_place(positive: NDArray[np.bool_], scores: NDArray[Any]) -> Counts | None:
    values = np.zeros(0, dtype=np.uint64)
    counts = np.zeros((0, 2), dtype=np.int64)
    table = _Table.of(values)
    for block in _blocks(scores.size):
        bits = (scores[block] + 0.0).astype(np.float64, copy=False).view(np.uint64)  # both zeros are one score
        numbers = None if table is None else table.numbers(bits)
        if numbers is None:
            grown = np.unique(np.concatenate([values, bits]))
            table = _Table.of(grown) if grown.size <= MOST_VALUES else None
            if table is None:
                return None
            counted = np.zeros((grown.size, 2), dtype=np.int64)
            counted[np.searchsorted(grown, values)] = counts
            values, counts, numbers = grown, counted, table.numbers(bits)
        counts += np.bincount(2 * numbers + positive[block], minlength=counts.size).reshape(-1, 2)  # type: ignore[operator]
    found = values.view(np.float64)
    order = found.argsort()
    return found[order], counts[order, 1], counts[order, 0]


class _Table:
    """A place of its own for each of some values."""

    def __init__(self, factor: np.uint64, values: NDArray[np.uint64]) -> None:
        self._factor = factor
        places = self._places(values)
        self._held = np.zeros(1 << PLACE_BITS, dtype=np.uint64)
        self._held[:] = values[0]
        self._held[places] = values
        self._number = np.zeros(1 << PLACE_BITS, dtype=np.int64)
        self._number[places] = np.arange(values.size)

    @classmethod
    def of(cls, values: NDArray[np.uint64]) -> _Table | None:
        """Try factors until no two values meet."""
        rng = np.random.default_rng(0)
        for _ in range(TRIES if values.size else 0):
            factor = rng.integers(1 << 63, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
            table = cls(factor, values)
            found = table.numbers(values)
            if found is not None and np.array_equal(found, np.arange(values.size)):
                return table
        return None

    def _places(self, bits: NDArray[np.uint64]) -> NDArray[np.intp]:
        return (bits * self._factor >> np.uint64(64 - PLACE_BITS)).astype(np.intp)

    def numbers(self, bits: NDArray[np.uint64]) -> NDArray[np.int64] | None:
        """The number of each row's value; None if a row has another value."""
        places = self._places(bits)
        return self._number[places] if np.array_equal(self._held[places], bits) else None
