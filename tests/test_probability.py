"""Measures of probabilities against their definitions and scikit-learn."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk

import rocsteady as rs
from calibration_kit import UNIT, calibrated, fractions, unit_tables
from cases import each_case
from rocsteady._src.measures.probability import (
    brier_score,
    discrimination_slope,
    expected_calibration_error,
    information_score,
    log_loss,
    relative_information_score,
    scaled_brier,
)
from rocsteady._src.probabilities.calibration.brier import brier_interval
from strategies import ScoreTable, score_tables

MEASURES = (
    brier_score,
    scaled_brier,
    log_loss,
    expected_calibration_error,
    discrimination_slope,
    information_score,
    relative_information_score,
)


class TestMeasures:
    @given(unit_tables)
    def test_brier_and_slope_by_definition(self, table: ScoreTable) -> None:
        rows = fractions(table)
        total = sum(w for _, _, w in rows)
        brier = sum(w * (y - s) ** 2 for y, s, w in rows) / total
        assert brier_score(*table[:2], sample_weight=table.sample_weight) == pytest.approx(float(brier), rel=1e-13)
        share = sum(w * y for y, _, w in rows) / total
        if 0 < share < 1:
            skill = 1 - brier / (share * (1 - share))
            assert scaled_brier(*table[:2], sample_weight=table.sample_weight) == pytest.approx(float(skill), abs=1e-13)
            means = [sum(w * s for y, s, w in rows if y == c) / sum(w for y, _, w in rows if y == c) for c in (1, 0)]
            value = discrimination_slope(*table[:2], sample_weight=table.sample_weight)
            assert value == pytest.approx(float(means[0] - means[1]), abs=1e-14)

    @given(unit_tables)
    def test_log_loss_by_definition(self, table: ScoreTable) -> None:
        with mpmath.workdps(40):
            rows = [(w, s if y else 1 - s) for y, s, w in fractions(table)]
            found = log_loss(*table[:2], sample_weight=table.sample_weight)
            if any(given_probability == 0 for _, given_probability in rows):
                assert found == math.inf
                return
            total = sum(w for w, _ in rows)
            logs = [mpmath.mpf(int(w)) * mpmath.log(mpmath.mpf(q.numerator) / q.denominator) for w, q in rows]
            # the double nearest to 1 - s stands for it on the other side of 1/2
            assert found == pytest.approx(float(-sum(logs) / int(total)), rel=1e-12, abs=1e-15)

    @given(unit_tables, st.none() | st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50))
    def test_information_score_by_definition(self, table: ScoreTable, prior: Fraction | None) -> None:
        rows = fractions(table)
        if len({y for y, _, _ in rows}) < 2:
            return
        total = sum(w for _, _, w in rows)
        share = sum(w * y for y, _, w in rows) / total if prior is None else Fraction(float(prior))
        with mpmath.workdps(40):

            def bits(ratio: Fraction) -> Any:
                return mpmath.log(mpmath.mpf(ratio.numerator) / ratio.denominator, 2)

            def added(given_probability: Fraction, before: Fraction) -> Any:  # of the class that happened
                if given_probability >= before:
                    return bits(given_probability / before)
                return -bits((1 - given_probability) / (1 - before))

            each = [(w, added(s, share) if y else added(1 - s, 1 - share)) for y, s, w in rows]
            mean = sum(mpmath.mpf(w.numerator) / w.denominator * gained for w, gained in each) / int(total)
            entropy = -(share * bits(share) + (1 - share) * bits(1 - share))
            how: dict[str, Any] = {"sample_weight": table.sample_weight}
            how["prevalence"] = None if prior is None else float(prior)
            assert information_score(*table[:2], **how) == pytest.approx(float(mean), abs=1e-12)
            relative = relative_information_score(*table[:2], **how)
            assert relative == pytest.approx(float(mean / entropy), rel=1e-11, abs=1e-11)

    def test_a_class_of_tiny_weight_keeps_its_share(self) -> None:
        """1 - share was 0 there: a division by zero."""
        y, s, weight = [1, 1, 0, 0, 1], [0.9, 0.25, 0.25, 0.1, 1.0], [1e20, 1e20, 1.0, 1.0, 1e20]
        share, rest = Fraction(3 * 10**20, 3 * 10**20 + 2), Fraction(2, 3 * 10**20 + 2)
        bits = [math.log2((1 - p) / rest) if p < share else -math.log2(p / share) for p in map(Fraction, s)]
        mean = -sum(b * w * (1 if one else -1) for b, w, one in zip(bits, weight, y, strict=True)) / sum(weight)
        assert information_score(y, s, sample_weight=weight) == pytest.approx(mean, rel=1e-12)
        assert math.isfinite(relative_information_score(y, s, sample_weight=weight))
        measured = rs.evaluate(y, s, sample_weight=weight, measures=["scaled_brier"], intervals=True)
        assert measured.to_frame() is not None

    def test_information_score_of_plain_cases(self) -> None:
        y, base = [1, 0, 0, 0], [0.25] * 4
        assert information_score(y, base) == 0.0
        assert information_score(y, y) == pytest.approx(0.25 * 2 + 0.75 * math.log2(4 / 3), abs=1e-15)
        assert relative_information_score(y, y) == pytest.approx(1.0, abs=1e-15)
        assert information_score([1, 0], [0.0, 1.0]) == -1.0  # sure and wrong is finite
        assert math.isnan(rs.get_measure("information_score").sheet.compute(rs.rank([1, 1], [0.5, 0.6])))
        with pytest.raises(rs.ArgumentError, match="prevalence must lie between 0 and 1, got 1"):
            information_score(y, base, prevalence=1)
        with pytest.raises(rs.RocsteadyError, match="needs probabilities"):
            information_score(y, [2, 0.1, 0.2, 0.3])

    @each_case("digits", [1, 2, 16])
    @each_case("weighted", [False, True])
    def test_scikit_learn(self, digits: int, weighted: bool) -> None:
        y, p = calibrated(digits=digits)
        weights = np.random.default_rng(1).random(y.size) if weighted else None
        assert brier_score(y, p, sample_weight=weights) == pytest.approx(
            sk.brier_score_loss(y, p, sample_weight=weights), rel=1e-12
        )
        assert log_loss(y, p, sample_weight=weights) == pytest.approx(
            sk.log_loss(y, p, sample_weight=weights), rel=1e-12
        )

    @given(score_tables(scores=UNIT, weights=("none", "small integers")), st.integers(1, 6), st.booleans())
    def test_calibration_error_by_rows(self, table: ScoreTable, n_bins: int, uniform: bool) -> None:
        strategy = "uniform" if uniform else "quantile"
        repeats = np.ones(len(table.y_true), dtype=int) if table.sample_weight is None else table.sample_weight
        y, s = table.y_true.repeat(repeats), table.y_score.repeat(repeats).astype(float)
        bins = bins_of_rows(s, n_bins, strategy)
        gaps = [abs(y[bins == b].sum() - s[bins == b].sum()) for b in set(bins.tolist())]
        found = expected_calibration_error(*table[:2], sample_weight=repeats, n_bins=n_bins, strategy=strategy)
        assert found == pytest.approx(sum(gaps) / y.size, abs=1e-13)

    @each_case("measure", MEASURES)
    @each_case("scores", [[-0.1, 0.5], [0.5, 1.1]])
    def test_what_is_no_probability_is_refused(self, measure: Any, scores: list[float]) -> None:
        with pytest.raises(rs.InputError) as refused:
            measure([0, 1], scores)
        assert refused.value.code == "not_probabilities"

    def test_certain_and_wrong_is_infinitely_bad(self) -> None:
        assert log_loss([1, 0], [0.0, 0.5]) == log_loss([1, 0], [0.5, 1.0]) == math.inf
        assert log_loss([1, 0], [1.0, 0.0]) == 0.0

    def test_in_bootstrap_comparison_and_evaluation(self) -> None:
        y, p = calibrated()
        interval = rs.bootstrap_interval("brier_score", y, p, n_resamples=400, random_state=1, stratified=False)
        assert interval.se == pytest.approx(brier_interval(y, p).se, rel=0.15)
        other = np.clip(p + 0.1, 0, 1)
        test = rs.compare_measure("log_loss", y, p, other, n_resamples=200, random_state=1)
        assert test.estimate == pytest.approx(log_loss(y, p) - log_loss(y, other), abs=1e-14)
        assert rs.bootstrap_interval("expected_calibration_error", y, p, n_resamples=50, random_state=1).low >= 0


def bins_of_rows(s: np.ndarray, n_bins: int, strategy: str) -> np.ndarray:
    """Bins of rows as scikit-learn cuts them, but quantiles in exact arithmetic."""
    if strategy == "uniform":
        return np.searchsorted(np.linspace(0, 1, n_bins + 1)[1:-1], s)
    ordered = [Fraction(value) for value in sorted(s.tolist())]
    edges = []
    for k in range(1, n_bins):
        place = Fraction(k * (len(ordered) - 1), n_bins)
        low = math.floor(place)
        edges.append(ordered[low] + (place - low) * (ordered[min(low + 1, len(ordered) - 1)] - ordered[low]))
    return np.array([sum(Fraction(value) > edge for edge in edges) for value in s.tolist()])
