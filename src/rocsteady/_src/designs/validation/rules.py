"""Rubin's rules: estimates of completed data sets become one."""

from __future__ import annotations

import math
from statistics import fmean, variance
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def rubins_rules(values: Sequence[float], variances: Sequence[float], complete_df: float | None) -> dict[str, float]:
    """Estimate, variances within, between and in all, degrees of freedom, and the share of missing information."""
    m, within = len(values), fmean(variances)
    between = variance(values)
    added = (1 + 1 / m) * between
    total = within + added
    share = added / total if total else math.nan
    df = (m - 1) / share**2 if share > 0 else math.inf
    if complete_df is not None and math.isfinite(complete_df):
        observed = (complete_df + 1) / (complete_df + 3) * complete_df * (1 - share)
        df = observed if math.isinf(df) else df * observed / (df + observed) if df + observed else math.nan
    increase = added / within if within else math.inf if added else math.nan
    missing = 1.0 if math.isinf(increase) else (increase + 2 / (df + 3)) / (1 + increase)
    keys = {"within": within, "between": between, "total": total, "df": df, "missing_information": missing}
    return {"estimate": fmean(values), **keys}
