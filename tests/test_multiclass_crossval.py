"""Classifiers of more than two classes, fitted and judged by cross-validation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, RepeatedStratifiedKFold, StratifiedKFold, cross_val_score, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

import rocsteady as rs

X, Y = make_classification(n_samples=150, n_classes=3, n_informative=4, flip_y=0.2, random_state=4)
CV = StratifiedKFold(4)


def test_folds_are_those_of_scikit_learn() -> None:
    found: Any = rs.crossval_evaluate_estimators({"bayes": GaussianNB(), "lr": LogisticRegression()}, X, Y, cv=CV)
    frame = found.to_frame()
    for name, model in (("bayes", GaussianNB()), ("lr", LogisticRegression())):
        mine = frame[frame["model"] == name]
        for column, scoring in (("macro_auc", "roc_auc_ovr"), ("accuracy", "accuracy"), ("log_loss", "neg_log_loss")):
            theirs = cross_val_score(model, X, Y, cv=CV, scoring=scoring)
            assert mine[column].tolist() == pytest.approx(np.abs(theirs), rel=1e-9)
            assert found[name][column].estimate == pytest.approx(np.abs(theirs).mean(), rel=1e-9)


def test_what_cross_validate_returned_and_names_of_classes() -> None:
    names = np.array(["ant", "bee", "cat"])[Y]
    returned = cross_validate(GaussianNB(), X, names, cv=CV, return_estimator=True, return_indices=True)
    kept: Any = rs.crossval_evaluate_estimators(returned, X, names)
    fitted: Any = rs.crossval_evaluate_estimators({"model": GaussianNB()}, X, names, cv=CV)
    assert kept.whole.labels == ("ant", "bee", "cat")
    assert kept.to_frame().equals(fitted.to_frame())


def test_repeats_weights_and_subjects_reach_the_evaluation() -> None:
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=1)
    found: Any = rs.crossval_evaluate_estimators(GaussianNB(), X, Y, cv=cv, measures=["macro_auc"])
    assert len(found.folds) == 6
    weighted: Any = rs.crossval_evaluate_estimators(
        GaussianNB(), X, Y, cv=3, measures=["accuracy"], sample_weight=np.full(150, 2.0), cluster=np.arange(150) // 2
    )
    assert weighted.whole.origin.weighted


def test_what_cannot_be_scored_is_refused() -> None:
    with pytest.raises(rs.InputError, match="a training set has no row of 0"):
        rs.crossval_evaluate_estimators(GaussianNB(), X[np.argsort(Y)], np.sort(Y), cv=KFold(3))
    pairs = SVC(decision_function_shape="ovo")
    four = np.arange(150) % 4
    with pytest.raises(rs.InputError, match="gives scores of shape"):
        rs.crossval_evaluate_estimators(pairs, X, four, cv=3, response="decision_function")
