"""Score files become named columns in memory. DuckDB reads, nothing is guessed.

Text files carry no types, so columns are read as text and turned into numbers here, or refused with row and value.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.errors import InputError, printable
from rocsteady.files.formats import DELIMITERS, format_of, states
from rocsteady.files.sql import NUMBER, connect, load_text, run, typed_source

if TYPE_CHECKING:
    from pathlib import Path

    from rocsteady.files.formats import Columns, Wanted


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
    return read_files([path], wanted, format=format, delimiter=delimiter)


def read_files(
    paths: list[Path],
    wanted: Wanted,
    *,
    format: str | None = None,  # noqa: A002 - as above
    delimiter: str | None = None,
) -> Columns:
    """Read the wanted columns of several files with the same columns, one after another."""
    absent = next((path for path in paths if not path.is_file()), None)
    if absent is not None:
        raise InputError("file_absent", f"there is no file {printable(absent)}")
    chosen = format or format_of(paths[0])
    before = states(paths)
    connection = connect(paths)
    try:
        if chosen in DELIMITERS:
            columns = _read_text(connection, paths, wanted, delimiter or DELIMITERS[chosen])
        else:
            columns = run(connection, typed_source(connection, paths, wanted, chosen), paths[0]).fetchnumpy()
    finally:
        connection.close()
    refuse_changed(paths, before)
    return columns


def refuse_changed(paths: list[Path], before: list[tuple[int, int]]) -> None:
    """Refuse files that are no longer as they were."""
    for path, now, then in zip(paths, states(paths), before, strict=True):
        if now != then:
            text = f"{printable(path)} changed while it was read; run again when it is complete"
            raise InputError("file_changed", text)


def _read_text(connection: Any, paths: list[Path], wanted: Wanted, delimiter: str) -> Columns:
    """All columns by one query: two queries need not give the rows in the same order."""
    query = load_text(connection, paths, wanted, delimiter).typed(wanted)
    columns: Columns = connection.execute(query).fetchnumpy()
    return columns


def typed_label(text: str, labels: Any) -> Any:
    """The positive label as its column holds it: a number among numbers, a truth value among booleans."""
    kind = np.asarray(labels).dtype.kind
    if kind == "b" and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if kind in "iuf" and re.fullmatch(NUMBER, text):
        return float(text)
    return text
