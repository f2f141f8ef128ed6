"""Analysis of variance of readers' AUCs whose errors are correlated (Obuchowski and Rockette 1995; Hillis 2007)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Lines = Sequence[Sequence[Fraction]]

RANDOM, FIXED_READERS, FIXED_CASES = "random", "fixed_readers", "fixed_cases"


@dataclass(frozen=True, slots=True)
class Spread:
    """A variance of means over readers, and its degrees of freedom; None where it is taken as known.

    That is so for fixed readers, and where all readers find the same difference, so that cases alone vary.
    """

    variance: float
    df: float | None

    @property
    def se(self) -> float:
        """Standard error; NaN where an unbiased estimate of the variance fell below 0."""
        return math.sqrt(self.variance) if self.variance >= 0 else math.nan


@dataclass(frozen=True, eq=False)
class Anova:
    """Areas as exact fractions, a line per modality, and their covariance by modality, reader, modality, reader.

    What is computed of both is kept: every population asks for it again.
    """

    areas: Lines
    covariance: Array

    @classmethod
    def of(cls, areas: Sequence[Fraction], covariance: Array, n_modalities: int) -> Anova:
        """Areas with a column of the covariance each, modality by modality."""
        n = len(areas) // n_modalities
        lines = [areas[start : start + n] for start in range(0, len(areas), n)]
        return cls(lines, covariance.reshape(n_modalities, n, n_modalities, n))

    @property
    def n_modalities(self) -> int:
        """How many there are."""
        return len(self.areas)

    @property
    def n_readers(self) -> int:
        """How many there are."""
        return len(self.areas[0])

    def mean(self, modality: int) -> Fraction:
        """Mean area of the readers."""
        return sum(self.areas[modality], Fraction(0)) / self.n_readers

    @cached_property
    def mean_squares(self) -> dict[str, float]:
        """Of modalities, of readers, and of both together; exact until the last step."""
        t, r = self.n_modalities, self.n_readers
        by_modality = [self.mean(each) for each in range(t)]
        by_reader = [sum(column, Fraction(0)) / t for column in zip(*self.areas, strict=True)]
        grand = sum(by_modality, Fraction(0)) / t
        left = [self.areas[i][j] - by_modality[i] - by_reader[j] + grand for i in range(t) for j in range(r)]
        return {
            "modality": float(r * _squares(by_modality, grand) / (t - 1)),
            "reader": float(t * _squares(by_reader, grand) / (r - 1)),
            "interaction": float(_squares(left, Fraction(0)) / ((t - 1) * (r - 1))),
        }

    @cached_property
    def components(self) -> dict[str, float]:
        """Variance of an area's error, and covariances: same reader, same modality, neither; of readers, and both.

        The last two are estimates that may fall below 0.
        """
        t, r = range(self.n_modalities), range(self.n_readers)
        c, squares = self.covariance, self.mean_squares
        error = _mean(c[i, j, i, j] for i in t for j in r)
        cov1 = _mean(c[i, j, k, j] for i, k in combinations(t, 2) for j in r)
        cov2 = _mean(c[i, j, i, m] for i in t for j, m in combinations(r, 2))
        cov3 = _mean(c[i, j, k, m] for i in t for k in t if i != k for j, m in combinations(r, 2))
        return {
            "reader": (squares["reader"] - squares["interaction"]) / self.n_modalities - cov1 + cov3,
            "interaction": squares["interaction"] - error + cov1 + (cov2 - cov3),
            "error": error,
            "cov1": cov1,
            "cov2": cov2,
            "cov3": cov3,
        }

    def of_difference(self, population: str) -> Spread:
        """How the difference of two modalities varies, over readers: twice the error term by the readers."""
        known, squares = self.components, self.mean_squares
        together = float(np.maximum(known["cov2"] - known["cov3"], 0.0))  # keeps NaN
        per_reader = known["error"] - known["cov1"] + (self.n_readers - 1) * together
        free = (self.n_modalities - 1) * (self.n_readers - 1)
        return _spread(population, squares["interaction"], free, together, per_reader, (2, self.n_readers))

    def of_mean(self, modality: int, population: str) -> Spread:
        """How the mean of a modality varies over readers, from its own areas alone."""
        r = range(self.n_readers)
        c = self.covariance[modality, :, modality, :]
        error = _mean(c[j, j] for j in r)
        together = float(np.maximum(_mean(c[j, m] for j, m in combinations(r, 2)), 0.0))
        per_reader = error + (self.n_readers - 1) * together
        square = float(_squares(self.areas[modality], self.mean(modality)) / (self.n_readers - 1))
        return _spread(population, square, self.n_readers - 1, together, per_reader, (1, self.n_readers))


def _spread(
    population: str, square: float, free: int, together: float, per_reader: float, share: tuple[int, int]
) -> Spread:
    """The error term of a population, with Hillis' degrees of freedom where readers and cases are drawn.

    ``square`` is the mean square over readers with ``free`` degrees of freedom, ``together`` what readers share.
    """
    times, n_readers = share
    if population == FIXED_READERS:
        return Spread(times / n_readers * per_reader, None)
    if population == FIXED_CASES:
        return Spread(times / n_readers * square, free)
    term = square + n_readers * together
    return Spread(times / n_readers * term, free * (term / square) ** 2 if square > 0 else None)


def _squares(values: Any, middle: Fraction) -> Fraction:
    return sum(((value - middle) ** 2 for value in values), Fraction(0))


def _mean(values: Any) -> float:
    held = list(values)
    return math.fsum(held) / len(held)
