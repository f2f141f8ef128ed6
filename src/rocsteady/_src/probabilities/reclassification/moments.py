"""Sums over the rows of each class, taken in blocks that stay in the cache: fresh memory costs more than arithmetic."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocsteady._src.inference.units.units import Units, over_rows, unbiased
from rocsteady._src.ranked.lazy.probabilities import LazyPair

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rocsteady._src.inference.units.units import Factor
    from rocsteady._src.probabilities.reclassification.rows import TwoModels

    Array = NDArray[np.float64]

BLOCK = 1 << 14


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


def blocks(rows: TwoModels) -> Iterator[slice]:
    """Slices of the rows."""
    return (slice(start, start + BLOCK) for start in range(0, rows.positive.size, BLOCK))


def class_moments(rows: TwoModels | LazyPair) -> BothClasses:
    """Moments of the events and of the nonevents, in two passes: means first, then products about them."""
    if isinstance(rows, LazyPair):
        return _of_table(rows)
    sums, counts = np.zeros((2, 3)), np.zeros(2)  # weight, old, new; events first
    for block in blocks(rows):
        both, sides = _block(rows, block)
        sums += np.array([[side.sum(), *(both @ side)] for side in sides])
        n_pos = int(np.count_nonzero(rows.positive[block]))
        counts += (n_pos, both.shape[1] - n_pos)
    means = sums[:, 1:] / sums[:, :1]
    if rows.clusters is not None:
        return _of_subjects(rows, sums[:, 0], means)
    products = np.zeros((2, 2, 2))
    for block in blocks(rows):
        both, sides = _block(rows, block)
        for which, side in enumerate(sides):
            away = both - means[which][:, None]
            products[which] += (away * (side**2 if rows.weight_type == "sampling" else side)) @ away.T
    events, nonevents = (
        _moments(rows, float(sums[side, 0]), float(counts[side]), means[side], products[side]) for side in (0, 1)
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


def _of_table(rows: LazyPair) -> BothClasses:
    means, products = rows.class_sums()
    events, nonevents = (
        _moments(rows, float(rows.sizes[side]), float(rows.sizes[side]), means[side], products[side]) for side in (0, 1)
    )
    return BothClasses(events, nonevents)


def _block(rows: TwoModels, block: slice) -> tuple[Array, tuple[Array, Array]]:
    """Both probabilities, and the weight of each row as an event and as a nonevent."""
    weights = np.ones(rows.positive[block].size) if rows.weights is None else rows.weights[block]
    of_events = weights * rows.positive[block]
    return np.stack([rows.old[block], rows.new[block]]), (of_events, weights - of_events)


def _moments(rows: TwoModels | LazyPair, total: float, n: float, means: Array, products: Array) -> Moments:
    if rows.weight_type == "sampling":
        return Moments(total, float(means[0]), float(means[1]), products / total**2 * unbiased(n))
    return Moments(int(total), float(means[0]), float(means[1]), over_rows(products, total))
