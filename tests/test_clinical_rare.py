"""Comparisons of probabilities say where a class is so rare that their intervals were measured to fall short."""

from __future__ import annotations

import numpy as np

import rocsteady as rs
from cases import each_case

CASES = [(10, 200, True), (190, 200, True), (3, 50, True), (10, 50, False), (20, 400, False)]


@each_case(("n_pos", "n", "told"), CASES)
def test_differences_of_a_rare_class_carry_a_remark(n_pos: int, n: int, told: bool) -> None:
    rng = np.random.default_rng(n_pos)
    y, first, second = (np.arange(n) < n_pos).astype(int), rng.random(n), rng.random(n)
    found = rs.inference.compare_brier(y, first, second)
    assert ("rare_class" in [each.code for each in found.warnings]) is told
    of_benefit = rs.calibration.compare_net_benefit(
        y, first, second, threshold=0.3
    )  # its limits hold, and count events
    assert ("few_events_decided" in [each.code for each in of_benefit.warnings]) is (n_pos < 10)
    assert rs.inference.compare_brier(y, first, first).pvalue == 1
