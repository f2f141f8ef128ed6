"""Limits of the net benefit, and of its difference between two models, that hold with few events too.

A net benefit is made of shares that vary independently: how many rows are called, and how many of these are positive;
with a given prevalence, recall and the false positive rate. The limits are those of the shares, put together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inference.intervals.joint_limits import joint_limits, score_of
from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.inference.intervals.share_limits import wilson_limits
from rocsteady._src.inference.units.units import Units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inference.units.row_means import RowMean
    from rocsteady._src.ranked import Rows

    Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Called:
    """Positives and negatives that are called at each threshold, of so many, and the odds of the threshold."""

    tp: Array
    fp: Array
    n_pos: Array
    n_neg: Array
    odds: Array

    def limits(self, reach: float, prevalence: float | None) -> tuple[Array, Array]:
        """Ends of the net benefit.

        Examples
        --------
        >>> tp, fp, odds = np.array([3.0, 0.0]), np.array([5.0, 0.0]), np.array([0.1, 1.0])
        >>> low, high = Called(tp, fp, np.full(2, 4.0), np.full(2, 96.0), odds).limits(1.96, None)
        >>> low.round(3).tolist(), high.round(3).tolist()
        ([0.001, -0.03], [0.074, 0.03])
        """
        if prevalence is None:
            called = self.tp + self.fp
            hits, totals = np.array([called, self.tp]), np.array([self.n_pos + self.n_neg, called])
        else:
            hits, totals = np.array([self.tp, self.fp]), np.array([self.n_pos, self.n_neg])

        def benefit(shares: Array) -> Array:
            one, two = shares
            odds = self.odds.reshape(self.odds.shape + (1,) * (one.ndim - 1))
            if prevalence is None:
                return np.asarray(one * (two - odds * (1 - two)))
            return np.asarray(prevalence * one - (1 - prevalence) * odds * two)

        return joint_limits(benefit, hits, totals, reach)

    def worth(self, se: Array, units: float, prevalence: float | None) -> Called:
        """Counts of as many independent rows as tell the net benefit as surely as units with this standard error."""
        share = worth_share(self._variance(prevalence), se, units, self.n_pos + self.n_neg)
        return Called(self.tp * share, self.fp * share, self.n_pos * share, self.n_neg * share, self.odds)

    def _variance(self, prevalence: float | None) -> Array:
        """Of the net benefit of independent rows."""
        n = self.n_pos + self.n_neg
        if prevalence is None:
            mean = (self.tp - self.odds * self.fp) / n
            squares = (self.tp + self.odds**2 * self.fp) / n - mean**2
            return np.asarray(squares / (n - 1))
        recall, alarmed = self.tp / self.n_pos, self.fp / self.n_neg
        known = prevalence**2 * recall * (1 - recall) / (self.n_pos - 1)
        return np.asarray(known + ((1 - prevalence) * self.odds) ** 2 * alarmed * (1 - alarmed) / (self.n_neg - 1))


@dataclass(frozen=True, slots=True)
class CalledApart:
    """Rows that only one of two models calls: of each class, by the first, by the second, among so many.

    What stands for a :class:`Difference` of net benefits: its test is that at which its interval reaches the null.
    """

    positives: tuple[float, float, float]
    negatives: tuple[float, float, float]
    odds: float
    estimate: float
    se: float
    prevalence: float | None = None
    df: None = None

    def ends(self, level: float) -> tuple[float, float]:
        """Give the interval of the difference."""
        return self._ends(quantile_of(level))

    def statistic(self, null: float) -> float:
        """Give the distance from ``null`` in standard errors."""
        return score_of(self._ends, self.estimate, null)

    def _ends(self, reach: float) -> tuple[float, float]:
        sides = [np.array(side, dtype=np.float64)[:, None] for side in (self.positives, self.negatives)]
        low, high = apart_limits(sides[0], sides[1], np.array([self.odds]), reach, self.prevalence)
        return min(float(low[0]), self.estimate), max(float(high[0]), self.estimate)


def apart_limits(
    positives: Array, negatives: Array, odds: Array, reach: float, prevalence: float | None = None
) -> tuple[Array, Array]:
    """Ends of differences of net benefits; lines are rows called by the first model alone, by the second, and all.

    Examples
    --------
    >>> sides = np.array([[3.0], [1.0], [10.0]]), np.array([[2.0], [6.0], [90.0]])
    >>> low, high = apart_limits(*sides, np.array([0.1]), 1.96)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([-0.016], [0.071])
    """
    (one, two, n_pos), (three, four, n_neg) = positives, negatives
    if prevalence is None:
        apart = one + two + three + four
        hits, totals = (apart, one + two, one, three), (n_pos + n_neg, apart, one + two, three + four)
    else:
        hits, totals = (one + two, three + four, one, three), (n_pos, n_neg, one + two, three + four)

    def difference(shares: Array) -> Array:
        first, second, gained, alarmed = shares
        at = odds.reshape(odds.shape + (1,) * (first.ndim - 1))
        if prevalence is None:
            pos, neg = first * second, first * (1 - second)
        else:
            pos, neg = prevalence * first, (1 - prevalence) * second
        return np.asarray(pos * (2 * gained - 1) - at * neg * (2 * alarmed - 1))

    return joint_limits(difference, np.array(hits), np.array(totals), reach, limits=wilson_limits)


def called_apart(difference: Array, rows: Rows, found: RowMean, odds: float, prevalence: float | None) -> CalledApart:
    """Count the rows that only one model calls, given what each row adds to the difference of net benefits.

    Of subjects and sampling weights, the counts are those of as many independent rows as tell the mean as surely.
    """
    units = Units.of(rows)
    held, positive = units.held(), rows.positive
    each = held.size / float(held.sum()) if units.kind == "sampling" else 1.0
    up, down = difference > 0, difference < 0
    hits = [(held[positive & up].sum(), held[positive & down].sum(), held[positive].sum())]
    hits.append((held[~positive & down].sum(), held[~positive & up].sum(), held[~positive].sum()))
    share = each
    if not units.repeated:
        strata = [(slice(None), 1.0)] if prevalence is None else [(positive, prevalence), (~positive, 1 - prevalence)]
        variance = sum(part**2 * _independent(difference[mask], held[mask], each) for mask, part in strata)
        share *= float(worth_share(variance, found.se, units.count(), float(held.sum()) * each))
    counts = [tuple(float(count) * share for count in side) for side in hits]
    return CalledApart(counts[0], counts[1], odds, found.mean, found.se, prevalence)  # type: ignore[arg-type]


def _independent(values: Array, held: Array, each: float) -> float:
    """Variance of a weighted mean if rows were independent."""
    total = float(held.sum())
    mean = float(held @ values) / total
    return float(held @ (values - mean) ** 2) / total / (total * each - 1)


def worth_share(variance: Any, se: Any, units: float, rows: Any) -> Array:
    """Which share of rows, if independent, would tell a mean as surely as its standard error by units says.

    ``variance`` is that of the mean of independent rows. No more than all; where nothing varies, each unit is one row.

    Examples
    --------
    >>> worth_share(0.01, np.array([0.1, 0.2]), 50, 100).round(3).tolist(), worth_share(0.0, 0.0, 50, 100).tolist()
    ([1.0, 0.25], 0.5)
    """
    one_each = np.minimum(units / np.asarray(rows, dtype=np.float64), 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.minimum(variance / np.square(se), 1.0)
    return np.where((np.asarray(variance) > 0) & np.isfinite(share), share, one_each)
