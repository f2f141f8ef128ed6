"""Limits of a share of independent rows at any normal score, for arrays of counts: mid-p and Wilson."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.inference.intervals.beta import beta_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

STEPS = 60
CLOSE = 1e-14
EXACT_BELOW = 1e8  # from here on the two exact limits agree to more digits than the sums in between


def mid_p_limits(hits: Array, total: Array, score: Array) -> Array:
    """The share at which half the chance of ``hits`` and all of more is that of a normal below ``score``.

    A score of -1.96 gives the lower limit of a 95% interval, 1.96 the upper one. Counts need not be whole; without
    rows a share can be anything.

    Examples
    --------
    >>> mid_p_limits(np.array([20.0, 19.0]), np.array([20.0, 20.0]), np.array([-1.96, 1.96])).round(4).tolist()
    [0.8609, 0.9975]
    """
    from scipy.special import ndtr

    hits, total, score = np.broadcast_arrays(hits, total, np.asarray(score, dtype=np.float64))
    low, high = _exact_limits(hits, total, ndtr(score))
    inside = (hits > 0) & (hits < total) & (np.minimum(hits, total - hits) < EXACT_BELOW)
    found = np.where(hits <= 0, low, np.where(hits >= total, high, (low + high) / 2))
    found[inside] = _between(hits[inside], total[inside], ndtr(score[inside]), low[inside], high[inside])
    return np.where(total > 0, found, np.where(score < 0, 0.0, 1.0))


def wilson_limits(hits: Array, total: Array, score: Array) -> Array:
    """Wilson's limits, in the same form.

    Examples
    --------
    >>> wilson_limits(np.array([20.0, 19.0]), np.array([20.0, 20.0]), np.array([-1.96, 1.96])).round(4).tolist()
    [0.8389, 0.9911]
    """
    hits, total, score = np.broadcast_arrays(hits, total, np.asarray(score, dtype=np.float64))
    rows, square = np.where(total > 0, total, 1.0), score * score
    spread = hits * (rows - hits) / rows + square / 4
    found = (hits + square / 2 + score * np.sqrt(np.maximum(spread, 0.0))) / (rows + square)
    return np.where(total > 0, np.clip(found, 0.0, 1.0), np.where(score < 0, 0.0, 1.0))


def _exact_limits(hits: Array, total: Array, below: Array) -> tuple[Array, Array]:
    """Where all the chance of ``hits``, or none of it, is counted; of no hit or all of them, where half of it is."""
    some, rest = hits > 0, hits < total
    one, two = np.where(some & rest, hits, 1.0), np.where(some & rest, total - hits, 1.0)
    low, high = beta_quantile(one, two + 1, below), beta_quantile(one + 1, two, below)
    rows = np.where(total > 0, total, 1.0)
    none = -np.expm1(np.log(np.minimum(2 * (1 - below), 1.0), where=below < 1, out=np.full(rows.shape, -np.inf)) / rows)
    every = np.exp(np.log(np.minimum(2 * below, 1.0), where=below > 0, out=np.full(rows.shape, -np.inf)) / rows)
    return np.where(some, low, none + 0.0), np.where(rest, high, every)


def _between(hits: Array, total: Array, below: Array, low: Array, high: Array) -> Array:
    """Close in on the limit by the Illinois rule, from the two exact ones."""
    from scipy.special import betainc

    def excess(share: Array) -> Array:
        rest = total - hits
        off: Array = (betainc(hits + 1, rest, share) + betainc(hits, rest + 1, share)) / 2 - below
        return off

    at_low, at_high, before = excess(low), excess(high), np.zeros(low.shape)
    middle = (low + high) / 2
    for _ in range(STEPS):
        with np.errstate(divide="ignore", invalid="ignore"):
            middle = high - at_high * (high - low) / (at_high - at_low)
        middle = np.where((middle >= low) & (middle <= high), middle, (low + high) / 2)
        at = excess(middle)
        side = np.sign(at)
        if np.all((np.abs(at) < CLOSE) | (high - low < CLOSE * middle)):
            break
        again = side == before  # the end that stays twice counts half
        at_low = np.where(side < 0, at, np.where(again, at_low / 2, at_low))
        at_high = np.where(side > 0, at, np.where(again, at_high / 2, at_high))
        low, high, before = np.where(side < 0, middle, low), np.where(side > 0, middle, high), side
    return middle
