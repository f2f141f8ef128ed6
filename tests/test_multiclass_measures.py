"""Confusion matrix, measures, curves and the evaluation of more than two classes."""

from __future__ import annotations

import itertools
import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady._src.designs.classes.evaluation import AVERAGES
from rocsteady._src.inputs.weights import ASSUMED
from rocsteady._src.results.multiclass import MulticlassEvaluation

LABELS = ("ant", "bee", "cat", "dog")
called_rows = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1, max_size=25)


def example(n: int = 150, *, tied: bool = False, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(4), rng.choice(4, n - 4, p=[0.5, 0.25, 0.15, 0.1])])
    odds = np.exp(np.round(rng.normal(size=(n, 4)) + 1.3 * np.eye(4)[y], 0 if tied else 9))
    return y, odds / odds.sum(axis=1, keepdims=True)


@given(rows=called_rows, weighted=st.booleans())
@settings(max_examples=25, deadline=None)
@pytest.mark.filterwarnings("ignore")
def test_counts_and_agreement_are_those_of_scikit_learn(rows: list[tuple[str, str]], weighted: bool) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    y, called = (list(side) for side in zip(*rows, strict=True))
    weights = [0.5 + place % 3 for place in range(len(rows))] if weighted else None
    for normalize in (None, "true", "pred", "all"):
        theirs = metrics.confusion_matrix(y, called, sample_weight=weights, normalize=normalize)
        ours = rs.multiclass_confusion(y, called, sample_weight=weights, normalize=normalize)
        cells = ours.matrix if ours.shares is None else np.nan_to_num(ours.shares)  # theirs has 0 for 0/0
        assert cells == pytest.approx(theirs, abs=1e-10)
    found = rs.multiclass_measures(y, called, sample_weight=weights)
    assert found.accuracy.estimate == pytest.approx(metrics.accuracy_score(y, called, sample_weight=weights), abs=1e-10)
    for name, kind in (("kappa", None), ("kappa_linear", "linear"), ("kappa_quadratic", "quadratic")):
        theirs = metrics.cohen_kappa_score(y, called, weights=kind, sample_weight=weights)
        ours = getattr(found, name)
        # rounding of 1 - p_e leaves theirs something to divide by where one class is both all true and all called
        assert math.isnan(ours) if len({*y, *called}) == 1 else ours == pytest.approx(theirs, abs=1e-10)
    mcc = found.matthews_correlation
    degenerate = len(set(y)) == 1 or len(set(called)) == 1
    assert math.isnan(mcc) == degenerate  # theirs is 0 there
    if not degenerate:
        assert mcc == pytest.approx(metrics.matthews_corrcoef(y, called, sample_weight=weights), abs=1e-10)


@given(rows=called_rows, weighted=st.booleans())
@settings(max_examples=25, deadline=None)
def test_averages_of_measures_are_those_of_scikit_learn(rows: list[tuple[str, str]], weighted: bool) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    y, called = (list(side) for side in zip(*rows, strict=True))
    weights = [0.5 + place % 3 for place in range(len(rows))] if weighted else None
    found = rs.multiclass_measures(y, called, sample_weight=weights)
    for average in (None, "macro", "weighted", "micro"):
        theirs = metrics.precision_recall_fscore_support(
            y, called, average=average, sample_weight=weights, zero_division=np.nan
        )
        for name, value in zip(("precision", "recall", "f1"), theirs, strict=False):
            ours = found.per_class[name] if average is None else found.averages[average][name]
            if average is None or not np.isnan(found.per_class[name]).any():  # theirs leaves NaN out of averages
                assert ours == pytest.approx(value, abs=1e-10, nan_ok=True), (name, average)
    assert np.isnan(found.averages["macro"]["precision"]) == np.isnan(found.per_class["precision"]).any()


@given(rows=called_rows)
@settings(max_examples=40, deadline=None)
def test_both_readings_of_micro_are_the_same_for_every_ratio(rows: list[tuple[str, str]]) -> None:
    y, called = (list(side) for side in zip(*rows, strict=True))
    names = [sheet.name for sheet in rs.list_measures("threshold")]
    found = rs.multiclass_measures(y, called, measures=names)
    for name in names:
        pooled, mean = (found.averages[average][name] for average in ("micro", "micro_mean"))
        assert pooled == pytest.approx(mean, rel=1e-12, abs=1e-12, nan_ok=True), name
    if len({*y, *called}) > 1:
        assert found.averages["micro"]["recall"] == pytest.approx(found.accuracy.estimate)


def test_measures_of_two_classes_are_the_binary_ones() -> None:
    rng = np.random.default_rng(2)
    y, called = rng.integers(0, 2, 40), rng.integers(0, 2, 40)
    found = rs.multiclass_measures(y, called, measures=["precision", "jaccard"])
    counts = rs.confusion(y, called, threshold=1)
    assert found.per_class["precision"][1] == pytest.approx(counts.precision)
    assert found.kappa == pytest.approx(counts.cohen_kappa)
    assert found.matthews_correlation == pytest.approx(counts.matthews_correlation)
    assert found.balanced_accuracy.estimate == pytest.approx(counts.balanced_accuracy)
    known = rs.measure_interval("precision", y, called, threshold=1)
    assert (found.low["precision"][1], found.high["precision"][1]) == pytest.approx((known.low, known.high))


def test_a_class_never_called_has_no_precision_and_no_macro_average() -> None:
    found = rs.multiclass_measures(["a", "b", "c"], ["a", "b", "b"], measures=["precision"])
    assert math.isnan(found.per_class["precision"][2])
    assert found.averages["macro"]["precision"].reason == "zero_division"
    with pytest.raises(rs.ArgumentError, match="no threshold measure"):
        rs.multiclass_measures(["a", "b"], ["a", "b"], measures=["auc"])


def test_scores_call_the_class_of_the_highest_and_ties_are_counted() -> None:
    scores = [[0.5, 0.5, 0.0], [0.2, 0.3, 0.5], [0.1, 0.8, 0.1]]
    found = rs.multiclass_confusion([0, 2, 1], scores)
    assert found.matrix.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert found.warnings == ("1 row has several highest scores: the first of these classes was called",)
    assert rs.multiclass_confusion([1, 2, 0], [2, 2, 0], labels=[2, 1, 0]).matrix.tolist() == [
        [1, 0, 0],
        [1, 0, 0],
        [0, 0, 1],
    ]
    with pytest.raises(rs.InputError, match=r"y_pred holds 3"):
        rs.multiclass_confusion([1, 2], [1, 3], labels=[1, 2])
    with pytest.raises(rs.InputError, match="different types"):
        rs.multiclass_confusion(["a", "b"], [1, 2])


def test_top_k_agrees_with_scikit_learn_and_ties_are_split() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    y, scores = example()
    weights = np.random.default_rng(1).integers(1, 5, y.size)
    for k in (1, 2, 3):
        assert rs.top_k_accuracy(y, scores, k=k).estimate == pytest.approx(metrics.top_k_accuracy_score(y, scores, k=k))
        ours = rs.top_k_accuracy(y, scores, k=k, sample_weight=weights).estimate
        assert ours == pytest.approx(metrics.top_k_accuracy_score(y, scores, k=k, sample_weight=weights))
    y, scores = example(40, tied=True)
    orders = list(itertools.permutations(range(4)))
    for k in (1, 2, 3):
        values = [
            metrics.top_k_accuracy_score(np.argsort(order)[y], scores[:, order], k=k, labels=range(4))
            for order in orders
        ]
        assert rs.top_k_accuracy(y, scores, k=k).estimate == pytest.approx(np.mean(values), abs=1e-12)
    with pytest.raises(rs.ArgumentError, match="k must be"):
        rs.top_k_accuracy(y, scores, k=5)


def test_intervals_of_shares_know_subjects_and_weights() -> None:
    y, scores = example()
    plain = rs.multiclass_measures(y, scores)
    hits = int((scores.argmax(axis=1) == y).sum())
    assert tuple(plain.accuracy) == tuple(rs.proportion_interval(hits, y.size))
    alone = rs.multiclass_measures(y, scores, cluster=np.arange(y.size))
    twice = [np.repeat(y, 2), np.repeat(scores, 2, axis=0)]
    doubled = rs.multiclass_measures(*twice, cluster=np.repeat(np.arange(y.size), 2))
    for name in ("accuracy", "balanced_accuracy"):
        one, two = getattr(alone, name), getattr(doubled, name)
        assert (one.estimate, one.low, one.high) == pytest.approx((two.estimate, two.low, two.high))
    share = hits / y.size
    assert alone.accuracy.se == pytest.approx(math.sqrt(share * (1 - share) / (y.size - 1)))
    recalls = [(scores.argmax(axis=1) == y)[y == c] for c in range(4)]
    variance = sum(hit.var(ddof=1) / hit.size for hit in recalls) / 16
    assert plain.balanced_accuracy.se == pytest.approx(math.sqrt(variance))
    even = rs.multiclass_measures(y, scores, sample_weight=np.full(y.size, 0.5))
    assert even.accuracy.low == pytest.approx(alone.accuracy.low)


# ---- curves --------------------------------------------------------------------------------------


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("kind", ["roc", "pr"])
def test_curves_of_classes_are_the_binary_ones_and_averages_have_their_areas(kind: Any, tied: bool) -> None:
    y, scores = example(tied=tied)
    curves = rs.multiclass_curves(y, scores, kind=kind)
    make = rs.roc_curve if kind == "roc" else rs.pr_curve
    for label, curve in curves.per_class.items():
        known = make(y == label, scores[:, label])
        assert all(np.array_equal(a, b) for a, b in zip(curve.xy, known.xy, strict=True))
    pooled = make((y[:, None] == np.arange(4)).ravel(), scores.ravel())
    assert np.array_equal(curves.micro.xy[1], pooled.xy[1])
    x, height = curves.macro.xy
    steps = np.diff(x) @ ((height[1:] + height[:-1]) / 2 if kind == "roc" else height[1:])
    mean = np.mean([curve.area for curve in curves.per_class.values()])
    assert steps == pytest.approx(mean, abs=1e-12)
    assert curves.macro.area == pytest.approx(mean)
    if kind == "roc":
        assert curves.macro.area == pytest.approx(rs.multiclass_auc(y, scores))
        assert curves.micro.area == pytest.approx(rs.multiclass_auc(y, scores, average="micro"))


def test_the_macro_curve_is_the_mean_height_between_points() -> None:
    y, scores = example(60, tied=True)
    curves = rs.multiclass_curves(y, scores)
    inside = [at for at in np.linspace(0.001, 0.999, 57) if all(at not in c.fpr for c in curves.per_class.values())]
    mean = np.mean([np.interp(inside, c.fpr, c.tpr) for c in curves.per_class.values()], axis=0)
    assert np.interp(inside, *curves.macro.xy) == pytest.approx(mean, abs=1e-12)
    assert curves.macro.tpr[[0, -1]].tolist() == [curves.macro.tpr[0], 1.0]
    assert (np.diff(curves.macro.tpr) >= -1e-15).all()


def test_long_macro_curves_are_thinned_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from rocsteady._src.designs.classes import curves as module

    y, scores = example(3000)
    exact = rs.multiclass_curves(y, scores).macro
    monkeypatch.setattr(module, "MOST_CELLS", 1000)
    short = rs.multiclass_curves(y, scores).macro
    assert (exact.max_deviation, short.max_deviation) == (0.0, module.FINE)
    assert short.area == exact.area
    at = np.linspace(0.01, 0.99, 99)
    assert np.interp(at, *short.xy) == pytest.approx(np.interp(at, *exact.xy), abs=0.01)


def test_absent_classes_have_no_curve() -> None:
    with pytest.warns(rs.UndefinedWarning, match="no row is of class 2"):
        curves = rs.multiclass_curves([0, 1, 0, 1], np.random.default_rng(1).random((4, 3)), labels=[0, 1, 2])
    assert list(curves.per_class) == [0, 1]
    assert curves.macro is None
    assert curves.warnings


# ---- evaluation ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def evaluation() -> MulticlassEvaluation:
    y, scores = example(200)
    return rs.evaluate_multiclass([LABELS[code] for code in y], dict(zip(LABELS, scores.T, strict=True)), level=0.9)


def test_the_evaluation_holds_what_the_functions_give(evaluation: MulticlassEvaluation) -> None:
    y, scores = example(200)
    assert evaluation.labels == LABELS
    for name, (average, scheme) in AVERAGES.items():
        known = rs.multiclass_auc_interval(y, scores, average=average, scheme=scheme, level=0.9)
        assert tuple(evaluation.averages[name]) == tuple(known)
    per_class = rs.multiclass_auc_interval(y, scores, average=None, level=0.9)
    assert [tuple(i) for i in evaluation.class_auc.values()] == [tuple(i) for i in per_class.values()]
    assert evaluation.confusion.matrix.tolist() == rs.multiclass_confusion(y, scores).matrix.tolist()
    assert tuple(evaluation.top_k[2]) == tuple(rs.top_k_accuracy(y, scores, k=2, level=0.9))
    assert evaluation.warnings == ()


def test_the_evaluation_with_weights_subjects_and_an_absent_class() -> None:
    y, scores = example()
    five = np.column_stack([scores, np.zeros(y.size)])
    found = rs.evaluate_multiclass(
        y, five, labels=range(5), sample_weight=np.full(y.size, 0.5), cluster=np.arange(y.size) // 2
    )
    assert math.isnan(found.averages["macro"].estimate)
    assert found.warnings[0] == ASSUMED
    assert "no row is of class 4" in found.warnings[1]
    assert math.isnan(found.class_auc[4].estimate)
    assert found.class_auc[0].estimate == pytest.approx(rs.auc(y == 0, scores[:, 0]))
    assert "macro average" in str(found)


def test_results_become_dicts_frames_and_text(evaluation: MulticlassEvaluation) -> None:
    parts = (evaluation, evaluation.confusion, evaluation.measures, evaluation.roc, evaluation.pr)
    for part in parts:
        assert json.dumps(part.to_dict())
        assert len(part.to_frame("pandas")) == len(next(iter(part._columns().values())))
        assert str(part)
    assert list(evaluation.to_frame("pandas").columns[:5]) == ["class", "support", "auc", "auc_low", "auc_high"]
    assert "ant" in str(evaluation.confusion)
    assert "micro_mean" in str(evaluation.measures)


def test_pictures(evaluation: MulticlassEvaluation) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot as plt

    curves = evaluation.roc.plot()
    drawn = {line.get_label().split(" (")[0] for line in curves.ax_.lines}
    assert {*LABELS, "macro average", "micro average"} <= drawn
    heat = evaluation.confusion.plot(publication=True).ax_
    assert [text.get_text() for text in heat.texts] == [str(n) for n in evaluation.confusion.matrix.ravel()]
    assert np.asarray(heat.images[0].get_array()) == pytest.approx(evaluation.confusion.shares)
    assert len(evaluation.plot().ax_) == 2
    assert evaluation.measures.plot().ax_.lines
    assert evaluation.pr.plot().ax_.lines
    with pytest.raises(rs.ArgumentError, match="two Axes"):
        evaluation.plot(plt.subplots()[1])
    many = np.random.default_rng(1).random((300, 30))
    found = rs.evaluate_multiclass(np.arange(300) % 30, many)
    assert found.plot().ax_[0].lines
    assert "10 more classes" in str(found)
    assert "30 classes" in str(found.confusion)
    plt.close("all")


def test_measures_of_ordered_classes_say_which_order_they_take() -> None:
    rng = np.random.default_rng(7)
    y = rng.choice(["low", "medium", "high"], 90)
    scores = rng.dirichlet([1, 1, 1], 90)
    told = rs.evaluate_multiclass(y, scores, measures=["kappa_quadratic"]).warnings
    assert [str(each) for each in told if each.code == "order_of_classes"] == [
        "kappa_quadratic takes the classes in the order 'high', 'low', 'medium', that of the alphabet"
    ]
    named = rs.evaluate_multiclass(y, scores, labels=["low", "medium", "high"], measures=["kappa_quadratic"])
    numbers = rs.evaluate_multiclass(rng.integers(0, 3, 90), scores, measures=["kappa_quadratic"])
    plain = rs.evaluate_multiclass(y, scores)
    assert not [each for found in (named, numbers, plain) for each in found.warnings if each.code == "order_of_classes"]


@pytest.mark.parametrize("models", [False, True])
def test_columns_without_names_in_another_order_are_told(models: bool) -> None:
    rng = np.random.default_rng(0)
    names = ["mild", "bad", "worst"]
    number = rng.integers(0, 3, 300)
    y = np.array(names)[number]
    scores = 2 * np.eye(3)[number] + rng.normal(size=(300, 3))

    def told(scores: Any, **options: Any) -> list[str]:
        found: Any = rs.evaluate(y, {"a": scores, "b": scores} if models else scores, **options)
        return [each.code for each in found.warnings if each.code == "columns_by_position"]

    assert told(scores) == ["columns_by_position"]
    assert told(scores, classes=names) == told(pd.DataFrame(scores, columns=names)) == []
    assert told(scores[:, np.argsort(names)]) == told(rng.normal(size=(300, 3))) == []
