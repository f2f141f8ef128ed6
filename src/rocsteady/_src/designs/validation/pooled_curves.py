"""Curves and chi-square tests of imputed data sets as one."""

from __future__ import annotations

import math
from statistics import fmean, variance
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, some_values
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.validation.pooled_parts import listed
from rocsteady._src.designs.validation.rules import rubins_rules
from rocsteady._src.inference.intervals.normal import check_level, quantile_of
from rocsteady._src.results import RocBand, SmoothCalibrationCurve
from rocsteady._src.results.remarks import Remark
from rocsteady._src.results.validation import Pooled, PooledCurve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.results import TestResult

    Array = NDArray[np.float64]

POINTS = 101
CURVES = (RocBand, SmoothCalibrationCurve)


def pooled_chi_square(tests: Sequence[TestResult]) -> Pooled:
    """Chi-square statistics by D2 (Li and others 1991); F with the degrees of the tests, and few within."""
    from scipy.special import fdtrc

    degrees = {each.df for each in tests}
    statistics = [float(each.statistic) for each in tests]
    if len(degrees) > 1 or None in degrees or not all(map(math.isfinite, statistics)):
        text = f"tests without an estimate are pooled as chi-squares of the same degrees, got {some_values(degrees)}"
        raise InputError("degrees_of_freedom", f"{text}: pool estimates with standard errors where there are any")
    m, df = len(tests), float(next(iter(degrees)) or math.nan)
    increase = (1 + 1 / m) * variance([math.sqrt(max(each, 0.0)) for each in statistics])
    ratio = max((fmean(statistics) / df - (m + 1) / (m - 1) * increase) / (1 + increase), 0.0)
    within = df ** (-3 / m) * (m - 1) * (1 + 1 / increase) ** 2 if increase else math.inf
    pvalue = float(fdtrc(df, min(within, 1e10), ratio))
    first = tests[0]
    return Pooled(
        estimate=math.nan,
        low=math.nan,
        high=math.nan,
        level=math.nan if first.level is None else first.level,
        se=math.nan,
        df=within,
        missing_information=increase / (1 + increase),
        within=math.nan,
        between=math.nan,
        scale="chi-square (D2)",
        n_imputations=m,
        statistic=ratio,
        pvalue=pvalue,
        alternative=first.alternative,
        hypothesis=first.hypothesis,
        n_pos=first.n_pos,
        n_neg=first.n_neg,
        origin=first.origin,
        warnings=(Remark("d2_is_rough"),),
    )


@typed
def pool_curves(curves: Any, *, level: float | None = None, complete_df: float | None = None) -> PooledCurve:
    """Pool curves over multiply imputed data by Rubin's rules, at each point on the logit scale.

    Parameters
    ----------
    curves : list of RocBand or of SmoothCalibrationCurve
        One of each imputed data set: pointwise ROC bands of the same false positive rates (``roc_band(fpr=...)``), or
        smooth calibration curves, which are compared where all have rows.
    level : float, optional
        Confidence level of each point; that of the curves when absent.
    complete_df : float, optional
        As in :func:`rocsteady.validation.pool`.

    Returns
    -------
    PooledCurve
        The pooled curve with limits of each point by itself. The standard error of a point is half the width of its
        limits on the logit scale; where a curve or a limit is 0 or 1 there is none, and the plain mean is shown.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> y, grid = [1, 1, 1, 0, 1, 0, 0, 0], np.linspace(0, 1, 5)
    >>> imputed = [[8, 7, 6, 5, 4, 3, 2, 1], [8, 7, 3, 5, 4, 6, 2, 1]]
    >>> rs.validation.pool_curves([rs.roc_band(y, score, fpr=grid) for score in imputed]).n_imputations
    2
    """
    curves = listed(curves)
    if len(curves) < 2 or not isinstance(curves[0], CURVES):
        raise ArgumentError("curves", "pass a list of two or more ROC bands, or of smooth calibration curves")
    first = curves[0]
    if any(type(each) is not type(first) for each in curves):
        raise InputError("results_differ", "pass curves of one kind, one of each imputed data set")
    if any(each.level != first.level for each in curves):
        raise InputError("results_differ", f"the curves differ in level: {some_values([c.level for c in curves])}")
    of_roc = isinstance(first, RocBand)
    if of_roc and any(each.coverage != "pointwise" for each in curves):
        raise InputError("coverage", "bands of whole curves have no standard error at a point: pool pointwise ones")
    x, lines = _of_one_grid(curves) if of_roc else _on_shared_range(curves)
    level = first.level if level is None else check_level(level)
    away = 2 * quantile_of(first.level)
    points = zip(*(np.stack(line, 1) for line in lines), strict=True)
    columns = [_at(values, away, level, complete_df) for values in points]
    estimate, low, high, missing = np.array(columns).T
    return PooledCurve(
        x=x,
        estimate=estimate,
        low=low,
        high=high,
        missing_information=missing,
        level=level,
        n_imputations=len(curves),
        kind="roc" if of_roc else "calibration",
        n_pos=first.n_pos,
        n_neg=first.n_neg,
        origin=first.origin,
        warnings=_without_limits(low),
    )


def _without_limits(low: Array) -> tuple[Remark, ...]:
    n = int(np.isnan(low).sum())
    return (Remark("points_without_limits", n=n, total=low.size),) if n else ()


def _of_one_grid(curves: Sequence[Any]) -> tuple[Array, list[tuple[Array, Array, Array]]]:
    x = curves[0].fpr
    if any(each.fpr.size != x.size or not np.array_equal(each.fpr, x) for each in curves):
        text = "the bands have different false positive rates"
        raise InputError("results_differ", f"{text}: give all the same ones when making them, such as 101 from 0 to 1")
    return x, [(each.tpr, each.low, each.high) for each in curves]


def _on_shared_range(curves: Sequence[Any]) -> tuple[Array, list[tuple[Array, Array, Array]]]:
    """Points where every curve has rows on both sides."""
    low, high = max(each.predicted[0] for each in curves), min(each.predicted[-1] for each in curves)
    if not low < high:
        raise InputError("results_differ", "the curves share no range of predictions")
    x = np.linspace(low, high, POINTS)
    return x, [(at(x, each, each.observed), at(x, each, each.low), at(x, each, each.high)) for each in curves]


def at(x: Array, curve: Any, values: Array) -> Array:
    """Values of a smooth curve at other predictions."""
    found: Array = np.interp(x, curve.predicted, values)
    return found


def _at(values: Any, away: float, level: float, complete_df: float | None) -> tuple[float, float, float, float]:
    """One point: estimates and limits of all curves become one."""
    estimates = [float(each[0]) for each in values]
    if not all(0 < end < 1 for each in values for end in each):
        return fmean(estimates), math.nan, math.nan, math.nan
    turned = [[math.log(end / (1 - end)) for end in each] for each in values]
    spread = [((each[2] - each[1]) / away) ** 2 for each in turned]
    rules = rubins_rules([each[0] for each in turned], spread, complete_df)
    df = rules["df"] if math.isfinite(rules["df"]) else None
    reach = quantile_of(level, df=df) * math.sqrt(rules["total"])
    ends = (rules["estimate"], rules["estimate"] - reach, rules["estimate"] + reach)
    middle, low, high = (1 / (1 + math.exp(-end)) for end in ends)
    return middle, low, high, rules["missing_information"]
