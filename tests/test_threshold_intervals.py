"""Intervals of a chosen threshold: infinite ones are values, and undefined rates spoil no others."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import rocsteady as rs


def rare(n_pos: int = 3) -> tuple[Any, Any]:
    """By equal costs the best threshold often calls nobody positive."""
    scores = [*range(30), 5, 29.5, 10][: 30 + n_pos]
    return [0] * 30 + [1] * n_pos, [float(score) for score in scores]


def faint(gap: float = 0.8) -> tuple[Any, Any]:
    rng = np.random.default_rng(5)
    y = np.repeat([1, 0], [10, 60])
    return y, rng.normal(size=70) + gap * y


def test_only_the_precision_is_lost_where_it_is_undefined() -> None:
    found = rs.threshold_interval(*rare(), rule="cost", random_state=1, n_resamples=300)
    lost = found["precision"]
    drawn = lost.resampling.distribution
    n_lost = int(np.isnan(drawn).sum())
    assert n_lost > 30
    assert math.isnan(lost.low)
    assert lost.warnings[0].startswith(f"undefined in {n_lost} of 300 resamples")
    assert lost.resampling.n_failed == n_lost
    for name in ("tpr", "fpr", "accuracy"):
        kept = found[name]
        assert (kept.low, kept.high) == pytest.approx(np.nanquantile(kept.resampling.distribution, [0.025, 0.975]))
        assert kept.se == pytest.approx(np.nanstd(kept.resampling.distribution, ddof=1))


def test_infinite_thresholds_are_the_highest() -> None:
    found = rs.threshold_interval(*faint(), rule="cost", random_state=1, n_resamples=400)["threshold"]
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
        found = rs.threshold_interval(*faint(), rule="cost", level=level, random_state=1, n_resamples=200)["threshold"]
        drawn = found.resampling.distribution
        assert np.mean(drawn < found.low) <= (1 - level) / 2 + 1e-12
        assert np.mean(drawn > found.high) <= (1 - level) / 2 + 1e-12


def test_few_undefined_are_left_out() -> None:
    found = rs.threshold_interval(*faint(1.2), rule="cost", random_state=1, n_resamples=400)["precision"]
    drawn = found.resampling.distribution
    assert 0 < np.isnan(drawn).sum() < 40
    assert (found.low, found.high) == pytest.approx(np.nanquantile(drawn, [0.025, 0.975]))
