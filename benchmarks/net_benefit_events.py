"""Limits of net benefits with few events: ``python -m benchmarks.net_benefit_events`` writes the table.

Rows and models are those of ``net_benefit_coverage``. "curve": the net benefit of a model that sees one of two signals;
"curve, prevalence given": class sizes are set. "better": the difference of a model that sees both; "alike": of models
that see one each, so that what is left out is the size of the test.
"""

from __future__ import annotations

import csv
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit

from benchmarks.coverage_kit import Z, stream
from benchmarks.net_benefit_coverage import GRID, STEP, Population
from rocsteady._src.probabilities.decisions import FEW_EVENTS
from rocsteady._src.probabilities.net_benefit_limits import Called, apart_limits

if TYPE_CHECKING:
    from collections.abc import Iterator

PATH = Path(__file__).with_name("results") / "net_benefit_events.csv"
EVENTS, SHARES, TIMES = (4, 5, 10, 20, 50), (0.01, 0.05, 0.2, 0.5), (0.5, 1, 1.5, 2, 4)
SAMPLES = 2000
HEAD = ("what", "events", "positive", "threshold", "samples", "coverage", "width", "wald", "remark", "remarked")


def settings() -> Iterator[tuple[int, float, float]]:
    """Expected events, share of positives, threshold."""
    for events, share, times in product(EVENTS, SHARES, TIMES):
        if share * times < 0.95:
            yield events, share, share * times


def signals(share: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Risk over a grid of both signals, and what the model that sees one of them says, for either."""
    people = Population(share)
    risk = expit(people.start + STEP * GRID[::4, None] + STEP * GRID[::4])
    one = np.broadcast_to(people.one[::4, None], risk.shape)
    return risk, one, one.T


def counted(key: tuple[Any, ...], n: int, chances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Different samples of counts, a column each, with their share; the last chance is that of all other rows."""
    rest = np.append(chances, 1 - chances.sum())
    drawn = stream("net benefit with few events", *key).multinomial(n, rest, SAMPLES)
    cells, times = np.unique(drawn, axis=0, return_counts=True)
    return cells.T.astype(float), times / SAMPLES


def of_curve(key: tuple[Any, ...], n: int, chances: np.ndarray, odds: float) -> list[Any]:
    """A model's net benefit; chances of true and false positives, and of positives that are not called."""
    cells, weight = counted(key, n, chances)
    tp, fp, fn, tn = cells
    mean = (tp - odds * fp) / n
    error = np.sqrt(((tp + odds**2 * fp) / n - mean**2) / (n - 1))
    limits = Called(tp, fp, tp + fn, fp + tn, np.full(tp.size, odds)).limits(Z, None)
    return shown(weight, limits, chances[0] - odds * chances[1], (mean, error), tp + fn)


def at_prevalence(key: tuple[Any, ...], sizes: tuple[int, int], chances: np.ndarray, odds: float) -> list[Any]:
    """The same where class sizes are set and the prevalence is known."""
    rng, share = stream("net benefit at a prevalence", *key), chances[0] + chances[2]
    rates = chances[0] / share, chances[1] / (1 - share)
    drawn = [rng.binomial(size, rate, SAMPLES) for size, rate in zip(sizes, rates, strict=True)]
    (tp, fp), times = np.unique(drawn, axis=1, return_counts=True)
    n_pos, n_neg = (np.full(tp.size, float(size)) for size in sizes)
    limits = Called(tp.astype(float), fp.astype(float), n_pos, n_neg, np.full(tp.size, odds)).limits(Z, share)
    recall, alarmed = tp / n_pos, fp / n_neg
    mean = share * recall - (1 - share) * odds * alarmed
    parts = recall * (1 - recall) / (n_pos - 1) * share**2
    error = np.sqrt(parts + alarmed * (1 - alarmed) / (n_neg - 1) * ((1 - share) * odds) ** 2)
    return shown(times / SAMPLES, limits, chances[0] - odds * chances[1], (mean, error), n_pos)


def of_difference(key: tuple[Any, ...], n: int, chances: np.ndarray, odds: float) -> list[Any]:
    """Two models; chances of positives that the first alone calls, the second alone, and of such negatives."""
    (one, two, three, four, _), weight = counted(key, n, chances)
    mean = (one - two - odds * (three - four)) / n
    error = np.sqrt(((one + two + odds**2 * (three + four)) / n - mean**2) / (n - 1))
    n_pos = np.zeros(one.size)  # what matters is how many rows there are
    limits = apart_limits(np.array([one, two, n_pos]), np.array([three, four, n_pos + n]), np.full(one.size, odds), Z)
    truth = chances[0] - chances[1] - odds * (chances[2] - chances[3])
    return shown(weight, limits, 0.0 if key[0] == "alike" else truth, (mean, error), np.full(one.size, key[1]))


def shown(weight: np.ndarray, limits: Any, truth: float, wald: Any, events: np.ndarray) -> list[Any]:
    """Coverage, width, Wald's coverage, and how often the result counts its events."""
    (low, high), (mean, error) = limits, wald
    held = weight[(low <= truth + 1e-12) & (truth - 1e-12 <= high)].sum()
    of_wald = weight[np.abs(mean - truth) <= Z * error + 1e-12].sum()
    few = weight[events < FEW_EVENTS].sum()
    told = "few_events_decided" if few > 0.5 else ""
    return [SAMPLES, f"{held:.4f}", f"{weight @ (high - low):.5f}", f"{of_wald:.4f}", told, f"{few:.3f}"]


def lines() -> Iterator[list[Any]]:
    for events, share, cut in settings():
        n, odds, (risk, one, two) = round(events / share), cut / (1 - cut), signals(share)
        setting = (events, share, f"{cut:g}")
        at = np.array([(side * (one >= cut)).mean() for side in (risk, 1 - risk)])
        chances = np.append(at, risk.mean() - at[0])
        yield ["curve", *setting, *of_curve(("curve", events, share, cut), n, chances, odds)]
        key = ("given", events, share, cut)
        yield ["curve, prevalence given", *setting, *at_prevalence(key, (events, n - events), chances, odds)]
        for what, first, second in (("better", risk, one), ("alike", one, two)):
            apart = [(first >= cut) & (second < cut), (second >= cut) & (first < cut)]
            chances = np.array([(side * each).mean() for side in (risk, 1 - risk) for each in apart])
            yield [what, *setting, *of_difference((what, events, share, cut), n, chances, odds)]


def main() -> None:
    with PATH.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEAD)
        for line in lines():
            writer.writerow(line)
            print(*line[:6], flush=True)


if __name__ == "__main__":
    main()
