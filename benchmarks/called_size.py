"""Predicted classes in groups and folds: tests between groups that are alike, and 95% intervals of means over folds.

python -m benchmarks.called_size [samples]: rows have three classes, of which 50%, 30% and 20% of rows are; a row is
called its own class with a given chance, else any. "groups alike" is how often p < 0.05 where no group differs, "models
alike" how often where two models are equally good, the others how often the mean over five folds holds the truth;
"none" is the share of samples without a test between groups: one has no mistake.
"""

from __future__ import annotations

import math
import sys
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from benchmarks.multiclass_parts import FOLDS, MODEL, parts_of, stratified
from rocsteady._src.designs.classes.estimates import JudgedClasses, difference_test
from rocsteady._src.designs.classes.names import class_measure
from rocsteady._src.designs.classes.scores_by_class import read_classes
from rocsteady._src.evaluation.classes.called_models import as_scores
from rocsteady._src.evaluation.classes.classes_by_fold import mean_over_folds
from rocsteady._src.evaluation.classes.grouped import numbers_of_groups
from rocsteady._src.evaluation.groups.tests import heterogeneity

SHARES = (0.5, 0.3, 0.2)
CELLS = [(n, groups, right) for n, groups in ((120, 2), (120, 4), (400, 2), (400, 4)) for right in (0.4, 0.85, 0.95)]
SHOWN = ("accuracy", "balanced_accuracy", "macro_f1", "kappa")


def called(rng: np.random.Generator, y: Any, right: float) -> Any:
    """Classes as a model calls them."""
    return np.where(rng.random(y.size) < right, y, rng.choice(3, y.size, p=SHARES))


def truths(right: float) -> dict[str, float]:
    """What the numbers are in the population, by the chances of each pair of true and called class."""
    shares = np.array(SHARES)
    cells = right * np.diag(shares) + (1 - right) * np.outer(shares, shares)
    hit, recalls = float(np.trace(cells)), np.diagonal(cells) / shares
    by_chance = float(shares @ cells.sum(axis=0))
    f1 = 2 * np.diagonal(cells) / (shares + cells.sum(axis=0))
    found = hit, float(recalls.mean()), float(f1.mean()), (hit - by_chance) / (1 - by_chance)
    return dict(zip(SHOWN, found, strict=True))


def sample(seed: int, n: int, groups: int, right: float) -> list[float]:
    """1 for each rejection or held truth of one sample; NaN where there is none."""
    rng = np.random.default_rng([seed, n, groups, int(100 * right)])
    y = rng.choice(3, n, p=SHARES)
    classes, scores = as_scores(y, {"a": called(rng, y, right), "b": called(rng, y, right)})
    rows = {model: read_classes(y, each, labels=classes) for model, each in scores.items()}
    by = numbers_of_groups(parts_of(rows["a"], np.arange(n) % groups, groups), [MODEL], "accuracy")
    both = [JudgedClasses(each).estimate("accuracy") for each in rows.values()]
    p = heterogeneity(by, np.ones(1), {}).pvalue, difference_test(*both, "accuracy", 0.95).pvalue  # type: ignore[arg-type]
    parts, known = parts_of(rows["a"], stratified(y, rng), FOLDS), truths(right)
    whole = cast("Any", SimpleNamespace(origin=rows["a"].origin(), measure=class_measure))
    means = [(mean_over_folds(parts, MODEL, name, 0.95, whole), known[name]) for name in SHOWN]
    return [*(math.nan if math.isnan(each) else float(each < 0.05) for each in p), *(_held(*each) for each in means)]


def _held(found: Any, truth: float) -> float:
    return math.nan if math.isnan(found.low) else float(found.low <= truth <= found.high)


def main(samples: int, cells: list[tuple[int, int, float]]) -> None:
    """Print the table."""
    header = ["rows", "groups", "accuracy", "groups alike", "models alike", *(f"mean {name}" for name in SHOWN), "none"]
    print(f"| {' | '.join(header)} |\n|{' --- |' * len(header)}")
    for n, groups, right in cells:
        found = np.array([sample(seed, n, groups, right) for seed in range(samples)])
        shares = [truths(right)["accuracy"], *np.nanmean(found, axis=0), np.isnan(found[:, 0]).mean()]
        print(f"| {n} | {groups} | {' | '.join(f'{share:.1%}' for share in shares)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, CELLS)
