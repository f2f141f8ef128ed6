"""How many rows carry a difference between two models: a change that only a few rows show is not known by a formula.

Where the candidate differs from the baseline on one row in a hundred, a sample holds few of these, and may hold none of
the bad ones. The variance then rests on as many rows, and the difference is skewed: bounds by formulas pass too easily.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.inference.units.row_formulas import unskewed
from rocsteady._src.inference.units.units import skewness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.evaluation.gate.evidence import Ends, WithEnds
    from rocsteady._src.ranked import Rows

    Array = NDArray[np.float64]

LEAST_DF = 0.5
FEW_CARRY = 10
STRICTER = "at half the error, since weights are unlike"
UNLIKE_WEIGHTS = 1.5  # Kish's effect of sampling weights in a class, from which on bounds were seen to err too often


@dataclass(frozen=True, slots=True)
class Carried:
    """A sum over independent rows or subjects: its standard error, its skewness, and how many of them carry it.

    ``rows`` is the square of the sum of their squares over the sum of their fourth powers: n for n equal parts, and 3
    where 3 of many are not zero.
    """

    se: float
    skew: float
    rows: float

    @classmethod
    def of(cls, values: Array, rows: Rows, *, by_class: bool) -> Carried:
        """Of what every row adds to the mean of all, or to that of its class where classes are as they are."""
        held = np.ones(rows.n_rows) if rows.weights is None else rows.weights.astype(np.float64)
        parts, off = [rows.positive, ~rows.positive] if by_class else [np.ones(rows.n_rows, dtype=bool)], values.copy()
        for mask in parts:
            total = float(held[mask].sum())
            off[mask] = (values[mask] - float(held[mask] @ values[mask]) / total) / total
        if rows.clusters is not None:
            by_subject = np.bincount(rows.clusters, held * off).astype(np.float64)
            return cls._of_parts(by_subject, np.ones(rows.n_clusters))
        if rows.reading == "frequency":
            return cls._of_parts(off, held)
        return cls._of_parts(held * off, np.ones(rows.n_rows))

    @classmethod
    def of_powers(cls, sizes: tuple[float, float], powers: Sequence[Sequence[float]]) -> Carried:
        """Of sums over each class, of so many rows, of the second to fourth powers of what a row is off its mean."""
        second, third, fourth = (
            sum(power[place] / size ** (place + 2) for size, power in zip(sizes, powers, strict=True))
            for place in range(3)
        )
        return cls._of_sums(second, third, fourth)

    @classmethod
    def _of_parts(cls, parts: Array, times: Array) -> Carried:
        squares = parts * parts
        second, third, fourth = (float(times @ each) for each in (squares, squares * parts, squares * squares))
        return cls._of_sums(second, third, fourth)

    @classmethod
    def _of_sums(cls, second: float, third: float, fourth: float) -> Carried:
        if not fourth > 0:
            return cls(0.0, 0.0, 0.0)
        return cls(math.sqrt(second), skewness(third, second), second * second / fourth)

    def less(self, other: Carried) -> Carried:
        """Of a difference between this sum and another one, over rows of its own."""
        if not (self.rows > 0 and other.rows > 0):
            return self if self.rows > 0 else other
        cubes = self.skew * self.se**3 - other.skew * other.se**3
        fourth = self.se**4 / self.rows + other.se**4 / other.rows
        return self._of_sums(self.se**2 + other.se**2, cubes, fourth)

    def reach(self, level: float) -> Ends:
        """How far the bounds lie below and above: by Student's t of the rows that carry it, and by its skewness."""
        if not self.rows:
            return math.inf, math.inf
        q = quantile_of(level, df=max(self.rows - 1, LEAST_DF))
        return self.se * max(q, unskewed(q, self.skew)), self.se * max(q, -unskewed(-q, self.skew))


@dataclass(frozen=True, slots=True)
class Widened:
    """A difference whose bounds lie no closer than the rows that carry it allow."""

    inner: WithEnds
    carried: Carried

    @property
    def estimate(self) -> float:
        """First minus second."""
        return self.inner.estimate

    def ends(self, level: float) -> Ends:
        """Give the interval of the difference."""
        low, high = self.inner.ends(level)
        down, up = self.carried.reach(level)
        return min(low, self.estimate - down), max(high, self.estimate + up)


@dataclass(frozen=True, slots=True)
class Stricter:
    """A difference whose bounds err half as often as its formula says, where that is known to say too little.

    Rows of large sampling weights are rare, and a sample without them shows neither its error nor how large it is.
    """

    inner: WithEnds

    @property
    def estimate(self) -> float:
        """First minus second."""
        return self.inner.estimate

    def ends(self, level: float) -> Ends:
        """Give the interval of the difference."""
        return self.inner.ends((1 + level) / 2)


@dataclass(frozen=True, slots=True)
class Within:
    """A value whose bounds lie within what it can be."""

    inner: WithEnds
    limits: Ends

    @property
    def estimate(self) -> float:
        """The value."""
        return self.inner.estimate

    def ends(self, level: float) -> Ends:
        """Give the two-sided interval at this level."""
        low, high = self.inner.ends(level)
        return max(low, float(self.limits[0])), min(high, float(self.limits[1]))


def weights_unlike(rows: Rows) -> bool:
    """Whether sampling weights of a class differ so much that its rows are worth two thirds of their number or less."""
    if rows.weights is None or rows.reading != "sampling":
        return False
    held = rows.weights.astype(np.float64)
    parts = (held[rows.positive], held[~rows.positive])
    return any(each.size * float(each @ each) > UNLIKE_WEIGHTS * float(each.sum()) ** 2 for each in parts)


def by_rows(rows: Rows, components: Any) -> Array:
    """What every row adds to the difference of two areas: of the first model less of the second; or to that of one."""
    added = [
        np.where(rows.positive, each.of_pos[places], each.of_neg[places])
        for each, places in zip(components, rows.places, strict=True)
    ]
    found: Array = added[0] - added[1] if len(added) > 1 else added[0]
    return found
