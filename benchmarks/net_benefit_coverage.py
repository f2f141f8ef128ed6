"""Comparisons of two models by Brier score: ``python -m benchmarks.net_benefit_coverage 4000``.

Those by net benefit are in ``net_benefit_events``, on the same rows.

Rows have the log-odds a + 1.5 x + 1.5 z with standard normal x and z, and a such that a given share is positive. A
model that sees x says the share of positives among rows of that x; one that sees z is alike, one that sees both is
better. So all are calibrated, and true net benefits and Brier scores are integrals over a grid of quantiles.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, ndtri

import rocsteady as rs

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZES = (50, 200, 1000)
SHARES = (0.05, 0.2, 0.5)
STEP = 1.5
GRID = ndtri((np.arange(2000) + 0.5) / 2000)


class Population:
    """Rows of which a share is positive, and what each model says of them."""

    def __init__(self, share: float) -> None:
        def off(start: float) -> float:
            return float(expit(start + STEP * GRID[:, None] + STEP * GRID).mean()) - share

        self.start = float(brentq(off, -20, 20, xtol=1e-10))
        self.thresholds = (share / 2, share, 1.5 * share)
        self.one = expit(self.start + STEP * GRID[:, None] + STEP * GRID).mean(axis=1)

    def says(self, seen: Any) -> Any:
        """What a model says that sees one of the two."""
        return np.interp(seen, GRID, self.one)

    def truths(self) -> tuple[list[float], float]:
        """Net benefit at each threshold and Brier score of the model that sees both, less those of one that sees x."""
        risk = expit(self.start + STEP * GRID[:, None] + STEP * GRID)
        one = np.broadcast_to(self.one[:, None], risk.shape)
        gains = [risk - (1 - risk) * at / (1 - at) for at in self.thresholds]
        worth = [
            float((gain * (risk >= at)).mean() - (gain * (one >= at)).mean())
            for gain, at in zip(gains, self.thresholds, strict=True)
        ]
        return worth, float((risk * (1 - risk)).mean() - (one * (1 - one)).mean())

    def drawn(self, n: int, rng: np.random.Generator) -> tuple[Any, Any, Any, Any]:
        """Labels of n rows, and what is said by the models that see x, z and both."""
        x, z = rng.standard_normal((2, n))
        risk = expit(self.start + STEP * x + STEP * z)
        return (rng.random(n) < risk).astype(int), self.says(x), self.says(z), risk


def line(n: int, share: float, samples: int) -> str:
    """How often tests of models that are alike reject, and intervals hold the difference to a better one."""
    people, rng = Population(share), np.random.default_rng([n, round(100 * share)])
    truth = people.truths()[1]
    found: list[list[float]] = []
    while len(found) < samples:
        y, first, second, both = people.drawn(n, rng)
        if not 0 < y.sum() < n:
            continue
        alike = rs.calibration.compare_brier(y, first, second)
        better = rs.calibration.compare_brier(y, both, first)
        found.append([alike.pvalue < 0.05, better.low <= truth <= better.high, bool(better.warnings)])
    rejected, held, told = np.mean(found, axis=0)
    return f"| {n} | {share:.0%} | {rejected:.1%} | {held:.1%} | {told:.0%} |"


def table(samples: int) -> Iterator[str]:
    """The table of docs/calibration.md."""
    yield "| rows | positive | alike, Brier | held, Brier | remark, Brier |"
    yield "|--:" * 5 + "|"
    for n in SIZES:
        for share in SHARES:
            yield line(n, share, samples)


if __name__ == "__main__":
    for each in table(int(sys.argv[1])):
        print(each, flush=True)
