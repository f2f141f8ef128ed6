"""Geometry of curves given as counts: areas, hulls, thinning. Pure functions of arrays, linear time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


def trapezoid_area(x: Array, y: Array) -> float:
    """Area under straight lines between the points."""
    return float(np.diff(x) @ (y[1:] + y[:-1])) / 2


def area_between(x: Array, y: Array, start: float, stop: float) -> float:
    """Area under straight lines between two abscissae; ``x`` does not decrease, jumps are allowed."""
    first, last = int(np.searchsorted(x, start, side="right")), int(np.searchsorted(x, stop, side="left"))
    inner_x = np.concatenate([[start], x[first:last], [stop]])
    inner_y = np.concatenate([[_height(x, y, first, start)], y[first:last], [_height(x, y, last, stop)]])
    return trapezoid_area(inner_x, inner_y)


def _height(x: Array, y: Array, right: int, at: float) -> float:
    """Height on the segment that ends at point ``right``: a mean of both ends, so that nothing cancels."""
    left = right - 1
    return float((y[left] * (x[right] - at) + y[right] * (at - x[left])) / (x[right] - x[left]))


def upper_hull(fp: Array, tp: Array) -> Array:
    """Indices of the vertices of the upper convex hull of a curve whose abscissae do not decrease. O(n)."""
    paid, gained = np.diff(fp), np.diff(tp)
    return _hull_of_points(fp, tp) if (gained < 0).any() else hull_of_steps(paid, gained)


def hull_of_steps(paid: Array, gained: Array) -> Array:
    """Indices of the vertices of the upper convex hull of a walk that goes right and up, never back.

    Pooling adjacent violators (scipy, compiled, linear) leaves few candidates; exact comparisons of their slopes
    then remove what lies on a straight line. Steps are taken as they are, sums would lose the digits of a small
    step after large ones, and pooled as shares of their sum, so that neither direction drowns in the other.
    """
    from scipy.optimize import isotonic_regression

    upward, rightward = (steps / (steps.sum() or 1) for steps in (gained, paid))
    length = upward + rightward
    moves = np.flatnonzero(length)
    if not moves.size:
        return np.zeros(1, dtype=np.int64)
    slope = upward[moves] / length[moves]
    starts = isotonic_regression(slope, weights=length[moves], increasing=False).blocks[:-1]
    runs = zip(*(np.add.reduceat(steps[moves], starts).tolist() for steps in (paid, gained)), strict=True)
    pooled: list[tuple[int, Any, Any]] = []
    for start, (right, up) in zip(starts.tolist(), runs, strict=True):
        run = (start, right, up)
        while pooled and pooled[-1][2] * run[1] <= run[2] * pooled[-1][1]:
            begin, right_before, up_before = pooled.pop()
            run = (begin, right_before + run[1], up_before + run[2])
        pooled.append(run)
    return np.array([*moves[[start for start, _, _ in pooled]], moves[-1] + 1])


def _hull_of_points(x: Array, y: Array) -> Array:
    """Andrew's monotone chain, for curves that also fall."""
    kept: list[int] = []
    xs, ys = x.tolist(), y.tolist()
    for index in range(len(xs)):
        while len(kept) > 1 and _not_right_turn(xs, ys, kept[-2], kept[-1], index):
            kept.pop()
        kept.append(index)
    return np.array(kept)


def _not_right_turn(x: list[Any], y: list[Any], a: int, b: int, c: int) -> bool:
    return bool((x[b] - x[a]) * (y[c] - y[a]) >= (y[b] - y[a]) * (x[c] - x[a]))


def davis_goadrich_area(tp: Array, fp: Array) -> float:
    """Area under precision-recall when false positives grow linearly with true ones between two thresholds.

    Between (tp, fp) and (tp + d, fp + h d): integral of x / (x + fp + h (x - tp)) dx, in two closed forms, for
    falling and for rising precision, so that no terms cancel. Divided by the number of positives.
    """
    step = np.diff(tp).astype(np.float64)
    climbs = step > 0
    step, from_tp, from_fp = step[climbs], tp[:-1][climbs].astype(np.float64), fp[:-1][climbs]
    slope = np.diff(fp)[climbs] / step
    growth = 1 + slope
    excess = from_fp - slope * from_tp
    called = from_tp + from_fp
    area = np.empty_like(step)
    start = called == 0
    area[start] = step[start] / growth[start]
    go = ~start
    share = growth[go] * step[go] / called[go]
    falling = step[go] / growth[go] - excess[go] / growth[go] ** 2 * np.log1p(share)
    rising = step[go] * from_tp[go] / called[go] + excess[go] / growth[go] ** 2 * _less_log1p(share)
    area[go] = np.where(excess[go] < 0, falling, rising)
    return float(area.sum() / tp[-1])


def _less_log1p(t: Array) -> Array:
    """Compute t - log(1 + t) for t >= 0 without cancellation: log1p(t) = 2 atanh(r), r = t / (2 + t)."""
    r = t / (2 + t)
    square = r * r
    series = np.zeros_like(t)
    for power in range(31, 1, -2):
        series = series * square + 1 / power
    return np.where(t < 0.5, t * r - 2 * r * square * series, t - np.log1p(t))


def thin(x: Array, y: Array, max_deviation: float) -> Array:
    """Indices to keep so that no dropped point is farther than ``max_deviation`` from the drawn line.

    The plane is cut into square cells of that side; the first point of each stay in a cell is kept, and the
    last point of the curve. A dropped point shares the cell of the kept point before it, so it is less than one
    side away from it in each coordinate, and that kept point is on the line. A curve that climbs through the
    unit square keeps at most 2 / side + 3 points.
    """
    if x.size < 3:
        return np.arange(x.size)
    cell_x, cell_y = np.floor(x / max_deviation), np.floor(y / max_deviation)
    first = np.ones(x.size, dtype=bool)
    first[1:] = (np.diff(cell_x) != 0) | (np.diff(cell_y) != 0)
    first[-1] = True
    return np.flatnonzero(first)
