"""The laboratory in units of np.sort: all of Table 5.2, a sweep, sets of 100 scores; and memory bounded by a batch."""

from __future__ import annotations

import tracemalloc

import numpy as np
from reproductions.thesis import COUNTED

from benchmarks.stopwatch import Scoreboard, best_times
from rocsteady import lab

SOURCES = {
    "A": (1.0, 0.8, 0.6, 0.4, 0.2, 0.0),
    "B": (0.9, 0.88, 0.86, 0.81, 0.77, 0.76),
    "C": (1.0, 0.9, 0.8, 0.2, 0.1, 0.0),
    "D": (1.0, 0.99, 0.98, 0.97, 0.96, 0.0),
    "E": (1.0, 0.99, 0.98, 0.02, 0.01, 0.0),
}
SETTINGS = (
    (None, None),
    (30, None),
    (100, None),
    (1000, None),
    (None, 30),
    (None, 100),
    (None, 1000),
    (30, 30),
)  # steps of margin and range
LABELS = (1, 1, 1, 0, 0, 0)


def table_5_2() -> int:
    """Eight measures on forty settings; the number of sets."""
    total = 0
    for scores in SOURCES.values():
        for margin, range_ in SETTINGS:
            sets = lab.generate([(LABELS, scores)], margin_steps=margin, range_steps=range_, distribution=True, seed=0)
            total += lab.count_errors(sets, COUNTED).n_sets
    return total


def sweep_of_n() -> object:
    sets = lab.generate([(LABELS, SOURCES["C"])], margin_steps=30, range_steps=30, distribution=True, seed=0)
    return lab.sweep(sets, "mm7_auc", n=np.linspace(0.001, 0.1, 20))


def sets_of_100() -> object:
    scores = np.linspace(1, 0, 100)
    sets = lab.generate([(scores > 0.5, scores)], range_steps=10, distribution=1000, seed=0)
    return lab.count_errors(sets)


def peak_of(range_steps: int) -> float:
    """Peak memory in MB of counting errors on 62 * range_steps sets."""
    sets = lab.generate([(LABELS, SOURCES["C"])], range_steps=range_steps, distribution=True, seed=0)
    tracemalloc.start()
    lab.count_errors(sets, COUNTED)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def main() -> list[str]:
    board = Scoreboard()
    numbers = np.random.default_rng(0).random(10**6)
    print(f"\nLaboratory: Table 5.2 has {table_5_2():,} sets; unit: np.sort of 10^6 floats in the same run")
    whole, sweep, large, sort = best_times(table_5_2, sweep_of_n, sets_of_100, lambda: np.sort(numbers), rounds=3)
    board.at_most("Table 5.2: 40 settings, 8 measures", whole / sort, 200, " sorts")
    board.at_most("sweep of mm7: 20 values of n on 55,800 sets", sweep / sort, 200, " sorts")
    board.at_most("10,000 sets of 100 scores, 11 measures", large / sort, 400, " sorts")
    few, many = peak_of(10_000), peak_of(80_000)
    board.at_most(f"memory for 4,960,000 sets ({many:.0f} MB) by that for 620,000 ({few:.0f} MB)", many / few, 3)
    return board.missed


if __name__ == "__main__":
    main()
