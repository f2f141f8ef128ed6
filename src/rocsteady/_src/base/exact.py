"""Sums that do not lose digits: integer dot products beyond 64 bits, compensated prefix sums."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

INT64_ROOM = 2**63
LIMB_BITS = 21
BLOCK = 1 << 15
PIECE = 1 << 13


def blocks(size: int) -> Iterator[slice]:
    """Pieces of an array that stay in the processor's cache: fresh memory costs more than the arithmetic."""
    return (slice(start, start + BLOCK) for start in range(0, size, BLOCK))


def dot(first: NDArray[Any], second: NDArray[Any]) -> float:
    """Sum of products of floats, in pieces below the length from which BLAS wakes threads.

    Threads would make its last bits depend on their number, and wait for a processor that something else holds.

    Examples
    --------
    >>> dot(np.array([0.5, 1.5]), np.array([2.0, 4.0]))
    7.0
    """
    pieces = (slice(start, start + PIECE) for start in range(0, first.size, PIECE))
    return math.fsum(float(first[piece] @ second[piece]) for piece in pieces)


def squares_about(counts: NDArray[Any], values: NDArray[Any], centre: float) -> float:
    """Sum of squared distances from the centre, each as often as it is counted; in the same pieces as ``dot``.

    Examples
    --------
    >>> squares_about(np.array([2, 1]), np.array([1.0, 4.0]), 1.0)
    9.0
    """
    pieces = (slice(start, start + PIECE) for start in range(0, values.size, PIECE))
    return math.fsum(
        float(counts[piece].astype(np.float64, copy=False) @ (values[piece] - centre) ** 2) for piece in pieces
    )


def exact_dot(first: NDArray[Any], second: NDArray[Any]) -> Any:
    """Sum of products: a Python int without overflow for int64 counts, float64 for weights.

    The counts must be non-negative. Where they may pass 63 bits the second factor is cut into three limbs of
    21 bits.

    Examples
    --------
    >>> exact_dot(np.array([2**40]), np.array([2**40])) == 2**80
    True
    """
    if first.dtype.kind != "i" or second.dtype.kind != "i":
        return float(first @ second)
    if first.size == 0:
        return 0
    total = int(first.sum())
    if total * int(second.max()) < INT64_ROOM:
        return int(first @ second)
    if total >= INT64_ROOM >> LIMB_BITS:
        return sum(a * b for a, b in zip(first.tolist(), second.tolist(), strict=True))
    mask = (1 << LIMB_BITS) - 1
    limbs = (int(first @ ((second >> shift) & mask)) << shift for shift in range(0, 63, LIMB_BITS))
    return sum(limbs)


def exact_wins_twice(pos: NDArray[Any], neg: NDArray[Any], *, most: int) -> Any:
    """Sum over i of pos_i * (2 * sum of neg before i + neg_i): twice the pairs won, with ties counted once.

    Exact for counts, whose sum of products is at most ``most``. In blocks, so that no array as long as the data
    is made.

    Examples
    --------
    >>> exact_wins_twice(np.array([0, 1, 1]), np.array([1, 1, 0]), most=4)
    7
    """
    if pos.dtype.kind != "i" or 2 * most >= INT64_ROOM:
        through = neg.cumsum() if neg.dtype.kind == "i" else compensated_cumsum(neg)
        return 2 * exact_dot(pos, through) - exact_dot(pos, neg)
    total, below = 0, 0
    for start in range(0, pos.size, BLOCK):
        here = neg[start : start + BLOCK]
        through = here.cumsum()
        through += below
        below = int(through[-1])
        through *= 2
        through -= here
        total += int(pos[start : start + BLOCK] @ through)
    return total


def exact_wins_twice_of_labels(positive: NDArray[np.bool_]) -> int:
    """Twice the pairs won by the positives among rows in increasing order of score, none tied.

    The positive in place i, counted from 0, beats the i rows before it less the positives among them.

    Examples
    --------
    >>> exact_wins_twice_of_labels(np.array([False, True, False, True]))
    6
    """
    places = np.flatnonzero(positive)
    return 2 * int(places.sum()) - places.size * (places.size - 1)


def compensated_cumsum(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Prefix sums with the rounding error of every step added back (Neumaier, vectorised).

    Examples
    --------
    >>> float(compensated_cumsum(np.array([1e16] + [1.0] * 1000))[-1] - 1e16)
    1000.0
    """
    plain = np.cumsum(values)
    if values.size < 2:
        return plain
    before, now, step = plain[:-1], plain[1:], values[1:]
    moved = now - before
    lost = (before - (now - moved)) + (step - moved)
    plain[1:] += np.cumsum(lost)
    return plain


def summed_by(places: NDArray[Any], weights: NDArray[Any] | None, size: int) -> NDArray[Any]:
    """Sum of the weights at each place: whole numbers for whole weights of any size, counts without weights.

    Examples
    --------
    >>> summed_by(np.array([0, 1, 0]), np.array([2**53, 1, 1]), 2).tolist() == [2**53 + 1, 1]
    True
    """
    if weights is None:
        return np.bincount(places, minlength=size)
    if weights.dtype.kind != "i":
        return np.bincount(places, weights, size)
    sums = np.zeros(size, dtype=np.int64)
    np.add.at(sums, places, weights)
    return sums
