"""Rows in the order of their scores, through one sort of whole numbers that carry the row.

NumPy sorts plain numbers several times faster than it can sort indices. A score becomes a whole number of the same
order, whose lowest bits give way to the number of the row. Scores that differ in those bits alone may come out in the
wrong order; they are found, and put right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Sorted = tuple[NDArray[Any], NDArray[np.int64]]

FEW_ROWS, MANY_ROWS = 1000, 1 << 25
MOST_WRONG, LONGEST_RUN = 1 / 16, 64
MAGNITUDE = np.int64(2**63 - 1)
BLOCK = 1 << 14  # stays in the processor's cache; fresh memory costs more than the arithmetic


def in_order(scores: NDArray[Any]) -> Sorted:
    """Scores from the lowest to the highest, and the rows in this order; tied rows keep theirs. O(n log n).

    Examples
    --------
    >>> merged, order = in_order(np.array([0.5, 0.1, 0.5]))
    >>> merged.tolist(), order.tolist()
    ([0.1, 0.5, 0.5], [1, 0, 2])
    """
    if FEW_ROWS < scores.size <= MANY_ROWS:
        if scores.dtype.kind == "f" and scores.dtype.itemsize <= 8:
            return _by_floats(scores)
        if scores.dtype.kind in "biu" and _leave_room(scores):
            return _by_whole_numbers(scores)
    return _by_indices(scores)


def lines_in_order(scores: NDArray[Any]) -> Sorted:
    """The same of each of several lines of few scores, all at once; tied ones come in any order.

    Examples
    --------
    >>> [each.tolist() for each in lines_in_order(np.array([[0.5, 0.1], [0.2, 0.3]]))]
    [[[0.1, 0.5], [0.2, 0.3]], [[1, 0], [0, 1]]]
    """
    n_lines, size = scores.shape
    keys = _coarse_keys(scores, _room(size))
    keys |= np.arange(size)
    keys.sort(axis=1)
    keys &= (1 << _room(size)) - 1
    merged = scores.reshape(-1).take(keys + size * np.arange(n_lines)[:, None])
    for line in np.flatnonzero((merged[:, 1:] < merged[:, :-1]).any(axis=1)):
        merged[line], keys[line] = _by_indices(scores[line])
    return merged, keys


def _by_indices(scores: NDArray[Any]) -> Sorted:
    order = scores.argsort(kind="stable")
    return scores.take(order), order


def _room(size: int) -> int:
    """Bits that hold the number of a row."""
    return (size - 1).bit_length()


def _leave_room(scores: NDArray[Any]) -> bool:
    most = 2 ** (63 - _room(scores.size))
    return scores.dtype.kind == "b" or (int(scores.min()) >= -most and int(scores.max()) < most)


def _by_whole_numbers(scores: NDArray[Any]) -> Sorted:
    room = _room(scores.size)
    keys = scores.astype(np.int64)
    keys <<= room
    keys |= np.arange(scores.size)
    keys.sort()
    keys &= (1 << room) - 1
    return scores.take(keys), keys


def _by_floats(scores: NDArray[Any]) -> Sorted:
    size, room = scores.size, _room(scores.size)
    keys = np.empty(size, dtype=np.int64)
    for start in range(0, size, BLOCK):
        stop = min(start + BLOCK, size)
        block = keys[start:stop]
        block[:] = _coarse_keys(scores[start:stop], room)
        block |= np.arange(start, stop)
    keys.sort()
    keys &= (1 << room) - 1
    merged = scores.take(keys)
    wrong = np.flatnonzero(merged[1:] < merged[:-1])
    if wrong.size and not _put_right(scores, merged, keys, wrong, room):
        return _by_indices(scores)
    return merged, keys


def _coarse_keys(scores: NDArray[Any], room: int) -> NDArray[np.int64]:
    """Whole numbers in the order of the scores, with ``room`` lowest bits empty; adding 0 makes one of both zeros."""
    keys: NDArray[np.int64] = np.add(scores, 0.0, dtype=np.float64).view(np.int64)
    keys ^= (keys >> 63) & MAGNITUDE  # negative floats are ordered by magnitude, whole numbers are not
    keys &= -(1 << room)
    return keys


def _put_right(
    scores: NDArray[Any], merged: NDArray[Any], order: NDArray[np.int64], wrong: NDArray[np.int64], room: int
) -> bool:
    """Sort the runs of equal coarse keys in which scores come out wrong; False if there is too much of it."""
    if wrong.size > MOST_WRONG * merged.size:
        return False
    key = _coarse_keys(merged[wrong], room)
    first, last = _extend(merged, wrong, key, room, -1), _extend(merged, wrong, key, room, 1)
    if first is None or last is None:
        return False
    first, kept = np.unique(first, return_index=True)
    lengths = last[kept] - first + 1
    run = np.repeat(np.arange(first.size), lengths)
    places = np.arange(run.size) + np.repeat(first - (lengths.cumsum() - lengths), lengths)
    order[places] = order[places][np.lexsort((merged[places], run))]
    merged[places] = scores[order[places]]
    return True


def _extend(
    merged: NDArray[Any], places: NDArray[np.int64], key: NDArray[np.int64], room: int, step: int
) -> NDArray[np.int64] | None:
    """Move each place to the end of its run of equal coarse keys; None if a run is long."""
    ends, moving = places.copy(), np.arange(places.size)
    for _ in range(LONGEST_RUN):
        beyond = ends[moving] + step
        inside = (beyond >= 0) & (beyond < merged.size)
        moving, beyond = moving[inside], beyond[inside]
        same = _coarse_keys(merged[beyond], room) == key[moving]
        moving, beyond = moving[same], beyond[same]
        if not moving.size:
            return ends
        ends[moving] = beyond
    return None
