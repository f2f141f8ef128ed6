"""Logistic regression of the outcome on one column of scores, by Newton's method on groups of equal score."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.exact import dot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

    Array = NDArray[Any]

PRECISION = 1e-12
MOST_STEPS = 100
MOST_HALVINGS = 40
CHUNK = 1 << 13  # fits the cache, and stays below the length from which BLAS wakes threads for a dot product
COARSE = (50_000, 2_000)  # blocks of first fits to many groups, which leave a step or two to the full one
MULTIPLIED = 512
LARGEST = 700.0  # log-odds whose exponential is a double
NOTHING_IS_LEFT = 1e-7  # Newton squares the error
NEXT_IS_EXACT = 2e-6  # Newton squares the error: after a step this small about 1e-11 is left


@dataclass(frozen=True, slots=True, eq=False)
class LogisticFit:
    """Estimates (intercept, and slope if fitted), their covariance, and for a line the log-likelihood reached."""

    estimates: Array
    covariance: Array
    converged: bool
    log_likelihood: float = math.nan


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
            scores = ranked.doubles[start : start + CHUNK]
            np.log(scores / (1 - scores), out=logits[start : start + CHUNK])
        if ranked.row_labels is not None:
            return cls(logits, ranked.row_labels)
        pos = ranked.pos.astype(np.float64)
        return cls(logits, pos, pos + ranked.neg)

    def chunks(self) -> Iterator[tuple[Array, Array, Array | None]]:
        """Logits, positives and rows as floats, in pieces; no rows means one each."""
        for start in range(0, self.logits.size, CHUNK):
            piece = slice(start, start + CHUNK)
            logits, pos = self.logits[piece], self.pos[piece].astype(np.float64, copy=False)
            if self.centre or self.width != 1:
                logits = (logits - self.centre) / self.width
            yield logits, pos, None if self.rows is None else self.rows[piece]

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest logit."""
        low, high = ((float(self.logits[place]) - self.centre) / self.width for place in (0, -1))
        return low, high

    def totals(self) -> tuple[float, float]:
        """Positives and rows."""
        rows = float(self.logits.size) if self.rows is None else float(self.rows.sum())
        return float(self.pos.sum(dtype=np.float64)), rows

    def coarse(self, n_blocks: int) -> Groups:
        """Blocks of neighbouring groups as one group each, at the mean of their logits."""
        size = self.logits.size
        starts = np.linspace(0, size, n_blocks, endpoint=False).astype(np.int64)
        pos = np.add.reduceat(self.pos, starts, dtype=np.float64)
        if self.rows is None:
            rows, sums = np.diff(starts, append=size).astype(np.float64), np.add.reduceat(self.logits, starts)
        else:
            rows, sums = np.add.reduceat(self.rows, starts), np.add.reduceat(self.rows * self.logits, starts)
        return Groups(sums / rows, pos, rows)

    def levels(self) -> tuple[Groups, ...]:
        """The groups last, before them coarser ones whose solution is a good start."""
        found = [self]
        for n_blocks in COARSE:
            if found[0].logits.size > 10 * n_blocks:
                found.insert(0, found[0].coarse(n_blocks))
        return tuple(found)

    def mean_and_spread(self) -> tuple[float, float]:
        """Of the logits."""
        rows = np.ones(self.logits.size) if self.rows is None else self.rows
        centre = float(dot(rows, self.logits) / rows.sum())
        return centre, math.sqrt(float(dot(rows, (self.logits - centre) ** 2) / rows.sum()))


def fit_intercept(levels: tuple[Groups, ...]) -> LogisticFit:
    """Fit logit P(y = 1) = a + logits; both classes are present. O(distinct scores) per step."""
    at = None
    for groups in levels:
        fit = _fit_intercept(groups, at, _small_enough(groups, levels))
        at = float(fit.estimates[0])
    return fit


def _fit_intercept(groups: Groups, at: float | None, enough: float) -> LogisticFit:
    """The root lies where the most extreme logits would have it, so that a step beyond is replaced by bisection."""
    wanted = _log_odds(groups)
    low, high = wanted - groups.ends[1], wanted - groups.ends[0]
    at = (low + high) / 2 if at is None else at
    information = np.full((1, 1), np.nan)
    for _ in range(MOST_STEPS):
        gradient, information, _ = _slopes(groups, np.array([at, 1.0]), free=1)
        low, high = (at, high) if gradient[0] > 0 else (low, at)
        step = gradient[0] / information[0, 0] if information[0, 0] > 0 else np.inf
        if abs(step) <= enough * (1 + abs(at)):
            return LogisticFit(np.array([at + step]), 1 / information, converged=True)
        at = at + step if low < at + step < high else (low + high) / 2
    return LogisticFit(np.array([at]), 1 / information, converged=False)


def fit_line(levels: tuple[Groups, ...]) -> LogisticFit:
    """Fit logit P(y = 1) = a + b logits; the caller has made sure that logits vary and classes overlap.

    Logits are counted from about their mean in units of about their spread.
    """
    centre, width = levels[0].mean_and_spread()
    at = np.array([_log_odds(levels[0]), 0.0])
    for groups in levels:
        fit = _newton(replace(groups, centre=centre, width=width), at, _small_enough(groups, levels))
        at = fit.estimates
    back = np.array([[1.0, -centre / width], [0.0, 1 / width]])
    return replace(fit, estimates=back @ fit.estimates, covariance=back @ fit.covariance @ back.T)


def line_slopes(logits: Array, pos: Array, rows: Array) -> Array:
    """Slope of each of several samples, a line each, which differ in positives and rows at each of their logits.

    As :func:`fit_line`, all at once; NaN where it is not reached. ``logits`` are a line for each sample, or one for
    all. Calibrated scores have a slope of 1, from where most are near; others begin once more without a slope.
    """
    centre, width = logits.mean(axis=-1, keepdims=True), logits.std(axis=-1, keepdims=True)
    x = np.broadcast_to((logits - centre) / width, pos.shape)
    calibrated = np.broadcast_to(np.concatenate([centre, width], axis=-1), (len(pos), 2))
    found = _lines_from(calibrated, x, pos, rows)
    lost = np.flatnonzero(np.isnan(found))
    if lost.size:
        total = pos[lost].sum(axis=1)
        flat = np.column_stack([np.log(total / (rows[lost].sum(axis=1) - total)), np.zeros(lost.size)])
        found[lost] = _lines_from(flat, x[lost], pos[lost], rows[lost])
    slopes: Array = found / np.broadcast_to(width[..., 0], found.shape)
    return slopes


def _lines_from(at: Array, x: Array, pos: Array, rows: Array) -> Array:
    """The slope of each line by Newton's method, all at once."""
    step, sloped = np.zeros(at.shape), np.full(len(at), np.inf)
    found, open_lines = np.full(len(at), np.nan), np.arange(len(at))
    for _ in range(MOST_STEPS):
        gradient, solved = _newton_steps(at + step, x, pos, rows)
        beyond = np.abs((gradient * step).sum(axis=1)) > sloped  # a step after which it slopes more is halved
        at = np.where(beyond[:, None], at, at + step)
        step = np.where(beyond[:, None], step / 2, solved)
        sloped = np.where(beyond, sloped, np.abs((gradient * solved).sum(axis=1)))
        near = ~beyond & (np.abs(step).max(axis=1) <= NOTHING_IS_LEFT * (1 + np.abs(at).max(axis=1)))
        left = ~near & ~np.isnan(step[:, 0])
        if left.all():
            continue
        found[open_lines[near]] = (at + step)[near, 1]
        if not left.any():
            break
        open_lines, at, step, sloped, x, pos, rows = (
            each[left] for each in (open_lines, at, step, sloped, x, pos, rows)
        )
    return found


def _newton_steps(at: Array, x: Array, pos: Array, rows: Array) -> tuple[Array, Array]:
    """Gradient and step of each line; few lines are many calls of little work, so that arrays are used again."""
    probability = -at[:, 1:] * x
    probability -= at[:, :1]
    np.exp(np.minimum(probability, LARGEST, out=probability), out=probability)
    probability += 1
    np.divide(1, probability, out=probability)
    expected = rows * probability
    left = pos - expected
    up, along = left.sum(axis=1), np.einsum("ln,ln->l", left, x)
    expected -= np.multiply(expected, probability, out=probability)
    first = expected.sum(axis=1)
    expected *= x
    mixed, last = expected.sum(axis=1), np.einsum("ln,ln->l", expected, x)
    determinant = first * last - mixed**2
    determinant[~(determinant > 0)] = np.nan
    solved = np.column_stack([last * up - mixed * along, first * along - mixed * up])
    solved /= determinant[:, None]
    return np.column_stack([up, along]), solved


def _small_enough(groups: Groups, levels: tuple[Groups, ...]) -> float:
    """The last step; few groups get one more, so that the covariance too is that of the solution to 1e-12."""
    coarse = groups is not levels[-1]
    return NEXT_IS_EXACT if coarse or groups.logits.size > 10 * COARSE[0] else PRECISION


def _log_odds(groups: Groups) -> float:
    pos, rows = groups.totals()
    return math.log(pos / (rows - pos))


def _newton(groups: Groups, start: Array, enough: float) -> LogisticFit:
    """Maximise a concave function of two numbers; a step after which it slopes more than before is halved."""
    at = start
    gradient, information, height = _slopes(groups, at)
    for _ in range(MOST_STEPS):
        if not np.linalg.det(information) > 0:
            break
        step = np.linalg.solve(information, gradient)
        if np.abs(step).max() <= enough * (1 + np.abs(at).max()):
            # Along so small a step the log-likelihood is a parabola.
            top = height + float(gradient @ step) / 2
            return LogisticFit(at + step, np.linalg.inv(information), converged=True, log_likelihood=top)
        for _ in range(MOST_HALVINGS):
            there, there_information, there_height = _slopes(groups, at + step)
            if abs(there @ step) <= abs(gradient @ step):
                break
            step = step / 2
        at, gradient, information, height = at + step, there, there_information, there_height
    return LogisticFit(at, np.full((2, 2), np.nan), converged=False)


def _slopes(groups: Groups, at: Array, free: int = 2) -> tuple[Array, Array, float]:
    """First and minus second derivatives of the log-likelihood by intercept and slope, and itself.

    With ``free=1`` by the intercept alone, and without the log-likelihood.
    """
    sums, height = np.zeros(5), 0.0
    for logits, pos, rows in groups.chunks():
        line = at[0] + at[1] * logits
        with np.errstate(over="ignore"):
            probability = np.exp(-line)
        probability += 1
        np.reciprocal(probability, out=probability)
        expected = probability if rows is None else rows * probability
        surplus, spread = pos - expected, expected * (1 - probability)
        sums[0] += surplus.sum()
        sums[2] += spread.sum()
        if free > 1:
            tilted = spread * logits
            sums += (0, surplus @ logits, 0, tilted.sum(), tilted @ logits)
            height += _height(line, probability, pos, rows)
    return sums[:free], np.array([[sums[2], sums[3]], [sums[3], sums[4]]])[:free, :free], height


def _height(line: Array, probability: Array, pos: Array, rows: Array | None) -> float:
    """Sum of the logarithms of the probabilities given to what happened.

    log p = min(x, 0) - log(1 + exp(-|x|)), and 1 / (1 + exp(-|x|)) is the larger of p and 1 - p.
    """
    likelier, lower = np.maximum(probability, 1 - probability), np.minimum(line, 0)
    if rows is None:
        return _sum_of_logs(likelier) + float(pos @ lower + (1 - pos) @ (lower - line))
    return float(rows @ np.log(likelier) + pos @ lower + (rows - pos) @ (lower - line))


def _sum_of_logs(values: Array) -> float:
    """Of numbers from 1/2 to 1: so many can be multiplied without leaving the range of floats, and that is quicker."""
    whole = values.size - values.size % MULTIPLIED
    products = np.multiply.reduce(values[:whole].reshape(-1, MULTIPLIED), axis=1)
    return float(np.log(products).sum() + np.log(values[whole:]).sum())
