"""Intervals: DeLong against all pairs in fractions, weights against repeated rows, resampling against formulas."""

from __future__ import annotations

import inspect
import itertools
import math
import os
import pickle
import threading
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rocsteady as rs
from cases import each_case
from rocsteady._src.inference.intervals.formulas import newcombe_ends, newcombe_variance
from rocsteady._src.inference.resampling import resample
from rocsteady._src.inference.resampling.draws import GroupDraws, RowDraws
from rocsteady._src.inference.resampling.resample import replicate, reweighted, sampler
from rocsteady._src.inference.units.components import Area, delong_variance
from rocsteady._src.inference.units.influence import area_covariance
from rocsteady._src.inputs.weights import ASSUMED
from rocsteady._src.ranked import read_models

RANGES: list[dict[str, Any]] = [
    {"fpr_range": (0.0, 0.2)},
    {"fpr_range": (0.1, 0.5)},
    {"tpr_range": (0.6, 1.0)},
    {"fpr_range": (0.0, 0.3), "standardize": True},
    {"tpr_range": (0.5, 0.9), "standardize": True},
]


def sample(n: int = 120, *, ties: bool = True, seed: int = 0, share: float = 0.4) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < share).astype(int)
    score = rng.normal(size=n) + y
    return y, score.round(1) if ties else score


def win(p: Any, n: Any) -> Fraction:
    return Fraction(int(p > n)) + Fraction(int(p == n), 2)


def exact_delong(positives: list[Any], negatives: list[Any]) -> Fraction:
    """The definition, over all pairs."""

    def part(values: list[Fraction]) -> Fraction:
        mean = sum(values, Fraction(0)) / len(values)
        return sum(((value - mean) ** 2 for value in values), Fraction(0)) / (len(values) - 1) / len(values)

    of_pos = [sum(win(p, n) for n in negatives) / len(negatives) for p in positives]
    of_neg = [sum(win(p, n) for p in positives) / len(positives) for n in negatives]
    return part(of_pos) + part(of_neg)


class_scores = st.lists(st.integers(0, 5), min_size=2, max_size=9)


class TestDeLong:
    @given(class_scores, class_scores)
    def test_all_pairs_in_fractions(self, positives: list[int], negatives: list[int]) -> None:
        y = [1] * len(positives) + [0] * len(negatives)
        se = rs.auc_interval(y, positives + negatives).se
        assert se is not None
        assert se**2 == pytest.approx(float(exact_delong(positives, negatives)), rel=1e-12, abs=1e-17)

    @given(class_scores, class_scores, st.integers(1, 4))
    def test_frequency_weights_are_repeated_rows(self, positives: list[int], negatives: list[int], times: int) -> None:
        y = np.array([1] * len(positives) + [0] * len(negatives))
        score = np.array(positives + negatives)
        weights = 1 + (np.arange(y.size) * times) % 4
        weighted = rs.auc_interval(y, score, sample_weight=weights, weight_type="frequency")
        repeated = rs.auc_interval(y.repeat(weights), score.repeat(weights))
        assert (weighted.estimate, weighted.se) == (repeated.estimate, repeated.se)

    @pytest.mark.parametrize("method", ["delong", "logit", "newcombe", "hanley-mcneil"])
    def test_swapping_the_classes_mirrors_the_interval(self, method: Any) -> None:
        y, score = sample()
        one, other = rs.auc_interval(y, score, method=method), rs.auc_interval(1 - y, score, method=method)
        assert (1 - other.high, 1 - other.low) == pytest.approx((one.low, one.high), abs=1e-12)

    def test_order_and_container_do_not_matter(self) -> None:
        y, score = sample()
        order = np.random.default_rng(1).permutation(y.size)
        assert rs.auc_interval(list(y[order]), list(score[order])).to_dict() == rs.auc_interval(y, score).to_dict()
        assert rs.auc_interval(rs.rank(y, score)).to_dict() == rs.auc_interval(y, score).to_dict()

    def test_rank_only(self) -> None:
        y, score = sample()
        assert rs.auc_interval(y, np.exp(score)).se == rs.auc_interval(y, score).se

    @pytest.mark.parametrize("limits", RANGES, ids=str)
    def test_the_whole_range_is_the_auc(self, limits: dict[str, Any]) -> None:
        y, score = sample()
        whole = {next(iter(limits)): (0.0, 1.0)}
        assert rs.auc_interval(y, score, **whole).se == pytest.approx(rs.auc_interval(y, score).se, rel=1e-12)


class TestPartial:
    @pytest.mark.parametrize("limits", RANGES, ids=str)
    @pytest.mark.parametrize("ties", [False, True])
    def test_standard_error_is_the_jackknifes(self, limits: dict[str, Any], ties: bool) -> None:
        """The influence function is the limit of leaving one row out."""
        y, score = sample(1500, ties=False, seed=3)
        score = score.round(1) if ties else score
        analytic = rs.auc_interval(y, score, **limits)
        jackknife = rs.jackknife_interval("partial_auc", y, score, params=limits)
        assert analytic.estimate == pytest.approx(rs.partial_auc(y, score, **limits), abs=1e-15)
        assert analytic.se == pytest.approx(jackknife.se, rel=0.02)

    @pytest.mark.parametrize("limits", RANGES, ids=str)
    def test_components_average_to_the_area(self, limits: dict[str, Any]) -> None:
        ranked = rs.rank(*sample())
        parts = Area(**limits).components(ranked)
        assert ranked.pos @ parts.of_pos / ranked.n_pos == pytest.approx(parts.theta, abs=1e-14)
        assert ranked.neg @ parts.of_neg / ranked.n_neg == pytest.approx(parts.theta, abs=1e-14)

    def test_mirrored_ranges(self) -> None:
        """Classes swapped and scores negated, the curve is mirrored: TPR ranges become FPR ranges."""
        y, score = sample()
        one = rs.auc_interval(y, score, tpr_range=(0.7, 0.95))
        other = rs.auc_interval(1 - y, -score, fpr_range=(0.05, 0.3))
        assert (one.estimate, one.se) == pytest.approx((other.estimate, other.se), rel=1e-12)


class TestWeightsAndClusters:
    def test_every_row_its_own_cluster(self) -> None:
        y, score = sample()
        assert rs.auc_interval(y, score, cluster=np.arange(y.size)).se == pytest.approx(rs.auc_interval(y, score).se)

    def test_equal_sampling_weights_change_nothing(self) -> None:
        y, score = sample()
        weighted = rs.auc_interval(y, score, sample_weight=np.full(y.size, 0.37))
        assert weighted.se == pytest.approx(rs.auc_interval(y, score).se, rel=1e-12)
        assert ASSUMED in weighted.warnings

    def test_doubled_rows_in_clusters_keep_the_variance(self) -> None:
        """Obuchowski's variance sees through copies, up to its corrections for the number of clusters."""
        y, score = sample(600)
        doubled = rs.auc_interval(y.repeat(2), score.repeat(2), cluster=np.arange(y.size).repeat(2))
        assert doubled.se == pytest.approx(rs.auc_interval(y, score).se, rel=1e-12)
        assert rs.auc_interval(y.repeat(2), score.repeat(2)).se < 0.72 * doubled.se

    def test_sampling_weights_against_the_bootstrap(self) -> None:
        y, score = sample(500, ties=False, seed=5)
        weights = np.random.default_rng(6).uniform(0.2, 3.0, y.size)
        analytic = rs.auc_interval(y, score, sample_weight=weights)
        resampled = rs.auc_interval(y, score, sample_weight=weights, method="bootstrap", random_state=7)
        assert analytic.se == pytest.approx(resampled.se, rel=0.06)

    def test_clusters_against_the_bootstrap(self) -> None:
        y, score = sample(600, ties=False, seed=8)
        subject = np.arange(y.size) // 3
        score = score + np.random.default_rng(9).normal(size=200)[subject]
        analytic = rs.auc_interval(y, score, cluster=subject)
        resampled = rs.auc_interval(y, score, cluster=subject, method="bootstrap", random_state=7)
        assert analytic.se == pytest.approx(resampled.se, rel=0.08)
        assert resampled.resampling.scheme == "subjects"

    def test_obuchowski_written_out(self) -> None:
        """Obuchowski 1997 with sums over subjects, from all pairs."""
        y, score = sample(60)
        subject = np.arange(60) % 20
        pos, neg = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
        wins = np.array([[float(win(score[p], score[n])) for n in neg] for p in pos])
        theta, m, n = wins.mean(), pos.size, neg.size
        x, z = np.zeros(20), np.zeros(20)
        np.add.at(x, subject[pos], wins.mean(axis=1) - theta)
        np.add.at(z, subject[neg], wins.mean(axis=0) - theta)
        i10, i01 = len(set(subject[pos])), len(set(subject[neg]))
        s10, s01 = i10 / (i10 - 1) / m * (x**2).sum(), i01 / (i01 - 1) / n * (z**2).sum()
        s11 = 20 / 19 * (x * z).sum()
        variance = s10 / m + s01 / n + 2 * s11 / (m * n)
        assert rs.auc_interval(y, score, cluster=subject).se == pytest.approx(math.sqrt(variance), rel=1e-12)

    def test_text_clusters(self) -> None:
        y, score = sample(40)
        subject = np.arange(40) // 2
        named = [f"person {number}" for number in subject]
        assert rs.auc_interval(y, score, cluster=named).se == rs.auc_interval(y, score, cluster=subject).se

    def test_summed_sampling_weights_are_refused(self) -> None:
        ranked = rs.rank([1, 0, 1, 0], [1, 2, 3, 4], sample_weight=[0.5, 1, 1, 1])
        with pytest.raises(rs.InputError, match="sums of sampling weights"):
            rs.auc_interval(ranked)

    def test_frequency_weights_must_be_whole(self) -> None:
        with pytest.raises(rs.ArgumentError, match="whole numbers"):
            rs.auc_interval([1, 0, 1, 0], [1, 2, 3, 4], sample_weight=[0.5, 1, 1, 1], weight_type="frequency")


class TestFormulas:
    def test_newcombe_inverts_its_test(self) -> None:
        for a, n_pos, n_neg in itertools.product((0.0, 0.31, 0.5, 0.9, 1.0), (2, 10, 200), (3, 50)):
            z = 1.959963984540054
            low, high = newcombe_ends(a, n_pos, n_neg, z)
            assert 0 <= low <= a <= high <= 1
            for end in (low, high):
                if 0 < end < 1:
                    excess = abs(a - end) - z * math.sqrt(newcombe_variance(end, n_pos, n_neg))
                    assert excess == pytest.approx(0, abs=1e-12)

    def test_survey_example(self) -> None:
        """Table 4 of the survey: P = N = 50 and AUC .618 give p = .0420."""
        z = 0.118 / math.sqrt(101 / (12 * 2500))
        assert 2 * stats.norm.sf(z) == pytest.approx(0.0420, abs=5e-5)
        rng = np.random.default_rng(0)
        y = [1] * 50 + [0] * 50
        while True:
            score = rng.normal(size=100) + 0.4 * np.array(y)
            if rs.auc(y, score) == 0.618:
                break
        assert rs.auc_null_test(y, score).statistic == pytest.approx(z, rel=1e-12)

    @each_case("alternative", ["two-sided", "greater", "less"])
    @each_case("ties", [False, True])
    def test_null_test_is_mann_whitney(self, alternative: str, ties: bool) -> None:
        y, score = sample(ties=ties)
        ours = rs.auc_null_test(y, score, alternative=alternative, method="normal")
        theirs = stats.mannwhitneyu(
            score[y == 1], score[y == 0], alternative=alternative, method="asymptotic", use_continuity=False
        )
        assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-12)


class TestContinuity:
    """Half a pair against the alternative: SciPy's and R's rule."""

    @pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
    def test_a_tie_heavy_sample(self, alternative: str) -> None:
        ours = rs.auc_null_test([1, 1, 0, 0], [1, 1, 1, 2], alternative=alternative, continuity=True)
        expected = {"two-sided": 0.6170750774519738, "greater": 0.9331927987311419, "less": 0.3085375387259869}
        assert ours.pvalue == pytest.approx(expected[alternative], abs=1e-12)

    @each_case("alternative", ["two-sided", "greater", "less"])
    @each_case("digits", [0, 1, 6])
    def test_against_scipy(self, alternative: Any, digits: int) -> None:
        rng = np.random.default_rng(digits)
        for gap in (-1.0, -0.2, 0.0, 0.3, 1.5):
            y = rng.random(30) < 0.4
            score = np.round(rng.normal(size=30) + gap * y, digits)
            ours = rs.auc_null_test(y, score, alternative=alternative, continuity=True)
            options = {"alternative": alternative, "method": "asymptotic", "use_continuity": True}
            assert ours.pvalue == pytest.approx(stats.mannwhitneyu(score[y], score[~y], **options).pvalue, abs=1e-12)

    def test_at_one_half_it_moves_nothing_two_sided(self) -> None:
        even = rs.auc_null_test([1, 0, 1, 0], [1, 1, 2, 2], continuity=True)
        assert (even.statistic, even.pvalue) == (0.0, 1.0)


class TestDegenerate:
    def test_perfect_separation(self) -> None:
        y, score = [1, 1, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1]
        wald = rs.auc_interval(y, score, method="delong")
        assert (wald.low, wald.high) == (1.0, 1.0)
        assert "not certainty" in wald.warnings[0]
        assert math.isnan(rs.auc_interval(y, score, method="logit").low)
        better = rs.auc_interval(y, score, method="newcombe")
        assert better.low < 0.7
        assert better.high == 1.0
        assert better.warnings == ()

    def test_one_positive(self) -> None:
        interval = rs.auc_interval([1, 0, 0], [3, 2, 4], method="delong")
        assert interval.estimate == 0.5
        assert math.isnan(interval.se)
        assert math.isnan(interval.low)
        assert "undefined" in interval.warnings[0]

    def test_all_scores_equal(self) -> None:
        interval = rs.auc_interval([1, 0, 1, 0], [2, 2, 2, 2], method="delong")
        assert (interval.estimate, interval.low, interval.high) == (0.5, 0.5, 0.5)
        assert interval.warnings
        test = rs.auc_null_test([1, 0, 1, 0], [2, 2, 2, 2])
        assert (test.statistic, test.pvalue) == (0.0, 1.0)

    @pytest.mark.parametrize("function", [rs.auc_interval, rs.auc_null_test])
    def test_single_class(self, function: Any) -> None:
        with pytest.raises(rs.InputError, match="only one class") as caught:
            function([1, 1], [1, 2])
        assert caught.value.code == "single_class"

    @pytest.mark.parametrize("level", [0, 1, 95, -0.1])
    def test_levels(self, level: float) -> None:
        with pytest.raises(rs.ArgumentError, match="level"):
            rs.auc_interval([1, 0], [1, 2], level=level)

    def test_methods_are_listed(self) -> None:
        with pytest.raises(rs.ArgumentError, match="auto, wilson, logit, delong"):
            rs.auc_interval([1, 0], [1, 2], method="exact")
        with pytest.raises(rs.ArgumentError, match="whole AUC"):
            rs.auc_interval([1, 0], [1, 2], method="newcombe", fpr_range=(0, 0.5))
        with pytest.raises(rs.ArgumentError, match="independent rows"):
            rs.auc_interval([1, 0], [1, 2], method="newcombe", cluster=[1, 1])


class TestBootstrap:
    def test_same_seed_same_bytes_whatever_the_threads(self) -> None:
        y, score = sample()
        one, two, three = (
            rs.bootstrap_interval("average_precision", y, score, random_state=4, n_resamples=300, n_jobs=jobs)
            for jobs in (1, 2, 3)
        )
        assert one.resampling.distribution.tobytes() == two.resampling.distribution.tobytes()
        assert one.resampling.distribution.tobytes() == three.resampling.distribution.tobytes()
        other = rs.bootstrap_interval("average_precision", y, score, n_resamples=300)
        again = rs.bootstrap_interval(
            "average_precision", y, score, n_resamples=300, random_state=other.resampling.seed
        )
        assert (again.low, again.high) == (other.low, other.high)

    def test_long_resamples_go_to_threads_and_stay_the_same(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def draw(rng: np.random.Generator) -> list[float]:
            seen.add(threading.current_thread())
            return [rng.random()]

        values, workers = [], []
        for long in (math.inf, 0.0):
            seen: set[threading.Thread] = set()
            monkeypatch.setattr(resample, "LONG_RESAMPLE", long)
            monkeypatch.setattr(os, "cpu_count", lambda: 2)
            values.append(replicate(draw, n_resamples=1001, seed=5))
            workers.append(seen - {threading.current_thread()})
        assert not workers[0]
        assert 1 <= len(workers[1]) <= 2
        assert values[0].tobytes() == values[1].tobytes()

    def test_the_short_way_of_the_auc_gives_the_same_replicates(self) -> None:
        y, score = sample()
        short = rs.bootstrap_interval("auc", y, score, random_state=4, n_resamples=100)
        long = rs.bootstrap_interval(rs.auc.sheet.formula, y, score, random_state=4, n_resamples=100, stratified=True)
        assert short.resampling.distribution.tolist() == long.resampling.distribution.tolist()

    def test_replicates_are_values_on_resampled_rows(self) -> None:
        """Groups re-weighted by a draw give the measure of the rows drawn."""
        y, score = sample(30)
        ranked = rs.rank(y, score)
        scheme = GroupDraws(ranked)
        ((pos, neg),) = scheme.draw(np.random.default_rng(2))
        assert (pos.sum(), neg.sum()) == (ranked.n_pos, ranked.n_neg)
        assert not pos[ranked.pos == 0].any()
        assert not neg[ranked.neg == 0].any()
        rows = np.concatenate([ranked.scores.repeat(pos), ranked.scores.repeat(neg)])
        labels = [1] * int(pos.sum()) + [0] * int(neg.sum())
        (made,) = reweighted(scheme, ((pos, neg),))
        assert made == rs.rank(labels, rows)

    def test_draws_are_even(self) -> None:
        """Each row is drawn as often as it should be: a chi-square test of the counts."""
        scheme = GroupDraws(rs.rank([1] * 7 + [0] * 5, range(12)))
        rng = np.random.default_rng(3)
        total = sum(scheme.draw(rng)[0][0] for _ in range(4000))
        assert stats.chisquare(total[-12:][:7]).pvalue > 1e-4

    def test_spread_is_delongs(self) -> None:
        y, score = sample(400, ties=False)
        for options in ({}, {"stratified": False}):
            resampled = rs.bootstrap_interval("auc", y, score, random_state=1, **options)
            assert resampled.se == pytest.approx(rs.auc_interval(y, score).se, rel=0.06)

    def test_rows_and_groups_agree(self) -> None:
        """Several models: the spread of each is what it is alone."""
        y, score = sample(300)
        both = rs.bootstrap_interval("auc", y, {"a": score, "b": -score}, random_state=1)
        assert both["a"].estimate == rs.auc(y, score)
        assert both["a"].se == rs.bootstrap_interval("auc", y, score, random_state=1).se  # the same draws
        paired = both["a"].resampling.distribution + both["b"].resampling.distribution
        assert paired == pytest.approx(1.0, abs=1e-12)

    def test_frequency_weights_are_repeated_rows(self) -> None:
        y, score = sample(80)
        weights = 1 + np.arange(80) % 3
        repeated = rs.bootstrap_interval("auc", y.repeat(weights), score.repeat(weights), random_state=1)
        for options in ({"weight_type": "frequency"}, {"cluster": np.arange(80)}):
            weighted = rs.bootstrap_interval("auc", y, score, sample_weight=weights, random_state=1, **options)
            assert weighted.estimate == repeated.estimate
            if "cluster" not in options:
                assert weighted.resampling.distribution.tolist() == repeated.resampling.distribution.tolist()

    def test_many_repeats_draw_counts(self) -> None:
        ranked = rs.RankedScores.from_counts([1, 2, 3], [100, 300, 600], [700, 200, 100])
        interval = rs.bootstrap_interval("auc", ranked, random_state=1)
        assert interval.se == pytest.approx(rs.auc_interval(ranked).se, rel=0.06)

    @each_case("measure", [sheet.name for sheet in rs.list_measures()])
    def test_every_measure(self, measure: str) -> None:
        rng = np.random.default_rng(2)
        y = np.arange(60) % 3 == 0
        score = np.clip((rng.random(60) + 0.4 * y) / 1.5, 0.01, 0.99).round(2)
        interval = rs.bootstrap_interval(measure, y, score, random_state=1, n_resamples=20, method="basic")
        assert interval.estimate == pytest.approx(rs.get_measure(measure).sheet.compute(rs.rank(y, score)), nan_ok=True)
        assert interval.low <= interval.high

    def test_bca_against_scipy(self) -> None:
        """scipy resamples rows of both classes independently too; its BCa must land near ours."""
        y, score = sample(80, ties=False, seed=2)
        ours = rs.auc_interval(y, score, method="bca", n_resamples=6000, random_state=1)

        def auc(pos: Any, neg: Any, axis: int = -1) -> Any:
            return (pos[..., :, None] > neg[..., None, :]).mean(axis=(-1, -2))

        known = inspect.signature(stats.bootstrap).parameters
        seeded = "rng" if "rng" in known else "random_state"  # before SciPy 1.15
        theirs = stats.bootstrap(
            (score[y == 1], score[y == 0]),
            auc,
            n_resamples=6000,
            method="BCa",
            batch=200,
            vectorized=True,
            **{seeded: np.random.default_rng(1)},
        ).confidence_interval
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.012)

    def test_failures_are_counted(self) -> None:
        y, score = [1] * 3 + [0] * 30, list(range(33))
        interval = rs.bootstrap_interval("auc", y, score, stratified=False, random_state=1)
        assert interval.resampling.n_failed > 20
        assert "undefined in" in interval.warnings[0]
        with pytest.raises(rs.InputError, match="too few rows"):
            rs.bootstrap_interval("auc", [1] + [0] * 9, range(10), stratified=False, random_state=1)

    def test_few_resamples_and_rows_are_remarked(self) -> None:
        interval = rs.bootstrap_interval("auc", *sample(30), n_resamples=50, random_state=1)
        assert any("50 resamples" in text for text in interval.warnings)
        assert any("too short" in text for text in interval.warnings)

    def test_results_survive_pickle_and_json(self) -> None:
        interval = rs.bootstrap_interval("auc", *sample(30), n_resamples=50, random_state=1)
        assert pickle.loads(pickle.dumps(interval)).to_dict() == interval.to_dict()  # noqa: S301 - our own bytes
        assert interval.to_dict()["resampling"] == {
            "scheme": "rows within each class",
            "n_resamples": 50,
            "n_failed": 0,
            "seed": 1,
        }

    @pytest.mark.parametrize("state", [-1, 1.5, "x"])
    def test_odd_seeds_are_refused(self, state: Any) -> None:
        with pytest.raises(rs.ArgumentError, match="random_state"):
            rs.bootstrap_interval("auc", [1, 0], [1, 2], random_state=state)


class TestJackknife:
    @given(class_scores, class_scores)
    def test_of_the_auc_is_delong(self, positives: list[int], negatives: list[int]) -> None:
        """Sen's identity: leaving rows of each class out gives DeLong's variance exactly."""
        y = [1] * len(positives) + [0] * len(negatives)
        jackknife = rs.jackknife_interval("auc", y, positives + negatives)
        assert jackknife.se == pytest.approx(rs.auc_interval(y, positives + negatives).se, rel=1e-9, abs=1e-12)

    def test_by_cluster(self) -> None:
        y, score = sample(300, ties=False)
        subject = np.arange(300) // 2
        jackknife = rs.jackknife_interval("auc", y, score, cluster=subject)
        assert jackknife.se == pytest.approx(rs.auc_interval(y, score, cluster=subject).se, rel=0.02)


class TestThresholdInterval:
    def test_coordinates(self) -> None:
        y, score = sample(300)
        found = rs.threshold_interval(y, score, random_state=1, n_resamples=400)
        choice = rs.best_threshold(y, score, rule="youden")
        assert found["threshold"].estimate == choice.threshold
        assert found["tpr"].estimate == choice.tpr
        assert all(interval.low <= interval.high for interval in found.values())

    def test_options_reach_the_rule(self) -> None:
        y, score = sample(300)
        found = rs.threshold_interval(
            y, score, rule="sensitivity", options={"value": 0.9}, random_state=1, n_resamples=200
        )
        assert found["tpr"].estimate >= 0.9 > found["tpr"].low  # new rows need not reach it


class TestDrawsOfRows:
    def test_pure_subjects_are_drawn_within_classes(self) -> None:
        y = np.repeat([1, 0], 10)
        rows = read_models(y, {"a": np.arange(20.0)}, cluster=np.arange(20) // 2)
        assert RowDraws(rows).scheme == "subjects within each class"
        mixed = read_models(y, {"a": np.arange(20.0)}, cluster=np.arange(20) % 5)
        assert RowDraws(mixed).scheme == "subjects"

    def test_subjects_come_whole(self) -> None:
        y, score = sample(40, ties=False)
        subject = np.arange(40) // 4
        rows = read_models(y, {"a": score}, cluster=subject)
        scheme = RowDraws(rows)
        ((pos, neg),) = scheme.draw(np.random.default_rng(1))
        per_row = (pos + neg)[rows.places[0]]
        assert all(len(set(per_row[subject == each])) == 1 for each in range(10))

    def test_covariance_of_models_by_bootstrap(self) -> None:
        y, first = sample(400, ties=False)
        second = first + np.random.default_rng(1).normal(size=400)
        rows = read_models(y, {"a": first, "b": second})
        parts = [Area().components(ranked) for ranked in rows.ranked]
        analytic = area_covariance(rows, parts)
        values = replicate(
            sampler(RowDraws(rows), lambda made: [rs.auc(each) for each in made]), n_resamples=1500, seed=1
        )
        assert np.cov(values.T) == pytest.approx(analytic, rel=0.1)
        assert analytic[0, 0] == pytest.approx(delong_variance(rows.ranked[0], parts[0]), rel=1e-12)


@pytest.mark.parametrize("method", ["newcombe", "hanley-mcneil"])
def test_formulas_of_counts_refuse_sampling_weights(method: Any) -> None:
    y, score = sample(60)
    for options in ({"sample_weight": np.full(60, 0.5)}, {"sample_weight": np.full(60, 2)}):
        with pytest.raises(rs.ArgumentError, match="counts rows"):
            rs.auc_interval(y, score, method=method, **options)
    counted = {"sample_weight": np.full(60, 2), "weight_type": "frequency"}
    assert rs.auc_interval(y, score, method=method, **counted).n_pos == 2 * y.sum()
