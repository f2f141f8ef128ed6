"""Intervals of many differences that hold all at once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

DRAWS, SEED = 1 << 17, 20
BLOCK = 1 << 12  # draws at a time


def each_level(covariance: Array, pairs: Sequence[tuple[int, int]], level: float) -> float:
    """The level of each interval at which the intervals of all these differences hold together.

    The largest of their deviations, each over its standard error, is drawn from the normal distribution with this
    covariance of the estimates, always by the same seed (Tukey's and Dunnett's intervals, for estimates that vary
    together as these do). Differences that do not vary hold anyway. Bonferroni's level where the covariance is unknown.

    Examples
    --------
    >>> pairs = [(0, 1), (0, 2), (1, 2)]
    >>> round(each_level(np.eye(3), pairs, 0.95), 3), round(bonferroni(3, 0.95), 3)
    (0.981, 0.983)
    """
    if len(pairs) < 2:
        return level
    if not np.isfinite(covariance).all():
        return bonferroni(len(pairs), level)
    root = _root(covariance)
    contrasts = np.array([root[i] - root[j] for i, j in pairs])
    spread = np.sqrt((contrasts**2).sum(axis=1))
    moving = spread > 1e-9 * max(float(spread.max()), float(np.abs(root).max()))
    if np.count_nonzero(moving) < 2:
        return level
    unit = contrasts[moving] / spread[moving, None]
    rng = np.random.default_rng(SEED)
    largest = np.concatenate(
        [np.abs(unit @ rng.standard_normal((unit.shape[1], BLOCK))).max(axis=0) for _ in range(DRAWS // BLOCK)]
    )
    found = math.erf(float(np.quantile(largest, level)) / math.sqrt(2))
    return min(max(found, level), bonferroni(len(pairs), level))


def _root(covariance: Array) -> Array:
    """A square root whose columns depend on what is estimated, not on the order of the estimates."""
    order = sorted(range(len(covariance)), key=lambda place: _key(covariance, place))
    values, vectors = np.linalg.eigh(covariance[np.ix_(order, order)])
    root = np.empty_like(vectors)
    root[order] = (vectors * np.sqrt(np.clip(values, 0.0, None))) @ vectors.T
    return root


def _key(covariance: Array, place: int) -> tuple[float, ...]:
    """The variance of an estimate and its covariances, to as many digits as rounding leaves alone."""
    scale = float(np.abs(covariance).max()) or 1.0
    shared = sorted((covariance[place] / scale).tolist())
    return tuple(round(each, 9) for each in [float(covariance[place, place] / scale), *shared])


def bonferroni(n: int, level: float) -> float:
    """The level of each of ``n`` intervals that hold together however they are related."""
    return 1 - (1 - level) / n
