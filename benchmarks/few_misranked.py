"""Coverage and sizes where few rows are misranked: of one AUC, of two, of a margin; and the size of the null test.

    python -m benchmarks.few_misranked [mixtures | pairs | margins | null] ...

Each writes benchmarks/results/<subject>.csv. "Failing" rows have the lowest score of all. Where all others are ranked
perfectly, coverage is summed over all numbers of failing rows and has no samples.
"""

from __future__ import annotations

import csv
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtri
from scipy.stats import binom

from benchmarks.coverage_kit import model_rows, rank_scores, stream
from rocsteady._src.inference.comparison.hypotheses import judged_difference
from rocsteady._src.inference.comparison.two_areas import Asked, automatic_method, pair_of, paired_test
from rocsteady._src.inference.intervals.areas import area_interval
from rocsteady._src.inference.intervals.normal import p_value
from rocsteady._src.inference.intervals.rank_sum import _labellings
from rocsteady._src.inference.units.components import Area, area_spread
from rocsteady._src.inference.units.spread import areas_of

if TYPE_CHECKING:
    from collections.abc import Iterator

RESULTS = Path(__file__).parent / "results"
LOWEST, LEVEL, ALPHA = -1e6, 0.95, 0.05
SMALL, SAMPLES, DRAWN = 1e-10, 100, 500


def interval_of(scores: Any, n_pos: int) -> Any:
    ranked = rank_scores(scores, n_pos)
    return area_interval(Area(), ranked, area_spread(Area(), ranked), "auto", LEVEL)


def mixtures() -> Iterator[dict[str, Any]]:
    for n_pos in (5, 10, 20, 50, 100):
        for n_neg in (40, 200, 1000, 10_000):
            made = [interval_of(failing(n_pos, n_neg, k), n_pos) for k in range(min(n_pos, 25) + 1)]
            for share in (0.002, 0.005, 0.01, 0.02, 0.05):
                chances = binom.pmf(np.arange(len(made)), n_pos, share)
                held = [each.low <= 1 - share <= each.high for each in made]
                widths = [each.high - each.low for each in made]
                yield mixture(n_pos, n_neg, share, 1.0, 0, chances @ held, chances @ widths)
    for n_pos, n_neg in ((5, 40), (20, 40), (20, 1000), (100, 40), (100, 1000)):
        for share in (0.01, 0.05):
            for rest in (0.99, 0.999):
                found = [*sampled(n_pos, n_neg, share, rest, SAMPLES)]
                held = [low <= (1 - share) * rest <= high for low, high in found]
                yield mixture(n_pos, n_neg, share, rest, SAMPLES, np.mean(held), np.mean(np.diff(found)))


def failing(n_pos: int, n_neg: int, k: int) -> Any:
    return np.concatenate((np.full(k, LOWEST), np.arange(n_pos - k) + 2.0 * n_neg, np.arange(n_neg)))


def mixture(*values: Any) -> dict[str, Any]:
    keys = ("positives", "negatives", "failing", "auc_of_others", "samples", "coverage", "width")
    return dict(zip(keys, values, strict=True))


def sampled(n_pos: int, n_neg: int, share: float, rest: float, samples: int) -> Iterator[tuple[float, float]]:
    rng = stream("mixtures", n_pos, n_neg, share, rest)
    for _ in range(samples):
        scores = rng.standard_normal(n_pos + n_neg)
        scores[:n_pos] += np.sqrt(2) * ndtri(rest)
        scores[:n_pos][rng.random(n_pos) < share] = LOWEST
        found = interval_of(scores, n_pos)
        yield found.low, found.high


def pairs() -> Iterator[dict[str, Any]]:
    """Two models that rank all but their failing positives perfectly; the same rows fail in both, or others."""
    for n in (20, 50, 130, 500):
        made = cache(lambda only, other, both, n=n: ends_of_pair(n, only, other, both))
        for one, two in ((0.0, 0.0), (0.0, 0.002), (0.0, 0.01), (0.01, 0.01), (0.005, 0.02), (0.02, 0.05)):
            rng, held, widths = stream("pairs", n, one, two), 0, 0.0
            for only, other, both in rng.multinomial(n, [one, two * 0.5, two * 0.5, 1 - one - two], DRAWN)[:, :3]:
                low, high = made(int(only), int(other), int(both))
                held, widths = held + (low <= two / 2 - one <= high), widths + high - low
            yield {
                "rows_a_class": n,
                "fails_in_first": one + two / 2,
                "fails_in_second": two,
                "samples": DRAWN,
                "coverage": held / DRAWN,
                "width": widths / DRAWN,
            }


def ends_of_pair(n: int, only: int, other: int, both: int) -> tuple[float, float]:
    first = np.arange(2.0 * n)[::-1].copy()
    second = np.concatenate((first[:n][::-1], first[n:][::-1]))
    first[:only] = first[only : only + both] = LOWEST
    second[only : only + both + other] = LOWEST
    rows = model_rows(np.array([first, second]), n)
    found = paired_test(areas_of(rows, Area()), (0, 1), Asked(level=LEVEL))
    return found.low, found.high


def margins() -> Iterator[dict[str, Any]]:
    """Candidate = baseline but for failing rows; the margin is what the AUC loses by them."""
    for n in (200, 500, 1000, 5000):
        for prevalence in (0.05, 0.1, 0.5):
            for share in (0.002, 0.005, 0.01, 0.03):
                samples = 4 * SAMPLES if n * prevalence * share > 5 else SAMPLES
                found = np.array([*tested(n, round(n * prevalence), share, samples, 0.85)])
                yield {
                    "rows": n,
                    "positives": prevalence,
                    "failing": share,
                    "samples": samples,
                    "false_passes": found[:, 0].mean(),
                    "nothing_moved_which_has_a_remark": found[:, 1].mean(),
                }


def tested(n: int, n_pos: int, share: float, samples: int, area: float) -> Iterator[tuple[bool, bool]]:
    rng, y = stream("margins", n, n_pos, share), np.arange(n) < n_pos
    margin = area - ((1 - share) ** 2 * area + (1 - share) * share + share**2 / 2)
    asked = Asked(alternative="non-inferiority", margin=margin)
    for _ in range(samples):
        baseline = rng.standard_normal(n) + np.sqrt(2) * ndtri(area) * y
        candidate = np.where(rng.random(n) < share, LOWEST, baseline)
        pair = pair_of(areas_of(model_rows(np.array([candidate, baseline]), n_pos), Area()), (0, 1))
        if not pair.told_apart:  # passes as unchanged, and says so
            yield False, True
            continue
        made = pair.chosen(asked, automatic_method(pair, asked.area, asked.alternative))
        yield judged_difference(made, asked.alternative, margin).pvalue <= ALPHA, False


def null() -> Iterator[dict[str, Any]]:
    """Exact sizes of the null test: the share of labellings whose p is at most 5%."""
    for n_pos, n_neg in ((3, 3), (4, 16), (10, 10), (2, 48), (10, 40), (25, 25), (49, 49), (50, 50)):
        for tied in (1, 3):
            if tied > 1 and n_pos + n_neg > 60:
                continue
            sizes = np.full(-(-(n_pos + n_neg) // tied), tied)
            sizes[-1] -= sizes.sum() - n_pos - n_neg
            yield {"positives": n_pos, "negatives": n_neg, "tied": tied, **null_sizes(sizes, n_pos, n_neg)}


def null_sizes(sizes: Any, n_pos: int, n_neg: int) -> dict[str, float]:
    counts = _labellings(sizes, n_pos, n_neg)
    chances, total = counts / counts.sum(), n_pos + n_neg
    below, above = chances.cumsum(), chances[::-1].cumsum()[::-1]
    spread = (total + 1 - float((sizes**3 - sizes).sum()) / (total * (total - 1))) / (12 * n_pos * n_neg)
    z = (np.arange(chances.size) / (2 * n_pos * n_neg) - 0.5) / np.sqrt(spread)
    normal = np.array([p_value(float(each)) for each in z])
    exact = np.minimum(1.0, 2 * np.minimum(below, above))
    used = exact if max(n_pos, n_neg) < 50 else normal
    return {"size": float(chances[used <= ALPHA + SMALL].sum()), "normal": float(chances[normal <= ALPHA].sum())}


SUBJECTS = {"auc_mixtures": mixtures, "auc_pairs": pairs, "auc_margins": margins, "auc_null": null}


def main(names: list[str]) -> None:
    RESULTS.mkdir(exist_ok=True)
    for subject, rows_of in SUBJECTS.items():
        if names and subject.removeprefix("auc_") not in names:
            continue
        rows = [
            {key: f"{value:.4g}" if isinstance(value, float) else value for key, value in row.items()}
            for row in rows_of()
        ]
        with (RESULTS / f"{subject}.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main(sys.argv[1:])
