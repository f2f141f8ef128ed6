"""Coverage of 95% intervals at thresholds that a rule chose on the same rows: a table of docs/coverage.md.

python -m benchmarks.chosen_rules [samples]: rows are drawn with their classes, scores are normal in each class and lie
``GAP`` apart. The truth is what a measure is on new rows at the threshold that was chosen, computed, not drawn.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np
from scipy.special import ndtr

import rocsteady as rs

RULES = ("f1", "mcc", "accuracy", "precision(value=0.6)", "recall(value=0.8)", "breakeven", "youden")
SHOWN = ("recall", "specificity", "precision", "accuracy", "f1", "matthews_correlation")
CELLS = ((200, 0.2), (200, 0.5), (400, 0.5), (1000, 0.2), (1000, 0.5))
GAP, RESAMPLES = 1.5, 100  # of resamples only the mean is needed


def draw(rng: np.random.Generator, n: int, share: float) -> tuple[Any, Any]:
    """Labels and scores of both classes."""
    while True:
        y = (rng.random(n) < share).astype(int)
        if 0 < y.sum() < n:
            return y, rng.normal(size=n) + GAP * y


def on_new_rows(threshold: float, share: float) -> dict[str, float]:
    """What the measures are in the population at this threshold; NaN where nothing is called."""
    recall, fpr = float(ndtr(GAP - threshold)), float(ndtr(-threshold))
    cells = {"tp": share * recall, "fp": (1 - share) * fpr, "fn": share * (1 - recall), "tn": (1 - share) * (1 - fpr)}
    counts = rs.Confusion(**cells)
    return {name: float(getattr(counts, name)) for name in SHOWN}


def sample(rule: str, n: int, share: float, seed: int) -> list[float]:
    """1 where an interval holds its truth, NaN where there is no interval."""
    y, s = draw(np.random.default_rng([seed, n, int(100 * share)]), n, share)
    try:
        found: Any = rs.evaluate(
            y, s, threshold=rule, measures=list(SHOWN), intervals=True, n_resamples=RESAMPLES, random_state=seed
        )
    except rs.errors.RocsteadyError:  # no threshold has this precision
        return [np.nan] * len(SHOWN)
    truths = on_new_rows(float(found.thresholds["score"]), share)
    held = []
    for name in SHOWN:
        interval = found.intervals["score"].get(name)  # none where nothing is called
        known = interval is not None and not np.isnan([interval.low, interval.high, truths[name]]).any()
        held.append(float(interval.low <= truths[name] <= interval.high) if known else np.nan)
    return held


def main(samples: int) -> None:
    """Print the table."""
    header = ["rows", "positives", "rule", *SHOWN, "without an interval"]
    print(f"| {' | '.join(header)} |\n|{' --- |' * len(header)}")
    for n, share in CELLS:
        for rule in RULES:
            found = np.array([sample(rule, n, share, seed) for seed in range(samples)])
            told = " | ".join(f"{each:.1%}" for each in [*np.nanmean(found, axis=0), np.isnan(found).mean()])
            print(f"| {n:,} | {share:.0%} | {rule} | {told} |", flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore", rs.RocsteadyWarning)
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
