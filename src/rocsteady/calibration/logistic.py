"""Logistic regression of the outcome on one column of scores, by Newton's method on groups of equal score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Array = NDArray[Any]

PRECISION = 1e-12
MOST_STEPS = 100
MOST_HALVINGS = 40
CHUNK = 1 << 13  # fits the cache, and stays below the length from which BLAS wakes threads for a dot product
COARSE = 2000  # blocks of a first fit to many groups, which leaves two or three steps to the full one


@dataclass(frozen=True, slots=True, eq=False)
class LogisticFit:
    """Estimates (intercept, and slope if fitted) and their covariance; ``converged`` to 1e-12."""

    estimates: Array
    covariance: Array
    converged: bool


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Logits in increasing order, with positives and rows at each, as floats."""

    logits: Array
    pos: Array
    rows: Array

    def chunks(self) -> Iterator[tuple[Array, Array, Array]]:
        """The same in pieces."""
        for start in range(0, self.logits.size, CHUNK):
            piece = slice(start, start + CHUNK)
            yield self.logits[piece], self.pos[piece], self.rows[piece]

    def coarse(self) -> Groups:
        """Blocks of neighbouring groups as one group each, at the mean of their logits."""
        starts = np.linspace(0, self.logits.size, COARSE, endpoint=False).astype(np.int64)
        rows = np.add.reduceat(self.rows, starts)
        return Groups(np.add.reduceat(self.rows * self.logits, starts) / rows, np.add.reduceat(self.pos, starts), rows)

    def moved(self, centre: float, width: float) -> Groups:
        """Logits counted from ``centre`` in units of ``width``."""
        return Groups((self.logits - centre) / width, self.pos, self.rows)


def fit_intercept(groups: Groups) -> LogisticFit:
    """Fit logit P(y = 1) = a + logits; both classes are present. O(distinct scores) per step.

    The root lies where the most extreme logits would have it, so that a step beyond is replaced by bisection.
    """
    wanted = _log_odds(groups)
    low, high = wanted - float(groups.logits[-1]), wanted - float(groups.logits[0])
    at = fit_intercept(groups.coarse()).estimates[0] if groups.logits.size > 10 * COARSE else (low + high) / 2
    information = np.full((1, 1), np.nan)
    for _ in range(MOST_STEPS):
        gradient, information = _slopes(groups, np.array([at, 1.0]), free=1)
        low, high = (at, high) if gradient[0] > 0 else (low, at)
        step = gradient[0] / information[0, 0] if information[0, 0] > 0 else np.inf
        if abs(step) <= PRECISION * (1 + abs(at)):
            return LogisticFit(np.array([at + step]), 1 / information, converged=True)
        at = at + step if low < at + step < high else (low + high) / 2
    return LogisticFit(np.array([at]), 1 / information, converged=False)


def fit_line(groups: Groups) -> LogisticFit:
    """Fit logit P(y = 1) = a + b logits; the caller has made sure that logits vary and classes overlap."""
    total = groups.rows.sum()
    centre = float(groups.rows @ groups.logits / total)
    width = float(np.sqrt(groups.rows @ (groups.logits - centre) ** 2 / total))
    standard = groups.moved(centre, width)
    start = np.array([_log_odds(groups), 0.0])
    if groups.logits.size > 10 * COARSE:
        start = _newton(standard.coarse(), start).estimates
    fit = _newton(standard, start)
    back = np.array([[1.0, -centre / width], [0.0, 1 / width]])
    return LogisticFit(back @ fit.estimates, back @ fit.covariance @ back.T, fit.converged)


def log_likelihood(groups: Groups, intercept: float, slope: float) -> float:
    """Sum of the logarithms of the probabilities given to what happened, without overflow."""
    total = 0.0
    for logits, pos, rows in groups.chunks():
        line = intercept + slope * logits
        # log(1 + exp(x)) = max(x, 0) + log(1 + exp(-|x|))
        total += float(pos @ line - rows @ (np.maximum(line, 0) + np.log1p(np.exp(-np.abs(line)))))
    return total


def _log_odds(groups: Groups) -> float:
    pos = groups.pos.sum()
    return float(np.log(pos / (groups.rows - groups.pos).sum()))


def _newton(groups: Groups, start: Array) -> LogisticFit:
    """Maximise a concave function of two numbers; a step after which it slopes more than before is halved."""
    at = start
    gradient, information = _slopes(groups, at)
    for _ in range(MOST_STEPS):
        if not np.linalg.det(information) > 0:
            break
        step = np.linalg.solve(information, gradient)
        if np.abs(step).max() <= PRECISION * (1 + np.abs(at).max()):
            return LogisticFit(at + step, np.linalg.inv(information), converged=True)
        for _ in range(MOST_HALVINGS):
            there, there_information = _slopes(groups, at + step)
            if abs(there @ step) <= abs(gradient @ step):
                break
            step = step / 2
        at, gradient, information = at + step, there, there_information
    return LogisticFit(at, np.full((2, 2), np.nan), converged=False)


def _slopes(groups: Groups, at: Array, free: int = 2) -> tuple[Array, Array]:
    """First and minus second derivatives of the log-likelihood by the first ``free`` of intercept and slope."""
    sums = np.zeros(5)
    for logits, pos, rows in groups.chunks():
        with np.errstate(over="ignore"):
            probability = 1 / (1 + np.exp(-at[0] - at[1] * logits))
        expected = rows * probability
        surplus, spread = pos - expected, expected * (1 - probability)
        sums[0] += surplus.sum()
        sums[2] += spread.sum()
        if free > 1:
            tilted = spread * logits
            sums += (0, surplus @ logits, 0, tilted.sum(), tilted @ logits)
    return sums[:free], np.array([[sums[2], sums[3]], [sums[3], sums[4]]])[:free, :free]
