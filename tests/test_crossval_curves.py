"""Averaged curves, added counts, and scores made by running an estimator; each drawn too."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import rocsteady as rs

rng = np.random.default_rng(11)
N = 90
Y = (np.arange(N) % 3 == 0).astype(int)
SCORES = (rng.normal(size=N) + Y).round(1)
folds = np.arange(N) // 3 % 5


def curve_at(y: np.ndarray, scores: np.ndarray, rate: float) -> float:
    """Upper end of the ROC curve at a rate, from all thresholds, by hand."""
    points = [(0.0, 0.0)]
    for cut in sorted(set(scores.tolist()), reverse=True):
        called = scores >= cut
        points.append((np.mean(called[y == 0]), np.mean(called[y == 1])))
    on = [tpr for fpr, tpr in points if fpr == rate]
    if on:
        return max(on)
    left, right = max(p for p in points if p[0] < rate), min(p for p in points if p[0] > rate)
    return left[1] + (right[1] - left[1]) * (rate - left[0]) / (right[0] - left[0])


class TestVertical:
    def test_the_area_of_the_mean_curve_is_the_mean_of_the_areas(self) -> None:
        roc = rs.averaged_roc(Y, SCORES, fold=folds)
        assert roc.area == pytest.approx(rs.crossval_auc(Y, SCORES, fold=folds).estimate, abs=1e-14)
        assert (roc.fpr[0], roc.tpr[0], roc.fpr[-1], roc.tpr[-1]) == (0, 0, 1, 1)
        assert (np.diff(roc.fpr) >= 0).all()
        assert (np.diff(roc.tpr) >= -1e-15).all()

    def test_uneven_folds_too(self) -> None:
        fold = np.where(np.arange(N) < 50, 0, np.where(np.arange(N) < 70, 1, 2))
        roc = rs.averaged_roc(Y, SCORES, fold=fold)
        assert roc.area == pytest.approx(rs.crossval_auc(Y, SCORES, fold=fold).estimate, abs=1e-14)

    def test_means_and_limits_by_hand(self) -> None:
        from scipy.stats import t

        rates = [0.0, 0.07, 1 / 3, 0.5, 1.0]
        roc = rs.averaged_roc(Y, SCORES, fold=folds, at=rates)
        values = np.array([[curve_at(Y[folds == k], SCORES[folds == k], rate) for rate in rates] for k in range(5)])
        assert roc.tpr == pytest.approx(values.mean(axis=0), abs=1e-14)
        half = t.ppf(0.975, 4) * values.std(axis=0, ddof=1) / math.sqrt(5)
        assert roc.low == pytest.approx(np.clip(values.mean(axis=0) - half, 0, 1), abs=1e-12)
        assert roc.high == pytest.approx(np.clip(values.mean(axis=0) + half, 0, 1), abs=1e-12)
        assert math.isnan(roc.area)

    def test_repeats_do_not_narrow_the_limits(self) -> None:
        again = {"repeat": np.repeat([1, 2], N), "id": np.tile(np.arange(N), 2)}
        one = rs.averaged_roc(Y, SCORES, fold=folds, at=[0.2])
        two = rs.averaged_roc(np.tile(Y, 2), np.tile(SCORES, 2), fold=np.tile(folds, 2), at=[0.2], **again)
        assert two.tpr == pytest.approx(one.tpr, abs=1e-15)
        # s is that of ten values, five of them twice
        assert (two.high - two.tpr) == pytest.approx((one.high - one.tpr) * math.sqrt(4 / 5 * 10 / 9), rel=1e-12)

    def test_places_where_all_folds_agree_are_counted(self) -> None:
        y, scores = np.tile([1, 0], 10), np.tile([2.0, 1.0], 10)
        roc = rs.averaged_roc(y, scores, fold=np.arange(20) // 4)
        assert roc.area == 1
        assert any("is not certainty" in text for text in roc.warnings)
        assert rs.averaged_roc(Y, SCORES, fold=folds, at=[0.1, 0.2, 0.3]).warnings == ()


class TestThreshold:
    def test_means_by_hand(self) -> None:
        cuts = [2.0, 0.5, -10.0, 99.0]
        roc = rs.averaged_roc(Y, SCORES, fold=folds, how="threshold", at=cuts)
        for place, cut in enumerate(cuts):
            called = cut <= SCORES
            tpr = np.mean([called[(folds == k) & (Y == 1)].mean() for k in range(5)])
            fpr = np.mean([called[(folds == k) & (Y == 0)].mean() for k in range(5)])
            assert (roc.fpr[place], roc.tpr[place]) == pytest.approx((fpr, tpr), abs=1e-15)

    def test_all_thresholds_go_from_corner_to_corner(self) -> None:
        roc = rs.averaged_roc(Y, SCORES, fold=folds, how="threshold")
        assert roc.thresholds[0] == math.inf
        assert roc.thresholds.size == np.unique(SCORES).size + 1
        assert (roc.fpr[0], roc.tpr[0]) == (0, 0)
        assert (roc.fpr[-1], roc.tpr[-1]) == pytest.approx((1, 1), abs=1e-15)
        assert 0 < roc.area < 1
        assert (roc.fpr_low <= roc.fpr).all()


class TestCounts:
    def test_folds_add_up_to_all_rows(self) -> None:
        counts = rs.crossval_confusion(Y, SCORES, fold=folds, threshold=0.5)
        everything = rs.confusion(Y, SCORES, threshold=0.5)
        for cell in ("tp", "fp", "fn", "tn"):
            assert getattr(counts, cell).sum() == getattr(everything, cell) == getattr(counts.total, cell)
        assert counts.total.f1 == everything.f1
        assert counts.tp.tolist() == [int(((SCORES >= 0.5) & (Y == 1) & (folds == k)).sum()) for k in range(5)]

    def test_a_threshold_for_each_fold(self) -> None:
        cuts = {0: 0.0, 1: 0.5, 2: 1.0, 3: 0.2, 4: -1.0}
        counts = rs.crossval_confusion(Y, SCORES, fold=folds, threshold=cuts)
        called = np.array([cuts[k] for k in folds]) <= SCORES
        assert counts.total.tp == int((called & (Y == 1)).sum())
        assert counts.total.threshold is None
        assert counts.threshold.tolist() == list(cuts.values())

    def test_one_class_counts_and_repeats_are_said(self) -> None:
        counts = rs.crossval_confusion(Y, SCORES, fold=Y, threshold=0.5)
        assert counts.fp.tolist()[1] == 0
        again = rs.crossval_confusion(
            np.tile(Y, 2), np.tile(SCORES, 2), fold=np.tile(folds, 2), repeat=np.repeat([1, 2], N), threshold=0.5
        )
        assert again.total.recall == rs.crossval_confusion(Y, SCORES, fold=folds, threshold=0.5).total.recall
        assert "2 times" in again.warnings[0]
        assert "all folds: TP" in str(again)
        assert list(again.to_frame("pandas")["repeat"])[:1] == [1]


@pytest.fixture(scope="module")
def learned() -> Any:
    pytest.importorskip("sklearn")
    from sklearn.datasets import make_classification

    return make_classification(n_samples=90, n_features=6, flip_y=0.2, random_state=4)


class TestScores:
    def test_as_cross_val_predict(self, learned: Any) -> None:
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_val_score

        x, y = learned
        cv = StratifiedKFold(5, shuffle=True, random_state=3)
        found = rs.crossval_scores(LogisticRegression(), x, y, cv=cv)
        expected = cross_val_predict(LogisticRegression(), x, y, cv=cv, method="predict_proba")[:, 1]
        assert found.y_score[np.argsort(found.row)] == pytest.approx(expected, abs=1e-15)
        assert (found.test_share, found.n_repeats, found.n_unscored) == (0.2, 1, 0)
        values = cross_val_score(LogisticRegression(), x, y, cv=cv, scoring="roc_auc")
        whole = rs.crossval_evaluate(found)
        assert [each.auc for each in whole.folds] == pytest.approx(values, abs=1e-14)
        # The splitter makes the same folds again, also for scores made elsewhere.
        assert rs.crossval_auc(y, expected, fold=cv).se == pytest.approx(whole.mean.se, rel=1e-12)

    def test_repeats(self, learned: Any) -> None:
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score

        x, y = learned
        cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=1)
        found = rs.crossval_scores(LogisticRegression(), x, y, cv=cv)
        assert (found.n_repeats, found.y_score.size) == (2, 180)
        values = cross_val_score(LogisticRegression(), x, y, cv=cv, scoring="roc_auc")
        whole = rs.crossval_evaluate(found)
        assert [each.auc for each in whole.folds] == pytest.approx(values, abs=1e-14)
        assert [(each.repeat, each.fold) for each in whole.folds] == [(r, k) for r in range(2) for k in range(3)]
        assert rs.crossval_auc(found).estimate == pytest.approx(values.mean(), abs=1e-14)
        assert rs.averaged_roc(found).area == pytest.approx(values.mean(), abs=1e-14)
        assert rs.crossval_confusion(found).total.tp + rs.crossval_confusion(found).total.fn == 2 * y.sum()

    def test_learners_on_the_same_splits(self, learned: Any) -> None:
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
        from sklearn.naive_bayes import GaussianNB

        x, y = learned
        cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=1)
        first, second = (rs.crossval_scores(each, x, y, cv=cv) for each in (LogisticRegression(), GaussianNB()))
        values = [
            cross_val_score(each, x, y, cv=cv, scoring="roc_auc") for each in (LogisticRegression(), GaussianNB())
        ]
        found = rs.compare_crossval(first, second, method="nadeau-bengio")
        expected = rs.compare_learners(*values, test_share=1 / 3)
        assert (found.estimate, found.pvalue) == pytest.approx((expected.estimate, expected.pvalue), rel=1e-9)
        assert rs.compare_crossval(first, second).estimate == pytest.approx(expected.estimate, abs=1e-14)
        other = rs.crossval_scores(GaussianNB(), x, y, cv=3)
        for code, call in (
            ("splits_differ", lambda: rs.compare_crossval(first, other)),
            ("already_folded", lambda: rs.compare_crossval(first, second, fold=first.fold)),
            ("first", lambda: rs.compare_crossval(first, second.y_score)),
            ("already_folded", lambda: rs.crossval_auc(first, second.y_score)),
        ):
            with pytest.raises(rs.RocsteadyError) as caught:
                call()
            assert caught.value.code == code

    def test_the_positive_class_is_the_one_asked_for(self, learned: Any) -> None:
        from sklearn.linear_model import LogisticRegression
        from sklearn.svm import LinearSVC

        x, y = learned
        words = np.where(y == 1, "a sick one", "well")  # sorts first, so that scikit-learn scores the other
        for model, response in ((LogisticRegression(), None), (LinearSVC(), "decision_function")):
            plain = rs.crossval_scores(model, x, y, response=response)
            named = rs.crossval_scores(model, x, words, pos_label="a sick one", response=response)
            assert rs.crossval_auc(named).estimate == pytest.approx(rs.crossval_auc(plain).estimate, abs=1e-12)
        assert plain.response == "decision_function"

    def test_splitters_that_cannot_serve(self, learned: Any) -> None:
        from sklearn.dummy import DummyRegressor
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import (
            KFold,
            LeaveOneOut,
            RepeatedStratifiedKFold,
            ShuffleSplit,
            StratifiedKFold,
            TimeSeriesSplit,
        )

        x, y = learned
        model, scores = LogisticRegression(), x[:, 0]
        halves = [(np.arange(50), np.arange(40, 90)), (np.arange(50, 90), np.arange(50))]
        for code, word, call in (
            ("splitter_random", "random_state", lambda: rs.crossval_auc(y, scores, fold=KFold(3, shuffle=True))),
            ("splitter_random", "random_state", lambda: rs.crossval_auc(y, scores, fold=ShuffleSplit(3))),
            (
                "rows_in_several_folds",
                "rs.crossval_scores",
                lambda: rs.crossval_auc(y, scores, fold=RepeatedStratifiedKFold(n_splits=3, random_state=1)),
            ),
            ("rows_unscored", "15 of 90", lambda: rs.crossval_auc(y, scores, fold=TimeSeriesSplit(5))),
            ("rows_unscored", "15 of 90", lambda: rs.crossval_scores(model, x, y, cv=TimeSeriesSplit(5))),
            ("rows_unscored", "compare_learners", lambda: rs.crossval_scores(model, x, y, cv=ShuffleSplit(3))),
            ("train_test_overlap", "10 rows", lambda: rs.crossval_scores(model, x, y, cv=halves)),
            ("single_fold", "1 split", lambda: rs.crossval_scores(model, x, y, cv=halves[1:])),
            ("row_twice", "split 0", lambda: rs.crossval_scores(model, x, y, cv=[(np.arange(9), [80, 80])] * 2)),
            ("lengths_differ", "90 rows", lambda: rs.crossval_scores(model, x, y[:-1])),
            ("not_two_classes", "3 classes", lambda: rs.crossval_scores(model, x, np.arange(90) % 3)),
            ("missing_values", "row 0", lambda: rs.crossval_scores(model, x, [None, *y[1:]])),
            ("response", "DummyRegressor", lambda: rs.crossval_scores(DummyRegressor(), x, y)),
            ("response", "decision_function", lambda: rs.crossval_scores(model, x, y, response="predict")),
        ):
            with pytest.raises(rs.RocsteadyError, match=word) as caught:
                call()
            assert caught.value.code == code
        assert rs.crossval_auc(y, scores, fold=StratifiedKFold(3)).estimate > 0
        assert rs.crossval_auc(y, scores, fold=LeaveOneOut(), method="pooled").estimate == rs.auc(y, scores)
        left = rs.crossval_scores(model, x, y, cv=TimeSeriesSplit(5), unscored="leave_out")
        assert (left.n_unscored, left.y_score.size) == (15, 75)
        assert "15 rows were never tested" in str(left)

    def test_a_training_set_of_one_class(self, learned: Any) -> None:
        from sklearn.dummy import DummyClassifier

        x, _ = learned
        y = np.repeat([0, 1], 45)
        splits = [(np.arange(45), np.arange(45, 90)), (np.arange(45, 90), np.arange(45))]
        with pytest.raises(rs.InputError, match="one class") as caught:
            rs.crossval_scores(DummyClassifier(), x, y, cv=splits)
        assert caught.value.code == "single_class_training"

    def test_frames_of_features(self, learned: Any) -> None:
        pandas = pytest.importorskip("pandas")
        from sklearn.linear_model import LogisticRegression

        x, y = learned
        frame = pandas.DataFrame(x, columns=list("abcdef"))
        one, two = (rs.crossval_scores(LogisticRegression(), each, y) for each in (x, frame))
        # Rows and columns lie differently in memory, so that sums round differently.
        assert one.y_score == pytest.approx(two.y_score, rel=1e-9)
        assert list(one.to_frame("pandas").columns) == ["row", "y_true", "y_score", "fold", "repeat"]


class TestPictures:
    @pytest.fixture(autouse=True)
    def no_windows(self) -> Any:
        matplotlib = pytest.importorskip("matplotlib")
        matplotlib.use("Agg")
        yield
        import matplotlib.pyplot as plt

        plt.close("all")

    def test_an_averaged_curve_over_those_of_the_folds(self) -> None:
        for how in ("vertical", "threshold"):
            roc = rs.averaged_roc(Y, SCORES, fold=folds, how=how)
            shown = roc.plot()
            assert sum(line.get_gid() == "fold" for line in shown.ax_.lines) == 5
            words = [*shown.ax_.texts, *shown.ax_.get_legend().get_texts()]
            assert any("mean of 5 folds" in text.get_text().replace("\n", " ") for text in words)
            assert shown.line_.get_ydata()[-1] == pytest.approx(1)
        assert roc.plot(publication=True).figure_ is not None

    def test_a_posterior_in_three_regions(self) -> None:
        found = rs.compare_learners([0.8, 0.82, 0.85], [0.79, 0.80, 0.86], test_share=1 / 3, method="bayesian")
        shown = found.plot()
        texts = [text.get_text() for text in shown.ax_.get_legend().get_texts()]
        assert f"first better {found.p_right:.3f}" in texts
        assert all(region is not None for region in shown.regions_)
        x, y = shown.line_.get_data()
        from scipy.stats import t

        assert y == pytest.approx(t.pdf(x, found.df, found.estimate, found.scale), rel=1e-10)
        flat = rs.compare_learners([0.8, 0.9], [0.7, 0.8], test_share=0.5, method="bayesian")
        assert flat.plot(publication=True).ax_ is not None
        same = rs.compare_learners([0.8, 0.9], [0.8, 0.9], test_share=0.5, method="bayesian", rope=0)
        assert same.plot().regions_ == [None, None, None]

    def test_folds_counts_and_scores(self, learned: Any) -> None:
        from sklearn.linear_model import LogisticRegression

        evaluated = rs.crossval_evaluate(Y, SCORES, fold=folds)
        assert len(evaluated.plot().dots_) == 7
        assert evaluated.folds[0].plot().ax_ is not None
        assert rs.crossval_confusion(Y, SCORES, fold=folds, threshold=0).plot().ax_ is not None
        assert rs.crossval_scores(LogisticRegression(), *learned).plot().ax_ is not None
