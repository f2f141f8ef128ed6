"""One test that all models are alike."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

from rocsteady._src.base.text import format_digits
from rocsteady._src.inference.comparison.advice import omnibus_remarks
from rocsteady._src.inference.comparison.hypotheses import all_equal
from rocsteady._src.inference.comparison.rounding import settled
from rocsteady._src.results import TestResult
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from rocsteady._src.inference.units.spread import Areas

CHI_SQUARE = ("delong", "newcombe", "bootstrap")


def omnibus_test(areas: Areas, method: str = "auto") -> TestResult:
    """Test that all areas are equal by their contrasts; identical models leave the degrees of freedom.

    With "delong" chi-square. Else Hotelling's F, with the fewest degrees of freedom of any pair in place of the rows:
    chi-square takes the covariance for known, which few rows do not allow.
    """
    found = [areas.contrast(i, j) for i, j in combinations(range(areas.values.size), 2)]
    if any(each.estimate or each.variance for each in found):
        statistic, pvalue, rank = all_equal(areas.values, areas.covariance, areas.rounding)
    else:
        statistic, pvalue, rank = 0.0, 1.0, 0
    notes = [Remark("omnibus_certain")] if statistic == math.inf else []
    words = "delong, omnibus chi-square"
    if method in CHI_SQUARE:
        notes += omnibus_remarks(areas.models, areas.kind)
    elif rank and math.isfinite(statistic):
        free = min((each.df for each in found if each.variance > 0), default=math.nan)
        statistic, pvalue, within = hotelling(statistic, rank, free)
        words = f"delong-t, omnibus F with {rank} and {format_digits(within, 3)} degrees of freedom"
        if math.isnan(pvalue):
            notes.append(Remark("omnibus_undefined", models=areas.values.size))
    return TestResult(
        statistic=statistic,
        pvalue=pvalue,
        estimate=settled(float(areas.values.max() - areas.values.min()), areas.rounding),
        low=math.nan,
        high=math.nan,
        alternative="two-sided",
        method=words,
        hypothesis="not all models are alike",
        df=float(rank),
        **facts_of(areas.models.ranked[0], areas.models.origin),
        warnings=tuple(notes),
        auto=method == "auto",
    )


def hotelling(squared: float, rank: int, free: float) -> tuple[float, float, float]:
    """F, its p-value, and the degrees of freedom within."""
    from scipy.special import fdtrc

    within = free - rank + 1
    if not within > 0:
        return math.nan, math.nan, within
    ratio = squared * within / (free * rank)
    return ratio, float(fdtrc(rank, within, ratio)), within
