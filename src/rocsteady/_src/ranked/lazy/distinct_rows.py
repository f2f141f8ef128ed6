"""Rows that differ, each with how often it occurs: counted by the engine in one plan, for what needs rows themselves.

Groups, folds, subjects and several classes ask which values stand in one row. An engine's group-by over all of these
columns answers with one line per combination, and everything that reads rows reads these, once for each of their rows,
or with their number as a frequency weight where there are far fewer of them than rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, some_values
from rocsteady._src.base.repeat_counts import repeat_by
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.tables import pick_columns
from rocsteady._src.ranked.grouping import order_columns
from rocsteady._src.ranked.lazy.fetch import fetch
from rocsteady._src.ranked.numbering import numbered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MOST_ROWS = 20_000_000
REPEATED = 5_000_000  # rows that are written out, however often they repeat
FEW_REPEATS = 3  # of a line on average: so few are written out too
COUNT = "rows of this line"


def distinct_rows(
    table: Any, names: Sequence[str], *, most: int = MOST_ROWS, repeated: int = REPEATED, written_out: bool = False
) -> tuple[dict[str, NDArray[Any]], str | None]:
    """Columns by name in an order of their own, and the name of the one that counts rows; None where each is one row.

    ``repeated`` rows are written out, however often they repeat; all are where ``written_out`` says so, for weights and
    names of rows among the columns.
    """
    import narwhals as nw

    frame: Any = nw.from_native(table, pass_through=True).lazy()
    schema = dict(frame.collect_schema())
    if any(name not in schema for name in names):
        pick_columns(dict.fromkeys(schema, ()), list(names))  # refuses them by name
    keys = {f"column{place}": nw.col(name) for place, name in enumerate(dict.fromkeys(names))}
    grouped = frame.select(**keys).group_by(*keys).agg(nw.len().alias("n"))
    engine = frame.implementation
    stops_early = engine.is_duckdb() or engine.is_polars() or engine.is_ibis()
    fetched = fetch(grouped.head(most + 1) if stops_early else grouped)
    counts = fetched.pop("n")[0].astype(np.int64)
    if counts.size > most:
        raise InputError("too_many_groups", _too_many(list(names), most))
    columns = [_filled(*column) for column in fetched.values()]
    order = order_columns([numbered(_text(values))[1] for values in columns])
    counts, found = (
        counts[order],
        {name: values[order] for name, values in zip(dict.fromkeys(names), columns, strict=True)},
    )
    total = int(counts.sum())
    if written_out or total <= max(repeated, FEW_REPEATS * counts.size):
        if total > max(most, repeated):
            raise InputError("too_many_groups", _too_many(list(names), most))
        return {name: repeat_by(values, counts) for name, values in found.items()}, None
    return {**found, COUNT: counts}, COUNT


def _filled(values: NDArray[Any], gap: NDArray[np.bool_] | None) -> NDArray[Any]:
    """Values with their gaps as what everybody reads as one: NaN among numbers, None elsewhere."""
    if gap is None:
        return values
    if values.dtype.kind == "f":
        return np.where(gap, np.nan, values)
    filled = values.astype(object)
    filled[gap] = None
    return filled


def _text(values: NDArray[Any]) -> NDArray[Any]:
    """What orders lines: numbers as they are, all else by its text."""
    plain = values.dtype.kind in "iufb" or {str}.issuperset(map(type, values))
    return values if plain else np.array([str(value) for value in values], dtype=object)


def _too_many(names: list[str], most: int) -> Sentence:
    told = f"there are more than {format_count(most)} different rows of {some_values(names, most=8)}"
    words = "{told}, too many to bring into memory; count them by group with {rs.scale.sketch_table(..., by=)}"
    return Sentence(words, told=told)
