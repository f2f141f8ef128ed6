"""What a gate says: what was decided, why, and how many rows would decide."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from rocsteady._src.base.decided import FAIL, PASS, UNSURE
from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_count, format_setting, format_share
from rocsteady._src.evaluation.gate.judge import group_name, leans_to_fail

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.evaluation.gate.terms import Term
    from rocsteady._src.results.gate import GateCondition

    Names = tuple[str | None, str]

MOST_LINES = 12
TOLD = {PASS: "shown", FAIL: "refuted", UNSURE: "open"}


def with_sentence(condition: GateCondition, names: Names, term: Term) -> GateCondition:
    """The condition with what was found of it, in words."""
    within = "" if condition.group is None else f" ({printable(group_name(term, condition.group), most=48)})"
    return replace(condition, sentence=_line(condition, names, within))


def verdict(
    decision: str, conditions: Sequence[GateCondition], names: Names, rows_needed: float | None, power: float
) -> tuple[str, ...]:
    """The decision in one sentence, then a line for each condition that it rests on."""
    about = [each for each in conditions if decision in (PASS, each.decision)]
    left = len(about) - MOST_LINES
    more = [f"{format_count(left)} more such conditions are in the table"] if left > 0 else []
    compared = any(each.margin is not None for each in conditions)
    told = names if compared else (None, names[1])
    head = _head(decision, told, len(about), len(conditions), _would(conditions, rows_needed, power))
    if names[0] is not None and not compared:
        head += f"; no condition compares it with {_name(names[0])}"
    return (head, *(each.sentence for each in about[:MOST_LINES]), *more)


def _head(decision: str, names: Names, about: int, total: int, would: str) -> str:
    candidate, replaces = _name(names[1]), _replaces(names[0])
    n = format_count(total)
    if decision == PASS:
        every = "its condition holds" if total == 1 else f"all {n} conditions hold"
        return f"pass: {every}, so that {candidate} may {replaces}"
    if decision == FAIL:
        do = "do not" if about > 1 else "does not"
        which = "its condition" if total == 1 else f"{format_count(about)} of {n} conditions"
        return f"fail: {candidate} must not {replaces}: {which} {do} hold"
    which = "" if total == 1 else f" ({format_count(about)} of {n} conditions are open)"
    return f"cannot tell whether {candidate} may {replaces}{which}; {would}"


def _replaces(baseline: str | None) -> str:
    return "be used" if baseline is None else f"replace {_name(baseline)}"


def _would(conditions: Sequence[GateCondition], rows_needed: float | None, power: float) -> str:
    if rows_needed is None or math.isnan(rows_needed):
        return "no number of rows like these would, if things are as they seem"
    unsure = [each for each in conditions if each.decision == UNSURE]
    likely = "a fail" if any(map(leans_to_fail, unsure)) else "a pass"
    how = f"with a chance of {format_setting(power)}, if things are as they seem"
    return f"about {format_count(rows_needed)} rows would decide, for {likely} ({how})"


def _line(condition: GateCondition, names: Names, within: str) -> str:
    claim = f"{TOLD[condition.decision]}: {_claim(condition, names, within)}"
    share = format_share(condition.unnoticed or 0.0)
    missed = f"; failures of up to {share} of {condition.unnoticed_of} may go unnoticed"
    more = missed if condition.decision == PASS else ""
    if math.isnan(condition.low):
        return f"{claim}; {condition.reason}{more}"
    side = {PASS: condition.side, FAIL: "below" if condition.side == "above" else "above"}.get(condition.decision)
    limit = format_setting(condition.limit)
    if side:
        return f"{claim}; {condition.found} lies {side} {limit}{more}"
    rows = f"{condition.rows_words} rows would decide, here are {format_count(condition.n_rows)}"
    return f"{claim}; {condition.found} reaches over {limit}; {rows}"


def _claim(condition: GateCondition, names: Names, within: str) -> str:
    """What the condition asks for."""
    candidate, baseline = _name(names[1]), _name(names[0])
    measure = f"{printable(condition.measure)}{within}"
    if condition.goal is not None:
        return f"{measure} of {candidate} is {condition.side} {format_setting(condition.goal)}"
    margin = condition.margin or 0.0
    if margin > 0:
        return f"{candidate} is not worse than {baseline} by {format_setting(margin)} or more in {measure}"
    by = f" by more than {format_setting(-margin)}" if margin else ""
    return f"{candidate} is better than {baseline}{by} in {measure}"


def _name(model: str | None) -> str:
    return printable(model or "", most=48)
