"""The second pass: narrower brackets from the same rows, and a refusal of other rows."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
import rocsteady as rs
from rocsteady._src.scale.sketch import Sketch
from strategies import ALL_SCORES, ScoreTable, score_tables

COUNTABLE = tuple(kind for kind in ALL_SCORES if kind != "unsigned integers")
tables = score_tables(scores=COUNTABLE, weights=("none", "small integers"), max_rows=20)
settings_of = st.sampled_from([{"bits": 4}, {"bits": 6, "range": (0, 1)}, {"bits": 4, "range": (-1e9, 1e9)}])


def normals(n: int = 200_000, share: float = 0.3) -> tuple[Any, Any]:
    rng = np.random.default_rng(1)
    y = rng.random(n) < share
    return y, y + rng.normal(size=n)


@given(tables, settings_of)
def test_with_room_for_all_it_ends_exact(table: ScoreTable, settings: dict[str, Any]) -> None:
    rows = [table[:2]] if table.sample_weight is None else [tuple(table)]
    first = Sketch(capacity=0, **settings).update(*table[:2], sample_weight=table.sample_weight)
    found = first.refine(rows, width=0, cells=200).auc()
    exact = oracles.auc(oracles.rows_of(*table))
    assert exact is not None
    assert found.exact
    assert found.estimate == float(exact)


@given(tables, settings_of, st.integers(1, 6))
def test_with_little_room_it_narrows_and_still_holds(table: ScoreTable, settings: dict[str, Any], room: int) -> None:
    first = Sketch(capacity=0, **settings).update(*table[:2], sample_weight=table.sample_weight)
    cells = first.cells.first.size + room
    refined = first.refine([tuple(table)] if table.sample_weight is not None else [table[:2]], width=0, cells=cells)
    found, exact = refined.auc(), oracles.auc(oracles.rows_of(*table))
    assert exact is not None
    assert refined.cells.first.size <= cells
    assert found.half_width <= first.auc().half_width
    if found.exact:
        assert found.estimate == float(exact)
    else:
        assert Fraction(found.low) <= exact <= Fraction(found.high)


def test_widths_on_normal_scores_and_probabilities() -> None:
    y, s = normals()
    exact = rs.auc(y, s)
    unknown = Sketch(bits=20, capacity=1000).update(y, s)
    assert unknown.auc().half_width <= 1e-3
    p = 1 / (1 + np.exp(-s))
    known = Sketch(bits=20, range=(0, 1), capacity=1000).update(y, p)
    assert known.auc().half_width <= 2e-6
    for sketch, scores in ((unknown, s), (known, p)):
        low, high = sketch.auc()
        assert low <= exact <= high
        once = sketch.refine(iter([(y, scores)])).auc()
        assert once.half_width <= 1e-9
        assert once.low <= exact <= once.high


@pytest.mark.parametrize("settings", [{}, {"range": (0, 1)}], ids=str)
def test_scores_within_1e_12_of_each_other_and_rare_positives(settings: dict[str, Any]) -> None:
    rng = np.random.default_rng(2)
    n = 100_000
    y = np.arange(n) % 2 == 0
    close = 1e-3 + 1e-12 * rng.random(n)
    rare = np.arange(n) < 12
    spread = rng.random(n) / 2 + rare / 4
    for labels, scores in ((y, close), (rare, close), (rare, spread)):
        sketch = Sketch(capacity=1000, **settings).update(labels, scores)
        found = sketch.refine([(labels, scores)], cells=2**18).auc()
        assert found.half_width <= 1e-9
        assert found.low <= rs.auc(labels, scores) <= found.high


def test_few_cells_narrow_as_their_number_allows() -> None:
    y, s = normals()
    first = Sketch(bits=8, capacity=0).update(y, s)
    found = first.refine([(y, s)], cells=4096, passes=3).auc()
    assert found.half_width < 2 / 4096
    assert found.low <= rs.auc(y, s) <= found.high
    assert not found.exact


def test_batches_of_any_kind_and_the_order_of_rows_do_not_matter() -> None:
    y, s = normals(5000)
    first = Sketch(bits=8, capacity=100).update(y, s)
    order = np.random.default_rng(3).permutation(y.size)
    pieces = [(y[rows], s[rows]) for rows in np.array_split(order, 7)]
    whole, shuffled = first.refine([(y, s)], passes=1), first.refine(lambda: iter(pieces), passes=1)
    assert whole == shuffled == first.refine(iter(pieces))


def test_machines_refine_their_parts_and_merge() -> None:
    y, s = normals(5000)
    parts = [(y[part::3], s[part::3]) for part in range(3)]
    empty = Sketch(bits=8, capacity=100)
    first = empty.merge(*(empty.blank().update(*part) for part in parts))
    sent = first.finer().to_bytes()
    filled = [Sketch.from_bytes(sent).update(*part) for part in parts]
    merged = first.accept(filled[2].merge(filled[0], filled[1]))
    assert merged == first.refine(parts, passes=1)
    with pytest.raises(rs.ArgumentError, match="refined by different plans"):
        filled[0].merge(first.finer(cells=200))
    with pytest.raises(rs.ArgumentError, match="not made by finer"):
        first.accept(first)


@pytest.mark.parametrize(
    "change",
    [
        lambda y, s: (y[1:], s[1:]),
        lambda y, s: (~y, s),
        lambda y, s: (y, s + 100),
        lambda y, s: (y, -s),
        lambda y, s: (np.append(y, True), np.append(s, s[0])),
    ],
)
def test_other_rows_are_refused_with_their_counts(change: Any) -> None:
    y, s = normals(2000)
    first = Sketch(bits=8, capacity=100).update(y, s)
    with pytest.raises(rs.InputError, match=r"not the rows of the first pass: .*\d") as error:
        first.refine([change(y, s)])
    assert error.value.code == "rows_differ"


def test_labels_other_than_numbers_keep_their_name() -> None:
    y, s = normals(2000)
    names = np.where(y, "sick", "well")
    first = Sketch(bits=8, capacity=100).update(names, s, pos_label="sick")
    assert first.refine([(names, s)]).auc().half_width <= 1e-9


def test_rows_dropped_before_are_dropped_again() -> None:
    y, s = normals(2000)
    s[::100] = np.nan
    first = Sketch(bits=8, capacity=100).update(y, s, missing="drop")
    refined = first.refine([(y, s)])
    assert refined.auc().estimate == pytest.approx(rs.auc(y, s, missing="drop"), abs=1e-9)
    assert refined.origin == first.origin


def test_nothing_to_do_reads_nothing() -> None:
    def never() -> Any:
        raise AssertionError("read again")

    exact = Sketch().update([1, 0], [0.5, 0.25])
    assert exact.refine(never) is exact
    assert Sketch().refine(never).n_rows == 0


@pytest.mark.parametrize(("wrong", "message"), [({"width": -1}, "width"), ({"cells": 1}, "cells must be above")])
def test_options_that_make_no_sense_are_refused(wrong: dict[str, Any], message: str) -> None:
    y, s = normals(2000)
    with pytest.raises(rs.ArgumentError, match=message):
        Sketch(bits=8, capacity=100).update(y, s).refine([(y, s)], **wrong)
