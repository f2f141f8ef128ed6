"""Score-aware measures: the thesis' tables, exact oracles over all pairs, degenerate sets, refusals and laws."""

from __future__ import annotations

import copy
import json
import math
import pickle
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from unittest import mock

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import pair_oracles as slow
import rocsteady as rs
from cases import each_case
from oracles import Row, relative_error, rows_of
from rocsteady._src.measures.pairwise import Step, engine
from strategies import SCORE_KINDS, WEIGHT_KINDS, ScoreKind, ScoreTable, _column, _labels

THESIS = json.loads((Path(__file__).parent.parent / "reproductions" / "thesis.json").read_text())
SETS = {row["id"]: row["set"].split() for row in THESIS["table_3_1"]}
FAMILY = [sheet.name for sheet in rs.list_measures("score-aware")]
SMALLEST_COMPARED = 1e-300

few_examples = settings(max_examples=max(12, settings.default.max_examples // 3))


def measure_of(name: str) -> rs.measures.Measure:
    return getattr(rs, name)


def labels_and_scores(name: str) -> tuple[list[int], list[float]]:
    """A set of the thesis: '0.85p' is a positive with the score 0.85."""
    return [int(item.endswith("p")) for item in SETS[name]], [float(item[:-1]) for item in SETS[name]]


@contextmanager
def always_fast() -> Iterator[None]:
    """Send even a single pair through the engine for many."""
    with mock.patch.object(engine, "FEW_PAIRS", 0):
        yield


# The thesis


@each_case("row", THESIS["table_3_1"], ids=lambda row: row["id"])
@pytest.mark.filterwarnings("ignore:2 distinct scores")
def test_table_3_1(row: dict[str, Any]) -> None:
    y, s = labels_and_scores(row["id"])
    params = {"softened_auc": {"q": float(Fraction(row["q"]))}, "soft_auc": {"beta": row["beta"]}}
    for name in ("auc", "prob_auc", "scored_auc", "softened_auc", "soft_auc"):
        assert measure_of(name)(y, s, **params.get(name, {})) == pytest.approx(row[name], abs=1e-12), name


@each_case("row", THESIS["table_4_1"], ids=lambda row: row["id"])
def test_table_4_1(row: dict[str, Any]) -> None:
    found = rs.set_properties(*labels_and_scores(row["id"])).to_dict()
    for name in row.keys() - {"id"}:
        value = math.nan if row[name] is None else row[name]
        assert found[name] == (None if row[name] is None else pytest.approx(value, abs=1e-12)), name


@each_case("row", THESIS["table_4_2"]["rows"], ids=lambda row: row["id"])
def test_table_4_2(row: dict[str, Any]) -> None:
    y, s = labels_and_scores(row["id"])
    exponents = {"m": THESIS["table_4_2"]["m"], "n": THESIS["table_4_2"]["n"]}
    for name in row.keys() - {"id"}:
        params = exponents if name in ("mm6_auc", "mm7_auc") else {}
        assert measure_of(name)(y, s, **params) == pytest.approx(row[name], abs=1e-12), name


# Against the oracles

SPREADS: dict[str, ScoreKind] = {
    "ties": ScoreKind(st.integers(0, 8).map(lambda k: k / 8)),
    "probabilities": ScoreKind(st.integers(0, 2**53).map(lambda k: k / 2**53)),
    "near 0 and 1": ScoreKind(st.sampled_from([0.0, 2**-52, 1e-12, 3e-9, 1 - 3e-9, 1 - 1e-12, 1 - 2**-53, 1.0])),
    "tight cluster": ScoreKind(st.integers(0, 10**7).map(lambda k: 0.5 + 1e-16 * k)),
    "wide": ScoreKind(st.integers(-(2**52), 2**52).map(lambda k: k * (1e6 / 2**52))),
    "negative": ScoreKind(st.integers(-(10**9), -1).map(lambda k: k * 1e-9)),
    "an outlier": ScoreKind(st.sampled_from([1e6, 1.1e-3, 1.2e-3, 1.3e-3, -1e-3])),
    "integers": ScoreKind(st.integers(-50, 50), np.int64),
    "small integers": SCORE_KINDS["small integers"],
}
UNIT_SPREADS = ("ties", "probabilities", "near 0 and 1", "tight cluster")


@st.composite
def tables(draw: st.DrawFn, spreads: tuple[str, ...] = tuple(SPREADS)) -> ScoreTable:
    """Up to 12 rows of both classes, with or without weights."""
    size = draw(st.integers(2, 12))
    y_true = draw(_labels(size, "both"))
    y_score = draw(_column(SPREADS[draw(st.sampled_from(spreads))], size))
    weights = draw(st.sampled_from(["none", *WEIGHT_KINDS]))
    if weights == "none":
        return ScoreTable(y_true, y_score)
    return ScoreTable(y_true, y_score, draw(_column(WEIGHT_KINDS[weights], size)) + 1)


class Case(NamedTuple):
    """A measure with parameters to draw, the error allowed, and what it is relative to besides the value."""

    name: str
    allowed: float
    params: Mapping[str, st.SearchStrategy[Any]] = MappingProxyType({})
    scale: Callable[[list[Row]], Any] = lambda _: 0
    spreads: tuple[str, ...] = tuple(SPREADS)


FLOORS = st.sampled_from([0.0, 1e-9, 0.25, 0.5, 1.0])
EXPONENTS = {"m": st.sampled_from([0.5, 0.9, 1.0, 2.0]), "n": st.sampled_from([0.0, 0.01, 1 / 16, 1.0])}
CASES = [
    Case("prob_auc", 1e-12, spreads=UNIT_SPREADS),
    Case("scored_auc", 1e-12),
    Case("softened_auc", 1e-10, {"q": st.one_of(st.sampled_from([1 / 1001, 1 / 7, 1.0, 3.0]), st.floats(1 / 1001, 3))}),
    Case("soft_auc", 1e-12, {"beta": st.floats(-3, 6).map(lambda power: 10**power)}),
    Case("mm1_auc", 1e-12),
    Case("mm4_auc", 1e-12, {"floor": FLOORS}),
    Case("mm6_auc", 1e-12, {"floor": FLOORS, **EXPONENTS}),
    Case("mm7_auc", 1e-12, {"floor": FLOORS, **EXPONENTS}),
    Case("mm11_auc", 1e-12, scale=slow.mean_distance),
    Case("mm12_auc", 1e-12, scale=lambda rows: (1 + slow.mean_distance(rows)) / 2),
]


def call(name: str, table: ScoreTable, **params: Any) -> float:
    return measure_of(name)(table.y_true, table.y_score, sample_weight=table.sample_weight, **params)


def assert_right(value: float, truth: Any, *, allowed: float, scale: Any = 0) -> None:
    """Near the truth, and nearer than the bound it carries; values too small for a normal float are not compared."""
    if 0 < truth < SMALLEST_COMPARED:
        assert value <= 2 * SMALLEST_COMPARED
        return
    assert relative_error(value, truth, scale=scale) <= allowed
    if isinstance(value, rs.Bounded):
        with mpmath.workdps(slow.DIGITS):
            assert abs(slow.to_real(value) - slow.to_real(truth) if truth else value) <= value.error_bound


def slow_value(name: str, table: ScoreTable, **params: Any) -> Any:
    return getattr(slow, name)(rows_of(*table), **params)


def test_every_measure_has_an_oracle_case() -> None:
    assert {case.name for case in CASES} == set(FAMILY)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@given(data=st.data())
def test_measures_equal_their_definition_over_all_pairs(case: Case, data: st.DataObject) -> None:
    table = data.draw(tables(case.spreads))
    params = {name: data.draw(values, label=name) for name, values in case.params.items()}
    truth, scale = slow_value(case.name, table, **params), case.scale(rows_of(*table))
    assert_right(call(case.name, table, **params), truth, allowed=case.allowed, scale=scale)
    with always_fast():
        assert_right(call(case.name, table, **params), truth, allowed=case.allowed, scale=scale)


@given(
    low=st.lists(st.floats(0, 1), min_size=1, max_size=5),
    high=st.lists(st.floats(1, 3), min_size=1, max_size=5),
    beta=st.floats(1, 400),
)
def test_tiny_soft_auc_keeps_its_digits(low: list[float], high: list[float], beta: float) -> None:
    """All positives lie below all negatives: the value is the tail of the logistic."""
    table = ScoreTable(np.repeat([1, 0], [len(low), len(high)]), np.array(low + high))
    truth = slow_value("soft_auc", table, beta=beta)
    assume(truth > SMALLEST_COMPARED)
    assert_right(call("soft_auc", table, beta=beta), truth, allowed=1e-12)
    with always_fast():
        assert_right(call("soft_auc", table, beta=beta), truth, allowed=1e-12)


@given(tables())
def test_set_properties_equal_their_definition(table: ScoreTable) -> None:
    found = rs.set_properties(table.y_true, table.y_score, sample_weight=table.sample_weight)
    truth = slow.set_properties(rows_of(*table))
    whole_weights = table.sample_weight is None or table.sample_weight.dtype.kind == "i"
    for name, expected in truth.items():
        if name == "correctly_ranked":
            assert found.correctly_ranked is expected
        elif name != "median" or whole_weights:  # rounded sums of other weights may put the middle elsewhere
            assert relative_error(getattr(found, name), expected) <= 1e-12, name
    assert not whole_weights or isinstance(found.abs_error_size, int)


TYPES = {
    "int8": np.array([-128, 127, -100, 100], dtype=np.int8),
    "int16": np.array([-32768, 32767, -30000, 30000], dtype=np.int16),
    "int64": np.array([-(2**63), 2**63 - 1, -(2**62), 2**62], dtype=np.int64),
    "uint64": np.array([0, 2**64 - 1, 2**63, 2**63 + 1], dtype=np.uint64),
    "bool": np.array([False, True, False, True]),
    "longdouble": np.array([1, 2, 3, 4], dtype=np.longdouble) / 16,
    "long Python integers": np.array([2**70, 2**70 + 1, 2**70 + 2, 2**70 - 1], dtype=object),
    "fractions": np.array([Fraction(1, 3), Fraction(1, 2), Fraction(2, 7), Fraction(3, 7)], dtype=object),
    "mixed numbers": np.array([Decimal("0.1"), 0.1, Fraction(1, 10), 1], dtype=object),
}


@each_case("name", ["scored_auc", "softened_auc", "soft_auc", "mm1_auc", "mm4_auc", "mm11_auc"])
@each_case("kind", TYPES)
def test_differences_of_every_type_of_score_are_exact(kind: str, name: str) -> None:
    table = ScoreTable(np.array([0, 1, 1, 0]), TYPES[kind])
    scale = slow.mean_distance(rows_of(*table))
    assert relative_error(call(name, table), slow_value(name, table), scale=scale) <= 1e-12


@each_case("name", ["prob_auc", "mm12_auc"])
@each_case("kind", ["bool", "longdouble", "fractions", "mixed numbers"])
def test_probabilities_of_every_type(kind: str, name: str) -> None:
    table = ScoreTable(np.array([0, 1, 1, 0]), TYPES[kind])
    assert relative_error(call(name, table), slow_value(name, table)) <= 1e-12


WEIGHTED_MEASURES = ("scored_auc", "softened_auc", "soft_auc", "mm1_auc", "mm4_auc", "mm7_auc", "mm11_auc", "prob_auc")


@each_case("weight", [1e-150, 1e-10, 1e140])
@each_case("name", WEIGHTED_MEASURES)
def test_only_ratios_of_weights_matter(name: str, weight: float) -> None:
    y, s = [1, 0, 1, 0], np.array([0.25, 0.125, 0.5, 0.75])
    scaled = measure_of(name)(y, s * 1e-20, sample_weight=np.full(4, weight))
    assert scaled == pytest.approx(measure_of(name)(y, s * 1e-20), rel=1e-14)


@pytest.mark.parametrize("name", ["mm4_auc", "mm7_auc"])
def test_light_wins_beside_heavy_ties_keep_their_digits(name: str) -> None:
    table = ScoreTable(np.array([1, 0, 1, 0]), np.array([0.5, 0.5, 0.7, 0.2]), np.array([1e12, 1e12, 1e-4, 1e-4]))
    assert relative_error(call(name, table), slow_value(name, table)) <= 1e-12
    about = rs.set_properties(table.y_true, -table.y_score, sample_weight=table.sample_weight)
    lost = slow.set_properties(rows_of(table.y_true, -table.y_score, table.sample_weight))
    assert relative_error(about.rel_error_size, lost["rel_error_size"]) <= 1e-12


def test_a_light_outlier_does_not_spoil_a_mean_difference() -> None:
    rng = np.random.default_rng(1)
    y, s, w = np.arange(40) % 2, 1e-3 * rng.random(40), rng.random(40) + 0.1
    s[7], w[7] = 1e6, 1e-10
    table = ScoreTable(y, s, w)
    error = relative_error(
        call("mm11_auc", table), slow_value("mm11_auc", table), scale=slow.mean_distance(rows_of(*table))
    )
    assert error <= 1e-12


@each_case("scale", [5e-324, 1e-310, 1e-300, 1e300, 8e307])
@each_case("name", ["mm1_auc", "mm4_auc"])
def test_scale_free_measures_take_scores_of_any_size(name: str, scale: float) -> None:
    y, s = [1, 0, 1, 0], np.array([0.0, 0.0, 1.0, 2.0])
    assert measure_of(name)(y, s * scale) == measure_of(name)(y, s)


# Degenerate sets

POSITIVE_ONLY = {"scored_auc", "softened_auc", "mm1_auc", "mm4_auc", "mm6_auc", "mm7_auc"}
DEGENERATE: dict[str, tuple[list[int], list[float], dict[str, float]]] = {
    "all scores equal": (
        [1, 0, 1, 0],
        [0.3] * 4,
        {**dict.fromkeys(POSITIVE_ONLY, 0.0), "soft_auc": 0.5, "prob_auc": 0.5, "mm11_auc": 0.0, "mm12_auc": 0.5},
    ),
    "all wrong": (
        [1, 1, 0, 0],
        [0.25, 0.25, 0.75, 0.75],
        {**dict.fromkeys(POSITIVE_ONLY, 0.0), "prob_auc": 0.25, "mm11_auc": -0.5, "mm12_auc": 0.25},
    ),
    "no margin": (
        [1, 1, 0, 0],
        [0.75, 0.5, 0.5, 0.25],
        {"scored_auc": 0.25, "mm1_auc": 0.5, "mm4_auc": 0.5, "mm6_auc": 0.5**0.9, "mm7_auc": 0.5**0.9 * 0.75},
    ),
    "one pair": (
        [1, 0],
        [0.75, 0.5],
        {
            "scored_auc": 0.25,
            "softened_auc": 0.25 ** (1 / 7),
            "soft_auc": 1 / (1 + math.exp(-1.75)),
            "mm1_auc": 1.0,
            "mm4_auc": 1.0,
            "mm6_auc": 0.25**0.01,
            "mm7_auc": 0.25**0.01,
            "mm11_auc": 0.25,
        },
    ),
}


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_sets(name: str) -> None:
    y, s, expected = DEGENERATE[name]
    for measure, value in expected.items():
        assert measure_of(measure)(y, s) == pytest.approx(value, abs=1e-15), measure


def test_properties_of_degenerate_sets() -> None:
    equal, wrong, touching, pair = (rs.set_properties(y, s) for y, s, _ in DEGENERATE.values())
    assert (equal.range, equal.abs_margin, equal.abs_error_size) == (0, 0, 4)
    assert math.isnan(equal.rel_margin)
    assert (wrong.rel_margin, wrong.rel_error_size, wrong.correctly_ranked) == (-1, 1, False)
    assert (touching.abs_margin, touching.abs_error_size, touching.correctly_ranked) == (0, 1, False)
    assert (pair.rel_margin, pair.median, pair.correctly_ranked) == (1, 0.625, True)


@each_case("name", FAMILY)
def test_one_class_alone_is_undefined(name: str) -> None:
    with pytest.warns(rs.UndefinedWarning, match="only one class"):
        value = measure_of(name)([1, 1], [0.5, 0.25])
    assert math.isnan(value)
    assert value.reason == "single_class"


def test_pairwise_mean_of_one_class_is_undefined() -> None:
    with pytest.warns(rs.UndefinedWarning, match="only one class"):
        assert math.isnan(rs.pairwise_mean(np.tanh, [0, 0], [0.5, 0.25]))


# Refusals

READERS: dict[str, Callable[..., Any]] = {
    **{name: measure_of(name) for name in FAMILY},
    "set_properties": rs.set_properties,
    "scored_roc": rs.scored_roc,
    "prob_roc": rs.prob_roc,
    "pairwise_mean": lambda y, s: rs.pairwise_mean(np.tanh, y, s),
}


def refusal(error: type[rs.RocsteadyError], call: Callable[..., Any], *data: Any, **params: Any) -> str:
    with pytest.raises(error) as caught:
        call(*data, **params)
    return caught.value.code


@each_case("infinity", [math.inf, -math.inf])
@each_case("name", READERS)
def test_infinite_scores_are_refused(name: str, infinity: float) -> None:
    assert refusal(rs.InputError, READERS[name], [1, 0, 1], [0.5, 0.25, infinity]) == "infinite_scores"


@each_case("name", sorted(READERS.keys() - {"prob_auc", "prob_roc"}))
@each_case("scores", [[-1.7e308, 1.7e308], [0, 10**400], np.array([0, 1], dtype=np.longdouble) * 1e308 * 100])
def test_a_range_beyond_floats_is_refused(name: str, scores: Any) -> None:
    assert refusal(rs.InputError, READERS[name], [0, 1], scores) == "score_range"


@each_case("name", ["prob_auc", "prob_roc"])
@each_case("scores", [[-0.001, 0.5], [0.5, 1.001], [2, 7], [0.5, 1e308]])
def test_scores_that_are_no_probabilities_are_refused(name: str, scores: list[float]) -> None:
    assert refusal(rs.InputError, READERS[name], [1, 0], scores) == "not_probabilities"


@pytest.mark.parametrize("name", ["set_properties", "scored_roc", "prob_roc"])
def test_one_class_alone_is_refused_where_there_is_no_nan(name: str) -> None:
    assert refusal(rs.InputError, READERS[name], [1, 1], [0.5, 0.25]) == "single_class"


BAD_PARAMS = [
    *[("softened_auc", "q", {"q": value}) for value in (-0.5, -1, math.inf, math.nan)],
    *[("soft_auc", "beta", {"beta": value}) for value in (0, -7, math.inf, math.nan)],
    *[("mm4_auc", "floor", {"floor": value}) for value in (-0.1, 1.1, math.nan)],
    *[(name, "floor", {"floor": 2}) for name in ("mm6_auc", "mm7_auc")],
    *[(name, "exponents", {"m": value}) for name in ("mm6_auc", "mm7_auc") for value in (0, -1, math.inf, math.nan)],
    *[(name, "exponents", {"n": value}) for name in ("mm6_auc", "mm7_auc") for value in (-0.01, math.inf, math.nan)],
    ("scored_roc", "grid", {"grid": 0}),
]


@each_case(("name", "code", "params"), BAD_PARAMS)
def test_bad_parameters_are_refused(name: str, code: str, params: dict[str, float]) -> None:
    assert refusal(rs.ArgumentError, READERS[name], [1, 0], [0.5, 0.25], **params) == code


# Laws

MOVABLE = [name for name in FAMILY if name != "prob_auc"]
DEGREES: dict[str, Callable[[float], float]] = {
    "scored_auc": lambda c: c,
    "softened_auc": lambda c: c ** (1 / 7),
    "mm1_auc": lambda _: 1.0,
    "mm4_auc": lambda _: 1.0,
    "mm11_auc": lambda c: c,
}
SWAPS: dict[str, Callable[[float], float]] = {
    "prob_auc": lambda x: 1 - x,
    "soft_auc": lambda x: 1 - x,
    "mm11_auc": lambda x: -x,
    "mm12_auc": lambda x: 1 - x,
}
tied_tables = tables(("ties",))


@pytest.mark.parametrize("name", MOVABLE)
@few_examples
@given(table=tied_tables, shift=st.integers(-1000, 1000))
def test_a_constant_added_to_all_scores_changes_nothing(name: str, table: ScoreTable, shift: int) -> None:
    moved = table._replace(y_score=table.y_score + shift)
    assert call(name, moved) == call(name, table)
    with always_fast():
        assert call(name, moved) == pytest.approx(call(name, table), rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("name", DEGREES)
@few_examples
@given(table=tied_tables, factor=st.floats(1e-3, 1e3))
def test_scaled_scores_scale_the_measure_by_its_degree(name: str, table: ScoreTable, factor: float) -> None:
    scaled = table._replace(y_score=table.y_score * factor)
    expected = DEGREES[name](factor) * call(name, table)
    assert call(name, scaled) == pytest.approx(expected, rel=1e-12, abs=1e-13 * factor)


@few_examples
@given(table=tied_tables, q=st.floats(0.01, 3), factor=st.floats(1e-3, 1e3))
def test_softened_auc_has_degree_q(table: ScoreTable, q: float, factor: float) -> None:
    scaled = table._replace(y_score=table.y_score * factor)
    assert call("softened_auc", scaled, q=q) == pytest.approx(factor**q * call("softened_auc", table, q=q), rel=1e-12)


@few_examples
@given(table=tied_tables, beta=st.floats(0.01, 100), factor=st.floats(1e-3, 1e3))
def test_soft_auc_of_stretched_scores_is_that_of_a_stretched_beta(
    table: ScoreTable, beta: float, factor: float
) -> None:
    stretched = table._replace(y_score=table.y_score * factor)
    assert call("soft_auc", stretched, beta=beta) == pytest.approx(
        call("soft_auc", table, beta=beta * factor), rel=1e-12
    )


@pytest.mark.parametrize("name", SWAPS)
@few_examples
@given(table=tables(UNIT_SPREADS))
def test_exchanged_classes(name: str, table: ScoreTable) -> None:
    swapped = call(name, table._replace(y_true=1 - table.y_true))
    assert swapped == pytest.approx(SWAPS[name](call(name, table)), abs=1e-12)


@few_examples
@given(tables(UNIT_SPREADS))
def test_limits_of_softened_auc_and_the_family_ties(table: ScoreTable) -> None:
    won = float(slow.won_share(rows_of(*table)))
    assert call("softened_auc", table, q=1e-9) == pytest.approx(won, abs=1e-7)
    assert call("softened_auc", table, q=1) == call("scored_auc", table)
    assert call("mm12_auc", table) == pytest.approx(call("prob_auc", table), abs=1e-15)
    assert call("mm7_auc", table) == pytest.approx(call("mm6_auc", table) * won, rel=1e-12)


@few_examples
@given(tied_tables)
def test_limits_of_soft_auc(table: ScoreTable) -> None:
    ranked = rs.rank(table.y_true, table.y_score, sample_weight=table.sample_weight)
    assert rs.soft_auc(ranked, beta=1e6) == pytest.approx(rs.auc(ranked), abs=1e-12)
    assert rs.soft_auc(ranked, beta=1e-9) == pytest.approx(0.5, abs=1e-9)


@each_case("beta", [5e-324, 1e-310, 1e-100, 1e100, 1e308])
@each_case("scale", [1e-30, 1.0, 1e30])
def test_soft_auc_takes_every_beta(beta: float, scale: float) -> None:
    y, s = [1, 0, 1, 0, 1], np.array([0.3, 0.1, 0.2, 0.25, 0.7]) * scale
    ranked = rs.rank(y, s)
    expected = rs.auc(ranked) if beta * scale > 1 else 0.5
    assert rs.soft_auc(ranked, beta=beta) == pytest.approx(expected, abs=1e-15)
    with always_fast():
        assert rs.soft_auc(ranked, beta=beta) == pytest.approx(expected, abs=1e-13)


@few_examples
@given(tied_tables)
def test_laws_of_set_properties(table: ScoreTable) -> None:
    ranked = rs.rank(table.y_true, table.y_score, sample_weight=table.sample_weight)
    about, tied = rs.set_properties(ranked), rs.tie_diagnostics(ranked).tied_pairs
    assert about.rel_error_size == pytest.approx(1 - rs.auc(ranked) + tied / 2, abs=1e-12)
    assert about.correctly_ranked == (about.abs_error_size == 0) == (about.abs_margin > 0)
    assert about.range >= abs(about.abs_margin)
    assert about.range == 0 or about.rel_margin == about.abs_margin / about.range
    assert table.y_score.min() <= about.median <= table.y_score.max()


@pytest.mark.parametrize("name", FAMILY)
@few_examples
@given(table=tables(UNIT_SPREADS))
def test_values_stay_within_the_bounds_of_the_sheet(name: str, table: ScoreTable) -> None:
    low, high = measure_of(name).sheet.bounds
    assert low <= call(name, table) <= high


# What the results carry

BOUNDED = [name for name in FAMILY if "exact" in measure_of(name).sheet.params and name not in ("mm6_auc", "mm7_auc")]


@pytest.mark.parametrize("name", BOUNDED)
@few_examples
@given(table=tables())
def test_exact_and_default_agree_within_the_bound(name: str, table: ScoreTable) -> None:
    with always_fast():
        fast = call(name, table)
    value, exact = call(name, table), call(name, table, exact=True)
    assert value == exact
    assert abs(fast - exact) <= fast.error_bound + exact.error_bound


@pytest.mark.parametrize("name", BOUNDED)
def test_results_carry_their_error_and_method(name: str) -> None:
    value = measure_of(name)([1, 0, 1, 0], [0.75, 0.5, 0.25, 0.0])
    assert isinstance(value, rs.Bounded)
    assert 0 < value.error_bound < 1e-13
    assert value.method == "all pairs"


@pytest.mark.parametrize("clone", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])  # noqa: S301
def test_copies_keep_error_and_method(clone: Callable[[Any], Any]) -> None:
    value = rs.soft_auc([1, 0, 1], [0.75, 0.5, 0.25])
    made = clone(value)
    assert (made, made.error_bound, made.method) == (value, value.error_bound, value.method)


def test_the_step_kernel_is_auc() -> None:
    value = rs.pairwise_mean(Step(), [1, 0, 1, 0], [0.75, 0.5, 0.5, 0.0])
    assert (value, value.method) == (0.875, "exact counts")


def test_evaluate_takes_the_family_and_its_sheets_say_emerging() -> None:
    table = {"y": [1, 0, 1, 0, 1], "s": [0.9, 0.3, 0.4, 0.5, 0.6]}
    found = rs.evaluate(table, label="y", scores="s", measures=["family:score-aware"])
    values = found.values["s"]
    assert list(values) == FAMILY
    assert all(values[name] == measure_of(name)(table["y"], table["s"]) for name in FAMILY)
    assert all(sheet.emerging for sheet in rs.list_measures("score-aware"))
    assert all(measure_of(name).sheet.needs_finite for name in FAMILY)
