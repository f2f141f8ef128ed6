"""What is told beside a look: vintages, and remarks on labels, segments, days and weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.decided import UNSURE
from rocsteady._src.evaluation.monitor.reading import ALL
from rocsteady._src.evaluation.monitor.unsure import OPEN
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.evaluation.monitor.remembered import Remembered
    from rocsteady._src.results.watched import WatchedMeasure

MANY_OPEN = 0.01
MANY_WAIT = 7


def vintages(held: Remembered) -> tuple[tuple[str, int, float, float, float], ...]:
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


def never_counted(first: Remembered, held: Remembered) -> tuple[float, float]:
    """Shares of rows that will never have a label, as ``held`` has them: of the days, and of the reference."""
    days = [(*each.days.get(ALL, {}).values(),) for each in (first, held)]
    shares = []
    for before, now in ((days[0], days[1]), (first.reference[ALL], held.reference[ALL])):
        total = sum(day.n_pos + day.n_neg + day.n_open for day in before)
        gone = sum(day.n_open for day in before) - sum(day.n_open for day in now)
        shares.append(gone / total if total else 0.0)
    return shares[0], shares[1]


def look_remarks(
    parts: Sequence[Any], found: Sequence[WatchedMeasure], asked: Any, never: Sequence[float]
) -> list[Remark]:
    """All remarks of a look; ``never`` as :func:`never_counted` counts."""
    first = parts[0]
    told = [*_of_labels(first), *_of_turns(parts, found, asked, never)]
    lacking = [*first.strange, *(each.segment for each in found if each.segment and each.decision == UNSURE)]
    told += [Remark("segment_unknown", segments=", ".join(dict.fromkeys(lacking)))] if lacking else []
    told += [
        Remark("days_wait_for_rows", measure=each.name, n=each.n_waiting)
        for each in found
        if each.n_waiting > MANY_WAIT and each.segment is None
    ]
    told += [Remark("days_left_out", n=asked.left_out)] if asked.left_out else []
    told += [Remark("days_seen_before", n=asked.seen)] if asked.seen else []
    tested = [part.calibration for part in parts if part.calibration is not None]
    told += [Remark("expected_untested")] if any(not each.n_days for each in tested) else []
    told += [Remark("expected_refuted")] if any(each.refuted for each in tested) else []
    plan = first.held.plan
    return told + ([Remark("weights_untested")] if plan.weighted and plan.probabilities else [])


def _of_turns(
    parts: Sequence[Any], found: Sequence[WatchedMeasure], asked: Any, never: Sequence[float]
) -> list[Remark]:
    """Labels that could turn the answer, those that will not come, and those that came although they should not."""
    told = [Remark("labels_could_turn")] if any(each.reason == OPEN for each in found) else []
    if asked.label_timeout is None:
        return told
    if any(never):
        told.append(Remark("never_labelled", watched=never[0], reference=never[1], days=asked.label_timeout))
    ages = parts[0].held.ages.values()
    late = int(sum(sum(pair) for held in ages for age, pair in held.items() if age > asked.label_timeout))
    return told + ([Remark("labels_after_deadline", n=late, days=asked.label_timeout)] if late else [])


def _of_labels(part: Any) -> list[Remark]:
    """Labels that are open."""
    days = part.judged.get(ALL, [])
    n_open, total = int(sum(day.n_open for day in days)), int(sum(day.n_rows for day in days))
    return [Remark("labels_open", n=n_open, total=total)] if n_open > MANY_OPEN * max(total, 1) else []
