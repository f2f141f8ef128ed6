"""How often do 95% intervals hold the truth? One function per table of docs/coverage.md."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr, ndtri

import rocsteady as rs
from benchmarks.coverage_batches import measured
from benchmarks.coverage_kit import (
    AUCS,
    LEVEL,
    LOW_COVERAGE,
    Effort,
    Setting,
    Z,
    column_of,
    coverage,
    grid,
    holds,
    pivot,
    rank_scores,
    stream,
    table,
    warned_cell,
)
from benchmarks.coverage_resampled import resampled_coverage
from rocsteady._src.inference.intervals.advice import interval_warnings
from rocsteady._src.inference.intervals.areas import area_interval
from rocsteady._src.inference.intervals.formulas import hanley_mcneil_variance, logit_ends, newcombe_ends
from rocsteady._src.inference.units.components import Area, delong_variance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from rocsteady._src.ranked import RankedScores

    Found = dict[tuple[Any, ...], float]

METHODS = ("auto", "delong", "logit", "newcombe", "hanley-mcneil")
STOP = 0.2
FAIR_COVERAGE = 0.935
INSIDE = ((20, 0.05), (20, 0.1), (40, 0.1), (60, 0.1), (100, 0.1), (200, 0.1))
SPREADS = (0.5, 1.0, 2.0)
LEAD = ("n", "positives", "method")
BUCKETS = {"2 to 4 rows": 4, "10 rows": 10, "25 to 50 rows": 50, "100 rows or more": 10**9}


def shares(
    name: str, setting: Setting, repeats: int, made: Callable[[RankedScores, int], Mapping[str, Any]], truth: float
) -> dict[str, tuple[float, float]]:
    """By method: share of samples whose interval holds the truth, and whose interval carries a warning."""
    counts: dict[str, np.ndarray] = {}
    for seed, scores in enumerate(setting.samples(stream(name, setting), repeats)):
        for method, interval in made(rank_scores(scores, setting.n_pos), seed).items():
            seen = [holds(interval, truth), bool(getattr(interval, "warnings", ()))]
            counts[method] = counts.get(method, np.zeros(2)) + seen
    return {method: (both[0] / repeats, both[1] / repeats) for method, both in counts.items()}


def by_method(
    name: str, settings: Iterable[Setting], repeats: int, made: Callable[..., Any], truth: Callable[[Setting], float]
) -> dict[tuple[Any, ...], tuple[float, float]]:
    found = {
        (setting.n, setting.n_pos, method, column_of(setting)): both
        for setting in settings
        for method, both in shares(name, setting, repeats, made, truth(setting)).items()
    }
    return dict(sorted(found.items(), key=lambda item: item[0][:2]))


def held(found: Mapping[tuple[Any, ...], tuple[float, float]]) -> Found:
    return {key: both[0] for key, both in found.items()}


@dataclass(frozen=True, slots=True)
class Ends:
    low: float
    high: float
    warnings: list[str]


def auc_ends(ranked: RankedScores) -> dict[str, Ends]:
    """Intervals by all formulas, as ``auc_interval`` makes them one by one."""
    found = rs.auc_interval(ranked, method="delong")
    default = area_interval(Area(), ranked, float(found.se or 0) ** 2, "auto", LEVEL)
    a, sizes = found.estimate, (ranked.n_pos, ranked.n_neg)
    rough = math.sqrt(hanley_mcneil_variance(a, *sizes))
    ends_by_method = {
        "delong": (found.low, found.high),
        "logit": logit_ends(a, found.se, Z),
        "newcombe": newcombe_at(a, *sizes),
        "hanley-mcneil": (max(a - Z * rough, 0.0), min(a + Z * rough, 1.0)),
    }
    errors = {"hanley-mcneil": rough, "newcombe": rough}
    return {"auto": Ends(default.low, default.high, list(default.warnings))} | {
        method: Ends(*both, interval_warnings(ranked, a, errors.get(method, found.se), method))
        for method, both in ends_by_method.items()
    }


@lru_cache(maxsize=100_000)
def newcombe_at(a: float, n_pos: int, n_neg: int) -> tuple[float, float]:
    """Few rows give the same AUC again and again."""
    return newcombe_ends(a, n_pos, n_neg, Z)


@cache
def auc_found(effort: Effort) -> dict[tuple[Any, ...], tuple[float, float]]:
    def made(ranked: RankedScores, _: int) -> dict[str, Any]:
        return auc_ends(ranked)

    return by_method("auc", grid(AUCS), effort.analytic, made, lambda setting: setting.true_auc)


@cache
def auc_shares(effort: Effort) -> Found:
    """Coverage of all formulas, many samples at once; warnings are counted one by one, see ``auc_found``."""
    found: Found = {}
    for setting in grid(AUCS):
        rng = stream("auc", setting)

        def draw(count: int, setting: Setting = setting, rng: np.random.Generator = rng) -> tuple[Any, Any]:
            scores = setting.rounded(rng.standard_normal((count, setting.n)) + setting.gap * setting.y)
            return scores[:, : setting.n_pos], scores[:, setting.n_pos :]

        shares_found, _ = measured(draw, setting.true_auc, (setting.n_pos, setting.n_neg), effort.analytic)
        lead = (setting.n, setting.n_pos)
        found |= {(*lead, method, column_of(setting)): share for method, share in shares_found.items()}
    return dict(sorted(found.items(), key=lambda item: item[0][:2]))


def auc_table(effort: Effort) -> str:
    return pivot(auc_shares(effort), LEAD, coverage)


def warning_table(effort: Effort) -> str:
    """Where coverage is low, how many intervals say so? Settings by coverage, share of intervals with a warning."""
    groups: dict[tuple[str, str], list[float]] = {}
    for (_, _, method, _), (covered, warned) in auc_found(effort).items():
        band = "below 92%" if covered < LOW_COVERAGE else "92% to 93.5%" if covered < FAIR_COVERAGE else "93.5% or more"
        groups.setdefault((method, band), []).append(warned)
    bands = ("below 92%", "92% to 93.5%", "93.5% or more")
    rows = [[method, *(warned_cell(groups.get((method, band), [])) for band in bands)] for method in METHODS]
    return table(["method", *(f"measured {band}" for band in bands)], rows)


def shape_table(effort: Effort) -> str:
    """Positives that spread more, or less, than negatives: what the formulas with a model make of it."""
    found: Found = {}
    for spread in (3.0, 1 / 3):
        for sizes in ((4, 16), (10, 40), (25, 25), (100, 100), (50, 950)):
            for setting in (Setting(*sizes, area) for area in (0.7, 0.9)):
                line = (setting.n, setting.n_pos, f"{spread:.2g}", setting.auc)
                found |= {(*line, method): share for method, share in _shape(setting, spread, effort.analytic).items()}
    return pivot(found, ("n", "positives", "sd of positives", "true AUC"), coverage)


def _shape(setting: Setting, spread: float, repeats: int) -> dict[str, float]:
    rng, gap = stream("shape", setting, spread), math.hypot(1, spread) * float(ndtri(setting.auc))

    def draw(count: int) -> tuple[Any, Any]:
        pos, neg = (rng.standard_normal((count, size)) for size in (setting.n_pos, setting.n_neg))
        return pos * spread + gap, neg

    return measured(draw, setting.auc, (setting.n_pos, setting.n_neg), repeats)[0]


def summary_table(effort: Effort) -> str:
    """Lowest coverage by size of the smaller class, and which methods kept 92%: what advice is made from."""
    lowest: dict[tuple[str, str], dict[str, float]] = {}
    for (n, n_pos, method, column), share in (auc_shares(effort) | resampled_coverage("auc", effort)).items():
        name = next(name for name, most in BUCKETS.items() if min(n_pos, n - n_pos) <= most)
        group = "0.97" if column.startswith("AUC 0.97") else "0.5 to 0.9"
        line = lowest.setdefault((name, group), {})
        line[method] = min(line.get(method, 1.0), share)
    methods = (*METHODS, "percentile", "basic", "bca", "jackknife")
    rows = [
        [name, group, *(coverage(line.get(method, math.nan)) for method in methods), _enough(line)]
        for name in BUCKETS
        for group in ("0.5 to 0.9", "0.97")
        if (line := lowest.get((name, group), {}))
    ]
    return table(["smaller class", "true AUC", *methods, "92% or more on this grid"], rows)


def _enough(line: Mapping[str, float]) -> str:
    return ", ".join(method for method, share in line.items() if share >= LOW_COVERAGE)


def partial_ends(ranked: RankedScores) -> dict[str, tuple[float, float]]:
    area = Area((0, STOP))
    found = rs.auc_interval(ranked, fpr_range=(0, STOP), method="delong")
    default = area_interval(area, ranked, float(found.se or 0) ** 2, "auto", LEVEL)
    logit = logit_ends(found.estimate, found.se, Z, width=STOP)
    return {"auto": (default.low, default.high), "delong": (found.low, found.high), "logit": logit}


def partial_table(effort: Effort) -> str:
    def made(ranked: RankedScores, _: int) -> dict[str, tuple[float, float]]:
        return partial_ends(ranked)

    found = by_method("partial", grid(AUCS), effort.analytic, made, lambda setting: setting.true_partial(STOP))
    return pivot(held(found), LEAD, coverage)


def few_inside_table(effort: Effort) -> str:
    """Partial areas by auto with few negatives inside the range, positives spreading less, alike and more."""
    rows = []
    for n_neg, stop in INSIDE:
        for n_pos in (40, 200):
            found = [_few_inside_held(n_pos, n_neg, stop, spread, effort.resampled) for spread in SPREADS]
            rows.append([f"{n_neg * stop:g}", n_neg, f"{stop:g}", n_pos, *map(coverage, found)])
    heads = [f"sd of positives {spread:g}" for spread in SPREADS]
    return table(["rows inside", "negatives", "FPR up to", "positives", *heads], rows)


def _few_inside_held(n_pos: int, n_neg: int, stop: float, spread: float, repeats: int) -> float:
    rng, area = stream("few inside", n_pos, n_neg, stop, spread), Area((0, stop))
    gap = math.hypot(1, spread) * float(ndtri(0.9))
    truth = quad(lambda rate: ndtr((gap + ndtri(rate)) / spread), 0, stop)[0]
    times = 0
    for _ in range(repeats):
        scores = rng.standard_normal(n_pos + n_neg)
        scores[:n_pos] = gap + spread * scores[:n_pos]
        ranked = rank_scores(scores, n_pos)
        variance = delong_variance(ranked, area.components(ranked))
        times += holds(area_interval(area, ranked, variance, "auto", LEVEL), truth)
    return times / repeats


def cluster_scores(
    rng: np.random.Generator, subjects: int, gap: float, *, mixed: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Three rows per subject with correlation 1/2; half the subjects positive, or every second row."""
    subject = np.repeat(np.arange(subjects), 3)
    y = np.arange(subject.size) % 2 if mixed else (subject < subjects // 2).astype(int)
    shared, own = rng.standard_normal(subjects)[subject], rng.standard_normal(subject.size)
    return y, gap * y + math.sqrt(0.5) * (shared + own), subject


def cluster_table(effort: Effort) -> str:
    found: Found = {}
    for mixed in (False, True):
        for subjects in (20, 50, 200):
            for area in (0.7, 0.9):
                found |= _cluster_line(effort.analytic, subjects, area, mixed=mixed)
    return pivot(found, ("subjects", "classes", "true AUC"), coverage)


def _cluster_line(repeats: int, subjects: int, area: float, *, mixed: bool) -> Found:
    rng, gap = stream("cluster", mixed, subjects, area), Setting(1, 1, area).gap
    hits = np.zeros(4)
    for _ in range(repeats):
        y, scores, subject = cluster_scores(rng, subjects, gap, mixed=mixed)
        hits += known_and_ignored(area, y, scores, {"cluster": subject})
    line = (subjects, "mixed" if mixed else "one per subject", area)
    names = ("auto, cluster=", "delong, cluster=", "logit, cluster=", "delong, clusters ignored")
    return {(*line, name): count / repeats for name, count in zip(names, hits, strict=True)}


def known_and_ignored(truth: float, y: np.ndarray, scores: np.ndarray, given: dict[str, Any]) -> list[bool]:
    """Whether auto, DeLong and logit hold the truth with what is given about the rows, and DeLong without it."""
    known, ignored = (rs.auc_interval(y, scores, method="delong", **more) for more in (given, {}))
    return [
        holds(rs.auc_interval(y, scores, **given), truth),
        holds(known, truth),
        holds(logit_ends(known.estimate, known.se, Z), truth),
        holds(ignored, truth),
    ]


def kept_scores(rng: np.random.Generator, n: int, gap: float) -> tuple[np.ndarray, np.ndarray]:
    """Scores N(gap, 1) that are kept with a chance between 0.2 and 1 that grows with the score; weight = 1/chance."""
    scores = rng.standard_normal(12 * n + 60) + gap
    chance = 0.2 + 0.8 * ndtr(2 * (scores - 0.5))
    chosen = np.flatnonzero(rng.random(scores.size) < chance)[:n]
    return scores[chosen], 1 / chance[chosen]


def weight_table(effort: Effort) -> str:
    found: Found = {}
    for n_pos, n_neg in ((10, 10), (10, 40), (25, 25), (40, 160), (100, 100), (500, 500)):
        for area in (0.7, 0.9):
            setting = Setting(n_pos, n_neg, area)
            found |= _weight_line(effort.analytic, setting)
    return pivot(found, ("n", "positives", "true AUC"), coverage)


def _weight_line(repeats: int, setting: Setting) -> Found:
    rng, hits = stream("weights", setting), np.zeros(4)
    for _ in range(repeats):
        parts = kept_scores(rng, setting.n_pos, setting.gap), kept_scores(rng, setting.n_neg, 0.0)
        scores, weights = (np.concatenate(both) for both in zip(*parts, strict=True))
        hits += known_and_ignored(setting.auc, setting.y, scores, {"sample_weight": weights})
    line = (setting.n, setting.n_pos, setting.auc)
    names = ("auto, sample_weight=", "delong, sample_weight=", "logit, sample_weight=", "delong, weights ignored")
    return {(*line, name): count / repeats for name, count in zip(names, hits, strict=True)}
