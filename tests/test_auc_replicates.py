"""Tests between two AUCs by the hundred are those that the library makes one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsteady as rs

pytest.importorskip("benchmarks.auc_replicates")

from benchmarks import auc_replicates
from benchmarks.coverage_kit import Setting
from benchmarks.shared_draws import SHARED, Draws

from rocsteady._src.inference.comparison.permute import permuted_pairs, permuted_samples
from rocsteady._src.ranked import read_models

SETTINGS = [Setting(6, 9, 0.9), Setting(12, 20, 0.7, tied=True)]


def two(setting: Setting) -> list[np.ndarray]:
    return [np.asarray(each) for each in next(setting.models(np.random.default_rng(3), 1))]


def differences(permute: Any, seed: int) -> list[float]:
    rng = np.random.default_rng(seed)
    return [float(np.subtract(*(rs.auc(ranked) for ranked in permute(rng)))) for _ in range(20)]


@pytest.mark.parametrize("setting", SETTINGS)
def test_models_are_exchanged_as_the_library_does(setting: Setting) -> None:
    scores = two(setting)
    rows = read_models(setting.y, dict(zip("ab", scores, strict=True)))
    found = auc_replicates.exchanged_models(scores, setting.n_pos, Draws(np.random.default_rng(5), 20))
    assert found == pytest.approx(differences(permuted_pairs(rows, by_rank=True, frequency=False), 5), abs=1e-12)


@pytest.mark.parametrize("setting", SETTINGS)
def test_rows_are_dealt_as_the_library_does(setting: Setting) -> None:
    one, other = two(setting)
    scores, n_pos = [one, np.exp(other)], setting.n_pos
    first, second = (read_models(setting.y, {"a": each}) for each in scores)
    rng, draws = np.random.default_rng(5), Draws(np.random.default_rng(0), 20)
    for _ in range(20):
        for part, size in enumerate((n_pos, setting.n - n_pos)):
            draws.dealt(2 * size, part)[_] = np.isin(np.arange(2 * size), rng.permutation(2 * size)[:size])
    found = auc_replicates.exchanged_rows(scores, n_pos, draws)
    permute = permuted_samples(first, second, None, by_rank=True, frequency=False)
    assert found == pytest.approx(differences(permute, 5), abs=1e-12)


@pytest.mark.parametrize("setting", SETTINGS)
def test_resamples_have_the_areas_of_rows_that_were_drawn(setting: Setting) -> None:
    one, other = two(setting)
    draws = Draws(np.random.default_rng(4), 10)
    found = auc_replicates.drawn_pairs([one, other], setting.n_pos, draws)
    weights = np.hstack([draws.counts(size, part) for part, size in enumerate((setting.n_pos, setting.n_neg))])
    assert (weights.sum(axis=1) == setting.n).all()
    for value, drawn in zip(found, weights.astype(int), strict=True):
        y, first, second = (np.repeat(column, drawn) for column in (setting.y, one, other))
        assert value == pytest.approx(rs.auc(y, first) - rs.auc(y, second), abs=1e-6)


@pytest.mark.parametrize("setting", SETTINGS)
def test_samples_of_their_own_have_the_areas_of_rows_that_were_drawn(setting: Setting) -> None:
    models, draws = two(setting), Draws(np.random.default_rng(4), 10)
    found = auc_replicates.drawn_samples(models, setting.n_pos, draws)
    areas = []
    for model, scores in enumerate(models):
        pos, neg = scores[: setting.n_pos], np.sort(scores[setting.n_pos :])
        drawn = [draws.counts(side.size, 2 * model + part).astype(int) for part, side in enumerate((pos, neg))]
        again = [[np.repeat(side, line) for line in lines] for side, lines in zip((pos, neg), drawn, strict=True)]
        areas.append([rs.auc(setting.y, np.concatenate(both)) for both in zip(*again, strict=True)])
    assert found == pytest.approx(np.subtract(*np.array(areas)), abs=1e-12)


@pytest.mark.parametrize("paired", [True, False])
def test_decisions_agree_with_the_library_but_for_the_draws(paired: bool) -> None:
    setting, agreed = Setting(15, 30, 0.8), 0
    rng = np.random.default_rng(6)
    for seed, (one, drawn) in enumerate(setting.models(rng, 7)):
        other = drawn - 1.5 * (seed % 2) * setting.y
        found = auc_replicates.auc_rejections((one, other), 15, Draws(rng, 300), paired=paired)
        options: dict[str, Any] = {"n_resamples": 300, "random_state": seed, "paired": paired}
        public = {
            method: rs.compare_measure("auc", setting.y, one, other, method=method, **options)
            for method in ("bootstrap", "permutation")
        }
        for method, test in public.items():
            clear = not 0.02 < test.pvalue < 0.1
            agreed += clear
            assert found[method] == (test.pvalue <= 0.05) or not clear
    assert agreed > 7


@pytest.mark.parametrize("measure", auc_replicates.BY_RANK)
def test_measures_of_exchanged_and_of_drawn_rows_are_those_of_the_library(measure: str) -> None:
    setting, value_of = SETTINGS[0], getattr(rs.measures, measure)
    scores = two(setting)
    one, other = (each.argsort().argsort() for each in scores)
    rows = read_models(setting.y, dict(zip("ab", scores, strict=True)))
    rng = np.random.default_rng(5)
    swapped = np.array([rng.random(setting.n) < 0.5 for _ in range(20)])
    mixed = np.where(swapped, other, one), np.where(swapped, one, other)
    found = auc_replicates.rank_difference(measure, mixed, setting.n_pos)
    permute, again = permuted_pairs(rows, by_rank=True, frequency=False), np.random.default_rng(5)
    for value in found:
        assert value == pytest.approx(np.subtract(*(value_of(each) for each in permute(again))), abs=1e-12)
    weights = auc_replicates.rows_drawn(measure, setting.n, setting.n_pos, Draws(rng, 20))
    drawn_values = auc_replicates.drawn_difference(measure, weights, (one, other), setting.n_pos)
    for value, drawn in zip(drawn_values, weights, strict=True):
        y, first, second = (np.repeat(column, drawn.astype(int)) for column in (setting.y, *scores))
        assert value == pytest.approx(value_of(y, first) - value_of(y, second), abs=1e-12)


@pytest.mark.parametrize("measure", auc_replicates.BY_RANK)
def test_rows_are_drawn_as_the_library_draws_them_for_the_measure(measure: str) -> None:
    setting = SETTINGS[0]
    weights = auc_replicates.rows_drawn(measure, setting.n, setting.n_pos, Draws(np.random.default_rng(1), 50))
    assert set(weights.sum(axis=1)) == {setting.n}
    public = rs.compare_measure(measure, setting.y, *two(setting), method="bootstrap", n_resamples=50)
    within = "within each class" in public.resampling.scheme
    assert (len(set(weights[:, : setting.n_pos].sum(axis=1))) == 1) == within


def test_few_positives_leave_the_permutation_alone() -> None:
    setting = Setting(2, 48, 0.97)
    found = auc_replicates.rank_rejections("average_precision", two(setting), 2, Draws(np.random.default_rng(0), 200))
    assert set(found) == {"permutation"}


def test_draws_are_shared_by_some_samples_and_then_made_anew() -> None:
    draws = Draws(np.random.default_rng(0), 30)
    seen = [draws.next_sample().counts(12) for _ in range(2 * SHARED)]
    assert all(each is seen[0] for each in seen[:SHARED])
    assert seen[SHARED] is not seen[0]
    assert (seen[SHARED] != seen[0]).any()
    assert (draws.counts(12, 1) != draws.counts(12)).any()
    assert set(draws.counts(12).sum(axis=1)) == {12}
    assert set(draws.dealt(12).sum(axis=1)) == {6}
    assert set(np.unique(draws.coins(12))) == {0, 1}
