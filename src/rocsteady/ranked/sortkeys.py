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

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Keys = NDArray[np.int64]

ROOM = 2**62
SIGN = np.int64(-(2**63))
MAGNITUDE = np.int64(ROOM - 1)
BLOCK = 1 << 15


class KeyCode(Protocol):
    """A way from scores to 64-bit keys whose lowest bit is free, and back to scores of ``dtype``.

    Read as numbers of type ``key_dtype`` the keys compare like the scores, whatever the lowest bit holds.
    """

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of decoded scores."""
        ...

    @property
    def key_dtype(self) -> type:
        """Type as which keys are sorted."""
        ...

    def encode(self, scores: NDArray[Any], keys: Keys) -> None:
        """Write the keys of some scores."""
        ...

    def decode(self, keys: Keys, scores: NDArray[Any]) -> None:
        """Write the scores of some keys, perhaps over them."""
        ...


def key_code(scores: NDArray[Any]) -> tuple[NDArray[Any], KeyCode]:
    """Choose the code for these scores; return them in the type it takes.

    -0.0 and 0.0 get neighbouring keys and come back as floats that are equal. O(n); scores of unusual types are
    numbered one by one, O(n log n).
    """
    if scores.dtype.kind in "iu" and _fits(scores):
        return scores, WholeCode(scores.dtype)
    if scores.dtype.kind == "f" and scores.dtype.itemsize <= 8 and scores.size:
        floats = np.ascontiguousarray(scores, dtype=np.float64)
        code = _float_code(floats)
        if code is not None:
            return floats, code
    return list_code(scores)


def list_code(scores: NDArray[Any]) -> tuple[NDArray[Any], KeyCode]:
    """Number the distinct values: works for everything that can be ordered."""
    vocabulary, codes = np.unique(scores, return_inverse=True)
    return codes, ListCode(vocabulary)


def _fits(scores: NDArray[Any]) -> bool:
    return scores.dtype.itemsize < 8 or not scores.size or bool(scores.min() > -ROOM and scores.max() < ROOM)


@dataclass(frozen=True, slots=True)
class WholeCode:
    """Twice the whole number."""

    dtype: np.dtype[Any]
    key_dtype: ClassVar[type] = np.int64

    def encode(self, scores: NDArray[Any], keys: Keys) -> None:
        """Write the keys of some scores."""
        np.left_shift(scores.astype(np.int64, copy=False), 1, out=keys)

    def decode(self, keys: Keys, scores: NDArray[Any]) -> None:
        """Write the scores of some keys."""
        np.right_shift(keys, 1, out=scores, casting="unsafe")


@dataclass(frozen=True, slots=True)
class ListCode:
    """Twice the number of a value in a sorted list."""

    vocabulary: NDArray[Any]
    key_dtype: ClassVar[type] = np.int64

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
    """The bits of a float below 1: its magnitude moves up by one bit, its sign stays, and it still sorts as a float.

    Scores are first scaled to below 1 by a power of two; the infinities become 1 and -1.
    """

    exponent: int
    bounded: bool
    signed: bool
    dtype: ClassVar[np.dtype[Any]] = np.dtype(np.float64)
    key_dtype: ClassVar[type] = np.float64

    def encode(self, scores: NDArray[np.float64], keys: Keys) -> None:
        """Write the keys of some scores; raises FloatingPointError where scaling would lose digits to underflow."""
        if self.exponent:
            scores = scores * 0.5**self.exponent
        if not self.bounded:
            scores = scores.clip(-1, 1)
        bits = scores.view(np.int64)
        np.left_shift(bits, 1, out=keys)
        if self.signed:
            keys |= bits & SIGN

    def decode(self, keys: Keys, scores: NDArray[np.float64]) -> None:
        """Write the scores of some keys."""
        bits = keys >> 1
        if self.signed:
            bits &= MAGNITUDE
            bits |= keys & SIGN
        np.multiply(bits.view(np.float64), 2.0**self.exponent, out=scores)
        if not self.bounded:
            scores[scores == 2.0**self.exponent] = np.inf
            scores[scores == -(2.0**self.exponent)] = -np.inf


def _float_code(scores: NDArray[np.float64]) -> FloatCode | None:
    lowest = float(scores.min())
    largest = max(-lowest, float(scores.max()))
    bounded = largest < math.inf
    if not bounded:
        largest = float(np.abs(scores, where=np.isfinite(scores), out=np.zeros_like(scores)).max())
    exponent = max(math.frexp(largest)[1], 0)
    signed = lowest < 0 or (lowest == 0 and bool(np.signbit(scores).any()))
    return FloatCode(exponent, bounded, signed) if exponent < 1023 else None


def _blocks(size: int) -> Iterator[slice]:
    return (slice(start, min(start + BLOCK, size)) for start in range(0, size, BLOCK))


def pack(scores: NDArray[Any], positive: NDArray[np.bool_], code: KeyCode) -> Keys:
    """Keys with the label in the lowest bit."""
    packed = np.empty(scores.size, dtype=np.int64)
    with np.errstate(under="raise"):
        for block in _blocks(scores.size):
            keys = packed[block]
            code.encode(scores[block], keys)
            keys |= positive[block].view(np.uint8)
    return packed


def unpack(packed: Keys, code: KeyCode) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Scores, and whether they are positive; scores replace keys of the same width."""
    positive = np.empty(packed.size, dtype=bool)
    in_place = code.dtype.itemsize == 8 and code.dtype.kind != "O"
    scores = packed.view(code.dtype) if in_place else np.empty(packed.size, dtype=code.dtype)
    for block in _blocks(packed.size):
        np.bitwise_and(packed[block], 1, out=positive[block].view(np.uint8), casting="unsafe")
        code.decode(packed[block], scores[block])
    return scores, positive


def beyond_float(scores: NDArray[Any]) -> bool:
    """Whether 64-bit whole numbers reach beyond what a float holds exactly."""
    return bool(scores.dtype.itemsize == 8) and (int(scores.max()) > 2**53 or int(scores.min()) < -(2**53))
