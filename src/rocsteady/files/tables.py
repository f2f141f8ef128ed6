"""Files as queries: text files through the table ``rows``, JSON lines and Parquet by the types that they have."""

from __future__ import annotations

import csv
import gzip
from typing import IO, TYPE_CHECKING, Any

from rocsteady.errors import InputError, printable, some_values
from rocsteady.files.formats import DELIMITERS
from rocsteady.files.numbers import TextRows
from rocsteady.files.sql import identifier, run, text, texts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rocsteady.files.formats import Wanted


def source_query(
    connection: Any, paths: Sequence[Path], wanted: Wanted, kind: str, delimiter: str | None = None
) -> str:
    """The wanted columns in their types, as one query: two queries need not give the rows in the same order."""
    if kind in DELIMITERS:
        return _text_query(connection, paths, wanted, delimiter or DELIMITERS[kind])
    return _json_query(connection, paths, wanted) if kind == "jsonl" else _parquet_query(connection, paths, wanted)


def _text_query(connection: Any, paths: Sequence[Path], wanted: Wanted, delimiter: str) -> str:
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
    return TextRows(connection, first).typed(wanted)


def _parquet_query(connection: Any, paths: Sequence[Path], wanted: Wanted) -> str:
    source = f"read_parquet({texts(paths, brackets='[]')})"
    _types(connection, source, paths[0], wanted)
    return f"SELECT {', '.join(map(identifier, wanted.names))} FROM {source}"


def _json_query(connection: Any, paths: Sequence[Path], wanted: Wanted) -> str:
    """Lines are parsed once, into the table ``rows``; what DuckDB would make doubles stays text until it is judged."""
    listed = f"{texts(paths, brackets='[]')}, format = 'newline_delimited'"
    types = _types(connection, f"read_json({listed}, sample_size = -1)", paths[0], wanted)
    judged = [name for name, kind in types.items() if kind == "DOUBLE"]
    read = types | dict.fromkeys(judged, "VARCHAR")
    columns = ", ".join(f"{text(name)}: {text(_all_null(kind))}" for name, kind in read.items())
    source = f"read_json({listed}, columns = {{{columns}}})"
    run(connection, f"CREATE TEMP TABLE rows AS SELECT * FROM {source}", paths[0])
    return TextRows(connection, paths[0], "is the first line").typed(wanted, known=types.keys() - judged)


def _all_null(kind: str) -> str:
    """DuckDB's name for the type of a column without values names no type."""
    return "DOUBLE" if kind == '"NULL"' else kind


def _types(connection: Any, source: str, path: Path, wanted: Wanted) -> dict[str, str]:
    """The types of the wanted columns."""
    found = {row[0]: str(row[1]) for row in run(connection, f"DESCRIBE SELECT * FROM {source}", path).fetchall()}
    wanted.check(list(found), path)
    return {name: found[name] for name in wanted.names}


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
