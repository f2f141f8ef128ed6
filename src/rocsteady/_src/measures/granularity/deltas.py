"""Granularities derived from the scores themselves."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, is_number
from rocsteady._src.measures.granularity.consistent import TIE_ULPS
from rocsteady._src.measures.pairwise.engine import points_of

if TYPE_CHECKING:
    from rocsteady._src.ranked import RankedScores

MOST_DECIMALS = 15


def resolve_delta(ranked: RankedScores, delta: Any) -> float:
    """A number >= 0, ``"rounding"`` (the decimal step of the scores) or ``"near"`` (a few ulp of the largest score)."""
    word = delta if isinstance(delta, str) else ""
    if word == "rounding":
        return rounding_step(ranked)
    if word == "near":
        largest = float(np.abs(points_of(ranked)).max())
        return 2 * TIE_ULPS * float(np.spacing(largest))  # gaps from half of it on may count, see least_gap
    if not is_width(delta):
        raise ArgumentError("delta", f"delta must be a number >= 0, 'rounding' or 'near', got {delta!r}")
    return float(delta)


def is_width(value: Any) -> bool:
    """Whether a value is a finite number >= 0."""
    return is_number(value) and bool(0 <= value < math.inf)


def rounding_step(ranked: RankedScores) -> float:
    """The largest power of ten, at most 1, of which all scores are multiples.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rounding_step(rs.rank([1, 0, 1], [0.25, 0.5, 0.75]))
    0.01
    """
    scores = ranked.doubles
    for decimals in range(MOST_DECIMALS + 1):
        if np.array_equal(np.round(scores, decimals), scores):
            return 10.0**-decimals
    raise InputError(
        "not_rounded", f"the scores are not rounded to {MOST_DECIMALS} decimals or fewer; give delta as a number"
    )
