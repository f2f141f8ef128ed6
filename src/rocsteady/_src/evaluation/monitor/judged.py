"""A watch that has its days is judged: every measure and segment, the scores, the probabilities; and put into words."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.decided import ALARM, QUIET, UNSURE
from rocsteady._src.designs.watch.discoveries import discovered
from rocsteady._src.designs.watch.drift import in_tenths, stability_index, windows_tested
from rocsteady._src.designs.watch.evidence import gathered
from rocsteady._src.designs.watch.measures import WATCHED
from rocsteady._src.designs.watch.stream import How, day_ends, watch_stream
from rocsteady._src.evaluation.monitor.reading import ALL
from rocsteady._src.evaluation.monitor.remembered import WatchedModels, past_deadline, sorted_days
from rocsteady._src.evaluation.monitor.told import look_remarks, never_counted, vintages
from rocsteady._src.evaluation.monitor.unsure import WHATEVER_ROWS, why_unfit, why_unsure
from rocsteady._src.evaluation.monitor.words import promise, verdict
from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.results import Origin
from rocsteady._src.results.monitor import MonitorResult
from rocsteady._src.results.watched import CalibrationWatch, ScoreDrift, WatchedMeasure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.designs.watch.day_counts import DaySums
    from rocsteady._src.designs.watch.measures import Watched
    from rocsteady._src.designs.watch.stream import Stream
    from rocsteady._src.evaluation.monitor.remembered import Remembered

HIGHEST = 700.0
FDR = "fdr"


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
    left_out: int = 0
    seen: int = 0
    control: str = "familywise"
    n_models: int = 1
    label_timeout: int | None = None

    def share(self, segment: str, n_segments: int) -> float:
        """All rows have half of alpha where there are segments, which have the other half; models share theirs."""
        part = 1.0 if not n_segments else 0.5
        return self.alpha * (part / self.n_models if segment == ALL or self.control != FDR else part)

    def how(self, segment: str, n_segments: int) -> How:
        """Segments share their half, unless those in alarm are found together; measures share theirs."""
        many = n_segments * len(self.names) * self.n_models if segment != ALL and self.control == FDR else 0
        share = self.share(segment, n_segments) / (1 if segment == ALL else n_segments)
        return How(share / len(self.names), self.level, self.margin, self.exact, self.run_length, many)


@dataclass(frozen=True, slots=True)
class Part:
    """What was found of one model."""

    held: Remembered
    judged: dict[str, list[DaySums]]
    found: list[WatchedMeasure]
    drift: list[ScoreDrift]
    calibration: CalibrationWatch | None

    @property
    def strange(self) -> list[str]:
        """Segments that the reference does not know."""
        return sorted(name for name in self.held.days if name not in self.held.reference)


def judged(watches: dict[str | None, Remembered], asked: Asked) -> MonitorResult:
    """Everything that a look says, of one model or of several."""
    parts = [_part(model, past_deadline(held, asked.label_timeout), asked) for model, held in watches.items()]
    found = _decided_together(parts, asked)
    held = parts[0].held
    decision = _decision(found)
    whole = [day for _, day in sorted_days(held.days.get(ALL, {}))]
    first = next(iter(watches.values()))
    n_open, never = sum(day.n_open for day in whole), never_counted(first, held)
    pos, neg = (sum(getattr(day, name) for day in whole) for name in ("n_pos", "n_neg"))
    weighted = held.plan.weighted
    pos, neg = (pos, neg) if weighted else (int(pos), int(neg))
    kind = "sampling" if weighted else None
    origin = Origin(held.pos_label, held.n_rows, held.n_dropped, weighted=weighted, weight_type=kind)
    return MonitorResult(
        decision=decision,
        verdict=verdict(decision, found, held.shown(held.last), (n_open, never[0]), asked),
        measures=tuple(found),
        drift=tuple(each for part in parts for each in part.drift),
        calibrations=tuple(part.calibration for part in parts if part.calibration is not None),
        alpha=asked.alpha,
        level=asked.level,
        promise=promise(asked, len(held.reference) - 1),
        today=held.shown(held.last),
        matures=asked.matures,
        n_waiting=len(whole) - len(parts[0].judged.get(ALL, [])),
        open_rows=n_open,
        reference_days=len(held.reference[ALL]),
        n_pos=pos,
        n_neg=neg,
        origin=origin,
        vintages=vintages(held),
        warnings=tuple(look_remarks(parts, found, asked, never)),
        remembered=first if len(parts) == 1 else WatchedModels(watches),
        control=asked.control,
        label_timeout=asked.label_timeout,
        never_labelled=never[0],
    )


def _part(model: str | None, held: Remembered, asked: Asked) -> Part:
    """Every segment and measure of one model."""
    ripe = {name: [day for _, day in sorted_days(days)] for name, days in held.days.items()}
    young = held.last - asked.matures
    old = {name: [day for number, day in sorted_days(days) if number <= young] for name, days in held.days.items()}
    segments = [name for name in held.reference if name == ALL or name in held.days]
    found = [
        _measure(WATCHED[measure], (model, segment), old.get(segment, []), ripe.get(segment, []), held, asked)
        for segment in segments
        for measure in asked.names
    ]
    drift = [_drift(model, name, held.reference[name], ripe.get(name, []), asked.alpha) for name in segments]
    tested = held.plan.probabilities and not held.plan.weighted
    calibration = _calibration(model, old.get(ALL, []), asked) if tested else None
    return Part(held, old, found, drift, calibration)


def _measure(
    measure: Watched,
    place: tuple[str | None, str],
    days: Sequence[DaySums],
    everything: Sequence[DaySums],
    held: Remembered,
    asked: Asked,
) -> WatchedMeasure:
    """One measure of one segment; young days are shown after those that are judged."""
    model, segment = place
    reference = held.reference[segment]
    how = asked.how(segment, len(held.reference) - 1)
    known = measure.read(reference)
    unfit = why_unfit(measure, known, reference, exact=asked.exact)
    stream = watch_stream(measure, reference, () if unfit else days, how)
    readings = [measure.read([day]) for day in everything]
    low, high = day_ends(measure, known, 1 - asked.level)
    alarm = None if stream.alarm is None else days[stream.alarm].day
    change = None if stream.change is None else days[stream.change].day
    reason = "" if alarm is not None else unfit or why_unsure(measure, stream, asked.margin)
    decision = ALARM if alarm is not None else UNSURE if reason else QUIET
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
        **_expected(measure.name, everything, asked.level),
        reason=reason,
        n_waiting=0 if unfit else stream.waiting,
        model=model,
    )


def _decided_together(parts: Sequence[Part], asked: Asked) -> list[WatchedMeasure]:
    """Measures of all models; where segments are decided together, with those of them that are in alarm now."""
    found = [each for part in parts for each in part.found]
    many = [each for each in found if each.segment is not None]
    days = [day.day for day in parts[0].judged.get(ALL, [])]
    if asked.control != FDR or not many:
        return found
    n_segments = len(parts[0].held.reference) - 1
    n = n_segments * len(asked.names) * len(parts)  # those without rows enough count too
    evidence = np.zeros((n, max(len(days), 1)))
    for line, each in enumerate(many):
        known = dict(zip(each.day, each.evidence, strict=True))
        evidence[line, : len(days)] = carried_on([known.get(day, math.nan) for day in days])
    alarms, limits = discovered(evidence, asked.share(many[0].segment or ALL, n_segments))
    changed = {id(each): _together(each, alarms[line], days, limits[-1]) for line, each in enumerate(many)}
    return [changed.get(id(each), each) for each in found]


def _together(each: WatchedMeasure, alarms: Any, days: Sequence[str], limit: float) -> WatchedMeasure:
    """In alarm since the day from which on it has been among those found, to the newest."""
    if not days or not alarms[-1]:
        return replace(each, limit=float(limit), change_day=None)
    quiet = np.flatnonzero(~alarms)
    first = int(quiet[-1]) + 1 if quiet.size else 0
    return replace(each, decision=ALARM, reason="", limit=float(limit), alarm_day=days[first])


def carried_on(values: Sequence[float]) -> Any:
    """Each value, or the last before it that is known; 0 before the first."""
    held = np.asarray(values, dtype=np.float64)
    place = np.maximum.accumulate(np.where(np.isnan(held), -1, np.arange(held.size)))
    return np.where(place < 0, 0.0, held[np.maximum(place, 0)])


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
    """An alarm of any; quiet only where all rows were judged by every measure, and no segment could turn that."""
    if any(each.decision == ALARM for each in found):
        return ALARM
    judged_all = all(each.decision == QUIET for each in found if each.segment is None)
    return UNSURE if not judged_all or any(each.reason in WHATEVER_ROWS for each in found) else QUIET


def _drift(
    model: str | None, segment: str, reference: Sequence[DaySums], days: Sequence[DaySums], alpha: float
) -> ScoreDrift:
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
        model=model,
    )


def _calibration(model: str | None, days: Sequence[DaySums], asked: Asked) -> CalibrationWatch:
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
        model=model,
    )
