"""Does the interval of a largest gap between groups hold? ``python -m benchmarks.gap_levels`` prints the table.

Shares of rows in groups of one size, all alike or one apart; beside it the percentile bootstrap of the same gap.
"""

from __future__ import annotations

import numpy as np

from rocsteady._src.evaluation.groups.gaps import homogeneity, largest_gap_ends, shares_of

SAMPLES, RESAMPLES, SEED = 1000, 400, 19
CASES = [(k, n, p, gap) for k in (3, 6) for n in (20, 100) for p, gap in ((0.5, 0.0), (0.8, 0.0), (0.8, 0.3))]


def levels(k: int, n: int, share: float, gap: float) -> tuple[float, float, float]:
    """Share of samples in which the interval held, in which the percentile bootstrap did, and p below 0.05."""
    rng = np.random.default_rng(SEED)
    truth = np.full(k, share)
    truth[0] -= gap
    held = plain = rejected = 0
    for _ in range(SAMPLES):
        hits = rng.binomial(n, truth)
        known = shares_of(np.column_stack([hits, np.full(k, n)]).astype(float), 0.95)
        low, high = largest_gap_ends(known.centre, known.joint_se, 0.95)
        drawn = np.ptp(rng.binomial(n, hits / n, size=(RESAMPLES, k)), axis=1) / n
        ends = np.quantile(drawn, (0.025, 0.975))
        held += low <= gap <= high
        plain += ends[0] <= gap <= ends[1]
        rejected += homogeneity(known)[1] <= 0.05
    return held / SAMPLES, plain / SAMPLES, rejected / SAMPLES


if __name__ == "__main__":
    print("| groups | rows of each | share | gap of one | interval | percentile bootstrap | test at 5% rejects |")
    print("|---|---|---|---|---|---|---|")
    for case in CASES:
        found = levels(*case)
        print(f"| {' | '.join(map(str, case))} | {' | '.join(f'{100 * each:.1f}%' for each in found)} |")
