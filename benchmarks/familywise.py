"""How often is a difference found among many groups, pairs or readers where there is none?

``python -m benchmarks.familywise [--samples N] [SUBJECT ...]`` rewrites its subjects in
benchmarks/results/familywise.csv: the share of samples in which any p-value, adjusted over all comparisons, is below
0.05 beside an interval without 0.
"""

from __future__ import annotations

import argparse
import csv
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr, ndtri, stdtr

from benchmarks.coverage_kit import stream
from benchmarks.readers_size import Setting
from benchmarks.subgroup_size import Groups, samples
from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues
from rocsteady._src.inference.comparison.two_areas import Asked, paired_test
from rocsteady._src.inference.intervals.two_shares import ShareDifference
from rocsteady._src.inference.paired.counts import PairedCounts
from rocsteady._src.inference.paired.mcnemar import Asked as PairedAsked
from rocsteady._src.inference.paired.mcnemar import outcome_test
from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.spread import areas_of
from rocsteady._src.ranked import read_models
from rocsteady._src.results.differences import told_apart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rocsteady.results import TestResult

RESULTS = Path(__file__).parent / "results" / "familywise.csv"
COLUMNS = ("subject", "measure", "families", "size", "positive", "value", "samples", "false_rate", "remark")
GROUPS, ROWS, POSITIVE, LEVEL = (2, 3, 6, 8, 20), (50, 100, 200), (0.2, 0.5), 0.95
READERS = [(5, 25), (5, 50), (10, 50)]
SHARED = 0.7  # of the spread of scores that two models have in common
CELL = tuple[str, str, int, int, float, float, float, str]


def any_shown(pvalues: Sequence[float]) -> bool:
    """Whether Holm's smallest p-value is below 0.05."""
    return bool(min(pvalues) * len(pvalues) < 1 - LEVEL)


def of_areas(n: int, share: float, repeats: int) -> Iterator[tuple[int, float, float]]:
    """Gaps of AUCs: number of groups, the AUC, and how often a gap is found."""
    sizes = round(n * share), n - round(n * share)
    for k, auc in product(GROUPS, (0.7, 0.9)):
        found = 0
        for pos, neg in samples(k, sizes, auc, 1.0, repeats):
            drawn = Groups.of(pos, neg)
            pvalues = np.array([drawn.against_others(group)[0] for group in range(k if k > 2 else 1)])
            found += int((np.nanmin(np.nan_to_num(pvalues, nan=1.0), axis=0) * len(pvalues) < 1 - LEVEL).sum())
        yield k, auc, found / repeats


@cache
def share_pvalue(first: tuple[float, float], second: tuple[float, float]) -> float:
    """p of a gap between two shares."""
    return ShareDifference(first, second).pvalue


def of_shares(n: int, share: float, repeats: int) -> Iterator[tuple[int, float, float]]:
    """Gaps of recall: number of groups, the recall, and how often a gap is found."""
    among = round(n * share)
    for k, recall in product(GROUPS, (0.6, 0.8, 0.95)):
        rng, found = stream("gaps of recall", k, n, share, recall), 0
        for hits in rng.binomial(among, recall, size=(repeats, k)).tolist():
            total, first = sum(hits), hits[: k if k > 2 else 1]
            known = {each: ((each, among), (total - each, among * (k - 1))) for each in set(first)}
            found += any_shown([share_pvalue(*known[each]) for each in first])
        yield k, recall, found / repeats


def compared_areas(n: int, share: float, repeats: int) -> Iterator[tuple[int, float, float]]:
    """Two models with one AUC compared in every group; few groups are the first of many."""
    m = round(n * share)
    y = np.repeat([1, 0], [m, n - m])
    for auc in (0.8,):
        rng, found = stream("compared areas", n, share, auc), dict.fromkeys(GROUPS, 0)
        gap = np.sqrt(2) * ndtri(auc)
        for _ in range(repeats):
            both = np.sqrt(SHARED) * rng.normal(size=(GROUPS[-1], 1, n))
            scores = gap * y + both + np.sqrt(1 - SHARED) * rng.normal(size=(GROUPS[-1], 2, n))
            tests = [_of_two(y, each) for each in scores]
            for k in GROUPS:
                found[k] += _shown(tests[:k])
        yield from ((k, auc, count / repeats) for k, count in found.items())


def _of_two(y: Any, scores: Any) -> TestResult:
    rows = read_models(y, {"first": scores[0], "second": scores[1]})
    return paired_test(areas_of(rows, Area(), None), (0, 1), Asked())


def _shown(tests: Sequence[TestResult]) -> bool:
    adjusted = adjust_pvalues([test.pvalue for test in tests])
    return any(told_apart(test, float(p), LEVEL) for test, p in zip(tests, adjusted, strict=True))


@cache
def recall_test(first: int, second: int, among: int) -> TestResult:
    """McNemar's exact test of two recalls."""
    return outcome_test(PairedCounts(among - first - second, first, second, 0), PairedAsked(), n_pos=among, n_neg=0)


def compared_recall(n: int, share: float, repeats: int) -> Iterator[tuple[int, float, float]]:
    """Two models with one recall compared in every group by McNemar's exact test; ``value`` is the discordant share."""
    yield from _discordant(n, share, repeats, "mcnemar", _by_mcnemar)


def resampled_recall(n: int, share: float, repeats: int) -> Iterator[tuple[int, float, float]]:
    """The same by the bootstrap, whose standard error has a closed form, and a normal p-value."""
    yield from _discordant(n, share, repeats, "bootstrap", _by_bootstrap)


def _discordant(
    n: int, share: float, repeats: int, name: str, shown: Callable[[Any, int], int]
) -> Iterator[tuple[int, float, float]]:
    among = round(n * share)
    for k, apart in product(GROUPS, (0.1, 0.3)):
        drawn = stream(name, k, n, share, apart).multinomial(among, [apart / 2, apart / 2, 1 - apart], (repeats, k))
        yield k, apart, shown(drawn[..., :2], among) / repeats


def _by_mcnemar(drawn: Any, among: int) -> int:
    return sum(_shown([recall_test(*each, among) for each in sample]) for sample in drawn.tolist())


def _by_bootstrap(drawn: Any, among: int) -> int:
    first, second = drawn[..., 0], drawn[..., 1]
    gap = (first - second) / among
    se = np.sqrt(((first + second) / among - gap**2) / among)
    pvalues = np.where(gap == 0, 1.0, 2 * ndtr(-np.abs(gap) / np.where(se > 0, se, 1e-300)))
    return int((pvalues.min(axis=1) * gap.shape[1] < 1 - LEVEL).sum())


def compared_modalities(readers: int, of_class: int, repeats: int) -> Iterator[tuple[int, str, float]]:
    """Modalities that are alike, by readers: any pair that differs for other readers, and for these readers."""
    for t, (population, favoured) in product((2, 3, 4, 5), (("random", 0.0055), ("fixed_readers", 0.0))):
        rng, found = stream("modalities", readers, of_class, t, population), 0
        setting = Setting(readers, of_class, of_class, 0.85, favoured=favoured, modalities=t)
        for _ in range(repeats):
            found += any_shown(pair_pvalues(setting.drawn(rng), t, readers)[population])
        yield t, population, found / repeats


def pair_pvalues(table: dict[str, Any], t: int, r: int) -> dict[str, list[float]]:
    """p of every pair of modalities of a crossed study, by the formulas of Obuchowski, Rockette and Hillis."""
    scores, ill = table["s"].reshape(t * r, -1), table["ill"][: table["s"].size // (t * r)] == 1
    pos, neg = scores[:, ill], scores[:, ~ill]
    wins = (pos[:, :, None] > neg[:, None, :]) + 0.5 * (pos[:, :, None] == neg[:, None, :])
    areas = wins.mean(axis=(1, 2)).reshape(t, r)
    c = sum(np.cov(wins.mean(axis=axis)) / wins.shape[3 - axis] for axis in (1, 2)).reshape(t, r, t, r)
    same_t, same_r = np.eye(t, dtype=bool)[:, None, :, None], np.eye(r, dtype=bool)[None, :, None, :]
    error, cov1, cov2, cov3 = (
        c[np.broadcast_to(kept, c.shape)].mean()
        for kept in (same_t & same_r, ~same_t & same_r, same_t & ~same_r, ~same_t & ~same_r)
    )
    means, together, free = areas.mean(axis=1), max(cov2 - cov3, 0.0), (t - 1) * (r - 1)
    left = areas - means[:, None] - areas.mean(axis=0) + areas.mean()
    square = (left**2).sum() / free
    term = square + r * together
    spread = {
        "random": (2 / r * term, free * (term / square) ** 2),
        "fixed_readers": (2 / r * (error - cov1 + (r - 1) * together), np.inf),
    }
    gaps = np.abs([means[i] - means[j] for i, j in combinations(range(t), 2)])
    return {name: (2 * stdtr(df, -gaps / np.sqrt(variance))).tolist() for name, (variance, df) in spread.items()}


def remark_of(subject: str, size: int, positive: float) -> str:
    """The remark that the library gives in such cells."""
    return "resampled_groups" if subject == "compare by bootstrap" and size * positive < 200 else ""


SUBJECTS: dict[str, tuple[str, Callable[..., Iterator[Any]]]] = {
    "gaps of auc": ("auc", of_areas),
    "gaps of recall": ("recall", of_shares),
    "compare by auto": ("auc", compared_areas),
    "compare by mcnemar-exact": ("recall", compared_recall),
    "compare by bootstrap": ("recall", resampled_recall),
    "readers": ("auc", compared_modalities),
}


def lines_of(subject: str, repeats: int) -> Iterator[list[Any]]:
    """A line of the table for each cell of a subject."""
    measure, of = SUBJECTS[subject]
    cells: Any = READERS if subject == "readers" else list(product(ROWS, POSITIVE))
    for size, other in cells:
        for k, value, rate in of(size, other, repeats):
            remark = remark_of(subject, size, other) if k > 1 else ""
            yield [subject, measure, k, size, other, value, repeats, f"{rate:.4f}", remark]


def main(arguments: Sequence[str] | None = None, path: Path = RESULTS) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("subjects", nargs="*", default=list(SUBJECTS))
    parser.add_argument("--samples", type=int, default=2000)
    asked = parser.parse_args(arguments)
    made = [line for subject in asked.subjects for line in lines_of(subject, asked.samples)]
    kept = (
        [list(line.values()) for line in read(path) if line["subject"] not in asked.subjects] if path.exists() else []
    )
    path.parent.mkdir(exist_ok=True)
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *kept, *made])


def read(path: Path = RESULTS) -> list[dict[str, str]]:
    """The lines of the table."""
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    main()
