"""Do promises of rows kept by their weight hold in the population? ``python -m benchmarks.thinned_promise 1000``.

The population has two strata, of which the rarer scores higher and was drawn more often, or less: rows weigh what their
stratum was drawn too rarely. "kept" promises of rows kept with probability weight / largest weight, "unweighted" of all
rows as if they were a plain sample. Strata are drawn by chance or in fixed numbers.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import norm

import rocsteady as rs
from rocsteady.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

RARE, SHIFT, PREVALENCE = 0.2, 1.0, 0.3
DESIGNS = ((600, 0.5), (600, 0.05))  # rows, and the share of the rare stratum among them
PROMISES: tuple[tuple[str, dict[str, float]], ...] = (
    ("fpr", {"at_most": 0.1}),
    ("recall", {"at_least": 0.8}),
    ("precision", {"at_least": 0.6}),
)


def draw(rows: int, share: float, fixed: bool, rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """Labels, scores and weights of one sample."""
    rare = np.arange(rows) < rows * share if fixed else rng.random(rows) < share
    y = rng.random(rows) < PREVALENCE
    score = rng.normal(size=rows) + 2 * y + SHIFT * rare
    return y, score, np.where(rare, RARE / share, (1 - RARE) / (1 - share))


def true_rate(rate: str, threshold: float) -> float:
    """Of the population, above a threshold."""
    fpr, tpr = (
        sum(part * norm.sf(threshold, loc=mean + shift) for part, shift in ((RARE, SHIFT), (1 - RARE, 0.0)))
        for mean in (0.0, 2.0)
    )
    found = {"fpr": fpr, "recall": tpr}
    called = PREVALENCE * tpr + (1 - PREVALENCE) * fpr
    return float(found.get(rate, PREVALENCE * tpr / called if called else 1.0))


def shares(rows: int, share: float, fixed: bool, promise: tuple[str, dict[str, float]], samples: int) -> list[float]:
    """How often the promise was broken of rows kept and of all rows, and how often it was refused of rows kept."""
    rng, (rate, bound), broken, refused = np.random.default_rng(3), promise, [0, 0], 0
    for _ in range(samples):
        y, score, weight = draw(rows, share, fixed, rng)
        kept = rng.random(rows) < weight / weight.max()
        for which, some in enumerate((kept, np.ones(rows, dtype=bool))):
            try:
                found = rs.threshold_guarantee(y[some], score[some], rate, **bound)
            except InputError:
                refused += which == 0
                continue
            true = true_rate(rate, float(found.threshold))
            broken[which] += true > bound["at_most"] if "at_most" in bound else true < bound["at_least"]
    return [count / samples for count in (*broken, refused)]


def table(samples: int) -> Iterator[str]:
    """The table of docs/operating_point.md."""
    yield "| promise | rows | of the rare fifth | strata drawn | broken, kept | broken, unweighted | refused, kept |"
    yield "|--|--:|--:|--|--:|--:|--:|"
    for promise in PROMISES:
        for rows, share in DESIGNS:
            for fixed in (False, True):
                rate, ((side, bound),) = promise[0], promise[1].items()
                cells = " | ".join(f"{each:.1%}" for each in shares(rows, share, fixed, promise, samples))
                drawn = "in fixed numbers" if fixed else "by chance"
                yield f"| {rate} {side.replace('_', ' ')} {bound} | {rows} | {share:.0%} | {drawn} | {cells} |"


if __name__ == "__main__":
    for line in table(int(sys.argv[1]) if len(sys.argv) > 1 else 1000):
        print(line, flush=True)
