"""Intervals and tests against pROC, a scikit-learn loop, the scripts people copy, and np.sort."""

from __future__ import annotations

import numpy as np

import rocsteady as rs
from benchmarks.peers import bootstrap_loop, delong_script, proc_seconds
from benchmarks.stopwatch import Scoreboard, best_times
from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.spread import areas_of
from rocsteady._src.ranked import read_models

LOOPS = 100


def rows(n: int, n_models: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """Labels and correlated scores of several models."""
    rng = np.random.default_rng(1)
    y = (rng.random(n) < 0.3).astype(np.int64)
    shared = rng.normal(size=n)
    return y, [shared + rng.normal(size=n) + y for _ in range(n_models)]


def main() -> list[str]:
    board = Scoreboard()
    proc = proc_seconds()
    print("\nintervals and tests" + ("" if proc is None else f"; pROC {proc[2]}"))
    _bootstrap(board, proc)
    _bootstrap_of_hulls(board)
    _delong(board, proc)
    _covariance(board)
    return board.missed


def _bootstrap(board: Scoreboard, proc: tuple[float, float, str] | None) -> None:
    y, (score,) = rows(10**4, 1)
    ours, loop = best_times(
        lambda: rs.bootstrap_interval("auc", y, score, random_state=1),
        lambda: bootstrap_loop(y, score, LOOPS, 1),
        rounds=3,
    )
    board.at_least("scikit-learn loop over bootstrap_interval, 2000 x 10,000", loop * 2000 / LOOPS / ours, 30)
    if proc is not None:
        board.at_least("pROC bootstrap over bootstrap_interval, 2000 x 10,000", proc[0] / ours, 30)
    (general,) = best_times(lambda: rs.bootstrap_interval("average_precision", y, score, random_state=1), rounds=2)
    print(f"bootstrap_interval of average precision, 2000 x 10,000: {general:.2f} s")


def _bootstrap_of_hulls(board: Scoreboard) -> None:
    for n, bar in ((300, 6), (10**4, 4)):
        y, (score,) = rows(n, 1)
        hull, steps = best_times(
            lambda y=y, score=score: rs.bootstrap_interval("h_measure", y, score, random_state=1),
            lambda y=y, score=score: rs.bootstrap_interval("average_precision", y, score, random_state=1),
            rounds=3,
        )
        board.at_most(f"bootstrap of H-measure over that of average precision, n = {n:,}", hull / steps, bar)


def _delong(board: Scoreboard, proc: tuple[float, float, str] | None) -> None:
    y, (first, second) = rows(10**5, 2)
    if not np.isclose(rs.compare_auc(y, first, second).statistic, delong_script(y, first, second), rtol=1e-9):
        board.missed.append("paired compare_auc and the common script disagree")
    ours, script = best_times(
        lambda: rs.compare_auc(y, first, second), lambda: delong_script(y, first, second), rounds=5
    )
    board.at_least("common script over paired compare_auc, n = 100,000", script / ours, 12)
    if proc is not None:
        board.at_least("pROC over paired compare_auc, n = 100,000", proc[1] / ours, 8)


def _covariance(board: Scoreboard) -> None:
    y, scores = rows(10**6, 10)
    columns = {str(number): score for number, score in enumerate(scores)}
    ours, sort = best_times(lambda: areas_of(read_models(y, columns), Area()), lambda: np.sort(scores[0]), rounds=2)
    board.at_most("covariance of ten models over np.sort of one, n = 1,000,000", ours / sort, 120)
