"""What each row adds to an average of areas, and the variance that follows.

An average of areas is a sum of two-sample U-statistics. Given its class a row adds a placement, whose spread within
the class is one part of the variance; the class sizes, which weigh the areas, are the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.exact import compensated_cumsum
from rocsteady._src.inference.units.units import Units, satterthwaite, unbiased
from rocsteady._src.ranked.columns import SortedColumn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.designs.classes.averages import Average
    from rocsteady._src.designs.classes.scores_by_class import ClassRows

    Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Influence:
    """An average with what rows add to it: ``within`` per unit of weight, of mean 0 in each class; ``drift`` per class.

    ``drift`` is what one more row of a class changes by changing the class sizes.
    """

    theta: float
    within: Array
    drift: Array

    def minus(self, other: Influence) -> Influence:
        """Influence on the difference of two averages of the same rows."""
        return Influence(self.theta - other.theta, self.within - other.within, self.drift - other.drift)


def influence_on(rows: ClassRows, average: Average) -> Influence:
    """Rank each column once and add up what the rows add. O(classes x n log n) time, O(n) memory."""
    return influences_on(rows, [average])[0]


def influences_on(rows: ClassRows, averages: Sequence[Average]) -> list[Influence]:
    """The same for several averages; the columns are ranked once for all of them."""
    found = InfluencesOnAverages(rows, averages)
    for place, column in enumerate(rows.columns()):
        found.add(place, SortedColumn.of(column))
    return found.all()


class InfluencesOnAverages:
    """What rows add to several averages, class by class."""

    def __init__(self, rows: ClassRows, averages: Sequence[Average]) -> None:
        self._weights, self._sizes, self._averages = rows.weights, rows.sizes, averages
        self._codes = rows.codes.astype(np.intp, copy=False)
        self._thetas = [0.0] * len(averages)
        self._added, self._drifts = ([np.zeros(size) for _ in averages] for size in (rows.n_rows, rows.n_classes))

    def add(self, place: int, column: SortedColumn) -> None:
        """Add what follows from the scores of one class."""
        if not any(average.averaged[place] for average in self._averages):
            return
        ranked = RankedClasses.of(column, self._codes, self._weights, place)
        areas = ranked.areas(self._sizes)
        for which, average in enumerate(self._averages):
            coefficients = average.coefficients(place)
            self._thetas[which] += float(coefficients @ areas)
            self._drifts[which] += average.drift(place, areas)
            ranked.add_to(self._added[which], coefficients, self._sizes)

    def all(self) -> list[Influence]:
        """The influence on each average, when every class was added."""
        return [
            Influence(theta, centred(sums, self._codes, self._weights, self._sizes), drift)
            for theta, sums, drift in zip(self._thetas, self._added, self._drifts, strict=True)
        ]


def influence_on_class(rows: ClassRows, place: int, column: SortedColumn) -> tuple[Influence, ClassRows]:
    """The same for the area of one class against the rest, and the rows with these two classes."""
    rest = (rows.codes != place).astype(np.intp)
    two = replace(rows, labels=(rows.labels[place], None), codes=rest, scores=(column.scores,))
    ranked, sizes = RankedClasses.of(column, rest, rows.weights, 0), two.sizes
    added = np.zeros(rows.n_rows)
    ranked.add_to(added, np.array([0.0, 1.0]), sizes)
    theta = float(ranked.areas(sizes)[1])
    return Influence(theta, centred(added, rest, rows.weights, sizes), np.zeros(2)), two


def pooled_column(rows: ClassRows) -> SortedColumn:
    """Every score of every row, of the classes that averages are over, sorted."""
    return SortedColumn.of(averaged_scores(rows))


def averaged_scores(rows: ClassRows) -> NDArray[Any]:
    """Scores of the classes that averages are over, row by row."""
    matrix, chosen = rows.matrix(), rows.averaged
    return (matrix if chosen.all() else matrix[:, chosen]).ravel()


def influence_on_pool(rows: ClassRows, column: SortedColumn | None = None) -> tuple[Influence, ClassRows]:
    """The same for the micro average: what a row adds through all its predictions; rows count as one class."""
    column = pooled_column(rows) if column is None else column
    places, weights = np.flatnonzero(rows.averaged), rows.weights
    codes = (rows.codes[:, None] != places).ravel().astype(np.intp)
    repeated = None if weights is None else weights.repeat(places.size)
    pool = replace(rows, labels=(True, False), codes=codes, weights=repeated, scores=(column.scores,), clusters=None)
    influence, _ = influence_on_class(pool, 0, column)
    within = influence.within.reshape(rows.n_rows, places.size).sum(axis=1)
    alike = replace(rows, labels=(None,), codes=np.zeros(rows.n_rows, dtype=np.intp))
    return Influence(influence.theta, within, np.zeros(1)), alike


def of_fixed_sizes(influence: Influence, rows: ClassRows) -> Influence:
    """The same where so many rows of each class were drawn by design: what differs between classes does not vary."""
    codes = rows.codes.astype(np.intp, copy=False)
    within = centred(influence.within.copy(), codes, rows.weights, rows.sizes)
    return Influence(influence.theta, within, np.zeros(rows.n_classes))


def pair_areas(rows: ClassRows, place: int, column: NDArray[Any], sizes: Array) -> Array:
    """Areas of one class against each other class by its own scores; 0 against itself."""
    ordered, codes = SortedColumn.of(column), rows.codes.astype(np.intp, copy=False)
    return RankedClasses.of(ordered, codes, rows.weights, place).areas(sizes)


@dataclass(frozen=True, slots=True, eq=False)
class RankedClasses:
    """Rows in increasing order of one class's scores: their classes, weights, and weight of that class above them."""

    place: int
    order: NDArray[np.intp]
    ends: NDArray[np.intp] | None
    codes: NDArray[np.intp]
    weights: Array | None
    above: Array

    @classmethod
    def of(cls, column: SortedColumn, codes: NDArray[np.intp], weights: Any, place: int) -> RankedClasses:
        """The rows in the order of the scores of class ``place``."""
        order, ends = column.order, column.ends
        in_order = codes.take(order)
        heavy = None if weights is None else weights.take(order).astype(np.float64)
        own = (in_order == place).astype(np.float64)
        if heavy is not None:
            own *= heavy
        through = _halfway(own, ends, exact=heavy is None)
        np.subtract(own.sum() if heavy is None else math.fsum(own), through, out=through)
        return cls(place, order, ends, in_order, heavy, through)

    def areas(self, sizes: Array) -> Array:
        """A(place | j) for every class j; 0 against itself, and where either has no rows, which no average counts."""
        weight = self.above if self.weights is None else self.above * self.weights
        among = sizes * sizes[self.place]
        pairs = np.bincount(self.codes, weight, sizes.size)
        areas: Array = np.divide(pairs, among, out=np.zeros(sizes.size), where=among > 0)
        areas[self.place] = 0.0
        return areas

    def add_to(self, added: Array, coefficients: Array, sizes: Array) -> None:
        """Add C_ij times placement over class size to each row, per unit of its weight."""
        rest = np.divide(coefficients, sizes, out=np.zeros_like(coefficients), where=sizes > 0)
        each = rest.take(self.codes)
        own = np.flatnonzero(self.codes == self.place)
        plain = self.weights is None
        below = _halfway(each if plain else each * self.weights, self.ends, exact=plain)[own]
        each *= self.above
        each[own] = below
        each /= sizes[self.place]
        added[self.order] += each


def _halfway(weights: Array, ends: NDArray[np.intp] | None, *, exact: bool) -> Array:
    """Weight of the rows before each row, with half of its own and of those tied with it."""
    through = weights.cumsum() if exact else compensated_cumsum(weights)
    if ends is None:
        through -= weights / 2
        return through
    last = through[ends]
    before = np.append(0.0, last[:-1])
    return np.repeat((before + last) / 2, np.diff(ends, prepend=-1))


def centred(added: Array, codes: NDArray[np.intp], weights: NDArray[Any] | None, sizes: Array) -> Array:
    """Take the mean of each class off."""
    sums = np.bincount(codes, added if weights is None else added * weights, sizes.size)
    means = np.divide(sums, sizes, out=np.zeros_like(sums), where=sizes > 0)
    added -= means.take(codes)
    return added


def variance_of(influence: Influence, rows: ClassRows, *, fixed_sizes: bool = False) -> float:
    """Variance of the average; NaN where a class has fewer than two independent units.

    Each class has the degrees of freedom of its own units. Rows of one subject are added up first. Fixed class
    sizes leave the drift out. With subjects this is Obuchowski's 1997 form for any number of classes.
    """
    codes, units = rows.codes.astype(np.intp, copy=False), _units(rows)
    drift = np.zeros(rows.n_rows) if fixed_sizes else influence.drift.take(codes)
    classes, held = units.by_class(influence.within, codes, rows.n_classes), units.held()
    own = float(classes.variances.sum())
    if units.repeated:
        return own + unbiased(held.sum()) * float(held @ drift**2)
    within, drift = influence.within * held, drift * held
    if units.clusters is None:
        return own + unbiased(rows.n_rows) * float(drift @ (drift + 2 * within))
    total = np.bincount(units.clusters, within + drift)
    return own + unbiased(units.n_subjects) * (float(total @ total) - float(classes.squares.sum()))


def free_degrees(influence: Influence, rows: ClassRows, *, fixed_sizes: bool = False) -> float:
    """Degrees of freedom of the variance (Satterthwaite): each class is as sure as it has units.

    What the class sizes add counts all units; a subject counts in every class that it has rows of.
    """
    codes, units = rows.codes.astype(np.intp, copy=False), _units(rows)
    classes, held = units.by_class(influence.within, codes, rows.n_classes), units.held()
    drift = np.zeros(rows.n_rows) if fixed_sizes else influence.drift.take(codes)
    if units.clusters is None:
        n_units, of_sizes = float(classes.worth.sum()), float((held if units.repeated else held**2) @ drift**2)
    else:
        n_units, of_sizes = float(units.n_subjects), float((np.bincount(units.clusters, drift * held) ** 2).sum())
    found = zip([*classes.variances.tolist(), of_sizes], [*classes.worth.tolist(), n_units], strict=True)
    moving = [(part, n) for part, n in found if part > 0]
    free = satterthwaite([part for part, _ in moving], [n for _, n in moving])
    return free if units.clusters is None else min(free, n_units - 1)


def _units(rows: ClassRows) -> Units:
    return Units(rows.n_rows, rows.weights, rows.reading, rows.clusters)
