"""Do intervals and tests by subject keep their level? Rewrites the tables of docs/clusters.md.

``python -m benchmarks.cluster_coverage_intervals [--repeats N]``; about half an hour on one core.

Subjects have three rows. Scores are N(0, 1), positives ``GAP`` higher; half of the variance is the subject's, so that
rows of a subject correlate by 1/2. A third of the rows are positive: all rows of a third of the subjects, or any.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr, ndtri

import rocsteady as rs
from benchmarks.coverage import with_table
from benchmarks.coverage_kit import coverage, holds, size, stream, table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    Array = NDArray[Any]
    Found = dict[str, bool]

PAGE = Path(__file__).parent.parent / "docs" / "clusters.md"
SUBJECTS, ROWS, PREVALENCE, GAP, CUT, RATE = (50, 200), 3, 1 / 3, 1.0, 0.5, 0.2
MEASURES = ("recall", "precision", "accuracy", "matthews_correlation", "diagnostic_odds_ratio")
RESAMPLES, ALPHA = 199, 0.05


@dataclass(frozen=True)
class Design:
    """How many subjects, and whether each has rows of both classes."""

    subjects: int
    mixed: bool

    def __str__(self) -> str:
        return f"{self.subjects} subjects, " + ("both classes" if self.mixed else "one class each")

    def labels(self, rng: np.random.Generator) -> Array:
        if self.mixed:
            return (rng.random(self.subjects * ROWS) < PREVALENCE).astype(int)
        return np.repeat(np.arange(self.subjects) < round(self.subjects * PREVALENCE), ROWS).astype(int)

    @property
    def prevalence(self) -> float:
        return PREVALENCE if self.mixed else round(self.subjects * PREVALENCE) / self.subjects

    @property
    def cluster(self) -> Array:
        return np.repeat(np.arange(self.subjects), ROWS)

    def scores(self, rng: np.random.Generator) -> Array:
        own, shared = rng.standard_normal(self.subjects * ROWS), rng.standard_normal(self.subjects)
        return math.sqrt(0.5) * (own + shared[self.cluster])

    def truth(self, measure: str) -> float:
        """The measure of the whole population at the cut."""
        tpr, fpr = float(ndtr(GAP - CUT)), float(ndtr(-CUT))
        shares = np.array([tpr, 1 - tpr]) * self.prevalence, np.array([fpr, 1 - fpr]) * (1 - self.prevalence)
        (tp, fn), (fp, tn) = (1e9 * share for share in shares)
        return float(getattr(rs.Confusion(tp, fp, fn, tn), measure))


def true_curve(fpr: Array) -> Array:
    return ndtr(GAP + ndtri(fpr))


def formulas(design: Design, rng: np.random.Generator, how: dict[str, Any]) -> Found:
    """Which intervals by formula hold the truth in one sample."""
    y = design.labels(rng)
    scores = design.scores(rng) + GAP * y
    made = rs.measure_intervals(y, scores, threshold=CUT, **how)
    found = {f"`measure_interval`, {name}": holds(made[name], design.truth(name)) for name in MEASURES}
    band = rs.roc_band(y, scores, fpr=[RATE], **how)
    found[f"`roc_band`, pointwise at {RATE:g}"] = holds((band.low[0], band.high[0]), float(true_curve(RATE)))
    exact = rs.roc_band(y, scores, method="threshold", **how)
    at = int(np.abs(exact.thresholds - CUT).argmin())
    rate = float(ndtr(GAP - exact.thresholds[at]))
    return {**found, "`roc_band`, threshold, TPR": holds((exact.low[at], exact.high[at]), rate)}


def resampled(design: Design, rng: np.random.Generator, how: dict[str, Any]) -> Found:
    """Which bootstrap intervals and bands hold the truth in one sample."""
    y = design.labels(rng)
    scores = design.scores(rng) + GAP * y
    seeded = {"random_state": int(rng.integers(2**32)), "n_resamples": RESAMPLES, **how}
    chosen = rs.threshold_interval(y, scores, **seeded)["threshold"]
    found = {"`threshold_interval`, Youden": holds(chosen, GAP / 2)}
    for method in ("bootstrap", "fixed-width"):
        whole = rs.roc_band(y, scores, method=method, **seeded)
        truth = true_curve(whole.fpr)
        found[f"`roc_band`, {method}, whole curve"] = bool(np.all((whole.low <= truth) & (truth <= whole.high)))
    return found


def of_chance(design: Design, rng: np.random.Generator, how: dict[str, Any]) -> Found:
    """Whether scores without information seem to have some."""
    return {"`auc_null_test`": rs.auc_null_test(design.labels(rng), design.scores(rng), **how).pvalue <= ALPHA}


def of_curves(design: Design, rng: np.random.Generator, how: dict[str, Any]) -> Found:
    """Whether models of the same curve seem to differ."""
    y, other = design.labels(rng), design.labels(rng)
    first, second, third = (design.scores(rng) + GAP * labels for labels in (y, y, other))
    seeded = {"random_state": int(rng.integers(2**32)), "n_permutations": RESAMPLES, **how}
    paired = rs.compare_curves(y, first, second, **seeded)
    apart = {"paired": False, "y_true_second": other, "cluster_second": how.get("cluster")}
    unpaired = rs.compare_curves(y, first, third, **apart, **seeded)
    return {
        "`compare_curves`, paired": paired.pvalue <= ALPHA,
        "`compare_curves`, unpaired": unpaired.pvalue <= ALPHA,
    }


def shares(measure: Callable[..., Found], design: Design, repeats: int) -> Iterator[tuple[str, float, float]]:
    """For each line of a table, the share of samples with cluster= and without."""
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for column, how in enumerate(({"cluster": design.cluster}, {})):
        rng = stream(measure.__name__, design)
        for _ in range(repeats):
            for name, held in measure(design, rng, how).items():
                sums[name][column] += bool(held)
    for name, (with_cluster, without) in sums.items():
        yield name, with_cluster / repeats, without / repeats


def measured(measures: Sequence[Callable[..., Found]], show: Callable[[float], str], repeats: Sequence[int]) -> str:
    designs = [Design(n, mixed) for n, mixed in product(SUBJECTS, (False, True))]
    lines: dict[str, list[str]] = defaultdict(list)
    for (measure, times), design in product(zip(measures, repeats, strict=True), designs):
        for name, by_subject, by_row in shares(measure, design, times):
            lines[name].append(f"{show(by_subject)} ({by_row:.1%})")
    return table(["", *map(str, designs)], [[name, *cells] for name, cells in lines.items()])


def main(arguments: Sequence[str] | None = None, page: Path = PAGE) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=1000, help="samples per setting")
    repeats = parser.parse_args(arguments).repeats
    times = repeats, repeats
    tables = {"coverage": measured((formulas, resampled), coverage, times)}
    tables["size"] = measured((of_chance, of_curves), size, times)
    for name, content in tables.items():
        page.write_text(with_table(page.read_text(), name, content))


if __name__ == "__main__":
    main()
