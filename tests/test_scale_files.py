"""Files that do not fit: the same answer from disk, within a limit, and the output says which way was taken."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import rocsteady as rs
from rocsteady._src.inputs.files import Wanted, estimate_rows, matching_files, read_file, scan_files
from rocsteady._src.inputs.files.scan import memory_bytes
from rocsteady._src.views.cli import load
from rocsteady._src.views.cli.app import app
from rocsteady.errors import ArgumentError, InputError

WANTED = Wanted(("a", "b"), ("y",))
N_ROWS = 3000


def columns(n: int = N_ROWS) -> dict[str, Any]:
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, n)
    return {"y": y, "a": np.round(0.7 * rng.random(n) + 0.3 * y, 3), "b": rng.integers(0, 50, n) + 5 * y}


def write(path: Path, table: dict[str, Any]) -> Path:
    kind = "parquet" if path.suffix == ".parquet" else "json" if path.suffix == ".jsonl" else "csv"
    delimiter = ", delimiter '\t'" if ".tsv" in path.name else ""
    relation = duckdb.connect().from_arrow(pa.table(table))
    relation.query("t", f"COPY t TO '{path}' (FORMAT {kind}{delimiter})")
    return path


NAMES = ["x.parquet", "x.csv", "x.csv.gz", "x.tsv", "x.jsonl"]


@pytest.mark.parametrize("name", NAMES)
def test_files_are_grouped_on_disk_as_in_memory(tmp_path: Path, name: str) -> None:
    table = columns()
    path = write(tmp_path / name, table)
    assert estimate_rows([path]) == pytest.approx(N_ROWS, rel=0.1)
    with scan_files([path], WANTED, memory=10**9) as files:
        for score in ("a", "b"):
            found = rs.scale.rank_table(files.relation, label="y", score=score)
            assert found == rs.rank(table["y"], table[score])
            assert found.scores.dtype == table[score].dtype


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(words))
    if code == 0 and result.exception is not None:
        raise result.exception
    return result.output


def split_files(folder: Path, table: dict[str, Any]) -> str:
    for part in range(3):
        write(folder / f"part{part}.parquet", {name: values[part::3] for name, values in table.items()})
    return str(folder / "part*.parquet")


def test_the_command_takes_the_way_that_fits_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "WORTH_SAYING", 1000)
    pattern = split_files(tmp_path, columns())
    words = (
        "evaluate",
        pattern,
        "--label",
        "y",
        "--score",
        "a",
        "--score",
        "b",
        "--format",
        "json",
        "--measure",
        "auc",
    )
    eager = json.loads(run(*words))
    monkeypatch.setattr(load, "ROW_BYTES", 10**9)
    lazy = json.loads(run(*words))
    assert lazy["models"] == eager["models"]
    routes = [[remark["text"] for remark in told["remarks"] if remark["code"] == "route"] for told in (eager, lazy)]
    assert routes == [
        ["about 3,000 rows by estimate: read into memory"],
        ["about 3,000 rows by estimate, more than --memory 4GB holds: grouped on disk by DuckDB"],
    ]


def test_compare_pairs_rows_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(write(tmp_path / "x.csv", columns()))
    words = ("compare", path, "--label", "y", "--score", "a", "--score", "b", "--format", "json")
    eager = json.loads(run(*words))
    monkeypatch.setattr(load, "ROW_BYTES", 10**9)
    lazy = json.loads(run(*words))
    assert lazy["verdict"] == eager["verdict"]
    for name, value in eager["pairs"][0]["test"].items():
        expected = pytest.approx(value, rel=1e-10) if isinstance(value, float) else value
        assert lazy["pairs"][0]["test"][name] == expected


def test_subjects_that_repeat_are_found_where_rows_do_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(write(tmp_path / "x.parquet", columns()))
    monkeypatch.setattr(load, "ROW_BYTES", 10**9)
    with pytest.raises(InputError, match="pass cluster='b'"):
        run("evaluate", path, "--label", "y", "--score", "a", "--id", "b")


def test_positive_labels_have_the_type_of_their_column_on_disk_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "ROW_BYTES", 10**9)
    for labels, word in ((["yes", "no"] * 10, "yes"), ([2, 1] * 10, "2"), ([True, False] * 10, "true")):
        path = write(tmp_path / "x.csv", {"y": labels, "a": np.arange(20) % 5})
        shown = run(
            "evaluate",
            str(path),
            "--label",
            "y",
            "--score",
            "a",
            "--pos-label",
            word,
            "--no-intervals",
            "--format",
            "json",
        )
        assert json.loads(shown)["n_pos"] == 10


def test_rows_of_a_long_text_file_stay_whole(tmp_path: Path) -> None:
    """Columns fetched one by one came in different orders: labels and scores of other rows met, without a word."""
    n = 400_000
    path = tmp_path / "long.csv"
    path.write_text("y,a\n" + "".join(f"{i % 2},{i % 2 + i / n}\n" for i in range(n)))
    found = read_file(path, Wanted(("a",), ("y",)))
    assert rs.auc(found["y"], found["a"]) == 1


def test_a_bad_number_far_down_is_named_by_its_row(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("y,a\n" + "".join(f"{i % 2},{'x' if i == 299_999 else i}\n" for i in range(400_000)))
    with pytest.raises(InputError, match="'x' in row 300000"), scan_files([path], Wanted(("a",), ("y",)), memory=10**9):
        pass


def test_a_file_that_changes_under_way_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "x.parquet", columns())

    def change() -> None:
        with scan_files([path], WANTED, memory=10**9) as files:
            rs.scale.rank_table(files.relation, label="y", score="a")
            write(path, columns(N_ROWS + 1))

    with pytest.raises(InputError, match="changed while it was read"):
        change()


def test_a_scan_reads_its_files_only_and_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path, other = write(tmp_path / "x.parquet", columns()), write(tmp_path / "secret.parquet", columns())
    with scan_files([path], WANTED, memory=10**9) as files:
        with pytest.raises(duckdb.Error, match="Cannot access"):
            files.connection.read_parquet(str(other)).fetchall()
        with pytest.raises(duckdb.Error):
            files.connection.execute("SET memory_limit = '100GB'")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["secret.parquet", "x.parquet"]


def test_an_engine_out_of_memory_says_so_in_words(tmp_path: Path) -> None:
    path = write(tmp_path / "x.parquet", {"y": np.arange(300_000) % 2, "a": np.random.default_rng(0).random(300_000)})
    connection = duckdb.connect(config={"memory_limit": "4MB", "temp_directory": ""})
    with pytest.raises(InputError) as error:
        rs.scale.rank_table(connection.read_parquet(str(path)), label="y", score="a")
    assert error.value.code == "memory_limit"


def test_patterns_name_files_of_one_format(tmp_path: Path) -> None:
    for name in ("b.csv", "a.csv", "c.parquet"):
        write(tmp_path / name, columns(4))
    assert [path.name for path in matching_files(str(tmp_path / "*.csv"))] == ["a.csv", "b.csv"]
    with pytest.raises(InputError, match="several formats"):
        matching_files(str(tmp_path / "*"))
    with pytest.raises(InputError, match="no file matches"):
        matching_files(str(tmp_path / "*.tsv"))
    (tmp_path / "a.csv").write_text("y,b,a\n1,2,3\n")
    with (
        pytest.raises(InputError, match="different headers"),
        scan_files(matching_files(str(tmp_path / "*.csv")), WANTED, memory=10**9),
    ):
        pass


def test_estimates_need_no_whole_line(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_text("")
    assert estimate_rows([tmp_path / "empty.csv"]) == 0
    (tmp_path / "broken.csv.gz").write_bytes(gzip.compress(b"y,a\n1,2\n")[:-9])
    assert estimate_rows([tmp_path / "broken.csv.gz"]) == 0
    with pytest.raises(InputError, match="there is no file"):
        estimate_rows([tmp_path / "absent.csv"])


@pytest.mark.parametrize("text", ["2", "GB", "two GB", "1MB", "-2GB"])
def test_a_memory_limit_has_a_unit_and_room(text: str) -> None:
    with pytest.raises(ArgumentError, match="memory"):
        memory_bytes(text)
