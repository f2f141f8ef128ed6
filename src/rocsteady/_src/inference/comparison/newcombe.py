"""Newcombe's intervals of two AUCs joined into one of their difference, and the test that it holds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.inference.intervals.formulas import newcombe_ends
from rocsteady._src.inference.intervals.normal import quantile_of

if TYPE_CHECKING:
    from collections.abc import Callable

STEPS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 38.0)  # beyond 38 a normal tail is 0 in doubles


@dataclass(frozen=True, slots=True)
class JoinedDifference:
    """First minus second AUC, each with its own interval (Newcombe 1998; Zou and Donner 2008).

    low = d - sqrt(A^2 + B^2 - 2 r A B), A from the first AUC down to its lower end, B from the second up to its upper
    end, r the correlation of both; high likewise. Unlike d - z se it is skewed where an AUC is close to 1.

    Examples
    --------
    >>> both = JoinedDifference(areas=(1.0, 0.9), sizes=((20, 20), (20, 20)), correlation=0.0, se=0.05)
    >>> [round(end, 4) for end in both.ends(0.95)]
    [-0.0188, 0.2535]
    """

    areas: tuple[float, float]
    sizes: tuple[tuple[Any, Any], tuple[Any, Any]]
    correlation: float
    se: float
    df: None = None

    @property
    def estimate(self) -> float:
        """First minus second."""
        return self.areas[0] - self.areas[1]

    def ends(self, level: float) -> tuple[float, float]:
        """Give the interval of the difference."""
        return self._ends(quantile_of(level))

    def statistic(self, null: float) -> float:
        """Give the z at which the interval just reaches ``null``, negative when the estimate is below it."""
        above = self.estimate - null
        if above == 0:
            return 0.0
        side = 0 if above > 0 else 1
        return math.copysign(_first_zero(lambda z: abs(above) - abs(self._ends(z)[side] - self.estimate)), above)

    def _ends(self, z: float) -> tuple[float, float]:
        first, second = self.areas
        (low1, high1), (low2, high2) = (
            newcombe_ends(area, *size, z) for area, size in zip(self.areas, self.sizes, strict=True)
        )
        down = self._reach(first - low1, high2 - second)
        up = self._reach(high1 - first, second - low2)
        return self.estimate - down, self.estimate + up

    def _reach(self, one: float, two: float) -> float:
        return math.sqrt(max(one**2 + two**2 - 2 * self.correlation * one * two, 0.0))


def _first_zero(falls: Callable[[float], float]) -> float:
    """Where a function that is positive at 0 first reaches 0; infinite if it never does."""
    from scipy.optimize import brentq

    start = 0.0
    for stop in STEPS:
        if falls(stop) <= 0:
            return float(brentq(falls, start, stop, xtol=1e-13))
        start = stop
    return math.inf
