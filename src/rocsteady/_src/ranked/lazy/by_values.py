"""How often each combination of values occurs in a table that an engine holds: counted there, and fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.inputs.tables import pick_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

COUNT = "rocsteady_rows"


def counted_by(table: Any, names: Sequence[str]) -> dict[str, Any]:
    """The distinct combinations of these columns, missing values among them, and under COUNT how often each occurs."""
    import narwhals as nw

    frame = nw.from_native(table)
    absent = [name for name in names if name not in frame.collect_schema().names()]
    if absent:
        pick_columns(dict.fromkeys(frame.collect_schema().names(), ()), absent)  # refuses them by name
    whole = frame.select(*names).with_columns(nw.lit(1).alias(COUNT))
    counts = whole.group_by(*names).agg(nw.col(COUNT).sum()).collect()
    return {name: counts.get_column(name) for name in (*names, COUNT)}
