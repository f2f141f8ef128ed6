"""Delay to see a drop of 0.02 in AUC, and false alarms before it: a watch, nannyml and fixed thresholds, in one run.

``python -m benchmarks.watch_peers PYTHON_WITH_NANNYML [years]``. The same rows go to all. A way that alarms often by
chance sees a drop early too: false alarms of the 100 days before it stand beside the delay.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import norm

import rocsteady as rs

REFERENCE, BEFORE, AFTER, ROWS, SHARE, AUC, DROP, SEED = 60, 100, 100, 500, 0.2, 0.80, 0.02, 26


def year(rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """Rows by day: labels, and probabilities that are calibrated until the drop."""
    day = np.repeat(np.arange(REFERENCE + BEFORE + AFTER), ROWS)
    y = rng.random(day.size) < SHARE
    shift = np.sqrt(2) * norm.ppf(np.where(day < REFERENCE + BEFORE, AUC, AUC - DROP))
    scores = shift * y + rng.standard_normal(day.size)
    at = float(np.sqrt(2) * norm.ppf(AUC))
    odds = np.log(SHARE / (1 - SHARE)) + at * scores - at**2 / 2
    return y, 1 / (1 + np.exp(-odds)), day


def ours(y: Any, p: Any, day: Any) -> dict[str, int | None]:
    """The first alarm of the watch, as a day after the reference."""
    table = {"y": y, "p": p, "day": day}
    found = rs.monitor(table, "p", label="y", day="day", reference=REFERENCE)
    slower = rs.monitor(table, "p", label="y", day="day", reference=REFERENCE, run_length=3650)
    named = {"rs.monitor, alpha 0.05 ever": found, "rs.monitor, run_length 3650": slower}
    days = {name: each["auc"].alarm_day for name, each in named.items()}
    return {name: None if day is None else int(day) - REFERENCE for name, day in days.items()} | fixed(found)


def fixed(found: Any) -> dict[str, int | None]:
    """A fixed threshold: the AUC of a day below that of the reference by 0.02, or by 0.05."""
    auc = found["auc"]
    first = {}
    for gap in (0.02, 0.05):
        below = np.flatnonzero(auc.value < auc.reference - gap)
        first[f"fixed: reference - {gap}"] = int(below[0]) if below.size else None
    return first


def theirs(python: str, years: list[tuple[Any, Any, Any]]) -> tuple[str, list[dict[str, int | None]]]:
    """First alerts of nannyml, from a Python that has it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "years.npz"
        y, p = (np.array([each[place] for each in years]) for place in (0, 1))
        np.savez(path, y=y, p=p, day=years[0][2], n_reference=REFERENCE, rows=ROWS)
        call = [python, str(Path(__file__).with_name("watch_nannyml.py")), str(path)]
        quiet = os.environ | {"NML_DISABLE_USAGE_LOGGING": "1"}  # it would tell its makers of every call
        told = json.loads(
            subprocess.run(call, stdout=subprocess.PIPE, text=True, check=True, env=quiet).stdout.splitlines()[-1]
        )
    return told["version"], told["years"]


def main() -> None:
    """Print the table."""
    python, n = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 40
    rng, start = np.random.default_rng(SEED), time.process_time()
    years = [year(rng) for _ in range(n)]
    found = [ours(*each) for each in years]
    version, others = theirs(python, years)
    whole = [a | b for a, b in zip(found, others, strict=True)]
    print("| way | false alarm in the 100 days before | of the others: seen in 100 days after | median delay in days |")
    print("|---|---|---|---|")
    for name in whole[0]:
        days = np.array([np.inf if each[name] is None else each[name] for each in whole], dtype=float)
        kept = days[days >= BEFORE] - BEFORE + 1
        seen = f"{int(np.isfinite(kept).sum())} of {kept.size}"
        half = np.median(kept) if kept.size else np.nan
        told = "none left" if np.isnan(half) else f"{half:.0f}" if np.isfinite(half) else "not seen"
        print(f"| {name} | {int((days < BEFORE).sum())} of {n} | {seen} | {told} |")
    print(
        f"\n{n} years of {ROWS} rows a day, {SHARE:.0%} positive, AUC {AUC} to {AUC - DROP:.2f}; nannyml {version}; ",
        end="",
    )
    print(f"{time.process_time() - start:.0f} s of one processor without nannyml")


if __name__ == "__main__":
    main()
