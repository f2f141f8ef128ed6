"""A decision in sentences that one can act on, and that say no more than the rows do."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_digits, format_level, p_words
from rocsteady._src.results.cases import count_text, money, of_cases, rounded
from rocsteady._src.results.differences import told_apart

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady._src.results.decision import Course, Decision


SHOWN = 6  # names in a list
TIMES = 3  # resamples show a third to a half of what the choice flatters (docs/decisions.md)
TRACE = 1e-9  # what rounding of doubles adds to a whole number
EXACT = 2**53  # whole numbers beyond are no doubles
EXCESS = "Cost on new rows beyond the best choice of model and threshold"


def verdict(decision: Decision, balanced: Course | None) -> tuple[str, ...]:
    """The sentence to act on, how sure it is, what else could be done, what disagrees, what was assumed."""
    lines = [_headline(decision), *_as_well_without(decision), *_how_sure(decision), _without_a_model(decision)]
    lines += [*_disagreement(decision), *_threshold(decision), *_assumed(decision, balanced)]
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
        return _no_model(decision)
    positives = count_text(rounded(leader.found + leader.missed, decision.decimals))
    verb = "Use" if settled(decision) else "Use, for now,"
    found, missed, alarms = decision.counts(leader)
    here = " on these rows" if leader.recall == 1 else ""  # of new ones some will be missed
    happens = f"it finds {found} of {positives} {decision.positives}, misses {missed}{here}"
    happens += f" and raises {alarms} false alarms"
    flag = f"flag scores of at least {leader.shown}: of {of_cases(decision.cases)} {happens}"
    return f"{verb} {_name(decision.model)} and {flag}{_costing(decision, leader)}"


def _no_model(decision: Decision) -> str:
    only = _name(decision.model) if len(decision.courses) == 3 else ""
    if decision.costs == "neutral":
        who = f"does {only}" if only else "does any model"
        return f"Use no model: at no threshold {who} flag a larger share of the positives than of the negatives"
    best = min((course for course in decision.courses if course.model is None), key=lambda course: course.cost)
    what = "nobody" if best.threshold > 0 else "everybody"
    less = f"{only} costs no less" if only else "no model costs less"
    return f"Flag {what}: that costs {money(best.cost)} per {of_cases(decision.cases)}, and at these costs {less}"


def _costing(decision: Decision, leader: Course) -> str:
    return "" if decision.costs == "neutral" else f", at a cost of {money(leader.cost)}"


def _others(decision: Decision) -> list[Course]:
    return [course for course in decision.courses if course.model not in (None, decision.model)]


def _apart(decision: Decision, course: Course) -> bool:
    """Whether these rows tell that a course costs more than the leader."""
    return course.more is not None and told_apart(course.more, course.p_holm, decision.level)


def _told_apart(decision: Decision) -> bool:
    """Whether the leader is cheaper than every other model, by Holm's p."""
    return all(_apart(decision, course) for course in _others(decision))


def settled(decision: Decision) -> bool:
    """Whether these rows tell that the leader costs less than every other course."""
    return _told_apart(decision) and not _unsure_without(decision)


def rows_tell(decision: Decision) -> bool:
    """Whether there were rows to tell."""
    return all(course.more is not None for course in decision.courses if course.name != decision.model)


def _unsure_without(decision: Decision) -> list[Course]:
    """The courses without a model that may well be cheaper than the leader."""
    alike = [course for course in decision.courses if course.model is None]
    return [course for course in alike if course.more is not None and not course.more.low > 0]


def _rival(decision: Decision) -> Course | None:
    """The baseline, or else the runner-up."""
    if decision.baseline is not None and decision.baseline != decision.model:
        return decision[decision.baseline]
    others = _others(decision)
    return others[0] if others else None


def _how_sure(decision: Decision) -> list[str]:
    rival = _rival(decision)
    if rival is None or not pays(decision):
        return []
    what = "the baseline" if rival.name == decision.baseline else "the runner-up"
    does = "flags nobody" if not (rival.recall or rival.false_positive_rate) else f"at {rival.shown}"
    beside = f"{_name(rival.name)}, {what}, {does}: {_short(decision, rival)}"
    if rival.more is None:
        return [f"{beside}; how sure the difference is cannot be told without the rows"]
    more = decision.cases * float(rival.more.estimate)
    if not rival.more.se:
        return [f"{beside}; both call the same rows" if not more else f"{beside}, {money(more)} more"]
    low, high = (decision.cases * float(end) for end in (rival.more.low, rival.more.high))
    level = format_level(decision.level)
    if _apart(decision, rival):
        sure = f"{beside}, {money(more)} more ({level} interval {money(low)} to {money(high)}; {_how_likely(rival)})"
        return [sure, *_also_alike(decision, rival, "These rows cannot")]
    ends = between(low, high)
    told = "the same cost here, and these rows" if not more else "these rows"
    sure = f"{beside}; {told} cannot tell which is cheaper ({ends}, {level}; {_how_likely(rival)})"
    return [sure, *_also_alike(decision, rival, "Nor can they")]


def _how_likely(course: Course) -> str:
    """p, and where other models raised it both: the interval beside it goes with neither of them alone."""
    p = math.nan if course.more is None else float(course.more.pvalue)
    plain, adjusted = p_words(p), p_words(course.p_holm)
    return adjusted if plain == adjusted else f"{plain}, {adjusted.removeprefix('p ').removeprefix('= ')} by Holm"


def between(low: float, high: float) -> str:
    """From so much less to so much more.

    Examples
    --------
    >>> between(-20, 35), between(5, 35)
    ('between 20 less and 35 more', '5 to 35 more')
    """
    if low < 0 < high:
        return f"between {money(-low)} less and {money(high)} more"
    return f"{money(low)} to {money(high)} more" if low >= 0 else f"{money(-high)} to {money(-low)} less"


def _also_alike(decision: Decision, rival: Course, start: str) -> list[str]:
    others = (course for course in _others(decision) if course.model != rival.model)
    courses = [course for course in others if not _apart(decision, course)]
    alike = [_name(course.name) for course in courses]
    if not alike:
        return []
    allowed = ", once all pairs are allowed for" if any(_clear_alone(course) for course in courses) else ""
    left = len(alike) - SHOWN
    more = f" and {left} others" if left > 1 else ""
    shown = alike if left <= 1 else alike[:SHOWN]
    return [f"{start} tell {_name(decision.model)} from {', '.join(shown)}{more}{allowed}"]


def _clear_alone(course: Course) -> bool:
    """Whether its own interval leaves out 0, which readers of the table may wonder about."""
    return course.more is not None and bool(course.more.low > 0)


def _counts(decision: Decision, course: Course) -> str:
    found, missed, alarms = decision.counts(course)
    return f"finds {found}, misses {missed}, {alarms} false alarms"


def _short(decision: Decision, course: Course) -> str:
    return f"{_counts(decision, course)}, cost {money(course.cost)}"


def _without_a_model(decision: Decision) -> str:
    nobody, everybody = decision.courses[-2:]
    return f"Without a model: flagging nobody costs {money(nobody.cost)}, everybody {money(everybody.cost)}"


def _as_well_without(decision: Decision) -> list[str]:
    """Which courses without a model may be as cheap, as far as these rows tell."""
    told, nobody = [], decision.courses[-2]
    for course in _unsure_without(decision) if pays(decision) else ():
        low, high = (
            (decision.cases * float(end) for end in (course.more.low, course.more.high)) if course.more else (0.0, 0.0)
        )
        which = "nobody" if course is nobody else "everybody"
        ends = f"{between(low, high)}, {format_level(decision.level)}"
        told.append(f"These rows cannot tell whether flagging {which} costs more ({ends})")
    return told


def _disagreement(decision: Decision) -> list[str]:
    agree = next(check for check in decision.checks if check.name == "agree")
    return [f"The measures disagree: {agree.text}"] if agree.answer == "no" else []


def _threshold(decision: Decision) -> list[str]:
    found = decision.threshold_interval
    if not pays(decision):
        return []
    text = f"The threshold {_leader(decision).shown} was chosen on these rows"
    if found is None or math.isnan(found.low):
        return [text, _excess(decision)]
    ends = _ends(float(found.low), float(found.high), open_below=_leader(decision).recall == 1)
    another = f": another sample might choose {ends} ({format_level(found.level)})" if ends else ""
    return [f"{text}{another}", _excess(decision)]


def _excess(decision: Decision) -> str:
    """What the choice of model and threshold costs on new rows beyond the best choice."""
    expected, limit = (decision.cases * cost for cost in (decision.excess, decision.excess_limit))
    if math.isnan(limit):
        return f"{EXCESS} is unknown: the rows are not at hand, or are too many"
    found = "" if math.isnan(expected) else f"about {money(_to_digits(expected, 2, round))} expected, "
    most = money(_to_digits(limit, 3, math.ceil))
    return f"{EXCESS}: {found}at most {most} ({format_level(decision.level)} upper limit)"


def _to_digits(value: float, digits: int, whole: Callable[[float], int]) -> float:
    """So many significant digits, by rounding or upwards."""
    if not value:
        return 0.0
    unit = 10.0 ** (math.floor(math.log10(value)) - digits + 1)
    return whole(value / unit - TRACE) * unit


def _ends(low: float, high: float, *, open_below: bool = False) -> str:
    """Both ends, rounded outwards, with as many digits as tell them apart; nothing where doubles cannot.

    ``open_below`` where all positives of the rows are found: resamples of them choose no lower, other rows may.
    """
    if math.isinf(high):
        return f"{_outwards(low, 3, -1)} or more, or flag nobody" if math.isfinite(low) else ""
    if max(abs(low), abs(high)) > EXACT:
        return ""
    if open_below:
        return "the same or less" if low == high else f"{_outwards(high, 3, 1)} or less"
    if low == high:
        return "the same"
    digits = next((n for n in (3, 6) if format_digits(low, n) != format_digits(high, n)), None)
    return "" if digits is None else f"{_outwards(low, digits, -1)} to {_outwards(high, digits, 1)}"


def _outwards(value: float, digits: int, side: int) -> str:
    """To so many digits, down (-1) or up (1): the threshold that was chosen lies between the ends as they are read."""
    if not value:
        return "0"
    unit = 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1)
    return format_digits(side * math.ceil(side * value / unit - TRACE) * unit, digits)


def _assumed(decision: Decision, balanced: Course | None) -> list[str]:
    if decision.costs == "neutral":
        why = "No costs were given, and at 1:1 the cheapest is to treat all cases alike"
        price = "1 false alarm" if decision.cost_fn == 1 else f"{money(decision.cost_fn)} false alarms"
        return [f"{why}: both classes weigh the same here, so that a miss counts as {price}"]
    if balanced is None:
        return []
    assumed = "No costs were given: a miss was assumed to cost as much as a false alarm (1:1)"
    if (balanced.name, balanced.threshold) == (decision.model, decision.threshold):
        return [f"{assumed}. If both classes are to weigh the same, the choice is the same"]
    other = f"{_name(balanced.name)} at {balanced.shown}, {_counts(decision, balanced)}"
    return [f"{assumed}. If both classes are to weigh the same: {other}"]
