"""Hostile values: what databases, files, notebooks and typing mistakes hand to a function."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

ROWS = 24
HUGE = 10**400
LABELS = [1, 0, 1, 0, 0, 1, 0, 1] * (ROWS // 8)
SCORES = [((7 * row) % ROWS + 1) / (ROWS + 1) for row in range(ROWS)]
GROUPS = [row // 2 for row in range(ROWS)]
FOLDS = [row // 8 for row in range(ROWS)]

ODD_CELLS: tuple[Any, ...] = (
    None,
    math.nan,
    math.inf,
    -math.inf,
    -0.0,
    5e-324,
    1.7e308,
    2,
    -3,
    HUGE,
    -HUGE,
    2**63,
    2**53 + 1,
    Decimal("0.5"),
    Decimal("1e-999"),
    Decimal("1e999"),
    Decimal("NaN"),
    Decimal("sNaN"),
    Decimal("Infinity"),
    Fraction(1, 3),
    Fraction(HUGE, 3),
    Fraction(1, HUGE),
    1j,
    "a",
    "0.5",
    "\x1b[31m\u202e",
    b"a",
    True,
    np.float16(0.5),
    np.longdouble("0.1"),
    np.longdouble("1e4000"),
    np.float32("nan"),
    np.datetime64("NaT"),
    dt.date(2020, 1, 1),
    [1],
    [],
    {"a": 1},
    {1, 2},
    bytearray(b"a"),
    (1, 2),
    np.array([1, 2]),
    np.ma.masked,
    object,
)

WHOLE_COLUMNS: tuple[Callable[[], Any], ...] = (
    lambda: [Decimal(str(score)) for score in SCORES],
    lambda: [Decimal(str(score)) for score in SCORES[:-1]] + [np.longdouble("0.1")],
    lambda: [Fraction(row, ROWS) for row in range(ROWS)],
    lambda: [HUGE + row for row in range(ROWS)],
    lambda: [10**308 * (row + 1) for row in range(ROWS)],
    lambda: [2**53 + row for row in range(ROWS)],
    lambda: [[row] for row in range(ROWS)],
    lambda: _objects([[row % 2] for row in range(ROWS)]),
    lambda: _objects([{"a": row % 2} for row in range(ROWS)]),
    lambda: _objects([bytearray(bytes([row % 2])) for row in range(ROWS)]),
    lambda: _objects([{row % 2} for row in range(ROWS)]),
    lambda: _objects([np.array([row, 1]) for row in range(ROWS)]),
    lambda: [1e-300] * (ROWS // 2) + [1e300] * (ROWS // 2),
    lambda: [1e-150, 1e140] * (ROWS // 2),
    lambda: [5e-324] * ROWS,
    lambda: [1.7e308, 1.0] * (ROWS // 2),
    lambda: [0.0] * ROWS,
    lambda: [math.inf, -math.inf] * (ROWS // 2),
    lambda: [math.nan] * ROWS,
    lambda: [None] * ROWS,
    lambda: ["a", "b"] * (ROWS // 2),
    lambda: [b"a", b"b"] * (ROWS // 2),
    lambda: ["a", 1] * (ROWS // 2),
    lambda: np.zeros((ROWS, 2)),
    lambda: np.zeros((ROWS, 0)),
    lambda: np.array(SCORES, dtype=np.longdouble),
    lambda: np.array(SCORES, dtype=np.float16),
    lambda: np.array(SCORES, dtype=complex),
    lambda: np.array(SCORES, dtype=">f8"),
    lambda: np.array(range(ROWS), dtype="M8[D]"),
    lambda: np.array(range(ROWS), dtype="m8[s]"),
    lambda: np.array([(row, 1) for row in range(ROWS)], dtype=[("a", int), ("b", int)]),
    lambda: np.array([b"a", b"b"] * (ROWS // 2)),
    lambda: SCORES[:-1],
    list,
    lambda: SCORES[0],
    lambda: "text",
    lambda: b"bytes",
    lambda: {"a": SCORES},
    lambda: set(SCORES),
    lambda: iter(SCORES),
    lambda: (score for score in SCORES),
    object,
    lambda: 7,
    lambda: lambda: 1,
    lambda: range(ROWS),
    lambda: bytes(ROWS),
    lambda: bytearray(ROWS),
    lambda: memoryview(bytes(ROWS)),
    lambda: _polars([[row] for row in range(ROWS)]),
    lambda: _polars([{"a": row} for row in range(ROWS)]),
    lambda: _polars([Decimal(row) / 32 for row in range(ROWS)]),
    lambda: _polars([b"a", b"b"] * (ROWS // 2)),
    lambda: _arrow([[("k", row)] for row in range(ROWS)], "map"),
    lambda: _arrow([Decimal(row) / 32 for row in range(ROWS)]),
    lambda: _pandas([dt.datetime(2020, 1, 1 + row, tzinfo=dt.UTC) for row in range(ROWS)]),
)

OPTIONS: tuple[Any, ...] = (
    None,
    math.nan,
    math.inf,
    -math.inf,
    -1,
    0,
    1,
    2.5,
    0.5,
    5e-324,
    1e308,
    HUGE,
    -HUGE,
    Fraction(1, HUGE),
    Decimal("0.5"),
    Decimal("NaN"),
    Decimal("sNaN"),
    1j,
    True,
    "a",
    "",
    "auto",
    "\x1b[31m",
    b"a",
    [],
    [0.5],
    [0.5, 0.2],
    ["a"],
    (),
    (0, 1),
    (1, 0),
    (0.2, math.nan),
    ("a", "b"),
    (0, HUGE),
    {},
    {"a": 1},
    {1, 2},
    np.array([0.1, 0.2]),
    np.array(0.5),
    np.float32(0.5),
    np.longdouble("0.25"),
    np.random.default_rng(0),
    object(),
    lambda x: x,
)


def hostile_column(rng: random.Random, base: list[Any]) -> Any:
    """A column of an odd type, or a good one with a few odd cells, in some container."""
    if rng.random() < 0.4:
        return rng.choice(WHOLE_COLUMNS)()
    values = list(base)
    odd = rng.choice(ODD_CELLS)
    for row in rng.sample(range(ROWS), rng.choice((1, 2, ROWS // 2, ROWS))):
        values[row] = odd
    try:
        return rng.choice((list, tuple, _objects, _masked, _pandas, _polars, _arrow))(values)
    except Exception:  # this library cannot hold such a column
        return values


def _objects(values: list[Any]) -> Any:
    made = np.empty(len(values), dtype=object)
    for row, value in enumerate(values):
        made[row] = value
    return made


def _masked(values: list[Any]) -> Any:
    return np.ma.array(_objects(values), mask=[row == 3 for row in range(len(values))])


def _pandas(values: list[Any]) -> Any:
    import pandas as pd

    return pd.Series(values)


def _polars(values: list[Any]) -> Any:
    import polars as pl

    if any(isinstance(value, Decimal) and (not value.is_finite() or abs(value.adjusted()) > 30) for value in values):
        return values  # polars panics
    return pl.Series(values, strict=False)


def _arrow(values: list[Any], kind: str = "") -> Any:
    import pyarrow as pa

    return pa.array(values, pa.map_(pa.string(), pa.int64()) if kind else None)
