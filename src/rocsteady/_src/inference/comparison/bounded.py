"""A difference of AUCs with bounds that hold for any distribution, as far as few rows tell the models apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inference.intervals.bounded_area import (
    BoundedValue,
    Contributions,
    by_subject,
    need_of_area,
    need_of_difference,
    widened_low,
)
from rocsteady._src.inference.intervals.normal import p_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.inference.comparison.hypotheses import Difference
    from rocsteady._src.inference.units.spread import Areas

    Sizes = tuple[float, float]


@dataclass(frozen=True, slots=True)
class BoundedDifference:
    """First minus second by a formula; its p is no smaller, and its interval no shorter, than the bound allows.

    ``need`` is how far the bound counts, from 0 to 1: p is that of the formula, and to this part the larger of both.
    """

    inner: Difference
    bounded: BoundedValue
    need: float

    @property
    def estimate(self) -> float:
        """First minus second."""
        return self.inner.estimate

    @property
    def se(self) -> float:
        """Standard error by the formula."""
        return self.inner.se

    @property
    def df(self) -> float | None:
        """Degrees of freedom of the formula."""
        return self.inner.df

    def statistic(self, null: float) -> float:
        """Give the distance from ``null`` whose p is that of formula and bound; 0 where the bound says nothing."""
        from scipy.special import ndtri, stdtrit

        plain = self.inner.statistic(null)
        side = 1.0 if null < self.estimate else -1.0
        own = p_value(side * plain, "greater", df=self.df)
        pvalue = self._p(null, side)
        if null == 0:  # of which a two-sided test may ask
            pvalue = min(pvalue, max(own, 0.5))
        if null == self.estimate or not pvalue > own:
            return plain
        return -side * float(ndtri(pvalue) if self.df is None else stdtrit(self.df, pvalue))

    def ends(self, level: float) -> tuple[float, float]:
        """Give the interval of the difference."""
        low, high = self.inner.ends(level)
        low = widened_low(self.bounded, self.need, level, low, lambda place: self._p(place, 1.0))
        mirrored = self.bounded.mirrored()
        return low, 0.0 - widened_low(mirrored, self.need, level, -high, lambda place: self._p(-place, -1.0))

    def _p(self, null: float, side: float) -> float:
        """One-sided p of a difference above ``null``, or with the other side below."""
        plain = p_value(side * self.inner.statistic(null), "greater", df=self.df)
        bounded = self.bounded if side > 0 else self.bounded.mirrored()
        return (1 - self.need) * plain + self.need * max(plain, bounded.p_above(side * null))


def bounds_of_pair(areas: Areas, which: tuple[int, int], sizes: Sizes) -> tuple[BoundedValue, float] | None:
    """What each row adds to the difference of two whole AUCs on the same rows, and how far its bound is needed.

    None where it is not, or the rows stay in an engine.
    """
    rows = areas.models.in_memory()
    if rows is None and areas.area.whole:
        return _saved_bounds(areas.models, which)
    if rows is None or not areas.area.whole:
        return None
    one, two = (areas.area.components(rows.ranked[model]) for model in which)
    made = []
    for mask, first, second, n in (
        (rows.positive, one.of_pos, two.of_pos, sizes[0]),
        (~rows.positive, one.of_neg, two.of_neg, sizes[1]),
    ):
        places = [rows.places[model][mask] for model in which]
        values, weights = by_subject(first[places[0]] - second[places[1]], rows, mask)
        made.append(Contributions.of(values, weights, n, (-1.0, 1.0)))
    bounded = BoundedValue(one.theta - two.theta, tuple(made), total=0.0)
    need = need_of_difference(bounded)
    return (bounded.merged(), need) if need else None


def _saved_bounds(models: Any, which: tuple[int, int]) -> tuple[BoundedValue, float] | None:
    """Those that were saved with an evaluation, of the first model over the second."""
    known, (i, j) = getattr(models, "bounds", None) or {}, which
    if (j, i) in known:
        bounded, need = known[j, i]
        return bounded.mirrored(), need
    return known.get((i, j))


def bounds_of_samples(samples: Sequence[Areas], sizes: Sequence[Sizes]) -> tuple[BoundedValue, float] | None:
    """The same of two models on independent samples: as far as the bound of either AUC is needed."""
    made, needs, values = list[Contributions](), list[float](), list[float]()
    for sign, areas, size in zip((1.0, -1.0), samples, sizes, strict=True):
        ranked, rows = areas.models.ranked[0], areas.models.in_memory()
        if not areas.area.whole or rows is None:
            return None
        parts, own = areas.area.components(ranked), list[Contributions]()
        for mask, added, n in ((rows.positive, parts.of_pos, size[0]), (~rows.positive, parts.of_neg, size[1])):
            held, weights = by_subject(added[rows.places[0][mask]], rows, mask)
            own.append(Contributions.of(held, weights, n, (0.0, 1.0)))
        alone = BoundedValue(parts.theta, tuple(own))
        needs.append(need_of_area(alone, min(size) * min(parts.theta, 1 - parts.theta)))
        made += own if sign > 0 else [each.mirrored(0.0) for each in own]
        values.append(sign * parts.theta)
    need = float(np.max(needs))
    return (BoundedValue(sum(values), tuple(made), total=0.0).merged(), need) if need else None
