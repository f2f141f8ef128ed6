"""How many bins a calibration curve has where nobody says: ten, or fewer of few rows."""

from __future__ import annotations

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case


def rows(number: int) -> tuple[np.ndarray, np.ndarray]:
    return np.arange(number) % 2, np.linspace(0.02, 0.98, number)


@each_case("strategy", ["quantile", "uniform"])
@each_case(("number", "bins"), [(4, 2), (12, 2), (50, 5), (99, 9), (100, 10), (1000, 10)])
def test_bins_hold_ten_rows_on_average(number: int, bins: int, strategy: str) -> None:
    curve = rs.calibration_curve(*rows(number), strategy=strategy)
    assert len(curve) == bins
    assert curve.count.sum() == number
    said = [str(remark) for remark in curve.warnings if remark.code == "fewer_bins"]
    assert said == (
        [] if bins == 10 else [f"{bins} bins in place of 10, which would hold fewer than 10 rows on average"]
    )


def test_a_number_that_was_asked_for_is_kept() -> None:
    curve = rs.calibration_curve(*rows(12), n_bins=10)
    assert len(curve) == 10
    assert "fewer_bins" not in [remark.code for remark in curve.warnings]


def test_isotonic_steps_are_no_bins() -> None:
    curve = rs.calibration_curve(*rows(12), strategy="isotonic")
    assert "fewer_bins" not in [remark.code for remark in curve.warnings]


def test_weights_that_count_rows_count() -> None:
    y, score = rows(12)
    often = rs.calibration_curve(y, score, sample_weight=np.full(12, 5), weight_type="frequency")
    again = rs.calibration_curve(y.repeat(5), score.repeat(5))
    assert often.predicted == pytest.approx(again.predicted)
    assert len(rs.calibration_curve(y, score, sample_weight=np.full(12, 50.0), weight_type="sampling")) == 2
