"""Calibration curves, decompositions and Brier scores against definitions, R, scikit-learn and laws."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from sklearn import calibration as sk_calibration
from sklearn.isotonic import IsotonicRegression

import rocsteady as rs
from calibration_kit import DATA, NAMES, R_REFERENCE, Y, calibrated, fractions, unit_tables
from cases import each_case
from rocsteady._src.inference.intervals.proportions import proportion_bounds
from rocsteady._src.measures.probability import (
    brier_score,
)
from rocsteady._src.probabilities.calibration.blocks import isotonic_starts
from rocsteady._src.probabilities.calibration.brier import brier_interval, compare_brier
from rocsteady._src.probabilities.calibration.curve import calibration_curve
from rocsteady._src.probabilities.calibration.decomposition import brier_decomposition, log_loss_decomposition
from strategies import ScoreTable


class TestCurve:
    @each_case("strategy", ["quantile", "uniform"])
    @each_case("digits", [1, 2, 16])
    def test_scikit_learn(self, strategy: Any, digits: int) -> None:
        y, p = calibrated(digits=digits)
        ours = calibration_curve(y, p, strategy=strategy)
        observed, predicted = sk_calibration.calibration_curve(y, p, n_bins=10, strategy=strategy)
        assert ours.observed == pytest.approx(observed, abs=1e-14)
        assert ours.predicted == pytest.approx(predicted, abs=1e-14)

    def test_limits_are_wilsons(self) -> None:
        y, p = calibrated()
        curve = calibration_curve(y, p, level=0.9)
        one = rs.proportion_interval(round(float(curve.observed[3] * curve.count[3])), curve.count[3], level=0.9)
        assert (curve.low[3], curve.high[3]) == pytest.approx((one.low, one.high), abs=1e-14)
        assert curve.count.sum() == y.size == sum(curve.histogram)

    @pytest.mark.parametrize("strategy", ["quantile", "uniform", "isotonic"])
    def test_order_weights_and_ties(self, strategy: Any) -> None:
        y, p = calibrated(digits=1)
        weights = 1 + np.arange(y.size) % 3
        limits = "bootstrap" if strategy == "isotonic" else "wilson"
        options: dict[str, Any] = {"strategy": strategy, "limits": limits, "random_state": 1, "n_resamples": 60}
        weighted = calibration_curve(y, p, sample_weight=weights, weight_type="frequency", **options)
        order = np.random.default_rng(1).permutation(int(weights.sum()))
        repeated = calibration_curve(y.repeat(weights)[order], p.repeat(weights)[order], **options)
        for name in ("predicted", "observed", "low", "high", "count", "bin_low", "bin_high"):
            assert np.array_equal(getattr(weighted, name), getattr(repeated, name)), name
        assert (weighted.bin_low[1:] > weighted.bin_high[:-1]).all()

    @given(unit_tables)
    def test_isotonic_steps_are_those_of_pooling(self, table: ScoreTable) -> None:
        curve = calibration_curve(*table[:2], sample_weight=table.sample_weight, strategy="isotonic")
        rows = [(s, y, w) for y, s, w in fractions(table)]
        blocks: list[list[Fraction]] = []
        for score in sorted({s for s, _, _ in rows}):
            here = [(y, w) for s, y, w in rows if s == score]
            blocks.append([sum((y * w for y, w in here), Fraction(0)), sum((w for _, w in here), Fraction(0))])
            while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] >= blocks[-1][0] * blocks[-2][1]:
                hits, among = blocks.pop()
                blocks[-1] = [blocks[-1][0] + hits, blocks[-1][1] + among]
        assert curve.observed.tolist() == [float(hits / among) for hits, among in blocks]

    def test_isotonic_limits(self) -> None:
        y, p = calibrated(800)
        curve = calibration_curve(y, p, strategy="isotonic")
        low, high = proportion_bounds(np.rint(curve.observed * curve.count), curve.count)
        assert (curve.low.tolist(), curve.high.tolist()) == (low.tolist(), high.tolist())
        assert np.mean((curve.low <= curve.predicted) & (curve.predicted <= curve.high)) > 0.9
        options: dict[str, Any] = {"strategy": "isotonic", "limits": "bootstrap", "n_resamples": 200}
        drawn = calibration_curve(y, p, random_state=3, **options)
        again = calibration_curve(y, p, random_state=3, n_jobs=1, **options)
        assert np.array_equal(drawn.low, again.low)
        assert (drawn.low <= drawn.high).all()
        assert (drawn.seed, drawn.n_resamples, curve.seed) == (3, 200, None)
        assert "too short" in drawn.warnings[1]

    def test_resampled_isotonic_curve_equals_scikit_learn(self) -> None:
        rng = np.random.default_rng(5)
        pos, neg = rng.integers(0, 3, 60), rng.integers(0, 3, 60)
        pos[:2] = neg[:2] = pos[-1] = neg[-1] = 0
        starts = isotonic_starts(pos, neg)
        hits, among = np.add.reduceat(pos, starts), np.add.reduceat(pos + neg, starts)
        ours = np.repeat(hits / among, np.diff(starts, append=60))
        there = np.flatnonzero(pos + neg)
        share, weight = (pos / np.maximum(pos + neg, 1))[there], (pos + neg)[there]
        fitted = IsotonicRegression().fit(there, share, sample_weight=weight).predict(there)
        assert ours[there] == pytest.approx(fitted, abs=1e-12)

    def test_weights_that_count_nothing_have_no_limits(self) -> None:
        y, p = calibrated(50)
        for strategy in ("quantile", "isotonic"):
            curve = calibration_curve(rs.rank(y, p, sample_weight=np.full(50, 0.02)), strategy=strategy)
            assert np.isnan(curve.low).all()
            assert "no limits" in curve.warnings[0]
            assert curve.observed == pytest.approx(calibration_curve(y, p, strategy=strategy).observed)

    def test_refusals_and_frame(self) -> None:
        y, p = calibrated(50)
        for options, code in (
            ({"n_bins": 0}, "n_bins"),
            ({"strategy": "deciles"}, "strategy"),
            ({"level": 2}, "level"),
        ):
            with pytest.raises(rs.ArgumentError) as refused:
                calibration_curve(y, p, **options)
            assert refused.value.code == code
        with pytest.raises(rs.InputError, match="no rows"):
            calibration_curve([], [])
        assert list(calibration_curve(y, p).to_frame("pandas").columns)[:3] == ["predicted", "observed", "low"]


class TestDecomposition:
    @given(unit_tables)
    def test_identities(self, table: ScoreTable) -> None:
        ranked = rs.rank(*table[:2], sample_weight=table.sample_weight)
        for found in (
            brier_decomposition(ranked),
            brier_decomposition(ranked, method="bins", n_bins=3),
            brier_decomposition(ranked, method="bins", strategy="uniform"),
        ):
            parts = found.miscalibration - found.discrimination + found.uncertainty + found.within_bins
            assert parts == pytest.approx(brier_score(ranked), abs=1e-14)
            assert min(found.miscalibration, found.discrimination, found.uncertainty) >= 0
        logs = log_loss_decomposition(ranked)
        if math.isfinite(logs.score):
            assert logs.score == pytest.approx(logs.miscalibration - logs.discrimination + logs.uncertainty, abs=1e-12)

    @given(unit_tables)
    def test_recalibrated_scores_are_calibrated(self, table: ScoreTable) -> None:
        ranked = rs.rank(*table[:2], sample_weight=table.sample_weight)
        curve = calibration_curve(ranked, strategy="isotonic")
        place = np.searchsorted(curve.bin_high, table.y_score.astype(float)).clip(max=len(curve) - 1)
        again = brier_decomposition(table.y_true, curve.observed[place], sample_weight=table.sample_weight)
        assert again.miscalibration == pytest.approx(0, abs=1e-15)
        assert again.discrimination == pytest.approx(brier_decomposition(ranked).discrimination, abs=1e-14)

    @pytest.mark.parametrize("name", [name for name in NAMES if R_REFERENCE[name]["isotonic"]])
    def test_isoreg_of_r(self, name: str) -> None:
        theirs = R_REFERENCE[name]["isotonic"]
        found = brier_decomposition(Y, DATA[name])
        assert found.miscalibration == pytest.approx(theirs["miscalibration"], abs=1e-12)
        assert found.discrimination == pytest.approx(theirs["discrimination"], abs=1e-12)
        steps = calibration_curve(Y, DATA[name], strategy="isotonic").observed
        assert steps == pytest.approx(np.unique(np.round(theirs["steps"], 13)), abs=1e-12)

    def test_order_alone_sets_discrimination(self) -> None:
        y, p = calibrated()
        found, warped = brier_decomposition(y, p), brier_decomposition(y, p**3)
        assert found.discrimination == pytest.approx(warped.discrimination, abs=1e-15)
        assert warped.miscalibration > found.miscalibration
        assert (found.reliability, found.resolution) == (found.miscalibration, found.discrimination)


class TestBrier:
    def test_errors_of_r(self) -> None:
        theirs = R_REFERENCE["brier"]
        assert brier_interval(Y, DATA["continuous"]).se == pytest.approx(theirs["se"], abs=1e-14)
        test = compare_brier(Y, DATA["continuous"], DATA["rival"])
        assert (test.estimate, test.se) == pytest.approx((theirs["difference"], theirs["se_difference"]), abs=1e-14)

    def test_rows_weights_and_subjects(self) -> None:
        y, p = calibrated(digits=1)
        plain = brier_interval(y, p)
        weights = 1 + np.arange(y.size) % 3
        repeated = brier_interval(y.repeat(weights), p.repeat(weights))
        weighted = brier_interval(y, p, sample_weight=weights, weight_type="frequency")
        assert (weighted.estimate, weighted.se) == pytest.approx((repeated.estimate, repeated.se), rel=1e-12)
        assert brier_interval(rs.rank(y, p)).se == plain.se
        twice = brier_interval(y.repeat(2), p.repeat(2), cluster=np.arange(y.size).repeat(2))
        assert twice.se == pytest.approx(plain.se, rel=1e-12)
        thirds = brier_interval(y, p, sample_weight=np.full(y.size, 1 / 3))
        assert (thirds.estimate, thirds.se) == pytest.approx((plain.estimate, plain.se), rel=1e-12)

    def test_paired_laws(self) -> None:
        y, p = calibrated()
        other = np.clip(p + np.random.default_rng(1).normal(size=p.size) / 10, 0, 1)
        one, two = compare_brier(y, p, other), compare_brier(y, other, p)
        assert (one.estimate, one.statistic, one.pvalue) == pytest.approx((-two.estimate, -two.statistic, two.pvalue))
        assert one.estimate == pytest.approx(brier_score(y, p) - brier_score(y, other), abs=1e-15)
        same = compare_brier(y, p, p)
        assert (same.estimate, same.pvalue, same.low, same.high) == (0, 1, 0, 0)
        assert "0 in every row" in same.warnings[0]
        clustered = compare_brier(
            y.repeat(2), p.repeat(2), other.repeat(2), cluster=np.arange(y.size).repeat(2), alternative="less"
        )
        assert clustered.se == pytest.approx(one.se, rel=1e-12)
        sides = compare_brier(y, p, other, alternative="non-inferiority", margin=0.01)
        assert sides.statistic == pytest.approx((one.estimate + 0.01) / one.se, rel=1e-12)

    def test_subjects_vary_as_the_sum_of_their_rows(self) -> None:
        y, p = calibrated(90)
        subject = np.random.default_rng(1).permutation(90) ** 2 % 23
        n = np.unique(subject).size
        errors = (y - p) ** 2 - np.mean((y - p) ** 2)
        sums = np.array([errors[subject == s].sum() for s in np.unique(subject)])
        found = brier_interval(y, p, cluster=subject)
        assert found.se == pytest.approx(math.sqrt(n / (n - 1) * (sums**2).sum()) / 90, rel=1e-12)

    def test_refusals(self) -> None:
        y, p = calibrated(50)
        with pytest.raises(rs.InputError, match="groups do not know"):
            brier_interval(rs.rank(y, p), cluster=np.arange(50))
        with pytest.raises(rs.InputError, match="needs probabilities"):
            compare_brier(y, p, p + 1)
        with pytest.raises(rs.InputError, match="no rows"):
            compare_brier([], [], [])


def test_picture_shows_bins_and_limits() -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    y, p = calibrated()
    shown = calibration_curve(y, p).plot(name="a$b")
    assert shown.line_.get_xdata().size == 10
    second = calibration_curve(y, p, strategy="isotonic").plot(shown.ax_)
    assert second.diagonal_ is None
    assert second.line_.get_color() != shown.line_.get_color()
    shown.figure_.canvas.draw()
    pyplot.close(shown.figure_)
