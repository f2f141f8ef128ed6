"""Score-aware measures written out over all pairs, slowly and exactly, as in section 3 of the specification.

Rows come from ``oracles.rows_of``. Scores are taken as the numbers they are (a float is a fraction), so differences do
not round. Answers are a ``Fraction`` where the definition is rational, and an ``mpf`` of 50 digits elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath

from oracles import Row, pairs

DIGITS = 50
HALF = Fraction(1, 2)
ZERO = Fraction(0)


def differences(rows: list[Row]) -> list[tuple[Fraction, Fraction]]:
    """d = p - n and the weight of every pair."""
    return [(exact(p.score) - exact(n.score), weight) for p, n, weight in pairs(rows)]


def mean_of(rows: list[Row], value: Callable[[Fraction], Fraction]) -> Fraction:
    """Mean of a rational function of d."""
    weighed = differences(rows)
    return sum((value(d) * weight for d, weight in weighed), ZERO) / sum(weight for _, weight in weighed)


def real_mean_of(rows: list[Row], value: Callable[[mpmath.mpf], mpmath.mpf]) -> mpmath.mpf:
    """Mean of any function of d, in 50 digits."""
    with mpmath.workdps(DIGITS):
        weighed = [(to_real(d), to_real(weight)) for d, weight in differences(rows)]
        return mpmath.fsum(value(d) * weight for d, weight in weighed) / mpmath.fsum(weight for _, weight in weighed)


def exact(number: Any) -> Fraction:
    """Any number of Python or NumPy as a fraction."""
    return Fraction(*number.as_integer_ratio())


def to_real(number: Any) -> mpmath.mpf:
    """In as many digits as are in use."""
    if isinstance(number, mpmath.mpf):
        return number
    ratio = exact(number)
    return mpmath.mpf(ratio.numerator) / ratio.denominator


# Measures


def prob_auc(rows: list[Row]) -> Fraction:
    positives = [(exact(row.score), row.weight) for row in rows if row.positive]
    negatives = [(1 - exact(row.score), row.weight) for row in rows if not row.positive]
    return (_mean(positives) + _mean(negatives)) / 2


def _mean(weighed: list[tuple[Fraction, Fraction]]) -> Fraction:
    return sum((value * weight for value, weight in weighed), ZERO) / sum(weight for _, weight in weighed)


def scored_auc(rows: list[Row], *, shift: Any = 0) -> Fraction:
    return mean_of(rows, lambda d: max(d - exact(shift), ZERO))


def softened_auc(rows: list[Row], *, q: Any = 1 / 7) -> mpmath.mpf:
    return real_mean_of(rows, lambda d: d ** to_real(q) if d > 0 else mpmath.mpf(0))


def soft_auc(rows: list[Row], *, beta: Any = 7) -> mpmath.mpf:
    return real_mean_of(rows, lambda d: 1 / (1 + mpmath.exp(-to_real(beta) * d)))


def mm1_auc(rows: list[Row]) -> Fraction:
    width = score_range(rows)
    return scored_auc(rows) / width if width else ZERO


def mm4_auc(rows: list[Row], *, floor: Any = HALF) -> Fraction:
    width = score_range(rows)
    return mean_of(rows, lambda d: max(d / width, exact(floor)) if d > 0 else ZERO) if width else ZERO


def mm6_auc(rows: list[Row], *, m: Any = 0.9, n: Any = 0.01, floor: Any = HALF) -> mpmath.mpf:
    base, margin = mm4_auc(rows, floor=floor), score_margin(rows)
    with mpmath.workdps(DIGITS):
        if not base:
            return mpmath.mpf(0)
        return to_real(base) ** to_real(m) * (to_real(margin) ** to_real(n) if margin > 0 else 1)


def mm7_auc(rows: list[Row], **params: Any) -> mpmath.mpf:
    with mpmath.workdps(DIGITS):
        return mm6_auc(rows, **params) * to_real(won_share(rows))


def mm11_auc(rows: list[Row]) -> Fraction:
    return mean_of(rows, lambda d: d)


def mm12_auc(rows: list[Row]) -> Fraction:
    return (mm11_auc(rows) + 1) / 2


def mean_distance(rows: list[Row]) -> Fraction:
    """Mean of |d|: what errors of means that cancel are relative to."""
    return mean_of(rows, abs)


# Properties of a set


def score_range(rows: list[Row]) -> Fraction:
    scores = [exact(row.score) for row in rows]
    return max(scores) - min(scores)


def score_margin(rows: list[Row]) -> Fraction:
    return min(d for d, _ in differences(rows))


def won_share(rows: list[Row]) -> Fraction:
    return mean_of(rows, lambda d: Fraction(int(d > 0)))


def share_won_by_more_than(rows: list[Row], tau: Any) -> Fraction:
    """Height of the scored ROC curve just right of tau."""
    return mean_of(rows, lambda d: Fraction(int(d > exact(tau))))


def median(rows: list[Row]) -> Fraction:
    """Mean of the first score with at least, and the first with more than, half of the weight up to it."""
    half = sum(row.weight for row in rows) / 2
    scores = sorted({exact(row.score) for row in rows})
    through = [sum(row.weight for row in rows if row.score <= score) for score in scores]
    lower = next(score for score, weight in zip(scores, through, strict=True) if weight >= half)
    upper = next((score for score, weight in zip(scores, through, strict=True) if weight > half), lower)
    return (lower + upper) / 2


def set_properties(rows: list[Row]) -> dict[str, Any]:
    width, margin = score_range(rows), score_margin(rows)
    wrong = [weight for d, weight in differences(rows) if d <= 0]
    return {
        "range": width,
        "abs_margin": margin,
        "rel_margin": margin / width if width else None,
        "median": median(rows),
        "abs_error_size": sum(wrong, ZERO),
        "rel_error_size": 1 - won_share(rows),
        "correctly_ranked": margin > 0,
    }
