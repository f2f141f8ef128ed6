"""Calls and outcomes on tables that an engine holds: counts of rows that agree say what the rows say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady.errors import ArgumentError, InputError
from scale_kit import ENGINES, make_table

if TYPE_CHECKING:
    from collections.abc import Callable

ASKED: dict[str, dict[str, Any]] = {
    "yes and no": {"scores": ["a", "b", "c"]},
    "a threshold": {"scores": ["s", "t"], "threshold": 0.5},
    "a rule": {"scores": ["s", "t"], "threshold": "youden"},
    "one each": {"scores": ["s", "t"], "threshold": {"s": 0.25, "t": "fpr=0.2"}},
    "all called": {"scores": ["s", "t"], "threshold": {"s": -9.0, "t": 0.5}},
    "none called": {"scores": ["s", "t"], "threshold": {"s": 9.0, "t": 0.5}},
    "subjects": {"scores": ["a", "b"], "cluster": "who", "method": "mcnemar"},
    "subjects at a threshold": {"scores": ["s", "t"], "cluster": "who", "threshold": 0.5},
    "frequencies": {"scores": ["a", "b"], "weight": "times", "weight_type": "frequency", "method": "mcnemar-mid-p"},
    "frequencies at a threshold": {"scores": ["s", "t"], "weight": "times", "weight_type": "frequency", "threshold": 0},
    "Newcombe": {"scores": ["a", "b"], "interval": "newcombe", "baseline": "b"},
}
# Queries of these are those of others, and what is made of the counts is seen with the other engines.
# Dask thinks about a query for a third of a second.
SAME_QUERIES = ("one each", "all called", "none called", "Newcombe")


def rows(n: int = 240) -> dict[str, Any]:
    """Labels, two models with ties and single precision, their calls, subjects and whole weights with zeros."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, n)
    s, t = np.round(rng.normal(size=n) + y, 1), np.round(rng.normal(size=n) + 0.5 * y, 1).astype(np.float32)
    made = {"y": y, "s": s, "t": t, "who": rng.integers(0, 40, n), "times": rng.integers(0, 4, n)}
    calls = {"a": (s > 0.5).astype(int), "b": t > 0.5, "c": (s + t > 1).astype(int)}
    right = {name.upper(): (np.asarray(call, dtype=int) == y).astype(int) for name, call in calls.items()}
    return made | calls | right


def assert_alike(there: Any, here: Any) -> None:
    """Everything is the same; sums of fractions, added in another order, to 12 digits."""
    if isinstance(here, dict):
        assert there.keys() == here.keys()
        for name, value in here.items():
            assert_alike(there[name], value)
    elif isinstance(here, (list, tuple)):
        assert len(there) == len(here)
        for one, other in zip(there, here, strict=True):
            assert_alike(one, other)
    elif isinstance(here, float):
        assert there == pytest.approx(here, rel=1e-12, nan_ok=True)
    else:
        assert there == here


@pytest.mark.parametrize("engine", ENGINES)
@each_case("name", ASKED)
def test_calls_are_compared_as_in_memory(engine: str, name: str) -> None:
    if engine == "dask" and name in SAME_QUERIES:
        pytest.skip("its query is that of another case")
    asked, columns = ASKED[name], rows()
    here = rs.inference.compare_calls(columns, label="y", **asked)
    there = rs.inference.compare_calls(make_table(engine, columns), label="y", **asked)
    assert_alike(there.to_dict(), here.to_dict())
    assert str(there) == str(here)


@pytest.mark.parametrize("engine", ENGINES)
def test_an_evaluation_compares_calls_of_its_table(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From counts of calls: rows are not joined with their placements, which areas need."""
    monkeypatch.setattr("rocsteady._src.ranked.lazy.paired._summed", None)
    columns = rows()
    here, there = (rs.evaluate(table, label="y", scores=["s", "t"]) for table in (columns, make_table(engine, columns)))
    assert_alike(there.compare(threshold=0.5).to_dict(), here.compare(threshold=0.5).to_dict())
    asked: dict[str, Any] = {"measure": "recall", "threshold": 0.5, "method": "mcnemar-exact"}
    assert_alike(there.compare(**asked).to_dict(), here.compare(**asked).to_dict())


@pytest.mark.parametrize("engine", ENGINES)
def test_outcomes_are_compared_as_in_memory(engine: str) -> None:
    columns = rows()
    for names, asked in ((["A", "B", "C"], {}), (["A", "B", "who"], {"cluster": "who", "interval": "newcombe"})):
        kept = {name: columns[name] for name in names}
        here, there = (rs.compare_outcomes(table, **asked) for table in (kept, make_table(engine, kept)))
        assert_alike(there.to_dict(), here.to_dict())


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_rows_that_lack_a_value_are_refused_or_counted(engine: str) -> None:
    import pyarrow as pa

    columns = rows(60)
    for names, call in ((["a", "b"], {}), (["s", "t"], {"threshold": 0.5})):
        holes = {
            name: pa.array(values, mask=np.arange(60) % 7 == place)
            for place, (name, values) in enumerate(columns.items())
        }
        kept = {name: holes[name] for name in ("y", *names)}
        table = make_table(engine, pa.table(kept))
        ask: Callable[..., Any] = rs.inference.compare_calls
        with pytest.raises(InputError, match=f"{names[0]}: 9 missing|{names[0]}: 8 missing"):
            ask(table, label="y", scores=names, **call)
        here, there = (
            ask(each, label="y", scores=names, missing="drop", **call)
            for each in (pa.table(kept), make_table(engine, pa.table(kept)))
        )
        assert_alike(there.to_dict(), here.to_dict())
        assert there.sensitivity.origin.n_dropped == here.sensitivity.origin.n_dropped > 0


def test_what_an_engine_cannot_count_is_refused() -> None:
    table = make_table("polars", rows())
    with pytest.raises(InputError, match="threshold"):
        rs.inference.compare_calls(table, label="y", scores=["s", "t"])
    with pytest.raises(ArgumentError, match="sampling"):
        rs.inference.compare_calls(table, label="y", scores=["a", "b"], weight="times")
    with pytest.raises(ArgumentError, match="name its column"):
        rs.compare_outcomes(make_table("polars", {"A": [1, 0], "B": [0, 0]}), cluster=[1, 2])


@pytest.mark.parametrize("engine", ENGINES)
def test_columns_by_name_answer_what_arrays_do(engine: str) -> None:
    columns = rows()
    table, y, s = make_table(engine, columns), columns["y"], columns["s"]
    asked = {"threshold": 0.5, "prevalence": 0.1}
    there, here = rs.predictive_values(table, "s", label="y", **asked), rs.predictive_values(y, s, **asked)
    assert there.to_dict() == here.to_dict()
    for measure, more in (("auc", {}), ("sensitivity", {"threshold": 0.5})):
        goal = {"above": 0.6, **more}
        found = rs.inference.goal_test(measure, table, "s", label="y", **goal)
        assert found.to_dict() == rs.inference.goal_test(measure, y, s, **goal).to_dict()
