"""Tests between models and between groups of several labels, and means over folds, where all are alike.

python -m benchmarks.multilabel_size [samples]: how often p < 0.05 where two models have the same areas, how often where
two groups are alike, and how often 95% intervals of means over five folds hold the truth. Labels and scores are those
of benchmarks.multilabel_coverage; half of the noise of a score is shared by the two models. "lost" is the share of
samples whose folds lack a label, which have no mean of the macro area.
"""

from __future__ import annotations

import math
import sys
import warnings
from typing import Any

import numpy as np

import rocsteady as rs
from benchmarks.multilabel_coverage import COMMON, LEAST, ROWS, STEPS, truth

COMPARED = ("macro_auc", "micro_auc", "auc(label=3)", "macro_average_precision", "micro_average_precision")
FOLDS = 5


def draw(rng: np.random.Generator, step: float, common: float) -> tuple[Any, Any, Any]:
    """Labels, and scores of two models that are equally good."""

    def noise() -> Any:
        size = (ROWS, len(LEAST))
        return common * rng.normal(size=(ROWS, 1)) + math.sqrt(1 - common**2) * rng.normal(size=size)

    labels, shared = noise() > LEAST, noise()
    first, second = (step * labels + math.sqrt(0.5) * (shared + noise()) for _ in range(2))
    return labels, first, second


def dealt(labels: Any) -> Any:
    """Folds of rows dealt out by their labels, the rarest first, so that every fold has some of each."""
    fold = np.empty(ROWS, dtype=int)
    fold[np.lexsort(labels.T)] = np.arange(ROWS) % FOLDS
    return fold


def sample(seed: int, step: float, common: float) -> list[float]:
    """1 for each rejection or held truth of one sample; NaN where a label is lost."""
    labels, first, second = draw(np.random.default_rng([seed, 11]), step, common)
    both: Any = rs.evaluate(labels, {"a": first, "b": second})
    found = [float(both.compare(measure=name).pairs[0].test.pvalue < 0.05) for name in COMPARED]
    groups: Any = rs.evaluate(labels, first, by=np.arange(ROWS) % 2)
    p = groups.tests["model"].pvalue
    folds: Any = rs.evaluate(labels, first, fold=dealt(labels))
    means = [folds["model"][name] for name in ("macro_auc", "micro_auc")]
    held = [math.nan if math.isnan(each.low) else float(each.low <= truth(step) <= each.high) for each in means]
    return [*found, math.nan if math.isnan(p) else float(p < 0.05), *held]


def main(samples: int) -> None:
    """Print the table."""
    header = ["AUC", "in common", *COMPARED, "groups alike", "mean macro held", "mean micro held", "lost"]
    print(f"| {' | '.join(header)} |\n|{' --- |' * len(header)}")
    for step in STEPS:
        for common in COMMON:
            found = np.array([sample(seed, step, common) for seed in range(samples)])
            shares = [*np.nanmean(found, axis=0), np.isnan(found[:, -2]).mean()]
            told = " | ".join(f"{share:.1%}" for share in shares)
            print(f"| {truth(step):.2f} | {common} | {told} |", flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore", rs.RocsteadyWarning)
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
