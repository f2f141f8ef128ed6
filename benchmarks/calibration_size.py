"""How often do tests of calibration reject? Prints the tables of docs/calibration.md; some minutes.

Scores are drawn, then outcomes from the scores (size) or from scores bent on the logit scale (power).
"""

from __future__ import annotations

import math
import warnings

import numpy as np

from rocsteady._src.probabilities.calibration.curve import calibration_curve
from rocsteady._src.probabilities.calibration.goodness import hosmer_lemeshow
from rocsteady._src.probabilities.calibration.summary import calibration_summary
from rocsteady._src.probabilities.decisions import decision_curve

REPEATS, CURVES, RESAMPLES, SEED, LEVEL = 2000, 1000, 200, 20, 0.05
SPREADS = {"broad": (1.2, 2.0), "narrow": (12.0, 24.0), "rare events": (0.6, 11.0)}
SIZES = (100, 500, 2000)
THRESHOLDS = (0.05, 0.2, 0.5, 0.8, 0.95)
# What happens, on the logit scale, when the model says x.
BENT = {
    "too extreme: 0.7 x": lambda x: 0.7 * x,
    "too low: x + 0.4": lambda x: x + 0.4,
    "curved: x + 0.15 (x^2 - 3)": lambda x: x + 0.15 * (x * x - 3),
}
TESTS = ("U, 2 df", "in the large", "slope", "Spiegelhalter", "Hosmer-Lemeshow, df = g", "same, df = g - 2")


def draw(rng: np.random.Generator, spread: str, n: int) -> np.ndarray:
    """Scores away from 0 and 1, as a model gives them."""
    return rng.beta(*SPREADS[spread], size=n).clip(1e-4, 1 - 1e-4)


def outcomes(rng: np.random.Generator, true: np.ndarray) -> np.ndarray:
    """Outcomes of both classes."""
    while True:
        y = rng.random(true.size) < true
        if 0 < y.sum() < y.size:
            return y.astype(int)


def truth(scores: np.ndarray, bend: str | None) -> np.ndarray:
    """What happens when the model says these scores."""
    return scores if bend is None else 1 / (1 + np.exp(-BENT[bend](np.log(scores / (1 - scores)))))


def p_values(y: np.ndarray, scores: np.ndarray) -> list[float]:
    """The p of each test."""
    found = calibration_summary(y, scores)
    tests = (found.unreliability_test, found.in_the_large, found.slope, found.spiegelhalter, found.hosmer_lemeshow)
    return [*(test.pvalue for test in tests), hosmer_lemeshow(y, scores).pvalue]


def rejections(spread: str, n: int, bend: str | None = None, repeats: int = REPEATS) -> list[float]:
    """Share of samples with p < 0.05, for each test; undefined ones count as not rejected."""
    rng = np.random.default_rng(SEED)
    found = []
    for _ in range(repeats):
        scores = draw(rng, spread, n)
        found.append(p_values(outcomes(rng, truth(scores, bend)), scores))
    return (np.array(found) < LEVEL).mean(axis=0).tolist()


def coverage(n: int, bend: str | None, strategy: str, limits: str, repeats: int = CURVES) -> tuple[float, float]:
    """Share of the bins' limits that hold the truth at their mean score, and how many bins there were."""
    rng = np.random.default_rng(SEED)
    held, bins = [], 0
    for repeat in range(repeats):
        scores = draw(rng, "broad", n)
        options = {"strategy": strategy, "limits": limits, "n_resamples": RESAMPLES, "random_state": repeat}
        curve = calibration_curve(outcomes(rng, truth(scores, bend)), scores, **options)
        true = truth(curve.predicted.clip(1e-9, 1 - 1e-9), bend)
        held += ((curve.low <= true) & (true <= curve.high)).tolist()
        bins += len(curve)
    return float(np.mean(held)), bins / repeats


def benefit_coverage(n: int, intervals: str, repeats: int = REPEATS) -> list[float]:
    """Share of the limits of the net benefit that hold the truth, at each threshold."""
    rng = np.random.default_rng(SEED)
    population = draw(rng, "broad", 4_000_000)
    true = [np.mean((population >= t) * (population - t / (1 - t) * (1 - population))) for t in THRESHOLDS]
    held = np.zeros(len(THRESHOLDS))
    for repeat in range(repeats):
        scores = draw(rng, "broad", n)
        options = {"intervals": intervals, "n_resamples": RESAMPLES, "random_state": repeat}
        curve = decision_curve(outcomes(rng, scores), scores, thresholds=THRESHOLDS, **options)
        held += (curve.low["model"] <= true) & (true <= curve.high["model"])
    return (held / repeats).tolist()


def print_table(heads: tuple[str, ...], rows: list[list[str]]) -> None:
    for line in (heads, ("---",) * len(heads), *rows):
        print("| " + " | ".join(line) + " |")
    print()


def main() -> None:
    warnings.simplefilter("ignore")
    print(f"{REPEATS} samples each; standard error about {math.sqrt(LEVEL * (1 - LEVEL) / REPEATS):.3f}\n")
    size = [[spread, str(n), *(f"{share:.3f}" for share in rejections(spread, n))] for spread in SPREADS for n in SIZES]
    print_table(("scores", "rows", *TESTS), size)
    power = [[bend, *(f"{share:.2f}" for share in rejections("broad", 500, bend))] for bend in BENT]
    print_table(("truth when the model says x", *TESTS), power)
    limits = []
    for strategy, method in (("quantile", "wilson"), ("isotonic", "wilson"), ("isotonic", "bootstrap")):
        for n in SIZES:
            found = [coverage(n, bend, strategy, method) for bend in (None, next(iter(BENT)))]
            shares = [f"{share:.3f}" for share, _ in found]
            limits.append([strategy, method, str(n), f"{found[0][1]:.1f}", *shares])
    print_table(("strategy", "limits", "rows", "bins", "calibrated", "too extreme"), limits)
    benefit = []
    for intervals, repeats in (("wald", REPEATS), ("bootstrap", CURVES)):
        for n in SIZES:
            shares = benefit_coverage(n, intervals, repeats)
            benefit.append([intervals, str(n), *(f"{share:.3f}" for share in shares)])
    print_table(("intervals", "rows", *(f"at {cut:g}" for cut in THRESHOLDS)), benefit)


if __name__ == "__main__":
    main()
