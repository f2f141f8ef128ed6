"""Is a model equally good in all groups, and where is it not?"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.evaluation.groups.areas import usable
from rocsteady._src.inference.comparison.automatic import few_on_the_wrong_side
from rocsteady._src.inference.comparison.hypotheses import NormalDifference, all_equal, judged_difference
from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues
from rocsteady._src.inference.comparison.score import ScoreDifference
from rocsteady._src.results import GroupDifference, TestResult
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from rocsteady._src.evaluation.groups.areas import GroupAreas
    from rocsteady._src.inference.comparison.hypotheses import Difference
    from rocsteady._src.results import Origin

    Array = NDArray[np.float64]


def heterogeneity(found: GroupAreas, weights: Array, facts: dict[str, Any]) -> TestResult:
    """Test that a weighted sum of the models' AUCs is the same in all groups: chi-square of the contrasts.

    ``weights`` is 1 for one model, whose AUCs are compared on the logit scale, where a high AUC does not come with a
    small standard error; or 1 and -1 for the difference between two. p is that of Welch's F, since the variance of a
    small group, or of one with few rows on the wrong side, is itself unsure.
    """
    values, spread = found.sum_of(weights)
    kept = usable(spread)
    same = not kept.any() and not values[~np.isnan(values)].any()  # two models that rank alike
    left_out = int(np.count_nonzero(~kept))
    values, spread = values[kept], spread[np.ix_(kept, kept)]
    enough = values.size > 1
    some = (Remark("groups_left_out", n=left_out, total=kept.size),) if left_out else ()
    scaled = on_logit_scale(values, spread) if np.count_nonzero(weights) == 1 else (values, spread)
    tested = (
        all_equal(*scaled, free=found.free_of(weights)[kept])
        if enough
        else (0.0, 1.0, 0)
        if same
        else (math.nan, math.nan, 0)
    )
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
        + ", p of Welch's F",
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
    """Each group's AUC less the mean of the others, weighted by their pairs; p adjusted (Holm) within a model.

    Two groups are one hypothesis, which needs no adjustment.
    """
    made = []
    for m, model in enumerate(models):
        lines = [_against_others(found, m, group) for group in range(len(groups))]
        judged = [None if each is None else judged_difference(each, "two-sided") for each in lines]
        pvalues = [math.nan if each is None else each.pvalue for each in judged]
        one = sum(each is not None for each in judged) == 2  # of two groups both differences are the same
        adjusted = pvalues if one else adjust_pvalues(pvalues).tolist()
        for name, line, said, p in zip(groups, lines, judged, adjusted, strict=True):
            if line is None or said is None:
                nan = math.nan
                made.append(GroupDifference(model, name, nan, nan, nan, level, nan, nan, nan, origin, "none"))
                continue
            tested = said.statistic, said.pvalue, float(p)
            method = "score" if isinstance(line, ScoreDifference) else "delong-t"
            made.append(GroupDifference(model, name, line.estimate, *line.ends(level), level, *tested, origin, method))
    return tuple(made)


def _against_others(found: GroupAreas, model: int, group: int) -> Difference | None:
    """What "auto" takes between two samples, the group and all others; none where a variance is 0.

    Among more than two groups always the variance under the hypothesis: that of one small group is often far too small
    by chance, and p-values that are adjusted for many groups lie far out in the tails.
    """
    areas, spread = found.areas[:, model], found.covariance[model, model]
    kept = usable(spread)
    if not kept[group] or kept.sum() < 2:
        return None
    share = np.where(kept, found.pairs, 0.0)
    share[group] = 0.0
    share = (share / share.sum())[kept]
    own = np.flatnonzero(kept) == group
    contrast, spread = own - share, spread[np.ix_(kept, kept)]
    variance = max(float(contrast @ spread @ contrast), 0.0)
    df = welch_freedom(contrast**2 * np.diagonal(spread), found.free[model, model][kept])
    both = float(areas[group]), float(share @ areas[kept])
    sizes = pair_of_sizes(found.sizes[group], found.sizes[kept][~own].sum(axis=0))
    if kept.sum() > 2 or few_on_the_wrong_side(both, sizes, "two-sided"):
        scale = math.sqrt(
            float(own @ spread @ own) * float(share @ spread @ share)
        )  # both above 0, or they are not kept
        correlation = min(max(float(own @ spread @ share) / scale, -1.0), 1.0)
        return ScoreDifference(both, sizes, correlation, math.sqrt(variance), df)
    return NormalDifference(both[0] - both[1], math.sqrt(variance), df)


def welch_freedom(parts: Array, free: Array) -> float:
    """Degrees of freedom of a sum of independent variances, each with its own.

    Examples
    --------
    >>> welch_freedom(np.array([1.0, 1.0]), np.array([9.0, 9.0])), welch_freedom(np.ones(2), np.full(2, math.inf))
    (18.0, inf)
    """
    unsure = float((parts**2 / free).sum())
    return float(parts.sum()) ** 2 / unsure if unsure > 0 else math.inf


def as_one_difference(test: TestResult, lines: Sequence[GroupDifference]) -> TestResult:
    """The test of whether a model's AUC is the same in two groups, which is that of their difference.

    ``lines`` are the model's differences. With more groups, or fewer, ``test`` stays as it is.
    """
    known = [line for line in lines if not math.isnan(line.pvalue)]
    if len(known) != 2:
        return test
    found = max(known, key=lambda line: line.estimate)
    return replace(
        test,
        statistic=found.statistic**2,
        pvalue=found.pvalue,
        estimate=found.estimate,
        low=found.low,
        high=found.high,
        level=found.level,
        method=f"{found.method}, difference of two groups",
    )


def pair_of_sizes(one: Array, other: Array) -> tuple[tuple[float, float], tuple[float, float]]:
    """Units of both classes of two samples."""
    return (float(one[0]), float(one[1])), (float(other[0]), float(other[1]))


def within(found: GroupAreas, model: int) -> float:
    """AUC over the pairs of opposite rows that belong to the same group."""
    some = found.pairs > 0
    return float(found.pairs[some] @ found.areas[some, model] / found.pairs[some].sum()) if some.any() else math.nan
