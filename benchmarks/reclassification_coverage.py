"""Coverage of intervals of NRI and IDI with few events: ``python -m benchmarks.reclassification_coverage``.

Rows are drawn, so many of each class, from a population of 400,000 whose NRI and IDI are known. Counts of who moved are
drawn at once, and intervals made of arrays; a test holds them against the library.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtrit

Array = NDArray[Any]
Z = 1.959963984540054
SIZES, PREVALENCES = (50, 200, 1000), (0.05, 0.2, 0.5)
CELLS = ((20, 0.2), (80, 0.05), (120, 0.05), *((n, prevalence) for n in SIZES for prevalence in PREVALENCES))
MODELS = ("as good", "better", "a little better")
STRENGTH, POPULATION = 0.8, 400_000
COLUMNS = ("NRI, any change", "NRI, cutoffs", "IDI")
METHODS = {
    "NRI, any change": ("wald", "bonett-price"),
    "NRI, cutoffs": ("wald", "bonett-price"),
    "IDI": ("wald", "welch"),
}


@dataclass(frozen=True)
class Population:
    """Two markers of equal strength in a probit model; the old model sees the first, the new one more or another."""

    y: Array
    old: Array
    new: Array
    cutoffs: tuple[float, float]

    @classmethod
    def of(cls, prevalence: float, model: str) -> Population:
        rng = np.random.default_rng(3)
        x = STRENGTH * rng.normal(size=(POPULATION, 2))
        start = ndtri(prevalence) * np.sqrt(1 + 2 * STRENGTH**2)
        y = rng.random(POPULATION) < ndtr(start + x.sum(axis=1))
        share = {"as good": (0.0, 1.0), "better": (1.0, 1.0), "a little better": (1.0, 0.3)}[model]
        unseen = STRENGTH**2 * sum((1 - part) ** 2 for part in share)
        new = ndtr((start + x @ share) / np.sqrt(1 + unseen))
        old = ndtr((start + x[:, 0]) / np.sqrt(1 + STRENGTH**2))
        return cls(y, old, new, (prevalence / 2, min(1.5 * prevalence, 0.75)))

    def moved(self, *, any_change: bool) -> Array:
        """1 up, -1 down, 0 not at all."""
        if any_change:
            return np.sign(self.new - self.old)
        return np.sign(np.digitize(self.new, self.cutoffs) - np.digitize(self.old, self.cutoffs))


def class_sizes(n: int, prevalence: float) -> tuple[int, int]:
    n_pos = int(np.ceil(n * prevalence))
    return n_pos, n - n_pos


def nri_ends(up: Array, down: Array, sizes: tuple[int, int], method: str) -> tuple[Array, Array]:
    """Interval of the NRI from counts of who moved up and down: columns are events and nonevents."""
    n = np.array(sizes, dtype=float)
    more = 1.0 if method == "bonett-price" else 0.0
    plus, minus = (up + more) / (n + 2 * more), (down + more) / (n + 2 * more)
    gain, variance = plus - minus, (plus + minus - (plus - minus) ** 2) / (n + 2 * more)
    middle, reach = gain[:, 0] - gain[:, 1], Z * np.sqrt(variance.sum(axis=1))
    if method == "wald":
        return middle - reach, middle + reach
    estimate = (up[:, 0] - down[:, 0]) / n[0] - (up[:, 1] - down[:, 1]) / n[1]
    low, high = np.maximum(middle - reach, -2), np.minimum(middle + reach, 2)
    return np.minimum(low, estimate), np.maximum(high, estimate)


def idi_ends(changes: tuple[Array, Array], method: str) -> tuple[Array, Array]:
    """Interval of the IDI from what changed in events and in nonevents, a line per sample."""
    sizes = [each.shape[1] for each in changes]
    one, two = (each.var(axis=1, ddof=1) / n for each, n in zip(changes, sizes, strict=True))
    middle = changes[0].mean(axis=1) - changes[1].mean(axis=1)
    df = (one + two) ** 2 / (one**2 / (sizes[0] - 1) + two**2 / (sizes[1] - 1))
    reach = np.sqrt(one + two) * (Z if method == "wald" else stdtrit(df, 0.975))
    return middle - reach, middle + reach


def coverage(n: int, prevalence: float, model: str, repeats: int, rng: np.random.Generator) -> dict[str, list[float]]:
    """Share of intervals that hold the truth, for each column and method."""
    people, sizes = Population.of(prevalence, model), class_sizes(n, prevalence)
    sides = [np.flatnonzero(people.y), np.flatnonzero(~people.y)]
    found: dict[str, list[float]] = {}
    for column in COLUMNS[:2]:
        moved = people.moved(any_change=column == COLUMNS[0])
        shares = [[float(np.mean(moved[side] == way)) for way in (1, -1)] for side in sides]
        drawn = [
            rng.multinomial(size, [*part, max(1 - sum(part), 0.0)], repeats)
            for size, part in zip(sizes, shares, strict=True)
        ]
        up, down = (np.column_stack([each[:, way] for each in drawn]) for way in (0, 1))
        truth = moved[sides[0]].mean() - moved[sides[1]].mean()
        found[column] = [_held(nri_ends(up, down, sizes, method), truth) for method in METHODS[column]]
    change = people.new - people.old
    truth = change[sides[0]].mean() - change[sides[1]].mean()
    held = np.zeros(2)
    for _ in range(0, repeats, 500):
        changes = tuple(
            change[side[rng.integers(0, side.size, (500, size))]] for side, size in zip(sides, sizes, strict=True)
        )
        held += [_held(idi_ends(changes, method), truth) for method in METHODS["IDI"]]  # type: ignore[arg-type]
    found["IDI"] = list(held / (repeats / 500))
    return found


def _held(ends: tuple[Array, Array], truth: float) -> float:
    return float(np.mean((ends[0] <= truth + 1e-12) & (truth - 1e-12 <= ends[1])))


def main(repeats: int = 4000) -> str:
    """The table of docs/reclassification.md."""
    header = [
        "rows",
        "events",
        "new model",
        *(f"{column}, {method}" for column in COLUMNS for method in METHODS[column]),
    ]
    lines = [f"| {' | '.join(header)} |", "| --- " * len(header) + "|"]
    for n, prevalence in CELLS:
        for number, model in enumerate(MODELS):
            rng = np.random.default_rng([5, n, int(100 * prevalence), number])
            found = coverage(n, prevalence, model, repeats, rng)
            cells = [f"{share:.1%}" for column in COLUMNS for share in found[column]]
            lines.append(f"| {' | '.join([str(n), str(class_sizes(n, prevalence)[0]), model, *cells])} |")
            print(lines[-1], flush=True)
    return "\n".join(lines)


if __name__ == "__main__":
    print(main(int(sys.argv[1]) if len(sys.argv) > 1 else 4000))
