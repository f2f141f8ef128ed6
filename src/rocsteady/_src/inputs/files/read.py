"""Score files become named columns in memory. DuckDB reads, nothing is guessed.

Text files carry no types, so columns are read as text and turned into numbers here, or refused with row and value.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, printable
from rocsteady._src.inputs.files.formats import DELIMITERS, format_of, refuse_absent, set_apart, states
from rocsteady._src.inputs.files.numbers import NUMBER, WHOLE
from rocsteady._src.inputs.files.sql import connect, identifier, run, told_of_files
from rocsteady._src.inputs.files.tables import source_query
from rocsteady._src.inputs.files.verify import verified

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rocsteady._src.inputs.files.formats import Columns, Wanted
    from rocsteady._src.inputs.files.text_form import TextForm

DOUBLE_DIGITS = 15  # decimals of so many digits stay apart as doubles


def read_file(
    path: Path,
    wanted: Wanted,
    *,
    format: str | None = None,  # noqa: A002
    delimiter: str | TextForm | None = None,
) -> Columns:
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
    delimiter: str | TextForm | None = None,
) -> Columns:
    """Read the wanted columns of several files with the same columns, one after another."""
    refuse_absent(paths)
    chosen = format or format_of(paths[0])
    before = states(paths)
    connection = connect(paths)
    read_as, own = set_apart(wanted) if chosen in DELIMITERS else (wanted, {})
    try:
        with verified(connection, paths, chosen, wanted):
            query = source_query(connection, paths, read_as, chosen, delimiter, own=own)
            columns = _fetch(connection, query, paths)
    finally:
        connection.close()
    refuse_changed(paths, before)
    return {own.get(name, name): values for name, values in columns.items()}


def refuse_changed(paths: list[Path], before: list[tuple[int, int]]) -> None:
    """Refuse files that are no longer as they were."""
    for path, now, then in zip(paths, states(paths), before, strict=True):
        if now != then:
            text = f"{printable(path)} changed while it was read; run again when it is complete"
            raise InputError("file_changed", text)


def _fetch(connection: Any, query: str, paths: list[Path]) -> Columns:
    """The columns as NumPy's; numbers that it has no type for come as text and become Python's, none is rounded."""
    types = {row[0]: str(row[1]) for row in run(connection, f"DESCRIBE {query}", *paths).fetchall()}
    wide = {name: maker for name, kind in types.items() if (maker := _exact_type(kind)) is not None}
    picked = (
        f"CAST({identifier(name)} AS VARCHAR) AS {identifier(name)}" if name in wide else identifier(name)
        for name in types
    )
    with told_of_files(paths):
        columns: Columns = connection.sql(f"SELECT {', '.join(picked)} FROM ({query})").fetchnumpy()
    return columns | {name: _as_objects(columns[name], maker) for name, maker in wide.items()}


def _exact_type(kind: str) -> Callable[[str], Any] | None:
    """What holds a number of this type of DuckDB, where no type of NumPy does."""
    if kind in ("HUGEINT", "UHUGEINT", "BIGNUM", "VARINT"):
        return int
    digits = re.match(r"DECIMAL\((\d+)", kind)
    return Decimal if digits and int(digits[1]) > DOUBLE_DIGITS else None


def _as_objects(values: Any, maker: Callable[[str], Any]) -> Any:
    missing = np.ma.getmaskarray(values)
    made = np.empty(missing.size, dtype=object)
    made[~missing] = [maker(value) for value in np.asarray(values)[~missing]]
    return np.ma.array(made, mask=missing)


def typed_label(text: str, labels: Any) -> Any:
    """The positive label as its column holds it: a number among numbers, a truth value among booleans."""
    values = np.asarray(labels)
    kind = "i" if _holds_integers(values) else values.dtype.kind
    if kind == "b" and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if kind in "iu" and re.fullmatch(WHOLE, text):
        return int(text)
    if kind in "iuf" and re.fullmatch(NUMBER, text):
        return float(text)
    return text


def _holds_integers(values: Any) -> bool:
    """Whether these are Python's integers, as :func:`read_files` gives what is too wide for NumPy."""
    return values.dtype.kind == "O" and isinstance(next((each for each in values if each is not None), None), int)
