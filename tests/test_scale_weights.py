"""Weights of lazy tables, whatever their type: the groups are those of the rows in memory."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

import rocsteady as rs
from rocsteady.scale import Sketch, rank_table, sketch_table

LABELS, SCORES = [1, 0, 1, 0, 1, 0], [0.9, 0.8, 0.3, 0.1, 0.9, 0.3]
DECIMALS = [Decimal("0.5"), Decimal("1.5"), Decimal("2.5"), Decimal("3.25"), Decimal("0.75"), Decimal("1.0")]
WEIGHTS = {
    "decimals": pl.Series(DECIMALS, dtype=pl.Decimal(10, 2)),
    "whole decimals beyond doubles": pl.Series([Decimal(2**53 + 1)] + [Decimal(3)] * 5, dtype=pl.Decimal(38, 0)),
    "whole floats beyond doubles": pl.Series([2.0**53, 2.0**60 + 512, 3.0, 2.0**61, 1.0, 5.0]),
    "whole floats, one missing": pl.Series([2.0**53, 2.0**53, 1.0, float("nan"), 1.0, 1.0]),
    "integers": pl.Series([2**53 + 1, 3, 1, 1, 1, 2**60]),
    "fractions": pl.Series([0.5, 2.0**60, 1.5, 2.0, 3.0, 4.0]),
    "whole floats beyond integers": pl.Series([2.0**62, 2.0**62, 1.0, 1.0, 1.0, 1.0]),
}


@pytest.mark.parametrize("kind", WEIGHTS)
def test_groups_of_an_engine_are_those_in_memory(kind: str) -> None:
    """Sums of whole weights are exact where integers hold them; fractions of decimals are kept."""
    table = pl.DataFrame({"y": LABELS, "a": SCORES, "w": WEIGHTS[kind]})
    known = rs.rank(LABELS, SCORES, sample_weight=table["w"], missing="drop")
    lazy: list[Any] = [table.lazy(), duckdb.connect().from_arrow(table.to_arrow())]
    for each in lazy:
        found = rank_table(each, label="y", score="a", weight="w", missing="drop")
        assert found.pos.tolist() == known.pos.tolist()
        assert found.neg.tolist() == known.neg.tolist()
        assert found.pos.dtype == known.pos.dtype
        assert rs.auc(found) == rs.auc(known)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        (np.array([2**63 + 1, 2**63, 5, 4], dtype=np.uint64), 0.75),
        ([2**63 + 1, 2**63, 5, 4], 0.75),
        ([2**70, -(2**70), 5, 4], 1.0),
    ],
    ids=["unsigned", "Python", "huge"],
)
def test_a_sketch_says_what_to_do_with_whole_numbers_that_it_cannot_hold(scores: Any, expected: float) -> None:
    with pytest.raises(
        rs.InputError, match=r"y_score: 2 whole numbers beyond 64 bits with a sign.*subtract .* 2\*\*63"
    ):
        Sketch().update([1, 0, 1, 0], scores)
    assert rs.auc([1, 0, 1, 0], scores) == expected


def test_unsigned_scores_that_fit_are_counted() -> None:
    for scores in (np.array([4, 1, 2**63 - 1, 5], dtype=np.uint64), [4, 1, 2**63 - 1, 5]):
        sketch = Sketch()
        sketch.update([1, 0, 1, 0], scores)
        assert sketch.auc().estimate == rs.auc([1, 0, 1, 0], scores)
    table = pl.LazyFrame({"y": [1, 0], "a": pl.Series([2**63 + 1, 2**63], dtype=pl.UInt64)})
    with pytest.raises(rs.InputError, match="whole numbers beyond 64 bits with a sign, such as 9223372036854775808"):
        sketch_table(table, label="y", score="a")
