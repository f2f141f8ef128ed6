"""Score-aware measures against np.sort of the same scores, from ten thousand to ten million rows."""

from __future__ import annotations

import tracemalloc

import numpy as np

import rocsteady as rs
from benchmarks.ranking import scores_and_labels
from benchmarks.stopwatch import Scoreboard, best_times

BARS = {"scored_auc": 8, "mm1_auc": 8, "mm4_auc": 8, "soft_auc": 60, "softened_auc": 200}
SIZES = (10**4, 10**5, 10**6, 10**7)
ALL_PAIRS_UP_TO = 10**5
JUDGED_AT = 10**6


def main() -> list[str]:
    board = Scoreboard()
    print("\nscore-aware measures, rows to value, in np.sorts of the scores")
    for n in SIZES:
        y, s = scores_and_labels(n, kind="decision values")
        rounds = 7 if n == 10**6 else 3 if n < 10**6 else 1
        for name, bar in BARS.items():
            measure = getattr(rs, name)
            sort, ours = best_times(lambda s=s: np.sort(s), lambda m=measure, y=y, s=s: m(y, s), rounds=rounds)
            what = f"{name}, n = {n:,}, {1000 * ours:,.0f} ms"
            if n == JUDGED_AT:
                board.at_most(what, ours / sort, bar)
            else:
                print(f"{what:<66} {ours / sort:8.2f}x{_all_pairs(measure, y, s)}", flush=True)
    _memory(board)
    return board.missed


def _all_pairs(measure: rs.Measure, y: np.ndarray, s: np.ndarray) -> str:
    if s.size > ALL_PAIRS_UP_TO:
        return ""
    (time,) = best_times(lambda: measure(y, s, exact=True), rounds=1)
    return f"  (all pairs: {1000 * time:,.0f} ms)"


def _memory(board: Scoreboard) -> None:
    for name in ("soft_auc", "softened_auc"):
        per_row = []
        for n in (10**5, 10**6):
            y, s = scores_and_labels(n, kind="decision values")
            tracemalloc.start()
            getattr(rs, name)(y, s)
            per_row.append(tracemalloc.get_traced_memory()[1] / n)
            tracemalloc.stop()
        board.at_most(f"{name}: peak bytes per row at 1,000,000 over those at 100,000", per_row[1] / per_row[0], 1.5)
