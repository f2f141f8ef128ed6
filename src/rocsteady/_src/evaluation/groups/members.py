"""Which rows belong to which group: one column of groups, or combinations of several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, printable, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.ranked import numbered, sorted_distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import Rows

    Members = tuple[list[Any], NDArray[np.int64]]

MOST_GROUPS = 100


def group_members(rows: Rows, by: tuple[str, ...], *, fewest: int = 2) -> Members:
    """Groups in the order of their values, and the group of each row; the order of rows leaves no trace."""
    groups, place = _combined(rows, by)
    what = f"column {by[0]!r} has" if len(by) == 1 else f"columns {some_values(by)} together have"
    if len(groups) < fewest:
        text = f"{what} one value only, {some_values(groups)}: there is nothing to compare"
        raise InputError("one_group", text)
    if len(groups) > MOST_GROUPS:
        text = Sentence(
            "{what} {groups:count} different values, such as {some}; groups are at most "
            "{most}: merge them into fewer, name subjects with {cluster=}, or count thousands of groups with "
            "{rs.scale.sketch_table(..., by=)}",
            what=what,
            groups=len(groups),
            some=some_values(groups[:3]),
            most=MOST_GROUPS,
        )
        raise InputError("many_groups", text)
    return groups, place


def _combined(rows: Rows, by: tuple[str, ...]) -> tuple[list[Any], NDArray[np.int64]]:
    found = [numbered(rows.columns[name], rows.orders.get(name, ())) for name in by]
    if len(by) == 1:
        return found[0]
    cell = np.zeros(found[0][1].size, dtype=np.int64)
    for values, place in found:
        cell = cell * len(values) + place
    cells, place = sorted_distinct(cell)
    return [_name(by, found, int(each)) for each in cells], place


def _name(by: tuple[str, ...], found: list[tuple[list[Any], NDArray[np.int64]]], cell: int) -> str:
    parts = []
    for name, (values, _) in zip(reversed(by), reversed(found), strict=True):
        cell, number = divmod(cell, len(values))
        parts.append(f"{printable(name)}={printable(values[number])}")
    return ", ".join(reversed(parts))
