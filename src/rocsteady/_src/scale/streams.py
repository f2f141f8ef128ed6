"""The rows of a lazy table, batch by batch from engines on this machine, partition by partition from the others."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, InputError, RocsteadyError, require
from rocsteady._src.ranked.lazy.batches import batches
from rocsteady._src.ranked.lazy.fetch import spark_in_words
from rocsteady._src.scale.tally import Part, PartCounter

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from rocsteady._src.scale.tally import Tally

PARTS_AT_ONCE = 32
SPARK_SCHEMA = (
    "groups array<array<string>>, models array<string>, sketches array<binary>, codes array<bigint>, "
    "n_incomplete bigint, n_ungrouped bigint, refusal array<string>"
)
REFUSALS = {each.__name__: each for each in (RocsteadyError, InputError, ArgumentError)}


def pour(frame: Any, tally: Tally, goes_on: Callable[[], bool]) -> None:
    """Count the rows of a frame for as long as ``goes_on`` says so; it is asked after every batch or partition."""
    engine = frame.implementation
    elsewhere = engine.is_dask() or engine.is_pyspark() or engine.is_pyspark_connect()
    counted = _counted_there if elsewhere else _counted_here
    with closing(counted(frame, tally)) as steps:  # a table takes no other question while its rows are streaming
        for _ in steps:
            if not goes_on():
                break


def _counted_there(frame: Any, tally: Tally) -> Generator[None, None, None]:
    parts = _dask_parts if frame.implementation.is_dask() else _spark_parts
    for part in parts(frame.to_native(), PartCounter(tally.form, tally.blanks)):
        tally.absorb(part)
        yield


def _counted_here(frame: Any, tally: Tally) -> Generator[None, None, None]:
    with closing(batches(frame)) as streamed:
        for batch in streamed:
            tally.add(batch)
            yield


def _dask_parts(frame: Any, count: PartCounter) -> Iterator[Part]:
    dask = require("dask", extra="dask", purpose="counting partitions")
    parts = [dask.delayed(count)(part) for part in frame.to_delayed()]
    for start in range(0, len(parts), PARTS_AT_ONCE):
        yield from dask.compute(*parts[start : start + PARTS_AT_ONCE])


def _spark_parts(frame: Any, count: PartCounter) -> Iterator[Part]:
    """Parts come back as rows, with Spark Connect too; so do refusals, which Spark would bury in a trace of its own."""
    with spark_in_words():
        for row in frame.mapInArrow(_SparkPartition(count), SPARK_SCHEMA).toLocalIterator():
            if row.refusal:
                kind, code, text = row.refusal
                raise REFUSALS[kind](code, text)
            told = zip(row.groups, row.models, row.sketches, strict=True)
            sketches = [(list(group), str(model), bytes(data)) for group, model, data in told]
            yield Part(sketches, list(row.codes), int(row.n_incomplete), int(row.n_ungrouped))


class _SparkPartition:
    """What runs in a worker of Spark: record batches in, one row of counts out."""

    def __init__(self, count: PartCounter) -> None:
        self._count = count

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        pa = require("pyarrow", extra="arrow", purpose="counting partitions of Spark")
        part, refusal = Part([], [], 0), []
        try:
            part = self._count(*(pa.Table.from_batches([batch]) for batch in batches))
        except RocsteadyError as error:
            refusal = [type(error).__name__, error.code, str(error)]
        text = pa.list_(pa.string())
        columns = {
            "groups": ([group for group, _, _ in part.sketches], pa.list_(text)),
            "models": ([model for _, model, _ in part.sketches], text),
            "sketches": ([data for _, _, data in part.sketches], pa.list_(pa.binary())),
            "codes": (part.codes, pa.list_(pa.int64())),
            "n_incomplete": (part.n_incomplete, pa.int64()),
            "n_ungrouped": (part.n_ungrouped, pa.int64()),
            "refusal": (refusal, text),
        }
        made = [pa.array([value], kind) for value, kind in columns.values()]
        yield pa.record_batch(made, names=list(columns))
