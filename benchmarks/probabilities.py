"""Reclassification, calibration and net benefit of two models, in np.sorts of one column of scores."""

from __future__ import annotations

import numpy as np

import rocsteady as rs
from benchmarks.stopwatch import Scoreboard, best_times

N = 10**6
CUTOFFS = [0.1, 0.3]


def two_models(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Outcomes and the probabilities of an old and a new model."""
    rng = np.random.default_rng(1)
    x, z = rng.normal(size=(2, n))
    old, new = 1 / (1 + np.exp(2 - x)), 1 / (1 + np.exp(2 - x - 0.7 * z))
    return (rng.random(n) < new).astype(np.int64), old, new


def main() -> list[str]:
    board = Scoreboard()
    y, old, new = two_models(N)
    ranked = [rs.rank(y, score) for score in (old, new)]
    print(f"\nprobabilities of two models, n = {N:,}, in np.sorts of one column")
    parts = {
        "tables, NRI by cutoffs, NRI by any change, IDI": lambda: moves(y, old, new),
        "ranking both": lambda: [rs.rank(y, score) for score in (old, new)],
        "summary, curve and net benefit of both, once ranked": lambda: [calibration(each) for each in ranked],
        "difference in Brier": lambda: rs.compare_brier(y, old, new),
        "all of it": lambda: everything(y, old, new),
    }
    sort, *times = best_times(lambda: np.sort(old), *parts.values(), rounds=9)
    for name, seconds in list(zip(parts, times, strict=True))[:-1]:
        print(f"{name:<66} {seconds / sort:8.2f}x")
    board.at_most("all of it", times[-1] / sort, 25)
    return board.missed


def everything(y: np.ndarray, old: np.ndarray, new: np.ndarray) -> None:
    """What somebody asks who compares two models by their probabilities."""
    moves(y, old, new)
    for score in (old, new):
        calibration(rs.rank(y, score))
    rs.compare_brier(y, old, new)


def moves(y: np.ndarray, old: np.ndarray, new: np.ndarray) -> None:
    """Who moves from the old to the new model."""
    rs.reclassification(y, old, new, cutoffs=CUTOFFS)
    rs.net_reclassification(y, old, new, cutoffs=CUTOFFS)
    rs.net_reclassification(y, old, new)
    rs.integrated_discrimination(y, old, new)


def calibration(ranked: rs.RankedScores) -> None:
    """Every test and measure of calibration, the curve, and net benefit at 99 thresholds."""
    rs.calibration_summary(ranked)
    rs.calibration_curve(ranked)
    rs.decision_curve(ranked)
