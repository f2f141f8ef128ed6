"""What rows say about a condition: estimates with an interval at any level, and how they are put together."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from rocsteady._src.inference.intervals.every_measure import intervals_of_measures
from rocsteady._src.inference.paired.difference import joined_reach

if TYPE_CHECKING:
    from rocsteady._src.evaluation.gate.terms import Term
    from rocsteady._src.ranked import Rows
    from rocsteady._src.results import Interval
    from rocsteady._src.results.remarks import Remark

    Ends = tuple[float, float]


# Shares of the same rows: which rows, and whether the measure counts those that are right or wrong.
RIGHT = {
    "recall": ("positive", 1),
    "false_negative_rate": ("positive", -1),
    "specificity": ("negative", 1),
    "false_positive_rate": ("negative", -1),
    "accuracy": ("all", 1),
    "error_rate": ("all", -1),
}


class WithEnds(Protocol):
    """An estimate with an interval at any level."""

    @property
    def estimate(self) -> float:
        """The value, or first minus second."""
        ...

    def ends(self, level: float) -> Ends:
        """Give the two-sided interval at this level."""
        ...


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the rows say about a condition; ``falls`` is the power of the number of rows that the width falls with.

    ``most`` is what a class whose rows all fail would change at most; None for the width of what the measure can be.
    ``se`` is given where few rows carry the difference: the width beyond it falls with the number of rows itself.
    """

    of: WithEnds
    method: str
    remarks: tuple[Remark, ...] = ()
    falls: float = 0.5
    most: float | None = None
    se: float | None = None


@dataclass(frozen=True, slots=True)
class Resamples:
    """How many, and from which seed."""

    n: int = 2000
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Scaled:
    """Another difference times a factor: Gini's is twice that of the AUC, that of an error rate minus one times."""

    inner: WithEnds
    factor: float

    @property
    def estimate(self) -> float:
        """First minus second."""
        return self.factor * self.inner.estimate + 0.0

    def ends(self, level: float) -> Ends:
        """Give the interval of the difference."""
        low, high = (self.factor * end + 0.0 for end in self.inner.ends(level))
        return (low, high) if self.factor > 0 else (high, low)


@dataclass(frozen=True, slots=True)
class Unchanged:
    """Two AUCs of models that no row tells apart, of so many independent rows of either class.

    If shares p and q of the classes were ranked otherwise, the AUCs would differ by p + q at most, and none of the rows
    would show it with the probability (1 - p)^P (1 - q)^N. The ends are where that is as rare as the level says.

    Examples
    --------
    >>> low, high = Unchanged((300.0, 300.0)).ends(0.9)
    >>> round(low, 4), round(high, 4)
    (-0.01, 0.01)
    """

    sizes: tuple[float, float]
    estimate: float = 0.0

    def ends(self, level: float) -> Ends:
        """Give the interval of the difference."""
        from scipy.optimize import brentq

        rare = math.log((1 - level) / 2)
        if min(self.sizes) <= 0:
            return -1.0, 1.0
        inside = self._unseen(1.0) < rare
        reach = float(brentq(lambda moved: self._unseen(moved) - rare, 0.0, 1.0)) if inside else 1.0
        return -reach, reach

    def _unseen(self, moved: float) -> float:
        """Logarithm of the largest probability to see none, where both shares add up to ``moved``."""
        few, many = min(self.sizes), max(self.sizes)
        kept = min(max((2 - moved) * few / (few + many), 1 - moved), 1.0)  # of the class with fewer rows
        parts = ((few, kept), (many, min(2 - moved - kept, 1.0)))
        return sum(n * (math.log(share) if share > 0 else -math.inf) for n, share in parts)


@dataclass(frozen=True, slots=True)
class OneModel:
    """A measure of one model on its rows, with the default interval at any level."""

    rows: Rows
    term: Term
    params: dict[str, Any]
    resamples: Resamples
    made: dict[float, Interval | None] = field(default_factory=dict)

    @property
    def estimate(self) -> float:
        """The value."""
        return float(self.term.request.sheet.compute(self.rows.ranked[0], **self.params))

    def interval(self, level: float) -> Interval | None:
        """The interval, made once; None where the measure is undefined."""
        if level not in self.made:
            ranked = self.rows.ranked[0]
            kept = self.rows if self.rows.clusters is not None or not ranked.counts_rows else None
            how: dict[str, Any] = {"level": level, "seed": self.resamples.seed, "n_resamples": self.resamples.n}
            asked = [(self.term.request.sheet, self.params)]
            self.made[level] = intervals_of_measures(ranked, asked, rows=kept, **how)[0]
        return self.made[level]

    def ends(self, level: float) -> Ends:
        """Give the two-sided interval at this level."""
        found = self.interval(level)
        return (math.nan, math.nan) if found is None else (found.low, found.high)


@dataclass(frozen=True, slots=True)
class Joined:
    """The difference of two values, each with its own interval, which need not be symmetric; see the module."""

    first: WithEnds
    second: WithEnds
    correlation: float

    @property
    def estimate(self) -> float:
        """First minus second."""
        return self.first.estimate - self.second.estimate

    def ends(self, level: float) -> Ends:
        """Give the interval of the difference."""
        one, two = self.first.estimate, self.second.estimate
        (low1, high1), (low2, high2) = self.first.ends(level), self.second.ends(level)
        down = float(joined_reach(one - low1, high2 - two, self.correlation))
        up = float(joined_reach(high1 - one, two - low2, self.correlation))
        return self.estimate - down, self.estimate + up


@dataclass(frozen=True, slots=True)
class Wider:
    """A difference with the wider of two bounds on each side."""

    inner: WithEnds
    other: WithEnds

    @property
    def estimate(self) -> float:
        """First minus second."""
        return self.inner.estimate

    def ends(self, level: float) -> Ends:
        """Give the interval of the difference."""
        (low, high), (down, up) = self.inner.ends(level), self.other.ends(level)
        return min(low, down), max(high, up)
