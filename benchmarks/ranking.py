"""AUC and ROC against np.sort of the same scores and against scikit-learn."""

from __future__ import annotations

import tracemalloc

import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.metrics import roc_curve as sklearn_roc_curve

import rocsteady as rs
from benchmarks.stopwatch import Scoreboard, best_times

SMALL, MILLION, TEN_MILLION = 100, 10**6, 10**7


def scores_and_labels(n: int, *, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Labels and float64 scores without ties: probabilities, or decision values of both signs."""
    rng = np.random.default_rng(1)
    y = (rng.random(n) < 0.3).astype(np.int64)
    margin = rng.normal(size=n) + y
    return y, margin if kind == "decision values" else 1 / (1 + np.exp(-margin))


def main() -> list[str]:
    board = Scoreboard()
    for kind in ("probabilities", "decision values"):
        print(f"\nAUC of {kind}, float64, no ties")
        _auc(board, kind)
    print("\nROC curve and memory")
    _roc(board)
    _memory(board)
    return board.missed


def _auc(board: Scoreboard, kind: str) -> None:
    for n, rounds, bar in ((SMALL, 400, 15), (MILLION, 15, 15), (TEN_MILLION, 3, 12)):
        y, s = scores_and_labels(n, kind=kind)
        sort, ours, theirs = best_times(
            lambda s=s: np.sort(s),
            lambda y=y, s=s: rs.auc(y, s),
            lambda y=y, s=s: roc_auc_score(y, s),
            rounds=rounds,
        )
        if n == TEN_MILLION:
            board.at_most(f"rs.auc over np.sort, n = {n:,}", ours / sort, 3)
        elif n > SMALL:
            print(f"rs.auc over np.sort, n = {n:<41,} {ours / sort:8.2f}x")
        board.at_least(f"scikit-learn roc_auc_score over rs.auc, n = {n:,}", theirs / ours, bar)


def _roc(board: Scoreboard) -> None:
    y, s = scores_and_labels(TEN_MILLION, kind="decision values")
    ours, theirs = best_times(lambda: rs.roc_curve(y, s), lambda: sklearn_roc_curve(y, s), rounds=2)
    board.at_least(f"scikit-learn roc_curve over rs.roc_curve, n = {TEN_MILLION:,}", theirs / ours, 5)


def _memory(board: Scoreboard) -> None:
    y, s = scores_and_labels(TEN_MILLION, kind="decision values")
    tracemalloc.start()
    rs.auc(y, s)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    board.at_most(f"peak extra memory of rs.auc over the scores' bytes, n = {TEN_MILLION:,}", peak / s.nbytes, 6)
