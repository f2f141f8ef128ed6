"""Which scores reach a threshold, compared exactly: a whole number beyond 2^53 or a decimal is no double."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

EXACT, EXTENDED = 2**53, 2**63  # whole numbers up to here are doubles, or numbers of more bits
DOUBLE = 8


def first_reached(scores: NDArray[Any], threshold: Any) -> Any:
    """Place of the lowest of ascending ``scores`` that reaches the threshold, or of each of an array of them.

    Examples
    --------
    >>> int(first_reached(np.array([5, 2**53]), 2**53 + 1)), int(first_reached(np.array([5.0, 2.0**53]), 2**53))
    (2, 1)
    """
    if np.ndim(threshold) == 0:
        return scores.searchsorted(threshold) if _alike(scores, np.asarray(threshold)) else _place(scores, threshold)
    sought = np.asarray(threshold)
    if _alike(scores, sought):
        return scores.searchsorted(sought)
    return np.array([_place(scores, each) for each in sought.ravel()], dtype=np.intp).reshape(sought.shape)


def _alike(scores: NDArray[Any], sought: NDArray[Any]) -> bool:
    """Whether NumPy compares them without rounding either."""
    if scores.dtype.kind == "f":
        whole = sought.dtype.kind in "iub" and bool(np.all((sought <= EXACT) & (sought >= -EXACT)))
        return sought.dtype.kind == "f" or whole
    return scores.dtype.kind in "iu" and sought.dtype == scores.dtype


def _place(scores: NDArray[Any], threshold: Any) -> int:
    value = threshold.item() if isinstance(threshold, np.generic | np.ndarray) else threshold
    if scores.dtype.kind == "O":
        return int(scores.searchsorted(np.asarray(value, dtype=object)))
    if isinstance(value, float) and math.isinf(value):
        return int(scores.searchsorted(value)) if scores.dtype.kind == "f" else (scores.size if value > 0 else 0)
    if scores.dtype.kind in "iu":
        least, limits = math.ceil(value), np.iinfo(scores.dtype)
        if least > limits.max:
            return int(scores.size)
        return 0 if least < limits.min else int(scores.searchsorted(scores.dtype.type(least)))
    if scores.dtype.itemsize > DOUBLE and isinstance(value, int) and abs(value) < EXTENDED:
        return int(scores.searchsorted(np.longdouble(value)))
    return int(scores.searchsorted(_least_double(value)))


def _least_double(value: Any) -> float:
    """The smallest double that is not below a number of any type."""
    try:
        near = float(value)
    except OverflowError:
        return math.inf if value > 0 else -sys.float_info.max
    if math.isinf(near):
        return near if near > 0 else -sys.float_info.max
    return near if Fraction(near) >= Fraction(value) else math.nextafter(near, math.inf)
