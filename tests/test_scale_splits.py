"""Groups, folds, subjects and classes of lazy tables: one plan of the engine, and the numbers of memory."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.ranked.lazy import distinct_rows, fetch
from rocsteady.errors import InputError
from scale_kit import ENGINES, make_table

RNG = np.random.default_rng(26)
N = 240
Y = RNG.integers(0, 2, N)
SCORES = RNG.dirichlet([2, 2, 2], N).round(2)
COLUMNS: dict[str, Any] = {
    "y": Y,
    "a": (Y + RNG.normal(size=N)).round(1),
    "b": (Y + 2 * RNG.normal(size=N)).round(1),
    "site": RNG.choice(["north", "south"], N),
    "fold": RNG.integers(0, 3, N),
    "who": RNG.integers(0, 60, N),
    "kind": RNG.choice(["cat", "dog", "fox"], N),
    **{f"p{place}": SCORES[:, place] for place in range(3)},
}
TWO: dict[str, Any] = {"label": "y", "scores": ["a", "b"], "measures": ["auc", "f1"], "threshold": 0.5}
CLASSES: dict[str, Any] = {"label": "kind", "scores": ["p0", "p1", "p2"], "classes": ["cat", "dog", "fox"]}
CALLS: dict[str, dict[str, Any]] = {
    "by": {**TWO, "by": "site"},
    "by two": {**TWO, "by": ["site", "fold"], "intervals": False},
    "fold": {**TWO, "fold": "fold"},
    "cluster": {**TWO, "cluster": "who", "intervals": True},
    "classes": CLASSES,
    "classes by": {**CLASSES, "by": "site"},
}


@each_case("engine", list(ENGINES))
def test_every_engine_gives_the_numbers_of_memory(engine: str) -> None:
    table = make_table(engine, COLUMNS)
    for call in CALLS if engine == "duckdb" else ("by two", "classes"):
        assert str(rs.evaluate(table, **CALLS[call])) == str(rs.evaluate(COLUMNS, **CALLS[call])), call


def test_lines_that_stand_for_many_rows_give_the_same_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distinct_rows, "FEW_REPEATS", 0)
    monkeypatch.setattr(
        distinct_rows.distinct_rows, "__kwdefaults__", {"most": 10**6, "repeated": 0, "written_out": False}
    )
    coarse = {**COLUMNS, "a": COLUMNS["a"].round(0), "b": COLUMNS["b"].round(0)}
    for call in ("by", "fold", "cluster"):
        with pytest.warns(rs.errors.RocsteadyWarning, match="240 rows were counted by their engine"):
            found = rs.evaluate(pl.LazyFrame(coarse), **CALLS[call])
        known = rs.evaluate(coarse, **CALLS[call])
        assert found.to_frame().equals(known.to_frame()), call


def test_too_many_different_rows_are_refused_with_another_way() -> None:
    with pytest.raises(InputError, match=r"sketch_table\(\.\.\., by="):
        distinct_rows.distinct_rows(pl.LazyFrame(COLUMNS), ["y", "a", "b"], most=50)
    with pytest.raises(InputError, match="nope"):
        distinct_rows.distinct_rows(pl.LazyFrame(COLUMNS), ["y", "nope"])


AUC: Any = rs.auc  # a door that takes label too
QUERIES: dict[str, tuple[int, Any]] = {
    "evaluate": (2, lambda table: rs.evaluate(table, label="y", scores=["a", "b"])),  # one for each model
    "auc": (1, lambda table: AUC(table, "a", label="y")),
    "by": (1, lambda table: rs.evaluate(table, **CALLS["by"])),
    "folds": (1, lambda table: rs.evaluate(table, **CALLS["fold"])),
    "subjects": (1, lambda table: rs.evaluate(table, **CALLS["cluster"])),
    "classes": (1, lambda table: rs.evaluate(table, **CALLS["classes"])),
    "compare": (
        2,
        lambda table: rs.compare_auc(table, "a", "b", label="y"),
    ),  # one for each model, then rows stream
}


@each_case("call", list(QUERIES))
def test_as_few_queries_as_are_needed(call: str) -> None:
    sent: list[Any] = []
    run = fetch._arrays

    def counted(relation: Any) -> dict[str, Any]:
        sent.append(relation)
        return run(relation)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fetch, "_arrays", counted)
        rows = pl.DataFrame(COLUMNS)
        most, ask = QUERIES[call]
        ask(duckdb.sql("FROM rows"))
    assert len(rows) == N
    assert len(sent) == most
