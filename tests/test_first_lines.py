"""What users of other libraries type first: each name works, or answers with a line that works."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_1samp
from sklearn.metrics import cohen_kappa_score, f1_score
from sklearn.naive_bayes import GaussianNB

import rocsteady
from cases import each_case
from rocsteady._src.base.foreign_names import LIBRARIES, OPTIONS_ELSEWHERE, line_instead

mpl.use("Agg")
rs: Any = rocsteady  # many calls here do not fit its types, on purpose
ROOT = Path(__file__).parent.parent
LINES = [(library, name, line) for library, lines in LIBRARIES.items() for name, line in lines.items()]


def variables() -> dict[str, Any]:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 120)
    s, t = (1 / (1 + np.exp(-(spread * (2 * y - 1) + rng.normal(size=120)))) for spread in (1.0, 0.6))
    labels = rng.integers(0, 3, 120)
    features = np.column_stack([s, t])
    seen = rng.integers(0, 2, 50)
    return {
        "rs": rs,
        "y": y,
        "s": s,
        "t": t,
        "labels": labels,
        "p": rng.dirichlet(np.ones(3), 120),
        "indicators": rng.integers(0, 2, (120, 3)),
        "df": pd.DataFrame({"y": y, "a": s, "b": t}),
        "X": features,
        "clf": GaussianNB().fit(rng.random((50, 2)), seen),
    }


GIVEN = variables()


@pytest.mark.parametrize(("name", "line"), [(name, line) for _, name, line in LINES], ids=[n for _, n, _ in LINES])
@pytest.mark.filterwarnings("ignore")
def test_the_line_to_type_instead_works(name: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert eval(line, dict(GIVEN)) is not None  # noqa: S307 - our own lines
    plt.close("all")


@each_case("name", [name for _, name, _ in LINES])
def test_a_name_of_another_library_answers_with_a_line(name: str) -> None:
    with pytest.raises(AttributeError) as told:
        getattr(rs, name)
    assert str(told.value).endswith(line_instead(name))


@each_case(("name", "line"), OPTIONS_ELSEWHERE.items(), ids=map("-".join, OPTIONS_ELSEWHERE))
def test_an_option_of_another_library_answers_with_a_line(name: tuple[str, str], line: str) -> None:
    function, option = name
    given = ("clf", "X", "y") if function == "evaluate_estimators" else ("y", "s")
    with pytest.raises(TypeError, match=f"has no option '{option}'; ") as told:
        getattr(rs, function)(*(GIVEN[each] for each in given), **{option: "macro"})
    assert str(told.value).endswith(line)
    for part in line.split("; "):
        assert "rs." not in part or eval(part[part.index("rs.") :], dict(GIVEN)) is not None  # noqa: S307 - our own


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"multi_class": "ovr", "average": "weighted"}, "average='weighted')"),
        ({"multi_class": "ovo"}, "scheme='hand-till')"),
        ({"average": "micro"}, "average='micro'); of several labels: rs.evaluate(indicators, p)"),
    ],
)
def test_the_line_has_the_average_that_was_asked_for(given: dict[str, str], line: str) -> None:
    with pytest.raises(TypeError) as told:
        rs.auc(GIVEN["y"], GIVEN["s"], **given)
    assert str(told.value).endswith(line)


def test_the_first_arrays_of_a_curve() -> None:
    curve = rs.roc_curve(GIVEN["y"], GIVEN["s"])
    fpr, tpr = curve[:2]
    assert fpr is curve.fpr
    assert tpr is curve.tpr
    assert curve[-1] is curve.thresholds
    assert np.asarray(curve).shape == (3, len(curve))


def test_predicted_classes_have_measures_of_called_classes() -> None:
    labels, called = GIVEN["labels"], GIVEN["p"].argmax(axis=1)
    expected = rs.multiclass.multiclass_measures(labels, called)
    for given in (rs.evaluate(labels, called), rs.evaluate(labels, called.astype(float))):
        assert given.to_dict() == expected.to_dict()
    words = np.array(["ant", "bee", "cat"])
    assert rs.evaluate(words[labels], words[called]).kappa == expected.kappa
    table = {"truth": words[labels], "said": words[called], "w": np.arange(120) % 3 + 1}
    weighted = rs.evaluate(table, label="truth", scores="said", weight="w", measures=["recall"], level=0.9)
    asked = {"measures": ["recall"], "sample_weight": table["w"], "level": 0.9}
    assert weighted.to_dict() == rs.multiclass.multiclass_measures(words[labels], words[called], **asked).to_dict()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda labels, called: rs.evaluate(labels, called, threshold=0.5),
            "threshold has no meaning with predicted",
        ),
        (
            lambda labels, called: rs.evaluate(labels, {"a": called, "b": called}, measures=["macro_auc"]),
            "macro_auc is about scores, and these models were given as predicted classes",
        ),
        (lambda labels, called: rs.evaluate(labels, {"a": called, "b": called}, measures=["acuracy"]), "did you mean"),
        (lambda labels, called: rs.evaluate(labels, called / 7), "say which one is positive"),
        (lambda labels, called: rs.evaluate(labels, called + 0.5), "takes predicted classes"),
        (rs.f1, r"judge all classes: rs.evaluate\(y, predicted\) takes predicted classes"),
    ],
)
def test_what_predicted_classes_do_not_have(call: Any, words: str) -> None:
    with pytest.raises(rs.errors.RocsteadyError, match=words):
        call(GIVEN["labels"], GIVEN["p"].argmax(axis=1))


def test_predicted_classes_of_several_models_stand_side_by_side() -> None:
    labels, first = GIVEN["labels"], GIVEN["p"].argmax(axis=1)
    second = np.where(np.arange(labels.size) % 3 == 0, labels, first)
    both: Any = rs.evaluate(labels, {"a": first, "b": second})
    for name, called in {"a": first, "b": second}.items():
        assert both[name].to_dict() == rs.evaluate(labels, called).to_dict()
        assert both.value(name, "macro_f1").estimate == pytest.approx(f1_score(labels, called, average="macro"))
        assert both.value(name, "kappa").estimate == pytest.approx(cohen_kappa_score(labels, called))
    right = (first == labels).astype(float) - (second == labels)
    pair = both.compare().pairs[0].test
    assert pair.estimate == pytest.approx(right.mean())
    assert pair.statistic == pytest.approx(ttest_1samp(right, 0).statistic)
    assert pair.pvalue == pytest.approx(ttest_1samp(right, 0).pvalue)
    words = np.array(["ant", "bee", "cat"])
    texts = {"a": words[first], "b": [None, *words[second[1:]]]}
    assert rs.evaluate(words[labels], texts, missing="drop", measures=["macro_recall"]).origin.n_dropped == 1
    assert "predicted classes, not scores" in str(both)


def test_two_of_several_models_are_compared() -> None:
    y, s, t = GIVEN["y"], GIVEN["s"], GIVEN["t"]
    three, folds = {"a": s, "b": t, "c": s + t}, np.arange(120) % 4
    result = rs.evaluate(y, three)
    two = result.compare("b", "a")
    assert two.models == ("b", "a")
    assert two.pairs[0].test.pvalue == rs.evaluate(y, {"b": t, "a": s}).compare().pairs[0].test.pvalue
    assert len(result.compare("a").pairs) == 2
    assert [pair.first for pair in rs.evaluate(y, three, fold=folds).compare("b", "a").pairs] == ["b"]
    grouped = rs.evaluate(y, three, by=folds % 2).compare("a", "c")
    assert {pair.second for each in grouped.groups.values() for pair in each.pairs} == {"c"}
    for wrong, words in ((("a", "x"), "no model 'x'"), (("a", "a"), "once")):
        with pytest.raises(rs.errors.ArgumentError, match=words):
            result.compare(*wrong)
    with pytest.raises(rs.errors.ArgumentError, match=r"compare\(measure='average_precision'\)"):
        result.compare("average_precision")


def test_kinds_of_pictures_by_name() -> None:
    result = rs.evaluate(GIVEN["y"], {"a": GIVEN["s"]})
    for name, kind in (("roc", "roc"), ("precision_recall", "pr"), ("calibration", "calibration")):
        drawn, asked = getattr(result.plot, name)(), result.plot(kind=kind)
        assert drawn.ax_.get_xlabel() == asked.ax_.get_xlabel()
    assert "gains" in dir(result.plot)
    assert "Draw curves" in (result.plot.__doc__ or "")
    with pytest.raises(AttributeError, match="kinds: roc, pr"):
        result.plot.violin()
    plt.close("all")


def test_there_are_fifty() -> None:
    assert len(LINES) >= 50
    assert {"scikit-learn", "pROC", "skore", "yardstick", "MLstatkit"} <= set(LIBRARIES)


MODEL = GIVEN["clf"]


@each_case(
    ("call", "words"),
    [
        (lambda y, s, x: rs.evaluate(MODEL, x, y), "rs.evaluate_estimators"),
        (lambda y, s, x: rs.evaluate({"a": MODEL}, x, y), "rs.evaluate_estimators"),
        (lambda y, s, x: rs.evaluate(MODEL, x), "rs.evaluate_estimators"),
        (lambda y, s, x: rs.evaluate(y, MODEL), "rs.evaluate_estimators"),
        (lambda y, s, x: rs.auc(MODEL, x, y), "rs.scorer"),
        (lambda y, s, x: rs.evaluate(y, lr=s, gb=s), "rs.evaluate(y, {'lr': lr, 'gb': gb})"),
        (lambda y, s, x: rs.evaluate_estimators(x, y, {"a": MODEL}), "rs.evaluate_estimators(models, X, y)"),
        (lambda y, s, x: rs.evaluate_estimators(MODEL, y, x), "X has one column and y 2"),
        (lambda y, s, x: rs.crossval_evaluate_estimators(x, y, MODEL), "the models come first"),
        (lambda y, s, x: rs.evaluate(y, s, ci=True), "did you mean intervals=True"),
        (lambda y, s, x: rs.evaluate(y, s, scoring=["auc"]), "did you mean measures=?"),
        (lambda y, s, x: rs.evaluate(y, s, dropna=True), "did you mean missing='drop'"),
        (lambda y, s, x: rs.evaluate(y, s, intervalls=True), "did you mean intervals=?"),
        (lambda y, s, x: rs.auc(y, s, weights=s), "did you mean sample_weight=?"),
        (lambda y, s, x: rs.partial_auc(y, s, max_fpr=0.2), "did you mean fpr_range="),
        (lambda y, s, x: rs.auc_interval(y, s, alpha=0.05), "did you mean level=0.95"),
        (lambda y, s, x: rs.best_threshold(y, s, "youden"), "pass the others by name"),
        (lambda y, s, x: rs.power_auc(0.8, 0.85), "takes nothing by position"),
        (lambda y, s, x: rs.crossval_evaluate_estimators(MODEL, x, y, scoring="auc"), "did you mean measures=?"),
        (lambda y, s, x: rs.auc(y, np.ones((y.size, 3))), "rs.multiclass_auc"),
        (lambda y, s, x: rs.log_loss(y, np.ones((y.size, 3))), "use rs.evaluate(y, P)"),
        (lambda y, s, x: rs.auc(np.ones((y.size, 3)), s), "of several labels of a row use rs.evaluate(y, P)"),
        (lambda y, s, x: rs.evaluate(y_true=y, y_score=s), "rs.evaluate(y, scores)"),
        (lambda y, s, x: rs.confusion(y, s, 0.5), "such as threshold=0.5"),
        (lambda y, s, x: rs.compare_models(y, s, s), "rs.compare_models(y, {'a': s, 'b': t})"),
        (lambda y, s, x: rs.evaluate({"y": y}, "y", ["s"]), "rs.evaluate(table, label='y', scores=['s'])"),
        (lambda y, s, x: rs.auc({"y": y}, "y", "s"), "rs.evaluate(table, label='y', scores='s')"),
        (lambda y, s, x: rs.bootstrap_interval("f1", y, s, threshold=0.5), "params={'threshold': ...}"),
    ],
)
def test_arguments_of_other_libraries_are_answered(call: Any, words: str) -> None:
    with pytest.raises(rs.RocsteadyError) as told:
        call(GIVEN["y"], GIVEN["s"], GIVEN["X"])
    assert words in str(told.value)


SKLEARN_NAMES = "roc_curve log_loss det_curve calibration_curve"


@each_case("name", SKLEARN_NAMES.split())
def test_names_of_scikit_learn_that_work_as_they_are(name: str) -> None:
    assert callable(getattr(rs, name))


def test_curves_unpack_as_scikit_learn_s() -> None:
    from sklearn import metrics

    y, s = GIVEN["y"], GIVEN["s"]
    for ours, theirs in zip(rs.roc_curve(y, s), metrics.roc_curve(y, s, drop_intermediate=False), strict=True):
        assert ours == pytest.approx(theirs)
    for ours, theirs in zip(rs.curves.det_curve(y, s), metrics.det_curve(y, s), strict=True):
        assert set(theirs.round(12)) <= set(np.asarray(ours).round(12))
    precision, recall, thresholds = rs.pr_curve(y, s)
    theirs = metrics.precision_recall_curve(y, s)
    assert {*zip(theirs[0][:-1].round(12), theirs[1][:-1].round(12), strict=True)} <= {
        *zip(precision.round(12), recall.round(12), strict=True)
    }
    assert thresholds.size == precision.size


def test_the_page_is_as_it_was_made() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "make_first_lines.py"))["page"]()
    assert (ROOT / "docs" / "first_lines.md").read_text(encoding="utf-8") == made


@pytest.mark.parametrize("name", ["auc", "f1", "accuracy"])
def test_a_value_of_an_evaluation_is_asked_for_by_its_measure(name: str) -> None:
    result = rs.evaluate(GIVEN["y"], GIVEN["s"], measures=["auc", "f1", "accuracy"], threshold=0.5)
    with pytest.raises(AttributeError, match="use result") as told:
        getattr(result, name)
    line = str(told.value).partition("use ")[2]
    assert eval(line, {"result": result}) == result[name]  # noqa: S307 - our own lines


def test_predicted_classes_are_averaged_over_those_that_are_asked_for() -> None:
    labels, called = GIVEN["labels"], GIVEN["p"].argmax(axis=1)
    for asked in ({"classes_averaged": [0, 2]}, {"absent": "skip"}):
        expected = rs.multiclass.multiclass_measures(labels, called, **asked)
        assert rs.evaluate(labels, called, **asked).to_dict() == expected.to_dict()
        with pytest.raises(rs.errors.ArgumentError, match="more than two classes, and there are two"):
            rs.evaluate(GIVEN["y"], GIVEN["s"], **asked)


def test_fitted_models_of_several_labels() -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.multioutput import MultiOutputClassifier

    features, labels = GIVEN["X"], GIVEN["indicators"]
    one, many = (
        kind(LogisticRegression()).fit(features, labels) for kind in (OneVsRestClassifier, MultiOutputClassifier)
    )
    columns = np.column_stack([each[:, 1] for each in many.predict_proba(features)])
    found, expected = rs.evaluate_estimators(many, features, labels), rs.evaluate(labels, columns)
    assert found.averages["micro"].low == expected.averages["micro"].low
    assert found.averages["macro"].estimate == expected.averages["macro"].estimate
    assert "fitted on some of these rows" in str(found)
    both = rs.evaluate_estimators({"one": one, "many": many}, features, labels)
    assert str(both).count(f"{expected.averages['macro'].estimate:.4f} [") >= 2
    with pytest.raises(rs.errors.ArgumentError, match="it is not fitted"):
        rs.evaluate_estimators(MultiOutputClassifier(LogisticRegression()), features, labels)
    same = MultiOutputClassifier(GaussianNB()).fit(features, labels * [1, 1, 0])
    with pytest.raises(rs.errors.InputError, match="knows the classes 0 of label 2"):
        rs.evaluate_estimators(same, features, labels)


def test_what_is_said_of_several_models_is_said_once() -> None:
    y, s = GIVEN["y"], GIVEN["s"]
    three = {"a": s, "b": s > 0.5, "c": s > 0.4}
    with pytest.warns(rs.errors.RocsteadyWarning, match="2 distinct scores"):
        text = str(rs.evaluate(y, three, measures=["auc", "ks_statistic"], intervals=True, n_resamples=20))
    assert text.count("2 distinct scores") == 1
    assert "note: b, c: 2 distinct scores" in text
    assert text.count("20 resamples of") == 1
    folds = rs.evaluate(y, {"a": s, "b": GIVEN["t"]}, fold=np.arange(120) % 3)
    assert str(folds).count("this may be chance") == 1
    assert "  auc" not in str(folds)  # which the first table has


def test_an_infinite_log_loss_of_classes_says_so() -> None:
    labels, p = GIVEN["labels"], GIVEN["p"].copy()
    p[0] = np.roll(np.eye(3)[labels[0]], 1)
    assert "the value is infinite" in str(rs.evaluate(labels, p))
    assert "the value is infinite" in str(rs.evaluate(labels, p, fold=np.arange(120) % 3))


@each_case(
    ("line", "words"),
    [
        ("rs.best_threshold(y, s, method='f1')", "name the rule itself with rule='f1'"),
        ("rs.best_threshold(y, s, cost_fn=5)", "name the rule itself with rule='cost'"),
        ("rs.auc_interval(y, s, method='DeLong')", "did you mean 'delong'?"),
        ("rs.auc_interval(y, s, n_bootstraps=10)", "did you mean n_resamples=?"),
        ("rs.pr_curve(y, s).average_precision", "did you mean .area?"),
        ("rs.evaluate(y, s).summarize()", "did you mean .to_frame() or .to_markdown()?"),
        (
            "rs.ndcg_score",
            "is not offered; nearest is: rs.measures.precision_at_k(y, s, k=10)",
        ),
    ],
)
def test_first_guesses_answer_with_the_word_to_type(line: str, words: str) -> None:
    with pytest.raises((rs.RocsteadyError, AttributeError)) as told:
        eval(line, dict(GIVEN))  # noqa: S307 - our own lines
    assert str(told.value).endswith(words)
