"""Gaffke's confidence limit of the mean of bounded contributions, computed without draws.

A lower limit for values that cannot be below ``lowest``: the alpha-quantile of D_0 lowest + sum D_i v_i, where D is
Dirichlet with one unit for ``lowest`` and one per value (Gaffke 2005; Learned-Miller and Thomas 2019). It asks nothing
of the distribution between its bounds. Of values that are 0 or 1 it is the limit of Clopper and Pearson.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

STEP, FURTHEST = 0.2, 40.0  # of the integral's variable; the integrand has vanished long before the last
BATCH, NEGLIGIBLE, STEEPEST = 16, 1e-17, 0.7
COARSE = np.arange(0.25, 12.0, 0.25)
HALVINGS, AGREE = 6, 1e-6  # two rules that agree so far are together right to more than its square
LEAST = 1e-14  # of all rows: a smaller part moves nothing
MOST_ROWS = 1e14  # beyond, doubles do not hold the saddlepoint and its pole apart, and the sum is normal
TOLERANCE = 1e-11  # of the limit, as a share of the range of the values


def gaffke_lower(values: Floats, counts: Floats, alpha: float, lowest: float) -> float:
    """Lower limit, at one-sided level 1 - alpha, of the mean of a variable that is never below ``lowest``.

    ``values`` were seen ``counts`` times each; counts need not be whole.

    Examples
    --------
    >>> round(gaffke_lower(np.array([1.0]), np.array([10.0]), 0.05, 0.0), 4)  # 0.05 ** (1 / 10)
    0.7411
    >>> round(gaffke_lower(np.array([0.0, 0.5, 1.0]), np.array([1.0, 1.0, 8.0]), 0.05, 0.0), 4)
    0.5635
    """
    places, shapes = _with_lowest(np.asarray(values, np.float64), np.asarray(counts, np.float64), lowest)
    reach = float(places[-1])
    if reach <= 0:
        return float(lowest)
    places /= reach
    if places.size == 2:
        return float(lowest + reach * _of_two(float(shapes[0]), float(shapes[1]), alpha))
    return float(lowest + reach * _root(places, shapes, alpha))


def gaffke_upper(values: Floats, counts: Floats, alpha: float, highest: float) -> float:
    """Upper limit of the mean of a variable that is never above ``highest``.

    Examples
    --------
    >>> round(gaffke_upper(np.array([0.0]), np.array([10.0]), 0.05, 1.0), 4)
    0.2589
    """
    return -gaffke_lower(-np.asarray(values, np.float64), counts, alpha, -highest)


def _with_lowest(values: Floats, counts: Floats, lowest: float) -> tuple[Floats, Floats]:
    """Distinct values above the lowest, which comes first and has one unit more."""
    seen = counts > 0
    held = np.concatenate(([0.0], np.maximum(values[seen] - lowest, 0.0)))
    places, where = np.unique(held, return_inverse=True)
    shapes = np.bincount(where.ravel(), np.concatenate(([1.0], counts[seen])))
    return places.astype(np.float64), shapes.astype(np.float64)


def _of_two(low: float, high: float, alpha: float) -> float:
    """The share of the higher of two values is a beta variable."""
    from scipy.special import betaincinv

    return float(betaincinv(high, low, alpha))


def _root(places: Floats, shapes: Floats, alpha: float) -> float:
    """Where the distribution function of the mean is alpha; its normal score is nearly straight."""
    from scipy.optimize import brentq
    from scipy.special import ndtri

    goal, total = float(ndtri(alpha)), shapes.sum()
    mean = float(shapes @ places / total)
    spread = math.sqrt(float(shapes @ (places - mean) ** 2 / total) / (total + 1))

    def above(place: float) -> float:
        return normal_score(places - place, shapes) - goal

    low, high = _bracket(above, mean + goal * spread, spread)
    return low if low == high else float(brentq(above, low, high, xtol=TOLERANCE, rtol=1e-14))


def _bracket(above: Callable[[float], float], start: float, spread: float) -> tuple[float, float]:
    """Two places around the root, between 0 and 1 and close to the normal approximation."""
    low = high = min(max(start, 1e-9), 1 - 1e-9)
    while above(low) > 0:
        low = max(low - spread, low / 2)
        if low < 1e-300:
            return 0.0, 0.0
    while above(high) < 0:
        high = min(high + spread, (1 + high) / 2)
        if high >= 1:
            return 1.0, 1.0
    return low, high


def _log_probability(lengths: Floats, shapes: Floats) -> float:
    """Log of P(sum G_i a_i <= 0) for independent gamma variables G_i and lengths a_i of both signs.

    P = -1/(2 pi i) times the integral of exp(K(u)) / u along a line that leaves the real axis left of 0, K(u) =
    -sum n_i log(1 - u a_i). Here it leaves at the saddlepoint, on a hyperbola whose curvature is that of the steepest
    descent; in the hyperbola's own variable the trapezoid rule converges exponentially.
    """
    saddle = _saddlepoint(lengths, shapes)
    base = 1 - saddle * lengths
    slopes = lengths / base
    width = 1 / math.sqrt(float(shapes @ slopes**2) + saddle**-2)
    skew = 2 * width**3 * (float(shapes @ slopes**3) - saddle**-3)
    bend = min(max(skew / 3, -STEEPEST), STEEPEST)

    def exponent(at: Floats) -> NDArray[np.complex128]:
        moved = width * (bend * (np.cosh(at) - 1) + 1j * np.sinh(at))
        return np.asarray(-(np.log(1 - moved[:, None] * slopes) @ shapes) - np.log1p(moved / saddle), np.complex128)

    def height(at: Floats) -> Floats:
        return np.asarray((np.exp(exponent(at)) * (np.cosh(at) - 1j * bend * np.sinh(at))).real, np.float64)

    while bend and exponent(COARSE).real.max() > 0:  # it may not grow; on the upright line it never does
        bend = bend / 2 if abs(bend) > 0.05 else 0.0
    peak = -float(shapes @ np.log(base)) - math.log(-saddle)
    return peak + math.log(max(_whole_line(height) * width / math.pi, 1e-300))


def _whole_line(height: Callable[[Floats], Floats]) -> float:
    """Integral of an even function from 0 on: the trapezoid rule, halved until that of midpoints agrees."""
    step = STEP
    total = _nodes(height, 0.0, step) - step / 2 * float(height(np.zeros(1))[0])
    for _ in range(HALVINGS):
        middle = _nodes(height, step / 2, step)
        total, step, apart = (total + middle) / 2, step / 2, abs(total - middle)
        if apart < AGREE * abs(total):
            break
    return total


def _nodes(height: Callable[[Floats], Floats], start: float, step: float) -> float:
    total = 0.0
    while start < FURTHEST:
        added = height(start + step * np.arange(float(BATCH)))
        total += float(added.sum())
        start += step * BATCH
        if np.abs(added[-4:]).max() < NEGLIGIBLE:
            break
    return total * step


def _saddlepoint(lengths: Floats, shapes: Floats) -> float:
    """Where K(u) - log(-u) is least, between the pole of the lowest value and 0."""
    from scipy.optimize import brentq

    pole = 1 / float(lengths.min())
    rates = lengths * pole

    def slope(part: float) -> float:  # times u, which is negative: falls where the function rises
        return float(shapes @ (rates * part / (1 - rates * part))) - 1

    return pole * float(brentq(slope, 1e-300, 1 - 1e-16, xtol=1e-300, rtol=1e-12))


def normal_score(lengths: Floats, shapes: Floats) -> float:
    """Normal score of P(sum G_i a_i <= 0), which keeps its digits where that is close to 0 or to 1.

    Examples
    --------
    >>> round(normal_score(np.array([-1.0, 1.0]), np.array([1.0, 1.0])), 12)
    0.0
    """
    from scipy.special import ndtri_exp

    seen = shapes > LEAST * shapes.sum()
    lengths, shapes = lengths[seen], shapes[seen]
    if lengths.min() >= 0 or lengths.max() <= 0:
        return -math.inf if lengths.min() >= 0 else math.inf
    if shapes.sum() > MOST_ROWS:
        return -float(shapes @ lengths) / math.sqrt(float(shapes @ lengths**2))
    side = 1.0 if shapes @ lengths > 0 else -1.0
    return side * float(ndtri_exp(min(_log_probability(side * lengths, shapes), 0.0)))
