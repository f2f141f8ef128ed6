"""DeLong's variance, paired and by subjects, against sums over all pairs in fractions."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

import rocsteady as rs

BOUND = 1e-9  # relative, of the standard error
HALF = Fraction(1, 2)
Column = list[Fraction]


def check(number: int) -> str | None:
    """What is wrong with one comparison; None where the standard error is the slow one."""
    rng = random.Random(number)
    labels, first, second = _drawn(rng)
    clusters = [rng.randint(0, len(labels) // 2) for _ in labels] if rng.random() < 0.4 else None
    if clusters is not None and not _several_subjects(labels, clusters):
        clusters = None
    options: dict[str, Any] = {} if clusters is None else {"cluster": clusters}
    found = rs.compare_auc(labels, first, second, method="delong", **options)
    exact = math.sqrt(_slow(labels, first, second, clusters))
    if math.isnan(found.se) or abs(found.se - exact) > BOUND * max(exact, 1e-6):
        return f"compare_auc({labels}, {first}, {second}, {options}): se {found.se!r}, by all pairs {exact!r}"
    return None


def _several_subjects(labels: list[int], clusters: list[int]) -> bool:
    """Whether each class has rows of two subjects or more: of one, the variance is undefined."""
    return all(len({who for label, who in zip(labels, clusters, strict=True) if label == side}) > 1 for side in (0, 1))


def _drawn(rng: random.Random) -> tuple[list[int], list[float], list[float]]:
    n = rng.randint(6, 24)
    labels = [1, 1, 0, 0, *(rng.randint(0, 1) for _ in range(n - 4))]
    rng.shuffle(labels)
    grid = rng.choice((3, 8, 1000))
    first = [rng.randint(0, grid) / grid for _ in range(n)]
    second = [rng.choice((a, rng.randint(0, grid) / grid)) for a in first]
    return labels, first, second


def _slow(labels: list[int], first: list[float], second: list[float], clusters: list[int] | None) -> float:
    """Variance of the difference: components of each row from all its pairs, summed within subjects."""
    rows = []
    for side in (1, 0):
        a, b = (_components(labels, scores, side) for scores in (first, second))
        rows.append([one - other for one, other in zip(a, b, strict=True)])
    n = [labels.count(1), labels.count(0)]
    mean = [sum(part, Fraction(0)) / size for part, size in zip(rows, n, strict=True)]
    if clusters is not None:
        return _obuchowski(labels, clusters, rows, mean, n)
    squares = [sum(((v - m) ** 2 for v in part), Fraction(0)) for part, m in zip(rows, mean, strict=True)]
    return float(sum((square / (size - 1) / size for square, size in zip(squares, n, strict=True)), Fraction(0)))


def _obuchowski(labels: list[int], units: list[int], rows: list[Column], mean: Column, n: list[int]) -> float:
    """Obuchowski 1997: sums of the components within subjects, and what positives and negatives of a subject share."""
    sums: dict[int, list[Fraction]] = {unit: [Fraction(0), Fraction(0)] for unit in units}
    counters = [iter(part) for part in rows]
    for label, unit in zip(labels, units, strict=True):
        side = 1 - label
        sums[unit][side] += next(counters[side]) - mean[side]
    variance = Fraction(0)
    for side, want in enumerate((1, 0)):
        k = len({unit for label, unit in zip(labels, units, strict=True) if label == want})
        square = sum((total[side] ** 2 for total in sums.values()), Fraction(0))
        variance += Fraction(k, k - 1) * square / n[side] ** 2
    k = len(set(units))
    cross = sum((total[0] * total[1] for total in sums.values()), Fraction(0))
    return float(variance + 2 * Fraction(k, k - 1) * cross / (n[0] * n[1]))


def _components(labels: list[int], scores: list[float], side: int) -> Column:
    """For each row of a class the share of the other class that it is ranked right with."""
    pos = [s for label, s in zip(labels, scores, strict=True) if label == 1]
    neg = [s for label, s in zip(labels, scores, strict=True) if label == 0]
    own, other = (pos, neg) if side == 1 else (neg, pos)
    sign = 1 if side == 1 else -1
    won = [[Fraction(int(sign * (a - b) > 0)) + HALF * int(a == b) for b in other] for a in own]
    return [sum(line, Fraction(0)) / len(other) for line in won]
