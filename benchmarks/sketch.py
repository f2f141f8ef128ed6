"""Updates of a sketch per second of one core, and the half-width of its AUC.

``python -m benchmarks.sketch 1000000000`` counts a billion rows in batches of four million.
"""

from __future__ import annotations

import resource
import sys
import time
from typing import TYPE_CHECKING

import numpy as np

import rocsteady as rs
from benchmarks.stopwatch import Scoreboard
from rocsteady.scale import Sketch

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS, BATCH = 4_000_000, 4_000_000


def normal_rows(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels, a third of them positive, and scores from N(0, 1) and N(1, 1)."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 1 / 3
    return y, rng.normal(size=n) + y


def probabilities(scores: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-scores))


def cpu_seconds(task: Callable[[], object], rounds: int = 5) -> float:
    """Least processor time of a task: other programs on the machine do not count."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        task()
        best = min(best, time.process_time() - start)
    return best


def main() -> list[str]:
    board = Scoreboard()
    y, s = normal_rows(ROWS, 1)
    _speed(board, y, s)
    _widths(board, y, s)
    _adversaries(board)
    return board.missed


def _speed(board: Scoreboard, y: np.ndarray, s: np.ndarray) -> None:
    print(f"\nMillions of rows per second of one core, batches of {ROWS:,}")
    p = probabilities(s)
    cases = {
        "2^20 buckets, range unknown": (Sketch(), y, s),
        "2^20 buckets, integer labels": (Sketch(), y.astype(np.int64), s),
        "2^20 buckets, float32": (Sketch(), y, s.astype(np.float32)),
        "2^20 buckets, range given": (Sketch(range=(0, 1)), y, p),
        "exact: 1,001 distinct scores": (Sketch(), y, p.round(3)),
        "exact: 10,001 distinct scores": (Sketch(), y, p.round(4)),
    }
    for name, (sketch, labels, scores) in cases.items():
        sketch.update(labels, scores)
        seconds = cpu_seconds(lambda sketch=sketch, a=labels, b=scores: sketch.update(a, b))
        board.at_least(name, y.size / seconds / 1e6, 20, "M")


def _widths(board: Scoreboard, y: np.ndarray, s: np.ndarray) -> None:
    print(f"\nHalf-width of the AUC of {y.size:,} rows, N(0, 1) and N(1, 1), against its bar")
    p, exact = probabilities(s), rs.auc(y, s)
    for name, sketch, scores, bar in (
        ("range unknown", Sketch(), s, 1e-3),
        ("probabilities, range given", Sketch(range=(0, 1)), p, 2e-6),
    ):
        first = sketch.update(y, scores).auc()
        start = time.process_time()
        second = sketch.refine(iter([(y, scores)])).auc()
        seconds = time.process_time() - start
        print(f"{name}: {first.half_width:.2e}, refined once {second.half_width:.2e} in {seconds:.1f} s of processor")
        board.at_most(f"{name}: half-width over {bar:g}", first.half_width / bar, 1)
        board.at_most(f"{name}, refined once: half-width over 1e-9", second.half_width / 1e-9, 1)
        held = all(found.low <= exact <= found.high for found in (first, second))
        board.at_least(f"{name}: brackets hold the exact value", float(held), 1, "")


def _adversaries(board: Scoreboard) -> None:
    rng = np.random.default_rng(2)
    n = 1_000_000
    rare = np.arange(n) < 20
    cases = {
        "all scores within 1e-12": (np.arange(n) % 2 == 0, 1e-3 + 1e-12 * rng.random(n)),
        "20 positives in a million": (rare, rng.random(n) + rare / 4),
    }
    print(f"\nAdversaries, {n:,} rows, refined")
    for name, (y, s) in cases.items():
        sketch = Sketch().update(y, s)
        found = sketch.refine([(y, s)]).auc()
        print(f"{name}: {sketch.auc().half_width:.2e}, refined {found.half_width:.2e}")
        board.at_most(f"{name}: half-width over 1e-9", found.half_width / 1e-9, 1)
        board.at_least(f"{name}: bracket holds", float(found.low <= rs.auc(y, s) <= found.high), 1, "")


def stream(n: int) -> None:
    """Count n simulated rows; the time of drawing them is left out."""
    sketch, probable = Sketch(), Sketch(range=(0, 1))
    spent = {"unknown": 0.0, "given": 0.0}
    for start in range(0, n, BATCH):
        y, s = normal_rows(min(BATCH, n - start), seed=start + 1)
        p = probabilities(s)
        for name, counting, scores in (("unknown", sketch, s), ("given", probable, p)):
            before = time.process_time()
            counting.update(y, scores)
            spent[name] += time.process_time() - before
    for name, counting in (("unknown", sketch), ("given", probable)):
        found = counting.auc()
        rate = n / spent[name] / 1e6
        print(f"range {name}: {n:,} rows, {rate:.0f} M/s, AUC {found}, half-width {found.half_width:.2e}")
        print(f"  {len(counting.to_bytes()):,} bytes when stored")
    print(f"peak memory of the process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    stream(int(sys.argv[1])) if len(sys.argv) > 1 else main()
