"""Rounding is not evidence: a difference that rounding alone can make is no difference."""

from __future__ import annotations

import sys

STEPS = 8  # additions and divisions beside the sum itself


def rounding(n_terms: int, *values: float) -> float:
    """How far rounding can move a difference of such values, each made of a sum of so many terms.

    Every addition errs by half a unit in the last place at most, so that a sum of n terms of one sign is off by n
    units at worst.

    Examples
    --------
    >>> rounding(10, 0.5, 0.25) < 1e-14
    True
    """
    return (n_terms + STEPS) * sys.float_info.epsilon * max(map(abs, values), default=0.0)


def settled(value: float, bound: float) -> float:
    """The value, or 0 where it is within the bound of rounding.

    Examples
    --------
    >>> settled(1.1e-16, rounding(10, 0.5)), settled(0.01, rounding(10, 0.5))
    (0.0, 0.01)
    """
    return 0.0 if abs(value) <= bound else value
