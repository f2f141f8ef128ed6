"""Curves: every point where the definition puts it, worked examples of the sources, thinning, hulls, frames, plots."""

from __future__ import annotations

import json
import math
import warnings
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
import rocsteady as rs
from cases import each_case
from rocsteady._src.base.geometry import hull_of_steps
from strategies import ALL_WEIGHTS, COUNT_WEIGHTS, FLOAT_WEIGHTS, ScoreTable, score_tables

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady.results import Curve

WORKED = json.loads((Path(__file__).parent / "fixtures" / "worked_examples.json").read_text())
ROWS = ([1, 0, 1, 0, 0], [0.9, 0.6, 0.4, 0.4, 0.1])
CURVES: dict[str, Callable[..., Any]] = {
    "roc": rs.roc_curve,
    "pr": rs.pr_curve,
    "gains": rs.gains_curve,
    "det": rs.det_curve,
    "hull": rs.roc_hull,
}
AREA_ERROR = 1e-14


def curve_of(make: Callable[..., Any], table: ScoreTable, **options: Any) -> Any:
    return make(table.y_true, table.y_score, sample_weight=table.sample_weight, **options)


def exact(numbers: Any) -> list[float]:
    return [math.nan if number is None else float(number) for number in numbers]


def points_of(curve: Curve) -> list[list[float]]:
    return [list(point) for point in zip(*(axis.tolist() for axis in curve.xy), strict=True)]


def assert_close(value: float, reference: Any, allowed: float = AREA_ERROR, scale: float = 0.0) -> None:
    assert oracles.relative_error(value, reference, scale=scale) <= allowed


# Worked examples of the sources


def parsed_set(text: str) -> tuple[list[int], list[float]]:
    return [int(item[-1] == "p") for item in text.split()], [float(item[:-1]) for item in text.split()]


def test_thesis_table_2_1() -> None:
    case = WORKED["thesis_2_1"]
    y_true, y_score = parsed_set(case["set"])
    curve, ranked = rs.roc_curve(y_true, y_score), rs.rank(y_true, y_score)
    assert points_of(curve) == case["roc"]
    assert curve.area == rs.auc(ranked) == case["auc"]
    assert oracles.wins_of_each_positive(oracles.rows_of(y_true, y_score)) == case["wins_by_positive"]
    assert ranked.neg_below[ranked.pos == 1][::-1].tolist() == case["wins_by_positive"]


def test_lecture_table_5_3() -> None:
    case = WORKED["lecture_5_3"]
    curve = rs.roc_curve(case["y"], case["score"])
    assert points_of(curve) == case["roc"]
    assert curve.area == case["auc"]


def test_lecture_table_5_2() -> None:
    case = WORKED["lecture_5_2_points"]
    first, second = (rs.roc_from_points(*zip(*case[name], strict=True)) for name in "AB")
    assert rs.dominates(second, first) is case["hull_of_B_covers_hull_of_A"]
    assert not rs.dominates(first, second)
    for name, curve in (("A", first), ("B", second)):
        printed = [(Fraction(0), Fraction(0)), *decimal_points(case[name]), (Fraction(1), Fraction(1))]
        hull = rs.roc_hull(curve)
        assert all(exact(vertex) in points_of(hull) for vertex in oracles.hull(printed))
        assert_close(hull.area, oracles.area_under(oracles.hull(printed)))
        assert_close(curve.area, oracles.area_under(printed))


def decimal_points(pairs: list[list[float]]) -> list[oracles.Point]:
    return [(Fraction(str(fpr)), Fraction(str(tpr))) for fpr, tpr in pairs]


def test_seminar_task_3_2() -> None:
    case = WORKED["seminar_3_2"]
    assert rs.roc_curve(case["y"], case["score"]).area == case["auc"] == 2 / 3


def test_seminar_accuracy() -> None:
    case = WORKED["seminar_accuracy"]
    tn = case["n"] - case["tp"] - case["fp"] - case["fn"]
    counts = rs.Confusion(case["tp"], case["fp"], case["fn"], tn)
    assert counts.tp + counts.fn == case["positives"]
    assert (counts.accuracy, counts.precision, counts.recall) == (case["accuracy"], 0.9, 0.9)


def test_seminar_average_precision() -> None:
    case = WORKED["seminar_ap"]
    first, last = case["relevant_at_ranks"]
    ranks = np.arange(1, case["n"] + 1)
    curve = rs.pr_curve((ranks >= first) & (ranks <= last), -ranks)
    late = range(1, last - first + 2)
    assert_close(curve.area, sum(Fraction(i, first - 1 + i) for i in late) / len(late), 1e-12)
    assert round(curve.area, 3) == case["average_precision_rounded"]


@pytest.mark.parametrize("row", WORKED["survey_table_3"]["rows"], ids=lambda row: row["model"])
def test_survey_table_3(row: dict[str, Any]) -> None:
    """Rates of 50 and 50 rows give back the counts, and these the other printed columns."""
    tp, tn = round(50 * row["tpr"]), round(50 * row["tnr"])
    counts = rs.Confusion(tp=tp, fp=50 - tn, fn=50 - tp, tn=tn)
    printed = {"acc": counts.accuracy, "tpr": counts.tpr, "tnr": counts.tnr, "ppv": counts.ppv, "npv": counts.npv}
    assert {name: round(value, 3) for name, value in printed.items()} == {name: row[name] for name in printed}


# Points


@given(score_tables(weights=COUNT_WEIGHTS))
def test_roc_points(table: ScoreTable) -> None:
    rows, curve = oracles.rows_of(*table), curve_of(rs.roc_curve, table)
    assert points_of(curve) == [exact(point) for point in oracles.roc_points(rows)]
    assert curve.area == float(oracles.auc(rows)) == rs.auc(rs.rank(*table[:2], sample_weight=table.sample_weight))
    assert_close(float(np.trapezoid(curve.tpr, curve.fpr)), oracles.auc(rows))
    assert (curve.n_pos, curve.n_neg) == (oracles.n_pos(rows), oracles.n_neg(rows))


@given(score_tables(weights=ALL_WEIGHTS))
def test_roc_rises_from_corner_to_corner(table: ScoreTable) -> None:
    curve = curve_of(rs.roc_curve, table)
    assert points_of(curve)[0] == [0, 0]
    assert points_of(curve)[-1] == [1, 1]
    assert all((np.diff(axis) >= 0).all() for axis in curve.xy)
    assert curve.thresholds[0] == math.inf
    assert all(higher > lower for higher, lower in pairwise(curve.thresholds[1:].tolist()))
    area = oracles.auc(oracles.rows_of(*table))
    assert_close(curve.area, area)
    assert_close(float(np.trapezoid(curve.tpr, curve.fpr)), area, scale=1.0)  # coordinates are rounded to 1e-16


@given(score_tables(weights=COUNT_WEIGHTS))
def test_pr_points(table: ScoreTable) -> None:
    rows, curve = oracles.rows_of(*table), curve_of(rs.pr_curve, table)
    cells = oracles.all_cells(rows)
    assert curve.recall.tolist() == exact(map(oracles.recall, cells))
    assert curve.recall[0] == 0
    assert curve.precision[1:].tolist() == exact(map(oracles.precision, cells[1:]))
    assert curve.precision[0] == curve.precision[1]
    assert_close(curve.area, oracles.average_precision(rows), 1e-12)
    smooth = curve_of(rs.pr_curve, table, interpolation="davis-goadrich")
    assert smooth.area == rs.pr_auc(rs.rank(*table[:2], sample_weight=table.sample_weight))


@given(score_tables(weights=COUNT_WEIGHTS))
def test_gains_points(table: ScoreTable) -> None:
    rows, curve = oracles.rows_of(*table), curve_of(rs.gains_curve, table)
    cells = oracles.all_cells(rows)
    fraction = [(c.tp + c.fp) / oracles.total(rows) for c in cells]
    gain = [oracles.recall(c) for c in cells]
    assert curve.fraction.tolist() == exact(fraction)
    assert curve.gain.tolist() == exact(gain)
    for value, found, part in zip(curve.lift[1:].tolist(), gain[1:], fraction[1:], strict=True):
        assert_close(value, found / part)
    assert curve.lift[0] == curve.lift[1]


@settings(max_examples=150)
@given(score_tables(weights=COUNT_WEIGHTS), st.integers(1, 12))
def test_gains_at_the_ends_of_bands_are_counted_row_by_row(table: ScoreTable, n_bins: int) -> None:
    rows, curve = oracles.rows_of(*table), curve_of(rs.gains_curve, table, n_bins=n_bins)
    total = oracles.total(rows)
    band_of = {}
    for score in {row.score for row in rows if row.weight}:
        above = sum((row.weight for row in rows if row.score > score), Fraction(0))
        own = sum((row.weight for row in rows if row.score == score), Fraction(0))
        band_of[score] = min(int((above + own / 2) / total * n_bins), n_bins - 1)
    ends = sorted(min(score for score in band_of if band_of[score] == band) for band in set(band_of.values()))[::-1]
    assert curve.thresholds.tolist() == [np.inf, *ends]
    for place, end in enumerate(ends, start=1):
        found = sum((row.weight for row in rows if row.score >= end), Fraction(0)) / total
        gain = sum((row.weight for row in rows if row.score >= end and row.positive), Fraction(0))
        gain /= sum((row.weight for row in rows if row.positive), Fraction(0))
        assert (curve.fraction[place], curve.gain[place]) == (float(found), float(gain))
        assert_close(curve.lift[place], gain / found)
    assert (curve.fraction[0], curve.gain[0], curve.lift[0]) == (0, 0, curve.lift[1])


def test_gains_of_bands_are_points_of_the_curve_and_refuse_no_band() -> None:
    """Fifty rows in a hundred bands: the middle of each lies on an edge, which 28.999999999999996 is not."""
    y, s = np.arange(50) % 2, np.arange(50)
    found, curve = rs.gains_curve(y, s, n_bins=100), rs.gains_curve(y, s)
    assert found.to_dict() == curve.to_dict()
    assert rs.gains_curve(y, s, n_bins=10).fraction.tolist() == [each / 10 for each in range(11)]
    assert rs.gains_curve(y[::-1], s[::-1], n_bins=7).to_dict() == rs.gains_curve(y, s, n_bins=7).to_dict()
    for wrong in (0, -1, 2.5, 10**7):
        with pytest.raises(rs.RocsteadyError, match="n_bins must be"):
            rs.gains_curve(y, s, n_bins=wrong)


@given(score_tables(weights=COUNT_WEIGHTS))
def test_det_points(table: ScoreTable) -> None:
    rows, curve = oracles.rows_of(*table), curve_of(rs.det_curve, table)
    cells = oracles.all_cells(rows)
    assert curve.fpr.tolist() == exact(map(oracles.false_positive_rate, cells))
    assert curve.fnr == pytest.approx(exact(map(oracles.false_negative_rate, cells)), rel=0, abs=2e-16)


def test_constant_score_is_the_diagonal() -> None:
    assert points_of(rs.roc_curve([1, 0, 0], [0.5, 0.5, 0.5])) == [[0, 0], [1, 1]]


@pytest.mark.parametrize(
    ("make", "labels", "reason"),
    [
        (rs.roc_curve, [1, 1], "single_class"),
        (rs.roc_curve, [0, 0], "single_class"),
        (rs.det_curve, [0, 0], "single_class"),
        (rs.pr_curve, [0, 0], "no_positives"),
        (rs.gains_curve, [0, 0], "no_positives"),
    ],
)
def test_curves_of_one_class_say_that_they_are_undefined(make: Any, labels: list[int], reason: str) -> None:
    with pytest.warns(rs.UndefinedWarning) as told:
        curve = make(labels, [0.2, 0.4])
    assert [warning.message.code for warning in told] == [reason]
    assert len(curve) == 3
    assert np.isnan(np.stack(curve.xy)).any()
    assert getattr(curve, "area", math.nan) != getattr(curve, "area", math.nan)


def test_options_that_do_not_exist_are_refused() -> None:
    with pytest.raises(rs.ArgumentError) as refused:
        rs.pr_curve(*ROWS, interpolation="linear")
    assert refused.value.code == "interpolation"


# Hulls


@given(score_tables(weights=COUNT_WEIGHTS))
def test_hull_of_scores(table: ScoreTable) -> None:
    rows, hull = oracles.rows_of(*table), curve_of(rs.roc_hull, table)
    vertices = oracles.hull(oracles.roc_points(rows))
    assert points_of(hull) == [exact(point) for point in vertices]
    assert_close(hull.area, oracles.auch(rows))
    reached = dict(zip(oracles.roc_points(rows), [math.inf, *oracles.thresholds(rows)[1:]], strict=True))
    assert hull.thresholds.tolist() == [reached[vertex] for vertex in vertices]


@given(score_tables(weights=ALL_WEIGHTS, scores=("eighths", "probabilities")))
def test_hull_is_concave_and_above_its_curve(table: ScoreTable) -> None:
    curve = curve_of(rs.roc_curve, table)
    for hull in (curve_of(rs.roc_hull, table), rs.roc_hull(curve)):
        right, up = np.diff(hull.fpr), np.diff(hull.tpr)
        assert (up[:-1] * right[1:] >= up[1:] * right[:-1] - 1e-15).all()
        above = np.interp(curve.fpr, hull.fpr, hull.tpr) >= curve.tpr - 1e-15
        assert (above | (curve.fpr == 0)).all()
        assert points_of(hull)[0] == [0, 0]
        assert points_of(hull)[-1] == [1, 1]
        assert_close(hull.area, oracles.auch(oracles.rows_of(*table)))


few_counts, many_counts = st.integers(0, 3), st.integers(0, 10**6)


@given(
    st.one_of(
        st.lists(st.tuples(few_counts, few_counts), min_size=1, max_size=30),
        st.lists(st.tuples(many_counts, many_counts), min_size=1, max_size=30),
    )
)
def test_hull_of_counts_is_exact(steps: list[tuple[int, int]]) -> None:
    """Compared with exact cross products over all corners, with no float in between."""
    check_hull(*(np.array([step[i] for step in steps]) for i in (0, 1)))


@pytest.mark.parametrize("seed", range(5))
def test_hull_of_long_walks_is_exact(seed: int) -> None:
    """Slopes that are equal come out of pooling with different rounding errors."""
    rng = np.random.default_rng(seed)
    for _ in range(20):
        check_hull(*rng.integers(0, 2, size=(2, 60)))


def check_hull(paid: np.ndarray, gained: np.ndarray) -> None:
    x, y = (np.append(0, np.cumsum(moves)).tolist() for moves in (paid, gained))
    corners = [(Fraction(a), Fraction(b)) for a, b in zip(x, y, strict=True)]
    found = [(x[vertex], y[vertex]) for vertex in hull_of_steps(paid, gained).tolist()]
    assert found == oracles.hull(corners)


SIXTEENTHS = st.integers(0, 16).map(lambda number: number / 16)
measured_points = st.lists(st.tuples(SIXTEENTHS, SIXTEENTHS), min_size=1, max_size=8)


def with_corners(points: list[tuple[float, float]]) -> list[oracles.Point]:
    return sorted({(Fraction(x), Fraction(y)) for x, y in [(0, 0), *points, (1, 1)]})


@given(measured_points)
def test_hull_of_measured_points_that_also_fall(points: list[tuple[float, float]]) -> None:
    curve = rs.roc_from_points(*zip(*points, strict=True))
    corners = with_corners(points)
    assert points_of(curve) == [exact(point) for point in corners]
    assert_close(curve.area, oracles.area_under(corners))
    assert points_of(rs.roc_hull(curve)) == [exact(point) for point in oracles.hull(corners)]


@given(measured_points, measured_points)
def test_dominance(first: list[tuple[float, float]], second: list[tuple[float, float]]) -> None:
    one, other = (rs.roc_from_points(*zip(*points, strict=True)) for points in (first, second))
    hull = oracles.hull(with_corners(first))
    covered = all(oracles.hull([*hull, point]) == hull or on_line(hull, point) for point in with_corners(second))
    assert rs.dominates(one, other) is covered
    assert rs.dominates(one, one)
    assert rs.dominates(rs.roc_hull(one), one)


def on_line(hull: list[oracles.Point], point: oracles.Point) -> bool:
    return oracles.area_under(oracles.hull([*hull, point])) == oracles.area_under(hull)


@each_case(
    ("code", "attempt"),
    [
        ("rates_outside", lambda: rs.roc_from_points([20], [70])),
        ("rates_outside", lambda: rs.roc_from_points([math.nan], [0.7])),
        ("lengths_differ", lambda: rs.roc_from_points([0.1, 0.2], [0.7])),
        ("lengths_differ", lambda: rs.roc_from_points([0.1], [0.7], thresholds=[1, 2])),
        ("single_class", lambda: rs.roc_hull([1, 1], [0.2, 0.4])),
        ("max_deviation", lambda: rs.thin_curve(rs.roc_curve(*ROWS), 0)),
    ],
)
def test_refusals(code: str, attempt: Callable[[], Any]) -> None:
    with pytest.raises(rs.RocsteadyError) as refused:
        attempt()
    assert refused.value.code == code


def test_measured_points_keep_their_thresholds() -> None:
    curve = rs.roc_from_points([0.5, 0.25], [0.75, 0.5], thresholds=[1.0, 2.0])
    assert curve.thresholds.tolist() == [math.inf, 2.0, 1.0, -math.inf]


# Thinning


def many_rows(seed: int, size: int = 3000) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y_true = rng.random(size) < 0.3
    return y_true, (rng.normal(size=size) + y_true).round(2 + seed)


def chebyshev_distances(x: np.ndarray, y: np.ndarray, line_x: np.ndarray, line_y: np.ndarray) -> np.ndarray:
    """From each point to the nearest place on a polyline: the larger coordinate difference, minimised.

    On a segment that is a convex, piecewise linear function of the position; its minimum is at an end, where one
    difference is zero, or where both are equal.
    """
    a, b = x[:, None] - line_x[:-1], y[:, None] - line_y[:-1]
    c, d = np.broadcast_to(np.diff(line_x), a.shape), np.broadcast_to(np.diff(line_y), a.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        places = np.stack([0 * a, 0 * a + 1, a / c, b / d, (a - b) / (c - d), (a + b) / (c + d)])
    places = np.clip(np.nan_to_num(places), 0, 1)
    return np.maximum(np.abs(a - places * c), np.abs(b - places * d)).min(axis=(0, 2))


@pytest.mark.parametrize("max_deviation", [0.2, 0.05, 0.01, 0.003])
@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("seed", [0, 1])
def test_no_dropped_point_is_farther_than_stated(name: str, seed: int, max_deviation: float) -> None:
    curve = CURVES[name](*many_rows(seed, 1500))
    thinned = rs.thin_curve(curve, max_deviation)
    assert chebyshev_distances(*curve.xy, *thinned.xy).max() <= max_deviation
    assert thinned.max_deviation == max_deviation
    assert {tuple(point) for point in points_of(thinned)} <= {tuple(point) for point in points_of(curve)}
    assert points_of(thinned)[0] == points_of(curve)[0]
    assert points_of(thinned)[-1] == points_of(curve)[-1]
    assert getattr(thinned, "area", None) == getattr(curve, "area", None)
    if name != "pr":
        assert len(thinned) <= 2 / max_deviation + 3


@each_case("max_deviation", [0.1, 0.01])
@each_case("width", np.linspace(0.05, 1.95, 39))
def test_a_corner_is_dropped_only_where_it_is_near(width: float, max_deviation: float) -> None:
    corner = width * max_deviation
    for curve in (rs.roc_from_points([corner, corner], [0, 1]), rs.roc_from_points([0, 1], [corner, corner])):
        thinned = rs.thin_curve(curve, max_deviation)
        assert chebyshev_distances(*curve.xy, *thinned.xy).max() <= max_deviation


@given(score_tables(weights=FLOAT_WEIGHTS), st.sampled_from([0.5, 1 / 3, 0.1, 1e-3]))
def test_thinned_curves_of_any_table(table: ScoreTable, max_deviation: float) -> None:
    curve = curve_of(rs.roc_curve, table)
    thinned = rs.thin_curve(curve, max_deviation)
    assert chebyshev_distances(*curve.xy, *thinned.xy).max() <= max_deviation


def test_thinning_keeps_columns_together() -> None:
    curve = rs.roc_curve(*many_rows(0))
    thinned = rs.thin_curve(curve, 0.05)
    at = {threshold: point for threshold, *point in zip(curve.thresholds, curve.fpr, curve.tpr, strict=True)}
    assert all(at[t] == [x, y] for t, x, y in zip(thinned.thresholds, thinned.fpr, thinned.tpr, strict=True))


# Tables and pictures


@each_case("backend", ["pandas", "polars", "pyarrow"])
@each_case("name", CURVES)
def test_frames(name: str, backend: str) -> None:
    curve = CURVES[name](*ROWS)
    frame = curve.to_frame(backend)
    assert type(frame).__module__.startswith(backend)
    columns = list(frame.column_names if backend == "pyarrow" else frame.columns)
    assert set(curve.axes) <= set(columns)
    assert "thresholds" in columns
    assert frame.shape == (len(curve), len(columns))
    for column in columns:
        values = frame[column].to_pylist() if backend == "pyarrow" else frame[column].to_list()
        assert values == getattr(curve, column).tolist()


@pytest.mark.parametrize("name", CURVES)
def test_dictionaries_hold_plain_values(name: str) -> None:
    curve = CURVES[name](*ROWS)
    plain = curve.to_dict()
    assert [plain[axis] for axis in curve.axes] == [axis.tolist() for axis in curve.xy]
    assert plain["thresholds"] == ["inf" if math.isinf(each) else each for each in curve.thresholds.tolist()]
    assert (plain["n_pos"], plain["n_neg"], plain["origin"]["n_rows"]) == (2, 3, 5)
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert str(curve).startswith(f"{curve.title}: {len(curve)} points")


def test_long_integers_stay_integers_in_a_frame() -> None:
    curve = rs.roc_curve([1, 0], [2**53 + 1, 2**53])
    assert curve.thresholds.tolist() == curve.to_frame("pandas")["thresholds"].to_list()
    assert curve.thresholds.tolist() == [math.inf, 2**53 + 1, 2**53]


@pytest.mark.parametrize("name", CURVES)
def test_plots(name: str, pyplot: Any) -> None:
    curve = CURVES[name](*ROWS)
    display = curve.plot()
    assert display.figure_ is display.ax_.figure
    assert display.line_ in display.ax_.lines
    assert display.line_.get_xydata().tolist() == points_of(curve)
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == curve.labels
    _, ax = pyplot.subplots()
    again = curve.plot(ax, name="$model_1", color="black")
    assert again.ax_ is ax
    assert again.line_.get_color() == "black"
    assert r"\$model_1" in again.line_.get_label()
    again.figure_.canvas.draw()


@pytest.mark.usefixtures("pyplot")
def test_a_drawn_curve_is_thinned_below_what_can_be_seen() -> None:
    curve = rs.roc_curve(*many_rows(1, size=20_000))
    line = curve.plot().line_.get_xydata()
    assert len(line) < len(curve)
    some = slice(None, None, 37)
    x, y = curve.xy
    assert chebyshev_distances(x[some], y[some], line[:, 0], line[:, 1]).max() <= 5e-4


@pytest.mark.parametrize("name", CURVES)
def test_curves_take_ranked_scores_and_infinite_ones(name: str) -> None:
    y_true, y_score = ROWS[0], [math.inf, 0.6, 0.4, 0.4, -math.inf]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocsteadyWarning)
        infinite = CURVES[name](y_true, y_score)
    assert points_of(infinite) == points_of(CURVES[name](rs.rank(*ROWS)))
    assert infinite.thresholds[-1] == -math.inf
