"""Intervals near the bounds of a measure: no wider than what is known, of width where something can be wrong."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.inference.intervals.replicate_ends import moved
from rocsteady._src.inference.units.row_formulas import ROW_FORMULAS
from rocsteady._src.measures.registry import list_measures

UNIT, POSITIVE, BELOW_ONE = (0.0, 1.0), (0.0, math.inf), (-math.inf, 1.0)
CENTRES = (1e-300, 1e-9, 1e-4, 0.002, 0.03, 0.2, 0.5, 0.77, 0.99, 1 - 1e-9)
REACHES = (1e-9, 1e-3, 0.01, 0.05, 0.3, 0.9)
ON_A_SCALE = [sheet.name for sheet in list_measures() if sheet.ends != "percentile"]
ON_A_SCALE += [name for name, formula in ROW_FORMULAS.items() if formula.scale != "skewed" and name not in ON_A_SCALE]


class TestMoved:
    @each_case("bounds", [UNIT, POSITIVE, BELOW_ONE])
    @each_case("centre", CENTRES)
    def test_ends_lie_on_their_side_no_farther_than_a_few_times_the_reach(self, bounds: Any, centre: float) -> None:
        for reach in REACHES:
            low, high = moved(centre, -reach, bounds), moved(centre, reach, bounds)
            assert low < centre + 1e-15
            assert high > centre - 1e-15
            assert high - centre <= (math.e**2 - 1) / 2 * reach + 1e-15
            assert centre - low <= (math.e**2 - 1) / 2 * reach + 1e-15

    @pytest.mark.parametrize("bounds", [UNIT, POSITIVE, BELOW_ONE])
    def test_a_longer_reach_goes_farther_without_jumps(self, bounds: Any) -> None:
        for centre in CENTRES:
            ends = np.array([moved(centre, reach, bounds) for reach in np.linspace(-1, 1, 2001)])
            assert (np.diff(ends) > -1e-15).all()
            assert np.diff(ends).max() < 8e-3

    @pytest.mark.parametrize("bounds", [UNIT, POSITIVE, BELOW_ONE])
    def test_ends_follow_the_estimate_without_jumps_up_to_the_bounds_and_past_them(self, bounds: Any) -> None:
        for reach in (-0.3, -0.04, 0.04, 0.3):
            ends = [moved(centre, reach, bounds) for centre in np.linspace(-0.1, 1.1, 12001)]
            assert np.abs(np.diff(ends)).max() < 8e-4

    def test_a_short_reach_is_one_on_the_log_odds(self) -> None:
        odds = math.log(0.2 / 0.8) + 0.1 / 0.16
        assert moved(0.2, 0.1, UNIT) == pytest.approx(1 / (1 + math.exp(-odds)), rel=1e-14)
        assert moved(0.2, 0.1, POSITIVE) == pytest.approx(0.2 * math.exp(0.5), rel=1e-14)

    @pytest.mark.parametrize(("bounds", "mirrored"), [(UNIT, UNIT), (POSITIVE, BELOW_ONE)])
    def test_both_bounds_are_alike(self, bounds: Any, mirrored: Any) -> None:
        for centre in (0.001, 0.1, 0.4):
            for reach in REACHES:
                other = moved(1 - centre, -reach, mirrored)
                assert 1 - moved(centre, reach, bounds) == pytest.approx(other, abs=1e-12)


def coin(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return np.arange(120) % 3 == 0, rng.uniform(0.25, 0.42, 120)


def one_error() -> tuple[np.ndarray, np.ndarray]:
    y, scores = np.arange(120) < 40, np.linspace(0.999, 0.001, 120)
    scores[[39, 60]] = scores[[60, 39]]
    return y, scores


def made(name: str, y: np.ndarray, scores: np.ndarray) -> rs.Interval:
    table = {"y": y.astype(int), "s": scores}
    found = rs.evaluate(table, label="y", scores="s", measures=[name], intervals=True, n_resamples=60)
    return found.intervals["s"][name]


@each_case("name", ON_A_SCALE)
@each_case("rows", [*(coin(seed) for seed in range(2)), one_error()], ids=[*"01", "one error"])
def test_intervals_near_a_bound_are_as_wide_as_what_is_known(name: str, rows: Any) -> None:
    found, sheet = made(name, *rows), rs.get_measure(name).sheet
    assert sheet.bounds[0] <= found.low <= found.high <= sheet.bounds[1]
    assert found.low <= found.estimate <= found.high or "leaves out the estimate" in " ".join(found.warnings)
    assert found.low < found.high
    bias = 0.0
    if sheet.ends.startswith("corrected") and found.resampling is not None:
        bias = abs(float(np.nanmean(found.resampling.distribution)) - found.estimate)
    if found.se == 0 and any(remark.code == "at_bound" for remark in found.warnings):
        return  # a part of the curve without an error: all resamples agree, and the end comes from the AUC
    reach = quantile_of(0.95, df=39) * found.se
    assert found.high - found.low <= 6.4 * reach + 2.42 * bias
    assert found.high - found.low >= 0.5 * min(reach, 0.05)


@pytest.mark.parametrize("name", ["h_measure", "ks_statistic"])
def test_a_coin_is_not_thought_perfect(name: str) -> None:
    """The log-odds scale made [0.0000, 0.9995] of an H-measure of 0.0022."""
    found = [made(name, *coin(seed)) for seed in range(6)]
    assert max(each.high for each in found) < 0.5
    assert sum(each.low == 0 for each in found) >= 5
