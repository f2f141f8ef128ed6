"""Optimism of chosen thresholds: many resamples at once give what one by one gives, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.inference.intervals.chosen_threshold import (
    flattery_in_batches,
    flattery_of_one,
    thresholds_in_batches,
)
from rocsteady._src.inference.intervals.thresholds import chosen_interval
from rocsteady._src.inference.resampling.draws import GroupDraws
from rocsteady._src.inference.resampling.resample import replicate, replicate_many, sampler
from rocsteady._src.measures.best_threshold import chosen_if_any
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


@each_case("rule", RULES)
@each_case("stratified", [True, False])
def test_rows(rule: Any, *, stratified: bool) -> None:
    one, many = both_ways(GroupDraws(rank(Y, S), stratified=stratified), rule)
    assert np.array_equal(one, many, equal_nan=True)
    assert np.isfinite(one).any()


@each_case("rule", RULES)
@each_case("stratified", [True, False])
def test_thresholds_alone(rule: Any, *, stratified: bool) -> None:
    draws, chosen = GroupDraws(rank(Y, S), stratified=stratified), read_rule(rule)

    def one(made: list[Any]) -> list[float]:
        choice = chosen_if_any(chosen, made[0])
        return [np.nan if choice is None else choice.threshold]

    slow = replicate(sampler(draws, one), n_resamples=60, seed=4)
    quick = replicate_many(thresholds_in_batches(draws, chosen), n_resamples=60, seed=4)
    assert np.array_equal(slow, quick, equal_nan=True)


@pytest.mark.parametrize("rows", [40, 8])
def test_the_interval_of_a_decision_is_that_of_the_public_function(rows: int) -> None:
    y, s = np.r_[1, 0, Y[: rows - 2]], np.r_[S[:2], S[: rows - 2]]
    public = rs.inference.threshold_interval(y, s, rule="cost(fn=5)", n_resamples=90, random_state=2)["threshold"]
    inner = chosen_interval(rank(y, s), None, read_rule("cost(fn=5)"), level=0.95, seed=2, n_resamples=90)
    assert inner is not None
    assert inner.to_dict() == public.to_dict()


def test_few_rows_of_which_some_resamples_have_one_class() -> None:
    one, many = both_ways(GroupDraws(rank([0, 1, 1, 0], [0.1, 0.3, 0.2, 0.15]), stratified=False), "youden")
    assert np.isnan(one).all(axis=1).any()
    assert np.array_equal(one, many, equal_nan=True)
