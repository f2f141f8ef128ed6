"""A watch that has its days is judged: every measure and segment, the scores, the probabilities; and put into words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.decided import ALARM, QUIET, UNSURE
from rocsteady._src.designs.watch.drift import in_tenths, stability_index, windows_tested
from rocsteady._src.designs.watch.evidence import gathered
from rocsteady._src.designs.watch.measures import WATCHED, is_enough
from rocsteady._src.designs.watch.stream import How, day_ends, watch_stream
from rocsteady._src.evaluation.monitor.reading import ALL
from rocsteady._src.evaluation.monitor.remembered import sorted_days
from rocsteady._src.evaluation.monitor.words import promise, verdict
from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.results import Origin
from rocsteady._src.results.monitor import (
    CalibrationWatch,
    MonitorResult,
    ScoreDrift,
    WatchedMeasure,
)
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.designs.watch.day_counts import DaySums
    from rocsteady._src.designs.watch.measures import Watched
    from rocsteady._src.designs.watch.stream import Stream
    from rocsteady._src.evaluation.monitor.remembered import Remembered

HIGHEST = 700.0
MANY_OPEN = 0.01
MANY_WAIT = 7


@dataclass(frozen=True, slots=True)
class Asked:
    """What a look asks for."""

    names: tuple[str, ...]
    alpha: float
    level: float
    margin: float | None
    exact: bool
    run_length: float | None
    matures: int
    left_out: int
    seen: int

    def how(self, segment: str, n_segments: int) -> How:
        """All rows have half of alpha where there are segments, which share the other half; measures share theirs."""
        share = 1.0 if not n_segments else 0.5 if segment == ALL else 0.5 / n_segments
        return How(self.alpha * share / len(self.names), self.level, self.margin, self.exact, self.run_length)


def judged(held: Remembered, asked: Asked) -> MonitorResult:
    """Everything that a look says."""
    segments = [name for name in held.reference if name == ALL or name in held.days]
    strange = sorted(name for name in held.days if name not in held.reference)
    ripe = {name: [day for number, day in sorted_days(held.days.get(name, {}))] for name in held.days}
    judged_days = {
        name: [day for number, day in sorted_days(days) if number <= held.last - asked.matures]
        for name, days in held.days.items()
    }
    found = [
        _measure(WATCHED[measure], segment, held.reference[segment], judged_days.get(segment, []), ripe, held, asked)
        for segment in segments
        for measure in asked.names
    ]
    drift = tuple(_drift(name, held.reference[name], ripe.get(name, []), asked.alpha) for name in segments)
    calibration = _calibration(judged_days.get(ALL, []), asked) if held.plan.probabilities else None
    decision = _decision(found)
    whole = ripe.get(ALL, [])
    n_open = sum(day.n_open for day in whole)
    pos, neg = (int(sum(getattr(day, name) for day in whole)) for name in ("n_pos", "n_neg"))
    told = _remarks(found, judged_days.get(ALL, []), strange, asked, calibration)
    return MonitorResult(
        decision=decision,
        verdict=verdict(decision, found, held.shown(held.last), n_open, asked),
        measures=tuple(found),
        drift=drift,
        calibration=calibration,
        alpha=asked.alpha,
        level=asked.level,
        promise=promise(asked, len(segments) - 1),
        today=held.shown(held.last),
        matures=asked.matures,
        n_waiting=len(whole) - len(judged_days.get(ALL, [])),
        open_rows=n_open,
        reference_days=len(held.reference[ALL]),
        n_pos=pos,
        n_neg=neg,
        origin=Origin(held.pos_label, held.n_rows, held.n_dropped),
        vintages=_vintages(held),
        warnings=tuple(told),
        remembered=held,
    )


def _measure(
    measure: Watched,
    segment: str,
    reference: Sequence[DaySums],
    days: Sequence[DaySums],
    ripe: dict[str, list[DaySums]],
    held: Remembered,
    asked: Asked,
) -> WatchedMeasure:
    """One measure of one segment; young days are shown after those that are judged."""
    how = asked.how(segment, len(held.reference) - 1)
    known = measure.read(reference)
    enough = is_enough(measure, known, reference, known) if not math.isnan(known.value) else False
    stream = watch_stream(measure, reference, days, how) if enough else watch_stream(measure, reference, (), how)
    everything = ripe.get(segment, [])
    readings = [measure.read([day]) for day in everything]
    low, high = day_ends(measure, known, 1 - asked.level)
    alarm = None if stream.alarm is None else days[stream.alarm].day
    change = None if stream.change is None else days[stream.change].day
    seen = bool((~np.isnan(stream.evidence)).any())
    decision = ALARM if alarm is not None else QUIET if seen else UNSURE
    reason = "" if seen else "too few rows in the reference" if not enough else "too few labelled rows yet"
    expected = _expected(measure.name, everything, asked.level)
    return WatchedMeasure(
        measure=measure.name,
        segment=None if segment == ALL else segment,
        decision=decision,
        reference=known.value,
        reference_low=low,
        reference_high=high,
        limit=math.exp(how.limit),
        level=asked.level,
        method="exact counts" if asked.exact else "normal approximation",
        alarm_day=alarm,
        change_day=change,
        day=tuple(day.day for day in everything),
        judged=np.arange(len(everything)) < len(days),
        value=np.array([each.value for each in readings]),
        open_low=np.array([each.low for each in readings]),
        open_high=np.array([each.high for each in readings]),
        n=np.array([each.total for each in readings]),
        n_open=np.array([day.n_open for day in everything]),
        **_padded(stream, len(everything)),
        **expected,
        reason=reason,
        n_waiting=stream.waiting if enough else 0,
    )


def _padded(stream: Stream, n: int) -> dict[str, Any]:
    """Columns of judged days, with NaN for those that wait."""
    evidence = np.exp(np.minimum(stream.evidence, HIGHEST))
    columns = {name: getattr(stream, name) for name in ("low", "high", "so_far", "so_far_low", "so_far_high")}
    columns["evidence"] = evidence
    return {
        name: np.concatenate([column, np.full(n - len(column), math.nan)]) if len(column) < n else column
        for name, column in columns.items()
    }


def _expected(name: str, days: Sequence[DaySums], level: float) -> dict[str, Any]:
    pairs = [day.expected.get(name, (math.nan, math.nan)) for day in days]
    value, error = (np.array([pair[place] for pair in pairs]) for place in (0, 1))
    reach = quantile_of(level) * error
    return {"expected": value, "expected_low": value - reach, "expected_high": value + reach}


def _decision(found: Sequence[WatchedMeasure]) -> str:
    """An alarm of any; quiet only where all rows were judged by some measure."""
    if any(each.decision == ALARM for each in found):
        return ALARM
    return QUIET if all(each.decision == QUIET for each in found if each.segment is None) else UNSURE


def _drift(segment: str, reference: Sequence[DaySums], days: Sequence[DaySums], alpha: float) -> ScoreDrift:
    before = np.sum([day.bins for day in reference], axis=0)
    bins = np.array([day.bins for day in days]).reshape(len(days), before.size)
    tested = windows_tested(before, bins)
    best = min(tested, key=lambda each: each.adjusted, default=None)
    alone = {each.first: each.distance for each in tested if each.first == each.last}
    tenths = in_tenths(before, before)
    index = [stability_index(tenths, in_tenths(each, before)) if each.sum() else math.nan for each in bins]
    changed = best is not None and best.adjusted <= alpha
    first, last = (None, None) if best is None else (days[best.first].day, days[best.last].day)
    return ScoreDrift(
        segment=None if segment == ALL else segment,
        changed=changed,
        pvalue=1.0 if best is None else best.adjusted,
        first_day=first,
        last_day=last,
        distance=math.nan if best is None else best.distance,
        alpha=alpha,
        day=tuple(day.day for day in days),
        distances=np.array([alone.get(place, math.nan) for place in range(len(days))]),
        psi=np.array(index),
    )


def _calibration(days: Sequence[DaySums], asked: Asked) -> CalibrationWatch:
    """Of days whose labels are all there: those that lack some would tell of the labels that come first."""
    whole = [day for day in days if day.calibration and not day.n_open and day.n_pos + day.n_neg]
    gains = np.array([day.calibration for day in whole])
    logs = gathered(gains) if whole else np.zeros(0)
    over = np.flatnonzero(logs >= math.log(1 / asked.alpha))
    return CalibrationWatch(
        refuted=bool(over.size),
        alarm_day=whole[int(over[0])].day if over.size else None,
        limit=1 / asked.alpha,
        day=tuple(day.day for day in whole),
        evidence=np.exp(np.minimum(logs, HIGHEST)),
        n_days=len(whole),
    )


def _vintages(held: Remembered) -> tuple[tuple[str, int, float, float, float], ...]:
    """By day of scoring and age: rows, and positives and negatives known by then."""
    found: list[tuple[str, int, float, float, float]] = []
    rows = held.days.get(ALL, {})
    for day in sorted(held.ages):
        pos = neg = 0.0
        for age in sorted(held.ages[day]):
            pos, neg = pos + held.ages[day][age][0], neg + held.ages[day][age][1]
            if day in rows and day + age <= held.last:
                found.append((held.shown(day), age, rows[day].n_rows, pos, neg))
    return tuple(found)


def _remarks(
    found: Sequence[WatchedMeasure],
    days: Sequence[DaySums],
    strange: Sequence[str],
    asked: Asked,
    calibration: CalibrationWatch | None,
) -> list[Remark]:
    n_open, total = int(sum(day.n_open for day in days)), int(sum(day.n_rows for day in days))
    told = [Remark("labels_open", n=n_open, total=total)] if n_open > MANY_OPEN * max(total, 1) else []
    lacking = [*strange, *(each.segment for each in found if each.segment and each.decision == UNSURE)]
    told += [Remark("segment_unknown", segments=", ".join(dict.fromkeys(lacking)))] if lacking else []
    told += [
        Remark("days_wait_for_rows", measure=each.name, n=each.n_waiting)
        for each in found
        if each.n_waiting > MANY_WAIT and each.segment is None
    ]
    told += [Remark("days_left_out", n=asked.left_out)] if asked.left_out else []
    told += [Remark("days_seen_before", n=asked.seen)] if asked.seen else []
    if calibration is not None and not calibration.n_days:
        told.append(Remark("expected_untested"))
    if calibration is not None and calibration.refuted:
        told.append(Remark("expected_refuted"))
    return told
