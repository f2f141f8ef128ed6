"""How likely a row is still watched: the Kaplan-Meier curve of the censoring, and how estimates depend on it.

Where an event and a censoring fall on one time, the event comes first. The curve's value just before the k-th distinct
time is ``left[k]``, and after the last one ``left[-1]``: any point of it is such a number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

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

    def after(self, time: float) -> int:
        """The number of the point just after a time."""
        return int(self.times.searchsorted(time, side="right"))

    def pulls(self, loads: Array, stop: int | None = None) -> Array:
        """What more weight of each row adds through the curve, given derivatives by its logarithm at each row's time.

        Of rows whose time is at the point ``stop`` or later the derivative is by the curve there. The exact derivative
        of the product: O(rows).
        """
        stop = self.times.size if stop is None else int(stop)
        n_before, n = int(self.place.searchsorted(stop)), self.place.size
        place = slice(0, stop) if self.times.size == n else self.place[:n_before]
        later = np.empty(stop + 1)
        later[stop] = loads[n_before:].sum()
        later[:stop] = loads[:n_before] if isinstance(place, slice) else np.bincount(place, loads[:n_before], stop)
        of_leaving = later[::-1].cumsum()[::-1][1:]
        of_leaving /= self._remain[:stop]
        walked = np.zeros(stop + 1)
        np.multiply(of_leaving, self._share[:stop], out=walked[1:])
        np.cumsum(walked, out=walked)
        found = np.empty(n)
        found[n_before:] = walked[stop]
        np.subtract(walked[1:], of_leaving, out=of_leaving)
        found[:n_before] = np.where(self.leaves[:n_before], of_leaving[place], walked[:-1][place])
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
    censored = ~rows.ended
    at_risk, leaving = _at_risk(rows), rows.at_each_time(rows.held * censored)
    at_risk -= rows.at_each_time(rows.held * rows.ended)
    return Curve(times, place, censored, at_risk, leaving)


def _at_risk(rows: TimedRows) -> Array:
    found: Array = rows.at_each_time(rows.held)[::-1].cumsum()[::-1]
    return found
