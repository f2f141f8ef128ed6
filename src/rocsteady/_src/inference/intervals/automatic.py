"""The default interval of an area: Wilson's for few rows, logit for many, by one rule of sizes and area.

Wilson's interval of a share needs to know among how many independent rows it was counted. An area is worth as many
rows as would make a share vary as much: its variance tells, and where few rows stand on the wrong side, and the
variance is itself hardly known, a model of it does. Measured coverage is in docs/coverage.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.inference.intervals.bounded_area import need_of_area, widened_low
from rocsteady._src.inference.intervals.formulas import logit_ends, newcombe_rows, wilson_ends
from rocsteady._src.inference.intervals.normal import p_value, quantile_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inference.intervals.bounded_area import BoundedValue
    from rocsteady._src.ranked import RankedScores, Rows

    Sizes = tuple[float, float]

ENOUGH_WRONG = 10
ROUNDING = 1e-12  # 100 rows of an AUC of 0.9 are as many as of 0.1
KNOWN_BEFORE = 5  # degrees of freedom that the model of the variance is worth


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an interval of an area is made from: its share of the largest possible, and how surely that is known.

    ``variance`` is that of the share, NaN where a class has a single row; ``fewest`` the independent rows of the
    smaller class. ``model`` is how many rows a share would need to vary as a model says that this area does, and
    ``seen`` the fewest rows that the area rests on: those of the smaller class, of a partial area those in its range.
    ``bounded`` is what the rows add to it, where that is known.
    """

    share: float
    variance: float
    fewest: float
    model: float
    seen: float
    bounded: BoundedValue | None = None

    @property
    def method(self) -> str:
        """What "auto" takes."""
        return chosen_method(self.share, self.seen)

    @property
    def worth(self) -> float:
        """Independent rows of a share that would be known as surely.

        The variance is that measured and that of the model, weighed by the rows on the wrong side against one.
        """
        spread, wrong = self.share * (1 - self.share), wrong_side(self.share, self.fewest)
        if spread <= 0 or math.isnan(self.variance):
            return self.model
        return spread * (wrong + 1) / (wrong * self.variance + spread / self.model)

    def wilson_ends(self, level: float) -> tuple[float, float]:
        """Wilson's interval of a share of so many rows, with Student's t; of positive width also at 0 and 1."""
        q = quantile_of(level, df=max(self.fewest, 1.0) - 1 + KNOWN_BEFORE)
        low, high = wilson_ends(self.share, self.worth, q)
        return 0.0 if self.share <= ROUNDING else low, 1.0 if self.share >= 1 - ROUNDING else high

    def ends(self, level: float) -> tuple[float, float]:
        """The interval of the share that "auto" makes: where few rows are misranked, no shorter than holds for any."""
        low, high = self.plain_ends(level)
        few = self.few
        if not few or self.bounded is None:
            return low, high
        below, above = (
            widened_low(each.bounded, few, level, end, each.p_above)
            for each, end in ((self, low), (self.turned(), 1 - high))
            if each.bounded is not None
        )
        return below, high if above == 1 - high else 1 - above

    def plain_ends(self, level: float) -> tuple[float, float]:
        """The interval by the variance or its model alone."""
        if self.method == "wilson":
            return self.wilson_ends(level)
        return logit_ends(self.share, math.sqrt(self.variance), quantile_of(level))

    @property
    def few(self) -> float:
        """How far the bound that holds for any distribution is needed, from 0 to 1."""
        if self.bounded is None:
            return 0.0
        return need_of_area(self.bounded, wrong_side(self.share, self.seen))

    def turned(self) -> Evidence:
        """The same about one minus the area."""
        return replace(self, share=1 - self.share, bounded=None if self.bounded is None else self.bounded.mirrored())

    def statistic(self, goal: float) -> tuple[float, float | None]:
        """The statistic whose test rejects where the plain interval leaves the goal out, and its degrees of freedom."""
        if self.method == "wilson":
            free = max(self.fewest, 1.0) - 1 + KNOWN_BEFORE
            return (self.share - goal) / math.sqrt(goal * (1 - goal) / self.worth), free
        se = math.sqrt(self.variance) / (self.share * (1 - self.share))
        return (math.log(self.share / (1 - self.share)) - math.log(goal / (1 - goal))) / se, None

    def p_above(self, goal: float) -> float:
        """One-sided p of an area above the goal: of the plain test or, as far as rows are few, the larger of both."""
        if not 0 < goal < 1:
            return 0.0 if goal <= 0 else 1.0
        statistic, df = self.statistic(goal)
        plain, few = p_value(statistic, "greater", df=df), self.few
        if not few or self.bounded is None:
            return plain
        return (1 - few) * plain + few * max(plain, self.bounded.p_above(goal))

    def p_below(self, goal: float) -> float:
        """One-sided p of an area below the goal."""
        return self.turned().p_above(1 - goal)


def wrong_side(share: float, rows: float) -> float:
    """Rows of the smaller class on the wrong side: its size times 1 - AUC, or times AUC when that is less.

    Examples
    --------
    >>> wrong_side(0.75, 20)
    5.0
    """
    return rows * min(share, 1 - share)


def chosen_method(share: float, rows: float) -> str:
    """Method that "auto" takes: logit from ten rows on the wrong side on, Wilson's below.

    Examples
    --------
    >>> chosen_method(0.75, 40), chosen_method(0.75, 39), chosen_method(1.0, 5000)
    ('logit', 'wilson', 'wilson')
    """
    return "logit" if wrong_side(share, rows) >= ENOUGH_WRONG * (1 - ROUNDING) else "wilson"


def whole_area(share: float, variance: float, sizes: Sizes) -> Evidence:
    """Evidence on a whole AUC; the model is Newcombe's, as for scores of alike spread."""
    return Evidence(share, variance, min(sizes), newcombe_rows(share, *sizes), min(sizes))


def partial_area(share: float, variance: float, own: float, other: float, width: float) -> Evidence:
    """Evidence on an area over a range of a rate: a mean over the rows of one class, ``own``.

    It rests on those rows and on the rows of the ``other`` class that lie in the range; the model takes the fewer.
    """
    seen = min(own, other * width)
    return Evidence(share, variance, min(own, other), seen, seen)


def sizes_of(ranked: RankedScores, rows: Rows | None, kind: str | None) -> Sizes:
    """Independent units of each class: rows, or subjects; unequal weights count as fewer equal ones (Kish)."""
    if rows is None or (rows.clusters is None and kind != "sampling"):
        return float(ranked.n_pos), float(ranked.n_neg)
    return _units(rows, rows.positive), _units(rows, ~rows.positive)


def _units(rows: Rows, mask: NDArray[np.bool_]) -> float:
    weights = np.ones(mask.size) if rows.weights is None else rows.weights.astype(np.float64)
    return equal_units(weights[mask], None if rows.clusters is None else rows.clusters[mask])


def equal_units(weights: NDArray[np.float64], units: NDArray[np.int64] | None = None) -> float:
    """As many units of equal weight as tell a mean as surely (Kish): rows, or the subjects that ``units`` numbers.

    Examples
    --------
    >>> equal_units(np.array([2.0, 2.0, 2.0])), equal_units(np.array([1.0, 1.0, 2.0]), np.array([0, 0, 1]))
    (3.0, 2.0)
    """
    held = weights if units is None else np.bincount(units, weights)
    return float(held.sum()) ** 2 / float(held @ held)
