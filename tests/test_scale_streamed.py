"""Models that meet as rows stream by: the sums of the engine's join, number for number, and every score's own group."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from cases import each_case
from rocsteady._src.ranked import read_models
from rocsteady._src.ranked.lazy import paired, streamed
from rocsteady._src.ranked.lazy.floors import with_floors
from rocsteady._src.ranked.lazy.lazy_rows import LazyRows, lazy_rows
from rocsteady._src.ranked.lazy.paired import joined_sums, pair_models
from rocsteady._src.ranked.lazy.places import Places
from rocsteady._src.ranked.lazy.streamed import can_stream, streamed_sums
from rocsteady._src.ranked.placements import Limbs, placement_sums
from rocsteady.errors import InputError
from scale_kit import awkward_columns, make_table

HERE = ("duckdb", "polars")
MODELS = ["tied", "big", "single", "p"]


def both_sums(rows: LazyRows) -> tuple[Any, Any]:
    groups = tuple(rows.rank().values())
    limbs = Limbs.of(groups[0].n_pos, groups[0].n_neg)
    assert can_stream(rows, groups)
    return streamed_sums(rows, groups, limbs), joined_sums(rows, groups, limbs)


def with_gaps(columns: dict[str, Any]) -> dict[str, Any]:
    gap = np.arange(columns["y"].size) % 7 == 3
    return columns | {"p": np.where(gap, np.nan, columns["p"]), "big": np.ma.masked_array(columns["big"], gap[::-1])}


def in_arrow(columns: dict[str, Any]) -> pa.Table:
    def column(values: Any) -> pa.Array:
        mask = getattr(values, "mask", None)
        return pa.array(values.data, mask=mask) if mask is not None else pa.array(values)

    return pa.table({name: column(values) for name, values in columns.items()})


@each_case("engine", HERE)
@each_case(
    "how",
    [
        {},
        {"weight": "w", "weight_type": "frequency"},
        {"missing": "drop"},
        {"missing": "drop", "weight": "w", "weight_type": "frequency"},
        {"resolution": 0.1},
        {"resolution": 0.3},
    ],
)
def test_streamed_sums_are_those_of_the_join(how: dict[str, Any], engine: str) -> None:
    columns = awkward_columns()
    table = make_table(engine, in_arrow(with_gaps(columns) if "missing" in how else columns))
    here, there = both_sums(lazy_rows(table, label="y", scores=MODELS, **how))
    assert here == there


@pytest.mark.parametrize("engine", HERE)
def test_batches_blocks_and_threads_change_nothing(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = lazy_rows(make_table(engine, awkward_columns(3000)), label="y", scores=MODELS)
    _, there = both_sums(rows)
    monkeypatch.setattr(streamed, "BLOCK", 37)
    monkeypatch.setattr(streamed, "BATCH_VALUES", 1000)
    monkeypatch.setattr(streamed, "MANY_ROWS", 0)
    monkeypatch.setattr(streamed, "workers", lambda _: 3)
    assert both_sums(rows)[0] == there


@pytest.mark.parametrize("engine", HERE)
def test_scores_rounded_down_to_steps_meet_too(engine: str) -> None:
    rows = lazy_rows(make_table(engine, awkward_columns()), label="y", scores=["tied", "single", "p"])
    here, there = both_sums(with_floors(rows, {"p": 0.3}, 200))
    assert here == there


def test_placements_too_long_for_half_a_number_are_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = lazy_rows(make_table("duckdb", awkward_columns()), label="y", scores=MODELS)
    monkeypatch.setattr(streamed, "HALF", 4)
    here, there = both_sums(rows)
    assert here == there


@pytest.mark.parametrize("limbs", [Limbs(3, 4), Limbs(10, 1), Limbs(1, 12)])
def test_limbs_of_any_length_give_the_same_sums(limbs: Limbs) -> None:
    rows = lazy_rows(make_table("duckdb", awkward_columns(200)), label="y", scores=MODELS)
    groups = tuple(rows.rank().values())
    assert streamed_sums(rows, groups, limbs) == joined_sums(rows, groups, Limbs.of(groups[0].n_pos, groups[0].n_neg))


@pytest.mark.parametrize("engine", HERE)
def test_a_table_that_changes_before_the_joint_pass_is_noticed(engine: str) -> None:
    columns = awkward_columns()
    rows = lazy_rows(make_table(engine, columns), label="y", scores=["p", "q"])
    ranked = rows.rank()
    moved, fewer = columns["p"].copy(), {name: values[:-1] for name, values in columns.items()}
    moved[5] += 0.00001  # a score of no group
    swapped = columns["p"].copy()
    swapped[0] = swapped[1] = columns["p"].max()  # scores that are groups, of other rows
    for changed in (columns | {"p": moved}, columns | {"p": swapped}, columns | {"y": 1 - columns["y"]}, fewer):
        later = lazy_rows(make_table(engine, changed), label="y", scores=["p", "q"])
        with pytest.raises(InputError, match="changed") as error:
            _ = pair_models(replace(rows, columns=later.columns), ranked).products
        assert error.value.code == "table_changed"


def test_scores_that_numpy_would_round_are_left_to_the_engine() -> None:
    y = np.arange(8) % 2
    decimals = [Decimal(k) / 10 for k in (3, 1, 4, 1, 5, 9, 2, 6)]
    unsigned = np.arange(8, dtype=np.uint64) + 2**63
    for first, second, streams in (
        (decimals, np.arange(8.0), False),
        (unsigned, y == 1, False),
        (unsigned, unsigned[::-1], True),
    ):
        typed = pa.array(first, type=pa.decimal128(38, 1)) if first is decimals else first
        rows = lazy_rows(make_table("duckdb", {"y": y, "a": typed, "b": second}), label="y", scores=["a", "b"])
        ranked = rows.rank()
        assert can_stream(rows, tuple(ranked.values())) is streams
        memory = placement_sums(read_models(y, {"a": first, "b": second}))
        assert pair_models(rows, ranked).products == memory.products


def test_a_comparison_of_many_different_scores_stays_in_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    table = make_table("duckdb", awkward_columns())
    few = rs.compare_auc(table, "p", "single", label="y")
    monkeypatch.setattr(paired, "FEW_GROUPS", 50)
    monkeypatch.setattr(paired, "pair_models", None)
    assert rs.compare_auc(table, "p", "single", label="y").to_dict() == few.to_dict()


FLOATS = st.floats(allow_nan=False) | st.sampled_from([0.0, -0.0, 5e-324, 1e308, -1e308, np.inf, -np.inf, 0.1, 0.3])
INTEGERS = st.integers(-(2**63), 2**63 - 1) | st.integers(2**60, 2**60 + 9)


SOME = {"min_size": 1, "max_size": 60}


@given((st.lists(FLOATS, **SOME) | st.lists(INTEGERS, **SOME)).map(np.array))
def test_every_score_finds_its_group_and_no_other_does(scores: Any) -> None:
    distinct = np.unique(scores)
    found = Places.of(distinct, np.arange(distinct.size)).carried(scores)
    assert found is not None
    np.testing.assert_array_equal(found, np.searchsorted(distinct, scores))
    for absent in range(distinct.size if distinct.size > 1 else 0):
        others = np.delete(distinct, absent)
        assert Places.of(others, np.arange(others.size)).carried(scores) is None


def test_groups_that_crowd_in_few_cells_are_found() -> None:
    rng = np.random.default_rng(3)
    crowded = np.unique(np.concatenate([10.0 ** rng.uniform(-12, 0, 5000), [0.0, 1e6]]))
    places = Places.of(crowded, -np.arange(crowded.size))
    assert places.deepest > 4000
    drawn = rng.integers(0, crowded.size, 20_000)
    np.testing.assert_array_equal(places.carried(crowded[drawn]), -drawn)
    assert places.carried(np.nextafter(crowded, 2.0)) is None
