"""The hull of hostile walks against exact arithmetic: ties, straight lines, huge counts, weights of all sizes."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import oracles
import rocsteady as rs
from cases import each_case
from rocsteady._src.base.geometry import hull_of_steps

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Walk = tuple[NDArray[Any], NDArray[Any]]

ROUNDING, MEASURE_ERROR = 1e-15, 1e-14


def near(middle: int, reach: int = 3, size: int = 40) -> Callable[[np.random.Generator], Walk]:
    """Slopes that differ in the last digit a float has, or after it."""
    return lambda rng: tuple(rng.integers(middle - reach, middle + reach, size=(2, size)))


def below(most: int) -> Callable[[np.random.Generator], Walk]:
    return lambda rng: tuple(rng.integers(0, most, size=(2, 30)))


def of_all_sizes(rng: np.random.Generator) -> Walk:
    return tuple(np.floor(2.0 ** rng.uniform(0, 55, size=(2, 30))).astype(np.int64))


def on_a_circle(rng: np.random.Generator) -> Walk:
    """Every corner is a vertex."""
    angles = (np.arange(60) + rng.random()) * np.pi / 120
    paid, gained = (np.floor(2**50 * side(angles)).astype(np.int64) for side in (np.sin, np.cos))
    return paid, gained


def on_a_line(rng: np.random.Generator) -> Walk:
    right, up = rng.integers(1, 2**20, size=2).tolist()
    times = rng.integers(0, 2**30, size=40)
    return right * times, up * times


def in_runs_of_one_class(rng: np.random.Generator) -> Walk:
    up = (np.arange(60) // rng.integers(1, 30) % 2).astype(np.int64)
    counts = rng.integers(0, 2**45, size=60)
    return counts * (1 - up), counts * up


COUNTS = {
    "near 10**8": near(10**8),
    "near 2**40": near(2**40),
    "near 2**50": near(2**50),
    "near 2**57": near(2**57, reach=64, size=16),
    "single rows": below(2),
    "below 2**31": below(2**31),
    "below 2**57": below(2**57),
    "all sizes": of_all_sizes,
    "circle": on_a_circle,
    "line": on_a_line,
    "runs": in_runs_of_one_class,
}


def walked(paid: NDArray[Any], gained: NDArray[Any]) -> list[oracles.Point]:
    points = [(Fraction(0), Fraction(0))]
    for right, up in zip(paid.tolist(), gained.tolist(), strict=True):
        points.append((points[-1][0] + Fraction(right), points[-1][1] + Fraction(up)))
    return points


def found_hull(paid: NDArray[Any], gained: NDArray[Any]) -> list[oracles.Point]:
    points = walked(paid, gained)
    return [points[vertex] for vertex in hull_of_steps(paid, gained).tolist()]


@pytest.mark.parametrize("kind", COUNTS)
def test_hull_of_counts_has_exactly_the_right_vertices(kind: str) -> None:
    rng = np.random.default_rng(0)
    for _ in range(60):
        paid, gained = COUNTS[kind](rng)
        assert found_hull(paid, gained) == oracles.hull(walked(paid, gained))


@each_case("kind", COUNTS)
def test_equal_parts_and_empty_steps_do_not_move_the_hull(kind: str) -> None:
    paid, gained = COUNTS[kind](np.random.default_rng(1))
    threefold = [np.repeat(steps, 3) for steps in (paid, gained)]
    with_gaps = [np.stack([0 * steps, steps, 0 * steps], axis=1).ravel() for steps in (paid, gained)]
    vertices = found_hull(paid, gained)
    assert found_hull(*with_gaps) == vertices
    assert found_hull(*threefold) == [(3 * x, 3 * y) for x, y in vertices]


@pytest.mark.parametrize("walk", [([], []), ([0, 0], [0, 0]), ([0.0], [0.0])], ids=["empty", "counts", "weights"])
def test_a_walk_that_stays_has_one_vertex(walk: tuple[list[float], list[float]]) -> None:
    assert hull_of_steps(*map(np.array, walk)).tolist() == [0]


# Weights


def weights_between(low: float, high: float, share: float) -> Callable[[np.random.Generator], Walk]:
    def walk(rng: np.random.Generator) -> Walk:
        return tuple(10.0 ** rng.uniform(low, high, size=(2, 30)) * (rng.random((2, 30)) < share))

    return walk


WEIGHTS = {
    "even": weights_between(-1, 0, 1.0),
    "40 digits": weights_between(-20, 20, 1.0),
    "300 digits": weights_between(-150, 148, 1.0),
    "300 digits with gaps": weights_between(-150, 148, 0.6),
    "tiny": weights_between(-150, -140, 0.8),
    "huge": weights_between(140, 148, 0.8),
}


def shares(points: list[oracles.Point]) -> list[oracles.Point]:
    right, up = points[-1]
    return [(x / right, y / up) for x, y in points]


@pytest.mark.parametrize("kind", WEIGHTS)
def test_hull_of_weights_is_right_to_rounding(kind: str) -> None:
    """Float sums round, so vertices may differ, but by no more than rounding moves a point."""
    rng = np.random.default_rng(2)
    for _ in range(30):
        paid, gained = WEIGHTS[kind](rng)
        found, points = (shares(make(paid, gained)) for make in (found_hull, walked))
        assert found[0] == points[0]
        assert found[-1] == points[-1]
        assert abs(oracles.area_under(found) - oracles.area_under(oracles.hull(points))) <= ROUNDING
        assert all(_rise(a, b, c) >= -ROUNDING for (a, b), (_, c) in pairwise(pairwise(found)))


def _rise(a: oracles.Point, b: oracles.Point, c: oracles.Point) -> Fraction:
    """Twice the area of a triangle, above 0 where the walk bends to the right."""
    return (b[1] - a[1]) * (c[0] - b[0]) - (c[1] - b[1]) * (b[0] - a[0])


@pytest.mark.parametrize("kind", WEIGHTS)
def test_measures_of_the_hull_of_weights(kind: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(3):
        paid, gained = (steps[:8] for steps in WEIGHTS[kind](rng))
        y_true, scores = np.repeat([1, 0], 8), np.tile(np.arange(8, 0, -1), 2)
        weights = np.append(gained, paid)
        if "300 digits" in kind:  # beside the largest, the smallest count for nothing, and that is said
            with pytest.raises(rs.InputError, match="times smaller than the largest"):
                rs.rank(y_true, scores, sample_weight=weights)
            continue
        rows = oracles.rows_of(y_true, scores, np.ldexp(weights, -np.frexp(weights.max())[1]))
        ranked = rs.rank(y_true, scores, sample_weight=weights)
        assert oracles.relative_error(rs.auch(ranked), oracles.auch(rows)) <= MEASURE_ERROR
        assert oracles.relative_error(rs.h_measure(ranked), oracles.h_measure(rows), scale=1.0) <= MEASURE_ERROR


@pytest.mark.parametrize("power", [-480, 480])
def test_the_unit_of_weights_does_not_matter(power: int) -> None:
    rng = np.random.default_rng(4)
    y_true, scores, weights = rng.integers(0, 2, 50), rng.integers(0, 20, 50), rng.random(50)
    plain, other = (rs.rank(y_true, scores, sample_weight=np.ldexp(weights, by)) for by in (0, power))
    assert rs.auch(plain) == rs.auch(other)
    assert rs.h_measure(plain) == rs.h_measure(other)
    assert rs.h_measure(plain, alpha=3.0, beta=1.5) == rs.h_measure(other, alpha=3.0, beta=1.5)
