"""Difference functions f(d), d = positive - negative, that declare what the fast engine may use."""

from __future__ import annotations

import math
from collections.abc import Callable  # noqa: TC003 - the dataclass field is read at run time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

MOST_SAMPLES = 2.0**19


@dataclass(frozen=True, slots=True)
class Step:
    """1, 1/2 and 0 for d above, at and below 0: the kernel of AUC."""

    def __call__(self, d: Array) -> Array:
        """Values at some differences."""
        return np.heaviside(d, 0.5)


@dataclass(frozen=True, slots=True)
class Ramp:
    """max(d - shift, 0), for shift >= 0."""

    shift: float = 0.0

    def __call__(self, d: Array) -> Array:
        """Values at some differences."""
        return np.maximum(d - self.shift, 0.0)


@dataclass(frozen=True, slots=True)
class Power:
    """d**q for d > 0, else 0."""

    q: float

    def __call__(self, d: Array) -> Array:
        """Values at some differences."""
        return np.where(d > 0, np.maximum(d, 0.0) ** self.q, 0.0)


@dataclass(frozen=True, slots=True)
class SmoothKernel:
    """A smooth function of d that is flat far away.

    Attributes
    ----------
    function : callable
        Vectorised f(d).
    width : float
        Length over which f changes: f must be analytic within 3 widths of the real axis, as
        1/(1 + exp(-d/width)) is. Smaller is always safe, and slower.
    reach : float
        Beyond this distance f equals its limits.
    left, right : float
        The limits of f far below and far above 0.
    left_slope, right_slope : float
        For f that tends to a line instead: f equals left + left_slope d far below 0, right + right_slope d far above.

    Examples
    --------
    The share of pairs that are won by more than about 0.1, counted softly, in time linear in the rows:

    >>> import numpy as np
    >>> import rocsteady as rs
    >>> def clearly(d):
    ...     return 1 / (1 + np.exp(-(d - 0.1) / 0.02))
    >>> clear = rs.measures.SmoothKernel(clearly, width=0.02, reach=1.0, right=1.0)
    >>> round(float(rs.pairwise_mean(clear, [1, 1, 0, 0], [0.9, 0.6, 0.55, 0.1])), 3)
    0.769
    """

    function: Callable[[Any], Any]
    width: float
    reach: float
    left: float = 0.0
    right: float = 0.0
    left_slope: float = 0.0
    right_slope: float = 0.0

    def __call__(self, d: Array) -> Array:
        """Values at some differences."""
        return np.asarray(self.function(d), dtype=np.float64)

    @property
    def leans(self) -> bool:
        """Whether f tends to a line that is not level, on either side."""
        return bool(self.left_slope or self.right_slope)

    def mirrored(self) -> SmoothKernel:
        """f(-d), for sums seen from the other class."""
        ends = self.right, self.left, -self.right_slope, -self.left_slope
        return SmoothKernel(lambda d: self.function(-d), self.width, self.reach, *ends)

    def peak(self, farthest: float) -> float:
        """About the largest absolute value for differences up to some size, from samples half a width apart."""
        reach = min(self.reach, farthest)
        steps = math.ceil(min(2 * reach / self.width, MOST_SAMPLES))
        samples = self(np.linspace(-reach, reach, 2 * steps + 1))
        ends = self.left - self.left_slope * farthest, self.right + self.right_slope * farthest
        return float(max(np.abs(samples).max(), *np.abs(ends)))


@dataclass(frozen=True, slots=True)
class Logistic:
    """1 / (1 + exp(-beta d)), with its derivative; both without overflow or cancellation."""

    beta: float

    def __call__(self, d: Array) -> Array:
        """Values at some differences."""
        shrunk = np.exp(-np.abs(self.beta * d))
        return np.asarray(np.where(d >= 0, 1.0, shrunk) / (1 + shrunk))

    def smooth(self, decay: float) -> SmoothKernel:
        """As a smooth kernel whose tails are cut where they have fallen by exp(-decay)."""
        return SmoothKernel(self, 1 / self.beta, decay / self.beta, left=0.0, right=1.0)

    def slope(self) -> SmoothKernel:
        """The derivative beta f (1 - f)."""
        return SmoothKernel(self.derivative, 1 / self.beta, 45 / self.beta)

    def derivative(self, d: Array) -> Array:
        """Values of the derivative at some differences."""
        shrunk = np.exp(-np.abs(self.beta * d))
        return np.asarray(self.beta * shrunk / (1 + shrunk) ** 2)
