"""Many resamples at once have the values of one after the other, and nothing is resampled that is not shown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady._src.inference.resampling.batches import BATCHED, in_batches
from rocsteady._src.inference.resampling.draws import GroupDraws, RowDraws
from rocsteady._src.inference.resampling.resample import replicate, replicate_many, sampler
from rocsteady._src.ranked import rank, read_models

ASKED = [*((sheet, {}) for sheet, _ in BATCHED), (rs.auc.sheet, {}), (rs.h_measure.sheet, {"alpha": 3.0})]


def drawn(n: Any, digits: Any, seed: Any = 0) -> Any:
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    y[:2] = True, False
    return y, np.round(rng.normal(size=n) + y, digits), np.round(rng.normal(size=n) + y, digits), rng


def one_by_one(draws: Any) -> Any:
    sample = sampler(draws, lambda made: [sheet.compute(each, **params) for each in made for sheet, params in ASKED])
    return replicate(sample, n_resamples=60, seed=3)


@pytest.mark.parametrize(("n", "digits"), [(300, 9), (40, 1), (6, 0), (200, 0)])
@pytest.mark.parametrize("stratified", [True, False])
def test_batches_have_the_values_of_single_resamples(n: Any, digits: Any, stratified: Any) -> None:
    y, scores, _, _ = drawn(n, digits)
    draws = GroupDraws(rank(y, scores), stratified=stratified)
    np.testing.assert_allclose(
        replicate_many(in_batches(draws, ASKED), n_resamples=60, seed=3), one_by_one(draws), rtol=0, atol=1e-12
    )


@pytest.mark.parametrize("how", ["plain", "weights", "subjects"])
def test_batches_of_rows_of_two_models(how: Any) -> None:
    y, one, two, rng = drawn(80, 1)
    options = {"weights": {"sample_weight": rng.random(80)}, "subjects": {"cluster": np.arange(80) // 2}}.get(how, {})
    draws = RowDraws(read_models(y, {"one": one, "two": two}, **options), stratified=False)
    np.testing.assert_allclose(
        replicate_many(in_batches(draws, ASKED), n_resamples=60, seed=3), one_by_one(draws), rtol=0, atol=1e-12
    )


def test_many_draws_are_single_draws_one_after_the_other() -> None:
    y, scores, _, _ = drawn(50, 1)
    for stratified in (True, False):
        draws = GroupDraws(rank(y, scores), stratified=stratified)
        one, many = np.random.default_rng(1), np.random.default_rng(1)
        ((pos, neg),) = draws.draws(many, 5)
        for line in range(5):
            ((a, b),) = draws.draw(one)
            assert (a.tolist(), b.tolist()) == (pos[line].tolist(), neg[line].tolist())


def test_the_result_says_how_many_resamples_there_are() -> None:
    y, one, _, _ = drawn(60, 2)
    assert "2,000 resamples" in str(rs.evaluate(y, one, intervals=True))
