"""Do the intervals and tests of ``Evaluation.decide`` hold? Rewrites the tables of docs/decisions.md.

``python -m benchmarks.decision_coverage [--samples N] [--only NAME ...]``; about ten minutes on one core. The truth is
what new cases cost at the thresholds that a sample chose; the leader of a sample is chosen by it, too.
"""

from __future__ import annotations

import argparse
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from benchmarks.coverage import with_table
from benchmarks.decision_samples import Compared, Design, compared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    Array = NDArray[Any]

PAGE = Path(__file__).parent.parent / "docs" / "decisions.md"
COSTS = ((1.0, 1.0), (1.0, 10.0), (20.0, 1.0), (1.0, 100.0))
SAME, APART = 1.2, 1.8
SIZES, PREVALENCES, CORRELATIONS = (100, 300, 1000, 5000), (0.02, 0.1, 0.5), (0.3, 0.9)
LEVEL, TIMES, RESAMPLES, SEED = 0.95, 3, 50, 20
TRACE = 1e-9


class Held(NamedTuple):
    """Shares of samples: the runner-up's interval holds, those of all others, "Use", any other model told apart."""

    runner_up: float
    others: float
    use: float
    any_apart: float


def adjusted(p: Array) -> Array:
    """As ``beside_the_best`` of many samples at once."""
    order = np.argsort(p, axis=1)
    left = np.arange(p.shape[1] + 1, 1, -1)
    steps = np.take_along_axis(p, order, axis=1) * left * (left - 1) / 2
    found = np.empty_like(p)
    np.put_along_axis(found, order, np.minimum(np.maximum.accumulate(steps, axis=1), 1), axis=1)
    return found


def _others(found: Compared, n_models: int) -> tuple[list[Array], Array]:
    """Estimates, errors and truths of the models that did not lead, and their p; NaN where nothing differs is 1."""
    *numbers, leader, _ = found.parts()
    beside = np.arange(n_models) != leader[:, None]
    kept = [each[:, :n_models][beside].reshape(len(leader), -1) for each in numbers]
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * ndtr(-np.nan_to_num(np.abs(kept[0]) / kept[1]))
    return kept, adjusted(p)


def reach(p: Array) -> Array:
    """Half widths in standard errors, for a leader chosen among those that cannot be told apart."""
    alike = np.maximum(1 + (p >= 1 - LEVEL).sum(axis=1), 2)
    found: Array = ndtri(1 - (1 - LEVEL) / alike)[:, None]
    return found


def held(found: Compared, n_models: int) -> Held:
    (estimate, se, truth), p = _others(found, n_models)
    inside = np.abs(estimate - truth) <= reach(p) * se + TRACE
    second = estimate.argmin(axis=1)[:, None]
    apart = p < 1 - LEVEL
    shares = (np.take_along_axis(inside, second, axis=1), inside, apart.all(axis=1), apart.any(axis=1))
    return Held(*(float(each.mean()) for each in shares))


def held_without(found: Compared, n_models: int) -> tuple[float, float]:
    """Shares of samples whose intervals of flagging nobody and everybody hold."""
    estimate, se, truth, _, flattered = (each[:, -2:] if each.ndim > 1 else each[:, None] for each in found.parts())
    width = reach(_others(found, n_models)[1]) if n_models > 1 else ndtri((1 + LEVEL) / 2)
    low, high = estimate - TIMES * flattered - width * se, estimate + width * se
    inside = ((low <= truth + TRACE) & (truth <= high + TRACE)).mean(axis=0)
    return float(inside[0]), float(inside[1])


def two_table(n_samples: int) -> str:
    """Two models: the least coverage over distances and correlations, and the most "Use" where both are alike."""
    lines = []
    for n, prevalence in product(SIZES, PREVALENCES):
        cells: dict[tuple[float, float], list[tuple[Held, bool]]] = {pair: [] for pair in COSTS}
        for second, correlation in product((SAME, APART), CORRELATIONS):
            design = Design(n, prevalence, (second, SAME), correlation)
            for pair, found in compared(design, n_samples, COSTS, np.random.default_rng(SEED)).items():
                cells[pair].append((held(found, 2), second == SAME))
        least = [_percent(min(each.others for each, _ in cells[pair])) for pair in COSTS]
        most = [_percent(max(each.use for each, same in cells[pair] if same)) for pair in COSTS]
        lines.append([f"{n:,}", f"{prevalence:g}", *least, *most])
        print(lines[-1], flush=True)
    return _table(["rows", "prevalence", *_costs("covers"), *_costs("says Use")], lines)


def many_table(n_samples: int) -> str:
    """Several models that are all alike: the worst over correlations."""
    lines = []
    for n_models, n, prevalence in product((2, 5, 12), (300, 1000), (0.1, 0.5)):
        designs = [Design(n, prevalence, (SAME,) * n_models, correlation) for correlation in CORRELATIONS]
        runs = [compared(each, n_samples, COSTS, np.random.default_rng(SEED)) for each in designs]
        all_held = [held(found, n_models) for run in runs for found in run.values()]
        worst = [
            min(each.runner_up for each in all_held),
            min(each.others for each in all_held),
            max(each.use for each in all_held),
            max(each.any_apart for each in all_held),
        ]
        lines.append([str(n_models), f"{n:,}", f"{prevalence:g}", *map(_percent, worst)])
        print(lines[-1], flush=True)
    names = ["covers the runner-up", "covers the others", "says Use", "tells any apart"]
    return _table(["models", "rows", "prevalence", *names], lines)


def without_table(n_samples: int) -> str:
    """Flagging nobody or everybody beside the leader of one model, or of five that are alike."""
    lines = []
    for n_models, n, prevalence in product((1, 5), (100, 300, 1000), PREVALENCES):
        design = Design(n, prevalence, (SAME,) * n_models, 0.3)
        found = compared(design, n_samples, COSTS, np.random.default_rng(SEED), RESAMPLES)
        both = [held_without(each, n_models) for each in found.values()]
        shares = [_percent(min(each)) for each in both]
        lines.append([str(n_models), f"{n:,}", f"{prevalence:g}", *shares])
        print(lines[-1], flush=True)
    return _table(["models", "rows", "prevalence", *_costs("covers")], lines)


def _costs(what: str) -> list[str]:
    return [f"{what}, {fp:g}:{fn:g}" for fp, fn in COSTS]


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _table(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    rows = [header, ["---:"] * len(header), *lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


TABLES: dict[str, tuple[Callable[[int], str], float]] = {
    "many": (many_table, 1.0),
    "without": (without_table, 0.5),
    "two": (two_table, 1.0),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--only", nargs="+", choices=list(TABLES), default=list(TABLES))
    given = parser.parse_args()
    for name in given.only:
        made, share = TABLES[name]
        table = made(int(share * given.samples))
        PAGE.write_text(with_table(PAGE.read_text(), name, table))


if __name__ == "__main__":
    main()
