"""How often do tests at 5% reject a hypothesis that is true? One function per table of docs/coverage.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import rocsteady as rs
from benchmarks.coverage_kit import (
    AUCS,
    Effort,
    Setting,
    column_of,
    grid,
    model_rows,
    pivot,
    rank_scores,
    size,
    stream,
)
from rocsteady.comparison.auc import areas_and_covariance, pair_test
from rocsteady.comparison.hypotheses import judge
from rocsteady.comparison.models import omnibus_test
from rocsteady.uncertainty.components import Area, delong_variance
from rocsteady.uncertainty.normal import p_value

if TYPE_CHECKING:
    Found = dict[tuple[Any, ...], float]

ALPHA = 0.05
MARGIN, MARGIN_AUCS = 0.05, (0.55, 0.75, 0.9, 0.97)
WITH_MARGIN = ("non-inferiority", "equivalence")
LEAD = ("n", "positives")


def null_table(effort: Effort) -> str:
    """AUC = 1/2, two-sided and one-sided."""
    found: Found = {}
    for setting in grid((0.5,)):
        hits = np.zeros(2)
        for scores in setting.samples(stream("null", setting), effort.analytic):
            test = rs.auc_null_test(rank_scores(scores, setting.n_pos))
            hits += [test.pvalue <= ALPHA, p_value(test.statistic, "greater") <= ALPHA]
        tied = ", tied" if setting.tied else ""
        found |= _line(setting, dict(zip(("two-sided" + tied, "greater" + tied), hits / effort.analytic, strict=True)))
    return pivot(found, LEAD, size)


def _line(setting: Setting, found: dict[str, float]) -> Found:
    return {(setting.n, setting.n_pos, name): float(share) for name, share in found.items()}


def paired_table(effort: Effort) -> str:
    """Equal models on the same rows, DeLong; one-sided at AUC 0.9 only."""
    found: Found = {}
    for setting in grid(AUCS):
        hits = np.zeros(2)
        for scores in setting.models(stream("paired", setting), effort.analytic):
            two_sided = _paired(scores, setting.n_pos)
            hits += [two_sided.pvalue <= ALPHA, p_value(two_sided.statistic, "greater") <= ALPHA]
        name = column_of(setting)
        shares = {name: hits[0] / effort.analytic}
        if setting.auc == 0.9 and not setting.tied:
            shares[f"{name}, greater"] = hits[1] / effort.analytic
        found |= _line(setting, shares)
    return pivot(found, LEAD, size)


def _paired(scores: np.ndarray, n_pos: int, area: Area | None = None) -> Any:
    rows = model_rows(scores, n_pos)
    return pair_test(rows, *areas_and_covariance(rows, area or Area()), (0, 1))


def unpaired_table(effort: Effort) -> str:
    """Equal models on two independent samples of the same design, DeLong's variances with Welch's t."""
    found: Found = {}
    for setting in grid(AUCS):
        rng, hits = stream("unpaired", setting), 0
        for one, two in zip(setting.samples(rng, effort.analytic), setting.samples(rng, effort.analytic), strict=True):
            hits += unpaired_pvalue(one, two, setting.n_pos) <= ALPHA
        found |= _line(setting, {column_of(setting): hits / effort.analytic})
    return pivot(found, LEAD, size)


def unpaired_pvalue(one: np.ndarray, two: np.ndarray, n_pos: int) -> float:
    """As ``compare_auc(paired=False)``, for two samples of one size."""
    areas, variances = [], []
    for ranked in (rank_scores(one, n_pos), rank_scores(two, n_pos)):
        parts = Area().components(ranked)
        areas.append(parts.theta)
        variances.append(delong_variance(ranked, parts))
    squares = sum(variance**2 for variance in variances) / (one.size - 1)
    df = sum(variances) ** 2 / squares if squares > 0 else None
    return judge(areas[0] - areas[1], sum(variances) ** 0.5, "two-sided", df=df).pvalue


def margin_table(effort: Effort) -> str:
    """The first model is worse by exactly the margin: AUC 0.85 and 0.90, for example."""
    found: Found = {}
    for setting in grid(MARGIN_AUCS):
        lead = setting.lead_of(setting.true_auc - MARGIN)
        hits = np.zeros(2)
        for scores in setting.models(stream("margin", setting), effort.analytic, lead=lead):
            hits += [pvalue <= ALPHA for pvalue in margin_pvalues(scores, setting.n_pos).values()]
        names = (f"{name}, {column_of(setting)}" for name in WITH_MARGIN)
        found |= _line(setting, dict(zip(names, hits / effort.analytic, strict=True)))
    return pivot(found, LEAD, size)


def margin_pvalues(scores: np.ndarray, n_pos: int) -> dict[str, float]:
    test = _paired(scores, n_pos)
    return {name: judge(test.estimate, test.se, name, MARGIN).pvalue for name in WITH_MARGIN}


def partial_and_omnibus_table(effort: Effort) -> str:
    """Two equal models over FPR 0 to 0.2, and three equal models over the whole curve."""
    found: Found = {}
    for setting in grid(AUCS):
        repeats, hits = effort.analytic, np.zeros(2)
        for scores in setting.models(stream("omnibus", setting), repeats, 3):
            rows = model_rows(scores, setting.n_pos)
            hits[0] += _paired(scores[:2], setting.n_pos, Area(fpr_range=(0, 0.2))).pvalue <= ALPHA
            hits[1] += omnibus_test(rows, *areas_and_covariance(rows, Area())).pvalue <= ALPHA
        name = column_of(setting)
        found |= _line(setting, {f"partial, {name}": hits[0] / repeats, f"three models, {name}": hits[1] / repeats})
    return pivot(found, LEAD, size)
