"""What a file holds, before anybody has said which column is what: types, gaps, values and the first rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import InputError, printable
from rocsteady._src.inputs.files.formats import DELIMITERS, OTHER_DELIMITERS, ColumnAbsent, Wanted
from rocsteady._src.inputs.files.scan import estimate_rows, scan_files, watching
from rocsteady._src.inputs.files.sql import connect, identifier
from rocsteady._src.inputs.files.tables import header_of, source_query

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rocsteady._src.inputs.files.text_form import TextForm

MOST_COUNTED = 20  # values of a column that are counted one by one: labels, groups, folds
EXACT_BELOW = 2_000_000  # rows; above, the number of distinct values is an estimate
FIRST_ROWS = 6
MOST_COLUMNS = 500
MOST_LABELS = 3
NO_COLUMN = "\N{SYMBOL FOR NULL} no column"
UNFIT = ("column_nested", "types_differ", "column_repeated", "column_case", "rounded_number")


@dataclass(frozen=True, slots=True)
class SeenColumn:
    """A column: its kind, rows without a value, distinct values, ends of numbers, and of few values their rows."""

    name: str
    kind: str
    n_missing: int
    n_values: int
    low: float | None = None
    high: float | None = None
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Preview:
    """What a file holds; ``left_out`` says which columns cannot be looked at, and why.

    Above ``EXACT_BELOW`` rows the number of many values is an estimate: ``about``. ``means`` are those of columns of
    numbers by the values of columns that have two, such as labels: they tell in which direction scores point.
    """

    n_rows: int
    columns: list[SeenColumn]
    first: list[list[str]]
    left_out: list[str]
    about: bool = False
    means: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict)


def columns_of(paths: Sequence[Path], kind: str, delimiter: str | TextForm | None = None) -> list[str]:
    """The names of the columns, each once."""
    if kind in DELIMITERS:
        return list(dict.fromkeys(header_of(paths[0], kind, delimiter)))
    connection = connect(paths)
    try:
        source_query(connection, paths, Wanted((), (NO_COLUMN,)), kind, delimiter)
    except ColumnAbsent as error:
        return list(dict.fromkeys(error.available))
    finally:
        connection.close()
    return [NO_COLUMN]


def divided_by(path: Path, kind: str) -> str | None:
    """What divides the columns, where the usual character leaves one column and another several."""
    if kind not in ("csv", "tsv") or len(columns_of([path], kind)) > 1:
        return None
    counts = {other: len(columns_of([path], kind, other)) for other in OTHER_DELIMITERS}
    best = max(counts, key=lambda other: counts[other])
    return best if counts[best] > 1 else None


def preview(path: Path, kind: str, *, memory: int, delimiter: str | TextForm | None = None) -> Preview:
    """Look at all columns of a file within a memory limit. Shows progress."""
    estimate_rows([path])  # refuses what is no file
    names = columns_of([path], kind, delimiter)
    if len(names) > MOST_COLUMNS:
        text = f"{printable(path)} has {len(names)} columns, and at most {MOST_COLUMNS} can be looked at"
        raise InputError("many_columns", f"{text}; write a file of labels, scores and what else is needed")
    try:
        return _looked_at(path, names, [], memory, delimiter)
    except InputError as error:
        if error.code not in UNFIT:
            raise
    fit, left_out = _fit(path, names, kind, delimiter)
    if not fit:
        raise InputError("no_columns", f"{printable(path)} has no column that can be read: {left_out[0]}")
    return _looked_at(path, fit, left_out, memory, delimiter)


def _fit(path: Path, names: list[str], kind: str, delimiter: str | TextForm | None) -> tuple[list[str], list[str]]:
    """Columns that can be read, and what is said of the others."""
    fit: list[str] = []
    left_out = []
    for name in names:
        connection = connect([path])
        try:
            twice = [each for each in fit if each.lower() == name.lower()]
            source_query(connection, [path], Wanted((), (*twice, name)), kind, delimiter)
            fit.append(name)
        except InputError as error:
            left_out.append(str(error))
        finally:
            connection.close()
    return fit, left_out


def _looked_at(
    path: Path, names: list[str], left_out: list[str], memory: int, delimiter: str | TextForm | None
) -> Preview:
    wanted = Wanted((), tuple(names))
    with scan_files([path], wanted, memory=memory, delimiter=delimiter) as files, files.checked():
        relation = files.relation
        types = dict(zip(relation.columns, map(str, relation.types), strict=True))
        with watching(files.connection, "looking at columns"):
            n_rows = int(relation.aggregate("count(*)").fetchall()[0][0])
            facts = relation.aggregate(", ".join(_facts(types, exact=n_rows < EXACT_BELOW))).fetchall()[0]
        columns = [
            _column(relation, name, _kind(types[name]), facts[4 * place : 4 * place + 4])
            for place, name in enumerate(names)
        ]
        means = _means(relation, columns)
        first = [[_shown(value) for value in row] for row in relation.limit(FIRST_ROWS).fetchall()]
    return Preview(n_rows, columns, first, left_out, about=n_rows >= EXACT_BELOW, means=means)


def _means(relation: Any, columns: list[SeenColumn]) -> dict[str, dict[str, dict[str, float]]]:
    numbers = [each.name for each in columns if each.low is not None and each.high is not None]
    found: dict[str, dict[str, dict[str, float]]] = {}
    for label in [each.name for each in columns if len(each.counts) == 2][:MOST_LABELS]:
        asked = [name for name in numbers if name != label]
        if asked:
            wanted = ", ".join(f"avg(CAST({identifier(name)} AS DOUBLE))" for name in asked)
            rows = relation.aggregate(f"{identifier(label)}, {wanted}", identifier(label)).fetchall()
            found[label] = {
                _shown(value): {name: float(mean) for name, mean in zip(asked, means, strict=True) if _is_finite(mean)}
                for value, *means in rows
                if not _is_gap(value)
            }
    return found


def _is_finite(value: object) -> bool:
    return isinstance(value, float) and math.isfinite(value)


def _facts(types: dict[str, str], *, exact: bool) -> list[str]:
    """Of each column: rows without a value, distinct values, and the ends of numbers."""
    asked = []
    for name, kind in types.items():
        column = identifier(name)
        value = f"CASE WHEN isnan({column}) THEN NULL ELSE {column} END" if kind in ("DOUBLE", "FLOAT") else column
        distinct = f"count(DISTINCT {value})" if exact else f"approx_count_distinct({value})"
        ends = [f"CAST({end}({value}) AS DOUBLE)" for end in ("min", "max")] if _is_number(kind) else ["NULL", "NULL"]
        asked += [f"count(*) - count({value})", distinct, *ends]
    return asked


def _is_number(kind: str) -> bool:
    return _kind(kind) in ("whole numbers", "numbers")


def _kind(kind: str) -> str:
    if kind == "BOOLEAN":
        return "truth values"
    if kind.startswith(("DOUBLE", "FLOAT", "DECIMAL")):
        return "numbers"
    return "whole numbers" if kind.endswith(("INT", "INTEGER")) else "text"


def _column(relation: Any, name: str, kind: str, facts: tuple[Any, ...]) -> SeenColumn:
    missing, distinct, *ends = facts
    low, high = (None if end is None or not math.isfinite(end) else float(end) for end in ends)
    counts: dict[str, int] = {}
    if distinct <= MOST_COUNTED:
        column = identifier(name)
        found = relation.aggregate(f"{column}, count(*) AS rows_of_it", column).fetchall()
        told = {_shown(value): int(count) for value, count in found if not _is_gap(value)}
        counts = dict(sorted(told.items(), key=_in_order))
    return SeenColumn(name, kind, int(missing), len(counts) or int(distinct), low, high, counts)


def _in_order(item: tuple[str, int]) -> tuple[int, float, str]:
    """Numbers by size, then text by letters."""
    try:
        return 0, float(item[0]), item[0]
    except ValueError:
        return 1, 0.0, item[0]


def _is_gap(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _shown(value: object) -> str:
    """A value as the file's reader writes it; nothing for a gap."""
    if _is_gap(value):
        return ""
    return str(value).lower() if isinstance(value, bool) else repr(value) if isinstance(value, float) else str(value)
