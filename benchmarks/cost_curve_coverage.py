"""Coverage of the intervals of a cost curve, on the rows that chose its thresholds: a table of docs/credit.md.

``python -m benchmarks.cost_curve_coverage SAMPLES``. Scores are normal in both classes. The truth is the least cost
that any threshold has in the population, and the cost in the population of the threshold that the rows chose.
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import ndtr, ndtri

from rocsteady.curves import cost_curve

if TYPE_CHECKING:
    from collections.abc import Iterator

PLACES = (0.1, 0.3, 0.5, 0.7, 0.9)


def true_cost(cut: float, gap: float, place: float) -> float:
    """Cost in the population of calling positive from ``cut`` on."""
    return float(place * ndtr(cut - gap) + (1 - place) * ndtr(-cut))


def held(auc: float, n_pos: int, n_neg: int, samples: int) -> list[tuple[float, float]]:
    """By place: how often the interval holds the least cost there, and the cost of the threshold chosen."""
    gap, rng = math.sqrt(2) * float(ndtri(auc)), np.random.default_rng([n_pos, n_neg, round(100 * auc)])
    least = [
        minimize_scalar(lambda cut: true_cost(cut, gap, place), bounds=(-8, 8), method="bounded").fun  # noqa: B023
        for place in PLACES
    ]
    y, found = np.arange(n_pos + n_neg) < n_pos, np.zeros((len(PLACES), 2))
    for _ in range(samples):
        curve = cost_curve(y, rng.standard_normal(y.size) + gap * y, level=0.95)
        for at, place in enumerate(PLACES):
            low, high = ends_at(curve, place)
            cut = float(curve.thresholds[np.searchsorted(curve.probability_cost, place, side="right") - 1])
            found[at] += low <= least[at] <= high, low <= true_cost(cut, gap, place) <= high
    return [(float(one), float(two)) for one, two in found / samples]


def ends_at(curve: object, place: float) -> tuple[float, float]:
    """Between two points, ends on straight lines."""
    x = curve.probability_cost  # type: ignore[attr-defined]
    return float(np.interp(place, x, curve.low)), float(np.interp(place, x, curve.high))  # type: ignore[attr-defined]


def table(samples: int) -> Iterator[str]:
    """Lines of the table."""
    heads = " | ".join(f"PC {place}" for place in PLACES)
    yield f"| AUC | positives | negatives | {heads} |"
    yield "|--:" * (3 + len(PLACES)) + "|"
    for auc in (0.7, 0.8, 0.9):
        for sizes in ((50, 50), (50, 450), (500, 500)):
            cells = " | ".join(f"{one:.1%}, {two:.1%}" for one, two in held(auc, *sizes, samples))
            yield f"| {auc} | {sizes[0]} | {sizes[1]} | {cells} |"


if __name__ == "__main__":
    for line in table(int(sys.argv[1])):
        print(line, flush=True)
