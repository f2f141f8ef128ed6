"""Granular areas and rho against np.sort of the same scores."""

from __future__ import annotations

import numpy as np

import rocsteady as rs
from benchmarks.ranking import scores_and_labels
from benchmarks.stopwatch import Scoreboard, best_times

JUDGED_AT = 10**6


def main() -> list[str]:
    board = Scoreboard()
    print("\ngranularity, rows to value, in np.sorts of the scores")
    for n in (10**4, 10**5, 10**6, 10**7):
        y, s = scores_and_labels(n, kind="probabilities")
        rounds = 3 if n <= 10**6 else 1
        sort, pair, rho = best_times(
            lambda s=s: np.sort(s),
            lambda y=y, s=s: _area_pair(y, s),
            lambda y=y, s=s: rs.rho_auc(y, s),
            rounds=rounds,
        )
        for what, time, bar in (("low and up area", pair, 12), ("rho_auc", rho, 400)):
            text = f"{what}, n = {n:,}, {1000 * time:,.0f} ms"
            if n == JUDGED_AT:
                board.at_most(text, time / sort, bar)
            else:
                print(f"{text:<66} {time / sort:8.2f}x", flush=True)
    return board.missed


def _area_pair(y: np.ndarray, s: np.ndarray) -> tuple[float, float]:
    ranked = rs.rank(y, s)
    return rs.low_auc(ranked, delta=0.01), rs.up_auc(ranked, delta=0.01)
