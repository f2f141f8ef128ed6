"""decide: the model and threshold of least cost, beside the others and beside treating all cases alike."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, printable, refuse_one_class, some_values
from rocsteady._src.evaluation.choices_elsewhere import flattered
from rocsteady._src.evaluation.decision_checks import alarms, checks
from rocsteady._src.evaluation.decision_excess import excess_of
from rocsteady._src.evaluation.decision_tests import Situation, compared
from rocsteady._src.evaluation.decision_words import verdict
from rocsteady._src.evaluation.intervals import refuse_repeated_ids
from rocsteady._src.inference.intervals.every_measure import MOST_BOOTSTRAPPED, Chosen, intervals_of_measures
from rocsteady._src.inference.intervals.normal import check_level
from rocsteady._src.inference.intervals.thresholds import chosen_interval
from rocsteady._src.measures.best_threshold import chosen_by
from rocsteady._src.measures.confusion import threshold_text
from rocsteady._src.measures.cost_ranges import cheapest_by_price
from rocsteady._src.measures.costs import check_costs
from rocsteady._src.measures.registry import get_measure
from rocsteady._src.measures.rule import check_share
from rocsteady._src.ranked import rows_by_unit
from rocsteady._src.results.decision import Decision
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.ranked import RankedScores, Rows
    from rocsteady._src.results import Interval
    from rocsteady._src.results.decision import Course

UNNAMED = ("y_true", "label")  # of labels that came without a table
NOBODY, EVERYBODY = "flag nobody", "flag everybody"
RATES = {"recall": "recall", "false_positive_rate": "false_positive_rate"}
RESAMPLES = 200  # of the optimism of rates, of which only a mean is taken
CHOICES = 500  # of the threshold, whose ends are quantiles


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
    _check_baseline(result, baseline)
    refuse_one_class(result.n_pos, result.n_neg, "a decision needs")
    at = situation_of(result, cost_fp, cost_fn, prevalence)
    courses = _ordered(result, at)
    leader = next(course for course in courses if course.model is not None)
    threshold_interval, rates = _of_choice(result, leader.model or "", at, level)
    optimism = flattered(result.ranked[leader.model or ""], at, _units_of(result, leader.model or ""))
    courses = compared(result, at, courses, optimism, level)
    excess = excess_of(result, at, leader, level)
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
        cases=at.unit,
        label=_column_of_labels(result),
        optimism=optimism,
        excess=excess.expected,
        excess_limit=excess.limit,
    )
    found = replace(found, checks=checks(result, found), alarms=alarms(result, found))
    return replace(found, verdict=verdict(found, _balanced(result, at)))


def _check_baseline(result: Evaluation, baseline: str | None) -> None:
    if baseline is not None and baseline not in result.models:
        known = some_values(result.models, most=20)
        raise ArgumentError("baseline", f"there is no model {baseline!r}; models: {known}")


def _column_of_labels(result: Evaluation) -> str | None:
    """Its name, where the rows came from a table."""
    label = result.rows.label
    return None if label is None or label in UNNAMED else printable(label, most=40)


def situation_of(
    result: Evaluation, cost_fp: float | None, cost_fn: float | None, prevalence: float | None
) -> Situation:
    """Costs that were given, or 1:1; neutral ones where 1:1 would treat all cases alike."""
    share = _share_of(result)
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


def _share_of(result: Evaluation) -> float:
    """Share of positives among all rows, those of every repeat of a cross-validation."""
    groups = next(iter(result.ranked.values()))
    return float(groups.n_pos / groups.n_rows_counted)


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
    nobody, everybody = (name if name not in result.models else f"{name} (no model)" for name in (NOBODY, EVERYBODY))
    without = (
        at.course(nobody, None, math.inf, "none", (0.0, 0.0)),
        at.course(everybody, None, -math.inf, "all", (1.0, 1.0)),
    )
    return [*models, *without]


def _of_model(model: str, ranked: RankedScores, at: Situation) -> Course:
    choice = chosen_by(at.rule, ranked)
    shown = threshold_text(ranked, choice.threshold) if choice.tpr or choice.fpr else "none"
    return at.course(model, model, choice.threshold, shown, (float(choice.tpr), float(choice.fpr)))


def _of_choice(
    result: Evaluation, model: str, at: Situation, level: float
) -> tuple[Interval | None, dict[str, Interval]]:
    """Intervals of the chosen threshold and of the rates there, which count the choice."""
    ranked = result.ranked[model]
    if ranked.scores.size > MOST_BOOTSTRAPPED or min(ranked.n_pos, ranked.n_neg) < 2:
        return None, {}
    rows = _units_of(result, model)
    cut = chosen_by(at.rule, ranked).threshold
    asked = [(get_measure(name).sheet, {"threshold": cut}) for name in RATES.values()]
    chosen = Chosen(at.rule, frozenset(range(len(asked))))
    how: dict[str, Any] = {"level": level, "seed": 0, "n_resamples": RESAMPLES}
    found = intervals_of_measures(ranked, asked, rows=rows, chosen=chosen, **how)
    rates = {name: made for name, made in zip(RATES, found, strict=True) if made is not None}
    return chosen_interval(ranked, rows, at.rule, **how | {"n_resamples": CHOICES}), rates


def _units_of(result: Evaluation, model: str) -> Rows | None:
    sampled = result.origin.reading == "sampling"
    return rows_by_unit(result.rows, model, subjects=result.cluster is not None, sampled=sampled)


def _remarks(result: Evaluation, courses: list[Course], leader: Course) -> tuple[Remark, ...]:
    told = [remark for course in courses if course.more is not None for remark in course.more.warnings]
    unknown = [] if any(course.more is not None for course in courses) else [Remark("costs_not_compared")]
    kept = [remark for remark in told if remark.code not in ("difference_unvarying", "difference_none", "models_alike")]
    return tuple(dict.fromkeys([*kept, *unknown]))
