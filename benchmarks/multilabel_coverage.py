"""How often intervals of averages over labels hold the truth, which is known: python -m benchmarks.multilabel_coverage.

A row has a label where a normal number is large enough, and a score of a step for the label and normal noise.
``common`` is the part of these numbers that labels of a row share. Then every area is Phi(step / sqrt(2)): of each
label, of their mean, and pooled.
"""

from __future__ import annotations

import math
import sys
import warnings
from typing import Any

import numpy as np
from scipy.stats import norm

import rocsteady as rs

STEPS, COMMON = (1.0, 2.5), (0.0, 0.7, 0.95)
LEAST = (0.0, 0.5, 1.0, 1.3)
ROWS = 150


def draw(rng: np.random.Generator, n: int, step: float, common: float) -> tuple[Any, Any]:
    """Labels and scores of so many rows."""

    def noise() -> Any:
        return common * rng.normal(size=(n, 1)) + math.sqrt(1 - common**2) * rng.normal(size=(n, len(LEAST)))

    labels = noise() > LEAST
    return labels, step * labels + noise()


def truth(step: float) -> float:
    """The area of each label."""
    return float(norm.cdf(step / math.sqrt(2)))


def held(step: float, common: float, samples: int) -> dict[str, float]:
    """The share of samples whose interval holds the truth."""
    counts = dict.fromkeys(("macro", "micro"), 0)
    for seed in range(samples):
        labels, scores = draw(np.random.default_rng([seed, 7]), ROWS, step, common)
        found: Any = rs.evaluate(labels, scores)
        for name in counts:
            counts[name] += int(found.averages[name].low <= truth(step) <= found.averages[name].high)
    return {name: count / samples for name, count in counts.items()}


def main(samples: int) -> None:
    """Print the table."""
    print("| AUC | in common | macro | micro |\n| --- | --- | --- | --- |")
    for step in STEPS:
        for common in COMMON:
            shares = held(step, common, samples)
            print(f"| {truth(step):.2f} | {common} | {shares['macro']:.1%} | {shares['micro']:.1%} |", flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore", rs.RocsteadyWarning)
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
