"""Concordance and AUC(t) of many censored rows, in seconds and in sorts of the times: ``python -m benchmarks.times``.

A number is how many rows, a million when absent. Time is that of the processor, the best of three.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np

import rocsteady as rs

if TYPE_CHECKING:
    from collections.abc import Callable


def seconds(task: Callable[[], Any], repeats: int = 3) -> float:
    """The best of some runs."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        task()
        best = min(best, time.process_time() - start)
    return best


def main(n: int = 1_000_000) -> None:
    """Print a table."""
    rng = np.random.default_rng(0)
    score = rng.normal(size=n)
    fate, stop = rng.exponential(np.exp(-score)), rng.exponential(1.0, n)
    times, event = np.minimum(fate, stop), (fate <= stop).astype(int)
    given = times, event, score
    sort = seconds(lambda: np.sort(times), 7)
    tasks: dict[str, Callable[[], Any]] = {
        "concordance, harrell": lambda: rs.times.concordance(*given),
        "concordance, uno": lambda: rs.times.concordance(*given, method="uno"),
        "concordance, gonen-heller": lambda: rs.times.concordance(*given, method="gonen-heller"),
        "auc_at, one time": lambda: rs.times.auc_at(*given, at=0.5),
        "auc_at, five times": lambda: rs.times.auc_at(*given, at=[0.1, 0.3, 0.5, 0.7, 0.9]),
    }
    print(f"{n:,} rows; one sort of the times takes {sort:.4f} s\n\n| task | seconds | sorts |\n|---|--:|--:|")
    for name, task in tasks.items():
        took = seconds(task)
        print(f"| {name} | {took:.2f} | {took / sort:.0f} |", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
