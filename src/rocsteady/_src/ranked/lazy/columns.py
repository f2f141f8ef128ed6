"""Columns of a table that an engine holds: found by name, checked by type, turned into expressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, InputError, some_values
from rocsteady._src.base.near_names import meant_columns
from rocsteady._src.inputs.tables import refuse_unhashable

if TYPE_CHECKING:
    from collections.abc import Sequence


def is_lazy(table: object) -> bool:
    """Whether this is a table that an engine holds: of DuckDB, Polars (lazy), Spark, Dask or Ibis."""
    if isinstance(table, Mapping):
        return False
    import narwhals as nw

    try:
        return isinstance(nw.from_native(table, pass_through=True), nw.LazyFrame)
    except nw.exceptions.DuplicateError:  # pandas frames only, whose reader says which column
        return False


@dataclass(frozen=True, slots=True)
class LazyColumns:
    """The columns of a lazy table that a question needs, and the type of each."""

    frame: Any
    types: dict[str, Any]
    label: str
    scores: tuple[str, ...]
    weight: str | None
    by: tuple[str, ...]

    @property
    def wanted(self) -> tuple[str, ...]:
        """Names of all columns."""
        weight = () if self.weight is None else (self.weight,)
        return (self.label, *self.scores, *weight, *self.by)

    def gap(self, name: str) -> Any:
        """Whether a row lacks a value of this column; NaN counts as missing."""
        import narwhals as nw

        column = nw.col(name)
        return column.is_null() | column.is_nan() if self.types[name].is_float() else column.is_null()

    def keys(self) -> dict[str, Any]:
        """The columns but for scores and weights, as they are."""
        import narwhals as nw

        return {name: nw.col(name) for name in (self.label, *self.by)}

    def any_gap(self) -> Any:
        """Whether a row lacks any of the values."""
        import narwhals as nw

        return nw.any_horizontal(*[self.gap(name) for name in self.wanted], ignore_nulls=False)

    def counted(self) -> LazyColumns:
        """Without rows of weight zero, which are absent and not asked for their values."""
        import narwhals as nw

        if self.weight is None:
            return self
        zero = ~self.gap(self.weight) & (nw.col(self.weight) == 0)
        kept = self.frame.filter(~zero)
        return replace(self, frame=kept)

    def with_whole_weights(self) -> LazyColumns:
        """With weights as integers, for those that are whole numbers of another type."""
        import narwhals as nw

        name = self.weight or ""
        whole = nw.when(~self.gap(name)).then(nw.col(name)).cast(nw.Int64).alias(name)
        kept = self.frame.with_columns(whole)
        return replace(self, frame=kept, types={**self.types, name: nw.Int64()})


def find_columns(
    table: object,
    *,
    label: str,
    scores: Sequence[str],
    weight: str | None = None,
    by: Sequence[str] = (),
) -> LazyColumns:
    """Find and check columns; only the schema is asked for, no row is read."""
    import narwhals as nw

    known: Any = nw.from_native(table, pass_through=True)
    if not isinstance(known, (nw.DataFrame, nw.LazyFrame)):
        text = f"the table is a {type(table).__name__}: pass one of DuckDB, Polars, Spark, Dask or Ibis, or a DataFrame"
        raise InputError("table_type", text)
    frame = known.lazy()
    wanted = [label, *scores, *(() if weight is None else (weight,)), *by]
    refuse_unhashable(wanted)
    repeated = [name for place, name in enumerate(wanted) if name in wanted[:place]]
    if repeated:
        raise ArgumentError("column_twice", f"a column cannot serve twice: {some_values(repeated)}")
    schema = dict(frame.collect_schema())
    absent = [name for name in wanted if name not in schema]
    if absent:
        listed = some_values(list(schema), most=20)
        told = f"there is no column {some_values(absent)}; the table has {listed}"
        raise InputError("column_absent", f"{told}{meant_columns(absent, list(schema))}")
    _refuse_same_but_case(frame.implementation, wanted, list(schema))
    for name in (*scores, *([] if weight is None else [weight])):
        _refuse_text(name, schema[name], of_weight=name == weight)
    return LazyColumns(frame, {name: schema[name] for name in wanted}, label, tuple(scores), weight, tuple(by))


def _refuse_same_but_case(engine: Any, wanted: Sequence[str], names: Sequence[str]) -> None:
    """DuckDB and Spark take names that differ in case for one, and would answer with the first of them."""
    if not (engine.is_duckdb() or engine.is_ibis() or engine.is_pyspark() or engine.is_pyspark_connect()):
        return
    for name in wanted:
        other = next((each for each in names if each != name and each.lower() == name.lower()), None)
        if other is not None:
            text = f"columns {name!r} and {other!r} differ in case only, which this engine does not see"
            raise InputError("column_case", f"{text}; rename one of them")


def _refuse_text(name: str, kind: Any, *, of_weight: bool) -> None:
    import narwhals as nw

    if not (kind.is_numeric() or kind == nw.Boolean):
        code = "weight_type" if of_weight else "score_type"
        raise InputError(code, f"{name} must hold numbers, got the type {kind}; convert them")
