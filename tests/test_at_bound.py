"""A measure of the ranking that is 1 in every resample has an interval of positive width, through that of the AUC."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtr, ndtri

import rocsteady as rs
from cases import each_case
from rocsteady._src.inference.intervals.at_bound import alike_curve

Y, SCORE = np.repeat([1, 0], [10, 40]), np.arange(50.0, 0.0, -1.0) / 51
AT_ONE = ("average_precision", "pr_auc", "ks_statistic", "h_measure", "auch", "r_precision")


def codes(interval: Any) -> list[str]:
    return [remark.code for remark in interval.warnings]


@each_case("name", [*AT_ONE, "sensitivity_at", "specificity_at"])
def test_no_measure_at_its_bound_is_certain(name: str) -> None:
    table = {"y": Y, "a": SCORE}
    shown = rs.evaluate(table, label="y", scores="a", measures=[name], intervals=True, n_resamples=50).intervals["a"]
    alone = rs.bootstrap_interval(name, Y, SCORE, n_resamples=50, random_state=0)
    for interval in (shown[name], alone):
        assert 0 < interval.low < interval.high == interval.estimate == 1
        assert "at_bound" in codes(interval)
        assert "resamples_agree" not in codes(interval)
    assert shown[name].low == alone.low


def test_the_end_is_the_value_where_the_auc_is_its_low_end() -> None:
    low = rs.auc_interval(Y, SCORE).low
    gap = np.sqrt(2) * ndtri(low)
    found = {name: rs.bootstrap_interval(name, Y, SCORE, n_resamples=50).low for name in AT_ONE}
    precision = quad(lambda r: 10 * r / (10 * r + 40 * ndtr(ndtri(r) - gap)), 0, 1)[0]
    assert found["average_precision"] == pytest.approx(precision, abs=1e-3)
    assert found["ks_statistic"] == pytest.approx(2 * ndtr(gap / 2) - 1, abs=1e-5)
    assert found["auch"] == pytest.approx(low, abs=1e-5)


def test_more_rows_narrow_it_and_fewer_subjects_widen_it() -> None:
    few = rs.bootstrap_interval("average_precision", Y, SCORE, n_resamples=50)
    many = rs.bootstrap_interval("average_precision", np.repeat(Y, 20), np.repeat(SCORE, 20), n_resamples=50)
    patients = np.repeat(np.arange(25), 2)
    subjects = rs.bootstrap_interval("average_precision", Y, SCORE, cluster=patients, n_resamples=50)
    assert subjects.low < few.low < many.low < 1


def test_a_method_that_was_asked_for_is_what_it_is() -> None:
    interval = rs.bootstrap_interval("average_precision", Y, SCORE, method="percentile", n_resamples=50)
    assert (interval.low, interval.high) == (1, 1)
    assert "resamples_agree" in codes(interval)


def test_values_elsewhere_are_untouched() -> None:
    scores = SCORE.copy()
    scores[9], scores[10] = scores[10], scores[9]
    interval = rs.bootstrap_interval("average_precision", Y, scores, n_resamples=50, random_state=0)
    assert interval.estimate < 1
    assert "at_bound" not in codes(interval)


@pytest.mark.parametrize("area", [0.3, 0.5, 0.9, 0.9999])
def test_the_curve_has_its_area_and_rows(area: float) -> None:
    curve = alike_curve(area, 10, 90)
    assert float(rs.auc(curve)) == pytest.approx(area, abs=1e-6)
    assert (curve.n_pos, curve.n_neg) == pytest.approx((10, 90))
