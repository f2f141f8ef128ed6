"""Intervals of the AUC and of partial AUCs, and the test of AUC = 1/2."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

import numpy as np

from rocsteady._src.base.errors import InputError, refuse_one_class
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.intervals.areas import area_interval, refuse_counts
from rocsteady._src.inference.intervals.normal import check_choice, check_level, p_value
from rocsteady._src.inference.intervals.rank_sum import exact_p, exact_tails
from rocsteady._src.inference.resampling.bootstrap import bootstrap_interval
from rocsteady._src.inference.units.components import Area, area_spread, delong_variance
from rocsteady._src.inference.units.influence import area_covariance
from rocsteady._src.inference.units.subjects import rank_design_effect, ranked_and_rows
from rocsteady._src.inputs.weights import reading_remarks, sampled
from rocsteady._src.measures.ranking import auc
from rocsteady._src.ranked import RankedScores, groups_or_rows
from rocsteady._src.ranked.lazy.lazy_rows import rank_named
from rocsteady._src.results import Interval, TestResult
from rocsteady._src.results.base import facts_of

if TYPE_CHECKING:
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType

Method = Literal["auto", "wilson", "logit", "delong", "newcombe", "hanley-mcneil", "bootstrap", "bca"]
FEW_ROWS = 50  # of a class, below which the null test counts labellings
EXACTLY = {"normal": "", "exact": "exact "}


@typed
def auc_interval(
    y_true: object,
    y_score: object = None,
    *,
    method: Method = "auto",
    level: float = 0.95,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    standardize: bool = False,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    n_resamples: int = 2000,
    random_state: int | None = None,
    label: str | None = None,
) -> Interval:
    """Confidence interval of the AUC, or of a partial AUC.

    "auto", the default, takes "logit" where ten or more rows of the smaller class stand on the wrong side (its size
    times 1 - AUC, or times AUC if that is less), and "wilson" below; the result names the one used. Where the AUC is
    nearly 1 (or 0), or a few rows are misranked by far, no model tells how many such rows were missed: "auto" then lies
    no closer than a bound that holds for any distribution (Gaffke 2005; Learned-Miller and Thomas 2019), and names the
    result "gaffke". Of P positives above all N negatives the lower end is ((1 - level) / 2)^(1 / min(P, N)).

    "wilson": Wilson's interval of a share, of as many independent rows as the area is worth, with Student's t. The
    variance is DeLong's and that of a model, weighed by the rows on the wrong side against one; so it has a width at
    AUC = 1, and holds with few rows. "logit": DeLong's variance on the log-odds scale. "delong": estimate +- z se
    with DeLong's variance, cut to the possible range; too short with few rows or near 1. "newcombe": from the AUC
    and the counts, by inverting the test with the variance at the hypothesis (Newcombe 2006, method 5); where
    positives spread much wider it falls short. "hanley-mcneil": the 1982 formula, from the AUC and the counts.
    "bootstrap" and "bca": stratified resampling. Measured coverage of each is in docs/coverage.md. O(distinct scores)
    once ranked.

    Parameters
    ----------
    y_true, y_score, pos_label, missing
        As in :func:`rocsteady.rank`; ranked scores go alone.
    method : {"auto", "wilson", "logit", "delong", "newcombe", "hanley-mcneil", "bootstrap", "bca"}
        How the interval is made. With weights or subjects the rule counts as many equal rows as weigh alike.
    level : float
        Confidence level.
    fpr_range, tpr_range, standardize
        For a partial area, as in :func:`rocsteady.partial_auc`; its standard error comes from the influence function.
    sample_weight : array-like, optional
        Row weights.
    weight_type : {"frequency", "sampling"}, optional
        Frequency weights count repeated rows and are whole numbers, of any type; sampling weights say how many a row
        stands for. Without a word weights are sampling weights, and a remark says so. Values do not depend on it.
    cluster : array-like, optional
        The subject of each row, when subjects have several rows (Obuchowski 1997).
    n_resamples, random_state
        For "bootstrap" and "bca".
    label : str, optional
        Column of labels, when a table comes first and ``y_score`` and ``sample_weight`` name columns of it; a lazy
        table is grouped by its own engine, see :func:`rocsteady.scale.rank_table`.

    Returns
    -------
    Interval
        ``estimate, low, high, level, method, auto, se``; ends are NaN where undefined, and ``warnings`` say why.

    Examples
    --------
    >>> import rocsteady as rs
    >>> print(rs.auc_interval([1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.4, 0.6, 0.3, 0.1]))
    0.8889 [0.3393, 0.9920] (0.95 level, wilson, chosen by auto)
    >>> print(rs.auc_interval([1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.4, 0.6, 0.3, 0.1], method="delong"))
    0.8889 [0.5809, 1.0000] (0.95 level, delong)
    """
    check_choice("method", method, get_args(Method))
    check_level(level)
    area = Area(fpr_range, tpr_range, standardize)
    named = "auc" if area.whole else "partial_auc"
    refuse_counts(method, area, clustered=cluster is not None, kind=weight_type)
    if label is not None:
        how: dict[str, Any] = {"sample_weight": sample_weight, "pos_label": pos_label, "missing": missing}
        y_true, y_score = rank_named(y_true, y_score, label=label, weight_type=weight_type, **how), None
        sample_weight = pos_label = None
    rows = {"sample_weight": sample_weight, "cluster": cluster, "pos_label": pos_label, "missing": missing}
    if method in ("bootstrap", "bca"):
        resampled = bootstrap_interval(
            "auc" if area.whole else area.value,
            y_true,
            y_score,
            method="percentile" if method == "bootstrap" else "bca",
            level=level,
            n_resamples=n_resamples,
            random_state=random_state,
            weight_type=weight_type,
            **rows,
        )
        return replace(cast("Interval", resampled), measure=named)  # one measure has one interval
    ranked, variance, facts = area_variance(area, y_true, y_score, weight_type, rows)
    found = area_interval(area, ranked, variance, method, level, **facts)
    return replace(found, warnings=(*reading_remarks(ranked.origin), *found.warnings), measure=named)


def area_variance(
    area: Area, y_true: object, y_score: object, weight_type: str | None, rows: dict[str, Any]
) -> tuple[RankedScores, float, dict[str, Any]]:
    """Groups, variance, and what its rows are, which are kept only where groups do not suffice."""
    models = groups_or_rows(y_true, y_score, "an interval", weight_type=weight_type, **rows)
    ranked = models if isinstance(models, RankedScores) else models.ranked[0]
    refuse_one_class(ranked.n_pos, ranked.n_neg, "an AUC and its interval need")
    if isinstance(models, RankedScores):
        return ranked, area_spread(area, ranked), {}
    covariance = area_covariance(models, [area.components(ranked)])
    return ranked, float(covariance[0, 0]), {"rows": models, "kind": models.reading}


@typed
def auc_null_test(
    y_true: object,
    y_score: object = None,
    *,
    alternative: str = "two-sided",
    method: Literal["auto", "normal", "exact"] = "auto",
    level: float = 0.95,
    continuity: bool = False,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    label: str | None = None,
) -> TestResult:
    """Test of AUC = 1/2: the rank-sum test, corrected for ties.

    z = (AUC - 1/2) / sqrt((l + 1 - T / (l (l - 1))) / (12 P N)), T = sum of t^3 - t over groups of t tied rows,
    l = P + N; p is exact for few rows. ``estimate`` is AUC - 1/2 with the default interval of
    :func:`rocsteady.auc_interval`.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`; ranked scores go alone. The test counts rows: weights must be frequencies,
        ``weight_type="frequency"``, or, with ``cluster``, whole numbers.
    weight_type : {"frequency", "sampling"}, optional
        As in :func:`rocsteady.auc_interval`.
    alternative : {"two-sided", "greater", "less"}
        About AUC - 1/2.
    method : {"auto", "normal", "exact"}
        How p is found: from z, or by counting all labellings of the rows, ties included (the exact Wilcoxon or
        Mann-Whitney test, for small samples; R's ``wilcox.test(exact = TRUE)`` where nothing ties). Two-sided it is
        twice the smaller tail. Not with subjects. "auto" counts where both classes have fewer than 50 rows, unless
        there are subjects or ``continuity`` is asked for; the result names what was taken.
    level : float
        Confidence level of the interval.
    continuity : bool
        Move the statistic by half a pair against the alternative, as R's wilcox.test and SciPy's mannwhitneyu do:
        down for "greater", up for "less", towards zero for "two-sided".
    cluster : array-like, optional
        The subject of each row, when subjects have several rows. The rank sum's variance is then multiplied by its
        design effect: how much more mean ranks vary when the rows of a subject go together, labels being as they
        are. The variance of the interval is Obuchowski's.
    label : str, optional
        Column of labels, when a table comes first, as in :func:`rocsteady.auc_interval`.

    Returns
    -------
    TestResult

    Examples
    --------
    >>> import rocsteady as rs
    >>> test = rs.inference.auc_null_test([1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.4, 0.6, 0.3, 0.1])
    >>> round(test.statistic, 4), round(test.pvalue, 4)
    (1.5275, 0.2)
    """
    how: dict[str, Any] = {"sample_weight": sample_weight, "pos_label": pos_label, "missing": missing}
    ranked, rows = ranked_and_rows(y_true, y_score, cluster, label, weight_type=weight_type, **how)
    refuse_one_class(ranked.n_pos, ranked.n_neg, "an AUC and its interval need")
    if cluster is None and not ranked.counts_rows:
        raise InputError("weights", sampled("the rank-sum test"))
    if not ranked.exact:
        raise InputError("weights", "the rank-sum test counts rows: weights must be whole numbers here")
    check_choice("method", method, ("auto", "normal", "exact"))
    if method == "exact" and rows is not None:
        raise InputError("rows_of_subjects", "all labellings of subjects' rows are not alike: take the method normal")
    if method == "auto":
        few = rows is None and not continuity and max(ranked.n_pos, ranked.n_neg) < FEW_ROWS
        method = "exact" if few else "normal"
    excess = auc.sheet.compute(ranked) - 0.5
    shift = _half_pair(ranked, excess, alternative) if continuity else 0.0
    variance = _null_variance(ranked) * (1.0 if rows is None else rank_design_effect(rows))
    statistic = (excess - shift) / math.sqrt(variance) if variance > 0 else 0.0
    parts = Area().components(ranked)
    spread = delong_variance(ranked, parts) if rows is None else float(area_covariance(rows, [parts])[0, 0])
    interval = area_interval(Area(), ranked, spread, "auto", level, rows=rows)
    hypothesis = {"two-sided": "AUC is not 1/2", "greater": "AUC is above 1/2", "less": "AUC is below 1/2"}
    return TestResult(
        statistic=statistic,
        pvalue=p_value(statistic, alternative) if method == "normal" else exact_p(exact_tails(ranked), alternative),
        estimate=excess,
        low=interval.low - 0.5,
        high=interval.high - 0.5,
        alternative=alternative,
        method=f"{EXACTLY[method]}rank sum{'' if rows is None else ', by cluster'}; interval by {interval.how}",
        hypothesis=hypothesis[alternative],
        level=check_level(level),
        se=interval.se,
        **facts_of(ranked),
        warnings=(*reading_remarks(ranked.origin), *interval.warnings),
    )


def _half_pair(ranked: RankedScores, excess: float, alternative: str) -> float:
    """What the correction for continuity takes from AUC - 1/2."""
    half = float(0.5 / (ranked.n_pos * ranked.n_neg))
    if alternative == "two-sided":
        return math.copysign(half, excess) if excess else 0.0
    return half if alternative == "greater" else -half


def _null_variance(ranked: RankedScores) -> float:
    """Variance of the AUC of rows whose labels are put in random order."""
    total = ranked.n_rows_counted
    tied = (ranked.pos + ranked.neg).astype(np.float64)
    spread = total + 1 - float((tied**3 - tied).sum()) / (total * (total - 1))
    return float(spread / (12 * ranked.n_pos * ranked.n_neg))
