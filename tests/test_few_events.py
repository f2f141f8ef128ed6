"""Net benefits and relative predictive values with few events: limits that hold, tests that agree with them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from measured_kit import measured
from rocsteady._src.inference.paired.relative_values import CalledParts
from rocsteady._src.probabilities.decisions import compare_net_benefit, decision_curve
from rocsteady.inference import compare_calls


def few_events(n: int = 100, events: int = 4) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(3)
    y = np.repeat([1, 0], [events, n - events])
    first = np.clip(0.05 + 0.3 * y + rng.normal(size=n) / 15, 0, 1)
    return y, first, np.clip(first + rng.normal(size=n) / 20, 0, 1)


def test_measured_net_benefits_hold_with_4_to_50_events() -> None:
    lines = measured("net_benefit_events")
    kinds = {"curve", "curve, prevalence given", "better", "alike"}
    assert {line["what"] for line in lines} == kinds
    assert {line["events"] for line in lines} == {"4", "5", "10", "20", "50"}
    assert min(float(line["coverage"]) for line in lines) >= 0.93
    assert min(float(line["coverage"]) for line in lines if line["what"] == "alike") >= 0.935  # 6.5% of tests


def test_measured_ratios_of_predictive_values_hold() -> None:
    lines = measured("relative_values")
    assert len(lines) == 120
    assert min(float(line["coverage"]) for line in lines) >= 0.93


class TestDecisionCurve:
    def test_events_are_counted(self) -> None:
        y, p, _ = few_events()
        curve = decision_curve(y, p)
        assert [remark.code for remark in curve.warnings] == ["few_events_decided"]
        assert curve.warnings[0].params["events"] == 4
        twice = decision_curve(y.repeat(2), p.repeat(2), thresholds=[0.1], cluster=np.arange(y.size).repeat(2))
        assert twice.warnings[-1].params["events"] == 4  # subjects, not rows
        assert decision_curve(*few_events(200, 10)[:2], thresholds=[0.1]).warnings == ()

    def test_no_call_is_not_certainty(self) -> None:
        y, p, _ = few_events()
        curve = decision_curve(y, p, thresholds=[0.9])
        low, high = curve.low["model"][0], curve.high["model"][0]
        assert curve.net_benefit["model"][0] == 0
        assert low < -0.2 < 0 < high < 0.05  # one false positive would cost nine true ones

    def test_many_rows_have_walds_limits(self) -> None:
        rng = np.random.default_rng(4)
        p = rng.random(40_000).round(3)
        y = (rng.random(p.size) < p).astype(int)
        for prevalence in (None, 0.3):
            how: dict[str, Any] = {"thresholds": [0.1, 0.3, 0.6], "prevalence": prevalence}
            made, wald = decision_curve(y, p, **how), decision_curve(y, p, intervals="wald", **how)
            width = wald.high["model"] - wald.low["model"]
            assert made.low["model"] == pytest.approx(wald.low["model"], abs=0.02 * width.max())
            assert made.high["model"] == pytest.approx(wald.high["model"], abs=0.02 * width.max())

    @each_case("prevalence", [None, 0.1])
    def test_subjects_and_weights_are_worth_their_rows(self, prevalence: float | None) -> None:
        y, p, _ = few_events(200, 30)
        how: dict[str, Any] = {"thresholds": [0.1, 0.2, 0.9], "prevalence": prevalence}
        plain = decision_curve(y, p, **how)
        doubled = decision_curve(y.repeat(2), p.repeat(2), cluster=np.arange(y.size).repeat(2), **how)
        weighted = decision_curve(y, p, sample_weight=np.full(y.size, 0.5), weight_type="sampling", **how)
        for other in (doubled, weighted):
            for side in ("low", "high"):
                expected = getattr(plain, side)["model"]
                assert getattr(other, side)["model"] == pytest.approx(expected, rel=0.05, abs=0.002)


class TestDifference:
    @each_case("prevalence", [None, 0.1])
    def test_p_and_interval_agree(self, prevalence: float | None) -> None:
        for events in (4, 12, 40):
            y, first, second = few_events(200, events)
            for cut in (0.1, 0.2):
                found = compare_net_benefit(y, first, second, threshold=cut, prevalence=prevalence)
                level = 1 - found.pvalue
                if not 0.01 < level < 0.99:
                    continue
                edge = compare_net_benefit(y, first, second, threshold=cut, prevalence=prevalence, level=level)
                assert min(abs(edge.low), abs(edge.high)) < 1e-6 * (edge.high - edge.low)

    def test_rows_called_alike_are_not_certainty(self) -> None:
        y, first, _ = few_events()
        other = first + 1e-6
        found = compare_net_benefit(y, first, other, threshold=0.5)
        assert found.estimate == 0 == found.statistic
        assert found.low < 0 < found.high
        same = compare_net_benefit(y, first, first, threshold=0.5)
        assert [*same] == [0, 1]
        assert (same.low, same.high) == (0, 0)
        assert "difference_none" in [remark.code for remark in same.warnings]


class TestRelativeValues:
    def rows(self, cells: tuple[int, ...]) -> tuple[Any, Any]:
        kinds = np.array([(1, 1, 1), (1, 1, 0), (1, 0, 1), (1, 0, 0), (0, 1, 1), (0, 1, 0), (0, 0, 1), (0, 0, 0)])
        y, one, two = kinds.repeat(cells, axis=0).T
        return y, {"one": one, "two": two}

    def test_no_false_positive_is_not_certainty(self) -> None:
        found = compare_calls(*self.rows((30, 6, 4, 5, 0, 0, 0, 95))).predictive[0].ppv
        assert found.ratio == 1
        assert found.low < 0.95
        assert found.high > 1.05
        assert found.method == "wilson"
        assert found.pvalue == 1
        assert [remark.code for remark in found.warnings] == ["relative_value_few"]

    def test_p_and_interval_agree(self) -> None:
        rows = self.rows((40, 6, 4, 5, 1, 1, 7, 95))
        found = compare_calls(*rows).predictive[0].ppv
        assert 0.01 < found.pvalue < 0.9
        edge = compare_calls(*rows, level=1 - found.pvalue).predictive[0].ppv
        assert min(abs(math.log(edge.low)), abs(math.log(edge.high))) < 1e-6

    def test_turning_the_models_round_turns_the_interval(self) -> None:
        y, both = self.rows((40, 6, 4, 5, 1, 1, 7, 95))
        one = compare_calls(y, both).predictive[0].ppv
        two = compare_calls(y, {"two": both["two"], "one": both["one"]}).predictive[0].ppv
        assert (one.low, one.high, one.pvalue) == pytest.approx((1 / two.high, 1 / two.low, two.pvalue), rel=1e-4)

    def test_subjects_are_worth_their_rows(self) -> None:
        y, both = self.rows((40, 6, 4, 5, 1, 1, 7, 95))
        plain = compare_calls(y, both).predictive[0].ppv
        twice = {name: column.repeat(2) for name, column in both.items()}
        doubled = compare_calls(y.repeat(2), twice, cluster=np.arange(y.size).repeat(2)).predictive[0].ppv
        assert doubled.method == "wilson, by cluster"
        assert (doubled.low, doubled.high) == pytest.approx((plain.low, plain.high), rel=0.03)

    def test_counts_are_those_of_the_calls(self) -> None:
        truth = np.array([1.0, 1, 0, 0, 1])
        called = np.array([1.0, 1, 1, 0, 0]), np.array([1.0, 0, 1, 1, 0])
        parts = CalledParts.of(truth, called, np.ones(5))
        assert (parts.right, parts.rows, parts.fewest) == ((1, 1, 0), (2, 1, 1), 1)


def test_the_remark_is_in_the_text() -> None:
    y, p, _ = few_events()
    assert "positive cases: only 4" in str(rs.decision_curve(y, p, thresholds=[0.1]))
