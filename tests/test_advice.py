"""Intervals warn where their measured coverage, docs/coverage.md, is below 92%, and name what is better."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.inputs.weights import ASSUMED


def data(n_pos: int, n_neg: int, gap: float) -> tuple[np.ndarray, np.ndarray]:
    """Normal quantiles: an AUC close to Phi(gap / sqrt 2) without chance."""
    from scipy.special import ndtri

    parts = [ndtri((np.arange(n) + 0.5) / n) for n in (n_pos, n_neg)]
    return np.repeat([1, 0], [n_pos, n_neg]), np.concatenate([parts[0] + gap, parts[1] + 1e-6])


@each_case(
    ("n_pos", "n_neg", "gap", "warned"),
    [
        (500, 500, 2.6, ()),
        (100, 100, 1.8, ()),
        (50, 950, 0.7, ()),
        (100, 100, 2.6, ("delong",)),
        (10, 40, 1.8, ("delong",)),
        (10, 10, 0.7, ("delong", "hanley-mcneil")),
        (10, 190, 1.8, ("delong", "logit")),
        (25, 25, 1.8, ("delong", "hanley-mcneil")),
        (2, 48, 0.1, ("delong", "logit", "hanley-mcneil")),
    ],
)
def test_only_methods_that_were_measured_too_short_warn(
    n_pos: int, n_neg: int, gap: float, warned: tuple[str, ...]
) -> None:
    y, s = data(n_pos, n_neg, gap)
    methods = ("delong", "logit", "hanley-mcneil", "newcombe")
    found = {method: rs.auc_interval(y, s, method=method).warnings for method in methods}
    assert tuple(method for method in methods if found[method]) == warned
    assert all(found[method][0].endswith("use rs.auc_interval(method='auto')") for method in warned)
    assert not rs.auc_interval(y, s).warnings


def test_partial_areas_too_are_sent_to_the_default() -> None:
    for n in (25, 5):
        y, s = data(n, n, 1.0)
        (text,) = rs.auc_interval(y, s, fpr_range=(0, 0.2), method="delong").warnings
        assert text.endswith("use rs.auc_interval(method='auto')")
    y, s = data(200, 200, 1.0)
    assert not rs.auc_interval(y, s, fpr_range=(0, 0.2), method="delong").warnings


@each_case(
    ("n_pos", "n_neg", "area", "inside"),
    [
        (200, 20, {"fpr_range": (0, 0.1)}, "2"),
        (200, 100, {"fpr_range": (0, 0.05)}, "5"),
        (200, 60, {"fpr_range": (0, 0.1)}, None),
        (20, 200, {"tpr_range": (0.8, 1)}, "4"),
        (200, 20, {"tpr_range": (0.8, 1)}, None),
        (200, 20, {}, None),
    ],
)
def test_partial_areas_on_few_rows_inside_their_range_say_so(
    n_pos: int, n_neg: int, area: dict[str, Any], inside: str | None
) -> None:
    y, s = data(n_pos, n_neg, 1.5)
    found = [text for text in rs.auc_interval(y, s, **area).warnings if "inside the range" in text]
    assert [text.split(" rows")[0] for text in found] == ([] if inside is None else [inside])
    if inside == "2":
        table = {"y": y, "s": s}
        judged = rs.evaluate(table, label="y", scores="s", measures=["partial_auc"], intervals=True)
        assert judged.intervals["s"]["partial_auc"].warnings == tuple(found)


@pytest.mark.parametrize("kind", ["percentile", "basic", "bca"])
def test_resampled_areas_are_sent_to_the_default(kind: Any) -> None:
    y, s = data(5, 20, 1.0)
    (text,) = (
        text for text in rs.bootstrap_interval("auc", y, s, method=kind, n_resamples=1000).warnings if "use rs" in text
    )
    assert text.endswith("use rs.auc_interval(method='auto')")


@pytest.mark.parametrize("area", [{}, {"fpr_range": (0, 0.2)}])
def test_no_width_is_no_certainty(area: dict[str, tuple[float, float]]) -> None:
    y, s = [1, 1, 0, 0], [4, 3, 2, 1]
    (text,) = rs.auc_interval(y, s, method="delong", **area).warnings
    assert text.endswith("use rs.auc_interval(method='auto')")
    assert rs.auc_interval(y, s, **area).low < rs.auc_interval(y, s, **area).high


def test_weights_count_by_how_many_equal_rows_they_are_worth() -> None:
    y, s = data(200, 200, 1.0)
    uneven = np.where(np.arange(400) % 20 == 0, 1.0, 1e-3)
    for scale in (0.001, 1000.5):
        assert len(rs.auc_interval(y, s, method="delong", sample_weight=np.full(400, scale)).warnings) == 1
        remarks = rs.auc_interval(y, s, method="delong", sample_weight=scale * uneven).warnings
        assert remarks[0] == ASSUMED
        assert remarks[1].startswith("10 rows")
    tied = rs.auc_interval(y, np.round(s), method="delong", sample_weight=np.full(400, 0.5))
    assert len(tied.warnings) == 1


def test_resampling_says_where_it_was_measured_too_short() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(100) < 50
    close, clear = rng.normal(size=100) + 0.5 * y, rng.normal(size=100) + 3.0 * y
    how: dict[str, Any] = {"n_resamples": 1000, "random_state": 1}
    for make, better in (
        (lambda scores: rs.jackknife_interval("auc", y, scores), "rs.auc_interval"),
        (
            lambda scores: rs.bootstrap_interval("average_precision", y, scores, method="percentile", **how),
            "rs.bootstrap_interval(method='student')",
        ),
        (lambda scores: rs.bootstrap_interval("auc", y, scores, method="basic", **how), "rs.auc_interval"),
        (
            lambda scores: rs.bootstrap_interval(rs.auc.sheet.formula, y, scores, **how),
            "more rows of the smaller class",
        ),
    ):
        assert not make(close).warnings
        (warning,) = make(clear).warnings
        assert "fewer than 92%" in warning
        assert better in warning
        assert "only more rows" not in warning
    (few,) = rs.jackknife_interval("auc", y[40:60], close[40:60]).warnings
    assert "only 10 units" in few


def test_a_threshold_chosen_from_few_rows_is_called_unstable() -> None:
    rng = np.random.default_rng(1)
    for n, expected in ((60, 1), (300, 0)):
        y = np.arange(n) % 2
        found = rs.threshold_interval(y, rng.normal(size=n) + y, n_resamples=200, random_state=1)
        assert sum("rs.inference.measure_interval" in text for text in found["threshold"].warnings) == expected
