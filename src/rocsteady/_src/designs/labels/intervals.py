"""Intervals of averages over labels, from what each row adds to all of them: labels of a row vary together."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.designs.classes.influence import influence_on_class
from rocsteady._src.designs.classes.intervals import units_of
from rocsteady._src.designs.labels.estimates import label_estimate
from rocsteady._src.designs.labels.rows_by_label import POSITIVE
from rocsteady._src.inference.intervals.automatic import Evidence
from rocsteady._src.inference.intervals.formulas import newcombe_rows
from rocsteady._src.inference.units.units import Units, unbiased

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.designs.classes.scores_by_class import ClassRows
    from rocsteady._src.designs.labels.estimates import LabelEstimate
    from rocsteady._src.designs.labels.rows_by_label import LabelRows
    from rocsteady._src.ranked.columns import SortedColumn

    Array = NDArray[np.float64]


class MacroArea:
    """The mean of the areas of labels, and its variance, label by label."""

    def __init__(self, rows: LabelRows) -> None:
        self._units = Units(rows.rows.n_rows, rows.rows.weights, rows.rows.reading, rows.rows.clusters)
        self._added, self._areas = np.zeros(rows.rows.n_rows), list[float]()
        self._own, self._fewest, self._models = list[float](), list[float](), list[float]()

    def add(self, two: ClassRows, column: SortedColumn) -> None:
        """Add what rows add to the area of one label; each class has the small-sample factor of its own units.

        With one label, or with the same label several times, this is DeLong's variance.
        """
        influence, _ = influence_on_class(two, POSITIVE, column)
        inside = two.codes == POSITIVE
        factors = [math.sqrt(unbiased(self._units.count(mask))) for mask in (inside, ~inside)]
        line = influence.within * np.where(inside, *factors)
        sizes = units_of(two, inside), units_of(two, ~inside)
        self._added += line
        self._areas.append(influence.theta)
        self._own.append(self._variance(line))
        self._fewest.append(min(sizes))
        self._models.append(newcombe_rows(influence.theta, *sizes))

    def evidence(self) -> Evidence:
        """What the interval is made from.

        The model, which knows single labels, is told by the variances how much the labels vary together.
        """
        n = len(self._areas)
        theta, variance = math.fsum(self._areas) / n, self._variance(self._added) / n**2
        single = math.fsum(self._own) / n
        alike = min(max(variance / single, 1 / n), 1.0) if single > 0 else 1.0
        fewest = _harmonic_mean(self._fewest)
        return Evidence(theta, variance, fewest, _harmonic_mean(self._models) / alike, fewest)

    def estimate(self, rows: LabelRows) -> LabelEstimate:
        """The mean with what each row adds; the factor that rows of one class have is taken off beforehand."""
        n = len(self._areas)
        every = math.sqrt(unbiased(self._units.count(np.ones(rows.rows.n_rows, dtype=bool))))
        fewest = _harmonic_mean(self._fewest)
        return label_estimate(rows, math.fsum(self._areas) / n, self._added / (n * every), fewest)

    def _variance(self, added: Array) -> float:
        held = self._units.held()
        if self._units.repeated:
            return float(held @ added**2)
        sums = np.bincount(self._units.numbers, held * added, self._units.n_subjects)
        return float(sums @ sums)


def estimate_of_micro(rows: LabelRows, pool: ClassRows, column: SortedColumn) -> LabelEstimate:
    """The area of all scores pooled: a row, or a subject, is one unit through all its scores."""
    influence, _ = influence_on_class(pool, POSITIVE, column)
    within = influence.within.reshape(rows.rows.n_rows, -1).sum(axis=1)
    return label_estimate(rows, influence.theta, within, fewest_of_micro(rows))


def fewest_of_micro(rows: LabelRows) -> float:
    """Rows with one of the labels, or without one of them, whichever are fewer."""
    present = rows.present[:, rows.averaged]
    some, not_all = np.any(present, axis=1), ~np.all(present, axis=1)
    return min(units_of(rows.rows, some), units_of(rows.rows, not_all))


def rarest_of_labels(rows: LabelRows) -> float:
    """Rows with the rarest label that some have, or without the commonest that some lack."""
    sides = (side for label in rows.present[:, rows.averaged].T for side in (label, ~label))
    return min((size for side in sides if (size := units_of(rows.rows, side))), default=math.inf)


def evidence_on_micro(found: LabelEstimate) -> Evidence:
    """What its interval is made from."""
    return Evidence(found.value, found.variance(), found.fewest, found.fewest, found.fewest)


def _harmonic_mean(values: Sequence[float]) -> float:
    return len(values) / math.fsum(1 / value for value in values)
