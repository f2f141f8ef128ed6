"""RankedScores: exact groups of any type and size, the same for the same rows however they come."""

from __future__ import annotations

import math
import pickle
import warnings
from dataclasses import FrozenInstanceError
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate, permutations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import oracles
import rocsteady as rs
from cases import each_case
from rocsteady._src.base.exact import compensated_cumsum, exact_dot
from rocsteady._src.ranked.grouping import sorted_distinct
from strategies import (
    ALL_WEIGHTS,
    COUNT_WEIGHTS,
    FLOAT_WEIGHTS,
    ScoreTable,
    row_orders,
    score_tables,
    splits,
)

if TYPE_CHECKING:
    from collections.abc import Callable

LARGEST, SMALLEST = np.finfo(np.float64).max, math.ulp(0.0)
AFTER_ONE = 1 + np.finfo(np.longdouble).eps
FEW_SCORES = np.array([3.0, 1.0, 2.0, 1.0])
Y_TRUE = np.array([1, 0, 1, 1])


def rank(table: ScoreTable) -> rs.RankedScores:
    return rs.rank(table.y_true, table.y_score, sample_weight=table.sample_weight)


def groups_of(ranked: rs.RankedScores) -> list[tuple[Any, Any, Any]]:
    return list(zip(ranked.scores.tolist(), ranked.pos.tolist(), ranked.neg.tolist(), strict=True))


def expected_groups(table: ScoreTable) -> list[tuple[Any, Fraction, Fraction]]:
    rows = oracles.rows_of(*table)
    at = {score: [row for row in rows if row.score == score] for score in sorted({row.score for row in rows})}
    return [(score, oracles.n_pos(group), oracles.n_neg(group)) for score, group in at.items()]


def same_bits(first: rs.RankedScores, second: rs.RankedScores) -> bool:
    """Values, not types: merging integers with floats may give floats, which hold the same numbers."""
    return first == second and first.pos.dtype == second.pos.dtype and first.fingerprint == second.fingerprint


# Groups


@given(score_tables(weights=COUNT_WEIGHTS, classes="any", min_rows=1))
def test_groups_are_exact_counts(table: ScoreTable) -> None:
    ranked = rank(table)
    assert groups_of(ranked) == expected_groups(table)
    assert ranked.pos.dtype == ranked.neg.dtype == np.int64
    assert ranked.exact
    assert (type(ranked.n_pos), type(ranked.n_neg)) == (int, int)
    assert ranked.n_rows_counted == sum(pos + neg for _, pos, neg in expected_groups(table))


@given(score_tables(weights=FLOAT_WEIGHTS, classes="any", min_rows=1))
def test_groups_of_float_weights(table: ScoreTable) -> None:
    ranked = rank(table)
    weights = table.sample_weight
    assert ranked.exact == bool((weights == np.floor(weights)).all() and weights.sum() < 2**62)
    for (score, pos, neg), (at, true_pos, true_neg) in zip(groups_of(ranked), expected_groups(table), strict=True):
        assert score == at
        assert oracles.relative_error(pos, true_pos) <= 1e-15
        assert oracles.relative_error(neg, true_neg) <= 1e-15


@given(score_tables(weights=COUNT_WEIGHTS, classes="any", min_rows=1))
def test_cumulative_counts(table: ScoreTable) -> None:
    ranked, expected = rank(table), expected_groups(table)
    positives, negatives = [pos for _, pos, _ in expected], [neg for _, _, neg in expected]
    for counts, through, below in (
        (positives, ranked.pos_through, ranked.pos_below),
        (negatives, ranked.neg_through, ranked.neg_below),
    ):
        assert through.tolist() == list(accumulate(counts))
        assert below.tolist() == [0, *accumulate(counts)][:-1]
    cells = oracles.all_cells(oracles.rows_of(*table))
    assert [walk.tolist() for walk in ranked.called_positive] == [[c.tp for c in cells], [c.fp for c in cells]]
    assert [walk.tolist() for walk in ranked.called_negative] == [[c.fn for c in cells], [c.tn for c in cells]]
    assert ranked.thresholds.tolist() == [math.inf, *(score for score, _, _ in reversed(expected))]


@given(score_tables(weights=FLOAT_WEIGHTS, classes="any", min_rows=1))
def test_cumulative_float_weights_keep_small_ones(table: ScoreTable) -> None:
    ranked = rank(table)
    for walks in (ranked.called_positive, ranked.called_negative[::-1]):
        assert all((np.diff(walk) >= 0).all() or (np.diff(walk) <= 0).all() for walk in walks)
    for name, column in (("pos_below", 1), ("neg_below", 2)):
        exact = [0, *accumulate(group[column] for group in expected_groups(table))][:-1]
        for value, reference in zip(getattr(ranked, name).tolist(), exact, strict=True):
            assert oracles.relative_error(value, reference) <= 1e-15


def test_small_weights_below_a_huge_one_are_not_lost() -> None:
    ranked = rs.rank([0, 0, 1], [1, 2, 3], sample_weight=[1.0, 1e16, 1.0])
    assert ranked.neg_below.tolist() == [0, 1, 10**16 + 1]
    ranked = rs.rank([0, 0, 1], [1, 2, 3], sample_weight=[1.0, 1e16, 0.5])
    assert ranked.neg_below.tolist() == [0, 1, 1e16]


def test_rounded_sums_never_pass_the_total() -> None:
    """Summed upwards 2**53 + 1 + dust rounds down, summed downwards it rounds up."""
    weights = np.array([2.0**-60, 2.0**53, 1.0, *[2.0**-60] * 4096])
    ranked = rs.rank(np.append(np.ones(weights.size), 0), np.arange(weights.size + 1), sample_weight=[*weights, 1.0])
    tp, _ = ranked.called_positive
    assert tp.max() == tp[-1] == ranked.n_pos
    assert (np.diff(tp) >= 0).all()


@pytest.mark.parametrize("rows", [0, 1])
def test_tables_with_hardly_any_rows(rows: int) -> None:
    ranked = rs.rank([1] * rows, [0.5] * rows)
    assert (ranked.n_pos, ranked.n_neg, len(ranked.scores)) == (rows, 0, rows)
    assert ranked.thresholds.tolist() == [math.inf] + [0.5] * rows
    assert repr(ranked) == f"RankedScores({rows} distinct scores, {rows} positives, 0 negatives)"


# Types and values of scores


@each_case(
    ("scores", "expected"),
    [
        ([-0.0, 0.0, 0.0], [0.0]),
        ([0.0, -0.0, SMALLEST], [0.0, SMALLEST]),
        ([math.inf, -math.inf, LARGEST], [-math.inf, LARGEST, math.inf]),
        ([-LARGEST, LARGEST, math.nextafter(LARGEST, 0)], [-LARGEST, math.nextafter(LARGEST, 0), LARGEST]),
        ([1e308, SMALLEST, -SMALLEST], [-SMALLEST, SMALLEST, 1e308]),
        ([0.1 + 0.2, 0.3, 0.3], [0.3, 0.1 + 0.2]),
        ([2**53 + 1, 2**53, 2**53 + 2], [2**53, 2**53 + 1, 2**53 + 2]),
        ([2**63 - 1, -(2**63), 0], [-(2**63), 0, 2**63 - 1]),
        ([2**64 - 1, 2**64 - 2, 0], [0, 2**64 - 2, 2**64 - 1]),
        ([2**64, 2**64 + 1, 10**30], [2**64, 2**64 + 1, 10**30]),
        ([2.0**53, 2**53 + 1, 2**53], [2**53, 2**53 + 1]),
        ([Decimal("0.1"), Decimal("0.10"), Decimal("1E-40")], [Decimal("1E-40"), Decimal("0.1")]),
        ([Fraction(1, 3), Fraction(2, 6), Fraction(1, 4)], [Fraction(1, 4), Fraction(1, 3)]),
        ([True, False, True], [0, 1]),
        (np.array([0.1, 0.1, 0.2], dtype=np.float16), [float(np.float16(0.1)), float(np.float16(0.2))]),
        (np.array([16777216, 16777218, 1], dtype=np.float32), [1.0, 16777216.0, 16777218.0]),
        (np.array([1, AFTER_ONE, 0]), [0, 1, AFTER_ONE]),
        (np.array([-128, 127, 0], dtype=np.int8), [-128, 0, 127]),
        (np.array([1.0, 2.0, 3.0], dtype=">f8"), [1.0, 2.0, 3.0]),
    ],
)
@each_case("weighted", [False, True])
def test_scores_of_every_type_keep_their_order(scores: Any, expected: list[Any], weighted: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocsteadyWarning)
        ranked = rs.rank([1, 0, 1], scores, sample_weight=[1, 1, 1] if weighted else None)
    assert ranked.scores.tolist() == expected
    assert not np.signbit(np.asarray(ranked.scores, dtype=float)[np.asarray(expected) == 0]).any()
    assert ranked.n_rows_counted == 3


def test_the_lowest_integer_has_an_absolute_value_too() -> None:
    assert rs.auc([0, 1, 1], [-(2**63), 5, 6]) == 1


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_narrow_scores_become_doubles_without_change(dtype: Any) -> None:
    scores = np.array([0.1, 0.7, 0.3], dtype=dtype)
    ranked = rs.rank([1, 0, 1], scores)
    assert ranked.scores.dtype == np.float64
    assert ranked.scores.tolist() == sorted(scores.tolist())


def test_counts_are_exact_where_float32_stops_counting() -> None:
    """A float32 cannot tell 2**24 from 2**24 + 1, float16 stops at 2048."""
    size = 2**24 + 3
    y_score = np.zeros(size, dtype=np.float32)
    y_score[0] = 1
    y_true = np.zeros(size, dtype=bool)
    y_true[:2] = True
    ranked = rs.rank(y_true, y_score)
    assert ranked.neg.tolist() == [size - 2, 0]
    assert ranked.n_rows_counted == size
    assert rs.auc(ranked) == 0.75


@pytest.mark.parametrize("size", [2**31, 2**32 + 1, 2**40, 2**53 + 1])
def test_pairs_beyond_64_bits(size: int) -> None:
    ranked = rs.RankedScores.from_counts([1, 2, 3], pos=[size, 1, 2 * size], neg=[size + 1, size, 3])
    wins = Fraction(size * (size + 1), 2) + (size + 1) + Fraction(size, 2) + 2 * size * (2 * size + 1 + Fraction(3, 2))
    pairs = (3 * size + 1) * (2 * size + 4)
    assert rs.auc(ranked) == float(wins / pairs)
    assert rs.gini(ranked) == float(2 * wins / pairs - 1)


# Weights


@given(score_tables(weights=FLOAT_WEIGHTS))
def test_order_of_rows_leaves_no_bits_in_float_weights(table: ScoreTable) -> None:
    assert same_bits(rank(table), rank(table.take(slice(None, None, -1))))


@given(st.data())
def test_float_weights_of_tied_rows_add_up_in_one_way(data: st.DataObject) -> None:
    weights = np.array(data.draw(st.lists(st.floats(0.01, 100), min_size=9, max_size=20)))
    order = data.draw(row_orders(weights.size))
    y_true, tied = np.arange(weights.size) % 2, np.zeros(weights.size)
    first = rs.rank(y_true, tied, sample_weight=weights)
    assert same_bits(first, rs.rank(y_true[order], tied, sample_weight=weights[order]))


def test_huge_ratio_of_weights() -> None:
    y_true, scores = np.array([0] + [1, 0] * 100), np.append(0, np.arange(200) // 2)
    weights = np.append(1e16, np.ones(200))
    ranked = rs.rank(y_true, scores, sample_weight=weights)
    assert ranked.n_neg == 1e16 + 100
    assert oracles.relative_error(rs.auc(ranked), oracles.auc(oracles.rows_of(y_true, scores, weights))) < 1e-14


# Merging


@given(st.data())
def test_merge_is_ranking_in_one_go(data: st.DataObject) -> None:
    table = data.draw(score_tables(weights=COUNT_WEIGHTS, classes="any", min_rows=1))
    parts = data.draw(splits(len(table.y_true)))
    ranked = [rank(part) for part in (table.take(parts == i) for i in range(4)) if has_weight(part)]
    whole = rank(table)
    assert all(same_bits(rs.merge(*order), whole) for order in permutations(ranked))
    left = right = ranked[0]
    for part in ranked[1:]:
        left, right = rs.merge(left, part), part.merge(right)
    assert same_bits(left, whole)
    assert same_bits(right, whole)


def has_weight(table: ScoreTable) -> bool:
    return table.sample_weight is None or bool(table.sample_weight.any())


@given(st.lists(score_tables(weights=ALL_WEIGHTS, classes="any", min_rows=0), min_size=2, max_size=3))
def test_merge_of_different_types_is_commutative(tables: list[ScoreTable]) -> None:
    parts = [rank(table) for table in tables]
    merged = rs.merge(*parts)
    assert all(same_bits(rs.merge(*order), merged) for order in permutations(parts))
    scores = {score for part in parts for score in part.scores.tolist()}
    assert merged.scores.tolist() == sorted(scores)


@given(st.lists(score_tables(weights=COUNT_WEIGHTS, classes="any", min_rows=0), min_size=3, max_size=3))
def test_merge_of_different_types_is_associative(tables: list[ScoreTable]) -> None:
    a, b, c = (rank(table) for table in tables)
    assert same_bits(rs.merge(rs.merge(a, b), c), rs.merge(a, rs.merge(b, c)))


def test_merge_adds_up_what_is_known_about_the_rows() -> None:
    first = rs.rank([1, 0], [2, 1], missing="drop")
    second = rs.rank([1, 0, None], [2, 1, 0], missing="drop")
    origin = rs.merge(first, second, rs.rank([], [])).origin
    assert (origin.n_rows, origin.n_dropped, origin.weighted) == (4, 1, False)


def test_merge_does_not_overflow() -> None:
    part = rs.RankedScores.from_counts([1, 2], pos=[2**60, 2**60], neg=[2**60, 1])
    merged = rs.merge(*[part] * 8)
    assert merged.n_pos == 8 * part.n_pos
    assert rs.auc(merged) == pytest.approx(rs.auc(part), rel=1e-15)


@each_case(
    ("code", "attempt"),
    [
        ("nothing_to_merge", rs.merge),
        ("merge_pos_label", lambda: rs.merge(rs.rank(["a"], [1], pos_label="a"), rs.rank(["b"], [1], pos_label="b"))),
        ("already_ranked", lambda: rs.rank(rs.rank([1], [1]), [1])),
        ("scores_absent", lambda: rs.rank([1, 0])),
        ("lengths_differ", lambda: rs.RankedScores.from_counts([1, 2], pos=[1, 2], neg=[0])),
        ("lengths_differ", lambda: rs.RankedScores.from_counts([1], pos=[1, 2], neg=[0, 1])),
        ("empty_counts", lambda: rs.RankedScores.from_counts([1], pos=[0], neg=[0])),
        ("weights_negative", lambda: rs.RankedScores.from_counts([1], pos=[2], neg=[-1])),
        ("missing_values", lambda: rs.RankedScores.from_counts([math.nan], pos=[1], neg=[1])),
    ],
)
def test_refusals(code: str, attempt: Callable[[], Any]) -> None:
    with pytest.raises(rs.RocsteadyError) as refused:
        attempt()
    assert refused.value.code == code


@given(score_tables(weights=COUNT_WEIGHTS, classes="any", min_rows=1))
def test_from_counts_is_ranking_the_rows(table: ScoreTable) -> None:
    weights = np.ones(len(table.y_true), dtype=int) if table.sample_weight is None else table.sample_weight
    counted = rs.RankedScores.from_counts(table.y_score, pos=weights * table.y_true, neg=weights * (1 - table.y_true))
    assert same_bits(counted, rank(table))
    assert counted.origin.n_rows == weights.sum()


# Identity


@given(st.data())
def test_fingerprint_is_that_of_the_rows(data: st.DataObject) -> None:
    table = data.draw(score_tables(classes="any", min_rows=1))
    shuffled = table.take(data.draw(row_orders(len(table.y_true))))
    assert rank(shuffled).fingerprint == rank(table).fingerprint


@each_case(
    ("y_true", "y_score"),
    [
        (Y_TRUE, FEW_SCORES[::1]),
        (Y_TRUE[::-1], FEW_SCORES[::-1]),
        (Y_TRUE.astype(bool), FEW_SCORES.astype(np.float32)),
        (Y_TRUE.tolist(), tuple(FEW_SCORES.astype(int).tolist())),
        (Y_TRUE.astype(float), FEW_SCORES.astype(np.uint8)),
        (Y_TRUE, [Decimal(score) for score in FEW_SCORES]),
        (Y_TRUE, [Fraction(score) for score in FEW_SCORES]),
        (2 * Y_TRUE - 1, FEW_SCORES.astype(np.longdouble)),
    ],
)
def test_fingerprint_does_not_know_types(y_true: Any, y_score: Any) -> None:
    assert rs.rank(y_true, y_score).fingerprint == rs.rank(Y_TRUE, FEW_SCORES).fingerprint


@each_case(
    "scores",
    [
        (2**53 + 2, 2**53),
        (0.5, -0.0),
        (Fraction(1, 2), -0.0),
        (Decimal("0.5"), Decimal(0)),
        (math.inf, 1),
        (10**400, 1),
    ],
)
def test_fingerprint_of_numbers_that_are_equal(scores: tuple[Any, Any]) -> None:
    def print_of(values: Any) -> str:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rs.RocsteadyWarning)
            return rs.rank([1, 0], values).fingerprint

    objects = np.array(scores, dtype=object)
    assert print_of(objects) == print_of(list(scores))
    if scores[0] < 1e300 or scores[0] == math.inf:
        assert print_of(objects) == print_of(np.array(scores, dtype=np.float64))


@pytest.mark.parametrize(
    ("y_true", "y_score"),
    [([0, 1, 1, 1], FEW_SCORES), (Y_TRUE, FEW_SCORES + 1), (Y_TRUE, np.nextafter(FEW_SCORES, 9)), ([1, 0], [3, 1])],
)
def test_fingerprint_tells_data_apart(y_true: Any, y_score: Any) -> None:
    assert rs.rank(y_true, y_score).fingerprint != rs.rank(Y_TRUE, FEW_SCORES).fingerprint


def test_fingerprint_tells_integers_beyond_2_53_apart() -> None:
    assert rs.rank([1, 0], [2**53 + 1, 0]).fingerprint != rs.rank([1, 0], [2**53, 0]).fingerprint


def test_equality_is_that_of_the_groups() -> None:
    ranked = rs.rank(Y_TRUE, FEW_SCORES)
    assert ranked == rs.rank(Y_TRUE[::-1], FEW_SCORES[::-1])
    assert ranked != rs.rank(Y_TRUE, FEW_SCORES + 1)
    assert ranked != "ranked"
    with pytest.raises(TypeError, match="unhashable"):
        hash(ranked)


# What cannot be changed

ARRAYS = ("scores", "pos", "neg", "pos_through", "neg_through", "pos_below", "neg_below", "thresholds")


@pytest.mark.parametrize("weights", [None, [0.5, 0.25, 1.0, 2.0]])
@pytest.mark.parametrize("restore", [lambda ranked: ranked, lambda ranked: pickle.loads(pickle.dumps(ranked))])  # noqa: S301
def test_ranked_scores_cannot_be_changed(weights: Any, restore: Callable[[Any], Any]) -> None:
    ranked = restore(rs.rank(Y_TRUE, FEW_SCORES, sample_weight=weights))
    with pytest.raises(FrozenInstanceError):
        ranked.pos = ranked.neg
    for array in (*(getattr(ranked, name) for name in ARRAYS), *ranked.called_positive, *ranked.called_negative):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
    assert same_bits(ranked, rs.rank(Y_TRUE, FEW_SCORES, sample_weight=weights))


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, bool])
def test_the_rows_of_the_user_stay_theirs(dtype: Any) -> None:
    y_true, y_score, weights = Y_TRUE.copy(), FEW_SCORES.astype(dtype), np.array([2, 1, 1, 1])
    before = [column.tolist() for column in (y_true, y_score, weights)]
    rs.merge(rs.rank(y_true, y_score), rs.rank(y_true, y_score, sample_weight=weights))
    assert [column.tolist() for column in (y_true, y_score, weights)] == before
    assert all(column.flags.writeable for column in (y_true, y_score, weights))


# Sums that do not lose digits


@given(st.lists(st.tuples(st.integers(0, 2**53), st.integers(0, 2**62)), max_size=20))
@example([(2**53, 2**62)] * 16)
@example([(2**20, 2**62), (1, 1)])
def test_exact_dot_of_counts(pairs: list[tuple[int, int]]) -> None:
    first, second = (np.array([pair[i] for pair in pairs], dtype=np.int64) for i in (0, 1))
    assert exact_dot(first, second) == sum(a * b for a, b in pairs)


@given(st.lists(st.tuples(st.floats(0, 1e16), st.integers(0, 100)), max_size=20))
def test_exact_dot_of_weights(pairs: list[tuple[float, int]]) -> None:
    first, second = np.array([a for a, _ in pairs], dtype=float), np.array([b for _, b in pairs], dtype=np.int64)
    value = exact_dot(first, second)
    assert isinstance(value, float)
    assert oracles.relative_error(value, sum(Fraction(a) * b for a, b in pairs)) <= 1e-14


@given(st.lists(st.floats(0, 1e16), max_size=30))
@example([1e16, *[1.0] * 29])
@example([1.0, 1e100, 1.0, 1e-100])
def test_compensated_cumsum_is_as_good_as_fsum(values: list[float]) -> None:
    sums = compensated_cumsum(np.array(values, dtype=np.float64))
    for i, value in enumerate(sums.tolist(), start=1):
        exact = math.fsum(values[:i])
        assert abs(value - exact) <= math.ulp(exact)


def test_rows_without_ties_count_when_asked() -> None:
    ranked = rs.rank([1, 0, 1, 0], [4.0, -1.0, 2.0, 3.0])
    assert "pos" not in vars(ranked)
    assert rs.auc(ranked) == 0.75
    assert "pos" not in vars(ranked)
    assert ranked.exact
    assert ranked.pos.tolist() == [0, 1, 0, 1]
    assert ranked.neg.tolist() == [1, 0, 1, 0]
    assert ranked.pos.dtype == ranked.neg.dtype == np.int64
    with pytest.raises(AttributeError, match="no attribute 'positives'"):
        _ = ranked.positives
    with pytest.raises(ValueError, match="read-only"):
        ranked.neg[0] = 7


def test_whole_numbers_close_together_are_numbered_as_by_sorting() -> None:
    rng = np.random.default_rng(3)
    for values in (
        rng.integers(-5, 40, 3000),
        rng.integers(0, 255, 3000).astype(np.uint8),
        (rng.integers(-128, 127, 3000)).astype(np.int8),
        rng.integers(0, 3, 3000) + 2**62,
        (rng.integers(0, 3, 3000).astype(np.uint64) + np.uint64(2**63)),
        rng.integers(-(2**40), 2**40, 3000),
    ):
        distinct, place = sorted_distinct(values)
        known, known_place = np.unique(values, return_inverse=True)
        assert distinct.dtype == values.dtype
        np.testing.assert_array_equal(distinct, known)
        np.testing.assert_array_equal(place, known_place)
