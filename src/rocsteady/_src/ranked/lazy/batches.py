"""The rows of a lazy table as they stream by, batch by batch, from engines on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import require
from rocsteady._src.ranked.lazy.fetch import duckdb_in_words

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

BATCH_ROWS = 1 << 20


def batches(frame: Any, size: int | None = None) -> Generator[Any, None, None]:
    """Tables of Arrow or Polars, of about so many rows; an engine that has no batches gives one table."""
    native, engine, size = frame.to_native(), frame.implementation, size or BATCH_ROWS
    if engine.is_polars():
        yield from native.collect_batches(chunk_size=size, maintain_order=False)
    elif engine.is_duckdb():
        with duckdb_in_words(), _duckdb_reader(native, size) as reader:
            yield from _tables(reader)
    elif engine.is_ibis():
        yield from _tables(_ibis_batches(native, size))
    else:
        yield frame.collect().to_native()


def _duckdb_reader(relation: Any, size: int) -> Any:
    require("pyarrow", extra="arrow", purpose="streaming the rows of DuckDB")
    read = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader
    return read(size)


def _ibis_batches(table: Any, size: int) -> Any:
    """Batches of Ibis; from DuckDB 2 by its own reader, which Ibis 12 asks for by a name that went."""
    backend = table.get_backend()
    if backend.name != "duckdb" or hasattr(backend.con, "fetch_record_batch"):
        return table.to_pyarrow_batches(chunk_size=size)
    held = table.op().find(_in_memory_tables())
    if held:
        return table.to_pyarrow().to_batches(size)
    return _duckdb_reader(backend.con.sql(backend.compile(table)), size)


def _in_memory_tables() -> Any:
    ibis = require("ibis", extra="ibis", purpose="streaming the rows of Ibis")
    return ibis.expr.operations.InMemoryTable


def _tables(streamed: Any) -> Iterator[Any]:
    arrow = require("pyarrow", extra="arrow", purpose="streaming rows")
    for batch in streamed:
        yield arrow.Table.from_batches([batch])
