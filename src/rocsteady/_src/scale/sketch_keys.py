"""Scores as 64-bit keys of the same order, and buckets of neighbouring keys.

The key of an integer is itself. The key of a float is its bit pattern, with the magnitude of negative numbers turned
over, so that keys compare as the floats do and every float has its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.text import format_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Keys = NDArray[np.int64]

Kind = Literal["float64", "int64"]
LARGEST = 2**63 - 1
LOWEST_KEY = {"float64": -(2**63) + 2**52 - 1, "int64": -(2**63)}  # of -inf
HIGHEST_KEY = {"float64": 0x7FF0000000000000, "int64": LARGEST}  # of inf
MINUS_ZERO = -1  # no float has this key: -0.0 is 0.0
LEAST_BITS, MOST_BITS = 4, 24
DOUBLE_DIGITS = 15  # decimals of so many digits stay apart as doubles


def kind_of(scores: NDArray[Any], wanted: Kind | None) -> tuple[NDArray[Any], Kind]:
    """Scores as floats of at most 64 bits or as int64, without loss, and which of the two."""
    if scores.dtype.kind == "f" and scores.dtype.itemsize <= 8:
        return scores, "float64"
    if scores.dtype.kind == "O" and scores.size and all(isinstance(score, Decimal) for score in scores):
        return _doubles(scores), "float64"
    _refuse_huge(scores)
    if scores.dtype.kind not in "iu":
        text = f"a sketch counts float64 or int64 scores, not {scores.dtype}; convert them to one of the two"
        raise InputError("score_type", text)
    whole = scores.astype(np.int64, copy=False)
    if wanted != "float64":
        return whole, "int64"
    if whole.size and (int(whole.max()) > 2**53 or int(whole.min()) < -(2**53)):
        text = "y_score holds integers beyond 2**53, which floats cannot tell apart; use Sketch(dtype='int64')"
        raise InputError("score_type", text)
    return whole.astype(np.float64), "float64"


def _refuse_huge(scores: NDArray[Any]) -> None:
    """Refuse whole numbers that 64 bits with a sign do not hold; floats would merge some of them."""
    if scores.dtype == np.uint64:
        huge = scores[scores > LARGEST]
    elif scores.dtype.kind == "O" and all(isinstance(score, int) for score in scores):
        huge = scores[(scores > LARGEST) | (scores < -LARGEST - 1)]
    else:
        return
    if huge.size:
        text = f"y_score: {format_count(huge.size)} whole numbers beyond 64 bits with a sign, such as {huge.min()}"
        remedy = (
            "subtract the same number, such as 2**63, from all scores, which keeps their order; or rank them exactly"
        )
        raise InputError("score_type", f"{text}, which a sketch cannot count; {remedy}, by rs.rank or rank_table")


def _doubles(scores: NDArray[Any]) -> NDArray[np.float64]:
    """Decimals as floats, which keep them apart and in order up to 15 digits."""
    floats: NDArray[np.float64] = scores.astype(np.float64)
    places = zip(scores, floats.tolist(), strict=True)
    long = next((one for one, two in places if len(one.as_tuple().digits) > DOUBLE_DIGITS and one != two), None)
    if long is not None:
        text = f"y_score holds decimals of more than {DOUBLE_DIGITS} digits, such as {long}, which a sketch would round"
        raise InputError("score_type", f"{text}; write fewer digits")
    return floats


def keys_of(scores: NDArray[Any]) -> Keys:
    """Keys of floats or of int64 scores; -0.0 has the key of 0.0.

    Examples
    --------
    >>> keys_of(np.array([-1.0, -0.0, 0.0, 5e-324])).tolist()
    [-4607182418800017409, 0, 0, 1]
    """
    if scores.dtype.kind == "i":
        return scores.copy()
    keys: Keys = np.add(scores, 0.0, dtype=np.float64).view(np.int64)
    return _turned(keys)


def scores_of(keys: Keys, kind: Kind) -> NDArray[Any]:
    """The scores that have these keys."""
    return keys.copy() if kind == "int64" else _turned(keys.copy()).view(np.float64)


def _turned(keys: Keys) -> Keys:
    """Turn over the magnitude of negatives, in place; doing it twice undoes it."""
    turn = keys >> 63
    turn &= LARGEST
    keys ^= turn
    return keys


def checked_bits(bits: int) -> int:
    """Refuse what is no number of bits of a grid."""
    if isinstance(bits, bool) or not isinstance(bits, int) or not LEAST_BITS <= bits <= MOST_BITS:
        raise ArgumentError("bits", f"bits must be a whole number from {LEAST_BITS} to {MOST_BITS}, got {bits!r}")
    return bits


@dataclass(frozen=True, slots=True)
class Grid:
    """Buckets of scores. Their numbers never fall as the score rises, so each bucket is an interval of scores.

    Without a range: the leading ``bits`` bits of a float's key (sign, exponent, leading digits). With a range:
    2**bits equal steps, one bucket for what lies below and one for what lies above.
    """

    bits: int
    range: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        """Refuse what makes no grid."""
        checked_bits(self.bits)
        if self.range is not None:
            low, high = self.range
            if not (low < high and math.isfinite(high - low) and math.isfinite(2.0**self.bits / (high - low))):
                raise ArgumentError("range", f"range needs two finite numbers, low < high, got {self.range!r}")

    @property
    def size(self) -> int:
        """Number of buckets."""
        return int(2**self.bits) + (0 if self.range is None else 2)

    def buckets(self, scores: NDArray[Any]) -> Keys:
        """The bucket of each score."""
        floats = scores.astype(np.float64, copy=False)
        if self.range is not None:
            return self._steps(floats, *self.range)
        numbers = keys_of(floats)
        numbers >>= 64 - self.bits
        numbers += 2 ** (self.bits - 1)
        return numbers

    def _steps(self, scores: NDArray[np.float64], low: float, high: float) -> Keys:
        last = 2**self.bits
        with np.errstate(over="ignore"):
            steps = scores - low
            steps *= last / (high - low)
        np.maximum(steps, 0.0, out=steps)
        np.minimum(steps, last - 1, out=steps)
        numbers = steps.astype(np.int64)  # above zero, cutting off the digits after the point rounds down
        numbers += 1
        if scores.size and scores.min() < low:
            numbers[scores < low] = 0
        if scores.size and scores.max() > high:
            numbers[scores > high] = last + 1
        return numbers

    def first_keys(self, buckets: Keys, kind: Kind) -> Keys:
        """The lowest key that belongs to each bucket or a higher one: bisection, since buckets follow the order."""
        if self.range is None and kind == "float64":
            last = 2**self.bits - 1
            inside: Keys = (np.minimum(buckets, last) - (last + 1) // 2) << (64 - self.bits)
            return np.maximum(inside, LOWEST_KEY[kind])
        below, found = self._around(buckets, kind)
        while (apart := np.flatnonzero(found - 1 > below)).size:
            a, b = below[apart], found[apart]
            middle = (a >> 1) + (b >> 1) + (a & b & 1)
            reached = self.buckets(scores_of(middle, kind)) >= buckets[apart]
            found[apart[reached]], below[apart[~reached]] = middle[reached], middle[~reached]
        lowest = self.buckets(scores_of(np.full(1, LOWEST_KEY[kind]), kind))[0]
        found[buckets <= lowest] = LOWEST_KEY[kind]
        return found

    def last_keys(self, buckets: Keys, kind: Kind) -> Keys:
        """The highest key that belongs to each bucket or a lower one."""
        top = self.buckets(scores_of(np.full(1, HIGHEST_KEY[kind]), kind))[0]
        return np.where(buckets >= top, HIGHEST_KEY[kind], self.first_keys(buckets + 1, kind) - 1)

    def _around(self, buckets: Keys, kind: Kind) -> tuple[Keys, Keys]:
        """A key below each bucket and one in it or above: near where it should begin, or the ends of all keys."""
        lowest, highest = LOWEST_KEY[kind], HIGHEST_KEY[kind]
        below = np.full(buckets.size, lowest)
        above = np.full(buckets.size, min(highest + 1, LARGEST))
        if self.range is None or kind == "int64":
            return below, above
        low, high = self.range
        edge = low + (buckets - 1) * ((high - low) / 2.0**self.bits)
        slack = 8 * np.spacing(max(abs(low), abs(high)))
        before, after = edge - slack, edge + slack
        near = np.flatnonzero((self.buckets(before) < buckets) & (self.buckets(after) >= buckets))
        below[near], above[near] = keys_of(before[near]), keys_of(after[near])
        return below, above
