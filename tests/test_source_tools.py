"""What the sources need and had no function for: walks, points, areas beside the diagonal, properties of sets."""

from __future__ import annotations

import warnings
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady.results import RocPoints, RocWalk

mpl.use("Agg")
LECTURE = ([1, 1, 1, 0, 1, 0, 1, 0, 0, 0], [0.89, 0.8, 0.8, 0.8, 0.63, 0.33, 0.33, 0.1, 0.1, 0.1])


@pytest.fixture(autouse=True)
def closed_figures() -> Any:
    yield
    plt.close("all")


def drawn(seed: int, n: int = 12, levels: int = 6) -> tuple[list[int], list[float]]:
    rng = np.random.default_rng(seed)
    y = rng.permutation([0, 1] * (n // 2)).tolist()
    return y, (rng.integers(0, levels, n) / levels).tolist()


@each_case("seed", range(20))
def test_a_walk_is_the_curve_step_by_step(seed: int) -> None:
    y, s = drawn(seed)
    walk, curve = rs.curves.roc_walk(y, s), rs.roc_curve(y, s)
    assert walk.fpr.tolist() == curve.fpr[1:].tolist()
    assert walk.tpr.tolist() == curve.tpr[1:].tolist()
    assert walk.score.tolist() == curve.thresholds[1:].tolist()
    positives = [sum(label for label, score in zip(y, s, strict=True) if score == at) for at in walk.score]
    assert walk.positives.tolist() == positives
    assert walk.area.sum() == pytest.approx(rs.auc(y, s), abs=1e-15)


def test_steps_of_the_lecture() -> None:
    walk = rs.curves.roc_walk(*LECTURE)
    moves = list(zip(walk.positives.tolist(), walk.negatives.tolist(), strict=True))
    assert moves == [(1, 0), (2, 1), (1, 0), (1, 1), (0, 3)]
    assert walk.area.tolist() == pytest.approx([0, 0.08, 0, 0.18, 0.6])
    assert repr(walk) == "RocWalk(5 steps on 5 by 5 cells, area 0.8600)"


def test_a_walk_is_drawn_on_its_grid() -> None:
    walk = rs.curves.roc_walk(*LECTURE)
    display = walk.plot()
    assert display.line_.get_xdata().tolist() == [0.0, *walk.fpr.tolist()]
    grid = [line for line in display.ax_.lines if line.get_color() == "0.85"]
    assert len(grid) == 12
    names = {text.get_text() for text in display.ax_.texts}
    assert {"0.89", "0.8", "0.63", "0.33", "0.1"} <= names
    part = walk.plot(steps=2)
    assert part.line_.get_ydata().tolist() == [0.0, *walk.tpr[:2].tolist()]
    assert "2 steps, area so far 0.080" in part.line_.get_label()
    with pytest.raises(rs.ArgumentError, match="the walk has 5 steps, got 6"):
        walk.plot(steps=6)


def areas_by_hand(fpr: Any, tpr: Any) -> tuple[Fraction, Fraction]:
    above, below = Fraction(0), Fraction(0)
    points = [(Fraction(x), Fraction(y)) for x, y in zip(fpr, tpr, strict=True)]
    for (x0, y0), (x1, y1) in pairwise(points):
        ends = [(x0, y0 - x0), (x1, y1 - x1)]
        if ends[0][1] * ends[1][1] < 0:  # cut where the curve meets the diagonal
            share = ends[0][1] / (ends[0][1] - ends[1][1])
            ends.insert(1, (x0 + share * (x1 - x0), Fraction(0)))
        for (a, h0), (b, h1) in pairwise(ends):
            piece = (b - a) * (h0 + h1) / 2
            above, below = above + max(piece, 0), below + max(-piece, 0)
    return above, below


@each_case("seed", range(30))
def test_areas_beside_the_diagonal(seed: int) -> None:
    curve = rs.roc_curve(*drawn(seed))
    above, below = curve.diagonal_areas
    assert (above, below) == pytest.approx(tuple(map(float, areas_by_hand(curve.fpr, curve.tpr))), abs=1e-15)
    assert curve.area == pytest.approx(0.5 + above - below, abs=1e-15)
    y, s = drawn(seed)
    assert rs.roc_curve(y, [-score for score in s]).diagonal_areas == pytest.approx((below, above), abs=1e-15)


def test_points_are_drawn_without_invented_ends() -> None:
    found = rs.curves.roc_points({"A": (0.1, 0.4), "C$": rs.Confusion(tp=8, fn=2, fp=1, tn=9)})
    assert isinstance(found, RocPoints)
    assert found.fpr.tolist() == [0.1, 0.1]
    assert found.tpr.tolist() == [0.4, 0.8]
    display = found.plot()
    dots = [line for line in display.ax_.lines if line.get_marker() == "o"]
    assert [(float(dot.get_xdata()[0]), float(dot.get_ydata()[0])) for dot in dots] == [(0.1, 0.4), (0.1, 0.8)]
    assert all(dot.get_linestyle() in ("None", "") for dot in dots)
    assert {text.get_text() for text in display.ax_.texts} == {"A", r"C\$"}


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ([(0.1, 0.2)], "a dict of names and pairs"),
        ({}, "a dict of names and pairs"),
        ({"A": 0.1}, "'A' is no pair"),
        ({"A": (10, 40)}, "outside"),
        ({"A": rs.confusion([1, 0], [0.9, 0.1], threshold="all")}, "no confusion matrix at one threshold"),
    ],
)
def test_points_that_are_none_are_refused(points: Any, words: str) -> None:
    with pytest.raises(rs.InputError, match=words):
        rs.curves.roc_points(points)


@each_case("exact", [False, True])
@each_case("seed", range(10))
def test_softened_auc_at_zero_is_the_auc(seed: int, exact: bool) -> None:
    y, s = drawn(seed)
    assert rs.softened_auc(y, s, q=0, exact=exact) == pytest.approx(rs.auc(y, s), abs=1e-15)
    with pytest.raises(rs.ArgumentError, match="at least 0"):
        rs.softened_auc(y, s, q=-0.1)


def test_softened_auc_at_zero_makes_no_errors() -> None:
    sets = rs.lab.generate("1.0p 0.9p 0.8p 0.2n 0.1n 0.0n\n0.5p 0.5p 0.5n 0.5n 0.5n 0.5n", distribution=True)
    rows = rs.lab.count_errors(sets, ["auc", "softened_auc(q=0)"])
    first, second = ((row.errors, row.min_correct, row.max_incorrect) for row in rows)
    assert first == pytest.approx(second)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("(0.85p 0.80p 0.75p 0.70n 0.65n 0.60n)", "0.85p 0.80p 0.75p 0.70n 0.65n 0.60n"),
        ("(0.85n 0.80p),\n(0.85p 0.80n).", "0.85n 0.80p\n0.85p 0.80n"),
        ("(0.9p 0.1n), (0.8p 0.2n)  # two in a line", "0.9p 0.1n\n0.8p 0.2n"),
        ("[0.9p, 0.1n]\n{0.8p, 0.2n}", "0.9p 0.1n\n0.8p 0.2n"),
        ("0.9p 0.1n\n( 0.8p 0.2n )", "0.9p 0.1n\n0.8p 0.2n"),
    ],
)
def test_sets_in_brackets(text: str, plain: str) -> None:
    sets, others = list(rs.lab.parse_sets(text)), list(rs.lab.parse_sets(plain))
    assert [(y.tolist(), s.tolist()) for y, s in sets] == [(y.tolist(), s.tolist()) for y, s in others]


@pytest.mark.parametrize("text", ["(0.9p 0.1n", "(0.9p 0.1n) 0.4p", "(0.9p 0.1n]\n"])
def test_brackets_that_do_not_match_are_refused(text: str) -> None:
    with pytest.raises(rs.InputError, match="line 1: brackets do not match"):
        rs.lab.parse_sets(text)


@each_case("seed", range(10))
def test_extremes_and_ranges_of_each_class(seed: int) -> None:
    y, s = drawn(seed)
    found = rs.set_properties(y, s)
    pos, neg = ([score for label, score in zip(y, s, strict=True) if label == side] for side in (1, 0))
    assert (found.pos_max, found.pos_min, found.neg_max, found.neg_min) == (max(pos), min(pos), max(neg), min(neg))
    assert (found.pos_range, found.neg_range) == (max(pos) - min(pos), max(neg) - min(neg))
    assert found.abs_margin == pytest.approx(found.pos_min - found.neg_max, abs=1e-15)
    assert found.to_frame().loc[0, "pos_max"] == max(pos)


BY_RANGE = ("mm1_auc", "mm4_auc", "mm6_auc", "mm7_auc")


@pytest.mark.parametrize("name", BY_RANGE)
def test_where_the_range_is_zero_a_remark_says_so(name: str) -> None:
    y, s = [1, 0, 1, 0], [0.5] * 4
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert getattr(rs, name)(y, s) == 0
        assert getattr(rs, name)(y, [0.9, 0.5, 0.5, 0.5]) > 0
    with pytest.warns(rs.RocsteadyWarning, match="their range is 0"):
        shown = rs.evaluate(y, s, measures=[name])
    assert "their range is 0" in str(shown)


def test_set_properties_remark_on_a_range_of_zero() -> None:
    found = rs.set_properties([1, 0, 1, 0], [0.5] * 4)
    assert [remark.code for remark in found.warnings] == ["no_range"]
    assert "all scores are equal" in str(found)
    assert not rs.set_properties([1, 0], [0.6, 0.5]).warnings


def test_only_measures_that_divide_by_the_range_are_called_so() -> None:
    y = [1, 0, 1, 0]
    for sheet in rs.list_measures("score-aware"):
        assert sheet.by_range == (sheet.name in BY_RANGE)
    for scale, shift in product((1, 7), (0, 3)):
        s = [shift + scale * x for x in (0.9, 0.2, 0.4, 0.1)]
        assert rs.mm1_auc(y, s) == pytest.approx(rs.mm1_auc(y, (0.9, 0.2, 0.4, 0.1)))


def test_geometric_mean_of_precision_and_recall() -> None:
    found = rs.Confusion(tp=9, fp=1, fn=81, tn=99)
    assert found.fowlkes_mallows == pytest.approx(0.3)
    assert found.g_mean != pytest.approx(0.3)
    from sklearn.metrics import precision_score, recall_score

    y, s = drawn(3)
    called = [score >= 0.4 for score in s]
    truth = (precision_score(y, called) * recall_score(y, called)) ** 0.5
    assert rs.measures.fowlkes_mallows(y, s, threshold=0.4) == pytest.approx(truth)


def test_walks_refuse_one_class() -> None:
    with pytest.raises(rs.InputError, match="a walk needs"):
        rs.curves.roc_walk([1, 1], [0.1, 0.2])
    assert isinstance(rs.curves.roc_walk(rs.rank([1, 0], [0.1, 0.2])), RocWalk)
