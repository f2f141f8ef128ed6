"""Three models or more on the same rows: all pairs or a baseline, adjusted, with the omnibus test."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.comparison.auc import Method, check_method
from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues
from rocsteady._src.inference.comparison.omnibus import omnibus_test
from rocsteady._src.inference.comparison.simultaneous import each_level
from rocsteady._src.inference.comparison.two_areas import Asked, paired_test
from rocsteady._src.inference.comparison.verdict import verdict
from rocsteady._src.inference.intervals.areas import area_interval
from rocsteady._src.inference.intervals.normal import check_choice, check_level
from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.spread import Areas, areas_of
from rocsteady._src.inputs.given import one_weight, read_given
from rocsteady._src.inputs.tables import columns_of_models
from rocsteady._src.ranked import read_rows
from rocsteady._src.ranked.lazy.columns import is_lazy
from rocsteady._src.ranked.lazy.lazy_rows import lazy_rows
from rocsteady._src.results import Comparison, Interval, PairComparison
from rocsteady._src.results.base import facts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.given import Given
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.ranked import AnyModels
    from rocsteady._src.results import TestResult
    from rocsteady._src.results.remarks import Remark

    Array = NDArray[np.float64]
    Pairs = list[tuple[int, int]]

Intervals = Literal["separate", "simultaneous"]


@typed
def compare_models(
    y_true: object,
    scores: object = None,
    *,
    label: object = None,
    names: Sequence[str] | None = None,
    baseline: str | None = None,
    method: Method = "auto",
    intervals: Intervals = "separate",
    level: float = 0.95,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    sample_weight: object = None,
    weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    n_resamples: int = 2000,
    random_state: int = 0,
) -> Comparison:
    """Compare the AUCs of two or more models on the same rows.

    Parameters
    ----------
    y_true, scores, label, sample_weight, weight, cluster
        Labels and the scores of each model, or a table with the names of its columns, as in
        :func:`rocsteady.evaluate`.
    names : sequence of str, optional
        What the columns of an array are called; "model 1" and so on when absent.
    baseline : str, optional
        Compare each model to this one; all pairs when absent. Differences are model minus baseline.
    method : {"auto", "delong-t", "score", "delong", "newcombe", "bootstrap", "permutation"}
        The test of each pair, as in :func:`rocsteady.compare_auc`; "auto" chooses for each by itself.
    intervals : {"separate", "simultaneous"}
        Of the differences: each holds at ``level`` by itself, or all hold together. The latter are wider; they follow
        from the largest of all deviations under the covariance of the AUCs (Tukey, Dunnett), Bonferroni's by bootstrap.
    level : float
        Confidence level; the verdict calls a difference when Holm's p is below 1 - level.
    fpr_range, tpr_range
        For partial areas, as in :func:`rocsteady.partial_auc`.
    weight_type, pos_label, missing
        As in :func:`rocsteady.auc_interval`.
    n_resamples, random_state
        For "bootstrap" and "permutation".

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import rocsteady as rs
    >>> table = rs.examples.loans(300)
    >>> models = {name: table[name] for name in ("boosted", "logistic")}
    >>> print(rs.compare_models(table["defaulted"], models).verdict[0])
    boosted ranks better than logistic: AUC +0.062 [+0.029, +0.095]
    """
    scores = scores if names is None else columns_of_models(scores, names)
    given = read_given(y_true, scores, label, weight=one_weight(weight, sample_weight), cluster=cluster)
    models = _read(given, weight_type=weight_type, pos_label=pos_label, missing=missing)
    area = Area(fpr_range, tpr_range)
    plan = Plan(method, intervals, level, baseline, n_resamples, random_state)
    return compare_ranked_models(models, area, plan, weight_type=weight_type)


def _read(given: Given, **how: Any) -> AnyModels:
    columns: dict[str, Any] = {"label": given.label, "scores": given.scores, "weight": given.options["weight"]}
    cluster = given.options["cluster"]
    if not is_lazy(given.table):
        return read_rows(given.table, id=cluster, **columns, **how).checked()
    if cluster is not None:
        raise ArgumentError("cluster", "subjects of a lazy table cannot be told apart; bring its rows into memory")
    rows = lazy_rows(given.table, **columns, **how)
    return rows.paired(rows.rank())


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
    chosen = _chosen(models.names, plan.baseline)
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
        method=_in_words(pairs, models),
        verdict=verdict(pairs, estimates, level=plan.level, n_rows=models.origin.n_rows, what=area.name),
        **facts_of(models.ranked[0], models.origin),
        warnings=_remarks(pairs, omnibus, estimates),
        intervals=plan.intervals,
        auto=plan.method == "auto",
    )


def _remarks(
    pairs: tuple[PairComparison, ...], omnibus: TestResult | None, estimates: dict[str, Interval]
) -> tuple[Remark, ...]:
    of_pairs = [text for pair in pairs for text in pair.test.warnings if not _degenerate(pair.test)]
    of_all = () if omnibus is None else omnibus.warnings
    of_models = [text for each in estimates.values() for text in each.warnings]
    return tuple(dict.fromkeys([*of_pairs, *of_all, *of_models]))


def _degenerate(test: TestResult) -> bool:
    """Whether the verdict says it already: no row tells the models apart."""
    return test.estimate == 0 and test.se == 0


def _in_words(pairs: tuple[PairComparison, ...], models: AnyModels) -> str:
    """The methods that were used, each once."""
    used = dict.fromkeys(pair.test.method.partition(",")[0] for pair in pairs)
    return ", ".join([" and ".join(used), "paired", *(["by cluster"] if models.clusters is not None else [])])


def _chosen(names: tuple[str, ...], baseline: str | None) -> Pairs:
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
