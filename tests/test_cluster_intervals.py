"""Several rows per subject: laws of cluster= in intervals, bands and tests."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from scipy.stats import kstest, norm

import rocsteady as rs
from cases import each_case
from rocsteady._src.inference.comparison.subject_swaps import SubjectSwaps
from rocsteady._src.inference.units.subjects import BLOCK, CurveWorth, rank_design_effect
from rocsteady._src.measures.registry import list_measures
from rocsteady._src.ranked import read_models

Array = NDArray[Any]
MEASURES = [sheet.name for sheet in list_measures("threshold")]
BANDS = ("pointwise", "threshold", "fixed-width", "bootstrap")


def subjects_of(n: int, rows: int = 3, *, mixed: bool = True, seed: int = 0) -> tuple[Array, Array, Array, Array]:
    """Labels, scores of two models, and subjects; half of the variance is the subject's."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(n), rows)
    y = (rng.random(n * rows) < 0.4).astype(int) if mixed else np.repeat(rng.random(n) < 0.4, rows).astype(int)
    scores = [
        np.sqrt(0.5) * (rng.standard_normal(n)[cluster] + rng.standard_normal(n * rows)) + gap * y for gap in (1, 1.3)
    ]
    return y, scores[0], scores[1], cluster


def twice(*columns: Array) -> list[Array]:
    return [column.repeat(2) for column in columns]


def width(interval: rs.Interval) -> float:
    return interval.high - interval.low


class TestEveryRowASubject:
    """The results are those without cluster=."""

    y, first, second, _ = subjects_of(40)
    alone = np.arange(120)

    @each_case("method", ["wilson", "clopper-pearson", "jeffreys", "agresti-coull", "wald", "delta"])
    def test_shares_by_every_method(self, method: str) -> None:
        options: dict[str, Any] = {"threshold": 0.5, "method": method}
        plain = rs.measure_interval("recall", self.y, self.first, **options)
        by_subject = rs.measure_interval("recall", self.y, self.first, cluster=self.alone, **options)
        assert list(by_subject) == pytest.approx(list(plain), rel=1e-12)
        assert by_subject.method == f"{method}, by cluster"

    def test_every_measure(self) -> None:
        plain = rs.measure_intervals(self.y, self.first, threshold=0.5)
        by_subject = rs.measure_intervals(self.y, self.first, threshold=0.5, cluster=self.alone)
        for name in MEASURES:
            found = [[each.low, each.high, each.se, each.estimate] for each in (plain[name], by_subject[name])]
            assert found[1] == pytest.approx(found[0], rel=1e-12), name

    @pytest.mark.parametrize("threshold", [-9.0, 9.0])
    def test_where_all_or_none_are_called(self, threshold: float) -> None:
        plain = rs.measure_intervals(self.y, self.first, threshold=threshold)
        by_subject = rs.measure_intervals(self.y, self.first, threshold=threshold, cluster=self.alone)
        for name in MEASURES:
            ends = [[each.low, each.high] for each in (plain[name], by_subject[name])]
            assert ends[1] == pytest.approx(ends[0], rel=1e-12, nan_ok=True), name

    @pytest.mark.parametrize("method", ["pointwise", "threshold"])
    def test_bands_by_formula(self, method: Any) -> None:
        plain = rs.roc_band(self.y, self.first, method=method)
        by_subject = rs.roc_band(self.y, self.first, method=method, cluster=self.alone)
        np.testing.assert_allclose(by_subject.low, plain.low, atol=1e-13)
        np.testing.assert_allclose(by_subject.high, plain.high, atol=1e-13)

    def test_bootstrap_bands_up_to_chance(self) -> None:
        few: dict[str, Any] = {"random_state": 1, "n_resamples": 2000}
        factors = [
            rs.roc_band(self.y, self.first, method="bootstrap", cluster=cluster, **few).critical[0]
            for cluster in (None, self.alone)
        ]
        assert factors[1] == pytest.approx(factors[0], rel=0.06)

    def test_chosen_thresholds_have_the_same_distribution(self) -> None:
        drawn = []
        for cluster in (None, self.alone):
            found = rs.threshold_interval(self.y, self.first, cluster=cluster, random_state=1, n_resamples=700)["tpr"]
            assert found.resampling is not None
            drawn.append(found.resampling.distribution)
        assert kstest(*drawn).pvalue > 0.01

    @pytest.mark.parametrize("continuity", [False, True])
    def test_auc_null_test(self, continuity: bool) -> None:
        plain = rs.auc_null_test(self.y, self.first.round(1), continuity=continuity)
        by_subject = rs.auc_null_test(self.y, self.first.round(1), continuity=continuity, cluster=self.alone)
        assert by_subject.statistic == pytest.approx(plain.statistic, rel=1e-12)
        assert by_subject.se == pytest.approx(plain.se, rel=1e-12)

    def test_paired_curves_to_the_digit(self) -> None:
        plain = rs.compare_curves(self.y, self.first, self.second, random_state=1)
        by_subject = rs.compare_curves(self.y, self.first, self.second, random_state=1, cluster=self.alone)
        assert by_subject.pvalue == plain.pvalue
        assert by_subject.method == "venkatraman-begg permutation, paired, by cluster"

    def test_unpaired_curves_have_the_same_distribution(self) -> None:
        options: dict[str, Any] = {"paired": False, "random_state": 1, "n_permutations": 1000}
        plain = rs.compare_curves(self.y, self.first, self.second, **options)
        subjects = {"cluster": self.alone, "cluster_second": self.alone}
        by_subject = rs.compare_curves(self.y, self.first, self.second, **subjects, **options)
        assert plain.resampling is not None
        assert by_subject.resampling is not None
        assert by_subject.statistic == plain.statistic
        assert kstest(by_subject.resampling.distribution, plain.resampling.distribution).pvalue > 0.01

    def test_power(self) -> None:
        plain = rs.power_auc_pilot(self.y, self.first, self.second, power=0.8)
        by_subject = rs.power_auc_pilot(self.y, self.first, self.second, power=0.8, cluster=self.alone)
        assert by_subject.n_pos == pytest.approx(plain.n_pos, rel=1e-12)
        assert by_subject.n_subjects == pytest.approx(plain.n_pos + plain.n_neg, rel=1e-12)
        assert plain.n_subjects is None


class TestEveryRowTwice:
    """A subject with the same row twice tells what the row tells."""

    y, first, second, _ = subjects_of(60, rows=1)
    subject = np.arange(60).repeat(2)

    def test_measures(self) -> None:
        plain = rs.measure_intervals(self.y, self.first, threshold=0.5)
        copied = rs.measure_intervals(*twice(self.y, self.first), threshold=0.5, cluster=self.subject)
        counted = rs.measure_intervals(*twice(self.y, self.first), threshold=0.5)
        for name in MEASURES:
            assert copied[name].se == pytest.approx(plain[name].se, rel=0.025), name
            assert counted[name].se < 0.8 * plain[name].se

    @pytest.mark.parametrize("method", BANDS)
    def test_bands(self, method: Any) -> None:
        options: dict[str, Any] = {"method": method, "random_state": 1, "n_resamples": 1000}
        plain = rs.roc_band(self.y, self.first, **options)
        copied = rs.roc_band(*twice(self.y, self.first), cluster=self.subject, **options)
        assert (copied.high - copied.low).mean() == pytest.approx((plain.high - plain.low).mean(), rel=0.03)

    def test_auc_null_test(self) -> None:
        plain = rs.auc_null_test(self.y, self.first)
        copied = rs.auc_null_test(*twice(self.y, self.first), cluster=self.subject)
        assert copied.statistic == pytest.approx(plain.statistic, rel=0.01)
        assert copied.se == pytest.approx(plain.se, rel=1e-12)

    @pytest.mark.parametrize("paired", [True, False])
    def test_curves(self, paired: bool) -> None:
        options: dict[str, Any] = {"paired": paired, "random_state": 1}
        of_copies = options if paired else options | {"cluster_second": self.subject}
        plain = rs.compare_curves(self.y, self.first, -self.second, **options)
        copied = rs.compare_curves(*twice(self.y, self.first, -self.second), cluster=self.subject, **of_copies)
        assert copied.pvalue == pytest.approx(plain.pvalue, abs=0.03)
        assert copied.se == pytest.approx(plain.se, rel=1e-12)

    def test_power(self) -> None:
        plain = rs.power_auc_pilot(self.y, self.first, self.second, power=0.8)
        copied = rs.power_auc_pilot(*twice(self.y, self.first, self.second), power=0.8, cluster=self.subject)
        assert copied.n_pos == pytest.approx(2 * plain.n_pos, rel=1e-10)
        assert copied.n_subjects == pytest.approx(plain.n_pos + plain.n_neg, rel=1e-10)


class TestAgainstDrawnSubjects:
    """Standard errors agree with a bootstrap of whole subjects."""

    @pytest.mark.parametrize("mixed", [True, False])
    def test_measures(self, mixed: bool) -> None:
        y, score, _, cluster = subjects_of(150, mixed=mixed, seed=3)
        found = rs.measure_intervals(y, score, threshold=0.5, cluster=cluster)
        for name in ("recall", "precision", "accuracy", "f1", "matthews_correlation", "youden_j"):
            options: dict[str, Any] = {"n_resamples": 400, "random_state": 1, "stratified": False}
            drawn = rs.bootstrap_interval(name, y, score, params={"threshold": 0.5}, cluster=cluster, **options)
            assert found[name].se == pytest.approx(drawn.se, rel=0.12), name

    @pytest.mark.parametrize("mixed", [True, False])
    def test_pointwise_band(self, mixed: bool) -> None:
        y, score, _, cluster = subjects_of(300, mixed=mixed, seed=4)
        band = rs.roc_band(y, score, fpr=[0.2, 0.4], cluster=cluster)

        def heights(ranked: rs.RankedScores) -> Array:
            curve = rs.roc_curve(ranked)
            return np.interp([0.2, 0.4], curve.fpr, curve.tpr)

        for place in (0, 1):
            drawn = rs.bootstrap_interval(
                lambda ranked, place=place: float(heights(ranked)[place]),
                y,
                score,
                cluster=cluster,
                random_state=1,
                n_resamples=500,
            )
            assert band.high[place] - band.low[place] == pytest.approx(width(drawn), rel=0.12)

    def test_evaluate_gives_the_same_interval(self) -> None:
        y, score, _, cluster = subjects_of(50)
        table = {"y": y, "s": score, "who": cluster}
        options: dict[str, Any] = {"threshold": 0.5, "measures": ["recall", "mcc"], "cluster": "who"}
        result = rs.evaluate(table, label="y", scores="s", intervals=True, **options)
        found = result.intervals["s"].values()
        for interval, name in zip(found, ("recall", "mcc"), strict=True):
            expected = rs.measure_interval(name, y, score, threshold=0.5, cluster=cluster)
            assert list(interval) == pytest.approx(list(expected), rel=1e-12)
            assert interval.method == expected.method

    def test_power_at_the_size_of_the_pilot(self) -> None:
        y, first, second, cluster = subjects_of(40)
        compared = rs.compare_auc(y, first, second, cluster=cluster)
        expected = norm.cdf(abs(compared.estimate) / compared.se - norm.ppf(0.975))
        found = rs.power_auc_pilot(y, first, second, cluster=cluster)
        assert (found.power, found.n_subjects) == pytest.approx((expected, 40), rel=1e-9)


class TestByHand:
    def test_share(self) -> None:
        """Recall of subjects with 2 of 2, 1 of 2 and 0 of 1 positives called."""
        y, called = [1, 1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 0, 0, 1]
        found = rs.measure_interval("recall", y, called, cluster=["a", "a", "b", "b", "c", "c", "a"])
        off = np.array([2 - 0.6 * 2, 1 - 0.6 * 2, 0 - 0.6]) / 5
        variance = 3 / 2 * 4 / 5 * float(off @ off)
        assert found.se == pytest.approx(math.sqrt(variance), rel=1e-12)
        rows = 0.24 / variance
        assert found.low == pytest.approx(rs.proportion_interval(0.6 * rows, rows).low, rel=1e-12)

    def test_no_more_rows_than_there_are(self) -> None:
        """Every subject has one hit in two: the share of hits does not vary, but the next subject's may."""
        y, called = [1] * 20, [1, 0] * 10
        found = rs.measure_interval("recall", y, called, cluster=np.arange(10).repeat(2))
        assert list(found) == pytest.approx(list(rs.proportion_interval(10, 20)))

    def test_all_hit_counts_subjects(self) -> None:
        found = rs.measure_interval("recall", [1] * 20 + [0], [1] * 20 + [0], cluster=[*np.arange(10).repeat(2), 10])
        assert list(found) == pytest.approx(list(rs.proportion_interval(10, 10)))
        assert found.high == 1.0

    def test_weights_are_rows_of_their_subject(self) -> None:
        y, score, _, cluster = subjects_of(30)
        again = np.random.default_rng(1).integers(1, 4, y.size)
        weighted = rs.measure_intervals(
            y, score, threshold=0.5, cluster=cluster, sample_weight=again, weight_type="frequency"
        )
        rows, subjects = (y.repeat(again), score.repeat(again)), cluster.repeat(again)
        repeated = rs.measure_intervals(*rows, threshold=0.5, cluster=subjects)
        scaled = rs.measure_interval("recall", y, score, threshold=0.5, cluster=cluster, sample_weight=again / 7)
        for name in MEASURES:
            assert weighted[name].se == pytest.approx(repeated[name].se, rel=1e-9)
        assert scaled.se == pytest.approx(weighted["recall"].se, rel=0.02)

    def test_curve_worth_in_blocks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        y, score, _, cluster = subjects_of(30)
        rows = read_models(y, {"s": score}, cluster=cluster)
        steps = np.arange(rows.ranked[0].scores.size + 1)
        whole = CurveWorth.of(rows, steps)
        monkeypatch.setattr("rocsteady._src.inference.units.subjects.BLOCK", 100)
        parts = CurveWorth.of(rows, steps)
        assert BLOCK > 100
        for name in ("n_pos", "n_neg", "together"):
            np.testing.assert_allclose(getattr(parts, name), getattr(whole, name), rtol=1e-12)
        at = int((score >= 0.5).sum())
        expected = rs.measure_interval("recall", y, score, threshold=0.5, cluster=cluster)
        rate = expected.estimate
        assert whole.n_pos[at] == pytest.approx(rate * (1 - rate) / expected.se**2, rel=1e-9)

    def test_rank_design_effect(self) -> None:
        y, score, _, cluster = subjects_of(12)
        ranks = (score[:, None] > score).sum(1) + 0.5 * (score[:, None] == score).sum(1)
        off = (ranks - ranks.mean()) * np.where(y == 1, 1 / y.sum(), -1 / (1 - y).sum())
        sums = np.array([off[cluster == each].sum() for each in range(12)])
        expected = 12 / 11 * 35 / 36 * (sums**2).sum() / (off**2).sum()
        assert rank_design_effect(read_models(y, {"s": score}, cluster=cluster)) == pytest.approx(expected, rel=1e-12)

    def test_subjects_change_places_whole(self) -> None:
        y, first, _, cluster = subjects_of(15)
        other, second, _, who = subjects_of(20, seed=1)
        one = read_models(y, {"a": first}, cluster=cluster)
        two = read_models(other, {"b": second}, cluster=who)
        orders = SubjectSwaps.of(one, two).orders(np.random.default_rng(0), 50)
        for side, flag in enumerate((1, 0)):
            subject = np.concatenate([cluster[y == flag], 100 + who[other == flag]])
            for order in orders[side]:
                moved = subject[order]
                assert sorted(order) == list(range(subject.size))
                assert all(np.unique(moved[subject == each]).size == 1 for each in np.unique(subject))
        assert (orders[0] != np.arange(orders[0].shape[1])).any()

    def test_subjects_without_a_partner_are_told(self) -> None:
        y, score, _, cluster = subjects_of(20, mixed=False)
        sizes = {"cluster": cluster, "cluster_second": np.arange(60)}
        found = rs.compare_curves(y, score, score + 1, paired=False, n_permutations=20, **sizes)
        assert "80 of 80 subjects have no partner" in found.warnings[0]


def calls() -> dict[str, Any]:
    drawn: dict[str, Any] = {"n_resamples": 50, "random_state": 1}
    permuted: dict[str, Any] = {"n_permutations": 50, "random_state": 1}
    return {
        "measure_interval": lambda y, s, **how: rs.measure_interval("recall", y, s, threshold=0.5, **how),
        "measure_intervals": lambda y, s, **how: rs.measure_intervals(y, s, threshold=0.5, **how)["youden_j"],
        "threshold_interval": lambda y, s, **how: rs.threshold_interval(y, s, **drawn, **how)["tpr"],
        "roc_band": rs.roc_band,
        "auc_null_test": rs.auc_null_test,
        "compare_curves": lambda y, s, **how: rs.compare_curves(y, s, -s, **permuted, **how),
        "power_auc_pilot": lambda y, s, **how: rs.power_auc_pilot(y, s, -s, **how),
    }


@pytest.mark.parametrize("name", calls())
class TestInputs:
    y, score, _, cluster = subjects_of(30)

    def test_missing_subjects_are_refused_or_dropped(self, name: str) -> None:
        subject = np.where(np.arange(90) % 30 == 7, None, self.cluster.astype(object))
        kept = np.array([each is not None for each in subject])
        call = calls()[name]
        with pytest.raises(rs.InputError, match="cluster"):
            call(self.y, self.score, cluster=subject)
        dropped = call(self.y, self.score, cluster=subject, missing="drop")
        expected = call(self.y[kept], self.score[kept], cluster=self.cluster[kept])
        first, second = (np.asarray(getattr(each, "power", getattr(each, "low", None))) for each in (dropped, expected))
        np.testing.assert_allclose(first, second, rtol=1e-12)

    def test_lengths_must_agree(self, name: str) -> None:
        with pytest.raises(rs.InputError, match="cluster has 3"):
            calls()[name](self.y, self.score, cluster=[1, 2, 3])

    def test_names_of_subjects_do_not_matter(self, name: str) -> None:
        named = np.array([f"subject {each:03}" for each in self.cluster])
        found = [calls()[name](self.y, self.score, cluster=each) for each in (self.cluster, named)]
        ends = [np.asarray(getattr(each, "power", getattr(each, "low", None))) for each in found]
        np.testing.assert_array_equal(ends[0], ends[1])


@pytest.mark.parametrize("name", list(calls())[:5])
class TestRefusals:
    y, score, _, cluster = subjects_of(30)

    def test_ranked_scores_have_no_rows(self, name: str) -> None:
        with pytest.raises(rs.InputError, match="pass labels and scores with cluster="):
            calls()[name](rs.rank(self.y, self.score), None, cluster=self.cluster)

    def test_one_subject_is_not_enough(self, name: str) -> None:
        with pytest.raises(rs.InputError, match="takes two of them or more"):
            calls()[name](self.y, self.score, cluster=np.zeros(90))


@pytest.mark.parametrize("method", ["ks", "working-hotelling"])
def test_bands_of_independent_rows_are_refused(method: Any) -> None:
    y, score, _, cluster = subjects_of(30)
    with pytest.raises(rs.ArgumentError, match='method="bootstrap" draws subjects'):
        rs.roc_band(y, score, method=method, cluster=cluster)


@pytest.mark.parametrize("function", [rs.roc_band, rs.auc_null_test, rs.threshold_interval])
def test_tables_by_name(function: Any) -> None:
    y, score, _, cluster = subjects_of(30)
    table, options = (
        pl.DataFrame({"y": y, "s": score}),
        {"random_state": 1} if function is rs.threshold_interval else {},
    )
    named, given = function(table, "s", label="y", **options), function(y, score, **options)
    named, given = (each["tpr"] if isinstance(each, dict) else each for each in (named, given))
    np.testing.assert_array_equal(named.low, given.low)
    with pytest.raises(rs.ArgumentError, match="subjects as columns"):
        function(table, "s", label="y", cluster=cluster)


def test_two_samples_need_the_subjects_of_both() -> None:
    y, score, _, cluster = subjects_of(30)
    with pytest.raises(rs.ArgumentError, match="both cluster= and cluster_second="):
        rs.compare_curves(y, score, -score, paired=False, y_true_second=y, cluster=cluster)
    with pytest.raises(rs.ArgumentError, match="for paired=False"):
        rs.compare_curves(y, score, -score, cluster=cluster, cluster_second=cluster)


def test_ratio_of_mixed_subjects_is_the_pilots() -> None:
    y, first, second, cluster = subjects_of(30)
    with pytest.raises(rs.ArgumentError, match="rows of both classes"):
        rs.power_auc_pilot(y, first, second, power=0.8, ratio=5, cluster=cluster)
    y, first, second, cluster = subjects_of(30, mixed=False)
    found = rs.power_auc_pilot(y, first, second, power=0.8, ratio=5, cluster=cluster)
    assert found.n_subjects == pytest.approx((found.n_pos + found.n_neg) / 3)
    with pytest.raises(rs.ArgumentError, match="two subjects or more of each class"):
        rs.power_auc_pilot(y, first, second, power=0.8, cluster=y)


def test_a_share_of_one_subject_has_no_interval() -> None:
    y, called = [1, 1, 0, 0, 0], [1, 0, 1, 0, 0]
    found = rs.measure_interval("recall", y, called, cluster=[1, 1, 2, 3, 4])
    assert math.isnan(found.low)
    assert "only one subject" in found.warnings[0]


def test_draws_of_one_class() -> None:
    """One subject of three has all positives: a third of the draws lack it."""
    y, score, cluster = np.array([1, 1, 0, 0, 0, 0, 0, 0]), np.arange(8.0), [1, 1, 1, 2, 2, 3, 3, 3]
    band = rs.roc_band(y, score, method="bootstrap", cluster=cluster, random_state=1, n_resamples=50)
    assert np.isfinite([band.low, band.high]).all()
    with pytest.raises(rs.InputError, match="too few rows to resample"):
        rs.threshold_interval(y, score, cluster=cluster, random_state=1, n_resamples=50)


def test_models_side_by_side_have_the_intervals_that_each_has_alone() -> None:
    rng = np.random.default_rng(5)
    y = np.arange(100) % 3 == 0
    scores = {"fine": np.round(0.3 * y + rng.random(100), 2), "coarse": np.round(rng.random(100), 1)}
    cluster = np.arange(100) // 2
    compared = rs.compare_models(y, scores, cluster=cluster)
    for name, score in scores.items():
        alone = rs.auc_interval(y, score, cluster=cluster)
        assert (compared.estimates[name].low, compared.estimates[name].high) == pytest.approx((alone.low, alone.high))
