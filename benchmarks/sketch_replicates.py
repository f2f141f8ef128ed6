"""Coverage of intervals from replicates that a sketch carries: ``python -m benchmarks.sketch_replicates``.

Subjects of four rows whose scores share a part, so that rows are not independent; 2^8 cells and 100 replicates.
Reported: how often the interval at 0.95 contains the value of the population, and the mean width; beside it the
interval from the same counts that takes rows for independent. Weak models show what percentiles do to KS.
"""

from __future__ import annotations

import sys

import numpy as np

import rocsteady as rs
from rocsteady.scale import Sketch

MEASURES = ("auc", "average_precision", "ks_statistic")
SUBJECTS, ROWS = 300, 4
GAPS = {"weak": 0.3, "fair": 1.2}


def drawn(rng: np.random.Generator, gap: float, subjects: int) -> tuple[np.ndarray, ...]:
    """Labels, scores of two models and subjects; a third of the subjects are positive."""
    positive = np.repeat(rng.random(subjects) < 1 / 3, ROWS)
    own = np.repeat(rng.normal(size=subjects), ROWS) * np.sqrt(0.6)
    first, second = (gap * positive + own + np.sqrt(0.4) * rng.normal(size=own.size) for _ in "ab")
    return positive, first, second, np.repeat(np.arange(subjects), ROWS)


def counted(y: np.ndarray, scores: np.ndarray, ids: np.ndarray | None) -> Sketch:
    """A sketch of 2^8 cells, with replicates where there are subjects."""
    if ids is None:
        return Sketch(8, (-6, 7), capacity=0).update(y, scores)
    return Sketch(8, (-6, 7), capacity=0, replicates=100).update(y, scores, id=ids)


def main(n_runs: int = 200, seed: int = 1) -> None:
    """Print a table of coverage and widths."""
    for name, gap in GAPS.items():
        y, a, *_ = drawn(np.random.default_rng(seed), gap, 200_000)
        truth = {measure: getattr(rs, measure, None) or getattr(rs.measures, measure) for measure in MEASURES}
        values = {measure: function(y, a) for measure, function in truth.items()}
        hits = {measure: [0, 0] for measure in MEASURES}
        widths = {measure: [0.0, 0.0] for measure in MEASURES}
        for run in range(n_runs):
            y, a, _, ids = drawn(np.random.default_rng([seed, run]), gap, SUBJECTS)
            # names that differ from run to run: weights are a hash of them
            carried, plain = counted(y, a, ids + run * SUBJECTS), counted(y, a, None)
            for measure, value in values.items():
                for place, sketch in enumerate((carried, plain)):
                    found = sketch.measure_interval(measure)
                    hits[measure][place] += found.low <= value <= found.high
                    widths[measure][place] += (found.high - found.low) / n_runs
        for measure in MEASURES:
            of_subjects, of_rows = (
                f"{hit / n_runs:.3f} | {width:.3f}" for hit, width in zip(hits[measure], widths[measure], strict=True)
            )
            print(f"| {name} | {measure} | {of_subjects} | {of_rows} |", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
