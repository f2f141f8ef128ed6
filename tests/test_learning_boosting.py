"""Pairwise losses as objectives of XGBoost and LightGBM, with the real libraries."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_classification

import rocsteady as rs
from cases import each_case
from pair_losses import LOSS, all_pairs, hardest_negatives
from rocsteady.learning import lightgbm_objective, pairwise_loss_and_gradient, xgboost_objective

LOSSES = list(LOSS)
X, Y = make_classification(400, 6, n_informative=4, n_redundant=0, weights=[0.85], class_sep=0.7, random_state=3)
W = np.random.default_rng(0).integers(1, 4, 400).astype(float)
TREES = {"n_estimators": 15, "max_depth": 3, "learning_rate": 0.3, "n_jobs": 1}


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("weights", [None, W], ids=["counts", "weights"])
def test_gradient_and_curvature_are_those_of_all_pairs(loss: str, weights: np.ndarray | None) -> None:
    s = np.random.default_rng(1).normal(size=400).round(1)
    gradient, curvature = xgboost_objective(loss, beta=0.7, hessian_factor=1.0)(Y, s, weights)
    truth = all_pairs(s, Y, loss, 0.7, weights)
    scale = (400 if weights is None else W.sum()) / 2
    assert gradient == pytest.approx((scale * truth.gradient).astype(float), abs=1e-12)
    assert curvature == pytest.approx(np.maximum((scale * truth.curvature).astype(float), 1e-16), abs=1e-12)
    assert xgboost_objective(loss, beta=0.7)(Y, s, weights)[1] == pytest.approx(2 * curvature)


@pytest.mark.parametrize("loss", ["logistic", "squared_hinge", "exponential"])
def test_twice_the_diagonal_bounds_the_hessian(loss: str) -> None:
    """A Newton step by the diagonal alone may overshoot, as rows of both classes move at once; by twice it cannot."""
    s = np.random.default_rng(2).normal(size=400) / 4
    gradient, curvature = lightgbm_objective(loss)(Y, s)
    before = pairwise_loss_and_gradient(s, Y, loss=loss)[0] * 200
    here = pairwise_loss_and_gradient(s - 0.1 * gradient / curvature, Y, loss=loss)[0] * 200
    assert here < before - 0.09 * (gradient**2 / curvature).sum()


def test_a_focus_moves_only_the_hardest_negatives() -> None:
    s = np.random.default_rng(1).normal(size=400)
    gradient, _ = xgboost_objective(fpr_range=(0.0, 0.1))(Y, s)
    truth = all_pairs(s, Y, "logistic", weights=hardest_negatives(s, Y, 0.0, 0.1))
    assert gradient == pytest.approx((200 * truth.gradient).astype(float), abs=1e-12)
    assert np.count_nonzero(gradient[Y == 0]) <= 0.1 * (Y == 0).sum() + 1


def xgboost_scores(objective: Any, **fit: Any) -> np.ndarray:
    xgboost = pytest.importorskip("xgboost")
    model = xgboost.XGBClassifier(objective=objective, **TREES).fit(X, Y, **fit)
    return np.asarray(model.predict(X, output_margin=True), dtype=float)


def lightgbm_scores(objective: Any, **fit: Any) -> np.ndarray:
    lightgbm = pytest.importorskip("lightgbm")
    model = lightgbm.LGBMClassifier(objective=objective, verbose=-1, **TREES)
    return np.asarray(model.fit(X, Y, **fit).booster_.predict(X, raw_score=True), dtype=float)


BOTH = {"xgboost": (xgboost_scores, xgboost_objective), "lightgbm": (lightgbm_scores, lightgbm_objective)}


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("library", BOTH)
def test_boosting_lowers_the_loss_and_ranks(library: str, loss: str) -> None:
    scores_of, objective = BOTH[library]
    scores = scores_of(objective(loss))
    assert pairwise_loss_and_gradient(scores, Y, loss=loss)[0] < 0.5 * float(LOSS[loss](np.zeros(1, np.longdouble))[0])
    best_feature = max(rs.auc(Y, sign * feature) for feature in X.T for sign in (1, -1))
    assert rs.auc(Y, scores) > best_feature + 0.1


@pytest.mark.parametrize("library", BOTH)
def test_weights_reach_the_objective(library: str) -> None:
    scores_of, objective = BOTH[library]
    seen = []

    class Watched(type(objective())):  # type: ignore[misc]
        def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
            seen.append(sample_weight)
            return super().__call__(y_true, y_pred, sample_weight)

    scores_of(Watched(), sample_weight=W)
    assert len(seen) == TREES["n_estimators"]
    assert all(np.array_equal(weights, W) for weights in seen)


def test_the_native_interfaces_give_the_same_trees() -> None:
    xgboost, lightgbm = pytest.importorskip("xgboost"), pytest.importorskip("lightgbm")
    data = xgboost.DMatrix(X, Y, weight=W)
    native = xgboost.train({"max_depth": 3, "eta": 0.3, "nthread": 1}, data, 15, obj=xgboost_objective())
    ours = xgboost_scores(xgboost_objective(), sample_weight=W)
    assert np.ptp(native.predict(data, output_margin=True) - ours) < 1e-4
    options = {"objective": lightgbm_objective(), "max_depth": 3, "learning_rate": 0.3, "verbose": -1, "num_threads": 1}
    booster = lightgbm.train(options, lightgbm.Dataset(X, Y, weight=W), 15)
    ours = lightgbm_scores(lightgbm_objective(), sample_weight=W)
    assert np.ptp(booster.predict(X) - ours) < 1e-6


def test_objectives_are_values() -> None:
    one = xgboost_objective("squared_hinge", beta=2.0)
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301


@each_case(
    ("options", "code"),
    [
        ({"loss": "hinge"}, "loss"),
        ({"beta": -1.0}, "beta"),
        ({"fpr_range": (1, 0)}, "fpr_range"),
        ({"hessian_factor": 0}, "hessian_factor"),
    ],
)
@each_case("make", [xgboost_objective, lightgbm_objective])
def test_options_are_checked_before_training(make: Any, options: dict[str, Any], code: str) -> None:
    with pytest.raises(rs.ArgumentError) as refused:
        make(**options)
    assert refused.value.code == code


def test_labels_other_than_0_and_1_are_refused() -> None:
    with pytest.raises(rs.ArgumentError, match=r"must be 0 and 1, found \[2\]"):
        xgboost_objective()([0, 1, 2], [0.0, 0.0, 0.0])
    with pytest.raises(rs.InputError, match="no negative row"):
        xgboost_objective()([1, 1], [0.0, 0.0])
