"""The independent units behind a mean, and the variance that they give it: one engine for every estimate.

An estimate is a sum, over classes of rows, of weighted means of what each row adds. Four kinds of units are known:

- rows, each counted once: the products of what they add, over n (n - 1);
- rows that a frequency weight repeats: the same, with the sum of the weights for n;
- rows of a sampling weight: one unit each, however much it weighs, and n / (n - 1) of their number;
- subjects: their rows are added up first, positives and negatives together, and n / (n - 1) counts those with rows of
  the class (Obuchowski 1997).
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.exact import dot, squares_about
from rocsteady._src.inputs.weights import weight_type_of
from rocsteady._src.ranked import sorted_distinct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.ranked import Rows

    Array = NDArray[np.float64]
    Chosen = NDArray[np.intp]
    Mask = NDArray[np.bool_]
    Added = Callable[[int, Chosen], Array]
    Factor = Callable[[float, float], float]

BLOCK = 1 << 14  # rows whose products fit the cache; fresh memory costs more than the arithmetic


def unbiased(n_units: float, n_rows: float = math.nan) -> float:
    """Divide by one unit less: n / (n - 1), NaN with fewer than two.

    Examples
    --------
    >>> unbiased(5), unbiased(1)
    (1.25, nan)
    """
    return n_units / (n_units - 1) if n_units > 1 else math.nan


def as_for_rows(n_units: float, n_rows: float) -> float:
    """The same, less what a formula that divides by the number of rows leaves out: 1 when every row is a unit.

    Examples
    --------
    >>> as_for_rows(5, 5), as_for_rows(5, 10)
    (1.0, 1.125)
    """
    return unbiased(n_units) * (n_rows - 1) / n_rows


def mean_known(n_units: float, n_rows: float) -> float:
    """Deviations from a mean that was not estimated need no correction."""
    return 1.0


def over_rows(squares: Any, total: float) -> Any:
    """Variance of a mean over so many rows from sums of squares, or of products; NaN with fewer than two."""
    return squares / (total * (total - 1) if total > 1 else math.nan)


def of_groups(added: Array, counts: NDArray[Any], total: Any, centre: float = 0.0) -> float:
    """The same from groups of rows that add alike: ``counts`` rows are in each, ``total`` in all."""
    return squares_about(counts, added, centre) / (total - 1) / total if total > 1 else math.nan


def satterthwaite(parts: Sequence[float], units: Sequence[float]) -> float:
    """Degrees of freedom of a sum of variances, each of a mean over so many units; NaN with one unit.

    Examples
    --------
    >>> satterthwaite((1.0, 1.0), (11, 11)), satterthwaite((1.0, 0.0), (4, 100)), satterthwaite((0.0, 0.0), (4, 9))
    (20.0, 3.0, 3.0)
    """
    if min(units) <= 1:
        return math.nan
    total = sum(parts)
    if not total > 0:
        return float(min(units) - 1)
    return total**2 / sum(part**2 / (n - 1) for part, n in zip(parts, units, strict=True))


def welch_degrees(parts: Sequence[float], units: Sequence[float]) -> float:
    """The same where parts of one unit are left out of the divisor; NaN where nothing varies.

    Examples
    --------
    >>> welch_degrees((1.0, 1.0), (11, 1)), welch_degrees((0.0, 0.0), (4, 9))
    (40.0, nan)
    """
    terms = sum(part**2 / (n - 1) for part, n in zip(parts, units, strict=True) if n > 1)
    return sum(parts) ** 2 / terms if terms > 0 else math.nan


def freedom_of_squares(pulls: Array, times: Array | None = None) -> float:
    """Degrees of freedom of a variance by how unequal the squares are that it is made of.

    ``pulls`` is what each unit adds, ``times`` how often it counts. Near an area of 1 few rows, those on the wrong
    side, make nearly all of it: it is as unsure as they are few. Never below 1, infinite where all squares are equal.

    Examples
    --------
    >>> freedom_of_squares(np.array([1.0, -1.0, 1.0, -1.0])), round(freedom_of_squares(np.array([3.0, 1.0, 1.0])), 2)
    (inf, 5.67)
    """
    squares = pulls * pulls
    counted = squares if times is None else times * squares
    total = float(squares.size) if times is None else math.fsum(times.tolist())
    summed, fourth = math.fsum(counted.tolist()), math.fsum((counted * squares).tolist())  # no order of rows matters
    unequal = fourth / summed**2 - 1 / total if summed > 0 else 0.0
    return max(2 / unequal, 1.0) if unequal > 0 else math.inf


def skewness(cubes: float, squares: float) -> float:
    """Of a sum of independent parts, from the sums of their powers."""
    return cubes / squares**1.5 if squares > 0 else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Rows as independent units: ``kind`` says how ``weights`` are read, ``clusters`` numbers the subject of a row."""

    n_rows: int
    weights: NDArray[Any] | None = None
    kind: str | None = None
    clusters: NDArray[np.int64] | None = None

    @classmethod
    def of(cls, rows: Rows, weight_type: str | None = None) -> Units:
        """Units of rows that were read; ``weight_type`` where it is not what they were read with."""
        kind = weight_type_of(rows.weights, weight_type or rows.origin.weight_type)
        return cls(rows.positive.size, rows.weights, kind, rows.clusters)

    @property
    def repeated(self) -> bool:
        """Whether every unit of weight is a row of its own."""
        return self.clusters is None and self.kind != "sampling"

    @property
    def n_subjects(self) -> int:
        """Number of subjects, rows where each is one."""
        return self.n_rows if self.clusters is None else int(self.clusters.max(initial=-1)) + 1

    @property
    def numbers(self) -> NDArray[np.int64]:
        """Number of each row's subject."""
        return np.arange(self.n_rows) if self.clusters is None else self.clusters

    def held(self, chosen: Any = slice(None)) -> Array:
        """Weight of the chosen rows, as doubles."""
        weights = np.ones(self.n_rows) if self.weights is None else self.weights
        held: Array = weights[chosen].astype(np.float64, copy=False)
        return held

    def count(self, chosen: Any = slice(None)) -> float:
        """Independent units among the chosen rows: rows, as often as they count, or subjects."""
        if self.clusters is not None:
            return float(np.count_nonzero(np.bincount(self.clusters[chosen])))
        if self.weights is None and isinstance(chosen, np.ndarray) and chosen.dtype == np.bool_:
            return float(np.count_nonzero(chosen))
        held = self.held(chosen)
        return float(held.sum()) if self.repeated else float(held.size)

    def worth(self, chosen: Any) -> float:
        """The same; rows of sampling weights count as the equal rows that would tell a variance as surely."""
        if self.repeated or self.clusters is not None:
            return self.count(chosen)
        squares = self.held(chosen) ** 2
        return float(squares.sum() ** 2 / (squares @ squares))

    def covariance(
        self, added: Added, classes: Sequence[Mask], factor: Factor = unbiased, *, exact: bool = False
    ) -> Array:
        """Covariance of the weighted means of classes: ``[c, d]`` is the matrix between the means of two of them.

        ``added(c, chosen)`` gives what the chosen rows of class ``c`` add above the mean, one line for each statistic.
        Subjects that have rows of two classes tie them together. ``factor`` corrects sums over subjects, given their
        number and that of the rows. With ``exact`` sums of one line are correctly rounded, so that no order of rows
        matters. O(rows x statistics^2).
        """
        if self.clusters is not None:
            return self._of_subjects(added, classes, factor, exact)
        own = [self._of_rows(functools.partial(added, c), mask, exact) for c, mask in enumerate(classes)]
        found = np.zeros((len(own), len(own), *own[0].shape))
        for place, matrix in enumerate(own):
            found[place, place] = matrix
        return found

    def _of_rows(self, added: Callable[[Chosen], Array], mask: Mask, exact: bool) -> Array:
        held = None if self.weights is None else self.held(mask)
        n = int(np.count_nonzero(mask))
        total = float(n) if held is None else math.fsum(held) if exact else float(held.sum())
        products: Any = 0.0
        for chosen in [np.flatnonzero(mask)] if exact else _blocks(mask):
            lines = added(chosen)
            scaled = lines if held is None else lines * self.held(chosen)
            if not self.repeated:
                lines = scaled = scaled / total
            products = products + (_exact_product(scaled, lines) if exact else scaled @ lines.T)
        found: Array = over_rows(products, total) if self.repeated else unbiased(n) * products
        return found

    def _of_subjects(self, added: Added, classes: Sequence[Mask], factor: Factor, exact: bool) -> Array:
        """What positives and negatives of a subject add varies together."""
        sums = [self.subject_sums(added(c, np.flatnonzero(mask)), mask, exact=exact) for c, mask in enumerate(classes)]
        found = np.empty((len(classes), len(classes), len(sums[0]), len(sums[0])))
        between = factor(self.n_subjects, self._rows_counted(slice(None)))
        for c, one in enumerate(sums):
            for d, two in enumerate(sums):
                scale = between if c != d else factor(self.count(classes[c]), self._rows_counted(classes[c]))
                found[c, d] = scale * (_exact_product(one, two) if exact else one @ two.T)
        return found

    def subject_sums(self, lines: Array, mask: Mask, *, exact: bool = False) -> Array:
        """What each subject adds to the mean of a class, given what each row of the class adds above it."""
        held, here = self.held(mask), self.numbers[mask]
        total = math.fsum(held) if exact else held.sum()
        return np.array([np.bincount(here, line * held / total, self.n_subjects) for line in lines])

    def _rows_counted(self, chosen: Any) -> float:
        held = self.held(chosen)
        return float(held.sum() if self.kind == "frequency" else held.size)

    def variance(self, deviations: Array, chosen: Any = slice(None)) -> float:
        """Variance of the mean over the chosen rows, given how far each is from it; without subjects."""
        held = self.held(chosen)
        total = float(held.sum())
        if self.repeated:
            return float(over_rows(dot(held, deviations**2), total))
        pulls = held * deviations / total
        return unbiased(held.size) * dot(pulls, pulls)

    def error(self, deviations: Array, strata: Sequence[tuple[Any, float]]) -> tuple[float, float]:
        """Standard error and skewness of a sum of means, each over some rows and with a share of its own.

        Subjects are units of the whole sum.
        """
        if self.clusters is None:
            variances = [share**2 * self.variance(deviations[mask], mask) for mask, share in strata]
            powers = [self._powers(share * deviations[mask], mask) for mask, share in strata]
            squares, cubes = (math.fsum(each) for each in zip(*powers, strict=True))
            return math.sqrt(math.fsum(variances)), skewness(cubes, squares)
        pulls = np.zeros(self.n_rows)
        for mask, share in strata:
            held = self.held(mask)
            pulls[mask] = share * held * deviations[mask] / held.sum()
        sums = np.bincount(self.clusters, pulls, self.n_subjects)
        squares = float(sums @ sums)
        return math.sqrt(unbiased(self.n_subjects) * squares), skewness(float((sums**3).sum()), squares)

    def _powers(self, deviations: Array, chosen: Any) -> tuple[float, float]:
        """Sums of squares and cubes of what units add to a mean."""
        held = self.held(chosen)
        pulls, times = (deviations, held) if self.repeated else (held * deviations, np.ones(held.size))
        pulls = pulls / held.sum()
        squares = pulls**2
        return dot(times, squares), dot(times, squares * pulls)

    def sums_by_subject_and_row(self, pulls: Array) -> tuple[Array, Array]:
        """Covariance of plain sums over rows, one per line of ``pulls``: by subjects, and as if each row were one."""
        held = self.held()
        sums = np.array([np.bincount(self.numbers, held * line, self.n_subjects) for line in pulls])
        return sums @ sums.T, (pulls * held) @ pulls.T

    def by_class(self, added: Array, codes: Chosen, n_classes: int) -> ClassUnits:
        """For many classes at once: squares of what the units of each add, and how many units it has."""
        if self.clusters is None:
            held = self.held()
            counts = np.bincount(codes, held if self.repeated else None, n_classes).astype(np.float64)
            times = held if self.repeated else held**2
            squares = np.bincount(codes, times * added**2, n_classes).astype(np.float64)
            return ClassUnits(squares, counts, counts if self.repeated else _equal_units(codes, held, n_classes))
        both, place = sorted_distinct(self.clusters * n_classes + codes)
        parts = both % n_classes
        sums = np.bincount(place, added * self.held())
        squares = np.bincount(parts, sums**2, n_classes).astype(np.float64)
        counts = np.bincount(parts, minlength=n_classes).astype(np.float64)
        return ClassUnits(squares, counts, counts)


@dataclass(frozen=True, slots=True, eq=False)
class ClassUnits:
    """For each class: the squares of what its units add, the number of units, and that of equal units of their worth.

    A subject is a unit of every class that it has rows of.
    """

    squares: Array
    counts: Array
    worth: Array

    @property
    def variances(self) -> Array:
        """Squares with the small-sample factor of each class; a class without units adds nothing."""
        factors: Array = np.array([unbiased(float(n)) if n > 0 else 0.0 for n in self.counts])
        return self.squares * factors


def _equal_units(codes: Chosen, held: Array, n_classes: int) -> Array:
    squares = np.bincount(codes, held**2, n_classes).astype(np.float64)
    fourth = np.bincount(codes, held**4, n_classes)
    return np.divide(squares**2, fourth, out=np.zeros(n_classes), where=fourth > 0)


def _blocks(mask: Mask) -> Iterator[Chosen]:
    """Places of the rows of a class, some at a time."""
    for start in range(0, max(mask.size, 1), BLOCK):
        yield np.flatnonzero(mask[start : start + BLOCK]) + start


def _exact_product(one: Array, two: Array) -> Array:
    """Product of one line with one line, correctly rounded."""
    return np.array([[math.fsum(one[0] * two[0])]])
