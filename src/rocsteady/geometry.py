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
    until = np.zeros(x.size)
    np.cumsum(np.diff(x) * (y[1:] + y[:-1]) / 2, out=until[1:])
    return _area_until(x, y, until, stop) - _area_until(x, y, until, start)


def _area_until(x: Array, y: Array, until: Array, end: float) -> float:
    left = int(np.searchsorted(x, end, side="right")) - 1
    if left >= x.size - 1:
        return float(until[-1])
    width = end - x[left]
    rise = (y[left + 1] - y[left]) / (x[left + 1] - x[left])
    return float(until[left] + width * (y[left] + width * rise / 2))


def upper_hull(fp: Array, tp: Array) -> Array:
    """Indices of the vertices of the upper convex hull of a curve whose abscissae do not decrease.

    Where the curve climbs, pooling adjacent violators (scipy, compiled, linear) leaves few candidates; exact
    cross products then remove what lies on a straight line. Costs O(n).
    """
    candidates = _isotonic_vertices(fp, tp)
    kept: list[int] = []
    x, y = fp[candidates].tolist(), tp[candidates].tolist()
    for index in range(len(x)):
        while len(kept) > 1 and _not_right_turn(x, y, kept[-2], kept[-1], index):
            kept.pop()
        kept.append(index)
    return candidates[kept]


def _isotonic_vertices(fp: Array, tp: Array) -> Array:
    from scipy.optimize import isotonic_regression

    moved = np.flatnonzero((np.diff(fp) != 0) | (np.diff(tp) != 0)) + 1
    points = np.concatenate([[0], moved])
    rise = np.diff(tp[points]).astype(np.float64)
    if points.size < 3 or (rise < 0).any():
        return points
    mass = rise + np.diff(fp[points])
    blocks = isotonic_regression(rise / mass, weights=mass, increasing=False).blocks
    vertices: Array = points[blocks]
    return vertices


def _not_right_turn(x: list[Any], y: list[Any], a: int, b: int, c: int) -> bool:
    return bool((x[b] - x[a]) * (y[c] - y[a]) >= (y[b] - y[a]) * (x[c] - x[a]))


def davis_goadrich_area(tp: Array, fp: Array) -> float:
    """Area under precision-recall when false positives grow linearly with true ones between two thresholds.

    Between (tp, fp) and (tp + d, fp + h d): integral of x / (x + fp + h (x - tp)) dx, in closed form, written
    so that nothing cancels. Divided by the number of positives.
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
    linear = step[go] * from_tp[go] / called[go]
    area[go] = linear + excess[go] / growth[go] ** 2 * _less_log1p(share)
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
