"""How likely a row is still watched: the Kaplan-Meier curve of the censoring, and how estimates depend on it.

Where an event and a censoring fall on one time, the event comes first. The curve's value just before the k-th distinct
time is ``left[k]``, and after the last one ``left[-1]``: any point of it is such a number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.designs.times.rows_by_time import TimedRows

    Array = NDArray[np.float64]
    Whole = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Curve:
    """A Kaplan-Meier curve of rows that leave at a distinct time, with the weight at risk and leaving there."""

    times: Array
    place: Whole
    leaves: NDArray[np.bool_]
    at_risk: Array
    leaving: Array

    @cached_property
    def left(self) -> Array:
        """The curve just before each distinct time, and after the last."""
        steps = np.ones(self.times.size + 1)
        np.maximum(1 - self._share, 0.0, out=steps[1:])
        found: Array = np.cumprod(steps, out=steps)
        return found

    @cached_property
    def _share(self) -> Array:
        """The share of the weight at risk that leaves; 0 where nobody is at risk."""
        found: Array = self.leaving / (self.at_risk + (self.at_risk <= 0))
        return found

    def after(self, time: Any) -> Any:
        """The number of the point just after a time."""
        return self.times.searchsorted(time, side="right")

    def pulls(self, points: Any, loads: Any) -> Array:
        """What more weight of each row adds through the curve, given derivatives by its logarithm at some points.

        The exact derivative of the product: O(rows).
        """
        size = self.times.size
        later = np.bincount(np.ravel(points), np.ravel(loads), size + 1)[::-1].cumsum()[::-1][1:]
        of_leaving = later / self._remain
        walked = np.zeros(size + 1)
        np.cumsum(of_leaving * self._share, out=walked[1:])
        found: Array = walked[self.place + self.leaves]
        found -= self.leaves * of_leaving[self.place]
        return found

    @cached_property
    def _remain(self) -> Array:
        """The weight at risk that does not leave; infinite where none remains, so that shares of it are 0."""
        remain = self.at_risk - self.leaving
        remain[~(remain > 0)] = np.inf
        return remain


def censoring_of(rows: TimedRows) -> Curve:
    """The curve of the censoring; events of a time come before it."""
    times, place = rows.distinct
    events, leaving = rows.at_each_time(rows.held * rows.ended), rows.at_each_time(rows.held * ~rows.ended)
    return Curve(times, place, ~rows.ended, _at_risk(rows) - events, leaving)


def _at_risk(rows: TimedRows) -> Array:
    found: Array = rows.at_each_time(rows.held)[::-1].cumsum()[::-1]
    return found
