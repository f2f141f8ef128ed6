"""Scores as keys of the same order, with one bit to spare for the label.

NumPy sorts plain numbers several times faster than it can sort indices. With the label packed into the lowest
bit of the key, one such sort ranks scores and carries the labels along. Arrays are passed over in blocks that
stay in the processor's cache: fresh memory costs more than the arithmetic.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from rocsteady._src.base.threads import for_each, workers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Keys = NDArray[np.int64] | NDArray[np.int32]

ROOM = 2**62
HALF_NARROW = 2**30
BLOCK = 1 << 15
LARGE_BLOCK = 1 << 18  # for threads, which wait for each other after every call of NumPy
MANY_KEYS = 1 << 18  # fewer are sorted before threads have started


class KeyCode(Protocol):
    """A way from scores to keys, whole numbers whose lowest bit is free, and back to scores of ``dtype``.

    The keys compare like the scores, whatever the lowest bit holds.
    """

    @property
    def bits(self) -> type:
        """Type of the keys."""
        ...

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of decoded scores."""
        ...

    def encode(self, scores: NDArray[Any], keys: Keys) -> None:
        """Write the keys of some scores."""
        ...

    def decode(self, keys: Keys, scores: NDArray[Any]) -> None:
        """Write the scores of some keys, perhaps over them."""
        ...


def key_code(scores: NDArray[Any]) -> tuple[NDArray[Any], KeyCode]:
    """Choose the code for these scores; return them in the type it takes.

    O(n); scores of unusual types are numbered one by one, O(n log n).
    """
    if scores.dtype.kind in "iu" and (whole := _whole_code(scores)) is not None:
        return scores, whole
    if scores.dtype.kind == "f" and scores.dtype.itemsize <= 8 and scores.size:
        floats = np.ascontiguousarray(scores, dtype=np.float64 if scores.dtype.itemsize == 8 else np.float32)
        code = _float_code(floats)
        if code is not None:
            return floats, code
    return list_code(scores)


def list_code(scores: NDArray[Any]) -> tuple[NDArray[Any], KeyCode]:
    """Number the distinct values: works for everything that can be ordered."""
    vocabulary, codes = np.unique(scores, return_inverse=True)
    return codes, ListCode(vocabulary)


def _whole_code(scores: NDArray[Any]) -> WholeCode | NarrowCode | None:
    if not scores.size:
        return WholeCode(scores.dtype)
    lowest, highest = int(scores.min()), int(scores.max())
    if highest - lowest < 2 * HALF_NARROW:
        return NarrowCode(scores.dtype, lowest + HALF_NARROW)
    return WholeCode(scores.dtype) if lowest > -ROOM and highest < ROOM else None


@dataclass(frozen=True, slots=True)
class WholeCode:
    """Twice the whole number."""

    dtype: np.dtype[Any]
    bits: ClassVar[type] = np.int64

    def encode(self, scores: NDArray[Any], keys: Keys) -> None:
        """Write the keys of some scores."""
        np.left_shift(scores.astype(np.int64, copy=False), 1, out=keys)

    def decode(self, keys: Keys, scores: NDArray[Any]) -> None:
        """Write the scores of some keys."""
        np.right_shift(keys, 1, out=scores, casting="unsafe")


@dataclass(frozen=True, slots=True)
class NarrowCode:
    """Twice the distance from the middle, of whole numbers that lie within 32 bits of each other."""

    dtype: np.dtype[Any]
    middle: int
    bits: ClassVar[type] = np.int32

    def encode(self, scores: NDArray[Any], keys: Keys) -> None:
        """Write the keys of some scores; sums wrap around, so that their type does not matter."""
        np.subtract(scores.astype(np.int64, copy=False), self._middle, out=keys, casting="unsafe")
        keys <<= 1

    def decode(self, keys: Keys, scores: NDArray[Any]) -> None:
        """Write the scores of some keys."""
        np.add(keys >> 1, self._middle, out=scores, casting="unsafe", dtype=np.int64)

    @property
    def _middle(self) -> np.int64:
        return np.uint64(self.middle % 2**64).astype(np.int64)


@dataclass(frozen=True, slots=True)
class ListCode:
    """Twice the number of a value in a sorted list."""

    vocabulary: NDArray[Any]
    bits: ClassVar[type] = np.int64

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of decoded scores."""
        return self.vocabulary.dtype

    def encode(self, scores: NDArray[Any], keys: Keys) -> None:
        """Write the keys of some scores, which are numbers already."""
        np.left_shift(scores, 1, out=keys)

    def decode(self, keys: Keys, scores: NDArray[Any]) -> None:
        """Write the scores of some keys."""
        scores[:] = self.vocabulary[keys >> 1]


@dataclass(frozen=True, slots=True)
class FloatCode:
    """Twice the bits of a float below 1, read as a whole number; below zero all bits but the sign are turned over.

    Scores are first scaled to below 1 by a power of two, which leaves a bit free; the infinities become 1 and -1.
    Whole numbers are partitioned in half the time that floats take.
    """

    exponent: int
    bounded: bool
    signed: bool
    floats: type
    bits: type
    dtype: ClassVar[np.dtype[Any]] = np.dtype(np.float64)

    def encode(self, scores: NDArray[Any], keys: Keys) -> None:
        """Write the keys of some scores; raises FloatingPointError where scaling would lose digits to underflow."""
        if self.exponent:
            scores = scores * scores.dtype.type(0.5**self.exponent)
        if not self.bounded:
            scores = scores.clip(-1, 1)
        if not self.signed:
            np.left_shift(scores.view(self.bits), 1, out=keys)
            return
        bits: Any = (scores + 0).view(self.bits)  # -0.0 becomes 0.0, which equals it
        self._turn(bits, keys)
        keys <<= 1

    def decode(self, keys: Keys, scores: NDArray[np.float64]) -> None:
        """Write the scores of some keys, as doubles."""
        bits = keys >> 1
        if self.signed:
            self._turn(bits.copy(), bits)
        np.multiply(bits.view(self.floats), 2.0**self.exponent, out=scores, dtype=np.float64)
        if not self.bounded:
            scores[scores == 2.0**self.exponent] = np.inf
            scores[scores == -(2.0**self.exponent)] = -np.inf

    def _turn(self, bits: Keys, out: Keys) -> None:
        """Turn over what follows the sign, where that is set; done twice it leaves the bits as they were."""
        np.right_shift(bits, 8 * bits.itemsize - 1, out=out)
        out &= np.iinfo(self.bits).max
        out ^= bits


def _float_code(scores: NDArray[Any]) -> FloatCode | None:
    parts = [scores[block] for block in _blocks(scores.size, LARGE_BLOCK)]
    ends = [(float(part.min()), float(part.max())) for part in parts]
    lowest = min(low for low, _ in ends)
    largest = max(-lowest, *(high for _, high in ends))
    bounded = largest < math.inf
    if not bounded:
        largest = float(np.abs(scores, where=np.isfinite(scores), out=np.zeros_like(scores)).max())
    exponent = max(math.frexp(largest)[1], 0)
    signed = lowest < 0 or (lowest == 0 and bool(np.signbit(scores).any()))
    double = scores.dtype.itemsize == 8
    if exponent >= (1023 if double else 127):
        return None
    return FloatCode(exponent, bounded, signed, *((np.float64, np.int64) if double else (np.float32, np.int32)))


def _blocks(size: int, length: int = BLOCK) -> Iterator[slice]:
    return (slice(start, min(start + length, size)) for start in range(0, size, length))


def pack(scores: NDArray[Any], positive: NDArray[np.bool_], code: KeyCode, out: Keys | None = None) -> Keys:
    """Keys with the label in the lowest bit; sorted, the negatives of tied rows come first."""
    packed = np.empty(scores.size, dtype=code.bits) if out is None else out

    def pack_blocks(blocks: list[slice]) -> None:
        with np.errstate(under="raise"):
            for block in blocks:
                keys = packed[block]
                code.encode(scores[block], keys)
                keys |= positive[block].view(np.uint8)

    blocks = list(_blocks(scores.size, LARGE_BLOCK))
    half = len(blocks) // 2
    for_each(pack_blocks, [blocks[:half], blocks[half:]], n_rows=scores.size)
    return packed


def sort_keys(keys: Keys) -> None:
    """Sort keys in place; of many, the lower and the upper half at the same time."""
    if keys.size < MANY_KEYS or workers(-1) < 2:
        keys.sort()
        return
    half = keys.size // 2
    keys.partition(half)  # costs a tenth of the sort
    halves: list[NDArray[Any]] = [keys[:half], keys[half:]]
    for_each(np.ndarray.sort, halves, n_rows=keys.size)


def labels_of(packed: Keys, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
    """Which of the keys belong to positives."""
    positive = np.empty(packed.size, dtype=bool) if out is None else out
    for block in _blocks(packed.size):
        np.bitwise_and(packed[block], 1, out=positive[block].view(np.uint8), casting="unsafe")
    return positive


def scores_of(packed: Keys, code: KeyCode) -> NDArray[Any]:
    """Scores of the keys, which they replace where they are of the same width."""
    in_place = code.dtype.itemsize == packed.itemsize and code.dtype.kind != "O"
    scores = packed.view(code.dtype) if in_place else np.empty(packed.size, dtype=code.dtype)
    for block in _blocks(packed.size):
        code.decode(packed[block], scores[block])
    return scores


def beyond_float(scores: NDArray[Any]) -> bool:
    """Whether 64-bit whole numbers reach beyond what a float holds exactly."""
    return bool(scores.dtype.itemsize == 8) and (int(scores.max()) > 2**53 or int(scores.min()) < -(2**53))
