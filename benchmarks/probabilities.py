"""Reclassification, calibration and net benefit of two models, in np.sorts of one column of scores."""

from __future__ import annotations

import numpy as np

import rocsteady as rs
from benchmarks.stopwatch import Scoreboard, best_times

N = 10**6


def two_models(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Outcomes and the probabilities of an old and a new model."""
    rng = np.random.default_rng(1)
    x, z = rng.normal(size=(2, n))
    old, new = 1 / (1 + np.exp(2 - x)), 1 / (1 + np.exp(2 - x - 0.7 * z))
    return (rng.random(n) < new).astype(np.int64), old, new


def main() -> list[str]:
    board = Scoreboard()
    y, old, new = two_models(N)
    parts = {
        "tables, NRI, IDI": lambda: _moves(y, old, new),
        "calibration of both": lambda: _calibration(y, old, new),
        "difference in Brier": lambda: rs.compare_brier(y, old, new),
        "decision curves of both": lambda: rs.decision_curve(y, {"old": old, "new": new}),
    }
    print(f"\nprobabilities of two models, n = {N:,}, in np.sorts of one column")
    sort, *times = best_times(lambda: np.sort(old), *parts.values(), rounds=3)
    for name, seconds in zip(parts, times, strict=True):
        print(f"{name:<66} {seconds / sort:8.2f}x")
    board.at_most("all of it", sum(times) / sort, 25)
    return board.missed


def _moves(y: np.ndarray, old: np.ndarray, new: np.ndarray) -> None:
    rs.reclassification(y, old, new, cutoffs=[0.1, 0.3])
    rs.net_reclassification(y, old, new, cutoffs=[0.1, 0.3])
    rs.net_reclassification(y, old, new)
    rs.integrated_discrimination(y, old, new)


def _calibration(y: np.ndarray, old: np.ndarray, new: np.ndarray) -> None:
    for score in (old, new):
        ranked = rs.rank(y, score)
        rs.calibration_summary(ranked)
        rs.calibration_curve(ranked)
