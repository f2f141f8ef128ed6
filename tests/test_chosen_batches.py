"""Optimism of chosen thresholds: many resamples at once give what one by one gives, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.inference.intervals.chosen_threshold import (
    _step,
    _steps,
    flattery_in_batches,
    flattery_of_one,
    thresholds_in_batches,
)
from rocsteady._src.inference.intervals.thresholds import chosen_interval
from rocsteady._src.inference.resampling.batches import cells_of_lines
from rocsteady._src.inference.resampling.draws import GroupDraws
from rocsteady._src.inference.resampling.resample import replicate, replicate_many, sampler
from rocsteady._src.measures.best_threshold import chosen_if_any
from rocsteady._src.measures.registry import list_measures
from rocsteady._src.measures.threshold_rules import read_rule
from rocsteady._src.ranked import joined_negatives, rank

RNG = np.random.default_rng(3)
Y = RNG.integers(0, 2, 40)
S = (RNG.normal(size=40) + 0.8 * Y).round(1)
MEASURES: list[tuple[Any, dict[str, Any]]] = [(sheet, {}) for sheet in list_measures("threshold")]
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
    for rule in ("youden", "cost(fn=5)"):
        one, many = both_ways(GroupDraws(rank([0, 1, 1, 0], [0.1, 0.3, 0.2, 0.15]), stratified=False), rule)
        assert np.isnan(one).all(axis=1).any()
        assert np.array_equal(one, many, equal_nan=True)


@each_case("options", [{}, {"prevalence": 0.4}, {"cost_fn": 0.1, "cost_fp": 0.30000000000000004}, {"cost_fp": 0}])
@each_case("largest", [1, 3, 50, 2**40])
def test_costs_of_many_resamples_at_once(options: dict[str, float], largest: int) -> None:
    """Many equal costs, and more cases than doubles hold the squares of."""
    rng, rule = np.random.default_rng(largest), read_rule("cost", options)
    pos, neg = rng.integers(0, largest + 1, size=(2, 40, 8))
    pos[0], neg[1] = 0, 0
    cells, thresholds = cells_of_lines(pos, neg), np.arange(9.0)
    steps = _steps(rule, cells, thresholds).tolist()
    assert steps == [_step(rule, [cell[line] for cell in cells], thresholds) for line in range(40)]
    assert steps[:2] == [-1, -1]
    assert len(set(steps)) > 2 or options.get("cost_fp") == 0


@each_case("costs", [(1, 1), (1, 20), (20, 1), (0, 1), (1, 0), (0.1, 0.30000000000000004)])
def test_negatives_may_be_joined_when_costs_choose(costs: tuple[float, float]) -> None:
    """The same threshold and counts with groups of negatives alone joined, which large resamples are drawn from."""
    rng = np.random.default_rng(17)
    for positives in (1, 3, 30):
        for digits in (0, 1, 8):
            y = np.arange(90) < positives
            ranked = rank(y, (rng.normal(size=90) + y).round(digits))
            rule = read_rule("cost", {"cost_fp": costs[0], "cost_fn": costs[1]})
            assert rule.joins_negatives
            whole, joined = (chosen_if_any(rule, each) for each in (ranked, joined_negatives(ranked)))
            assert whole is not None
            assert joined is not None
            assert (whole.threshold, whole.tpr, whole.fpr) == (joined.threshold, joined.tpr, joined.fpr)


def test_negatives_stay_apart_where_a_false_alarm_pays() -> None:
    assert not read_rule("cost", {"cost_fp": 1, "cost_fn": 5, "cost_tn": 2}).joins_negatives
    assert not read_rule("f1").joins_negatives


def test_choices_from_joined_negatives_spread_as_from_all() -> None:
    """Thresholds of 5,000 rows with 12 positives, by both draws: other streams, one distribution."""
    rng = np.random.default_rng(5)
    y = np.arange(5000) < 12
    ranked, rule = rank(y, rng.normal(size=y.size) + 2 * y), read_rule("cost(fn=100)")
    spread = []
    for groups in (ranked, joined_negatives(ranked)):
        draws = GroupDraws(groups, stratified=False)
        spread.append(replicate_many(thresholds_in_batches(draws, rule), n_resamples=3000, seed=1)[:, 0])
    whole, joined = (np.sort(each[~np.isnan(each)]) for each in spread)
    places = np.unique(np.concatenate([whole, joined]))
    apart = np.abs(np.searchsorted(whole, places) / whole.size - np.searchsorted(joined, places) / joined.size).max()
    assert apart < 1.63 * np.sqrt(2 / 3000)  # Kolmogorov and Smirnov at 1%; the seeds are fixed
