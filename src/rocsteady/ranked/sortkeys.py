"""Scores as integers of the same order, with one bit to spare for the label.

NumPy sorts plain integers several times faster than it can sort indices. With the label packed into the lowest
bit of the key, one such sort ranks scores and carries the labels along. Arrays are passed over in blocks that
stay in the processor's cache: fresh memory costs more than the arithmetic.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Keys = NDArray[np.int64]

ROOM = 2**62
MAGNITUDE = np.int64(2**63 - 1)
INFINITE = np.int64(ROOM - 1)
BLOCK = 1 << 15
FLOAT64: np.dtype[Any] = np.dtype(np.float64)


class KeyCode(Protocol):
    """A way from scores to keys in (-2**62, 2**62) that compare like them, and back to scores of ``dtype``."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of decoded scores."""
        ...

    def encode(self, scores: NDArray[Any]) -> Keys:
        """Keys of some scores."""
        ...

    def decode(self, keys: Keys) -> NDArray[Any]:
        """Scores of some keys."""
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
    """Whole numbers are their own keys."""

    dtype: np.dtype[Any]

    def encode(self, scores: NDArray[Any]) -> Keys:
        """Keys of some scores."""
        return scores.astype(np.int64)

    def decode(self, keys: Keys) -> NDArray[Any]:
        """Scores of some keys."""
        return keys.astype(self.dtype)


@dataclass(frozen=True, slots=True)
class ListCode:
    """Numbers of the values in a sorted list."""

    vocabulary: NDArray[Any]

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of decoded scores."""
        return self.vocabulary.dtype

    def encode(self, scores: NDArray[Any]) -> Keys:
        """Keys of some scores, which are numbers already."""
        return scores.astype(np.int64)

    def decode(self, keys: Keys) -> NDArray[Any]:
        """Scores of some keys."""
        return self.vocabulary[keys]


@dataclass(frozen=True, slots=True)
class FloatCode:
    """The bits of a float: scaled by a power of two to below 1, which leaves room; negative ones turned round."""

    exponent: int
    bounded: bool
    signed: bool
    dtype: np.dtype[Any] = FLOAT64

    def encode(self, scores: NDArray[np.float64]) -> Keys:
        """Keys of some scores; raises FloatingPointError where scaling would lose digits to underflow."""
        with np.errstate(under="raise"):
            scaled = scores * 0.5**self.exponent if self.exponent else scores
        keys = _turn_negative(scaled.view(np.int64)) if self.signed else scaled.view(np.int64)
        return keys if self.bounded else keys.clip(-INFINITE, INFINITE)

    def decode(self, keys: Keys) -> NDArray[np.float64]:
        """Scores of some keys."""
        floats = (_turn_negative(keys) if self.signed else keys).view(np.float64)
        if self.exponent:
            floats = floats * 2.0**self.exponent
        if not self.bounded:
            floats = floats.copy()
            floats[keys == INFINITE] = np.inf
            floats[keys == -INFINITE] = -np.inf
        return floats


def _float_code(scores: NDArray[np.float64]) -> FloatCode | None:
    lowest = float(scores.min())
    largest = max(-lowest, float(scores.max()))
    bounded = largest < math.inf
    if not bounded:
        largest = float(np.abs(scores, where=np.isfinite(scores), out=np.zeros_like(scores)).max())
    exponent = max(math.frexp(largest)[1], 0)
    signed = lowest < 0 or (lowest == 0 and bool(np.signbit(scores).any()))
    return FloatCode(exponent, bounded, signed) if exponent < 1023 else None


def _turn_negative(keys: Keys) -> Keys:
    """Bits of negative floats count up with their magnitude; turn them round. Its own inverse."""
    turned = keys >> 63
    turned &= MAGNITUDE
    turned ^= keys
    return turned


def _blocks(size: int) -> Iterator[slice]:
    return (slice(start, min(start + BLOCK, size)) for start in range(0, size, BLOCK))


def pack(scores: NDArray[Any], positive: NDArray[np.bool_], code: KeyCode) -> Keys:
    """Keys with the label in the lowest bit."""
    packed = np.empty(scores.size, dtype=np.int64)
    for block in _blocks(scores.size):
        keys = np.left_shift(code.encode(scores[block]), 1, out=packed[block])
        keys |= positive[block].view(np.uint8)
    return packed


def unpack(packed: Keys, code: KeyCode) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64]]:
    """Scores, and 1 where they are positive, and where they are negative; scores replace keys of the same width."""
    pos, neg = np.empty(packed.size, dtype=np.int64), np.empty(packed.size, dtype=np.int64)
    in_place = code.dtype.itemsize == 8 and code.dtype.kind != "O"
    scores = packed.view(code.dtype) if in_place else np.empty(packed.size, dtype=code.dtype)
    for block in _blocks(packed.size):
        labels = np.bitwise_and(packed[block], 1, out=pos[block])
        np.subtract(1, labels, out=neg[block])
        scores[block] = code.decode(packed[block] >> 1)
    return scores, pos, neg


def beyond_float(scores: NDArray[Any]) -> bool:
    """Whether 64-bit whole numbers reach beyond what a float holds exactly."""
    return bool(scores.dtype.itemsize == 8) and (int(scores.max()) > 2**53 or int(scores.min()) < -(2**53))
