"""Coverage of intervals of shares, of metrics at a threshold, and of chosen thresholds: tables of docs/coverage.md."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr
from scipy.stats import binom

import rocsteady as rs
from benchmarks.coverage_kit import (
    AUCS,
    CELLS,
    LEVEL,
    Effort,
    Setting,
    column_of,
    coverage,
    ends_of_range,
    grid,
    holds,
    pivot,
    rank_scores,
    stream,
)
from rocsteady.measures.registry import get_measure
from rocsteady.uncertainty.proportions import proportion_bounds

if TYPE_CHECKING:
    Found = dict[tuple[Any, ...], float]

METRICS = ("f1", "mcc", "diagnostic_odds_ratio", "balanced_accuracy")


def proportion_table(effort: Effort) -> str:
    """No simulation: every count of successes, weighted by its probability."""
    chances = np.linspace(0, 1, 2001)[1:-1]
    found: Found = {}
    for n in (10, 20, 50, 200, 1000):
        for method in ("wilson", "clopper-pearson", "jeffreys", "agresti-coull", "wald"):
            low, high = proportion_bounds(np.arange(n + 1), n, LEVEL, method)  # type: ignore[arg-type]
            inside = (low <= chances[:, None]) & (chances[:, None] <= high)
            covered = (binom.pmf(np.arange(n + 1), n, chances[:, None]) * inside).sum(axis=1)
            found[n, method, "mean"] = float(covered.mean())
            found[n, method, "lowest"] = float(covered.min())
            found[n, method, "lowest, share 10% to 90%"] = float(covered[np.abs(chances - 0.5) <= 0.4].min())
    return pivot(found, ("rows", "method"), coverage)


def cell_shares(setting: Setting) -> tuple[float, float]:
    """Recall and specificity at the threshold halfway between the classes."""
    share = float(ndtr(setting.gap / 2))
    return share, share


def threshold_metric_table(effort: Effort) -> str:
    found: Found = {}
    for setting in grid(AUCS, ties=(False,)):
        for cohort in (True, False):
            hits = _metric_hits(setting, effort.analytic, cohort=cohort)
            design = "drawn" if cohort else "fixed"
            for metric, share in zip(METRICS, hits, strict=True):
                found[setting.n, setting.n_pos, setting.auc, f"{metric}, {design}"] = share
    return pivot(found, ("n", "positives", "true AUC"), coverage)


def draw_counts(setting: Setting, repeats: int, *, cohort: bool) -> np.ndarray:
    """TP, FP, FN, TN of each sample: class sizes drawn with the rows, or fixed."""
    rng = stream("metrics", setting, cohort)
    recall, specificity = cell_shares(setting)
    n_pos = rng.binomial(setting.n, setting.prevalence, repeats) if cohort else np.full(repeats, setting.n_pos)
    tp, tn = rng.binomial(n_pos, recall), rng.binomial(setting.n - n_pos, specificity)
    return np.stack([tp, setting.n - n_pos - tn, n_pos - tp, tn], axis=1)


def _metric_hits(setting: Setting, repeats: int, *, cohort: bool) -> np.ndarray:
    recall, specificity = cell_shares(setting)
    truth = rs.Confusion(
        tp=setting.n_pos * recall,
        fp=setting.n_neg * (1 - specificity),
        fn=setting.n_pos * (1 - recall),
        tn=setting.n_neg * specificity,
    )
    truths = {metric: float(get_measure(metric).sheet.formula(truth)) for metric in METRICS}
    different, times = np.unique(draw_counts(setting, repeats, cohort=cohort), axis=0, return_counts=True)
    hits = np.zeros(len(METRICS))
    for cells, count in zip(different.tolist(), times.tolist(), strict=True):
        counts = rs.Confusion(*cells)
        hits += [count * holds(rs.metric_interval(metric, counts), truths[metric]) for metric in METRICS]
    return hits / repeats


def youden_table(effort: Effort) -> str:
    """Over samples that have an interval: with a handful of rows most resamples may have no best threshold."""
    names = ("threshold", "tpr", "fpr")
    found: Found = {}
    for setting in ends_of_range(AUCS[1:]):
        truths, hits, made = best_cut(setting), np.zeros(len(names)), 0
        for seed, scores in enumerate(setting.samples(stream("youden", setting), effort.resampled)):
            ranked = rank_scores(scores, setting.n_pos)
            try:
                interval = rs.threshold_interval(ranked, n_resamples=effort.resamples, random_state=seed, n_jobs=1)
            except rs.InputError:
                continue
            made += 1
            hits += [holds(interval[name], truth) for name, truth in zip(names, truths, strict=True)]
        for name, count in zip(names, hits, strict=True):
            found[setting.n, setting.n_pos, name, column_of(setting)] = count / made if made else math.nan
    return pivot(dict(sorted(found.items(), key=lambda item: item[0][:2])), ("n", "positives", "interval of"), coverage)


def best_cut(setting: Setting) -> tuple[float, float, float]:
    """Threshold that is best in the population by Youden's rule, and its rates; the highest of equally good ones."""
    if not setting.tied:
        rate = float(ndtr(setting.gap / 2))
        return setting.gap / 2, rate, 1 - rate
    tpr, fpr = (share[::-1].cumsum() for share in setting.shares)
    at = int(np.argmax((tpr - fpr).round(12)))
    return float(CELLS[::-1][at]), float(tpr[at]), float(fpr[at])
