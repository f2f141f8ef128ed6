"""When a test tells two models apart, and which differences a picture shows: of many models those to the best one."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from rocsteady._src.base.errors import printable
from rocsteady._src.results.pictures import line_of

if TYPE_CHECKING:
    from rocsteady._src.results.comparison import Comparison, PairComparison
    from rocsteady._src.results.inference import TestResult
    from rocsteady._src.results.pictures import Line

MOST_MODELS, MOST_LETTERS = 6, 26
TO_BEST = "to the best model; all pairs in the table"


def told_apart(test: TestResult, pvalue: float, level: float) -> bool:
    """Whether a test shows a difference: its p-value, adjusted where there are several, and its interval agree.

    p-value and interval may be of different kinds, such as a permutation test beside a bootstrap interval. A difference
    is shown only where the p-value is below 1 - level and the interval, if there is one, excludes 0.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> test = rs.compare_auc(y, s, t)
    >>> told_apart(test, test.pvalue, 0.95), told_apart(test, 0.2, 0.95)
    (True, False)
    """
    return bool(pvalue < 1 - level and not test.low <= 0 <= test.high)


def shown_differences(found: Comparison) -> list[tuple[Line, PairComparison]]:
    """Lines to draw, each with its pair: of many models each minus the best, the nearest to it first."""
    best = best_of(found)
    if best is None:
        return [(line_of(_minus_text(pair.first, pair.second), pair.test), pair) for pair in found.pairs]
    lines = [(_minus(best, pair), pair) for pair in found.pairs if best in (pair.first, pair.second)]
    return sorted(lines, key=lambda each: math.inf if math.isnan(each[0].estimate) else abs(each[0].estimate))


def best_of(found: Comparison) -> str | None:
    """The model that a picture of many compares with; None where it shows all pairs, or those to a baseline."""
    known = {model: each.estimate for model, each in found.estimates.items() if not math.isnan(each.estimate)}
    if found.baseline is not None or len(found.models) <= MOST_MODELS or not known or not found.verdict:
        return None
    # Whether more is better is known to the verdict alone.
    lowest = min(known, key=lambda model: known[model])
    if found.verdict[0].startswith(f"{printable(lowest, most=48)} has the lowest "):
        return lowest
    return max(known, key=lambda model: known[model])


def _minus(best: str, pair: PairComparison) -> Line:
    line = line_of(_minus_text(pair.first, best), pair.test)
    if pair.second == best:
        return line
    label, nulls = _minus_text(pair.second, best), tuple(-null for null in line.nulls)
    return replace(line, label=label, estimate=-line.estimate, low=-line.high, high=-line.low, nulls=nulls)


def _minus_text(first: str, second: str) -> str:
    return " - ".join(shortened(name, MOST_LETTERS) for name in (first, second))


def shortened(text: str, most: int) -> str:
    """A long text without its middle: names that begin alike often end apart.

    Examples
    --------
    >>> shortened("gradient boosting, 500 trees, fold 3", 24)
    'gradient bo...es, fold 3'
    """
    text = printable(text, most=400)
    head = (most - 3) // 2 + 1
    return text if len(text) <= most else f"{text[:head]}...{text[len(text) - (most - 3 - head) :]}"


def differences_label(*found: Comparison) -> str:
    """What the axis below differences shows."""
    many = any(best_of(each) is not None for each in found)
    return "Difference; dashed: hypothesis" + (f"; {TO_BEST}" if many else "")
