"""Score files: CSV, TSV, Parquet and JSON lines become named columns. DuckDB reads, nothing is guessed.

Text files carry no types, so columns are read as text and turned into numbers here, or refused with row and value.
"""

from __future__ import annotations

import csv
import gzip
import re
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from rocsteady.errors import InputError, printable, require, some_values

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    Columns = dict[str, Any]

FORMATS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".txt": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
MISSING_WORDS = ("", "na", "n/a", "nan", "null", "none", ".")
NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(?i:inf|infinity)"
WHOLE = r"[+-]?[0-9]{1,18}"
LABEL_TYPES = {"BIGINT": WHOLE, "DOUBLE": NUMBER, "BOOLEAN": "(?i:true|false)"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which columns of a file are read, and which of them must be numbers."""

    numbers: tuple[str, ...]
    labels: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """All columns, each once."""
        return list(dict.fromkeys([*self.labels, *self.numbers]))


def read_file(path: Path, wanted: Wanted, *, format: str | None = None, delimiter: str | None = None) -> Columns:  # noqa: A002
    """Read the wanted columns; refuse a file that changes while it is read.

    Parameters
    ----------
    path : Path
        A regular file; ``.gz`` of the text formats too.
    wanted : Wanted
        Columns to read.
    format : {"csv", "tsv", "parquet", "jsonl"}, optional
        By the file's extension unless given.
    delimiter : str, optional
        Of text files: a comma for csv and a tab for tsv unless given.

    Returns
    -------
    dict
        Column name to array; missing values masked.
    """
    if not path.is_file():
        raise InputError("file_absent", f"there is no file {printable(path)}")
    chosen = format or format_of(path)
    before = _state(path)
    connection = _connect(path)
    try:
        if chosen in ("csv", "tsv"):
            columns = _read_text(connection, path, wanted, delimiter or {"csv": ",", "tsv": "\t"}[chosen])
        else:
            columns = _read_typed(connection, path, wanted, chosen)
    finally:
        connection.close()
    if _state(path) != before:
        raise InputError("file_changed", f"{printable(path)} changed while it was read; run again when it is complete")
    return columns


def format_of(path: Path) -> str:
    """The format that a file's name tells."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    found = FORMATS.get(suffixes[-1]) if suffixes else None
    if found is None:
        known = ", ".join(FORMATS)
        raise InputError("file_format", f"{printable(path)}: unknown extension; known: {known}; or name the format")
    return found


def _state(path: Path) -> tuple[int, int]:
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns


def _connect(path: Path) -> Any:
    """An in-memory database that can open this one file and nothing else."""
    duckdb = require("duckdb", extra="cli", purpose="reading files")
    options = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    connection = duckdb.connect(":memory:", config=options)
    connection.execute("SET allowed_paths = [" + _text(str(path)) + "]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


def _read_text(connection: Any, path: Path, wanted: Wanted, delimiter: str) -> Columns:
    header = _header(path, delimiter)
    _check_columns(wanted, header, path)
    repeated = sorted({name for name in wanted.names if header.count(name) > 1})
    if repeated:
        raise InputError("column_repeated", f"{printable(path)}: the header names {some_values(repeated)} twice")
    places = ", ".join(f"{_text(f'c{i}')}: 'VARCHAR'" for i in range(len(header)))
    picked = ", ".join(f"trim(c{header.index(name)}) AS {_identifier(name)}" for name in wanted.names)
    source = (
        f"read_csv(?, auto_detect = false, header = true, columns = {{{places}}}, delim = {_text(delimiter)}, "
        "quote = '\"', escape = '\"', strict_mode = true)"
    )
    _run(connection, f"CREATE TEMP TABLE rows AS SELECT {picked} FROM {source}", path)
    numbers = {name: _numbers(connection, name, path) for name in wanted.numbers}
    labels = {name: _labels(connection, name) for name in wanted.labels}
    return {name: {**labels, **numbers}[name] for name in wanted.names}


def _header(path: Path, delimiter: str) -> list[str]:
    try:
        with _open_text(path) as lines:
            header = next(csv.reader(lines, delimiter=delimiter), [])
    except (gzip.BadGzipFile, EOFError, csv.Error) as error:
        raise InputError("file_unreadable", f"{printable(path)}: line 1 cannot be read: {error}") from error
    if not header:
        raise InputError("file_empty", f"{printable(path)} is empty")
    return [name.strip() for name in header]


def _open_text(path: Path) -> IO[str]:
    if path.suffix.lower() == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", errors="surrogateescape", newline="")
    return path.open(encoding="utf-8-sig", errors="surrogateescape", newline="")


def _read_typed(connection: Any, path: Path, wanted: Wanted, kind: str) -> Columns:
    source = "read_parquet(?)" if kind == "parquet" else "read_json(?, format = 'newline_delimited', sample_size = -1)"
    described = _run(connection, f"DESCRIBE SELECT * FROM {source}", path).fetchall()
    _check_columns(wanted, [row[0] for row in described], path)
    picked = ", ".join(_identifier(name) for name in wanted.names)
    columns: Columns = _run(connection, f"SELECT {picked} FROM {source}", path).fetchnumpy()
    return columns


def _numbers(connection: Any, name: str, path: Path) -> Any:
    column = _identifier(name)
    odd = f"NOT {_missing(column)} AND NOT regexp_full_match({column}, ?)"
    bad = connection.execute(f"SELECT rowid, {column} FROM rows WHERE {odd} LIMIT 6", [NUMBER]).fetchall()
    if bad:
        raise InputError("not_a_number", _bad_number_message(name, bad, path))
    return _cast(connection, column, "BIGINT" if _all_match(connection, column, WHOLE) else "DOUBLE")


def _bad_number_message(name: str, bad: list[tuple[int, str]], path: Path) -> str:
    listed = ", ".join(f"{printable(value, most=30)!r} in row {row + 1}" for row, value in bad[:5])
    hint = ""
    if any(re.fullmatch(r"[+-]?\d+,\d+", value) for _, value in bad):
        hint = "; write decimals with a point, not a comma"
    return f"{printable(path)}, column {name!r}: not a number: {listed} (row 1 follows the header){hint}"


def _labels(connection: Any, name: str) -> Any:
    """A label column: whole numbers, numbers or booleans when every value is one, text otherwise."""
    column = _identifier(name)
    kind = next((kind for kind, pattern in LABEL_TYPES.items() if _all_match(connection, column, pattern)), "VARCHAR")
    return _cast(connection, column, kind)


def _missing(column: str) -> str:
    return f"({column} IS NULL OR lower({column}) IN {_list(MISSING_WORDS)})"


def _all_match(connection: Any, column: str, pattern: str) -> bool:
    query = f"SELECT bool_and(regexp_full_match({column}, ?)) FROM rows WHERE NOT {_missing(column)}"
    return bool(connection.execute(query, [pattern]).fetchone()[0])


def _cast(connection: Any, column: str, kind: str) -> Any:
    value = f"CASE WHEN {_missing(column)} THEN NULL ELSE CAST({column} AS {kind}) END"
    return connection.execute(f"SELECT {value} AS v FROM rows").fetchnumpy()["v"]


def typed_label(text: str, labels: Any) -> Any:
    """The positive label as its column holds it: a number among numbers, a truth value among booleans."""
    kind = np.asarray(labels).dtype.kind
    if kind == "b" and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if kind in "iuf" and re.fullmatch(NUMBER, text):
        return float(text)
    return text


def _check_columns(wanted: Wanted, available: Sequence[str], path: Path) -> None:
    absent = [name for name in wanted.names if name not in available]
    if absent:
        listed = some_values(available, most=20)
        raise InputError("column_absent", f"{printable(path)} has no column {some_values(absent)}; it has {listed}")


def _run(connection: Any, query: str, path: Path) -> Any:
    duckdb = require("duckdb", extra="cli", purpose="reading files")
    try:
        return connection.execute(query, [str(path)])
    except duckdb.Error as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        told = "; ".join(printable(line, most=160) for line in lines[:3])
        raise InputError("file_unreadable", f"{printable(path)} cannot be read: {told}") from error


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _list(values: Sequence[str]) -> str:
    return "(" + ", ".join(_text(value) for value in values) + ")"
