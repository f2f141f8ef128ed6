"""Platt's calibration: probability = 1 / (1 + exp(-(slope score + offset))), fitted to scores and labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

MOST_STEPS = 100
SMALLEST_STEP = 1e-10
RIDGE = 1e-12


def platt(scores: Array, positive: NDArray[np.bool_], weights: Array) -> tuple[float, float]:
    """Slope and offset of least log loss against Platt's targets, by Newton's method with halved steps.

    The targets are (N+ + 1)/(N+ + 2) and 1/(N- + 2), with N the weight of each class, so that classes which do not
    overlap keep finite odds. Scores that are all equal get a slope of 0. O(n) a step.
    """
    n_pos, n_neg = float(weights[positive].sum()), float(weights[~positive].sum())
    targets = np.where(positive, (n_pos + 1) / (n_pos + 2), 1 / (n_neg + 2))
    weights = weights / (n_pos + n_neg)
    centre = float(weights @ scores)
    spread = float(np.sqrt(weights @ (scores - centre) ** 2))
    if not spread > 1e-12 * float(np.abs(scores).max()):
        share = float(weights @ targets)
        return 0.0, float(np.log(share) - np.log1p(-share))
    design = np.stack([(scores - centre) / spread, np.ones(scores.size)])
    slope, offset = _newton(design, targets, weights)
    return slope / spread, offset - slope * centre / spread


def _newton(design: Array, targets: Array, weights: Array) -> Array:
    at = np.zeros(2)
    value = _log_loss(at, design, targets, weights)
    for _ in range(MOST_STEPS):
        chances = 1 / (1 + np.exp(-np.clip(at @ design, -700, 700)))
        gradient = design @ (weights * (chances - targets))
        if np.abs(gradient).max() < 1e-13:
            break
        hessian = (design * (weights * chances * (1 - chances))) @ design.T + RIDGE * np.eye(2)
        step, length = np.linalg.solve(hessian, gradient), 1.0
        while (reached := _log_loss(at - length * step, design, targets, weights)) > value and length > SMALLEST_STEP:
            length /= 2
        if length <= SMALLEST_STEP:
            break
        at, value = at - length * step, reached
    return at


def _log_loss(at: Array, design: Array, targets: Array, weights: Array) -> float:
    odds = at @ design
    return float(weights @ (np.logaddexp(0.0, odds) - targets * odds))
