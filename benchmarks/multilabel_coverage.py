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
ROWS, LARGE = 150, 400_000


def draw(rng: np.random.Generator, n: int, step: float, common: float) -> tuple[Any, Any]:
    """Labels and scores of so many rows."""

    def noise() -> Any:
        return common * rng.normal(size=(n, 1)) + math.sqrt(1 - common**2) * rng.normal(size=(n, len(LEAST)))

    labels = noise() > LEAST
    return labels, step * labels + noise()


def truth(step: float) -> float:
    """The area of each label."""
    return float(norm.cdf(step / math.sqrt(2)))


def precisions(step: float, common: float, n: int) -> dict[str, float]:
    """Average precision of very many rows: of the rarest label, the mean of labels, and pooled."""
    labels, scores = draw(np.random.default_rng([1, 7]), n, step, common)
    found: Any = rs.evaluate(labels, scores)
    return {"rarest": found.average_precision[3].estimate} | {
        name: each.estimate for name, each in found.average_precisions.items()
    }


def held(step: float, common: float, samples: int, large: int = LARGE) -> list[float]:
    """The share of samples whose interval holds the truth: macro and micro AUC, then average precisions."""
    known = precisions(step, common, large)
    counts = []
    for seed in range(samples):
        labels, scores = draw(np.random.default_rng([seed, 7]), ROWS, step, common)
        found: Any = rs.evaluate(labels, scores)
        of_areas = [(found.averages[name], truth(step)) for name in ("macro", "micro")]
        of_all = {"rarest": found.average_precision[3], **found.average_precisions}
        pairs = [*of_areas, *((of_all[name], known[name]) for name in known)]
        counts.append([each.low <= value <= each.high for each, value in pairs])
    return [float(share) for share in np.mean(counts, axis=0)]


def main(samples: int) -> None:
    """Print the table."""
    header = ["AUC", "in common", "macro", "micro", "AP, rarest label", "AP, macro", "AP, micro"]
    print(f"| {' | '.join(header)} |\n|{' --- |' * len(header)}")
    for step in STEPS:
        for common in COMMON:
            told = " | ".join(f"{share:.1%}" for share in held(step, common, samples))
            print(f"| {truth(step):.2f} | {common} | {told} |", flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore", rs.RocsteadyWarning)
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
