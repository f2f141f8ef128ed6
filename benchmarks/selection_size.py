"""How often does the test of the selection experiment find a difference where there is none? Rewrites its table.

``python -m benchmarks.selection_size [--repeats N]``. Three ways to have no difference, 40 splits of 60/20/20 each:

scores      Two scores that are alike by symmetry; nothing is trained. The splits share test rows, nothing else.
trained     Two linear discriminants on two sets of features that are alike by symmetry, trained on each train part.
picked      Twenty discriminants on bootstrap samples; one pick by the AUC on one half of validation, one on the other.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.coverage import with_table
from rocsteady._src.extras.lab.selection_batch import areas
from rocsteady._src.extras.lab.selection_split import bootstrap_sample, divide
from rocsteady._src.extras.lab.selection_stats import picks_of
from rocsteady.lab import corrected_test

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PAGE = Path(__file__).parent.parent / "docs" / "laboratory.md"
SIZES = (0.6, 0.2, 0.2)
N_SPLITS, N_MODELS, LEVEL = 40, 20, 0.05
POSITIVE = np.arange(200) < 80


def discriminant(features: np.ndarray, positive: np.ndarray) -> np.ndarray:
    """Weights of Fisher's linear discriminant, with a little ridge."""
    means = [features[side].mean(axis=0) for side in (positive, ~positive)]
    inside = sum(np.cov(features[side], rowvar=False) * side.sum() for side in (positive, ~positive))
    return np.linalg.solve(inside + 1e-6 * np.eye(len(means[0])), means[0] - means[1])


def of_scores(rng: np.random.Generator) -> list[float]:
    scores = rng.normal(size=(2, 200)) + POSITIVE
    return [float(np.diff(areas(POSITIVE[test], scores[:, test]))[0]) for _, _, test in _splits(rng)]


def of_trained(rng: np.random.Generator) -> list[float]:
    features = rng.normal(size=(2, 200, 5)) + 0.4 * POSITIVE[:, None]
    differences = []
    for train, _, test in _splits(rng):
        scores = np.stack([side[test] @ discriminant(side[train], POSITIVE[train]) for side in features])
        differences.append(float(np.diff(areas(POSITIVE[test], scores))[0]))
    return differences


def of_picked(rng: np.random.Generator) -> list[float]:
    features = rng.normal(size=(200, 10)) + 0.3 * POSITIVE[:, None]
    differences = []
    for train, validation, test in _splits(rng):
        samples = (bootstrap_sample(POSITIVE, train, rng) for _ in range(N_MODELS))
        weights = np.stack([discriminant(features[rows], POSITIVE[rows]) for rows in samples])
        halves = [validation[::2], validation[1::2]]  # each holds half of both classes
        seen = np.stack([areas(POSITIVE[half], weights @ features[half].T) for half in halves])
        *_, pick_auc = picks_of(seen, areas(POSITIVE[test], weights @ features[test].T))
        differences.append(float(pick_auc[0] - pick_auc[1]))
    return differences


def _splits(rng: np.random.Generator) -> list[list[Any]]:
    return [divide(POSITIVE, SIZES, rng) for _ in range(N_SPLITS)]


NULLS: dict[str, Callable[[np.random.Generator], list[float]]] = {
    "scores": of_scores,
    "trained": of_trained,
    "picked": of_picked,
}
SLOWER = {"picked": 4}
# Rows counted as training rows in the correction, of 200.
TESTS = {"usual t-test": 1e18, "n_train = train": 120, "n_train = train + validation": 160}


def size_table(repeats: int) -> str:
    lines = ["| no difference between | " + " | ".join(TESTS) + " |", "|:---|" + "---:|" * len(TESTS)]
    for name, null in NULLS.items():
        count = max(repeats // SLOWER.get(name, 1), 1)
        drawn = [null(np.random.default_rng([7, repeat])) for repeat in range(count)]
        cells = [
            np.mean([corrected_test(each, n_train=n_train, n_test=40).pvalue < LEVEL for each in drawn])
            for n_train in TESTS.values()
        ]
        lines.append(f"| {name} | " + " | ".join(f"{cell:.1%}" for cell in cells) + " |")
        print(lines[-1], flush=True)
    error = (LEVEL * (1 - LEVEL) / repeats) ** 0.5
    sizes = (
        f"{repeats} data sets each, a quarter of them for picks; the standard error of a share near 5% is {error:.1%}"
    )
    return "\n".join([*lines, "", f"{sizes}, {2 * error:.1%} for picks."])


def main(arguments: Sequence[str] | None = None, page: Path = PAGE) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=1000)
    asked = parser.parse_args(arguments)
    page.write_text(with_table(page.read_text(), "size", size_table(asked.repeats)))


if __name__ == "__main__":
    main()
