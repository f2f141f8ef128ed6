"""Files as queries: text files through the table ``rows``, JSON lines and Parquet by the types that they have."""

from __future__ import annotations

import csv
import gzip
import re
from typing import IO, TYPE_CHECKING, Any

from rocsteady.errors import ArgumentError, InputError, printable, some_values
from rocsteady.files.formats import DELIMITERS, OTHER_DELIMITERS, one_delimiter
from rocsteady.files.numbers import TextRows
from rocsteady.files.sql import identifier, run, text, texts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rocsteady.files.formats import Wanted

UNDECODED = "[\x00\udc80-\udcff]"  # bytes that are no UTF-8, as surrogateescape tells them


def source_query(
    connection: Any, paths: Sequence[Path], wanted: Wanted, kind: str, delimiter: str | None = None
) -> str:
    """The wanted columns in their types, as one query: two queries need not give the rows in the same order."""
    if kind in DELIMITERS:
        return _text_query(connection, paths, wanted, one_delimiter(kind, delimiter))
    if delimiter is not None:
        raise ArgumentError("delimiter", f"a {kind} file has no delimiter; leave delimiter= out")
    return _json_query(connection, paths, wanted) if kind == "jsonl" else _parquet_query(connection, paths, wanted)


def _text_query(connection: Any, paths: Sequence[Path], wanted: Wanted, delimiter: str) -> str:
    """Put the wanted columns of text files into the table ``rows``."""
    first = paths[0]
    header = _header(first, delimiter)
    _refuse_other_delimiter(header, wanted, first, delimiter)
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
    try:
        _load(connection, f"SELECT {picked} FROM {source}", first)
    except InputError as error:
        raise _not_utf8(first, str(error)) if "utf-8" in str(error).lower() else error from error
    several = " of this file; rows of the other files are counted on" if len(paths) > 1 else ""
    return TextRows(connection, first, f"follows the header{several}").typed(wanted)


def _parquet_query(connection: Any, paths: Sequence[Path], wanted: Wanted) -> str:
    source = f"read_parquet({texts(paths, brackets='[]')})"
    _types(connection, source, paths[0], wanted)
    _refuse_no_rows(connection, source, paths[0])
    return f"SELECT {', '.join(map(identifier, wanted.names))} FROM {source}"


def _json_query(connection: Any, paths: Sequence[Path], wanted: Wanted) -> str:
    """Lines are parsed once, into the table ``rows``; what DuckDB would make doubles stays text until it is judged."""
    listed = f"{texts(paths, brackets='[]')}, format = 'newline_delimited'"
    types = _types(connection, f"read_json({listed}, sample_size = -1)", paths[0], wanted)
    judged = [name for name, kind in types.items() if kind == "DOUBLE"]
    read = types | dict.fromkeys(judged, "VARCHAR")
    columns = ", ".join(f"{text(name)}: {text(_all_null(kind))}" for name, kind in read.items())
    source = f"read_json({listed}, columns = {{{columns}}})"
    _load(connection, f"SELECT * FROM {source}", paths[0])
    return TextRows(connection, paths[0], "is the first line").typed(wanted, known=types.keys() - judged)


def _all_null(kind: str) -> str:
    """DuckDB's name for the type of a column without values names no type."""
    return "DOUBLE" if kind == '"NULL"' else kind


def _load(connection: Any, query: str, path: Path) -> None:
    run(connection, f"CREATE TEMP TABLE rows AS {query}", path)
    _refuse_no_rows(connection, "rows", path)


def _refuse_no_rows(connection: Any, source: str, path: Path) -> None:
    if not run(connection, f"SELECT count(*) FROM {source}", path).fetchall()[0][0]:
        raise InputError("file_empty", f"{printable(path)} holds no rows")


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
    if re.search(UNDECODED, "".join(header)):
        raise _not_utf8(path, f"{printable(path)} cannot be read")
    return [name.strip() for name in header]


def _not_utf8(path: Path, told: str) -> InputError:
    with path.open("rb") as raw:
        start = raw.read(2)
    wide = start in (b"\xff\xfe", b"\xfe\xff")
    said = "UTF-16" if wide else "in another encoding, perhaps Latin-1,"
    convert = f"iconv -f {'UTF-16' if wide else 'LATIN1'} -t UTF-8 {printable(path.name)} > utf8-{printable(path.name)}"
    return InputError("encoding", f"{told}: it is {said} not UTF-8; save it as UTF-8, such as by {convert}")


def _refuse_other_delimiter(header: list[str], wanted: Wanted, path: Path, delimiter: str) -> None:
    """A header that has the columns when it is divided otherwise says which option is missing."""
    if set(wanted.names) <= set(header):
        return
    for other in OTHER_DELIMITERS:
        if other != delimiter and set(wanted.names) <= set(_header(path, other)):
            shown = "\\t" if other == "\t" else other
            text = f"{printable(path)}: the columns are divided by {shown!r}, not {delimiter!r}"
            raise InputError("delimiter", f"{text}; pass delimiter='{shown}'")
