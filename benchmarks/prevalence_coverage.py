"""Coverage of accuracy, cost and net benefit at another prevalence, and of estimated prevalences.

``python -m benchmarks.prevalence_coverage``: accuracy and cost exactly, over all counts of both classes with their
chances (net benefit is cost turned round: it is held as often); the confusion method on 20,000 and the likelihood on
1,000 drawn samples a line.
"""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
from scipy.stats import binom, norm

import rocsteady as rs
from rocsteady._src.inference.paired.difference import wilson_ends
from rocsteady._src.probabilities.label_shift import fieller, log_likelihood, most_likely

REACH = float(norm.ppf(0.975))
SIZES = ((20, 20), (50, 50), (20, 500), (200, 200))
RATES = ((0.7, 0.7), (0.8, 0.9), (0.95, 0.95), (0.6, 0.99))
PREVALENCES = (0.01, 0.1, 0.5)
PRICE = 0.1  # of a false alarm, where a miss costs 1


def sums(n_pos: int, n_neg: int, rates: tuple[float, float], prevalence: float) -> list[float]:
    """Exact coverage of accuracy, and of cost where a false alarm costs a tenth of a miss."""
    recall, specificity = rates
    tp, tn = np.arange(n_pos + 1)[:, None], np.arange(n_neg + 1)[None, :]
    weight = binom.pmf(tp, n_pos, recall) * binom.pmf(tn, n_neg, specificity)
    held = []
    for a, b in ((prevalence, 1 - prevalence), (-prevalence, -PRICE * (1 - prevalence))):
        value, truth = a * tp / n_pos + b * tn / n_neg, a * recall + b * specificity
        parts = [_distances(times, hits / n, n) for times, hits, n in ((a, tp, n_pos), (b, tn, n_neg))]
        down, up = (np.hypot(parts[0][side], parts[1][side]) for side in (0, 1))
        inside = (value - down <= truth + 1e-12) & (truth - 1e-12 <= value + up)
        held.append(float(weight[inside].sum()))
    return held


def _distances(times: float, share: Any, n: int) -> tuple[Any, Any]:
    low, high = wilson_ends(share, n, REACH)
    below, above = abs(times) * (share - low), abs(times) * (high - share)
    return (below, above) if times > 0 else (above, below)


def by_confusion(
    sizes: tuple[int, int, int], rates: tuple[float, float], prevalence: float, n_samples: int, rng: np.random.Generator
) -> float:
    """How often the interval of the confusion method holds the prevalence."""
    (n_pos, n_neg, there), (recall, specificity) = sizes, rates
    called = prevalence * recall + (1 - prevalence) * (1 - specificity)
    drawn = ((rng.binomial(there, called, n_samples), there), (rng.binomial(n_pos, recall, n_samples), n_pos))
    alarms = (rng.binomial(n_neg, 1 - specificity, n_samples), n_neg)
    return float(np.mean(fieller((*drawn, alarms), prevalence, REACH) <= 0))


def by_likelihood(
    n: int, apart: float, prevalence: float, n_samples: int, rng: np.random.Generator
) -> tuple[float, float]:
    """How often that of the likelihood does, and the mean estimate; scores are normal, calibrated at one half."""
    held, values = 0, []
    for _ in range(n_samples):
        positive = rng.random(n) < prevalence
        score = rng.normal(size=n) + apart * positive
        given = 1 / (1 + np.exp(-(apart * score - apart**2 / 2)))
        value = most_likely(given, 0.5)
        values.append(value)
        held += 2 * (log_likelihood(given, 0.5, value) - log_likelihood(given, 0.5, prevalence)) <= REACH**2
    return held / n_samples, math.fsum(values) / n_samples


def with_labelled_rows(n_samples: int = 250) -> str:
    """The same with a sample of labelled rows, 30% positive, whose share has to be told from them."""
    rng, lines = np.random.default_rng(5), ["| labelled | unlabelled | prevalence | held |", "|" + "--:|" * 4]

    def drawn(n: int, share: float) -> tuple[Any, Any]:
        positive = rng.random(n) < share
        score = rng.normal(size=n) + 1.5 * positive
        return positive, 1 / (1 + np.exp(-(math.log(0.3 / 0.7) + 1.5 * score - 1.125)))

    for n, share in ((200, 0.08), (800, 0.08), (800, 0.5)):
        held = 0
        for _ in range(n_samples):
            (labels, given), (_, there) = drawn(n, 0.3), drawn(n, share)
            found = rs.calibration.estimate_prevalence(labels, given, there, method="em")
            held += found.low <= share <= found.high
        lines.append(f"| {n} | {n} | {share:g} | {held / n_samples:.1%} |")
    return "\n".join(lines)


def table(n_samples: int = 20_000, n_likelihood: int = 1000) -> str:
    """The tables of docs/prevalence.md."""
    rng = np.random.default_rng(5)
    head = "| positives | negatives | recall | specificity |"
    named = " | ".join(f"{what}, {share}" for what in ("accuracy", "cost") for share in ("1%", "10%", "50%"))
    lines = [f"{head} {named} |", "|" + "--:|" * 10]
    for n_pos, n_neg in SIZES:
        for rates in RATES:
            found = np.array([sums(n_pos, n_neg, rates, share) for share in PREVALENCES]).T
            values = " | ".join(f"{value:.1%}" for value in found.ravel())
            lines.append(f"| {n_pos} | {n_neg} | {rates[0]} | {rates[1]} | {values} |")
    lines += ["", f"{head} unlabelled | 1% | 10% | 50% | 90% |", "|" + "--:|" * 9]
    for sizes in ((20, 20, 200), (50, 50, 500), (50, 500, 1000), (500, 500, 5000)):
        for rates in RATES:
            found = [by_confusion(sizes, rates, share, n_samples, rng) for share in (0.01, 0.1, 0.5, 0.9)]
            values = " | ".join(f"{value:.1%}" for value in found)
            lines.append(f"| {sizes[0]} | {sizes[1]} | {rates[0]} | {rates[1]} | {sizes[2]} | {values} |")
    lines += ["", "| unlabelled | distance | prevalence | held | mean estimate |", "|" + "--:|" * 5]
    for n in (100, 1000):
        for apart in (1.0, 2.0):
            for share in (0.05, 0.3):
                held, mean = by_likelihood(n, apart, share, n_likelihood, rng)
                lines.append(f"| {n} | {apart:g} | {share:g} | {held:.1%} | {mean:.3f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(with_labelled_rows() if sys.argv[1:] == ["labelled"] else table())
