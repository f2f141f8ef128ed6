"""Fitted estimators, cross-validated ones, and scorers: the doors for users of scikit-learn."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn import config_context, get_config
from sklearn import metrics as sk
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import (
    GridSearchCV,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import rocsteady as rs
from rocsteady._src.designs.folds import processes

X, Y = make_classification(n_samples=240, n_features=6, flip_y=0.2, random_state=3)
TRAIN, TEST = slice(0, 120), slice(120, 240)
NAMES = np.where(Y == 1, "sick", "healthy")


def fitted(y: Any = Y) -> dict[str, Any]:
    models = {
        "logistic": LogisticRegression(),
        "margin": LinearSVC(),
        "pipeline": make_pipeline(StandardScaler(), GaussianNB()),
        "search": GridSearchCV(LogisticRegression(), {"C": [0.1, 1]}, cv=3),
    }
    return {name: model.fit(X[TRAIN], y[TRAIN]) for name, model in models.items()}


@pytest.mark.parametrize("y", [Y, NAMES, Y.astype(bool)])
def test_values_are_those_of_the_scores(y: Any) -> None:
    models = fitted(y)
    found = rs.evaluate_estimators(models, X[TEST], y[TEST])
    assert found.origin is not None
    assert found.origin.pos_label == models["logistic"].classes_[1]
    for name, model in models.items():
        scores = model.predict_proba(X[TEST])[:, 1] if name != "margin" else model.decision_function(X[TEST])
        assert found.values[name]["auc"] == rs.auc(Y[TEST], scores)
    assert "rows_may_be_known" in {remark.code for remark in found.remarks}


def test_another_positive_class_and_response() -> None:
    models = {name: each for name, each in fitted(NAMES).items() if name != "pipeline"}
    found: Any = rs.evaluate_estimators(models, X[TEST], NAMES[TEST], pos_label="healthy", response="decision_function")
    scores = -models["margin"].decision_function(X[TEST])
    assert found.values["margin"]["auc"] == rs.auc(NAMES[TEST], scores, pos_label="healthy")
    with pytest.raises(rs.ArgumentError, match="LinearSVC has no predict_proba"):
        rs.evaluate_estimators(models, X[TEST], NAMES[TEST], response="predict_proba")
    with pytest.raises(rs.ArgumentError, match="pos_label must be a class of the models, 'healthy', 'sick'"):
        rs.evaluate_estimators(models, X[TEST], NAMES[TEST], pos_label="ill")


def test_models_of_a_list_are_called_by_their_class() -> None:
    first, second = (LogisticRegression(C=c).fit(X[TRAIN], Y[TRAIN]) for c in (0.01, 1))
    bayes = GaussianNB().fit(X[TRAIN], Y[TRAIN])
    assert rs.evaluate_estimators(bayes, X[TEST], Y[TEST]).models == ("GaussianNB",)
    found: Any = rs.evaluate_estimators([first, bayes, second], X[TEST], Y[TEST])
    assert found.models == ("LogisticRegression 1", "GaussianNB", "LogisticRegression 2")
    steps: Any = rs.evaluate_estimators([("lr", first), ("nb", bayes)], X[TEST], Y[TEST])
    assert steps.models == ("lr", "nb")


def test_options_reach_the_evaluation() -> None:
    models = {"a": GaussianNB().fit(X[TRAIN], Y[TRAIN])}
    groups = np.where(X[TEST][:, 0] > 0, "north", "south")
    found: Any = rs.evaluate_estimators(models, X[TEST], Y[TEST], by=groups, intervals=False, measures=["auc"])
    assert {"all", "north", "south"} <= set(found.to_frame().iloc[:, 0])
    assert "rows_may_be_known" in {remark.code for remark in found.overall.remarks}


def test_rows_that_a_model_keeps_are_refused() -> None:
    near = KNeighborsClassifier().fit(X, Y)
    for model in (
        near,
        make_pipeline(StandardScaler(), KNeighborsClassifier()).fit(X, Y),
        GridSearchCV(make_pipeline(StandardScaler(), KNeighborsClassifier()), {}, cv=3).fit(X, Y),
    ):
        with pytest.raises(rs.InputError, match="fitted on these very rows"):
            rs.evaluate_estimators({"near": model}, X, Y)
    rs.evaluate_estimators({"near": near}, X[::-1], Y[::-1])  # other rows, as far as can be seen


@pytest.mark.parametrize(
    ("models", "words"),
    [
        ({"a": LogisticRegression()}, "a .LogisticRegression. has no classes_: it is not fitted"),
        ({"a": Ridge().fit(X, Y)}, "has no classes_"),
        ({}, "no estimators were given"),
        ({"a": GaussianNB().fit(X, Y), "b": GaussianNB().fit(X, NAMES)}, "compare models of the same classes"),
    ],
)
def test_what_cannot_be_judged_is_said(models: Any, words: str) -> None:
    with pytest.raises(rs.ArgumentError, match=words):
        rs.evaluate_estimators(models, X[TEST], Y[TEST])


def test_more_than_two_classes() -> None:
    wide, labels = make_classification(n_samples=240, n_classes=3, n_informative=5, random_state=1)
    model = GaussianNB().fit(wide[TRAIN], labels[TRAIN])
    found: Any = rs.evaluate_estimators(model, wide[TEST], labels[TEST])
    expected = rs.evaluate_multiclass(labels[TEST], model.predict_proba(wide[TEST]))
    assert found.averages["macro"].estimate == expected.averages["macro"].estimate


class TestCrossValidation:
    CV = StratifiedKFold(4, shuffle=True, random_state=1)

    def test_folds_are_those_of_scikit_learn(self) -> None:
        models = {"logistic": LogisticRegression(), "bayes": GaussianNB()}
        found = rs.crossval_evaluate_estimators(models, X, NAMES, cv=self.CV)
        for name, model in models.items():
            expected = cross_val_score(model, X, NAMES, cv=self.CV, scoring="roc_auc")
            assert [each.auc for each in found[name].folds] == pytest.approx(expected.tolist(), rel=1e-12)

    def test_small_work_starts_no_processes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(processes, "START", 600.0)  # a machine that is slow at it changes nothing
        monkeypatch.setattr(processes, "_by_joblib", None)
        labels = list(processes.in_order(divmod, [(7, 2), (9, 4), (5, 5)], n_jobs=2))
        assert labels == [(3, 1), (2, 1), (1, 0)]
        with config_context(transform_output="pandas"):
            told = list(processes.in_order(lambda name: get_config()[name], [("transform_output",)] * 3, n_jobs=-1))
        assert told == ["pandas"] * 3

    def test_the_first_fit_may_fail(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for start in (0.0, 600.0):
            monkeypatch.setattr(processes, "START", start)
            with pytest.raises(ZeroDivisionError):
                list(processes.in_order(divmod, [(7, 0), (9, 4)], n_jobs=2))

    def test_what_cross_validate_returned(self) -> None:
        models = {"logistic": LogisticRegression(), "bayes": GaussianNB()}
        kept = {
            name: cross_validate(model, X, Y, cv=self.CV, return_estimator=True, return_indices=True)
            for name, model in models.items()
        }
        expected = rs.crossval_evaluate_estimators(models, X, Y, cv=self.CV)
        found = rs.crossval_evaluate_estimators(kept, X, Y)
        for name in models:
            assert found[name].mean.estimate == expected[name].mean.estimate
        alone = rs.crossval_evaluate_estimators(kept["bayes"], X, Y)
        assert alone["model"].mean.estimate == expected["bayes"].mean.estimate
        with pytest.raises(rs.ArgumentError, match="return_estimator=True, return_indices=True"):
            rs.crossval_evaluate_estimators(cross_validate(GaussianNB(), X, Y), X, Y)

    def test_what_cross_val_predict_returned(self) -> None:
        p = cross_val_predict(GaussianNB(), X, Y, cv=self.CV, method="predict_proba")
        fold = np.zeros(Y.size, dtype=int)
        for number, (_, test) in enumerate(self.CV.split(X, Y)):
            fold[test] = number
        found = rs.evaluate(Y, p, fold=fold)
        expected = rs.crossval_evaluate_estimators(GaussianNB(), X, Y, cv=self.CV)
        assert found["probability of 1"].mean.estimate == pytest.approx(expected["GaussianNB"].mean.estimate, rel=1e-12)

    def test_repeats_weights_and_subjects(self) -> None:
        cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=1)
        found = rs.crossval_evaluate_estimators(GaussianNB(), X, Y, cv=cv)
        assert len(found["GaussianNB"].folds) == 6
        weights = np.arange(Y.size) % 3 + 1.0
        weighted = rs.crossval_evaluate_estimators(GaussianNB(), X, Y, cv=self.CV, sample_weight=weights)
        assert weighted.overall.origin.weighted
        subjects = np.arange(Y.size) // 2
        clustered = rs.crossval_evaluate_estimators(GaussianNB(), X, Y, cv=self.CV, cluster=subjects)
        assert clustered.overall.rows.n_subjects == 120
        with pytest.raises(rs.ArgumentError, match="one value per row of X"):
            rs.crossval_evaluate_estimators(GaussianNB(), X, Y, cluster="who")


class TestScorer:
    MODEL = LogisticRegression().fit(X[TRAIN], Y[TRAIN])

    def test_values(self) -> None:
        p = self.MODEL.predict_proba(X[TEST])[:, 1]
        called = self.MODEL.predict(X[TEST])
        for name, expected in {
            "auc": sk.roc_auc_score(Y[TEST], p),
            "h_measure": rs.h_measure(Y[TEST], p),
            "brier_score": -sk.brier_score_loss(Y[TEST], p),
            "f1": sk.f1_score(Y[TEST], called),
            "recall(threshold=0.3)": sk.recall_score(Y[TEST], p >= 0.3),
            "partial_auc(fpr_range=(0, 0.2))": rs.partial_auc(Y[TEST], p, fpr_range=(0, 0.2)),
        }.items():
            assert rs.scorer(name)(self.MODEL, X[TEST], Y[TEST]) == pytest.approx(expected, rel=1e-12), name
        assert rs.scorer(rs.partial_auc, fpr_range=(0, 0.2))(self.MODEL, X[TEST], Y[TEST]) == pytest.approx(
            rs.partial_auc(Y[TEST], p, fpr_range=(0, 0.2)), rel=1e-12
        )

    def test_in_a_search_and_a_pickle(self) -> None:
        scoring = pickle.loads(pickle.dumps(rs.scorer("h_measure")))  # noqa: S301 - our own bytes
        search = GridSearchCV(LogisticRegression(), {"C": [0.01, 1]}, scoring=scoring, cv=3).fit(X, NAMES)
        assert np.isfinite(search.cv_results_["mean_test_score"]).all()

    def test_several_at_once_for_searches_and_cross_validation(self) -> None:
        from sklearn.model_selection import GridSearchCV, cross_validate

        named = rs.scorer({"area": "auc", "loss": "brier_score"})
        found = cross_validate(LogisticRegression(), X, Y, cv=3, scoring=rs.scorer(["auc", rs.brier_score]))
        same = cross_validate(LogisticRegression(), X, Y, cv=3, scoring=named)
        assert found["test_auc"] == pytest.approx(same["test_area"])
        assert found["test_brier_score"] == pytest.approx(same["test_loss"])
        assert found["test_brier_score"].max() < 0
        asked = {"scoring": rs.scorer(("auc", "log_loss")), "refit": "auc", "cv": 3}
        search = GridSearchCV(LogisticRegression(), {"C": [0.1, 1]}, **asked).fit(X, Y)
        assert search.best_score_ == search.cv_results_["mean_test_auc"].max()

    @pytest.mark.parametrize("name", ["base_rate", "auc(x=1)", "nothing", "family:ranking"])
    def test_what_is_no_scorer(self, name: str) -> None:
        with pytest.raises(rs.ArgumentError):
            rs.scorer(name)
