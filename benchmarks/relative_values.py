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

from benchmarks.coverage_kit import stream
from rocsteady._src.inference.paired.relative_values import relative_value

if TYPE_CHECKING:
    from collections.abc import Iterator

PATH = Path(__file__).with_name("results") / "relative_values.csv"
POSITIVES, NEGATIVES, RATES, ALIKE = (20, 50, 200), (100, 500), (0.01, 0.02, 0.05, 0.1), (0.2, 0.6)
SENSITIVITIES, TOGETHER = (0.9, 0.8), 0.3
SAMPLES, LEVEL = 1000, 0.95
HEAD = ("positives", "negatives", "first_fpr", "second_fpr", "correlation", "samples", "coverage", "width")
REMARK = ("delta", "remark", "remarked")
KINDS = np.array([[1, 1], [1, 0], [0, 1]] * 2, dtype=float)
TRUTH = np.repeat([1.0, 0.0], 3)


def together(first: float, second: float, correlation: float) -> list[float]:
    """Chances that both call a row, the first alone, the second alone."""
    both = first * second + correlation * math.sqrt(first * (1 - first) * second * (1 - second))
    both = min(both, first, second)
    return [both, first - both, second - both]


def line(setting: tuple[Any, ...]) -> list[Any]:
    """How often the interval of the ratio holds it, of samples in which it is defined."""
    n_pos, n_neg, *rates, alike = setting
    n, share = n_pos + n_neg, n_pos / (n_pos + n_neg)
    chances = np.append(
        share * np.array(together(*SENSITIVITIES, TOGETHER)), (1 - share) * np.array(together(*rates, alike))
    )
    called = [chances[:3] @ KINDS[:3], chances[3:] @ KINDS[3:]]
    truth = np.divide(*(called[0] / (called[0] + called[1])))
    rng = stream("relative values", *setting)
    drawn, times = np.unique(
        rng.multinomial(n, np.append(chances, 1 - chances.sum()), SAMPLES)[:, :6], axis=0, return_counts=True
    )
    held, width, delta, told, known = 0.0, 0.0, 0.0, 0.0, 0
    for cells, count in zip(drawn, times.tolist(), strict=True):
        found = relative_value("ppv", TRUTH, (KINDS[:, 0], KINDS[:, 1]), cells.astype(float), None, LEVEL)
        if math.isnan(found.ratio):
            continue
        known += count
        held += count * (found.low <= truth * (1 + 1e-12) and truth * (1 - 1e-12) <= found.high)
        width += count * math.log(found.high / found.low)
        delta += count * (abs(math.log(found.ratio / truth)) <= 1.959964 * found.se_log + 1e-12)
        told += count * bool(found.warnings)
    shares = [f"{each / known:.4f}" for each in (held, width, delta)]
    return [*setting, known, *shares, "relative_value_few" if told > known / 2 else "", f"{told / known:.3f}"]


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
