"""Smaller tests and intervals: ``python -m benchmarks.smaller_coverage null|stability|curves SAMPLES``.

Each word prints a table of docs/coverage.md: the permutation test of one measure, the test of moved scores, and
curves pooled over imputed data sets.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

import rocsteady as rs
from benchmarks.validation import _completed, drawn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PERMUTED = 199
MEASURES = ("auc", "average_precision", "scored_auc", "brier_score")
VALUES = {"continuous": 0, "10 values": 10, "3 values": 3}
PLACES = np.array([0.05, 0.1, 0.2, 0.5, 0.8])
MANY, FEW_LEFT = 400_000, 0.5


def table_of_null(samples: int) -> Iterator[str]:
    """How often scores that have nothing to do with the labels are said to have."""
    names = [f"{name}{tied}" for tied in ("", ", tied") for name in MEASURES]
    yield "| rows | positives | " + " | ".join(names) + " |"
    yield "|--:" * (2 + len(names)) + "|"
    for n, n_pos in ((10, 3), (20, 4), (50, 2), (200, 10), (200, 100)):
        rng, y = np.random.default_rng([n, n_pos]), np.repeat([1, 0], [n_pos, n - n_pos])
        found = []
        for number in range(samples):
            plain = rng.random(n)
            asked = [(name, score) for score in (plain, plain.round(1)) for name in MEASURES]
            how: dict[str, Any] = {"n_resamples": PERMUTED, "random_state": number}
            tests = [rs.inference.measure_null_test(name, y, score, **how) for name, score in asked]
            found.append([each.pvalue <= 0.05 for each in tests])
        yield f"| {n} | {n_pos} | " + _shares(found) + " |"


def table_of_stability(samples: int) -> Iterator[str]:
    """How often scores of one distribution are said to have moved."""
    yield "| reference | scores | " + " | ".join(VALUES) + " |"
    yield "|--:" * (2 + len(VALUES)) + "|"
    for before, now in ((20, 20), (100, 20), (100, 100), (1000, 100), (1000, 1000)):
        rng, found = np.random.default_rng([before, now]), []
        for _ in range(samples):
            old, new = rng.random(before), rng.random(now)
            made = [(np.floor(old * k), np.floor(new * k)) if k else (old, new) for k in VALUES.values()]
            found.append([rs.monitoring.stability_index(*each).pvalue <= 0.05 for each in made])
        yield f"| {before} | {now} | " + _shares(found) + " |"


def table_of_curves(samples: int) -> Iterator[str]:
    """Share of samples in which limits of a pooled ROC curve hold the true rate, and that have limits there."""
    yield "| rows | " + " | ".join([*(f"FPR {at:g}" for at in PLACES), *(f"none at {at:g}" for at in PLACES)]) + " |"
    yield "|--:" * (1 + 2 * PLACES.size) + "|"
    for n in (50, 100, 300):
        rng = np.random.default_rng(n)
        x, y = drawn(MANY, 2, 1.0, rng)
        cuts = np.quantile(x.sum(1)[y == 0], 1 - PLACES)
        truth, found = (x.sum(1)[y == 1] >= cuts[:, None]).mean(axis=1), []
        for _ in range(samples):
            x, y = drawn(n, 2, 1.0, rng)
            gone = rng.random(n) < np.where(x[:, 0] > 0, 0.6, 0.2)
            bands = [rs.roc_band(y, score, fpr=PLACES) for score in _completed(x, y, gone, rng)]
            curve = rs.validation.pool_curves(bands, complete_df=n - 1)
            held = (curve.low <= truth) & (truth <= curve.high)
            found.append(np.where(np.isfinite(curve.low + curve.high), held, np.nan))
        none = np.isnan(found).mean(axis=0)
        held = np.nansum(found, axis=0) / np.maximum(samples * (1 - none), 1)
        cells = [f"{each:.1%}" if gone < FEW_LEFT else "" for each, gone in zip(held, none, strict=True)]
        yield f"| {n} | " + " | ".join([*cells, *(f"{each:.0%}" for each in none)]) + " |"


def _shares(found: Any) -> str:
    return " | ".join(f"{each:.1%}" for each in np.mean(found, axis=0))


TABLES: dict[str, Callable[[int], Iterator[str]]] = {
    "null": table_of_null,
    "stability": table_of_stability,
    "curves": table_of_curves,
}


if __name__ == "__main__":
    for line in TABLES[sys.argv[1]](int(sys.argv[2])):
        print(line, flush=True)
