"""DuckDB behind closed doors: it opens the named files and nothing else, and names enter SQL quoted, here only."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import InputError, printable, require
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


UNEVEN = re.compile(
    r"CSV Error on Line: (\d+)\s+Original Line: ?(.*?)\n.*?Expected Number of Columns: (\d+) Found: (\d+)", re.DOTALL
)
THREAD_BYTES = 10**8  # of DuckDB's memory: with less for each it would pass a low limit, or give up


def identifier(name: str) -> str:
    """A name, quoted for SQL."""
    return '"' + _sendable(name).replace('"', '""') + '"'


def text(value: object) -> str:
    """A text, quoted for SQL."""
    return "'" + _sendable(str(value)).replace("'", "''") + "'"


def _sendable(name: str) -> str:
    """Refuse names that are bytes of another encoding: DuckDB takes UTF-8 only."""
    try:
        name.encode()
    except UnicodeEncodeError:
        remedy = "rename it, or pipe a CSV file to rocsteady with - in place of its name"
        raise InputError("name_encoding", f"the name {printable(name)!r} is no UTF-8 text; {remedy}") from None
    return name


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
        threads = connection.execute("SELECT current_setting('threads')").fetchall()[0][0]
        connection.execute(f"SET threads = {max(1, min(int(threads), memory // THREAD_BYTES))}")
        connection.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
    connection.execute("SET allowed_paths = " + texts(paths, brackets="[]"))
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


def _of_a_line(error: str) -> str:
    """What DuckDB says of a file, by the line of it where that is known."""
    found = UNEVEN.search(error)
    if found is not None:
        line, text, wanted, there = found.groups()
        few = f"{format_count(int(there))} value{'' if there == '1' else 's'}"
        return f"line {line} has {few} where {format_count(int(wanted))} were expected: {printable(text, most=80)}"
    if "No magic bytes found at end of file" in error:
        return "its end is missing: it was written, copied or sent in part only, or is no such file"
    lines = [line.strip() for line in error.splitlines() if line.strip()]
    return "; ".join(printable(line, most=160) for line in lines[:3])


def run(connection: Any, query: str, *paths: Path) -> Any:
    """Run a query on files; what DuckDB cannot read is the fault of the one that it names, or of the first."""
    with told_of_files(paths):
        return connection.execute(query)


@contextmanager
def told_of_files(paths: Sequence[Path]) -> Iterator[None]:
    """Failures of DuckDB as refusals of files: it reads some of them only while rows are fetched."""
    duckdb = require("duckdb", extra="cli", purpose="reading files")
    try:
        yield
    except duckdb.OutOfMemoryException as error:
        told = f"{printable(paths[0])} needs more than the memory limit"
        raise InputError("memory_limit", Sentence("{told}; {way_out}", told=told, way_out="raise it")) from error
    except duckdb.Error as error:
        path = next((each for each in paths if str(each) in str(error)), paths[0])
        told = _of_a_line(str(error))
        raise InputError("file_unreadable", f"{printable(path)} cannot be read: {told}") from error
