"""Intervals of all models and measures of a table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import InputError, printable, some_values
from rocsteady._src.base.sentences import Option, Sentence
from rocsteady._src.base.text import format_count, format_setting
from rocsteady._src.inference.intervals.every_measure import (
    AUC_METHODS,
    MOST_BOOTSTRAPPED,
    Chosen,
    intervals_of_measures,
)
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.inputs.weights import ASSUMED, summed
from rocsteady._src.measures.model_thresholds import rule_of_model
from rocsteady._src.measures.threshold_rules import read_rule
from rocsteady._src.results.remarks import Remark, noted

if TYPE_CHECKING:
    from rocsteady._src.measures.requests import Request
    from rocsteady._src.ranked import AnyRows, RankedScores
    from rocsteady._src.results import Interval


@dataclass(frozen=True, slots=True)
class Plan:
    """How intervals are to be made."""

    level: float
    seed: int
    n_resamples: int | None
    thresholds: dict[str, float]
    clustered: bool
    auc_method: str = "auto"
    rule: Any = None  # that chose the thresholds, of all models or by model


def intervals_of_table(
    rows: AnyRows, ranked: dict[str, RankedScores], requests: list[Request], plan: Plan
) -> dict[str, dict[str, Interval]]:
    """Intervals by model and column; a value without one is left out."""
    check_level(plan.level)
    check_choice("auc_method", plan.auc_method, AUC_METHODS)
    made = {}
    for model, groups in ranked.items():
        kept = rows.of_models(model) if plan.clustered or not groups.counts_rows else None
        if kept is None and not groups.counts_rows:  # sums of sampling weights do not tell how the rows vary
            raise InputError("weights_summed", summed("an interval"))
        asked = [(request.sheet, _params(request, plan.thresholds.get(model))) for request in requests]
        found = intervals_of_measures(
            groups,
            asked,
            level=plan.level,
            seed=plan.seed,
            n_resamples=plan.n_resamples,
            auc_method=plan.auc_method,
            rows=kept,
            chosen=_chosen(requests, rule_of_model(plan.rule, model)),
        )
        made[model] = {
            request.column: interval
            for request, interval in zip(requests, found, strict=True)
            if interval is not None and not math.isnan(interval.estimate)
        }
    return made


def _chosen(requests: list[Request], rule: Any) -> Chosen | None:
    """Measures at a threshold that a rule chose, not at one that was asked for by name."""
    if rule is None:
        return None
    at_it = (
        place
        for place, request in enumerate(requests)
        if "threshold" in request.sheet.params and "threshold" not in request.params
    )
    return Chosen(read_rule(rule), frozenset(at_it))


def describe_intervals(intervals: dict[str, dict[str, Interval]]) -> list[str]:
    """How intervals were made, and what to beware of, in a few lines."""
    columns: dict[str, dict[str, None]] = {}
    warned: dict[tuple[str, Remark], list[str]] = {}
    level = None
    for model, found in intervals.items():
        for column, interval in found.items():
            level = interval.level
            columns.setdefault(_method(interval), {})[column] = None
            for remark in dict.fromkeys(interval.warnings):
                warned.setdefault((model, remark), []).append(column)
    if level is None:
        return []
    listed = "; ".join([*(f"{method}: {', '.join(names)}" for method, names in columns.items()), *_drawn(intervals)])
    assumed = [noted(ASSUMED)] if any(remark == ASSUMED for _, remark in warned) else []
    said: dict[tuple[str, Remark], list[str]] = {}
    for (model, remark), of in warned.items():
        if remark != ASSUMED:
            said.setdefault((", ".join(of), remark), []).append(printable(model, most=48))
    notes = assumed + [noted(remark, ", ".join(models), of) for (of, remark), models in said.items()]
    return [f"intervals at level {format_setting(level)}, by {listed}", *notes]


def without_interval(values: dict[str, dict[str, float]], intervals: dict[str, dict[str, Interval]]) -> list[str]:
    """Say which values have no interval for want of resamples."""
    bare = {
        column: None
        for model, found in intervals.items()
        for column, value in values[model].items()
        if column not in found and not math.isnan(value)
    }
    if not bare:
        return []
    told = "no interval of {bare:list}: scores of more than {most:count} values are resampled only when asked: {option}"
    return [Sentence(told, bare=list(bare), most=MOST_BOOTSTRAPPED, option=Option("n_resamples", (2000,)))]


def _method(interval: Interval) -> str:
    return interval.how if interval.resampling is None else interval.method


def _drawn(intervals: dict[str, dict[str, Interval]]) -> list[str]:
    """What was resampled, how often and from which seed, once for all intervals that share it."""
    schemes: dict[tuple[int, Any], dict[str, None]] = {}
    for found in intervals.values():
        for how in (interval.resampling for interval in found.values()):
            if how is not None:
                schemes.setdefault((how.n_resamples, how.seed), {})[how.scheme] = None
    return [
        f"{format_count(n)} resamples of {' or '.join(sorted(names))}, seed {seed}"
        for (n, seed), names in schemes.items()
    ]


def _params(request: Request, threshold: float | None) -> dict[str, Any]:
    params = dict(request.params)
    if "threshold" in request.sheet.params:
        params.setdefault("threshold", threshold)
    return params


def refuse_repeated_ids(rows: AnyRows, cluster: str | None) -> None:
    """Intervals and tests take rows as independent; those of one subject are not."""
    if rows.id is None or cluster is not None or not rows.n_repeated_ids:
        return
    raise InputError(
        "repeated_ids",
        Sentence(
            "{n:count} rows repeat an id of column {column!r}, such as {some}: rows of one subject are not "
            "independent; pass {cluster} to count subjects",
            n=rows.n_repeated_ids,
            column=rows.id,
            some=some_values(rows.repeated_ids(3)),
            cluster=Option("cluster", (rows.id,)),
        ),
    )
