"""Can the probabilities be trusted? Groups against exact tests of another library, answers on rows made to be so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

import rocsteady as rs
from cases import each_case
from rocsteady._src.evaluation.trusted_probabilities import trust_of
from rocsteady._src.probabilities.calibration.groups import grouped

N = 2000


def scores_of(seed: int, n: int = N) -> Any:
    return np.random.default_rng(seed).beta(1.2, 2, size=n).clip(1e-3, 1 - 1e-3)


def drawn(true: Any, seed: int) -> Any:
    return (np.random.default_rng(seed).random(true.size) < true).astype(int)


def bumped(scores: Any, by: float) -> Any:
    """Two of ten groups off, by as much up as down: mean and slope stay."""
    tenth = np.argsort(np.argsort(scores)) * 10 // scores.size
    return (scores + by * (tenth == 3) - by * (tenth == 4)).clip(0, 1)


def check_of(y: Any, scores: Any, **how: Any) -> Any:
    return rs.evaluate(y, {"m": scores}, measures=["auc"]).decide(cost_fn=3, **how).checks[2]


@each_case("group", range(10))
def test_groups_are_tested_exactly(group: int) -> None:
    scores = scores_of(1, 300)
    y = drawn(bumped(scores, 0.3), 2)
    found = grouped(rs.rank(y, scores), None, 10, 0.95)
    assert found is not None
    rows = np.argsort(scores)[30 * group : 30 * group + 30]
    hits, mean = int(y[rows].sum()), float(scores[rows].mean())
    low, high = (binomtest(hits, 30, mean, alternative=side).pvalue for side in ("less", "greater"))
    assert found.pvalue[group] == pytest.approx(min(1, 2 * min(low, high)), abs=1e-12)
    ends = binomtest(hits, 30).proportion_ci(0.995, "exact")
    assert found.near[group] == pytest.approx(min(max(mean, ends.low), ends.high), abs=1e-9)
    wilson = binomtest(hits, 30).proportion_ci(0.95, "wilson")
    assert found.misses[group] == (not wilson.low <= mean <= wilson.high)


def test_two_groups_of_ten_that_miss_are_seen_where_mean_and_slope_hold() -> None:
    scores = scores_of(0, 3000)
    check = check_of(drawn(bumped(scores, 0.12), 1), scores)
    slope = rs.calibration.calibration_summary(drawn(bumped(scores, 0.12), 1), scores)
    assert slope.slope.low < 1 < slope.slope.high
    assert slope.in_the_large.low < 0 < slope.in_the_large.high
    assert check.answer == "partly"
    assert "of 10 groups of rows miss, most clearly one: predicted" in check.text
    assert check_of(drawn(bumped(scores, 0.3), 1), scores).answer == "no"


def test_true_probabilities_are_trusted() -> None:
    scores = scores_of(6)
    check = check_of(drawn(scores, 7), scores)
    assert check.answer == "yes"
    assert check.text.endswith("observed as predicted in all 10 groups of rows")


def test_few_rows_are_not_called_wrong_for_one_group_that_misses() -> None:
    found = trust_of(rs.evaluate([1, 0, 0, 1] * 3, {"b": np.arange(12)[::-1] % 5 / 7}), "b", 0.95)
    assert found.answer == "unknown"
    assert "1 of 2 groups of rows misses, as chance may do" in found.text


def test_subjects_and_weights_widen_groups_or_leave_them_out() -> None:
    scores = scores_of(7, 600)
    y, who = drawn(scores, 8), np.arange(600) // 3
    rows = rs.evaluate({"y": y, "m": scores, "who": who}, label="y", scores=["m"], cluster="who", measures=["auc"])
    assert "groups of rows" in trust_of(rows, "m", 0.95).text
    times = rs.evaluate(y, {"m": scores}, sample_weight=np.full(600, 2), weight_type="frequency", measures=["auc"])
    twice = rs.evaluate(np.repeat(y, 2), {"m": np.repeat(scores, 2)}, measures=["auc"])
    assert trust_of(times, "m", 0.95) == trust_of(twice, "m", 0.95)


def test_another_prevalence_shifts_what_is_right() -> None:
    scores = scores_of(6)
    y = drawn(scores, 7)
    check = check_of(y, scores, prevalence=0.05)
    mean = 0.05 * scores[y == 1].mean() + 0.95 * scores[y == 0].mean()
    assert check.answer == "no"
    assert check.text.startswith(
        f"at 5% positive probabilities would be {100 * mean:.1f}% on average, too high; on these rows"
    )
    assert check_of(y, scores, prevalence=float(y.mean())).text == check_of(y, scores).text
