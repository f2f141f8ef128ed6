"""Tests between the AUCs, or partial AUCs, of two models."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady.comparison.hypotheses import check_alternative, judge
from rocsteady.comparison.measure import compare_measure
from rocsteady.comparison.samples import named_samples, read_samples, refuse_of_lazy
from rocsteady.errors import ArgumentError, InputError
from rocsteady.results import TestResult
from rocsteady.scale.columns import is_lazy
from rocsteady.scale.paired import LazyModels, pair_models
from rocsteady.scale.rows import named_rows
from rocsteady.uncertainty.advice import few_subjects, independent_rows
from rocsteady.uncertainty.components import Area
from rocsteady.uncertainty.influence import area_covariance, weight_type_of
from rocsteady.uncertainty.normal import check_choice, check_level, quantile_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady.inputs.clean import Missing
    from rocsteady.ranked import ModelRows
    from rocsteady.uncertainty.influence import WeightType

Method = Literal["delong", "bootstrap", "permutation"]
FEW = 10


def compare_auc(
    y_true: object,
    first: object,
    second: object,
    *,
    method: Method = "delong",
    paired: bool = True,
    alternative: str = "two-sided",
    margin: float | None = None,
    level: float = 0.95,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    standardize: bool = False,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    y_true_second: object = None,
    sample_weight_second: object = None,
    cluster_second: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    n_resamples: int = 2000,
    random_state: int | None = None,
    label: str | None = None,
) -> TestResult:
    """Test whether two models differ in AUC, or in a partial AUC.

    Paired: both models scored the same rows, and z = (AUC1 - AUC2) / se with DeLong's covariance. Unpaired: two
    independent samples, Welch's t with both variances. O(n log n).

    Parameters
    ----------
    y_true : array-like
        Labels.
    first, second : array-like
        Scores of both models; higher means more positive.
    method : {"delong", "bootstrap", "permutation"}
        See :func:`rocsteady.compare_measure` for the last two.
    paired : bool
        False treats the samples as independent.
    alternative : {"two-sided", "greater", "less", "superiority", "non-inferiority", "equivalence"}
        About first minus second. The last three need ``margin``: first > second + margin, first > second - margin,
        and a difference between -margin and margin (two one-sided tests).
    level : float
        Confidence level of the two-sided interval of the difference.
    fpr_range, tpr_range, standardize
        For partial areas, as in :func:`rocsteady.partial_auc`.
    sample_weight, weight_type, cluster
        As in :func:`rocsteady.auc_interval`.
    y_true_second, sample_weight_second, cluster_second : array-like, optional
        Labels, weights and subjects of the second sample when ``paired=False``; the samples share no subject. Without
        labels of its own the second sample has those of the first, and its weights and subjects.
    pos_label, missing
        As in :func:`rocsteady.rank`; rows incomplete in either model are dropped for both.
    n_resamples, random_state
        For "bootstrap" and "permutation".
    label : str, optional
        Column of labels, when a table comes first and ``first``, ``second``, ``sample_weight`` and ``cluster`` name
        columns of it; the rows of a lazy table are paired by its own engine.

    Returns
    -------
    TestResult
        ``statistic, pvalue``, and ``estimate, low, high`` of first minus second. Identical models give 0 and p = 1.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> first, second = [8, 7, 6, 3, 5, 4, 2, 1], [8, 2, 7, 3, 6, 5, 4, 1]
    >>> print(rs.compare_auc(y, first, second))
    +0.2500 [-0.1501, +0.6501] (0.95 level), p = 0.2207 (delong, paired); alternative: first and second differ
    """
    check_choice("method", method, ("delong", "bootstrap", "permutation"))
    check_alternative(alternative, margin)
    check_level(level)
    area = Area(fpr_range, tpr_range, standardize)
    rows: dict[str, Any] = {
        "y_true_second": y_true_second,
        "sample_weight": sample_weight,
        "sample_weight_second": sample_weight_second,
        "cluster": cluster,
        "cluster_second": cluster_second,
        "pos_label": pos_label,
        "missing": missing,
    }
    if label is not None and is_lazy(y_true):
        refuse_of_lazy(rows, weight_type, paired=paired, method=method)
        lazy = named_rows(y_true, (first, second), label, sample_weight, pos_label, missing)
        return _paired(pair_models(lazy, lazy.rank()), area, alternative, margin, level, None)
    if label is not None:
        y_true, first, second, rows = named_samples(y_true, label, first, second, rows, paired=paired)
    if method != "delong":
        return compare_measure(
            "auc" if area.whole else area.value,
            y_true,
            first,
            second,
            method=method,
            paired=paired,
            alternative=alternative,
            margin=margin,
            level=level,
            weight_type=weight_type,
            n_resamples=n_resamples,
            random_state=random_state,
            **rows,
        )
    samples = read_samples(y_true, first, second, paired=paired, **rows)
    if paired:
        return _paired(samples[0], area, alternative, margin, level, weight_type)
    return _unpaired(samples, area, alternative, margin, level, weight_type)


def areas_and_covariance(
    models: ModelRows | LazyModels, area: Area, weight_type: str | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Areas of all models and their covariance matrix."""
    if not (models.ranked[0].n_pos and models.ranked[0].n_neg):
        raise InputError("single_class", "only one class is present: an AUC needs both")
    if isinstance(models, LazyModels):
        return _areas_of_table(models, area)
    parts = [area.components(ranked) for ranked in models.ranked]
    return np.array([part.theta for part in parts]), area_covariance(models, parts, weight_type=weight_type)


def _areas_of_table(models: LazyModels, area: Area) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if not area.whole:
        text = "rows of a lazy table are paired for the whole AUC; bring them into memory to compare partial areas"
        raise ArgumentError("partial_range", text)
    return np.array([area.value(ranked) for ranked in models.ranked]), models.covariance()


def _paired(
    models: ModelRows | LazyModels,
    area: Area,
    alternative: str,
    margin: float | None,
    level: float,
    weight_type: str | None,
) -> TestResult:
    areas, covariance = areas_and_covariance(models, area, weight_type)
    how: dict[str, Any] = {"alternative": alternative, "margin": margin, "level": level, "weight_type": weight_type}
    return pair_test(models, areas, covariance, (0, 1), **how)


def pair_test(
    models: ModelRows | LazyModels,
    areas: NDArray[np.float64],
    covariance: NDArray[np.float64],
    pair: tuple[int, int],
    *,
    alternative: str = "two-sided",
    margin: float | None = None,
    level: float = 0.95,
    weight_type: str | None = None,
) -> TestResult:
    """DeLong's test of two of the models."""
    i, j = pair
    se = math.sqrt(_difference_variance(models, covariance, i, j))
    remarks = few_units(models, weight_type)
    return _result(models, areas[i] - areas[j], se, alternative, margin, level, "delong, paired", remarks)


def _difference_variance(models: ModelRows | LazyModels, covariance: NDArray[np.float64], i: int, j: int) -> float:
    """Zero for models that group the rows alike; rounding must not invent a difference between them."""
    if models.alike(i, j):
        return 0.0
    return max(float(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]), 0.0)


def areas_test(samples: list[ModelRows], *, level: float) -> TestResult:
    """DeLong's test of the whole AUCs: of both models on one sample, or on two independent samples."""
    check_level(level)
    if len(samples) == 1:
        return _paired(samples[0], Area(), "two-sided", None, level, None)
    return _unpaired(samples, Area(), "two-sided", None, level, None)


def _unpaired(
    samples: list[ModelRows], area: Area, alternative: str, margin: float | None, level: float, weight_type: str | None
) -> TestResult:
    found = [areas_and_covariance(sample, area, weight_type) for sample in samples]
    (one,), (two,) = (areas for areas, _ in found)
    variances = [float(covariance[0, 0]) for _, covariance in found]
    sizes = [sample.n_clusters if sample.clusters is not None else _n_rows(sample, weight_type) for sample in samples]
    terms = sum(v**2 / (n - 1) for v, n in zip(variances, sizes, strict=True))
    df = sum(variances) ** 2 / terms if terms > 0 else None
    se, method = math.sqrt(sum(variances)), "delong, unpaired"
    remarks = tuple(dict.fromkeys(text for sample in samples for text in few_units(sample, weight_type)))
    return _result(samples[0], one - two, se, alternative, margin, level, method, remarks, df)


def _n_rows(sample: ModelRows, weight_type: str | None) -> float:
    """A frequency weight stands for so many rows, a sampling weight for one."""
    counted = weight_type_of(sample.weights, weight_type) == "frequency"
    return float(sample.ranked[0].n_rows_counted) if counted else float(sample.positive.size)


def _class_sizes(models: ModelRows | LazyModels, weight_type: str | None) -> tuple[float, float]:
    if isinstance(models, LazyModels):
        return float(models.ranked[0].n_pos), float(models.ranked[0].n_neg)
    return independent_rows(models, weight_type_of(models.weights, weight_type))


def _result(
    models: ModelRows | LazyModels,
    difference: float,
    se: float,
    alternative: str,
    margin: float | None,
    level: float,
    method: str,
    remarks: tuple[str, ...],
    df: float | None = None,
) -> TestResult:
    difference = float(difference)
    judged = judge(difference, se, alternative, margin, df=df)
    reach = quantile_of(level, df=df) * se
    groups = models.ranked[0]
    return TestResult(
        statistic=judged.statistic,
        pvalue=judged.pvalue,
        estimate=difference,
        low=difference - reach,
        high=difference + reach,
        alternative=alternative,
        method=method,
        hypothesis=judged.hypothesis,
        level=level,
        se=se,
        df=df,
        n_pos=groups.n_pos,
        n_neg=groups.n_neg,
        origin=models.origin,
        warnings=(*judged.warnings, *remarks),
    )


def few_units(models: ModelRows | LazyModels, weight_type: str | None = None) -> tuple[str, ...]:
    """What small classes, or few subjects, do to DeLong's test, as measured in docs/coverage.md."""
    if models.clusters is not None:
        return few_subjects(models.n_clusters)
    if min(_class_sizes(models, weight_type)) >= FEW:
        return ()
    better = "use rs.compare_auc(method='permutation')"
    return (f"fewer than {FEW} rows in a class: DeLong's test rejects too often; {better}",)
