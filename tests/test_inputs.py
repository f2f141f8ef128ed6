"""The same rows in any container, of any type, through any door: the same groups and the same AUC, bit for bit."""

from __future__ import annotations

import array
from collections import UserList, deque
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from cases import Decorator, each_case
from rocsteady._src.inputs.arrays import read_column

if TYPE_CHECKING:
    from collections.abc import Callable

LABELS = [1, 0, 1, 1, 0, 0, 1, 0]
SCORES = [0.75, 0.25, 0.5, 0.25, 0.5, 0.125, 1.0, 0.0]  # exact in half precision, with ties in and between classes
WHOLE = [6, 2, 4, 2, 4, 1, 8, 0]
WEIGHTS = [2, 1, 3, 1, 1, 5, 1, 2]
REFERENCE = rs.rank(LABELS, SCORES)
WEIGHTED = rs.rank(LABELS, SCORES, sample_weight=WEIGHTS)


def assert_same(groups: rs.RankedScores, reference: rs.RankedScores) -> None:
    assert groups == reference
    assert groups.pos.dtype == groups.neg.dtype == np.int64
    assert rs.auc(groups).hex() == rs.auc(reference).hex()
    assert groups.fingerprint == reference.fingerprint


def pandas_of(dtype: Any) -> Callable[[Any], pd.Series]:
    return lambda values: pd.Series(values, dtype=dtype)


def numpy_of(dtype: Any) -> Callable[[Any], np.ndarray]:
    return lambda values: np.array(values, dtype=dtype)


def polars_of(dtype: Any) -> Callable[[Any], pl.Series]:
    return lambda values: pl.Series(values, dtype=dtype, strict=False)


def chunked(values: Any) -> pa.ChunkedArray:
    return pa.chunked_array([values[:3], values[3:3], values[3:]])


SEQUENCES: dict[str, Callable[[Any], Any]] = {
    "list": list,
    "tuple": tuple,
    "deque": deque,
    "user list": UserList,
    "pandas": pd.Series,
    "pandas object": pandas_of(object),
    "pandas index": pd.Index,
    "pandas array": pd.array,
    "pandas category": pandas_of("category"),
    "pandas shuffled index": lambda values: pd.Series(values, index=[7, 0, 3, 1, 2, 6, 5, 4]),
    "polars": pl.Series,
    "polars object": polars_of(pl.Object),
    "pyarrow": pa.array,
    "pyarrow chunked": chunked,
    "pyarrow dictionary": lambda values: pa.array(values).dictionary_encode(),
    "narwhals polars": lambda values: nw.from_native(pl.Series(values), series_only=True),
    "narwhals pandas": lambda values: nw.from_native(pd.Series(values), series_only=True),
    "numpy": np.array,
    "numpy object": numpy_of(object),
    "numpy masked": np.ma.masked_array,
    "numpy strided": lambda values: np.repeat(values, 2)[::2],
    "numpy reversed": lambda values: np.array(values[::-1])[::-1],
    "numpy read-only": lambda values: np.frombuffer(np.array(values).tobytes(), dtype=np.array(values).dtype),
}
FLOATS: dict[str, Callable[[Any], Any]] = {
    **{f"numpy {np.dtype(t).str}": numpy_of(t) for t in ("f2", "f4", "f8", "g", ">f8", ">f4")},
    "array module": lambda values: array.array("d", values),
    "pandas Float64": pandas_of("Float64"),
    "pandas float32": pandas_of("float32"),
    "pandas arrow": pandas_of("double[pyarrow]"),
    "pandas sparse": pandas_of(pd.SparseDtype("float64")),
    "polars Float32": polars_of(pl.Float32),
    "pyarrow half": lambda values: pa.array(np.array(values, dtype=np.float16)),
    "pyarrow float": lambda values: pa.array(values, pa.float32()),
    "decimals": lambda values: [Decimal(value) for value in values],
    "fractions": lambda values: [Fraction(value) for value in values],
    "polars Decimal": lambda values: pl.Series([Decimal(value) for value in values], dtype=pl.Decimal(12, 4)),
    "pyarrow decimal": lambda values: pa.array([Decimal(value) for value in values], pa.decimal128(12, 4)),
    "pandas decimal": lambda values: pd.Series(
        [Decimal(value) for value in values], dtype=pd.ArrowDtype(pa.decimal128(12, 4))
    ),
    "numpy scalars": lambda values: [np.float32(value) for value in values],
    "mixed numbers": lambda values: [Decimal(values[0]), Fraction(values[1]), np.float16(values[2]), *values[3:]],
}
INTEGERS: dict[str, Callable[[Any], Any]] = {
    **{f"numpy {np.dtype(t).str}": numpy_of(t) for t in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i8", ">u2")},
    **{f"pandas {t}": pandas_of(t) for t in ("Int8", "Int64", "UInt16", "int64[pyarrow]", "uint8[pyarrow]")},
    **{f"polars {t}": polars_of(t) for t in (pl.Int8, pl.Int64, pl.UInt64, pl.Int128, pl.Decimal(10, 0))},
    "pyarrow uint8": lambda values: pa.array(values, pa.uint8()),
    "bytes view": lambda values: memoryview(bytes(values)),
    "decimals": lambda values: [Decimal(value) for value in values],
    "floats": numpy_of(float),
}
BOOLEANS: dict[str, Callable[[Any], Any]] = {
    "numpy bool": numpy_of(bool),
    "pandas boolean": pandas_of("boolean"),
    "pandas bool": pandas_of(bool),
    "pandas arrow": pandas_of("bool[pyarrow]"),
    "polars Boolean": polars_of(pl.Boolean),
    "pyarrow bool": lambda values: pa.array([bool(value) for value in values]),
    "python bools": lambda values: [bool(value) for value in values],
    "object bools": lambda values: np.array([bool(value) for value in values], dtype=object),
}


def cases(*tables: dict[str, Callable[[Any], Any]]) -> Decorator:
    pairs = {key: make for table in tables for key, make in table.items()}
    return each_case("make", pairs.values(), ids=pairs)


@cases(SEQUENCES, FLOATS)
def test_score_containers(make: Callable[[Any], Any]) -> None:
    assert_same(rs.rank(LABELS, make(SCORES)), REFERENCE)
    assert_same(rs.rank(LABELS, make(SCORES), sample_weight=WEIGHTS), WEIGHTED)


@cases(SEQUENCES, INTEGERS)
def test_integer_score_containers(make: Callable[[Any], Any]) -> None:
    assert_same(rs.rank(LABELS, make(WHOLE)), rs.rank(LABELS, WHOLE))


@cases(SEQUENCES, INTEGERS, BOOLEANS)
def test_label_containers(make: Callable[[Any], Any]) -> None:
    groups = rs.rank(make(LABELS), SCORES)
    assert_same(groups, REFERENCE)
    assert groups.origin.pos_label == 1


@cases(SEQUENCES, INTEGERS)
def test_weight_containers(make: Callable[[Any], Any]) -> None:
    groups = rs.rank(LABELS, SCORES, sample_weight=make(WEIGHTS))
    assert groups == WEIGHTED
    assert rs.auc(groups) == rs.auc(WEIGHTED)


TEXT: dict[str, Callable[[Any], Any]] = {
    "numpy text": numpy_of("U3"),
    "numpy variable text": numpy_of(np.dtypes.StringDType()),
    "pandas string": pandas_of("string"),
    "pandas arrow string": pandas_of("string[pyarrow]"),
    "pandas arrow dictionary": pandas_of(pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string()))),
    "pandas ordered": pandas_of(pd.CategoricalDtype(["yes", "no", "maybe"], ordered=True)),
    "polars Categorical": polars_of(pl.Categorical),
    "polars Enum": polars_of(pl.Enum(["yes", "no"])),
    "pyarrow large": lambda values: pa.array(values, pa.large_string()),
    "pyarrow view": lambda values: pa.array(values, pa.string_view()),
    "pyarrow chunked dictionary": lambda values: chunked(values).dictionary_encode(),
}


@cases(SEQUENCES, TEXT)
def test_text_label_containers(make: Callable[[Any], Any]) -> None:
    words = ["yes" if label else "no" for label in LABELS]
    groups = rs.rank(make(words), SCORES, pos_label="yes")
    assert_same(groups, REFERENCE)
    assert_same(rs.rank(make(words), make(words), pos_label="yes"), rs.rank(LABELS, LABELS))


def test_ranges() -> None:
    assert_same(rs.rank(range(2), range(5, 7)), rs.rank([0, 1], [5, 6]))
    assert_same(rs.rank(range(1, -1, -1), range(2)), rs.rank([1, 0], [0, 1]))


NULLABLE: dict[str, Callable[[Any], Any]] = {
    "list": list,
    "numpy object": numpy_of(object),
    "numpy masked": lambda values: np.ma.masked_array(
        [value or 0 for value in values], mask=[value is None for value in values]
    ),
    "pandas Int64": pandas_of("Int64"),
    "pandas arrow": pandas_of("int64[pyarrow]"),
    "pandas object": pandas_of(object),
    "polars": pl.Series,
    "polars Int128": polars_of(pl.Int128),
    "pyarrow": pa.array,
    "pyarrow chunked": chunked,
    "pyarrow dictionary": lambda values: pa.array(values).dictionary_encode(),
    "narwhals": lambda values: nw.from_native(pl.Series(values), series_only=True),
    "pandas category": lambda values: pd.Series(values, dtype=pd.CategoricalDtype(sorted(set(values) - {None}))),
}


@cases(NULLABLE)
def test_integers_beside_nulls_stay_exact(make: Callable[[Any], Any]) -> None:
    big = 2**53
    scores = make([big + 1, big, None, big + 2, big + 1, None, big + 3, big])
    groups = rs.rank(LABELS, scores, missing="drop")
    assert groups.scores.tolist() == [big, big + 1, big + 2, big + 3]
    assert (groups.pos.tolist(), groups.neg.tolist()) == ([0, 1, 1, 1], [2, 1, 0, 0])
    assert groups.origin.n_dropped == 2


@cases(NULLABLE)
def test_labels_and_weights_beside_nulls(make: Callable[[Any], Any]) -> None:
    kept = [0, 1, 3, 4, 6, 7]
    dropped = [value if row in kept else None for row, value in enumerate(LABELS)]
    plain = rs.rank([LABELS[row] for row in kept], [SCORES[row] for row in kept])
    assert_same(rs.rank(make(dropped), SCORES, missing="drop"), plain)
    weights = [1 if row in kept else None for row in range(8)]
    assert rs.rank(LABELS, SCORES, sample_weight=make(weights), missing="drop") == plain


@pytest.mark.parametrize("empty", [[], (), np.array([]), pd.Series([], dtype="str"), pl.Series([], dtype=pl.String)])
def test_columns_without_rows(empty: Any) -> None:
    groups = rs.rank(empty, [])
    assert (groups.scores.size, groups.n_pos, groups.n_neg, groups.origin.n_rows) == (0, 0, 0, 0)


def test_nan_and_null_are_both_missing_in_nullable_floats() -> None:
    for column in (
        pl.Series([0.1, float("nan"), None, 0.4]),
        pa.array([0.1, float("nan"), None, 0.4]),
        pd.Series([0.1, float("nan"), None, 0.4], dtype="Float64"),
        np.ma.masked_array([0.1, float("nan"), 0.3, 0.4], mask=[0, 0, 1, 0]),
    ):
        values, missing = read_column(column, "score")
        assert missing is not None
        assert missing.tolist() == [False, True, True, False]
        assert values[~missing].tolist() == [0.1, 0.4]


def test_a_column_without_gaps_has_no_mask() -> None:
    for column in (
        [1, 2],
        np.array([1.0]),
        pl.Series([1, 2]),
        pd.Series(["a"]),
        np.ma.masked_array([1, 2], mask=False),
    ):
        assert read_column(column, "score")[1] is None


def test_plain_arrays_are_neither_copied_nor_changed() -> None:
    scores = np.array(SCORES)
    assert read_column(scores, "score")[0] is scores
    before = scores.copy()
    rs.rank(np.array(LABELS), scores)
    assert np.array_equal(scores, before)
    assert scores.flags.writeable


def test_inputs_are_left_alone_when_zeros_and_nulls_are_treated() -> None:
    scores = np.array([-0.0, 0.0, 1.0, -0.0])
    labels = np.array([1, 0, 1, 0])
    rs.rank(labels, scores)
    assert np.signbit(scores).tolist() == [True, False, False, True]


TABLES: dict[str, Callable[[Any], Any]] = {
    "dict": dict,
    "dict of arrays": lambda table: {name: np.array(column) for name, column in table.items()},
    "dict of series": lambda table: {name: pl.Series(column) for name, column in table.items()},
    "pandas": pd.DataFrame,
    "pandas nullable": lambda table: pd.DataFrame(table).convert_dtypes(),
    "pandas arrow": lambda table: pd.DataFrame(table).convert_dtypes(dtype_backend="pyarrow"),
    "pandas shuffled index": lambda table: pd.DataFrame(table, index=[3, 1, 2, 0, 7, 6, 5, 4]),
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "narwhals": lambda table: nw.from_native(pl.DataFrame(table)),
}


@cases(TABLES)
def test_tables_of_any_library(make: Callable[[Any], Any]) -> None:
    columns = {"y": LABELS, "a": SCORES, "b": WHOLE, "w": WEIGHTS, "unused": ["?"] * 8}
    evaluation = rs.evaluate(make(columns), label="y", scores=["a", "b"], weight="w", threshold="youden")
    reference = rs.evaluate(columns, label="y", scores=["a", "b"], weight="w", threshold="youden")
    assert evaluation.to_dict() == reference.to_dict()
    assert_same(evaluation.ranked["a"], WEIGHTED)


WITH_NULLS: dict[str, Callable[[Any], Any]] = {
    "dict": dict,
    "dict of series": TABLES["dict of series"],
    "pandas nullable": lambda table: pd.DataFrame({name: pd.array(column) for name, column in table.items()}),
    "pandas object": lambda table: pd.DataFrame(table, dtype=object),
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
}


@cases(WITH_NULLS)
def test_tables_drop_rows_jointly_and_stay_exact(make: Callable[[Any], Any]) -> None:
    big = 2**53
    columns = {"y": [1, 0, None, 0], "a": [big + 1, big, 7, None], "b": [0.5, 0.25, 0.75, 0.5]}
    evaluation = rs.evaluate(make(columns), label="y", scores=["a", "b"], missing="drop")
    assert evaluation.ranked["a"].scores.tolist() == [big, big + 1]
    assert evaluation.ranked["b"].scores.tolist() == [0.25, 0.5]
    assert evaluation.origin.n_dropped == 2


def test_columns_may_have_other_names_than_text() -> None:
    table = pd.DataFrame({0: LABELS, 1: SCORES, 2: WHOLE})
    assert_same(rs.evaluate(table, label=0, scores=[1, 2]).ranked[1], REFERENCE)


@given(
    st.lists(
        st.one_of(st.integers(-(2**70), 2**70), st.floats(allow_nan=False), st.fractions(), st.booleans()),
        min_size=2,
        max_size=12,
    )
)
def test_mixed_python_numbers_rank_as_python_orders_them(scores: list[Any]) -> None:
    labels = [row % 2 for row in range(len(scores))]
    for column in (scores, tuple(scores), np.array([*scores, None], dtype=object)[:-1]):
        groups = rs.rank(labels, column)
        assert groups.scores.tolist() == sorted(set(scores))
        assert groups.n_pos == sum(labels)
