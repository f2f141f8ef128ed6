"""Bins whose edges are decimals: rounding must not move a value to the other side of an edge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

ULPS = 64  # of the largest number that took part: far above rounding, far below a step of any decimals
EXACT = 2**53
NEARLY = 1e-12


def equal_edges(low: float, high: float, bins: int) -> Array:
    """Edges of bins of equal width.

    Examples
    --------
    >>> equal_edges(0.0, 1.0, 10).tolist()
    [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    """
    steps = np.arange(bins + 1)
    found: Array = (low * (bins - steps) + high * steps) / bins
    found[-1] = high
    return found


def counting_edges(edges: Array, largest: float) -> Array:
    """The edges to count by, all but the last lower by more than rounding: a value meant as an edge lies above it.

    Parameters
    ----------
    edges : ndarray
        They increase; a bin includes its lower edge, the last one both.
    largest : float
        The largest magnitude among the numbers that values and edges were computed from.

    Examples
    --------
    >>> edges = counting_edges(equal_edges(0.0, 1.0, 10), 1.0)
    >>> np.histogram([0.3999999999999999, 0.4, 0.41, 1.0], edges)[0].tolist()
    [0, 0, 0, 0, 3, 0, 0, 0, 0, 1]
    """
    narrowest = float(np.diff(edges).min(initial=np.inf))
    found: Array = edges - min(ULPS * np.finfo(np.float64).eps * largest, narrowest / 1000)
    found[-1] = edges[-1]
    return found


def middle_bins(counts: Array, bins: int) -> NDArray[np.int64]:
    """Which of equal parts of the total holds the middle of each count; on an edge the later one.

    Whole counts are divided as whole numbers.

    Examples
    --------
    >>> middle_bins(np.array([1.0, 1.0, 2.0]), 4).tolist()
    [0, 1, 3]
    """
    twice, total = 2 * np.cumsum(counts) - counts, 2 * counts.sum()
    whole = total * bins < EXACT and not np.mod(counts, 1).any()
    found = np.floor_divide(twice * bins, total) if whole else np.floor(twice / total * bins + NEARLY)
    places: NDArray[np.int64] = np.minimum(found.astype(np.int64), bins - 1)
    return places
