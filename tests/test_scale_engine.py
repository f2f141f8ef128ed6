"""Groups counted by an engine are those of rows in memory: every engine, every odd score, any partitions."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import rocsteady as rs
from rocsteady._src.ranked import RankedScores
from rocsteady._src.ranked.lazy.columns import is_lazy
from rocsteady._src.ranked.lazy.fetch import spark_in_words
from rocsteady.errors import ArgumentError, InputError
from scale_kit import ENGINES, awkward_columns, make_table

SCORES = ("tied", "big", "single")


def assert_same(got: RankedScores, want: RankedScores) -> None:
    assert got == want
    assert got.scores.dtype == want.scores.dtype
    assert got.pos.dtype == want.pos.dtype
    assert not np.signbit(np.asarray(got.scores[got.scores == 0], dtype=float)).any()
    assert got.fingerprint == want.fingerprint
    assert got.origin == want.origin


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("weight", [None, "w"])
def test_groups_of_an_engine_are_those_of_memory_to_the_bit(engine: str, score: str, weight: str | None) -> None:
    columns = awkward_columns()
    got = rs.scale.rank_table(make_table(engine, columns), label="y", score=score, weight=weight)
    want = rs.rank(columns["y"], columns[score], sample_weight=None if weight is None else columns[weight])
    assert_same(got, want)


@pytest.mark.parametrize(("engine", "partitions"), [("polars", 1), ("polars", 64), ("dask", 1), ("dask", 64)])
def test_partitions_and_the_order_of_rows_leave_no_trace(engine: str, partitions: int) -> None:
    columns = awkward_columns(200)
    order = np.random.default_rng(1).permutation(200)
    shuffled = {name: values[order] for name, values in columns.items()}
    got = rs.scale.rank_table(make_table(engine, shuffled, partitions), label="y", score="tied")
    assert_same(got, rs.rank(columns["y"], columns["tied"]))


@pytest.mark.parametrize("engine", ENGINES)
def test_empty_and_one_class_tables_are_ranked_as_in_memory(engine: str) -> None:
    ones = {"y": np.ones(6, dtype=np.int64), "s": np.array([0.1, 0.2, 0.2, 0.3, 0.4, 0.5])}
    assert_same(rs.scale.rank_table(make_table(engine, ones), label="y", score="s"), rs.rank(ones["y"], ones["s"]))
    nothing = {name: values[:0] for name, values in ones.items()}
    found = rs.scale.rank_table(make_table(engine, nothing, 1), label="y", score="s")
    assert_same(found, rs.rank(nothing["y"], nothing["s"]))
    with pytest.warns(rs.UndefinedWarning):
        assert rs.auc(found).reason == "empty"


def test_partitions_without_rows_or_of_one_class_add_up() -> None:
    dd = pytest.importorskip("dask.dataframe", reason="Dask is absent: pip install 'rocsteady[dask]'")
    columns = awkward_columns(90)
    frame = pa.table(columns).to_pandas()
    parts = [frame[frame["y"] == 1], frame[:0], frame[frame["y"] == 0]]
    table = dd.concat([dd.from_pandas(part, npartitions=1) for part in parts])
    assert_same(rs.scale.rank_table(table, label="y", score="tied"), rs.rank(columns["y"], columns["tied"]))


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_decimals_are_ranked_as_decimals(engine: str) -> None:
    values = [Decimal("0.10000000000000000001"), Decimal("0.10000000000000000002"), Decimal("0.10000000000000000001")]
    table = pa.table({"y": [1, 0, 0], "s": pa.array(values, pa.decimal128(30, 20))})
    found = rs.scale.rank_table(make_table(engine, table, 1), label="y", score="s")
    assert (found.pos.tolist(), found.neg.tolist()) == ([1, 0], [1, 1])


@pytest.mark.parametrize("engine", ENGINES)
def test_missing_values_are_refused_with_their_number_or_dropped_and_counted(engine: str) -> None:
    columns = awkward_columns(60) | {"s": np.linspace(0, 1, 60), "t": np.linspace(0, 1, 60)}
    columns["y"] = np.arange(60) % 2
    columns["s"][[3, 5, 8]], columns["t"][[5, 9]] = np.nan, np.nan
    table = make_table(engine, columns)
    with pytest.raises(InputError, match=r"s: 3 missing \(2 in positive rows, 1 in others\); t: 2 missing") as error:
        rs.scale.rank_table(table, label="y", score=["s", "t"])
    assert error.value.code == "missing_values"
    found = rs.scale.rank_table(table, label="y", score=["s", "t"], missing="drop")
    whole = ~(np.isnan(columns["s"]) | np.isnan(columns["t"]))
    for name in ("s", "t"):
        assert found[name] == rs.rank(columns["y"][whole], columns[name][whole])
        assert (found[name].origin.n_rows, found[name].origin.n_dropped) == (56, 4)


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_nulls_of_any_column_are_missing(engine: str) -> None:
    table = pa.table({"y": [1, 0, None, 1], "s": [2**60, 1, 5, None], "w": [1, None, 1, 1]})
    with pytest.raises(InputError, match=r"y: 1 missing; s: 1 missing .*; w: 1 missing"):
        rs.scale.rank_table(make_table(engine, table, 1), label="y", score="s", weight="w")
    found = rs.scale.rank_table(make_table(engine, table, 1), label="y", score="s", weight="w", missing="drop")
    assert (found.scores.tolist(), found.origin.n_dropped) == ([2**60], 3)


LABELS: dict[str, tuple[list[Any], Any]] = {
    "minus one": ([1, -1, 1, -1], None),
    "booleans": ([True, False, True, False], None),
    "floats": ([1.0, 0.0, 1.0, 0.0], None),
    "text": (["sick", "well", "sick", "well"], "sick"),
    "named number": ([2, 1, 2, 1], 2),
    "named boolean": ([True, False, True, False], False),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", LABELS)
def test_labels_mean_what_they_mean_in_memory(engine: str, kind: str) -> None:
    labels, pos_label = LABELS[kind]
    table = make_table(engine, {"y": labels, "s": [4.0, 2.0, 2.0, 1.0]}, 2)
    got = rs.scale.rank_table(table, label="y", score="s", pos_label=pos_label)
    assert_same(got, rs.rank(labels, [4.0, 2.0, 2.0, 1.0], pos_label=pos_label))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("labels", "pos_label"),
    [
        (["a", "b", "a"], None),
        ([1, 2, 1], None),
        ([0, -1, 1], None),
        (["a", "b", "a"], "c"),
        (["a", "b", "a"], 1),
        ([0, 1, 0], "1"),
        ([0, 1, 0], 1j),
    ],
)
def test_labels_are_refused_as_in_memory(engine: str, labels: list[Any], pos_label: Any) -> None:
    with pytest.raises(InputError) as expected:
        rs.rank(labels, [1.0, 2.0, 3.0], pos_label=pos_label)
    table = make_table(engine, {"y": labels, "s": [1.0, 2.0, 3.0]}, 1)
    with pytest.raises(InputError) as error:
        rs.scale.rank_table(table, label="y", score="s", pos_label=pos_label)
    assert error.value.code == expected.value.code


@pytest.mark.parametrize("engine", ENGINES)
def test_fractional_weights_add_up_to_rounding(engine: str) -> None:
    columns = awkward_columns() | {"v": np.random.default_rng(3).random(600)}
    got = rs.scale.rank_table(make_table(engine, columns), label="y", score="tied", weight="v")
    want = rs.rank(columns["y"], columns["tied"], sample_weight=columns["v"])
    np.testing.assert_array_equal(got.scores, want.scores)
    np.testing.assert_allclose(got.pos, want.pos, rtol=1e-13)
    np.testing.assert_allclose(got.neg, want.neg, rtol=1e-13)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("bad", "code"), [(-1.0, "weights_negative"), (np.inf, "weights_not_finite")])
def test_wrong_weights_are_refused_with_their_number(engine: str, bad: float, code: str) -> None:
    table = make_table(engine, {"y": [1, 0, 1, 0], "s": [1.0, 2.0, 3.0, 4.0], "w": [1.0, bad, 1.0, bad]}, 2)
    with pytest.raises(InputError, match="w: 2 ") as error:
        rs.scale.rank_table(table, label="y", score="s", weight="w")
    assert error.value.code == code


@pytest.mark.parametrize("engine", ENGINES)
def test_by_splits_the_rows(engine: str) -> None:
    columns = awkward_columns()
    table = make_table(engine, columns)
    found = rs.scale.rank_table(table, label="y", score=["tied", "big"], by="g")
    assert list(found) == ["north", "south"]
    for value, models in found.items():
        chosen = columns["g"] == value
        for name, groups in models.items():
            assert_same(groups, rs.rank(columns["y"][chosen], columns[name][chosen]))
    pairs = rs.scale.rank_table(table, label="y", score="tied", by=["g", "w"])
    assert set(pairs) == {(g, w) for g in ("north", "south") for w in range(4)}
    assert rs.merge(*pairs.values()) == rs.rank(columns["y"], columns["tied"])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("resolution", [0.01, 0.3])
def test_rounding_is_asked_for_and_said(engine: str, resolution: float) -> None:
    columns = awkward_columns()
    scores = columns["single"].astype(np.float64)
    got = rs.scale.rank_table(make_table(engine, columns), label="y", score="single", resolution=resolution)
    cells = np.floor(scores * 100 + 0.5) / 100 if resolution == 0.01 else np.floor(scores / 0.3 + 0.5) * 0.3
    assert got == rs.rank(columns["y"], cells)
    assert got.origin.resolution == resolution
    assert got.origin.to_dict()["resolution"] == resolution
    assert np.abs(cells - scores).max() <= resolution / 2 * (1 + 1e-9)
    with pytest.raises(ArgumentError, match="rounded differently"):
        rs.merge(got, rs.rank(columns["y"], cells))


@pytest.mark.parametrize("engine", ENGINES)
def test_more_groups_than_memory_holds_are_refused_with_the_remedy(engine: str) -> None:
    with pytest.raises(InputError, match=r"scale\.sketch_table") as error:
        rs.scale.rank_table(make_table(engine, awkward_columns()), label="y", score="single", most_groups=100)
    assert error.value.code == "too_many_groups"


def test_bad_arguments_name_the_column() -> None:
    table = make_table("polars", {"y": [1, 0], "s": [1.0, 2.0], "t": ["a", "b"]}, 1)
    for options, code in [
        ({"score": "absent"}, "column_absent"),
        ({"score": "t"}, "score_type"),
        ({"score": "y"}, "column_twice"),
        ({"score": []}, "no_scores"),
        ({"score": "s", "missing": "guess"}, "missing_policy"),
        ({"score": "s", "resolution": -1.0}, "resolution"),
        ({"score": "s", "weight": "t"}, "weight_type"),
    ]:
        with pytest.raises((InputError, ArgumentError)) as error:
            rs.scale.rank_table(table, label="y", **options)
        assert error.value.code == code
    with pytest.raises(InputError, match="dict"):
        rs.scale.rank_table({"y": [1]}, label="y", score="s")


def test_only_tables_of_engines_are_lazy() -> None:
    columns = {"y": [1, 0], "s": [1.0, 2.0]}
    assert is_lazy(make_table("duckdb", columns))
    assert not is_lazy(columns)
    assert not is_lazy(pa.table(columns))
    assert not is_lazy([1, 2])


def test_names_that_differ_in_case_are_not_mixed() -> None:
    """DuckDB answered with the first of two columns, A and a, where a was asked for."""
    import duckdb

    y, wrong, right = [1, 0, 1, 0], [1, 2, 3, 4], [4, 3, 3, 1]
    table = pa.table({"y": y, "one": wrong, "two": right})
    relation = duckdb.connect().from_arrow(table).project('y, one AS "A", two AS "a"')
    with pytest.raises(InputError, match="'a' and 'A' differ in case only"):
        rs.scale.rank_table(relation, label="y", score="a")
    table = make_table("polars", {"y": y, "A": wrong, "a": right})
    assert rs.auc(table, "a", label="y") == rs.auc(y, right)


@pytest.mark.parametrize("module", ["rocsteady", "pyarrow"])
def test_what_the_workers_of_spark_lack_is_named_with_the_remedy(module: str) -> None:
    class PySparkError(Exception):
        __module__ = "pyspark.errors"

    with (
        pytest.raises(InputError, match=f"Spark's workers have no {module}: install it there, or let PYSPARK_PYTHON"),
        spark_in_words(),
    ):
        raise PySparkError(f"...\n  ModuleNotFoundError: No module named '{module}.compute'\n...")
