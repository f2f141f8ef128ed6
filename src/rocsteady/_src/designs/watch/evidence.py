"""Evidence for a change that may be looked at every day: its chance ever to reach 1/alpha without one is alpha.

Two nulls. *Nothing changed*: the reference and all days have one value. The likelihood of a change by some size from
some day on, over that of none, both of the differences that do not depend on the value itself, is a martingale; so is
its average over sizes and days. The reference's own error is in it, and days before a change make the baseline better.
*Not below the reference by more than a margin, on any day*: for every value c of the reference there is evidence of the
reference against c, and of the days against c less the margin; the least product over c is taken, so that nothing need
be known of c. Days may then vary as they like above the limit.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

SIZES = (0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16)  # of a change, on the scale of the measure
STEPS = tuple(0.01 * 2**each for each in range(9))  # of log-odds, where rows are counted
DISTANCES = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0)  # of the reference from a value, in standard errors
PLACES = np.linspace(-6.0, 4.0, 81)  # values of the reference that are tried, in standard errors
YEAR = 365
HIGHEST = 600.0
LEAST_VARIANCE = 1e-24  # where rows are counted, estimates need not vary


def start_weights(n: int, horizon: int = YEAR) -> Array:
    """Weights of the days on which a change may begin: one half evenly over a year, the other for ever after; sum 1."""
    day = np.arange(1, n + 1, dtype=np.float64)
    weights: Array = np.where(day <= horizon, 1 / (2 * horizon), horizon / (2 * np.maximum(day - 1, 1) * day))
    return weights


def joint_evidence(
    reference: tuple[float, float], found: Array, sizes: Array, *, detector: bool = False, before: Array | None = None
) -> Array:
    """Log evidence after each block that values fell, against one value for reference and all blocks.

    ``reference`` and the lines of ``found`` are estimates with variances. A ``detector`` sums over starts with weight
    one: its mean time to reach a bound without a change is at least the bound. Where ``before`` are given, they stand
    for blocks before a start, and ``found`` for those since then.
    """
    sums, earlier = _running(reference, found), _running(reference, found if before is None else before)
    n = len(found)
    weights = np.ones(n) if detector else start_weights(n)
    logs = np.empty(n)
    for now in range(1, n + 1):
        fall, spread = _fall(sums, earlier, now)
        each = fall[:, None] * sizes / spread[:, None] - sizes**2 / (2 * spread[:, None])
        whole = log_mean(each, axis=1) + np.log(weights[:now])
        left = 0.0 if detector else 1 - weights[:now].sum()
        logs[now - 1] = log_sum(np.append(whole, math.log(left) if left > 0 else -math.inf))
    return logs


def _running(reference: tuple[float, float], found: Array) -> tuple[Array, Array]:
    """Precisions, and estimates weighted by them, summed over the reference and the blocks."""
    estimate, variance = (np.concatenate([[first], column]) for first, column in zip(reference, found.T, strict=True))
    return np.cumsum(1 / variance), np.cumsum(estimate / variance)


def _fall(sums: tuple[Array, Array], earlier: tuple[Array, Array], now: int) -> tuple[Array, Array]:
    """For every start: mean before less mean since, and the variance of that."""
    since = sums[0][now] - sums[0][:now]
    fall: Array = earlier[1][:now] / earlier[0][:now] - (sums[1][now] - sums[1][:now]) / since
    return fall, 1 / earlier[0][:now] + 1 / since


def start_of_fall(reference: tuple[float, float], found: Array) -> int:
    """The block from which on values are most likely lower than before: where the likelihood ratio is largest."""
    known = (reference[0], max(reference[1], LEAST_VARIANCE))
    sums = _running(known, np.column_stack([found[:, 0], np.maximum(found[:, 1], LEAST_VARIANCE)]))
    fall, spread = _fall(sums, sums, len(found))
    return int(np.argmax(np.where(fall > 0, fall**2 / spread, -math.inf)))


def normal_limit_evidence(reference: tuple[float, float], found: Array, sizes: Array, margin: float) -> Array:
    """Log evidence after each block that some values are below the reference by more than a margin; estimates."""
    value, error = reference[0], math.sqrt(reference[1])
    limits = value + PLACES * error
    steps = np.asarray(DISTANCES) / error
    against = log_mean((value - limits)[:, None] * steps - (steps * error) ** 2 / 2, axis=1)
    estimate, variance = found[:, 0, None, None], found[:, 1, None, None]
    below = (limits - margin)[None, :, None] - estimate
    return _least(against, below * sizes / variance - sizes**2 / (2 * variance))


def counted_limit_evidence(reference: tuple[float, float], found: Array, margin: float) -> Array:
    """The same of counted rows: hits and totals, exact for any number of rows, without an assumption on their values.

    Values between 0 and 1 count as hits in part; exp(-s x) is below the chord that Bernoulli's would have.
    """
    hits, total = reference
    share = min(max(hits / total, 0.5 / total), 1 - 0.5 / total)
    error = math.sqrt(share * (1 - share) / total)
    odds = math.log(share / (1 - share)) + PLACES * error / (share * (1 - share))
    limits = 1 / (1 + np.exp(-odds))
    steps = np.asarray(STEPS)
    against = log_mean(steps * hits - total * np.log1p(limits[:, None] * np.expm1(steps)), axis=1)
    lower = np.maximum(limits - margin, 0.0)[None, :, None]
    x, n = found[:, 0, None, None], found[:, 1, None, None]
    return _least(against, -steps * x - n * np.log1p(lower * np.expm1(-steps)))


def _least(against: Array, gains: Array) -> Array:
    """The least over values of the reference, between those tried too: one part rises with the value, the other falls.

    ``gains`` are by block, value and step. Half of the reference's evidence is held back, so that it never vanishes.
    """
    held = np.logaddexp(against, 0.0) - math.log(2)
    held = np.append(np.minimum.accumulate(held), -math.log(2))  # one more, for all values beyond those tried
    weights, (n, _, steps) = start_weights(len(gains)), gains.shape
    grown, left, logs = np.full(gains.shape[1:], -math.inf), 1.0, np.empty(n)
    for now in range(n):
        grown = np.logaddexp(grown, math.log(weights[now] / steps)) + gains[now]
        left -= float(weights[now])
        rest = math.log(max(left, 1e-300))
        whole = np.append(rest, np.logaddexp(log_sum(grown, axis=1), rest))  # the first for all values before them
        logs[now] = float(np.min(held + whole))
    return logs


def gathered(gains: Array) -> Array:
    """Log evidence after each block from gains by block and alternative, for a change from some block on."""
    weights, grown, left, logs = (
        start_weights(len(gains)),
        np.full(gains.shape[1], -math.inf),
        1.0,
        np.empty(len(gains)),
    )
    for now, gain in enumerate(gains):
        grown = np.logaddexp(grown, math.log(weights[now] / gains.shape[1])) + gain
        left -= float(weights[now])
        logs[now] = log_sum(np.append(grown, math.log(max(left, 1e-300))))
    return logs


def log_sum(logs: Array, axis: int | None = None) -> Array:
    """Log of the sum of exponentials."""
    most = np.maximum(np.max(logs, axis=axis, keepdims=True), -HIGHEST)
    with np.errstate(divide="ignore"):
        total: Array = np.log(np.sum(np.exp(logs - most), axis=axis)) + np.squeeze(most, axis=axis)
    return total


def log_mean(logs: Array, axis: int) -> Array:
    """Log of the mean of exponentials."""
    return log_sum(logs, axis=axis) - math.log(logs.shape[axis])
