"""Logistic regression of the outcome on one column of scores, by Newton's method on groups of equal score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Array = NDArray[Any]

PRECISION = 1e-12
MOST_STEPS = 100
MOST_HALVINGS = 40


@dataclass(frozen=True, slots=True, eq=False)
class LogisticFit:
    """Estimates (intercept, and slope if fitted), their covariance, log-likelihood; ``converged`` to 1e-12."""

    estimates: Array
    covariance: Array
    log_likelihood: float
    converged: bool


def fit_intercept(logits: Array, pos: Array, neg: Array) -> LogisticFit:
    """Fit logit P(y = 1) = a + logits. O(distinct scores) per step, some five steps."""
    return _newton(lambda a: a[0] + logits, np.ones((1, logits.size)), pos, neg)


def fit_line(logits: Array, pos: Array, neg: Array) -> LogisticFit:
    """Fit logit P(y = 1) = a + b logits; the caller has made sure that logits vary and classes overlap."""
    both = pos + neg
    centre = float(both @ logits / both.sum())
    width = float(np.sqrt(both @ (logits - centre) ** 2 / both.sum()))
    standard = (logits - centre) / width
    fit = _newton(lambda b: b[0] + b[1] * standard, np.stack([np.ones(logits.size), standard]), pos, neg)
    back = np.array([[1.0, -centre / width], [0.0, 1 / width]])
    covariance = back @ fit.covariance @ back.T
    return LogisticFit(back @ fit.estimates, covariance, fit.log_likelihood, fit.converged)


def log_likelihood(logits: Array, pos: Array, neg: Array) -> float:
    """Sum of the logarithms of the probabilities given to what happened, without overflow."""
    # log(1 + exp(-|x|)) serves both classes, as log(1 + exp(x)) = max(x, 0) + log(1 + exp(-|x|)).
    tail = np.log1p(np.exp(-np.abs(logits)))
    return -float(pos @ (np.maximum(-logits, 0) + tail) + neg @ (np.maximum(logits, 0) + tail))


def _newton(line: Callable[[Array], Array], design: Array, pos: Array, neg: Array) -> LogisticFit:
    both = pos + neg
    at = np.zeros(len(design))
    value = log_likelihood(line(at), pos, neg)
    converged = False
    for _ in range(MOST_STEPS):
        gradient, information = _slopes(line(at), design, pos, both)
        step = np.linalg.solve(information, gradient)
        at, value = _climb(line, at, step, value, pos, neg)
        converged = bool(np.abs(step).max() <= PRECISION * (1 + np.abs(at).max()))
        if converged:
            break
    _, information = _slopes(line(at), design, pos, both)
    return LogisticFit(at, np.linalg.inv(information), value, converged)


def _slopes(logits: Array, design: Array, pos: Array, both: Array) -> tuple[Array, Array]:
    """First and minus second derivatives of the log-likelihood."""
    from scipy.special import expit

    probability = expit(logits)
    spread = both * probability * (1 - probability)
    return design @ (pos - both * probability), (design * spread) @ design.T


def _climb(
    line: Callable[[Array], Array], at: Array, step: Array, value: float, pos: Array, neg: Array
) -> tuple[Array, float]:
    """Halve a step that would lower the likelihood by more than rounding."""
    for halving in range(MOST_HALVINGS):
        there = at + step / 2**halving
        reached = log_likelihood(line(there), pos, neg)
        if reached >= value - 1e-13 * abs(value):
            return there, reached
    return at, value
