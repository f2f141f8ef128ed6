"""The default interval of every measure, as ``evaluate`` shows it, on one design: a table of docs/coverage.md.

Rows are drawn from a population, so that class sizes vary. Scores are probabilities that are too sure of themselves:
the log-odds of the true risk times 1.3. Replicates come from ``replicates``, everything after them from the library.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit, ndtri

from benchmarks.coverage_kit import LEVEL, LOW_COVERAGE, stream, table
from benchmarks.replicates import VALUES, Replicates, draw_rows, values_of
from rocsteady._src.inference.intervals.every_measure import intervals_of_measures
from rocsteady._src.inference.resampling.replicates import interval_of_replicates
from rocsteady._src.inference.units.row_formulas import ROW_FORMULAS
from rocsteady._src.measures.registry import WITHIN_CLASSES, list_measures
from rocsteady._src.ranked import RankedScores
from rocsteady.results import Origin

if TYPE_CHECKING:
    from benchmarks.coverage_kit import Effort
    from rocsteady.measures import FactSheet
    from rocsteady.results import Interval

    Array = np.ndarray[Any, Any]
    Cell = tuple[int, float]

AUC, SURE, POPULATION = 0.8, 1.3, 200_000
GAP = math.sqrt(2) * float(ndtri(AUC))
CELLS: tuple[Cell, ...] = tuple((n, share) for n in (50, 200, 1000) for share in (0.05, 0.2, 0.5))
BY_RANGE = ("mm1_auc", "mm4_auc", "mm6_auc", "mm7_auc")  # their value depends on the range of the sample
BY_FORMULA = {"auc", "gini", "partial_auc", "precision_at_k", "auc_acc"}
RESAMPLED = VALUES.keys() - ROW_FORMULAS.keys() - BY_FORMULA
# A mean and a standard deviation need fewer replicates than the ends of their distribution, and hulls take long.
FEWER = {"percentile": 1, "student": 2, "corrected": 4, "corrected log": 4}
SCHEMES = {"rows": "rows", WITHIN_CLASSES: "rows within each class"}


def probability(x: Array, share: float) -> Array:
    """Score of a row; ``x`` is normal around 0 for negatives, around the gap for positives."""
    found: Array = expit(SURE * (math.log(share / (1 - share)) + GAP * x - GAP**2 / 2))
    return found


def params_of(sheet: FactSheet, n: int, share: float, n_rows: int) -> dict[str, Any]:
    """Parameters of a measure; ranks grow with the number of rows, so that they mean the same share of them."""
    if sheet.family == "threshold":
        return {"threshold": float(probability(np.array(GAP / 2), share))}
    return {"k": 10 * n_rows / n} if "k" in sheet.params else {}


@cache
def truth_of(name: str, n: int, share: float, size: int = POPULATION) -> float:
    """Value in the population: normal quantiles of both classes, as many as make the error negligible."""
    (sheet,) = (sheet for sheet in list_measures() if sheet.name == name)
    return float(sheet.compute(_population(share, size), **params_of(sheet, n, share, size)))


@cache
def _population(share: float, size: int) -> RankedScores:
    n_pos = round(size * share)
    parts = [ndtri((np.arange(count) + 0.5) / count) for count in (n_pos, size - n_pos)]
    return ranked_of(probability(np.concatenate([parts[0] + GAP, parts[1]]), share), np.arange(size) < n_pos)


def ranked_of(scores: Array, positive: Array) -> RankedScores:
    distinct, places = np.unique(scores, return_inverse=True)
    pos, neg = (np.bincount(places[side], minlength=distinct.size) for side in (positive, ~positive))
    return RankedScores.trusted(distinct, pos, neg, Origin(1, scores.size))


def intervals_of(
    scores: Array, positive: Array, cell: Cell, rng: Any, n_resamples: int, names: tuple[str, ...] = ()
) -> dict[str, Interval]:
    """Default intervals of all measures, or of those named; resampled ones share their resamples."""
    ranked = ranked_of(scores, positive)
    wanted = [sheet for sheet in list_measures() if not names or sheet.name in names]
    asked = [(sheet, params_of(sheet, *cell, cell[0])) for sheet in wanted]
    by_formula = [each for each in asked if each[0].name not in RESAMPLED]
    found = intervals_of_measures(ranked, by_formula, level=LEVEL, seed=0, n_resamples=0)
    made = {sheet.name: each for (sheet, _), each in zip(by_formula, found, strict=True) if each is not None}
    resamples: dict[tuple[str, int], Replicates] = {}
    itself = Replicates(scores, positive, np.ones((1, scores.size), dtype=np.int64))
    for sheet, params in asked:
        if sheet.name in RESAMPLED:
            if _key(sheet) not in resamples:
                count = n_resamples // FEWER[sheet.ends]
                drawn = draw_rows(positive, rng, count, within_classes=sheet.resampling == WITHIN_CLASSES)
                resamples[_key(sheet)] = Replicates(scores, positive, drawn)
            values = values_of(sheet.name, resamples[_key(sheet)])
            how: dict[str, Any] = {"scheme": SCHEMES[sheet.resampling], "seed": 0, "fewest": _fewest(positive)}
            estimate = float(values_of(sheet.name, itself)[0])
            made[sheet.name] = interval_of_replicates((sheet, params), ranked, estimate, values, LEVEL, **how)
    return made


def _key(sheet: FactSheet) -> tuple[str, int]:
    return sheet.resampling, FEWER[sheet.ends]


def _fewest(positive: Array) -> int:
    return int(min(positive.sum(), (~positive).sum()))


def _samples(cell: Cell, effort: Effort, names: tuple[str, ...]) -> list[dict[str, Interval]]:
    (n, share), found = cell, []
    rng, drawing = stream("every", cell), stream("every, resamples", cell)
    for _ in range(effort.resampled):
        positive = rng.random(n) < share
        scores = probability(rng.standard_normal(n) + GAP * positive, share)
        order = scores.argsort()
        if 0 < positive.sum() < n:
            found.append(intervals_of(scores[order], positive[order], cell, drawing, effort.resamples, names))
    return found


@cache
def every_found(effort: Effort, names: tuple[str, ...] = ()) -> dict[tuple[str, Cell], tuple[float, float, float]]:
    """By measure and cell: coverage and share warned, of samples with an interval, and the share that has one."""
    found = {}
    for cell in CELLS:
        samples = _samples(cell, effort, names)
        for name in samples[0]:
            made = [each[name] for each in samples if not math.isnan(each[name].low)]
            truth = truth_of(name, *cell)
            if name in BY_RANGE:
                truth = float(np.mean([each[name].estimate for each in samples]))
            held = [each.low - 1e-12 <= truth <= each.high + 1e-12 for each in made]
            warned = [bool(each.warnings) for each in made]
            shares = (float(np.mean(held)), float(np.mean(warned))) if made else (math.nan, math.nan)
            found[name, cell] = (*shares, len(made) / len(samples))
        print(f"every measure: {cell}", flush=True)
    return found


def every_table(effort: Effort, names: tuple[str, ...] = ()) -> str:
    """One line per measure: coverage by cell, mean and lowest; how often warned where it is low."""
    found = every_found(effort, names)
    rows = []
    for name in dict.fromkeys(name for name, _ in found):
        cells = [found[name, cell] for cell in CELLS]
        known = [share for share, _, _ in cells if not math.isnan(share)]
        ends = [f"{np.mean(known):.1%}", f"{min(known):.1%}"]
        rows.append([f"`{name}`", *map(cell_text, cells), *ends])
    heads = [f"{n}, {share:.0%}" for n, share in CELLS]
    return table(["measure", *heads, "mean", "lowest"], rows)


def cell_text(shares: tuple[float, float, float]) -> str:
    """Coverage; where it is low in bold with how often a warning came along; where intervals are refused, how often."""
    held, warned, made = shares
    refused = "" if made == 1 else f", none in {1 - made:.0%}"
    if math.isnan(held):
        return "none"
    if held >= LOW_COVERAGE:
        return f"{held:.1%}{refused}"
    return f"**{held:.1%}**, warned {warned:.0%}{refused}"


def with_lines(old: str, new: str) -> str:
    """A table whose lines of some measures are those of another; measures that it lacks come last."""
    (*heads, _), lines = old.splitlines()[:3], {_name_of(line): line for line in old.splitlines()[2:]}
    return "\n".join([*heads, *(lines | {_name_of(line): line for line in new.splitlines()[2:]}).values()])


def _name_of(line: str) -> str:
    return line.split("|")[1].strip(" `")
