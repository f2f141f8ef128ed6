"""Coverage of measures that several rates make: ``python -m benchmarks.measures_of_rates`` writes the table.

"fixed": class sizes are set, and all counts are gone through with their binomial probabilities; nothing is drawn.
"drawn": rows are drawn from a population, so that class sizes vary; for measures that depend on them. Samples in which
the measure is undefined are left out.
"""

from __future__ import annotations

import csv
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import binom

from benchmarks.coverage_kit import LEVEL, Z, stream
from rocsteady._src.inference.intervals.joint_measures import CLASSES, PARTS, joint_bounds
from rocsteady._src.inference.intervals.proportions import FEW, proportion_bounds
from rocsteady._src.measures.confusion import Confusion
from rocsteady._src.measures.registry import get_measure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocsteady.measures import FactSheet

PATH = Path(__file__).with_name("results") / "measures_of_rates.csv"
POSITIVES, NEGATIVES, RATES = (5, 10, 20, 50, 100), (40, 100, 200, 1000), (0.9, 0.95, 0.98, 0.99)
MEASURES = (*PARTS, "f1")
SAMPLES, LEAST = 1000, 1e-4
HEAD = ("measure", "design", "positives", "negatives", "recall", "specificity", "samples", "coverage", "width")
REMARK = ("remark", "remarked")


def bounds(sheet: FactSheet, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ends of the default interval of many tables of counts, as ``interval_of`` makes them one by one."""
    values = np.asarray(sheet.formula(Confusion(*cells)), dtype=np.float64)
    if sheet.name in PARTS:
        low, high = joint_bounds(sheet, cells, Z, {})
    else:  # F1, of the Jaccard index
        low, high = (2 * end / (1 + end) for end in proportion_bounds(*_jaccard(cells), LEVEL))
    lost = np.where(np.isnan(values), np.nan, 0.0)  # no interval without a value
    return np.fmin(low, values) + lost, np.fmax(high, values) + lost


def _jaccard(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    tp, fp, fn, _ = cells
    return tp, tp + fp + fn


def fixed(n_pos: int, n_neg: int, recall: float, specificity: float) -> tuple[np.ndarray, np.ndarray]:
    """All counts of some probability, with it."""
    hits, rightly = np.arange(n_pos + 1), np.arange(n_neg + 1)
    chances = [binom.pmf(hits, n_pos, recall), binom.pmf(rightly, n_neg, specificity)]
    (hits, pos), (rightly, neg) = ((c[p > LEAST], p[p > LEAST]) for c, p in zip((hits, rightly), chances, strict=True))
    tp, tn = (side.ravel().astype(float) for side in np.meshgrid(hits, rightly, indexing="ij"))
    return np.array([tp, n_neg - tn, n_pos - tp, tn]), np.outer(pos, neg).ravel()


def drawn(n_pos: int, n_neg: int, recall: float, specificity: float) -> tuple[np.ndarray, np.ndarray]:
    """Counts of samples, with how often they came."""
    rng, n = stream("measures of rates", n_pos, n_neg, recall), n_pos + n_neg
    sizes = rng.binomial(n, n_pos / n, SAMPLES)
    tp, tn = rng.binomial(sizes, recall), rng.binomial(n - sizes, specificity)
    cells, times = np.unique([tp, n - sizes - tn, sizes - tp, tn], axis=1, return_counts=True)
    return cells.astype(float), times.astype(float)


def lines(name: str) -> Iterator[list[Any]]:
    """Every setting of one measure; tables that several settings have in common get their interval once."""
    sheet = get_measure(name).sheet
    for n_pos, n_neg in product(POSITIVES, NEGATIVES):
        samples = []
        for recall, specificity in product(RATES, RATES):
            setting = (n_pos, n_neg, recall, specificity)
            samples.append(("fixed", setting, *fixed(*setting)))
            if PARTS.get(name) is not CLASSES and recall == specificity:
                samples.append(("drawn", setting, *drawn(*setting)))
        cells, places = np.unique(np.concatenate([each[2] for each in samples], axis=1), axis=1, return_inverse=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = bounds(sheet, cells)
        for design, setting, own, weight in samples:
            here, places = places.ravel()[: weight.size], places.ravel()[weight.size :]
            yield line(sheet, (design, *setting), own, weight, [end[here] for end in ends])


def line(sheet: FactSheet, setting: tuple[Any, ...], cells: np.ndarray, weight: np.ndarray, ends: Any) -> list[Any]:
    design, n_pos, n_neg, recall, specificity = setting
    truth = Confusion(n_pos * recall, n_neg * (1 - specificity), n_pos * (1 - recall), n_neg * specificity)
    known, value = ~np.isnan(ends[0]), float(sheet.formula(truth))
    cells, weight = cells[:, known], weight[known] / weight[known].sum()
    low, high = (end[known] for end in ends)
    held = float(weight[(low <= value * (1 + 1e-9)) & (value * (1 - 1e-9) <= high)].sum())
    with np.errstate(invalid="ignore"):
        width = float(weight @ (high - low))
    hits, among = _jaccard(cells)
    fewest = cells.min(axis=0) if sheet.name in PARTS else np.minimum(hits, among - hits)
    few = float(weight[fewest < FEW].sum())
    samples = "exact" if design == "fixed" else SAMPLES
    shown = f"{width:.4f}" if np.isfinite(width) else ""
    code = "few_behind_measure" if sheet.name in PARTS else "few_of_share"
    return [sheet.name, *setting, samples, f"{held:.4f}", shown, code if few > 0.5 else "", f"{few:.3f}"]


def main() -> None:
    with PATH.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*HEAD, *REMARK])
        for name in MEASURES:
            writer.writerows(lines(name))
            print(name, flush=True)


if __name__ == "__main__":
    main()
