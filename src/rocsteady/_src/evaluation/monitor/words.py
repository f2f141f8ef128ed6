"""What a watch says in sentences: its verdict, and what it promises."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.decided import ALARM, QUIET
from rocsteady._src.base.text import (
    format_count,
    format_interval,
    format_level,
    format_number,
    format_setting,
    format_share,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.results.watched import WatchedMeasure

MOST_TOLD = 5


def verdict(
    decision: str, found: Sequence[WatchedMeasure], today: str, unlabelled: tuple[float, float], asked: Any
) -> tuple[str, ...]:
    """The decision, then every alarm, then what is still open, and what will stay so."""
    alarms = [each for each in found if each.decision == ALARM]
    if decision == ALARM:
        lines = [f"alarm: {', '.join(each.name for each in alarms[:MOST_TOLD])}{_more(alarms)}, by {today}"]
        lines += [_alarm(each, asked) for each in alarms[:MOST_TOLD]]
    elif decision == QUIET:
        lines = [f"quiet: no change for the worse is shown by {today}{_judged_to(found)}"]
        lines += [_level(each) for each in found if each.segment is None]
    else:
        reasons = dict.fromkeys(f"{each.name}: {each.reason}" for each in found if each.reason)
        lines = [f"cannot tell by {today}: {'; '.join(list(reasons)[:MOST_TOLD])}{_judged_to(found)}"]
        lines += [_level(each) for each in found if each.segment is None and each.level_words]
    n_open, never = unlabelled
    if n_open:
        lines.append(f"{format_count(n_open)} rows have no label yet")
    if never:
        waited = f"{format_count(asked.label_timeout)} days"
        lines.append(f"{format_share(never)} of the rows had no label after {waited} and count as never labelled")
    return tuple(lines)


def _judged_to(found: Sequence[WatchedMeasure]) -> str:
    """The last day with a value, where days after it have none."""
    judged = [place for each in found for place, value in enumerate(each.value) if not math.isnan(value)]
    days = max((each.day for each in found), key=len, default=())
    if not judged or max(judged) + 1 >= len(days):
        return ""
    return f"; the last day with labels enough to judge is {days[max(judged)]}"


def _more(alarms: Sequence[WatchedMeasure]) -> str:
    return f" and {format_count(len(alarms) - MOST_TOLD)} more" if len(alarms) > MOST_TOLD else ""


def _alarm(each: WatchedMeasure, asked: Any) -> str:
    where = each.day.index(each.change_day) if each.change_day in each.day else 0
    last = each.day.index(each.alarm_day) if each.alarm_day in each.day else len(each.day) - 1
    since = [value for value in each.value[where : last + 1] if value == value]  # noqa: PLR0124 - NaN is not itself
    mean = format_number(sum(since) / len(since)) if since else "unknown"
    beyond = "" if asked.margin is None else f", beyond the margin of {format_setting(asked.margin)}"
    told = f"{each.name}: {mean} a day since {each.change_day}, {format_number(each.reference)} in the reference"
    return f"{told}{beyond}; shown on {each.alarm_day}"


def _level(each: WatchedMeasure) -> str:
    level = each.level_words or "not known yet"
    reference = format_interval(each.reference, each.reference_low, each.reference_high, 3)
    return f"{each.name}: {level} since the watch began, {reference} in the reference"


def promise(asked: Any, n_segments: int) -> str:
    """What is promised of alarms and intervals, and assumed for it."""
    shared = f", over {format_count(len(asked.names))} measures" if len(asked.names) > 1 else ""
    shared += f"{' and' if shared else ', over'} {format_count(n_segments)} segments" if n_segments else ""
    shared += f"{' and' if shared else ', over'} {format_count(asked.n_models)} models" if asked.n_models > 1 else ""
    if n_segments and asked.control == "fdr":
        half = format_setting(asked.alpha / 2)
        said = f"false alarms: of all rows at most {half}, ever{_models_of(asked)}; of the segments in alarm at a look"
        said += f" at most the share {half} on average, however often one looks"
    elif asked.run_length is not None:
        said = f"false alarms: {format_count(asked.run_length)} days apart or more, on average, for each measure"
    else:
        said = f"false alarms: at most {format_setting(asked.alpha)}, ever, however often one looks{shared}"
    null = "nothing changed" if asked.margin is None and not asked.exact else _limit(asked)
    rest = "exact for any number of rows" if asked.exact else "days are independent, blocks of them normal"
    return f"{said}, while {null}; intervals {format_level(asked.level)} at all looks together; {rest}"


def _models_of(asked: Any) -> str:
    return f" over {format_count(asked.n_models)} models" if asked.n_models > 1 else ""


def _limit(asked: Any) -> str:
    margin = asked.margin or 0.0
    return "no day is worse than the reference" + (f" by more than {format_setting(margin)}" if margin else "")
