"""DuckDB behind closed doors: it opens the named files and nothing else, and names enter SQL quoted, here only."""

from __future__ import annotations

import csv
import gzip
import re
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from rocsteady.errors import InputError, printable, require, some_values

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rocsteady.files.formats import Wanted

MISSING_WORDS = ("", "na", "n/a", "nan", "null", "none", ".")
NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(?i:inf|infinity)"
WHOLE = r"[+-]?[0-9]{1,18}"
LABEL_TYPES = {"BIGINT": WHOLE, "DOUBLE": NUMBER, "BOOLEAN": "(?i:true|false)"}


def identifier(name: str) -> str:
    """A name, quoted for SQL."""
    return '"' + name.replace('"', '""') + '"'


def text(value: object) -> str:
    """A text, quoted for SQL."""
    return "'" + str(value).replace("'", "''") + "'"


def texts(values: Sequence[object], *, brackets: str = "()") -> str:
    """Several texts, quoted for SQL."""
    return brackets[0] + ", ".join(text(value) for value in values) + brackets[1]


def connect(paths: Sequence[Path], *, memory: int | None = None, spill: Path | None = None) -> Any:
    """An in-memory database that can open these files and nothing else.

    With ``memory``, in bytes, it keeps within this limit and puts what does not fit into the folder ``spill``.
    """
    duckdb = require("duckdb", extra="cli", purpose="reading files")
    options = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    connection = duckdb.connect(":memory:", config=options)
    if memory is not None:
        connection.execute(f"SET memory_limit = {text(f'{memory}B')}")
        connection.execute(f"SET temp_directory = {text(spill)}")
        connection.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
    connection.execute("SET allowed_paths = " + texts(paths, brackets="[]"))
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


def run(connection: Any, query: str, path: Path) -> Any:
    """Run a query on a file; what DuckDB cannot read is the file's fault."""
    duckdb = require("duckdb", extra="cli", purpose="reading files")
    try:
        return connection.execute(query)
    except duckdb.OutOfMemoryException as error:
        raise InputError("memory_limit", f"{printable(path)} needs more than the memory limit; raise it") from error
    except duckdb.Error as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        told = "; ".join(printable(line, most=160) for line in lines[:3])
        raise InputError("file_unreadable", f"{printable(path)} cannot be read: {told}") from error


@dataclass(frozen=True, slots=True)
class TextRows:
    """Columns of text files as text, in the table ``rows``, with the type that each can have."""

    connection: Any
    path: Path

    def typed(self, wanted: Wanted) -> str:
        """All columns in their types, as one query."""
        casts = {name: self.number(name) if name in wanted.numbers else self.label(name) for name in wanted.names}
        return f"SELECT {', '.join(f'{cast} AS {identifier(name)}' for name, cast in casts.items())} FROM rows"

    def number(self, name: str) -> str:
        """A column of numbers as an expression; refused with row and value where it holds anything else."""
        column = identifier(name)
        odd = f"NOT {_missing(column)} AND NOT regexp_full_match({column}, ?)"
        query = f"SELECT rowid, {column} FROM rows WHERE {odd} ORDER BY rowid LIMIT 6"
        bad = self.connection.execute(query, [NUMBER]).fetchall()
        if bad:
            raise InputError("not_a_number", _bad_number_message(name, bad, self.path))
        return _cast(column, "BIGINT" if self._all_match(column, WHOLE) else "DOUBLE")

    def label(self, name: str) -> str:
        """A label column: whole numbers, numbers or booleans when every value is one, text otherwise."""
        column = identifier(name)
        kinds = (kind for kind, pattern in LABEL_TYPES.items() if self._all_match(column, pattern))
        return _cast(column, next(kinds, "VARCHAR"))

    def _all_match(self, column: str, pattern: str) -> bool:
        query = f"SELECT bool_and(regexp_full_match({column}, ?)) FROM rows WHERE NOT {_missing(column)}"
        return bool(self.connection.execute(query, [pattern]).fetchall()[0][0])


def load_text(connection: Any, paths: Sequence[Path], wanted: Wanted, delimiter: str) -> TextRows:
    """Put the wanted columns of text files into the table ``rows``."""
    first = paths[0]
    header = _header(first, delimiter)
    wanted.check(header, first)
    repeated = sorted({name for name in wanted.names if header.count(name) > 1})
    if repeated:
        raise InputError("column_repeated", f"{printable(first)}: the header names {some_values(repeated)} twice")
    odd = next((path for path in paths[1:] if _header(path, delimiter) != header), None)
    if odd is not None:
        raise InputError("headers_differ", f"{printable(odd)} and {printable(first)} have different headers")
    places = ", ".join(f"{text(f'c{i}')}: 'VARCHAR'" for i in range(len(header)))
    picked = ", ".join(f"trim(c{header.index(name)}) AS {identifier(name)}" for name in wanted.names)
    source = (
        f"read_csv({texts(paths, brackets='[]')}, auto_detect = false, header = true, columns = {{{places}}}, "
        f"delim = {text(delimiter)}, quote = '\"', escape = '\"', strict_mode = true)"
    )
    run(connection, f"CREATE TEMP TABLE rows AS SELECT {picked} FROM {source}", first)
    return TextRows(connection, first)


def typed_source(connection: Any, paths: Sequence[Path], wanted: Wanted, kind: str) -> str:
    """The wanted columns of files that know their types, as a query."""
    listed = texts(paths, brackets="[]")
    source = f"read_parquet({listed})"
    if kind != "parquet":
        source = f"read_json({listed}, format = 'newline_delimited', sample_size = -1)"
    described = run(connection, f"DESCRIBE SELECT * FROM {source}", paths[0]).fetchall()
    wanted.check([row[0] for row in described], paths[0])
    return f"SELECT {', '.join(identifier(name) for name in wanted.names)} FROM {source}"


def open_text(path: Path) -> IO[str]:
    """A text file, compressed or not, as lines."""
    if path.suffix.lower() == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", errors="surrogateescape", newline="")
    return path.open(encoding="utf-8-sig", errors="surrogateescape", newline="")


def _header(path: Path, delimiter: str) -> list[str]:
    try:
        with open_text(path) as lines:
            header = next(csv.reader(lines, delimiter=delimiter), [])
    except (gzip.BadGzipFile, EOFError, csv.Error) as error:
        raise InputError("file_unreadable", f"{printable(path)}: line 1 cannot be read: {error}") from error
    if not header:
        raise InputError("file_empty", f"{printable(path)} is empty")
    return [name.strip() for name in header]


def _bad_number_message(name: str, bad: list[tuple[int, str]], path: Path) -> str:
    listed = ", ".join(f"{printable(value, most=30)!r} in row {row + 1}" for row, value in bad[:5])
    hint = ""
    if any(re.fullmatch(r"[+-]?\d+,\d+", value) for _, value in bad):
        hint = "; write decimals with a point, not a comma"
    return f"{printable(path)}, column {name!r}: not a number: {listed} (row 1 follows the header){hint}"


def _missing(column: str) -> str:
    return f"({column} IS NULL OR lower({column}) IN {texts(MISSING_WORDS)})"


def _cast(column: str, kind: str) -> str:
    return f"CASE WHEN {_missing(column)} THEN NULL ELSE CAST({column} AS {kind}) END"
