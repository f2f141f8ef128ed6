"""Curves on the logit scale: restricted cubic splines, powers, and the logistic regression of the outcome on them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.exact import dot
from rocsteady._src.inference.units.units import Units, unbiased
from rocsteady._src.probabilities.calibration.logistic import MOST_HALVINGS, MOST_STEPS, PRECISION, LogisticFit
from rocsteady._src.probabilities.calibration.subjects import row_scores

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores, Rows

    Array = NDArray[Any]

FEW_ROWS, FROM_END = 100, 5  # below so many rows the outer knots are the fifth value from each end
SINGULAR = 1e-13


@dataclass(frozen=True, slots=True, eq=False)
class LogitCurve:
    """logit P(y = 1) = terms of the logit of the score, times estimates with a covariance; NaN where it is unknown."""

    terms: Callable[[Array], Array]
    fit: LogisticFit

    def factor(self, scores: Array) -> Array:
        """Lines whose products are the covariance of the curve at these scores."""
        values, vectors = np.linalg.eigh(self.fit.covariance)
        found: Array = self.terms(logits_of(scores)) @ (vectors * np.sqrt(np.maximum(values, 0.0)))
        return found

    def curve(self, scores: Array, reach: float) -> tuple[Array, Array, Array]:
        """The curve at these scores, and its limits so many standard errors away."""
        line = self.terms(logits_of(scores)) @ self.fit.estimates
        known = not np.isnan(self.fit.covariance).any()
        off = reach * np.sqrt((self.factor(scores) ** 2).sum(1)) if known else np.full(line.size, math.nan)
        return expit(line), expit(line - off), expit(line + off)


def logits_of(scores: Array) -> Array:
    """Log-odds of probabilities that are neither 0 nor 1."""
    found: Array = np.log(scores / (1 - scores))
    return found


def expit(line: Array) -> Array:
    """Probabilities of log-odds."""
    with np.errstate(over="ignore"):
        found: Array = 1 / (1 + np.exp(-line))
    return found


def knots_of(logits: Array, counts: Array, n_knots: int) -> Array:
    """Knots at quantiles of the rows, as ``rcspline.eval`` of the R package Hmisc puts them; equal ones are one.

    From 5% to 95%, with three knots from 10% to 90%.
    """
    outer = 0.1 if n_knots == 3 else 0.05
    knots = quantiles_of_counts(logits, counts, np.linspace(outer, 1 - outer, n_knots))
    ends, total = np.cumsum(counts), float(counts.sum())
    if total < FEW_ROWS:
        knots[0] = logits[ends.searchsorted(min(FROM_END, total))]
        knots[-1] = logits[ends.searchsorted(max(total - FROM_END + 1, 1))]
    kept: Array = knots[np.append(True, np.diff(knots) > 0)]
    return kept


def quantiles_of_counts(values: Array, counts: Array, shares: Array) -> Array:
    """Quantiles (R's type 7) of increasing values that occur so many times; of weights, the value that reaches them."""
    ends, total = np.cumsum(counts), float(counts.sum())
    if not np.equal(np.mod(counts, 1), 0).all():
        weighted: Array = values[np.minimum(ends.searchsorted(shares * total), values.size - 1)]
        return weighted
    place = shares * (total - 1)
    below = np.floor(place)
    first, second = (values[np.minimum(ends.searchsorted(at + 1), values.size - 1)] for at in (below, np.ceil(place)))
    found: Array = first + (place - below) * (second - first)
    return found


def spline_terms(knots: Array) -> Callable[[Array], Array]:
    """Columns of a restricted cubic spline: 1, the logit, and cubes that are lines beyond the outer knots."""

    def terms(logits: Array) -> Array:
        def cubes(knot: float) -> Array:
            found: Array = np.maximum(logits - knot, 0.0) ** 3
            return found

        last, before = float(knots[-1]), float(knots[-2])
        unit = (last - float(knots[0])) ** 2
        bent = [
            cubes(knot) - (cubes(before) * (last - knot) - cubes(last) * (before - knot)) / (last - before)
            for knot in knots[:-2].tolist()
        ]
        return np.column_stack([np.ones(logits.size), logits, *(each / unit for each in bent)])

    return terms


def power_terms(degree: int) -> Callable[[Array], Array]:
    """Columns of a polynomial of the logit."""
    return lambda logits: np.vander(logits, degree + 1, increasing=True)


def fit_terms(ranked: RankedScores, terms: Callable[[Array], Array]) -> LogisticFit:
    """Maximum likelihood by Newton's method on groups of equal score; columns are scaled to a like size."""
    columns = terms(logits_of(ranked.doubles))
    pos = ranked.pos.astype(np.float64)
    rows = pos + ranked.neg
    basis, turn = np.linalg.qr(columns * np.sqrt(rows)[:, None])
    sizes = np.abs(np.diag(turn))
    if not sizes.min() > SINGULAR * sizes.max():
        return _unknown(columns.shape[1])
    scaled = basis / np.sqrt(rows)[:, None] * math.sqrt(float(rows.sum()))
    fit = _newton(scaled, pos, rows)
    back = np.linalg.inv(turn) * math.sqrt(float(rows.sum()))
    return replace(fit, estimates=back @ fit.estimates, covariance=back @ fit.covariance @ back.T)


def _newton(columns: Array, pos: Array, rows: Array) -> LogisticFit:
    at = np.linalg.lstsq(columns, np.full(rows.size, math.log(pos.sum() / (rows.sum() - pos.sum()))), rcond=None)[0]
    height = log_likelihood(columns @ at, pos, rows)
    for _ in range(MOST_STEPS):
        risk = expit(columns @ at)
        gradient = columns.T @ (pos - rows * risk)
        information = (columns * (rows * risk * (1 - risk))[:, None]).T @ columns
        if not np.linalg.cond(information) < 1 / SINGULAR:
            return _unknown(at.size)
        step = np.linalg.solve(information, gradient)
        if np.abs(step).max() <= PRECISION * (1 + np.abs(at).max()):
            covariance = np.linalg.inv(information)
            return LogisticFit(at + step, covariance, converged=True, log_likelihood=height)
        for _ in range(MOST_HALVINGS):
            there = log_likelihood(columns @ (at + step), pos, rows)
            if there >= height - abs(height) * PRECISION:
                break
            step = step / 2
        at, height = at + step, there
    return _unknown(at.size)


def log_likelihood(line: Array, pos: Array, rows: Array) -> float:
    """Of outcomes whose log-odds are ``line``; log P = min(x, 0) - log(1 + exp(-|x|))."""
    rest = np.log1p(np.exp(-np.abs(line)))
    lower = np.minimum(line, 0.0)
    return float(dot(pos, lower) + dot(rows - pos, lower - line) - dot(rows, rest))


def _unknown(size: int) -> LogisticFit:
    return LogisticFit(np.full(size, math.nan), np.full((size, size), math.nan), converged=False)


def by_units(curve: LogitCurve, rows: Rows) -> LogitCurve:
    """The curve with the covariance that subjects, or sampled rows, give it, times n / (n - 1) of them."""
    columns = curve.terms(logits_of(row_scores(rows)))
    pulls = (rows.positive - expit(columns @ curve.fit.estimates)) * columns.T
    by_subject, _ = Units.of(rows).sums_by_subject_and_row(pulls)
    covariance = unbiased(rows.n_clusters) * curve.fit.covariance @ by_subject @ curve.fit.covariance
    return replace(curve, fit=replace(curve.fit, covariance=covariance))
