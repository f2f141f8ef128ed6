"""How often do bands of smooth calibration curves hold, and how often does the belt reject?

``python -m benchmarks.smooth_calibration 500`` prints the tables of docs/calibration.md. Scores are drawn, then
outcomes from the scores or from scores bent on the logit scale. The true distances are those of the same scores.
"""

from __future__ import annotations

import sys

import numpy as np

import rocsteady as rs
from benchmarks.calibration_size import draw, outcomes, truth

SPREADS, SIZES = ("broad", "rare events"), (100, 500, 2000)
BENDS = {
    "calibrated": None,
    "too extreme": "too extreme: 0.7 x",
    "curved": "curved: x + 0.15 (x^2 - 3)",
}
METHODS = ("spline", "lowess", "belt")


def held(curve: rs.results.SmoothCalibrationCurve, scores: np.ndarray, bend: str | None) -> list[float]:
    """Mean share of points, the whole curve, ICI, E50, E90, Emax; the belt's test last."""
    true = truth(curve.predicted, bend)
    inside = (curve.low <= true) & (true <= curve.high)
    whole = (curve.band_low <= true + 1e-12) & (true <= curve.band_high + 1e-12)
    away = np.abs(truth(scores, bend) - scores)
    values = (away.mean(), *np.quantile(away, [0.5, 0.9]), away.max())
    kept = [
        each.low <= v + 1e-12 <= each.high + 2e-12 for each, v in zip(curve.distances.values(), values, strict=True)
    ]
    test = float("nan") if curve.test is None else curve.test.pvalue < 0.05
    return [inside.mean(), whole.all(), *kept, test]


def line(method: str, spread: str, n: int, bend: str, repeats: int) -> str:
    """A line of the table."""
    rng = np.random.default_rng([n, len(spread), len(bend)])
    found, refused = [], 0
    for _ in range(repeats):
        scores = draw(rng, spread, n)
        y = outcomes(rng, truth(scores, BENDS[bend]))
        try:
            found.append(held(rs.calibration_curve(y, scores, method=method), scores, BENDS[bend]))
        except rs.InputError:
            refused += 1
    shares = 100 * np.mean(found, axis=0) if found else np.full(7, np.nan)
    cells = " | ".join("-" if np.isnan(value) else f"{value:.1f}" for value in shares)
    return f"| {method} | {spread} | {n} | {bend} | {cells} | {100 * refused / repeats:.1f} |"


def main() -> None:
    """Print the table."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    sizes = tuple(map(int, sys.argv[2:])) or SIZES
    print("| curve | scores | rows | truth | points | whole curve | ICI | E50 | E90 | Emax | belt rejects | refused |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    for n in sizes:
        for spread in SPREADS:
            for bend in BENDS:
                for method in METHODS:
                    print(line(method, spread, n, bend, repeats), flush=True)


if __name__ == "__main__":
    main()
