"""Bucket counts that any SQL engine makes: the query, and the sketch of what it returns."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.scale.sketch import Sketch
from rocsteady._src.scale.sketch_keys import Grid

if TYPE_CHECKING:
    from numpy.typing import NDArray

COLUMNS = ("bucket", "positives", "negatives", "others")


@typed
def bucket_sql(
    table: str,
    *,
    label: str,
    score: str,
    range: tuple[float, float],  # noqa: A002 - as Sketch calls it
    bits: int = 16,
    pos_label: Any = None,
) -> str:
    """The SQL that counts a table in the buckets of a sketch, for a warehouse where rows cannot leave.

    What it returns, at most 2**bits + 3 lines, goes to :func:`sketch_buckets` with the same ``bits`` and ``range``.

    Parameters
    ----------
    table : str
        Name of the table; dots part schema and table.
    label, score : str
        Columns; the score is a double, higher means more positive.
    range : (float, float)
        Where the scores lie. Rows outside are counted in two outer buckets.
    bits : int
        There are 2**bits buckets.
    pos_label : optional
        The label of the positive class; without it labels are 0 and 1.

    Examples
    --------
    >>> import duckdb
    >>> from rocsteady.scale import Sketch, bucket_sql, sketch_buckets
    >>> rows = duckdb.sql("SELECT i % 3 = 0 AS y, (i * 37 % 1000) / 1000.0::DOUBLE AS s FROM range(5000) AS t(i)")
    >>> query = bucket_sql("rows", label="y", score="s", range=(0, 1), pos_label=True)
    >>> found = sketch_buckets(*zip(*duckdb.sql(query).fetchall()), range=(0, 1), pos_label=True)
    >>> y, s = (rows.fetchnumpy()[name] for name in ("y", "s"))
    >>> found == Sketch(16, (0, 1), capacity=0).update(y, s, pos_label=True)
    True
    """
    grid = Grid(bits, (float(range[0]), float(range[1])))
    low, high = grid.range or (0.0, 1.0)
    s, y, last = _name(score), _name(label), 2**bits
    step = f"FLOOR(({s} - {_double(low)}) * {_double(last / (high - low))})"
    positive = f"{y} = {_literal(1 if pos_label is None else pos_label)}"
    negative = f"{y} = 0" if pos_label is None else f"{y} <> {_literal(pos_label)}"
    return "\n".join(
        [
            "SELECT bucket, SUM(positive) AS positives, SUM(negative) AS negatives,",
            "  SUM(1 - positive - negative) AS others",
            "FROM (SELECT CASE",
            f"    WHEN {s} IS NULL OR NOT ({s} - {s} = 0) THEN -1",  # also NaN and infinities, on every engine
            f"    WHEN {s} < {_double(low)} THEN 0",
            f"    WHEN {s} > {_double(high)} THEN {last + 1}",
            f"    WHEN {step} >= {last} THEN {last}",
            f"    ELSE CAST({step} AS BIGINT) + 1 END AS bucket,",
            f"  CASE WHEN {positive} THEN 1 ELSE 0 END AS positive,",
            f"  CASE WHEN {negative} THEN 1 ELSE 0 END AS negative",
            f"  FROM {'.'.join(map(_name, table.split('.')))}) AS counted",
            "GROUP BY bucket ORDER BY bucket",
        ]
    )


def _name(text: object) -> str:
    if not isinstance(text, str) or not text or "\0" in text:
        raise ArgumentError("column", f"a name of SQL is a text that is not empty, got {text!r}")
    return '"' + text.replace('"', '""') + '"'


def _double(value: float) -> str:
    return f"CAST({value!r} AS DOUBLE PRECISION)"


def _literal(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "TRUE" if value else "FALSE"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, str) and "\0" not in value and "\\" not in value:
        return "'" + value.replace("'", "''") + "'"
    raise ArgumentError("pos_label", f"pos_label of SQL is a whole number, a truth value or plain text, got {value!r}")


@typed
def sketch_buckets(
    bucket: object,
    positives: object,
    negatives: object,
    others: object = None,
    *,
    range: tuple[float, float] | None,  # noqa: A002 - as Sketch calls it
    bits: int = 16,
    pos_label: Any = 1,
) -> Sketch:
    """The sketch of rows that were counted by bucket elsewhere, such as by :func:`bucket_sql`.

    Parameters
    ----------
    bucket, positives, negatives : array-like of whole numbers
        Numbers of buckets, as docs/sketch_files.md defines them, and the rows of each class in them.
    others : array-like of whole numbers, optional
        Rows of neither class; any are refused, as are rows of bucket -1, whose score is missing or not finite.
    range, bits : as in :class:`Sketch`
        Those that rows were counted by.
    pos_label : object
        What the positive class is called.

    Examples
    --------
    >>> from rocsteady.scale import sketch_buckets
    >>> print(sketch_buckets([3, 40_000], [1, 5], [4, 2], range=(0, 1)).auc())
    0.75 [0.555556, 0.944444] (exact=False, sketch bracket)
    """
    columns = {
        name: _whole(values, name)
        for name, values in zip(COLUMNS, (bucket, positives, negatives, others), strict=True)
        if values is not None
    }
    places, pos, neg = (columns[name] for name in COLUMNS[:3])
    if len({column.size for column in columns.values()}) != 1:
        raise ArgumentError("buckets", "bucket, positives and negatives must be of the same length")
    without = int((pos + neg + columns.get("others", 0 * pos))[places == -1].sum())
    if without:
        text = f"{format_count(without)} rows have no score, or one that is not finite"
        raise InputError("missing_values", f"{text}; leave them out by a WHERE of your own, knowingly")
    if "others" in columns and columns["others"].any():
        text = f"{format_count(int(columns['others'].sum()))} rows are of neither class"
        raise InputError("labels_other", f"{text}; name the positive label with pos_label, or leave these rows out")
    sketch, there = Sketch(bits, range, capacity=0), places != -1
    sketch.take_buckets(places[there], pos[there], neg[there], pos_label)
    return sketch


def _whole(values: Any, name: str) -> NDArray[np.int64]:
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise ArgumentError("buckets", f"{name} must hold whole numbers, a column of them")
    found = np.asarray([0 if value is None else value for value in values], dtype=object)
    known = (numbers.Real, Decimal)  # some drivers give sums as decimals
    if not all(not isinstance(value, bool) and isinstance(value, known) and value % 1 == 0 for value in found):
        raise ArgumentError("buckets", f"{name} must hold whole numbers")
    whole = found.astype(np.int64)
    if name != "bucket" and (whole < 0).any():
        raise ArgumentError("buckets", f"{name} must not be below 0")
    return whole
