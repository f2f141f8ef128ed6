"""Laws that fact sheets promise, checked for every registered measure: a measure added later is tested as it is."""

from __future__ import annotations

import inspect
import math
import pickle
import warnings
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from cases import Decorator, each_case
from rocsteady._src.measures import REGISTRY
from strategies import (
    ALL_SCORES,
    ALL_WEIGHTS,
    COUNT_WEIGHTS,
    FLOAT_WEIGHTS,
    ScoreTable,
    row_orders,
    score_tables,
    splits,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rocsteady.measures import FactSheet

UNIT_SCORES = ("heavy ties", "eighths", "probabilities", "half precision", "single precision")
LAWS = {"order", "merge", "weights=repeats", "monotone", "shift", "scale"}
SWAPS: dict[str, Callable[[float], float]] = {"1-x": lambda x: 1 - x, "-x": lambda x: -x, "x": lambda x: x}
EXAMPLE_PARAMS = {"k": 2, "fraction": 0.5, "delta": 0.125}
ROUNDING = 1e-14
GROUPS = {"any scores": True, "scores from 0 to 1": False}

few_examples = settings(max_examples=max(20, settings.default.max_examples // 3))


def every_measure(keep: Callable[[FactSheet], Any] = lambda _: True) -> Decorator:
    """One test that names the measures which fail: most take less time than pytest does for a test of its own."""
    sheets = [found.sheet for found in REGISTRY.values() if keep(found.sheet)]
    return each_case("sheet", sheets, ids=attrgetter("name"))


def by_order(sheet: FactSheet) -> bool:
    return "monotone" in sheet.invariances or "threshold" in sheet.params


def together(keep: Callable[[FactSheet], Any] = lambda _: True) -> Decorator:
    """Measures that take the same tables: to draw a table takes longer than to judge it by all of them."""
    kept = [found.sheet for found in REGISTRY.values() if keep(found.sheet)]
    groups = {name: [each for each in kept if by_order(each) is wanted] for name, wanted in GROUPS.items()}
    return pytest.mark.parametrize("sheets", [pytest.param(found, id=name) for name, found in groups.items() if found])


def promising(law: str) -> Decorator:
    return together(lambda sheet: law in sheet.invariances)


@cache
def tables_of(scores: tuple[str, ...], weights: tuple[str, ...]) -> st.SearchStrategy[ScoreTable]:
    return score_tables(scores=scores, weights=weights)


def tables_for(sheets: list[FactSheet], weights: tuple[str, ...] = ALL_WEIGHTS) -> st.SearchStrategy[ScoreTable]:
    """All kinds of scores where only their order counts, else scores in [0, 1]."""
    return tables_of(ALL_SCORES if by_order(sheets[0]) else UNIT_SCORES, weights)


def params_for(sheet: FactSheet, table: ScoreTable) -> dict[str, Any]:
    """Parameters that fit a short table; one without default and without example here fails."""
    examples = {**EXAMPLE_PARAMS, "threshold": table.y_score[0].item()}
    unknown = [name for name, default in sheet.params.items() if default is inspect.Parameter.empty]
    assert set(unknown) <= set(examples), f"{sheet.name}: add an example of {unknown} to EXAMPLE_PARAMS"
    return {name: value for name, value in examples.items() if name in sheet.params}


def asked(sheets: list[FactSheet], table: ScoreTable) -> Iterator[tuple[FactSheet, dict[str, Any]]]:
    """Each measure with parameters that fit the table."""
    for sheet in sheets:
        yield sheet, params_for(sheet, table)


def value_of(sheet: FactSheet, data: ScoreTable | rs.RankedScores, params: dict[str, Any]) -> float:
    measure = REGISTRY[sheet.name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocsteadyWarning)
        if isinstance(data, rs.RankedScores):
            return measure(data, **params)
        return measure(data.y_true, data.y_score, sample_weight=data.sample_weight, **params)


def rank(table: ScoreTable) -> rs.RankedScores:
    """Rows in order, once for all measures: that rows given to a measure tell the same has a test of its own."""
    return rs.rank(table.y_true, table.y_score, sample_weight=table.sample_weight)


def assert_same_bits(first: float, second: float, sheet: FactSheet) -> None:
    assert first == second or (math.isnan(first) and math.isnan(second)), sheet.name
    assert getattr(first, "reason", None) == getattr(second, "reason", None), sheet.name


def assert_same_up_to_rounding(first: float, second: float, sheet: FactSheet) -> None:
    assert first == pytest.approx(second, rel=1e-12, abs=1e-12, nan_ok=True), sheet.name


@pytest.mark.filterwarnings("ignore:.* is average_precision here")  # a name that others use of another number
@every_measure()
def test_sheet_is_complete(sheet: FactSheet) -> None:
    assert set(sheet.invariances) <= LAWS
    assert sheet.label_swap in {None, *SWAPS}
    assert sheet.better in {"higher", "lower", "neither"}
    assert sheet.bounds[0] < sheet.bounds[1]
    assert sheet.summary.endswith((".", "?"))
    assert rs.get_measure(sheet.name) is REGISTRY[sheet.name]
    assert all(rs.get_measure(alias) is REGISTRY[sheet.name] for alias in sheet.aliases)


@every_measure()
def test_signature_is_that_of_a_measure(sheet: FactSheet) -> None:
    parameters = inspect.signature(REGISTRY[sheet.name]).parameters
    assert list(parameters)[:4] == ["y_true", "y_score", "sample_weight", "pos_label"]
    assert set(sheet.params) <= set(parameters)


@every_measure()
def test_pickles_by_name(sheet: FactSheet) -> None:
    measure = REGISTRY[sheet.name]
    assert pickle.loads(pickle.dumps(measure)) is measure  # noqa: S301 - our own bytes


@promising("order")
@given(data=st.data())
@few_examples
def test_order_of_rows_leaves_no_trace(sheets: list[FactSheet], data: st.DataObject) -> None:
    table = data.draw(tables_for(sheets))
    shuffled, ranked = rank(table.take(data.draw(row_orders(len(table.y_true))))), rank(table)
    for sheet, params in asked(sheets, table):
        assert_same_bits(value_of(sheet, shuffled, params), value_of(sheet, ranked, params), sheet)


def merged_parts(table: ScoreTable, part_of_row: np.ndarray) -> rs.RankedScores:
    """Rank each part on its own, also empty ones; rows of weight zero alone are no table."""
    parts = [table.take(part_of_row == part) for part in range(4)]
    return rs.merge(*(rank(part) for part in parts if part.sample_weight is None or part.sample_weight.any()))


@promising("merge")
@given(data=st.data())
@few_examples
def test_merged_parts_are_the_whole(sheets: list[FactSheet], data: st.DataObject) -> None:
    table = data.draw(tables_for(sheets, weights=COUNT_WEIGHTS))
    merged, ranked = merged_parts(table, data.draw(splits(len(table.y_true)))), rank(table)
    for sheet, params in asked(sheets, table):
        assert_same_bits(value_of(sheet, merged, params), value_of(sheet, ranked, params), sheet)


@every_measure(lambda sheet: "merge" in sheet.invariances)
def test_merged_parts_without_ties_are_the_whole(sheet: FactSheet) -> None:
    """Rows that all differ in score are summed in a way of their own, which merged ones must take too."""
    rng = np.random.default_rng(5)
    for n in (3, 8, 21, 150):
        table = ScoreTable((np.arange(n) % 3 == 0).astype(int), rng.random(n), None)
        merged = merged_parts(table, rng.integers(0, 4, n))
        params = params_for(sheet, table)
        assert_same_bits(value_of(sheet, merged, params), value_of(sheet, table, params), sheet)


@promising("merge")
@given(data=st.data())
@few_examples
def test_merged_float_weights_differ_by_rounding_only(sheets: list[FactSheet], data: st.DataObject) -> None:
    table = data.draw(tables_for(sheets, weights=FLOAT_WEIGHTS))
    merged, ranked = merged_parts(table, data.draw(splits(len(table.y_true)))), rank(table)
    for sheet, params in asked(sheets, table):
        assert_same_up_to_rounding(value_of(sheet, merged, params), value_of(sheet, ranked, params), sheet)


@promising("weights=repeats")
@given(data=st.data())
@few_examples
def test_whole_weights_are_repeated_rows(sheets: list[FactSheet], data: st.DataObject) -> None:
    table = data.draw(tables_for(sheets, weights=("small integers",)))
    repeated = table._replace(sample_weight=None).take(np.repeat(np.arange(len(table.y_true)), table.sample_weight))
    as_floats = rank(table._replace(sample_weight=table.sample_weight.astype(np.float64)))
    weighted, longer = rank(table), rank(repeated)
    for sheet, params in asked(sheets, table):
        value = value_of(sheet, longer, params)
        assert_same_bits(value_of(sheet, weighted, params), value, sheet)
        assert_same_up_to_rounding(value_of(sheet, as_floats, params), value, sheet)


@together()
@given(data=st.data())
@few_examples
def test_a_row_of_weight_zero_is_absent(sheets: list[FactSheet], data: st.DataObject) -> None:
    table = data.draw(tables_for(sheets))
    weights = np.ones(len(table.y_true), dtype=np.int64) if table.sample_weight is None else table.sample_weight
    rows = np.append(np.arange(len(table.y_true)), data.draw(st.integers(0, len(table.y_true) - 1)))
    longer = table._replace(sample_weight=weights).take(rows)
    longer.sample_weight[-1] = 0
    longer.y_true[-1] = data.draw(st.integers(0, 1))
    ranked, with_it = rank(table), rank(longer)
    for sheet, params in asked(sheets, table):
        assert_same_bits(value_of(sheet, with_it, params), value_of(sheet, ranked, params), sheet)


def ranks_of(scores: np.ndarray) -> np.ndarray:
    return np.unique(scores, return_inverse=True)[1]


MAPS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "ranks": ranks_of,
    "negative ranks": lambda scores: ranks_of(scores) - 100.5,
    "exponentials": lambda scores: np.exp(ranks_of(scores)),
    "half precision": lambda scores: ranks_of(scores).astype(np.float16),
    "neighbouring floats": lambda scores: 1 + ranks_of(scores) * np.finfo(np.float64).eps,
}


@promising("monotone")
@given(data=st.data())
@few_examples
def test_only_the_order_of_scores_counts(sheets: list[FactSheet], data: st.DataObject) -> None:
    table = data.draw(tables_for(sheets))
    mapped = table._replace(y_score=MAPS[data.draw(st.sampled_from(list(MAPS)))](table.y_score))
    one, other = rank(table), rank(mapped)
    for sheet, params in asked(sheets, table):
        assert_same_bits(value_of(sheet, other, params_for(sheet, mapped)), value_of(sheet, one, params), sheet)


@together(lambda sheet: {"shift", "monotone"} & set(sheet.invariances))
@given(table=score_tables(scores=("eighths",)))
@few_examples
def test_a_constant_added_to_every_score_changes_nothing(sheets: list[FactSheet], table: ScoreTable) -> None:
    halved = table._replace(y_score=table.y_score / 2)
    one, other = rank(halved), rank(table._replace(y_score=table.y_score / 2 + 0.25))
    for sheet, params in asked(sheets, halved):
        assert_same_up_to_rounding(value_of(sheet, other, params), value_of(sheet, one, params), sheet)


@together(lambda sheet: {"scale", "monotone"} & set(sheet.invariances))
@given(table=score_tables(scores=("eighths",)), factor=st.sampled_from([0.25, 3.0, 1000.0]))
@few_examples
def test_a_factor_on_every_score_changes_nothing(sheets: list[FactSheet], table: ScoreTable, factor: float) -> None:
    one, other = rank(table), rank(table._replace(y_score=table.y_score * factor))
    for sheet, params in asked(sheets, table):
        assert_same_up_to_rounding(value_of(sheet, other, params), value_of(sheet, one, params), sheet)


@together(lambda sheet: sheet.label_swap)
@given(data=st.data())
@few_examples
def test_exchanging_the_classes(sheets: list[FactSheet], data: st.DataObject) -> None:
    table = data.draw(tables_for(sheets))
    ranked, swapped = rank(table), rank(table._replace(y_true=1 - table.y_true))
    for sheet, params in asked(sheets, table):
        expected = SWAPS[sheet.label_swap](value_of(sheet, ranked, params))
        assert value_of(sheet, swapped, params) == pytest.approx(expected, rel=0, abs=ROUNDING), sheet.name


@together()
@given(data=st.data())
@few_examples
def test_value_is_inside_its_bounds(sheets: list[FactSheet], data: st.DataObject) -> None:
    table = data.draw(tables_for(sheets))
    ranked = rank(table)
    for sheet, params in asked(sheets, table):
        value, (low, high) = value_of(sheet, ranked, params), sheet.bounds
        assert isinstance(value, float | int), sheet.name
        assert isinstance(value, rs.Undefined) or low - ROUNDING <= value <= high + ROUNDING, sheet.name


@together()
@given(data=st.data())
@few_examples
def test_both_doors_lead_to_the_same_value(sheets: list[FactSheet], data: st.DataObject) -> None:
    table = data.draw(tables_for(sheets))
    text, ranked = table._replace(y_true=np.where(table.y_true == 1, "yes", "no")), rank(table)
    for sheet, params in asked(sheets, table):
        value = value_of(sheet, table, params)
        assert_same_bits(value_of(sheet, ranked, params), value, sheet)
        assert_same_bits(sheet.compute(ranked, **params), value, sheet)
        assert_same_bits(value_of(sheet, text, {"pos_label": "yes", **params}), value, sheet)


@every_measure()
def test_infinite_scores_rank_at_the_ends_or_are_refused(sheet: FactSheet) -> None:
    y_true = np.array([1, 0, 1, 0, 0])
    infinite = ScoreTable(y_true, np.array([np.inf, 0.5, 0.25, 0.25, -np.inf]))
    finite = ScoreTable(y_true, np.array([0.75, 0.5, 0.25, 0.25, 0.0]))
    params = {**params_for(sheet, finite), **({"threshold": 0.5} if "threshold" in sheet.params else {})}
    if not sheet.needs_finite:
        assert_same_bits(value_of(sheet, infinite, params), value_of(sheet, finite, params), sheet)
        return
    with pytest.raises(rs.InputError) as refused:
        value_of(sheet, infinite, params)
    assert refused.value.code == "infinite_scores"


def test_a_measure_defined_by_a_user_gets_the_same_doors() -> None:
    @rs.measure(label="Half AUC", better="higher", bounds=(0, 0.5))
    def half_auc(ranked: rs.RankedScores) -> float:
        """Half of the AUC."""
        return rs.auc(ranked) / 2

    try:
        assert half_auc([1, 0], [0.9, 0.1]) == half_auc(rs.rank([1, 0], [0.9, 0.1])) == 0.5
        again = rs.measure(label="Again", better="higher", bounds=(0, 1))(half_auc.sheet.formula)
        assert rs.get_measure("half_auc") is again
        with pytest.raises(rs.ArgumentError, match="'auc'"):
            rs.measure(label="Again", better="higher", bounds=(0, 1))(rs.auc.sheet.formula)
    finally:
        del REGISTRY["half_auc"]
