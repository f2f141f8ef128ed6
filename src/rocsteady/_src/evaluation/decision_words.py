"""A decision in sentences that one can act on, and that say no more than the rows do."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_digits, format_level, p_words
from rocsteady._src.results.decision import CASES, cases, money

if TYPE_CHECKING:
    from rocsteady._src.results.decision import Course, Decision


def verdict(decision: Decision, balanced: Course | None) -> tuple[str, ...]:
    """The sentence to act on, how sure it is, what else could be done, what disagrees, what was assumed."""
    lines = [_headline(decision), *_how_sure(decision), _without_a_model(decision), *_disagreement(decision)]
    lines += [*_threshold(decision), *_assumed(decision, balanced)]
    return tuple(lines)


def _name(name: str) -> str:
    return printable(name, most=48)


def _leader(decision: Decision) -> Course:
    return decision[decision.model]


def pays(decision: Decision) -> bool:
    """Whether a model costs less than treating all cases alike."""
    alike = [course.cost for course in decision.courses if course.model is None]
    return _leader(decision).cost < min(alike)


def _headline(decision: Decision) -> str:
    leader = _leader(decision)
    if not pays(decision):
        best = min((course for course in decision.courses if course.model is None), key=lambda course: course.cost)
        what = "one model" if len(decision.courses) == 3 else "any model"
        return f"At these costs {best.name}: it costs {money(best.cost)} per 1,000 cases, and no less with {what}"
    positives = leader.found + leader.missed
    verb = "Use" if _told_apart(decision) else "Use, for now,"
    return (
        f"{verb} {_name(decision.model)} and flag scores of at least {leader.shown}: of 1,000 cases it finds "
        f"{cases(leader.found)} of {cases(positives)} positives, misses {cases(leader.missed)} and raises "
        f"{cases(leader.false_alarms)} false alarms{_costing(decision, leader)}"
    )


def _costing(decision: Decision, leader: Course) -> str:
    return "" if decision.costs == "neutral" else f", at a cost of {money(leader.cost)}"


def _told_apart(decision: Decision) -> bool:
    """Whether the leader is cheaper than every other model, by Holm's p."""
    others = [course for course in decision.courses if course.model not in (None, decision.model)]
    return all(course.p_holm < 1 - decision.level for course in others if course.more is not None)


def _rival(decision: Decision) -> Course | None:
    """The baseline, or else the runner-up."""
    if decision.baseline is not None and decision.baseline != decision.model:
        return decision[decision.baseline]
    others = [course for course in decision.courses if course.model not in (None, decision.model)]
    return others[0] if others else None


def _how_sure(decision: Decision) -> list[str]:
    rival = _rival(decision)
    if rival is None:
        return []
    what = "the baseline" if rival.name == decision.baseline else "the runner-up"
    beside = f"{_name(rival.name)}, {what}, at {rival.shown}: {_short(rival)}"
    if rival.more is None:
        return [f"{beside}; how sure the difference is cannot be told without the rows"]
    more = CASES * float(rival.more.estimate)
    if not rival.more.se:
        return [f"{beside}; both call the same rows" if not more else f"{beside}, {money(more)} more"]
    low, high = (CASES * float(end) for end in (rival.more.low, rival.more.high))
    level = format_level(decision.level)
    if rival.p_holm < 1 - decision.level:
        return [
            f"{beside}, {money(more)} more ({level} sure of {money(low)} to {money(high)}; {p_words(rival.p_holm)})"
        ]
    ends = (
        f"between {money(-low)} less and {money(high)} more"
        if low < 0 < high
        else f"{money(low)} to {money(high)} more"
    )
    sure = f"{beside}; these rows cannot tell which is cheaper ({ends}, {level}; {p_words(rival.p_holm)})"
    return [sure, *_also_alike(decision, rival)]


def _also_alike(decision: Decision, rival: Course) -> list[str]:
    alike = [
        _name(course.name)
        for course in decision.courses
        if course.model not in (None, decision.model, rival.model) and not course.p_holm < 1 - decision.level
    ]
    return (
        [f"Nor can it be told apart from {', '.join(alike[:6])}{' and others' if len(alike) > 6 else ''}"]
        if alike
        else []
    )


def _counts(course: Course) -> str:
    return f"finds {cases(course.found)}, misses {cases(course.missed)}, {cases(course.false_alarms)} false alarms"


def _short(course: Course) -> str:
    return f"{_counts(course)}, cost {money(course.cost)}"


def _without_a_model(decision: Decision) -> str:
    nobody, everybody = decision.courses[-2:]
    return f"Without a model: flagging nobody costs {money(nobody.cost)}, everybody {money(everybody.cost)}"


def _disagreement(decision: Decision) -> list[str]:
    agree = next(check for check in decision.checks if check.name == "agree")
    return [f"The measures disagree: {agree.text}"] if agree.answer == "no" else []


def _threshold(decision: Decision) -> list[str]:
    found = decision.threshold_interval
    if not pays(decision):
        return []
    text = f"The threshold {_leader(decision).shown} was chosen on these rows"
    if found is None or math.isnan(found.low):
        return [f"{text}; on new rows it will do a little worse"]
    ends = " to ".join(format_digits(float(end), 3) for end in (found.low, found.high))
    another = f"another sample might choose {ends} ({format_level(found.level)})"
    return [f"{text}: {another}, and on new rows it will do a little worse"]


def _assumed(decision: Decision, balanced: Course | None) -> list[str]:
    if decision.costs == "neutral":
        price = format_digits(decision.cost_fn, 3)
        why = "No costs were given, and at 1:1 the cheapest is to treat all cases alike"
        return [f"{why}: both classes weigh the same here, so that a miss counts as {price} false alarms"]
    if balanced is None:
        return []
    other = f"{_name(balanced.name)} at {balanced.shown}, {_counts(balanced)}"
    assumed = "No costs were given: a miss was assumed to cost as much as a false alarm (1:1)"
    return [f"{assumed}. If both classes are to weigh the same: {other}"]
