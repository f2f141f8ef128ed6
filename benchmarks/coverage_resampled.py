"""Coverage of intervals by resampling, and size of tests by resampling: tables of docs/coverage.md."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks import group_replicates as groups
from benchmarks.auc_replicates import ALPHA, auc_rejections, rank_rejections
from benchmarks.coverage_kit import (
    AUCS,
    LEVEL,
    Z,
    column_of,
    coverage,
    ends_of_range,
    holds,
    model_rows,
    pivot,
    rank_scores,
    size,
    stream,
)
from benchmarks.shared_draws import Draws
from rocsteady._src.inference.comparison.curves import PairedCurves, UnpairedCurves
from rocsteady._src.inference.comparison.permute import permutation_p
from rocsteady._src.inference.intervals.measure_facts import bounds_of_measure, draws_within_classes, ends_of_measure
from rocsteady._src.inference.intervals.replicate_ends import Shape, ends, within
from rocsteady._src.inference.resampling.resample import MOST_FAILED, acceleration, jackknife_variance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.coverage_kit import Effort, Setting
    from rocsteady._src.ranked import RankedScores

    Found = dict[tuple[Any, ...], float]
    Limits = dict[str, tuple[float, float]]

STOP, PERMUTATIONS, AT_ONCE = 0.2, 99, 9
PARTIAL = f"partial_auc(fpr_range=(0, {STOP}))"
TRUTHS: dict[str, Callable[[Setting], float]] = {
    "auc": lambda setting: setting.true_auc,
    PARTIAL: lambda setting: setting.true_partial(STOP),
    "average_precision": lambda setting: setting.true_average_precision,
}
VALUES: dict[str, Callable[[Any, Any], Any]] = {
    "auc": groups.auc,
    PARTIAL: lambda pos, neg: groups.partial_auc(pos, neg, STOP),
    "average_precision": groups.average_precision,
}
UNTIED: dict[str, Callable[[groups.Untied], Any]] = {
    "auc": groups.Untied.auc,
    PARTIAL: lambda drawn: drawn.partial_auc(STOP),
    "average_precision": groups.Untied.average_precision,
}
WITHOUT: dict[str, Callable[[Any, Any], tuple[Any, Any]]] = {
    "auc": groups.auc_without,
    PARTIAL: lambda pos, neg: groups.partial_auc_without(pos, neg, STOP),
    "average_precision": groups.average_precision_without,
}
LEAD = ("n", "positives", "method")
SOME_AUCS = (0.5, 0.9, 0.97)  # of what takes longer


def resampled_ends(measure: str, ranked: RankedScores, draws: Draws) -> Limits:
    """All kinds from the same resamples, as ``bootstrap_interval`` and ``jackknife_interval`` make them one by one.

    Nothing where too many resamples lack a class, which is refused.
    """
    values = replicates(measure, ranked, draws)
    failed = np.isnan(values)
    return {} if failed.mean() > MOST_FAILED else ends_from(measure, ranked, values[~failed])


def replicates(measure: str, ranked: RankedScores, draws: Draws) -> Any:
    """Values of resamples of these rows, NaN where a class is missing."""
    apart = facts_of(measure)[0]
    if ranked.scores.size < ranked.origin.n_rows:
        return groups.values_of(VALUES[measure], *groups.draw_groups(ranked, draws, within_classes=apart))
    with np.errstate(divide="ignore", invalid="ignore"):
        drawn = groups.Untied(ranked, draws, within_classes=apart)
        return np.where((drawn.n_pos > 0) & (drawn.n_neg > 0), UNTIED[measure](drawn), np.nan)


def ends_from(measure: str, ranked: RankedScores, values: Any) -> Limits:
    """Ends of all kinds from these replicates; the jackknife leaves out one row at a time."""
    compute, (apart, bounds, kinds) = VALUES[measure], facts_of(measure)
    left_out = groups.left_out(WITHOUT[measure], ranked, within_classes=apart)
    estimate = float(groups.values_of(compute, ranked.pos[None].astype(float), ranked.neg[None].astype(float))[0])
    reach = Z * jackknife_variance(left_out) ** 0.5
    shape = Shape(bounds, int(min(ranked.n_pos, ranked.n_neg)), acceleration(left_out))
    found = {kind: ends(kind, values, estimate, LEVEL, shape) for kind in kinds}
    return found | {"jackknife": within(bounds, estimate - reach, estimate + reach)}


@cache
def facts_of(measure: str) -> tuple[bool, tuple[float, float], tuple[str, ...]]:
    """Whether classes are drawn apart, bounds, and kinds: quantiles of three, and the default where that is another."""
    kinds = tuple(dict.fromkeys(("percentile", "basic", "bca", ends_of_measure(measure))))
    return draws_within_classes(measure), bounds_of_measure(measure), kinds


@cache
def resampled_coverage(measure: str, effort: Effort) -> Found:
    """Over samples that have an interval; none for a setting where most have too many resamples without a class."""
    found: Found = {}
    for setting in ends_of_range(SOME_AUCS):
        truth, hits, made = TRUTHS[measure](setting), dict[str, int](), 0
        draws = Draws(stream(measure, setting, "resamples"), effort.resamples)
        for scores in setting.samples(stream(measure, setting), effort.resampled):
            ends_found = resampled_ends(measure, rank_scores(scores, setting.n_pos), draws.next_sample())
            made += bool(ends_found)
            hits = hits | {kind: hits.get(kind, 0) + holds(both, truth) for kind, both in ends_found.items()}
        line = (setting.n, setting.n_pos)
        if made >= effort.resampled / 2:
            found |= {(*line, kind, column_of(setting)): count / made for kind, count in hits.items()}
    return dict(sorted(found.items(), key=lambda item: item[0][:2]))


def table_of(measure: str) -> Callable[[Effort], str]:
    return lambda effort: pivot(with_summary(resampled_coverage(measure, effort)), LEAD, coverage)


def with_summary(found: Found) -> Found:
    """Beside the cells of a line their mean and the lowest: of many cells the lowest is low by chance."""
    lines: dict[tuple[Any, ...], list[float]] = {}
    for key, share in found.items():
        lines.setdefault(key[:-1], []).append(share)
    means = {(*line, "mean"): float(np.mean(shares)) for line, shares in lines.items()}
    return found | means | {(*line, "lowest"): min(shares) for line, shares in lines.items()}


def size_table_of(measure: str, *, paired: bool = True) -> Callable[[Effort], str]:
    """Two equal models, on the same rows or not: how often do bootstrap and permutation tell them apart?"""
    return lambda effort: pivot(_rejections(measure, effort, paired), LEAD, size)


def _rejections(measure: str, effort: Effort, paired: bool) -> Found:
    found: Found = {}
    for setting in ends_of_range(AUCS) if measure == "auc" else ends_of_range(SOME_AUCS[-1:], ties=(False,)):
        hits: dict[str, list[bool]] = {kind: [] for kind in ("bootstrap", "bootstrap interval", "permutation")}
        rng = stream("test", measure, setting)
        drawn = setting.models(rng, effort.resampled) if paired else two_samples(setting, rng, effort.resampled)
        draws = Draws(stream("test", measure, setting, "resamples"), effort.resamples)
        for scores in drawn:
            for kind, rejects in rejections(measure, scores, setting.n_pos, draws.next_sample(), paired).items():
                hits[kind].append(rejects)
        line = (setting.n, setting.n_pos)
        made = {kind: said for kind, said in hits.items() if len(said) >= effort.resampled / 2}
        found |= {(*line, kind, column_of(setting)): float(np.mean(said)) for kind, said in made.items()}
    return dict(sorted(found.items(), key=lambda item: item[0][:2]))


def two_samples(setting: Setting, rng: np.random.Generator, count: int) -> Iterator[tuple[Any, Any]]:
    """Independent rows for each model, the second on a scale of its own."""
    for _ in range(count):
        first, second = setting.samples(rng, 2)
        yield first, np.exp(second)


def rejections(measure: str, scores: Any, n_pos: int, draws: Draws, paired: bool) -> dict[str, bool]:
    """Which tests tell the models apart, and whether the interval of their difference leaves out 0."""
    if measure == "auc":
        return auc_rejections(scores, n_pos, draws, paired=paired)
    return rank_rejections(measure, scores, n_pos, draws)


def curve_table(effort: Effort) -> str:
    """Two models with the same curve, on the same rows and on different ones: Venkatraman's test."""
    found: Found = {}
    for setting in ends_of_range(AUCS):
        hits = {"paired": 0, "unpaired": 0}
        rng, deals = stream("curves", setting), stream("curves", setting, "permutations")
        for scores in setting.models(rng, effort.resampled):
            one, other = (model_rows(line[None], setting.n_pos) for line in (scores[0], next(setting.samples(rng, 1))))
            hits["paired"] += curves_differ(PairedCurves.of(model_rows(scores, setting.n_pos)), deals)
            hits["unpaired"] += curves_differ(UnpairedCurves.of(one, other), deals)
        line = (setting.n, setting.n_pos)
        found |= {(*line, kind, column_of(setting)): count / effort.resampled for kind, count in hits.items()}
    return pivot(dict(sorted(found.items(), key=lambda item: item[0][:2])), LEAD, size)


def curves_differ(test: PairedCurves | UnpairedCurves, rng: np.random.Generator, count: int = PERMUTATIONS) -> bool:
    """Whether p of so many permutations is at most 5%; it is not as soon as five of 99 are as extreme."""
    observed, extreme, most = test.observed(), 0, int(ALPHA * (1 + count)) - 1
    for start in range(0, count, AT_ONCE):
        values = test.permuted(rng, min(AT_ONCE, count - start))
        extreme += round(permutation_p(values, observed, "greater")[0] * (1 + values.size)) - 1
        if extreme > most:
            return False
    return True
