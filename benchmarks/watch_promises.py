"""False alarms of a watch with margins, run lengths, other measures, ties and weights, over years of daily looks.

As ``watch_simulation``: a year is 365 looks with a reference of its own, years are computed side by side, and the first
of each line is computed by ``watch_stream`` of the package too and must agree. With a margin the days lie exactly the
margin below the reference, where an alarm is false and most likely. Looks at which even the best size of a change for
every start says too little are passed over. Run: ``python -m benchmarks.watch_promises [years]``.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import norm

from benchmarks.watch_simulation import ALPHA, DAYS, DROP, THRESHOLD
from benchmarks.watch_simulation import evidence as changed
from rocsteady._src.designs.watch.day_counts import DayCounts, DaySums, Plan, day_sums
from rocsteady._src.designs.watch.evidence import DISTANCES, PLACES, SIZES, start_weights
from rocsteady._src.designs.watch.measures import WATCHED
from rocsteady._src.designs.watch.stream import How, watch_stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

SEED, REFERENCE, AT_ONCE, SHORT = 2626, 40, 50, 100
PARTS = {  # places of hits and misses among true positives, false negatives, false positives, true negatives
    "recall": ((0,), (1,)),
    "false_positive_rate": ((2,), (3,)),
    "specificity": ((3,), (2,)),
    "precision": ((0,), (2,)),
    "accuracy": ((0, 3), (1, 2)),
    "prevalence": ((0, 1), (2, 3)),
}


@dataclass(frozen=True, slots=True)
class Years:
    """Estimates with variances on the scale where they are judged, of the reference first; by year and look.

    ``slope`` turns sizes of a change into that scale, ``far`` the margin; ``first`` are the days of the first year.
    """

    value: Array
    variance: Array
    slope: Array
    far: Array
    first: list[DaySums]


def limited(years: Years) -> Array:
    """``normal_limit_evidence`` of many years, by look, not as a logarithm."""
    parts = [slice(start, start + AT_ONCE) for start in range(0, len(years.value), AT_ONCE)]
    return np.concatenate([_limited(years, part) for part in parts])


def _limited(years: Years, part: slice) -> Array:
    value, variance = years.value[part], years.variance[part]
    error = np.sqrt(variance[:, :1])
    limits = value[:, :1] + PLACES * error
    steps = np.asarray(DISTANCES)
    against = np.exp(-PLACES[:, None] * steps - steps**2 / 2).mean(axis=1)
    held = np.append(np.minimum.accumulate((against + 1) / 2), 0.5)
    sizes = np.asarray(SIZES) / years.slope[part, :, None]
    weights, left = start_weights(value.shape[1] - 1), 1.0
    grown, found = np.zeros((len(value), PLACES.size, sizes.shape[2])), np.empty((len(value), weights.size))
    for now, weight in enumerate(weights):
        below = limits - years.far[part] - value[:, now + 1, None]
        noise = variance[:, now + 1, None, None]
        gain = np.exp(np.clip(below[:, :, None] * sizes / noise - sizes**2 / (2 * noise), -200, 200))
        grown = np.minimum((grown + weight / sizes.shape[2]) * gain, 1e200)
        left -= float(weight)
        whole = np.concatenate([np.full((len(value), 1), left), grown.sum(axis=2) + left], axis=1)
        found[:, now] = (held * whole).min(axis=1)
    return found


def detected(years: Years) -> Array:
    """The evidence of a detector, which sums over all starts with weight one."""
    n = years.value.shape[1] - 1
    precision, sums = np.cumsum(1 / years.variance, axis=1), np.cumsum(years.value / years.variance, axis=1)
    found = np.empty((len(years.value), n))
    for now in range(1, n + 1):
        before, since = precision[:, :now], precision[:, now, None] - precision[:, :now]
        fall = sums[:, :now] / before - (sums[:, now, None] - sums[:, :now]) / since
        spread = 1 / before + 1 / since
        whole = sum(np.exp(np.minimum((fall - s / years.slope / 2) * s / years.slope / spread, 300)) for s in SIZES)
        found[:, now - 1] = np.sum(whole, axis=1) / len(SIZES)
    return found


def alarms(sides: list[Years]) -> NDArray[np.bool_]:
    """Years with an alarm; of two sides the evidence is averaged."""
    most = sum(_most(side) for side in sides) / len(sides)
    found = (most >= 0.99 / ALPHA).any(axis=1)
    for start in range(0, int(found.sum()), AT_ONCE):
        some = np.flatnonzero(found)[start : start + AT_ONCE]
        whole = sum(changed(each.value[some], each.variance[some], each.slope[some]) for each in sides) / len(sides)
        found[some] = (whole >= 1 / ALPHA).any(axis=1)
    return found


def _most(years: Years) -> Array:
    """No evidence is above this: for every start the size of a change that explains it best."""
    n = years.value.shape[1] - 1
    weights, found = start_weights(n).astype(np.float32), np.empty((len(years.value), n), dtype=np.float32)
    for part in (slice(start, start + AT_ONCE) for start in range(0, len(years.value), AT_ONCE)):
        precision = np.cumsum(1 / years.variance[part], axis=1)
        sums = np.cumsum((years.value[part] - years.value[part, :1]) / years.variance[part], axis=1)
        before, mean = (1 / precision).astype(np.float32), (sums / precision).astype(np.float32)
        for now in range(1, n + 1):
            since = precision[:, now, None] - precision[:, :now]
            later = ((sums[:, now, None] - sums[:, :now]) / since).astype(np.float32)
            gap = np.maximum(mean[:, :now] - later, 0)
            squared = gap * gap / (before[:, :now] + 1 / since.astype(np.float32))
            found[part, now - 1] = np.exp(np.minimum(squared / 2, 80)) @ weights[:now] + 1 - weights[:now].sum()
    return found


def graded(
    rng: np.random.Generator,
    years: int,
    shares: tuple[Any, Any],
    rows: tuple[int, int],
    weights: Any = None,
    margin: float = 0.0,
) -> Years:
    """Areas of scores with few values: shares of both classes at each, and a weight of the rows there, if any.

    With a margin positives of the days are mixed with negatives until their area is so much lower.
    """
    pos, neg = (np.asarray(each, dtype=float) for each in shares)
    auc = float(pos @ (np.cumsum(neg) - neg / 2))
    mixed = pos + margin / (auc - 0.5) * (neg - pos) if margin else pos
    counts = [
        np.concatenate([rng.multinomial(n, each, size=(years, days)) for each, days in parts], axis=1)
        for n, parts in zip(rows, (((pos, REFERENCE), (mixed, DAYS)), ((neg, REFERENCE), (neg, DAYS))), strict=True)
    ]
    scores = np.arange(len(pos) // (1 if weights is None else 2), dtype=float)
    heavy = np.ones(len(pos)) if weights is None else np.asarray(weights, dtype=float)
    folded = [each * heavy for each in counts], [each * heavy**2 for each in counts]
    one, two = ([each.reshape(*each.shape[:2], -1, scores.size).sum(axis=2) for each in part] for part in folded)
    area, squares, sizes = placed(one, two)
    first = [
        day_sums("", DayCounts(scores, p, n, np.zeros(scores.size), *more), Plan(None, probabilities=False, edges=()))
        for p, n, *more in zip(
            one[0][0].astype(float),
            one[1][0].astype(float),
            *((each[0] for each in two) if weights is not None else ()),
            strict=True,
        )
    ]
    return of_areas(area, squares, sizes, first, margin)


def placed(one: list[Array], two: list[Array]) -> tuple[Array, list[Array], list[Array]]:
    """Areas of days, squared distances of placements, and rows that say as much, of counts or weights by score."""
    pos, neg = one
    totals = [each.sum(axis=2, keepdims=True) for each in one]
    below = (np.cumsum(neg, axis=2) - neg / 2) / totals[1]
    above = 1 - (np.cumsum(pos, axis=2) - pos / 2) / totals[0]
    area = (pos * below).sum(axis=2) / totals[0][:, :, 0]
    sizes = [total[:, :, 0] ** 2 / square.sum(axis=2) for total, square in zip(totals, two, strict=True)]
    parts = zip(two, (below, above), sizes, totals, strict=True)
    squares = [
        (square * (place - area[:, :, None]) ** 2).sum(axis=2) * (size / total[:, :, 0]) ** 2
        for square, place, size, total in parts
    ]
    return area, squares, sizes


def of_areas(
    area: Array,
    squares: list[Array],
    sizes: list[Array],
    first: list[DaySums],
    margin: float = 0.0,
    n_reference: int = REFERENCE,
) -> Years:
    """Every day a block; the reference is averaged with the smaller class as weight."""
    weight = np.minimum(*sizes)
    known = [slice(None), slice(0, n_reference)]
    total = weight[*known].sum(axis=1, keepdims=True)
    held = (weight * area)[*known].sum(axis=1, keepdims=True) / total
    spreads = [
        square[*known].sum(axis=1, keepdims=True) / (size[*known] - 1).sum(axis=1, keepdims=True)
        for square, size in zip(squares, sizes, strict=True)
    ]
    both = [total**2 / (weight[*known] ** 2 / size[*known]).sum(axis=1, keepdims=True) for size in sizes]
    slope = held * (1 - held)
    days = [each[:, n_reference:] for each in (area, *squares, *sizes)]
    least = 0.5 / (days[3] * days[4])
    value = np.clip(days[0], least, 1 - least)
    own = (days[1] / (days[3] - 1) / days[3] + days[2] / (days[4] - 1) / days[4]) / (value * (1 - value)) ** 2
    expected = (spreads[0] / days[3] + spreads[1] / days[4]) / slope**2
    before = (spreads[0] / both[0] + spreads[1] / both[1]) / slope**2
    odds = [np.log(each / (1 - each)) for each in (held, value)]
    variance = np.concatenate([before, np.maximum(own, expected)], axis=1)
    far = odds[0] - np.log((held - margin) / (1 - held + margin))
    return Years(np.concatenate(odds, axis=1), variance, slope, far, first)


def cells(rng: np.random.Generator, years: int, n: int, share: float, auc: float) -> Array:
    """True positives, false negatives, false positives, true negatives at the threshold, by year and day."""
    n_pos = rng.binomial(n, share, (years, REFERENCE + DAYS))
    ups, downs = norm.sf(THRESHOLD - np.sqrt(2) * norm.ppf(auc)), norm.sf(THRESHOLD)
    hits, false = rng.binomial(n_pos, ups), rng.binomial(n - n_pos, downs)
    return np.stack([hits, n_pos - hits, false, n - n_pos - false]).astype(float)


def rates(name: str, counts: Array, side: int) -> Years:
    """A share, in blocks with 10 rows of each outcome expected; as many of them as the year with the fewest has."""
    hit, miss = (counts[list(part)].sum(axis=0) for part in PARTS[name])
    x, n = (part[:, :REFERENCE].sum(axis=1, keepdims=True) for part in (hit, hit + miss))
    share = x / n
    blocks = [
        _blocked(hit[year, REFERENCE:], miss[year, REFERENCE:], float(share[year, 0])) for year in range(len(hit))
    ]
    fewest = min(len(each) for each in blocks)
    found = np.array([each[:fewest] for each in blocks])
    total, hits = found.sum(axis=2), found[:, :, 0]
    value, near = (hits + 0.5) / (total + 1), (x + 0.5) / (n + 1)
    expected = share * (1 - share) / (near * (1 - near)) ** 2
    variance = np.maximum(1 / (total * value * (1 - value)), expected / total)
    before = np.maximum(1 / (n * near * (1 - near)), expected / n)
    odds = side * np.concatenate([np.log(near / (1 - near)), np.log(value / (1 - value))], axis=1)
    first = [DaySums("", a + b, c + d, 0.0, *(np.nan,) * 5, a, c, 0.0) for a, b, c, d in counts[:, 0].T]
    return Years(odds, np.concatenate([before, variance], axis=1), share * (1 - share), np.zeros_like(share), first)


def _blocked(hit: Array, miss: Array, share: float) -> list[tuple[float, float]]:
    found, held = [], [0.0, 0.0]
    for each in zip(hit, miss, strict=True):
        held = [a + b for a, b in zip(held, each, strict=True)]
        if sum(held) * min(max(share, 0.001), 1 - max(share, 0.001)) >= 10:
            found.append((held[0], held[1]))
            held = [0.0, 0.0]
    return found


def losses(rng: np.random.Generator, years: int, n: int) -> Array:
    """Of rows with calibrated probabilities: losses, their squares, labels less probabilities, squares, positives."""
    p = (np.arange(10) + 0.5) ** 2 / 120
    rows = rng.multinomial(n, np.full(10, 0.1), size=(years, REFERENCE + DAYS))
    ups = rng.binomial(rows, p)
    downs = rows - ups
    hit, miss = (1 - p) ** 2, p**2
    lost = ups @ hit + downs @ miss
    return np.stack([lost, ups @ hit**2 + downs @ miss**2, ups @ (1 - p) - downs @ p, lost, ups.sum(axis=2)])


def means(sums: Array, n: int, short: str, side: int) -> Years:
    """Means over rows, of the losses or of the gaps."""
    places = (0, 1) if short == "lost" else (2, 3)
    added, squared = ((sums[at][:, :REFERENCE].sum(axis=1, keepdims=True), sums[at][:, REFERENCE:]) for at in places)
    many = REFERENCE * n, n
    mean = [each / size for each, size in zip(added, many, strict=True)]
    spread = [(two - one**2 / m) / (m - 1) for one, two, m in zip(added, squared, many, strict=True)]
    variance = np.concatenate([spread[0] / many[0], np.maximum(spread[1] / n, spread[0] / n)], axis=1)
    first = [
        replace(DaySums("", ups, n - ups, 0.0, *(np.nan,) * 5), **_named(short, one, two))
        for one, two, ups in sums[[*places, 4], 0].T
    ]
    ones = np.ones_like(mean[0])
    return Years(side * np.concatenate(mean, axis=1), variance, ones, np.zeros_like(ones), first)


def _named(short: str, one: float, two: float) -> dict[str, float]:
    ends = {"lost_low": one, "lost_high": one} if short == "lost" else {"sum_open": 0.0}
    return {short: one, f"{short}_squares": two, **ends}


def agreed(name: str, sides: list[Years], how: How, evidence: Callable[[Years], Array]) -> None:
    """The first year is that of the package."""
    days = sides[0].first
    theirs = watch_stream(WATCHED[name], days[:REFERENCE], days[REFERENCE:], how).evidence
    steps = np.flatnonzero(np.diff(np.concatenate([[-1e9], np.nan_to_num(theirs, nan=-1e9)])))  # ends of blocks
    alone = [Years(each.value[:1], each.variance[:1], each.slope[:1], each.far[:1], []) for each in sides]
    ours = np.log(sum(evidence(each) for each in alone) / len(sides))[0]
    if not np.allclose(theirs[steps][: ours.size], ours[: steps.size], rtol=1e-6, atol=1e-6):
        raise AssertionError(f"{name}: years side by side are not those of the package")


def of_change(years: Years) -> Array:
    """Evidence of any change for the worse."""
    return changed(years.value, years.variance, years.slope)


def line(name: str, what: str, sides: list[Years], margin: float | None = None) -> None:
    """One line: years with an alarm, and how many are promised at most."""
    agreed(name, sides, How(ALPHA, 0.95, margin), of_change if margin is None else limited)
    found = alarms(sides) if margin is None else (limited(sides[0]) >= 1 / ALPHA).any(axis=1)
    looks = sides[0].value.shape[1] - 1
    print(
        f"| {name} | {what} | {looks} | {int(found.sum())} of {len(found):,} | {ALPHA * len(found):,.0f} |", flush=True
    )


def areas(years: int) -> None:
    """Margins, ties, and weights of rows."""
    normal = [np.diff(norm.cdf(np.linspace(-2.5, 3.5, 11)[1:-1] - shift), prepend=0, append=1) for shift in (1.19, 0)]
    for number, (margin, rows) in enumerate(((0.01, (50, 150)), (DROP, (20, 80)))):
        made = graded(np.random.default_rng([SEED, number]), years, (normal[0], normal[1]), rows, margin=margin)
        text = f"margin {margin}, ten values of scores, AUC 0.79, {rows[0]} + {rows[1]} rows a day"
        line("auc", text, [made], margin)
    three, five = ((0.1, 0.3, 0.6), (0.7, 0.2, 0.1)), ((0.05, 0.1, 0.2, 0.25, 0.4), (0.4, 0.25, 0.2, 0.1, 0.05))
    for number, (shares, rows) in enumerate(((three, (12, 60)), (five, (50, 150)))):
        made = graded(np.random.default_rng([SEED, 30 + number]), years, shares, rows)
        line("auc", f"scores of {len(shares[0])} values, {rows[0]} + {rows[1]} rows a day", [made])
    for number, (told, heavy) in enumerate(
        (("any row alike", 0.3), ("high scores more often", np.linspace(0.1, 0.9, 5)))
    ):
        both = [np.concatenate([np.multiply(1 - heavy, each), np.multiply(heavy, each)]) for each in five]
        rng, weights = np.random.default_rng([SEED, 40 + number]), np.repeat([1.0, 4.0], 5)
        made = graded(rng, years, (both[0], both[1]), (50, 150), weights)
        line("auc", f"scores of 5 values, 50 + 150 rows a day, weights 1 and 4, {told}", [made])


def others(years: int) -> None:
    """Other measures, of rows with a class at random; specificity mirrors the false positive rate."""
    for number, (n, share, auc) in enumerate(((200, 0.25, 0.8), (60, 0.1, 0.9))):
        counts = cells(np.random.default_rng([SEED, 10 + number]), years, n, share, auc)
        names = ("precision",) if number else ("precision", "false_positive_rate", "accuracy", "prevalence")
        for name in names:
            sides = (1, -1) if not WATCHED[name].better else (WATCHED[name].better,)
            text = f"{n} rows a day, {share:.0%} positive, AUC {auc}"
            line(name, text, [rates(name, counts, side) for side in sides])
        sums = losses(np.random.default_rng([SEED, 20 + number]), years, n)
        line("brier_score", f"{n} rows a day, 28% positive", [means(sums, n, "lost", -1)])
        if not number:
            line("calibration_gap", f"{n} rows a day, 28% positive", [means(sums, n, "gap", side) for side in (1, -1)])


def run_lengths(years: int) -> None:
    """Looks until the first false alarm, at most those of a year."""
    print("\n| AUC | rows a day | looks between false alarms | alarm within 365 looks | mean looks, 365 at most |")
    print("|---|---|---|---|---|")
    five = ((0.05, 0.1, 0.2, 0.25, 0.4), (0.4, 0.25, 0.2, 0.1, 0.05))
    made = graded(np.random.default_rng([SEED, 50]), years, five, (20, 80))
    agreed("auc", [made], How(ALPHA, 0.95, run_length=float(SHORT)), detected)
    parts = [slice(start, start + AT_ONCE) for start in range(0, years, AT_ONCE)]
    found = np.concatenate(
        [detected(Years(made.value[at], made.variance[at], made.slope[at], made.far[at], [])) for at in parts]
    )
    for length in (SHORT, 3650):
        over = found >= length
        first = np.where(over.any(axis=1), over.argmax(axis=1) + 1, DAYS)
        told = f"{int(over.any(axis=1).sum())} of {years:,} | {first.mean():.0f}"
        print(f"| 0.83, five values | 20 + 80 | {length:,} | {told} |", flush=True)


def main() -> None:
    """Print all tables."""
    years = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    start = time.process_time()
    print("| measure | setting | looks | years with a false alarm | at most promised |\n|---|---|---|---|---|")
    areas(years)
    others(years)
    run_lengths(years)
    print(f"\n{years:,} years a line; {time.process_time() - start:.0f} s of one processor")


if __name__ == "__main__":
    main()
