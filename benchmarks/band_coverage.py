"""How often do bands hold the true ROC curve? Prints the table of docs/bands.md: python -m benchmarks.band_coverage."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import norm

import rocsteady as rs
from rocsteady.uncertainty.bands import METHODS, RESAMPLED, roc_band

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SEED, RESAMPLES = 5, 500
SIZES, PREVALENCES, AREAS, STEPS = (50, 200, 1000), (0.5, 0.1), (0.7, 0.9), (0.0, 0.5)
PLACES = np.array([0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9])
# Where each data set has an answer: the whole curve, also between the points of the data.
FINE = np.concatenate([np.geomspace(1e-4, 0.01, 20), np.linspace(0.011, 0.989, 200), 1 - np.geomspace(0.01, 1e-4, 20)])


@dataclass(frozen=True)
class Truth:
    """Negatives N(0, 1) and positives N(mean, 1), rounded to ``step`` unless it is 0."""

    size: int
    prevalence: float
    area: float
    step: float

    @property
    def mean(self) -> float:
        return float(np.sqrt(2) * norm.ppf(self.area))

    def sample(self, rng: np.random.Generator) -> rs.RankedScores:
        n_pos = round(self.size * self.prevalence)
        y = np.arange(self.size) < n_pos
        s = rng.normal(size=self.size) + self.mean * y
        return rs.rank(y, np.round(s / self.step) * self.step if self.step else s)

    def rates(self, threshold: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        edge = threshold - self.step / 2
        return norm.sf(edge), norm.sf(edge - self.mean)

    def roc(self, fpr: np.ndarray) -> np.ndarray:
        if not self.step:
            return norm.sf(norm.isf(fpr) - self.mean)
        points = self.rates(np.arange(12, -9, -1) * self.step)
        return np.interp(fpr, *points)


def held(truth: Truth, ranked: rs.RankedScores, method: str, seed: int) -> float:
    """Share of places that a pointwise band holds; 1 or 0 for the whole curve."""
    if method == "threshold":
        return thresholds_held(truth, roc_band(ranked, method=method))
    at = PLACES if method == "pointwise" else FINE
    band = roc_band(ranked, method=method, fpr=at, n_resamples=RESAMPLES, random_state=seed)
    true = truth.roc(at)
    inside = (band.low <= true + 1e-12) & (true <= band.high + 1e-12)
    return float(inside.mean() if method == "pointwise" else inside.all())


def thresholds_held(truth: Truth, band: rs.results.RocBand) -> float:
    """At thresholds fixed beforehand, both rates; the band in force is that of the next score above or at it."""
    cuts = np.array([-0.5, 0.0, 0.5, 1.0, 1.5])
    at = np.array([np.flatnonzero(band.thresholds >= cut)[-1] for cut in cuts])
    at = at[np.isfinite(band.thresholds[at])]
    fpr, tpr = truth.rates(cuts[: at.size])
    sides = ((band.fpr_low[at], fpr, band.fpr_high[at]), (band.low[at], tpr, band.high[at]))
    return float(np.mean([(low <= true) & (true <= high) for low, true, high in sides]))


def coverage(truth: Truth, method: str, repeats: int) -> tuple[float, int]:
    """Mean over data sets that have such a band, and how many have none."""
    rng = np.random.default_rng(SEED)
    found, refused = [], 0
    for seed in range(repeats):
        try:
            found.append(held(truth, truth.sample(rng), method, seed))
        except rs.InputError:
            refused += 1
    return float(np.mean(found)), refused


def lines(methods: list[str], repeats: Callable[[str], int]) -> Iterator[str]:
    yield "| rows | positives | AUC | ties | " + " | ".join(methods) + " |"
    yield "|" + "---|" * (len(methods) + 4)
    for size, prevalence, area, step in product(SIZES, PREVALENCES, AREAS, STEPS):
        truth = Truth(size, prevalence, area, step)
        cells = []
        for method in methods:
            share, refused = coverage(truth, method, repeats(method))
            cells.append(f"{share:.1%}" + (f" ({refused / repeats(method):.0%} none)" if refused else ""))
        start = f"| {size} | {round(size * prevalence)} | {area} | {'yes' if step else 'no'} | "
        yield start + " | ".join(cells) + " |"


def main(repeats: int = 1000, resampled_repeats: int = 300, methods: list[str] | None = None) -> None:
    for line in lines(methods or list(METHODS), lambda m: resampled_repeats if m in RESAMPLED else repeats):
        print(line, flush=True)


if __name__ == "__main__":
    main(*(int(count) for count in sys.argv[1:3]), methods=sys.argv[3:] or None)
