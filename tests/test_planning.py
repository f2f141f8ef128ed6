"""Planning: exact enumeration in fractions, numerical integration, base R, published sizes, and simulated studies."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from benchmarks.planning import seen
from scipy.integrate import quad
from scipy.special import expit, ndtr
from scipy.stats import binom, norm

import rocsteady as rs
from rocsteady._src.inference.power.expected_width import width_among_drawn, width_of_share
from rocsteady._src.inference.power.goal import critical_counts, share_power
from rocsteady._src.inference.power.predictor import Predictor
from rocsteady._src.inference.power.validation import rows_for_auc, rows_for_net_benefit, rows_for_oe
from rocsteady.power import plan_width, power_goal, validation_size

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)


def chance(k: int, n: int, share: Fraction) -> Fraction:
    return math.comb(n, k) * share**k * (1 - share) ** (n - k)


class TestWidthOfShares:
    @pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "wald"])
    @pytest.mark.parametrize(("n", "share"), [(1, HALF), (7, TENTH), (23, 9 * TENTH)])
    def test_mean_over_all_samples(self, method: str, n: int, share: Fraction) -> None:
        ends = [tuple(rs.proportion_interval(k, n, method=method)) for k in range(n + 1)]
        mean = sum(float(chance(k, n, share)) * (high - low) for k, (low, high) in enumerate(ends))
        assert width_of_share(float(share), n, 0.95, method) == pytest.approx(mean, rel=1e-12)
        assert plan_width("sensitivity", float(share), n=n, method=method).width == pytest.approx(mean, rel=1e-12)

    def test_classes_of_a_random_size(self) -> None:
        n, share, drawn = 9, 0.7, 0.25
        by_size = [width_of_share(share, m, 0.95, "wilson") for m in range(n + 1)]
        assert by_size[0] == 1.0
        mean = sum(float(chance(m, n, Fraction(1, 4))) * width for m, width in enumerate(by_size))
        assert width_among_drawn(share, n, drawn, 0.95, "wilson") == pytest.approx(mean, rel=1e-12)

    def test_the_grid_of_large_studies_is_as_good_as_all_sizes(self) -> None:
        sizes = np.arange(300, 701)
        widths = np.array([width_of_share(0.9, int(m), 0.95, "wilson") for m in sizes])
        whole = float(binom.pmf(sizes, 5000, 0.1) @ widths)
        assert width_among_drawn(0.9, 5000, 0.1, 0.95, "wilson") == pytest.approx(whole, rel=1e-7)

    @pytest.mark.parametrize("how", [{}, {"prevalence": 0.3}])
    def test_no_fewer_rows_suffice(self, how: dict[str, float]) -> None:
        found = plan_width("sensitivity", 0.8, width=0.3, **how)
        widths = [plan_width("sensitivity", 0.8, n=n, **how).width for n in range(1, found.n + 1)]
        assert widths[-1] <= 0.3 < min(widths[:-1])
        assert all(later < earlier for earlier, later in pairwise(widths[3:]))

    def test_predictive_values_are_shares_of_the_calls(self) -> None:
        how: dict[str, float] = {"sensitivity": 0.9, "specificity": 0.8, "prevalence": 0.1}
        ppv, npv = (plan_width(name, n=600, **how) for name in ("ppv", "npv"))
        assert ppv.value == pytest.approx(0.09 / 0.27)
        assert npv.value == pytest.approx(0.72 / 0.73)
        assert (ppv.n_counted, npv.n_counted) == pytest.approx((600 * 0.27, 600 * 0.73))
        assert ppv.width == pytest.approx(width_among_drawn(1 / 3, 600, 0.27, 0.95, "wilson"))

    def test_simulated_studies_are_as_wide(self) -> None:
        rng = np.random.default_rng(5)
        plan = plan_width("ppv", sensitivity=0.9, specificity=0.8, prevalence=0.1, width=0.12)
        called = rng.binomial(plan.n, 0.27, 4000)
        ends = rs.inference.proportion_interval
        widths = [ends(int(k), int(n)).high - ends(int(k), int(n)).low for k, n in _counted(rng, called)]
        assert np.mean(widths) == pytest.approx(0.12, abs=4 * np.std(widths) / math.sqrt(len(widths)))


def _counted(rng: np.random.Generator, called: Any) -> Any:
    return zip(rng.binomial(called, 1 / 3), called, strict=True)


class TestWidthOfOthers:
    @pytest.mark.parametrize(("auc", "n", "prevalence"), [(0.75, 400, 0.3), (0.9, 60, 0.5)])
    def test_simulated_intervals_of_an_auc_are_as_wide(self, auc: float, n: int, prevalence: float) -> None:
        rng, n_pos = np.random.default_rng(2), round(n * prevalence)
        y = np.arange(n) < n_pos
        drawn = [rs.auc_interval(y, rng.normal(size=n) + math.sqrt(2) * norm.ppf(auc) * y) for _ in range(400)]
        widths = np.array([each.high - each.low for each in drawn])
        planned = plan_width("auc", auc, n=n, prevalence=prevalence).width
        assert widths.mean() == pytest.approx(planned, rel=0.03)

    def test_rows_and_width_agree(self) -> None:
        found = plan_width("auc", 0.8, width=0.1, prevalence=0.2)
        assert found.width <= 0.1 < plan_width("auc", 0.8, n=found.n - 1, prevalence=0.2).width
        assert (found.n_pos, found.n_neg) == (0.2 * found.n, 0.8 * found.n)

    def test_slope_by_numerical_integration(self) -> None:
        mean, sd = -1.75, 1.47

        def moment(power: int) -> float:
            def inside(x: float) -> float:
                return float(expit(x) * expit(-x) * x**power * norm.pdf(x, mean, sd))

            return float(quad(inside, mean - 12 * sd, mean + 12 * sd, epsabs=1e-13, limit=200)[0])

        zero, one, two = moment(0), moment(1), moment(2)
        by_hand = zero / (zero * two - one**2)
        assert Predictor.of_normal(mean, sd).slope_variance() == pytest.approx(by_hand, rel=1e-9)
        found = plan_width("calibration_slope", log_odds=(mean, sd), n=500)
        assert found.width == pytest.approx(2 * 1.959963984540054 * math.sqrt(by_hand / 500), rel=1e-9)

    def test_slope_of_scores_is_that_of_a_fit_to_them(self) -> None:
        """The information of scores repeated with their own share of positives is what the fitted line reports."""
        risk = np.array([0.1, 0.25, 0.5, 0.75, 0.9])
        counts = 40
        y = np.concatenate([np.arange(counts) < round(counts * each) for each in risk])
        summary = rs.calibration.calibration_summary(y, np.repeat(risk, counts))
        assert summary.slope.estimate == pytest.approx(1, abs=1e-9)
        planned = plan_width("calibration_slope", scores=risk, n=y.size)
        assert planned.width == pytest.approx(summary.slope.high - summary.slope.low, rel=1e-9)

    def test_risks_of_an_auc_have_it_and_the_prevalence(self) -> None:
        predictor = Predictor.of_auc(0.8, 0.1)
        assert predictor.mean_risk == pytest.approx(0.1, rel=1e-12)
        pos, neg = np.split(predictor.log_odds, 2)
        shares = predictor.shares[: pos.size] / 0.1
        below = np.concatenate([[0.0], np.cumsum(shares)])
        won = [below[np.searchsorted(neg, each)] for each in pos]
        assert float(shares @ won) == pytest.approx(0.8, abs=2e-3)


class TestGoal:
    @pytest.mark.parametrize("side", ["above", "below"])
    @pytest.mark.parametrize("goal", [TENTH, HALF, 9 * TENTH])
    def test_critical_counts_and_power_in_fractions(self, side: str, goal: Fraction) -> None:
        alpha, value = Fraction(1, 20), Fraction(3, 4)
        for n in range(1, 41):
            order = range(n + 1) if side == "below" else range(n, -1, -1)
            tail, critical = Fraction(0), -1 if side == "below" else n + 1
            for k in order:
                tail += chance(k, n, goal)
                if tail > alpha:
                    break
                critical = k
            inside = range(critical + 1) if side == "below" else range(critical, n + 1)
            assert critical_counts(np.array([n]), float(goal), side, 0.05)[0] == critical, n
            power = float(sum(chance(k, n, value) for k in inside))
            assert share_power(np.array([n]), 0.75, float(goal), side, 0.05)[0] == pytest.approx(power, abs=1e-12)

    def test_from_that_number_on_power_stays(self) -> None:
        found = power_goal("sensitivity", 0.96, above=0.9, power=0.8)
        later = share_power(np.arange(found.n, 5000), 0.96, 0.9, "above", 0.05)
        assert later.min() >= 0.8
        assert power_goal("sensitivity", 0.96, above=0.9, n=int(found.n) - 1).power < 0.8
        assert found.size <= 0.05
        assert found.critical == critical_counts(np.array([found.n]), 0.9, "above", 0.05)[0]

    def test_as_base_r(self) -> None:
        """binom.test(96, 100, 0.9, "greater") and binom.test(3, 120, 0.05, "less") of R 4."""
        counts = rs.measures.Confusion(tp=96, fp=3, fn=4, tn=117)
        above = rs.inference.goal_test("sensitivity", counts, above=0.9)
        assert above.pvalue == pytest.approx(0.02371108, rel=1e-6)
        assert (above.low, above.high) == pytest.approx((0.9007428, 0.9889955), abs=1e-6)
        below = rs.inference.goal_test("fpr", counts, below=0.05)
        assert below.pvalue == pytest.approx(0.1444076, rel=1e-6)

    @pytest.mark.parametrize("n", [30, 400])
    def test_a_test_of_an_auc_rejects_where_its_interval_leaves_the_goal_out(self, n: int) -> None:
        rng = np.random.default_rng(n)
        y = np.arange(n) < n // 3
        s = rng.normal(size=n) + 1.4 * y
        interval = rs.auc_interval(y, s)
        for end, side in ((interval.low, "above"), (interval.high, "below")):
            at = rs.inference.goal_test("auc", y, s, **{side: end})
            assert at.pvalue == pytest.approx(0.025, rel=1e-9)
            assert tuple(interval) == (at.low, at.high)

    def test_subjects_and_weights(self) -> None:
        rng = np.random.default_rng(1)
        y, s = rng.random(300) < 0.5, rng.random(300)
        s = np.where(y, s**0.5, s)
        plain = rs.inference.goal_test("sensitivity", y, s, above=0.6, threshold=0.5)
        assert plain.method == "exact binomial test"
        alone = rs.inference.goal_test("sensitivity", y, s, above=0.6, threshold=0.5, cluster=np.arange(300))
        twice = rs.inference.goal_test(
            "sensitivity", np.tile(y, 2), np.tile(s, 2), above=0.6, threshold=0.5, cluster=np.tile(np.arange(300), 2)
        )
        assert twice.statistic == pytest.approx(alone.statistic, rel=5e-3)
        share = np.mean(s[y] >= 0.5)
        assert alone.statistic == pytest.approx((share - 0.6) / math.sqrt(0.24 / y.sum()), rel=5e-3)
        by_auc = [rs.inference.goal_test("auc", y, s, above=0.6, cluster=c).pvalue for c in (None, np.arange(300))]
        assert by_auc[0] == pytest.approx(by_auc[1], rel=0.02)
        counted = rs.inference.goal_test(
            "fpr", y, s, below=0.6, threshold=0.5, sample_weight=np.full(300, 2), weight_type="frequency"
        )
        assert counted.pvalue < rs.inference.goal_test("fpr", y, s, below=0.6, threshold=0.5).pvalue

    def test_size_and_power_of_an_auc_in_simulated_studies(self) -> None:
        """Few samples here; benchmarks/planning.py has many."""
        plan = power_goal("auc", 0.87, above=0.8, power=0.8)
        y = np.repeat([True, False], [int(plan.n_pos or 0), int(plan.n_neg or 0)])
        rng = np.random.default_rng(9)
        for truth, low, high in ((0.87, 0.74, 0.88), (0.8, 0.02, 0.085)):
            drawn = [rng.normal(size=y.size) + math.sqrt(2) * norm.ppf(truth) * y for _ in range(500)]
            found = [rs.inference.goal_test("auc", y, s, above=0.8).pvalue <= 0.05 for s in drawn]
            assert low < np.mean(found) < high


class TestValidation:
    @pytest.mark.parametrize(
        ("prevalence", "auc", "rows"), [(0.1, 0.7, 1154), (0.5, 0.8, 302), (0.018, 0.8, 4252), (0.018, 0.75, 5125)]
    )
    def test_published_sizes_for_the_auc(self, prevalence: float, auc: float, rows: int) -> None:
        """Widths of 0.1, with 1.96: sizes that public test files of calculators ascribe to Riley et al. 2021.

        The paper itself was not at hand. The second witness is Newcombe's variance, written out here.
        """

        def variance(n: int) -> float:
            more = (n / 2 - 1) * ((1 - auc) / (2 - auc) + auc / (1 + auc))
            return auc * (1 - auc) * (1 + more) / (n * n * prevalence * (1 - prevalence))

        most = (0.1 / 3.92) ** 2
        assert variance(rows) <= most < variance(rows - 1)
        assert rows_for_auc(prevalence, auc, 0.1 / 3.92) == rows

    def test_published_sizes_for_observed_over_expected(self) -> None:
        """Of the same origin; the second witness is the closed form in fractions, (1 - p) / p over the variance."""
        for share, error, rows in (("1/2", "0.051", 385), ("0.1", "0.051", 3461), ("0.1", "0.175", 294)):
            exact = (1 - Fraction(share)) / (Fraction(share) * Fraction(error) ** 2)
            assert math.ceil(rows_for_oe(float(Fraction(share)), float(error))) == math.ceil(exact) == rows
        assert math.ceil(rows_for_oe(0.018, 0.2456)) == 905  # a width of 1, in steps as pmvalsampsize takes them

    def test_widths_are_those_of_the_intervals(self) -> None:
        found = validation_size(prevalence=0.2, auc=0.75, oe_width=0.3, level=0.9)
        oe, slope, area = found.criteria
        z = norm.ppf(0.95)
        assert math.exp(z * oe.se) - math.exp(-z * oe.se) == pytest.approx(0.3)
        assert 0.8 / (0.2 * oe.n) <= oe.se**2 < 0.8 / (0.2 * (oe.n - 1))
        assert 2 * z * slope.se == pytest.approx(0.2)
        assert 2 * z * area.se == pytest.approx(0.1)
        assert found.n == max(oe.n, slope.n, area.n)

    def test_net_benefit_by_the_multinomial_distribution(self) -> None:
        """The delta method on the four cells, slopes by hand: sNB = TP/P - w FP/N with w from the drawn prevalence."""
        p, t, sens, spec = 0.3, 0.2, 0.8, 0.7
        cells = np.array([p * sens, (1 - p) * (1 - spec), p * (1 - sens), (1 - p) * spec])

        def benefit(shares: Any) -> float:
            tp, fp, fn, _ = shares / shares.sum()
            return float((tp - fp * t / (1 - t)) / (tp + fn))

        step = 1e-6
        slopes = np.array(
            [(benefit(cells + step * each) - benefit(cells - step * each)) / (2 * step) for each in np.eye(4)]
        )
        variance = float(cells @ slopes**2 - (cells @ slopes) ** 2)
        assert rows_for_net_benefit(p, t, sens, spec, 0.05) == pytest.approx(variance / 0.05**2, rel=1e-6)

    def test_calls_of_true_risks(self) -> None:
        found = validation_size(prevalence=0.3, auc=0.8, threshold=0.2).criteria[-1]
        gap = math.sqrt(2) * norm.ppf(0.8)
        cut = math.log(0.2 / 0.8) - math.log(0.3 / 0.7)
        sens, spec = ndtr((gap**2 / 2 - cut) / gap), ndtr((cut + gap**2 / 2) / gap)
        assert found.value == pytest.approx(sens - (0.7 / 0.3) * 0.25 * (1 - spec))

    def test_simulated_validations_are_as_sure(self) -> None:
        rng, n = np.random.default_rng(3), 800
        plan = plan_width("calibration_slope", auc=0.8, prevalence=0.3, n=n)
        widths = []
        for _ in range(60):
            y = rng.random(n) < 0.3
            gap = math.sqrt(2) * norm.ppf(0.8)
            log_odds = math.log(0.3 / 0.7) + gap * rng.normal(size=n) + gap**2 * (y - 0.5)
            slope = rs.calibration.calibration_summary(y, expit(log_odds)).slope
            widths.append(slope.high - slope.low)
        assert np.mean(widths) == pytest.approx(plan.width, rel=0.04)


REFUSED = [
    (lambda: plan_width("sensitivity", 0.9), "one of them"),
    (lambda: plan_width("sensitivity", 0.9, width=0.1, n=5), "one of them"),
    (lambda: plan_width("mcc", 0.9, width=0.1), "not of 'mcc'"),
    (lambda: plan_width("auc", 0.9, width=0.1), "give prevalence="),
    (lambda: plan_width("auc", 0.9, width=0.1, prevalence=0.5, method="wilson"), "default interval"),
    (lambda: plan_width("sensitivity", 1.0, width=0.1), "value must lie between 0 and 1"),
    (lambda: plan_width("sensitivity", 0.5, width=-0.1), "above 0"),
    (lambda: plan_width("sensitivity", 0.5, n=0), "1 or more"),
    (lambda: plan_width("sensitivity", 0.5, width=1e-9), "thousand million"),
    (lambda: plan_width("sensitivity", 0.5, width=0.1, spread=2.0), "about the AUC"),
    (lambda: plan_width("ppv", 0.5, width=0.1), "follows from the calls"),
    (lambda: plan_width("calibration_slope", width=0.1), "how scores are spread"),
    (lambda: plan_width("calibration_slope", width=0.1, auc=0.8), "prevalence= too"),
    (lambda: plan_width("calibration_slope", width=0.1, scores=[0.5, 0.5]), "all alike"),
    (lambda: plan_width("calibration_slope", width=0.1, scores=[0.5, 1.5]), "1.5"),
    (lambda: plan_width("calibration_slope", width=0.1, log_odds=(0, 0)), "above 0"),
    (lambda: power_goal("auc", 0.7, above=0.8, power=0.9), "not above 0.8"),
    (lambda: power_goal("auc", 0.9, above=0.8, below=0.9, power=0.9), "one of them"),
    (lambda: power_goal("auc", 0.9, above=0.8, n=100), "both classes"),
    (lambda: power_goal("recall", 0.9, above=0.8, n_pos=100), "about the AUC"),
    (lambda: power_goal("recall", 0.9, above=0.8, power=0.01), "above alpha"),
    (lambda: power_goal("recall", 0.9, above=0.899999, power=0.9), "lie so close"),
    (lambda: power_goal("f1", 0.9, above=0.8, n=10), "not of 'f1'"),
    (lambda: rs.inference.goal_test("auc", [1, 0], [1, 0], above=0.8, threshold=0.5), "no threshold"),
    (lambda: rs.inference.goal_test("auc", [1, 0], [1, 0]), "above= or below="),
    (lambda: rs.inference.goal_test("auc", [1, 0], [1, 0], above=1.0), "between 0 and 1"),
    (lambda: validation_size(prevalence=0.1, auc=0.8, sensitivity=0.5, specificity=0.5), "give threshold= too"),
    (lambda: validation_size(prevalence=0.1, auc=0.8, threshold=0.1, sensitivity=0.5), "or neither"),
    (lambda: validation_size(prevalence=0.1, auc=0.4, threshold=0.1), "above 0.5"),
    (lambda: validation_size(prevalence=0.1, auc=0.8, oe_width=0.0), "oe_width"),
    (lambda: validation_size(prevalence=0.1, auc=0.8, scores=[0.1, 0.2], log_odds=(0, 1)), "not both"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED)
def test_refusals_say_what_to_give(call: Any, words: str) -> None:
    with pytest.raises(rs.RocsteadyError, match=words):
        call()


def test_the_simulation_sees_what_the_library_sees() -> None:
    rng = np.random.default_rng(4)
    pos, neg = rng.normal(size=12) + 1, rng.normal(size=30)
    interval = rs.auc_interval(np.repeat([1, 0], [12, 30]), np.concatenate([pos, neg]))
    assert seen(pos, neg).ends(0.95) == pytest.approx(tuple(interval), rel=1e-12)


def test_no_row_of_the_class_is_no_answer() -> None:
    found = rs.inference.goal_test("precision", rs.measures.Confusion(tp=0, fp=0, fn=3, tn=4), above=0.5)
    assert math.isnan(found.pvalue)


def test_a_measure_is_asked_for_by_its_name() -> None:
    with pytest.raises(rs.ArgumentError, match=r"widths are planned of .*, not of -1"):
        rs.power.plan_width(-1, 0.8, width=0.1)


def test_a_goal_that_stands_only_if_classes_spread_as_seen_says_so() -> None:
    """50 wide positives and 450 narrow negatives: false successes carry the remark, the largest variance of an AUC."""
    rng, told, plain = np.random.default_rng(4), 0, 0
    for _ in range(300):
        y = np.repeat([1, 0], [50, 450])
        s = np.where(y == 1, math.sqrt(1.25) * norm.ppf(0.95) + rng.normal(size=500), 0.5 * rng.normal(size=500))
        found = rs.inference.goal_test("auc", y, s, above=0.95)
        codes = [remark.code for remark in found.warnings]
        if found.pvalue <= 0.05:
            told += "goal_rejects" in codes
            plain += "goal_rejects" not in codes
        else:
            assert "goal_rejects" not in codes
    assert told + plain <= 300 * 0.05  # where few rows are misranked the bound for any distribution holds too
    table = rs.examples.loans(2000)
    far = rs.inference.goal_test("auc", table["defaulted"], table["boosted"], above=0.7)
    assert "goal_rejects" not in [remark.code for remark in far.warnings]
