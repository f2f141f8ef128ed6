"""Rows and weights of each group of rows, added up by an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocsteady._src.ranked.lazy.columns import LazyColumns


MOST = 2.0**53


def grouped_sums(columns: LazyColumns, keys: Mapping[str, Any]) -> Any:
    """One line per combination of keys: ``n`` rows, and with weights their sums and what tells which kind they are."""
    import narwhals as nw

    wanted, sums = dict(keys), [nw.len().alias("n")]
    if columns.weight is None:
        return columns.frame.select(**wanted).group_by(*keys).agg(*sums)
    whole = is_whole(columns.types[columns.weight])
    wanted["weight"] = nw.col(columns.weight).cast(nw.Int64 if whole else nw.Float64)
    wanted["rough"] = wanted["weight"].cast(nw.Float64)
    large = (wanted["rough"] > MOST) | (wanted["rough"] < -MOST)  # whole, or infinite, which not every engine can floor
    cut = nw.when(large).then(nw.lit(0.0)).otherwise(wanted["rough"])
    wanted["part"] = cut - cut.floor()
    sums += [nw.col("weight").sum().alias("weight"), nw.col("rough").sum().alias("rough")]
    sums += [nw.col("rough").min().alias("least"), nw.col("rough").max().alias("most")]
    sums += [nw.col("part").max().alias("part")]
    grouped = columns.frame.select(**wanted).group_by(*keys).agg(*sums)
    return grouped.with_columns(nw.col("weight").cast(nw.Int64)) if whole else grouped


def is_whole(kind: Any) -> bool:
    """Whether a type of an engine holds whole numbers only."""
    import narwhals as nw

    return bool(kind.is_integer() or kind == nw.Boolean)
