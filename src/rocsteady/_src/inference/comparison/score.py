"""A difference of AUCs tested with its variance under the hypothesis, as Wilson's interval of a share is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inference.intervals.formulas import largest_variance, newcombe_variance
from rocsteady._src.inference.intervals.normal import quantile_of

if TYPE_CHECKING:
    from collections.abc import Callable

STEPS, HALVINGS = 64, 40
UNSURE = 4  # rows in a class: below it their correlation is mostly chance


@dataclass(frozen=True, slots=True)
class ScoreDifference:
    """First minus second AUC; its standard error depends on the difference that is tested.

    With both AUCs moved apart to differ by ``null``, their mean kept, let W be the variance of the difference that
    Newcombe's formula and the ``correlation`` give there, and W' the same at the AUCs as they are. DeLong's variance
    ``se``^2 times W / W' is right about this sample and unsure with few rows; the larger of W and ``se``^2 is safe.
    The variance under the hypothesis is their geometric mean, and z is compared with Student's t of ``df``. ``unlike``
    puts the largest variances that such AUCs can have in place of W in what is safe: the smaller class then spreads so
    much more than the other that each of its rows is wholly right or wholly wrong.

    Examples
    --------
    >>> both = ScoreDifference((1.0, 0.9), ((20, 20), (20, 20)), correlation=0.3, se=0.05, df=20.0)
    >>> [round(end, 4) for end in both.ends(0.95)]
    [0.0032, 0.2636]
    """

    areas: tuple[float, float]
    sizes: tuple[tuple[Any, Any], tuple[Any, Any]]
    correlation: float
    se: float
    df: float
    unlike: bool = False

    @property
    def estimate(self) -> float:
        """First minus second."""
        return self.areas[0] - self.areas[1]

    def statistic(self, null: float) -> float:
        """Give the distance from ``null`` in standard errors under it."""
        above, spread = self.estimate - null, math.sqrt(self._variance(null))
        if above == 0:
            return 0.0
        return above / spread if spread > 0 else math.copysign(math.inf, above)

    def ends(self, level: float) -> tuple[float, float]:
        """Give the differences next to the estimate that a test at this level just rejects."""
        reach = quantile_of(level, df=self.df)
        return self._end(reach, -1.0), self._end(reach, 1.0)

    def _end(self, reach: float, last: float) -> float:
        from scipy.optimize import brentq

        def beyond(null: float) -> float:
            return abs(self.estimate - null) - reach * math.sqrt(self._variance(null))

        here = self._inside(beyond, last)
        for there in np.linspace(self.estimate, last, STEPS)[1:].tolist():
            if abs(there - self.estimate) <= abs(here - self.estimate):
                continue
            if beyond(there) >= 0:
                return float(brentq(beyond, here, there, xtol=1e-13)) if beyond(here) < 0 else here
            here = there
        return last

    def _inside(self, beyond: Callable[[float], float], last: float) -> float:
        """A difference that is not rejected, from which to look for one that is.

        It is the estimate; where that has no variance, as of two AUCs of 1, one beside it, if there is any.
        """
        if beyond(self.estimate) < 0:
            return self.estimate
        steps = (last - self.estimate) * 0.5 ** np.arange(1.0, HALVINGS)
        return next(
            (self.estimate + step for step in steps.tolist() if beyond(self.estimate + step) < 0), self.estimate
        )

    def _variance(self, null: float) -> float:
        half = abs(null) / 2
        middle = min(max(sum(self.areas) / 2, half), 1 - half)
        supposed = middle + null / 2, middle - null / 2
        there, here = self._modelled(supposed), self._modelled(self.areas)
        own = self.se**2
        moved = own * there / here if own > 0 and here > 0 else there
        safe = self._modelled(supposed, largest_variance) if self.unlike else there
        return math.sqrt(max(moved, min(own, safe)) * max(safe, own))

    def _modelled(
        self, areas: tuple[float, float], variance: Callable[[float, Any, Any], float] = newcombe_variance
    ) -> float:
        one, two = (
            max(variance(min(max(area, 0.0), 1.0), *size), 0.0) for area, size in zip(areas, self.sizes, strict=True)
        )
        fewest = min(min(size) for size in self.sizes)
        trusted = self.correlation * (1 - 1 / fewest) if fewest < UNSURE else self.correlation
        return max(one + two - 2 * trusted * math.sqrt(one * two), 0.0)
