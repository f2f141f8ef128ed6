"""Sums over the rows of each class, taken in blocks that stay in the cache: fresh memory costs more than arithmetic."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rocsteady.reclassified.rows import TwoModels

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
        return max(float(weights @ self.covariance @ weights), 0.0) if not np.isnan(self.covariance).any() else math.nan


def blocks(rows: TwoModels) -> Iterator[slice]:
    """Slices of the rows."""
    return (slice(start, start + BLOCK) for start in range(0, rows.positive.size, BLOCK))


def class_moments(rows: TwoModels) -> tuple[Moments, Moments]:
    """Moments of the events and of the nonevents, in two passes: means first, then products about them."""
    sums = np.zeros((2, 4))  # weight, old, new, rows; nonevents first
    for block in blocks(rows):
        weights, classes = _weights(rows, block), rows.positive[block].view(np.uint8)
        sums[:, 0] += np.bincount(classes, weights, 2)
        sums[:, 1] += np.bincount(classes, _times(rows.old[block], weights), 2)
        sums[:, 2] += np.bincount(classes, _times(rows.new[block], weights), 2)
        sums[:, 3] += np.bincount(classes, minlength=2)
    means = sums[:, 1:3] / sums[:, :1]
    products = _products(rows, means)
    nonevents, events = (_moments(rows, sums[side], means[side], products[side]) for side in (0, 1))
    return events, nonevents


def _products(rows: TwoModels, means: Array) -> Array:
    """Sums of squares and products about the means of each class; sampling weights count squared."""
    products = np.zeros((2, 2, 2))
    for block in blocks(rows):
        weights, classes = _weights(rows, block), rows.positive[block].view(np.uint8)
        if weights is not None and rows.weight_type == "sampling":
            weights = weights**2
        old, new = rows.old[block] - means[:, 0].take(classes), rows.new[block] - means[:, 1].take(classes)
        for i, j, values in ((0, 0, old * old), (0, 1, old * new), (1, 1, new * new)):
            found = np.bincount(classes, _times(values, weights), 2)
            products[:, i, j] += found
            if i != j:
                products[:, j, i] += found
    return products


def _moments(rows: TwoModels, sums: Array, means: Array, products: Array) -> Moments:
    total, n = float(sums[0]), float(sums[3])
    if rows.weight_type == "sampling":
        scale = n / (total**2 * (n - 1)) if n > 1 else math.nan
        return Moments(total, float(means[0]), float(means[1]), products * scale)
    scale = 1 / (total * (total - 1)) if total > 1 else math.nan
    return Moments(int(total), float(means[0]), float(means[1]), products * scale)


def _weights(rows: TwoModels, block: slice) -> Array | None:
    return None if rows.weights is None else rows.weights[block]


def _times(values: Array, weights: Array | None) -> Array:
    return values if weights is None else values * weights
