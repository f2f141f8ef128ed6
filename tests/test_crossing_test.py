"""A test of crossing curves: gaps in fractions, the same draws by hand, symmetry, and known answers."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from benchmarks.crossing_size import draw

import rocsteady as rs
from rocsteady._src.inference.comparison.crossing import FLOOR, PLACES, turned
from rocsteady._src.inference.resampling.draws import RowDraws
from rocsteady._src.ranked import read_models
from rocsteady.curves import crossing_test
from rocsteady.errors import ArgumentError


def height(y: Any, s: Any, times: Any, along: Fraction) -> Fraction:
    """TPR - FPR where FPR + TPR is ``along``, from the rows, each taken so many times."""
    n_pos, n_neg = (sum(int(t) for each, t in zip(y, times, strict=True) if each == side) for side in (1, 0))
    points = [(Fraction(0), Fraction(0))]
    for cut in sorted(set(s.tolist()), reverse=True):
        tp, fp = (
            sum(int(t) for each, score, t in zip(y, s, times, strict=True) if each == side and score >= cut)
            for side in (1, 0)
        )
        tpr, fpr = Fraction(tp, n_pos), Fraction(fp, n_neg)
        points.append((tpr + fpr, tpr - fpr))
    for (x, low), (u, high) in itertools.pairwise(points):
        if x <= along <= u and u > x:
            return low + (along - x) / (u - x) * (high - low)
    raise AssertionError(along)


def small() -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(2)
    y = np.array([1] * 6 + [0] * 7)
    return y, np.round(rng.normal(size=13) + y, 1), np.round(rng.normal(size=13) + 0.5 * y, 1)


def test_gap_limits_and_p_are_those_of_the_rows_taken_one_by_one() -> None:
    y, first, second = small()
    found = crossing_test(y, first, second, n_resamples=30, random_state=4)
    places = [Fraction(place, 50) for place in range(1, 100)]
    assert PLACES.tolist() == pytest.approx([float(place) for place in places])
    scheme, rng = RowDraws(read_models(y, {"a": first, "b": second})), np.random.default_rng(4)
    rows = scheme.rows

    def gap(times: Any) -> list[float]:
        return [float(height(y, first, times, place) - height(y, second, times, place)) for place in places]

    seen = np.array(gap(np.ones(13)))
    assert found.lead == pytest.approx(seen, abs=1e-12)
    off = []
    for _ in range(30):
        drawn = scheme.draw(rng)
        for side, (pos, neg) in enumerate(drawn):
            assert turned(pos, neg).shape == (99,)
            assert (pos.sum(), neg.sum()) == (6, 7), side
        off.append(turned(*drawn[0]) - turned(*drawn[1]) - seen)
    departures = np.array(off)
    scale = departures.std(axis=0, ddof=1)
    scale = np.maximum(scale, FLOOR * scale.max())
    for sign, p in ((1, found.p_first), (-1, found.p_second)):
        largest = (sign * departures / scale).max(axis=1)
        assert p == (1 + int((largest >= (sign * seen / scale).max()).sum())) / 31
    assert found.pvalue == max(found.p_first, found.p_second)
    assert rows.n_rows == 13


def test_drawn_weights_give_the_curve_of_the_repeated_rows() -> None:
    y, first, _ = small()
    times = np.array([2, 0, 1, 1, 2, 0, 3, 0, 1, 1, 0, 2, 0])
    whole = rs.rank(np.repeat(y, times), np.repeat(first, times))
    wanted = [float(height(y, first, times, Fraction(place, 50))) for place in range(1, 100)]
    assert turned(whole.pos, whole.neg) == pytest.approx(wanted, abs=1e-12)


def test_the_other_way_round_and_on_another_scale() -> None:
    y, first, second = draw("crossing", (60, 60), np.random.default_rng(1))
    asked: dict[str, Any] = {"n_resamples": 99, "random_state": 3}
    one, back = crossing_test(y, first, second, **asked), crossing_test(y, second, first, **asked)
    assert (one.p_first, one.p_second) == (back.p_second, back.p_first)
    assert one.lead == pytest.approx(-back.lead)
    assert one.lead_low == pytest.approx(-back.lead_high)
    moved = crossing_test(y, np.exp(first), second, **asked)
    assert moved.to_dict() == one.to_dict()


@pytest.mark.parametrize(
    ("kind", "sizes", "wanted"),
    [
        ("crossing", (500, 500), "crossing"),
        ("above", (400, 400), "first above"),
        ("alike", (100, 100), "not told apart"),
    ],
)
def test_known_curves(kind: str, sizes: tuple[int, int], wanted: str) -> None:
    found = crossing_test(*draw(kind, sizes, np.random.default_rng(5)), n_resamples=199, random_state=1)
    assert found.found == wanted
    words = {"crossing": "the curves cross", "first above": "first leads by", "not told apart": "neither curve"}
    assert found.verdict.startswith(words[wanted])
    assert (found.lead_low <= found.lead).all()
    assert (found.lead <= found.lead_high).all()
    assert found.first_short == pytest.approx(max(0, -found.lead_low.min()))


def test_curves_that_are_the_same_are_not_told_apart() -> None:
    y, first, _ = small()
    found = crossing_test(y, first, first, n_resamples=20, random_state=1)
    assert (found.found, found.pvalue, found.first_short, found.second_short) == ("not told apart", 1.0, 0.0, 0.0)


def test_two_samples_and_subjects() -> None:
    y, first, second = draw("crossing", (500, 500), np.random.default_rng(6))
    asked: dict[str, Any] = {"n_resamples": 199, "random_state": 1}
    apart = crossing_test(y, first, second, paired=False, **asked)
    assert (apart.found, "unpaired" in apart.method) == ("crossing", True)
    who = np.repeat(np.arange(500), 2)
    doubled = crossing_test(
        np.repeat(y, 2), np.repeat(first, 2), np.repeat(second, 2), cluster=np.repeat(np.arange(1000), 2), **asked
    )
    plain = crossing_test(y, first, second, **asked)
    assert doubled.lead == pytest.approx(plain.lead)
    assert doubled.p_first == plain.p_first  # a subject of two equal rows is one row
    assert "by cluster" in doubled.method
    assert crossing_test(y, first, second, cluster=who, **asked).found == "crossing"
    with pytest.raises(ArgumentError, match="n_resamples"):
        crossing_test(y, first, second, n_resamples=0)
