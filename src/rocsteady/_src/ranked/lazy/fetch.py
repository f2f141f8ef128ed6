"""What an engine has counted comes back as arrays, from each engine by the way that loses nothing."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import InputError, printable
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.inputs.arrays import read_column

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocsteady._src.inputs.arrays import Column

ABSENT = re.compile(r"No module named '(\w+)")
CAUSE = re.compile(
    r"^(?:Caused by: |: )?(?:[\w$]+\.)*\w*(?:Error|Exception): (.*\S)", re.MULTILINE
)  # of Java or Python
WIDER_THAN_NUMPY = ("DECIMAL", "HUGEINT", "UHUGEINT")


def fetch(frame: Any) -> dict[str, Column]:
    """Run the query; return each column's values and the mask of its missing ones."""
    native = frame.to_native()
    if frame.implementation.is_duckdb():
        return _from_duckdb(native)
    if frame.implementation.is_polars():
        import narwhals as nw

        collected = nw.from_native(native.collect(engine="streaming"), eager_only=True)
    else:
        with spark_in_words():
            collected = frame.collect()
    return {name: read_column(collected.get_column(name), name) for name in collected.columns}


def fetch_one(frame: Any) -> dict[str, Any]:
    """Run a query whose answer is one row; return its values as Python's, whole numbers of any size as int."""
    return {name: _python(values[0]) for name, (values, _) in fetch(frame).items()}


def _python(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _from_duckdb(relation: Any) -> dict[str, Column]:
    """DuckDB's own arrays; numbers that NumPy has no type for come as Python's."""
    with duckdb_in_words():
        columns = _arrays(relation)
    return {name: read_column(values, name) for name, values in columns.items()}


@contextmanager
def duckdb_in_words() -> Iterator[None]:
    """What DuckDB cannot do becomes a sentence."""
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException as error:
        told = "DuckDB needs more than its memory limit"
        text = Sentence("{told}; {way_out}", told=told, way_out="raise it (SET memory_limit)")
        raise InputError("memory_limit", text) from error
    except (duckdb.Error, OSError) as error:  # pyarrow hands on what fails while rows stream as an OSError
        told = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
        raise InputError("engine_failed", f"DuckDB cannot count the rows: {printable(told, most=300)}") from error


@contextmanager
def spark_in_words() -> Iterator[None]:
    """What Spark cannot do becomes a sentence, out of the pages that it writes about it."""
    try:
        yield
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in ("pyspark", "py4j"):
            raise
        absent = ABSENT.search(str(error))
        if absent:
            remedy = "install it there, or let PYSPARK_PYTHON name a Python that has it"
            raise InputError("spark_workers", f"Spark's workers have no {absent[1]}: {remedy}") from error
        causes = CAUSE.findall(str(error)) or str(error).strip().splitlines()[:1]
        told = printable((causes or [type(error).__name__])[-1].strip(), most=300)
        raise InputError("engine_failed", f"Spark cannot count the rows: {told}") from error


def _arrays(relation: Any) -> dict[str, Any]:
    if not any(str(kind).startswith(WIDER_THAN_NUMPY) for kind in relation.types):
        columns: dict[str, Any] = relation.fetchnumpy()
        return columns
    rows = relation.fetchall()
    return {name: [row[place] for row in rows] for place, name in enumerate(relation.columns)}
