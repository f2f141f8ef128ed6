"""A verdict in plain words that says no more than the numbers allow."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_count, format_digits, format_interval, format_p, p_words
from rocsteady._src.inference.power.auc import detectable_difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.results import Interval, PairComparison, TestResult

MOST_PAIRS = 12


def verdict(
    pairs: Sequence[PairComparison],
    estimates: dict[str, Interval],
    *,
    level: float,
    n_rows: int,
    what: str = "AUC",
    higher_is_better: bool | None = True,
) -> tuple[str, ...]:
    """One sentence on the best model, then one per pair, the clearest first; at most a dozen."""
    alpha = 1 - level
    ranked = _by_clarity(pairs)
    lines = [_on_pair(pair, alpha, n_rows, what, higher_is_better, len(pairs)) for pair in ranked[:MOST_PAIRS]]
    left = len(pairs) - MOST_PAIRS
    more = [f"{left} more pairs are in the table"] if left > 0 else []
    first = [_on_best(pairs, estimates, alpha, what, higher_is_better)] if len(estimates) > 2 else []
    return tuple(first + lines + more)


def _name(model: str) -> str:
    return printable(model, most=48)


def _by_clarity(pairs: Sequence[PairComparison]) -> list[PairComparison]:
    return sorted(pairs, key=lambda pair: (pair.p_holm, -abs(pair.test.estimate)))


def _on_pair(pair: PairComparison, alpha: float, n_rows: int, what: str, higher: bool | None, n_pairs: int) -> str:
    test, first, second = pair.test, _name(pair.first), _name(pair.second)
    if test.estimate == 0 and not test.se:
        return f"{first} and {second} cannot be told apart by any of these rows"
    if pair.p_holm < alpha and higher is None:
        return (
            f"{first} and {second} differ: {what} {format_interval(test.estimate, test.low, test.high, 3, signed=True)}"
        )
    if pair.p_holm < alpha:
        flip = (test.estimate > 0) != higher
        better, worse = (second, first) if flip else (first, second)
        ends = sorted((-test.low, -test.high)) if flip else (test.low, test.high)
        change = -test.estimate if flip else test.estimate
        verb = "ranks better" if what.endswith("AUC") else "is better"
        return f"{better} {verb} than {worse}: {what} {format_interval(change, ends[0], ends[1], 3, signed=True)}"
    if math.isnan(test.pvalue):
        return f"{first} and {second} cannot be compared: {_why_undefined(test)}"
    text = f"{first} and {second} cannot be told apart with {format_count(n_rows)} rows"
    if test.pvalue < alpha and n_pairs > 1:
        text += f" ({p_words(test.pvalue)}, but {format_p(pair.p_holm)} once {n_pairs} comparisons are allowed for)"
    if test.se:
        needed = detectable_difference(test.se, power=0.8, alpha=alpha)
        text += f"; a difference of {format_digits(needed, 2)} would be needed (found 4 times in 5)"
    return text


def _why_undefined(test: TestResult) -> str:
    agree = any(remark.code == "splits_agree" for remark in test.warnings)
    return "the difference is the same in every fold" if agree else "fewer than two independent rows in a class"


def _on_best(
    pairs: Sequence[PairComparison], estimates: dict[str, Interval], alpha: float, what: str, higher: bool | None
) -> str:
    sign = -1 if higher is False else 1
    best = max(estimates, key=lambda model: sign * estimates[model].estimate)
    met = {
        pair.second if pair.first == best else pair.first: pair for pair in pairs if best in (pair.first, pair.second)
    }
    alike = [model for model, pair in met.items() if not pair.p_holm < alpha]
    value, most = estimates[best], "lowest" if higher is False else "highest"
    head = f"{_name(best)} has the {most} {what}, {format_interval(value.estimate, value.low, value.high, 3)}"
    if len(met) < len(estimates) - 1:
        return head
    others = " or ".join(map(_name, alike))
    return f"{head}, but cannot be told apart from {others}" if alike else f"{head}, ahead of all others"
