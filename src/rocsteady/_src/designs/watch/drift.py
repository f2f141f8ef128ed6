"""Have the scores themselves changed? Tests of days and of longer windows against the reference, from counts by bin."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.base.binning import middle_bins
from rocsteady._src.designs.watch.evidence import start_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

DECILES = 10
LEAST_SHARE = 1e-4  # what an empty bin counts for in a population stability index; log of 0 would be infinite


@dataclass(frozen=True, slots=True)
class Window:
    """A test of the rows of some days: the largest distance of two distribution functions, and p over all looks."""

    first: int
    last: int
    distance: float
    pvalue: float
    adjusted: float


def windows_tested(reference: Array, days: Array) -> list[Window]:
    """Every day, and windows of 2, 4, 8, ... days, each against the reference: two-sample Kolmogorov-Smirnov.

    Adjusted p add up to at most alpha over all windows that will ever be looked at: lengths share it by halves, and
    windows of a length as days on which a change may begin. Bins make the test careful, never lenient.
    """
    found: list[Window] = []
    n = len(days)
    for power in range(max(n, 1).bit_length()):
        length = 2**power
        shares = start_weights(n // length) * 0.5 ** (power + 1)
        for number, share in enumerate(shares):
            first, last = number * length, (number + 1) * length - 1
            counts = days[first : last + 1].sum(axis=0)
            if counts.sum() > 0:
                distance, p = two_samples(reference, counts)
                found.append(Window(first, last, distance, p, min(p / float(share), 1.0)))
    return found


def two_samples(first: Array, second: Array) -> tuple[float, float]:
    """Kolmogorov-Smirnov of counts by the same bins: the distance, and its p for many rows."""
    from scipy.special import kolmogorov

    n, m = float(first.sum()), float(second.sum())
    distance = float(np.max(np.abs(np.cumsum(first) / n - np.cumsum(second) / m)))
    return distance, float(kolmogorov(math.sqrt(n * m / (n + m)) * distance))


def stability_index(reference: Array, current: Array) -> float:
    """Population stability index: sum over bins of (a - e) log(a / e), for shares a now and e in the reference."""
    expected, actual = (np.maximum(each / each.sum(), LEAST_SHARE) for each in (reference, current))
    return float(np.sum((actual - expected) * np.log(actual / expected)))


def in_tenths(counts: Array, reference: Array) -> Array:
    """Fine bins added up to ten, as close to tenths of the reference as they part it."""
    return np.bincount(middle_bins(reference, DECILES), weights=counts, minlength=DECILES).astype(np.float64)
