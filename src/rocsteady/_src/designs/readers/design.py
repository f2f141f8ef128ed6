"""What an analysis asks of a reader study, whichever way it is analysed: means, differences, and how these vary."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

import numpy as np

from rocsteady._src.base.errors import InputError, some_values
from rocsteady._src.base.text import format_count
from rocsteady._src.designs.readers.anova import Anova, Spread
from rocsteady._src.designs.readers.covariances import WHOLE, covariance_of, jackknifed, unbiased_covariance
from rocsteady._src.designs.readers.partly import Partly
from rocsteady._src.inference.units.spread import areas_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.designs.readers.covariances import Covariance
    from rocsteady._src.designs.readers.crossed import Columns, Crossed, Ratings
    from rocsteady._src.ranked import RankedScores

    Array = NDArray[np.float64]
    Compute = Callable[[RankedScores], float]

OBUCHOWSKI_ROCKETTE, U_STATISTICS = "Obuchowski-Rockette", "U-statistics"


class Design(Protocol):
    """Modalities by number: their means over readers, and what is known of these."""

    @property
    def n_modalities(self) -> int:
        """How many there are."""
        ...

    def by_reader(self) -> list[list[float]]:
        """Values of each modality by reader, NaN where there is none."""
        ...

    def mean(self, modality: int) -> float:
        """Mean over readers."""
        ...

    def difference(self, first: int, second: int, population: str) -> tuple[float, Spread]:
        """First less second, and how it varies."""
        ...

    def of_mean(self, modality: int, population: str) -> Spread:
        """How a mean varies."""
        ...

    def alike(self, first: int, second: int) -> bool:
        """Whether no reader judged the cases otherwise under one of the two."""
        ...

    def squares(self, population: str) -> tuple[float, float | None]:
        """The squared distance of all means from being one, per degree of freedom, and those of its error."""
        ...

    def parts(self) -> tuple[dict[str, float], dict[str, float]]:
        """Mean squares and variance components, where the analysis has them."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class FullyCrossed:
    """Every reader judged every case under every modality: analysis of variance."""

    anova: Anova
    study: Crossed

    @property
    def n_modalities(self) -> int:
        """How many there are."""
        return self.anova.n_modalities

    def by_reader(self) -> list[list[float]]:
        """Values of each modality by reader."""
        return [[float(value) for value in line] for line in self.anova.areas]

    def mean(self, modality: int) -> float:
        """Mean over readers."""
        return float(self.anova.mean(modality))

    def difference(self, first: int, second: int, population: str) -> tuple[float, Spread]:
        """First less second, and how it varies."""
        gap = float(self.anova.mean(first) - self.anova.mean(second))
        return gap, self.anova.of_difference(population)

    def of_mean(self, modality: int, population: str) -> Spread:
        """How a mean varies."""
        return self.anova.of_mean(modality, population)

    def alike(self, first: int, second: int) -> bool:
        """Whether no reader puts the cases in another order under one of the two."""
        r = self.anova.n_readers
        return all(self.study.rows.alike(first * r + place, second * r + place) for place in range(r))

    def squares(self, population: str) -> tuple[float, float | None]:
        """Mean square of modalities over its error term, and the degrees of freedom of that."""
        spread = self.anova.of_difference(population)
        term = spread.variance * self.anova.n_readers / 2
        return (self.anova.mean_squares["modality"] / term if term > 0 else math.nan), spread.df

    def parts(self) -> tuple[dict[str, float], dict[str, float]]:
        """Mean squares and variance components."""
        return self.anova.mean_squares, self.anova.components


@dataclass(frozen=True, slots=True, eq=False)
class PartlyCrossed:
    """Readers who judged some of the cases, under some of the modalities."""

    partly: Partly
    scores: Array

    @property
    def n_modalities(self) -> int:
        """How many there are."""
        return self.partly.n_modalities

    def by_reader(self) -> list[list[float]]:
        """Values of each modality by reader, NaN where there is none."""
        found: list[list[float]] = self.partly.values.tolist()
        return found

    def mean(self, modality: int) -> float:
        """Mean over readers."""
        return self.partly.mean(modality)

    def difference(self, first: int, second: int, population: str) -> tuple[float, Spread]:
        """First less second, and how it varies."""
        gap = self.mean(first) - self.mean(second)
        return gap, self.partly.of_difference(first, second, population)

    def of_mean(self, modality: int, population: str) -> Spread:
        """How a mean varies."""
        return self.partly.of_mean(modality, population)

    def alike(self, first: int, second: int) -> bool:
        """Whether every rating is the same under one and the other."""
        lines = self.scores.reshape(self.n_modalities, -1)
        return np.array_equal(lines[first], lines[second], equal_nan=True)

    def squares(self, population: str) -> tuple[float, float | None]:
        """Wald's: differences to the last modality by their covariance; the fewest degrees of freedom of any pair."""
        t = self.n_modalities
        pairs = [self.partly.of_difference(i, k, population) for i in range(t) for k in range(i)]
        free = [pair.df for pair in pairs if pair.df is not None]
        contrast = np.hstack([np.eye(t - 1), -np.ones((t - 1, 1))])
        covariance = contrast @ self.partly.of_means(population) @ contrast.T
        gaps = np.array([self.mean(place) - self.mean(t - 1) for place in range(t - 1)])
        if not np.isfinite(covariance).all() or np.linalg.eigvalsh(covariance).min() <= 0:
            return math.nan, min(free, default=None)
        return float(gaps @ np.linalg.solve(covariance, gaps)) / (t - 1), min(free, default=None)

    def parts(self) -> tuple[dict[str, float], dict[str, float]]:
        """None: this is no analysis of variance."""
        return {}, {}


def crossed_design(
    study: Crossed, ratings: Ratings, columns: Columns, how: Covariance, compute: Compute | None
) -> tuple[FullyCrossed, Array]:
    """The analysis of variance of a crossed study, with values and covariance; ``compute`` of other measures."""
    t = len(study.modalities)
    if compute is None:
        areas = areas_of(study.rows, WHOLE)
        covariance = covariance_of(areas, study.rows, how)
        n_pos, n_neg = study.rows.class_weights
        sums = areas.sums or study.rows.placement_sums()
        exact = [Fraction(wins, 2 * n_pos * n_neg) for wins in sums.wins]
    else:
        values, covariance = jackknifed(compute, ratings.scores(columns.score), ratings.positive)
        _refuse_undefined(values, ratings)
        exact = [Fraction(value) for value in values.tolist()]
    return FullyCrossed(Anova.of(exact, covariance, t), study), covariance


def partly_design(ratings: Ratings, columns: Columns, compute: Compute | None) -> tuple[PartlyCrossed, Array]:
    """Means of readers in any design, with the covariance of all values."""
    scores = ratings.scores(columns.score)
    if compute is None:
        values, covariance = unbiased_covariance(scores, ratings.positive)
    else:
        values, covariance = jackknifed(compute, scores, ratings.positive)
    t, r = len(ratings.modalities), len(ratings.readers)
    made = Partly(values.reshape(t, r), covariance.reshape(t, r, t, r))
    none = [ratings.modalities[place] for place in range(t) if not made.readers_of(place).size]
    if none:
        text = f"no reader judged cases of both classes under {some_values(none)}, so that it has no value"
        raise InputError("no_value", f"{text}; leave it out")
    return PartlyCrossed(made, scores), covariance


def _refuse_undefined(values: Array, ratings: Ratings) -> None:
    odd = np.flatnonzero(np.isnan(values))
    if odd.size:
        r = len(ratings.readers)
        where = some_values([ratings.readers[odd[0] % r]]), some_values([ratings.modalities[odd[0] // r]])
        text = f"the measure is undefined for {format_count(odd.size)} of {format_count(values.size)} readers and "
        raise InputError("no_value", f"{text}modalities, such as {where[0]} with {where[1]}; choose another")
