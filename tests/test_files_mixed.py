"""Several files make one table only where nothing is lost: types, names and folders are those of each file."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import rocsteady as rs
from rocsteady._src.inputs.files import Wanted, read_file
from rocsteady._src.inputs.files.read import read_files
from rocsteady._src.inputs.files.types import common_type
from rocsteady._src.views.cli import load
from rocsteady._src.views.cli.app import app
from rocsteady.errors import InputError

WANTED = Wanted(("a",), ("y",))
WAYS = ("memory", "disk", "sketch")


def parquet(path: Path, **columns: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)
    return path


def evaluated(pattern: Path, way: str, monkeypatch: pytest.MonkeyPatch, *more: str) -> float:
    """The AUC of files by one of the ways to read them."""
    words = ["evaluate", str(pattern), "--label", "y", "--score", "a", "--measure", "auc", "--format", "json", *more]
    words += ["--sketch", "20"] if way == "sketch" else ["--no-intervals"]
    with monkeypatch.context() as patched:
        if way == "disk":
            patched.setattr(load, "ROW_BYTES", 10**9)
        done = CliRunner().invoke(app, words)
    if done.exception is not None:
        raise done.exception
    found = json.loads(done.output)
    return found["models"]["a"]["auc"]["estimate"] if way == "sketch" else found["models"][0]["measures"]["auc"]


def rows(n: int = 400) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 2 * n)
    return y, rng.normal(size=2 * n) + 0.5 * y


TYPES = {
    "int64 and double": (pa.int64(), pa.float64()),
    "int8 and float": (pa.int8(), pa.float32()),
    "half and double": (pa.float16(), pa.float64()),
    "int32 and int64": (pa.int32(), pa.int64()),
    "uint64 and int64": (pa.uint64(), pa.int64()),
    "decimals": (pa.decimal128(6, 2), pa.decimal128(12, 5)),
    "decimal and int32": (pa.decimal128(6, 2), pa.int32()),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("turned", [False, True], ids=["", "turned"])
@pytest.mark.parametrize("kinds", TYPES)
def test_files_of_mixed_types_lose_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kinds: str, turned: bool, way: str
) -> None:
    """Later files were cast to the types of the first: 0.5 beside whole numbers became 0."""
    y, scores = rows()
    parts = []
    for place, kind in enumerate(TYPES[kinds]):
        part: Any = scores[place::2] * 10
        if pa.types.is_decimal(kind):
            part = [Decimal(str(round(value, kind.scale))) for value in part]
        elif pa.types.is_integer(kind):
            part = np.abs(np.round(part)).astype(np.int64)
        else:
            part = part.astype(kind.to_pandas_dtype())
        parts.append(part)
        name = f"{1 - place if turned else place}.parquet"
        parquet(tmp_path / name, y=y[place::2], a=pa.array(part, kind))
    exact = [Decimal(value) for part in parts for value in (part if isinstance(part, list) else part.tolist())]
    expected = rs.auc(np.concatenate([y[::2], y[1::2]]), exact)
    assert evaluated(tmp_path / "*.parquet", way, monkeypatch) == expected


REFUSED = {
    "decimal and double": (
        pa.array([Decimal("0.10"), Decimal("0.20")]),
        pa.array([0.15, 0.25]),
        "DECIMAL(2,2)",
        "DOUBLE",
    ),
    "truth and numbers": (pa.array([True, False]), pa.array([-1, 4]), "BOOLEAN", "BIGINT"),
    "text and numbers": (pa.array(["1", "2"]), pa.array([1, 2]), "VARCHAR", "BIGINT"),
    "long whole numbers and doubles": (pa.array([2**60 + 1, 2**60]), pa.array([0.5, 1.5]), "BIGINT", "DOUBLE"),
    "days and moments": (
        pa.array([1, 2], pa.date32()),
        pa.array([1, 2], pa.timestamp("us")),
        "DATE",
        "TIMESTAMP",
    ),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("turned", [False, True], ids=["", "turned"])
@pytest.mark.parametrize("name", REFUSED)
def test_types_that_no_type_holds_are_refused_with_both_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, turned: bool, way: str
) -> None:
    one, two, kind, other = REFUSED[name]
    column = "y" if name.startswith("truth") else "a"
    for place, values in enumerate((two, one) if turned else (one, two)):
        parquet(tmp_path / f"{place}.parquet", **{"y": [1, 0], "a": [1, 2], column: values})
    with pytest.raises(InputError) as error:
        evaluated(tmp_path / "*.parquet", way, monkeypatch)
    assert error.value.code == "types_differ"
    for word in (f"column {column!r}", kind, other, "0.parquet", "1.parquet"):
        assert word in str(error.value)


def test_a_column_without_values_has_the_type_of_the_others(tmp_path: Path) -> None:
    paths = [
        parquet(tmp_path / "0.parquet", y=["yes", "no"], a=pa.nulls(2)),
        parquet(tmp_path / "1.parquet", y=["yes", "no"], a=[0.5, 1.5]),
    ]
    assert read_files(paths, WANTED)["a"].tolist() == [None, None, 0.5, 1.5]


def test_types_meet_where_nothing_is_lost() -> None:
    assert common_type(["UHUGEINT", "TINYINT"]) is None
    assert common_type(["DECIMAL(38,2)", "DECIMAL(38,4)"]) is None
    assert common_type(["DECIMAL(18,2)", "HUGEINT"]) is None
    assert common_type(['"NULL"', "VARCHAR"]) == "VARCHAR"
    assert common_type(["UTINYINT", "USMALLINT"]) == "BIGINT"
    assert common_type(["TIMESTAMP", "VARCHAR"]) is None


def test_a_column_that_one_file_lacks_is_refused_with_this_file(tmp_path: Path) -> None:
    parts = {"parquet": parquet, "csv": text_file, "jsonl": text_file}
    for kind, write in parts.items():
        paths = [write(tmp_path / f"0.{kind}", y=[1, 0], a=[1, 2]), write(tmp_path / f"1.{kind}", y=[1, 0], b=[1, 2])]
        for order in (paths, paths[::-1]):
            with pytest.raises(InputError, match=f"1.{kind} has no column 'a'") as error:
                read_files(order, WANTED)
            assert error.value.code == "column_absent"


def text_file(path: Path, **columns: Any) -> Path:
    made = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in made))
    else:
        path.write_text("\n".join([",".join(columns), *(",".join(map(str, row.values())) for row in made)]) + "\n")
    return path


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_text_files_have_one_type_for_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, way: str) -> None:
    """Of JSON lines DuckDB looks at 32 files, and would give the others their types."""
    y, scores = rows()
    for part in range(40):
        values = scores[part::40] * 3 if part > 35 else np.round(scores[part::40] * 3).astype(int)
        scores[part::40] = values
        text_file(tmp_path / f"{part:02}.{kind}", y=y[part::40].tolist(), a=values.tolist())
    assert evaluated(tmp_path / f"*.{kind}", way, monkeypatch) == rs.auc(y, scores)


@pytest.mark.parametrize("values", [[True, 1], ["1", 2], [{"x": 1}, 2]])
def test_json_values_of_several_kinds_are_refused(tmp_path: Path, values: list[Any]) -> None:
    paths = [text_file(tmp_path / f"{i}.jsonl", y=[1, 0], a=[value, value]) for i, value in enumerate(values)]
    with pytest.raises(InputError, match="column 'a' holds several of numbers, text"):
        read_files(paths, WANTED)


@pytest.mark.parametrize("value", [[1, 2], {"x": 1}])
def test_columns_of_several_values_a_row_are_refused(tmp_path: Path, value: Any) -> None:
    for path in (
        parquet(tmp_path / "0.parquet", z=[value, value], y=[1, 0], a=[value, value]),
        text_file(tmp_path / "0.jsonl", y=[1, 0], a=[value, value]),
    ):
        with pytest.raises(InputError, match="column 'a' holds several values in a row"):
            read_file(path, WANTED)
    assert read_file(tmp_path / "0.parquet", Wanted((), ("y",)))["y"].tolist() == [1, 0]


def test_decimals_that_would_be_rounded_are_refused(tmp_path: Path) -> None:
    long = pa.array([Decimal(10**45), Decimal(10**45 + 1)], pa.decimal256(50, 2))
    with pytest.raises(InputError, match="decimals of 50 digits"):
        read_file(parquet(tmp_path / "0.parquet", y=[1, 0], a=long), WANTED)


def test_names_that_differ_in_case_are_different_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB answered with the first of them."""
    columns = {"y": [1, 0, 1, 0], "A": [1, 2, 3, 4], "a": [4, 3, 3, 1], "a_1": [0, 0, 0, 0]}
    for path in (parquet(tmp_path / "0.parquet", **columns), text_file(tmp_path / "0.csv", **columns)):
        for way in WAYS:
            assert evaluated(path, way, monkeypatch) == rs.auc(columns["y"], columns["a"])
        both = Wanted(("a", "A"), ("y",))
        if path.suffix == ".csv":  # by position
            found = read_file(path, both)
            assert {name: found[name].tolist() for name in found} == {name: columns[name] for name in ("y", "a", "A")}
        else:
            with pytest.raises(InputError, match="'a' and 'A' differ in case only"):
                read_file(path, both)
        with pytest.raises(InputError, match="has no column 'Y'"):
            read_file(path, Wanted(("a",), ("Y",)))
    other = parquet(tmp_path / "1.parquet", y=[1], A=[1])
    with pytest.raises(InputError, match=r"1\.parquet has no column 'a'"):
        read_files([tmp_path / "0.parquet", other], WANTED)


def test_names_of_folders_hold_no_columns(tmp_path: Path) -> None:
    """Of DuckDB, a column y of the files was replaced by what their folder, y=1, says."""
    path = parquet(tmp_path / "y=1" / "0.parquet", y=[1, 0], a=[1, 2])
    assert read_file(path, WANTED)["y"].tolist() == [1, 0]
    lines = text_file(tmp_path / "y=1" / "0.jsonl", y=[1, 0], a=[1, 2])
    assert read_file(lines, WANTED)["y"].tolist() == [1, 0]
    with pytest.raises(InputError, match=r"1\.parquet has no column 'y'; it has 'a'"):
        read_files([path, parquet(tmp_path / "y=1" / "1.parquet", a=[1, 2])], WANTED)


@pytest.mark.parametrize("way", WAYS)
def test_files_of_several_folders_are_one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    y, scores = rows(50)
    for day in (0, 1):
        parquet(tmp_path / f"day={day}" / "part.parquet", y=y[day::2], a=scores[day::2])
    assert evaluated(tmp_path / "*" / "*.parquet", way, monkeypatch) == rs.auc(y, scores)


TABLES = {
    "Delta": "_delta_log/00000000000000000000.json",
    "Iceberg": "metadata/v1.metadata.json",
    "Hudi": ".hoodie/hoodie.properties",
}


@pytest.mark.parametrize("kind", TABLES)
def test_tables_with_a_log_are_refused_however_they_are_named(tmp_path: Path, kind: str) -> None:
    """Their files hold rows that were overwritten: 401,000 were counted where the table had 1,000."""
    table = tmp_path / "warehouse" / "scores"
    log = table / TABLES[kind]
    log.parent.mkdir(parents=True)
    log.write_text("{}")
    inside = parquet(table / "data" / "day=1" / "0.parquet", y=[1, 0], a=[1, 2])
    flat = parquet(table / "0.parquet", y=[1, 0], a=[1, 2])
    link = tmp_path / "link.parquet"
    link.symlink_to(inside)
    patterns = [table / "*.parquet", table / "data" / "*" / "*.parquet", tmp_path / "*" / "*" / "*.parquet"]
    for named in (*patterns, inside, flat, link, table, table / "data", table / "data" / "day=1", tmp_path):
        words = ["evaluate", str(named), "--label", "y", "--score", "a"]
        error = CliRunner().invoke(app, words).exception
        assert isinstance(error, InputError), named
        assert error.code == "table_with_log"
        assert f"{table} is a{'n' * (kind == 'Iceberg')} {kind} table" in str(error)
        assert "*.parquet" not in str(error)
        assert "read it with" in str(error)


def test_a_folder_called_metadata_makes_no_table(tmp_path: Path) -> None:
    (tmp_path / "metadata").mkdir()
    (tmp_path / "metadata" / "notes.json").write_text("{}")
    path = parquet(tmp_path / "0.parquet", y=[1, 0], a=[1, 2])
    assert read_file(path, WANTED)["y"].tolist() == [1, 0]
