"""Logistic regression of the outcome on one column of scores, by Newton's method on groups of equal score."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rocsteady.ranked import RankedScores

    Array = NDArray[Any]

PRECISION = 1e-12
MOST_STEPS = 100
MOST_HALVINGS = 40
CHUNK = 1 << 13  # fits the cache, and stays below the length from which BLAS wakes threads for a dot product
COARSE = 20_000  # blocks of a first fit to many groups, which leaves a step or two to the full one
NEXT_IS_EXACT = 1e-7  # Newton squares the error: after a step this small nothing is left to correct


@dataclass(frozen=True, slots=True, eq=False)
class LogisticFit:
    """Estimates (intercept, and slope if fitted) and their covariance; ``converged`` to 1e-12."""

    estimates: Array
    covariance: Array
    converged: bool


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Logits in increasing order, with positives and rows at each; no rows means one each.

    They are counted from ``centre`` in units of ``width``, chunk by chunk: fresh memory costs more than arithmetic.
    """

    logits: Array
    pos: Array
    rows: Array | None = None
    centre: float = 0.0
    width: float = 1.0

    @classmethod
    def of(cls, ranked: RankedScores) -> Groups:
        """Groups of ranked probabilities, none of which is 0 or 1."""
        logits = np.empty(ranked.scores.size)
        for start in range(0, logits.size, CHUNK):
            scores = ranked.scores[start : start + CHUNK].astype(np.float64)
            np.log(scores / (1 - scores), out=logits[start : start + CHUNK])
        if ranked.row_labels is not None:
            return cls(logits, ranked.row_labels)
        pos = ranked.pos.astype(np.float64)
        return cls(logits, pos, pos + ranked.neg)

    def chunks(self) -> Iterator[tuple[Array, Array, Array]]:
        """Logits, positives and rows as floats, in pieces."""
        for start in range(0, self.logits.size, CHUNK):
            piece = slice(start, start + CHUNK)
            logits, pos = self.logits[piece], self.pos[piece].astype(np.float64, copy=False)
            if self.centre or self.width != 1:
                logits = (logits - self.centre) / self.width
            yield logits, pos, np.ones(logits.size) if self.rows is None else self.rows[piece]

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest logit."""
        low, high = ((float(self.logits[place]) - self.centre) / self.width for place in (0, -1))
        return low, high

    def totals(self) -> tuple[float, float]:
        """Positives and rows."""
        rows = float(self.logits.size) if self.rows is None else float(self.rows.sum())
        return float(self.pos.sum(dtype=np.float64)), rows

    def coarse(self) -> Groups:
        """Blocks of neighbouring groups as one group each, at the mean of their logits."""
        size = self.logits.size
        starts = np.linspace(0, size, COARSE, endpoint=False).astype(np.int64)
        pos = np.add.reduceat(self.pos, starts, dtype=np.float64)
        if self.rows is None:
            rows, sums = np.diff(starts, append=size).astype(np.float64), np.add.reduceat(self.logits, starts)
        else:
            rows, sums = np.add.reduceat(self.rows, starts), np.add.reduceat(self.rows * self.logits, starts)
        return Groups((sums / rows - self.centre) / self.width, pos, rows)

    def standard(self) -> Groups:
        """Counted from the mean of the logits in units of their spread."""
        _, total = self.totals()
        centre = math.fsum(rows @ logits for logits, _, rows in self.chunks()) / total
        width = math.sqrt(math.fsum(rows @ (logits - centre) ** 2 for logits, _, rows in self.chunks()) / total)
        return replace(self, centre=centre, width=width)


def fit_intercept(groups: Groups) -> LogisticFit:
    """Fit logit P(y = 1) = a + logits; both classes are present. O(distinct scores) per step.

    The root lies where the most extreme logits would have it, so that a step beyond is replaced by bisection.
    """
    wanted = _log_odds(groups)
    low, high = wanted - groups.ends[1], wanted - groups.ends[0]
    at = fit_intercept(groups.coarse()).estimates[0] if groups.logits.size > 10 * COARSE else (low + high) / 2
    information = np.full((1, 1), np.nan)
    for _ in range(MOST_STEPS):
        gradient, information = _slopes(groups, np.array([at, 1.0]), free=1)
        low, high = (at, high) if gradient[0] > 0 else (low, at)
        step = gradient[0] / information[0, 0] if information[0, 0] > 0 else np.inf
        if abs(step) <= _small_enough(groups) * (1 + abs(at)):
            return LogisticFit(np.array([at + step]), 1 / information, converged=True)
        at = at + step if low < at + step < high else (low + high) / 2
    return LogisticFit(np.array([at]), 1 / information, converged=False)


def fit_line(groups: Groups) -> LogisticFit:
    """Fit logit P(y = 1) = a + b logits; the caller has made sure that logits vary and classes overlap."""
    standard = groups.standard()
    start = np.array([_log_odds(groups), 0.0])
    if groups.logits.size > 10 * COARSE:
        start = _newton(standard.coarse(), start).estimates
    fit = _newton(standard, start)
    back = np.array([[1.0, -standard.centre / standard.width], [0.0, 1 / standard.width]])
    return LogisticFit(back @ fit.estimates, back @ fit.covariance @ back.T, fit.converged)


def log_likelihood(groups: Groups, intercept: float, slope: float) -> float:
    """Sum of the logarithms of the probabilities given to what happened, without overflow."""
    total = 0.0
    for logits, pos, rows in groups.chunks():
        line = intercept + slope * logits
        single = groups.rows is None
        if single:
            np.negative(line, out=line, where=pos < 0.5)  # the logit of what happened
        size = np.abs(line)
        np.negative(size, out=size)
        # log(1 + exp(x)) = max(x, 0) + log(1 + exp(-|x|))
        rest = np.log1p(np.exp(size, out=size), out=size)
        if single:
            total += float(np.minimum(line, 0, out=line).sum() - rest.sum())
        else:
            total += float(pos @ line - rows @ (np.maximum(line, 0) + rest))
    return total


def _small_enough(groups: Groups) -> float:
    """The last step; few groups get one more, so that the covariance too is that of the solution to 1e-12."""
    return NEXT_IS_EXACT if groups.logits.size > 10 * COARSE else PRECISION


def _log_odds(groups: Groups) -> float:
    pos, rows = groups.totals()
    return math.log(pos / (rows - pos))


def _newton(groups: Groups, start: Array) -> LogisticFit:
    """Maximise a concave function of two numbers; a step after which it slopes more than before is halved."""
    at = start
    gradient, information = _slopes(groups, at)
    for _ in range(MOST_STEPS):
        if not np.linalg.det(information) > 0:
            break
        step = np.linalg.solve(information, gradient)
        if np.abs(step).max() <= _small_enough(groups) * (1 + np.abs(at).max()):
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
            probability = np.exp(-at[0] - at[1] * logits)
        probability += 1
        np.reciprocal(probability, out=probability)
        expected = rows * probability
        surplus, spread = pos - expected, expected * (1 - probability)
        sums[0] += surplus.sum()
        sums[2] += spread.sum()
        if free > 1:
            tilted = spread * logits
            sums += (0, surplus @ logits, 0, tilted.sum(), tilted @ logits)
    return sums[:free], np.array([[sums[2], sums[3]], [sums[3], sums[4]]])[:free, :free]
