"""Cox's model of one score: the log hazard ratio by Newton's method, and what each row adds to it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocsteady._src.base.errors import InputError
from rocsteady._src.designs.times.rows_by_time import MANY_ROWS, total_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rocsteady._src.designs.times.rows_by_time import TimedRows

    Array = NDArray[np.float64]
    Whole = NDArray[np.int64]

STEPS, CLOSE, FARTHEST = 200, 1e-8, 100.0
LARGEST = 600.0  # of an exponent: sums of many such still are numbers
SAMPLED = 1 << 15  # rows of a first guess
BLOCK = 1 << 14  # rows that stay in the processor's cache


@dataclass(frozen=True, eq=False)
class Hazard:
    """The log hazard ratio of the score, with what each row adds to it."""

    slope: float
    pulls: Array


def fitted_hazard(rows: TimedRows, score: Array, middle: float, spread: float) -> Hazard:
    """Fit the model; tied events by Breslow's likelihood. O(n) a step, and few: the first ones look at some rows only.

    Scores are counted from the ``middle`` one and by their ``spread``.
    """
    if not rows.event.any():
        raise InputError("no_pairs", "no event was seen: concordance needs one")
    if not spread > 0:
        return Hazard(0.0, np.zeros(score.size))
    found = AtRisk.of(rows, (score - middle) / spread)
    slope = found.fitted(found.guessed())
    if slope is None:
        text = "the proportional hazards model of the score has no finite slope: scores order all events"
        raise InputError("no_finite_slope", f"{text}; use Harrell's or Uno's C")
    curvature, own = found.pulls(slope)
    return Hazard(slope / spread, own / (curvature * spread))


class Stretch(NamedTuple):
    """Rows whose scores are counted from one origin."""

    start: int
    stop: int
    origin: float


@dataclass(frozen=True, slots=True, eq=False)
class AtRisk:
    """Rows in order of time, with their weights, None where each counts once, and weights of those with an event.

    ``first`` is the first row of each distinct time, None where no two rows share one.
    """

    score: Array
    held: Array | None
    events: Array
    first: Whole | None

    @classmethod
    def of(cls, rows: TimedRows, score: Array) -> AtRisk:
        """All rows."""
        times, place = rows.distinct
        held = None if rows.units.weights is None else rows.held
        first = None if times.size == place.size else np.flatnonzero(np.append(True, place[1:] != place[:-1]))
        return cls(score, held, rows.held * rows.event, first)

    def guessed(self) -> float:
        """The slope of some of many rows, or 0."""
        every = self.score.size // SAMPLED
        if every < 2:
            return 0.0
        first = self.first
        if first is not None:
            first = np.unique(-(-first // every))
            first = first[first < -(-self.score.size // every)]
        held = None if self.held is None else self.held[::every]
        return AtRisk(self.score[::every], held, self.events[::every], first).fitted(0.0) or 0.0

    def fitted(self, slope: float) -> float | None:
        """Where the likelihood, which has one top, is highest; None where it rises without end."""
        low, high, longest = -math.inf, math.inf, 2.0
        for number in range(STEPS):
            gradient, curvature = self.derivatives(slope)
            low, high = (slope, high) if gradient > 0 else (low, slope)
            step = gradient / curvature if curvature > 0 else math.copysign(math.inf, gradient)
            if abs(step) > longest:
                step, longest = math.copysign(longest, gradient), 2 * longest
            if number and not low < slope + step < high and high - low < math.inf:
                step = (low + high) / 2 - slope
            slope += step
            if abs(step) <= CLOSE * max(abs(slope), 1.0):
                return slope
            if (abs(slope) > FARTHEST or not curvature > 0) and self.endless():
                return None
        return None

    def endless(self) -> bool:
        """Whether each event has the highest score of those at risk, or each the lowest."""
        counted, everyone = self.events > 0, slice(0, self.score.size)
        tops = (sign * self._at_first(self._highest(sign), everyone) for sign in (1.0, -1.0))
        return any(np.array_equal(top[counted], self.score[counted]) for top in tops)

    def derivatives(self, slope: float) -> tuple[float, float]:
        """The derivative of the log partial likelihood by the slope, and the negative of the second."""
        gradient, curvature = [], []
        for rows, origin, _, mean, square in self._walked(slope):
            gradient.append(self._total(rows, self.score[rows] - origin - mean))
            curvature.append(self._total(rows, square - mean * mean))
        return math.fsum(gradient), math.fsum(curvature)

    def pulls(self, slope: float) -> tuple[float, Array]:
        """The curvature, and what each row adds to the derivative: if it has an event, less what was expected of it."""
        n, curvature = self.score.size, []
        shares, means, own = np.empty(n), np.empty(n), np.empty(n)
        for rows, origin, total, mean, square in self._walked(slope):
            np.divide(self.events[rows], total, out=shares[rows])
            np.multiply(shares[rows], mean, out=means[rows])
            np.multiply(self.events[rows] > 0, self.score[rows] - origin - mean, out=own[rows])
            curvature.append(self._total(rows, square - mean * mean))
        self._take_expected(slope, shares, means, own)
        return math.fsum(curvature), own

    def _total(self, rows: slice, values: Array) -> float:
        """The sum over events, correctly rounded where there are not very many rows."""
        values *= self.events[rows]
        return total_of(values) if self.score.size <= MANY_ROWS else float(values.sum())

    def _take_expected(self, slope: float, shares: Array, means: Array, own: Array) -> None:
        """Take from each row what was expected of it: the sum over events until then of its share of those at risk.

        ``shares`` are of one unit of risk, ``means`` times the mean score of those at risk; both are written over.
        """
        base, of_mean, last = 0.0, 0.0, math.nan
        for stretch in self._stretches(slope):
            rows, score = slice(stretch.start, stretch.stop), self.score[stretch.start : stretch.stop] - stretch.origin
            if base:  # what came before is counted from another origin
                moved = stretch.origin - last
                factor = math.exp(slope * moved)
                base, of_mean = base * factor, (of_mean - moved * base) * factor
            shares[stretch.start] += base
            means[stretch.start] += of_mean
            first = np.cumsum(shares[rows], out=shares[rows])
            second = np.cumsum(means[rows], out=means[rows])
            base, of_mean, last = float(first[-1]), float(second[-1]), stretch.origin
            expected = np.multiply(score, self._at_last(first, rows))
            expected -= self._at_last(second, rows)
            expected *= np.exp(np.multiply(score, slope, out=score), out=score)
            own[rows] -= expected

    def _walked(self, slope: float) -> Iterator[tuple[slice, float, Array, Array, Array]]:
        """Rows of late times first: the weight of those at risk, their mean score and that of its square.

        Scores are counted from the origin that comes with them.
        """
        later, last = np.zeros(3), math.nan
        for stretch in reversed(self._stretches(slope)):
            if later[0]:
                moved = last - stretch.origin
                mean, square = later[1] + moved * later[0], later[2] + moved * (2 * later[1] + moved * later[0])
                later = np.array([later[0], mean, square]) * math.exp(slope * moved)
            last = stretch.origin
            for start, stop in self._blocks(stretch):
                rows = slice(start, stop)
                sums = self._sums(slope, rows, stretch.origin)
                sums += later[:, None]
                later = sums[:, 0].copy()
                sums = self._at_first(sums, rows)
                sums[0] += sums[0] <= 0  # nobody is at risk, and nobody has an event
                sums[1:] /= sums[0]
                yield rows, stretch.origin, sums[0], sums[1], sums[2]

    def _sums(self, slope: float, rows: slice, origin: float) -> Array:
        """Running sums, from the last row on, of risks, times scores and times their squares."""
        score, sums = self.score[rows] - origin, np.empty((3, rows.stop - rows.start))
        np.exp(np.multiply(score, slope, out=sums[0]), out=sums[0])
        if self.held is not None:
            sums[0] *= self.held[rows]
        np.multiply(sums[0], score, out=sums[1])
        np.multiply(sums[1], score, out=sums[2])
        return np.cumsum(sums[:, ::-1], axis=1)[:, ::-1]

    def _stretches(self, slope: float) -> list[Stretch]:
        """Runs of times in which risks from one origin are neither too large, nor all too small, for a double."""
        n, sign = self.score.size, math.copysign(1.0, slope)
        if abs(slope) <= LARGEST:
            return [Stretch(0, n, 0.0)]
        first = np.arange(n) if self.first is None else self.first
        highest, stop = self._highest(sign)[first][::-1], first.size
        edges, found = np.append(first, n), []
        while stop:
            origin = highest[first.size - stop]
            start = first.size - int(np.searchsorted(highest, origin + LARGEST / abs(slope), side="right"))
            there = sign * float(origin) if np.isfinite(origin) else 0.0  # rows that count nothing come last
            found.append(Stretch(int(edges[start]), int(edges[stop]), there))
            stop = start
        return found[::-1]

    def _highest(self, sign: float) -> Array:
        """The highest score of each row and those after it, or the lowest, by sign; of rows that count."""
        counted = sign * self.score if self.held is None else np.where(self.held > 0, sign * self.score, -np.inf)
        found: Array = np.maximum.accumulate(counted[::-1])[::-1]
        return found

    def _blocks(self, stretch: Stretch) -> Iterator[tuple[int, int]]:
        """Rows that stay in the cache, late ones first; rows of one time stay together."""
        edges = np.append(np.arange(stretch.start, stretch.stop, BLOCK), stretch.stop)
        if self.first is not None:
            starts = np.append(self.first, self.score.size)
            edges = np.unique(starts[np.searchsorted(starts, edges)])
        return zip(edges[-2::-1].tolist(), edges[:0:-1].tolist(), strict=True)

    def _at_first(self, sums: Array, rows: slice) -> Array:
        """For each of some rows the value of the first one of its time."""
        if self.first is None:
            return sums
        first = self.first[np.searchsorted(self.first, rows.start) : np.searchsorted(self.first, rows.stop)]
        sizes = np.diff(first, append=rows.stop)
        return np.repeat(sums[..., first - rows.start], sizes, axis=-1)

    def _at_last(self, values: Array, rows: slice) -> Array:
        """For each of some rows the value of the last one of its time."""
        if self.first is None:
            return values
        first = self.first[np.searchsorted(self.first, rows.start) : np.searchsorted(self.first, rows.stop)]
        sizes = np.diff(first, append=rows.stop)
        return np.repeat(values[first - rows.start + sizes - 1], sizes)
