"""Coverage of intervals by resampling, and size of tests by resampling: tables of docs/coverage.md."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

import rocsteady as rs
from benchmarks.coverage_kit import (
    AUCS,
    LEVEL,
    Z,
    column_of,
    coverage,
    ends_of_range,
    holds,
    pivot,
    rank_scores,
    size,
    stream,
)
from rocsteady.uncertainty.auc_draws import auc_draws
from rocsteady.uncertainty.bootstrap import measure_function
from rocsteady.uncertainty.draws import GroupDraws
from rocsteady.uncertainty.resample import (
    acceleration,
    ends,
    jackknife_variance,
    left_out_values,
    replicate,
    sampler,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.coverage_kit import Effort, Setting
    from rocsteady.ranked import RankedScores

    Found = dict[tuple[Any, ...], float]
    Limits = dict[str, tuple[float, float]]

ALPHA, STOP, PERMUTATIONS = 0.05, 0.2, 99
PARTIAL = f"partial_auc(fpr_range=(0, {STOP}))"
TRUTHS: dict[str, Callable[[Setting], float]] = {
    "auc": lambda setting: setting.true_auc,
    PARTIAL: lambda setting: setting.true_partial(STOP),
    "average_precision": lambda setting: setting.true_average_precision,
}
LEAD = ("n", "positives", "method")
SOME_AUCS = (0.5, 0.9, 0.97)  # of measures that take longer


def resampled_ends(measure: str, ranked: RankedScores, seed: int, n_resamples: int) -> Limits:
    """All kinds from the same resamples, as ``bootstrap_interval`` and ``jackknife_interval`` make them one by one."""
    draws, compute = GroupDraws(ranked), measure_function(measure)
    sample = auc_draws(measure, None, draws) or sampler(draws, lambda made: [compute(made[0])])
    values = replicate(sample, n_resamples=n_resamples, seed=seed, n_jobs=1)[:, 0]
    left_out = left_out_values(draws, lambda made: [compute(made[0])], seed=seed)
    estimate, reach = float(compute(ranked)), Z * jackknife_variance(left_out) ** 0.5
    return {
        "percentile": ends("percentile", values, estimate, LEVEL),
        "basic": ends("basic", values, estimate, LEVEL),
        "bca": ends("bca", values, estimate, LEVEL, skew=acceleration(left_out)),
        "jackknife": (estimate - reach, estimate + reach),
    }


@cache
def resampled_coverage(measure: str, effort: Effort) -> Found:
    found: Found = {}
    for setting in ends_of_range(AUCS if measure == "auc" else SOME_AUCS):
        truth, hits = TRUTHS[measure](setting), dict[str, int]()
        for seed, scores in enumerate(setting.samples(stream(measure, setting), effort.resampled)):
            made = resampled_ends(measure, rank_scores(scores, setting.n_pos), seed, effort.resamples)
            hits = {kind: hits.get(kind, 0) + holds(both, truth) for kind, both in made.items()}
        line = (setting.n, setting.n_pos)
        found |= {(*line, kind, column_of(setting)): count / effort.resampled for kind, count in hits.items()}
    return dict(sorted(found.items(), key=lambda item: item[0][:2]))


def table_of(measure: str) -> Callable[[Effort], str]:
    return lambda effort: pivot(resampled_coverage(measure, effort), LEAD, coverage)


def size_table_of(measure: str, *, paired: bool = True) -> Callable[[Effort], str]:
    """Two equal models, on the same rows or not: how often do bootstrap and permutation tell them apart?"""
    return lambda effort: pivot(_rejections(measure, effort, paired), LEAD, size)


def _rejections(measure: str, effort: Effort, paired: bool) -> Found:
    found: Found = {}
    for setting in ends_of_range(AUCS) if measure == "auc" else ends_of_range(SOME_AUCS[-1:], ties=(False,)):
        hits = dict.fromkeys(("bootstrap", "bootstrap interval", "permutation"), 0)
        rng = stream("test", measure, setting)
        drawn = setting.models(rng, effort.resampled) if paired else two_samples(setting, rng, effort.resampled)
        for seed, scores in enumerate(drawn):
            for kind, rejects in rejections(measure, setting, scores, seed, effort.resamples, paired).items():
                hits[kind] += rejects
        line = (setting.n, setting.n_pos)
        found |= {(*line, kind, column_of(setting)): count / effort.resampled for kind, count in hits.items()}
    return dict(sorted(found.items(), key=lambda item: item[0][:2]))


def two_samples(setting: Setting, rng: np.random.Generator, count: int) -> Iterator[tuple[Any, Any]]:
    """Independent rows for each model, the second on a scale of its own."""
    for _ in range(count):
        first, second = setting.samples(rng, 2)
        yield first, np.exp(second)


def rejections(
    measure: str, setting: Setting, scores: Any, seed: int, n_resamples: int, paired: bool
) -> dict[str, bool]:
    """Which tests tell the models apart, and whether the interval of their difference leaves out 0."""
    options: dict[str, Any] = {"n_resamples": n_resamples, "random_state": seed, "n_jobs": 1, "paired": paired}
    drawn = rs.compare_measure(measure, setting.y, *scores, method="bootstrap", **options)
    swapped = rs.compare_measure(measure, setting.y, *scores, method="permutation", **options)
    return {
        "bootstrap": drawn.pvalue <= ALPHA,
        "bootstrap interval": not holds((drawn.low, drawn.high), 0.0),
        "permutation": swapped.pvalue <= ALPHA,
    }


def curve_table(effort: Effort) -> str:
    """Two models with the same curve, on the same rows and on different ones: Venkatraman's test."""
    found: Found = {}
    for setting in ends_of_range(AUCS):
        hits = {"paired": 0, "unpaired": 0}
        rng = stream("curves", setting)
        for seed, scores in enumerate(setting.models(rng, effort.resampled)):
            other = next(setting.samples(rng, 1))
            for name, second in (("paired", scores[1]), ("unpaired", other)):
                options: dict[str, Any] = {"paired": name == "paired", "n_permutations": PERMUTATIONS}
                test = rs.compare_curves(setting.y, scores[0], second, random_state=seed, **options)
                hits[name] += test.pvalue <= ALPHA
        line = (setting.n, setting.n_pos)
        found |= {(*line, kind, column_of(setting)): count / effort.resampled for kind, count in hits.items()}
    return pivot(dict(sorted(found.items(), key=lambda item: item[0][:2])), LEAD, size)
