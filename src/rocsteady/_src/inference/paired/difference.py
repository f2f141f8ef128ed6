"""The difference of two shares of the same rows, with intervals: Tango's score, Newcombe's square-and-add, Wald's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inference.intervals.normal import quantile_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inference.paired.counts import PairedCounts

    Array = NDArray[np.float64]

STEPS = 80


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """First minus second; ``kind`` says how its interval is made, its distance from a null is Tango's score.

    With subjects the counts are those of as many independent rows as they are worth, and quantiles Student's t.
    """

    counts: PairedCounts
    kind: str = "tango"

    @property
    def estimate(self) -> float:
        """First minus second."""
        return self.counts.difference

    @property
    def se(self) -> float:
        """Standard error."""
        return self.counts.se

    @property
    def df(self) -> float | None:
        """Degrees of freedom where subjects are the units."""
        return self.counts.df

    def statistic(self, null: float) -> float:
        """Tango's score: the distance from ``null`` in standard errors as they would be there."""
        return float(tango_score(*self.counts.scaled, null))

    def ends(self, level: float) -> tuple[float, float]:
        """The interval of the difference."""
        if not self.counts.n or math.isnan(self.counts.worth):
            return math.nan, math.nan
        reach = quantile_of(level, df=self.df)
        if self.kind == "tango":
            return tango_ends(*self.counts.scaled, reach)
        if self.kind == "newcombe":
            return newcombe_ends(self.counts.shares, self.counts.margin_worth(), self.counts.correlation(), reach)
        return max(self.estimate - reach * self.se, -1.0), min(self.estimate + reach * self.se, 1.0)


def tango_score(first_only: Any, second_only: Any, n: Any, null: Any) -> Any:
    """The score of Tango (1998); at 0 it is the root of McNemar's chi-square, with the sign of the difference.

    Examples
    --------
    >>> round(float(tango_score(12, 2, 50, 0.0)), 4), round(10 / 14**0.5, 4)
    (2.6726, 2.6726)
    """
    first, second, null = (np.asarray(each, dtype=np.float64) for each in (first_only, second_only, null))
    linear = -first - second + (2 * n - first + second) * null
    root = np.sqrt(np.maximum(linear * linear + 8 * n * second * null * (1 - null), 0.0))
    share = np.maximum(root - linear, 0.0) / (4 * n)  # of rows that only the second has right, if null were true
    spread = n * np.maximum(2 * share + null * (1 - null), 0.0)
    off = first - second - n * null
    with np.errstate(divide="ignore", invalid="ignore"):
        found = off / np.sqrt(spread)
    return np.where(np.abs(off) <= 1e-12 * n, 0.0, found)


def tango_ends(first_only: float, second_only: float, n: float, reach: float) -> tuple[float, float]:
    """Differences that the score does not reject; by halving, since the score falls as the null rises."""
    estimate = (first_only - second_only) / n

    def end(inner: float, outer: float) -> float:
        if abs(float(tango_score(first_only, second_only, n, outer))) <= reach:
            return outer
        for _ in range(STEPS):
            middle = (inner + outer) / 2
            if middle in (inner, outer):  # no number lies between
                break
            inside = abs(float(tango_score(first_only, second_only, n, middle))) <= reach
            inner, outer = (middle, outer) if inside else (inner, middle)
        return (inner + outer) / 2

    return end(estimate, -1.0), end(estimate, 1.0)


def newcombe_ends(shares: tuple[Any, Any], worth: tuple[Any, Any], correlation: Any, reach: float) -> tuple[Any, Any]:
    """Wilson's intervals of both shares put together by the root of the sum of squares, less what is common.

    Newcombe (1998), method 10.
    """
    (low, high), (other_low, other_high) = (wilson_ends(*each, reach) for each in zip(shares, worth, strict=True))
    first, second = shares
    down = joined_reach(first - low, other_high - second, correlation)
    up = joined_reach(high - first, second - other_low, correlation)
    return np.maximum(first - second - down, -1.0)[()], np.minimum(first - second + up, 1.0)[()]


def joined_reach(one: Any, two: Any, correlation: Any) -> Any:
    """How far a difference reaches whose two sides reach so far, where they have so much in common."""
    return np.sqrt(np.maximum(one * one - 2 * correlation * one * two + two * two, 0.0))


def wilson_ends(share: Any, n: Any, reach: float) -> tuple[Any, Any]:
    """Wilson's interval with any quantile."""
    square = reach * reach / n
    centre = (share + square / 2) / (1 + square)
    half = np.sqrt(square * share * (1 - share) + square * square / 4) / (1 + square)
    return centre - half, centre + half
