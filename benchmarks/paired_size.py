"""Size and coverage of comparisons of two models on the same rows: ``python -m benchmarks.paired_size``.

Sizes and coverage of independent rows are exact: all tables are gone through with their probabilities. Rows of subjects
and relative predictive values are drawn, 2,000 samples a line: ``python -m benchmarks.paired_size drawn 2000``.
"""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
from scipy.stats import binom, multinomial, norm

from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.inference.paired.counts import PairedCounts
from rocsteady._src.inference.paired.difference import PairedDifference, newcombe_ends, tango_score
from rocsteady._src.inference.paired.mcnemar import Asked, mcnemar
from rocsteady._src.inference.paired.relative_values import relative_values
from rocsteady._src.inference.power.outcomes import critical_counts

TESTS = ("mcnemar-exact", "mcnemar-mid-p", "mcnemar", "mcnemar-corrected")
REACH = float(norm.ppf(0.975))
LEVEL = 0.95


def size(n: int, discordant: float, method: str, alpha: float = 0.05) -> float:
    """Chance that a two-sided test rejects where the models are alike; exact."""
    told = np.arange(1, n + 1)
    if method == "mcnemar-corrected":
        needed = np.floor((told + 1 + REACH * np.sqrt(told)) / 2).astype(np.int64) + 1
    else:
        needed = critical_counts(told, alpha / 2, method)
    rejected = np.where(needed > told, 0.0, 2 * binom.sf(needed - 1, told, 0.5))
    return float(binom.pmf(told, n, discordant) @ np.minimum(rejected, 1.0))


def all_tables(n: int) -> tuple[Any, Any, Any]:
    """Every both, only first and only second that n rows can have."""
    both, first, second = np.meshgrid(*[np.arange(n + 1)] * 3, indexing="ij")
    kept = both + first + second <= n
    return both[kept], first[kept], second[kept]


def coverage(n: int, shares: tuple[float, float, float]) -> dict[str, float]:
    """Of the three intervals, exact; shares of rows that both have right, only the first, only the second."""
    both, first, second = all_tables(n)
    neither = n - both - first - second
    weight = multinomial.pmf(np.stack([both, first, second, neither], axis=1), n, [*shares, 1 - sum(shares)])
    truth = shares[1] - shares[2]
    inside = {"tango": np.abs(tango_score(first, second, n, truth)) <= REACH}
    low, high = newcombe_ends(
        ((both + first) / n, (both + second) / n), (n, n), _correlations(both, first, second, n), REACH
    )
    inside["newcombe"] = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
    difference = (first - second) / n
    half = REACH * np.sqrt(((first + second) / n - difference**2) / n)
    inside["wald"] = np.abs(difference - truth) <= half + 1e-12
    return {name: float(weight[held].sum()) for name, held in inside.items()}


def _correlations(both: Any, first: Any, second: Any, n: int) -> Any:
    neither = n - both - first - second
    product = both * neither - first * second
    product = np.where(product < 0, product, np.maximum(product - n / 2, 0.0))
    margins = 1.0 * (both + first) * (second + neither) * (both + second) * (first + neither)
    return np.divide(product, np.sqrt(margins), out=np.zeros(product.size), where=margins > 0)


def exact_tables() -> str:
    """The first two tables of docs/paired.md."""
    lines = [f"| rows | discordant | {' | '.join(TESTS)} |", "|--:|--:|" + "--:|" * len(TESTS)]
    for n in (20, 50, 100, 500):
        for discordant in (0.05, 0.1, 0.3, 0.6):
            found = " | ".join(f"{size(n, discordant, method):.1%}" for method in TESTS)
            lines.append(f"| {n} | {discordant:g} | {found} |")
    lines += ["", "| rows | first | second | discordant | tango | newcombe | wald |", "|--:|--:|--:|--:|--:|--:|--:|"]
    for n in (20, 50, 100):
        for shares in ((0.85, 0.05, 0.05), (0.9, 0.08, 0.0), (0.6, 0.15, 0.1), (0.4, 0.3, 0.1), (0.2, 0.6, 0.05)):
            found = coverage(n, shares)
            rates = f"{shares[0] + shares[1]:g} | {shares[0] + shares[2]:g} | {shares[1] + shares[2]:g}"
            lines.append(f"| {n} | {rates} | " + " | ".join(f"{held:.1%}" for held in found.values()) + " |")
    return "\n".join(lines)


def by_subject(
    n_subjects: int, rows: int, spread: float, gap: float, n_samples: int, rng: np.random.Generator
) -> dict[str, float]:
    """How often tests at 5% reject and 95% intervals hold the difference, where rows belong to subjects.

    Each subject has a difficulty of its own and, apart from it, a leaning to one of the models; ``gap`` is the true
    difference of log-odds in a subject without any.
    """
    clusters = np.repeat(np.arange(n_subjects), rows)
    truth, reach = _true_difference(spread, gap), quantile_of(LEVEL, df=n_subjects - 1.0)
    counted = dict.fromkeys(("exact", "chi-square", "rows", "tango", "newcombe"), 0)
    for _ in range(n_samples):
        hard, leaning = rng.normal(size=(2, n_subjects)) * spread
        first = rng.random(clusters.size) < _logistic(1 + hard + (leaning + gap) / 2)[clusters]
        second = rng.random(clusters.size) < _logistic(1 + hard - (leaning + gap) / 2)[clusters]
        counts, alone = PairedCounts.of(first, second, None, clusters), PairedCounts.of(first, second)
        counted["exact"] += mcnemar(counts, Asked(TESTS[0]))[1] < 0.05
        counted["chi-square"] += mcnemar(counts, Asked("mcnemar"))[1] < 0.05
        counted["rows"] += mcnemar(alone, Asked(TESTS[0]))[1] < 0.05
        counted["tango"] += abs(PairedDifference(counts).statistic(truth)) <= reach
        low, high = PairedDifference(counts, "newcombe").ends(LEVEL)
        counted["newcombe"] += low <= truth <= high
    return {name: number / n_samples for name, number in counted.items()}


def _logistic(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def _true_difference(spread: float, gap: float) -> float:
    """By quadrature over difficulty and leaning."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(61)
    hard, leaning = np.meshgrid(nodes * spread, nodes * spread)
    held = np.outer(weights, weights) / (2 * math.pi)
    both = [_logistic(1 + hard + sign * (leaning + gap) / 2) for sign in (1, -1)]
    return float((held * (both[0] - both[1])).sum())


def predictive(
    n: int, prevalence: float, rates: tuple[float, float, float, float], n_samples: int, rng: np.random.Generator
) -> list[float]:
    """Coverage of rPPV and rNPV, how often their tests reject, and how often weighted scores do.

    ``rates`` are sensitivity and specificity of both; the tests share half of their rows' luck.
    """
    (se1, sp1, se2, sp2), held = rates, np.zeros(6)
    ppv = [prevalence * se / (prevalence * se + (1 - prevalence) * (1 - sp)) for se, sp in ((se1, sp1), (se2, sp2))]
    npv = [
        (1 - prevalence) * sp / ((1 - prevalence) * sp + prevalence * (1 - se)) for se, sp in ((se1, sp1), (se2, sp2))
    ]
    truth = (ppv[0] / ppv[1], npv[0] / npv[1])
    defined = 0
    for _ in range(n_samples):
        positive = rng.random(n) < prevalence
        luck = np.where(rng.random(n) < 0.5, rng.random(n), np.nan)
        calls = []
        for se, sp in ((se1, sp1), (se2, sp2)):
            own = np.where(np.isnan(luck), rng.random(n), luck)
            calls.append(np.where(positive, own < se, own < 1 - sp))
        found = relative_values(positive, (calls[0], calls[1]), None, None, LEVEL)
        if any(math.isnan(each.low) for each in found):
            continue
        defined += 1
        held[:2] += [each.low <= true <= each.high for each, true in zip(found, truth, strict=True)]
        held[2:4] += [each.pvalue < 0.05 for each in found]
        held[4:] += [each.score_pvalue < 0.05 for each in found]
    return (held / defined).tolist()


def drawn_tables(n_samples: int) -> str:
    """The other tables of docs/paired.md."""
    rng = np.random.default_rng(23)
    lines = ["| subjects | rows of each | spread | difference | exact | chi-square | rows alone | tango | newcombe |"]
    lines += ["|" + "--:|" * 9]
    for n_subjects, rows in ((10, 10), (20, 10), (50, 4), (100, 10)):
        for spread, gap in ((0.0, 0.0), (1.0, 0.0), (1.0, 0.6)):
            found = by_subject(n_subjects, rows, spread, gap, n_samples, rng)
            values = " | ".join(f"{value:.1%}" for value in found.values())
            lines.append(f"| {n_subjects} | {rows} | {spread:g} | {_true_difference(spread, gap):.3f} | {values} |")
    lines += [
        "",
        "| rows | positive | sens., spec. | sens., spec. | rPPV | rNPV | p, PPV | p, NPV | score, PPV | score, NPV |",
    ]
    lines += ["|" + "--:|" * 10]
    for n, prevalence in ((100, 0.3), (500, 0.1), (1000, 0.3)):
        for rates in ((0.8, 0.8, 0.8, 0.8), (0.9, 0.7, 0.7, 0.9)):
            found = predictive(n, prevalence, rates, n_samples, rng)
            values = " | ".join(f"{value:.1%}" for value in found)
            tests = f"{rates[0]:g}, {rates[1]:g} | {rates[2]:g}, {rates[3]:g}"
            lines.append(f"| {n} | {prevalence:g} | {tests} | {values} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(drawn_tables(int(sys.argv[2])) if sys.argv[1:2] == ["drawn"] else exact_tables())
