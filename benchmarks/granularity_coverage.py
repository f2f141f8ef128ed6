"""How often does [low, up] hold the true AUC? Beside DeLong's 95% interval; prints the table of docs/granularity.md."""

from __future__ import annotations

import math

import numpy as np
from scipy.stats import norm

import rocsteady as rs

REPEATS, SEED = 2000, 11
DELTAS = (0.01, 0.02, 0.05)
GAP, SPREAD = 0.2, 0.2
TRUE_AUC = float(norm.cdf(GAP / (SPREAD * math.sqrt(2))))


def sample(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """n positives and n negatives of the binormal model of the paper's figure 3."""
    y = np.repeat([1, 0], n)
    return y, np.concatenate([rng.normal(0.65, SPREAD, n), rng.normal(0.45, SPREAD, n)])


def delong_holds(y: np.ndarray, s: np.ndarray) -> bool:
    """Whether the Wald interval with DeLong's variance holds the true AUC."""
    above = (s[y == 1][:, None] > s[y == 0]).astype(float)
    by_positive, by_negative = above.mean(axis=1), above.mean(axis=0)
    variance = by_positive.var(ddof=1) / by_positive.size + by_negative.var(ddof=1) / by_negative.size
    return bool(abs(above.mean() - TRUE_AUC) <= 1.959963984540054 * math.sqrt(variance))


def main() -> None:
    print(f"true AUC {TRUE_AUC:.4f}, {REPEATS} samples each, share of samples whose interval holds it")
    print("| positives = negatives | " + " | ".join(f"[low, up], delta = {d:g}" for d in DELTAS) + " | DeLong 95% |")
    print("|" + "---|" * (len(DELTAS) + 2))
    for n in (25, 100, 400):
        rng = np.random.default_rng(SEED)
        hits = np.zeros(len(DELTAS) + 1)
        for _ in range(REPEATS):
            y, s = sample(rng, n)
            ranked = rs.rank(y, s)
            hits[:-1] += [rs.low_auc(ranked, delta=d) <= TRUE_AUC <= rs.up_auc(ranked, delta=d) for d in DELTAS]
            hits[-1] += delong_holds(y, s)
        print(f"| {n} | " + " | ".join(f"{share:.1%}" for share in hits / REPEATS) + " |")


if __name__ == "__main__":
    main()
