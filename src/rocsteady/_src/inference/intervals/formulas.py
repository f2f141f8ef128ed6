"""Intervals of the AUC that need only its value and the counts, and its log-odds scale."""

from __future__ import annotations

import math
from typing import Any


def hanley_mcneil_variance(a: float, n_pos: Any, n_neg: Any) -> float:
    """Variance of the AUC if scores were exponential (Hanley and McNeil 1982).

    Examples
    --------
    >>> round(hanley_mcneil_variance(0.75, 20, 30), 6)
    0.005384
    """
    q1, q2 = a / (2 - a), 2 * a**2 / (1 + a)
    extra = (n_pos - 1) * (q1 - a**2) + (n_neg - 1) * (q2 - a**2)
    return max(0.0, float((a * (1 - a) + extra) / (n_pos * n_neg)))


def newcombe_variance(a: float, n_pos: Any, n_neg: Any) -> float:
    """Hanley and McNeil's variance with both class sizes evened out (Newcombe 2006, method 5)."""
    return a * (1 - a) / newcombe_rows(a, n_pos, n_neg)


def largest_variance(a: float, n_pos: Any, n_neg: Any) -> float:
    """The largest variance that an AUC can have, whatever the scores (van Dantzig 1951; Birnbaum and Klose 1957).

    Examples
    --------
    >>> round(largest_variance(0.9, 15, 135), 12)
    0.006
    """
    return a * (1 - a) / float(min(n_pos, n_neg))


def newcombe_ends(a: float, n_pos: Any, n_neg: Any, z: float) -> tuple[float, float]:
    """All AUCs t with (a - t)^2 <= z^2 variance(t), which lie in [0, 1].

    Examples
    --------
    >>> [round(end, 4) for end in newcombe_ends(1.0, 10, 10, 1.96)]
    [0.8002, 1.0]
    """
    from scipy.optimize import brentq

    def excess(t: float) -> float:
        return (a - t) ** 2 - z**2 * newcombe_variance(t, n_pos, n_neg)

    inside = min(max(a, 1e-12), 1 - 1e-12)  # at the very ends the variance is 0, which is a root but no bound
    if excess(inside) >= 0:  # z is so small that both ends are closer than that
        return a, a
    low = 0.0 if a == 0 else float(brentq(excess, 0.0, inside, xtol=1e-15))
    high = 1.0 if a == 1 else float(brentq(excess, inside, 1.0, xtol=1e-15))
    return low, high


def newcombe_rows(a: float, n_pos: Any, n_neg: Any) -> float:
    """How many rows a share ``a`` would need to have Newcombe's variance: a (1 - a) / variance, defined at 0 and 1 too.

    Examples
    --------
    >>> round(newcombe_rows(0.8, 10, 10), 3), round(newcombe_rows(1.0, 10, 10), 3)
    (15.385, 18.182)
    """
    half = (n_pos + n_neg) / 2 - 1
    return float(n_pos * n_neg / (1 + half * ((1 - a) / (2 - a) + a / (1 + a))))


def wilson_ends(share: float, rows: float, q: float) -> tuple[float, float]:
    """Wilson's interval of a share of ``rows`` rows, which need not be whole; ``q`` is the quantile.

    Examples
    --------
    >>> [round(end, 4) for end in wilson_ends(1.0, 18.0, 1.96)]
    [0.8241, 1.0]
    """
    shrunk = 1 + q * q / rows
    centre = (share + q * q / (2 * rows)) / shrunk
    reach = q / shrunk * math.sqrt(share * (1 - share) / rows + (q / (2 * rows)) ** 2)
    low = 0.0 if share == 0 else min(max(centre - reach, 0.0), share)
    high = 1.0 if share == 1 else max(min(centre + reach, 1.0), share)
    return low, high


def logit_ends(a: float, se: float, z: float, *, width: float = 1.0) -> tuple[float, float]:
    """Ends of an interval on the log-odds scale of ``a / width``; NaN at both ends of the scale."""
    share = a / width
    if not 0 < share < 1:
        return math.nan, math.nan
    centre, reach = math.log(share / (1 - share)), z * se / width / (share * (1 - share))
    low, high = (width / (1 + math.exp(-min(max(centre + side * reach, -700.0), 700.0))) for side in (-1, 1))
    return low, high
