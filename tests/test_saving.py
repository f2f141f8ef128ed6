"""Every result can be saved and loaded on a machine that has no rows."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.results.base import Result
from rocsteady._src.results.saved_values import OTHER_RECORDS, class_of, name_of
from test_plots_records import examples, result_classes

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")

RNG = np.random.default_rng(3)
Y, CLASSES, PART = RNG.integers(0, 2, 90), RNG.integers(0, 3, 90), np.arange(90) % 3
MODELS = {"a": Y + RNG.normal(size=90), "b": Y + 2 * RNG.normal(size=90)}
MATRICES = {name: np.eye(3)[CLASSES] + RNG.normal(size=(90, 3)) for name in ("a", "b")}
LABELS = np.column_stack([Y, CLASSES == 0])
SCORES = {name: LABELS + RNG.normal(size=(90, 2)) for name in ("a", "b")}
CALLED = {name: matrix.argmax(axis=1) for name, matrix in MATRICES.items()}
ONE = {"measures": ["auc"], "intervals": True}
DESIGNS: dict[str, Any] = {
    "groups": lambda: rs.evaluate(Y, MODELS, by=PART, **ONE),
    "folds": lambda: rs.evaluate(Y, MODELS, fold=PART, **ONE),
    "classes": lambda: rs.evaluate(CLASSES, MATRICES["a"]),
    "models of classes": lambda: rs.evaluate(CLASSES, MATRICES),
    "models of classes by subject": lambda: rs.evaluate(CLASSES, MATRICES, cluster=np.arange(90) // 2),
    "classes by group": lambda: rs.evaluate(CLASSES, MATRICES["a"], by=PART),
    "classes by fold": lambda: rs.evaluate(CLASSES, MATRICES, fold=PART),
    "labels": lambda: rs.evaluate(LABELS, SCORES["a"]),
    "models of labels": lambda: rs.evaluate(LABELS, SCORES),
    "labels by fold": lambda: rs.evaluate(LABELS, SCORES, fold=PART),
    "called": lambda: rs.evaluate(CLASSES, CALLED["a"]),
    "models of called": lambda: rs.evaluate(CLASSES, CALLED),
    "called by fold": lambda: rs.evaluate(CLASSES, CALLED, fold=PART),
}


def loaded(result: Any, folder: Path) -> Any:
    return rs.load(result.save(folder / "result.json", force=True))


def test_what_was_saved_is_what_is_loaded(tmp_path: Path) -> None:
    for name, result in examples().items():
        if isinstance(result, Result):
            found = loaded(result, tmp_path)
            assert type(found) is type(result), name
            assert (str(found), found.to_dict()) == (str(result), result.to_dict()), name


@each_case("name", DESIGNS)
def test_designs_are_compared_and_reported_without_rows(name: str, tmp_path: Path) -> None:
    result = DESIGNS[name]()
    found = loaded(result, tmp_path)
    assert (str(found), found.to_dict()) == (str(result), result.to_dict())
    if "models" in name or "fold" in name or name == "groups":
        assert found.compare().to_dict() == result.compare().to_dict()
    if name in ("models of classes", "models of labels", "classes by fold", "called"):
        pages = [each.report(tmp_path / f"{place}.md", force=True) for place, each in enumerate((result, found))]
        assert pages[0].read_text() == pages[1].read_text()
    elif name == "folds":  # its chart of single rows is left out
        assert "## " in found.report(tmp_path / "page.md", force=True).read_text()


def test_every_class_of_results_is_known() -> None:
    declared = {each for each in result_classes() if issubclass(each, Result) and dataclasses.is_dataclass(each)}
    assert [each for each in declared if class_of(name_of(each)) is not each] == []
    assert all(class_of(name).__name__ in name for name in OTHER_RECORDS)
    for name in ("ranked.rows:Rows", "results.base:np", "results.nowhere:A", "os:system", "results.base:a b", "x"):
        with pytest.raises(ValueError, match="a record of"):
            class_of(name)


def test_a_threshold_goes_on_elsewhere(tmp_path: Path) -> None:
    choice = rs.best_threshold(np.where(Y == 1, "ill", "well"), MODELS["a"], pos_label="ill", rule="f1")
    found = loaded(choice, tmp_path)
    assert found == choice
    assert found.predict([-9.0, 9.0]).tolist() == ["well", "ill"]
    again = rs.evaluate(Y, MODELS, threshold={"a": found, "b": 0.5})
    assert again.thresholds["a"] == choice.threshold


def test_a_decision_names_the_column_of_labels_wherever_its_rows_are(tmp_path: Path) -> None:
    import polars as pl

    table = {"ill": Y, "a": MODELS["a"]}
    result, lazy = (rs.evaluate(each, label="ill", scores="a") for each in (table, pl.LazyFrame(table)))
    told = result.decide().verdict[0]
    assert "positives (ill = 1)" in told
    assert told == lazy.decide().verdict[0] == loaded(result, tmp_path).decide().verdict[0]


def test_what_needs_rows_says_so(tmp_path: Path) -> None:
    classes, folds, groups = (
        loaded(DESIGNS[name](), tmp_path) for name in ("models of classes", "folds", "classes by group")
    )
    for call in (
        lambda: classes.compare("kappa_quadratic"),
        lambda: classes.compare(level=0.9),
        lambda: folds.compare(measure="average_precision"),
        lambda: folds.compare(level=0.9),
        lambda: groups.kept.spread(()),
    ):
        with pytest.raises(rs.InputError, match=r"holds no rows: .* needs them; evaluate the rows again"):
            call()


def test_files_of_results_hold_no_rows_and_no_code(tmp_path: Path) -> None:
    result = rs.evaluate(CLASSES, MATRICES, cluster=np.array([f"patient-{row}" for row in range(90)]))
    path = result.save(tmp_path / "result.json")
    assert "patient-" not in path.read_text()
    told = json.loads(path.read_text())
    for change, words in (
        ({"version": 2}, "version 2"),
        ({"format": "x"}, "no evaluation, and no other result"),
        ({"result": {"record": "subprocess:Popen", "fields": {"args": "ls"}}}, "damaged"),
        ({"result": {"record": "results.measures:ThresholdChoice", "fields": {"x": 1}}}, "damaged"),
        ({"result": {"array": "O", "shape": [1], "cells": [1]}}, "damaged"),
    ):
        path.write_text(json.dumps({**told, **change}))
        with pytest.raises(rs.InputError, match=words):
            rs.load(path)
    (tmp_path / "mine.json").write_text("mine")
    with pytest.raises(rs.InputError, match="exists"):
        result.save(tmp_path / "mine.json")
