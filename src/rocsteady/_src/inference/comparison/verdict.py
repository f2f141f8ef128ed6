"""A verdict in plain words that says no more than the numbers allow."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_count, format_digits, format_interval, format_p, p_words
from rocsteady._src.inference.comparison.needed import needed_difference, step_level
from rocsteady._src.results.differences import told_apart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.results import Interval, PairComparison, TestResult

MOST_PAIRS = 12


@dataclass(frozen=True, slots=True)
class Wording:
    """What a verdict is about: the rows and the measure, which way is better, and the level of the verdict.

    ``family`` are the adjusted p-values of all tests that were adjusted together, of other groups too; ``widest`` is
    the largest difference that the measure can have.
    """

    n_rows: int
    what: str = "AUC"
    higher: bool | None = True
    level: float = 0.95
    widest: float = math.inf
    family: tuple[float, ...] = ()

    @property
    def alpha(self) -> float:
        """What an adjusted p-value must be below."""
        return 1 - self.level


def verdict(
    pairs: Sequence[PairComparison],
    estimates: dict[str, Interval],
    *,
    level: float,
    n_rows: int,
    what: str = "AUC",
    higher_is_better: bool | None = True,
    widest: float = math.inf,
    family: Sequence[float] | None = None,
) -> tuple[str, ...]:
    """One sentence on the best model, then one per pair, the clearest first; at most a dozen."""
    adjusted = tuple(pair.p_holm for pair in pairs) if family is None else tuple(family)
    words = Wording(n_rows, what, higher_is_better, level, widest, adjusted)
    ranked = _by_clarity(pairs)
    lines = [_on_pair(pair, words) for pair in ranked[:MOST_PAIRS]]
    left = len(pairs) - MOST_PAIRS
    more = [f"{left} more pairs are in the table"] if left > 0 else []
    first = [_on_best(pairs, estimates, words)] if len(estimates) > 2 else []
    return tuple(first + lines + more)


def _name(model: str) -> str:
    return printable(model, most=48)


def _by_clarity(pairs: Sequence[PairComparison]) -> list[PairComparison]:
    return sorted(pairs, key=lambda pair: (pair.p_holm, -abs(pair.test.estimate)))


def _on_pair(pair: PairComparison, words: Wording) -> str:
    test, first, second = pair.test, _name(pair.first), _name(pair.second)
    if test.estimate == 0 and not test.se:
        return f"{first} and {second} cannot be told apart by any of these rows"
    if told_apart(test, pair.p_holm, words.level):
        return _apart(pair, words)
    if math.isnan(test.pvalue):
        return f"{first} and {second} cannot be compared: {_why_undefined(test)}"
    text = f"{first} and {second} cannot be told apart with {format_count(words.n_rows)} rows"
    return text + _why_not(pair, words) + _needed(test, words)


def _why_undefined(test: TestResult) -> str:
    agree = any(remark.code == "splits_agree" for remark in test.warnings)
    return "the difference is the same in every fold" if agree else "fewer than two independent rows in a class"


def _apart(pair: PairComparison, words: Wording) -> str:
    """Which model is better, or that they differ where a measure has no better direction."""
    test, first, second = pair.test, _name(pair.first), _name(pair.second)
    if words.higher is None:
        ends = format_interval(test.estimate, test.low, test.high, 3, signed=True)
        return f"{first} and {second} differ: {words.what} {ends}"
    flip = (test.estimate > 0) != words.higher
    better, worse = (second, first) if flip else (first, second)
    low, high = sorted((-test.low, -test.high)) if flip else (test.low, test.high)
    change = -test.estimate if flip else test.estimate
    verb = "ranks better" if words.what.endswith("AUC") else "is better"
    return f"{better} {verb} than {worse}: {words.what} {format_interval(change, low, high, 3, signed=True)}"


def _why_not(pair: PairComparison, words: Wording) -> str:
    """What speaks for a difference that is not shown: p before it was adjusted, or p beside an interval with 0."""
    if pair.p_holm < words.alpha:
        told = "p" if len(words.family) < 2 else "adjusted p"
        return f" ({p_words(pair.p_holm, told)}, but the interval includes 0)"
    if pair.test.pvalue < words.alpha and len(words.family) > 1:
        many = f"{format_p(pair.p_holm)} once {format_count(len(words.family))} comparisons are allowed for"
        return f" ({p_words(pair.test.pvalue)}, but {many})"
    return ""


def _needed(test: TestResult, words: Wording) -> str:
    """The difference that a test like this one would find, at the level of Holm's next step."""
    needed = needed_difference(test, step_level(words.family, words.alpha), words.widest)
    if math.isnan(needed):
        return ""
    return f"; a difference of {format_digits(needed, 2)} would be needed (found 4 times in 5)"


def _on_best(pairs: Sequence[PairComparison], estimates: dict[str, Interval], words: Wording) -> str:
    lower = words.higher is False
    best = max(estimates, key=lambda model: (-1 if lower else 1) * estimates[model].estimate)
    met = {
        pair.second if pair.first == best else pair.first: pair for pair in pairs if best in (pair.first, pair.second)
    }
    alike = [model for model, pair in met.items() if not told_apart(pair.test, pair.p_holm, words.level)]
    value, most = estimates[best], "lowest" if lower else "highest"
    head = f"{_name(best)} has the {most} {words.what}, {format_interval(value.estimate, value.low, value.high, 3)}"
    if len(met) < len(estimates) - 1:
        return head
    others = " or ".join(map(_name, alike))
    return f"{head}, but cannot be told apart from {others}" if alike else f"{head}, ahead of all others"
