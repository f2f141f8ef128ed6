"""What is typed and does not fit is refused in one sentence, with the name that is meant where one is near."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import rocsteady
from cases import each_case
from rocsteady._src.base.near_names import SYNONYMS, CallError
from rocsteady._src.measures.registry import DECLARED

rs: Any = rocsteady  # the calls here are such as types refuse
RNG = np.random.default_rng(7)
Y = RNG.integers(0, 2, 120)
S, T = Y + RNG.normal(size=120), Y + 2 * RNG.normal(size=120)
P = 1 / (1 + np.exp(-S))
SITE, FOLD, CLASSES = np.arange(120) % 2, np.arange(120) % 4, np.arange(120) % 3
X = np.column_stack([S, T])
MODEL = GaussianNB().fit(RNG.random((50, 2)), RNG.integers(0, 2, 50))
TABLE = {"y": Y, "old": 1 / (1 + np.exp(-T)), "new": P, "site": SITE}
RESULT = rs.evaluate(Y, {"a": S, "b": T})
THREE = rs.evaluate(CLASSES, np.eye(3)[CLASSES])
Call = Callable[[], Any]

CALLS: list[tuple[Call, str]] = [
    (rs.auc, "y_score is missing: pass labels first, then scores"),
    (lambda: rs.auc(Y, S, weights=S), "auc() has no option 'weights'; did you mean sample_weight=?"),
    (lambda: rs.auc(TABLE, "new", target="y"), "did you mean label= or y_true=?"),
    (lambda: rs.auc(Y, S, wrong=1), "auc() has no option 'wrong'; it has: label, missing, pos_label"),
    (lambda: rs.auc(MODEL, X, Y), "for models use rs.evaluate_estimators(models, X, y)"),
    (lambda: rs.evaluate(MODEL, X, Y), "for models use rs.evaluate_estimators(models, X, y)"),
    (lambda: rs.evaluate(MODEL, X), "rs.evaluate_estimators"),
    (lambda: rs.evaluate(Y, MODEL), "rs.evaluate_estimators"),
    (lambda: rs.evaluate({"a": MODEL}, X, Y), "rs.evaluate_estimators"),
    (lambda: rs.evaluate_estimators(X, Y, {"a": MODEL}), "rs.evaluate_estimators(models, X, y)"),
    (lambda: rs.evaluate_estimators(MODEL, Y, X), "X has one column and y 2"),
    (lambda: rs.crossval_evaluate_estimators(X, Y, MODEL), "the models come first"),
    (lambda: rs.crossval_evaluate_estimators(MODEL, X, Y, scoring="auc"), "did you mean measures=?"),
    (lambda: rs.crossval_evaluate_estimators(None, S, Y, groups=SITE), "pass cv=StratifiedGroupKFold(5)"),
    (lambda: rs.evaluate({"fit_time": S, "score_time": S}), "rs.crossval_evaluate_estimators(returned, X, y)"),
    (lambda: rs.evaluate(np.column_stack([S, T]), Y), "use rs.evaluate_estimators(model, X, y)"),
    (lambda: rs.evaluate(Y, S, intervalls=True), "did you mean intervals=?"),
    (lambda: rs.evaluate(Y, S, ci=True), "did you mean intervals= or level=?"),
    (lambda: rs.evaluate(Y, S, metric=["auc"]), "did you mean measures=?"),
    (lambda: rs.evaluate(Y, S, group_by=SITE), "did you mean by=?"),
    (lambda: rs.evaluate(Y, S, intervals=0.9), "intervals must be True or False, got 0.9"),
    (lambda: rs.evaluate(Y, S, measures="precision@10"), "in brackets, such as 'precision_at_k(k=10)'"),
    (lambda: rs.evaluate(Y, S, measures="f1@0.3"), "in brackets, such as 'f1(threshold=0.3)'"),
    (lambda: rs.evaluate(Y, S, measures=["acuracy"]), "did you mean accuracy"),
    (lambda: rs.evaluate(Y, S, measures=["AUROC"]), "did you mean auc"),
    (lambda: rs.evaluate(CLASSES, np.eye(3)[CLASSES], measures=["auc"]), "macro_auc or weighted_auc?"),
    (lambda: rs.evaluate(Y, S, threshold=[0.3, 0.5]), "at several: rs.confusion(y, s, threshold=[...])"),
    (lambda: rs.evaluate(TABLE, label="y", scores=["nwe", "sitte"]), "did you mean 'new' and 'site'?"),
    (lambda: rs.evaluate({"a": S, "b": T}, Y), "labels come first, then scores"),
    (lambda: rs.evaluate(Y, S, by=SITE).gaps(), "or measure='auc', which needs none"),
    (lambda: rs.auc_interval(Y, S, alpha=0.05), "did you mean level=?"),
    (lambda: rs.auc_interval(Y, S, method="DeLong"), "did you mean 'delong'?"),
    (lambda: rs.auc_interval(Y, {"a": S, "b": T}), "judge all with rs.evaluate(y, models)"),
    (lambda: rs.bootstrap_interval("auc", Y, S, n_bootstraps=9), "did you mean n_resamples=?"),
    (lambda: rs.partial_auc(Y, S, max_fpr=0.2), "did you mean fpr_range="),
    (lambda: rs.crossval_auc(Y, S, S, label="y"), "no option 'label'"),
    (lambda: rs.confusion(Y, S, 0.5), "confusion() takes y_true, y_score by position; pass the others by name"),
    (lambda: rs.power_auc(0.8, 0.85), "takes nothing by position"),
    (lambda: rs.best_threshold(Y, S, "youden"), "pass the others by name"),
    (lambda: rs.best_threshold(Y, S, cost_fn=5), "name the rule itself with rule='cost'"),
    (lambda: rs.best_threshold(Y, S, precision=0.9), "hold a rate with rule='precision' and value=0.9"),
    (lambda: rs.best_threshold(Y, S, rule="precision", min=0.9), "it has: value"),
    (lambda: rs.best_threshold(Y, S, rule="precission"), "did you mean precision"),
    (lambda: rs.best_threshold(Y, {"a": S}), "such as models['a'], or judge all with rs.evaluate(y, models)"),
    (lambda: rs.best_threshold(TABLE, label="y", score="new"), "columns of scores (y_score=)"),
    (lambda: rs.confusion(Y, S), "pass threshold=, a number or a rule such as 'youden' or 'f1'"),
    (lambda: rs.confusion(Y, S, threshold="0.3"), "pass the number itself, 0.3"),
    (lambda: rs.confusion(Y, S, threshold="Optimal"), "'Optimal' by what? Name it: 'youden'"),
    (lambda: rs.f1(Y, S, threshold="youden"), "rs.best_threshold chooses one by a rule"),
    (lambda: rs.operating_point(Y, S, fpr=0.001), "chosen by rule='fpr<=0.001'"),
    (lambda: rs.brier_score(Y, 100 * P), "if they are percentages, divide by 100"),
    (lambda: rs.auc(Y, S.astype(str)), "such as by .astype(float)"),
    (lambda: rs.auc(Y, np.ones((120, 3))), "rs.multiclass_auc"),
    (lambda: rs.log_loss(Y, np.ones((120, 3))), "use rs.evaluate(y, P)"),
    (lambda: rs.auc(np.ones((120, 3)), S), "of several labels of a row use rs.evaluate(y, P)"),
    (lambda: rs.auc(rs.roc_curve(Y, S)), "the area of a curve is its .area"),
    (lambda: rs.auc(*rs.roc_curve(Y, S)[:2]), "use rs.curves.roc_from_points(fpr, tpr).area"),
    (lambda: rs.scorer([]), "name at least one measure"),
    (lambda: rs.validation.optimism(MODEL, X, Y, B=200), "optimism() has no option 'B'; did you mean n_resamples=?"),
    (lambda: RESULT.plot("volcano"), "there is no picture 'volcano'; kinds: roc, pr"),
    (lambda: RESULT.plot(ax=np.array([1, 2])), "such as axes[0]"),
    (lambda: RESULT["c"], "there is no model or measure 'c' here; models: 'a', 'b'; measures: 'auc'"),
    (lambda: RESULT[["a", "z"]], "models: 'a', 'b'"),
    (lambda: rs.evaluate(Y, S, by=SITE)[7], "there is no 7 in this result; it has: 0, 1"),
    (lambda: rs.evaluate(Y, {"b": S}, fold=FOLD, intervals=False)["a"], "it has: 'b'"),
    (lambda: THREE["a"], "there is no 'a' in this result; it has: "),
]
ATTRIBUTES: list[tuple[Call, str]] = [
    (lambda: rs.aucc, "did you mean rs.auc or "),
    (lambda: rs.hosmer_lemshow, "did you mean rs.calibration.hosmer_lemeshow?"),
    (lambda: rs.confusion_matrix, "did you mean rs.confusion?"),
    (lambda: rs.roc_test, "did you mean rs.compare_auc?"),
    (lambda: rs.roc_auc_score, "did you mean rs.auc?"),
    (lambda: rs.NRI, "did you mean rs.net_reclassification?"),
    (lambda: RESULT.summary, "did you mean .to_frame or .to_markdown?"),
    (lambda: RESULT.to_csv, "did you mean .to_frame?"),
    (lambda: RESULT.comparr, "did you mean .compare?"),
    (lambda: rs.compare_auc(Y, S, T).p_value, "did you mean .pvalue?"),
    (lambda: rs.roc_curve(Y, S).plot().figure, "did you mean .figure_?"),
    (lambda: RESULT.plot.violin, "kinds: roc, pr"),
]


@each_case(("call", "words"), CALLS)
def test_a_call_that_does_not_fit_is_one_sentence(call: Call, words: str) -> None:
    with pytest.raises(rs.RocsteadyError) as told:
        call()
    assert words in str(told.value)
    assert "\n" not in str(told.value)


@each_case(("call", "words"), ATTRIBUTES)
def test_a_name_that_is_not_there_says_which_is(call: Call, words: str) -> None:
    with pytest.raises(AttributeError) as told:
        call()
    assert str(told.value).endswith(words) or words in str(told.value)


@each_case(
    "call",
    [
        rs.evaluate,
        lambda: rs.compare_auc(Y, S),
        lambda: rs.auc(Y, S, S),
        lambda: RESULT.decide(fn=2),
        lambda: RESULT.to_frame(backends="pandas"),
        lambda: RESULT.plot(path="roc.png"),
    ],
)
def test_a_call_of_another_form_is_a_type_error(call: Call) -> None:
    with pytest.raises(TypeError):
        call()


def test_a_refused_option_is_a_type_error_and_an_absent_part_a_key_error() -> None:
    with pytest.raises(TypeError) as told:
        rs.auc(Y, S, wrong=1)
    assert isinstance(told.value, CallError)
    with pytest.raises(KeyError):
        RESULT["c"]


@pytest.mark.parametrize("name", ["nothing_like_it", "zzzz_auc_zzzz", "полнота"])
def test_names_that_nothing_is_like(name: str) -> None:
    with pytest.raises(AttributeError, match=f"^module 'rocsteady' has no attribute '{name}'$"):
        getattr(rs, name)
    assert not hasattr(rs.curves, name)


def test_synonyms_are_few_and_name_what_is_no_name_here() -> None:
    assert 40 <= len(SYNONYMS) <= 50
    assert not [word for word in SYNONYMS if word != word.casefold() or word in rs.__all__ or word in DECLARED]


def test_imports_are_as_python_has_them() -> None:
    scope: dict[str, Any] = {}
    exec("from rocsteady import _names, errors, auc, mcc", scope)  # noqa: S102 - our own line
    assert scope["auc"] is rs.auc
    for name in ("aucc", "_nothing"):
        with pytest.raises(ImportError, match=f"cannot import name '{name}' from 'rocsteady'"):
            exec(f"from rocsteady import {name}", {})  # noqa: S102 - our own line
