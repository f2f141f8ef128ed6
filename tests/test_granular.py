"""Granularity against the paper's worked example, against definitions in exact arithmetic, and by its laws."""

from __future__ import annotations

import json
import math
import warnings
from fractions import Fraction
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import matplotlib.pyplot as plt
import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rocsteady as rs
import rocsteady._src.measures.granular_curves
import rocsteady._src.measures.granularity.bracket
from cases import each_case
from rocsteady._src.base.geometry import thin, thin_rising
from rocsteady._src.measures.granularity.edges import granular_edges
from rocsteady._src.views.plots.granular import draw_family
from strategies import ALL_WEIGHTS, COUNT_WEIGHTS, ScoreTable, row_orders, score_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PAPER = json.loads((Path(__file__).parent / "fixtures" / "granular.json").read_text())
LABELS = [int(letter == "p") for letter in PAPER["labels"]]
MEASURES = [rs.low_auc, rs.up_auc, rs.lambda_auc, rs.rho_auc]
WILD_SCORES = (
    "near ties",
    "near ties at zero",
    "denormals",
    "eighths",
    "heavy ties",
    "probabilities",
    "small integers",
)
FLOAT_TIES = ("exact", "ieee")
ROUNDING = 1e-14
SMALL = 1e-7
RHO_SCORES = ("near ties", "eighths", "probabilities", "heavy ties")


# Definitions, written down as they read, in exact arithmetic.


class Pair(NamedTuple):
    """One positive-negative pair: by how much the positive leads, and its weight."""

    d: Fraction
    weight: Fraction


def exact_pairs(table: ScoreTable, read: Callable[[Any], Fraction] = Fraction) -> list[Pair]:
    weights = np.ones(table.y_true.size, dtype=np.int64) if table.sample_weight is None else table.sample_weight
    rows = [
        (label, read(score), Fraction(weight))
        for label, score, weight in zip(table.y_true.tolist(), table.y_score.tolist(), weights.tolist(), strict=True)
        if weight
    ]
    positives, negatives = ([row for row in rows if row[0] == label] for label in (1, 0))
    return [Pair(p - n, v * w) for _, p, v in positives for _, n, w in negatives]


def share(pairs: list[Pair], keep: Callable[[Fraction], Any]) -> Fraction:
    return sum((weight * keep(d) for d, weight in pairs), Fraction(0)) / sum(weight for _, weight in pairs)


def exact_auc(pairs: list[Pair]) -> Fraction:
    return share(pairs, lambda d: Fraction((d > 0) + (d >= 0), 2))


def exact_low(pairs: list[Pair], delta: Fraction) -> Fraction:
    return share(pairs, lambda d: d >= delta) if delta else exact_auc(pairs)


def exact_up(pairs: list[Pair], delta: Fraction) -> Fraction:
    return share(pairs, lambda d: d > -delta) if delta else exact_auc(pairs)


def steps_between(pairs: list[Pair], upper: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    """Width and middle of every interval in which low and up are constant."""
    edges = sorted({Fraction(0), upper, *(abs(d) for d, _ in pairs if abs(d) < upper)})
    return ((b - a, (a + b) / 2) for a, b in pairwise(edges))


def exact_rho_auc(pairs: list[Pair], upper: Fraction) -> mpmath.mpf:
    auc, steps = exact_auc(pairs), list(steps_between(pairs, upper))
    low = sum(width * exact_low(pairs, at) for width, at in steps) / upper / auc
    up = sum(width * auc / exact_up(pairs, at) for width, at in steps) / upper
    square = auc * auc * low * up
    with mpmath.workdps(50):
        return mpmath.sqrt(mpmath.mpf(square.numerator) / square.denominator)


def literal_dong(labels: list[int], scores: list[Fraction], delta: Fraction) -> tuple[Fraction, Fraction]:
    """Low and up area by the text of the paper's worked example."""
    order = sorted(range(len(scores)), key=lambda row: -scores[row])
    s, y = [scores[row] for row in order], [labels[row] for row in order]
    n_pos, n_neg = sum(y), len(y) - sum(y)
    zero, one = Fraction(0), Fraction(1)
    low, up = [(zero, zero)], [(zero, zero)]
    for i in range(len(s)):
        tp, fp = sum(y[: i + 1]), i + 1 - sum(y[: i + 1])
        before = sum(other >= s[i] + delta for other in s)
        window = y[before : i + 1]
        xp, xn = sum(window), len(window) - sum(window)
        if len(window) == 1:
            low.append((Fraction(fp, n_neg), Fraction(tp, n_pos)))
            up.append(low[-1])
        else:
            low.append((ratio(fp + xp, n_neg + xp), ratio(tp - xp, n_pos - xp)))
            up.append((ratio(fp - xn, n_neg - xn), ratio(tp + xn, n_pos + xn)))
    return polygon_area([*low, (one, one)]), polygon_area([*up, (one, one)])


def ratio(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else Fraction(0)


def polygon_area(points: list[tuple[Fraction, Fraction]]) -> Fraction:
    return sum(((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(points)), Fraction(0))


# Data.


@st.composite
def tidy_tables(draw: st.DrawFn, *, weights: bool = True, max_rows: int = 10) -> tuple[ScoreTable, Any]:
    """Whole numbers or decimals of two digits, often tied, often negative, and a delta of the same kind."""
    whole = draw(st.booleans())
    size = draw(st.integers(2, max_rows))
    y_true = np.array(
        draw(st.permutations([1, 0, *draw(st.lists(st.integers(0, 1), min_size=size - 2, max_size=size - 2))]))
    )
    ticks = draw(st.lists(st.integers(-9, 9) if whole else st.integers(-40, 160), min_size=size, max_size=size))
    tick = draw(st.sampled_from([abs(a - b) for a in ticks for b in ticks]) | st.integers(0, 25))
    delta: float
    if whole:
        y_score, delta = np.array(ticks), tick
    else:
        y_score, delta = np.array([round(k / 100, 2) for k in ticks]), round(tick / 100, 2)
    sample_weight = None
    kind = draw(st.sampled_from(["none", "counts", "quarters"])) if weights else "none"
    if kind != "none":
        counts = np.array(draw(st.lists(st.integers(1, 9), min_size=size, max_size=size)))
        sample_weight = counts if kind == "counts" else counts / 4
    return ScoreTable(y_true, y_score, sample_weight), delta


def as_decimal(score: Any) -> Fraction:
    """What a score means as it is printed."""
    return Fraction(str(score))


def arguments(table: ScoreTable) -> tuple[Any, Any]:
    return (rs.rank(table.y_true, table.y_score, sample_weight=table.sample_weight), None)


def plain_table(
    size: int, *, seed: int = 1, decimals: int | None = None, ratio_of_positives: float = 0.4
) -> ScoreTable:
    rng = np.random.default_rng(seed)
    y_true = (rng.random(size) < ratio_of_positives).astype(int)
    y_score = rng.normal(0.4 + 0.15 * y_true, 0.15)
    return ScoreTable(y_true, y_score if decimals is None else np.round(y_score, decimals))


def two_opposites(size: int) -> ScoreTable:
    """A table without ties whose gaps between opposite classes are at least 1/8."""
    return ScoreTable(np.arange(size) % 2, np.random.default_rng(size).permutation(size) / 8)


# 1. The paper.


@each_case("model", ["A", "B"])
@each_case(
    ("key", "options"),
    [
        ("consistent", {}),
        ("dong2013_exact", {"definition": "dong2013"}),
        ("dong2013_ieee", {"definition": "dong2013", "float_ties": "ieee"}),
    ],
)
def test_table_3_of_the_paper(model: str, key: str, options: dict[str, Any]) -> None:
    scores, delta = PAPER[model], PAPER["delta"]
    assert rs.auc(LABELS, scores) == pytest.approx(PAPER["auc"], abs=ROUNDING)
    assert rs.low_auc(LABELS, scores, delta=delta, **options) == pytest.approx(PAPER[key][model]["low"], abs=1e-5)
    assert rs.up_auc(LABELS, scores, delta=delta, **options) == pytest.approx(PAPER[key][model]["up"], abs=1e-5)


@pytest.mark.parametrize("model", ["A", "B"])
def test_lambda_and_rho_of_the_paper(model: str) -> None:
    scores, delta = PAPER[model], PAPER["delta"]
    consistent = rs.lambda_auc(LABELS, scores, delta=delta)
    literal = rs.lambda_auc(LABELS, scores, delta=delta, definition="dong2013", float_ties="ieee")
    assert consistent == pytest.approx(PAPER["lambda_auc"]["consistent_exact"][model], abs=1e-12)
    assert literal == pytest.approx(PAPER["lambda_auc"]["dong2013_ieee"][model], abs=1e-12)
    for definition in ("consistent", "dong2013"):
        expected = PAPER["rho_auc_upper_1"][definition][model]
        assert rs.rho_auc(LABELS, scores, definition=definition) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("case", PAPER["counterexamples_dong2013"], ids=lambda case: case["labels"])
def test_counterexamples_are_exact_fractions(case: dict[str, Any]) -> None:
    labels = [int(letter == "p") for letter in case["labels"]]
    measure = rs.low_auc if "low_auc" in case else rs.up_auc
    for delta, expected in case[measure.sheet.name].items():
        value = measure(labels, case["scores"], delta=int(delta), definition="dong2013")
        assert abs(Fraction(value) - Fraction(expected)) <= Fraction(1, 10**15)
    values = [Fraction(text) for text in case[measure.sheet.name].values()]
    assert values[0] < values[1] if measure is rs.low_auc else values[0] > values[1]  # not monotone in delta


# 2. Definitions.


@given(tidy_tables())
def test_areas_follow_their_definition(case: tuple[ScoreTable, Any]) -> None:
    table, delta = case
    pairs, step = exact_pairs(table, as_decimal), as_decimal(delta)
    low, up, auc = exact_low(pairs, step), exact_up(pairs, step), exact_auc(pairs)
    ranked = arguments(table)
    assert rs.low_auc(*ranked, delta=delta) == pytest.approx(float(low), abs=ROUNDING)
    assert rs.up_auc(*ranked, delta=delta) == pytest.approx(float(up), abs=ROUNDING)
    if up:
        assert rs.lambda_auc(*ranked, delta=delta) == pytest.approx(float(auc * low / up), abs=ROUNDING)
    else:
        with pytest.warns(rs.UndefinedWarning):
            assert rs.lambda_auc(*ranked, delta=delta).reason == "zero_division"


@given(
    score_tables(scores=("near ties", "eighths", "small integers", "probabilities"), weights=COUNT_WEIGHTS), st.data()
)
def test_ieee_compares_rounded_differences(table: ScoreTable, data: st.DataObject) -> None:
    gaps = [abs(float(a) - float(b)) for a in table.y_score for b in table.y_score]
    delta = data.draw(st.sampled_from([gap for gap in gaps if gap] or [0.25]))
    weights = np.ones(table.y_true.size, dtype=int) if table.sample_weight is None else table.sample_weight
    positive = table.y_true == 1
    scores = table.y_score.astype(float)
    gap = scores[positive][:, None] - scores[~positive]
    pair_weights = weights[positive][:, None] * weights[~positive]
    for measure, kept in ((rs.low_auc, gap >= delta), (rs.up_auc, gap > -delta)):
        expected = Fraction(int(pair_weights[kept].sum()), int(pair_weights.sum()))
        value = measure(*arguments(table), delta=delta, float_ties="ieee")
        assert value == pytest.approx(float(expected), abs=ROUNDING)


@given(tidy_tables(weights=False))
def test_dong2013_follows_its_text(case: tuple[ScoreTable, Any]) -> None:
    table, delta = case
    assume(delta > 0)
    scores = [as_decimal(score) for score in table.y_score.tolist()]
    low, up = literal_dong(table.y_true.tolist(), scores, as_decimal(delta))
    with pytest.warns(rs.RocsteadyWarning):
        curves = rs.granular_roc(table.y_true, table.y_score, delta=delta, definition="dong2013")
    assert curves.low_auc == pytest.approx(float(low), abs=ROUNDING)
    assert curves.up_auc == pytest.approx(float(up), abs=ROUNDING)


@pytest.mark.filterwarnings("ignore:definition 'dong2013'")
@given(tidy_tables())
def test_dong2013_takes_counts_as_repeated_rows_in_their_order(case: tuple[ScoreTable, Any]) -> None:
    table, delta = case
    assume(delta > 0 and (table.sample_weight is None or table.sample_weight.dtype.kind == "i"))
    counts = np.ones(table.y_true.size, dtype=int) if table.sample_weight is None else table.sample_weight
    labels, scores = (np.repeat(column, counts).tolist() for column in table[:2])
    low, up = literal_dong(labels, [as_decimal(score) for score in scores], as_decimal(delta))
    options = {"delta": delta, "definition": "dong2013", "sample_weight": table.sample_weight}
    assert rs.low_auc(table.y_true, table.y_score, **options) == pytest.approx(float(low), abs=ROUNDING)
    assert rs.up_auc(table.y_true, table.y_score, **options) == pytest.approx(float(up), abs=ROUNDING)
    curves = rs.granular_roc(table.y_true, table.y_score, **options)
    assert (curves.low_auc, curves.up_auc) == pytest.approx((float(low), float(up)), abs=ROUNDING)


@pytest.mark.filterwarnings("ignore:definition 'dong2013'")
def test_dong2013_of_groups_is_that_of_rows_or_refused() -> None:
    tied, apart = ([1, 0, 1, 1, 1], [6, 1, 6, 2, 1]), ([1, 0, 1, 1, 1], [6, 1, 6, 2, 2])
    options = {"delta": 2, "definition": "dong2013"}
    assert rs.low_auc(*tied, **options) == pytest.approx(13 / 24)
    assert rs.low_auc(rs.rank(*apart), **options) == rs.low_auc(*apart, **options)
    for ask in (rs.low_auc, rs.up_auc, rs.lambda_auc, rs.granular_roc):
        with pytest.raises(rs.InputError, match="order of tied rows, which ranked scores do not keep") as caught:
            ask(rs.rank(*tied), **options)
        assert caught.value.code == "rows_needed"
    with pytest.raises(rs.InputError, match="pass labels and scores"):
        rs.rho_auc(rs.rank(*tied), definition="dong2013")
    assert rs.low_auc(rs.rank(*tied), delta=0, definition="dong2013") == rs.auc(*tied)


@pytest.mark.filterwarnings("ignore:definition 'dong2013'")
def test_dong2013_keeps_whole_scores_beyond_floats_apart() -> None:
    big = [2**60 + step for step in (3, 2, 2, 0)]
    small = [3, 2, 2, 0]
    for measure in (rs.low_auc, rs.up_auc):
        options = {"delta": 1, "definition": "dong2013"}
        assert measure([1, 0, 1, 0], big, **options) == measure([1, 0, 1, 0], small, **options)


@given(tidy_tables(), st.data())
def test_interval_auc_follows_its_definition(case: tuple[ScoreTable, Any], data: st.DataObject) -> None:
    table, _ = case
    size = table.y_true.size
    widths = np.array(data.draw(st.lists(st.integers(0, 8), min_size=size, max_size=size))) / 8
    lower = np.round(table.y_score * 4) / 8
    upper = lower + widths
    half_open = data.draw(st.booleans())
    result = rs.interval_auc(table.y_true, lower, upper, half_open=half_open, sample_weight=table.sample_weight)
    above = exact_pairs_of_ends(table, lower, upper)  # a+ - b-
    below = exact_pairs_of_ends(table, upper, lower)  # b+ - a-
    total = sum(weight for _, weight in above)
    empty = [ahead.d == behind.d == 0 for ahead, behind in zip(above, below, strict=True)]
    touch = [half_open and not both for both in empty]
    right = sum(w for (d, w), decides in zip(above, touch, strict=True) if d > 0 or (d == 0 and decides)) / total
    loses = [decides or not half_open for decides in touch]
    wrong = sum(w for (d, w), decides in zip(below, loses, strict=True) if d < 0 or (d == 0 and decides)) / total
    assert result.auc_low == result.certain_right == pytest.approx(float(right), abs=ROUNDING)
    assert result.certain_wrong == pytest.approx(float(wrong), abs=ROUNDING)
    assert result.auc_up == pytest.approx(1 - float(wrong), abs=ROUNDING)
    assert result.certain_right + result.undecided + result.certain_wrong == pytest.approx(1, abs=1e-15)


def exact_pairs_of_ends(table: ScoreTable, of_positives: np.ndarray, of_negatives: np.ndarray) -> list[Pair]:
    ends = np.where(table.y_true == 1, of_positives, of_negatives)
    return exact_pairs(ScoreTable(table.y_true, ends, table.sample_weight))


# 3. Laws of the consistent definition.


@st.composite
def wild_cases(draw: st.DrawFn, count: int = 1) -> tuple[ScoreTable, list[float]]:
    """Near-ties included, with deltas at, next to and away from the gaps."""
    table = draw(score_tables(scores=WILD_SCORES, weights=ALL_WEIGHTS))
    scores = table.y_score.astype(float)
    gaps = sorted({abs(a - b) for a in scores.tolist() for b in scores.tolist()})
    near_gaps = [value for gap in gaps for value in (gap, math.nextafter(gap, 0), math.nextafter(gap, math.inf))]
    deltas = st.sampled_from(near_gaps) | st.sampled_from([0.0, 5e-324, 1e-18, 2.0**-53]) | st.floats(0, 8)
    return table, sorted(draw(st.lists(deltas, min_size=count, max_size=count)))


@given(case=wild_cases())
def test_the_band_holds_the_auc(case: tuple[ScoreTable, list[float]]) -> None:
    table, (delta,) = case
    ranked = arguments(table)
    auc = exact_auc(exact_pairs(table))
    for float_ties in FLOAT_TIES:
        assert rs.low_auc(*ranked, delta=delta, float_ties=float_ties) <= float(auc) + ROUNDING
        assert rs.up_auc(*ranked, delta=delta, float_ties=float_ties) >= float(auc) - ROUNDING


@given(case=wild_cases(count=4))
def test_areas_are_monotone_in_delta(case: tuple[ScoreTable, list[float]]) -> None:
    table, deltas = case
    ranked = arguments(table)
    for float_ties in FLOAT_TIES:
        lows = [rs.low_auc(*ranked, delta=delta, float_ties=float_ties) for delta in deltas]
        ups = [rs.up_auc(*ranked, delta=delta, float_ties=float_ties) for delta in deltas]
        assert all(b <= a + ROUNDING for a, b in pairwise(lows))
        assert all(b >= a - ROUNDING for a, b in pairwise(ups))


@given(wild_cases())
def test_delta_0_gives_the_auc(case: tuple[ScoreTable, list[float]]) -> None:
    ranked = arguments(case[0])
    assert rs.low_auc(*ranked) == rs.up_auc(*ranked) == rs.auc(*ranked)


@given(st.integers(2, 30))
def test_delta_below_every_gap_gives_the_auc(size: int) -> None:
    table = two_opposites(size)
    smallest = min(abs(d) for d, _ in exact_pairs(table))
    for delta in (1e-300, 1e-9, float(smallest) / 2, float(smallest)):
        for measure in (rs.low_auc, rs.up_auc):
            assert measure(*arguments(table), delta=delta) == rs.auc(*arguments(table))


@given(tidy_tables())
def test_delta_above_the_range_leaves_nothing_certain(case: tuple[ScoreTable, Any]) -> None:
    table, _ = case
    ranked = arguments(table)
    delta = float(table.y_score.max() - table.y_score.min()) + 0.01
    assert rs.low_auc(*ranked, delta=delta) == 0
    assert rs.up_auc(*ranked, delta=delta) == pytest.approx(1, abs=ROUNDING)


@given(tidy_tables(), st.data())
def test_order_shift_and_class_swap(case: tuple[ScoreTable, Any], data: st.DataObject) -> None:
    table, delta = case
    order = data.draw(row_orders(table.y_true.size))
    shift = data.draw(st.sampled_from([-100, -3, 2, 1000]))
    moved = np.array([float(as_decimal(score) + shift) for score in table.y_score.tolist()])
    others = [
        table.take(order),
        table._replace(y_score=moved),
        table._replace(y_true=1 - table.y_true, y_score=-table.y_score),
    ]
    for measure in (rs.low_auc, rs.up_auc):
        expected = measure(*arguments(table), delta=delta)
        for other in others:
            assert measure(*arguments(other), delta=delta) == pytest.approx(expected, abs=ROUNDING)


@given(case=wild_cases())
def test_curves_climb_and_have_the_areas(case: tuple[ScoreTable, list[float]]) -> None:
    table, (delta,) = case
    for float_ties in FLOAT_TIES:
        check_curves(arguments(table), delta, float_ties)


def check_curves(ranked: tuple[Any, ...], delta: float, float_ties: Any) -> None:
    result = rs.granular_roc(*ranked, delta=delta, float_ties=float_ties)
    areas = {
        "low": rs.low_auc(*ranked, delta=delta, float_ties=float_ties),
        "up": rs.up_auc(*ranked, delta=delta, float_ties=float_ties),
    }
    for name, area in areas.items():
        curve = getattr(result, name)
        assert (curve.fpr[0], curve.tpr[0], curve.fpr[-1], curve.tpr[-1]) == (0, 0, 1, 1)
        assert (np.diff(curve.fpr) >= 0).all()
        assert (np.diff(curve.tpr) >= 0).all()
        assert np.trapezoid(curve.tpr, curve.fpr) == pytest.approx(area, abs=1e-12)
        assert curve.area == getattr(result, f"{name}_auc") == area
        if delta:
            assert (np.diff(curve.thresholds) <= 0).all()
    assert result.delta == delta
    assert result.warnings == ()


@given(tidy_tables())
def test_curves_are_the_roc_of_moved_positives(case: tuple[ScoreTable, Any]) -> None:
    """Lowered positives stand above the negatives they meet, raised ones below."""
    table, delta = case
    assume(delta > 0)
    result = rs.granular_roc(*arguments(table), delta=delta)
    scores = [as_decimal(score) for score in table.y_score.tolist()]
    step, nudge = as_decimal(delta), Fraction(1, 10**6)
    for curve, shift in ((result.low, nudge - step), (result.up, step - nudge)):
        moved = [float(s + shift * int(label)) for s, label in zip(scores, table.y_true, strict=True)]
        expected = rs.roc_curve(table.y_true, moved, sample_weight=table.sample_weight)
        between = np.array([(a + b) / 2 for a, b in pairwise(np.unique(expected.fpr.round(12)))])
        heights = np.interp(between, expected.fpr, expected.tpr)
        assert np.interp(between, curve.fpr, curve.tpr) == pytest.approx(heights, abs=1e-12)
        assert curve.area == pytest.approx(expected.area, abs=1e-12)


# 4. The integral of low.


@given(score_tables(scores=WILD_SCORES, weights=COUNT_WEIGHTS))
def test_the_integral_of_low_is_scored_auc(table: ScoreTable) -> None:
    ranked, pairs = arguments(table), exact_pairs(table)
    reach = max((abs(d) for d, _ in pairs), default=Fraction(0))
    steps = list(steps_between(pairs, reach)) if reach else []
    exact = sum((width * exact_low(pairs, at) for width, at in steps), Fraction(0))
    assert rs.scored_auc(*ranked) == pytest.approx(float(exact), rel=1e-12, abs=1e-320)


@given(tidy_tables())
def test_the_integral_of_low_auc_over_its_steps_is_scored_auc(case: tuple[ScoreTable, Any]) -> None:
    table, _ = case
    ranked, pairs = arguments(table), exact_pairs(table, as_decimal)
    reach = max(abs(d) for d, _ in pairs)
    steps = list(steps_between(pairs, reach)) if reach else []
    integral = math.fsum(float(width) * rs.low_auc(*ranked, delta=float(at)) for width, at in steps)
    assert rs.scored_auc(*ranked) == pytest.approx(integral, abs=1e-12)


def test_the_integral_of_low_auc_over_the_profile_is_scored_auc() -> None:
    table = plain_table(200)
    profile = rs.granularity_profile(table.y_true, table.y_score)
    assert profile.exact
    integral = np.diff(profile.delta) @ profile.low_over_auc[1:] * profile.auc
    assert rs.scored_auc(table.y_true, table.y_score) == pytest.approx(integral, abs=1e-12)


# 5. rhoAUC.


@given(case=tidy_tables(), upper=st.sampled_from([1e-12, 0.005, 0.25, 1.0, 7.5, "range"]))
def test_rho_auc_lies_within_its_bound(case: tuple[ScoreTable, Any], upper: Any) -> None:
    table, _ = case
    pairs = exact_pairs(table)
    limit = Fraction((table.y_score.max() - table.y_score.min()).item()) if upper == "range" else Fraction(upper)
    assume(exact_auc(pairs) and limit)
    check_both_routes(table, upper, exact_rho_auc(pairs, limit))


@given(table=score_tables(scores=RHO_SCORES, weights=("none", "floats"), max_rows=8))
def test_rho_auc_lies_within_its_bound_for_near_ties_and_weights(table: ScoreTable) -> None:
    pairs = exact_pairs(table)
    limit = Fraction((table.y_score.max() - table.y_score.min()).item())
    assume(exact_auc(pairs) and limit)
    for upper in (limit, limit / 3, 2 * limit):
        check_both_routes(table, float(upper), exact_rho_auc(pairs, Fraction(float(upper))))


def check_both_routes(table: ScoreTable, upper: Any, exact: mpmath.mpf) -> None:
    """By every step, and by the bracket that many pairs take."""
    check_bound(rs.rho_auc(*arguments(table), upper=upper), exact)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rocsteady._src.measures.granularity.bracket, "FEW_PAIRS", 0)
        check_bound(rs.rho_auc(*arguments(table), upper=upper), exact)


def check_bound(value: Any, exact: mpmath.mpf) -> None:
    assert value.method == "bracket"
    assert 0 <= value.error_bound < 1e-6
    with mpmath.workdps(50):
        assert abs(mpmath.mpf(float(value)) - exact) <= value.error_bound


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("upper", [1e-4, 0.1, 1.0, "range"])
def test_bracket_holds_the_every_step_value_of_many_rows(
    monkeypatch: pytest.MonkeyPatch, upper: Any, *, weighted: bool
) -> None:
    table = plain_table(1000)
    weights = np.random.default_rng(2).uniform(0.1, 3, 1000) if weighted else None
    ranked = rs.rank(table.y_true, table.y_score, sample_weight=weights)
    exact = rs.rho_auc(ranked, upper=upper)
    assert exact.error_bound < 1e-9
    monkeypatch.setattr(rocsteady._src.measures.granularity.bracket, "FEW_PAIRS", 0)
    bracket = rs.rho_auc(ranked, upper=upper)
    assert abs(bracket - exact) <= bracket.error_bound + exact.error_bound
    assert bracket.error_bound <= 0.5e-6


@pytest.mark.parametrize("upper", [SMALL, 0.01, 1.0, "range", 50.0])
def test_bracket_is_narrow_for_many_rows(upper: Any) -> None:
    table = plain_table(20_000)
    ranked = rs.rank(table.y_true, table.y_score)
    value = rs.rho_auc(ranked, upper=upper)
    assert value.error_bound <= 0.5e-6
    narrower = rs.rho_auc(ranked, upper=upper, tolerance=1e-8)
    assert narrower.error_bound <= (0.5e-8 if upper != SMALL else 0.5e-7)  # rounding of the scores allows no more
    assert abs(value - narrower) <= value.error_bound + narrower.error_bound


@pytest.mark.parametrize("upper", [0.01, 1.0])
def test_bracket_holds_the_exact_value_of_20_000_rounded_rows(upper: float) -> None:
    """Scores on a grid of 1/2048 have few distinct gaps, which two histograms count."""
    table = plain_table(20_000)
    ticks = np.round(table.y_score * 2048).astype(int)
    ranked = rs.rank(table.y_true, ticks / 2048)
    value = rs.rho_auc(ranked, upper=upper)
    lowest = ticks.min()
    histograms = [np.bincount(ticks[table.y_true == label] - lowest, minlength=np.ptp(ticks) + 1) for label in (1, 0)]
    gaps = np.round(np.convolve(histograms[0].astype(float), histograms[1][::-1].astype(float))).astype(np.int64)
    zero, pairs = histograms[0].size - 1, int(gaps.sum())
    auc = (2 * int(gaps[zero + 1 :].sum()) + int(gaps[zero])) / (2 * pairs)
    at_least = np.concatenate([np.cumsum(gaps[::-1])[::-1], np.zeros(2049, dtype=np.int64)]) / pairs
    steps = np.append(np.arange(math.ceil(upper * 2048)) / 2048, upper)
    ticks_before = np.arange(steps.size - 1)  # for delta in (k, k + 1]: low counts d >= k + 1, up counts d >= -k
    low = math.fsum(np.diff(steps) * at_least[zero + ticks_before + 1])
    up = math.fsum(np.diff(steps) / at_least[np.maximum(zero - ticks_before, 0)])
    assert abs(value - auc * math.sqrt(low * up) / upper) <= value.error_bound


def test_rho_auc_takes_the_range_and_beyond() -> None:
    table = ScoreTable(np.array([1, 1, 0, 0]), np.array([0.9, 0.45, 0.5, 0.1]))
    pairs = exact_pairs(table)
    for upper in (0.01, 0.8, 5.0):
        check_bound(rs.rho_auc(*table[:2], upper=upper), exact_rho_auc(pairs, Fraction(upper)))
    assert rs.rho_auc(*table[:2], upper="range") == rs.rho_auc(*table[:2], upper=0.9 - 0.1)


def test_rho_auc_of_a_tiny_limit_is_almost_auc_without_ties() -> None:
    table = two_opposites(20)
    for upper in (1e-3, 1e-12, 1e-17, 1e-30):
        value = rs.rho_auc(table.y_true, table.y_score, upper=upper)
        assert abs(value - rs.auc(table.y_true, table.y_score)) <= value.error_bound < 1e-10


@each_case(
    "options",
    [
        {"upper": 0},
        {"upper": -1},
        {"upper": math.nan},
        {"upper": math.inf},
        {"upper": "R"},
        {"upper": None},
        {"tolerance": 0},
    ],
)
def test_rho_auc_refuses_bad_limits(options: dict[str, Any]) -> None:
    with pytest.raises(rs.ArgumentError, match="upper must be a number") as caught:
        rs.rho_auc([1, 0], [0.6, 0.3], **options)
    assert caught.value.code == "upper"


def test_rho_auc_is_undefined_without_wins_or_range() -> None:
    with pytest.warns(rs.UndefinedWarning):
        assert rs.rho_auc([1, 0], [0.3, 0.6]).reason == "zero_division"
    with pytest.warns(rs.UndefinedWarning):
        assert rs.rho_auc([1, 0], [0.5, 0.5], upper="range").reason == "zero_division"


# 6. Profile.


@given(tidy_tables())
def test_profile_lists_every_step(case: tuple[ScoreTable, Any]) -> None:
    table, _ = case
    pairs = exact_pairs(table, as_decimal)
    assume(exact_auc(pairs) > 0)
    ranked = arguments(table)[0]
    profile = rs.granularity_profile(ranked)
    assert profile.exact
    gaps = {float(abs(d)) for d, _ in pairs}
    assert all(np.abs(profile.delta - gap).min() <= 1e-14 for gap in gaps)
    assert profile.delta[0] == 0
    assert profile.delta[-1] == pytest.approx(float(np.ptp(table.y_score)), abs=1e-15)
    assert (np.diff(profile.low_over_auc) <= 0).all()
    assert (np.diff(profile.auc_over_up) <= 0).all()
    for delta, low, up in zip(profile.delta, profile.low_over_auc, profile.auc_over_up, strict=True):
        assert low == rs.low_auc(ranked, delta=float(delta)) / profile.auc
        assert up == profile.auc / rs.up_auc(ranked, delta=float(delta))


def test_profile_steps_end_at_each_delta() -> None:
    table = plain_table(40, decimals=2)
    ranked, pairs = rs.rank(*table[:2]), exact_pairs(table, as_decimal)
    profile = rs.granularity_profile(ranked)
    for (before, here), low, up in zip(
        pairwise(profile.delta), profile.low_over_auc[1:], profile.auc_over_up[1:], strict=True
    ):
        if here - before > 1e-9:
            between = Fraction(float((before + here) / 2))
            assert low * profile.auc == pytest.approx(float(exact_low(pairs, between)), abs=ROUNDING)
            assert profile.auc / up == pytest.approx(float(exact_up(pairs, between)), abs=ROUNDING)


def test_profile_of_many_pairs_is_on_a_grid() -> None:
    table = plain_table(2000)
    ranked = rs.rank(*table[:2])
    profile = rs.granularity_profile(ranked, upper=0.5, grid=40)
    assert not profile.exact
    assert profile.delta == pytest.approx(np.linspace(0, 0.5, 41))
    assert (np.diff(profile.low_over_auc) < 0).all()
    assert (np.diff(profile.auc_over_up) < 0).all()
    assert profile.low_over_auc[0] == profile.auc_over_up[0] == 1
    for place in (1, 7, 40):
        delta = float(profile.delta[place])
        assert profile.low_over_auc[place] == rs.low_auc(ranked, delta=delta) / profile.auc
        assert profile.auc_over_up[place] == profile.auc / rs.up_auc(ranked, delta=delta)


@pytest.mark.parametrize(
    "options", [{"upper": -1}, {"upper": math.nan}, {"upper": math.inf}, {"upper": "1"}, {"grid": 0}]
)
def test_profile_refuses_bad_limits(options: dict[str, Any]) -> None:
    with pytest.raises(rs.ArgumentError, match="upper must be"):
        rs.granularity_profile([1, 0], [0.6, 0.3], **options)


def test_profile_needs_an_auc_above_0_and_takes_a_limit_of_0() -> None:
    with pytest.raises(rs.InputError, match="AUC is 0"):
        rs.granularity_profile([1, 0], [0.3, 0.6])
    profile = rs.granularity_profile([1, 0], [0.6, 0.3], upper=0)
    assert (profile.delta.tolist(), profile.low_over_auc.tolist()) == ([0.0], [1.0])


# 7. Intervals.


@given(tidy_tables(), st.integers(1, 12))
def test_intervals_of_equal_width_are_the_granular_roc(case: tuple[ScoreTable, Any], delta: int) -> None:
    table, _ = case
    whole = np.round(table.y_score * 10).astype(int)
    result = rs.interval_auc(table.y_true, whole, whole + delta, half_open=True, sample_weight=table.sample_weight)
    ranked = rs.rank(table.y_true, whole, sample_weight=table.sample_weight)
    assert result.auc_low == pytest.approx(rs.low_auc(ranked, delta=delta), abs=ROUNDING)
    assert result.auc_up == pytest.approx(rs.up_auc(ranked, delta=delta), abs=ROUNDING)


def test_half_open_intervals_may_touch() -> None:
    closed = rs.interval_auc([1, 0], lower=[3, 1], upper=[5, 3])
    half_open = rs.interval_auc([1, 0], lower=[3, 1], upper=[5, 3], half_open=True)
    assert (closed.auc_low, closed.undecided) == (0.0, 1.0)
    assert (half_open.auc_low, half_open.undecided) == (1.0, 0.0)


@given(tidy_tables())
def test_intervals_of_width_0_count_strict_wins_and_losses(case: tuple[ScoreTable, Any]) -> None:
    table, _ = case
    pairs = exact_pairs(table)
    won, lost = share(pairs, lambda d: d > 0), share(pairs, lambda d: d < 0)
    ties = rs.tie_diagnostics(*arguments(table))
    ends = (table.y_true, table.y_score, table.y_score)
    closed = rs.interval_auc(*ends, sample_weight=table.sample_weight)
    assert closed.auc_low == closed.auc_up == pytest.approx(float(won), abs=ROUNDING)
    half_open = rs.interval_auc(*ends, sample_weight=table.sample_weight, half_open=True)
    assert half_open.auc_low == pytest.approx(float(won), abs=ROUNDING)
    assert half_open.auc_up == pytest.approx(float(1 - lost), abs=ROUNDING)
    assert (half_open.auc_low, half_open.auc_up) == (pytest.approx(ties.auc_worst), pytest.approx(ties.auc_best))


@given(case=tidy_tables(), width=st.integers(0, 4))
def test_swapped_classes_swap_right_and_wrong(case: tuple[ScoreTable, Any], width: int) -> None:
    table, _ = case
    whole = np.round(table.y_score * 10).astype(int)
    ends = whole, whole + width * (1 + np.arange(whole.size) % 2)
    options = {"half_open": True, "sample_weight": table.sample_weight}
    result = rs.interval_auc(table.y_true, *ends, **options)
    swapped = rs.interval_auc(1 - table.y_true, *ends, **options)
    assert swapped.certain_right == pytest.approx(result.certain_wrong, abs=ROUNDING)
    assert swapped.undecided == pytest.approx(result.undecided, abs=ROUNDING)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint64, np.int8, np.float32])
def test_interval_ends_of_any_type(dtype: Any) -> None:
    y_true, lower = [1, 0, 0, 1, 0], np.array([0, 0, 2, 3, 1], dtype=dtype)
    result = rs.interval_auc(y_true, lower, lower + dtype(1))
    expected = rs.interval_auc(y_true, lower.astype(float), lower.astype(float) + 1)
    assert (result.auc_low, result.auc_up) == (expected.auc_low, expected.auc_up)


def test_interval_auc_refuses_what_is_no_interval() -> None:
    with pytest.raises(rs.InputError, match="lower > upper") as caught:
        rs.interval_auc([1, 0, 1], [0.1, 0.5, 0.3], [0.2, 0.4, 0.1])
    assert caught.value.code == "interval_ends"
    with pytest.raises(rs.InputError, match="differ in length") as caught:
        rs.interval_auc([1, 0], [0.1, 0.5], [0.2, 0.6, 0.7])
    assert caught.value.code == "lengths_differ"
    with pytest.raises(rs.InputError) as caught:
        rs.interval_auc([1, 0], [0.1, 0.5], [0.2, math.inf])
    assert caught.value.code == "infinite_scores"
    with pytest.raises(rs.InputError) as caught:
        rs.interval_auc([1, 1], [0.1, 0.5], [0.2, 0.6])
    assert caught.value.code == "single_class"


def test_interval_auc_drops_incomplete_rows_together() -> None:
    y_true, nan = [1, 1, 0, 0, 1], math.nan
    lower, upper = [nan, 0.5, 0.1, 0.25, 0.3], [0.9, nan, 0.3, 0.4, 0.8]
    with pytest.raises(rs.InputError) as caught:
        rs.interval_auc(y_true, lower, upper)
    assert caught.value.code == "missing_values"
    result = rs.interval_auc(y_true, lower, upper, missing="drop")
    complete = rs.interval_auc(y_true[2:], lower[2:], upper[2:])
    assert (result.auc_low, result.auc_up) == (complete.auc_low, complete.auc_up) == (0.0, 1.0)
    assert (result.n_pos, result.n_neg, result.origin.n_dropped) == (1, 2, 2)


# 8. Where delta comes from, and what is refused.


@pytest.mark.parametrize("decimals", [0, 1, 2, 3])
def test_rounding_is_best_and_worst_tie_breaking(decimals: int) -> None:
    table = plain_table(400)
    scores = np.round(table.y_score * (20 if decimals == 0 else 1), decimals)
    ties = rs.tie_diagnostics(table.y_true, scores)
    result = rs.granular_roc(table.y_true, scores, delta="rounding")
    assert result.delta == pytest.approx(10.0**-decimals, rel=1e-15)
    assert result.low_auc == pytest.approx(ties.auc_worst, abs=1e-15)
    assert result.up_auc == pytest.approx(ties.auc_best, abs=1e-15)
    assert rs.low_auc(table.y_true, scores, delta="rounding") == result.low_auc
    assert rs.up_auc(table.y_true, scores, delta="rounding") == result.up_auc
    assert ties.auc_worst < ties.auc < ties.auc_best


def test_rounding_of_whole_numbers() -> None:
    y_true, scores = [1, 0, 1, 0], [3, 3, 2, 1]
    ties = rs.tie_diagnostics(y_true, scores)
    assert rs.granular_roc(y_true, scores, delta="rounding").delta == 1
    assert rs.low_auc(y_true, scores, delta="rounding") == ties.auc_worst == 0.5
    assert rs.up_auc(y_true, scores, delta="rounding") == ties.auc_best == 0.75


def test_rounding_refuses_scores_that_are_not_rounded() -> None:
    table = plain_table(50)
    for ask in (rs.low_auc, rs.up_auc, rs.lambda_auc, rs.granular_roc):
        with pytest.raises(rs.InputError, match="not rounded") as caught:
            ask(table.y_true, table.y_score, delta="rounding")
        assert caught.value.code == "not_rounded"


def test_near_gives_the_auc_without_near_ties() -> None:
    table = plain_table(300)
    assert rs.tie_diagnostics(*table[:2]).near_tied_pairs == 0
    result = rs.granular_roc(*table[:2], delta="near")
    assert result.low_auc == result.up_auc == rs.auc(*table[:2])


@each_case("score", [0.3, 0.9, 1.0, 1000.1, -0.7])
@each_case("neighbours", [1, 2, 3])
def test_near_opens_the_band_for_neighbours(score: float, neighbours: int) -> None:
    above = score
    for _ in range(neighbours):
        above = math.nextafter(above, math.inf)
    won = rs.granular_roc([1, 0], [above, score], delta="near")
    lost = rs.granular_roc([0, 1], [above, score], delta="near")
    tied = rs.granular_roc([0, 1], [score, score], delta="near")
    assert (won.low_auc, won.auc, won.up_auc) == (0, 1, 1)
    assert (lost.low_auc, lost.auc, lost.up_auc) == (0, 0, 1)
    assert (tied.low_auc, tied.auc, tied.up_auc) == (0, 0.5, 1)


@each_case("delta", [-0.1, math.nan, math.inf, "wide", None, [0.1]])
def test_bad_deltas_are_refused(delta: Any) -> None:
    for ask in (rs.low_auc, rs.up_auc, rs.lambda_auc, rs.granular_roc):
        with pytest.raises(rs.ArgumentError, match="delta must be a number") as caught:
            ask([1, 0], [0.6, 0.3], delta=delta)
        assert caught.value.code == "delta"


@pytest.mark.parametrize("option", ["definition", "float_ties"])
def test_unknown_definitions_are_refused(option: str) -> None:
    for ask in (rs.low_auc, rs.up_auc, rs.lambda_auc, rs.granular_roc):
        with pytest.raises(rs.ArgumentError) as caught:
            ask([1, 0], [0.6, 0.3], delta=0.1, **{option: "other"})
        assert caught.value.code == option
    with pytest.raises(rs.ArgumentError):
        rs.rho_auc([1, 0], [0.6, 0.3], definition="other")


def test_infinite_scores_are_refused() -> None:
    asks = [*MEASURES, lambda *rows: rs.granular_roc(*rows, delta=0.1), rs.granularity_profile]
    for ask in asks:
        with pytest.raises(rs.InputError) as caught:
            ask([1, 0, 1], [0.6, 0.3, math.inf])
        assert caught.value.code == "infinite_scores"


def test_a_single_class_is_refused_or_undefined() -> None:
    for measure in MEASURES:
        with pytest.warns(rs.UndefinedWarning):
            value = measure([1, 1], [0.6, 0.3])
        assert math.isnan(value)
        assert value.reason == "single_class"
    for ask in (lambda *rows: rs.granular_roc(*rows, delta=0.1), rs.granularity_profile):
        with pytest.raises(rs.InputError) as caught:
            ask([0, 0], [0.6, 0.3])
        assert caught.value.code == "single_class"


def test_dong2013_warns_once_and_keeps_the_warning() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = rs.granular_roc(LABELS, PAPER["A"], delta=0.02, definition="dong2013")
    (warning,) = caught
    assert isinstance(warning.message, rs.RocsteadyWarning)
    assert warning.message.code == "dong2013"
    assert warning.filename == __file__
    assert result.warnings == (str(warning.message),)
    assert result.lambda_auc == pytest.approx(result.low_auc / result.up_auc * result.auc)


def test_dong2013_refuses_fractional_weights() -> None:
    options = {"sample_weight": [0.5, 1.25], "definition": "dong2013"}
    for ask in (rs.low_auc, rs.up_auc, rs.lambda_auc, rs.granular_roc):
        with pytest.raises(rs.InputError, match="no fractional weights") as caught:
            ask([1, 0], [0.6, 0.3], delta=0.1, **options)
        assert caught.value.code == "weights"


@pytest.mark.filterwarnings("ignore:definition 'dong2013'")
def test_dong2013_depends_on_the_order_of_tied_rows() -> None:
    first = rs.granular_roc([1, 0, 1, 0], [2, 2, 1, 0], delta=1, definition="dong2013")
    second = rs.granular_roc([0, 1, 1, 0], [2, 2, 1, 0], delta=1, definition="dong2013")
    assert first.auc == second.auc
    assert (first.low_auc, first.up_auc) != (second.low_auc, second.up_auc)
    for labels, result in (([1, 0, 1, 0], first), ([0, 1, 1, 0], second)):
        low, up = literal_dong(labels, [Fraction(s) for s in (2, 2, 1, 0)], Fraction(1))
        assert (result.low_auc, result.up_auc) == (pytest.approx(float(low)), pytest.approx(float(up)))
    consistent = [rs.granular_roc(labels, [2, 2, 1, 0], delta=1) for labels in ([1, 0, 1, 0], [0, 1, 1, 0])]
    assert consistent[0].low_auc == consistent[1].low_auc
    assert consistent[0].up_auc == consistent[1].up_auc


@pytest.mark.filterwarnings("ignore:definition 'dong2013'")
def test_dong2013_at_delta_0_is_the_auc_and_takes_ranked_scores() -> None:
    result = rs.granular_roc(LABELS, PAPER["A"], delta=0, definition="dong2013")
    assert result.low_auc == result.up_auc == pytest.approx(0.69)
    ranked = rs.granular_roc(rs.rank(LABELS, PAPER["A"]), delta=0.02, definition="dong2013")
    assert ranked.up_auc == pytest.approx(PAPER["dong2013_exact"]["A"]["up"], abs=1e-5)


def test_dong2013_rho_of_many_rows_is_close_to_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    table = plain_table(40, decimals=2)
    exact = rs.rho_auc(*table[:2], definition="dong2013")
    monkeypatch.setattr("rocsteady._src.measures.granularity.dong.MOST_ROWS_FOR_EVERY_STEP", 0)
    assert rs.rho_auc(*table[:2], definition="dong2013") == pytest.approx(exact, abs=2e-3)


# 9. Pictures, frames and evaluate.


@pytest.fixture
def axes() -> Iterator[Any]:
    figure, ax = plt.subplots()
    yield ax
    plt.close(figure)


@pytest.mark.filterwarnings("ignore:definition 'dong2013'")
@pytest.mark.parametrize("zoom", [False, True])
@pytest.mark.parametrize("definition", ["consistent", "dong2013"])
@pytest.mark.parametrize("delta", [0, 0.05])
def test_the_band_is_drawn(axes: Any, delta: float, definition: Any, *, zoom: bool) -> None:
    table = plain_table(200)
    result = rs.granular_roc(*table[:2], delta=delta, definition=definition)
    display = result.plot(axes, name="a $model", zoom=zoom)
    assert display.ax_ is axes
    assert display.figure_ is axes.figure
    assert display.line_ in axes.lines
    assert axes.collections
    axes.figure.draw_without_rendering()
    assert (axes.get_xlim()[1] - axes.get_xlim()[0] < 1) == (zoom and delta > 0)


def test_profile_regions_and_family_are_drawn(axes: Any) -> None:
    table = plain_table(200)
    profile = rs.granularity_profile(*table[:2])
    intervals = rs.interval_auc(table.y_true, table.y_score - 0.05, table.y_score + 0.05)
    band = rs.granular_roc(*table[:2], delta=0.05)
    redraws = [rs.roc_curve(*plain_table(200, seed=seed)[:2]) for seed in (2, 3)]
    for display in (profile.plot(axes), intervals.plot(axes), draw_family(band, redraws, axes)):
        assert (display.ax_, display.figure_) == (axes, axes.figure)
        assert display.line_ is not None
    axes.figure.draw_without_rendering()
    for plot in (profile.plot, intervals.plot, band.plot):
        display = plot()
        assert display.ax_ in display.figure_.axes
        plt.close(display.figure_)


def test_results_become_dicts_and_frames() -> None:
    table = plain_table(50)
    band = rs.granular_roc(*table[:2], delta=0.05)
    plain = band.to_dict()
    assert plain["low"]["area"] == plain["low_auc"] == band.low_auc
    assert json.loads(json.dumps(plain["up"]["fpr"])) == band.up.fpr.tolist()
    frame = band.to_frame()
    assert frame["up_auc"].tolist() == [band.up_auc]
    assert frame["definition"].tolist() == ["consistent"]
    profile = rs.granularity_profile(*table[:2])
    assert profile.to_dict()["delta"] == profile.delta.tolist()
    assert profile.to_frame()["low_over_auc"].tolist() == profile.low_over_auc.tolist()
    intervals = rs.interval_auc(table.y_true, table.y_score - 0.05, table.y_score + 0.05)
    assert intervals.to_dict()["undecided"] == intervals.undecided
    assert intervals.to_frame()["auc_low"].tolist() == [intervals.auc_low]
    assert "undecided" in str(intervals)
    assert "0.05" in str(band)


def test_evaluate_takes_granular_measures() -> None:
    table = plain_table(80)
    rows = {"y": table.y_true, "s": table.y_score}
    result = rs.evaluate(rows, label="y", scores="s", measures=["low_auc(delta=0.1)", "family:granular"])
    values = result.values["s"]
    assert values["low_auc(delta=0.1)"] == rs.low_auc(*table[:2], delta=0.1)
    assert {"low_auc", "up_auc", "lambda_auc", "rho_auc"} <= set(values)
    assert values["low_auc"] == rs.auc(*table[:2])
    assert values["rho_auc"] == rs.rho_auc(*table[:2])
    assert {sheet.name for sheet in rs.list_measures("granular")} == {measure.sheet.name for measure in MEASURES}
    assert any(remark.code == "emerging" for remark in result.remarks)


def test_evaluations_and_selections_keep_the_order_of_tied_rows() -> None:
    table = {"y": [1, 0, 1, 1, 1], "s": [6, 1, 6, 2, 1]}
    name = "low_auc(delta=2, definition='dong2013')"
    found = rs.evaluate(table, label="y", scores=["s"], measures=[name])
    assert found.values["s"][name] == rs.low_auc(table["y"], table["s"], delta=2, definition="dong2013")


@pytest.mark.parametrize("weighted", [False, True])
def test_edges_that_are_drawn_are_the_curves_thinned(weighted: bool) -> None:
    rng = np.random.default_rng(3)
    y = rng.random(700) < 0.3
    score = (y + rng.standard_normal(700)).round(2)
    groups = rs.rank(y, score, sample_weight=rng.random(700) if weighted else None)
    deltas = [0.0, 0.01, 0.3, 1.7, 50.0]
    for delta, edges in zip(deltas, granular_edges(groups, deltas, 0.01), strict=True):
        whole = rs.granular_roc(groups, delta=delta)
        for edge, curve in zip(edges, (whole.low, whole.up), strict=True):
            kept = thin(curve.fpr, curve.tpr, 0.01)
            assert edge.fpr.tolist() == curve.fpr[kept].tolist()
            assert edge.tpr.tolist() == curve.tpr[kept].tolist()
            assert edge.area == curve.area


@pytest.mark.parametrize("size", [1, 2, 3, 50, 4001])
def test_a_rising_curve_is_thinned_from_few_of_its_points(size: int) -> None:
    rng = np.random.default_rng(size)
    x, y = (np.sort(rng.integers(0, 300, size) / 299) for _ in range(2))
    for side in (0.005, 0.01, 0.3):
        seen: list[int] = []

        def ask(values: np.ndarray, at: np.ndarray, seen: list[int] = seen) -> np.ndarray:
            seen.extend(at.tolist())
            return values[at]

        kept = thin_rising((partial(ask, x), partial(ask, y)), size, side)
        assert kept.tolist() == thin(x, y, side).tolist()
        assert len(set(seen)) < size or size < 1000
