"""Fits and tests of calibration against R, high precision and their size on calibrated rows."""

from __future__ import annotations

import inspect
import json
import math
from typing import Any

import mpmath
import numpy as np
import pytest

import rocsteady as rs
from calibration_kit import DATA, NAMES, R_REFERENCE, WEIGHT, Y, calibrated
from cases import each_case
from rocsteady._src.measures.probability import (
    brier_score,
    expected_calibration_error,
)
from rocsteady._src.probabilities.calibration.goodness import hosmer_lemeshow, spiegelhalter_test
from rocsteady._src.probabilities.calibration.logistic import Groups, fit_intercept, fit_line
from rocsteady._src.probabilities.calibration.summary import calibration_summary


def ratio(ranked: rs.RankedScores) -> float:
    return float(ranked.n_pos / ((ranked.pos + ranked.neg) @ ranked.scores))


class TestSummary:
    @each_case("name", NAMES)
    @each_case("weighted", [False, True])
    def test_glm_of_r(self, name: str, weighted: bool) -> None:
        theirs = R_REFERENCE[name]["weighted" if weighted else "fits"]
        found = calibration_summary(Y, DATA[name], sample_weight=WEIGHT if weighted else None, weight_type="frequency")
        for field in ("in_the_large", "intercept", "slope"):
            ours = getattr(found, field)
            assert (ours.estimate, ours.se) == pytest.approx(theirs[field], abs=1e-10), field
        pairs = {
            "D": found.discrimination,
            "U": found.unreliability,
            "U_chisq": found.unreliability_test.statistic,
            "U_p": found.unreliability_test.pvalue,
            "R2": found.r2,
            "brier": found.brier.estimate,
            "log_loss": found.log_loss,
            "spiegelhalter": found.spiegelhalter.statistic,
        }
        assert pairs == pytest.approx({key: theirs[key] for key in pairs}, abs=1e-10)
        assert found.quality == found.discrimination - found.unreliability

    def test_fits_solve_their_equations(self) -> None:
        """In 50 digits the score equations hold at the estimates, and the inverse information is the covariance."""
        y, p = calibrated(60, digits=2)
        ranked = rs.rank(y, p)
        logits = np.log(ranked.scores) - np.log1p(-ranked.scores)
        groups = Groups(logits, ranked.pos.astype(float), (ranked.pos + ranked.neg).astype(float))
        line, shift = fit_line(groups.levels()), fit_intercept(groups.levels())
        with mpmath.workdps(50):
            xs = [mpmath.mpf(x) for x in logits.tolist()]
            rows = list(zip(xs, ranked.pos.tolist(), (ranked.pos + ranked.neg).tolist(), strict=True))

            def equations(a: Any, b: Any) -> list[Any]:
                means = [(x, hits, n, n / (1 + mpmath.exp(-a - b * x))) for x, hits, n in rows]
                return [sum(h - m for _, h, _, m in means), sum(x * (h - m) for x, h, _, m in means)]

            a, b = mpmath.findroot(equations, (0.1, 0.9), tol=1e-40)
            assert line.estimates == pytest.approx([float(a), float(b)], abs=1e-12)
            only = mpmath.findroot(lambda shift: equations(shift, 1)[0], 0.1, tol=1e-40)
            assert shift.estimates[0] == pytest.approx(float(only), abs=1e-12)
            spreads = [n * q * (1 - q) for x, _, n in rows for q in [1 / (1 + mpmath.exp(-a - b * x))]]
            moments = [sum(s * x**k for s, x in zip(spreads, xs, strict=True)) for k in range(3)]
            inverse = mpmath.matrix([[moments[0], moments[1]], [moments[1], moments[2]]]) ** -1
        assert line.covariance == pytest.approx(np.array(inverse.tolist(), dtype=float), rel=1e-10)

    def test_many_groups_start_from_few(self) -> None:
        """More groups than a coarse fit has: the same equations hold."""
        y, p = calibrated(30_000)
        found = calibration_summary(y, p)
        for terms in ([found.in_the_large.estimate, 1.0], [found.intercept.estimate, found.slope.estimate]):
            logits = np.log(p) - np.log1p(-p)
            surplus = y - 1 / (1 + np.exp(-terms[0] - terms[1] * logits))
            assert math.fsum(surplus) == pytest.approx(0, abs=1e-7)
        assert math.fsum(surplus * logits) == pytest.approx(0, abs=1e-7)

    def test_recalibration_by_the_fitted_line_is_perfect(self) -> None:
        y, p = calibrated()
        warped = p**2
        first = calibration_summary(y, warped)
        logits = first.intercept.estimate + first.slope.estimate * np.log(warped / (1 - warped))
        again = calibration_summary(y, 1 / (1 + np.exp(-logits)))
        assert (again.intercept.estimate, again.in_the_large.estimate) == pytest.approx((0, 0), abs=1e-10)
        assert again.slope.estimate == pytest.approx(1, abs=1e-10)
        assert again.observed_expected.estimate == pytest.approx(1, abs=1e-12)
        assert again.unreliability_test.pvalue == pytest.approx(1, abs=1e-9)

    def test_observed_over_expected(self) -> None:
        y, p = calibrated()
        found = calibration_summary(y, p).observed_expected
        assert found.estimate == pytest.approx(y.sum() / p.sum(), rel=1e-14)
        gaps = y - found.estimate * p
        width = 1.959963984540054 * np.std(gaps, ddof=1) / math.sqrt(y.size) / y.mean()
        assert math.log(found.high / found.estimate) == pytest.approx(width, rel=1e-12)
        drawn = rs.bootstrap_interval(ratio, y, p, n_resamples=500, random_state=1, stratified=False)
        assert drawn.se == pytest.approx(found.se, rel=0.1)
        assert found.estimate**2 == pytest.approx(found.low * found.high, rel=1e-12)

    def test_error_to_expect_under_calibration(self) -> None:
        """Outcomes drawn anew from the scores themselves have that error on average."""
        _, p = calibrated(500, seed=3)
        rng = np.random.default_rng(4)
        errors = [expected_calibration_error((rng.random(p.size) < p).astype(int), p) for _ in range(400)]
        found = calibration_summary((rng.random(p.size) < p).astype(int), p)
        assert found.expected_ece == pytest.approx(np.mean(errors), abs=4 * np.std(errors) / 20)

    @each_case(
        ("y", "p", "reason"),
        [
            ([1, 0, 1, 0], [0.9, 0.0, 0.3, 0.6], "exactly 0 or 1"),
            ([1, 1, 0, 0], [0.9, 0.8, 0.3, 0.1], "separate"),
            ([0, 0, 1, 1], [0.9, 0.8, 0.3, 0.1], "separate"),
            ([1, 1, 0, 0], [0.9, 0.5, 0.5, 0.1], "separate"),
            ([1, 0, 1, 0], [0.4, 0.4, 0.4, 0.4], "all equal"),
            ([1, 1], [0.4, 0.3], "one class"),
        ],
    )
    def test_what_has_no_estimate_is_nan_with_a_reason(self, y: list[int], p: list[float], reason: str) -> None:
        found = calibration_summary(y, p)
        assert math.isnan(found.slope.estimate)
        assert math.isnan(found.unreliability_test.pvalue)
        assert reason in found.warnings[0]
        assert reason in found.slope.warnings[0]
        assert 0 <= found.brier.estimate <= 1

    def test_constant_scores_still_have_a_shift(self) -> None:
        found = calibration_summary([1, 0, 1, 1], [0.4, 0.4, 0.4, 0.4])
        assert found.in_the_large.estimate == pytest.approx(math.log(3) - math.log(0.4 / 0.6), abs=1e-12)

    def test_hard_fits_converge(self) -> None:
        """Extreme and nearly equal scores, and classes that barely overlap."""
        for p in ([1e-12, 1e-9, 0.5, 1 - 1e-9], [0.5, 0.5 + 1e-13, 0.5 + 2e-13, 0.5 + 3e-13], [0.1, 0.4, 0.4, 0.9]):
            for y in ([0, 1, 0, 1], [1, 0, 1, 0]):
                if p[1] != p[2]:
                    assert math.isfinite(calibration_summary(y, p).slope.estimate), (y, p)

    def test_absurd_scores_overflow_quietly(self) -> None:
        found = calibration_summary([1, 0, 1, 0], [1e-320, 0.25, 1e-310, 0.6])
        assert (found.r2, found.hosmer_lemeshow.statistic) == (-math.inf, math.inf)
        assert math.isfinite(found.in_the_large.estimate)

    def test_table_and_print(self) -> None:
        y, p = calibrated()
        found = calibration_summary(y, p)
        frame = found.to_frame("pandas")
        assert frame.loc[frame["name"] == "slope", "estimate"].item() == found.slope.estimate
        assert str(found).count("\n") == len(frame) == 16
        json.dumps(found.to_dict())


class TestGoodness:
    @pytest.mark.parametrize("name", NAMES)
    def test_hosmer_lemeshow_of_r(self, name: str) -> None:
        for theirs in R_REFERENCE[name]["hosmer_lemeshow"]:
            test = hosmer_lemeshow(Y, DATA[name], n_groups=int(theirs["n_groups"]), external=False)
            assert (test.statistic, test.df, test.pvalue) == pytest.approx(
                (theirs["statistic"], theirs["df"], theirs["p"]), abs=1e-10
            )

    def test_new_rows_have_all_degrees_of_freedom(self) -> None:
        y, p = calibrated()
        fitted, new = hosmer_lemeshow(y, p, external=False), hosmer_lemeshow(y, p)
        assert (fitted.df, new.df, fitted.statistic) == (8, 10, new.statistic)
        assert new.pvalue > fitted.pvalue

    def test_ties_at_the_lowest_score(self) -> None:
        """As R: a quantile equal to the lowest score is no cut of its own, so that score joins the next group."""
        y, p = [0, 1, 0, 0, 1, 0, 1, 1], [0.2, 0.2, 0.2, 0.2, 0.5, 0.6, 0.7, 0.8]
        test = hosmer_lemeshow(y, p, n_groups=4)
        # quantiles .2, .2, .35, .625, .8: groups up to .35, .625, .8
        observed, expected = np.array([1, 1, 2, 3, 1, 0]), np.array([0.8, 1.1, 1.5, 3.2, 0.9, 0.5])
        assert test.statistic == pytest.approx(((observed - expected) ** 2 / expected).sum(), abs=1e-12)
        assert "ties leave 3 of 4" in test.warnings[0]

    def test_impossible_outcomes_reject_for_sure(self) -> None:
        test = hosmer_lemeshow([1, 0, 1, 0, 1, 1], [0.0, 0.0, 0.4, 0.5, 0.9, 1.0], n_groups=3)
        assert (test.statistic, test.pvalue) == (math.inf, 0.0)

    def test_spiegelhalter_is_about_the_brier_score(self) -> None:
        y, p = calibrated()
        test = spiegelhalter_test(y, p)
        assert test.estimate == pytest.approx(brier_score(y, p) - np.mean(p * (1 - p)), abs=1e-14)
        assert test.statistic == pytest.approx(test.estimate / test.se, rel=1e-12)
        assert math.isnan(spiegelhalter_test([1, 0], [0.5, 1.0]).pvalue)

    @pytest.mark.parametrize("test", [hosmer_lemeshow, spiegelhalter_test])
    def test_weights_are_repeats_and_order_is_nothing(self, test: Any) -> None:
        y, p = calibrated(digits=2)
        weights = 1 + np.arange(y.size) % 3
        order = np.random.default_rng(2).permutation(int(weights.sum()))
        repeated = test(y.repeat(weights)[order], p.repeat(weights)[order])
        assert tuple(test(y, p, sample_weight=weights, weight_type="frequency")) == tuple(repeated)

    def test_external_has_one_default(self) -> None:
        defaults = {
            inspect.signature(each).parameters["external"].default for each in (hosmer_lemeshow, calibration_summary)
        }
        assert defaults == {True}
        y, p = calibrated(300)
        assert hosmer_lemeshow(y, p).pvalue == calibration_summary(y, p).hosmer_lemeshow.pvalue

    def test_size_on_calibrated_rows(self) -> None:
        """Five percent of calibrated samples are rejected; 300 samples, so that 1.5% to 9% are within chance."""
        found = []
        for seed in range(300):
            y, p = calibrated(300, seed=seed)
            summary = calibration_summary(y, p)
            tests = (summary.unreliability_test, summary.spiegelhalter, summary.hosmer_lemeshow, summary.in_the_large)
            found.append([test.pvalue < 0.05 for test in tests])
        assert ((np.mean(found, axis=0) > 0.015) & (np.mean(found, axis=0) < 0.09)).all()
