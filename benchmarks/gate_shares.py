"""Shares of the same rows in a gate: how often bounds err, summed over all counts, nothing drawn.

``python -m benchmarks.gate_shares [DESIGNS]``: Tango's score beside joined exact intervals of the rows that only one
model has right, in designs drawn at random (15 to 400 rows, any shares of rows that differ); then what the second cost
in power. The intervals are written out here once more and not taken from the package.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import gammaln, ndtri, xlogy
from scipy.stats import beta, multivariate_normal

from benchmarks.gate_simulation import World
from rocsteady._src.inference.paired.difference import tango_score

if TYPE_CHECKING:
    from collections.abc import Iterator

TAILS = (0.05, 0.025, 0.0125, 0.005)
SIZES = (15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 400)
ROUNDING = 1e-12


def of_recall(world: World, fpr: float) -> tuple[int, float, float]:
    """Positives, and the shares of them that only the candidate and only the baseline calls positive."""
    old, new = world.at_fpr(fpr)
    spread = [[1, world.correlation], [world.correlation, 1]]
    both = float(multivariate_normal([0, 0], spread).cdf(world.means - ndtri(1 - fpr)))
    return round(world.n * world.share), float(new) - both, float(old) - both


def chances(total: int, first: float, second: float) -> Any:
    """How likely every pair of counts is: rows that only the first model has right, and only the second."""
    k = np.arange(total + 1)
    rest = np.maximum(total - k[:, None] - k, 0)
    ways = gammaln(total + 1) - gammaln(k + 1)[:, None] - gammaln(k + 1) - gammaln(rest + 1)
    logs = xlogy(k, first)[:, None] + xlogy(k, second) + xlogy(rest, max(1 - first - second, 0.0))
    return np.where(k[:, None] + k <= total, np.exp(ways + logs), 0.0)


@lru_cache(maxsize=64)
def joined(total: int, tail: float) -> tuple[Any, Any]:
    """Lower and upper bounds of every pair of counts."""
    k = np.arange(total + 1)
    p, low, high = k / total, np.zeros(total + 1), np.ones(total + 1)
    low[1:], high[:-1] = beta.ppf(tail, k[1:], total - k[1:] + 1), beta.ppf(1 - tail, k[:-1] + 1, total - k[:-1])
    odds, common = np.sqrt(p[:-1] / (1 - p[:-1])), np.ones((total + 1, total + 1))
    common[:-1, :-1] = np.minimum(np.outer(odds, odds), 1.0)
    (below, above), gap = (p - low, high - p), p[:, None] - p
    down = np.sqrt(below[:, None] ** 2 + above**2 + 2 * common * np.outer(below, above))
    up = np.sqrt(above[:, None] ** 2 + below**2 + 2 * common * np.outer(above, below))
    return gap - down, gap + up


def shown(total: int, first: float, second: float, tail: float = 0.05, limit: float | None = None) -> Any:
    """How often a pass and a fail are shown, by the score and by joined exact intervals; at the true difference."""
    at, often, k = first - second if limit is None else limit, chances(total, first, second), np.arange(total + 1)
    score, reach = tango_score(k[:, None], k, total, at), -ndtri(tail)
    low, high = joined(total, tail)
    rules = ((score > reach, score < -reach), (low > at + ROUNDING, high < at - ROUNDING))
    return np.array([[often[each].sum() for each in both] for both in rules])


def exactly_of_pairs(world: World, fpr: float) -> str:
    """How often recalls of the same rows err at their margin."""
    return " | ".join(f"{float(each):.1%}" for each in shown(*of_recall(world, fpr))[1])


def designs(n: int) -> Iterator[str]:
    """The largest errors, and how many designs have more than was promised."""
    yield "| promised | by the score: highest | above | by joined exact intervals: highest | above |"
    yield "|--:|--:|--:|--:|--:|"
    rng, found = np.random.default_rng(7), []
    for _ in range(n):
        total, differ, part = int(rng.choice(SIZES)), np.exp(rng.uniform(np.log(0.01), np.log(0.99))), rng.random()
        found.append([shown(total, differ * part, differ * (1 - part), tail) for tail in TAILS])
    for tail, rates in zip(TAILS, np.moveaxis(np.array(found), 1, 0), strict=True):
        worst = rates.max(axis=2)
        told = (f"{worst[:, rule].max():.2%} | {(worst[:, rule] > tail).mean():.1%}" for rule in (0, 1))
        yield f"| {tail:.2%} | {' | '.join(told)} |"


def power() -> Iterator[str]:
    """Candidates as good as the baseline: how often each rule passes them."""
    yield "| positives | margin | pass by the score | pass by joined exact intervals |"
    yield "|--:|--:|--:|--:|"
    for n, share in ((500, 0.1), (200, 0.5), (2000, 0.1)):
        total, first, second = of_recall(World(n, share, (0.88, 0.85), 0.7), 0.1)
        alike = (first + second) / 2
        for margin in (0.075, 0.15):
            score, exact = shown(total, alike, alike, limit=-margin)[:, 0]
            yield f"| {total} | {margin} | {score:.1%} | {exact:.1%} |"


def main(wanted: list[str]) -> None:
    n = next((int(each) for each in wanted if each.isdigit()), 2000)
    for line in (*designs(n), "", *power()):
        print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
