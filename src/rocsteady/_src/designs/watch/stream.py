"""One measure of one segment over days: its level, with ends that hold at every look, and evidence for a change."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.designs.watch.evidence import (
    SIZES,
    counted_limit_evidence,
    joint_evidence,
    normal_limit_evidence,
    start_of_fall,
    start_weights,
)
from rocsteady._src.designs.watch.measures import is_enough
from rocsteady._src.designs.watch.sequences import counted_sequence, divergence_ends, normal_sequence
from rocsteady._src.designs.watch.to_come import all_labelled, likely
from rocsteady._src.inference.intervals.binomial import bounds_of
from rocsteady._src.inference.intervals.normal import quantile_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.designs.watch.day_counts import DaySums
    from rocsteady._src.designs.watch.measures import Reading, Watched

    Array = NDArray[np.float64]

FEW = 10
EDGE = 0.5
SIDES = {1: (1,), -1: (-1,), 0: (1, -1)}  # of what is worse


@dataclass(frozen=True, slots=True)
class How:
    """How a change is judged: at what share of alpha, beyond what margin, exactly by counts or not.

    With ``run_length`` the promise is a mean number of looks between false alarms, not a probability of any. Where it
    is ``one_of_many``, so many, alarms are decided from the evidence of all of them together.
    """

    alpha: float
    level: float
    margin: float | None = None
    exact: bool = False
    run_length: float | None = None
    one_of_many: int = 0  # how many, where they are decided together

    @property
    def limit(self) -> float:
        """The log evidence that raises an alarm; none where that is decided elsewhere."""
        return math.inf if self.one_of_many else self.least_limit

    @property
    def least_limit(self) -> float:
        """The least log evidence that may raise an alarm: where many are decided together, that of all of them."""
        return math.log(1 / (self.alpha * max(self.one_of_many, 1)) if self.run_length is None else self.run_length)


@dataclass(frozen=True, slots=True)
class Stream:
    """What was found, by day: values with ends, the level so far with ends, and log evidence for a change."""

    reference: Reading
    readings: tuple[Reading, ...]
    low: Array
    high: Array
    so_far: Array
    so_far_low: Array
    so_far_high: Array
    evidence: Array
    alarm: int | None
    change: int | None
    waiting: int
    open_could_turn: bool = False  # labels that may still come could raise an alarm


def watch_stream(measure: Watched, reference: Sequence[DaySums], days: Sequence[DaySums], how: How) -> Stream:
    """Judge the days of one measure, in their order, against the reference."""
    known = measure.read(reference)
    readings = tuple(measure.read([day]) for day in days)
    blocks = _blocks(measure, days, known, exact=how.exact)
    ends = np.array([block[-1] for block in blocks], dtype=np.int64)
    found = [measure.read([days[place] for place in block]) for block in blocks]
    low, high = _daily_ends(measure, readings, how)
    level = _level(measure, known, found, how)
    logs, change = np.zeros(0), None
    if blocks and not math.isnan(known.variance):
        logs, change = _evidence(measure, known, found, how)
    over = np.flatnonzero(logs >= how.limit)
    alarm = None if not over.size else int(ends[over[0]])
    start = None if change is None or (alarm is None and not how.one_of_many) else int(blocks[change][0])
    so_far, so_far_low, so_far_high, carried = (_carried(column, ends, len(days)) for column in (*level, logs))
    waiting = len(days) - (int(ends[-1]) + 1 if blocks else 0)
    turned = alarm is None and _could_turn(measure, reference, days, known, how)
    return Stream(known, readings, low, high, so_far, so_far_low, so_far_high, carried, alarm, start, waiting, turned)


def _could_turn(
    measure: Watched, reference: Sequence[DaySums], days: Sequence[DaySums], known: Reading, how: How
) -> bool:
    """Whether labels of open rows could raise an alarm: evidence with all of them against the model is a bound."""
    is_open = any(day.n_open for day in (*reference, *days))
    if not is_open or not days or math.isnan(known.variance):
        return False
    rest = likely(reference)
    logs: list[Array] = []
    for side in SIDES[measure.better]:
        worst, best = ([all_labelled(day, measure, to, rest) for day in days] for to in (-side, side))
        blocks = _blocks(measure, worst, known, exact=how.exact)
        found, before = ([measure.read([part[at] for at in block]) for block in blocks] for part in (worst, best))
        logs.append(_of_side(measure, known, found, how, side, before) if blocks else np.full(1, -math.inf))
    whole = np.logaddexp.reduce(logs, axis=0) - math.log(len(logs))
    return bool((whole >= how.least_limit).any())


def _blocks(measure: Watched, days: Sequence[DaySums], known: Reading, *, exact: bool) -> list[list[int]]:
    """Days that follow each other, taken together until they are enough; those at the end that are not are left."""
    blocks, begun = list[list[int]](), list[int]()
    for place in range(len(days)):
        begun.append(place)
        held = [days[each] for each in begun]
        reading = measure.read(held)
        if reading.total > 0 and (exact or is_enough(measure, reading, held, known)):
            blocks.append(begun)
            begun = []
    return blocks


def _carried(column: Array, ends: Any, n: int) -> Array:
    """Of every day what was known at the end of the last block before it; NaN before the first."""
    if not len(ends):
        return np.full(n, math.nan)
    place = np.searchsorted(ends, np.arange(n), side="right") - 1
    return np.where(place >= 0, column[np.maximum(place, 0)], math.nan)


def _daily_ends(measure: Watched, readings: Sequence[Reading], how: How) -> tuple[Array, Array]:
    """Of every day by itself, at levels so high that all of them together hold with the level asked for."""
    shares = start_weights(len(readings)) * (1 - how.level)
    ends = [day_ends(measure, each, share) for each, share in zip(readings, shares, strict=True)]
    return np.array([low for low, _ in ends]), np.array([high for _, high in ends])


def day_ends(measure: Watched, reading: Reading, alpha: float) -> tuple[float, float]:
    """The ends of one day: exact for rates and for few rows, normal for means, and for areas on the log-odds scale."""
    if not reading.total or math.isnan(reading.value):
        return math.nan, math.nan
    if measure.kind == "rate":
        low, high = bounds_of(np.array(reading.hits), np.array(reading.total), 1 - alpha, "clopper-pearson")
        return float(low), float(high)
    z, error = quantile_of(1 - alpha), math.sqrt(max(reading.variance, 0.0)) if reading.variance >= 0 else math.nan
    if measure.kind == "mean":
        return reading.value - z * error, reading.value + z * error
    if reading.total < FEW or not 0 < reading.value < 1 or not error > 0:
        return divergence_ends(reading.hits, reading.total, alpha)
    odds, reach = math.log(reading.value / (1 - reading.value)), z * error / (reading.value * (1 - reading.value))
    return 1 / (1 + math.exp(-odds + reach)), 1 / (1 + math.exp(-odds - reach))


def _level(measure: Watched, known: Reading, found: Sequence[Reading], how: How) -> tuple[Array, Array, Array]:
    if not found:
        blank = np.zeros(0)
        return blank, blank, blank
    if measure.kind == "rate" or how.exact:
        hits, total = (np.array([getattr(each, name) for each in found]) for name in ("hits", "total"))
        return counted_sequence(hits, total, 1 - how.level)
    value, weight = (np.array([getattr(each, name) for each in found]) for name in ("value", "total"))
    variance = np.array([_variance(measure, each, known) for each in found])
    mean, low, high = normal_sequence(value, variance, weight, 1 - how.level)
    return mean, *((np.clip(low, 0, 1), np.clip(high, 0, 1)) if measure.kind == "area" else (low, high))


def _variance(measure: Watched, reading: Reading, known: Reading) -> float:
    """The larger of what the rows themselves say and of what the reference would say of as many rows.

    A day that by chance looks bad must not look sure as well.
    """
    if measure.kind == "rate":
        share = min(max(known.value, EDGE / known.total), 1 - EDGE / known.total)
        return share * (1 - share) / reading.total
    pairs = zip(known.spreads, reading.sizes, strict=True)
    return float(np.fmax(reading.variance, sum(spread / size for spread, size in pairs)))


def _evidence(measure: Watched, known: Reading, found: Sequence[Reading], how: How) -> tuple[Array, int | None]:
    """Log evidence after each block for the worse, or where neither side is worse for either; and the likely start."""
    sides = SIDES[measure.better]
    logs = np.array([_of_side(measure, known, found, how, side) for side in sides])
    whole: Array = np.logaddexp.reduce(logs, axis=0) - math.log(len(sides))
    side = sides[int(np.argmax(logs[:, -1]))]
    reference, values = _normal(measure, known, found, side)
    over = np.flatnonzero(whole >= how.limit)
    judged = values if not over.size else values[: over[0] + 1]
    return whole, start_of_fall(reference, judged)


def _of_side(
    measure: Watched,
    known: Reading,
    found: Sequence[Reading],
    how: How,
    side: int,
    before: Sequence[Reading] | None = None,
) -> Array:
    """Evidence with open rows against an alarm; for one where days ``before`` a change are given, all labelled."""
    margin, against = 0.0 if how.margin is None else how.margin, -1 if before is None else 1
    if how.exact:
        counts = np.array([_counts(each, side) for each in found])
        return counted_limit_evidence(_counts(known, side, against), counts, margin)
    reference, values = _normal(measure, known, found, side, against)
    slope = _slope(known.value) if measure.on_log_odds else 1.0
    sizes = np.asarray(SIZES) / slope
    if how.margin is None:
        earlier = None if before is None else _normal(measure, known, before, side)[1]
        return joint_evidence(reference, values, sizes, detector=how.run_length is not None, before=earlier)
    below = known.value - side * margin
    far = abs(_odds(known.value) - _odds(min(max(below, 1e-9), 1 - 1e-9))) if measure.on_log_odds else margin
    return normal_limit_evidence(reference, values, sizes, far)


def _counts(reading: Reading, side: int, favor: int = 1) -> tuple[float, float]:
    hits, total = reading.at_most if side * favor > 0 else reading.at_least
    return (hits, total) if side > 0 else (total - hits, total)


def _normal(
    measure: Watched, known: Reading, found: Sequence[Reading], side: int, favor: int = -1
) -> tuple[tuple[float, float], Array]:
    """Estimates with variances, turned so that a fall is for the worse, and on the scale where they are judged.

    Open rows of the days speak for the model, and those of the reference against it unless ``favor`` is 1.
    """
    values = [_judged(measure, each, known, side) for each in found]
    return _judged(measure, known, known, side, favor), np.array(values)


def _judged(measure: Watched, reading: Reading, known: Reading, side: int, favor: int = 1) -> tuple[float, float]:
    hits, total = reading.at_most if side * favor > 0 else reading.at_least
    value = hits / total
    judged = replace(reading, total=total, value=value)
    variance = _variance(measure, judged, known)
    if not measure.on_log_odds:
        return side * value, variance
    if measure.kind == "rate":
        value = (hits + EDGE) / (total + 2 * EDGE)
        expected = variance / _slope((known.hits + EDGE) / (known.total + 2 * EDGE)) ** 2
        return side * _odds(value), max(1 / (total * _slope(value)), expected)
    least = EDGE / (reading.sizes[0] * reading.sizes[1])
    value = min(max(value, least), 1 - least)
    own = (reading.variance if reading.variance >= 0 else 0.0) / _slope(value) ** 2
    expected = sum(s / n for s, n in zip(known.spreads, reading.sizes, strict=True)) / _slope(known.value) ** 2
    return side * _odds(value), max(own, expected)


def _odds(share: float) -> float:
    return math.log(share / (1 - share))


def _slope(share: float) -> float:
    share = min(max(share, 1e-6), 1 - 1e-6)
    return share * (1 - share)
