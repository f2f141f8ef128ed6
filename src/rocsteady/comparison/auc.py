"""Tests between the AUCs, or partial AUCs, of two models."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from rocsteady.comparison.advice import class_sizes, delong_remarks, joined_remarks
from rocsteady.comparison.hypotheses import NormalDifference, check_alternative, judge, judge_of, null_of
from rocsteady.comparison.joined import JoinedDifference, correlation_of
from rocsteady.comparison.measure import compare_measure
from rocsteady.comparison.samples import named_samples, read_samples, refuse_of_lazy
from rocsteady.errors import ArgumentError, InputError
from rocsteady.inputs.weights import reading_remarks, sampled, weight_type_of
from rocsteady.results import TestResult
from rocsteady.scale.columns import is_lazy
from rocsteady.scale.paired import LazyModels, pair_models
from rocsteady.scale.rows import named_rows
from rocsteady.threads import for_each
from rocsteady.uncertainty.components import Area
from rocsteady.uncertainty.influence import area_covariance
from rocsteady.uncertainty.normal import check_choice, check_level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady.inputs.clean import Missing
    from rocsteady.inputs.weights import WeightType
    from rocsteady.ranked import ModelRows

    Difference = NormalDifference | JoinedDifference

Method = Literal["delong", "newcombe", "bootstrap", "permutation"]
WHOLE = Area()


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of two areas, and how."""

    area: Area = WHOLE
    method: str = "delong"
    alternative: str = "two-sided"
    margin: float | None = None
    level: float = 0.95
    weight_type: str | None = None


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
    method : {"delong", "newcombe", "bootstrap", "permutation"}
        "newcombe" joins Newcombe's intervals of both AUCs, see :func:`rocsteady.auc_interval`, with DeLong's
        correlation between them, and tests by that interval: for margins when an AUC is close to 1, and for AUCs of
        1. It keeps its level there, and is timid where the models are nearly alike. See
        :func:`rocsteady.compare_measure` for the last two.
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
    check_choice("method", method, get_args(Method))
    check_alternative(alternative, margin)
    check_level(level)
    area = Area(fpr_range, tpr_range, standardize)
    asked = Asked(area, method, alternative, margin, level, weight_type)
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
        lazy = named_rows(y_true, (first, second), label, sample_weight, pos_label, missing, weight_type)
        return _paired(pair_models(lazy, lazy.rank()), asked)
    if label is not None:
        y_true, first, second, rows = named_samples(y_true, label, first, second, rows, paired=paired)
    if method in ("bootstrap", "permutation"):
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
    samples = read_samples(y_true, first, second, paired=paired, weight_type=weight_type, **rows)
    _refuse_uncounted(samples, asked)
    return _paired(samples[0], asked) if paired else _unpaired(samples, asked)


def _refuse_uncounted(samples: list[ModelRows], asked: Asked) -> None:
    """Refuse joined intervals of what they do not know."""
    if asked.method != "newcombe":
        return
    if not asked.area.whole or any(each.clusters is not None for each in samples):
        raise ArgumentError("method", "newcombe is about whole AUCs of independent rows; use method='delong'")
    if any(weight_type_of(each.weights, asked.weight_type) == "sampling" for each in samples):
        raise ArgumentError("method", f"{sampled('newcombe')}, or use method='delong'")


def areas_and_covariance(
    models: ModelRows | LazyModels, area: Area, weight_type: str | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Areas of all models and their covariance matrix."""
    if not (models.ranked[0].n_pos and models.ranked[0].n_neg):
        raise InputError("single_class", "only one class is present: an AUC needs both")
    if isinstance(models, LazyModels):
        return _areas_of_table(models, area)
    parts = for_each(area.components, models.ranked, n_rows=models.positive.size)
    return np.array([part.theta for part in parts]), area_covariance(models, parts, weight_type=weight_type)


def _areas_of_table(models: LazyModels, area: Area) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if not area.whole:
        text = "rows of a lazy table are paired for the whole AUC; bring them into memory to compare partial areas"
        raise ArgumentError("partial_range", text)
    return np.array([area.value(ranked) for ranked in models.ranked]), models.covariance()


def _paired(models: ModelRows | LazyModels, asked: Asked) -> TestResult:
    return pair_test(models, *areas_and_covariance(models, asked.area, asked.weight_type), (0, 1), asked)


def pair_test(
    models: ModelRows | LazyModels,
    areas: NDArray[np.float64],
    covariance: NDArray[np.float64],
    pair: tuple[int, int],
    asked: Asked | None = None,
) -> TestResult:
    """Test two of the models."""
    asked, (i, j) = asked or Asked(), pair
    both, alike = (float(areas[i]), float(areas[j])), models.alike(i, j)
    # Where both models group the rows alike, rounding must not invent a difference between them.
    se = 0.0 if alike else math.sqrt(max(float(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]), 0.0))
    if asked.method == "newcombe" and not alike:
        own = float(covariance[i, i]), float(covariance[j, j])
        return _joined([models, models], both, correlation_of(own, float(covariance[i, j])), se, asked, "paired")
    told = asked.method == "delong"
    remarks = delong_remarks(models, both, asked.area, asked.alternative, asked.weight_type) if told else ()
    return _result(models, NormalDifference(both[0] - both[1], se), asked, "paired", remarks)


def areas_test(samples: list[ModelRows], *, level: float) -> TestResult:
    """DeLong's test of the whole AUCs: of both models on one sample, or on two independent samples."""
    check_level(level)
    asked = Asked(level=level, weight_type=samples[0].origin.weight_type)
    return _paired(samples[0], asked) if len(samples) == 1 else _unpaired(samples, asked)


def _unpaired(samples: list[ModelRows], asked: Asked) -> TestResult:
    found = [areas_and_covariance(sample, asked.area, asked.weight_type) for sample in samples]
    one, two = (float(areas[0]) for areas, _ in found)
    variances = [float(covariance[0, 0]) for _, covariance in found]
    se = math.sqrt(sum(variances))
    if asked.method == "newcombe":
        return _joined(samples, (one, two), 0.0, se, asked, "unpaired")
    sizes = [_n_units(sample, asked.weight_type) for sample in samples]
    terms = sum(v**2 / (n - 1) for v, n in zip(variances, sizes, strict=True))
    df = sum(variances) ** 2 / terms if terms > 0 else None
    advice = (delong_remarks(each, (one, two), asked.area, asked.alternative, asked.weight_type) for each in samples)
    remarks = tuple(dict.fromkeys(text for each in advice for text in each))
    return _result(samples[0], NormalDifference(one - two, se, df), asked, "unpaired", remarks)


def _n_units(sample: ModelRows, weight_type: str | None) -> float:
    """Subjects, else rows: a frequency weight stands for so many of them, a sampling weight for one."""
    if sample.clusters is not None:
        return float(sample.n_clusters)
    counted = weight_type_of(sample.weights, weight_type) == "frequency"
    return float(sample.ranked[0].n_rows_counted) if counted else float(sample.positive.size)


def _joined(
    samples: Sequence[ModelRows | LazyModels],
    areas: tuple[float, float],
    correlation: float,
    se: float,
    asked: Asked,
    design: str,
) -> TestResult:
    one, two = (class_sizes(sample, asked.weight_type) for sample in samples)
    remarks = joined_remarks(one, areas, asked.alternative) if design == "paired" else ()
    return _result(samples[0], JoinedDifference(areas, (one, two), correlation, se), asked, design, remarks)


def _result(
    models: ModelRows | LazyModels, difference: Difference, asked: Asked, design: str, remarks: tuple[str, ...]
) -> TestResult:
    if isinstance(difference, NormalDifference):
        judged = judge(difference.estimate, difference.se, asked.alternative, asked.margin, df=difference.df)
    else:
        judged = judge_of(difference.statistic, asked.alternative, asked.margin)
    low, high = difference.ends(asked.level)
    groups = models.ranked[0]
    return TestResult(
        statistic=judged.statistic,
        pvalue=judged.pvalue,
        estimate=difference.estimate,
        low=low,
        high=high,
        alternative=asked.alternative,
        method=f"{asked.method}, {design}",
        hypothesis=judged.hypothesis,
        level=asked.level,
        null=null_of(asked.alternative, asked.margin),
        se=difference.se,
        df=difference.df,
        n_pos=groups.n_pos,
        n_neg=groups.n_neg,
        origin=models.origin,
        warnings=(*reading_remarks(models.origin), *judged.warnings, *remarks),
    )
