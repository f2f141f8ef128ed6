"""Beside scikit-learn: the same numbers as its metrics, and at home in its scorers, searches and pickles."""

from __future__ import annotations

import pickle
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn import metrics as sk
from sklearn.datasets import make_classification
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, TunedThresholdClassifierCV, cross_validate
from sklearn.naive_bayes import GaussianNB

import rocsteady as rs
from cases import each_case
from rocsteady._src.measures.registry import REGISTRY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SCORES = ("decision_function", "predict_proba")
FEATURES, CLASSES = make_classification(n_samples=240, n_features=5, flip_y=0.25, random_state=5)
FOLDS = StratifiedKFold(3)
LABELLINGS = {
    "0/1": CLASSES,
    "bool": CLASSES.astype(bool),
    "text": np.where(CLASSES, "sick", "healthy"),
    "object text": np.where(CLASSES, "sick", "healthy").astype(object),
    "pandas text": pd.Series(np.where(CLASSES, "sick", "healthy"), index=np.arange(240) * 7 % 240),
    "1/2": CLASSES + 1,
    "-1/1": 2 * CLASSES - 1,
}
RESPONSES = {"ranking": SCORES, "threshold": "predict"}


def scorer_of(measure: rs.measures.Measure, **options: Any) -> Any:
    """The scorer a user would write: losses negated, labels for threshold measures, scores for the others."""
    response = options.pop("response_method", RESPONSES.get(measure.sheet.family, "predict_proba"))
    lower = measure.sheet.better == "lower"
    return sk.make_scorer(measure, response_method=response, greater_is_better=not lower, **options)


def all_scorers(**options: Any) -> dict[str, Any]:
    return {name: scorer_of(measure, **options) for name, measure in REGISTRY.items()}


def tables() -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray | None]]:
    """Random labels and scores: without ties and with many, unweighted, with whole weights and with fractions."""
    rng = np.random.default_rng(20)
    for n in (7, 120):
        for scores in (rng.random(n), rng.integers(0, 5, n) / 4, rng.integers(0, max(4, n // 3), n) / (n // 3 + 1)):
            for weights in (None, rng.integers(1, 6, n), rng.random(n) + 0.01):
                labels = rng.permutation(np.arange(n) % 3 == 0).astype(int)
                yield labels, np.clip(0.7 * scores + 0.3 * labels * rng.random(n).round(1), 0, 1), weights


TABLES = list(tables())
every_table = each_case(("labels", "scores", "weights"), TABLES, ids=map(str, range(len(TABLES))))


def close(ours: Any, theirs: Any) -> bool:
    return bool(np.allclose(ours, theirs, rtol=1e-12, atol=1e-12, equal_nan=True))


# ---- The same numbers


@every_table
def test_areas_equal_scikit_learn(labels: Any, scores: Any, weights: Any) -> None:
    assert close(rs.auc(labels, scores, sample_weight=weights), sk.roc_auc_score(labels, scores, sample_weight=weights))
    assert close(
        rs.average_precision(labels, scores, sample_weight=weights),
        sk.average_precision_score(labels, scores, sample_weight=weights),
    )


@every_table
@pytest.mark.parametrize("max_fpr", [0.05, 0.3, 0.999])
def test_partial_area_equals_scikit_learn(labels: Any, scores: Any, weights: Any, max_fpr: float) -> None:
    ours = rs.partial_auc(labels, scores, sample_weight=weights, fpr_range=(0, max_fpr), standardize=True)
    assert close(ours, sk.roc_auc_score(labels, scores, sample_weight=weights, max_fpr=max_fpr))


@every_table
def test_roc_points_equal_scikit_learn(labels: Any, scores: Any, weights: Any) -> None:
    ours = rs.roc_curve(labels, scores, sample_weight=weights)
    fpr, tpr, thresholds = sk.roc_curve(labels, scores, sample_weight=weights, drop_intermediate=False)
    assert np.array_equal(ours.thresholds, thresholds)
    assert close(ours.fpr, fpr)
    assert close(ours.tpr, tpr)


@every_table
def test_det_points_equal_scikit_learn(labels: Any, scores: Any, weights: Any) -> None:
    """Theirs increases in threshold and leaves out the ends where one rate stays 0."""
    ours = rs.det_curve(labels, scores, sample_weight=weights)
    fpr, fnr, thresholds = sk.det_curve(labels, scores, sample_weight=weights)
    shared = np.flatnonzero(np.isin(ours.thresholds, thresholds))
    assert np.array_equal(ours.thresholds[shared], thresholds[::-1])
    assert close(ours.fpr[shared], fpr[::-1])
    assert close(ours.fnr[shared], fnr[::-1])


@every_table
def test_precision_recall_points_equal_scikit_learn(labels: Any, scores: Any, weights: Any) -> None:
    """Theirs ends with an invented point (0, 1) in place of ours at threshold inf."""
    ours = rs.pr_curve(labels, scores, sample_weight=weights)
    precision, recall, thresholds = sk.precision_recall_curve(labels, scores, sample_weight=weights)
    shared = slice(1, None)
    assert np.array_equal(ours.thresholds[shared], thresholds[::-1])
    assert close(ours.precision[shared], precision[-2::-1])
    assert close(ours.recall[shared], recall[-2::-1])


DECISIONS: dict[str, Callable[..., float]] = {
    "precision": sk.precision_score,
    "recall": sk.recall_score,
    "f1": sk.f1_score,
    "accuracy": sk.accuracy_score,
    "balanced_accuracy": sk.balanced_accuracy_score,
    "matthews_correlation": sk.matthews_corrcoef,
    "cohen_kappa": sk.cohen_kappa_score,
    "jaccard": sk.jaccard_score,
    "specificity": lambda *args, **kwargs: sk.recall_score(*args, pos_label=0, **kwargs),
    "negative_predictive_value": lambda *args, **kwargs: sk.precision_score(*args, pos_label=0, **kwargs),
    "error_rate": sk.zero_one_loss,
    "positive_likelihood_ratio": lambda *args, **kwargs: sk.class_likelihood_ratios(*args, **kwargs)[0],
    "negative_likelihood_ratio": lambda *args, **kwargs: sk.class_likelihood_ratios(*args, **kwargs)[1],
}


def quietly(call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Both libraries warn where a ratio is 0/0; the values are what is compared."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(*args, **kwargs)


@every_table
@pytest.mark.parametrize("name", DECISIONS)
def test_decisions_equal_scikit_learn(labels: Any, scores: Any, weights: Any, name: str) -> None:
    for threshold in (0.2, 0.5):
        predicted = (scores >= threshold).astype(int)
        theirs = quietly(DECISIONS[name], labels, predicted, sample_weight=weights)
        ours = quietly(rs.get_measure(name), labels, scores, sample_weight=weights, threshold=threshold)
        if isinstance(ours, rs.Undefined) or np.isinf(ours):
            assert np.isnan(theirs) or theirs == 0  # 0/0 is 0 or NaN over there, x/0 NaN
        else:
            assert close(ours, theirs)
        assert close(ours, quietly(rs.get_measure(name), labels, predicted, sample_weight=weights))


@every_table
@pytest.mark.parametrize("beta", [0, 0.5, 2, 10])
def test_f_beta_equals_scikit_learn(labels: Any, scores: Any, weights: Any, beta: float) -> None:
    threshold = np.median(scores)
    predicted = (scores >= threshold).astype(int)
    ours = rs.f_beta(labels, scores, sample_weight=weights, threshold=threshold, beta=beta)
    assert close(ours, sk.fbeta_score(labels, predicted, sample_weight=weights, beta=beta))


@every_table
def test_counts_equal_scikit_learn(labels: Any, scores: Any, weights: Any) -> None:
    ours = rs.confusion(labels, scores, sample_weight=weights, threshold=0.5)
    (tn, fp), (fn, tp) = sk.confusion_matrix(labels, scores >= 0.5, sample_weight=weights)
    assert close([ours.tp, ours.fp, ours.fn, ours.tn], [tp, fp, fn, tn])


def test_calling_conventions_are_scikit_learns() -> None:
    """Two positional arrays, the rest by keyword, under the same names."""
    labels, scores, weights = TABLES[5]
    measure: Any
    for measure in REGISTRY.values():
        with pytest.raises(TypeError):
            measure(labels, scores, weights)
    curve = rs.roc_curve(y_true=labels, y_score=scores, sample_weight=weights, pos_label=0)
    fpr, _, thresholds = sk.roc_curve(labels, scores, sample_weight=weights, pos_label=0, drop_intermediate=False)
    assert close(curve.fpr, fpr)
    assert thresholds[0] == curve.thresholds[0] == np.inf


# ---- Scorers


def expected_scores(labels: Any, estimator: Any, weights: Any = None) -> dict[str, float]:
    """Every measure on 0/1 labels, called directly on what the scorer should have handed over."""
    called = estimator.predict(FEATURES) == estimator.classes_[1]
    scores = (
        estimator.decision_function(FEATURES)
        if hasattr(estimator, "decision_function")
        else estimator.predict_proba(FEATURES)[:, 1]
    )
    probability = estimator.predict_proba(FEATURES)[:, 1]
    responses = {SCORES: scores, "predict": called, "predict_proba": probability}
    values = {}
    for name, measure in REGISTRY.items():
        response = responses[RESPONSES.get(measure.sheet.family, "predict_proba")]
        value = measure(labels, response, sample_weight=weights)
        values[name] = -value if measure.sheet.better == "lower" else value
    return values


@pytest.mark.parametrize("kind", ["0/1", "bool", "text", "object text", "pandas text"])
@pytest.mark.parametrize("estimator", [LogisticRegression(), GaussianNB()], ids=["decisions", "probabilities"])
def test_every_measure_is_a_scorer(kind: str, estimator: Any) -> None:
    labels = LABELLINGS[kind]
    fitted = estimator.fit(FEATURES, labels)
    expected = expected_scores(CLASSES, fitted)
    for name, score in all_scorers().items():
        assert close(score(fitted, FEATURES, labels), expected[name]), name
    weights = np.arange(1.0, 241)
    expected = expected_scores(CLASSES, fitted, weights)
    for name, score in all_scorers().items():
        assert close(score(fitted, FEATURES, labels, sample_weight=weights), expected[name]), name


@each_case("labels", LABELLINGS.values(), ids=LABELLINGS.keys())
def test_scorer_takes_the_class_whose_scores_it_gets(labels: Any) -> None:
    """Without pos_label this is classes_[1], as in scikit-learn's own scorer, for labels of any kind."""
    fitted = LogisticRegression().fit(FEATURES, labels)
    ours = scorer_of(rs.auc)(fitted, FEATURES, labels)
    assert close(ours, sk.get_scorer("roc_auc")(fitted, FEATURES, labels))
    assert ours > 0.6


@pytest.mark.parametrize("kind", ["text", "object text", "pandas text", "1/2"])
@pytest.mark.parametrize("response", [SCORES, "predict_proba"], ids=["decisions", "probabilities"])
def test_scorer_with_pos_label(kind: str, response: Any) -> None:
    """Also with the class that sorts first, whose scores are the negated or the other ones."""
    labels = LABELLINGS[kind]
    fitted = LogisticRegression().fit(FEATURES, labels)
    first, second = fitted.classes_
    for pos_label in (first, second):
        scorer = scorer_of(rs.auc, response_method=response, pos_label=pos_label)
        assert close(scorer(fitted, FEATURES, labels), sk.roc_auc_score(CLASSES, fitted.decision_function(FEATURES)))
        ap = scorer_of(rs.average_precision, response_method=response, pos_label=pos_label)
        theirs = sk.average_precision_score(
            np.asarray(labels) == pos_label,
            fitted.predict_proba(FEATURES)[:, int(pos_label == second)],
        )
        assert close(ap(fitted, FEATURES, labels), theirs)


@pytest.mark.parametrize("name", ["precision", "recall", "f1", "jaccard"])
def test_scorer_of_decisions_with_pos_label(name: str) -> None:
    labels = LABELLINGS["text"]
    fitted = LogisticRegression().fit(FEATURES, labels)
    for pos_label in ("sick", "healthy"):
        theirs = DECISIONS[name](labels, fitted.predict(FEATURES), pos_label=pos_label)
        scorer = scorer_of(rs.get_measure(name), pos_label=pos_label)
        assert close(scorer(fitted, FEATURES, labels), theirs)
    assert close(
        scorer_of(rs.get_measure(name))(fitted, FEATURES, labels),
        DECISIONS[name](CLASSES, fitted.predict(FEATURES) == "sick"),
    )


def test_scorer_with_parameters() -> None:
    fitted = LogisticRegression().fit(FEATURES, CLASSES)
    probability = fitted.predict_proba(FEATURES)[:, 1]
    pauc = scorer_of(rs.partial_auc, fpr_range=(0, 0.2), standardize=True)
    assert close(pauc(fitted, FEATURES, CLASSES), sk.roc_auc_score(CLASSES, probability, max_fpr=0.2))
    late = scorer_of(rs.recall, response_method="predict_proba", threshold=0.8)
    assert close(late(fitted, FEATURES, CLASSES), sk.recall_score(CLASSES, probability >= 0.8))


def test_a_function_around_a_measure_is_a_scorer_too() -> None:
    """The class is found through a user's own function, and follows its pos_label."""

    def one_minus_auc(y_true: Any, y_score: Any, *, pos_label: Any = None) -> float:
        return 1 - rs.auc(y_true, y_score)

    labels = LABELLINGS["text"]
    fitted = LogisticRegression().fit(FEATURES, labels)
    for options in ({}, {"pos_label": "healthy"}, {"pos_label": "sick"}):
        scorer = sk.make_scorer(one_minus_auc, response_method=SCORES, greater_is_better=False, **options)
        assert close(-scorer(fitted, FEATURES, labels), 1 - scorer_of(rs.auc)(fitted, FEATURES, labels))


def test_no_class_is_guessed_in_a_callable_that_is_no_scorer() -> None:
    """There the user picks the column, so the user must name its class."""

    def of_healthy(estimator: Any, features: Any, labels: Any) -> float:
        return rs.auc(labels, estimator.predict_proba(features)[:, 0])

    labels = LABELLINGS["text"]
    for scoring in (of_healthy, {"healthy": of_healthy}):
        with pytest.raises(rs.InputError) as caught:
            cross_validate(LogisticRegression(), FEATURES, labels, cv=FOLDS, scoring=scoring, error_score="raise")
        assert caught.value.code == "positive_label_required"
    with pytest.raises(rs.InputError):
        rs.auc(labels, np.arange(labels.size))


def test_no_class_is_guessed_outside_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither without it, nor near the start of a thread, where there is no caller to ask."""

    def refused() -> str:
        try:
            rs.auc(["a", "b"], [1, 2])
        except rs.InputError as error:
            return error.code
        return ""

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(refused).result() == "positive_label_required"
    monkeypatch.setattr("rocsteady._src.inputs.scorer.SCORER_MODULE", "absent")
    assert refused() == "positive_label_required"


def test_no_class_is_guessed_for_more_than_two() -> None:
    labels = np.array(["a", "b", "c"])[np.arange(240) % 3]
    fitted = LogisticRegression().fit(FEATURES, labels)
    with pytest.raises(rs.InputError, match="'a', 'b', 'c'"):
        scorer_of(rs.auc, response_method="predict")(fitted, FEATURES, labels)


# ---- Cross-validation, searches, pickles


@pytest.mark.parametrize("kind", ["0/1", "bool", "text", "object text"])
def test_cross_validation_of_every_measure(kind: str) -> None:
    labels = LABELLINGS[kind]
    scoring = {**all_scorers(), "theirs": "roc_auc", "their_accuracy": "accuracy"}
    result = cross_validate(LogisticRegression(), FEATURES, labels, cv=FOLDS, scoring=scoring, error_score="raise")
    assert close(result["test_auc"], result["test_theirs"])
    assert close(result["test_accuracy"], result["test_their_accuracy"])
    for name in REGISTRY:
        assert result[f"test_{name}"].shape == (3,)
        assert not np.isnan(result[f"test_{name}"]).any(), name


@pytest.mark.parametrize("kind", ["0/1", "text"])
def test_grid_search(kind: str) -> None:
    search_as_they_do(kind, jobs=1)


def search_as_they_do(kind: str, jobs: int) -> None:
    labels = LABELLINGS[kind]
    grid = {"C": [1e-4, 1e-2, 1.0]}
    options = {"cv": FOLDS, "n_jobs": jobs, "error_score": "raise"}
    ours = GridSearchCV(LogisticRegression(), grid, scoring=scorer_of(rs.auc), **options).fit(FEATURES, labels)
    theirs = GridSearchCV(LogisticRegression(), grid, scoring="roc_auc", **options).fit(FEATURES, labels)
    assert close(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"])
    assert ours.best_params_ == theirs.best_params_
    assert close(ours.score(FEATURES, labels), theirs.score(FEATURES, labels))


def test_several_measures_in_one_grid_search() -> None:
    search = GridSearchCV(
        LogisticRegression(),
        {"C": [1e-3, 1.0]},
        scoring={"auc": scorer_of(rs.auc), "miss": scorer_of(rs.false_negative_rate)},
        refit="auc",
        cv=FOLDS,
        error_score="raise",
    ).fit(FEATURES, LABELLINGS["text"])
    assert (search.cv_results_["mean_test_miss"] <= 0).all()
    assert set(search.cv_results_["rank_test_auc"]) <= {1, 2}


def test_sample_weight_is_routed_to_the_scorer() -> None:
    weights = np.random.default_rng(1).random(240)
    with sklearn.config_context(enable_metadata_routing=True):
        estimator = LogisticRegression().set_fit_request(sample_weight=True)
        scoring = {
            "ours": scorer_of(rs.auc).set_score_request(sample_weight=True),
            "theirs": sk.make_scorer(sk.roc_auc_score, response_method=SCORES).set_score_request(sample_weight=True),
            "plain": scorer_of(rs.auc).set_score_request(sample_weight=False),
        }
        result = cross_validate(
            estimator,
            FEATURES,
            LABELLINGS["text"],
            cv=FOLDS,
            scoring=scoring,
            params={"sample_weight": weights},
            error_score="raise",
        )
    assert close(result["test_ours"], result["test_theirs"])
    assert not close(result["test_ours"], result["test_plain"])


def test_threshold_tuning_accepts_a_measure() -> None:
    tuned = {
        name: TunedThresholdClassifierCV(LogisticRegression(), scoring=scoring, cv=FOLDS).fit(FEATURES, labels)
        for name, scoring, labels in (
            ("ours", scorer_of(rs.balanced_accuracy), CLASSES),
            ("theirs", "balanced_accuracy", CLASSES),
            ("text", scorer_of(rs.balanced_accuracy), LABELLINGS["text"]),
        )
    }
    assert tuned["ours"].best_threshold_ == tuned["theirs"].best_threshold_ == tuned["text"].best_threshold_


def test_permutation_importance_accepts_a_measure() -> None:
    labels = LABELLINGS["text"]
    fitted = LogisticRegression().fit(FEATURES, labels)
    options = {"n_repeats": 2, "random_state": 0}
    ours = permutation_importance(fitted, FEATURES, labels, scoring=scorer_of(rs.auc), **options)
    theirs = permutation_importance(fitted, FEATURES, labels, scoring="roc_auc", **options)
    assert close(ours.importances, theirs.importances)


@each_case("name", REGISTRY)
def test_measures_pickle_as_themselves(name: str) -> None:
    measure = REGISTRY[name]
    assert pickle.loads(pickle.dumps(measure)) is measure  # noqa: S301
    scorer = pickle.loads(pickle.dumps(scorer_of(measure)))  # noqa: S301
    assert scorer._score_func is measure


def test_scorers_take_frames_of_other_libraries() -> None:
    frame, labels = pl.DataFrame(FEATURES), pl.Series(LABELLINGS["text"])
    fitted = LogisticRegression().fit(frame, labels)
    expected = sk.get_scorer("roc_auc")(fitted, frame, LABELLINGS["text"])
    assert close(scorer_of(rs.auc)(fitted, frame, labels), expected)
