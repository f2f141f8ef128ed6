"""Another prevalence: accuracy, cost and net benefit there, probabilities shifted, a prevalence estimated."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from benchmarks.prevalence_coverage import by_confusion, sums, table
from scipy.optimize import brentq
from tools.site.tables import RESULTS, cells_of, read_rows

import rocsteady as rs
from command import rocsteady
from rocsteady._src.probabilities.label_shift import log_likelihood, most_likely
from rocsteady._src.views.report.build import Options, build
from rocsteady.calibration import estimate_prevalence, shift_prevalence
from rocsteady.inference import predictive_values, prevalence_curve

RNG = np.random.default_rng(11)
Y = RNG.integers(0, 2, 120)
S = 1 / (1 + np.exp(-(2 * Y - 1 + RNG.normal(size=120) * 1.2)))
COUNTS = rs.measures.Confusion(tp=80, fp=10, fn=20, tn=90)


def test_counts_to_expect_elsewhere() -> None:
    tp, fp, fn, tn = map(Fraction, (80, 10, 20, 90))
    share = Fraction(1, 50)
    there = rs.confusion(
        np.repeat([1, 0, 1, 0], [80, 10, 20, 90]), np.repeat([1, 1, 0, 0], [80, 10, 20, 90]), prevalence=0.02
    )
    expected = [
        200 * share * tp / 100,
        200 * (1 - share) * fp / 100,
        200 * share * fn / 100,
        200 * (1 - share) * tn / 100,
    ]
    assert [there.tp, there.fp, there.fn, there.tn] == pytest.approx([float(cell) for cell in expected], rel=1e-14)
    assert there.recall == pytest.approx(0.8)
    assert there.prevalence == pytest.approx(0.02)
    known = predictive_values(COUNTS, prevalence=0.02)
    assert (there.precision, there.accuracy) == pytest.approx((known.ppv.estimate, known.accuracy.estimate))
    with pytest.raises(rs.InputError, match="weights"):
        rs.inference.measure_interval("precision", there)
    with pytest.raises(rs.ArgumentError, match=r"\[0, 1\]"):
        rs.confusion(Y, S, prevalence=1.2)


def test_counts_elsewhere_at_all_thresholds_and_with_one_class() -> None:
    many = rs.confusion(Y, S, threshold="all", prevalence=0.1)
    assert np.allclose(many.tp + many.fn, 12)
    assert math.isnan(rs.confusion([1, 1], [0.9, 0.2], prevalence=0.1).fp)


def test_at_the_prevalence_of_the_rows_nothing_changes() -> None:
    counts = rs.confusion(Y, S, threshold=0.4)
    found = predictive_values(Y, S, threshold=0.4, prevalence=float(Y.mean()), cost_fp=2, cost_fn=5)
    assert found.accuracy.estimate == pytest.approx(counts.accuracy)
    assert found.cost.estimate == pytest.approx((2 * counts.fp + 5 * counts.fn) / 120)
    assert found.net_benefit.estimate == pytest.approx((counts.tp - 0.4 * counts.fp) / 120)


def test_cost_and_net_benefit_are_those_of_rules_and_curves() -> None:
    chosen = rs.best_threshold(Y, S, rule="cost", cost_fp=1, cost_fn=4, prevalence=0.1)
    found = predictive_values(Y, S, threshold=chosen.threshold, prevalence=0.1, cost_fp=1, cost_fn=4)
    assert found.cost.estimate == pytest.approx(chosen.objective)
    curve = rs.decision_curve(Y, S, thresholds=[0.2], prevalence=0.1)
    there = predictive_values(Y, S, threshold=0.2, prevalence=0.1, cost_fp=0.25)
    assert there.net_benefit.estimate == pytest.approx(float(curve.net_benefit["model"][0]))
    assert there.net_benefit.estimate == pytest.approx(0.1 - there.cost.estimate)


def test_ends_are_wilsons_put_together() -> None:
    found = predictive_values(COUNTS, prevalence=0.3, cost_fp=1, cost_fn=4)
    recall, specificity = rs.proportion_interval(80, 100), rs.proportion_interval(90, 100)
    for made, a, b in ((found.accuracy, 0.3, 0.7), (found.cost, -1.2, -0.7), (found.net_benefit, 0.3, 0.175)):
        sides = [(a, recall, 0.8), (b, specificity, 0.9)]
        down = math.hypot(*(abs(t) * (e - (i.low if t > 0 else i.high)) for t, i, e in sides))
        up = math.hypot(*(abs(t) * ((i.high if t > 0 else i.low) - e) for t, i, e in sides))
        assert (made.estimate - made.low, made.high - made.estimate) == pytest.approx((down, up))


def test_subjects_of_one_row_are_rows_and_repeated_rows_are_not_more() -> None:
    alone = predictive_values(Y, S, threshold=0.5, prevalence=0.2)
    each = predictive_values(Y, S, threshold=0.5, prevalence=0.2, cluster=np.arange(120))
    assert each.accuracy.low == pytest.approx(alone.accuracy.low, abs=2e-3)
    twice = predictive_values(
        np.tile(Y, 4), np.tile(S, 4), threshold=0.5, prevalence=0.2, cluster=np.tile(np.arange(120), 4)
    )
    assert twice.accuracy.high - twice.accuracy.low == pytest.approx(alone.accuracy.high - alone.accuracy.low, rel=0.03)


def test_subjects_of_both_classes_tie_the_rates_together() -> None:
    """Subjects whose positives are found and whose negatives are raised: recall and specificity pull apart."""
    labels = np.tile([1, 0], 60)
    bold = np.repeat(RNG.integers(0, 2, 60), 2)
    tied = predictive_values(labels, bold, threshold=1, prevalence=0.5, cluster=np.repeat(np.arange(60), 2))
    free = predictive_values(labels, bold, threshold=1, prevalence=0.5)
    assert tied.accuracy.high - tied.accuracy.low < 0.1 * (free.accuracy.high - free.accuracy.low)


def test_a_curve_is_its_values_one_by_one() -> None:
    curve = prevalence_curve(Y, S, threshold=0.5, prevalences=[0.05, 0.5], cost_fn=3)
    for share, found in zip((0.05, 0.5), curve.values, strict=True):
        alone = predictive_values(Y, S, threshold=0.5, prevalence=share, cost_fn=3)
        assert {name: tuple(each) for name, each in found.intervals.items()} == {
            name: tuple(each) for name, each in alone.intervals.items()
        }
    frame = curve.to_frame()
    assert list(frame["prevalence"]) == [0.05, 0.5]
    assert "net_benefit_low" in frame
    assert len(prevalence_curve(COUNTS).values) == 99
    assert curve.plot().ax_.get_xlabel() == "Prevalence"


def test_probabilities_are_shifted_by_bayes_rule() -> None:
    given = [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)]
    here, there = Fraction(1, 4), Fraction(1, 50)
    expected = []
    for p in given:
        up, down = p * there / here, (1 - p) * (1 - there) / (1 - here)
        expected.append(float(up / (up + down)))
    assert shift_prevalence([float(p) for p in given], here=0.25, there=0.02).tolist() == pytest.approx(expected)
    back = shift_prevalence(shift_prevalence(S, here=0.5, there=0.1), here=0.1, there=0.5)
    assert np.allclose(back, S)
    assert rs.auc(Y, shift_prevalence(S, here=0.5, there=0.1)) == rs.auc(Y, S)
    with pytest.raises(rs.InputError, match="between 0 and 1"):
        shift_prevalence(S, here=0.5, there=0)
    with pytest.raises(rs.InputError, match="probabilities"):
        shift_prevalence([1.5], here=0.5, there=0.1)


def test_shifted_probabilities_are_calibrated_where_they_are_used() -> None:
    rng = np.random.default_rng(1)
    y = (rng.random(200_000) < 0.1).astype(int)
    score = rng.normal(size=y.size) + 1.5 * y
    here = 1 / (1 + np.exp(-(1.5 * score - 1.125)))  # calibrated where half is positive
    there = shift_prevalence(here, here=0.5, there=0.1)
    assert abs(rs.calibration_summary(y, there).in_the_large.estimate) < 0.03
    assert rs.calibration_summary(y, here).in_the_large.estimate < -1


def test_the_confusion_method_and_its_interval() -> None:
    labels, called = np.repeat([1, 1, 0, 0], [80, 20, 10, 90]), np.repeat([1, 0, 1, 0], [80, 20, 10, 90])
    found = estimate_prevalence(labels, called, np.repeat([1, 0], [240, 760]), threshold=1)
    assert found.estimate == pytest.approx((0.24 - 0.1) / 0.7)
    z2 = 1.959963984540054**2
    (q, a), (t, b), (f, c) = (
        ((x + z2 / 2) / (n + z2), (x + z2 / 2) / (n + z2) * (1 - (x + z2 / 2) / (n + z2)) / (n + z2))
        for x, n in ((240, 1000), (80, 100), (10, 100))
    )
    square = np.polysub(np.polymul([f - t, q - f], [f - t, q - f]), z2 * np.array([b + c, -2 * c, a + c]))
    assert (found.low, found.high) == pytest.approx(sorted(np.roots(square)), abs=1e-9)


def test_what_no_prevalence_explains_is_said() -> None:
    labels, called = np.repeat([1, 1, 0, 0], [80, 20, 30, 70]), np.repeat([1, 0, 1, 0], [80, 20, 30, 70])
    none = estimate_prevalence(labels, called, np.repeat([1, 0], [50, 950]), threshold=1)
    assert (none.estimate, none.low, none.high) == (0.0, 0.0, 0.0)
    assert "prevalence_outside" in [remark.code for remark in none.warnings]
    coin = estimate_prevalence([1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 1], threshold=1)
    assert (coin.low, coin.high) == (0.0, 1.0)
    assert math.isnan(coin.estimate)
    with pytest.raises(rs.InputError, match="unlabelled"):
        estimate_prevalence(Y, S, [0.5, None])


def test_the_likelihood_climbs_as_em_does() -> None:
    rng = np.random.default_rng(3)
    positive = rng.random(400) < 0.15
    given = 1 / (1 + np.exp(-(1.5 * (rng.normal(size=400) + 1.5 * positive) - 1.125)))
    share = 0.4
    before = 0.0
    while abs(share - before) > 1e-15:  # Saerens' two steps
        before, share = share, float(shift_prevalence(given, here=0.4, there=share).mean())
    assert most_likely(given, 0.4) == pytest.approx(share, abs=1e-9)
    labels = np.repeat([1, 0], [40, 60])
    found = estimate_prevalence(labels, np.linspace(0.01, 0.99, 100), given, method="em")
    assert found.estimate == pytest.approx(share, abs=1e-9)
    best = log_likelihood(given, 0.4, share)
    beyond = lambda p: 2 * (best - log_likelihood(given, 0.4, p)) - 1.959963984540054**2  # noqa: E731
    expected = brentq(beyond, 1e-9, share), brentq(beyond, share, 1 - 1e-9)
    off = 1.959963984540054 * math.sqrt(0.4 * 0.6 / 100)
    moved = [most_likely(given, 0.4 - off), most_likely(given, 0.4 + off)]
    reach = [math.hypot(share - end, share - at) for end, at in zip(expected, sorted(moved), strict=True)]
    ends = max(share - reach[0], 0.0), share + reach[1]
    assert (found.low, found.high) == pytest.approx(ends, abs=1e-8)
    assert most_likely(np.full(5, 0.2), 0.5) == 0.0
    assert most_likely(np.full(5, 0.9), 0.5) == 1.0


def test_the_shell_tells_accuracy_there(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("y,s\n" + "\n".join(f"{a},{b:.4f}" for a, b in zip(Y, S, strict=True)) + "\n", encoding="utf-8")
    asked = ["confusion", str(file), "--label", "y", "--score", "s", "--threshold", "0.5", "--prevalence", "0.05"]
    told = json.loads(rocsteady(*asked, "--format", "json").stdout)["models"][0]
    expected = predictive_values(Y, S.round(4), threshold=0.5, prevalence=0.05).accuracy
    assert expected is not None
    found = told["intervals"]["accuracy_there"]
    assert (found["estimate"], found["low"], found["high"]) == pytest.approx(
        (expected.estimate, expected.low, expected.high)
    )


def test_the_page_has_the_tables_of_the_script() -> None:
    first = cells_of(table(10, 1).partition("\n\n")[0])
    assert first == read_rows(RESULTS / "tables" / "prevalence-accuracy-and-cost.csv")
    assert min(sums(20, 20, (0.8, 0.9), 0.1)) > 0.92
    assert by_confusion((50, 50, 500), (0.8, 0.9), 0.1, 2000, np.random.default_rng(1)) > 0.93


def test_the_page_has_predictive_values_at_the_prevalence_given() -> None:
    result = rs.evaluate(Y, {"a": S, "b": S[::-1]})
    (found,) = (
        table
        for part in build(result, Options(prevalence=0.05)).sections
        for table in part.tables
        if table.id == "elsewhere"
    )
    for line, course in zip(
        found.values, [each for each in result.decide(prevalence=0.05).courses if each.model], strict=True
    ):
        there = predictive_values(
            Y, {"a": S, "b": S[::-1]}[str(course.model)], threshold=course.threshold, prevalence=0.05
        )
        for cell, name in zip(line[2:], ("ppv", "npv", "accuracy"), strict=True):
            wanted = there.intervals[name]
            ends = [None if np.isnan(end) else pytest.approx(end) for end in (wanted.estimate, wanted.low, wanted.high)]
            assert [cell["estimate"], cell["low"], cell["high"]] == ends
    assert not [table for part in build(result, Options()).sections for table in part.tables if table.id == "elsewhere"]
