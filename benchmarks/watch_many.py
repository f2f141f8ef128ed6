"""Many segments that are watched by week: false alarms and delays over simulated years.

Run: ``python -m benchmarks.watch_many [years]``.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.watch_promises import of_areas, placed
from benchmarks.watch_simulation import ALPHA
from benchmarks.watch_simulation import evidence as changed
from rocsteady._src.designs.watch.discoveries import discovered

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

SEED, SEGMENTS, WEEKS, BEFORE, HURT, AT_ONCE = 262626, 50, 52, 12, 10, 20
FIVE = (np.array((0.05, 0.1, 0.2, 0.25, 0.4)), np.array((0.4, 0.25, 0.2, 0.1, 0.05)))


def worse(shares: Any, drop: float) -> Any:
    """Positives mixed with negatives until the area is so much lower."""
    pos, neg = shares
    auc = float(pos @ (np.cumsum(neg) - neg / 2))
    return pos + drop / (auc - 0.5) * (neg - pos)


def segment_years(rng: np.random.Generator, years: int, drop: float) -> Array:
    """Evidence by year, segment and week; the first segments drop in the thirteenth week of the watch."""
    found = []
    hurt = np.zeros((SEGMENTS, BEFORE + WEEKS), dtype=bool)
    hurt[:HURT, 2 * BEFORE :] = drop > 0
    shares = np.where(hurt[:, :, None], worse(FIVE, drop), FIVE[0])
    for start in range(0, years, AT_ONCE):
        n = min(AT_ONCE, years - start)
        pos = rng.multinomial(40, shares, size=(n, SEGMENTS, BEFORE + WEEKS)).reshape(-1, BEFORE + WEEKS, 5)
        neg = rng.multinomial(120, FIVE[1], size=(n * SEGMENTS, BEFORE + WEEKS))
        both = [pos.astype(float), neg.astype(float)]
        made = of_areas(*placed(both, both), [], n_reference=BEFORE)
        found.append(changed(made.value, made.variance, made.slope).reshape(n, SEGMENTS, WEEKS))
    return np.concatenate(found)


def segments(years: int) -> None:
    """Years with an alarm of any segment where nothing changes; and how soon those that drop are in alarm."""
    half = ALPHA / 2
    found = segment_years(np.random.default_rng([SEED, 1]), years, 0.0)
    alone, family = ((found >= limit).any(axis=(1, 2)).sum() for limit in (1 / ALPHA, SEGMENTS / half))
    shared = sum(bool(discovered(each, half)[0].any()) for each in found)
    print("| rule | years with an alarm of any of 50 segments | at most promised |\n|---|---|---|")
    print(f"| every segment by itself at 0.05 | {alone} of {years:,} | none: 0.05 of each |")
    print(f"| familywise | {family} of {years:,} | {half * years:.0f} |")
    print(f"| fdr | {shared} of {years:,} | {half * years:.0f} |", flush=True)
    years = max(years // 5, 10)
    found = segment_years(np.random.default_rng([SEED, 2]), years, 0.08)
    ever = np.maximum.accumulate(found >= SEGMENTS / half, axis=2)
    now = np.array([discovered(each, half)[0] for each in found])
    print("\n| rule | in alarm after 8 weeks | 16 weeks | 40 weeks | false share of alarms, worst week | promised |")
    print("|---|---|---|---|---|---|")
    for name, each in (("familywise", ever), ("fdr", now)):
        seen = [f"{each[:, :HURT, BEFORE + week - 1].mean():.2f}" for week in (8, 16, 40)]
        total = np.maximum(each.sum(axis=1), 1)
        false = (each[:, HURT:].sum(axis=1) / total).mean(axis=0).max()
        most = f"{half:.3f}" if name == "fdr" else "no false one in 97.5%"
        print(f"| {name} | {' | '.join(seen)} | {false:.4f} | {most} |", flush=True)


def main() -> None:
    """Print both tables."""
    years = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    start = time.process_time()
    segments(years)
    print(f"\n{years:,} years; {time.process_time() - start:.0f} s of one processor")


if __name__ == "__main__":
    main()
