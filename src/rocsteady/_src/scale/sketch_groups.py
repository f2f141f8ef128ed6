"""Groups of rows by the values of one or more columns, named by text: the same in every engine and file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from rocsteady._src.ranked.numbering import numbered
from rocsteady._src.ranked.parts import part_by_part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Column = tuple[NDArray[Any], NDArray[np.bool_] | None]

Group: TypeAlias = tuple[str, ...]
TEXTS = ("string", "large_string", "string_view")


@dataclass(frozen=True, slots=True, eq=False)
class GroupedRows:
    """Rows group by group in ``order``, where each group stands in it, and how many rows had none.

    A group stands there twice where two values have one name, such as 3 and 3.0.
    """

    order: NDArray[np.int64]
    spans: list[tuple[Group, slice]]
    n_without: int


def group_text(value: object) -> str:
    """The name of a group: a date is written as ISO does, 3.0 as 3, since a column with gaps may turn 3 into it.

    Examples
    --------
    >>> group_text(date(2026, 5, 1)), group_text(3.0), group_text(True), group_text("north")
    ('2026-05-01', '3', 'true', 'north')
    """
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == value.min.time() else value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def text_codes(batch: Any, name: str) -> tuple[Column, list[str]] | None:
    """A column of text as numbers of its different texts, and these; None where Arrow does not hold it as text."""
    if type(batch).__module__.partition(".")[0] != "pyarrow" or str(batch.schema.field(name).type) not in TEXTS:
        return None
    coded = batch.column(name).combine_chunks().dictionary_encode()
    codes = coded.indices.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    gap = coded.indices.is_null().to_numpy(zero_copy_only=False) if coded.null_count else None
    return (codes, gap), coded.dictionary.to_pylist()


def groups_of_rows(columns: Sequence[Column], known_names: Sequence[list[str] | None] = ()) -> GroupedRows:
    """Rows by the values of these columns; a row that lacks one of them belongs to none. O(n).

    ``known_names`` are the texts of columns that hold their numbers.
    """
    n_rows = columns[0][0].size
    gaps = [gap for _, gap in columns if gap is not None]
    known = np.flatnonzero(~np.logical_or.reduce(gaps)) if gaps else np.arange(n_rows)
    names: list[list[str]] = []
    number = np.zeros(known.size, dtype=np.int64)
    for place_of_column, (values, _) in enumerate(columns):
        told = known_names[place_of_column] if known_names else None
        found, place = numbered(values[known]) if told is None else (told, values[known])
        names.append([group_text(value) for value in found])
        number = number * max(len(found), 1) + place
    there, part_of = numbered(number)
    order, ends = part_by_part(part_of, len(there))
    starts = [0, *ends.tolist()]
    spans = [(_named(code, names), slice(*starts[part : part + 2])) for part, code in enumerate(there)]
    return GroupedRows(known[order], spans, n_rows - known.size)


def _named(code: int, names: list[list[str]]) -> Group:
    """One name of every column, from the number that stands for all of them."""
    found: list[str] = []
    for column in reversed(names):
        code, place = divmod(code, len(column))
        found.append(column[place])
    return tuple(reversed(found))
