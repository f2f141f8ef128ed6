"""Means of each class and how they vary together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocsteady._src.inference.units.units import Units, over_rows, unbiased

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inference.units.units import Factor
    from rocsteady._src.probabilities.reclassification.two_models import AnyPair, TwoModels

    Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Moments:
    """Means of the old and the new probabilities of a class, and the covariance matrix of these means.

    ``total`` is the number of rows, or their weight.
    """

    total: Any
    old: float
    new: float
    covariance: Array

    def variance(self, of_new: float, of_old: float) -> float:
        """Variance of the mean of ``of_new * new + of_old * old``."""
        weights = np.array([of_old, of_new])
        return not_negative(float(weights @ self.covariance @ weights))


class BothClasses(NamedTuple):
    """Moments of the events and of the nonevents; ``across`` is the covariance between them, None where it is 0."""

    events: Moments
    nonevents: Moments
    across: Array | None = None

    def variance(self, of_new: float, of_old: float) -> float:
        """Variance of the events' mean less the nonevents' of ``of_new * new + of_old * old``."""
        apart = self.events.variance(of_new, of_old) + self.nonevents.variance(of_new, of_old)
        if self.across is None:
            return apart
        weights = np.array([of_old, of_new])
        return not_negative(apart - 2 * float(weights @ self.across @ weights))


def not_negative(variance: float) -> float:
    """Rounding may leave a trace below 0; NaN stays."""
    return variance if math.isnan(variance) else max(variance, 0.0)


def class_moments(rows: AnyPair) -> BothClasses:
    """Moments of the events and of the nonevents, in two passes: means first, then products about them."""
    totals, counts, means = rows.class_means()
    if rows.clusters is not None and (known := rows.in_memory()) is not None:
        return _of_subjects(known, totals, means)
    products = rows.class_products(means)
    events, nonevents = (
        _moments(rows, float(totals[side]), float(counts[side]), means[side], products[side]) for side in (0, 1)
    )
    return BothClasses(events, nonevents)


def subject_covariance(rows: TwoModels, values: Array, means: Array, factor: Factor = unbiased) -> Array:
    """Covariance of the means of events and of nonevents, one line of ``values`` each, when subjects are independent.

    ``means`` has a line for each class, events first.
    """
    units = Units(rows.positive.size, rows.weights, rows.weight_type, rows.clusters)
    classes = rows.positive, ~rows.positive
    return units.covariance(lambda side, chosen: values[:, chosen] - means[side][:, None], classes, factor)


def _of_subjects(rows: TwoModels, totals: Array, means: Array) -> BothClasses:
    both = np.stack([rows.old, rows.new])
    covariance = subject_covariance(rows, both, means)
    whole = int if rows.weight_type != "sampling" else float
    events, nonevents = (
        Moments(whole(total), float(mean[0]), float(mean[1]), covariance[side, side])
        for side, (total, mean) in enumerate(zip(totals, means, strict=True))
    )
    return BothClasses(events, nonevents, covariance[0, 1])


def _moments(rows: AnyPair, total: float, n: float, means: Array, products: Array) -> Moments:
    if rows.weight_type == "sampling":
        return Moments(total, float(means[0]), float(means[1]), products / total**2 * unbiased(n))
    return Moments(int(total), float(means[0]), float(means[1]), over_rows(products, total))
