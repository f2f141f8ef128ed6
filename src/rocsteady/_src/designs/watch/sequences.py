"""Confidence sequences: ends that hold at all looks together, with a probability of at least the level."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.designs.watch.evidence import STEPS, log_mean

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Ends = tuple[Array, Array, Array]

TUNED = 30  # looks after which the ends are closest for their number of rows
HALVINGS = 50


def normal_sequence(estimate: Array, variance: Array, weight: Array, alpha: float) -> Ends:
    """The weighted mean of all values so far, with ends: Robbins' normal mixture, of independent normal estimates.

    It is about the mean of the values themselves, with the same weights: values may differ from look to look.
    """
    total, spread = np.cumsum(weight), np.cumsum(weight**2 * variance)
    mean = np.cumsum(weight * estimate) / total
    bound = math.log(1 / alpha**2)
    tuned = TUNED * spread[0] / (bound + math.log(1 + bound))
    reach = np.sqrt((spread + tuned) * (np.log1p(spread / tuned) + bound)) / total
    return mean, mean - reach, mean + reach


def counted_sequence(hits: Array, total: Array, alpha: float) -> Ends:
    """The share of hits so far, with ends: exact for rows between 0 and 1, whatever their means from look to look.

    A mixture over steps of log-odds of exp(s x) / (1 - p + p exp(s)) per row; by concavity the mean of the means may
    stand for each of them.
    """
    x, n = np.cumsum(hits), np.cumsum(total)
    mean = np.divide(x, n, out=np.full(x.shape, math.nan), where=n > 0)
    steps = np.concatenate([-np.asarray(STEPS), np.asarray(STEPS)])
    limit = math.log(1 / alpha)

    def refuted(p: Array) -> NDArray[np.bool_]:
        logs = steps * x[:, None] - n[:, None] * np.log1p(p[:, None] * np.expm1(steps))
        return np.asarray(log_mean(logs, axis=1) >= limit)

    low = _end(refuted, np.zeros_like(x), np.nan_to_num(mean, nan=0.5))
    high = _end(refuted, np.ones_like(x), np.nan_to_num(mean, nan=0.5))
    return mean, low, high


def _end(refuted: Callable[[Array], NDArray[np.bool_]], outer: Array, inner: Array) -> Array:
    """The place between a refuted end and one that is not; the end itself where it is not refuted."""
    far, near, open_end = outer.copy(), inner.copy(), ~refuted(outer)
    for _ in range(HALVINGS):
        middle = (far + near) / 2
        out = refuted(middle)
        far, near = np.where(out, middle, far), np.where(out, near, middle)
    return np.where(open_end, outer, far)


def divergence_ends(hits: float, total: float, alpha: float) -> tuple[float, float]:
    """Ends of a mean of rows between 0 and 1, by Chernoff's bound with Bernoulli's divergence: exact for few rows."""
    if not total:
        return 0.0, 1.0
    mean, limit = hits / total, math.log(2 / alpha) / total

    def far(p: float) -> bool:
        return _divergence(mean, p) > limit

    return _halved(far, 0.0, mean), _halved(far, 1.0, mean)


def _divergence(q: float, p: float) -> float:
    up = q * math.log(q / p) if q > 0 and p > 0 else math.inf if q > 0 else 0.0
    down = (1 - q) * math.log((1 - q) / (1 - p)) if q < 1 and p < 1 else math.inf if q < 1 else 0.0
    return up + down


def _halved(far: Callable[[float], bool], outer: float, inner: float) -> float:
    if not far(outer):
        return outer
    for _ in range(HALVINGS):
        middle = (outer + inner) / 2
        outer, inner = (middle, inner) if far(middle) else (outer, middle)
    return outer
