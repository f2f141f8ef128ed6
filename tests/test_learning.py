"""AUCClassifier: scikit-learn's own checks, a brute-force optimiser over all pairs, and the laws of the loss."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

import rocsteady as rs
from cases import each_case
from pair_losses import LOSS, all_pairs, hardest_negatives
from rocsteady._src.extras.learning.platt import platt
from rocsteady.learning import AUCClassifier

X, Y = make_classification(220, 5, n_informative=3, n_redundant=1, weights=[0.75], flip_y=0.1, random_state=7)
W = np.random.default_rng(0).integers(0, 4, 220)
LOSSES = list(LOSS)


@parametrize_with_checks([AUCClassifier(), AUCClassifier("squared_hinge", beta=0.5)])  # type: ignore[untyped-decorator]
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        check(estimator)


# The minimum


def brute_force_squared_hinge(X: np.ndarray, y: np.ndarray, alpha: float, beta: float = 1.0) -> np.ndarray:  # noqa: N803
    """Newton's method on the matrix of all differences: the loss is a square wherever the same pairs are short."""
    pairs = beta * (X[y == 1][:, None] - X[y == 0]).reshape(-1, X.shape[1])
    w = np.zeros(X.shape[1])
    for _ in range(200):
        short = pairs[pairs @ w < 1]
        before, w = (
            w,
            np.linalg.solve(
                2 * short.T @ short / len(pairs) + alpha * np.eye(w.size), 2 * short.sum(axis=0) / len(pairs)
            ),
        )
        if np.abs(w - before).max() < 1e-13:
            return w
    raise AssertionError("the brute force did not settle")


@pytest.mark.parametrize("alpha", [1e-4, 1e-2, 1.0])
def test_squared_hinge_reaches_the_minimum_of_brute_force(alpha: float) -> None:
    model = AUCClassifier("squared_hinge", alpha=alpha, tol=1e-10).fit(X, Y)
    assert model.coef_[0] == pytest.approx(brute_force_squared_hinge(X, Y, alpha), abs=1e-6)


@pytest.mark.parametrize("loss", ["logistic", "exponential", "squared_hinge"])
def test_the_gradient_over_all_pairs_vanishes_at_the_minimum(loss: str) -> None:
    model = AUCClassifier(loss, alpha=1e-2, beta=0.7, tol=1e-9).fit(X, Y, sample_weight=W)
    w = model.coef_[0]
    truth = all_pairs(X @ w, Y, loss, 0.7, W)
    assert np.abs(X.T @ truth.gradient.astype(float) + 1e-2 * w).max() < 1e-7
    assert model.loss_ == pytest.approx(float(truth.loss), rel=1e-9)


def test_beta_is_a_scale_of_the_coefficients() -> None:
    """L(beta w.x) + alpha/2 |w|^2 has the minimum of L(v.x) + alpha/(2 beta^2) |v|^2 at v = beta w."""
    one = AUCClassifier(alpha=1e-2, tol=1e-9).fit(X, Y).coef_
    three = AUCClassifier(alpha=9e-2, beta=3.0, tol=1e-9).fit(X, Y).coef_
    assert 3 * three == pytest.approx(one, abs=1e-6)


def test_soft_auc_starts_find_no_worse_a_minimum() -> None:
    options = {"alpha": 1e-3, "beta": 4.0, "tol": 1e-5}
    one = AUCClassifier("soft_auc", **options).fit(X, Y)
    several = AUCClassifier("soft_auc", n_starts=3, random_state=0, **options).fit(X, Y)
    assert several.loss_ + 5e-4 * (several.coef_**2).sum() <= one.loss_ + 5e-4 * (one.coef_**2).sum()
    assert (AUCClassifier("soft_auc", n_starts=3, random_state=0, **options).fit(X, Y).coef_ == several.coef_).all()


def test_a_warm_start_arrives_where_a_cold_one_does_in_fewer_steps() -> None:
    model = AUCClassifier(alpha=1e-2, tol=1e-8, warm_start=True).fit(X, Y)
    cold, coef = model.n_iter_, model.coef_
    model.fit(X, Y)
    assert model.n_iter_ < cold
    assert model.coef_ == pytest.approx(coef, abs=1e-6)


@pytest.mark.parametrize("loss", LOSSES)
def test_sparse_and_dense_features_give_one_model(loss: str) -> None:
    few = np.where(np.abs(X) < 0.5, 0.0, X)
    dense = AUCClassifier(loss, alpha=1e-2, tol=1e-8).fit(few, Y)
    thin = AUCClassifier(loss, alpha=1e-2, tol=1e-8).fit(sparse.csr_array(few), Y)
    assert thin.coef_ == pytest.approx(dense.coef_, abs=1e-7)
    assert thin.decision_function(sparse.csr_array(few)) == pytest.approx(dense.decision_function(few), abs=1e-6)


@pytest.mark.parametrize("loss", LOSSES)
def test_weights_are_repetitions(loss: str) -> None:
    weighed = AUCClassifier(loss, alpha=1e-2, tol=1e-9).fit(X, Y, sample_weight=W)
    repeated = AUCClassifier(loss, alpha=1e-2, tol=1e-9).fit(np.repeat(X, W, axis=0), np.repeat(Y, W))
    assert weighed.coef_ == pytest.approx(repeated.coef_, abs=1e-6)
    assert weighed.predict_proba(X) == pytest.approx(repeated.predict_proba(X), abs=1e-6)


def test_it_ranks_at_least_as_well_as_logistic_regression_where_it_was_trained() -> None:
    """Soft AUC with a steep slope is AUC, and logistic regression is one of the starts it could have had."""
    base = LogisticRegression(C=1e6).fit(X, Y)
    model = AUCClassifier("soft_auc", alpha=0.0, beta=5.0, warm_start=True)
    model.coef_ = base.coef_
    model.fit(X, Y)
    soft = [rs.soft_auc(Y, X @ coef[0], beta=5.0) for coef in (model.coef_, base.coef_)]
    assert soft[0] >= soft[1]


# The left end of the curve


def hard_negatives(seed: int, n: int, gap: float) -> tuple[np.ndarray, np.ndarray]:
    """One negative in ten looks like a positive on the first feature; the second tells them apart."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n) < n // 6).astype(int)
    hard = (rng.random(n) < 0.1) & (y == 0)
    features = rng.normal(size=(n, 2))
    features[:, 0] += 4.0 * (y | hard)
    features[:, 1] += gap * (y + 2.0 * ((y == 0) & ~hard))
    return features, y


def focused_objective(w: np.ndarray, features: np.ndarray, y: np.ndarray, loss: str, alpha: float) -> float:
    """Penalised mean loss over the pairs of the hardest tenth of the negatives, from all pairs."""
    s = features @ w
    chosen = hardest_negatives(s, y, 0.0, 0.1)
    return float(all_pairs(s, y, loss, weights=chosen).loss) + alpha / 2 * float(w @ w)


@pytest.mark.parametrize("loss", LOSSES)
def test_a_focus_lowers_the_loss_of_the_hardest_negatives(loss: str) -> None:
    """The law behind it: what was minimised is smaller than anywhere else, the solution for all negatives included."""
    features, y = hard_negatives(0, 300, 2.5)
    plain, focused = (AUCClassifier(loss, alpha=1e-3, fpr_range=focus).fit(features, y) for focus in (None, (0, 0.1)))
    losses = [focused_objective(model.coef_[0], features, y, loss, 1e-3) for model in (focused, plain)]
    assert losses[0] < losses[1]


def test_a_focus_raises_the_partial_area_of_new_rows() -> None:
    gains = []
    for seed in range(3):
        features, y = hard_negatives(seed, 2000, 2.0)
        new, truth = hard_negatives(100 + seed, 6000, 2.0)
        models = (AUCClassifier("squared_hinge", fpr_range=focus).fit(features, y) for focus in (None, (0, 0.1)))
        plain, focused = (rs.partial_auc(truth, model.decision_function(new), fpr_range=(0, 0.1)) for model in models)
        gains.append(focused - plain)
    assert min(gains) > 0


def test_the_whole_range_is_no_focus() -> None:
    whole, plain = (AUCClassifier(fpr_range=focus).fit(X, Y) for focus in ((0.0, 1.0), None))
    assert (whole.coef_ == plain.coef_).all()


def test_a_focus_that_leaves_nothing_to_learn_is_told() -> None:
    rng = np.random.default_rng(0)
    features, y = rng.normal(size=(400, 2)), np.arange(400) % 2
    features[:, 0] += 0.5 * y
    with pytest.warns(rs.RocsteadyWarning, match="widen fpr_range") as told:
        AUCClassifier(fpr_range=(0.0, 0.05)).fit(features, y)
    assert [warning.message.code for warning in told] == ["focus_too_narrow"]


# Cut and calibration


def test_platt_agrees_with_scikit_learn() -> None:
    model = AUCClassifier(alpha=1e-2).fit(X, Y, sample_weight=W)
    theirs = CalibratedClassifierCV(FrozenEstimator(model), method="sigmoid", ensemble=False)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Since FrozenEstimator does not appear to accept sample_weight")
        theirs.fit(X, Y, sample_weight=W)
    assert model.predict_proba(X) == pytest.approx(theirs.predict_proba(X), abs=2e-4)


def test_platt_is_the_minimum_of_its_log_loss() -> None:
    rng = np.random.default_rng(1)
    y = rng.random(500) < 0.2
    s, w = 1e3 + 7 * (rng.normal(size=500) + y), rng.random(500)
    slope, offset = platt(s, y, w)
    chances = 1 / (1 + np.exp(-(slope * s + offset)))
    n_pos, n_neg = w[y].sum(), w[~y].sum()
    missed = w * (chances - np.where(y, (n_pos + 1) / (n_pos + 2), 1 / (n_neg + 2)))
    assert abs(missed.sum()) < 1e-9 * w.sum()
    assert abs(missed @ (s - 1e3)) < 1e-8 * w.sum()


def test_classes_apart_keep_finite_odds() -> None:
    model = AUCClassifier().fit([[0.0], [1.0], [5.0], [6.0]], [0, 0, 1, 1])
    chances = model.predict_proba([[0.0], [6.0]])[:, 1]
    assert 0 < chances[0] < 0.5 < chances[1] < 1


def test_features_that_say_nothing_give_the_class_share() -> None:
    model = AUCClassifier().fit(np.ones((40, 2)), np.arange(40) % 4 == 0)
    assert model.predict_proba([[1.0, 1.0]])[0, 1] == pytest.approx(((11 / 12) * 10 + 30 / 32) / 40)
    assert not model.predict([[1.0, 1.0]])[0]


def test_class_weights_move_the_cut_and_nothing_else() -> None:
    plain, balanced = (AUCClassifier(class_weight=weight).fit(X, Y) for weight in (None, "balanced"))
    assert (plain.coef_ == balanced.coef_).all()
    assert balanced.predict(X).mean() > plain.predict(X).mean()
    by_hand = AUCClassifier(class_weight={0: 220 / (2 * (Y == 0).sum()), 1: 220 / (2 * Y.sum())}).fit(X, Y)
    assert by_hand.intercept_ == pytest.approx(balanced.intercept_)


@pytest.mark.parametrize(
    "rule",
    ["youden", "f_beta", "mcc", "cost(fn=5)", "breakeven", "sensitivity=0.9", ("sensitivity", 0.9), ("precision", 0.8)],
)
def test_predict_cuts_where_the_rule_says(rule: Any) -> None:
    model = AUCClassifier(threshold=rule).fit(X, Y)
    options = {"rule": rule} if isinstance(rule, str) else {"rule": rule[0], "value": rule[1]}
    best = rs.best_threshold(Y, model.decision_function(X), **options)
    found = rs.confusion(Y, model.predict(X), threshold=1)
    assert found.recall == pytest.approx(best.tpr)
    assert found.false_positive_rate == pytest.approx(best.fpr)
    assert np.array_equal(model.predict(X) == 1, model.decision_function(X) > 0)


def test_the_probability_cut_is_one_half() -> None:
    model = AUCClassifier().fit(X, Y)
    assert np.array_equal(model.predict(X) == 1, model.predict_proba(X)[:, 1] > 0.5)
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(1)


def test_without_an_intercept_the_cut_is_zero() -> None:
    model = AUCClassifier(fit_intercept=False).fit(X, Y)
    assert model.intercept_ == [0]
    assert model.decision_function(X) == pytest.approx(X @ model.coef_[0])
    assert model.predict_proba(X) == pytest.approx(AUCClassifier().fit(X, Y).predict_proba(X))


# At home in scikit-learn, and refusals


def test_labels_of_any_kind_and_pickles() -> None:
    model = AUCClassifier().fit(X, np.where(Y, "sick", "healthy"))
    assert model.classes_.tolist() == ["healthy", "sick"]
    assert (pickle.loads(pickle.dumps(model)).predict(X) == model.predict(X)).all()  # noqa: S301
    assert clone(model).get_params() == model.get_params()


def test_it_can_be_searched_over() -> None:
    search = GridSearchCV(
        AUCClassifier(), {"alpha": [1e-4, 1.0], "loss": ["squared_hinge", "logistic"]}, scoring="roc_auc"
    )
    assert search.fit(X, Y).best_score_ > 0.8


@each_case(
    ("options", "code"),
    [
        ({"loss": "hinge"}, "loss"),
        ({"alpha": -1.0}, "alpha"),
        ({"beta": 0}, "beta"),
        ({"tol": 0}, "tol"),
        ({"max_iter": 0}, "max_iter"),
        ({"n_starts": 1.5}, "n_starts"),
        ({"fpr_range": (0.2, 0.1)}, "fpr_range"),
        ({"threshold": "best"}, "threshold"),
        ({"threshold": ("sensitivity", 2)}, "threshold"),
    ],
)
def test_options_that_do_not_exist_are_refused(options: dict[str, Any], code: str) -> None:
    with pytest.raises(rs.ArgumentError) as refused:
        AUCClassifier(**options).fit(X, Y)
    assert refused.value.code == code


def test_one_class_is_refused_by_name() -> None:
    with pytest.raises(rs.InputError, match="one class only, 'b'"):
        AUCClassifier().fit(X, np.full(220, "b"))
    with pytest.raises(rs.InputError, match="no positive row with a weight above zero"):
        AUCClassifier().fit(X, Y, sample_weight=1 - Y)


def test_too_few_iterations_are_told_with_the_remedy() -> None:
    with pytest.warns(ConvergenceWarning, match=r"max_iter=2 .* scale the features"):
        AUCClassifier(max_iter=2, tol=1e-9).fit(X * [1, 10, 100, 1e3, 1e4], Y)


HIDDEN = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "sklearn":
            raise ImportError(name)
sys.meta_path.insert(0, Hidden())
import rocsteady as rs
print(float(rs.learning.pairwise_loss_and_gradient([0.0, 1.0], [0, 1], loss="squared_hinge")[0]))
print(rs.learning.lightgbm_objective()([0, 1], [0.0, 0.0])[0].tolist())
rs.learning.AUCClassifier
"""


def test_all_but_the_classifier_works_without_scikit_learn() -> None:
    shown = subprocess.run([sys.executable, "-c", HIDDEN], capture_output=True, text=True, check=False)
    assert shown.stdout == "0.0\n[0.5, -0.5]\n"
    assert 'pip install "rocsteady[sklearn]"' in shown.stderr


def test_touching_the_objectives_does_not_load_scikit_learn() -> None:
    code = "import sys, rocsteady as rs; rs.learning.xgboost_objective; print('sklearn' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "False"


def test_a_cut_that_is_no_rule_is_refused() -> None:
    for wrong in ("nope", ("nope", 0.9), ("sensitivity", 2), 3):
        with pytest.raises(rs.errors.ArgumentError, match="'probability' cuts where the probability is one half"):
            AUCClassifier(threshold=wrong).fit(X, Y)
