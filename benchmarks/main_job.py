"""Evaluate, compare, report: the main job in np.sorts of one column, and the command beside the library."""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import rocsteady as rs
from benchmarks.ranking import MILLION, TEN_MILLION, scores_and_labels
from benchmarks.stopwatch import Scoreboard, best_times

THOUSAND = 1000


def main() -> list[str]:
    board = Scoreboard()
    warnings.simplefilter("ignore")
    print("\nAUC and the default evaluation by kind of score, in np.sorts of the float64 scores")
    _kinds(board)
    print("\nreports, rare positives, small calls")
    _reports(board)
    _rare(board)
    _small(board)
    print("\nfirst answers with intervals")
    _designs(board)
    print("\nthe command beside the library")
    _command(board)
    return board.missed


def _kinds(board: Scoreboard) -> None:
    y, s = scores_and_labels(TEN_MILLION, kind="probabilities")
    kinds = {
        "float64": (s, 1.3),
        "float32": (s.astype(np.float32), 0.8),
        "nine digits": (s.round(9), None),
        "four digits": (s.round(4), None),
        "100 values": (s.round(2), None),
        "int64": ((s * 1e9).astype(np.int64), None),
    }
    for name, (scores, bar) in kinds.items():
        table = {"y": y, "a": scores}
        sort, area, whole = best_times(
            lambda: np.sort(s),
            lambda scores=scores: rs.auc(y, scores),
            lambda table=table: rs.evaluate(table, label="y", scores="a"),
            rounds=3,
        )
        if bar is None:
            print(f"AUC of {name:<59} {area / sort:8.2f} sorts")
        else:
            board.at_most(f"AUC of {name}, n = {TEN_MILLION:,}", area / sort, bar, " sorts")
        board.at_most(f"evaluate, {name}, n = {TEN_MILLION:,}", whole / sort, 8, " sorts")
    several = {"y": y, "a": s, "b": np.sqrt(s), "c": (s + np.random.default_rng(3).permutation(s)) / 2}
    for names in (["a", "b"], ["a", "b", "c"]):
        sort, whole = best_times(
            lambda: np.sort(s), lambda names=names: rs.evaluate(several, label="y", scores=names), rounds=2
        )
        what = f"evaluate, {len(names)} models, per model, n = {TEN_MILLION:,}"
        board.at_most(what, whole / sort / len(names), 8, " sorts")


def _reports(board: Scoreboard) -> None:
    y, s = scores_and_labels(MILLION, kind="probabilities")
    other = np.random.default_rng(2).permutation(s)
    table = {"y": y, "a": s, "b": (s + other) / 2}
    fresh = [rs.evaluate(table, label="y", scores=["a", "b"]) for _ in range(2)]  # a page is not helped by one before
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        sort, report = best_times(lambda: np.sort(s), lambda: fresh.pop().report(page, force=True), rounds=2)
        board.at_most(f"report of two models, n = {MILLION:,}, less 2 seconds", (report - 2) / sort, 40, " sorts")
        few = {"y": y[:12].tolist(), "a": s[:12].tolist(), "b": other[:12].tolist()}
        (short,) = best_times(lambda: rs.evaluate(few, label="y", scores=["a", "b"]).report(page, force=True), rounds=2)
    board.at_most("report of 12 rows", short, 2, " s")


def _rare(board: Scoreboard) -> None:
    rng = np.random.default_rng(0)
    y = np.arange(100_000) < 10
    table: dict[str, Any] = {"y": y} | {name: rng.normal(size=y.size) + 1.5 * y for name in "abc"}
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        rs.evaluate(table, label="y", scores=list("abc")).report(Path(folder) / "page.html")
    board.at_most("report of 10 positives in 100,000 rows, three models", time.process_time() - began, 7, " CPU s")


def _small(board: Scoreboard) -> None:
    y, s = scores_and_labels(THOUSAND, kind="probabilities")
    table = {"y": y, "a": s}
    (spent,) = best_times(lambda: rs.evaluate(table, label="y", scores="a"), rounds=50)
    board.at_most(f"evaluate, n = {THOUSAND:,}", 1000 * spent, 2, " ms")


def _designs(board: Scoreboard) -> None:
    """What a newcomer types first on small tables, all intervals included."""
    rng = np.random.default_rng(19)

    def models(n: int) -> tuple[Any, dict[str, Any]]:
        y = rng.random(n) < 0.4
        return y, {"a": y + rng.normal(size=n), "b": y + 1.3 * rng.normal(size=n)}

    (y, scores), (part, of_part) = models(THOUSAND), models(3 * 228)
    group, fold = np.repeat(["a", "b", "c"], 228), np.arange(3 * 228) % 5
    whole, by, folds = best_times(
        lambda: rs.evaluate(y, scores, intervals=True),
        lambda: rs.evaluate(part, of_part, by=group),
        lambda: rs.evaluate(part, of_part, fold=fold),
        rounds=3,
    )
    board.at_most("evaluate(intervals=True), two models of 1,000 rows", whole, 1, " s")
    board.at_most("evaluate(by=), two models, three groups of 228 rows", by, 2, " s")
    board.at_most("evaluate(fold=), two models, five folds of 684 rows", folds, 1, " s")


def _command(board: Scoreboard) -> None:
    import polars as pl

    from rocsteady.__main__ import main as command

    y, s = scores_and_labels(TEN_MILLION, kind="probabilities")
    table = {"y": y, "a": s, "b": np.sqrt(s)}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        pl.DataFrame(table).write_parquet(path)
        words = ["rocsteady", "evaluate", str(path), "--label", "y", "--score", "a", "--score", "b", "--no-intervals"]

        def run() -> None:
            sys.argv = words
            with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
                command()

        ours, library = best_times(run, lambda: rs.evaluate(table, label="y", scores=["a", "b"]), rounds=4)
    board.at_most(f"rocsteady evaluate over rs.evaluate, Parquet of {TEN_MILLION:,} rows", ours / library, 2)
