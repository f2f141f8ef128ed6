"""Average precision of labels with what each row adds to it, and intervals without resampling.

With p the weight of positives at a score, TP and C the weight of positives and of all rows at or above it, and P that
of all positives, AP is the sum over scores of p TP / C, over P. Its derivative by the weight of a positive at h is
(TP_h / C_h - AP + the sum over scores up to h of p (C - TP) / C^2) / P, and by that of a negative minus the sum of
p TP / C^2, over P.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.designs.classes.influence import Influence, variance_of
from rocsteady._src.designs.classes.intervals import units_of
from rocsteady._src.designs.labels.rows_by_label import POSITIVE
from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.inference.intervals.replicate_ends import moved, within
from rocsteady._src.results import Interval
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.designs.classes.scores_by_class import ClassRows
    from rocsteady._src.designs.labels.rows_by_label import LabelRows
    from rocsteady._src.ranked.columns import SortedColumn

    Array = NDArray[np.float64]

UNIT = (0.0, 1.0)
METHOD = "wald on log-odds"
NO_SPREAD = 1e-26


def precision_slopes(two: ClassRows, column: SortedColumn) -> tuple[float, Array]:
    """Average precision, and its derivative by the weight of each row."""
    order = column.order
    weights = np.ones(two.n_rows) if two.weights is None else two.weights.astype(np.float64)
    heavy, own = weights[order], (two.codes == POSITIVE)[order]
    ends = np.arange(order.size) if column.ends is None else column.ends
    starts = np.concatenate([[0], ends[:-1] + 1])
    pos, every = (np.add.reduceat(side, starts) for side in (heavy * own, heavy))
    tp, called = (side[::-1].cumsum()[::-1] for side in (pos, every))
    total = tp[0]
    value = float(pos @ (tp / called) / total)
    lifts, drops = ((pos * side / called**2).cumsum() for side in (called - tp, tp))
    group = np.repeat(np.arange(ends.size), np.diff(ends, prepend=-1))
    slopes = np.empty(two.n_rows)
    slopes[order] = np.where(own, (tp / called - value + lifts)[group], -drops[group]) / total
    return value, slopes


class Precisions:
    """Average precision of labels one after another, and of their mean."""

    def __init__(self, rows: LabelRows, level: float, notes: tuple[Remark, ...]) -> None:
        self._rows, self._level, self._notes = rows, level, notes
        self._added, self._values, self._fewest = np.zeros(rows.rows.n_rows), list[float](), list[float]()

    def of_label(self, two: ClassRows, column: SortedColumn) -> Interval:
        """One label with its interval."""
        value, slopes = precision_slopes(two, column)
        inside = two.codes == POSITIVE
        fewest = min(units_of(two, inside), units_of(two, ~inside))
        self._added += slopes
        self._values.append(value)
        self._fewest.append(fewest)
        return self._interval(value, slopes, fewest)

    def macro(self) -> Interval:
        """The mean of the labels that were added."""
        n = len(self._values)
        fewest = n / math.fsum(1 / each for each in self._fewest)
        return self._interval(math.fsum(self._values) / n, self._added / n, fewest)

    def micro(self, pool: ClassRows, column: SortedColumn) -> Interval:
        """All scores pooled: a row is one unit through all its scores."""
        value, slopes = precision_slopes(pool, column)
        some, not_all = np.any(self._rows.present, axis=1), ~np.all(self._rows.present, axis=1)
        fewest = min(units_of(self._rows.rows, some), units_of(self._rows.rows, not_all))
        return self._interval(value, slopes.reshape(self._rows.present.shape).sum(axis=1), fewest)

    def _interval(self, value: float, slopes: Array, fewest: float) -> Interval:
        rows = self._rows.rows
        variance = variance_of(Influence(value, slopes, np.zeros(1)), rows)
        facts: dict[str, Any] = {"origin": self._rows.origin}
        if not variance > NO_SPREAD:
            told = (*self._notes, Remark("no_spread_of_classes"))
            return Interval(value, math.nan, math.nan, self._level, METHOD, se=math.nan, warnings=told, **facts)
        se = math.sqrt(variance)
        reach = quantile_of(self._level, df=max(fewest - 1, 1)) * se
        low, high = within(UNIT, *(moved(value, side * reach, UNIT) for side in (-1, 1)))
        return Interval(value, low, high, self._level, METHOD, se=se, warnings=self._notes, **facts)
