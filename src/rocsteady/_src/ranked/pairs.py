"""Pairs won and tied among sorted keys, counted on bits: a row is one bit of a word of 64.

Two columns of bits are made of the keys, which label a row has and whether its score is that of the next row. All
that follows reads an eighth of a byte per row, so that ties cost little more than their absence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked.sortkeys import Keys

    Words = NDArray[np.uint64]

BLOCK = 1 << 17  # whole words
LONGEST_STEP = 32
FEW_GROUPS = 1 / 4
ALL = np.uint64(2**64 - 1)
PLACES_WITH_BIT = [np.uint64(sum(1 << place for place in range(64) if place >> bit & 1)) for bit in range(6)]


def wins_twice(keys: Keys) -> int:
    """Twice the pairs won by the positives, ties counted once.

    The positive in place i, counted from 0, beats the i rows before it, less the positives among them; a tied
    negative stands before it and was counted twice, not once.
    """
    labels, tied = _bits(keys)
    n_pos = _count(labels)
    return 2 * _sum_of_places(labels) - n_pos * (n_pos - 1) - tied_pairs(labels, tied, keys.size)


def tied_pairs(labels: Words, tied: Words, n_rows: int) -> int:
    """Pairs of opposite class with the same score: a negative, and a positive some steps on in the same group.

    All negatives walk together, a step at a time, until they leave their groups, and are counted where they meet a
    positive; where groups are few or long, the positives and negatives of each are multiplied instead.
    """
    if n_rows - _count(tied) < FEW_GROUPS * n_rows:
        return _tied_in_groups(labels, tied, n_rows)
    found, walking = 0, ~labels
    for _ in range(LONGEST_STEP):
        walking = _one_row_on(walking & tied)
        if not walking.any():
            return found
        found += _count(walking & labels)
    return _tied_in_groups(labels, tied, n_rows)


def _bits(keys: Keys) -> tuple[Words, Words]:
    """Label bit of every key, and whether the next key has the same score; of the last it has not."""
    size = -(-keys.size // 64) * 8
    labels, tied = np.zeros(size, dtype=np.uint8), np.zeros(size, dtype=np.uint8)
    length = min(BLOCK, keys.size)
    steps, flags = np.empty(length, dtype=f"u{keys.itemsize}"), np.empty(length, dtype=np.uint8)
    for start in range(0, keys.size, BLOCK):
        part = keys[start : start + BLOCK + 1].view(steps.dtype)
        own, next_one = part[:BLOCK], part[1:]
        np.bitwise_and(own, 1, out=flags[: own.size], casting="unsafe")
        _pack(flags[: own.size], labels, start)
        apart = np.bitwise_xor(next_one, part[:-1], out=steps[: next_one.size])
        _pack(np.less_equal(apart, 1, out=flags[: apart.size].view(bool)), tied, start)
    return _as_words(labels), _as_words(tied)


def _pack(flags: NDArray[Any], column: NDArray[np.uint8], start: int) -> None:
    packed = np.packbits(flags, bitorder="little")
    column[start // 8 : start // 8 + packed.size] = packed


def _as_words(packed: NDArray[np.uint8]) -> Words:
    return packed.view("<u8").astype(np.uint64, copy=False)


def _count(words: Words) -> int:
    return int(np.bitwise_count(words).sum(dtype=np.int64))


def _sum_of_places(words: Words) -> int:
    """Sum of the places of all bits that are set."""
    within = sum(_count(words & places) << bit for bit, places in enumerate(PLACES_WITH_BIT))
    return 64 * int(np.bitwise_count(words).astype(np.int64) @ np.arange(words.size)) + within


def _one_row_on(words: Words) -> Words:
    moved = words << np.uint64(1)
    moved[1:] |= words[:-1] >> np.uint64(63)
    return moved


def _tied_in_groups(labels: Words, tied: Words, n_rows: int) -> int:
    """Positives times negatives of every group, a block of words at a time."""
    found, rows, passed = 0, 0, 0
    for start in range(0, n_rows, BLOCK):
        positive, joined = (_opened(words, start, n_rows) for words in (labels, tied))
        ends, positives = np.flatnonzero(joined == 0), positive.cumsum(dtype=np.int64)
        pos = np.diff(positives[ends], prepend=-passed)
        found += int(pos @ (np.diff(ends, prepend=-rows - 1) - pos))
        if ends.size:
            rows, passed = -int(ends[-1]) - 1, -int(positives[ends[-1]])
        rows, passed = rows + joined.size, passed + int(positives[-1])
    return found


def _opened(words: Words, start: int, n_rows: int) -> NDArray[np.uint8]:
    """A block of bits as bytes."""
    packed = words[start // 64 : (start + BLOCK) // 64].astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(packed, count=min(BLOCK, n_rows - start), bitorder="little")
