"""The sketch: exact below its capacity, bracketed above it, the same however its parts are merged."""

from __future__ import annotations

import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
import rocsteady as rs
from cases import each_case
from rocsteady._src.scale.sketch import Sketch
from rocsteady._src.scale.sketch_keys import HIGHEST_KEY, LOWEST_KEY, MINUS_ZERO, Grid, keys_of, scores_of
from strategies import ALL_SCORES, ScoreTable, row_orders, score_tables, splits

COUNTABLE = tuple(kind for kind in ALL_SCORES if kind != "unsigned integers")
SETTINGS: list[dict[str, Any]] = [
    {"bits": 4},
    {"bits": 12},
    {"bits": 4, "range": (0, 1)},
    {"bits": 8, "range": (-1, 2)},
    {"bits": 6, "range": (0.25, 0.3000000001)},
    {"bits": 14, "range": (-1e300, 1e300)},
]
settings_of = st.sampled_from(SETTINGS)
tables = score_tables(scores=COUNTABLE, weights=("none", "small integers"))


def counted(table: ScoreTable, **settings: Any) -> Sketch:
    return Sketch(**settings).update(table.y_true, table.y_score, sample_weight=table.sample_weight)


def exact_auc(table: ScoreTable) -> Fraction:
    found = oracles.auc(oracles.rows_of(*table))
    assert found is not None
    return found


@given(tables)
def test_below_capacity_it_is_what_ranking_gives(table: ScoreTable) -> None:
    sketch = counted(table, capacity=50)
    ranked = rs.rank(table.y_true, table.y_score, sample_weight=table.sample_weight)
    assert sketch.exact
    for groups in (sketch.best(), sketch.worst()):
        assert groups.scores.tolist() == ranked.scores.tolist()
        assert groups.pos.tolist() == ranked.pos.tolist()
        assert groups.neg.tolist() == ranked.neg.tolist()
    found = sketch.auc()
    assert found.exact
    assert found.low == found.estimate == found.high == rs.auc(ranked)


@given(tables, settings_of)
def test_the_bracket_holds_the_exact_area_and_has_the_stated_width(table: ScoreTable, settings: dict[str, Any]) -> None:
    sketch = counted(table, capacity=0, **settings)
    found, exact = sketch.auc(), exact_auc(table)
    if found.exact:
        assert found.low == found.high == float(exact)
    else:
        assert Fraction(found.low) <= exact <= Fraction(found.high)
    cells = sketch.cells
    together = sum(int(p) * int(n) for p, n in zip(cells.pos[~cells.known], cells.neg[~cells.known], strict=True))
    assert found.half_width == pytest.approx(together / (2 * sketch.n_pos * sketch.n_neg), abs=1e-15)
    assert found.estimate == pytest.approx((found.low + found.high) / 2, abs=1e-15)
    assert found.exact is (together == 0)
    assert found.method == ("exact counts" if found.exact else "sketch bracket")


@given(tables, settings_of)
def test_every_row_lies_in_its_cell(table: ScoreTable, settings: dict[str, Any]) -> None:
    cells = counted(table, capacity=0, **settings).cells
    assert (cells.first <= cells.last).all()
    assert (cells.first[1:] > cells.last[:-1]).all()
    rows = table.y_score if table.sample_weight is None else table.y_score[table.sample_weight > 0]
    scores = rows.astype(np.int64 if rows.dtype.kind in "biu" else np.float64)
    keys = keys_of(scores)
    places = cells.first.searchsorted(keys, side="right") - 1
    assert (cells.first[places] <= keys).all()
    assert (keys <= cells.last[places]).all()


@given(st.data(), tables, settings_of, st.sampled_from([0, 2, 50]))
def test_parts_in_any_order_and_grouping_give_the_same_bytes(
    data: st.DataObject, table: ScoreTable, settings: dict[str, Any], capacity: int
) -> None:
    whole = counted(table, capacity=capacity, **settings)
    part_of = data.draw(splits(table.y_true.size))
    order = data.draw(row_orders(4))
    parts = [Sketch(capacity=capacity, **settings) for _ in range(4)]
    for row, part in enumerate(part_of):
        one = table.take([row])
        if one.sample_weight is None or one.sample_weight[0] > 0:
            parts[part].update(*one[:2], sample_weight=one.sample_weight)
    a, b, c, d = (parts[place] for place in order)
    zeros = 0 if table.sample_weight is None else int((table.sample_weight == 0).sum())
    assert whole.n_rows == table.y_true.size - zeros
    flat, left, right = a.merge(b, c, d), a.merge(b).merge(c).merge(d), a.merge(b.merge(c.merge(d)))
    assert flat.to_bytes() == left.to_bytes() == right.to_bytes() == whole.to_bytes()


def test_exactness_does_not_depend_on_the_order_of_many_rows() -> None:
    rng = np.random.default_rng(5)
    y, s = rng.random(3000) < 0.4, rng.integers(0, 700, 3000) / 7
    for capacity in (650, 700, 1000):
        states = set()
        for size in (3000, 100, 7):
            order = rng.permutation(y.size)
            sketch = Sketch(capacity=capacity)
            for start in range(0, y.size, size):
                sketch.update(y[order[start : start + size]], s[order[start : start + size]])
            assert sketch.exact is (np.unique(s).size <= capacity)
            states.add(sketch.to_bytes())
        assert len(states) == 1


def test_waiting_rows_are_counted_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rocsteady._src.scale.key_table.LEAST_WAITING", 16)
    monkeypatch.setattr("rocsteady._src.scale.sketch_counts.CHUNK", 10)
    rng = np.random.default_rng(6)
    y, s = rng.random(500) < 0.4, rng.integers(0, 60, 500) / 8
    for capacity in (10, 100):
        sketch = Sketch(capacity=capacity).update(y, s)
        assert sketch.n_rows == sketch.n_pos + sketch.n_neg == 500
        assert sketch.exact is (capacity == 100)
        low, high = sketch.auc()
        assert low <= rs.auc(y, s) <= high


ODD = [-math.inf, -1.7e308, -1.0, -5e-324, 0.0, 5e-324, 1e-310, 0.1, 1.0, 1.7e308, math.inf]


def test_keys_compare_as_scores_and_come_back() -> None:
    floats = np.array(ODD)
    keys = keys_of(floats)
    assert (np.diff(keys.astype(object)) > 0).all()
    assert scores_of(keys, "float64").tolist() == ODD
    assert keys_of(np.array([-0.0]))[0] == keys_of(np.array([0.0]))[0] == 0
    assert (keys[0], keys[-1]) == (LOWEST_KEY["float64"], HIGHEST_KEY["float64"])
    whole = np.array([-(2**63), 2**53, 2**53 + 1, 2**63 - 1])
    assert keys_of(whole).tolist() == whole.tolist()


@each_case("settings", SETTINGS, ids=str)
@each_case("kind", ["float64", "int64"])
def test_the_ends_of_a_bucket_are_its_own(settings: dict[str, Any], kind: Any) -> None:
    grid = Grid(**settings)
    rng = np.random.default_rng(7)
    least, most = grid.buckets(scores_of(np.array([LOWEST_KEY[kind], HIGHEST_KEY[kind]]), kind))
    drawn = rng.integers(least, most + 1, 200)
    numbers = np.unique(np.concatenate([drawn, [least, most]]))
    first, last = grid.first_keys(numbers, kind), grid.last_keys(numbers, kind)
    last -= (last == MINUS_ZERO) & (kind == "float64")  # no row has the key of -0.0
    held = first <= last  # some buckets hold no score at all
    assert held.any()
    for ends in (first, last):
        assert (grid.buckets(scores_of(ends[held], kind)) == numbers[held]).all()
    before = held & (first > LOWEST_KEY[kind])
    assert (grid.buckets(scores_of(first[before] - 1, kind)) <= numbers[before]).all()
    outer = held & (last < HIGHEST_KEY[kind])
    assert (grid.buckets(scores_of(last[outer] + 1, kind)) > numbers[outer]).all()


@given(st.lists(st.floats(allow_nan=False), min_size=2, max_size=30), settings_of)
def test_buckets_follow_the_order_of_scores(values: list[float], settings: dict[str, Any]) -> None:
    scores = np.sort(np.array(values))
    buckets = Grid(**settings).buckets(scores)
    assert (np.diff(buckets) >= 0).all()
    assert buckets.min() >= 0
    assert buckets.max() < Grid(**settings).size


def test_rows_outside_the_range_are_counted_and_told() -> None:
    sketch = Sketch(bits=8, range=(0, 1), capacity=0).update([1, 0, 1, 0, 1], [1.5, 1.25, 0.5, -2.0, 1.0])
    found = sketch.auc()
    assert sketch.n_outside == 3
    assert "3 of 5 rows lie outside the range" in found.warnings[0]
    assert found.low <= rs.auc([1, 0, 1, 0, 1], [1.5, 1.25, 0.5, -2.0, 1.0]) <= found.high
    assert Sketch(bits=8, range=(0, 1), capacity=0).update([1, 0], [0.0, 1.0]).n_outside == 0


@pytest.mark.parametrize(
    ("rows", "reason"), [(([], []), "no rows"), (([1, 1], [0.1, 0.2]), "only one class is present")]
)
def test_undefined_is_nan_with_a_reason(rows: Any, reason: str) -> None:
    found = Sketch().update(*rows).auc()
    assert math.isnan(found.estimate)
    assert math.isnan(found.low)
    assert reason in found.warnings[0]
    assert found.estimate.reason in ("empty", "single_class")


def test_integers_beyond_floats_stay_apart() -> None:
    y, s = [1, 0, 1], np.array([2**53 + 1, 2**53, -(2**62)])
    assert Sketch().update(y, s).auc().estimate == rs.auc(y, s) == 0.5
    low, high = Sketch(bits=8, capacity=0).update(y, s).auc()
    assert (low, high) == (0.0, 0.5)


def test_kinds_of_scores_do_not_mix_unless_asked_for() -> None:
    sketch = Sketch().update([1, 0], [0.5, 1.5])
    with pytest.raises(rs.InputError, match="dtype='float64'") as error:
        sketch.update([1, 0], [1, 2])
    assert error.value.code == "score_types_mixed"
    assert sketch.n_rows == 2
    with pytest.raises(rs.InputError, match="dtype='float64'"):
        sketch.merge(Sketch().update([1, 0], [1, 2]))
    both = Sketch(dtype="float64").update([1, 0], [0.5, 1.5]).update([1, 0], [1, 2])
    assert both.auc().estimate == rs.auc([1, 0, 1, 0], [0.5, 1.5, 1, 2])
    with pytest.raises(rs.InputError, match=r"beyond 2\*\*53"):
        Sketch(dtype="float64").update([1], [2**53 + 1])
    with pytest.raises(rs.InputError, match="int64"):
        Sketch(dtype="int64").update([1], [0.5])


def test_single_precision_equals_double() -> None:
    rng = np.random.default_rng(8)
    y, s = rng.random(200) < 0.5, rng.normal(size=200).astype(np.float32)
    assert Sketch(capacity=20).update(y, s) == Sketch(capacity=20).update(y, s.astype(np.float64))


@each_case(
    ("change", "message"),
    [
        ({"y_score": [0.1, math.nan, math.nan]}, "y_score: 2 missing, rows 1, 2"),
        ({"y_true": [2, 3, 4]}, "pos_label"),
        ({"y_score": [0.1, 0.2]}, "differ in length"),
        ({"sample_weight": [1.5, 1, 1]}, "whole-number weights"),
        ({"y_score": np.array([2**63, 1, 2], dtype=np.uint64)}, "beyond 64 bits with a sign"),
        ({"y_score": [Fraction(1, 3), Fraction(2, 3), Fraction(1, 7)]}, "float64 or int64"),
    ],
)
def test_bad_rows_are_refused_and_leave_no_trace(change: dict[str, Any], message: str) -> None:
    sketch = Sketch().update([1, 0], [0.5, 1.5])
    before = sketch.to_bytes()
    rows = {"y_true": [1, 0, 1], "y_score": [0.1, 0.2, 0.3], **change}
    with pytest.raises(rs.InputError, match=message):
        sketch.update(rows.pop("y_true"), rows.pop("y_score"), **rows)
    assert sketch.to_bytes() == before


def test_dropped_rows_are_counted() -> None:
    sketch = Sketch().update([1, 0, 1], [0.1, math.nan, 0.3], missing="drop").merge(Sketch())
    assert (sketch.n_rows, sketch.origin.n_dropped) == (2, 1)


def test_labels_must_agree() -> None:
    sick = Sketch().update(["sick", "well"], [2.0, 1.0], pos_label="sick")
    assert sick.auc().origin.pos_label == "sick"
    with pytest.raises(rs.ArgumentError, match="'sick', 1"):
        sick.merge(Sketch().update([1, 0], [2.0, 1.0]))
    with pytest.raises(rs.ArgumentError, match="positive label"):
        sick.update([1, 0], [2.0, 1.0])
    assert sick.n_rows == 2
    assert Sketch().update([True], [1.0]).merge(Sketch().update([1], [1.0])).origin.pos_label == 1


ZERO, MINUS_ONE = ([0, 0], [1.0, 2.0]), ([-1, 1], [3.0, 4.0])


@pytest.mark.parametrize("zero", [0, 0.0, False])
def test_zero_and_minus_one_are_two_labels_wherever_they_were_counted(zero: Any) -> None:
    """Parts merged as if they were one, where ranking the same rows is refused."""
    with pytest.raises(rs.InputError) as expected:
        rs.rank([0, 0, -1, 1], [1.0, 2.0, 3.0, 4.0])
    one, two = Sketch().update([zero, zero], [1.0, 2.0]), Sketch().update(*MINUS_ONE)
    loaded = [Sketch.from_bytes(part.to_bytes()) for part in (one, two)]
    positives = Sketch().update([1], [5.0])
    for attempt in (
        lambda: one.merge(two),
        lambda: two.merge(positives, one),
        lambda: positives.merge(two).merge(loaded[0]),
        lambda: loaded[0].merge(loaded[1]),
        lambda: Sketch().update(*ZERO).update(*MINUS_ONE),
        lambda: Sketch().update(*MINUS_ONE).update([zero], [1.0]),
    ):
        with pytest.raises(rs.InputError, match=r"-1, 0 and 1 would be two classes; .*pos_label") as error:
            attempt()
        assert error.value.code == expected.value.code
    assert (one.n_rows, two.n_rows) == (2, 2)
    assert positives.merge(two).n_neg == 1


def test_a_named_label_makes_all_others_negative() -> None:
    parts = [Sketch().update(*rows, pos_label=1) for rows in (ZERO, MINUS_ONE)]
    whole = parts[0].merge(parts[1])
    assert (whole.n_pos, whole.n_neg) == (1, 3)
    coarse = Sketch(capacity=0).update([0, 1, -1], [1.0, 1.001, 1.002], pos_label=1)
    again = coarse.refine([([0, 1, -1], [1.0, 1.001, 1.002])])
    assert again.auc().estimate == rs.auc([0, 1, 0], [1.0, 1.001, 1.002])


def test_a_second_pass_with_other_labels_is_refused() -> None:
    coarse = Sketch(capacity=0).update([0, 1, 0], [1.0, 1.001, 1.002])
    with pytest.raises(rs.InputError, match="0 in one part and -1 in another"):
        coarse.refine([([-1, 1, -1], [1.0, 1.001, 1.002])])


@pytest.mark.parametrize("capacity", [0, 1 << 16])
def test_threads_may_share_a_sketch(capacity: int) -> None:
    """Counts were lost: 15,032,498 of 15,100,200 rows. Readers meanwhile see whole batches."""
    rng = np.random.default_rng(5)
    y, s = rng.integers(0, 2, 4000), rng.integers(0, 300, 4000) / 7
    shared, n_threads, n_batches = Sketch(bits=10, capacity=capacity), 4, 25
    part = Sketch(bits=10, capacity=capacity).update(y[:100], s[:100])

    def work(_: int) -> list[int]:
        seen = []
        for _batch in range(n_batches):
            shared.update(y, s)
            shared.absorb(part)
            found = Sketch.from_bytes(shared.to_bytes())  # refuses counts that are not the rows it claims
            area = shared.auc()
            seen.append(found.n_rows % 100 + (area.n_pos + area.n_neg) % 100)
        return seen

    with ThreadPoolExecutor(n_threads) as pool:
        outcomes = list(pool.map(work, range(n_threads)))
    assert {each for seen in outcomes for each in seen} == {0}
    expected = Sketch(bits=10, capacity=capacity)
    for _ in range(n_threads * n_batches):
        expected.update(y, s)
        expected.absorb(part)
    assert shared.n_rows == n_threads * n_batches * 4100
    assert shared.to_bytes() == expected.to_bytes()


def test_sketches_that_absorb_each_other_do_not_wait_forever() -> None:
    one, two = (Sketch().update([1, 0], [place, 2.0]) for place in (1.0, 3.0))
    with ThreadPoolExecutor(2) as pool:
        for _ in range(200):
            waiting = [pool.submit(a.merge, b) for a, b in ((one, two), (two, one))]
            assert [each.result(timeout=60).n_rows for each in waiting] == [4, 4]


def test_what_was_read_stays_as_it_was() -> None:
    sketch = Sketch().update([1, 0], [2.0, 1.0])
    cells = sketch.cells
    sketch.update([1, 0], [2.0, 1.0]).to_bytes()
    assert cells.pos.tolist() == [0, 1]


@pytest.mark.parametrize("other", [{"bits": 19}, {"range": (0, 1)}, {"capacity": 7}, {"dtype": "float64"}], ids=str)
def test_sketches_that_differ_are_not_merged(other: dict[str, Any]) -> None:
    with pytest.raises(rs.ArgumentError, match=f"differ in {next(iter(other))}"):
        Sketch().merge(Sketch(**other))
    with pytest.raises(rs.ArgumentError, match="only sketches"):
        Sketch().merge(3)


@each_case(
    "wrong",
    [
        {"bits": 3},
        {"bits": 25},
        {"bits": 20.0},
        {"bits": True},
        {"range": (1, 1)},
        {"range": (0, math.inf)},
        {"range": (math.nan, 1)},
        {"range": (0, 5e-324)},
        {"capacity": -1},
        {"capacity": 1.5},
        {"dtype": "float32"},
    ],
    ids=str,
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(rs.ArgumentError, match=next(iter(wrong))):
        Sketch(**wrong)


def test_counts_beyond_64_bits_are_refused() -> None:
    sketch = Sketch().update([1, 0], [2.0, 1.0], sample_weight=[2**61, 1])
    with pytest.raises(rs.InputError, match=r"beyond 2\*\*62"):
        sketch.update([1], [2.0], sample_weight=[2**61])
    with pytest.raises(rs.InputError, match=r"beyond 2\*\*62"):
        sketch.merge(sketch)
    assert sketch.n_pos == 2**61
    assert sketch.auc().estimate == 1.0


def test_it_travels_by_pickle_as_bytes() -> None:
    rng = np.random.default_rng(9)
    for capacity in (10, 1000):
        sketch = Sketch(capacity=capacity).update(rng.random(200) < 0.5, rng.normal(size=200))
        again = pickle.loads(pickle.dumps(sketch))  # noqa: S301 - our own bytes
        assert again == sketch
        assert again.auc().low == sketch.auc().low
        again.update([1], [0.0])
        assert again != sketch


def test_repr_says_what_is_held() -> None:
    assert repr(Sketch(bits=8, capacity=1).update([1, 0], [2.0, 2.001])) == (
        "Sketch(2 rows: 1 positive, 1 negative; 1 cells, exact=False)"
    )


def test_a_large_sum_of_pairs_is_exact() -> None:
    weights = [2**60, 2**60, 2**59, 2**59]
    sketch = Sketch(bits=4, capacity=0).update([1, 0, 1, 0], [3.0, 2.5, 1.0, 0.25], sample_weight=weights)
    exact = oracles.auc(oracles.rows_of([1, 0, 1, 0], [3.0, 2.5, 1.0, 0.25], weights))
    assert exact is not None
    found = sketch.auc()
    assert Fraction(found.low) <= exact <= Fraction(found.high)
