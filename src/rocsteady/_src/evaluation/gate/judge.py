"""From evidence to decisions: one per condition, one for the gate, and how many rows would decide what is open.

A pass needs every condition, so that each is tested at the full level: whichever does not hold has to be passed by its
own test for the gate to pass (intersection-union, Berger 1982). A fail needs only one, so that each is tested at its
share of the level (Bonferroni). Both follow from bounds: the condition is shown where the bound on its side is within
the limit, its opposite where the other bound is beyond it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.decided import FAIL, PASS, UNSURE
from rocsteady._src.evaluation.gate.differences import difference_of
from rocsteady._src.evaluation.gate.goals import value_of
from rocsteady._src.evaluation.gate.settled import (
    UNCHANGED,
    infinite_loss,
    is_unchanged,
    may_fail_unseen,
    unchanged_remark,
    unseen_remarks,
)
from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.inference.power.auc import detectable_difference
from rocsteady._src.results.gate import GateCondition
from rocsteady._src.results.remarks import together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.evaluation.gate.evidence import Evidence, Resamples
    from rocsteady._src.evaluation.gate.terms import Term
    from rocsteady._src.ranked import Rows
    from rocsteady._src.results.remarks import Remark

NO_WIDTH = 1e-11  # rounding leaves about 1e-14
MOST = 1e15  # rows beyond which no number is worth naming


@dataclass(frozen=True, slots=True)
class Plan:
    """What all conditions share: how many there are, the power that rows are asked for with, resamples."""

    n_conditions: int
    level: float
    power: float
    resamples: Resamples


def judged(term: Term, samples: Sequence[Rows | None], plan: Plan, group: Any = None) -> GateCondition:
    """A condition on the rows of both models, the candidate's first where there are two samples."""
    level = plan.level if term.level is None else term.level
    values = _values(term, samples)
    reason = _undecidable(samples, values, term)
    facts: dict[str, Any] = {
        "name": term.name if group is None else f"{term.name}, {group_name(term, group)}",
        "measure": term.measure,
        "group": group,
        **{name: getattr(term, name) for name in ("margin", "goal", "limit", "side")},
        **dict(zip(("candidate", "baseline"), map(float, values), strict=True)),
        "level": level,
        "n_rows": sum(rows.origin.n_rows for rows in samples if rows is not None),
    }
    told = term.remarks if group is None else ()
    if (settled := None if reason else _settled(term, samples, values, facts)) is not None:
        return replace(settled, warnings=(*told, *settled.warnings))
    if (evidence := None if reason else _evidence(term, samples, level, plan.resamples)) is None:
        facts |= dict.fromkeys(("estimate", "low", "high", "rows_needed"), math.nan)
        return GateCondition(**facts, method="", decision=UNSURE, reason=reason, warnings=told)
    found = _decided(evidence, term, plan, facts)
    if found.decision == PASS:
        found = _with_unnoticed(found, samples, term)
        told = (*told, *unseen_remarks(evidence, term, found.unnoticed or 0.0, found.unnoticed_of))
    return replace(found, warnings=(*found.warnings, *told))


def _settled(
    term: Term, samples: Sequence[Any], values: tuple[float, float], facts: dict[str, Any]
) -> GateCondition | None:
    """What no bounds are needed for: a loss that is infinite, and predictions that are the same in every row."""
    if infinite := infinite_loss(term, values):
        facts |= dict.fromkeys(("estimate", "low", "high"), math.nan)
        return GateCondition(**facts, method="", decision=FAIL, reason=infinite)
    same = is_unchanged(samples, term, values)
    if not same or not (term.margin or 0.0) > 0:
        return None
    facts |= {"estimate": 0.0, "low": math.nan, "high": math.nan}
    found = GateCondition(**facts, method="", decision=PASS, reason=UNCHANGED)
    found = _with_unnoticed(found, samples, term)
    remark = unchanged_remark(same, found.n_rows, found.unnoticed or 0.0, found.unnoticed_of)
    return replace(found, warnings=(remark,))


def _with_unnoticed(found: GateCondition, samples: Sequence[Any], term: Term) -> GateCondition:
    """With the share of failing rows that a pass may have missed."""
    share, whose = may_fail_unseen(samples, term, found.level)
    return replace(found, unnoticed=share, unnoticed_of=whose)


def group_name(term: Term, group: Any) -> str:
    """Which rows a condition is about, as people say it."""
    return f"{term.by[0]} {group}" if len(term.by) == 1 else str(group)


def _values(term: Term, samples: Sequence[Rows | None]) -> tuple[float, float]:
    """The measure of the candidate and of the baseline, NaN where there is none."""
    ranked = [each for rows in samples for each in ((None,) if rows is None else rows.ranked)]
    found = [_value(term, each, model) for each, model in zip(ranked, ("candidate", "baseline"), strict=False)]
    return found[0], found[1] if len(found) > 1 else math.nan


def _value(term: Term, ranked: Any, model: str) -> float:
    if ranked is None:
        return math.nan
    found: float = term.request.sheet.compute(ranked, **term.params(model))
    return found


def _undecidable(samples: Sequence[Rows | None], values: tuple[float, float], term: Term) -> str:
    """Why there is nothing to go by: a sample without rows, one class only, an undefined value; else empty."""
    if any(rows is None for rows in samples):
        return "one of the samples has no such rows"
    if any(not all(rows.class_weights) for rows in samples if rows is not None):
        return "only one class is among these rows"
    asked = values[:1] if term.goal is not None else values
    if infinite_loss(term, values):
        return ""
    if term.goal is None and values[1] == math.inf:
        return f"{term.measure} of the baseline is infinite on these rows"
    odd = [value for value in asked if not math.isfinite(value)]
    return str(getattr(odd[0], "explanation", "") or "the measure is undefined on these rows") if odd else ""


def _evidence(term: Term, samples: Sequence[Any], level: float, resamples: Resamples) -> Evidence:
    if term.goal is None:
        return difference_of(samples, term, level, resamples)
    candidate = samples[0]
    return value_of(candidate.of_models(candidate.names[0]), term, level, resamples)


def _decided(evidence: Evidence, term: Term, plan: Plan, facts: dict[str, Any]) -> GateCondition:
    alpha, estimate = 1 - facts["level"], evidence.of.estimate
    low, high = evidence.of.ends(1 - 2 * alpha)
    strict = alpha / plan.n_conditions
    strict_low, strict_high = (low, high) if plan.n_conditions == 1 else evidence.of.ends(1 - 2 * strict)
    facts |= {"estimate": estimate, "low": low, "high": high, "method": evidence.method, "warnings": evidence.remarks}
    if not high - low > NO_WIDTH:  # NaN, or nothing, which is no certainty
        reason = str(evidence.remarks[0]) if evidence.remarks else "these rows do not vary enough to tell"
        facts |= dict.fromkeys(("low", "high", "rows_needed"), math.nan)
        return GateCondition(**facts, decision=UNSURE, reason=reason)
    above = term.side == "above"
    shown, refuted = (low, strict_high) if above else (high, strict_low)
    sign = 1 if above else -1
    if sign * (shown - term.limit) > 0:
        return GateCondition(**facts, decision=PASS)
    if sign * (refuted - term.limit) < 0:
        return GateCondition(**facts, decision=FAIL)
    leans = sign * (estimate - term.limit)
    reach, tail = (abs(estimate - shown), alpha) if leans > 0 else (abs(estimate - refuted), strict)
    times = times_as_many(abs(leans), reach, tail, plan.power, evidence.falls, evidence.se)
    return GateCondition(**facts, decision=UNSURE, rows_needed=_whole(times * facts["n_rows"]))


def times_as_many(
    gap: float, reach: float, alpha: float, power: float, falls: float = 0.5, part: float | None = None
) -> float:
    """How many times as many rows decide with this power, if the truth lies as far from the limit as it seems.

    ``reach`` is how far the bound at one-sided ``alpha`` lies from the estimate; NaN where there is no gap to show.
    With ``part``, a standard error that is a part of it, what squares leave of it falls with the number of rows.

    Examples
    --------
    >>> round(times_as_many(0.01, 0.02, 0.05, 0.8), 3)  # (2 (1.645 + 0.842) / 1.645)^2
    9.141
    """
    if not gap > 0 or not math.isfinite(reach):
        return math.nan
    if falls == 1.0:  # as long as nothing is seen to change
        return reach / gap
    if part is not None:
        rest = max(reach**2 - (quantile_of(1 - 2 * alpha) * part) ** 2, 0.0)
        varied = detectable_difference(part, power=power, alpha=alpha, alternative="greater") ** 2 if part > 0 else 0.0
        return (varied + math.sqrt(varied**2 + 4 * rest * gap**2)) / (2 * gap**2)
    se = reach / quantile_of(1 - 2 * alpha)
    times: float = (detectable_difference(se, power=power, alpha=alpha, alternative="greater") / gap) ** (1 / falls)
    return times


def _whole(rows: float) -> float:
    return math.ceil(rows) if rows < MOST else math.nan


def of_gate(conditions: Sequence[GateCondition]) -> str:
    """The decision of the gate: pass where all pass, fail where any fails, else neither."""
    decisions = [each.decision for each in conditions]
    if all(each == PASS for each in decisions):
        return PASS
    return FAIL if FAIL in decisions else UNSURE


def rows_of_gate(conditions: Sequence[GateCondition], n_rows: int) -> float | None:
    """Rows like these that would decide the gate: where any condition leans to a fail the fewest of these, else all.

    Rows of a group grow with all rows, whose number is told.
    """
    if of_gate(conditions) != UNSURE:
        return None
    unsure = [each for each in conditions if each.decision == UNSURE]
    wanted = {each: n_rows * (each.rows_needed or math.nan) / max(each.n_rows, 1) for each in unsure}
    failing = [rows for each, rows in wanted.items() if leans_to_fail(each) and not math.isnan(rows)]
    if failing:
        return math.ceil(min(failing))
    return math.nan if any(map(math.isnan, wanted.values())) else math.ceil(max(wanted.values()))


def leans_to_fail(condition: GateCondition) -> bool:
    """Whether the estimate lies beyond the limit."""
    below = condition.estimate < condition.limit
    return below if condition.side == "above" else condition.estimate > condition.limit


def remarks_of(conditions: Sequence[GateCondition]) -> tuple[Remark, ...]:
    """Remarks of all conditions, each once, with the group that they are about."""
    found = [
        remark if each.group is None or remark.model is not None else remark.about(str(each.group))
        for each in conditions
        for remark in each.warnings
    ]
    return tuple(together(dict.fromkeys(found)))
