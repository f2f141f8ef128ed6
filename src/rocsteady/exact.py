"""Sums that do not lose digits: integer dot products beyond 64 bits, compensated prefix sums."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

INT64_ROOM = 2**63
LIMB_BITS = 21


def exact_dot(first: NDArray[Any], second: NDArray[Any]) -> Any:
    """Sum of products: a Python int without overflow for int64 counts, float64 for weights.

    The counts must be non-negative. Beyond 63 bits the second factor is cut into three limbs of 21 bits.

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
