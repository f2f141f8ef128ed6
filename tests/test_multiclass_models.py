"""Several models of more than two classes in one evaluation, and the numbers about all classes."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from sklearn import metrics as sk

import rocsteady as rs
from cases import each_case
from rocsteady._src.designs.classes.estimates import JudgedClasses
from rocsteady._src.designs.classes.names import KNOWN
from rocsteady._src.designs.classes.scores_by_class import read_classes
from rocsteady._src.ranked.columns import SortedColumn

if TYPE_CHECKING:
    from pathlib import Path

N = 120
RNG = np.random.default_rng(5)
Y = RNG.integers(0, 4, N)


def probabilities(gap: float) -> Any:
    odds = np.exp(RNG.normal(size=(N, 4)) + gap * np.eye(4)[Y])
    return odds / odds.sum(axis=1, keepdims=True)


A, B = probabilities(1.5), probabilities(1.0)
CALLED = A.argmax(axis=1)


@pytest.fixture(scope="module")
def both() -> Any:
    return rs.evaluate(Y, {"a": A, "b": B})


def test_each_model_is_what_it_is_alone(both: Any) -> None:
    alone = rs.evaluate(Y, A)
    assert list(both) == ["a", "b"]
    assert str(both["a"]) == str(alone)
    assert both["a"].to_dict() == alone.to_dict()
    frame = both.to_frame()
    assert frame["model"].tolist() == ["a", "b"]
    assert frame["macro_auc"].tolist() == [rs.multiclass_auc(Y, A), rs.multiclass_auc(Y, B)]
    assert "120 rows of 4 classes" in str(both)
    assert "<table>" in both._repr_html_()
    assert repr(both).count("\n") == 0


@pytest.mark.parametrize(
    ("name", "average", "scheme"),
    [("macro_auc", "macro", "ovr"), ("hand_till_auc", "macro", "hand-till"), ("micro_auc", "micro", "ovr")],
)
def test_areas_are_compared_as_two_models_are(both: Any, name: str, average: Any, scheme: Any) -> None:
    known = rs.multiclass.compare_multiclass_auc(Y, A, B, average=average, scheme=scheme)
    (pair,) = both.compare(name).pairs
    assert (pair.first, pair.second) == ("a", "b")
    for field in ("statistic", "pvalue", "estimate", "low", "high", "df"):
        assert getattr(pair.test, field) == pytest.approx(getattr(known, field), rel=1e-10)


def test_a_comparison_of_means_is_the_paired_t_test(both: Any) -> None:
    from scipy.stats import ttest_rel

    losses = [-np.log(each[np.arange(N), Y]) for each in (A, B)]
    known = ttest_rel(*losses)
    (pair,) = both.compare("log_loss").pairs
    assert (pair.test.statistic, pair.test.pvalue) == pytest.approx((known.statistic, known.pvalue), rel=1e-9)
    assert both.compare("log_loss").verdict[0].startswith("a is better than b: log loss -")


def test_several_measures_and_a_baseline(both: Any) -> None:
    found = both.compare(measures=["macro_auc", "accuracy"], baseline="a")
    assert list(found) == ["macro_auc", "accuracy"]
    assert [(pair.first, pair.second) for pair in found["accuracy"].pairs] == [("b", "a")]
    with pytest.raises(rs.ArgumentError, match="there is no model 'c'"):
        both.compare(baseline="c")
    with pytest.raises(rs.ArgumentError, match="not both"):
        both.compare("accuracy", measures=["accuracy"])


def test_rows_are_sorted_once_per_model_and_class(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    plain = SortedColumn.of

    def counted(scores: Any) -> SortedColumn:
        made.append(scores.size)
        return plain(scores)

    monkeypatch.setattr(SortedColumn, "of", counted)
    found = rs.evaluate(Y, {"a": A, "b": B})
    found.compare(measures=["macro_auc", "weighted_auc", "hand_till_auc", "micro_auc", "accuracy"])
    assert sorted(made) == [N] * 8 + [4 * N] * 2


def test_frames_lists_and_tables_are_the_same() -> None:
    pd = pytest.importorskip("pandas")
    expected = rs.evaluate(Y, {"a": A, "b": B}).to_dict()
    turned = [3, 1, 0, 2]
    frames = {name: pd.DataFrame(each[:, turned], columns=turned) for name, each in (("a", A), ("b", B))}
    assert rs.evaluate(Y, frames).to_dict() == expected
    assert rs.evaluate(Y.tolist(), {"a": A.tolist(), "b": B.tolist()}).to_dict() == expected
    columns = {"y": Y, **{f"{name}{k}": each[:, k] for name, each in (("a", A), ("b", B)) for k in range(4)}}
    names = {name: [f"{name}{k}" for k in range(4)] for name in "ab"}
    assert rs.evaluate(columns, names, label="y", classes=[0, 1, 2, 3]).to_dict() == expected


def test_two_classes_take_the_column_of_the_positive_one() -> None:
    y = Y % 2
    two = {name: np.column_stack([1 - each[:, 1], each[:, 1]]) for name, each in (("a", A), ("b", B))}
    found = rs.evaluate(y, two, measures=["auc"])
    assert found.values["b"]["auc"] == rs.auc(y, B[:, 1])


@pytest.mark.parametrize(
    ("scores", "text"),
    [
        ({"a": A, "b": B[:, 0]}, "'b' has one column of scores, other models one per class"),
        ({"a": A, "b": B[:, :3]}, "'b' has 3 columns and there are 4 classes"),
        ({"a": A, "b": {"x": B[:, 0], "y": B[:, 1]}}, "the columns of 'b' are 'x', 'y' and the classes 0, 1, 2, 3"),
        ({1: A, "b": B}, "models are called by text, and these are not: 1"),
    ],
)
def test_other_shapes_are_refused_in_words(scores: Any, text: str) -> None:
    with pytest.raises((rs.InputError, rs.ArgumentError), match=text):
        rs.evaluate(Y, scores)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (
            {"measures": ["auc"]},
            "'auc' is no measure of more than two classes; did you mean macro_auc or weighted_auc?",
        ),
        ({"measures": ["macro_f_beta(gamma=2)"]}, "macro_f_beta has no parameter gamma; it has: beta"),
        ({"measures": ["top_k_accuracy(k=1.5)"]}, "k of top_k_accuracy must be a whole number"),
        ({"measures": []}, "measures is empty"),
        ({"threshold": 0.5}, "threshold has no meaning with classes=: leave it out; measures= takes"),
    ],
)
def test_what_does_not_apply_is_answered_with_what_does(options: Any, text: str) -> None:
    with pytest.raises(rs.ArgumentError, match=text.replace("(", r"\(")):
        rs.evaluate(Y, A, **options)


def test_measures_of_probabilities_need_probabilities() -> None:
    with pytest.raises(rs.InputError, match="log_loss needs probabilities: 120 rows"):
        rs.evaluate(Y, A * 3, measures=["log_loss"])
    assert "log_loss" not in rs.evaluate(Y, A * 3).values


def test_values_are_those_of_scikit_learn() -> None:
    asked = [*KNOWN, "macro_f_beta(beta=2)", "weighted_f_beta(beta=0.5)", "top_k_accuracy(k=3)"]
    found = {name: each.estimate for name, each in rs.evaluate(Y, A, measures=asked).values.items()}
    called: dict[str, Any] = {
        "kappa": sk.cohen_kappa_score(Y, CALLED),
        "kappa_linear": sk.cohen_kappa_score(Y, CALLED, weights="linear"),
        "kappa_quadratic": sk.cohen_kappa_score(Y, CALLED, weights="quadratic"),
        "matthews_correlation": sk.matthews_corrcoef(Y, CALLED),
        "accuracy": sk.accuracy_score(Y, CALLED),
        "balanced_accuracy": sk.balanced_accuracy_score(Y, CALLED),
        "macro_f_beta(beta=2)": sk.fbeta_score(Y, CALLED, beta=2, average="macro"),
        "weighted_f_beta(beta=0.5)": sk.fbeta_score(Y, CALLED, beta=0.5, average="weighted"),
        "top_k_accuracy(k=3)": sk.top_k_accuracy_score(Y, A, k=3),
        "log_loss": sk.log_loss(Y, A),
        "brier_score": ((np.eye(4)[Y] - A) ** 2).sum(axis=1).mean(),
        "half_brier_score": ((np.eye(4)[Y] - A) ** 2).sum(axis=1).mean() / 2,
    }
    for kind in ("macro", "weighted"):
        for word in ("precision", "recall", "f1"):
            called[f"{kind}_{word}"] = getattr(sk, f"{word}_score")(Y, CALLED, average=kind)
    assert {name: found[name] for name in called} == pytest.approx(called, rel=1e-12)


def test_the_four_counts_of_each_class(both: Any) -> None:
    counts = both["a"].measures.counts
    cells = sk.multilabel_confusion_matrix(Y, CALLED)
    expected = {"tn": cells[:, 0, 0], "fp": cells[:, 0, 1], "fn": cells[:, 1, 0], "tp": cells[:, 1, 1]}
    assert {name: counts[name].tolist() for name in expected} == {
        name: each.tolist() for name, each in expected.items()
    }


@pytest.mark.parametrize("kind", ["top-label", "classwise"])
def test_calibration_errors_by_their_definition(kind: Any) -> None:
    def error(hit: Any, score: Any) -> float:
        bins = np.minimum((score * 5).astype(int), 4)
        return float(sum(abs((hit[bins == b] - score[bins == b]).sum()) for b in range(5)) / N)

    one = [error(CALLED == Y, A.max(axis=1))]
    parts = one if kind == "top-label" else [error(k == Y, A[:, k]) for k in range(4)]
    found = rs.multiclass.multiclass_calibration_error(Y, A, kind=kind, n_bins=5, strategy="uniform")
    assert found == pytest.approx(np.mean(parts), rel=1e-12)
    with pytest.raises(rs.InputError, match="a calibration error needs probabilities"):
        rs.multiclass.multiclass_calibration_error(Y, 2 * A)


def test_the_ranked_probability_score_by_its_definition() -> None:
    y, p = [0, 2, 1], [[0.5, 0.25, 0.25], [0.25, 0.25, 0.5], [0.125, 0.75, 0.125]]
    total = Fraction(0)
    for label, row in zip(y, p, strict=True):
        through = [sum(map(Fraction, row[: k + 1])) for k in range(2)]
        total += sum((part - (label <= k)) ** 2 for k, part in enumerate(through)) / Fraction(2)
    found = rs.evaluate(y, np.array(p), measures=["ranked_probability_score"]).values["ranked_probability_score"]
    assert found.estimate == float(total / 3)


@each_case("weighted", [False, True])
@each_case("name", [*KNOWN, "macro_f_beta(beta=2)"])
def test_what_rows_add_is_the_derivative_by_their_weight(name: str, weighted: bool) -> None:
    weights = RNG.integers(1, 4, N).astype(float) if weighted else np.ones(N)

    def value(row: int, step: float) -> float:
        moved = weights.copy()
        moved[row] += step
        return JudgedClasses(read_classes(Y, A, sample_weight=moved)).estimate(name).value

    found = JudgedClasses(read_classes(Y, A, sample_weight=weights if weighted else None)).estimate(name)
    pulls = found.pulls()
    for row in (0, 7):
        slope = weights[row] * (value(row, 1e-4) - value(row, -1e-4)) / 2e-4
        assert pulls[row] == pytest.approx(slope, abs=2e-7)


def test_subjects_of_one_row_are_rows_and_doubled_rows_are_not_more() -> None:
    asked = ["kappa_quadratic", "log_loss", "macro_f1"]
    plain, alone = (rs.evaluate(Y, A, measures=asked, **options).values for options in ({}, {"cluster": np.arange(N)}))
    twice = rs.evaluate(np.tile(Y, 2), np.tile(A, (2, 1)), measures=asked, cluster=np.tile(np.arange(N), 2)).values
    for name in asked:
        assert alone[name].se == pytest.approx(plain[name].se, rel=1e-12)
        assert twice[name].se == pytest.approx(plain[name].se, rel=1e-12)


def test_certain_mistakes_cost_without_bound() -> None:
    found = rs.evaluate([0, 1, 2, 0], np.eye(3)[[0, 1, 2, 1]], measures=["log_loss"]).values["log_loss"]
    assert found.estimate == math.inf
    assert math.isnan(found.low)


def test_estimators_of_several_classes() -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB

    x = RNG.normal(size=(N, 2)) + Y[:, None]
    models = {"lr": LogisticRegression().fit(x[:60], Y[:60]), "nb": GaussianNB().fit(x[:60], Y[:60])}
    found = rs.evaluate_estimators(models, x[60:], Y[60:])
    assert found.value("nb", "macro_auc").estimate == pytest.approx(
        sk.roc_auc_score(Y[60:], models["nb"].predict_proba(x[60:]), multi_class="ovr")
    )
    assert "fitted on some of these rows" in str(found)


@pytest.mark.parametrize("ending", ["html", "md", "json", "svg"])
def test_reports(both: Any, tmp_path: Path, ending: str) -> None:
    path = both.report(tmp_path / f"page.{ending}")
    assert both.report(path) == path
    if ending == "md":
        text = path.read_text(encoding="utf-8")
        assert both.compare().verdict[0] in text
        assert "macro_auc" in text


def test_a_picture(both: Any) -> None:
    pytest.importorskip("matplotlib")
    assert both.plot().ax_ is not None
