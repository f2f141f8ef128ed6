"""Cross-validated AUC: R's formulas, all pairs, laws, and learners compared over folds."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady._src.inference.comparison.learners import corrected_t, correlated_posterior
from rocsteady._src.inference.intervals.automatic import whole_area

FIXTURES = Path(__file__).parent / "fixtures"
REFERENCE = json.loads((FIXTURES / "r_crossval.json").read_text())
ROWS = np.genfromtxt(FIXTURES / "reference_data.csv", delimiter=",", names=True)
Y = ROWS["y"].astype(int)
ID = np.arange(Y.size) // 3
FOLD = ID % 5 + 1


def simulated(
    seed: int, n: int = 60, k: int = 3, decimals: int | None = 1
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels, scores with ties, and folds of uneven size, all with both classes."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n) % 3 == 0).astype(int)
    scores = rng.normal(size=n) + y
    fold = np.concatenate([np.repeat(np.arange(k), 6), rng.integers(0, k, n - 6 * k)])
    return y, scores if decimals is None else scores.round(decimals), fold


def wins(p: float, n: float) -> Fraction:
    return Fraction(int(p > n)) + Fraction(int(p == n), 2)


def slow_auc(y: np.ndarray, scores: np.ndarray) -> Fraction:
    pairs = [wins(p, n) for p in scores[y == 1] for n in scores[y == 0]]
    return sum(pairs, Fraction(0)) / len(pairs)


def slow_square(y: np.ndarray, scores: np.ndarray, fold: np.ndarray, unit: np.ndarray) -> Fraction:
    """Variance of the mean of fold AUCs as the paper sums it up: squares of units in folds, means of means."""
    n, n_pos, units = y.size, int(y.sum()), len(set(unit.tolist()))
    by_fold = []
    for name in sorted(set(fold.tolist())):
        here = np.flatnonzero(fold == name)
        area = slow_auc(y[here], scores[here])
        sums: dict[int, Fraction] = {}
        for row in here:
            others = [other for other in here if y[other] != y[row]]
            right = [wins(*(scores[[row, o]] if y[row] else scores[[o, row]])) for o in others]
            weight = Fraction(n, n_pos) if y[row] else Fraction(n, n - n_pos)
            value = weight * (sum(right, Fraction(0)) / len(right) - area)
            sums[unit[row]] = sums.get(unit[row], Fraction(0)) + value * Fraction(units, n)
        by_fold.append(sum((value**2 for value in sums.values()), Fraction(0)) / len(sums))
    return sum(by_fold, Fraction(0)) / len(by_fold) / units


class TestAgainstR:
    def test_the_data_are_those_the_numbers_were_made_from(self) -> None:
        digest = hashlib.md5((FIXTURES / "reference_data.csv").read_bytes(), usedforsecurity=False).hexdigest()
        assert REFERENCE["made_by"]["data_md5"] == digest

    @pytest.mark.parametrize(
        "entry", [each for each in REFERENCE["areas"] if each["ties"] == 0.5], ids=lambda e: e["score"]
    )
    def test_mean_and_standard_error(self, entry: dict[str, Any]) -> None:
        scores = ROWS[entry["score"]]
        found = rs.crossval_auc(Y, scores, fold=FOLD, method="influence")
        clustered = rs.crossval_auc(Y, scores, fold=FOLD, cluster=ID, method="influence")
        assert found.estimate == pytest.approx(entry["cv"], abs=1e-14)
        assert found.se == pytest.approx(entry["se"], rel=1e-12)
        assert clustered.se == pytest.approx(entry["se_ids"], rel=1e-12)
        folds = rs.crossval_evaluate(Y, scores, fold=FOLD).folds
        assert [each.auc for each in folds] == pytest.approx(entry["aucs"], abs=1e-14)

    def test_as_cvauc_itself_where_nothing_is_tied(self) -> None:
        """cvAUC counts a tied pair 1/2 in the AUC and 0 in the influence curve; without ties it is the same."""
        by_ties = {(each["score"], each["ties"]): each for each in REFERENCE["areas"]}
        found = rs.crossval_auc(Y, ROWS["continuous"], fold=FOLD, method="influence")
        assert found.se == pytest.approx(by_ties["continuous", 0]["se"], rel=1e-12)
        tied = rs.crossval_auc(Y, ROWS["grade"], fold=FOLD, method="influence")
        assert tied.se < by_ties["grade", 0]["se"]

    def test_learners(self) -> None:
        expected = REFERENCE["learners"]
        test = rs.compare_crossval(Y, ROWS["continuous"], ROWS["rival"], fold=FOLD, method="nadeau-bengio")
        for name in ("estimate", "se", "statistic", "pvalue", "low", "high"):
            assert getattr(test, name) == pytest.approx(expected[name], rel=1e-11), name
        posterior = rs.compare_crossval(Y, ROWS["continuous"], ROWS["rival"], fold=FOLD, method="bayesian", rope=0.01)
        for name in ("p_left", "p_rope", "p_right"):
            assert getattr(posterior, name) == pytest.approx(expected[name], rel=1e-9), name


class TestAgainstAllPairs:
    @pytest.mark.parametrize("seed", range(4))
    def test_rows(self, seed: int) -> None:
        y, scores, fold = simulated(seed)
        found = rs.crossval_auc(y, scores, fold=fold, method="influence")
        exact = [slow_auc(y[fold == name], scores[fold == name]) for name in range(3)]
        assert found.estimate == pytest.approx(float(sum(exact) / 3), abs=1e-15)
        assert found.se == pytest.approx(math.sqrt(slow_square(y, scores, fold, np.arange(y.size))), rel=1e-13)
        z = 1.959963984540054
        assert found.low == pytest.approx(max(0, found.estimate - z * found.se), abs=1e-14)
        assert found.high == pytest.approx(min(1, found.estimate + z * found.se), abs=1e-14)

    @pytest.mark.parametrize("seed", range(3))
    def test_subjects_that_stay_in_their_fold(self, seed: int) -> None:
        y, scores, fold = simulated(seed)
        subject = fold * 10 + np.arange(y.size) % 7
        found = rs.crossval_auc(y, scores, fold=fold, cluster=subject, method="influence")
        assert found.se == pytest.approx(math.sqrt(slow_square(y, scores, fold, subject)), rel=1e-13)

    def test_subjects_spread_over_folds_add_up_what_their_rows_add(self) -> None:
        """Folds of equal size in which every subject has one row: nothing is left to choose in the formula."""
        rng = np.random.default_rng(4)
        fold, subject = np.arange(60) % 3, np.arange(60) // 3
        y = np.arange(60) // 3 % 2
        scores = np.round(y + rng.normal(size=20)[subject] + rng.normal(size=60), 1)
        found = rs.crossval_auc(y, scores, fold=fold, cluster=subject, method="influence")
        by_subject = np.bincount(subject, _influence(y, scores, fold))
        assert found.se == pytest.approx(math.sqrt(float(by_subject @ by_subject)), rel=1e-12)

    def test_two_models(self) -> None:
        """The variance of a difference by the polarisation of three variances."""
        y, first, fold = simulated(5)
        second = simulated(6)[1]
        test = rs.compare_crossval(y, first, second, fold=fold, method="influence")
        values = [rs.crossval_auc(y, scores, fold=fold).estimate for scores in (first, second)]
        assert test.estimate == pytest.approx(values[0] - values[1], abs=1e-15)
        one, two = (_influence(y, scores, fold) for scores in (first, second))
        assert test.se == pytest.approx(math.sqrt(float(np.sum((one - two) ** 2))), rel=1e-12)
        assert test.statistic == pytest.approx(test.estimate / test.se)


def _influence(y: np.ndarray, scores: np.ndarray, fold: np.ndarray) -> np.ndarray:
    """Per row, scaled so that squares add up to the variance; plain loops."""
    values = np.zeros(y.size)
    names = np.unique(fold)
    for name in names:
        here = np.flatnonzero(fold == name)
        area = float(slow_auc(y[here], scores[here]))
        for row in here:
            others = scores[here][y[here] != y[row]]
            below = np.sign(scores[row] - others) * (1 if y[row] else -1)
            weight = y.size / np.count_nonzero(y == y[row])
            values[row] = weight * (np.mean((below + 1) / 2) - area) / math.sqrt(names.size * here.size * y.size)
    return values


class TestLaws:
    def test_names_and_order_of_folds_do_not_matter(self) -> None:
        y, scores, fold = simulated(1)
        order = np.random.default_rng(3).permutation(y.size)
        one = rs.crossval_auc(y, scores, fold=fold)
        two = rs.crossval_auc(y[order], scores[order], fold=np.array(["c", "a", "b"])[fold][order])
        assert (two.estimate, two.se) == pytest.approx((one.estimate, one.se), rel=1e-14)

    def test_moving_the_scores_of_a_fold_changes_the_pooled_auc_only(self) -> None:
        y, scores, fold = simulated(2)
        moved = scores + 10.0 * fold
        one, two = (rs.crossval_evaluate(y, each, fold=fold) for each in (scores, moved.round(1)))
        assert two.mean.estimate == pytest.approx(one.mean.estimate, abs=1e-15)
        assert two.mean.se == pytest.approx(one.mean.se, rel=1e-12)
        assert two.pooled.estimate < one.pooled.estimate

    def test_whole_weights_are_repeated_rows(self) -> None:
        y, scores, fold = simulated(3)
        weight = np.random.default_rng(1).integers(1, 4, y.size)
        again = np.repeat(np.arange(y.size), weight)
        for options in ({}, {"method": "pooled"}, {"method": "logit"}):
            one = rs.crossval_auc(y, scores, fold=fold, sample_weight=weight, weight_type="frequency", **options)
            two = rs.crossval_auc(y[again], scores[again], fold=fold[again], **options)
            assert (one.estimate, one.se) == pytest.approx((two.estimate, two.se), rel=1e-12)
        subject = fold * 10 + np.arange(y.size) % 7
        one = rs.crossval_auc(y, scores, fold=fold, sample_weight=weight, cluster=subject)
        two = rs.crossval_auc(y[again], scores[again], fold=fold[again], cluster=subject[again])
        assert one.se == pytest.approx(two.se, rel=1e-12)

    def test_only_ratios_of_sampling_weights_matter(self) -> None:
        y, scores, fold = simulated(4)
        weight = np.random.default_rng(1).uniform(0.5, 2, y.size)
        one, two = (rs.crossval_auc(y, scores, fold=fold, sample_weight=scale * weight) for scale in (1.0, 37.5))
        assert (one.estimate, one.se) == pytest.approx((two.estimate, two.se), rel=1e-12)
        flat = rs.crossval_auc(y, scores, fold=fold, sample_weight=np.full(y.size, 0.7))
        plain = rs.crossval_auc(y, scores, fold=fold)
        assert (flat.estimate, flat.se) == pytest.approx((plain.estimate, plain.se), rel=1e-12)

    def test_a_repeat_that_is_the_same_again_changes_nothing(self) -> None:
        y, scores, fold = simulated(5)
        row = np.tile(np.arange(y.size), 3)
        repeat = np.repeat([1, 2, 3], y.size)
        for method in ("influence", "logit"):
            one = rs.crossval_auc(y, scores, fold=fold, method=method)
            many = rs.crossval_auc(
                np.tile(y, 3), np.tile(scores, 3), fold=np.tile(fold, 3), repeat=repeat, id=row, method=method
            )
            assert (many.estimate, many.se) == pytest.approx((one.estimate, one.se), rel=1e-12)
            assert (many.n_pos, many.n_neg) == (one.n_pos, one.n_neg)

    def test_the_same_repeat_again_changes_no_pooled_interval(self) -> None:
        """Nor do subjects, weights of either kind: the AUC of all scores has DeLong's interval."""
        y, scores, fold = simulated(6)
        rng = np.random.default_rng(3)
        cases: list[dict[str, Any]] = [
            {},
            {"cluster": np.arange(y.size) // 4},
            {"sample_weight": rng.integers(1, 4, y.size)},
            {"sample_weight": rng.uniform(0.5, 2, y.size)},
            {"sample_weight": rng.uniform(0.5, 2, y.size), "cluster": np.arange(y.size) // 4},
        ]
        for options in cases:
            many = rs.crossval_auc(
                np.tile(y, 3),
                np.tile(scores, 3),
                fold=np.tile(fold, 3),
                repeat=np.repeat([1, 2, 3], y.size),
                id=np.tile(np.arange(y.size), 3),
                method="pooled",
                **{name: np.tile(column, 3) for name, column in options.items()},
            )
            one = rs.auc_interval(y, scores, **options)
            assert (many.estimate, many.se) == pytest.approx((one.estimate, one.se), rel=1e-12)

    def test_repeats_with_different_folds_are_meaned_per_row(self) -> None:
        y, scores, fold = simulated(6)
        other = simulated(7)[2]
        second = simulated(8)[1]
        found = rs.crossval_auc(
            np.tile(y, 2),
            np.append(scores, second),
            fold=np.append(fold, other),
            repeat=np.repeat(["one", "two"], y.size),
            id=np.tile(np.arange(y.size), 2),
            method="influence",
        )
        added = (_influence(y, scores, fold) + _influence(y, second, other)) / 2
        assert found.se == pytest.approx(math.sqrt(float(added @ added)), rel=1e-12)
        parts = [rs.crossval_auc(y, s, fold=f).estimate for s, f in ((scores, fold), (second, other))]
        assert found.estimate == pytest.approx(np.mean(parts), abs=1e-14)

    def test_pooled_has_delongs_variance_of_all_rows_enlarged(self) -> None:
        y, scores, fold = simulated(9)
        subject = np.arange(y.size) // 4
        weight = np.random.default_rng(1).uniform(0.5, 2, y.size)
        for options in ({}, {"cluster": subject}, {"sample_weight": weight}):
            one = rs.crossval_auc(y, scores, fold=fold, method="pooled", **options)
            two = rs.auc_interval(y, scores, **options)
            assert (one.estimate, one.se) == pytest.approx((two.estimate, two.se), abs=1e-12)
            assert one.low < two.low < two.high < one.high  # other rows would have trained other models

    def test_swapped_models_have_opposite_signs(self) -> None:
        y, first, fold = simulated(1)
        second = simulated(2)[1]
        for method in ("influence", "nadeau-bengio"):
            one = rs.compare_crossval(y, first, second, fold=fold, method=method)
            two = rs.compare_crossval(y, second, first, fold=fold, method=method)
            assert (one.statistic, one.pvalue) == pytest.approx((-two.statistic, two.pvalue), rel=1e-12)
        one, two = (
            rs.compare_crossval(y, *pair, fold=fold, method="bayesian") for pair in ((first, second), (second, first))
        )
        assert (one.p_left, one.p_rope, one.p_right) == pytest.approx((two.p_right, two.p_rope, two.p_left), rel=1e-12)

    def test_identical_models(self) -> None:
        y, scores, fold = simulated(1)
        for method in ("influence", "nadeau-bengio"):
            test = rs.compare_crossval(y, scores, 2 * scores, fold=fold, method=method)
            assert (test.estimate, test.statistic, test.pvalue) == (0.0, 0.0, 1.0)
            assert test.warnings
            assert np.isnan(test.low) == np.isnan(test.high) == (method == "nadeau-bengio")
        posterior = rs.compare_crossval(y, scores, scores, fold=fold, method="bayesian")
        assert np.isnan([posterior.p_left, posterior.p_rope, posterior.p_right]).all()
        assert [remark.code for remark in posterior.warnings] == ["splits_alike"]


class TestMeanAndPooled:
    @pytest.mark.parametrize("seed", range(5))
    def test_the_difference_is_the_sum_of_its_parts_and_the_pairs_add_up(self, seed: int) -> None:
        y, scores, fold = simulated(seed)
        found = rs.crossval_evaluate(y, scores + fold, fold=fold)
        assert found.difference == pytest.approx(found.by_size + found.by_scale, abs=1e-15)
        assert found.difference == pytest.approx(found.pooled.estimate - found.mean.estimate, abs=1e-15)
        within: list[float] = []
        between: list[float] = []
        moved = scores + fold
        for p in np.flatnonzero(y == 1):
            for n in np.flatnonzero(y == 0):
                (within if fold[p] == fold[n] else between).append(float(wins(moved[p], moved[n])))
        assert found.within_auc == pytest.approx(np.mean(within), abs=1e-14)
        assert found.between_auc == pytest.approx(np.mean(between), abs=1e-14)

    def test_folds_of_one_size_differ_by_scale_only(self) -> None:
        y, scores = np.tile([1, 0, 0], 20), np.random.default_rng(2).normal(size=60)
        found = rs.crossval_evaluate(y, scores, fold=np.arange(60) // 15)
        assert found.by_size == pytest.approx(0, abs=1e-15)

    def test_the_interval_of_the_difference(self) -> None:
        """Against the spread of the difference over rows left out one by one."""
        y, scores, fold = simulated(3, n=240, decimals=None)
        found = rs.crossval_evaluate(y, scores + fold, fold=fold)
        moved, left_out = scores + fold, []
        for row in range(y.size):
            kept = np.arange(y.size) != row
            each = rs.crossval_evaluate(y[kept], moved[kept], fold=fold[kept])
            left_out.append(each.difference)
        jackknife = math.sqrt((y.size - 1) / y.size * np.sum((np.array(left_out) - np.mean(left_out)) ** 2))
        half = (found.difference_high - found.difference_low) / 2
        assert half == pytest.approx(1.959963984540054 * jackknife, rel=0.05)

    def test_words(self) -> None:
        y, scores, fold = simulated(3, n=240, decimals=None)
        apart = rs.crossval_evaluate(y, scores + 5 * fold, fold=fold)
        assert "not on one scale" in apart.explanation[1]
        assert "use the mean" in str(apart)
        same = rs.crossval_evaluate(y, scores, fold=fold)
        assert "may be chance" in same.explanation[1]
        prevalent = np.where(fold == 0, np.arange(y.size) % 10 < 8, np.arange(y.size) % 10 < 2).astype(int)
        told = rs.crossval_evaluate(prevalent, scores - 5 * fold, fold=fold)
        assert "more often" in told.explanation[1]
        assert "prevalence" in told.explanation[1]

    def test_frame_and_text(self) -> None:
        y, scores, fold = simulated(3)
        found = rs.crossval_evaluate(y, scores, fold=fold)
        frame = found.to_frame("pandas")
        assert list(frame["fold"]) == [0, 1, 2]
        assert frame["n_pos"].sum() == y.sum()
        assert "mean of folds" in str(found)
        assert found.to_dict()["mean"]["method"] == "wilson"
        assert found.to_dict()["mean"]["auto"] is True


class TestIntervals:
    def test_corrected_t_is_that_of_the_fold_values(self) -> None:
        y, scores, fold = simulated(1)
        found = rs.crossval_auc(y, scores, fold=fold, method="corrected-t")
        values = [each.auc for each in rs.crossval_evaluate(y, scores, fold=fold).folds]
        test = corrected_t(values, 1 / 3)
        assert (found.estimate, found.se) == pytest.approx((test.estimate, test.se), rel=1e-12)
        assert found.low == pytest.approx(max(test.low, 0))

    @pytest.mark.parametrize("weighted", [False, True])
    def test_delong_adds_up_the_variances_of_the_folds(self, weighted: bool) -> None:
        y, scores, fold = simulated(1)
        weight = np.random.default_rng(1).uniform(0.5, 2, y.size)
        kind = {"weight_type": "sampling"} if weighted else {}
        found = rs.crossval_auc(
            y, scores, fold=fold, method="delong", sample_weight=weight if weighted else None, **kind
        )
        parts: list[Any] = [
            rs.auc_interval(y[here], scores[here], sample_weight=weight[here] if weighted else None, **kind)
            for here in (fold == name for name in range(3))
        ]
        assert found.estimate == pytest.approx(np.mean([part.estimate for part in parts]), abs=1e-14)
        assert found.se == pytest.approx(math.sqrt(sum(part.se**2 for part in parts)) / 3, rel=1e-12)

    def test_delong_with_whole_weights_counts_repeated_rows(self) -> None:
        y, scores, fold = simulated(3)
        weight = np.random.default_rng(1).integers(1, 4, y.size)
        again = np.repeat(np.arange(y.size), weight)
        one = rs.crossval_auc(y, scores, fold=fold, sample_weight=weight, weight_type="frequency", method="delong")
        two = rs.crossval_auc(y[again], scores[again], fold=fold[again], method="delong")
        assert one.se == pytest.approx(two.se, rel=1e-12)

    def test_a_single_positive_in_a_fold_has_no_variance(self) -> None:
        y, fold = [1, 0, 0, 1, 1, 0, 0], [1, 1, 1, 2, 2, 2, 2]
        found = rs.crossval_auc(y, [3, 2, 1, 3, 1, 2, 0], fold=fold, method="delong")
        assert math.isnan(found.low)
        assert any("single row of a class" in text for text in found.warnings)
        assert rs.crossval_auc(y, [3, 2, 1, 3, 1, 2, 0], fold=fold).low > 0

    def test_few_rows_are_announced_as_measured(self) -> None:
        y, scores, fold = simulated(1)
        few = rs.crossval_auc(y, scores, fold=fold, method="influence")
        assert any("less than 92%" in text and text.endswith("use method='auto'") for text in few.warnings)
        assert rs.crossval_auc(y, scores, fold=fold).warnings == ()
        many = np.tile(y, 10), np.random.default_rng(1).normal(size=600) + 2 * np.tile(y, 10)
        assert rs.crossval_auc(*many, fold=np.arange(600) // 3 % 5, method="influence").warnings == ()

    def test_few_rows_are_announced_in_comparisons_too(self) -> None:
        y, first, fold = simulated(1)
        few = rs.compare_crossval(y, first, simulated(2)[1], fold=fold, method="influence")
        assert "method='auto' did better" in few.warnings[0]
        found = rs.compare_crossval(y, first, simulated(2)[1], fold=fold)
        asked = rs.compare_crossval(y, first, simulated(2)[1], fold=fold, method="nadeau-bengio")
        assert (found.method, found.auto, found.pvalue) == (asked.method, True, asked.pvalue)
        assert found.warnings == ()
        rng, many = np.random.default_rng(1), np.tile(y, 10)
        scores = [rng.normal(size=600) + 2 * many for _ in range(2)]
        assert rs.compare_crossval(many, *scores, fold=np.arange(600) // 3 % 5, method="influence").warnings == ()

    def test_logit_stays_inside(self) -> None:
        y, scores, fold = simulated(1)
        found = rs.crossval_auc(y, scores + y, fold=fold, method="logit")
        assert 0 < found.low < found.estimate < found.high < 1

    def test_perfect_folds_warn_that_no_width_is_no_certainty(self) -> None:
        y, _, fold = simulated(1)
        found = rs.crossval_auc(y, y.astype(float), fold=fold, method="influence")
        assert (found.low, found.high) == (1, 1)
        assert any("not certainty" in text for text in found.warnings)
        for method in ("auto", "wilson", "pooled"):
            better = rs.crossval_auc(y, y.astype(float), fold=fold, method=method)
            assert better.low < better.high == better.estimate == 1
            upside_down = rs.crossval_auc(y, -y.astype(float), fold=fold, method=method)
            assert upside_down.high == pytest.approx(1 - better.low, abs=1e-15)
        logit = rs.crossval_auc(y, y.astype(float), fold=fold, method="logit")
        assert math.isnan(logit.low)
        assert any("log-odds" in text for text in logit.warnings)

    @pytest.mark.parametrize(("n", "larger"), [(40, 1.5), (400, 1.5), (800, 1.25)])
    def test_the_default_enlarges_the_variance_by_half_up_to_200_rows_and_less_beyond(
        self, n: int, larger: float
    ) -> None:
        rng = np.random.default_rng(n)
        y = np.arange(n) % 2
        scores, fold = rng.normal(size=n) + y, np.arange(n) // 2 % 4
        found = rs.crossval_auc(y, scores, fold=fold)
        assert (found.method, found.auto) == ("wilson", True)
        assert found.se == pytest.approx(rs.crossval_auc(y, scores, fold=fold, method="delong").se, rel=1e-13)
        known = whole_area(found.estimate, larger * found.se**2, (n / 2, n / 2))
        known = replace(known, model=known.model / larger)
        assert (found.low, found.high) == pytest.approx(known.wilson_ends(0.95), abs=1e-12)

    def test_single_rows_of_a_class_leave_a_model_and_a_remark(self) -> None:
        y, fold = [1, 0, 0, 1, 1, 0, 0], [1, 1, 1, 2, 2, 2, 2]
        found = rs.crossval_auc(y, [3, 2, 1, 3, 1, 2, 0], fold=fold)
        assert 0 < found.low < found.estimate < found.high < 1
        assert any("single row of a class" in text for text in found.warnings)

    def test_a_higher_level_is_wider(self) -> None:
        y, scores, fold = simulated(1)
        one, two = (rs.crossval_auc(y, scores, fold=fold, level=level) for level in (0.9, 0.99))
        assert two.low < one.low < one.high < two.high


class TestLearners:
    def test_statistics_of_a_published_example(self) -> None:
        """Values of baycomp's own tests: mean, variance and degrees of freedom of (5, 7, 3) - (4, 2, 6)."""
        found = correlated_posterior(np.array([5, 7, 3]) - np.array([4, 2, 6]), 1 / 3)
        assert (found.estimate, found.scale**2, found.df) == pytest.approx((1, 16 * (1 / 3 + 1 / 2), 2))
        repeated = correlated_posterior(np.array([5, 7, 3, 5]) - np.array([4, 2, 6, 4]), 1 / 2)
        assert (repeated.estimate, repeated.scale**2, repeated.df) == pytest.approx((1, 32 / 3 * (1 / 4 + 1), 3))

    def test_probabilities_by_integration(self) -> None:
        from scipy.integrate import quad

        d = np.array([0.02, -0.01, 0.03, 0.015, 0.0])
        found = correlated_posterior(d, 0.2, rope=0.01)
        mean, scale, df = d.mean(), math.sqrt((1 / 5 + 1 / 4) * d.var(ddof=1)), 4

        def density(x: float) -> float:
            return (1 + ((x - mean) / scale) ** 2 / df) ** (-(df + 1) / 2)

        regions = ((-np.inf, -0.01), (-0.01, 0.01), (0.01, np.inf))
        areas = [quad(density, *ends, epsabs=1e-14)[0] for ends in regions]
        shares = np.array(areas) / sum(areas)
        assert (found.p_left, found.p_rope, found.p_right) == pytest.approx(tuple(shares), rel=1e-8)
        inside = quad(density, found.low, found.high, epsabs=1e-14)[0] / sum(areas)
        assert inside == pytest.approx(0.95, rel=1e-8)

    def test_a_posterior_without_rope_is_the_test(self) -> None:
        d = [0.02, -0.01, 0.03, 0.015, 0.0]
        found, test = correlated_posterior(d, 0.2, rope=0), corrected_t(d, 0.2)
        assert 2 * min(found.p_left, found.p_right) == pytest.approx(test.pvalue, rel=1e-12)
        assert (found.low, found.high) == pytest.approx((test.low, test.high), rel=1e-12)

    def test_a_tiny_test_share_is_the_paired_t_test(self) -> None:
        from scipy.stats import ttest_1samp

        d = np.random.default_rng(1).normal(0.01, 0.02, 12)
        found, plain = corrected_t(d, 1e-12), ttest_1samp(d, 0)
        assert (found.statistic, found.pvalue) == pytest.approx((plain.statistic, plain.pvalue), rel=1e-9)
        assert abs(corrected_t(d, 0.2).statistic) < abs(found.statistic)

    def test_margins(self) -> None:
        d = [0.001, -0.002, 0.002, 0.0005]
        alike = rs.compare_learners(d, [0.0] * 4, test_share=0.25, alternative="equivalence", margin=0.02)
        assert alike.pvalue < 0.05

    def test_differences_that_never_vary(self) -> None:
        """Equal splits show no spread: what it would say is undefined, also where rounding alone tells them apart."""
        for d in ([0.1, 0.1, 0.1], [0.8 - 0.7, 0.9 - 0.8, 0.1], [1 / 22, 0.5 - 10 / 22]):
            same = corrected_t(d, 0.2)
            assert same.estimate == pytest.approx(d[0])
            assert np.isnan([same.low, same.high, same.pvalue, same.statistic, same.se]).all()
            assert [remark.code for remark in same.warnings] == ["splits_agree"]
            found = correlated_posterior(d, 0.2)
            assert np.isnan([found.p_left, found.p_rope, found.p_right, found.low, found.high]).all()
            assert [remark.code for remark in found.warnings] == ["splits_agree"]
            assert found.plot().line_ is not None
        for how in ({"alternative": "non-inferiority", "margin": 0.01}, {"alternative": "equivalence", "margin": 0.01}):
            assert np.isnan(rs.compare_learners([0.9, 0.8], [0.9, 0.8], test_share=0.5, **how).pvalue)
        none = rs.compare_learners([0.9, 0.8], [0.9, 0.8], test_share=0.5)
        assert (none.estimate, none.statistic, none.pvalue) == (0, 0, 1)
        assert np.isnan([none.low, none.high]).all()

    def test_a_difference_that_does_not_vary_over_rows(self) -> None:
        y, fold = [1, 1, 0, 0] * 3, [1] * 4 + [2] * 4 + [3] * 4
        up, down = [4, 3, 2, 1] * 3, [1, 2, 3, 4] * 3
        for method, code in (("influence", "difference_same_by_row"), ("nadeau-bengio", "splits_agree")):
            found = rs.compare_crossval(y, up, down, fold=fold, method=method)
            assert found.estimate == 1
            assert np.isnan([found.low, found.high, found.pvalue]).all()
            assert code in [remark.code for remark in found.warnings]
        mean = rs.crossval_auc(y, up, fold=fold, method="corrected-t")
        assert np.isnan([mean.low, mean.high]).all()
        assert "folds_agree" in [remark.code for remark in mean.warnings]

    def test_the_verdict_says_why_learners_cannot_be_compared(self) -> None:
        y, fold = [1, 1, 0, 0] * 3, [1] * 4 + [2] * 4 + [3] * 4
        table = {"y": y, "up": [4, 3, 2, 1] * 3, "down": [1, 2, 3, 4] * 3, "fold": fold}
        found = rs.evaluate(table, label="y", scores=["up", "down"], fold="fold").compare()
        assert "the difference is the same in every fold" in found.verdict[-1]


def test_values_of_repeats_and_folds_are_asked_for_in_one_row() -> None:
    values = np.linspace(0.7, 0.9, 50).reshape(10, 5)
    with pytest.raises(rs.errors.InputError, match=r"first has shape \(10, 5\).*first\.ravel\(\)"):
        rs.inference.compare_learners(values, values, test_share=0.2)
