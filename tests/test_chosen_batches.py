"""Optimism of chosen thresholds: many resamples at once give what one by one gives, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rocsteady._src.inference.intervals.chosen_threshold import flattery_in_batches, flattery_of_one
from rocsteady._src.inference.resampling.draws import GroupDraws
from rocsteady._src.inference.resampling.resample import replicate, replicate_many, sampler
from rocsteady._src.measures.registry import list_measures
from rocsteady._src.measures.threshold_rules import read_rule
from rocsteady._src.ranked import rank

RNG = np.random.default_rng(3)
Y = RNG.integers(0, 2, 40)
S = (RNG.normal(size=40) + 0.8 * Y).round(1)
MEASURES = [(sheet, {}) for sheet in list_measures("threshold")]
RULES = [
    "youden",
    "closest_topleft",
    "f1",
    "mcc",
    "cost(fn=5)",
    "breakeven",
    "precision=0.7",
    "sensitivity=0.9",
    lambda counts: counts.tp - 2 * counts.fp,
]


def both_ways(draws: Any, rule: Any) -> tuple[Any, Any]:
    chosen, ranked = read_rule(rule), draws.ranked[0]
    one = replicate(sampler(draws, flattery_of_one(ranked, MEASURES, chosen)), n_resamples=60, seed=4)
    return one, replicate_many(flattery_in_batches(draws, MEASURES, chosen), n_resamples=60, seed=4)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule if isinstance(rule, str) else "function")
@pytest.mark.parametrize("stratified", [True, False])
def test_rows(rule: Any, *, stratified: bool) -> None:
    one, many = both_ways(GroupDraws(rank(Y, S), stratified=stratified), rule)
    assert np.array_equal(one, many, equal_nan=True)
    assert np.isfinite(one).any()


def test_few_rows_of_which_some_resamples_have_one_class() -> None:
    one, many = both_ways(GroupDraws(rank([0, 1, 1, 0], [0.1, 0.3, 0.2, 0.15]), stratified=False), "youden")
    assert np.isnan(one).all(axis=1).any()
    assert np.array_equal(one, many, equal_nan=True)
