"""Sketches of lazy tables: the bytes that counting the rows in memory gives, from every engine."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import rocsteady as rs
from rocsteady._src.ranked.lazy import batches
from rocsteady._src.scale import streams
from rocsteady._src.views.cli.app import app
from rocsteady.scale import Sketch, sketch_table
from scale_kit import ENGINES, awkward_columns, make_table

if TYPE_CHECKING:
    from pathlib import Path

SCORES = ("tied", "big", "single")


@pytest.fixture(autouse=True)
def _many_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "BATCH_ROWS", 64)
    monkeypatch.setattr(streams, "PARTS_AT_ONCE", 2)


def sketches(columns: dict[str, Any], **options: Any) -> dict[str, bytes]:
    return {name: Sketch(**options).update(columns["y"], columns[name]).to_bytes() for name in SCORES}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("capacity", [0, 1000])
def test_every_engine_gives_the_bytes_of_memory(engine: str, capacity: int) -> None:
    columns = awkward_columns()
    table = make_table(engine, columns, 5)
    found = sketch_table(table, label="y", score=SCORES, bits=8, capacity=capacity)
    assert {name: sketch.to_bytes() for name, sketch in found.items()} == sketches(columns, bits=8, capacity=capacity)


@pytest.mark.parametrize("engine", ENGINES)
def test_passes_narrow_the_brackets_of_all_models(engine: str) -> None:
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 3000)
    columns = {"y": y, "a": y + rng.normal(size=3000), "b": np.round(y / 2 + rng.random(3000), 2)}
    found = sketch_table(
        make_table(engine, columns), label="y", score=["a", "b"], bits=6, range=(-4, 5), capacity=200, width=1e-9
    )
    for name, sketch in found.items():
        area, exact = sketch.auc(), rs.auc(y, columns[name])
        assert area.low <= exact <= area.high
        assert area.high - area.low <= 1e-9


@pytest.mark.parametrize("engine", ENGINES)
def test_weights_and_incomplete_rows(engine: str) -> None:
    columns = awkward_columns()
    columns["p"] = np.where(np.arange(600) % 50 == 3, np.nan, columns["p"])
    complete = (~np.isnan(columns["p"])) & (columns["w"] > 0)
    table = make_table(engine, columns)
    with pytest.raises(rs.InputError, match=r"p: \d+ missing"):
        sketch_table(table, label="y", score=["p", "q"])
    found = sketch_table(table, label="y", score=["p", "q"], weight="w", missing="drop")
    dropped = int((np.isnan(columns["p"]) & (columns["w"] > 0)).sum())
    for name, sketch in found.items():
        want = Sketch().update(columns["y"][complete], columns[name][complete], sample_weight=columns["w"][complete])
        assert sketch.auc().estimate == want.auc().estimate
        assert (sketch.n_rows, sketch.origin.n_dropped) == (want.n_rows, dropped)


@pytest.mark.parametrize("engine", ENGINES)
def test_labels_are_judged_over_all_batches(engine: str) -> None:
    score = np.arange(300.0)
    minus_later = np.where(np.arange(300) < 200, np.arange(300) % 2, -1)
    with pytest.raises(rs.InputError, match="y"):
        sketch_table(make_table(engine, {"y": minus_later, "s": score}), label="y", score="s")
    text = np.where(np.arange(300) % 3 == 0, "bad", "good")
    with pytest.raises(rs.InputError, match="pos_label"):
        sketch_table(make_table(engine, {"y": text, "s": score}), label="y", score="s")
    found = sketch_table(make_table(engine, {"y": text, "s": score}), label="y", score="s", pos_label="bad")
    assert found.auc().estimate == rs.auc(text, score, pos_label="bad")
    assert found.origin.pos_label == "bad"


def test_calls_that_cannot_work() -> None:
    table = make_table("polars", awkward_columns())
    with pytest.raises(rs.ArgumentError, match="at least one score"):
        sketch_table(table, label="y", score=[])
    with pytest.raises(rs.ArgumentError, match="missing must be"):
        sketch_table(table, label="y", score="p", missing="guess")
    with pytest.raises(rs.InputError, match="no column"):
        sketch_table(table, label="y", score="absent")
    with pytest.raises(rs.InputError, match="whole-number weights"):
        sketch_table(table, label="y", score="q", weight="p")


class TestCommand:
    n = 4000
    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, n)
    a, b = 0.5 * y + rng.random(n), y + rng.normal(size=n)

    @pytest.fixture
    def file(self, tmp_path: Path) -> str:
        path = tmp_path / "scores.csv.gz"
        lines = [f"{y},{a!r},{b!r}" for y, a, b in zip(self.y.tolist(), self.a.tolist(), self.b.tolist(), strict=True)]
        path.write_bytes(gzip.compress("\n".join(["y,a,b", *lines]).encode()))
        return str(path)

    def call(self, *words: str) -> Any:
        return CliRunner().invoke(app, [*words], catch_exceptions=True)

    def test_brackets_hold(self, file: str) -> None:
        models = ("--label", "y", "--score", "a", "--score", "b")
        asked = ("--measure", "auc", "--measure", "recall", "--threshold", "0.7")
        made = self.call("evaluate", file, *models, *asked, "--sketch", "8", "--range", "-4,6", "--format", "json")
        assert made.exit_code == 0, made.output
        found = json.loads(made.stdout)["models"]
        for name, score in (("a", self.a), ("b", self.b)):
            exact = {"auc": rs.auc(self.y, score), "recall": rs.recall(self.y, score, threshold=0.7)}
            for measure, value in exact.items():
                assert found[name][measure]["low"] <= value <= found[name][measure]["high"]

    def test_text_shows_as_many_digits_as_are_sure(self, file: str) -> None:
        made = self.call("evaluate", file, "--label", "y", "--score", "a", "--sketch", "10", "--width", "1e-9")
        assert made.exit_code == 0, made.output
        assert f"{rs.auc(self.y, self.a):.6g}" in made.stdout
        assert "for certain" in made.stdout or "every score was counted" in made.stdout

    def test_report(self, file: str, tmp_path: Path) -> None:
        target = tmp_path / "page.html"
        made = self.call("report", file, "--label", "y", "--score", "a", "--sketch", "8", "-o", str(target))
        assert made.exit_code == 0, made.output
        assert "Measures with the bounds of their exact value" in target.read_text()

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            (("--range", "0,1"), "belong to --sketch"),
            (("--sketch", "8", "--range", "0"), "two numbers"),
            (("--sketch", "8", "--range", "a,b"), "--range must be numbers"),
            (("--sketch", "8", "--by", "b"), "--by needs rows"),
            (("--sketch", "8", "--cluster", "b"), "needs rows"),
            (("--sketch", "40"), "bits"),
        ],
    )
    def test_refusals(self, file: str, words: tuple[str, ...], told: str) -> None:
        made = self.call("evaluate", file, "--label", "y", "--score", "a", *words)
        assert made.exit_code != 0
        assert told in str(made.exception)

    def test_pairs_need_rows(self, file: str, tmp_path: Path) -> None:
        words = ("--label", "y", "--score", "a", "--sketch", "8", "--cutoffs", "0.5", "-o", str(tmp_path / "x.html"))
        assert "pairs the rows" in str(self.call("report", file, *words).exception)


def test_without_pyarrow_the_command_to_install_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    table = make_table("duckdb", pa.table(awkward_columns(40)))
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(rs.MissingDependencyError, match=r"rocsteady\[arrow\]"):
        sketch_table(table, label="y", score="p")
