"""Platt's calibration: probability = 1 / (1 + exp(-(slope score + offset))), fitted to scores and labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.probabilities.calibration.logistic import Groups, fit_line

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


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
    fit = fit_line((Groups(scores, weights * targets, weights),))
    return float(fit.estimates[1]), float(fit.estimates[0])
