"""Variance of AUCs and of their difference before there are data: binormal formulas, and pilot data.

A variance is three coefficients, of 1/n_pos, 1/n_neg and 1/(n_pos n_neg).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.influence import Added
from rocsteady._src.inference.units.units import Units

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.inference.units.components import Components
    from rocsteady._src.ranked import Rows

    Array = NDArray[np.float64]
    Pair = tuple[float, float]

CHANCE = 0.5


@dataclass(frozen=True, slots=True)
class Design:
    """A difference of areas and the coefficients of its variance, under the hypothesis and in truth."""

    difference: float
    null: Array
    true: Array

    def spreads(self, n_pos: float, n_neg: float) -> Pair:
        """Return both standard errors for these sample sizes."""
        sizes = np.array([1 / n_pos, 1 / n_neg, 1 / (n_pos * n_neg)])
        null, true = (math.sqrt(max(float(variance @ sizes), 0.0)) for variance in (self.null, self.true))
        return null, true


def one_curve(auc: float, spread: float, method: str) -> Design:
    """One AUC against chance, where the rank sum's variance is known: (n_pos + n_neg + 1) / (12 n_pos n_neg)."""
    from scipy.special import ndtri

    if method == "delong":
        return Design(auc - CHANCE, np.full(3, 1 / 12), exact_covariance((auc, spread), (auc, spread), (1.0, 1.0)))
    if spread != 1:
        raise ArgumentError(
            "spread", Sentence("Obuchowski's formula for one curve has spread 1; use {method='delong'}")
        )
    a = float(ndtri(auc)) * 1.414
    scale = 0.0099 * math.exp(-(a**2) / 2)
    true = np.array([scale * (5 * a**2 + 8), scale * (a**2 + 8), 0.0])
    return Design(auc - CHANCE, np.array([0.0792, 0.0792, 0.0]), true)


def two_curves(first: Pair, second: Pair, corrs: Pair, method: str, null_variance: str) -> Design:
    """Two curves, each an AUC and a spread, whose scores correlate among positives and among negatives."""
    if method == "delong":
        parts = (
            exact_covariance(first, first, (1.0, 1.0)),
            exact_covariance(second, second, (1.0, 1.0)),
            exact_covariance(first, second, corrs),
        )
    else:
        lines = _line_of(*first), _line_of(*second)
        parts = obuchowski_variance(*lines[0]), obuchowski_variance(*lines[1]), obuchowski_covariance(*lines, corrs)
    return Design(first[0] - second[0], *of_difference(*parts, null_variance))


def of_difference(first: Array, second: Array, both: Array, null_variance: str) -> tuple[Array, Array]:
    """Variance of the difference under the hypothesis and in truth, from those of both areas and their covariance."""
    true = first + second - 2 * both
    return (true if null_variance == "same" else 2 * first - 2 * both), true


def exact_covariance(first: Pair, second: Pair, corrs: Pair) -> Array:
    """Covariance of two empirical AUCs in the binormal model, without approximation.

    Two pairs of rows agree in their positive, in their negative, or in both; each gives the chance that both models
    rank their pair right, a bivariate normal probability.
    """
    from scipy.special import ndtri

    (theta, b), (other, d) = first, second
    width = math.sqrt((1 + b * b) * (1 + d * d))
    h, k = float(ndtri(theta)), float(ndtri(other))
    same_pos, same_neg = corrs[0] / width, corrs[1] * b * d / width
    by_pos, by_neg, by_both = (
        both_below(h, k, correlation) - theta * other for correlation in (same_pos, same_neg, same_pos + same_neg)
    )
    return np.array([by_pos, by_neg, by_both - by_pos - by_neg])


def both_below(h: float, k: float, correlation: float) -> float:
    """P(X <= h, Y <= k) of standard normals, by Owen's T function.

    Examples
    --------
    >>> round(both_below(0.0, 0.0, 0.5), 12), round(both_below(0.3, 1.0, 0.0), 6)
    (0.333333333333, 0.519877)
    """
    from scipy.special import ndtr, owens_t

    if abs(correlation) >= 1 - 1e-15:
        return float(ndtr(min(h, k)) if correlation > 0 else max(ndtr(h) + ndtr(k) - 1, 0.0))
    if h == 0 and k == 0:
        return 0.25 + math.asin(correlation) / (2 * math.pi)
    root = math.sqrt((1 - correlation) * (1 + correlation))
    with np.errstate(divide="ignore"):
        slopes = np.divide([k - correlation * h, h - correlation * k], np.array([h, k]) * root)
    tails = owens_t(h, slopes[0]) + owens_t(k, slopes[1])
    apart = h * k < 0 or (h * k == 0 and h + k < 0)
    return float((ndtr(h) + ndtr(k)) / 2 - tails - 0.5 * apart)


def _line_of(auc: float, spread: float) -> Pair:
    """Intercept and slope of the binormal curve."""
    from scipy.special import ndtri

    return float(ndtri(auc)) * math.sqrt(1 + spread**2), spread


def _gradient(a: float, b: float) -> Pair:
    """Derivatives of the binormal AUC by intercept and slope."""
    width = 1 + b * b
    density = math.exp(-(a * a) / (2 * width)) / math.sqrt(2 * math.pi * width)
    return density, -density * a * b / width


def obuchowski_variance(a: float, b: float) -> Array:
    """Published variance of a binormal AUC; the covariance of intercept and slope is left out there."""
    f, g = _gradient(a, b)
    return np.array([f**2 * (1 + a**2 / 2) + g**2 * b**2 / 2, f**2 * b**2 + g**2 * b**2 / 2, 0.0])


def obuchowski_covariance(first: Pair, second: Pair, corrs: Pair) -> Array:
    """Published covariance of two binormal AUCs."""
    (a, b), (c, d) = first, second
    (f, g), (s, t) = _gradient(a, b), _gradient(c, d)
    pos, neg = corrs
    by_pos = f * s * pos + pos**2 / 2 * (f * a + g * b) * (s * c + t * d)
    return np.array([by_pos, f * s * neg * b * d + g * t * b * d * neg**2 / 2, 0.0])


def seen(rows: Rows) -> tuple[Pair, tuple[Array, Array, Array]]:
    """Areas of two models and DeLong's variances and covariance, apart for positives and negatives."""
    parts = [Area().components(ranked) for ranked in rows.ranked]
    if rows.clusters is not None:
        return (parts[0].theta, parts[1].theta), _seen_in_subjects(rows, parts)
    sides = []
    for name, mask in (("of_pos", rows.positive), ("of_neg", ~rows.positive)):
        values = [getattr(part, name)[places[mask]] for part, places in zip(parts, rows.places, strict=True)]
        sides.append(np.cov(values))
    first, second, both = (np.array([side[at] for side in sides] + [0.0]) for at in ((0, 0), (1, 1), (0, 1)))
    return (parts[0].theta, parts[1].theta), (first, second, both)


def _seen_in_subjects(rows: Rows, parts: Sequence[Components]) -> tuple[Array, Array, Array]:
    """The same from what each subject adds (Obuchowski 1997).

    What its positives and negatives share goes with 1/n_pos: where subjects have both, the ratio is fixed.
    """
    units, classes = Units(rows.positive.size, clusters=rows.clusters), (rows.positive, ~rows.positive)
    if min(units.count(mask) for mask in classes) < 2:
        raise ArgumentError("pilot_rows", "a pilot needs two subjects or more of each class to tell a variance")
    found = units.covariance(Added(rows, parts), classes)
    n_pos = float(rows.positive.sum())
    pos, neg = (found[0, 0] + found[0, 1] + found[1, 0]) * n_pos, found[1, 1] * (rows.positive.size - n_pos)
    first, second, shared = (np.array([pos[at], neg[at], 0.0]) for at in ((0, 0), (1, 1), (0, 1)))
    return first, second, shared
