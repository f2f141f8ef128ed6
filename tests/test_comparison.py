"""Tests between models: laws that every test and alternative must keep, and independent routes to their numbers."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

import rocsteady as rs
from cases import each_case
from rocsteady._src.inference.comparison.hypotheses import PLAIN, WITH_MARGIN
from rocsteady._src.inference.comparison.permute import permutation_p
from rocsteady._src.inference.comparison.simultaneous import each_level

FIXTURES = Path(__file__).parent / "fixtures"
MIRROR = {"two-sided": "two-sided", "greater": "less", "less": "greater"}


def two_models(n: int = 150, *, seed: int = 0, gain: float = 0.5) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = (np.arange(n) % 3 == 0).astype(int)
    shared = rng.normal(size=n)
    first = (y * (1 + gain) + shared + rng.normal(size=n)).round(1)
    second = (y + shared + rng.normal(size=n)).round(1)
    return y, first, second


class TestCompareAuc:
    @each_case("paired", [True, False])
    @each_case("alternative", PLAIN)
    def test_swapping_models_mirrors_the_test(self, alternative: str, paired: bool) -> None:
        y, first, second = two_models()
        one = rs.compare_auc(y, first, second, alternative=alternative, paired=paired)
        other = rs.compare_auc(y, second, first, alternative=MIRROR[alternative], paired=paired)
        assert one.pvalue == pytest.approx(other.pvalue, rel=1e-12)
        assert (one.estimate, one.low, one.statistic) == pytest.approx(
            (-other.estimate, -other.high, -other.statistic), rel=1e-12
        )

    @pytest.mark.parametrize("method", ["delong", "bootstrap", "permutation"])
    def test_identical_models(self, method: Any) -> None:
        y, first, _ = two_models()
        test = rs.compare_auc(y, first, 3 * first + 1, method=method, n_resamples=200, random_state=1)
        assert (test.estimate, test.pvalue) == (0.0, 1.0)
        if method != "permutation":
            assert (test.low, test.high, test.statistic) == (0.0, 0.0, 0.0)
            assert "no row tells the models apart" in test.warnings[0]

    def test_paired_variance_from_all_pairs(self) -> None:
        y, first, second = two_models(60)
        pos, neg = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
        wins = [(s[pos][:, None] > s[neg]) + 0.5 * (s[pos][:, None] == s[neg]) for s in (first, second)]
        difference = wins[0] - wins[1]
        variance = difference.mean(axis=1).var(ddof=1) / pos.size + difference.mean(axis=0).var(ddof=1) / neg.size
        test = rs.compare_auc(y, first, second)
        assert test.estimate == pytest.approx(difference.mean(), abs=1e-15)
        assert test.se == pytest.approx(math.sqrt(variance), rel=1e-12)

    def test_row_order_and_missing_rows(self) -> None:
        y, first, second = two_models()
        order = np.random.default_rng(1).permutation(y.size)
        assert rs.compare_auc(y[order], first[order], second[order]).pvalue == pytest.approx(
            rs.compare_auc(y, first, second).pvalue, rel=1e-12
        )
        holes = first.copy()
        holes[[3, 7]] = np.nan
        kept = np.delete(np.arange(y.size), [3, 7])
        dropped = rs.compare_auc(y, holes, second, missing="drop")
        assert dropped.pvalue == rs.compare_auc(y[kept], first[kept], second[kept]).pvalue
        assert dropped.origin.n_dropped == 2

    def test_frequency_weights_are_repeated_rows(self) -> None:
        y, first, second = two_models()
        weights = 1 + np.arange(y.size) % 3
        weighted = rs.compare_auc(y, first, second, sample_weight=weights, weight_type="frequency")
        repeated = rs.compare_auc(*(column.repeat(weights) for column in (y, first, second)))
        assert (weighted.estimate, weighted.se) == pytest.approx((repeated.estimate, repeated.se), rel=1e-12)

    def test_copies_of_subjects_give_no_evidence(self) -> None:
        y, first, second = two_models()
        doubled = rs.compare_auc(
            *(column.repeat(2) for column in (y, first, second)), cluster=np.arange(y.size).repeat(2)
        )
        assert doubled.se == pytest.approx(rs.compare_auc(y, first, second).se, rel=1e-12)

    def test_unpaired_samples(self) -> None:
        y, first, second = two_models()
        test = rs.compare_auc(y[:70], first[:70], second[70:], paired=False, y_true_second=y[70:], method="delong")
        one, two = rs.auc_interval(y[:70], first[:70]), rs.auc_interval(y[70:], second[70:])
        assert test.se == pytest.approx(math.hypot(one.se, two.se), rel=1e-12)
        df = (one.se**2 + two.se**2) ** 2 / (one.se**4 / 69 + two.se**4 / 79)
        assert test.df == pytest.approx(df, rel=1e-12)
        assert test.pvalue == pytest.approx(2 * stats.t.sf(abs(test.statistic), df), rel=1e-9)

    @pytest.mark.parametrize("limits", [{"fpr_range": (0, 0.2)}, {"tpr_range": (0.8, 1.0)}])
    def test_partial_areas_agree_with_the_bootstrap(self, limits: dict[str, Any]) -> None:
        y, first, second = two_models(900)
        analytic = rs.compare_auc(y, first, second, **limits)
        resampled = rs.compare_auc(y, first, second, method="bootstrap", n_resamples=1000, random_state=1, **limits)
        assert analytic.se == pytest.approx(resampled.se, rel=0.1)
        standard = rs.compare_auc(y, first, second, standardize=True, **limits)
        assert standard.statistic == pytest.approx(analytic.statistic, rel=1e-9)

    def test_no_variation_but_a_difference(self) -> None:
        test = rs.compare_auc([1, 1, 0, 0], [4, 3, 2, 1], [1, 2, 3, 4], method="delong")
        assert (test.estimate, test.statistic, test.pvalue) == (1.0, math.inf, 0.0)
        assert "not certainty" in test.warnings[0]
        found = rs.compare_auc([1, 1, 0, 0], [4, 3, 2, 1], [1, 2, 3, 4])
        assert found.method == "score, paired"
        assert 0.05 < found.pvalue < 1
        assert found.low < 1 == found.estimate == found.high

    def test_single_class_is_refused(self) -> None:
        for method in ("delong", "bootstrap"):
            with pytest.raises(rs.InputError, match="only one class"):
                rs.compare_auc([1, 1], [1, 2], [2, 1], method=method)


class TestMargins:
    def test_non_inferiority_is_a_shifted_test(self) -> None:
        y, first, second = two_models(gain=0.0)
        plain = rs.compare_auc(y, first, second, method="delong")
        shifted = rs.compare_auc(y, first, second, method="delong", alternative="non-inferiority", margin=0.1)
        assert shifted.statistic == pytest.approx((plain.estimate + 0.1) / plain.se, rel=1e-12)
        assert shifted.pvalue == pytest.approx(stats.norm.sf(shifted.statistic), rel=1e-10)
        superior = rs.compare_auc(y, first, second, method="delong", alternative="superiority", margin=0.1)
        assert superior.statistic == pytest.approx((plain.estimate - 0.1) / plain.se, rel=1e-12)

    def test_equivalence_is_two_one_sided_tests(self) -> None:
        y, first, second = two_models(gain=0.1)
        plain = rs.compare_auc(y, first, second, method="delong")
        test = rs.compare_auc(y, first, second, method="delong", alternative="equivalence", margin=0.1)
        sides = [stats.norm.sf((0.1 + plain.estimate) / plain.se), stats.norm.sf((0.1 - plain.estimate) / plain.se)]
        assert test.pvalue == pytest.approx(max(sides), rel=1e-10)
        mirrored = rs.compare_auc(y, second, first, method="delong", alternative="equivalence", margin=0.1)
        assert mirrored.pvalue == pytest.approx(test.pvalue, rel=1e-12)

    def test_identical_models_are_not_inferior(self) -> None:
        y, first, _ = two_models()
        for alternative in ("non-inferiority", "equivalence"):
            assert rs.compare_auc(y, first, first, alternative=alternative, margin=0.01).pvalue == 0.0
        assert rs.compare_auc(y, first, first, alternative="superiority", margin=0.01).pvalue == 1.0

    def test_margins_and_alternatives_must_fit(self) -> None:
        y, first, second = two_models()
        for alternative in WITH_MARGIN:
            for margin in (None, 0, -1, math.nan):
                with pytest.raises(rs.ArgumentError, match="margin"):
                    rs.compare_auc(y, first, second, alternative=alternative, margin=margin)
        with pytest.raises(rs.ArgumentError, match="has no margin"):
            rs.compare_auc(y, first, second, margin=0.1)
        with pytest.raises(rs.ArgumentError, match="alternative must be one of"):
            rs.compare_auc(y, first, second, alternative="bigger")
        with pytest.raises(rs.ArgumentError, match="use method='bootstrap'"):
            rs.compare_auc(y, first, second, method="permutation", alternative="equivalence", margin=0.1)

    def test_words_come_with_the_margin(self) -> None:
        y, first, second = two_models()
        test = rs.compare_auc(y, first, second, alternative="non-inferiority", margin=0.05)
        assert test.hypothesis == "first is not below second by 0.05 or more"


class TestCompareMeasure:
    def test_permutation_against_all_exchanges(self) -> None:
        """Eight rows: every one of the 256 exchanges of ranks, by hand."""
        y = np.array([1, 1, 1, 0, 0, 0, 1, 0])
        first, second = np.array([8, 7, 3, 5, 2, 1, 6, 4.0]), np.array([3, 7, 1, 5, 6, 4, 8, 2.0])
        observed = abs(rs.auc(y, first) - rs.auc(y, second))
        extreme = 0
        for swap in itertools.product([False, True], repeat=8):
            one, two = np.where(swap, second, first), np.where(swap, first, second)
            extreme += abs(rs.auc(y, one) - rs.auc(y, two)) >= observed - 1e-12
        test = rs.compare_measure("auc", y, first, second, method="permutation", n_resamples=4000, random_state=1)
        assert test.pvalue == pytest.approx(extreme / 256, abs=0.02)

    def test_ranks_are_exchanged_not_scales(self) -> None:
        y, first, second = two_models()
        how: dict[str, Any] = {"method": "permutation", "n_resamples": 500, "random_state": 1}
        plain = rs.compare_measure("auc", y, first, second, **how)
        scaled = rs.compare_measure("auc", y, first, np.exp(second), **how)
        assert plain.pvalue == scaled.pvalue

    @pytest.mark.parametrize("method", ["bootstrap", "permutation"])
    @pytest.mark.parametrize("paired", [True, False])
    def test_reproducible(self, method: Any, paired: bool) -> None:
        y, first, second = two_models()
        one, two = (
            rs.compare_measure(
                "ks_statistic",
                y,
                first,
                second,
                method=method,
                paired=paired,
                n_resamples=120,
                random_state=3,
                n_jobs=jobs,
            )
            for jobs in (1, 2)
        )
        assert one.to_dict() == two.to_dict()
        assert one.resampling.seed == 3

    def test_never_zero(self) -> None:
        y, first, second = two_models(gain=6)
        test = rs.compare_measure("auc", y, first, -second, method="permutation", n_resamples=99, random_state=1)
        assert test.pvalue == 0.01
        assert "Monte Carlo error" in test.warnings[0]

    def test_one_sided_p(self) -> None:
        values = np.array([-2.0, -1.0, 0.0, 1.0, 2.0, np.nan])
        assert permutation_p(values, 1.0, "greater")[0] == 3 / 6
        assert permutation_p(values, 1.0, "less")[0] == 5 / 6
        assert permutation_p(values, 1.0, "two-sided")[0] == 5 / 6

    def test_bootstrap_agrees_with_delong(self) -> None:
        y, first, second = two_models(600)
        resampled = rs.compare_measure("auc", y, first, second, random_state=1)
        assert resampled.se == pytest.approx(rs.compare_auc(y, first, second).se, rel=0.08)
        assert resampled.estimate == rs.compare_auc(y, first, second).estimate

    def test_clusters_are_exchanged_whole(self) -> None:
        y, first, second = two_models(90)
        copies = [column.repeat(3) for column in (y, first, second)]
        alone = rs.compare_measure("auc", y, first, second, method="permutation", random_state=1)
        tripled = rs.compare_measure(
            "auc", *copies, method="permutation", random_state=1, cluster=np.arange(90).repeat(3)
        )
        assert tripled.pvalue == pytest.approx(alone.pvalue, abs=1e-12)

    @pytest.mark.parametrize(
        ("measure", "value"), [("specificity_at(sensitivity=0.8)", 0.8), ("sensitivity_at(specificity=0.8)", 0.8)]
    )
    def test_fixed_points(self, measure: str, value: float) -> None:
        y, first, second = two_models(400)
        test = rs.compare_measure(measure, y, first, second, random_state=1, n_resamples=300)
        name, _, rest = measure.partition("(")
        function, params = rs.get_measure(name), {rest.partition("=")[0]: value}
        assert test.estimate == function(y, first, **params) - function(y, second, **params)
        assert test.pvalue < 1


class TestCompareModels:
    def scores(self) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        y, first, second = two_models(200)
        return y, {"a": first, "b": second, "c": -first, "copy of a": 2 * first}

    def test_pairs_are_the_tests_of_two(self) -> None:
        y, scores = self.scores()
        comparison = rs.compare_models(y, scores)
        assert len(comparison.pairs) == 6
        for pair in comparison.pairs:
            alone = rs.compare_auc(y, scores[pair.first], scores[pair.second])
            assert (pair.test.estimate, pair.test.pvalue) == pytest.approx((alone.estimate, alone.pvalue), rel=1e-9)

    def test_baseline(self) -> None:
        y, scores = self.scores()
        comparison = rs.compare_models(y, scores, baseline="b")
        assert [(pair.first, pair.second) for pair in comparison.pairs] == [("a", "b"), ("c", "b"), ("copy of a", "b")]
        with pytest.raises(rs.ArgumentError, match="there is no model 'z'"):
            rs.compare_models(y, scores, baseline="z")

    def test_omnibus_of_two_distinct_models_is_the_square(self) -> None:
        """A copy adds no degree of freedom."""
        y, scores = self.scores()
        three = {name: scores[name] for name in ("a", "b", "copy of a")}
        for method in ("delong", "delong-t"):
            omnibus = rs.compare_models(y, three, method=method).omnibus
            alone = rs.compare_auc(y, scores["a"], scores["b"], method=method)
            assert omnibus.df == 1
            assert omnibus.statistic == pytest.approx(alone.statistic**2, rel=1e-9)
            assert omnibus.pvalue == pytest.approx(alone.pvalue, rel=1e-9)

    def test_omnibus_of_copies(self) -> None:
        y, first, _ = two_models()
        omnibus = rs.compare_models(y, {"a": first, "b": first * 2, "c": first + 1}).omnibus
        assert (omnibus.statistic, omnibus.pvalue, omnibus.df) == (0.0, 1.0, 0.0)

    def test_omnibus_does_not_depend_on_order(self) -> None:
        y, scores = self.scores()
        del scores["copy of a"]
        turned = dict(reversed(scores.items()))
        assert rs.compare_models(y, scores).omnibus.statistic == pytest.approx(
            rs.compare_models(y, turned).omnibus.statistic, rel=1e-9
        )

    def test_no_model_is_refused(self) -> None:
        with pytest.raises(rs.ArgumentError, match="no scores were given"):
            rs.compare_models([1, 0], {})

    def test_one_model_is_refused(self) -> None:
        with pytest.raises(rs.ArgumentError, match="at least two models"):
            rs.compare_models([1, 0], {"a": [1, 2]})

    def test_forms(self) -> None:
        y, scores = self.scores()
        comparison = rs.compare_models(y, scores)
        frame = comparison.to_frame()
        assert list(frame.columns) == [
            "first",
            "second",
            "difference",
            "low",
            "high",
            "statistic",
            "pvalue",
            "p_holm",
            "p_bh",
        ]
        json.dumps(comparison.to_dict(), allow_nan=True)
        assert "a has the highest AUC" in str(comparison)


class TestVerdict:
    def test_says_no_more_than_the_numbers(self) -> None:
        y, first, second = two_models(60, gain=0.1)
        comparison = rs.compare_models(y, {"a": first, "b": second})
        (pair,) = comparison.pairs
        assert pair.test.pvalue > 0.05
        (line,) = comparison.verdict
        assert line.startswith("a and b cannot be told apart with 60 rows; a difference of")
        needed = float(line.split("difference of ")[1].split()[0])
        assert needed == pytest.approx((1.959964 + 0.841621) * pair.test.se, rel=0.05)

    def test_names_the_better_one(self) -> None:
        y, first, second = two_models(900, gain=1.0)
        for scores in ({"a": first, "b": second}, {"b": second, "a": first}):
            (line,) = rs.compare_models(y, scores).verdict
            assert line.startswith("a ranks better than b: AUC +0.")

    def test_allows_for_the_number_of_comparisons(self) -> None:
        rng = np.random.default_rng(3)
        for seed in range(200):
            y, first, second = two_models(120, seed=seed, gain=0.6)
            noise = {f"n{i}": second + rng.normal(size=120) for i in range(3)}
            comparison = rs.compare_models(y, {"a": first, "b": second, **noise})
            pair = comparison.pairs[0]
            if pair.test.pvalue < 0.05 <= pair.p_holm:
                break
        line = next(line for line in comparison.verdict if line.startswith("a and b"))
        assert "once 10 comparisons are allowed for" in line

    def test_copies(self) -> None:
        y, first, _ = two_models()
        (line,) = rs.compare_models(y, {"a": first, "b": first}).verdict
        assert line == "a and b cannot be told apart by any of these rows"


class TestAuto:
    """The method that was measured best, named, always the same answer, and never silently at odds with itself."""

    def test_the_rule(self) -> None:
        rng = np.random.default_rng(3)
        y = np.repeat([1, 0], [60, 140])
        low, high = (np.array([gap * y + rng.normal(size=200) for _ in range(2)]) for gap in (0.7, 3.5))
        few = np.repeat([1, 0], [3, 100])
        for label, scores, how, method in (
            (y, low, {}, "delong-t, paired"),
            (y, high, {}, "score with gaffke, paired"),
            (y, low, {"paired": False}, "delong-t, unpaired"),
            (few, rng.normal(size=(2, 103)), {}, "score, paired"),
            (few, rng.normal(size=(2, 103)), {"paired": False}, "score, unpaired"),
            (y, low, {"fpr_range": (0, 0.2)}, "delong-t, paired"),
            (y, low, {"fpr_range": (0, 0.01)}, "permutation, paired"),
            (y, low, {"sample_weight": rng.random(200)}, "delong-t, paired"),
            (y, low, {"cluster": np.arange(200) // 2}, "delong-t, paired"),
            (y, low, {"cluster": np.arange(200) % 3}, "score, paired"),
        ):
            found = rs.compare_auc(label, *scores, **how)
            assert (found.method, found.auto) == (method, True)
            assert "chosen by auto" in str(found)
            assert found.to_dict()["auto"] is True
            if "gaffke" in method:  # no method of its own: what "auto" adds
                continue
            asked = rs.compare_auc(label, *scores, method=method.partition(",")[0], random_state=0, **how)
            assert (asked.pvalue, asked.auto) == (found.pvalue, False)

    def test_permutations_are_the_same_every_time_and_say_how_the_interval_is_made(self) -> None:
        y, first, second = two_models(60)
        how: dict[str, Any] = {"fpr_range": (0, 0.05), "n_resamples": 500}
        one, two = (rs.compare_auc(y, first, second, **how) for _ in range(2))
        assert one.pvalue == two.pvalue
        assert one.resampling.seed == two.resampling.seed == 0
        assert one.warnings[0] == "p by permutation; the interval is that of delong-t, and need not agree with p"
        plain = rs.compare_auc(y, first, second, fpr_range=(0, 0.05), method="delong-t")
        assert (one.low, one.high) == (plain.low, plain.high)

    def test_measures_of_few_rows_are_permuted(self) -> None:
        y, first, second = two_models(24)
        found = rs.compare_measure("average_precision", y, first, second, n_resamples=100)
        assert (found.method, found.auto) == ("permutation, paired", True)
        assert found.low < found.estimate < found.high
        assert "need not agree" in found.warnings[0]
        y, first, second = two_models(150)
        found = rs.compare_measure("average_precision", y, first, second, n_resamples=100)
        assert (found.method, found.auto) == ("bootstrap, paired", True)
        assert found.resampling.seed == 0

    @pytest.mark.parametrize("method", ["delong-t", "score"])
    def test_p_and_interval_say_the_same(self, method: str) -> None:
        for seed in range(40):
            y, first, second = two_models(60, seed=seed, gain=1.0)
            found = rs.compare_auc(y, first, second, method=method)
            assert (found.pvalue < 0.05) == (not found.low <= 0 <= found.high)

    def test_a_one_sided_test_says_which_interval_goes_with_it(self) -> None:
        y, first, second = two_models()
        found = rs.compare_auc(y, first, second, alternative="non-inferiority", margin=0.05)
        assert found.convention == "two-sided interval: the one-sided test at 0.05 goes with level 0.9"
        assert found.convention in str(found)
        assert found.to_dict()["convention"] == found.convention
        assert rs.compare_auc(y, first, second).convention == ""
        for margin in (0.01, 0.03, 0.1):
            how: dict[str, Any] = {"alternative": "non-inferiority", "margin": margin}
            narrow = rs.compare_auc(y, second, first, level=0.9, **how)
            assert (narrow.pvalue < 0.05) == (narrow.low > -margin)


class TestSimultaneous:
    def test_they_are_wider_and_no_wider_than_bonferroni(self) -> None:
        rng = np.random.default_rng(5)
        y = np.arange(200) % 2
        scores = {name: y + rng.normal(size=200) for name in "abcd"}
        apart = rs.compare_models(y, scores)
        for baseline in (None, "b"):
            apart = rs.compare_models(y, scores, baseline=baseline)
            together = rs.compare_models(y, scores, baseline=baseline, intervals="simultaneous")
            level = 1 - 0.05 / len(apart.pairs)
            widest = rs.compare_models(y, scores, baseline=baseline, level=level)
            for one, two, three in zip(apart.pairs, together.pairs, widest.pairs, strict=True):
                assert three.test.low <= two.test.low < one.test.low
                assert one.test.high < two.test.high <= three.test.high
                assert (one.test.pvalue, one.test.level) == (two.test.pvalue, two.test.level)
            assert "hold together at level 0.95" in together.convention
            assert "each interval holds by itself" in apart.convention
            assert together.convention in str(together)
            assert "simultaneous intervals" in together.plot().ax_.get_xlabel()
            assert "simultaneous" not in apart.plot().ax_.get_xlabel()

    def test_the_level_against_tukey_and_dunnett(self) -> None:
        """Independent estimates of equal variance: Tukey's quantile, sqrt(2) apart; Dunnett's by scipy."""
        pairs = list(itertools.combinations(range(4), 2))
        found = each_level(np.eye(4), pairs, 0.95)
        quantile = stats.studentized_range.ppf(0.95, 4, 1e6) / math.sqrt(2)
        assert found == pytest.approx(2 * stats.norm.cdf(quantile) - 1, abs=6e-4)
        against = [(i, 3) for i in range(3)]
        corner = np.full((3, 3), 0.5) + 0.5 * np.eye(3)
        z = stats.norm.ppf((1 + each_level(np.eye(4), against, 0.95)) / 2)
        joint = stats.multivariate_normal(cov=corner).cdf([z] * 3, lower_limit=[-z] * 3)
        assert joint == pytest.approx(0.95, abs=2e-3)

    def test_one_pair_and_copies_need_no_more(self) -> None:
        assert each_level(np.eye(2), [(0, 1)], 0.9) == 0.9
        assert each_level(np.ones((3, 3)), [(0, 1), (0, 2)], 0.9) == 0.9
        unknown = np.full((3, 3), math.nan)
        assert each_level(unknown, [(0, 1), (0, 2)], 0.9) == pytest.approx(0.95)
        with pytest.raises(rs.ArgumentError, match="separate, simultaneous"):
            rs.compare_models([1, 0, 1, 0], {"a": [1, 2, 3, 4], "b": [2, 1, 4, 3]}, intervals="wide")


class TestScoresOfModels:
    """A mapping, any DataFrame, or an array with names: the same columns, the same comparison."""

    def test_containers(self) -> None:
        y, first, second = two_models()
        expected = rs.compare_models(y, {"a": first, "b": second}).to_dict()
        frames = [pd.DataFrame({"a": first, "b": second}), pl.DataFrame({"a": first, "b": second})]
        for scores in frames:
            assert rs.compare_models(y, scores).to_dict() == expected
        both = np.column_stack([first, second])
        for array in (both, both.tolist()):
            assert rs.compare_models(y, array, names=["a", "b"]).to_dict() == expected

    def test_what_is_unclear_is_said(self) -> None:
        y, first, second = two_models()
        both = np.column_stack([first, second])
        assert rs.compare_models(y, both).models == ("model 1", "model 2")
        with pytest.raises(rs.ArgumentError, match="2 columns, so names= must hold as many different names"):
            rs.compare_models(y, both, names=["a", "a"])
        with pytest.raises(rs.ArgumentError, match="at least two models"):
            rs.compare_models(y, first)
        with pytest.raises(rs.ArgumentError, match="has its own"):
            rs.compare_models(y, {"a": first, "b": second}, names=["a", "b"])
        with pytest.raises(rs.ArgumentError, match="called by text, and these are not: 0, 1"):
            rs.compare_models(y, pd.DataFrame(both))
        with pytest.raises(rs.InputError, match="score"):
            rs.compare_models(y, 3)


class TestAdjustment:
    def test_against_scipy_and_by_hand(self) -> None:
        rng = np.random.default_rng(1)
        for size in (1, 2, 5, 30):
            p = rng.random(size).round(1)
            assert rs.adjust_pvalues(p, "bh") == pytest.approx(stats.false_discovery_control(p), rel=1e-12)
            expected = stats.false_discovery_control(p, method="by")
            assert rs.adjust_pvalues(p, "by") == pytest.approx(expected, rel=1e-12)
            order = np.argsort(p, kind="stable")
            running, expected = 0.0, np.empty(size)
            for place, which in enumerate(order):
                running = max(running, min(1.0, p[which] * (size - place)))
                expected[which] = running
            assert rs.adjust_pvalues(p, "holm") == pytest.approx(expected, rel=1e-12)

    def test_unknown_ones_are_not_counted(self) -> None:
        adjusted = rs.adjust_pvalues([0.01, math.nan, 0.04])
        assert adjusted[0] == 0.02
        assert math.isnan(adjusted[1])
        assert rs.adjust_pvalues([0.3, 0.2], "none").tolist() == [0.3, 0.2]
        with pytest.raises(rs.ArgumentError, match="holm, bh"):
            rs.adjust_pvalues([0.1], "bonferroni")

    @pytest.mark.parametrize("case", json.loads((FIXTURES / "r_padjust.json").read_text())["cases"])
    def test_adjusted_as_in_r(self, case: dict[str, Any]) -> None:
        """p.adjust of R, by the three methods, with ties, zeros and missing ones."""
        given = [math.nan if p is None else p for p in case["p"]]
        for method in ("holm", "bh", "by"):
            expected = [math.nan if p is None else p for p in case[method]]
            assert rs.adjust_pvalues(given, method) == pytest.approx(expected, rel=1e-14, nan_ok=True)

    @pytest.mark.parametrize("method", ["holm", "bh", "by", "none"])
    def test_what_is_no_probability_is_refused(self, method: str) -> None:
        with pytest.raises(rs.InputError, match=r"2 outside \[0, 1\], rows 0, 2, such as -1"):
            rs.adjust_pvalues([-1, 0.5, 1.5], method)
        with pytest.raises(rs.InputError, match="one number per test"):
            rs.adjust_pvalues(["a"], method)
        with pytest.raises(rs.InputError, match="2 dimensions"):
            rs.adjust_pvalues([[0.5]], method)


class TestEvaluation:
    TABLE = rs.examples.loans(400)

    def test_intervals(self) -> None:
        result = rs.evaluate(
            self.TABLE,
            label="defaulted",
            scores=["boosted", "grade"],
            measures=["auc", "gini", "partial_auc", "ks_statistic", "recall", "mcc"],
            threshold=0.3,
            intervals=True,
            n_resamples=100,
        )
        y, score = self.TABLE["defaulted"], self.TABLE["boosted"]
        found = result.intervals["boosted"]
        assert found["auc"].low == rs.auc_interval(y, score).low
        assert found["gini"].high == pytest.approx(2 * rs.auc_interval(y, score).high - 1, rel=1e-12)
        assert found["partial_auc"].se == rs.auc_interval(y, score, fpr_range=(0, 0.1)).se
        assert found["recall"].low == rs.measure_interval("recall", y, score, threshold=0.3).low
        assert found["matthews_correlation"].method == "mid-p"
        assert found["ks_statistic"].resampling.n_resamples == 100
        assert {"auc", "auc_low", "auc_high"} <= set(result.to_frame().columns)
        assert "0.9" in str(result)
        assert "intervals at level 0.95" in str(result)

    def test_undefined_values_have_none(self) -> None:
        table = {"y": [1, 0, 1, 0], "a": [0.1, 0.2, 0.3, 0.2]}
        result = rs.evaluate(table, label="y", scores="a", measures=["auc", "precision"], threshold=0.9, intervals=True)
        assert "precision" not in result.intervals["a"]

    def test_compare(self) -> None:
        result = rs.evaluate(self.TABLE, label="defaulted", scores=["boosted", "logistic"])
        comparison = result.compare()
        alone = rs.compare_auc(self.TABLE["defaulted"], self.TABLE["boosted"], self.TABLE["logistic"])
        assert comparison.pairs[0].test.pvalue == pytest.approx(alone.pvalue, rel=1e-9)

    def test_repeated_ids_are_refused(self) -> None:
        table = {"y": [1, 0, 1, 0], "a": [4, 2, 3, 1], "b": [4, 3, 2, 1], "who": ["p", "p", "q", "r"]}
        with pytest.warns(rs.RocsteadyWarning, match="repeat an id"):
            result = rs.evaluate(table, label="y", scores=["a", "b"], id="who", measures=["auc"])
        with pytest.raises(rs.InputError, match="pass cluster='who'"):
            result.compare()
        with pytest.raises(rs.InputError, match="such as 'p'"):
            rs.evaluate(table, label="y", scores="a", id="who", measures=["auc"], intervals=True)
        by_subject = rs.evaluate(table, label="y", scores=["a", "b"], cluster="who", measures=["auc"], intervals=True)
        assert by_subject.compare(method="delong").method == "delong, paired, by cluster"
        assert by_subject.compare().method == "score with gaffke, paired, by cluster"
        expected = rs.auc_interval(table["y"], table["b"], cluster=table["who"]).se
        assert by_subject.intervals["b"]["auc"].se == pytest.approx(expected, rel=1e-12)

    def test_sampling_weights_reach_the_intervals(self) -> None:
        rng = np.random.default_rng(1)
        weights = rng.uniform(0.5, 2, 400)
        table = {**{name: self.TABLE[name] for name in ("defaulted", "boosted")}, "w": weights}
        result = rs.evaluate(
            table,
            label="defaulted",
            scores="boosted",
            weight="w",
            measures=["auc", "average_precision"],
            intervals=True,
            n_resamples=50,
        )
        alone = rs.auc_interval(table["defaulted"], table["boosted"], sample_weight=weights)
        assert result.intervals["boosted"]["auc"].se == pytest.approx(alone.se, rel=1e-12)
        assert result.intervals["boosted"]["average_precision"].resampling.scheme == "rows"


def test_small_classes_are_remarked() -> None:
    y, first, second = two_models(24)
    test = rs.compare_auc(y, first, second, method="delong")
    assert "rejects too often" in test.warnings[-1]
    both = {"a": first, "b": second}
    assert "rejects too often" in rs.compare_models(y, both, method="delong").warnings[0]
    assert not any("too often" in text for text in rs.compare_models(y, both).warnings)


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_percentiles_and_test_that_disagree_are_told(seed: int) -> None:
    rng = np.random.default_rng(seed)
    y, shared = np.repeat([1, 0], [10, 60]), rng.standard_normal(70)
    first, second = (shared + 0.5 * rng.standard_normal(70) + gap * y for gap in (1.6, 1.2))
    how: dict[str, Any] = {"method": "bootstrap", "n_resamples": 200, "random_state": seed}
    found = rs.compare_measure("auc", y, first, second, **how)
    codes = {remark.code for remark in found.warnings}
    apart = (found.pvalue <= 0.05) == (found.low <= 0 <= found.high)
    assert apart == (seed > 0) == ("percentiles_leave_none" in codes)
    one_sided = rs.compare_measure("auc", y, first, second, alternative="greater", **how)
    assert not any(remark.code.startswith("percentiles") for remark in one_sided.warnings)
