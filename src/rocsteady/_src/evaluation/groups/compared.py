"""The difference between two models in each group: is it the same in all?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.inference.comparison.hypotheses import all_equal
from rocsteady._src.results.grouped_comparison import GroupedComparison, Interaction

if TYPE_CHECKING:
    from rocsteady._src.results import Comparison


def compared_groups(by: str, found: dict[Any, Comparison], level: float) -> GroupedComparison:
    """Comparisons of all groups with a test of whether each difference is the same: groups are independent."""
    if not found:
        raise ArgumentError("one_class_groups", "no group has rows of both classes: there is nothing to compare")
    first = next(iter(found.values()))
    asked = [(pair.first, pair.second) for pair in first.pairs]
    interactions = tuple(_interaction(place, pair, list(found.values())) for place, pair in enumerate(asked))
    return GroupedComparison(by, first.measure, found, interactions, level)


def _interaction(place: int, pair: tuple[str, str], found: list[Comparison]) -> Interaction:
    tests = [each.pairs[place].test for each in found]
    values = np.array([test.estimate for test in tests])
    se = np.array([math.nan if test.se is None else test.se for test in tests])
    some = (se > 0) & np.isfinite(values)
    if np.count_nonzero(some) < 2:
        return Interaction(pair[0], pair[1], math.nan, math.nan, 0)
    statistic, pvalue, df = all_equal(values[some], np.diag(se[some] ** 2))
    return Interaction(pair[0], pair[1], statistic, pvalue, df)
