"""Measure coverage of multi-class intervals and size of the paired test; rewrites the tables of docs/multiclass.md.

``python -m benchmarks.multiclass_coverage [--repeats N] [--quick] [--only NAME ...]``; about ten minutes on one core.
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr, stdtr

from benchmarks.coverage import with_table
from benchmarks.coverage_kit import LEVEL, coverage, size, stream, table
from rocsteady._src.designs.classes.areas import average_of, averaged_area
from rocsteady._src.designs.classes.averages import Average
from rocsteady._src.designs.classes.influence import (
    free_degrees,
    influence_on,
    influence_on_pool,
    influences_on,
    variance_of,
)
from rocsteady._src.designs.classes.intervals import evidence_on_average, interval_of
from rocsteady._src.designs.classes.measures import balanced_accuracy_interval
from rocsteady._src.designs.classes.scores_by_class import ClassRows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocsteady._src.designs.classes.influence import Influence

PAGE = Path(__file__).parent.parent / "docs" / "multiclass.md"
CLASSES, SIZES, STEP = (3, 5, 10), (100, 300, 1000), 0.75
AVERAGES = {"macro": ("macro", "ovr"), "weighted": ("weighted", "ovr"), "Hand-Till": ("macro", "hand-till")}
METHODS = ("auto", "delong", "logit")
TESTS, ALPHA = ("auto", "delong"), 0.05
REPEATS, MOST_TESTED, QUICK = 2000, 1000, 20
CELLS = np.arange(-40, 41)


@dataclass(frozen=True)
class Design:
    """Rows drawn as they come: a class by its share, then one normal score per class.

    The score of the row's own class is raised by ``gap``, that of the class before it by half of that, so that
    classes differ in how easily they are told apart. Tied scores are rounded to about nine values.
    """

    n_classes: int
    n: int
    skewed: bool
    tied: bool
    gap: float = 1.5

    @property
    def shares(self) -> np.ndarray:
        raw = 1.0 / np.arange(1, self.n_classes + 1) if self.skewed else np.ones(self.n_classes)
        return raw / raw.sum()

    @property
    def means(self) -> np.ndarray:
        """Mean score by class of the row and class of the column."""
        own = np.eye(self.n_classes)
        return self.gap * (own + np.roll(own, -1, axis=1) / 2)

    def codes(self, rng: np.random.Generator) -> np.ndarray:
        return rng.choice(self.n_classes, self.n, p=self.shares)

    def scores(self, noise: np.ndarray, codes: np.ndarray) -> np.ndarray:
        values = noise + self.means[codes]
        return np.asfortranarray(np.rint(values / STEP) if self.tied else values)

    def rows(self, noise: np.ndarray, codes: np.ndarray) -> ClassRows:
        return ClassRows(tuple(range(self.n_classes)), codes, self.scores(noise, codes), None, None, 0)

    def area(self, i: int, j: int) -> float:
        """A(i|j) in the population."""
        if not self.tied:
            return float(ndtr((self.means[i, i] - self.means[j, i]) / math.sqrt(2)))
        edges = (CELLS[:, None] + np.array([-0.5, 0.5])) * STEP
        own, other = (np.diff(ndtr(edges - mean))[:, 0] for mean in (self.means[i, i], self.means[j, i]))
        return float(own @ (other.cumsum() - other / 2))

    def truth(self, name: str) -> float:
        average, scheme = AVERAGES[name]
        every = (True,) * self.n_classes
        return self.truth_of(Average(scheme != "ovr", average == "weighted", tuple(self.shares), every))

    def truth_of(self, kind: Average) -> float:
        k = range(self.n_classes)
        return float(sum(kind.coefficients(i) @ np.array([self.area(i, j) if i != j else 0.0 for j in k]) for i in k))

    @property
    def name(self) -> str:
        return ("skewed" if self.skewed else "balanced") + (", tied" if self.tied else "")


def designs() -> list[Design]:
    return [Design(k, n, skew, tied) for k, n, skew, tied in product(CLASSES, SIZES, (False, True), (False, True))]


def easy_designs() -> list[Design]:
    return [Design(k, n, skew, tied=False, gap=3.5) for k, n, skew in product(CLASSES, SIZES[:2], (False, True))]


def ends(rows: ClassRows, name: str, method: str) -> tuple[float, float]:
    """What ``multiclass_auc_interval`` gives, without its checks."""
    return _ends(rows, influence_on(rows, average_of(rows, *AVERAGES[name])), method, AVERAGES[name][0])


def _ends(rows: ClassRows, influence: Influence, method: str, average: str) -> tuple[float, float]:
    known = evidence_on_average(rows, average, influence.theta, variance_of(influence, rows))
    made = interval_of(known, method, LEVEL, rows.origin())
    return made.low, made.high


def pvalues(first: ClassRows, second: ClassRows) -> dict[tuple[str, str], float]:
    """What ``compare_multiclass_auc`` gives for each average and method, without its checks."""
    one, two = _influences(first), _influences(second)
    found = {}
    for name in AVERAGES:
        difference = one[name].minus(two[name])
        se = math.sqrt(variance_of(difference, first))
        t = -abs(difference.theta) / se if se > 0 else 0.0
        free = free_degrees(difference, first) if se > 0 else math.inf
        found[name, "auto"], found[name, "delong"] = 2 * float(stdtr(free, t)), 2 * float(ndtr(t))
    return found


def _influences(rows: ClassRows) -> dict[str, Influence]:
    kinds = [average_of(rows, *kind) for kind in AVERAGES.values()]
    return dict(zip(AVERAGES, influences_on(rows, kinds), strict=True))


def coverage_table(repeats: int) -> str:
    """Share of the samples with an interval whose interval holds the truth; samples without one are counted apart."""
    return _coverage(designs(), repeats)


def near_one_table(repeats: int) -> str:
    """The same where classes are told apart nearly always: areas of 0.99, and 0.89 for neighbours."""
    return _coverage(easy_designs(), tests_of(repeats))


def _coverage(settings: list[Design], repeats: int) -> str:
    head = ["classes", "rows", "design", "no interval", *(f"{a}, {m}" for a in AVERAGES for m in METHODS)]
    lines = []
    for design in settings:
        rng, truths = stream("multiclass", repr(design)), {name: design.truth(name) for name in AVERAGES}
        held: dict[tuple[str, str], int] = dict.fromkeys(product(AVERAGES, METHODS), 0)
        made = 0
        for _ in range(repeats):
            codes, noise = design.codes(rng), rng.standard_normal((design.n, design.n_classes))
            if np.bincount(codes, minlength=design.n_classes).min() < 2:
                continue
            made += 1
            for key, (low, high) in _all_ends(design.rows(noise, codes)).items():
                held[key] += low <= truths[key[0]] <= high
        cells = [coverage(count / made) if made else "" for count in held.values()]
        lines.append([design.n_classes, design.n, design.name, f"{1 - made / repeats:.1%}", *cells])
    return table(head, lines)


def _all_ends(rows: ClassRows) -> dict[tuple[str, str], tuple[float, float]]:
    found = _influences(rows)
    kinds = product(AVERAGES, METHODS)
    return {(name, method): _ends(rows, found[name], method, AVERAGES[name][0]) for name, method in kinds}


def size_table(repeats: int) -> str:
    """Share of p below 5% when both models are alike, with scores correlated 1/2 given the class."""
    some = [design for design in designs() if design.n < SIZES[-1]]
    lines = [[*_named(design), *_sizes(design, tested(repeats))] for design in [*some, *easy_designs()]]
    return table(["classes", "rows", "design", *(f"{a}, {m}" for a in AVERAGES for m in TESTS)], lines)


def _named(design: Design) -> list[object]:
    return [design.n_classes, design.n, design.name + (", near 1" if design.gap > Design.gap else "")]


def _sizes(design: Design, repeats: int) -> list[str]:
    rng = stream("multiclass size", repr(design))
    rejected, made = dict.fromkeys(product(AVERAGES, TESTS), 0), 0
    for _ in range(repeats):
        codes = design.codes(rng)
        shared, *own = rng.standard_normal((3, design.n, design.n_classes))
        if np.bincount(codes, minlength=design.n_classes).min() < 2:
            continue
        made += 1
        first, second = (design.rows(math.sqrt(0.5) * (shared + noise), codes) for noise in own)
        for key, pvalue in pvalues(first, second).items():
            rejected[key] += pvalue <= ALPHA
    return [size(count / made) if made else "" for count in rejected.values()]


def others_table(repeats: int) -> str:
    """Coverage of the default interval of micro and of weighted pairs; micro's truth is that of large samples."""
    lines, repeats = [], tests_of(repeats)
    for k, n, skewed in product((3, 10), SIZES[:2], (False, True)):
        design = Design(k, n, skewed, tied=False)
        rng = stream("multiclass others", repr(design))
        every = (True,) * design.n_classes
        pairs = Average(pairs=True, weighted=True, sizes=tuple(design.shares), averaged=every)
        truths = {"micro": _large_micro(design, rng), "weighted pairs": design.truth_of(pairs)}
        held, made = dict.fromkeys(truths, 0), 0
        for _ in range(repeats):
            codes = design.codes(rng)
            if np.bincount(codes, minlength=k).min() < 2:
                continue
            made += 1
            rows = design.rows(rng.standard_normal((n, k)), codes)
            found = {"micro": influence_on_pool(rows)}
            found["weighted pairs"] = influence_on(rows, average_of(rows, "weighted", "ovo")), rows
            for name, (influence, units) in found.items():
                low, high = _ends(units, influence, "auto", "micro" if name == "micro" else "weighted")
                held[name] += low <= truths[name] <= high
        cells = [coverage(count / made) if made else "" for count in held.values()]
        lines.append([k, n, "skewed" if skewed else "balanced", *cells])
    return table(["classes", "rows", "design", "micro, auto", "weighted one-vs-one, auto"], lines)


def _large_micro(design: Design, rng: np.random.Generator) -> float:
    """Mean of ten samples of two million predictions; its own error is about 2e-4, far below a standard error."""
    large = replace(design, n=2_000_000 // design.n_classes)
    values = []
    for _ in range(10):
        rows = large.rows(rng.standard_normal((large.n, large.n_classes)), large.codes(rng))
        values.append(averaged_area(rows, "micro", "ovr"))
    return float(np.mean(values))


def balanced_table(repeats: int) -> str:
    """Coverage of the interval of the balanced accuracy; the truth is that of two million rows."""
    lines = []
    for k, n, skewed in product(CLASSES, SIZES, (False, True)):
        design = Design(k, n, skewed, tied=False)
        rng = stream("multiclass balanced", repr(design))
        truth = np.mean([_recall(design, place, rng) for place in range(k)])
        held = made = 0
        for _ in range(repeats):
            codes = design.codes(rng)
            if np.bincount(codes, minlength=k).min() < 2:
                continue
            made += 1
            rows = design.rows(rng.standard_normal((n, k)), codes)
            hit = (rows.scores.argmax(axis=1) == codes).astype(np.float64)
            interval = balanced_accuracy_interval(rows, hit, LEVEL)
            held += interval.low <= truth <= interval.high
        lines.append([k, n, "skewed" if skewed else "balanced", coverage(held / made) if made else ""])
    return table(["classes", "rows", "design", "balanced accuracy"], lines)


def _recall(design: Design, place: int, rng: np.random.Generator) -> float:
    rows = 2_000_000 // design.n_classes
    scores = rng.standard_normal((rows, design.n_classes)) + design.means[place]
    return float(np.mean(scores.argmax(axis=1) == place))


def tests_of(repeats: int) -> int:
    """For what takes longer."""
    return (repeats + 1) // 2


def tested(repeats: int) -> int:
    """A test costs two models."""
    return min(tests_of(repeats), MOST_TESTED)


def effort(repeats: int) -> str:
    counts = repeats, tested(repeats), tests_of(repeats)
    errors = [f"{math.sqrt(0.95 * 0.05 / count):.2%}" for count in counts]
    return (
        f"{counts[0]} samples per line for intervals, {counts[1]} for tests, {counts[2]} near 1 and for the other "
        f"averages: Monte Carlo standard errors of a share near 95% are {errors[0]}, {errors[1]} and {errors[2]}. "
        "Bold: below 92%, or above 7% for the test."
    )


TABLES: dict[str, Callable[[int], str]] = {
    "effort": effort,
    "coverage": coverage_table,
    "near_one": near_one_table,
    "others": others_table,
    "balanced": balanced_table,
    "size": size_table,
}


def main(arguments: Sequence[str] | None = None, page: Path = PAGE) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=REPEATS, help="samples per line")
    parser.add_argument("--quick", action="store_true", help="a few samples, to see that all runs; writes nothing")
    parser.add_argument("--only", nargs="+", choices=list(TABLES), default=list(TABLES), help="tables to write")
    asked = parser.parse_args(arguments)
    for name in asked.only:
        start = time.process_time()
        content = TABLES[name](QUICK if asked.quick else asked.repeats)
        print(f"{name}: {time.process_time() - start:.0f} s", flush=True)
        if asked.quick:
            print(content, flush=True)
        else:
            page.write_text(with_table(page.read_text(), name, content))


if __name__ == "__main__":
    main()
