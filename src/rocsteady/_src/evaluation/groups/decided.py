"""The decision of all rows, and what its threshold does in every group."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_share
from rocsteady._src.evaluation.decision import RATES, decide
from rocsteady._src.evaluation.decision_tests import Situation
from rocsteady._src.inference.intervals.every_measure import intervals_of_measures
from rocsteady._src.measures.confusion import confusion_at
from rocsteady._src.measures.registry import get_measure
from rocsteady._src.ranked import rows_by_unit
from rocsteady._src.results.decision_groups import GroupCourse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.results.decision import Decision
    from rocsteady._src.results.inference import Interval


def decide_groups(overall: Evaluation, groups: Mapping[Any, Evaluation], by: str, **how: Any) -> Decision:
    """One model and one threshold for all, chosen on all rows; then each group by itself."""
    found = decide(overall, **how)
    parts = tuple(_in_group(group, each, found) for group, each in groups.items())
    return replace(found, by=by, groups=parts, verdict=(*found.verdict, *_apart(parts, by)))


def _in_group(group: Any, part: Evaluation, decision: Decision) -> GroupCourse:
    """As many cases of the group as the decision has: its own share of them positive, or that given for all."""
    leader = decision[decision.model]
    counts = confusion_at(part.ranked[decision.model], decision.threshold)
    own = float(part.n_pos / (part.n_pos + part.n_neg))
    at = Situation(
        decision.cost_fp,
        decision.cost_fn,
        decision.prevalence if decision.prevalence_given else own,
        given=None,
        costs=decision.costs,
        cases=decision.cases,
    )
    rates = (float(counts.recall), float(counts.false_positive_rate))
    course = at.course(leader.name, leader.model, leader.threshold, leader.shown, rates)
    name = group.item() if hasattr(group, "item") else group
    return GroupCourse(name, course, _rates(part, decision), part.n_pos, part.n_neg)


def _rates(part: Evaluation, decision: Decision) -> dict[str, Interval]:
    """Intervals of rates at the threshold, which the rows of the group chose in part only."""
    if not (part.n_pos and part.n_neg):
        return {}
    sampled = part.origin.reading == "sampling"
    rows = rows_by_unit(part.rows, decision.model, subjects=part.cluster is not None, sampled=sampled)
    asked = [(get_measure(name).sheet, {"threshold": decision.threshold}) for name in RATES.values()]
    how: dict[str, Any] = {"level": decision.level, "seed": 0, "n_resamples": 0}
    found = intervals_of_measures(part.ranked[decision.model], asked, rows=rows, **how)
    return {name: made for name, made in zip(RATES, found, strict=True) if made is not None}


def _apart(parts: tuple[GroupCourse, ...], by: str) -> list[str]:
    """Where the model finds the least and the most, among groups that have positives."""
    known = [part for part in parts if not math.isnan(part.course.recall)]
    if len(known) < 2:
        return []
    low, high = (end(known, key=lambda part: part.course.recall) for end in (min, max))
    if low.course.recall == high.course.recall:
        return [
            f"By {printable(by, most=40)} it finds {format_share(low.course.recall)} of the positives in every group"
        ]
    told = [f"{format_share(part.course.recall)} ({printable(part.group, most=40)})" for part in (low, high)]
    return [f"By {printable(by, most=40)} it finds between {told[0]} and {told[1]} of the positives"]
