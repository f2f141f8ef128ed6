"""What a report may be asked for, and what is refused before any work, whatever form is written."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from numbers import Real
from typing import TYPE_CHECKING, Any, get_args

from rocsteady._src.base.errors import ArgumentError, refuse_one_class
from rocsteady._src.inference.comparison.auc import Method
from rocsteady._src.inference.comparison.models import Intervals
from rocsteady._src.inference.intervals.every_measure import AUC_METHODS
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.measures.costs import check_costs
from rocsteady._src.measures.rule import check_share
from rocsteady._src.probabilities.reclassification.two_models import checked_cutoffs, probabilities

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.evaluation.evaluation import Evaluation


WHICH = "Which model is better?"


@dataclass(frozen=True, slots=True)
class Options:
    """What a report is asked for."""

    title: str = WHICH
    level: float = 0.95
    cost_fp: float | None = None
    cost_fn: float | None = None
    prevalence: float | None = None
    cutoffs: Sequence[float] | None = None
    baseline: str | None = None
    model: str | None = None
    threshold: float | None = None
    auc_method: str | None = None
    method: str = "auto"
    intervals: str = "separate"
    command: str | None = None


def checked_options(result: Evaluation, **options: Any) -> Options:
    """Options that this evaluation can answer; others are refused, by name."""
    known = [field.name for field in fields(Options)]
    for name in options:
        if name not in known:
            raise ArgumentError(name, f"a report takes {', '.join(known)}, format and force; it has no {name}")
    asked = Options(**options)
    check_level(asked.level)
    check_choice("method", asked.method, get_args(Method))
    check_choice("intervals", asked.intervals, get_args(Intervals))
    if asked.auc_method is not None:
        check_choice("auc_method", asked.auc_method, AUC_METHODS)
    _check_models(result, asked)
    _check_threshold(asked.threshold)
    first = result.ranked[result.models[0]]
    refuse_one_class(first.n_pos, first.n_neg, "choosing a threshold needs")
    check_costs(*(1.0 if cost is None else cost for cost in (asked.cost_fp, asked.cost_fn)))
    if asked.prevalence is not None:
        check_share(asked.prevalence)
    _check_text(asked.command)
    if asked.cutoffs is not None:
        _check_cutoffs(result, asked.cutoffs)
    return asked


def _check_models(result: Evaluation, asked: Options) -> None:
    for name in ("baseline", "model"):
        wanted = getattr(asked, name)
        if wanted is not None and wanted not in result.models:
            raise ArgumentError(name, f"there is no model {wanted!r}; the models are {', '.join(result.models)}")


def _check_threshold(threshold: object) -> None:
    """One threshold for the model that is shown: a number."""
    if threshold is None:
        return
    if isinstance(threshold, bool) or not isinstance(threshold, Real) or math.isnan(threshold):
        raise ArgumentError("threshold", f"threshold is the number that a page opens with, got {threshold!r}")


def _check_text(command: object) -> None:
    if command is not None and not isinstance(command, str):
        raise ArgumentError("command", f"command is the line that makes the page again, got {command!r}")


def _check_cutoffs(result: Evaluation, cutoffs: Sequence[float]) -> None:
    """Cutoffs are those of probabilities."""
    checked_cutoffs(cutoffs)
    for model in result.models:
        rows = result.rows.of_models(model)
        if rows is None:
            result.rows.engine_pair(result.ranked, model, model)
        else:
            probabilities(rows.scores_of(model), model)
