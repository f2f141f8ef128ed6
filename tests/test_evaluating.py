"""evaluate() by group, by fold and for several classes; the same on the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import rocsteady as rs
from cases import each_case
from rocsteady._src.evaluation.evaluation_by_fold import FoldedEvaluation
from rocsteady._src.evaluation.groups import GroupedEvaluation
from rocsteady._src.views.cli.app import app


@pytest.fixture
def table() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    n = 300
    y = rng.random(n) < 0.4
    fold = np.arange(n) % 3
    kind = rng.integers(0, 3, n)
    chance = rng.dirichlet([1, 1, 1], n) + 1.5 * np.eye(3)[kind]
    chance /= chance.sum(axis=1, keepdims=True)
    return {
        "y": y.astype(int),
        "a": rng.normal(size=n) + 1.2 * y + 2 * fold,
        "b": rng.normal(size=n) + y,
        "fold": fold,
        "site": np.array(["in", "out"])[rng.integers(0, 2, n)],
        "patient": np.arange(n) // 2,
        "kind": np.array(["cat", "dog", "fox"])[kind],
        **{f"p{k}": chance[:, k] for k in range(3)},
    }


@pytest.fixture
def file(table: dict[str, np.ndarray], tmp_path: Path) -> Path:
    path = tmp_path / "rows.csv"
    with path.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(table)
        writer.writerows(zip(*(column.tolist() for column in table.values()), strict=True))
    return path


def run(*arguments: object) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_folds_are_those_of_crossval_evaluate(table: dict[str, np.ndarray]) -> None:
    found = rs.evaluate(table, label="y", scores=["a", "b"], fold="fold", measures=["auc"])
    assert isinstance(found, FoldedEvaluation)
    for model in ("a", "b"):
        alone = rs.crossval_evaluate(table["y"], table[model], fold=table["fold"])
        assert found[model].mean.estimate == alone.mean.estimate
        assert (found[model].mean.low, found[model].pooled.high) == (alone.mean.low, alone.pooled.high)
    pair = rs.compare_crossval(table["y"], table["a"], table["b"], fold=table["fold"])
    assert found.comparisons["a", "b"].pvalue == pair.pvalue
    assert found.overall.values["a"]["auc"] == rs.auc(table["y"], table["a"])
    assert found["a"].mean.estimate > found["a"].pooled.estimate + 0.05
    assert "a: pairs across folds are ranked right less often" in str(found)


def test_folded_reads_as_dict_frame_and_picture(table: dict[str, np.ndarray]) -> None:
    found = rs.evaluate(table, label="y", scores=["a", "b"], fold="fold", measures=["auc"])
    assert len(found.to_frame()) == 6
    plain = found.to_dict()
    assert [each["model"] for each in plain["models"]] == ["a", "b"]
    display = found.plot()
    assert len(display.ax_.get_yticklabels()) == 8


def test_a_fold_of_one_class_is_named_and_models_are_not_compared(table: dict[str, np.ndarray]) -> None:
    table["y"][table["fold"] == 2] = 0
    found = rs.evaluate(table, label="y", scores=["a", "b"], fold="fold", measures=["auc"])
    assert np.isnan(found["a"].mean.estimate)
    assert not found.comparisons
    assert any("fold 2" in note for note in found.notes())


def test_subjects_are_counted_with_folds_and_groups(table: dict[str, np.ndarray]) -> None:
    options: dict[str, Any] = {"label": "y", "scores": "b", "measures": ["auc"]}
    for split in ({"by": "site"}, {"fold": "fold"}):
        with pytest.raises(rs.InputError, match="cluster='patient'"):
            rs.evaluate(table, id="patient", **split, **options)
    plain, clustered = (rs.evaluate(table, by="site", cluster=c, **options) for c in (None, "patient"))
    assert plain.tests["b"].statistic != clustered.tests["b"].statistic


def test_groups_and_intervals_are_the_default_only_for_splits(table: dict[str, np.ndarray]) -> None:
    grouped = rs.evaluate(table, label="y", scores="b", by="site", measures=["auc"])
    assert isinstance(grouped, GroupedEvaluation)
    assert grouped["in"].intervals
    assert not rs.evaluate(table, label="y", scores="b").intervals
    assert not rs.evaluate(table, label="y", scores="b", by="site", intervals=False)["in"].intervals


def test_classes_are_those_of_evaluate_multiclass(table: dict[str, np.ndarray]) -> None:
    scores = ["p0", "p1", "p2"]
    found = rs.evaluate(table, label="kind", scores=scores, classes=["cat", "dog", "fox"])
    alone = rs.evaluate_multiclass(table["kind"], np.stack([table[p] for p in scores], axis=1))
    assert found.averages["macro"].estimate == pytest.approx(alone.averages["macro"].estimate)
    turned = rs.evaluate(table, label="kind", scores=scores[::-1], classes=["fox", "dog", "cat"])
    assert turned.class_auc["cat"].estimate == found.class_auc["cat"].estimate


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"by": "site", "fold": "fold"}, "by and fold cannot be combined"),
        ({"classes": ["cat"]}, "1 score columns for|for 1 classes"),
        ({"classes": ["x", "y"], "threshold": 0.5}, "threshold has no meaning with classes="),
        ({"classes": ["x", "y"], "pos_label": 1}, "pos_label has no meaning with classes="),
        ({"by": "nowhere"}, "no column"),
        ({"fold": "a"}, "cannot serve twice"),
    ],
)
def test_what_does_not_fit_is_refused(table: dict[str, np.ndarray], options: dict[str, Any], told: str) -> None:
    with pytest.raises((rs.InputError, rs.ArgumentError), match=told):
        rs.evaluate(table, label="y", scores=["a", "b"], **options)


def test_command_by_group(file: Path) -> None:
    done = run("evaluate", file, "--label", "y", "--score", "a", "--by", "site", "--measure", "auc")
    assert done.exit_code == 0
    assert "between groups" in done.output
    assert [line.split()[0] for line in done.output.splitlines()[1:4]] == ["all", "in", "out"]


def test_command_by_fold(file: Path) -> None:
    done = run("evaluate", file, "--label", "y", "--score", "a", "--score", "b", "--fold", "fold", "--format", "json")
    assert done.exit_code == 0
    assert len(json.loads(done.output)["models"]) == 2


@pytest.mark.parametrize("form", ["text", "csv", "json", "markdown"])
def test_command_with_classes(file: Path, form: str) -> None:
    scores = ("--score", "p0", "--score", "p1", "--score", "p2")
    done = run("evaluate", file, "--label", "kind", *scores, "--classes", "cat,dog,fox", "--format", form)
    assert done.exit_code == 0, done.output
    assert "fox" in done.output
    if form == "text":
        assert "AUC, hand-till average" in done.output
        assert "true / called" in done.output


@each_case(
    "words",
    [
        ["--score", "a", "--score", "b", "--by", "site", "--resamples", "100"],
        ["--score", "a", "--cluster", "site", "--intervals", "--resamples", "100"],
        ["--label", "kind", "--score", "p0", "--score", "p1", "--score", "p2", "--classes", "cat,dog,fox"],
    ],
)
def test_rows_that_do_not_fit_are_split_by_their_engine(words: list[str], file: Path) -> None:
    asked = ("evaluate", file, *([] if "--label" in words else ["--label", "y"]), *words, "--format", "csv")
    known = run(*asked)
    assert known.exit_code == 0, known.exception
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rocsteady._src.views.cli.load.estimate_rows", lambda paths: 10**9)
        assert run(*asked).output == known.output
        patch.setattr("rocsteady._src.views.cli.distinct.LINE_BYTES", 10**12)
        refused = str(run(*asked).exception)
    assert "raise it, or" in refused
    assert ("sketch_table" in refused) == ("--by" in words)
