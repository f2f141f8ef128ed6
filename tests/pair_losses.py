"""Losses over pairs written out: every pair, in extended precision."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

LONG = np.longdouble
Array = np.ndarray


def _sigmoid(u: Array) -> Array:
    shrunk = np.exp(-np.abs(u))
    return np.where(u >= 0, LONG(1), shrunk) / (1 + shrunk)


LOSS = {
    "logistic": lambda u: np.maximum(-u, 0) + np.log1p(np.exp(-np.abs(u))),
    "squared_hinge": lambda u: np.maximum(1 - u, 0) ** 2,
    "exponential": lambda u: np.exp(-u),
    "soft_auc": lambda u: _sigmoid(-u),
}
SLOPE = {
    "logistic": lambda u: -_sigmoid(-u),
    "squared_hinge": lambda u: -2 * np.maximum(1 - u, 0),
    "exponential": lambda u: -np.exp(-u),
    "soft_auc": lambda u: -_sigmoid(u) * _sigmoid(-u),
}
CURVATURE = {
    "logistic": lambda u: _sigmoid(u) * _sigmoid(-u),
    "squared_hinge": lambda u: np.where(u < 1, LONG(2), LONG(0)),
    "exponential": lambda u: np.exp(-u),
    "soft_auc": lambda u: _sigmoid(u) * _sigmoid(-u),
}


class AllPairs(NamedTuple):
    """Mean loss over pairs, with its derivatives by every score."""

    loss: LONG
    gradient: Array
    curvature: Array


def all_pairs(scores: Array, y: Array, loss: str, beta: float = 1.0, weights: Array | None = None) -> AllPairs:
    """Mean over all pairs of w_i w_j L(beta (s_i - s_j)), for i positive and j negative."""
    s = np.asarray(scores).astype(LONG)
    w = np.ones(s.size, dtype=LONG) if weights is None else np.asarray(weights).astype(LONG)
    pos, neg = np.flatnonzero(y), np.flatnonzero(1 - np.asarray(y))
    shares = (w[pos] / w[pos].sum())[:, None] * (w[neg] / w[neg].sum())
    u = LONG(beta) * (s[pos, None] - s[neg])
    gradient, curvature = np.zeros(s.size, dtype=LONG), np.zeros(s.size, dtype=LONG)
    slopes, bends = LONG(beta) * shares * SLOPE[loss](u), LONG(beta) ** 2 * shares * CURVATURE[loss](u)
    gradient[pos], gradient[neg] = slopes.sum(1), -slopes.sum(0)
    curvature[pos], curvature[neg] = bends.sum(1), bends.sum(0)
    return AllPairs((shares * LOSS[loss](u)).sum(), gradient, curvature)


def hardest_negatives(scores: Array, y: Array, low: float, high: float, weights: Array | None = None) -> Array:
    """Weights of rows with every negative cut to the part that lies between two false positive rates, one by one."""
    w = np.ones(scores.size) if weights is None else np.asarray(weights, dtype=float)
    kept, total = np.where(y == 1, w, 0.0), w[y == 0].sum()
    for row in np.flatnonzero((y == 0) & (w > 0)):
        before = w[(y == 0) & (scores > scores[row])].sum() / total
        group = w[(y == 0) & (scores == scores[row])].sum() / total
        inside = max(0.0, min(before + group, high) - max(before, low))
        kept[row] = w[row] * inside / group
    return kept
