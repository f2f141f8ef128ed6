"""Exact coverage of predictive values at another prevalence: ``python -m benchmarks.predictive_coverage``.

Class sizes are fixed, and all counts are gone through with their binomial probabilities: nothing is drawn. Coverage is
that of the likelihood ratios, whatever the prevalence, among the samples in which the value is defined.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import binom, norm

SIZES = ((20, 20), (50, 50), (20, 500), (50, 500), (200, 200))
RATES = ((0.7, 0.7), (0.8, 0.9), (0.9, 0.8), (0.95, 0.95), (0.6, 0.99))
FEW = 5


def log_bounds(a: Any, n: int, b: Any, m: int, level: float = 0.95) -> tuple[Any, Any]:
    """Interval of the log of (a / n) / (b / m), with half a row more in each cell where counts tell no spread."""
    a, b = np.broadcast_arrays(np.asarray(a, dtype=float), np.asarray(b, dtype=float))
    with np.errstate(divide="ignore", invalid="ignore"):
        value, variance = np.log(a / n) - np.log(b / m), 1 / a - 1 / n + 1 / b - 1 / m
        none = ~(np.isfinite(value) & np.isfinite(variance) & (variance > 0))
        more = np.log((a + 0.5) / (n + 1)) - np.log((b + 0.5) / (m + 1))
        spread = 1 / (a + 0.5) - 1 / (n + 1) + 1 / (b + 0.5) - 1 / (m + 1)
        half = norm.ppf((1 + level) / 2) * np.sqrt(np.where(none, spread, variance))
        centre = np.where(none, more, value)
        return np.fmin(centre - half, value), np.fmax(centre + half, value)


def coverage(recall: float, specificity: float, n_pos: int, n_neg: int) -> tuple[float, float, float]:
    """Of PPV and NPV, and how often a cell has so few rows that the result says so."""
    tp, fp = np.arange(n_pos + 1)[:, None], np.arange(n_neg + 1)[None, :]
    weight = binom.pmf(tp, n_pos, recall) * binom.pmf(fp, n_neg, 1 - specificity)
    cells = ((tp, fp, recall / (1 - specificity)), (n_pos - tp, n_neg - fp, (1 - recall) / specificity))
    held = []
    for a, b, truth in cells:
        low, high = log_bounds(a, n_pos, b, n_neg)
        defined = (a + b) > 0
        inside = (low <= np.log(truth) + 1e-12) & (np.log(truth) - 1e-12 <= high) & defined
        held.append(float(weight[inside].sum() / weight[defined].sum()))
    few = np.minimum(np.minimum(tp, n_pos - tp), np.minimum(fp, n_neg - fp)) < FEW
    return held[0], held[1], float(weight[few].sum())


def table() -> str:
    """The table of docs/prevalence.md."""
    lines = ["| positives | negatives | recall | specificity | PPV | NPV | warned |", "|--:|--:|--:|--:|--:|--:|--:|"]
    for n_pos, n_neg in SIZES:
        for recall, specificity in RATES:
            ppv, npv, warned = coverage(recall, specificity, n_pos, n_neg)
            rates = f"{recall} | {specificity} | {ppv:.1%} | {npv:.1%} | {warned:.0%}"
            lines.append(f"| {n_pos} | {n_neg} | {rates} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
