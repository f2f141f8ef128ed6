"""Geometry of curves given as counts: areas, hulls, thinning. Pure functions of arrays, linear time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.exact import INT64_ROOM, PIECE, blocks

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Array = NDArray[Any]
    Coordinate = Callable[[Array], Array]

SLOPES_TOLD_APART = 2**48
FEW_STEPS, MANY_STEPS = 1 << 6, 1 << 13
STRIDE = 64
FEW_JOINED = 16


def trapezoid_area(x: Array, y: Array) -> float:
    """Area under straight lines between the points, in pieces below the length from which BLAS wakes threads."""
    pieces = (slice(start, start + PIECE + 1) for start in range(0, max(x.size - 1, 1), PIECE))
    return math.fsum(float(np.diff(x[piece]) @ (y[piece][1:] + y[piece][:-1])) for piece in pieces) / 2


def areas_beside_diagonal(x: Array, y: Array) -> tuple[float, float]:
    """Areas between straight lines through the points and the diagonal: where they lie above it, and below it."""
    above = y - x
    widths, left, right = np.diff(x), above[:-1], above[1:]
    crossed = left * right < 0
    reach = np.abs(left) + np.abs(right)
    share = np.where(crossed, np.abs(left) / np.where(reach > 0, reach, 1.0), 1.0)
    first, second = widths * share * left / 2, widths * (1 - share) * right / 2
    whole = widths * (left + right) / 2
    parts = np.concatenate([np.where(crossed, first, whole), np.where(crossed, second, 0.0)])
    return float(parts[parts > 0].sum()), float(np.abs(parts[parts < 0]).sum())


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
    """Indices of the vertices of the upper convex hull of a walk that goes right and up, never back. O(n).

    Of counts, of any width, and of steps of one that are given as booleans, it is exact.
    """
    if paid.size <= FEW_STEPS and paid.dtype.kind in "bi":
        return _hull_of_few(paid.tolist(), gained.tolist())
    if paid.size > MANY_STEPS and paid.dtype.kind in "bi":
        found = _may_be_vertices(paid, gained)
        if found is not None:
            places, x, y = found
            return places[_hull_by_pooling(np.diff(x), np.diff(y))]
    return _hull_by_pooling(*(steps if steps.dtype.kind == "f" else steps.astype(np.int64) for steps in (paid, gained)))


def _hull_of_few(rights: list[int], ups: list[int]) -> Array:
    """The same in Python's integers: quicker than to set up anything else."""
    moves = [place for place, step in enumerate(zip(rights, ups, strict=True)) if any(step)]
    if not moves:
        return np.zeros(1, dtype=np.int64)
    starts = _falling_slopes([rights[move] for move in moves], [ups[move] for move in moves])
    return np.array([*(moves[start] for start in starts), moves[-1] + 1])


def _may_be_vertices(paid: Array, gained: Array) -> tuple[Array, Array, Array] | None:
    """Points of a long walk of counts that may be vertices of its hull, and where they are.

    A look at every 64th point gives a hull that lies below the true one. What lies on or below it is no vertex:
    first stretches whose upper left corner does, then single points of the others. Few are left. O(n).
    None where 64 bits do not hold the products.
    """
    right, up = sums_of_strides(paid), sums_of_strides(gained)
    x, y = (np.append(0, steps.cumsum()) for steps in (right, up))
    if int(x[-1]) * int(y[-1]) >= INT64_ROOM:
        return None
    ends = np.concatenate([[0], _hull_by_pooling(right, up)[1:-1], [right.size]])
    edge = np.arange(ends.size - 1).repeat(np.diff(ends))
    left, whole_right, whole_up = ends[edge], np.diff(x[ends])[edge], np.diff(y[ends])[edge]
    may = np.flatnonzero((y[1:] - y[left]) * whole_right > (x[:-1] - x[left]) * whole_up)
    inner = may[:, np.newaxis] * STRIDE + np.arange(STRIDE)
    at, beyond = np.minimum(inner, paid.size - 1), inner >= paid.size
    inner_x, inner_y = (
        np.where(beyond, 0, steps[at]).cumsum(axis=1) + walk[may, np.newaxis]
        for steps, walk in ((paid, x), (gained, y))
    )
    left, whole_right, whole_up = (of_edge[may, np.newaxis] for of_edge in (left, whole_right, whole_up))
    above = (inner_y - y[left]) * whole_right > (inner_x - x[left]) * whole_up
    above &= ~beyond
    places = inner[above] + 1
    last_before = places.searchsorted(ends * STRIDE)
    return (
        np.insert(places, last_before, np.minimum(ends * STRIDE, paid.size)),
        np.insert(inner_x[above], last_before, x[ends]),
        np.insert(inner_y[above], last_before, y[ends]),
    )


def sums_of_strides(steps: Array) -> Array:
    """Sums of every 64 counts, the last of what is left."""
    if steps.dtype.kind != "b":
        whole = steps.size // STRIDE * STRIDE
        sums = steps[:whole].reshape(-1, STRIDE).sum(axis=1, dtype=np.int64)
        return sums if whole == steps.size else np.append(sums, steps[whole:].sum(dtype=np.int64))
    packed = np.packbits(steps)
    packed.resize(-(-packed.size // 8) * 8, refcheck=False)
    return np.bitwise_count(packed.view(np.uint64)).astype(np.int64)


def _hull_by_pooling(paid: Array, gained: Array) -> Array:
    """Pooling adjacent violators leaves few corners.

    Of counts, those that its rounding has swallowed are found again, and Python's integers decide between all: the
    hull of counts is exact. Steps are taken as they are, sums would lose the digits of a small step after large ones,
    and pooled as shares of their sum, so that neither direction drowns in the other.
    """
    upward, length = gained / (gained.sum() or 1), paid / (paid.sum() or 1)
    length += upward
    moves = np.flatnonzero(length > 0)
    if not moves.size:
        return np.zeros(1, dtype=np.int64)
    if moves.size < length.size:
        paid, gained, upward, length = (steps[moves] for steps in (paid, gained, upward, length))
    corners = pooled_starts(upward, length)
    if paid.dtype.kind == "i":
        corners = _with_swallowed_corners(corners, paid, gained)
    runs = (np.add.reduceat(steps, corners).tolist() for steps in (paid, gained))
    return np.append(moves[corners[_falling_slopes(*runs)]], moves[-1] + 1)


def pooled_starts(rise: Array, run: Array) -> Array:
    """Where the segments start that are left when neighbours are joined until slopes fall; every run is above 0. O(n).

    Each round joins all neighbours that do not fall, which are one segment in the end whatever comes first. As soon as
    a round joins few, the rest are walked one by one, so that no walk takes many rounds. Compiled pooling of scipy is
    no quicker, and to import it takes longer than all else of a first answer.
    """
    starts = np.arange(rise.size)
    while True:
        steep = rise / run
        falls = np.flatnonzero(np.append(True, steep[1:] < steep[:-1]))
        joined = rise.size - falls.size
        if joined:
            starts, rise, run = starts[falls], np.add.reduceat(rise, falls), np.add.reduceat(run, falls)
        if joined * FEW_JOINED < rise.size:
            return starts[_falling_slopes(run.tolist(), rise.tolist())] if joined else starts


def _with_swallowed_corners(corners: Array, paid: Array, gained: Array) -> Array:
    """The corners, and every point of the walk that lies above the straight lines between them.

    Pooled slopes of counts that are not equal differ by 1 / (sum of paid * sum of gained) at least, and rounding
    moves them by a few times 2**-53 for each step at most; so for few rows there is nothing to find.
    """
    most = int(paid.sum()) * int(gained.sum())
    if most * paid.size < SLOPES_TOLD_APART:
        return corners
    kind = np.int64 if most < INT64_ROOM else object
    x, y = (np.append(0, steps.cumsum()).astype(kind) for steps in (paid, gained))
    ends = np.append(corners[1:], paid.size)
    line = np.arange(corners.size).repeat(ends - corners)
    right, up = (walk[:-1] - walk[corners][line] for walk in (x, y))
    whole_right, whole_up = ((walk[ends] - walk[corners])[line] for walk in (x, y))
    above = up * whole_right > right * whole_up
    above[corners] = True
    return np.flatnonzero(above)


def _falling_slopes(rights: list[Any], ups: list[Any]) -> list[int]:
    """Where the segments start that are left when each is joined to those before it that are not steeper."""
    joined: list[tuple[int, Any, Any]] = []
    for segment in zip(range(len(ups)), rights, ups, strict=True):
        start, right, up = segment
        while joined and joined[-1][2] * right <= up * joined[-1][1]:
            start, right_before, up_before = joined.pop()
            right, up = right_before + right, up_before + up
        joined.append((start, right, up))
    return [start for start, _, _ in joined]


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

    Divided by the number of positives.
    """
    climbs = np.flatnonzero(np.diff(tp) > 0)
    return climbed_area((tp[climbs], fp[climbs]), (tp[climbs + 1], fp[climbs + 1])) / float(tp[-1])


def climbed_area(before: tuple[Array, Array], after: tuple[Array, Array]) -> float:
    """The same of straight steps that find positives, from (tp, fp) before each to those after it; not divided.

    Between (tp, fp) and (tp + d, fp + h d): integral of x / (x + fp + h (x - tp)) dx, in two closed forms, for
    falling and for rising precision, so that no terms cancel. In blocks that stay in the processor's cache.
    """
    area = np.empty(before[0].size)
    for block in blocks(area.size):
        area[block] = _climbed(*(walk[block] for walk in (*before, *after)))
    return float(area.sum())


def _climbed(from_tp: Array, from_fp: Array, to_tp: Array, to_fp: Array) -> Array:
    from_tp, step = from_tp.astype(np.float64), (to_tp - from_tp).astype(np.float64)
    slope = (to_fp - from_fp) / step
    growth = 1 + slope
    excess = from_fp - slope * from_tp
    called = from_tp + from_fp
    area = np.empty_like(step)
    start = called == 0
    area[start] = step[start] / growth[start]
    falls = (excess < 0) & ~start
    if falls.any():
        share = growth[falls] * step[falls] / called[falls]
        area[falls] = step[falls] / growth[falls] - excess[falls] / growth[falls] ** 2 * np.log1p(share)
    rises = ~(falls | start)
    share = growth[rises] * step[rises] / called[rises]
    rising = step[rises] * from_tp[rises] / called[rises]
    area[rises] = rising + excess[rises] / growth[rises] ** 2 * _less_log1p(share)
    return area


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
    first = np.ones(x.size, dtype=bool)
    with np.errstate(over="ignore", invalid="ignore"):  # cells too small to count are infinite, and no two are one
        cell_x, cell_y = np.floor(x / max_deviation), np.floor(y / max_deviation)
        first[1:] = (np.diff(cell_x) != 0) | (np.diff(cell_y) != 0)
    first[-1] = True
    return np.flatnonzero(first)


def thin_rising(sides: tuple[Coordinate, Coordinate], size: int, max_deviation: float) -> Array:
    """What ``thin`` keeps of a curve through the unit square that only rises, from a look at few of its points.

    ``sides`` give x and y of some points by their number, of 0 to ``size`` - 1. Where a coordinate enters a new cell
    is found by halving; O(log(size) / max_deviation).
    """
    if size < 3:
        return np.arange(size)
    cells = np.arange(np.floor(1 / max_deviation) + 1)
    kept = [np.array([0, size - 1])]
    for side in sides:
        low, high = np.zeros(cells.size, dtype=np.int64), np.full(cells.size, size)  # the first in the cell, or beyond
        while (low < high).any():
            middle = (low + high) // 2
            reached = np.floor(side(np.minimum(middle, size - 1)) / max_deviation) >= cells
            reached |= middle >= size
            low, high = np.where(reached, low, middle + 1), np.where(reached, middle, high)
        kept.append(low[low < size])
    return np.unique(np.concatenate(kept))
