"""The smooth calibration curve: R's lowess to 1e-12, and laws."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady._src.probabilities.calibration.smooth import lowess
from test_r_agreement import COLUMNS, FIXTURES, LABELS

R_SMOOTH = json.loads((FIXTURES / "r_smooth.json").read_text())


@pytest.mark.parametrize("name", ["continuous", "rounded", "rival"])
def test_val_prob(name: str) -> None:
    found, theirs = rs.smooth_calibration_error(LABELS, COLUMNS[name]), R_SMOOTH[name]
    ours = (found.mean, found.p90, found.largest)
    assert ours == pytest.approx((theirs["Eavg"], theirs["E90"], theirs["Emax"]), abs=1e-12)


def test_order_and_repeats() -> None:
    p, order = COLUMNS["rounded"], np.random.default_rng(1).permutation(300)
    plain = rs.smooth_calibration_error(LABELS, p).to_dict()
    assert rs.smooth_calibration_error(LABELS[order], p[order]).to_dict() == plain
    weights = 1 + np.arange(300) % 3
    weighted = rs.smooth_calibration_error(LABELS, p, sample_weight=weights)
    assert weighted.mean == rs.smooth_calibration_error(LABELS.repeat(weights), p.repeat(weights)).mean


def test_a_line_stays_a_line() -> None:
    x = np.linspace(0, 1, 400) ** 2
    assert lowess(x, 3 * x - 1) == pytest.approx(3 * x - 1, abs=1e-12)
    assert lowess(np.full(9, 0.3), np.arange(9.0)) == pytest.approx(4.0)


@pytest.mark.parametrize(("scores", "weights"), [([0.1, 1.2], None), ([0.1, 0.2], [0.5, 1.5])])
def test_refusals(scores: Any, weights: Any) -> None:
    with pytest.raises(rs.InputError):
        rs.smooth_calibration_error([0, 1], scores, sample_weight=weights)
