"""Average precision of labels with what each row adds to it, and intervals without resampling.

With p the weight of positives at a score, TP and C the weight of positives and of all rows at or above it, and P that
of all positives, AP is the sum over scores of p TP / C, over P. Its derivative by the weight of a positive at h is
(TP_h / C_h - AP + the sum over scores up to h of p (C - TP) / C^2) / P, and by that of a negative minus the sum of
p TP / C^2, over P.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.designs.classes.intervals import units_of
from rocsteady._src.designs.labels.estimates import label_estimate
from rocsteady._src.designs.labels.intervals import fewest_of_micro, rarest_of_labels
from rocsteady._src.designs.labels.rows_by_label import POSITIVE
from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.inference.intervals.replicate_ends import moved, within
from rocsteady._src.results import Interval
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.designs.classes.scores_by_class import ClassRows
    from rocsteady._src.designs.labels.estimates import LabelEstimate
    from rocsteady._src.designs.labels.rows_by_label import LabelRows
    from rocsteady._src.ranked.columns import SortedColumn
    from rocsteady._src.results import Origin

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

    def __init__(self, rows: LabelRows) -> None:
        self._rows = rows
        self._added, self._values, self._fewest = np.zeros(rows.rows.n_rows), list[float](), list[float]()

    def add(self, found: LabelEstimate) -> None:
        """Count a label in the mean."""
        self._added += found.influence.within
        self._values.append(found.value)
        self._fewest.append(found.fewest)

    def macro(self) -> LabelEstimate:
        """The mean of the labels that were added."""
        n = len(self._values)
        rare = math.fsum(1 / each for each in self._fewest if each)  # what every row has does not vary
        fewest = n / rare if rare else 1.0
        rarest = min((each for each in self._fewest if each), default=math.inf)
        return label_estimate(self._rows, math.fsum(self._values) / n, self._added / n, fewest, rarest)


def precision_of_label(rows: LabelRows, two: ClassRows, column: SortedColumn) -> LabelEstimate:
    """Average precision of one label."""
    value, slopes = precision_slopes(two, column)
    inside = two.codes == POSITIVE
    return label_estimate(rows, value, slopes, min(units_of(two, inside), units_of(two, ~inside)))


def precision_of_pool(rows: LabelRows, pool: ClassRows, column: SortedColumn) -> LabelEstimate:
    """All scores pooled: a row is one unit through all its scores."""
    value, slopes = precision_slopes(pool, column)
    added = slopes.reshape(rows.rows.n_rows, -1).sum(axis=1)
    return label_estimate(rows, value, added, fewest_of_micro(rows), rarest_of_labels(rows))


def precision_interval(found: LabelEstimate, level: float, origin: Origin, notes: tuple[Remark, ...]) -> Interval:
    """Standard errors on the log-odds scale, by Student's t with as many degrees as the rarer side has."""
    value, variance = found.value, found.variance()
    if not variance > NO_SPREAD:
        told = (*notes, Remark("no_spread_of_classes"))
        return Interval(value, math.nan, math.nan, level, METHOD, se=math.nan, origin=origin, warnings=told)
    se = math.sqrt(variance)
    reach = quantile_of(level, df=found.free()) * se
    low, high = within(UNIT, *(moved(value, side * reach, UNIT) for side in (-1, 1)))
    return Interval(value, low, high, level, METHOD, se=se, origin=origin, warnings=notes)
