"""False alarms of a watch over simulated years of daily looks, and the delay until a drop of 0.02 in AUC is seen.

A year is 365 daily looks, with a reference of its own, whose error is a part of the promise. Scores are drawn from two
normal distributions. Years are computed side by side; the first of each setting is computed by ``watch_stream`` of the
package too, and must agree. Run: ``python -m benchmarks.watch_simulation [years]``; docs/watch.md has its output.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import norm

from rocsteady._src.designs.watch.day_counts import DaySums
from rocsteady._src.designs.watch.evidence import SIZES, start_weights
from rocsteady._src.designs.watch.measures import WATCHED
from rocsteady._src.designs.watch.stream import How, watch_stream

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

DAYS, CHANGE, DROP, THRESHOLD, SEED, ALPHA = 365, 100, 0.02, 1.0, 26, 0.05
CELLS = 500_000  # scores drawn at a time
AT_ONCE = 20  # years
SETTINGS = (  # AUC, positives and negatives a day, days of the reference
    (0.80, 50, 150, 40),
    (0.80, 10, 90, 60),
    (0.80, 2, 50, 90),
    (0.95, 20, 100, 60),
    (0.97, 10, 100, 60),
    (0.60, 20, 20, 60),
)
DROPS = ((0.80, 200, 800, 30), SETTINGS[0], SETTINGS[1], SETTINGS[3])


@dataclass(frozen=True, slots=True)
class Drawn:
    """By year and day: areas, squared distances of placements of both classes, calls of both classes."""

    area: Array
    squares_pos: Array
    squares_neg: Array
    true_pos: Array
    false_pos: Array


def drawn(rng: np.random.Generator, auc: Array, n_pos: int, n_neg: int, years: int) -> Drawn:
    """Days of many years; ``auc`` is that of each day."""
    found = []
    shift = np.tile(np.sqrt(2) * norm.ppf(auc), years)
    step = max(CELLS // (n_pos + n_neg), 1)
    is_pos = np.arange(n_pos + n_neg) < n_pos
    for start in range(0, shift.size, step):
        moved = shift[start : start + step]
        scores = rng.standard_normal((moved.size, n_pos + n_neg), dtype=np.float32)
        scores[:, :n_pos] += moved[:, None]
        labels = is_pos[np.argsort(scores, axis=1)]
        below, above = np.cumsum(~labels, axis=1) / n_neg, 1 - np.cumsum(labels, axis=1) / n_pos
        area = np.where(labels, below, 0).sum(axis=1) / n_pos
        ups, downs = (np.where(who, part, 0) for who, part in ((labels, below), (~labels, above)))
        squares = [(part**2).sum(axis=1) - n * area**2 for part, n in ((ups, n_pos), (downs, n_neg))]
        calls = [(part >= THRESHOLD).sum(axis=1) for part in (scores[:, :n_pos], scores[:, n_pos:])]
        found.append(np.array([area, *squares, *calls]))
    return Drawn(*(column.reshape(years, auc.size) for column in np.concatenate(found, axis=1)))


def sums_of(days: Drawn, year: int, n_pos: int, n_neg: int) -> list[DaySums]:
    """Days of one year as the package remembers them."""
    return [
        DaySums("", n_pos, n_neg, 0.0, a, s, t, a, a, true_pos=tp, false_pos=fp, open_called=0.0)
        for a, s, t, tp, fp in zip(
            *(getattr(days, name)[year] for name in Drawn.__slots__),  # type: ignore[attr-defined]
            strict=True,
        )
    ]


def blocked(column: Array, size: int) -> Array:
    """Sums over blocks of days; days at the end that fill none are left out."""
    whole = column.shape[1] // size * size
    total: Array = column[:, :whole].reshape(column.shape[0], -1, size).sum(axis=2)
    return total


def areas_judged(days: Drawn, n_pos: int, n_neg: int, n_reference: int, size: int) -> tuple[Array, Array, float]:
    """Log-odds of areas with variances, of the reference first, then of blocks; and the mean slope at the reference."""
    parts = [
        (column[:, :n_reference], column[:, n_reference:]) for column in (days.area, days.squares_pos, days.squares_neg)
    ]
    value = [blocked(part, length) / length for part, length in zip(parts[0], (n_reference, size), strict=True)]
    spreads = [
        [blocked(part, length) / (length * (n - 1)) for part, length in zip(pair, (n_reference, size), strict=True)]
        for pair, n in ((parts[1], n_pos), (parts[2], n_neg))
    ]
    own, known = (spreads[0][at] / n_pos + spreads[1][at] / n_neg for at in (1, 0))
    least = 0.5 / (n_pos * size * n_neg * size)
    held = [value[0], np.clip(value[1], least, 1 - least)]
    slopes = [each * (1 - each) for each in held]
    variance = np.maximum(own / size / slopes[1] ** 2, known / size / slopes[0] ** 2)
    odds = np.concatenate([np.log(each / (1 - each)) for each in held], axis=1)
    return odds, np.concatenate([known / n_reference / slopes[0] ** 2, variance], axis=1), slopes[0]


def rates_judged(days: Drawn, n_pos: int, n_reference: int, size: int) -> tuple[Array, Array, Array]:
    """The same of the recall."""
    hits = [blocked(days.true_pos[:, :n_reference], n_reference), blocked(days.true_pos[:, n_reference:], size)]
    totals = [n_pos * n_reference, n_pos * size]
    odds = np.concatenate([np.log((x + 0.5) / (n - x + 0.5)) for x, n in zip(hits, totals, strict=True)], axis=1)
    share = hits[0] / totals[0]
    near = (hits[0] + 0.5) / (totals[0] + 1)
    spread = share * (1 - share) / (near * (1 - near)) ** 2
    own = [(x + 0.5) / (n + 1) for x, n in zip(hits, totals, strict=True)]
    variance = [np.maximum(1 / (n * p * (1 - p)), spread / n) for p, n in zip(own, totals, strict=True)]
    return odds, np.concatenate(variance, axis=1), share * (1 - share)


def evidence(odds: Array, variance: Array, slope: Array) -> Array:
    """``joint_evidence`` of many years, by look, not as a logarithm; so many at once as the processor's cache holds."""
    parts = [slice(start, start + AT_ONCE) for start in range(0, len(odds), AT_ONCE)]
    return np.concatenate([_evidence(odds[part], variance[part], slope[part]) for part in parts])


def _evidence(odds: Array, variance: Array, slope: Array) -> Array:
    precision, sums = np.cumsum(1 / variance, axis=1), np.cumsum(odds / variance, axis=1)
    n = odds.shape[1] - 1
    weights, found = start_weights(n), np.empty((odds.shape[0], n))
    for now in range(1, n + 1):
        before, since = precision[:, :now], precision[:, now, None] - precision[:, :now]
        fall = sums[:, :now] / before - (sums[:, now, None] - sums[:, :now]) / since
        spread = 1 / before + 1 / since
        whole = np.zeros(fall.shape)
        for each in SIZES:
            size = each / slope
            whole += np.exp(np.minimum((fall - size / 2) * size / spread, 600))
        found[:, now - 1] = whole @ weights[:now] / len(SIZES) + 1 - weights[:now].sum()
    return found


def looks(measure: str, days: Drawn, setting: tuple[float, int, int, int]) -> tuple[Array, int]:
    """Evidence at every block, and how many days a block has; checked against the package for the first year."""
    _, n_pos, n_neg, n_reference = setting
    share = float(days.true_pos[:, :n_reference].mean()) / n_pos
    enough = 10 if measure == "auc" else 10 / min(share, 1 - share)
    size = int(np.ceil(enough / n_pos))
    judged = areas_judged(days, n_pos, n_neg, n_reference, size)
    if measure == "recall":
        judged = rates_judged(days, n_pos, n_reference, size)
    found = evidence(*judged)
    sums = sums_of(days, 0, n_pos, n_neg)
    theirs = watch_stream(WATCHED[measure], sums[:n_reference], sums[n_reference:], How(ALPHA, 0.95)).evidence
    alike = measure == "auc" or int(np.isnan(theirs).sum()) == size - 1  # its blocks follow from its own reference
    theirs = np.exp(theirs[size - 1 :: size][: found.shape[1]])
    if alike and not np.allclose(theirs, found[0], rtol=1e-6):
        raise AssertionError("years side by side are not those of the package")
    return found, size


def first_alarm(found: Array, size: int) -> Array:
    """The day of the first alarm of each year, DAYS where there is none."""
    over = found >= 1 / ALPHA
    day: Array = np.where(over.any(axis=1), (over.argmax(axis=1) + 1) * size - 1, DAYS)
    return day


def false_alarms(years: int) -> None:
    """The share of years with an alarm, where nothing changes."""
    print("| AUC | rows a day | reference | days a block | false alarms, auc | false alarms, recall |")
    print("|---|---|---|---|---|---|")
    for number, setting in enumerate(SETTINGS):
        auc, n_pos, n_neg, n_reference = setting
        rng = np.random.default_rng([SEED, number])
        days = drawn(rng, np.full(n_reference + DAYS, auc), n_pos, n_neg, years)
        told, sizes = [], []
        for measure in ("auc", "recall"):
            found, size = looks(measure, days, setting)
            told.append(f"{int((first_alarm(found, size) < DAYS).sum())} of {years:,}")
            sizes.append(str(size))
        print(
            f"| {auc} | {n_pos} + {n_neg} | {n_reference} days | {', '.join(sizes)} | {' | '.join(told)} |", flush=True
        )


def dropped(number: int, years: int) -> Drawn:
    """Days of years in which the AUC falls on the same day."""
    auc, n_pos, n_neg, n_reference = DROPS[number]
    values = np.full(n_reference + DAYS, auc)
    values[n_reference + CHANGE :] -= DROP
    return drawn(np.random.default_rng([SEED, 100 + number]), values, n_pos, n_neg, years)


def delays(years: int) -> None:
    """Days from the drop to the alarm."""
    print("| AUC | rows a day | seen within 265 days | median delay | nine of ten by | false before |")
    print("|---|---|---|---|---|---|")
    for number, setting in enumerate(DROPS):
        auc, n_pos, n_neg, _ = setting
        found, size = looks("auc", dropped(number, years), setting)
        alarm = first_alarm(found, size)
        late = alarm >= CHANGE
        delay = np.where(alarm < DAYS, alarm - CHANGE + 1.0, np.inf)[late]
        ends = [
            f"{each:.0f}" if np.isfinite(each) else "not seen"
            for each in np.quantile(delay, (0.5, 0.9), method="higher")
        ]
        told = f"{np.mean(np.isfinite(delay)):.2f} | {' | '.join(ends)} | {np.mean(~late):.3f}"
        print(f"| {auc} to {auc - DROP:.2f} | {n_pos} + {n_neg} | {told} |", flush=True)


def days_of_change(years: int) -> None:
    """How far the day that an alarm names as that of the change lies from it."""
    print("| AUC | rows a day | alarms | median distance in days | within a week | within four weeks |")
    print("|---|---|---|---|---|---|")
    for number, (auc, n_pos, n_neg, n_reference) in enumerate(DROPS):
        days, far = dropped(number, years), list[int]()
        for year in range(years):
            sums = sums_of(days, year, n_pos, n_neg)
            found = watch_stream(WATCHED["auc"], sums[:n_reference], sums[n_reference:], How(ALPHA, 0.95))
            if found.change is not None:
                far.append(abs(found.change - CHANGE))
        told = [f"{np.median(far):.0f}", *(f"{np.mean(np.array(far) <= most):.2f}" for most in (7, 28))]
        print(f"| {auc} to {auc - DROP:.2f} | {n_pos} + {n_neg} | {len(far)} of {years} | {' | '.join(told)} |")


def coverage(years: int) -> None:
    """The share of years in which all ends held, at every look: of the mean so far, and of the days themselves."""
    print("| AUC | rows a day | AUC so far | AUC of all days | recall so far | recall of all days |")
    print("|---|---|---|---|---|---|")
    for number, setting in enumerate(SETTINGS):
        auc, n_pos, n_neg, n_reference = setting
        rng = np.random.default_rng([SEED, 200 + number])
        days = drawn(rng, np.full(n_reference + DAYS, auc), n_pos, n_neg, years)
        truth = {"auc": auc, "recall": float(norm.sf(THRESHOLD - np.sqrt(2) * norm.ppf(auc)))}
        held = np.zeros((years, 4), dtype=bool)
        for year in range(years):
            sums = sums_of(days, year, n_pos, n_neg)
            for place, name in enumerate(("auc", "recall")):
                found = watch_stream(WATCHED[name], sums[:n_reference], sums[n_reference:], How(ALPHA, 0.95))
                for at, ends in enumerate(((found.so_far_low, found.so_far_high), (found.low, found.high))):
                    missed = (ends[0] > truth[name]) | (ends[1] < truth[name])  # False where there are none yet
                    held[year, 2 * place + at] = not missed.any()
        told = " | ".join(f"{share:.3f}" for share in held.mean(axis=0))
        print(f"| {auc} | {n_pos} + {n_neg} | {told} |", flush=True)


def main() -> None:
    """Print all tables."""
    years = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    start = time.process_time()
    false_alarms(years)
    print()
    delays(max(years // 10, 20))
    print()
    days_of_change(max(years // 10, 20))
    print()
    coverage(max(years // 10, 2))
    print(f"\n{years:,} years of {DAYS} looks for each setting; {time.process_time() - start:.0f} s of one processor")


if __name__ == "__main__":
    main()
