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
    stays: NDArray[np.bool_]  # whether a row that does not leave at its own time is at risk of it

    @cached_property
    def left(self) -> Array:
        """The curve just before each distinct time, and after the last."""
        share = np.divide(self.leaving, self.at_risk, out=np.zeros(self.times.size), where=self.at_risk > 0)
        steps = np.concatenate([[1.0], 1 - share])
        steps[1:][self.leaving >= self.at_risk] = 0.0
        steps[1:][self.leaving == 0] = 1.0
        found: Array = np.cumprod(steps)
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
        remain = self.at_risk - self.leaving
        alive = remain > 0
        of_leaving = np.divide(later, remain, out=np.zeros(size), where=alive)
        of_risk = np.divide(of_leaving * self.leaving, self.at_risk, out=np.zeros(size), where=alive)
        walked = np.concatenate([[0.0], of_risk.cumsum()])
        there = walked[np.where(self.leaves | self.stays, self.place + 1, self.place)]
        found: Array = there - np.where(self.leaves, of_leaving[self.place], 0.0)
        return found


def censoring_of(rows: TimedRows) -> Curve:
    """The curve of the censoring; events of a time come before it."""
    times, place = rows.distinct
    held, ended = rows.held, rows.ended
    events = np.bincount(place, held * ended, times.size)
    leaving: Array = np.bincount(place, held * ~ended, times.size).astype(np.float64)
    at_risk = _at_risk(place, held, times.size) - events
    return Curve(times, place, ~ended, at_risk, leaving, np.zeros(ended.size, dtype=bool))


def survival_of(rows: TimedRows) -> Curve:
    """The curve of those without any event."""
    times, place = rows.distinct
    held, ended = rows.held, rows.ended
    leaving: Array = np.bincount(place, held * ended, times.size).astype(np.float64)
    return Curve(times, place, ended, _at_risk(place, held, times.size), leaving, np.ones(ended.size, dtype=bool))


def _at_risk(place: Whole, held: Array, size: int) -> Array:
    found: Array = np.bincount(place, held, size)[::-1].cumsum()[::-1]
    return found
