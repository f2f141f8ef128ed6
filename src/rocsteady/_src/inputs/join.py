"""Scores of the same subjects from several tables, put side by side by id."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.tables import all_columns, refuse_unhashable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Columns = dict[str, NDArray[Any]]


@typed
def join_by_id(*tables: object, id: str, unmatched: str = "raise") -> Columns:  # noqa: A002 - the word people use
    """Put the columns of several tables side by side, subject by subject.

    Parameters
    ----------
    *tables : DataFrame or mapping
        Each with the id column; an id may occur once per table. Columns they share, such as the label, must agree.
    id : str
        Name of the id column.
    unmatched : {"raise", "drop"}
        What to do with ids that are not in every table.

    Returns
    -------
    dict of ndarray
        In the order of the first table's rows.

    Examples
    --------
    >>> import rocsteady as rs
    >>> old = {"who": ["a", "b", "c"], "y": [1, 0, 1], "old": [0.7, 0.4, 0.6]}
    >>> new = {"who": ["c", "a", "b"], "new": [0.9, 0.8, 0.1]}
    >>> rs.join_by_id(old, new, id="who")["new"].tolist()
    [0.8, 0.1, 0.9]
    """
    if unmatched not in ("raise", "drop"):
        raise ArgumentError("unmatched", f"unmatched must be 'raise' or 'drop', got {unmatched!r}")
    refuse_unhashable([id])
    if len(tables) < 2:
        raise ArgumentError("one_table", "joining needs at least two tables")
    read = [_read(table, id) for table in tables]
    places = [{value: row for row, value in enumerate(columns[id].tolist())} for columns in read]
    shared = [value for value in places[0] if all(value in place for place in places[1:])]
    _check_matched(places, len(shared), unmatched)
    joined: Columns = {}
    for columns, place in zip(read, places, strict=True):
        rows = np.array([place[value] for value in shared], dtype=np.int64)
        for name, values in columns.items():
            _add(joined, name, values[rows], joined.get(id, values[rows]))
    return joined


def _read(table: object, id_column: str) -> Columns:
    columns = {name: read_column(values, name) for name, values in all_columns(table).items()}
    if id_column not in columns:
        raise InputError(
            "column_absent", f"there is no column {id_column!r}; the table has {some_values(list(columns))}"
        )
    ids, gap = columns[id_column]
    if gap is not None:
        raise InputError("missing_values", f"{id_column}: {int(gap.sum())} ids are missing; drop those rows first")
    repeated = [value for value, count in Counter(ids.tolist()).items() if count > 1]
    if repeated:
        text = (
            f"{format_count(len(repeated))} ids of column {id_column!r} occur more "
            f"than once, such as {some_values(repeated[:3])}"
        )
        raise InputError("repeated_ids", f"{text}; keep one row per id, or give each row an id of its own")
    return {name: _with_gaps(values, gap) for name, (values, gap) in columns.items()}


def _with_gaps(values: NDArray[Any], gap: NDArray[np.bool_] | None) -> NDArray[Any]:
    if gap is None:
        return values
    if values.dtype.kind == "f":
        return np.where(gap, np.nan, values)
    holed = values.astype(object)
    holed[gap] = None
    return holed


def _check_matched(places: list[dict[Any, int]], n_shared: int, unmatched: str) -> None:
    alone = sum(len(place) - n_shared for place in places)
    if alone and unmatched == "raise":
        odd = next(value for place in places for value in place if not all(value in other for other in places))
        raise InputError(
            "unmatched_ids",
            Sentence(
                "{alone} ids are not in every table, such as {part}; pass {unmatched='drop'} to drop them",
                alone=alone,
                part=some_values([odd]),
            ),
        )


def _add(joined: Columns, name: str, values: NDArray[Any], ids: NDArray[Any]) -> None:
    if name not in joined:
        joined[name] = values
        return
    differ = np.flatnonzero(joined[name] != values)
    if differ.size:
        raise InputError(
            "columns_disagree",
            f"the tables disagree in column {name!r} for {format_count(differ.size)} "
            f"ids, first for {some_values([ids[differ[0]]])}: "
            f"{some_values([joined[name][differ[0]], values[differ[0]]])}; rename or correct it",
        )
