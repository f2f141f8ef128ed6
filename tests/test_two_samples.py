"""Independent samples: each with its own labels, weights and subjects."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsteady as rs


def sample_of(n: int, seed: int, shift: float = 1.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Subjects of three rows, two of them positive in every other subject."""
    rng = np.random.default_rng(seed)
    subject = np.repeat(np.arange(n), 3)
    y = (np.arange(3 * n) % 3 < 1 + subject % 2).astype(int)
    return y, np.round(shift * y + rng.normal(size=n)[subject] + rng.normal(size=3 * n), 1), subject


ONE, TWO = sample_of(12, 1), sample_of(20, 2)
SUBJECTS: dict[str, Any] = {"cluster": ONE[2], "cluster_second": TWO[2]}


def test_delong_with_subjects_adds_both_samples_variances() -> None:
    test = rs.compare_auc(ONE[0], ONE[1], TWO[1], paired=False, y_true_second=TWO[0], **SUBJECTS)
    parts = [rs.auc_interval(y, score, cluster=subject) for y, score, subject in (ONE, TWO)]
    assert test.estimate == pytest.approx(parts[0].estimate - parts[1].estimate, abs=1e-15)
    assert test.se == pytest.approx(np.hypot(parts[0].se, parts[1].se), rel=1e-12)


def test_weights_of_each_sample_are_its_own() -> None:
    weights = [np.arange(36) % 3 + 1, np.arange(60) % 4 + 1]
    columns: dict[str, Any] = {"sample_weight": weights[0], "sample_weight_second": weights[1]}
    columns["weight_type"] = "frequency"
    weighted = rs.compare_auc(ONE[0], ONE[1], TWO[1], paired=False, y_true_second=TWO[0], **columns)
    y1, s1, y2, s2 = (
        np.repeat(column, weight)
        for (label, score, _), weight in zip((ONE, TWO), weights, strict=True)
        for column in (label, score)
    )
    repeated = rs.compare_auc(y1, s1, s2, paired=False, y_true_second=y2)
    assert (weighted.estimate, weighted.se) == pytest.approx((repeated.estimate, repeated.se), rel=1e-12)
    assert weighted.df == pytest.approx(repeated.df, rel=1e-12)


@pytest.mark.parametrize("method", ["bootstrap", "permutation"])
@pytest.mark.parametrize("subjects", [{}, SUBJECTS], ids=["rows", "subjects"])
def test_scales_of_rank_measures_may_differ(method: Any, subjects: dict[str, Any]) -> None:
    options: dict[str, Any] = {"method": method, "n_resamples": 60, "random_state": 1, "y_true_second": TWO[0]}
    found = [
        rs.compare_measure("auc", ONE[0], ONE[1], second, paired=False, **options, **subjects)
        for second in (TWO[1], 100 + np.exp(TWO[1]))
    ]
    np.testing.assert_array_equal(found[0].resampling.distribution, found[1].resampling.distribution)
    assert found[0].pvalue == found[1].pvalue


def test_permuted_subjects_stay_whole() -> None:
    """Two subjects a sample leave few different arrangements; rows would have given many."""
    y = np.array([1, 1, 0, 1, 1, 0])
    first, second, subject = [6, 5, 3, 4, 2, 1], [3, 2, 4, 6, 1, 5], [0, 0, 0, 1, 1, 1]
    options: dict[str, Any] = {"paired": False, "method": "permutation", "n_resamples": 500, "random_state": 0}
    whole = rs.compare_auc(y, first, second, cluster=subject, **options)
    apart = rs.compare_auc(y, first, second, **options)
    n_whole, n_apart = (np.unique(np.round(each.resampling.distribution, 9)).size for each in (whole, apart))
    assert n_whole <= 6 < n_apart


def test_subjects_without_partner_are_told() -> None:
    alone: dict[str, Any] = {"cluster": ONE[2], "cluster_second": np.arange(60), "y_true_second": TWO[0]}
    found = rs.compare_auc(ONE[0], ONE[1], TWO[1], paired=False, method="permutation", n_resamples=20, **alone)
    assert any("72 of 72 subjects have no partner" in text for text in found.warnings)


@pytest.mark.parametrize("method", ["delong", "permutation"])
def test_columns_of_the_second_sample_come_together(method: Any) -> None:
    options: dict[str, Any] = {"paired": False, "y_true_second": TWO[0], "method": method}
    with pytest.raises(rs.ArgumentError, match="both cluster= and cluster_second="):
        rs.compare_auc(ONE[0], ONE[1], TWO[1], cluster=ONE[2], **options)
    with pytest.raises(rs.ArgumentError, match="both sample_weight= and sample_weight_second="):
        rs.compare_auc(ONE[0], ONE[1], TWO[1], sample_weight_second=np.ones(60), **options)


@pytest.mark.parametrize("name", ["y_true_second", "sample_weight_second", "cluster_second"])
def test_one_sample_has_no_second_columns(name: str) -> None:
    with pytest.raises(rs.ArgumentError, match=f"{name} is for paired=False"):
        rs.compare_auc(ONE[0], ONE[1], -ONE[1], **{name: ONE[0]})
