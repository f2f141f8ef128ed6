"""How wide an interval will be before there are rows: of a share by all counts, of an AUC by its variance."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.inference.intervals.automatic import whole_area
from rocsteady._src.inference.intervals.binomial import bounds_of
from rocsteady._src.inference.power.variance import exact_covariance

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

BEYOND = 9.0  # standard deviations, past which a binomial count adds less than rounding
FEW, NODES = 200, 17
MOST_ROWS = 10**9


def width_of_share(share: float, rows: int, level: float, method: str) -> float:
    """Mean width of the interval of a share that is counted among so many rows; 1 among none.

    Examples
    --------
    >>> round(width_of_share(0.5, 2, 0.95, "wald"), 4), width_of_share(0.5, 0, 0.95, "wilson")
    (0.5, 1.0)
    """
    if rows < 1:
        return 1.0
    counts, chances = _counts(rows, share)
    low, high = bounds_of(counts, np.full(counts.size, float(rows)), level, method)
    return float(chances @ (high - low))


def width_among_drawn(share: float, rows: int, drawn: float, level: float, method: str) -> float:
    """The same where each of ``rows`` is one of those that count with probability ``drawn``.

    Among many rows the width, times the root of their number, is a smooth function of it and read off a grid.
    """
    numbers, chances = _counts(rows, drawn)
    if numbers.size <= FEW:
        widths = np.array([width_of_share(share, int(number), level, method) for number in numbers])
        return float(chances @ widths)
    grid = np.unique(np.linspace(numbers[0], numbers[-1], NODES).round())
    scaled = [width_of_share(share, int(number), level, method) * math.sqrt(number) for number in grid]
    return float(chances @ (np.interp(numbers, grid, scaled) / np.sqrt(numbers)))


def _counts(rows: int, share: float) -> tuple[Array, Array]:
    """Counts among so many rows that are at all likely, with their probabilities."""
    from scipy.stats import binom

    mean, reach = rows * share, BEYOND * math.sqrt(rows * share * (1 - share)) + BEYOND
    counts = np.arange(max(0, math.floor(mean - reach)), min(rows, math.ceil(mean + reach)) + 1, dtype=np.float64)
    return counts, np.asarray(binom.pmf(counts, rows, share), dtype=np.float64)


def auc_variance(auc: float, spread: float, n_pos: float, n_neg: float) -> float:
    """Variance of the empirical AUC of binormal scores."""
    found = exact_covariance((auc, spread), (auc, spread), (1.0, 1.0))
    return float(found @ np.array([1 / n_pos, 1 / n_neg, 1 / (n_pos * n_neg)]))


def width_of_auc(auc: float, spread: float, n_pos: float, n_neg: float, level: float) -> tuple[float, str]:
    """Width of the default interval at the AUC itself and its true variance, and the method that "auto" takes."""
    known = whole_area(auc, auc_variance(auc, spread, n_pos, n_neg), (n_pos, n_neg))
    low, high = known.ends(level)
    return high - low, known.method


def fewest(enough: Callable[[int], bool], start: int = 1) -> int | None:
    """The fewest rows that are enough, where more are too; None if a thousand million are not.

    Examples
    --------
    >>> fewest(lambda rows: rows >= 37), fewest(lambda rows: True, start=5), fewest(lambda rows: False)
    (37, 5, None)
    """
    low, high = start - 1, start
    while not enough(high):
        low, high = high, 2 * high
        if high > MOST_ROWS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
