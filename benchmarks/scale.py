"""Parquet files larger than the memory limit, against the same group-by written by hand in DuckDB's SQL.

``python -m benchmarks.scale 1e8`` runs in full; ``python -m benchmarks scale`` on fewer rows. Scores are
probabilities of six decimals, about a million distinct ones; ``--distinct`` makes nearly all of them differ, and shows
what is done when groups do not fit.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.stopwatch import Scoreboard

ROWS = 30_000_000  # on fewer, sorting the million groups weighs as much as counting the rows
MEMORY = 2 * 10**9
MODELS = ("a", "b")
ROUNDS = 2

UNIFORM = "hash({seed}) / 18446744073709551616.0"
MAKE = """
COPY (
    SELECT (hash(i * 3 + 1) % 1000 < 1000 * a * a)::TINYINT AS y, {a} AS a, {b} AS b
    FROM (SELECT i, {first} AS a, ({first} + {second}) / 2 AS b FROM range({rows}) AS t(i))
) TO '{path}' (FORMAT parquet)
"""
BY_HAND = "SELECT {model}, count(*) FILTER (y = 1), count(*) FILTER (y = 0) FROM '{path}' GROUP BY {model}"


def make_file(path: Path, rows: int, *, distinct: bool) -> None:
    """Write the table with DuckDB itself."""
    import duckdb

    first, second = (UNIFORM.format(seed=seed) for seed in ("i", "i * 7 + 5"))
    shown = "{0}" if distinct else "round({0}, 6)"
    query = MAKE.format(a=shown.format("a"), b=shown.format("b"), first=first, second=second, rows=rows, path=path)
    connection = duckdb.connect(config={"memory_limit": f"{MEMORY}B", "preserve_insertion_order": "false"})
    connection.execute(query)
    connection.close()


def by_hand(path: Path, folder: Path) -> dict[str, float]:
    """What a person would type, both models, arrays fetched."""
    import duckdb

    connection = duckdb.connect(config={"memory_limit": f"{MEMORY}B", "temp_directory": str(folder)})
    groups = [connection.execute(BY_HAND.format(model=model, path=path)).fetchnumpy() for model in MODELS]
    return {model: float(len(group[model])) for model, group in zip(MODELS, groups, strict=True)}


def by_rocsteady(path: Path, folder: Path) -> dict[str, float]:
    """The route of ``rocsteady evaluate``: scanned, ranked, measured."""
    del folder
    import rocsteady as rs
    from rocsteady._src.inputs.files import Wanted, scan_files
    from rocsteady._src.ranked.lazy.lazy_rows import lazy_rows

    with scan_files([path], Wanted(MODELS, ("y",)), memory=MEMORY) as files:
        rows = lazy_rows(files.relation, label="y", scores=MODELS, most_groups=files.most_groups)
        return {model: rs.auc(groups) for model, groups in rows.rank().items()}


def paired(path: Path, folder: Path) -> dict[str, float]:
    """Both models compared: each row with its placements."""
    del folder
    from rocsteady._src.evaluation.evaluate_rows import evaluate_rows
    from rocsteady._src.inputs.files import Wanted, scan_files
    from rocsteady._src.ranked.lazy.lazy_rows import lazy_rows

    with scan_files([path], Wanted(MODELS, ("y",)), memory=MEMORY) as files:
        rows = lazy_rows(files.relation, label="y", scores=MODELS, most_groups=files.most_groups)
        test = evaluate_rows(rows, measures=["auc"]).compare().pairs[0].test
        return {"difference": test.estimate, "se": float(test.se or 0)}


def report(path: Path, folder: Path) -> dict[str, float]:
    """What ``rocsteady report`` does, from its start to the page."""
    from rocsteady._src.views.cli.app import app

    page = folder / "report.html"
    asked = ["report", str(path), "--label", "y", "--memory", f"{MEMORY // 10**6}MB", "--force", "-o", str(page)]
    with contextlib.redirect_stdout(sys.stderr):
        app([*asked, *(word for model in MODELS for word in ("--score", model))], standalone_mode=False)
    return {"bytes": float(page.stat().st_size)}


TASKS = {"by_hand": by_hand, "by_rocsteady": by_rocsteady, "paired": paired, "report": report}


def timed(task: str, path: Path, folder: Path) -> dict[str, float]:
    """Run a task in a process of its own: seconds, peak memory in bytes, and its answer."""
    call = [sys.executable, "-m", "benchmarks.scale", "--task", task, str(path), str(folder)]
    shown = subprocess.run(call, capture_output=True, text=True, check=False)
    if shown.returncode:
        return {"error": 1.0, "seconds": float("nan"), "work": float("nan"), "peak": float("nan")} | _told(shown.stderr)
    found: dict[str, float] = json.loads(shown.stdout.splitlines()[-1])
    return found


def _told(stderr: str) -> dict[str, float]:
    said = [line for line in stderr.splitlines() if "Error" in line]
    print("   ", said[-1] if said else stderr.strip())
    return {}


def run_task(task: str, path: str, folder: str) -> None:
    import resource

    start, work = time.perf_counter(), time.process_time()
    answer = TASKS[task](Path(path), Path(folder))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(
        json.dumps({"seconds": time.perf_counter() - start, "work": time.process_time() - work, "peak": peak} | answer)
    )


def main(rows: int = ROWS, *, distinct: bool = False) -> list[str]:
    """Print the ratios; return those that miss their bar."""
    board = Scoreboard()
    kind = "nearly all scores distinct" if distinct else "scores of six decimals"
    print(f"\n{rows:,} rows x {len(MODELS)} models of Parquet, {kind}, memory limit {MEMORY / 1e9:g} GB")
    with tempfile.TemporaryDirectory(prefix="rocsteady-bench-") as name:
        folder = Path(name)
        path = folder / "scores.parquet"
        make_file(path, rows, distinct=distinct)
        print(f"file of {path.stat().st_size / 1e9:.2f} GB")
        best = {"by_hand": [], "by_rocsteady": []}
        for _ in range(1 if distinct else ROUNDS):
            for task, runs in best.items():
                runs.append(timed(task, path, folder))
                print(f"    {task}: {runs[-1]}")
        ours, theirs = (min(run["seconds"] for run in best[task]) for task in ("by_rocsteady", "by_hand"))
        if distinct:
            return []
        board.at_most("group-by, ranking and AUC / the group-by written by hand", ours / theirs, 1.5)
        ours, theirs = (min(run["work"] for run in best[task]) for task in ("by_rocsteady", "by_hand"))
        board.at_most(
            "the same in seconds of processor time, which others on the machine disturb less", ours / theirs, 1.5
        )
        peak = max(run["peak"] for run in best["by_rocsteady"]) / 1e9
        board.at_most("peak memory of the process", peak, MEMORY / 1e9, " GB")
        for task, what, bar in (
            ("paired", "ranked, then compared with DeLong's covariance", 2.25),
            ("report", "the whole report", 2.75),
        ):
            run = timed(task, path, folder)
            print(f"    {task}: {run}")
            board.at_most(f"{what} / the group-by written by hand, processor time", run["work"] / theirs, bar)
    return board.missed


if __name__ == "__main__":
    if "--task" in sys.argv:
        run_task(*sys.argv[2:5])
    else:
        asked = [word for word in sys.argv[1:] if not word.startswith("--")]
        sys.exit(bool(main(int(float(asked[0])) if asked else ROWS, distinct="--distinct" in sys.argv)))
