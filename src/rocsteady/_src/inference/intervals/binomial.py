"""Bounds of a share of independent rows, by formula."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.inference.intervals.beta import beta_quantile
from rocsteady._src.inference.intervals.normal import quantile_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Bounds = tuple[NDArray[np.float64], NDArray[np.float64]]


def bounds_of(hits: NDArray[np.float64], total: NDArray[np.float64], level: float, method: str) -> Bounds:
    """Lower and upper bounds; counts need not be whole. Exact ends where nothing or all was hit, NaN without rows."""
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = _BOUNDS[method](hits, total, level)
    low = np.where(hits == 0, 0.0, np.clip(low, 0.0, 1.0))
    high = np.where(hits == total, 1.0, np.clip(high, 0.0, 1.0))
    return np.where(total > 0, low, np.nan), np.where(total > 0, high, np.nan)


def _wilson(hits: NDArray[np.float64], n: NDArray[np.float64], level: float) -> Bounds:
    z = quantile_of(level)
    centre = (hits + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * np.sqrt(hits * (n - hits) / n + z * z / 4)
    return centre - half, centre + half


def _agresti_coull(hits: NDArray[np.float64], n: NDArray[np.float64], level: float) -> Bounds:
    z = quantile_of(level)
    return _wald(hits + z * z / 2, n + z * z, level)


def _wald(hits: NDArray[np.float64], n: NDArray[np.float64], level: float) -> Bounds:
    share = hits / n
    half = quantile_of(level) * np.sqrt(share * (1 - share) / n)
    return share - half, share + half


def _clopper_pearson(hits: NDArray[np.float64], n: NDArray[np.float64], level: float) -> Bounds:
    return _beta_tails((hits, n - hits + 1), (hits + 1, n - hits), level)


def _jeffreys(hits: NDArray[np.float64], n: NDArray[np.float64], level: float) -> Bounds:
    posterior = hits + 0.5, n - hits + 0.5
    return _beta_tails(posterior, posterior, level)


def _beta_tails(lower: Bounds, upper: Bounds, level: float) -> Bounds:
    tail = (1 - level) / 2
    return beta_quantile(*lower, tail), beta_quantile(*upper, 1 - tail)


_BOUNDS: dict[str, Callable[..., Bounds]] = {
    "wilson": _wilson,
    "clopper-pearson": _clopper_pearson,
    "jeffreys": _jeffreys,
    "agresti-coull": _agresti_coull,
    "wald": _wald,
}
