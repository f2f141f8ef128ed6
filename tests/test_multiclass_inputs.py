"""What may come in where there are more than two classes, and what is said about what may not."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.designs.classes.scores_by_class import read_classes

Y = ["ant", "bee", "cat", "ant", "bee", "cat"]
SCORES = np.random.default_rng(1).dirichlet(np.ones(3), 6)
NAMES = ("ant", "bee", "cat")


def as_dict(order: tuple[str, ...] = NAMES) -> dict[str, Any]:
    return {name: SCORES[:, NAMES.index(name)] for name in order}


def test_tables_and_arrays_give_the_same() -> None:
    import pandas as pd
    import polars as pl

    known = rs.multiclass_auc(Y, SCORES, average=None)
    for table in (
        as_dict(),
        pd.DataFrame(as_dict()),
        pl.DataFrame(as_dict()),
        SCORES.tolist(),
        np.asfortranarray(SCORES),
    ):
        assert (rs.multiclass_auc(Y, table, average=None) == known).all()


def test_order_is_that_of_labels_else_of_columns_else_sorted() -> None:
    turned = ("cat", "ant", "bee")
    own = {name: rs.auc([label == name for label in Y], SCORES[:, NAMES.index(name)]) for name in NAMES}
    assert rs.multiclass_auc(Y, SCORES, average=None).tolist() == [own[name] for name in NAMES]
    assert rs.multiclass_auc(Y, as_dict(turned), average=None).tolist() == [own[name] for name in turned]
    picked = rs.multiclass_auc(Y, as_dict(turned), labels=NAMES, average=None)
    assert picked.tolist() == [own[name] for name in NAMES]
    asked = rs.multiclass_auc(Y, SCORES[:, [2, 0, 1]], labels=list(turned), average=None)
    assert asked.tolist() == [own[name] for name in turned]


def test_labels_may_be_numbers_text_or_booleans() -> None:
    numbers = [NAMES.index(label) for label in Y]
    values = rs.multiclass_auc(Y, SCORES, average=None).tolist()
    for labels in (numbers, [n - 7 for n in numbers], np.array(numbers) * 10**9, [n / 2 for n in numbers]):
        assert rs.multiclass_auc(labels, SCORES, average=None).tolist() == values
    two = rs.multiclass_auc([True, False, True, False], [[0.1, 0.9], [0.4, 0.6], [0.5, 0.5], [0.8, 0.2]], average=None)
    assert two.tolist() == [0.75, 0.75]
    assert rs.multiclass_auc(np.array(Y, dtype=object), SCORES, average=None)[0] == values[0]


def test_columns_of_other_names_can_be_named_by_labels() -> None:
    numbers = [NAMES.index(label) for label in Y]
    table = {str(place): SCORES[:, place] for place in range(3)}
    with pytest.raises(rs.InputError, match="differ only in type: pass labels="):
        rs.multiclass_auc(numbers, table)
    assert rs.multiclass_auc(numbers, table, labels=[0, 1, 2]) == rs.multiclass_auc(numbers, SCORES)


def test_a_table_may_hold_more_columns_than_labels_ask_for() -> None:
    table = as_dict() | {"row": np.arange(6)}
    assert rs.multiclass_auc(Y, table, labels=list(NAMES)) == rs.multiclass_auc(Y, SCORES)


@each_case(
    ("y", "scores", "options", "code", "words"),
    [
        ([*Y[:5], "dog"], SCORES, {"labels": list(NAMES)}, "class_without_scores", "'dog'.*row 5"),
        ([*Y[:5], "dog"], as_dict(), {}, "class_without_scores", "'dog'"),
        ([*Y[:5], "dog"], SCORES, {}, "columns_and_classes", "3 columns and there are 4 classes"),
        (Y, SCORES[:, 0], {}, "not_two_dimensional", r"shape \(6,\)"),
        (Y[:5], SCORES, {}, "lengths_differ", "y_true has 5, y_score has 6"),
        (Y, [[1, 2], [1]], {}, "ragged", "differ in length"),
        (Y, [["a"] * 3] * 6, {}, "score_type", "must hold numbers"),
        (Y, as_dict() | {"cat": ["x"] * 6}, {}, "score_text", "no label"),
        (Y, {}, {}, "no_columns", "no columns"),
        (None, SCORES, {}, "not_a_column", "y_true must be a column"),
        (Y, None, {}, "not_two_dimensional", "one column per class"),
        (Y, as_dict(), {"labels": ["ant", "bee", "cow"]}, "column_absent", "no column 'cow'"),
        ([1, "ant", 2, 3, 4, 5], SCORES, {}, "label_mixed_types", "number and text"),
        (Y, SCORES, {"labels": ["ant", "ant", "bee"]}, "labels", "twice"),
        (Y, SCORES, {"labels": "ant"}, "labels", "list of the classes"),
        (Y, SCORES, {"sample_weight": [-1] * 6}, "weights_negative", "negative"),
        (Y, SCORES, {"average": "mean"}, "average", "must be one of"),
        (Y, SCORES, {"scheme": "ovx"}, "scheme", "must be one of"),
        (Y, SCORES, {"scheme": "ovo", "average": "micro"}, "average", "use scheme='ovr'"),
        (Y, SCORES, {"scheme": "ovo", "average": None}, "average", "use scheme='ovr'"),
        (Y, SCORES, {"scheme": "hand-till", "average": "weighted"}, "average", "plain mean"),
    ],
)
def test_what_cannot_be_read_is_named(y: Any, scores: Any, options: Any, code: str, words: str) -> None:
    with pytest.raises(rs.RocsteadyError, match=words) as caught:
        rs.multiclass_auc(y, scores, **options)
    assert caught.value.code == code


def test_tables_that_cannot_be_columns_are_refused() -> None:
    import pandas as pd
    import polars as pl

    with pytest.raises(rs.InputError, match="several columns of the same name"):
        rs.multiclass_auc(Y, pd.DataFrame(SCORES, columns=["ant", "ant", "bee"]))
    with pytest.raises(rs.InputError, match="collect it first"):
        rs.multiclass_auc(Y, pl.LazyFrame(as_dict()))
    assert rs.multiclass_auc([0, 1, 2] * 2, pd.DataFrame(SCORES)) == rs.multiclass_auc([0, 1, 2] * 2, SCORES)
    with pytest.raises(rs.InputError, match="y_pred must be a column"):
        rs.multiclass_confusion(Y, None)


def test_row_labels_that_differ_are_refused() -> None:
    import pandas as pd

    table = pd.DataFrame(as_dict(), index=range(5, 11))
    with pytest.raises(rs.InputError, match="different row labels"):
        rs.multiclass_auc(pd.Series(Y), table)


@each_case("kind", ["matrix", "objects", "masked", "table", "label", "weight"])
def test_missing_values_are_refused_or_dropped(kind: str) -> None:
    holes = SCORES.copy()
    holes[2, 1] = np.nan
    scores: Any = holes
    y, weights = list(Y), None
    if kind == "objects":
        scores = SCORES.astype(object)
        scores[2, 1] = None
    elif kind == "masked":
        scores = np.ma.MaskedArray(SCORES, mask=np.isnan(holes))
    elif kind == "table":
        scores = {name: holes[:, place] for place, name in enumerate(NAMES)}
    elif kind == "label":
        y[2], scores = None, SCORES
    elif kind == "weight":
        weights, scores = [1, 1, math.nan, 1, 1, 1], SCORES
    with pytest.raises(rs.InputError, match="1 missing, row 2") as caught:
        rs.multiclass_auc(y, scores, sample_weight=weights)
    assert caught.value.code == "missing_values"
    kept = [0, 1, 3, 4, 5]
    dropped = rs.multiclass_auc_interval(y, scores, sample_weight=weights, missing="drop", average=None)
    known = rs.multiclass_auc_interval([Y[row] for row in kept], SCORES[kept], average=None)
    assert dropped["ant"].estimate == known["ant"].estimate
    assert dropped["ant"].origin.n_dropped == 1


def test_rows_of_weight_zero_are_absent() -> None:
    weights = [1, 1, 1, 1, 1, 0]
    found = rs.multiclass_auc(Y, SCORES, sample_weight=weights, average=None)
    assert found == pytest.approx(rs.multiclass_auc(Y[:5], SCORES[:5], average=None))


@pytest.mark.parametrize(("average", "scheme"), [("macro", "ovr"), ("weighted", "ovr"), ("macro", "hand-till")])
def test_a_class_seen_only_in_scores_is_undefined_and_said(average: Any, scheme: Any) -> None:
    y = ["ant", "bee"] * 3
    kind: dict[str, Any] = {"labels": list(NAMES), "average": average, "scheme": scheme}
    with pytest.warns(rs.UndefinedWarning, match="no row is of class 'cat'"):
        value = rs.multiclass_auc(y, SCORES, **kind)
    assert math.isnan(value)
    assert value.reason == "class_absent"
    with pytest.warns(rs.UndefinedWarning):
        interval = rs.multiclass_auc_interval(y, SCORES, **kind)
    assert math.isnan(interval.low)
    assert "leave its column out" in interval.warnings[0]
    with pytest.raises(rs.InputError, match="no row is of class 'cat'"):
        rs.compare_multiclass_auc(y, SCORES, SCORES, **kind)
    present = {name: SCORES[:, place] for place, name in enumerate(NAMES[:2])}
    assert rs.multiclass_auc(y, present, average=average, scheme=scheme) > 0


def test_each_class_says_why_it_has_no_area() -> None:
    with pytest.warns(rs.UndefinedWarning, match="class 'cat' is undefined: there are no positives"):
        found = rs.multiclass_auc(["ant", "bee"] * 3, SCORES, labels=list(NAMES), average=None)
    assert math.isnan(found[2])
    assert found[0] == rs.auc([1, 0] * 3, SCORES[:, 0])


def test_micro_needs_no_row_of_every_class() -> None:
    y = ["ant", "bee"] * 3
    own = (np.array(y)[:, None] == np.array(NAMES)).ravel()
    assert rs.multiclass_auc(y, SCORES, labels=list(NAMES), average="micro") == rs.auc(own, SCORES.ravel())


def test_one_class_and_no_rows() -> None:
    with pytest.warns(rs.UndefinedWarning, match="only one class"):
        value = rs.multiclass_auc(["ant"] * 3, [[1.0], [2.0], [3.0]])
    assert value.reason == "single_class"
    with pytest.warns(rs.UndefinedWarning, match="no negatives"):
        assert math.isnan(rs.multiclass_auc(["ant"] * 3, [[1.0], [2.0], [3.0]], average=None)[0])
    with pytest.warns(rs.UndefinedWarning, match="no rows"):
        assert rs.multiclass_auc([], np.empty((0, 3)), labels=[0, 1, 2]).reason == "empty"
    with pytest.raises(rs.InputError, match="no rows"):
        rs.evaluate_multiclass([], np.empty((0, 3)), labels=[0, 1, 2])


def test_scores_that_are_no_probabilities_rank_all_the_same() -> None:
    wild = np.exp(5 * SCORES) - 3
    for kind in ({}, {"average": "weighted"}, {"scheme": "ovo"}):
        assert rs.multiclass_auc(Y, wild, **kind) == pytest.approx(rs.multiclass_auc(Y, SCORES, **kind))
    with pytest.warns(rs.RocsteadyWarning, match="do not sum to 1") as caught:
        rs.multiclass_auc(Y, wild, average="micro")
    assert caught[0].message.code == "scores_not_probabilities"
    assert any("do not sum to 1" in text for text in rs.evaluate_multiclass(Y, wild).warnings)


def test_infinite_scores_rank_outside_and_numbers_keep_their_type() -> None:
    wide = np.array([[np.inf, 0, -np.inf], [0, np.inf, 1], [0, -1, 2], [1, 0, 0], [0, 2, -1], [-1, 0, np.inf]])
    assert rs.multiclass_auc(Y, wide) == 1.0
    long = np.array([[2**60 + 1, 0, 0], [2**60, 5, 0], [0, 0, 7], [2**60 + 2, 1, 0], [1, 9, 0], [1, 0, 8]])
    assert rs.multiclass_auc(Y, long, average=None)[0] == 1.0
    half = SCORES.astype(np.float16)
    assert rs.multiclass_auc(Y, half) == rs.multiclass_auc(Y, half.astype(np.float64))
    assert rs.multiclass_auc(Y, np.eye(3, dtype=bool)[[0, 1, 2, 0, 1, 2]]) == 1.0


def test_models_in_a_comparison_need_the_same_columns() -> None:
    turned = as_dict(("cat", "ant", "bee"))
    same = rs.compare_multiclass_auc(Y, as_dict(), turned)
    assert (same.estimate, same.pvalue) == (0.0, 1.0)
    with pytest.raises(rs.InputError, match="different columns"):
        rs.compare_multiclass_auc(Y, as_dict(), {**as_dict(), "dog": np.zeros(6)})


def test_clusters_may_be_text_or_objects() -> None:
    subjects = ["u", "u", "v", "v", "w", "w"]
    known = rs.multiclass_auc_interval(Y, SCORES, cluster=[0, 0, 1, 1, 2, 2])
    for cluster in (subjects, np.array(subjects, dtype=object)):
        assert rs.multiclass_auc_interval(Y, SCORES, cluster=cluster).se == pytest.approx(known.se, nan_ok=True)


def test_ten_thousand_classes() -> None:
    rng = np.random.default_rng(2)
    k = 10_000
    y = rng.integers(0, k, 150)
    scores = rng.random((150, k), dtype=np.float32)
    scores[np.arange(150), y] += 1
    rows = read_classes(y, scores, labels=range(k))
    assert (rows.n_classes, rows.codes.dtype) == (k, np.uint16)
    assert rs.top_k_accuracy(y, scores, labels=range(k), k=5).estimate == 1.0
    found = rs.multiclass_measures(y, y, labels=range(k))
    assert (found.accuracy.estimate, found.kappa, found.matthews_correlation) == (1.0, 1.0, 1.0)
    assert math.isnan(found.averages["macro"]["recall"])
    with pytest.warns(rs.RocsteadyWarning, match="sum to 1"):
        assert rs.multiclass_auc(y, scores, labels=range(k), average="micro") == 1.0
    with pytest.warns(rs.UndefinedWarning):
        areas = rs.multiclass_auc(y, scores, labels=range(k), average=None)
    assert np.count_nonzero(areas == 1.0) == len(set(y.tolist()))


def test_many_columns_are_read_in_blocks_in_the_right_order() -> None:
    rng = np.random.default_rng(3)
    y = rng.permutation(np.arange(5000) % 19)
    scores = rng.normal(size=(5000, 19)) + np.eye(19)[y]
    for matrix in (scores, np.asfortranarray(scores), scores[:, ::-1][:, ::-1]):
        found = rs.multiclass_auc(y, matrix, average=None)
        assert all(area == rs.auc(y == label, scores[:, label]) for label, area in enumerate(found))
