"""Areas of many classes with intervals, against one np.sort per column.

``python -m benchmarks.multiclass [CLASSES [ROWS]]``; 100 classes of 10^6 rows need 3 GB. ``python -m benchmarks`` runs
10 classes.
"""

from __future__ import annotations

import sys

import numpy as np

import rocsteady as rs
from benchmarks.stopwatch import Scoreboard, best_times

SCORES_AT_ONCE = 50_000


def table(n_classes: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels, and probabilities in the layout predict_proba returns: one row after another."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, n_classes, n)
    scores = np.empty((n, n_classes))
    for start in range(0, n, SCORES_AT_ONCE):
        part = slice(start, start + SCORES_AT_ONCE)
        rng.standard_exponential(out=scores[part])
        scores[part] **= 2
        scores[np.arange(start, min(start + SCORES_AT_ONCE, n)), y[part]] += 1
        scores[part] /= scores[part].sum(axis=1, keepdims=True)
    return y, scores


def sort_columns(scores: np.ndarray) -> None:
    for place in range(scores.shape[1]):
        np.sort(scores[:, place])


def main(n_classes: int = 10, n: int = 10**6, rounds: int = 2) -> list[str]:
    board = Scoreboard()
    print(f"\n{n_classes} classes, {n:,} rows")
    for layout, order in (("rows", "C"), ("columns", "F")):
        y, scores = table(n_classes, n)
        scores = np.asarray(scores, order=order)
        ours, sorts = best_times(
            lambda s=scores, y=y: rs.multiclass_auc_interval(y, s, average=None),
            lambda s=scores: sort_columns(s),
            rounds=rounds,
        )
        what = f"intervals of {n_classes} classes over as many sorts, stored by {layout}"
        board.at_most(what, ours / sorts, 2.5 if n_classes >= 100 else 4)
        if order == "C":
            continue
        for name, kind in (("macro", {}), ("Hand-Till", {"scheme": "hand-till"})):
            (spent,) = best_times(lambda k=kind, s=scores, y=y: rs.multiclass_auc_interval(y, s, **k), rounds=1)
            board.at_most(f"interval of the {name} average over as many sorts", spent / sorts, 15)
        (value,) = best_times(lambda s=scores, y=y: rs.multiclass_auc(y, s), rounds=1)
        print(f"macro average without an interval: {value / sorts:.2f} sorts per class")
    return board.missed


if __name__ == "__main__":
    main(*(int(number) for number in sys.argv[1:3]))
