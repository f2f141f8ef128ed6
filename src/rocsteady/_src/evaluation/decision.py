"""decide: the model and threshold of least cost, beside the others and beside treating all cases alike."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, refuse_one_class, some_values
from rocsteady._src.evaluation.decision_checks import alarms, checks
from rocsteady._src.evaluation.decision_words import verdict
from rocsteady._src.evaluation.intervals import refuse_repeated_ids
from rocsteady._src.inference.comparison.hypotheses import NormalDifference, result_of
from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues
from rocsteady._src.inference.comparison.rounding import rounding, settled
from rocsteady._src.inference.intervals.every_measure import MOST_BOOTSTRAPPED, Chosen, intervals_of_measures
from rocsteady._src.inference.intervals.normal import check_level
from rocsteady._src.inference.intervals.thresholds import chosen_interval
from rocsteady._src.inference.units.row_means import mean_of_rows
from rocsteady._src.inference.units.units import Units
from rocsteady._src.measures.best_threshold import chosen_by
from rocsteady._src.measures.confusion import threshold_text
from rocsteady._src.measures.cost_ranges import cheapest_by_price
from rocsteady._src.measures.costs import check_costs, cost_rule
from rocsteady._src.measures.reaches_threshold import first_reached
from rocsteady._src.measures.registry import get_measure
from rocsteady._src.measures.rule import check_share
from rocsteady._src.ranked import rows_by_unit
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.decision import CASES, Course, Decision
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.measures.rule import Rule
    from rocsteady._src.ranked import RankedScores, Rows
    from rocsteady._src.results import Interval, TestResult

    Array = NDArray[np.float64]

NOBODY, EVERYBODY = "flag nobody", "flag everybody"
RATES = {"recall": "recall", "false_positive_rate": "false_positive_rate"}
RESAMPLES = 200  # of the optimism of rates, of which only a mean is taken
CHOICES = 500  # of the threshold, whose ends are quantiles


class Situation:
    """Costs of both errors, the share of positives, and the rule that they make."""

    def __init__(self, cost_fp: float, cost_fn: float, prevalence: float, *, given: float | None, costs: str) -> None:
        self.cost_fp, self.cost_fn, self.prevalence, self.costs = cost_fp, cost_fn, prevalence, costs
        self.given = given  # the prevalence where it is not that of the rows

    @property
    def rule(self) -> Rule:
        """The threshold of least cost."""
        return cost_rule(cost_fp=self.cost_fp, cost_fn=self.cost_fn, prevalence=self.given)

    def course(self, name: str, model: str | None, threshold: Any, shown: str, rates: tuple[float, float]) -> Course:
        """What happens to 1,000 cases at a recall and a false positive rate."""
        recall, alarmed = rates
        positives, negatives = CASES * self.prevalence, CASES * (1 - self.prevalence)
        missed, false_alarms = positives * (1 - recall), negatives * alarmed
        cost = missed * self.cost_fn + false_alarms * self.cost_fp
        counts: dict[str, Any] = {
            "found": positives * recall,
            "missed": missed,
            "false_alarms": false_alarms,
            "cost": cost,
        }
        return Course(name, model, threshold, shown, recall, alarmed, **counts)


def decide(
    result: Evaluation,
    *,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    prevalence: float | None = None,
    baseline: str | None = None,
    level: float = 0.95,
) -> Decision:
    """Choose among the models of an evaluation; see :meth:`rocsteady.Evaluation.decide`."""
    refuse_repeated_ids(result.rows, result.cluster)
    check_level(level)
    if baseline is not None and baseline not in result.models:
        raise ArgumentError(
            "baseline", f"there is no model {baseline!r}; models: {some_values(result.models, most=20)}"
        )
    refuse_one_class(result.n_pos, result.n_neg, "a decision needs")
    at = situation_of(result, cost_fp, cost_fn, prevalence)
    courses = _ordered(result, at)
    leader = next(course for course in courses if course.model is not None)
    courses = _compared(result, at, courses, leader, level)
    threshold_interval, rates = _of_choice(result, leader.model or "", at, level)
    found = Decision(
        model=leader.model or "",
        threshold=leader.threshold,
        courses=tuple(courses),
        cost_fp=at.cost_fp,
        cost_fn=at.cost_fn,
        costs=at.costs,
        prevalence=at.prevalence,
        prevalence_given=at.given is not None,
        baseline=baseline,
        level=level,
        verdict=(),
        alarms=(),
        checks=(),
        prices=tuple(cheapest_by_price(result.ranked, at.prevalence)),
        threshold_interval=threshold_interval,
        rates=rates,
        n_pos=result.n_pos,
        n_neg=result.n_neg,
        origin=result.origin,
        warnings=_remarks(result, courses, leader),
    )
    found = replace(found, checks=checks(result, found), alarms=alarms(result, found))
    return replace(found, verdict=verdict(found, _balanced(result, at)))


def situation_of(
    result: Evaluation, cost_fp: float | None, cost_fn: float | None, prevalence: float | None
) -> Situation:
    """Costs that were given, or 1:1; neutral ones where 1:1 would treat all cases alike."""
    share = result.n_pos / (result.n_pos + result.n_neg)
    if prevalence is not None:
        check_share(prevalence)
        if prevalence in (0, 1):
            raise ArgumentError("prevalence", f"with a prevalence of {prevalence!r} there is nothing to tell apart")
        share = float(prevalence)
    fp, fn = (1.0 if cost is None else cost for cost in (cost_fp, cost_fn))
    check_costs(fp, fn)
    how: dict[str, Any] = {"prevalence": share, "given": prevalence}
    if cost_fp is not None or cost_fn is not None:
        return Situation(float(fp), float(fn), costs="given", **how)
    plain = Situation(1.0, 1.0, costs="1:1", **how)
    treated_alike = all(_all_alike(chosen_by(plain.rule, ranked)) for ranked in result.ranked.values())
    return neutral(plain) if treated_alike else plain


def neutral(at: Situation) -> Situation:
    """Both classes weigh the same, whatever their shares: what Youden's threshold does."""
    return Situation(1.0, (1 - at.prevalence) / at.prevalence, at.prevalence, given=at.given, costs="neutral")


def _balanced(result: Evaluation, at: Situation) -> Course | None:
    """The best course of the neutral view, where costs were assumed."""
    return _ordered(result, neutral(at))[0] if at.costs == "1:1" else None


def _all_alike(choice: Any) -> bool:
    return (choice.tpr, choice.fpr) in ((0, 0), (1, 1))


def _ordered(result: Evaluation, at: Situation) -> list[Course]:
    """Models by their cost, then the courses that need none."""
    found = (_of_model(model, ranked, at) for model, ranked in result.ranked.items())
    models = sorted(found, key=lambda course: course.cost)
    nobody = at.course(NOBODY, None, math.inf, "none", (0.0, 0.0))
    everybody = at.course(EVERYBODY, None, -math.inf, "all", (1.0, 1.0))
    return [*models, nobody, everybody]


def _of_model(model: str, ranked: RankedScores, at: Situation) -> Course:
    choice = chosen_by(at.rule, ranked)
    shown = threshold_text(ranked, choice.threshold)
    return at.course(model, model, choice.threshold, shown, (float(choice.tpr), float(choice.fpr)))


def _compared(result: Evaluation, at: Situation, courses: list[Course], leader: Course, level: float) -> list[Course]:
    """Every course with what it costs beyond the leader, where rows can tell; p of models by Holm."""
    rows = result.rows.of_models(*result.models)
    if rows is None:
        return courses
    first = _called(rows, leader)
    tests = {course.name: _test(rows, _called(rows, course), first, at, level) for course in courses}
    others = [course.name for course in courses if course.model is not None and course is not leader]
    adjusted = dict(zip(others, adjust_pvalues([tests[name].pvalue for name in others]), strict=True)) if others else {}
    return [
        course
        if course is leader
        else replace(course, more=tests[course.name], p_holm=float(adjusted.get(course.name, math.nan)))
        for course in courses
    ]


def _called(rows: Rows, course: Course) -> NDArray[np.bool_]:
    """Which rows a course flags."""
    if course.model is None:
        return np.full(rows.n_rows, course.threshold < 0)
    reached = first_reached(rows.ranked_of(course.model).scores, course.threshold)
    called: NDArray[np.bool_] = rows.places_of(course.model) >= reached
    return called


def _test(rows: Rows, called: NDArray[np.bool_], first: NDArray[np.bool_], at: Situation, level: float) -> TestResult:
    """The mean difference of what rows cost over its standard error.

    Thresholds are near their best, where cost is flat, so that their choice adds little; what rows of a class did not
    show is allowed for as if one more had been called either way (docs/decisions.md has the coverage).
    """
    price = np.where(rows.positive, -at.cost_fn, at.cost_fp)
    apart: Array = price * (called.astype(np.int8) - first)
    found = mean_of_rows(apart, rows, rows.origin.weight_type, at.given)
    bound = rounding(apart.size, float(np.abs(apart).mean()))
    same = bool((called == first).all() and (called.all() or not called.any()))
    se = 0.0 if same else math.hypot(settled(found.se, bound), *_unseen(rows, at))
    tested = NormalDifference(settled(found.mean, bound), se)
    facts: dict[str, Any] = facts_of(rows.ranked_of(rows.names[0]), rows.origin)
    return result_of(tested, "two-sided", None, level, "wald, paired, one more either way", **facts)


def _unseen(rows: Rows, at: Situation) -> list[float]:
    """What one more row called either way adds to the standard error, in each class (Bonett and Price 2012)."""
    units = Units.of(rows, rows.origin.weight_type)
    added = []
    for mask, share, cost in (
        (rows.positive, at.prevalence, at.cost_fn),
        (~rows.positive, 1 - at.prevalence, at.cost_fp),
    ):
        added.append(share * cost * math.sqrt(2) / (units.count(mask) + 2))
    return added


def _of_choice(
    result: Evaluation, model: str, at: Situation, level: float
) -> tuple[Interval | None, dict[str, Interval]]:
    """Intervals of the chosen threshold and of the rates there, which count the choice."""
    ranked = result.ranked[model]
    if ranked.scores.size > MOST_BOOTSTRAPPED or min(ranked.n_pos, ranked.n_neg) < 2:
        return None, {}
    sampled = result.origin.reading == "sampling"
    rows = rows_by_unit(result.rows, model, subjects=result.cluster is not None, sampled=sampled)
    cut = chosen_by(at.rule, ranked).threshold
    asked = [(get_measure(name).sheet, {"threshold": cut}) for name in RATES.values()]
    chosen = Chosen(at.rule, frozenset(range(len(asked))))
    how: dict[str, Any] = {"level": level, "seed": 0, "n_resamples": RESAMPLES}
    found = intervals_of_measures(ranked, asked, rows=rows, chosen=chosen, **how)
    rates = {name: made for name, made in zip(RATES, found, strict=True) if made is not None}
    return chosen_interval(ranked, rows, at.rule, **how | {"n_resamples": CHOICES}), rates


def _remarks(result: Evaluation, courses: list[Course], leader: Course) -> tuple[Remark, ...]:
    told = [remark for course in courses if course.more is not None for remark in course.more.warnings]
    unknown = [] if any(course.more is not None for course in courses) else [Remark("costs_not_compared")]
    kept = [remark for remark in told if remark.code not in ("difference_unvarying", "difference_none")]
    return tuple(dict.fromkeys([*kept, *unknown]))
