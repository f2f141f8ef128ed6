"""How often does the 95% interval of a gap between two shares hold? Exactly, over all counts.

``python -m benchmarks.share_gap_coverage`` rewrites benchmarks/results/share_gap_coverage.csv.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import binom

from rocsteady._src.inference.intervals.two_shares import ShareDifference

if TYPE_CHECKING:
    from collections.abc import Iterator

RESULTS = Path(__file__).parent / "results" / "share_gap_coverage.csv"
COLUMNS = ("rows", "rest", "share", "share_of_rest", "coverage", "mean_width", "false_rate")
SIZES = ((10, 10), (10, 90), (20, 20), (20, 180), (50, 50), (50, 150))
SHARES = ((0.5, 0.5), (0.8, 0.8), (0.95, 0.95), (0.5, 0.8), (0.8, 0.5), (0.95, 0.8))
RARE = 1e-6  # counts that are rarer together are left out


def lines() -> Iterator[list[str]]:
    """A line for each cell: coverage, mean width, and how often the interval excludes 0 where shares are alike."""
    for n, m in SIZES:
        ends = np.full((n + 1, m + 1, 2), np.nan)
        for one, two in SHARES:
            chance = np.outer(binom.pmf(range(n + 1), n, one), binom.pmf(range(m + 1), m, two))
            for hits, others in np.argwhere((chance > RARE) & np.isnan(ends[..., 0])).tolist():
                ends[hits, others] = ShareDifference((hits, n), (others, m)).ends(0.95)
            kept = chance > RARE
            low, high, chance = ends[kept, 0], ends[kept, 1], chance[kept] / chance[kept].sum()
            held, apart = (low <= one - two) & (one - two <= high), (low > 0) | (high < 0)
            false = f"{chance @ apart:.4f}" if one == two else ""
            yield [str(each) for each in (n, m, one, two)] + [
                f"{chance @ held:.4f}",
                f"{chance @ (high - low):.4f}",
                false,
            ]


def main(path: Path = RESULTS) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *lines()])


def read(path: Path = RESULTS) -> list[dict[str, str]]:
    """The lines of the table."""
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    main()
