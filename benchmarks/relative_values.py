"""Ratios of two positive predictive values: ``python -m benchmarks.relative_values`` writes the table.

Two tests call the same rows, with sensitivities of .9 and .8 and the false positive rates of the setting; calls are
correlated within classes. Negative predictive values are the same with classes and calls turned round.
"""

from __future__ import annotations

import csv
import math
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.coverage_kit import Z, stream
from rocsteady._src.inference.paired.relative_values import FEW, log_ratio_limits

if TYPE_CHECKING:
    from collections.abc import Iterator

PATH = Path(__file__).with_name("results") / "relative_values.csv"
POSITIVES, NEGATIVES, RATES, ALIKE = (20, 50, 200), (100, 500), (0.01, 0.02, 0.05, 0.1), (0.2, 0.6)
SENSITIVITIES, TOGETHER = (0.9, 0.8), 0.3
SAMPLES = 4000
HEAD = ("positives", "negatives", "first_fpr", "second_fpr", "correlation", "samples", "coverage", "width")
REMARK = ("delta", "remark", "remarked")
KINDS = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])


def together(first: float, second: float, correlation: float) -> np.ndarray:
    """Chances that both call a row, the first alone, the second alone."""
    both = first * second + correlation * math.sqrt(first * (1 - first) * second * (1 - second))
    both = min(both, first, second)
    return np.array([both, first - both, second - both])


def line(setting: tuple[Any, ...]) -> list[Any]:
    """How often the interval of the ratio holds it, of samples in which it is defined."""
    n_pos, n_neg, *rates, alike = setting
    n, share = n_pos + n_neg, n_pos / (n_pos + n_neg)
    of_pos, of_neg = together(*SENSITIVITIES, TOGETHER), together(rates[0], rates[1], alike)
    chances = np.append(share * of_pos, (1 - share) * of_neg)
    sums = [chances[:3] @ KINDS, chances[3:] @ KINDS]
    truth = np.divide(*(sums[0] / (sums[0] + sums[1])))
    rng = stream("relative values", *setting)
    drawn, times = np.unique(
        rng.multinomial(n, np.append(chances, 1 - chances.sum()), SAMPLES)[:, :6], axis=0, return_counts=True
    )
    kinds, weight = drawn.T.astype(float).reshape(2, 3, -1), times.astype(float)
    right, rows = kinds[0], kinds.sum(axis=0)
    values, called, few = [], [], []
    for own in (1, 2):
        hits, all_called = right[0] + right[own], rows[0] + rows[own]
        values.append(hits / np.maximum(all_called, 1))
        called.append(all_called)
        few.append(np.minimum(hits, all_called - hits))
    known = (values[0] > 0) & (values[1] > 0)
    fewest, weight = np.minimum(*few), weight * known / weight[known].sum()
    log, error = _delta(kinds, values, called, known)
    low, high = log - Z * error, log + Z * error
    ends = log_ratio_limits(right[:, fewest < FEW], rows[:, fewest < FEW], Z)
    of_delta = weight[(low <= np.log(truth) + 1e-12) & (np.log(truth) - 1e-12 <= high)].sum()
    low[fewest < FEW], high[fewest < FEW] = ends
    held = weight[(low <= np.log(truth) + 1e-9) & (np.log(truth) - 1e-9 <= high)].sum()
    told = weight[fewest < FEW].sum()
    width = weight[known] @ (high - low)[known]
    shares = [f"{each:.4f}" for each in (held, width, of_delta)]
    return [*setting, SAMPLES, *shares, "relative_value_few" if told > 0.5 else "", f"{told:.3f}"]


def _delta(kinds: np.ndarray, values: Any, called: Any, known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The logarithm of the ratio and its standard error by the delta method."""
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = sum(
            kinds[1 - truth, kind]
            * sum(
                sign * call * (truth - value) / (value * total)
                for sign, call, value, total in zip((1, -1), KINDS[kind], values, called, strict=True)
            )
            ** 2
            for truth in (1, 0)
            for kind in range(3)
        )
        return np.where(known, np.log(values[0] / values[1]), 0.0), np.where(known, np.sqrt(variance), 0.0)


def settings() -> Iterator[tuple[Any, ...]]:
    pairs = combinations_with_replacement(RATES, 2)
    for n_pos, n_neg, pair, alike in product(POSITIVES, NEGATIVES, list(pairs), ALIKE):
        yield n_pos, n_neg, *pair, alike


def main() -> None:
    with PATH.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*HEAD, *REMARK])
        for setting in settings():
            found = line(setting)
            writer.writerow(found)
            print(*found, flush=True)


if __name__ == "__main__":
    main()
