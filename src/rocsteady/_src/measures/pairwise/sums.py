"""What a sum of losses over all pairs gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Side = tuple[Array, Array]

EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True)
class PairSums:
    """Sums over all pairs of w_i w_j L(p_i - n_j) and of its derivatives.

    Attributes
    ----------
    total : float
        The sum of the losses.
    error : float
        A bound of its absolute error.
    method : str
        The way it went.
    at_pos, at_neg : ndarray
        For each positive the sum over the negatives of w_j L'(p_i - n_j); for each negative the sum over the
        positives of w_i L'(p_i - n_j).
    bends : tuple of ndarray or None
        The same two with the second derivative.
    """

    total: float
    error: float
    method: str
    at_pos: Array
    at_neg: Array
    bends: tuple[Array, Array] | None = None


def farthest_apart(p: Array, n: Array) -> float:
    """Largest distance between two points."""
    return float(max(p.max(), n.max()) - min(p.min(), n.min()))
