"""Where few rows are misranked: measured coverage and sizes, and the bounds that hold for any distribution."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs

RESULTS = Path(__file__).parents[1] / "benchmarks" / "results"


def cells(subject: str) -> list[dict[str, float]]:
    with (RESULTS / f"{subject}.csv").open(encoding="utf-8") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


@pytest.mark.parametrize("subject", ["auc_mixtures", "auc_pairs"])
def test_measured_coverage_is_at_least_93_percent_in_every_cell(subject: str) -> None:
    low = [cell for cell in cells(subject) if cell["coverage"] < 0.93]
    assert not low


def test_a_margin_is_not_kept_falsely_in_any_cell() -> None:
    assert not [cell for cell in cells("auc_margins") if cell["false_passes"] > 0.065]


def test_the_null_test_holds_its_level_and_where_classes_are_large_the_normal_one_does() -> None:
    assert not [cell for cell in cells("auc_null") if cell["size"] > 0.05]


def perfect(n_pos: int, n_neg: int) -> tuple[Any, Any]:
    return np.repeat([1, 0], [n_pos, n_neg]), np.arange(float(n_pos + n_neg))[::-1]


@pytest.mark.parametrize(("n_pos", "n_neg"), [(10, 10_000), (10, 10), (300, 20), (5000, 5000)])
def test_an_auc_of_one_has_the_limit_that_holds_for_any_distribution(n_pos: int, n_neg: int) -> None:
    y, score = perfect(n_pos, n_neg)
    fewest = min(n_pos, n_neg)
    found = rs.auc_interval(y, score)
    assert (found.low, found.high) == pytest.approx((0.025 ** (1 / fewest), 1.0), abs=1e-9)
    assert rs.auc_interval(y, score, level=0.9).low == pytest.approx(0.05 ** (1 / fewest), abs=1e-9)
    assert rs.auc_interval(y, score, method="wilson").low > found.low
    goal = 0.05 ** (1 / fewest)
    assert rs.inference.goal_test("auc", y, score, above=goal).pvalue == pytest.approx(0.05, rel=1e-6)
    assert rs.inference.goal_test("auc", y, -score, below=1 - goal).pvalue == pytest.approx(0.05, rel=1e-6)


def test_one_failing_row_among_perfect_ones_has_the_limits_of_a_share() -> None:
    y, score = perfect(50, 5000)
    score[0] = -1.0
    found = rs.auc_interval(y, score)
    exact = rs.inference.proportion_interval(49, 50, method="clopper-pearson")
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high), abs=2e-4)


def test_bound_and_formula_meet_without_a_jump() -> None:
    """As the scores of the failing rows rise, and as more rows fail, ends move little by little."""
    draws = np.random.default_rng(3)
    y, score = np.repeat([1, 0], [60, 200]), draws.normal(size=260)
    score[:60] += 2.6
    lows = []
    for lift in np.linspace(0, 1.5, 61):
        moved = score.copy()
        moved[:60] += lift
        lows.append(rs.auc_interval(y, moved).low)
    assert np.abs(np.diff(lows)).max() < 0.02


@pytest.mark.parametrize("area", [0.6, 0.7, 0.8, 0.9])
@pytest.mark.parametrize("sizes", [(50, 450), (100, 100), (500, 500)])
def test_ordinary_scores_have_the_interval_of_the_formula(area: float, sizes: tuple[int, int]) -> None:
    from scipy.special import ndtri

    draws, y = np.random.default_rng(7), np.repeat([1, 0], sizes)
    for _ in range(10):
        found = rs.auc_interval(y, draws.normal(size=y.size) + np.sqrt(2) * ndtri(area) * y)
        assert found.method in ("logit", "wilson")


@pytest.mark.parametrize("n", [20, 100, 129, 130, 1000])
def test_two_perfect_models_have_a_difference_with_a_width(n: int) -> None:
    y, first = perfect(n, n)
    second = first.copy()
    second[:n] = first[:n][::-1]
    found = rs.compare_auc(y, first, second)
    assert (found.low, found.high) == pytest.approx((-(1 - 0.025 ** (1 / n)), 1 - 0.025 ** (1 / n)), abs=1e-9)
    by_score = rs.compare_auc(y, first, second, method="score")
    assert by_score.high == -by_score.low == pytest.approx(2 / n, rel=0.2)
    kept = rs.compare_auc(y, first, second, alternative="non-inferiority", margin=0.01)
    assert kept.pvalue == pytest.approx(0.99**n, rel=1e-6)


def test_five_rows_that_one_model_ranks_last_are_a_sign_test() -> None:
    y, first = perfect(100, 400)
    second = first.copy()
    second[:5] = -1.0 - np.arange(5)
    found = rs.compare_auc(y, first, second)
    assert found.pvalue == pytest.approx(2 * 0.5**5, rel=1e-3)
    assert found.low < 0 < found.estimate


def test_a_null_test_of_three_against_three_is_exact() -> None:
    y, score = perfect(3, 3)
    assert rs.inference.auc_null_test(y, score).pvalue == pytest.approx(0.1)
    assert rs.inference.auc_null_test(y, score, method="normal").pvalue == pytest.approx(0.0495, abs=5e-5)
    tied = np.array([2.0, 2, 1, 1, 0, 0])
    exact = rs.inference.auc_null_test(y, tied, method="exact").pvalue
    assert rs.inference.auc_null_test(y, tied).pvalue == exact
    large = rs.inference.auc_null_test(*perfect(50, 3))
    assert large.method.startswith("rank sum")


def test_sensitivity_on_the_curve_is_no_shorter_than_exact_tails_where_few_rows_are_missed() -> None:
    y, score = perfect(100, 1000)
    score[:2] = -1.0
    table = {"y": y, "model": score}
    name = "sensitivity_at(specificity=0.9)"
    shown = rs.evaluate(table, label="y", scores="model", measures=[name], intervals=True, n_resamples=100)
    low, high = shown.intervals["model"][name]
    exact = rs.inference.proportion_interval(98, 100, method="clopper-pearson")
    assert low <= exact.low + 1e-9
    assert high >= exact.high - 2e-3


def test_p_and_interval_agree_where_the_bound_counts() -> None:
    draws = np.random.default_rng(9)
    for _ in range(25):
        n, m = draws.integers(2, 15, 2)
        y = np.repeat([1, 0], [n, m])
        scores = [np.round(draws.normal(size=n + m) + draws.choice([3, 8]) * y, 1) for _ in range(2)]
        level = draws.choice([0.5, 0.9, 0.95])
        found = rs.compare_auc(y, *scores, level=level)
        assert (found.pvalue < 1 - level - 1e-6) <= (not found.low <= 0 <= found.high)
        assert (found.pvalue > 1 - level + 1e-6) <= (found.low - 1e-9 <= 0 <= found.high + 1e-9)
