"""Files as queries: text files through the table ``rows``, JSON lines and Parquet by the types that they have."""

from __future__ import annotations

import csv
import gzip
import re
import zlib
from typing import IO, TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, InputError, in_shell, printable, some_values
from rocsteady._src.base.sentences import Option, Sentence
from rocsteady._src.inputs.files.formats import DELIMITERS, OTHER_DELIMITERS, one_delimiter
from rocsteady._src.inputs.files.numbers import TextRows
from rocsteady._src.inputs.files.parquet import parquet_query
from rocsteady._src.inputs.files.sql import identifier, run, text, texts
from rocsteady._src.inputs.files.text_form import TextForm, form_given
from rocsteady._src.inputs.files.vanished_numbers import refuse_merged, refuse_vanished
from rocsteady._src.inputs.files.verify import verify_gzip

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rocsteady._src.inputs.files.formats import Wanted

SEMICOLON = ";"
NO_FOLDERS = "hive_partitioning = false"  # names of folders, such as y=1, would overrule columns of the files
UNDECODED = "[\x00\udc80-\udcff]"  # bytes that are no UTF-8, as surrogateescape tells them


def source_query(
    connection: Any,
    paths: Sequence[Path],
    wanted: Wanted,
    kind: str,
    delimiter: str | TextForm | None = None,
    *,
    own: dict[str, str] | None = None,
) -> str:
    """The wanted columns in their types, as one query: two queries need not give the rows in the same order.

    ``own`` has the names in a text file, where those of ``wanted`` are other ones (see ``set_apart``).
    """
    _refuse_same_but_case(wanted)
    if kind in DELIMITERS:
        return _text_query(connection, paths, wanted, kind, form_given(delimiter), own or {})
    if delimiter is not None:
        name = "delimiter" if form_given(delimiter).delimiter is not None else "decimal"
        words = "a {kind} file has no delimiter; leave {delimiter=} out"
        words = words if name == "delimiter" else "a {kind} file has numbers; leave {decimal=} out"
        raise ArgumentError(name, Sentence(words, kind=kind))
    if kind == "jsonl":
        return _json_query(connection, paths, wanted)
    query = parquet_query(connection, paths, wanted)
    _refuse_no_rows(connection, f"SELECT count(*) FROM ({query})", paths)
    return query


def _refuse_same_but_case(wanted: Wanted) -> None:
    """DuckDB takes names that differ in case for one, and would answer with one column for both."""
    for place, name in enumerate(wanted.names):
        for other in wanted.names[:place]:
            if name.lower() == other.lower():
                text = (
                    f"columns {other!r} and {name!r} differ in case only, which DuckDB does not see; rename one of them"
                )
                raise InputError("column_case", text)


def _text_query(
    connection: Any, paths: Sequence[Path], read_as: Wanted, kind: str, form: TextForm, own: dict[str, str]
) -> str:
    """Put the wanted columns of text files into the table ``rows``, by their places in the header."""
    wanted = read_as.renamed(own)
    first = paths[0]
    delimiter = _seen_delimiter(first, wanted, kind, form)
    header = _header(first, delimiter)
    _refuse_other_delimiter(header, wanted, first, delimiter)
    wanted.check(header, first)
    repeated = sorted({name for name in wanted.names if header.count(name) > 1})
    if repeated:
        raise InputError("column_repeated", f"{printable(first)}: the header names {some_values(repeated)} twice")
    for path in paths[1:]:
        if (other := _header(path, delimiter)) != header:
            wanted.check(other, path)
            raise InputError("headers_differ", f"{printable(path)} and {printable(first)} have different headers")
    places = ", ".join(f"{text(f'c{i}')}: 'VARCHAR'" for i in range(len(header)))
    picked = ", ".join(f"trim(c{header.index(own.get(name, name))}) AS {identifier(name)}" for name in read_as.names)
    source = (
        f"read_csv({texts(paths, brackets='[]')}, auto_detect = false, header = true, columns = {{{places}}}, "
        f"delim = {text(delimiter)}, quote = '\"', escape = '\"', strict_mode = true, {NO_FOLDERS})"
    )
    try:
        _load(connection, f"SELECT {picked} FROM {source}", paths)
    except InputError as error:
        raise _not_utf8(first, str(error)) if "utf-8" in str(error).lower() else error from error
    several = " of this file; rows of the other files are counted on" if len(paths) > 1 else ""
    divided = TextForm(delimiter, form.decimal)
    return TextRows(connection, first, f"follows the header{several}", divided, as_written=True).typed(read_as)


def _json_query(connection: Any, paths: Sequence[Path], wanted: Wanted) -> str:
    """Lines are parsed once, into the table ``rows``; what DuckDB would make doubles stays text until it is judged."""
    listed = f"{texts(paths, brackets='[]')}, format = 'newline_delimited', {NO_FOLDERS}"
    every = f"sample_size = -1, maximum_sample_files = {len(paths)}"
    types = _types(connection, f"read_json({listed}, {every})", paths, wanted)
    judged = [name for name, kind in types.items() if kind == "DOUBLE"]
    read = types | dict.fromkeys(judged, "VARCHAR")
    columns = ", ".join(f"{text(name)}: {text(_all_null(kind))}" for name, kind in read.items())
    source = f"read_json({listed}, columns = {{{columns}}}"
    _load(connection, f"SELECT * FROM {source})", paths)
    if len(paths) > 1:
        _refuse_absent_in_one(connection, f"{source}, filename = 'file of the row')", paths, wanted)
    rows = TextRows(connection, paths[0], "is the first line")
    if zeros := [name for name in judged if name in wanted.numbers and rows.has_zero(name)]:
        refuse_vanished(paths, zeros)
    refuse_merged(connection, paths, [name for name in judged if name in wanted.numbers])
    return rows.typed(wanted, known=types.keys() - judged)


def _refuse_absent_in_one(connection: Any, source: str, paths: Sequence[Path], wanted: Wanted) -> None:
    """Refuse a file of JSON lines none of which has a column that other files have: no value of it is missing there."""
    for name in wanted.names:
        column = identifier(name)
        if not run(connection, f"SELECT 1 FROM rows WHERE {column} IS NULL LIMIT 1", *paths).fetchall():
            continue
        query = f'SELECT "file of the row" FROM {source} GROUP BY ALL HAVING count({column}) = 0 ORDER BY ALL LIMIT 1'
        for (file,) in run(connection, query, *paths).fetchall():
            text = f"{printable(file)} has no column {name!r}, which other files have"
            raise InputError("column_absent", f"{text}; leave this file out, or write the column")


def _all_null(kind: str) -> str:
    """DuckDB's name for the type of a column without values names no type."""
    return "DOUBLE" if kind == '"NULL"' else kind


def _load(connection: Any, query: str, paths: Sequence[Path]) -> None:
    _refuse_no_rows(connection, f"CREATE TEMP TABLE rows AS {query}", paths)  # which answers with their number


def _refuse_no_rows(connection: Any, counting: str, paths: Sequence[Path]) -> None:
    if not run(connection, counting, *paths).fetchall()[0][0]:
        raise InputError("file_empty", f"{printable(paths[0])} holds no rows")


def _types(connection: Any, source: str, paths: Sequence[Path], wanted: Wanted) -> dict[str, str]:
    """The types of the wanted columns; refused where a column has no one type."""
    query = f"DESCRIBE SELECT * FROM {source}"
    found = {row[0]: str(row[1]) for row in run(connection, query, *paths).fetchall()}
    wanted.check(list(found), paths[0])
    for name in wanted.names:
        kind, where = found[name], f"{printable(paths[0])}, column {name!r}"
        if kind == "JSON":
            several = " or files" if len(paths) > 1 else ""
            told = "numbers, text, truth values or records"
            raise InputError("types_differ", f"{where} holds several of {told}, in its rows{several}; write one kind")
        if kind.startswith(("STRUCT", "MAP", "UNION")) or kind.endswith("]"):
            raise InputError("column_nested", f"{where} holds several values in a row ({printable(kind, most=60)})")
    return {name: found[name] for name in wanted.names}


def open_text(path: Path) -> IO[str]:
    """A text file, compressed or not, as lines."""
    if path.suffix.lower() == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", errors="surrogateescape", newline="")
    return path.open(encoding="utf-8-sig", errors="surrogateescape", newline="")


def header_of(path: Path, kind: str, delimiter: str | TextForm | None) -> list[str]:
    """The names in the header of a text file."""
    return _header(path, one_delimiter(kind, form_given(delimiter).delimiter))


def _seen_delimiter(path: Path, wanted: Wanted, kind: str, form: TextForm) -> str:
    """What divides the columns: as asked, or as usual, or semicolons where the columns are there by them alone."""
    usual = one_delimiter(kind, form.delimiter)
    if form.delimiter is not None or set(wanted.names) <= set(_header(path, usual)):
        return usual
    fitting = [each for each in OTHER_DELIMITERS if set(wanted.names) <= set(_header(path, each))]
    return SEMICOLON if fitting == [SEMICOLON] else usual


def _header(path: Path, delimiter: str) -> list[str]:
    try:
        with open_text(path) as lines:
            header = next(csv.reader(lines, delimiter=delimiter), [])
    except (csv.Error, gzip.BadGzipFile, EOFError, zlib.error) as error:
        if path.suffix.lower() == ".gz":
            verify_gzip(path)
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
    old, new = (in_shell(name) for name in (path, path.with_name(f"utf8-{path.name}")))
    convert = f"iconv -f {'UTF-16' if wide else 'LATIN1'} -t UTF-8 {old} > {new}"
    return InputError("encoding", f"{told}: it is {said} not UTF-8; save it as UTF-8, such as by {convert}")


def _refuse_other_delimiter(header: list[str], wanted: Wanted, path: Path, delimiter: str) -> None:
    """A header that has the columns when it is divided otherwise says which option is missing."""
    if set(wanted.names) <= set(header):
        return
    for other in OTHER_DELIMITERS:
        if other != delimiter and set(wanted.names) <= set(_header(path, other)):
            shown = "\\t" if other == "\t" else other
            text = Sentence(
                "{path}: the columns are divided by {shown!r}, not {delimiter!r}; pass {remedy}",
                path=printable(path),
                shown=shown,
                delimiter=delimiter,
                remedy=Option("delimiter", (shown,), written=f"delimiter='{shown}'"),
            )
            raise InputError("delimiter", text)
