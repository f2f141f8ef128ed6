"""Numbers of files are those written there: whole numbers of any length keep their order, by every way of reading."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from typer.testing import CliRunner

import rocsteady as rs
from rocsteady._src.inputs.files import Wanted, read_file, scan_files
from rocsteady._src.views.cli import load
from rocsteady._src.views.cli.app import app
from rocsteady.errors import InputError

WANTED = Wanted(("a",), ("y",))
N_ROWS = 300
BASES = {
    "19 digits": 2**60,
    "int64": 2**63 - 40,
    "uint64": 2**64 - 40,
    "negative": -(2**63),
    "wide": 2**90,
    "38": 10**37,
}


def labels_and_steps() -> tuple[list[int], list[int]]:
    rng = np.random.default_rng(8)
    y = rng.integers(0, 2, N_ROWS)
    return y.tolist(), (rng.integers(0, 30, N_ROWS) + 8 * y).tolist()


def write(path: Path, table: dict[str, list[Any]]) -> Path:
    rows = list(zip(*table.values(), strict=True))
    if path.suffix == ".csv":
        path.write_text("\n".join([",".join(table), *(",".join(map(str, row)) for row in rows)]) + "\n")
    else:
        path.write_text("".join(json.dumps(dict(zip(table, row, strict=True))) + "\n" for row in rows))
    return path


def evaluated(path: Path, *more: str) -> dict[str, Any]:
    words = ["evaluate", str(path), "--label", "y", "--score", "a", "--measure", "auc", "--format", "json"]
    done = CliRunner().invoke(app, [*words, "--no-intervals", *more])
    if done.exception is not None:
        raise done.exception
    return json.loads(done.output)


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl"])
@pytest.mark.parametrize("base", BASES)
def test_whole_numbers_keep_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, base: str, name: str) -> None:
    y, steps = labels_and_steps()
    scores = [BASES[base] + step for step in steps]
    path = write(tmp_path / name, {"y": y, "a": scores})
    for row_bytes in (load.ROW_BYTES, 10**9):  # in memory, and on disk
        monkeypatch.setattr(load, "ROW_BYTES", row_bytes)
        assert evaluated(path)["models"][0]["measures"]["auc"] == rs.auc(y, steps)
    with scan_files([path], WANTED, memory=10**9) as files:
        ranked = rs.scale.rank_table(files.relation, label="y", score="a")
    assert ranked.scores.tolist() == sorted(set(scores))
    assert sorted(np.ma.asarray(read_file(path, WANTED)["a"]).tolist()) == sorted(scores)


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl"])
@pytest.mark.parametrize("way", ["memory", "disk"])
def test_labels_of_many_digits_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, way: str
) -> None:
    if way == "disk":
        monkeypatch.setattr(load, "ROW_BYTES", 10**9)
    for one in (2**60 + 1, 2**64 - 1, 2**80 + 1):
        path = write(tmp_path / name, {"y": [one, one - 1] * 5, "a": [2, 1] * 5})
        found = evaluated(path, "--pos-label", str(one))
        assert (found["n_pos"], found["n_neg"], found["pos_label"]) == (5, 5, one)


def test_labels_that_no_type_holds_stay_text(tmp_path: Path) -> None:
    one = 10**50 + 1
    path = write(tmp_path / "x.csv", {"y": [one, one - 1] * 5, "a": [2, 1] * 5})
    assert evaluated(path, "--pos-label", str(one))["n_pos"] == 5
    path = write(tmp_path / "x.csv", {"y": [2**60 + 1, 2**60, 0.5] * 5, "a": [2, 1, 1] * 5})
    assert evaluated(path, "--pos-label", str(2**60 + 1))["n_pos"] == 5


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl"])
def test_what_would_be_rounded_is_refused_with_its_row(tmp_path: Path, name: str) -> None:
    mixed = write(tmp_path / name, {"y": [1, 0, 1], "a": [0.5, 2**60, 2**60 + 1]})
    with pytest.raises(InputError, match=rf"whole numbers of more digits.*'{2**60 + 1}' in row 3") as error:
        read_file(mixed, WANTED)
    assert error.value.code == "rounded_number"
    wide = write(tmp_path / name, {"y": [1, 0], "a": [1, 10**40]})
    with pytest.raises(InputError, match="at most 38 digits"):
        read_file(wide, WANTED)
    kept = write(tmp_path / name, {"y": [1, 0, 1], "a": [0.5, 2**60, 10**20]})
    assert read_file(kept, WANTED)["a"].tolist() == [0.5, 2.0**60, 1e20]


def test_wide_numbers_of_parquet_are_not_rounded(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    select = "SELECT 1 AS y, CAST('1234567890123456789.25' AS DECIMAL(30, 2)) AS a UNION ALL SELECT 0, a - 0.01 FROM t"
    query = (
        f"WITH t AS (SELECT CAST('1234567890123456789.25' AS DECIMAL(30, 2)) AS a) {select} UNION ALL SELECT 0, NULL"
    )
    duckdb.connect().execute(f"COPY ({query}) TO '{path}' (FORMAT parquet)")
    found = read_file(path, WANTED)["a"]
    assert found[:2].tolist() == [Decimal("1234567890123456789.25"), Decimal("1234567890123456789.24")]
    assert evaluated(path, "--missing", "drop")["models"][0]["measures"]["auc"] == 1


@pytest.mark.parametrize("way", ["memory", "disk"])
def test_whole_positive_labels_are_shown_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    if way == "disk":
        monkeypatch.setattr(load, "ROW_BYTES", 10**9)
    path = write(tmp_path / "x.csv", {"y": [2, 1] * 5, "a": [2, 1] * 5})
    assert json.dumps(evaluated(path, "--pos-label", "2")["pos_label"]) == "2"


@pytest.mark.parametrize("way", ["memory", "disk"])
def test_huge_weights_are_doubles_as_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    if way == "disk":
        monkeypatch.setattr(load, "ROW_BYTES", 10**9)
    table = {"y": [1, 0, 1], "a": [2, 1, 1], "w": [2**65, 5, 3]}
    path = write(tmp_path / "x.csv", table)
    found = evaluated(path, "--weight", "w")["models"][0]["measures"]["auc"]
    assert found == pytest.approx(rs.auc(table["y"], table["a"], sample_weight=table["w"]), rel=1e-15)
