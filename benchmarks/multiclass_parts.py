"""Folds, groups and chosen classes: intervals of means and averages, and the test of groups that are alike.

``python -m benchmarks.multiclass_parts [--samples N]`` rewrites three tables of docs/multiclass.md; some minutes on one
core. Scores are standard normal with a step for the row's class, and probabilities their softmax, so that the truth is
that of a sample of 200,000 rows.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from scipy.special import chdtrc

from benchmarks.coverage import with_table
from benchmarks.coverage_kit import coverage, size, stream, table
from rocsteady._src.designs.classes.averaged import averaging
from rocsteady._src.designs.classes.estimates import JudgedClasses
from rocsteady._src.designs.classes.names import class_measure
from rocsteady._src.designs.classes.scores_by_class import part_of_rows, read_classes
from rocsteady._src.evaluation.classes.classes_by_fold import mean_over_folds
from rocsteady._src.evaluation.classes.grouped import numbers_of_groups
from rocsteady._src.evaluation.classes.parts import ClassParts
from rocsteady._src.evaluation.groups.tests import heterogeneity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.designs.classes.scores_by_class import ClassRows

PAGE = Path(__file__).parent.parent / "docs" / "multiclass.md"
NAMES = ("macro_auc", "hand_till_auc", "accuracy", "macro_f1", "log_loss", "brier_score")
AVERAGES = ("macro_auc", "weighted_auc", "hand_till_auc", "micro_auc", "balanced_accuracy", "macro_f1", "micro_f1")
ALPHA, LARGE, FOLDS, GROUPS, MODEL = 0.05, 200_000, 5, 3, "model"


@dataclass(frozen=True)
class Design:
    """So many rows of classes of these shares, whose scores are so many standard deviations apart."""

    n: int
    shares: tuple[float, ...]
    step: float

    def draw(self, rng: np.random.Generator, n: int | None = None) -> tuple[Any, Any]:
        """Labels and probabilities."""
        size = self.n if n is None else n
        y = rng.choice(len(self.shares), size, p=self.shares)
        scores = rng.standard_normal((size, len(self.shares)))
        scores[np.arange(size), y] += self.step
        odds = np.exp(scores)
        return y, odds / odds.sum(axis=1, keepdims=True)

    def truths(self, names: Sequence[str], chosen: Sequence[int] | None = None) -> dict[str, float]:
        """The numbers of very many rows."""
        rows = averaging(read_classes(*self.draw(stream("truth", self), LARGE)), chosen, "undefined")
        judged = JudgedClasses(rows)
        return {name: judged.estimate(name).value for name in names}  # type: ignore[union-attr]  # all are defined

    def cells(self) -> list[Any]:
        """What a line begins with."""
        return [self.n, ", ".join(f"{share:.2g}" for share in self.shares), self.step]


EVEN, SOME, RARE = (1 / 3, 1 / 3, 1 / 3), (0.5, 0.3, 0.2), (0.6, 0.3, 0.1)
IN_FOLDS = (Design(400, EVEN, 1.5), Design(400, SOME, 2.5), Design(150, RARE, 1.5), Design(500, RARE, 2.5))
IN_GROUPS = tuple(Design(n, shares, step) for n in (400, 1200) for shares in (EVEN, RARE) for step in (1.5, 3.0, 4.0))
FOUR = (0.4, 0.3, 0.2, 0.1)
OF_SOME = (Design(200, FOUR, 1.5), Design(600, FOUR, 1.5), Design(200, FOUR, 3.5), Design(600, FOUR, 3.5))


def stratified(y: Any, rng: np.random.Generator) -> Any:
    """A fold of every row, each with as many rows of a class as another, but for one."""
    fold = np.empty(y.size, dtype=np.int64)
    for label in np.unique(y):
        inside = rng.permutation(np.flatnonzero(y == label))
        fold[inside] = np.arange(inside.size) % FOLDS
    return fold


def parts_of(rows: ClassRows, part_of: Any, n_parts: int) -> ClassParts:
    """Parts of the rows without their curves, which a table does not need."""
    places = [np.flatnonzero(part_of == part) for part in range(n_parts)]
    judged = [SimpleNamespace(judged={MODEL: JudgedClasses(part_of_rows(rows, place))}) for place in places]
    return ClassParts(cast("Any", judged), places, None)


def held_over_folds(design: Design, samples: int) -> dict[str, float]:
    """Share of samples whose interval of the mean over folds holds the truth."""
    rng, truths, held = stream("folds", design), design.truths(NAMES), dict.fromkeys(NAMES, 0)
    for _ in range(samples):
        y, p = design.draw(rng)
        rows = read_classes(y, p, labels=list(range(3)))
        parts = parts_of(rows, stratified(y, rng), FOLDS)
        whole = cast("Any", SimpleNamespace(origin=rows.origin(), measure=class_measure))
        for name in NAMES:
            mean = mean_over_folds(parts, MODEL, name, 0.95, whole)
            held[name] += int(mean.low <= truths[name] <= mean.high)
    return {name: count / samples for name, count in held.items()}


def rejected(design: Design, samples: int) -> tuple[float, float]:
    """Share of samples whose groups seem to differ, by Welch's F and by chi-square."""
    rng, found = stream("class groups", design), []
    for _ in range(samples):
        y, p = design.draw(rng)
        rows = read_classes(y, p, labels=list(range(len(design.shares))))
        parts = parts_of(rows, np.arange(design.n) % GROUPS, GROUPS)
        test = heterogeneity(numbers_of_groups(parts, [MODEL], "macro_auc"), np.ones(1), {})
        found.append([test.pvalue <= ALPHA, chdtrc(test.df, test.statistic) <= ALPHA])
    by_f, by_chi = np.mean(found, axis=0)
    return float(by_f), float(by_chi)


def held_of_some(design: Design, samples: int) -> dict[str, float]:
    """Share of samples whose interval of an average over the two rarest classes holds the truth."""
    chosen = [2, 3]
    rng, truths, held = stream("some classes", design), design.truths(AVERAGES, chosen), dict.fromkeys(AVERAGES, 0)
    for _ in range(samples):
        judged = JudgedClasses(averaging(read_classes(*design.draw(rng)), chosen, "undefined"))
        for name in AVERAGES:
            interval = judged.interval(name, 0.95)
            held[name] += int(interval.low <= truths[name] <= interval.high)
    return {name: count / samples for name, count in held.items()}


def fold_table(samples: int) -> str:
    rows = [[*each.cells(), *map(coverage, held_over_folds(each, samples).values())] for each in IN_FOLDS]
    return table(["rows", "shares", "step", *NAMES], rows)


def group_table(samples: int) -> str:
    rows = [[*each.cells(), *map(size, rejected(each, samples))] for each in IN_GROUPS]
    return table(["rows", "shares", "step", "test at 5%", "by chi-square"], rows)


def some_table(samples: int) -> str:
    rows = [[*each.cells(), *map(coverage, held_of_some(each, samples).values())] for each in OF_SOME]
    return table(["rows", "shares", "step", *AVERAGES], rows)


TABLES = {"class_groups": group_table, "some_classes": some_table, "class_folds": fold_table}


def main(arguments: Sequence[str] | None = None, page: Path = PAGE) -> None:
    """Rewrite the tables, or some of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1000, help="samples of each line")
    parser.add_argument("--tables", nargs="*", default=list(TABLES), choices=list(TABLES))
    given = parser.parse_args(arguments)
    for name in given.tables:
        made = TABLES[name](given.samples)
        page.write_text(with_table(page.read_text(), name, made))


if __name__ == "__main__":
    main()
