"""The default interval of the AUC on settings that its rule was not chosen on: tables of docs/coverage.md."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

from scipy.special import ndtri

from benchmarks.coverage_batches import measured
from benchmarks.coverage_kit import coverage, stream, table

if TYPE_CHECKING:
    import numpy as np

    from benchmarks.coverage_kit import Array, Effort

SIZES = ((3, 27), (5, 25), (16, 4), (12, 108), (25, 475))
AREAS = (0.6, 0.8, 0.95, 0.99)
SHAPES = ("exponential", "mirrored exponential", "sd 2", "sd 1/2", "mixture")
REACHED = 0.93


def drawn(shape: str, area: float, sizes: tuple[int, int], rng: np.random.Generator, count: int) -> tuple[Array, Array]:
    """Scores of positives and of negatives, a sample in each line, whose population has this AUC."""
    pos, neg = (count, sizes[0]), (count, sizes[1])
    odds = area / (1 - area)
    if shape == "exponential":  # P(X > Y) = scale of X over the sum of scales
        return rng.exponential(odds, pos), rng.exponential(1.0, neg)
    if shape == "mirrored exponential":
        return -rng.exponential(1.0, pos), -rng.exponential(odds, neg)
    if shape == "mixture":  # some positives are like negatives, the others stand far above
        far = rng.random(pos) > 2 * (1 - area)
        return rng.standard_normal(pos) + 100.0 * far, rng.standard_normal(neg)
    spread = 2.0 if shape == "sd 2" else 0.5
    gap = math.hypot(1, spread) * float(ndtri(area))
    return rng.standard_normal(pos) * spread + gap, rng.standard_normal(neg)


@dataclass(frozen=True)
class Found:
    """Coverage by method, and the mean width of auto over that of logit where both have one."""

    shares: dict[str, float]
    wider: float

    @property
    def best_other(self) -> float:
        return max(share for method, share in self.shares.items() if method != "auto")


@cache
def found(effort: Effort) -> dict[tuple[tuple[int, int], str, float], Found]:
    return {
        (sizes, shape, area): _measured(shape, area, sizes, effort.analytic)
        for sizes in SIZES
        for shape in SHAPES
        for area in AREAS
    }


def _measured(shape: str, area: float, sizes: tuple[int, int], repeats: int) -> Found:
    rng = stream("holdout", shape, area, sizes)
    return Found(*measured(partial(drawn, shape, area, sizes, rng), area, sizes, repeats))


def holdout_table(effort: Effort) -> str:
    """Coverage of auto, beside it the best of all other formulas; and how much wider than logit."""
    lines = []
    for sizes in SIZES:
        for shape in SHAPES:
            each = [found(effort)[sizes, shape, area] for area in AREAS]
            cells = [f"{coverage(one.shares['auto'])} ({one.best_other:.1%})" for one in each]
            wider = [one.wider for one in each if not math.isnan(one.wider)]
            width = f"{min(wider):.2f} to {max(wider):.2f}" if wider else ""
            lines.append([sum(sizes), sizes[0], shape, *cells, width])
    return table(["n", "positives", "shape", *(f"AUC {area:g}" for area in AREAS), "width"], lines)


def holdout_text(effort: Effort) -> str:
    """How many settings keep 93% wherever any formula does."""
    each = found(effort).values()
    reachable = [one for one in each if one.best_other >= REACHED]
    kept = sum(one.shares["auto"] >= REACHED for one in reachable)
    lowest = min(one.shares["auto"] for one in each)
    return (
        f"In {len(reachable)} of {len(each)} settings some other formula reaches 93%; auto does in {kept} of these, "
        f"and in {sum(one.shares['auto'] >= REACHED for one in each)} of all. Its lowest share is {lowest:.1%}."
    )
