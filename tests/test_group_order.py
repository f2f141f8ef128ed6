"""Groups stand in the order of their values: the order of the rows leaves no trace."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rocsteady as rs
from cases import each_case

RNG = np.random.default_rng(4)
N = 120
Y = RNG.integers(0, 2, N)
S = Y + RNG.normal(size=N)
PLACE = np.arange(N) % 3


def groups_of(site: Any, **more: Any) -> list[Any]:
    found = rs.evaluate({"y": Y, "s": S, "site": site, **more}, label="y", scores="s", by="site", measures=["auc"])
    return list(found)


@each_case(
    ("values", "expected"),
    [
        (["west", "east", "north"], ["east", "north", "west"]),
        ([10, 9, 2], [2, 9, 10]),
        ([2.5, -1.0, 0.5], [-1.0, 0.5, 2.5]),
        ([True, False, True], [False, True]),
        (["b", 2, 1], [1, 2, "b"]),
        ([dt.date(2024, 5, 1), dt.date(2023, 1, 1), dt.date(2024, 1, 1)], None),
        ([("b", 1), ("a", 2), ("a", 1)], [("a", 1), ("a", 2), ("b", 1)]),
        (["b", None, ("x",)], None),
    ],
)
def test_values_of_any_type_sort(values: list[Any], expected: list[Any] | None) -> None:
    if None in values:
        values = ["b", 1.5, ("x",)]
        expected = [1.5, "b", ("x",)]
    column = np.empty(N, dtype=object)
    column[:] = [values[place] for place in PLACE]
    assert groups_of(column) == (sorted(values) if expected is None else expected)
    backwards = rs.evaluate(
        {"y": Y[::-1], "s": S[::-1], "site": column[::-1]}, label="y", scores="s", by="site", measures=["auc"]
    )
    assert list(backwards) == (sorted(values) if expected is None else expected)


def test_ordered_categories_keep_their_order() -> None:
    order = ["low", "middle", "high"]
    names = np.array(order)[PLACE]
    ordered = pd.Series(pd.Categorical(names, categories=order, ordered=True))
    assert groups_of(ordered) == order
    assert groups_of(ordered.array) == order  # a pandas.Categorical without a Series around it
    assert groups_of(pd.Series(pd.Categorical(names, categories=order))) == sorted(order)
    assert groups_of(names) == sorted(order)
    pl = pytest.importorskip("polars")
    assert groups_of(pl.Series(names.tolist(), dtype=pl.Enum(order))) == order
    pa = pytest.importorskip("pyarrow")
    made = pa.DictionaryArray.from_arrays(pa.array(PLACE), pa.array(order), ordered=True)
    assert groups_of(pa.chunked_array([made])) == order


def test_the_order_of_rows_leaves_no_trace_in_any_number() -> None:
    table = {"y": Y, "s": S, "site": np.array(["w", "e", "n"], dtype=object)[PLACE]}
    order = np.random.default_rng(1).permutation(N)
    options: dict[str, Any] = {"label": "y", "scores": "s", "by": "site", "measures": ["auc", "ks_statistic"]}
    one = rs.evaluate(table, **options, n_resamples=100)
    two = rs.evaluate({name: column[order] for name, column in table.items()}, **options, n_resamples=100)
    assert json.dumps(one.to_dict()) == json.dumps(two.to_dict())


def test_subjects_of_any_type_are_numbered_by_value() -> None:
    who = np.array([f"p{number % 17}" for number in range(N)], dtype=object)
    order = np.random.default_rng(2).permutation(N)
    drawn: dict[str, Any] = {"random_state": 1, "n_resamples": 200}
    one = rs.bootstrap_interval("auc", Y, S, cluster=who, **drawn)
    two = rs.bootstrap_interval("auc", Y[order], S[order], cluster=who[order], **drawn)
    assert tuple(one) == tuple(two)


def test_several_columns_make_groups_of_their_combinations() -> None:
    table = {"y": Y, "s": S, "sex": np.array(["m", "f"])[PLACE % 2], "site": PLACE}
    found = rs.evaluate(table, label="y", scores="s", by=["site", "sex"], measures=["auc"])
    assert list(found) == ["site=0, sex=m", "site=1, sex=f", "site=2, sex=m"]
    assert found.by == "site, sex"
    alone = rs.evaluate(table, label="y", scores="s", by="site", measures=["auc"])
    assert found["site=1, sex=f"].to_dict() == alone[1].to_dict()
    assert "site=2, sex=m" in str(found)
    assert list(rs.evaluate(table, label="y", scores="s", by=["site"], measures=["auc"])) == [0, 1, 2]


@pytest.mark.parametrize("by", [3, [], [3], {"a": 1}])
def test_what_is_no_column_is_refused_in_a_sentence(by: Any) -> None:
    with pytest.raises(rs.ArgumentError, match="by must be the name of a column"):
        rs.evaluate({"y": Y, "s": S, "site": PLACE}, label="y", scores="s", by=by)
