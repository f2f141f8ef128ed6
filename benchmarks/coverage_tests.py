"""How often do tests at 5% reject a hypothesis that is true? One function per table of docs/coverage.md."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

import rocsteady as rs
from benchmarks.coverage_kit import (
    AUCS,
    Effort,
    Setting,
    column_of,
    ends_of_range,
    grid,
    model_rows,
    pivot,
    rank_scores,
    size,
    stream,
    table,
    warned_cell,
)
from rocsteady.comparison.advice import delong_remarks, joined_remarks, omnibus_remarks
from rocsteady.comparison.auc import areas_and_covariance, pair_test
from rocsteady.comparison.hypotheses import judge
from rocsteady.comparison.joined import JoinedDifference, correlation_of
from rocsteady.comparison.models import omnibus_test
from rocsteady.uncertainty.components import Area, delong_variance
from rocsteady.uncertainty.normal import p_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Scores = Any
    Seen = dict[tuple[str, str], tuple[bool, bool]]
    Found = dict[tuple[Any, ...], tuple[float, float]]

ALPHA = 0.05
MARGIN, MARGIN_AUCS, ALIKE = 0.05, (0.55, 0.75, 0.9, 0.97), 0.95
WITH_MARGIN = ("non-inferiority", "equivalence")
LEAD = ("n", "positives", "test")
PART = Area(fpr_range=(0, 0.2))
TOO_LARGE, FAIR = 0.08, 0.065


def measured(
    name: str,
    effort: Effort,
    settings: Iterable[Setting],
    draw: Callable[[Setting, np.random.Generator, int], Iterator[Scores]],
    look: Callable[[Setting, Scores], Seen],
) -> Found:
    """By setting, test and column: how many samples are rejected, and how many results carry a warning."""
    found: Found = {}
    for setting in settings:
        counts: dict[tuple[str, str], Any] = {}
        for scores in draw(setting, stream(name, setting), effort.analytic):
            for key, seen in look(setting, scores).items():
                counts[key] = counts.get(key, np.zeros(2)) + seen
        line = (setting.n, setting.n_pos)
        found |= {(*line, *key): tuple(both / effort.analytic) for key, both in counts.items()}
    return dict(sorted(found.items(), key=lambda item: item[0][:3]))


def size_table(found: Found) -> str:
    return pivot({key: both[0] for key, both in found.items()}, LEAD, size)


def null_table(effort: Effort) -> str:
    """AUC = 1/2, two-sided and one-sided."""
    found: dict[tuple[Any, ...], float] = {}
    for setting in grid((0.5,)):
        hits = np.zeros(2)
        for scores in setting.samples(stream("null", setting), effort.analytic):
            test = rs.auc_null_test(rank_scores(scores, setting.n_pos))
            hits += [test.pvalue <= ALPHA, p_value(test.statistic, "greater") <= ALPHA]
        tied = ", tied" if setting.tied else ""
        names = ("two-sided" + tied, "greater" + tied)
        found |= {
            (setting.n, setting.n_pos, name): hit / effort.analytic for name, hit in zip(names, hits, strict=True)
        }
    return pivot(found, LEAD[:2], size)


@cache
def paired_found(effort: Effort) -> Found:
    """Equal models on the same rows; one-sided at AUC 0.9 only."""
    return measured("paired", effort, grid(AUCS), lambda setting, rng, n: setting.models(rng, n), paired_seen)


def paired_seen(setting: Setting, scores: Scores) -> Seen:
    rows = model_rows(scores, setting.n_pos)
    areas, covariance = areas_and_covariance(rows, Area())
    delong, joined = pair_test(rows, areas, covariance, (0, 1)), joined_pair(rows, areas, covariance)
    told = {"delong": bool(delong.warnings), "newcombe": bool(joined_remarks(rows_of(setting), areas, "two-sided"))}
    name = column_of(setting)
    seen = {("delong", name): delong.pvalue <= ALPHA, ("newcombe", name): leaves_out(joined, 0.0)}
    if setting.auc == 0.9 and not setting.tied:
        seen |= {
            ("delong", f"{name}, greater"): p_value(delong.statistic, "greater") <= ALPHA,
            ("newcombe", f"{name}, greater"): above(joined, 0.0),
        }
    return {key: (rejects, told[key[0]]) for key, rejects in seen.items()}


def rows_of(setting: Setting) -> tuple[float, float]:
    return float(setting.n_pos), float(setting.n_neg)


def joined_pair(rows: Any, areas: Any, covariance: Any) -> JoinedDifference:
    """As ``compare_auc(method="newcombe")`` makes it of models that are not alike."""
    r = correlation_of((covariance[0, 0], covariance[1, 1]), covariance[0, 1])
    sizes = float(rows.ranked[0].n_pos), float(rows.ranked[0].n_neg)
    return JoinedDifference((float(areas[0]), float(areas[1])), (sizes, sizes), r, math.nan)


def leaves_out(difference: JoinedDifference, null: float) -> bool:
    low, high = difference.ends(1 - ALPHA)
    return not low < null < high


def above(difference: JoinedDifference, null: float) -> bool:
    return difference.ends(1 - 2 * ALPHA)[0] >= null


@cache
def unpaired_found(effort: Effort) -> Found:
    """Equal models on two independent samples of the same design."""
    return measured("unpaired", effort, grid(AUCS), two_samples, unpaired_seen)


def two_samples(setting: Setting, rng: np.random.Generator, repeats: int) -> Iterator[Scores]:
    return zip(setting.samples(rng, repeats), setting.samples(rng, repeats), strict=True)


def unpaired_seen(setting: Setting, scores: Scores) -> Seen:
    name, sizes = column_of(setting), rows_of(setting)
    told = delong_remarks(model_rows(scores[0][None], setting.n_pos), (0.5,), Area(), "two-sided")
    areas = [rs.auc(rank_scores(each, setting.n_pos)) for each in scores]
    joined = JoinedDifference((areas[0], areas[1]), (sizes, sizes), 0.0, math.nan)
    return {
        ("delong", name): (unpaired_pvalue(*scores, setting.n_pos) <= ALPHA, bool(told)),
        ("newcombe", name): (leaves_out(joined, 0.0), False),
    }


def unpaired_pvalue(one: np.ndarray, two: np.ndarray, n_pos: int) -> float:
    """As ``compare_auc(paired=False)``, Welch's t with DeLong's variances, for two samples of one size."""
    areas, variances = [], []
    for ranked in (rank_scores(one, n_pos), rank_scores(two, n_pos)):
        parts = Area().components(ranked)
        areas.append(parts.theta)
        variances.append(delong_variance(ranked, parts))
    squares = sum(variance**2 for variance in variances) / (one.size - 1)
    df = sum(variances) ** 2 / squares if squares > 0 else None
    return judge(areas[0] - areas[1], sum(variances) ** 0.5, "two-sided", df=df).pvalue


@cache
def margin_found(effort: Effort) -> Found:
    """The first model is worse by exactly the margin: AUC 0.85 and 0.90, for example."""
    return measured("margin", effort, grid(MARGIN_AUCS), worse_by_the_margin, margin_seen)


def worse_by_the_margin(
    setting: Setting, rng: np.random.Generator, repeats: int, alike: float = 0.5
) -> Iterator[Scores]:
    return setting.models(rng, repeats, lead=setting.lead_of(setting.true_auc - MARGIN), alike=alike)


def alike_table(effort: Effort) -> str:
    """Non-inferiority of models that are nearly alike, the first worse by exactly the margin."""
    found = measured(
        "alike",
        effort,
        ends_of_range(MARGIN_AUCS, ties=(False,)),
        lambda setting, rng, n: worse_by_the_margin(setting, rng, n, ALIKE),
        margin_seen,
    )
    return size_table({key: both for key, both in found.items() if key[-1].startswith("non-inferiority")})


def margin_seen(setting: Setting, scores: Scores) -> Seen:
    rows = model_rows(scores, setting.n_pos)
    areas, covariance = areas_and_covariance(rows, Area())
    delong, joined = pair_test(rows, areas, covariance, (0, 1)), joined_pair(rows, areas, covariance)
    told = {
        "delong": bool(delong_remarks(rows, areas, Area(), WITH_MARGIN[0])),
        "newcombe": bool(joined_remarks(rows_of(setting), areas, WITH_MARGIN[0])),
    }
    low, high = joined.ends(1 - 2 * ALPHA)
    by_joined = {"non-inferiority": low >= -MARGIN, "equivalence": low >= -MARGIN and high <= MARGIN}
    seen: Seen = {}
    for name in WITH_MARGIN:
        pvalue = judge(delong.estimate, delong.se, name, MARGIN).pvalue
        seen["delong", f"{name}, {column_of(setting)}"] = pvalue <= ALPHA, told["delong"]
        seen["newcombe", f"{name}, {column_of(setting)}"] = by_joined[name], told["newcombe"]
    return seen


@cache
def partial_and_omnibus_found(effort: Effort) -> Found:
    """Two equal models over FPR 0 to 0.2, and three equal models over the whole curve."""
    return measured("omnibus", effort, grid(AUCS), lambda setting, rng, n: setting.models(rng, n, 3), omnibus_seen)


def omnibus_seen(setting: Setting, scores: Scores) -> Seen:
    rows, two = model_rows(scores, setting.n_pos), model_rows(scores[:2], setting.n_pos)
    areas = areas_and_covariance(two, PART)
    partial, omnibus = pair_test(two, *areas, (0, 1)), omnibus_test(rows, *areas_and_covariance(rows, Area()))
    told = delong_remarks(two, areas[0], PART, "two-sided")
    return {
        ("partial area", column_of(setting)): (partial.pvalue <= ALPHA, bool(told)),
        ("three models", column_of(setting)): (omnibus.pvalue <= ALPHA, bool(omnibus_remarks(rows))),
    }


def warning_table(effort: Effort) -> str:
    """Where a test rejects too often, how many results say so? Settings by size, share of results with a warning."""
    bands = (f"{TOO_LARGE:.0%} or more", f"{FAIR:.1%} to {TOO_LARGE:.0%}", f"below {FAIR:.1%}")
    groups: dict[str, dict[str, list[float]]] = {}
    for test, found in tests_found(effort).items():
        for (_, _, method, _), (rejected, warned) in found.items():
            band = bands[0 if rejected >= TOO_LARGE else 1 if rejected >= FAIR else 2]
            groups.setdefault(f"{test}{method}", {}).setdefault(band, []).append(warned)
    rows = [[name, *(warned_cell(group.get(band, [])) for band in bands)] for name, group in groups.items()]
    return table(["test", *(f"measured {band}" for band in bands)], rows)


def tests_found(effort: Effort) -> dict[str, Found]:
    margins = margin_found(effort)
    return {
        "same rows, ": paired_found(effort),
        "independent samples, ": unpaired_found(effort),
        "non-inferiority, ": {key: both for key, both in margins.items() if key[-1].startswith("non-inferiority")},
        "": partial_and_omnibus_found(effort),
    }
