"""What the selection experiment reads and refuses, in Python and on the command line."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import rocsteady as rs
from command import Ended, rocsteady
from rocsteady._src.extras.lab.selection_data import read_rows
from rocsteady._src.inputs.files import Wanted, read_file
from rocsteady._src.inputs.files.formats import set_apart
from rocsteady.lab import select_models

pytest.importorskip("sklearn")

from sklearn.linear_model import RidgeClassifier

if TYPE_CHECKING:
    from pathlib import Path

FAST: dict[str, Any] = {"n_splits": 2, "n_bootstraps": 3, "random_state": 0, "progress": False}


def pair(n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = np.arange(n) % 2
    return rng.normal(size=(n, 2)) + y[:, None], y


def refused(code: str, data: Any, classifiers: Any = "bayes", measures: Any = ("auc",), **options: Any) -> str:
    with pytest.raises(rs.RocsteadyError) as caught:
        select_models(data, classifiers, measures, **{**FAST, **options})
    assert caught.value.code == code, caught.value
    return str(caught.value)


# ---- sources ----


VEHICLE = "Elong,Sc.Var.Maxis,Sc.Var.maxis,Skew.Maxis,Skew.maxis,Kurt.maxis,Kurt.Maxis,y"


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".csv.gz"])
def test_columns_whose_names_differ_in_case_only_are_read_by_position(suffix: str, tmp_path: Path) -> None:
    """As the Vehicle data of the paper name theirs: DuckDB alone would take the second for the first."""
    drawn = np.random.default_rng(2).integers(0, 99, (40, 8))
    drawn[:, -1] = np.arange(40) % 2
    lines = [VEHICLE, *(",".join(map(str, row)) for row in drawn.tolist())]
    text = "\n".join(lines).replace(",", "\t" if suffix == ".tsv" else ",") + "\n"
    file = tmp_path / f"vehicle{suffix}"
    file.write_bytes(gzip.compress(text.encode()) if suffix.endswith(".gz") else text.encode())
    names = tuple(VEHICLE.split(","))
    columns = read_file(file, Wanted((), names))
    assert tuple(columns) == names
    assert np.array_equal(np.column_stack(list(columns.values())), drawn)
    scores = rs.evaluate(file, label="y", scores=["Skew.maxis", "Skew.Maxis"], measures=["auc"])
    assert (
        scores.to_dict()
        == rs.evaluate(columns, label="y", scores=["Skew.maxis", "Skew.Maxis"], measures=["auc"]).to_dict()
    )
    if suffix == ".csv":
        found = select_models(file, "tree", ["auc"], label="y", **FAST)
        assert np.array_equal(
            found.test_auc, select_models((drawn[:, :-1], drawn[:, -1]), "tree", ["auc"], **FAST).test_auc
        )


def test_names_that_are_set_apart_stay_apart() -> None:
    wanted, own = set_apart(Wanted(("A", "a", "a (2)"), ("y",), ("a",)))
    assert len({name.lower() for name in wanted.names}) == 4
    assert wanted.renamed(own) == Wanted(("A", "a", "a (2)"), ("y",), ("a",))


def test_files_of_every_format_a_table_and_arrays_give_the_same(tmp_path: Path) -> None:
    import polars as pl

    x, y = pair()
    table = {"a": x[:, 0].tolist(), "b": x[:, 1].tolist(), "ill": ["yes" if flag else "no" for flag in y]}
    frame = pl.DataFrame(table)
    files = [tmp_path / f"rows.{ending}" for ending in ("csv", "tsv", "csv.gz", "jsonl", "parquet")]
    frame.write_csv(files[0])
    frame.write_csv(files[1], separator="\t")
    files[2].write_bytes(gzip.compress(files[0].read_bytes()))
    frame.write_ndjson(files[3])
    frame.write_parquet(files[4])
    files.append(tmp_path / "semicolons.csv")
    frame.write_csv(files[-1], separator=";")
    named: dict[str, Any] = {"label": "ill", "pos_label": "yes", **FAST}
    found = [
        select_models((x, y), "bayes", ["auc"], **FAST),
        select_models(table, "bayes", ["auc"], **named),
        select_models(frame, "bayes", ["auc"], **named),
        *(select_models(file, "bayes", ["auc"], **named) for file in files),
    ]
    for other in found[1:]:
        assert np.array_equal(other.test_auc, found[0].test_auc)
    assert found[1].origin.pos_label == "yes"


def test_text_columns_become_columns_of_0_and_1_and_the_result_says_so() -> None:
    table = {"sex": ["F", "M", None, "I"], "old": [True, False, True, True], "x": [1, None, 3, 4], "y": [0, 1, 0, 1]}
    rows = read_rows(table, label="y")
    assert rows.features.shape == (4, 5)
    assert np.array_equal(rows.features[:, 0], [1, 0, np.nan, 0], equal_nan=True)
    assert rows.features[:, 3].tolist() == [1, 0, 1, 1]
    assert rows.gaps == {"sex=F": 1, "sex=I": 1, "sex=M": 1, "x": 1}
    assert rows.notes == ("column 'sex' is text: one 0/1 column for each of its 3 values",)


def test_a_set_of_scikit_learn_by_name() -> None:
    from sklearn.datasets import load_iris

    result = select_models("iris", "bayes", ["auc"], pos_label=2, **FAST)
    bunch = load_iris()
    same = select_models((bunch.data, bunch.target == 2), "bayes", ["auc"], **FAST)
    assert np.array_equal(result.test_auc, same.test_auc)
    assert "labels: 0 = setosa, 1 = versicolor, 2 = virginica" in str(result)


def openml(monkeypatch: pytest.MonkeyPatch, answer: Any) -> list[Any]:
    import sklearn.datasets

    asked = []

    def fetch(name: str, **options: Any) -> Any:
        asked.append((name, options["version"], options["target_column"]))
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch)
    return asked


def test_openml_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    import pandas as pd
    from sklearn.utils import Bunch

    x, y = pair()
    target = pd.Series(["pos" if flag else "neg" for flag in y], dtype="category")
    colour = pd.Series(["red", "blue"] * 30, dtype="category")
    frame = pd.DataFrame(x, columns=["a", "b"]).assign(colour=colour)
    asked = openml(monkeypatch, Bunch(data=frame, target=target))
    result = select_models("openml:diabetes@2", "bayes", ["auc"], pos_label="pos", **FAST)
    assert asked == [("diabetes", 2, "default-target")]
    assert result.data == "openml:diabetes@2"
    assert "column 'colour' is text" in str(result)


def test_openml_errors_say_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    from urllib.error import URLError

    openml(monkeypatch, URLError("no route"))
    assert "pass its path and label" in refused("openml_offline", "openml:diabetes")
    openml(monkeypatch, ValueError("No active dataset nonsense found"))
    assert "No active dataset" in refused("openml_unknown", "openml:nonsense")


# ---- refusals ----


def test_unknown_data_names_the_known_ones() -> None:
    told = refused("data_unknown", "brest_cancer")
    assert "breast_cancer" in told
    assert "openml:" in told


def test_labels(tmp_path: Path) -> None:
    x, y = pair()
    refused("single_class", (x, np.ones(60, dtype=int)))
    refused("positive_label_required", (x, np.arange(60) % 3))
    refused("positive_label_required", "wine")
    refused("positive_label_absent", (x, y), pos_label=7)
    refused("lengths_differ", (x, y[:-1]))
    refused("label", {"a": [1.0], "y": [1]})
    refused("label", (x, y), label="y")
    refused("label", "iris", label="y")
    refused("data", 5)
    file = tmp_path / "rows.csv"
    file.write_text("a,y\n1,0\n2,1\n")
    assert "'a', 'y'" in refused("column_absent", file, label="z")
    assert "'a', 'y'" in refused("label", file)
    file.with_suffix(".json").write_text("[]")
    refused("file_format", file.with_suffix(".json"), label="y")
    refused("column_absent", {"a": [1.0], "y": [1]}, label="z")
    refused("label_missing", {"a": [1.0, 2.0], "y": [1, None]}, label="y")
    refused("no_features", {"y": [1, 0]}, label="y")


def test_too_few_rows_of_a_class_tell_how_many() -> None:
    x, _ = pair()
    told = refused("too_few_rows", (x, np.arange(60) < 2))
    assert told.startswith("2 positive and 58 negative rows")
    select_models((x, np.arange(60) < 4), "bayes", ["auc"], **FAST)


def test_missing_features_name_column_and_remedy() -> None:
    from sklearn.impute import SimpleImputer
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline

    x, y = pair()
    table = {"a": x[:, 0], "b": [None if i < 3 else value for i, value in enumerate(x[:, 1])], "y": y}
    told = refused("features_missing", table, label="y")
    assert "'b' (3)" in told
    assert "SimpleImputer" in told
    select_models(table, "tree", ["auc"], label="y", **FAST)
    select_models(table, make_pipeline(SimpleImputer(), GaussianNB()), ["auc"], label="y", **FAST)


def test_features() -> None:
    x, y = pair()
    refused("features_not_numbers", ([["a", "b"]] * 60, y))
    refused("features_shape", (x[:, 0], y))
    x[0, 1] = np.inf
    refused("features_infinite", (x, y))


def test_classifiers() -> None:
    from sklearn.cluster import KMeans

    refused("classifier_unknown", pair(), "treee")
    refused("classifier", pair(), 5)
    refused("classifier", pair(), RidgeClassifier)
    refused("classifier_scores", pair(), KMeans())
    refused("classifiers", pair(), ["tree", "tree"])
    refused("classifiers", pair(), [])
    told = refused("needs_probabilities", pair(), RidgeClassifier(), ["auc", "brier_score", "prob_auc"])
    assert "predict_proba" in told
    assert "'brier_score', 'prob_auc'" in told
    refused("classifier_failed", pair(), RidgeClassifier(alpha=-1))


def test_options() -> None:
    for option, value in (("n_splits", 0), ("n_bootstraps", 1.5), ("level", 1), ("random_state", -1)):
        refused(option, pair(), **{option: value})
    refused("sizes", pair(), sizes=(0.5, 0.5))
    refused("sizes", pair(), sizes=(0.9, 0.2, 0.2))
    refused("n_jobs", pair(), n_jobs=0)
    refused("unknown_measure", pair(), measures=["aucc"])
    refused("delta", pair(), measures=["lambda_auc(delta=-1)"])
    refused("threshold", pair(), measures=["accuracy"])
    refused("measure_direction", pair(), measures=["prevalence"])


def test_threshold_measures_and_other_references() -> None:
    result = select_models(pair(), "bayes", ["accuracy(threshold=0.5)"], reference="log_loss", **FAST)
    assert result.measures == ("log_loss", "accuracy(threshold=0.5)")
    assert result.reference == "log_loss"


# ---- the command ----


def run(*arguments: str) -> Ended:
    return rocsteady("select", *arguments)


def test_the_command_prints_and_draws(tmp_path: Path) -> None:
    x, y = pair()
    file = tmp_path / "rows.csv"
    lines = [f"{a},{b},{'sick' if flag else 'well'}" for (a, b), flag in zip(x, y, strict=True)]
    file.write_text("\n".join(["a,b,state", *lines]) + "\n")
    picture = tmp_path / "out.png"
    options = "--label state --pos-label sick --classifier bayes --measure rho_auc --splits 3 --bootstraps 4 --seed 5"
    shown = run(str(file), *options.split(), "--plot", str(picture), "--format", "json")
    assert shown.returncode == 0, shown.stderr
    answer = json.loads(shown.stdout)
    expected = select_models((x, y), "bayes", ["rho_auc"], n_splits=3, n_bootstraps=4, random_state=5)
    assert [row["test_auc"] for row in answer["rows"]] == [row.test_auc for row in expected.rows]
    assert answer["pos_label"] == "sick"
    assert picture.read_bytes()[:4] == b"\x89PNG"
