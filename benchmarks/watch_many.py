"""Many segments, and early labels that stand for late ones: false alarms and delays over simulated years.

Segments are watched by week. Early labels: rows whose score agrees with their label have it within a week with a
probability of 95%, the hardest with 25%, all within 60 days. Run: ``python -m benchmarks.watch_many [years]``.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import norm

from benchmarks.watch_promises import Years, agreed, alarms, of_areas, of_change, placed, rates
from benchmarks.watch_simulation import ALPHA, CHANGE, DAYS
from benchmarks.watch_simulation import evidence as changed
from rocsteady._src.designs.watch.day_counts import DayCounts, Plan, day_sums
from rocsteady._src.designs.watch.delays import learned, weighed
from rocsteady._src.designs.watch.discoveries import discovered
from rocsteady._src.designs.watch.stream import How

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Counts = list[NDArray[np.int64]]

SEED, SEGMENTS, WEEKS, BEFORE, HURT, AT_ONCE = 262626, 50, 52, 12, 10, 20
REFERENCE, WAIT, ALL_COME = 40, 7, 60
FIVE = (np.array((0.05, 0.1, 0.2, 0.25, 0.4)), np.array((0.4, 0.25, 0.2, 0.1, 0.05)))
EDGES = np.linspace(-2.0, 3.0, 9)
TEN = tuple(np.diff(norm.cdf(EDGES - shift), prepend=0, append=1) for shift in (1.19, 0.0))
IN_TIME = np.linspace(0.25, 0.95, 10), np.linspace(0.95, 0.25, 10)  # of positives and negatives, by score


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


def labels(rng: np.random.Generator, years: int, drop: float = 0.0, slower: float = 1.0) -> tuple[Counts, Counts]:
    """Rows of both classes by year, day and score, and those of them whose labels come within a week."""
    day = np.arange(REFERENCE + DAYS)
    late = day >= REFERENCE + CHANGE
    pos = np.where(late[:, None], worse(TEN, drop), TEN[0])
    whole = [rng.multinomial(n, each, size=(years, day.size)) for n, each in ((50, pos), (150, TEN[1]))]
    shares = [np.where(late[:, None] & (each >= 0.6), slower * each, each) for each in IN_TIME]
    return whole, [rng.binomial(rows, share) for rows, share in zip(whole, shares, strict=True)]


def weighed_years(whole: Counts, early: Counts) -> Years:
    """Areas of early labels with weights that each year learns from its reference, by the package."""
    scores, zero, first = np.arange(10.0), np.zeros(10), []
    weights = np.empty((2, len(whole[0]), 1, 10))
    for year in range(len(whole[0])):
        rows, soon = ([each[year, :REFERENCE].sum(axis=0).astype(float) for each in part] for part in (whole, early))
        delays = learned([DayCounts(scores, rows[0], rows[1], zero, early=DayCounts(scores, soon[0], soon[1], zero))])
        ones = weighed(DayCounts(scores, zero + 1, zero + 1, zero), delays)
        weights[:, year, 0] = ones.pos, ones.neg
        if not year:
            first = [_day(scores, delays, *(part[0, day] for part in early)) for day in range(REFERENCE + DAYS)]
    one = [rows * weight for rows, weight in zip(early, weights, strict=True)]
    two = [rows * weight**2 for rows, weight in zip(early, weights, strict=True)]
    return of_areas(*placed(one, two), first)


def _day(scores: Array, delays: Any, pos: Any, neg: Any) -> Any:
    rows = DayCounts(scores, pos.astype(float), neg.astype(float), np.zeros(10))
    return day_sums("", weighed(rows, delays), Plan(None, probabilities=False, edges=(), weighted=True))


def first_day(found: Array) -> Array:
    """The day of the first alarm, infinite where there is none."""
    over = found >= 1 / ALPHA
    return np.where(over.any(axis=1), over.argmax(axis=1), np.inf)


def early_labels(years: int) -> None:
    """False alarms, delays after a drop of 0.04, and what happens when labels of easy rows come later than before."""
    whole, early = labels(np.random.default_rng([SEED, 3]), years)
    made = weighed_years(whole, early)
    agreed("auc", [made], How(ALPHA, 0.95), of_change)
    area = placed([each.astype(float) for each in early], [each.astype(float) for each in early])[0].mean()
    odds = made.value[:, :1]
    shown = float((1 / (1 + np.exp(-odds))).mean())
    truth = float(TEN[0] @ (np.cumsum(TEN[1]) - TEN[1] / 2))
    print(f"\nAUC {truth:.3f}; of early labels alone {area:.3f}; weighted {shown:.3f}")
    print(f"False alarms of early labels, 365 looks: {int(alarms([made]).sum())} of {years:,} years\n", flush=True)
    few = max(years // 10, 10)
    whole, early = labels(np.random.default_rng([SEED, 4]), few, drop=0.04)
    plain = [each.astype(float) for each in whole]
    ways = {
        "early, matures 7": (weighed_years(whole, early), WAIT),
        "all labels, matures 60": (of_areas(*placed(plain, plain), []), ALL_COME),
    }
    print("| way | seen | median days from the drop to the alarm | nine of ten by |\n|---|---|---|---|")
    for name, (made, waits) in ways.items():
        day = first_day(of_change(made)) - CHANGE + 1 + waits
        ends = [
            f"{each:.0f}" if np.isfinite(each) else "not seen" for each in np.quantile(day, (0.5, 0.9), method="higher")
        ]
        print(f"| {name} | {int(np.isfinite(day).sum())} of {few} | {ends[0]} | {ends[1]} |", flush=True)
    whole, early = labels(np.random.default_rng([SEED, 5]), few, slower=0.7)
    false = alarms([weighed_years(whole, early)])
    came, rows = (np.sum([each.sum(axis=2) for each in part], axis=0).astype(float) for part in (early, whole))
    cells = np.stack([came, 0 * came, rows - came, 0 * came])
    told = alarms([rates("prevalence", cells, side) for side in (1, -1)])
    told_of = f"alarms in {int(false.sum())} of {few} years, the remark that delays changed in {int(told.sum())}"
    print(f"\nLabels of easy rows come within a week 0.7 times as often from day 100 on: {told_of},")
    print(f"and in {int((told & false).sum())} of those with an alarm")


def main() -> None:
    """Print all tables."""
    years = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    start = time.process_time()
    segments(years)
    early_labels(years)
    print(f"\n{years:,} years; {time.process_time() - start:.0f} s of one processor")


if __name__ == "__main__":
    main()
