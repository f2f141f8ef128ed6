"""How often do tests at 5% reject a hypothesis that is true? One function per table of docs/coverage.md."""

from __future__ import annotations

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
from rocsteady._src.inference.comparison.advice import delong_remarks, joined_remarks
from rocsteady._src.inference.comparison.automatic import chosen_method
from rocsteady._src.inference.comparison.hypotheses import judged_difference, null_of
from rocsteady._src.inference.comparison.omnibus import omnibus_test
from rocsteady._src.inference.comparison.two_areas import Asked, pair_of, pair_of_samples, paired_test
from rocsteady._src.inference.intervals.normal import p_value
from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.spread import areas_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rocsteady._src.inference.comparison.two_areas import Pair

    Scores = Any
    Seen = dict[tuple[str, str], tuple[bool, bool]]
    Found = dict[tuple[Any, ...], tuple[float, float]]

ALPHA = 0.05
MARGIN, MARGIN_AUCS, ALIKE = 0.05, (0.55, 0.75, 0.9, 0.97), 0.95
WITH_MARGIN = ("non-inferiority", "equivalence")
LEAD = ("n", "positives", "test")
PART = Area(fpr_range=(0, 0.2))
TOO_LARGE, FAIR = 0.08, 0.065
METHODS = ("delong", "newcombe")


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
            test = rs.auc_null_test(rank_scores(scores, setting.n_pos), method="normal")
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
    pair = pair_of(areas_of(rows, Area()), (0, 1))
    told = {
        "delong": bool(delong_remarks(rows, pair.areas, Area(), "two-sided")) or pair.se == 0,
        "newcombe": bool(joined_remarks(rows_of(setting), pair.areas)),
    }
    name, seen = column_of(setting), {}
    for method in METHODS:
        seen[method, name] = rejects(pair, method, "two-sided")
        if setting.auc == 0.9 and not setting.tied:
            seen[method, f"{name}, greater"] = rejects(pair, method, "greater")
    return {key: (rejects, told[key[0]]) for key, rejects in seen.items()}


def rejects(pair: Pair, method: str, alternative: str, margin: float | None = None) -> bool:
    """As ``compare_auc`` does; joined intervals by their ends, which is quicker than their p-value."""
    used = chosen_method(pair.areas, pair.sizes, alternative) if method == "auto" else method
    difference = pair.chosen(Asked(method=method), used)
    if used != "newcombe":
        return judged_difference(difference, alternative, margin).pvalue <= ALPHA
    low, high = difference.ends(1 - ALPHA if alternative == "two-sided" else 1 - 2 * ALPHA)
    null = null_of(alternative, margin)
    if isinstance(null, tuple):
        return low >= null[0] and high <= null[1]
    return low >= null or (alternative == "two-sided" and high <= null)


def holds_difference(pair: Pair, method: str, truth: float) -> bool:
    """Whether the 95% interval holds the truth: it is what a two-sided test of it does not reject."""
    used = chosen_method(pair.areas, pair.sizes, "two-sided") if method == "auto" else method
    difference = pair.chosen(Asked(method=method), used)
    if used == "newcombe":
        low, high = difference.ends(1 - ALPHA)
        return low <= truth <= high
    return p_value(difference.statistic(truth), df=difference.df) > ALPHA


def rows_of(setting: Setting) -> tuple[float, float]:
    return float(setting.n_pos), float(setting.n_neg)


@cache
def unpaired_found(effort: Effort) -> Found:
    """Equal models on two independent samples of the same design."""
    return measured("unpaired", effort, grid(AUCS), two_samples, unpaired_seen)


def two_samples(setting: Setting, rng: np.random.Generator, repeats: int) -> Iterator[Scores]:
    return zip(setting.samples(rng, repeats), setting.samples(rng, repeats), strict=True)


def unpaired_seen(setting: Setting, scores: Scores) -> Seen:
    rows = [model_rows(each[None], setting.n_pos) for each in scores]
    pair = pair_of_samples([areas_of(each, Area()) for each in rows])
    told = {"delong": bool(delong_remarks(rows[0], (0.5,), Area(), "two-sided")) or pair.se == 0}
    return {
        (method, column_of(setting)): (rejects(pair, method, "two-sided"), told.get(method, False))
        for method in METHODS
    }


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
    pair = pair_of(areas_of(rows, Area()), (0, 1))
    told = {
        "delong": bool(delong_remarks(rows, pair.areas, Area(), WITH_MARGIN[0])) or pair.se == 0,
        "newcombe": bool(joined_remarks(rows_of(setting), pair.areas)),
    }
    return {
        (method, f"{name}, {column_of(setting)}"): (rejects(pair, method, name, MARGIN), told[method])
        for name in WITH_MARGIN
        for method in METHODS
    }


@cache
def partial_and_omnibus_found(effort: Effort) -> Found:
    """Two equal models over FPR 0 to 0.2, and three equal models over the whole curve."""
    return measured("omnibus", effort, grid(AUCS), lambda setting, rng, n: setting.models(rng, n, 3), omnibus_seen)


def omnibus_seen(setting: Setting, scores: Scores) -> Seen:
    rows, two = model_rows(scores, setting.n_pos), model_rows(scores[:2], setting.n_pos)
    found, part = areas_of(rows, Area()), areas_of(two, PART)
    seen: Seen = {}
    partial, omnibus = paired_test(part, (0, 1), Asked(PART, "delong")), omnibus_test(found, "delong")
    seen["partial area", column_of(setting)] = partial.pvalue <= ALPHA, bool(partial.warnings)
    seen["three models", column_of(setting)] = omnibus.pvalue <= ALPHA, bool(omnibus.warnings)
    return seen


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
