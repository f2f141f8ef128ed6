"""How often the upper limit of `decide` holds what the choice of model and threshold costs beyond the best choice.

Run ``python -m benchmarks.decision_excess``; it writes ``benchmarks/results/decision_excess.csv``. Scores are binormal.
Models are alike (distance of the classes 1.2, correlation 0.5) or apart (1.8 to 1.2, correlation 0.9).
"""

from __future__ import annotations

import csv
import math
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr

from benchmarks.coverage_kit import stream
from rocsteady._src.evaluation.decision_excess import _moments
from rocsteady._src.evaluation.decision_tests import Situation
from rocsteady._src.inference.intervals.normal import quantile_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

LEVEL, SAMPLES, RESAMPLED, RESAMPLES = 0.95, 1000, 50, 50
MODELS, ROWS, POSITIVE = (1, 2, 5, 10), (100, 300, 1000, 2000), (0.05, 0.5)
COSTS, KINDS = ((1, 1), (1, 10), (20, 1)), ("alike", "apart")
RESULT = Path(__file__).parent / "results" / "decision_excess.csv"
HEADER = (
    "models", "rows", "positive", "cost_fp", "cost_fn", "kind", "samples", "coverage", "excess", "excess_95", "limit",
    "expected",
)  # fmt: skip


def drawn(rng: np.random.Generator, n: int, share: float, gaps: Array, alike: float) -> tuple[Any, Array]:
    """Labels and scores of a sample with at least two rows of each class."""
    positive = rng.random(n) < share
    while not 2 <= positive.sum() <= n - 2:
        positive = rng.random(n) < share
    shared, own = rng.standard_normal(n), rng.standard_normal((gaps.size, n))
    return positive, math.sqrt(alike) * shared + math.sqrt(1 - alike) * own + gaps[:, None] * positive


def gaps_of(kind: str, n_models: int) -> tuple[Array, float]:
    """Distances of the classes, and the correlation of scores within a class."""
    return (np.full(n_models, 1.2), 0.5) if kind == "alike" else (np.linspace(1.8, 1.2, n_models), 0.9)


def true_cost(threshold: Any, gap: Any, worth: tuple[float, float]) -> Any:
    """The expected cost of a case."""
    return worth[0] * ndtr(threshold - gap) + worth[1] * ndtr(-threshold)


def limits_of(positive: Any, scores: Array, at: Situation) -> tuple[int, float, float, Array, Any]:
    """The chosen model and threshold, the upper limit, and costs by step with the order of rows that makes them."""
    n_models, n = scores.shape
    order = np.argsort(-scores, axis=1)
    labels = positive[order]
    saved = np.where(labels, at.cost_fn, -at.cost_fp) / n
    gained = np.concatenate([np.zeros((n_models, 1)), saved.cumsum(axis=1)], axis=1)
    model, step = divmod(int(gained.argmax()), n + 1)
    called = np.zeros(n, bool)
    called[order[model, :step]] = True
    there, net, apart, totals = called[order], [], [], []
    for mask in (labels, ~labels):
        both, one = (
            np.concatenate([np.zeros((n_models, 1)), (mask & each).cumsum(axis=1)], axis=1) for each in (there, ~there)
        )
        totals.append(float(mask[0].sum()))
        net.append(one - (both[:, -1:] - both))
        apart.append(one + (both[:, -1:] - both))
    gaps, errors = _moments(net, apart, totals, at)
    reach = quantile_of(1 - 2 * (1 - LEVEL) / max(2, n_models))
    threshold = math.inf if not step else float(scores[model, order[model, step - 1]])
    return model, threshold, max(0.0, float((reach * errors - gaps).max())), gained, (order, saved)


def expected_of(gained: Array, by: Any, rng: np.random.Generator) -> float:
    """The mean excess of choices of resamples on the rows themselves."""
    order, saved = by
    n, found = order.shape[1], []
    for _ in range(RESAMPLES):
        times = np.bincount(rng.integers(0, n, n), minlength=n)[order]
        again = np.concatenate([np.zeros((len(order), 1)), (saved * times).cumsum(axis=1)], axis=1)
        found.append(gained.max() - gained.ravel()[again.argmax()])
    return float(np.mean(found))


def cell(n_models: int, n: int, share: float, costs: tuple[float, float], kind: str) -> list[Any]:
    """One line of the table."""
    rng, found, means = stream("excess", n_models, n, share, costs, kind), [], []
    gaps, alike = gaps_of(kind, n_models)
    worth = share * costs[1], (1 - share) * costs[0]
    least = min(float(true_cost(math.log(worth[1] / worth[0]) / gap + gap / 2, gap, worth)) for gap in gaps)
    for number in range(SAMPLES):
        positive, scores = drawn(rng, n, share, gaps, alike)
        at = Situation(*costs, float(positive.mean()), None, "given")
        model, threshold, limit, gained, by = limits_of(positive, scores, at)
        found.append((float(true_cost(threshold, gaps[model], worth)) - least, limit))
        if number < RESAMPLED:
            means.append(expected_of(gained, by, rng))
    excess, limit = np.array(found).T
    held = float((excess <= limit + 1e-12).mean())
    numbers = (excess.mean(), np.quantile(excess, 0.95), limit.mean(), np.mean(means))
    return [n_models, n, share, *costs, kind, SAMPLES, f"{held:.3f}", *(f"{each:.4g}" for each in numbers)]


def main() -> None:
    """Write the table."""
    RESULT.parent.mkdir(exist_ok=True)
    with RESULT.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        for setting in product(MODELS, ROWS, POSITIVE, COSTS, KINDS):
            writer.writerow(cell(*setting))
            file.flush()


if __name__ == "__main__":
    main()
