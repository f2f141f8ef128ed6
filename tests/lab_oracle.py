"""The thesis' laboratory written out for one set after the other, in loops over pairs, for floats and for fractions.

With floats the operations stand in the order in which the thesis writes them; with fractions nothing is rounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import Any

Set = tuple[tuple[int, ...], tuple[Any, ...]]


def sides(labels: Any, scores: Any) -> tuple[list[Any], list[Any]]:
    """Positives and negatives, each from the highest."""
    rows = sorted(zip(scores, labels, strict=True), key=lambda row: -row[0])
    return [score for score, label in rows if label], [score for score, label in rows if not label]


def pair_mean(labels: Any, scores: Any, f: Callable[[Any], Any]) -> Any:
    positives, negatives = sides(labels, scores)
    total = 0
    for p in positives:
        for n in negatives:
            total = total + f(p - n)
    return total / (len(positives) * len(negatives))


def width(scores: Any) -> Any:
    return max(scores) - min(scores)


def margin(labels: Any, scores: Any) -> Any:
    positives, negatives = sides(labels, scores)
    return min(positives) - max(negatives)


def prob(labels: Any, scores: Any) -> Any:
    positives, negatives = sides(labels, scores)
    first, second = 0, 0
    for p in positives:
        first = first + p
    for n in negatives:
        second = second + (1 - n)
    return (first / len(positives) + second / len(negatives)) / 2


def scored(labels: Any, scores: Any) -> Any:
    return pair_mean(labels, scores, lambda d: d if d > 0 else 0)


def softened(labels: Any, scores: Any) -> float:
    return pair_mean(labels, scores, lambda d: d ** (1 / 7) if d > 0 else 0.0)


def soft(labels: Any, scores: Any) -> float:
    return pair_mean(labels, scores, lambda d: 1 / (1 + math.exp(-7 * d)))


def mm1(labels: Any, scores: Any) -> Any:
    r = width(scores)
    return pair_mean(labels, scores, lambda d: d / r if d > 0 else 0)


def mm4(labels: Any, scores: Any) -> Any:
    r, half = width(scores), (scores[0] * 0 + 1) / 2
    return pair_mean(labels, scores, lambda d: max(d / r, half) if d > 0 else 0)


def mm6(labels: Any, scores: Any, n: float = 1 / 100) -> float:
    w = margin(labels, scores)
    return mm4(labels, scores) ** 0.9 * (w**n if w > 0 else 1.0)


def mm7(labels: Any, scores: Any, n: float = 1 / 100) -> float:
    return mm6(labels, scores, n) * pair_mean(labels, scores, lambda d: float(d > 0))


RATIONAL = {"prob_auc": prob, "scored_auc": scored, "mm1_auc": mm1, "mm4_auc": mm4}
REAL = {"softened_auc": softened, "soft_auc": soft, "mm6_auc": mm6, "mm7_auc": mm7}


def factors(k: int, one: Any) -> list[Any]:
    return [1 - (h + 1) * (one / k) for h in range(k - 1)]


def shrunk(labels: Any, scores: Any, k: int) -> list[Set]:
    positives, negatives = sides(labels, scores)
    made = [(tuple(labels), tuple(scores))]
    low_p, high_p, low_n, high_n = min(positives), max(positives), min(negatives), max(negatives)
    if not (high_p > high_n and low_n < low_p):
        return made
    middle = (low_p + high_n) / 2
    for f in factors(k, scores[0] * 0 + 1):
        new_low, new_high = middle + (low_p - middle) * f, middle + (high_n - middle) * f

        def positive(x: Any, new_low: Any = new_low) -> Any:
            if x in (low_p, high_p):
                return new_low if x == low_p else x
            return new_low + (x - low_p) * ((high_p - new_low) / (high_p - low_p))

        def negative(x: Any, new_high: Any = new_high) -> Any:
            if x in (low_n, high_n):
                return new_high if x == high_n else x
            return new_high - (high_n - x) * ((new_high - low_n) / (high_n - low_n))

        moved = [positive(x) if label else negative(x) for label, x in zip(labels, scores, strict=True)]
        made.append((tuple(labels), tuple(moved)))
    return made


def narrowed(labels: Any, scores: Any, k: int) -> list[Set]:
    middle = (max(scores) + min(scores)) / 2
    moved = [tuple(middle + (x - middle) * f for x in scores) for f in factors(k, scores[0] * 0 + 1)]
    return [(tuple(labels), tuple(scores)), *((tuple(labels), scores) for scores in moved)]


def labelled(scores: Any) -> list[Set]:
    every = product([1, 0], repeat=len(scores))
    return [(labels, tuple(scores)) for labels in every if 0 < sum(labels) < len(scores)]


def made_of(source: Set, margin_steps: int | None, range_steps: int | None) -> list[Set]:
    """All sets of one row of Table 5.2."""
    sets = shrunk(*source, margin_steps) if margin_steps else [source]
    sets = [made for one in sets for made in narrowed(*one, range_steps)] if range_steps else sets
    return [made for _, scores in sets for made in labelled(scores)]


def errors(sets: list[Set], measure: Callable[..., Any]) -> tuple[int, Any, Any]:
    """Errors, the least value of a correct set, the greatest of an incorrect one."""
    correct = [measure(*one) for one in sets if margin(*one) > 0]
    incorrect = [measure(*one) for one in sets if margin(*one) <= 0]
    return sum(value < max(incorrect) for value in correct), min(correct), max(incorrect)
