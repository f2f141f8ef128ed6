"""How many errors among independent rows still show that a rate is within a bound: exact binomial tails."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.text import format_digits

LEAST_RATE = 1e-15


def at_most_so_many(errors: Any, n: Any, rate: float) -> Any:
    """Probability of ``errors`` or fewer among ``n`` rows that each err with this rate.

    Examples
    --------
    >>> round(float(at_most_so_many(1, 2, 0.5)), 12), float(at_most_so_many(-1, 5, 0.1))
    (0.75, 0.0)
    """
    from scipy.special import betainc

    count, total = (np.asarray(each, dtype=np.float64) for each in (errors, n))
    inside = (count >= 0) & (count < total)
    tail = betainc(np.where(inside, total - count, 1.0), np.where(inside, count + 1, 1.0), 1 - rate)
    return np.where(inside, tail, np.where(count < 0, 0.0, 1.0))[()]


def errors_allowed(n: int, rate: float, risk: float) -> int:
    """The most errors among ``n`` rows that a higher rate would give so rarely, at most with the ``risk``; -1 if none.

    Examples
    --------
    >>> errors_allowed(58, 0.05, 0.05), errors_allowed(59, 0.05, 0.05), errors_allowed(1000, 0.01, 0.05)
    (-1, 0, 4)
    """
    low, high = -1, n  # the answer is at least the one and below the other
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if at_most_so_many(middle, n, rate) <= risk else (low, middle)
    return low


@lru_cache(maxsize=256)
def rows_needed(rate: float, risk: float, errors: int = 0) -> int:
    """The fewest rows among which so many errors show that the rate is below this one.

    Examples
    --------
    >>> rows_needed(1e-4, 0.05), rows_needed(0.05, 0.05), rows_needed(0.05, 0.05, errors=1)
    (29956, 59, 93)
    """
    if rate < LEAST_RATE:
        raise ArgumentError("rate", f"no number of rows shows a rate of {format_digits(rate, 3)}")
    low = errors
    high = max(errors + 1, math.ceil(math.log(risk) / math.log1p(-rate)))
    while at_most_so_many(errors, high, rate) > risk:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if at_most_so_many(errors, middle, rate) > risk else (low, middle)
    return high


def complement(share: float) -> float:
    """1 minus a decimal, as a decimal: 0.01 of 0.99.

    Examples
    --------
    >>> complement(0.99), 1 - 0.99
    (0.01, 0.010000000000000009)
    """
    from fractions import Fraction

    return float(1 - Fraction(repr(float(share))))
