"""Measures of ranks against their definitions in fractions: equal for counts, within ``BOUND`` for other weights."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

import rocsteady as rs

BOUND = 1e-12  # of weighted values, whose sums are rounded; unweighted ones are rounded once
HALF = Fraction(1, 2)


class Rows(NamedTuple):
    """Labels, scores and weights, which are None or numbers."""

    labels: list[int]
    scores: list[Any]
    weights: list[Any] | None

    def pairs(self) -> tuple[list[tuple[Any, Fraction]], list[tuple[Any, Fraction]]]:
        """Score and weight of the positives and of the negatives; rows of weight 0 are absent."""
        weights = self.weights or [1] * len(self.labels)
        rows = [(y, s, Fraction(w)) for y, s, w in zip(self.labels, self.scores, weights, strict=True) if w]
        sides = ([(s, w) for y, s, w in rows if y == label] for label in (1, 0))
        pos, neg = sides
        return pos, neg


def check(number: int) -> str | None:
    """What is wrong with one table; None where all measures agree with their definitions."""
    rows = drawn(random.Random(number))
    options: dict[str, Any] = {} if rows.weights is None else {"sample_weight": rows.weights}
    whole = rows.weights is None or all(float(weight).is_integer() for weight in rows.weights)
    for name, exact in definitions(rows).items():
        found = float(_found(name, rows, options))
        near = 4e-16 if whole else BOUND
        if math.isnan(found) or abs(Fraction(found) - exact) > near * max(1, abs(exact)):
            return f"{name} of {rows}: {found!r}, exactly {float(exact)!r}"
        if not -1 <= found <= 1:
            return f"{name} of {rows}: {found!r} lies beyond its bounds"
    return None


def drawn(rng: random.Random) -> Rows:
    """A table with both classes: ties, neighbours, signs of zero, huge and tiny scores; few or fractional weights."""
    n = rng.randint(2, 30)
    labels = [1, 0, *(int(rng.random() < rng.choice((0.1, 0.5, 0.9))) for _ in range(n - 2))]
    rng.shuffle(labels)
    pool = rng.choice(
        (
            [0.1, 0.2, 0.3, 0.30000000000000004, 0.1 + 0.2],
            [-0.0, 0.0, 5e-324, -5e-324, 1e308, -1e308],
            [2**53, 2**53 + 1, 2**53 + 2, 2**63, -(2**63), 10**30],
            [float(np.float32(value)) for value in (0.1, 0.2, 0.3)],
            [rng.random() for _ in range(n)],
            [Fraction(1, 3), Fraction(1, 7), Fraction(2, 3)],
            list(range(n)),
        )
    )
    scores = [rng.choice(pool) for _ in range(n)]
    kind = rng.choice(("none", "none", "counts", "fractions", "ratios"))
    draw = {
        "counts": lambda: rng.randint(1, 5),
        "fractions": lambda: rng.choice((0.1, 0.3, 0.7, 1.1, rng.random() + 0.01)),
        "ratios": lambda: rng.choice((1e-6, 1.0, 1e6, 3.3)),
    }.get(kind)
    return Rows(labels, scores, None if draw is None else [draw() for _ in range(n)])


def definitions(rows: Rows) -> dict[str, Fraction]:
    """The measures by their definitions, over all pairs and all thresholds."""
    pos, neg = rows.pairs()
    n_pos, n_neg = sum(w for _, w in pos), sum(w for _, w in neg)
    won = sum(v * w * (Fraction(int(p > n)) + HALF * int(p == n)) for p, v in pos for n, w in neg)
    area = Fraction(won, 1) / (n_pos * n_neg)
    steps = [(_above(pos, cut), _above(neg, cut)) for cut in _cuts(pos + neg)]
    precision, before = Fraction(0), Fraction(0)
    for tp, fp in steps:
        precision += (tp - before) / n_pos * (tp / (tp + fp))
        before = tp
    return {
        "auc": area,
        "gini": 2 * area - 1,
        "average_precision": precision,
        "ks_statistic": max(Fraction(0), *(tp / n_pos - fp / n_neg for tp, fp in steps)),
        "partial_auc": _partial([(fp / n_neg, tp / n_pos) for tp, fp in steps], Fraction(1, 4)),
    }


def _cuts(side: list[tuple[Any, Fraction]]) -> list[Any]:
    return sorted({score for score, _ in side}, reverse=True)


def _above(side: list[tuple[Any, Fraction]], cut: Any) -> Fraction:
    return sum((weight for score, weight in side if score >= cut), Fraction(0))


def _partial(points: list[tuple[Fraction, Fraction]], stop: Fraction) -> Fraction:
    """Area under the ROC curve from 0 to ``stop``."""
    area, (x, y) = Fraction(0), (Fraction(0), Fraction(0))
    for right, top in points:
        end = min(right, stop)
        if end > x:
            height = y + (top - y) * (end - x) / (right - x)
            area += (end - x) * (y + height) / 2
        x, y = right, top
        if x >= stop:
            break
    return area


def _found(name: str, rows: Rows, options: dict[str, Any]) -> Any:
    more: dict[str, Any] = {"fpr_range": (0, 0.25)} if name == "partial_auc" else {}
    return getattr(rs, name)(rows.labels, rows.scores, **options, **more)
