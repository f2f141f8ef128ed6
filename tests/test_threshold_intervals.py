"""Intervals of a chosen threshold: infinite ones are values, and undefined rates spoil no others."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from measured_kit import measured


def rare(n_pos: int = 3) -> tuple[Any, Any]:
    """By equal costs the best threshold often calls nobody positive."""
    scores = [*range(30), 5, 29.5, 10][: 30 + n_pos]
    return [0] * 30 + [1] * n_pos, [float(score) for score in scores]


def faint(gap: float = 0.8) -> tuple[Any, Any]:
    rng = np.random.default_rng(5)
    y = np.repeat([1, 0], [10, 60])
    return y, rng.normal(size=70) + gap * y


def test_only_the_precision_is_as_if_given_where_it_is_undefined() -> None:
    found = rs.inference.threshold_interval(*rare(), rule="cost", random_state=1, n_resamples=300)
    lost = found["precision"]
    assert lost.resampling is None
    assert [*lost] == pytest.approx([*rs.proportion_interval(1, 1)])
    assert "threshold_as_given" in [remark.code for remark in lost.warnings]
    for name in ("tpr", "fpr", "accuracy"):
        kept = found[name]
        assert kept.method.endswith("less optimism of the chosen threshold")
        assert kept.low < kept.high


def test_infinite_thresholds_are_the_highest() -> None:
    found = rs.inference.threshold_interval(*faint(), rule="cost", random_state=1, n_resamples=400)["threshold"]
    drawn = sorted(found.resampling.distribution.tolist())
    n_endless = sum(math.isinf(value) for value in drawn)
    assert 0.025 * 400 < n_endless < 0.5 * 400
    assert found.high == math.inf
    assert found.low == drawn[math.floor(0.025 * 399)]
    assert math.isnan(found.se)
    assert found.warnings[0] == (
        f"infinite, so that nothing is called positive, in {n_endless} of 400 resamples: no se"
    )
    assert found.resampling.n_failed == 0


def test_every_end_is_a_quantile_of_the_replicates() -> None:
    for level in (0.5, 0.8, 0.95):
        found = rs.inference.threshold_interval(*faint(), rule="cost", level=level, random_state=1, n_resamples=200)[
            "threshold"
        ]
        drawn = found.resampling.distribution
        assert np.mean(drawn < found.low) <= (1 - level) / 2 + 1e-12
        assert np.mean(drawn > found.high) <= (1 - level) / 2 + 1e-12


def test_few_undefined_are_left_out() -> None:
    found = rs.inference.threshold_interval(*faint(1.2), rule="cost", random_state=1, n_resamples=400)["precision"]
    drawn = found.resampling.distribution
    assert 0 < np.isnan(drawn).sum() == found.resampling.n_failed < 40
    assert found.low < found.high


@pytest.mark.parametrize("rule", ["youden", "recall(value=0.9)", "f1"])
@pytest.mark.parametrize("clustered", [False, True])
def test_rates_are_those_of_an_evaluation(rule: str, clustered: bool) -> None:
    rng = np.random.default_rng(2)
    y = (rng.random(240) < 0.3).astype(int)
    score = rng.normal(size=240) + 1.5 * y
    how: dict[str, Any] = {"n_resamples": 120, "random_state": 4}
    how |= {"cluster": np.arange(240) // 2} if clustered else {}
    rates = {"tpr": "recall", "fpr": "false_positive_rate", "precision": "precision", "accuracy": "accuracy"}
    found = rs.inference.threshold_interval(y, score, rule=rule, **how)
    known = rs.evaluate(y, score, threshold=rule, measures=list(rates.values()), intervals=True, **how)
    for name, measure in rates.items():
        assert found[name].to_dict() == known.intervals["score"][measure].to_dict()


def test_the_recall_that_a_rule_holds_is_not_taken_for_that_of_new_rows() -> None:
    """Percentiles of resamples that all hold 0.9 said [0.900, 0.909], which held the population's in 31%."""
    rng = np.random.default_rng(7)
    held = []
    for _ in range(60):
        y = (rng.random(300) < 0.3).astype(int)
        score = rng.normal(size=300) + 1.5 * y
        found = rs.inference.threshold_interval(y, score, rule="recall(value=0.9)", random_state=1, n_resamples=60)
        truth = 1 - NormalDist(1.5).cdf(found["threshold"].estimate)
        held.append(found["tpr"].low <= truth <= found["tpr"].high)
    assert np.mean(held) >= 0.88


def test_measured_coverage_holds_or_is_remarked() -> None:
    lines = measured("threshold_rates")
    assert {line["rule"] for line in lines} >= {"youden", "recall(value=0.9)", "f1"}
    assert all(float(line["coverage"]) >= 0.93 or line["remark"] == "short_when_chosen" for line in lines)
