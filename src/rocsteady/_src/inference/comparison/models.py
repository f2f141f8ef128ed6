"""Three models or more on the same rows: all pairs or a baseline, adjusted, with the omnibus test."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.inference.comparison.auc import check_method
from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues
from rocsteady._src.inference.comparison.omnibus import omnibus_test
from rocsteady._src.inference.comparison.simultaneous import each_level
from rocsteady._src.inference.comparison.two_areas import Asked, paired_test
from rocsteady._src.inference.comparison.verdict import verdict
from rocsteady._src.inference.intervals.areas import area_interval
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.inference.units.spread import Areas, areas_of
from rocsteady._src.results import Comparison, Interval, PairComparison
from rocsteady._src.results.base import facts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.inference.units.components import Area
    from rocsteady._src.ranked import AnyModels
    from rocsteady._src.results import TestResult
    from rocsteady._src.results.remarks import Remark

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
    if len(models.names) < 2:
        raise ArgumentError("one_model", "a comparison needs at least two models: name another score column")
    asked = Asked(area, plan.method, level=plan.level, weight_type=weight_type)
    asked = replace(asked, n_resamples=plan.n_resamples, seed=plan.seed)
    check_method([models], asked)
    found = areas_of(models, area, weight_type)
    chosen = chosen_pairs(models.names, plan.baseline)
    pairs = _compare_pairs(found, chosen, asked, plan)
    estimates = _estimates(found, plan.level)
    omnibus = omnibus_test(found, plan.method) if len(models.names) > 2 else None
    return Comparison(
        measure=area.name,
        models=models.names,
        estimates=estimates,
        pairs=pairs,
        omnibus=omnibus,
        baseline=plan.baseline,
        level=plan.level,
        method=methods_in_words(pairs, clustered=models.clusters is not None),
        verdict=verdict(pairs, estimates, level=plan.level, n_rows=models.origin.n_rows, what=area.name),
        **facts_of(models.ranked[0], models.origin),
        warnings=remarks_on_pairs(pairs, omnibus, estimates),
        intervals=plan.intervals,
        auto=plan.method == "auto",
    )


def remarks_on_pairs(
    pairs: tuple[PairComparison, ...], omnibus: TestResult | None, estimates: dict[str, Interval]
) -> tuple[Remark, ...]:
    of_pairs = [text for pair in pairs for text in pair.test.warnings if not _degenerate(pair.test)]
    of_all = () if omnibus is None else omnibus.warnings
    of_models = [text for each in estimates.values() for text in each.warnings]
    return tuple(dict.fromkeys([*of_pairs, *of_all, *of_models]))


def _degenerate(test: TestResult) -> bool:
    """Whether the verdict says it already: no row tells the models apart."""
    return test.estimate == 0 and test.se == 0


def methods_in_words(pairs: tuple[PairComparison, ...], *, clustered: bool) -> str:
    """The methods that were used, each once."""
    used = dict.fromkeys(pair.test.method.partition(",")[0] for pair in pairs)
    return ", ".join([" and ".join(used), "paired", *(["by cluster"] if clustered else [])])


def chosen_pairs(names: tuple[str, ...], baseline: str | None) -> Pairs:
    if baseline is None:
        return list(combinations(range(len(names)), 2))
    if baseline not in names:
        raise ArgumentError("baseline", f"there is no model {baseline!r}; the models are {', '.join(names)}")
    base = names.index(baseline)
    return [(other, base) for other in range(len(names)) if other != base]


def _compare_pairs(found: Areas, chosen: Pairs, asked: Asked, plan: Plan) -> tuple[PairComparison, ...]:
    names = found.models.names
    tests = [paired_test(found, pair, asked) for pair in chosen]
    if plan.intervals == "simultaneous":
        tests = _simultaneous(found, chosen, asked, tests)
    return adjusted_pairs(names, chosen, tests)


def adjusted_pairs(names: tuple[str, ...], chosen: Pairs, tests: Sequence[TestResult]) -> tuple[PairComparison, ...]:
    """Tests of pairs of models with p adjusted for their number."""
    pvalues = [test.pvalue for test in tests]
    holm, bh = adjust_pvalues(pvalues, "holm"), adjust_pvalues(pvalues, "bh")
    return tuple(
        PairComparison(names[i], names[j], test, float(p_holm), float(p_bh))
        for (i, j), test, p_holm, p_bh in zip(chosen, tests, holm, bh, strict=True)
    )


def _simultaneous(found: Areas, chosen: Pairs, asked: Asked, tests: list[TestResult]) -> list[TestResult]:
    """The same tests with intervals that hold together."""
    unknown = np.full_like(found.covariance, math.nan)
    each = each_level(unknown if asked.method == "bootstrap" else found.covariance, chosen, asked.level)
    wider = [paired_test(found, pair, replace(asked, level=each)) for pair in chosen]
    return [replace(test, low=wide.low, high=wide.high) for test, wide in zip(tests, wider, strict=True)]


def _estimates(found: Areas, level: float) -> dict[str, Interval]:
    models, rows = found.models, found.models.in_memory()
    facts: dict[str, Any] = {} if rows is None else {"rows": rows, "kind": found.kind}
    return {
        name: area_interval(found.area, groups, float(variance), "auto", level, **facts)
        for name, variance, groups in zip(models.names, np.diag(found.covariance), models.ranked, strict=True)
    }
