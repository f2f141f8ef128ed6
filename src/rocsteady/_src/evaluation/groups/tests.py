"""Is a model equally good in all groups, and where is it not?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.evaluation.groups.areas import usable
from rocsteady._src.inference.comparison.hypotheses import all_equal, judge
from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues
from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.results import GroupDifference, TestResult
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from rocsteady._src.evaluation.groups.areas import GroupAreas
    from rocsteady._src.results import Origin

    Array = NDArray[np.float64]


def heterogeneity(found: GroupAreas, weights: Array, facts: dict[str, Any], free: Array | None = None) -> TestResult:
    """Test that a weighted sum of the models' AUCs is the same in all groups: chi-square of the contrasts.

    ``weights`` is 1 for one model, whose AUCs are compared on the logit scale, where a high AUC does not come with a
    small standard error; or 1 and -1 for the difference between two. ``free`` are the degrees of freedom of the
    variance in each group, for Welch's F.
    """
    values, spread = found.sum_of(weights)
    kept = usable(spread)
    same = not kept.any() and not values[~np.isnan(values)].any()  # two models that rank alike
    left_out = int(np.count_nonzero(~kept))
    values, spread = values[kept], spread[np.ix_(kept, kept)]
    enough = values.size > 1
    some = (Remark("groups_left_out", n=left_out, total=kept.size),) if left_out else ()
    scaled = on_logit_scale(values, spread) if np.count_nonzero(weights) == 1 else (values, spread)
    known = None if free is None else free[kept]
    tested = all_equal(*scaled, free=known) if enough else (0.0, 1.0, 0) if same else (math.nan, math.nan, 0)
    statistic, pvalue, df = tested
    return TestResult(
        statistic=statistic,
        pvalue=pvalue,
        estimate=float(values.max() - values.min()) if enough else 0.0 if same else math.nan,
        low=math.nan,
        high=math.nan,
        alternative="two-sided",
        method="delong, chi-square between groups"
        + (", logit" if np.count_nonzero(weights) == 1 else "")
        + (", p of Welch's F" if free is not None else ""),
        hypothesis="not all groups are alike",
        df=float(df),
        warnings=() if same else some if enough else (Remark("too_few_groups"),),
        **facts,
    )


def on_logit_scale(areas: Array, spread: Array) -> tuple[Array, Array]:
    """Log odds of AUCs and their covariance, to first order."""
    slope = 1 / (areas * (1 - areas))
    return np.log(areas / (1 - areas)), slope[:, None] * spread * slope


def differences(
    found: GroupAreas, groups: list[Any], models: tuple[str, ...], level: float, origin: Origin
) -> tuple[GroupDifference, ...]:
    """Each group's AUC less the mean of the others, weighted by their pairs; p adjusted (Holm) within a model."""
    made = []
    for m, model in enumerate(models):
        lines = [_against_others(found, m, group) for group in range(len(groups))]
        judged = [judge(value, se, "two-sided") if se > 0 else None for value, se in lines]
        pvalues = [math.nan if each is None else each.pvalue for each in judged]
        reach = quantile_of(level)
        for name, (value, se), each, adjusted in zip(groups, lines, judged, adjust_pvalues(pvalues), strict=True):
            statistic, pvalue = (math.nan, math.nan) if each is None else (each.statistic, each.pvalue)
            ends = value - reach * se, value + reach * se
            tested = statistic, pvalue, float(adjusted)
            made.append(GroupDifference(model, name, value, *ends, level, *tested, origin))
    return tuple(made)


def _against_others(found: GroupAreas, model: int, group: int) -> tuple[float, float]:
    areas, spread = found.areas[:, model], found.covariance[model, model]
    kept = usable(spread)
    if not kept[group] or kept.sum() < 2:
        return math.nan, math.nan
    contrast = np.where(kept, -found.pairs, 0.0)
    contrast[group] = 0.0
    contrast /= -contrast.sum()
    contrast[group] = 1.0
    contrast, spread = contrast[kept], spread[np.ix_(kept, kept)]
    return float(contrast @ areas[kept]), math.sqrt(max(float(contrast @ spread @ contrast), 0.0))


def within(found: GroupAreas, model: int) -> float:
    """AUC over the pairs of opposite rows that belong to the same group."""
    some = found.pairs > 0
    return float(found.pairs[some] @ found.areas[some, model] / found.pairs[some].sum()) if some.any() else math.nan
