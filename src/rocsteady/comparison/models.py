"""Three models or more on the same rows: all pairs or a baseline, adjusted, with the omnibus test."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.comparison.advice import delong_remarks, omnibus_remarks
from rocsteady.comparison.auc import Asked, areas_and_covariance, pair_test
from rocsteady.comparison.hypotheses import all_equal
from rocsteady.comparison.multiplicity import adjust_pvalues
from rocsteady.comparison.verdict import verdict
from rocsteady.errors import ArgumentError
from rocsteady.inputs.tables import columns_of_models
from rocsteady.inputs.weights import reading_remarks, weight_type_of
from rocsteady.ranked import read_models
from rocsteady.results import Comparison, Interval, PairComparison, TestResult
from rocsteady.scale.paired import LazyModels
from rocsteady.uncertainty.areas import area_interval
from rocsteady.uncertainty.components import Area
from rocsteady.uncertainty.normal import check_level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady.inputs.clean import Missing
    from rocsteady.inputs.weights import WeightType
    from rocsteady.ranked import ModelRows

    Array = NDArray[np.float64]


CERTAIN = "a difference does not vary in these rows; no width is not certainty: see the pairs"


def compare_models(
    y_true: object,
    scores: object,
    *,
    names: Sequence[str] | None = None,
    baseline: str | None = None,
    level: float = 0.95,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> Comparison:
    """Compare the AUCs of two or more models on the same rows, by DeLong's test.

    Parameters
    ----------
    y_true : array-like
        Labels.
    scores : mapping of str to array-like, DataFrame, or array of two dimensions
        Scores by name of the model; each column of a DataFrame or an array is a model.
    names : sequence of str, optional
        What the columns of an array are called.
    baseline : str, optional
        Compare each model to this one; all pairs when absent. Differences are model minus baseline.
    level : float
        Confidence level; the verdict calls a difference when Holm's p is below 1 - level.
    fpr_range, tpr_range
        For partial areas, as in :func:`rocsteady.partial_auc`.
    sample_weight, weight_type, cluster, pos_label, missing
        As in :func:`rocsteady.auc_interval`.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import rocsteady as rs
    >>> table = rs.examples.loans(300)
    >>> models = {name: table[name] for name in ("boosted", "logistic")}
    >>> print(rs.compare_models(table["defaulted"], models).verdict[0])
    boosted ranks better than logistic: AUC +0.062 [0.029, 0.094]
    """
    options = {"sample_weight": sample_weight, "cluster": cluster, "pos_label": pos_label, "missing": missing}
    models = read_models(y_true, columns_of_models(scores, names), weight_type=weight_type, **options)
    area = Area(fpr_range, tpr_range)
    return compare_ranked_models(models, area, baseline=baseline, level=level, weight_type=weight_type)


def compare_ranked_models(
    models: ModelRows | LazyModels,
    area: Area,
    *,
    baseline: str | None = None,
    level: float = 0.95,
    weight_type: str | None = None,
) -> Comparison:
    """Compare models whose rows were read and ranked."""
    check_level(level)
    weight_type = weight_type or models.origin.weight_type
    if len(models.names) < 2:
        raise ArgumentError("one_model", "a comparison needs at least two models: name another score column")
    areas, covariance = areas_and_covariance(models, area, weight_type)
    pairs = _compare_pairs(models, areas, covariance, baseline, Asked(area, level=level, weight_type=weight_type))
    estimates = _estimates(models, covariance, area, level, weight_type)
    omnibus = omnibus_test(models, areas, covariance, weight_type) if len(models.names) > 2 else None
    remarks = [
        *reading_remarks(models.origin),
        *delong_remarks(models, areas, area, "two-sided", weight_type),
        *(() if omnibus is None else omnibus.warnings),
        *(text for each in estimates.values() for text in each.warnings),
    ]
    groups = models.ranked[0]
    return Comparison(
        measure=area.name,
        models=models.names,
        estimates=estimates,
        pairs=pairs,
        omnibus=omnibus,
        baseline=baseline,
        level=level,
        method="delong, paired" if models.clusters is None else "delong, paired, by cluster",
        verdict=verdict(pairs, estimates, level=level, n_rows=models.origin.n_rows, what=area.name),
        n_pos=groups.n_pos,
        n_neg=groups.n_neg,
        origin=models.origin,
        warnings=tuple(dict.fromkeys(remarks)),
    )


def _compare_pairs(
    models: ModelRows | LazyModels,
    areas: Array,
    covariance: Array,
    baseline: str | None,
    asked: Asked,
) -> tuple[PairComparison, ...]:
    names = models.names
    if baseline is None:
        chosen = list(combinations(range(len(names)), 2))
    elif baseline in names:
        base = names.index(baseline)
        chosen = [(other, base) for other in range(len(names)) if other != base]
    else:
        raise ArgumentError("baseline", f"there is no model {baseline!r}; the models are {', '.join(names)}")
    tests = [pair_test(models, areas, covariance, pair, asked) for pair in chosen]
    pvalues = [test.pvalue for test in tests]
    holm, bh = adjust_pvalues(pvalues, "holm"), adjust_pvalues(pvalues, "bh")
    return tuple(
        PairComparison(names[i], names[j], test, float(p_holm), float(p_bh))
        for (i, j), test, p_holm, p_bh in zip(chosen, tests, holm, bh, strict=True)
    )


def _estimates(
    models: ModelRows | LazyModels, covariance: Array, area: Area, level: float, weight_type: str | None
) -> dict[str, Interval]:
    facts: dict[str, Any] = {}
    if not isinstance(models, LazyModels):
        facts = {"rows": models, "kind": weight_type_of(models.weights, weight_type)}
    return {
        name: area_interval(area, groups, float(variance), "auto", level, **facts)
        for name, variance, groups in zip(models.names, np.diag(covariance), models.ranked, strict=True)
    }


def omnibus_test(
    models: ModelRows | LazyModels, areas: Array, covariance: Array, weight_type: str | None = None
) -> TestResult:
    """Test that all areas are equal: chi-square of their contrasts; identical models leave the degrees of freedom."""
    statistic, pvalue, rank = all_equal(areas, covariance)
    return TestResult(
        statistic=statistic,
        pvalue=pvalue,
        estimate=float(areas.max() - areas.min()),
        low=math.nan,
        high=math.nan,
        alternative="two-sided",
        method="delong, omnibus chi-square",
        hypothesis="not all models are alike",
        df=float(rank),
        n_pos=models.ranked[0].n_pos,
        n_neg=models.ranked[0].n_neg,
        origin=models.origin,
        warnings=((CERTAIN,) if statistic == math.inf else ()) + omnibus_remarks(models, weight_type),
    )
