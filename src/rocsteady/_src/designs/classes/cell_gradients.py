"""Measures that are functions of the confusion matrix, with their derivative by every cell.

Shares of the cells add up to 1. A row lies in one cell: what it adds to a measure is the derivative by that cell, less
the mean of these derivatives. So kappas, correlations and F-measures have standard errors without resampling.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Slope = tuple[float, Array]

UNDEFINED = math.nan


def kappa(shares: Array, power: float | None = None) -> Slope:
    """Cohen's kappa, 1 - observed / expected disagreement; places of classes weigh it by their distance to a power."""
    k = len(shares)
    places = np.arange(k)
    gaps = np.abs(places[:, None] - places).astype(np.float64)
    cost = (gaps > 0).astype(np.float64) if power is None else gaps**power
    true, called = shares.sum(axis=1), shares.sum(axis=0)
    observed, by_true, by_called = float((cost * shares).sum()), cost @ called, cost.T @ true
    expected = float(true @ by_true)
    if not expected > 0:
        return UNDEFINED, np.zeros_like(shares)
    slope = observed * (by_true[:, None] + by_called) / expected**2 - cost / expected
    return 1 - observed / expected, slope


def correlation(shares: Array) -> Slope:
    """Gorodkin's correlation of true and called classes, Matthews' for two of them."""
    true, called = shares.sum(axis=1), shares.sum(axis=0)
    both = float(np.trace(shares) - true @ called)
    open_true, open_called = 1 - float(true @ true), 1 - float(called @ called)
    scale = math.sqrt(max(open_true, 0.0) * max(open_called, 0.0))
    if not scale > 0:
        return UNDEFINED, np.zeros_like(shares)
    slope = (np.eye(len(shares)) - called[:, None] - true) / scale
    slope += both / scale * (true[:, None] / open_true + called / open_called)
    return both / scale, slope


def averaged_ratio(
    of_true: float, of_called: float, chosen: NDArray[np.bool_], *, weighted: bool
) -> Callable[[Array], Slope]:
    """Mean over chosen classes of hits / (a true + b called): recall, precision, F-measures.

    F-beta has a = beta^2 / (1 + beta^2) and b = 1 / (1 + beta^2).
    """

    def found(shares: Array) -> Slope:
        true, called, hits = shares.sum(axis=1), shares.sum(axis=0), np.diag(shares)
        base, among = of_true * true + of_called * called, float(true[chosen].sum())
        if not (base[chosen] > 0).all() or not (among > 0 or (chosen.any() and not weighted)):
            return UNDEFINED, np.zeros_like(shares)
        share = chosen * (true / among if weighted else 1 / np.count_nonzero(chosen))
        ratios, per_base = (np.divide(each, base, out=np.zeros_like(base), where=chosen) for each in (hits, share))
        value = float(share @ ratios)
        by_base = -ratios * per_base
        slope = of_true * by_base[:, None] + of_called * by_base + np.diag(per_base)
        if weighted:
            slope = slope + (chosen * (ratios - value) / among)[:, None]
        return value, slope

    return found


def pooled_ratio(of_true: float, of_called: float, chosen: NDArray[np.bool_]) -> Callable[[Array], Slope]:
    """The same of hits, true and called rows added up over the chosen classes: the micro average."""

    def found(shares: Array) -> Slope:
        inside = chosen.astype(np.float64)
        hits = float(inside @ np.diag(shares))
        base = of_true * float(inside @ shares.sum(axis=1)) + of_called * float(inside @ shares.sum(axis=0))
        if not base > 0:
            return UNDEFINED, np.zeros_like(shares)
        by_base = of_true * inside[:, None] + of_called * inside
        return hits / base, (np.diag(inside) - hits / base * by_base) / base

    return found


def f_shares(beta: float) -> tuple[float, float]:
    """Weights of true and of called rows in F-beta."""
    square = beta * beta
    return square / (1 + square), 1 / (1 + square)
