"""Measures of the ranking where many samples are ranked perfectly: a table of docs/coverage.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.coverage_kit import LEVEL, Setting, coverage, holds, rank_scores, stream, table
from benchmarks.coverage_resampled import resampled_ends
from rocsteady._src.inference.intervals.at_bound import alike_curve, low_end_at_bound
from rocsteady._src.inference.intervals.measure_facts import ends_of_measure
from rocsteady._src.measures.registry import get_measure

if TYPE_CHECKING:
    from benchmarks.coverage_kit import Effort
    from rocsteady._src.ranked import RankedScores

SIZES, AUCS = ((5, 20), (10, 40), (10, 190), (25, 25), (50, 50)), (0.97, 0.99, 0.999)
PRECISION, OTHERS = "average_precision", ("ks_statistic", "h_measure")


def bound_table(effort: Effort) -> str:
    """Average precision: how often its default interval holds, and did where 1 was [1, 1]; KS and H at 1."""
    rows = []
    for sizes in SIZES:
        for area in AUCS:
            setting = Setting(*sizes, area)
            perfect, held, before = bound_found(setting, effort)
            ends = [f"{low:.3f} ({truth:.3f})" for low, truth in (low_and_truth(name, setting) for name in OTHERS)]
            rows.append([sum(sizes), sizes[0], area, f"{perfect:.0%}", coverage(held), coverage(before), *ends])
    columns = [f"`{PRECISION}`", f"`{PRECISION}`, 1 as [1, 1]", *(f"`{name}` of 1: from (true)" for name in OTHERS)]
    return table(["n", "positives", "AUC", "samples ranked perfectly", *columns], rows)


def bound_found(setting: Setting, effort: Effort) -> tuple[float, float, float]:
    """Share of perfect samples; of all, those whose intervals of average precision hold the truth, now and before."""
    truth, rng = setting.true_average_precision, stream("bound, resamples", setting)
    perfect = held = before = 0
    for scores in setting.samples(stream("bound", setting), effort.resampled):
        if scores[: setting.n_pos].min() > scores[setting.n_pos :].max():
            perfect += 1
            held += low_end(PRECISION, rank_scores(scores, setting.n_pos)) <= truth
            continue
        drawn = resampled_ends(PRECISION, rank_scores(scores, setting.n_pos), rng, effort.resamples)
        inside = bool(drawn) and holds(drawn[ends_of_measure(PRECISION)], truth)
        held, before = held + inside, before + inside
    return perfect / effort.resampled, held / effort.resampled, before / effort.resampled


def low_end(name: str, ranked: RankedScores) -> float:
    """Lower end where all rows are ranked rightly."""
    found = low_end_at_bound(get_measure(name).sheet, {}, ranked, 1.0, min(ranked.n_pos, ranked.n_neg), LEVEL)
    assert found is not None  # noqa: S101 - for the type checker
    return found[0]


def low_and_truth(name: str, setting: Setting) -> tuple[float, float]:
    """Lower end of a measure that is 1 on rows of such classes, and its value in the population."""
    population = alike_curve(setting.auc, setting.n_pos, setting.n_neg)
    best = rank_scores(setting.y * 1.0, setting.n_pos)
    return low_end(name, best), float(get_measure(name).sheet.compute(population))
