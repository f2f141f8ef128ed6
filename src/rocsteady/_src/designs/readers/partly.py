"""Means of readers in any design: their variance for other readers and cases, for these readers, for these cases.

Readers count alike, whoever judged which cases. Variances are unbiased where the covariances of the values are (Gallas
2006; Gallas and Brown 2008): none is cut at 0, so that an estimate may be negative, which has no standard error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.designs.readers.anova import FIXED_CASES, FIXED_READERS, Spread

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Partly:
    """Values by modality and reader, NaN where there is none, and covariances by modality, reader, modality, reader."""

    values: Array
    covariance: Array

    @property
    def n_modalities(self) -> int:
        """How many there are."""
        return len(self.values)

    def readers_of(self, modality: int) -> NDArray[np.int64]:
        """Who has a value under a modality."""
        return np.flatnonzero(np.isfinite(self.values[modality]))

    def mean(self, modality: int) -> float:
        """Mean over the readers who have a value."""
        held = self.values[modality, self.readers_of(modality)]
        return math.fsum(held) / held.size if held.size else math.nan

    def of_difference(self, first: int, second: int, population: str) -> Spread:
        """How the difference of two means varies."""
        one, two, both = (
            self._parts(*pair, population) for pair in ((first, first), (second, second), (first, second))
        )
        variance = one[0] + two[0] - 2 * both[0]
        if population == FIXED_READERS:
            return Spread(variance, None)
        readers = [self.readers_of(each) for each in (first, second)]
        if np.array_equal(readers[0], readers[1]):
            between = [(one[1] + two[1] - 2 * both[1], readers[0].size)]
        else:
            between = [(one[1], readers[0].size), (two[1], readers[1].size)]
        return Spread(variance, _freedom(variance, between))

    def of_mean(self, modality: int, population: str) -> Spread:
        """How the mean of a modality varies."""
        variance, between = self._parts(modality, modality, population)
        if population == FIXED_READERS:
            return Spread(variance, None)
        return Spread(variance, _freedom(variance, [(between, self.readers_of(modality).size)]))

    def of_means(self, population: str) -> Array:
        """The covariance matrix of all means."""
        t = range(self.n_modalities)
        return np.array([[self._parts(i, k, population)[0] for k in t] for i in t])

    def _parts(self, first: int, second: int, population: str) -> tuple[float, float]:
        """Covariance of two means, and the part of it that comes from readers who differ."""
        one, two = self.readers_of(first), self.readers_of(second)
        pairs = one.size * two.size
        covered = self.covariance[first][:, second][np.ix_(one, two)]
        if population == FIXED_READERS:
            return (float(covered.sum()) / pairs if pairs else math.nan), 0.0
        same = one[:, None] == two
        both = np.intersect1d(one, two)
        apart = float(covered[~same].sum())
        between, of_same = self._between(first, second, both), self._of_pairs(first, second, both)
        if population == FIXED_CASES:
            return both.size * between / pairs, both.size * between / pairs
        return (both.size * (between + of_same) + apart) / pairs, both.size * between / pairs

    def _between(self, first: int, second: int, both: NDArray[np.int64]) -> float:
        """Covariance over the readers of both; 0 where there is none, NaN of one reader."""
        if not both.size:
            return 0.0
        if both.size < 2:
            return math.nan
        one, two = (self.values[each, both] - self.values[each, both].mean() for each in (first, second))
        return math.fsum(one * two) / (both.size - 1)

    def _of_pairs(self, first: int, second: int, both: NDArray[np.int64]) -> float:
        """Mean covariance of two readers of those who have both, which their covariance over readers lacks."""
        if both.size < 2:
            return 0.0
        held = self.covariance[first][:, second][np.ix_(both, both)]
        return float(held[~np.eye(both.size, dtype=bool)].mean())


def _freedom(variance: float, between: list[tuple[float, int]]) -> float | None:
    """Degrees of freedom, of the part of the readers alone (Hillis 2007); of two sets of readers by Satterthwaite."""
    part = math.fsum(value for value, _ in between)
    if not part > 0 or math.isnan(variance):
        return None
    squares = math.fsum(value**2 / (n - 1) for value, n in between)
    return max(variance / part, 1.0) ** 2 * part**2 / squares
