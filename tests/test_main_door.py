"""The main door: labels and scores themselves, tables by name, files, and options as columns or names."""

# ruff: noqa: PD011 - values of an evaluation, not of a frame

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocsteady as rs


def rows(n: int = 120) -> dict[str, Any]:
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, n)
    return {
        "y": y,
        "a": y + rng.normal(size=n),
        "b": y + 2 * rng.normal(size=n),
        "w": rng.integers(1, 4, n).astype(float),
        "who": np.arange(n) // 2,
        "site": rng.choice(["north", "south"], n),
        "part": np.arange(n) % 4,
    }


TABLE = rows()
Y, A, B = TABLE["y"], TABLE["a"], TABLE["b"]
BY_NAME = rs.evaluate(TABLE, label="y", scores=["a", "b"])


def same(found: Any, expected: Any) -> None:
    assert found.to_dict() == expected.to_dict()


@pytest.mark.parametrize(
    "scores",
    [
        {"a": A, "b": B},
        {"a": A.tolist(), "b": B.tolist()},
        pd.DataFrame({"a": A, "b": B}),
        pl.DataFrame({"a": A, "b": B}),
    ],
)
def test_scores_by_name_are_the_same_models(scores: Any) -> None:
    same(rs.evaluate(Y, scores), BY_NAME)
    same(rs.evaluate(Y.tolist(), scores), BY_NAME)
    same(rs.evaluate(scores, label=Y), BY_NAME)
    same(rs.compare_models(Y, scores), BY_NAME.compare())


def test_a_table_may_be_compared_by_name() -> None:
    same(rs.compare_models(TABLE, label="y", scores=["a", "b"]), BY_NAME.compare())
    lazily, (known,) = (
        rs.compare_models(pl.DataFrame(TABLE).lazy(), label="y", scores=["a", "b"]),
        BY_NAME.compare().pairs,
    )
    (found,) = lazily.pairs
    assert (found.test.estimate, found.test.se, found.test.pvalue) == (
        known.test.estimate, known.test.se, known.test.pvalue,
    )  # fmt: skip
    assert [remark.code for remark in lazily.warnings] == ["bound_needs_rows"]
    clustered = rs.evaluate(TABLE, label="y", scores=["a", "b"], cluster="who", weight="w").compare()
    same(rs.compare_models(TABLE, ["a", "b"], label="y", cluster="who", weight="w"), clustered)
    same(rs.compare_models(Y, {"a": A, "b": B}, cluster=TABLE["who"], sample_weight=TABLE["w"]), clustered)


@pytest.mark.parametrize("scores", [A, A.tolist(), A[:, None], {"score": A}])
def test_one_model(scores: Any) -> None:
    found = rs.evaluate(Y, scores)
    assert found.models == ("score",)
    assert found.values["score"]["auc"] == rs.auc(Y, A)


def test_a_series_gives_its_name() -> None:
    assert rs.evaluate(pd.Series(Y, name="y"), pd.Series(A, name="logistic")).models == ("logistic",)
    assert rs.evaluate(pl.Series("y", Y), pl.Series("logistic", A)).models == ("logistic",)


def test_columns_of_arrays_are_numbered() -> None:
    for scores in (np.column_stack([A, B]), [A, B], [A.tolist(), B.tolist()]):
        found = rs.evaluate(Y, scores)
        assert found.models == ("model 1", "model 2")
        assert found.values["model 2"]["auc"] == rs.auc(Y, B)


@pytest.mark.parametrize(("labels", "positive"), [(Y, 1), (np.where(Y == 1, "sick", "well"), "sick")])
def test_probabilities_of_two_classes_are_one_model(labels: Any, positive: Any) -> None:
    p = 1 / (1 + np.exp(-A))
    columns = np.column_stack([1 - p, p] if positive == 1 else [p, 1 - p])  # in the order of the sorted classes
    found = rs.evaluate(labels, columns, pos_label=positive)
    assert found.models == (f"probability of {positive}",)
    assert found.values[found.models[0]]["auc"] == rs.auc(Y, p)
    other = next(label for label in labels.tolist() if label != positive)
    flipped = rs.evaluate(labels, columns, pos_label=other)
    assert flipped.values[f"probability of {other}"]["auc"] == pytest.approx(rs.auc(Y, p))


def test_every_option_is_a_name_or_a_column() -> None:
    table = pd.DataFrame(TABLE)
    scores = {"a": A, "b": B}
    for name, option in (("w", "weight"), ("w", "sample_weight"), ("who", "cluster"), ("part", "fold"), ("site", "by")):
        options: dict[str, Any] = {"measures": ["auc"], "intervals": True}
        expected = rs.evaluate(table, label="y", scores=["a", "b"], **{option: name}, **options)
        column = table[name].rename(name)
        for given in (column, column.to_numpy(), column.tolist()):
            found = rs.evaluate(Y, scores, **{option: given}, **options)
            assert found.to_frame().to_numpy().tolist() == expected.to_frame().to_numpy().tolist()
            beside = rs.evaluate(table, label="y", scores=["a", "b"], **{option: given}, **options)
            assert beside.to_frame().to_numpy().tolist() == expected.to_frame().to_numpy().tolist()
        named = rs.evaluate(Y, table[["a", "b", name]], **{option: name}, **options)
        assert named.to_frame().to_numpy().tolist() == expected.to_frame().to_numpy().tolist()


def test_several_columns_of_groups() -> None:
    groups = {"site": TABLE["site"], "half": TABLE["part"] % 2}
    by_table = rs.evaluate({**TABLE, **groups}, label="y", scores=["a"], by=["site", "half"], intervals=False)
    same(rs.evaluate(Y, {"a": A}, by=groups, intervals=False), by_table)
    in_list = rs.evaluate(Y, {"a": A}, by=[groups["site"], groups["half"]], intervals=False)
    assert len(in_list.to_frame()) == len(by_table.to_frame())


def test_classes_are_recognised() -> None:
    rng = np.random.default_rng(2)
    codes, scores = rng.integers(0, 3, 90), rng.dirichlet(np.ones(3), 90)
    labels = np.array(["cat", "dog", "owl"])[codes]
    expected = rs.evaluate_multiclass(labels, scores)
    for given in (scores, pd.DataFrame(scores, columns=["cat", "dog", "owl"])):
        found: Any = rs.evaluate(labels, given)
        assert found.averages["macro"].estimate == expected.averages["macro"].estimate
    turned: Any = rs.evaluate(labels, scores[:, ::-1], classes=["owl", "dog", "cat"])
    assert turned.averages["macro"].estimate == expected.averages["macro"].estimate
    with pytest.raises(rs.ArgumentError, match="2 columns and the labels 3 classes"):
        rs.evaluate(labels, scores[:, :2])


def test_a_file_by_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    pd.DataFrame(TABLE).to_csv(path, index=False)
    same(rs.evaluate(path, label="y", scores=["a", "b"]), BY_NAME)
    same(rs.evaluate(str(path), ["a", "b"], label="y"), BY_NAME)
    weighted = rs.evaluate(TABLE, label="y", scores="a", weight="w", by="site", intervals=False)
    same(rs.evaluate(path, label="y", scores="a", weight="w", by="site", intervals=False), weighted)
    with pytest.raises(rs.InputError, match="there is no file"):
        rs.evaluate(tmp_path / "other.csv", label="y", scores="a")
    with pytest.raises(rs.ArgumentError, match="name the columns of a file with label= and scores="):
        rs.evaluate(path)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rs.evaluate(TABLE), "which column of the table holds the labels.*'y', 'a'"),
        (lambda: rs.evaluate(pd.DataFrame(TABLE), "y"), "which column of the table holds the labels"),
        (lambda: rs.evaluate(TABLE, label="y"), "name their columns with scores=.*'y', 'a'"),
        (lambda: rs.evaluate(Y), "pass them after the labels"),
        (lambda: rs.evaluate(TABLE, {"a": A}, label="y"), "scores= must name columns too"),
        (lambda: rs.evaluate(Y, A, weight=TABLE["w"], sample_weight=TABLE["w"]), "two names of one thing"),
        (lambda: rs.evaluate(Y, {}), "pass at least one column"),
        (lambda: rs.evaluate(Y, pd.DataFrame({0: A, 1: B})), "called by text"),
        (lambda: rs.evaluate(Y, A, by=[]), "by must be"),
    ],
)
def test_what_is_unclear_is_asked_for(call: Any, words: str) -> None:
    with pytest.raises(rs.ArgumentError, match=words):
        call()


def test_a_label_without_a_table() -> None:
    with pytest.raises(rs.InputError, match="for labels and scores leave label= out"):
        rs.evaluate(Y, A, label="y")


def test_names_never_clash() -> None:
    found = rs.evaluate(Y, {"y_true": A, "weight": B}, weight=TABLE["w"])
    assert found.models == ("y_true", "weight")
    assert found.values["weight"]["auc"] == rs.auc(Y, B, sample_weight=TABLE["w"])


def test_two_columns_of_groups_without_names_are_numbered() -> None:
    first, second = np.arange(Y.size) % 2, np.arange(Y.size) // (Y.size // 2 + 1)
    listed: Any = rs.evaluate(Y, A, by=[first, second], measures=["auc"])
    assert listed.by == "group 1, group 2"
    assert next(iter(listed.groups)) == "group 1=0, group 2=0"
    as_array: Any = rs.evaluate(Y, A, by=np.column_stack([first, second]), measures=["auc"])
    assert as_array.to_dict() == listed.to_dict()
    assert rs.evaluate(Y, A, by=[first], measures=["auc"]).by == "group"
