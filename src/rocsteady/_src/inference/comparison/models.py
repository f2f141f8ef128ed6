"""Three models or more on the same rows: all pairs or a baseline, adjusted, with the omnibus test."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from rocsteady._src.inference.comparison.auc import check_method
from rocsteady._src.inference.comparison.compared import chosen_pairs, compared
from rocsteady._src.inference.comparison.omnibus import omnibus_test
from rocsteady._src.inference.comparison.simultaneous import each_level
from rocsteady._src.inference.comparison.two_areas import Asked, paired_test
from rocsteady._src.inference.intervals.areas import area_interval
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.inference.units.spread import Areas, areas_of
from rocsteady._src.results.base import facts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inference.units.components import Area
    from rocsteady._src.ranked import AnyModels
    from rocsteady._src.results import Comparison, Interval, TestResult

    Array = NDArray[np.float64]
    Pairs = list[tuple[int, int]]

Intervals = Literal["separate", "simultaneous"]


@dataclass(frozen=True, slots=True)
class Plan:
    """How models are compared; see :func:`compare_models`."""

    method: str = "auto"
    intervals: str = "separate"
    level: float = 0.95
    baseline: str | None = None
    n_resamples: int = 2000
    seed: int = 0


def compare_ranked_models(models: AnyModels, area: Area, plan: Plan, *, weight_type: str | None = None) -> Comparison:
    """Compare models whose rows were read and ranked."""
    check_level(plan.level)
    weight_type = weight_type or models.origin.weight_type
    check_choice("intervals", plan.intervals, get_args(Intervals))
    chosen_pairs(models.names, plan.baseline)
    asked = Asked(area, plan.method, level=plan.level, weight_type=weight_type)
    asked = replace(asked, n_resamples=plan.n_resamples, seed=plan.seed)
    check_method([models], asked)
    found = areas_of(models, area, weight_type)
    return compared(
        models.names,
        _tests(found, chosen_pairs(models.names, plan.baseline), asked, plan),
        _estimates(found, plan.level),
        what=area.name,
        baseline=plan.baseline,
        level=plan.level,
        facts=facts_of(models.ranked[0], models.origin),
        omnibus=omnibus_test(found, plan.method) if len(models.names) > 2 else None,
        clustered=models.clusters is not None,
        intervals=plan.intervals,
        auto=plan.method == "auto",
        widest=area.value_of(1.0) - area.value_of(0.0),
    )


def _tests(found: Areas, chosen: Pairs, asked: Asked, plan: Plan) -> list[TestResult]:
    tests = [paired_test(found, pair, asked) for pair in chosen]
    return _simultaneous(found, chosen, asked, tests) if plan.intervals == "simultaneous" else tests


def _simultaneous(found: Areas, chosen: Pairs, asked: Asked, tests: list[TestResult]) -> list[TestResult]:
    """The same tests with intervals that hold together."""
    unknown = np.full_like(found.covariance, math.nan)
    each = each_level(unknown if asked.method == "bootstrap" else found.covariance, chosen, asked.level)
    wider = [paired_test(found, pair, replace(asked, level=each)) for pair in chosen]
    return [replace(test, low=wide.low, high=wide.high) for test, wide in zip(tests, wider, strict=True)]


def _estimates(found: Areas, level: float) -> dict[str, Interval]:
    models, rows = found.models, found.models.in_memory()

    def facts(name: str) -> dict[str, Any]:
        """The rows of one model, whose places are its own."""
        return {} if rows is None else {"rows": rows.of_models(name), "kind": found.kind}

    return {
        name: area_interval(found.area, groups, float(variance), "auto", level, **facts(name))
        for name, variance, groups in zip(models.names, np.diag(found.covariance), models.ranked, strict=True)
    }
