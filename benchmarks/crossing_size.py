"""How often does crossing_test find what is not there, and what is? ``python -m benchmarks.crossing_size 1000``.

Kinds of curves named after the number of samples are run alone.

"alike": both models have the same true curve. "touching": the second lies below up to the middle and meets the first
beyond it, so that a crossing, or the second above, is false. "crossing": equal AUCs, positives of the second spread
twice as wide. "above": AUCs of 0.8 and 0.7. Scores of the models correlate by one half within each class; "grades" cut
them into five.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import norm

import rocsteady as rs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

N_RESAMPLES = 199
GRADES = np.array([-0.5, 0.2, 0.9, 1.6])
SIZES = ((20, 20), (60, 40), (20, 180), (100, 100), (300, 300))
KINDS = ("alike", "alike, AUC 0.95", "alike, grades", "touching", "crossing", "above")
POWER, FEWER = ("crossing", "above"), 5  # where an answer is true, a fifth of the samples will do


def draw(kind: str, sizes: tuple[int, int], rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """Labels and the scores of both models."""
    y = np.repeat([1, 0], sizes)
    noise = rng.normal(size=(2, y.size))
    other = 0.5 * noise[0] + np.sqrt(0.75) * noise[1]
    far = float(np.sqrt(2) * norm.ppf(0.95 if "0.95" in kind else 0.8))
    first = far * y + noise[0]
    if kind == "crossing":
        second = np.where(y == 1, norm.ppf(0.8) * np.sqrt(5) + 2 * other, other)
    elif kind == "touching":  # positives above the middle negative fall back, those below it stay
        moved = far + other
        second = np.where(y == 1, np.where(moved > 0, moved * 0.6, moved), other)
    else:
        second = (np.sqrt(2) * norm.ppf(0.7) if kind == "above" else far) * y + other
    if "grades" in kind:
        return y, np.searchsorted(GRADES, first), np.searchsorted(GRADES, second)
    return y, first, second


def shares(kind: str, sizes: tuple[int, int], samples: int) -> dict[str, float]:
    """How often each answer was given."""
    rng, found = np.random.default_rng(9), []
    for sample in range(samples):
        test = rs.curves.crossing_test(*draw(kind, sizes, rng), n_resamples=N_RESAMPLES, random_state=sample)
        found.append(test.found)
    return {name: found.count(name) / samples for name in ("crossing", "first above", "second above")}


def table(samples: int, kinds: Sequence[str] = KINDS) -> Iterator[str]:
    """The table of docs/credit.md."""
    yield "| true curves | positives | negatives | crossing | first above | second above | samples |"
    yield "|--|--:|--:|--:|--:|--:|--:|"
    for kind in kinds:
        for sizes in SIZES:
            number = samples // FEWER if kind in POWER else samples
            cells = " | ".join(f"{share:.1%}" for share in shares(kind, sizes, number).values())
            yield f"| {kind} | {sizes[0]} | {sizes[1]} | {cells} | {number} |"


if __name__ == "__main__":
    for line in table(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, sys.argv[2:] or KINDS):
        print(line, flush=True)
