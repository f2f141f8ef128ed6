"""Sums of a smooth kernel between two sets of points, through Chebyshev nodes of boxes about one width wide.

The kernel between two boxes is a small matrix that depends on their distance alone. Boxes farther apart than the
kernel's reach see its limits, which needs counts only. Where boxes hold few points the near pairs are summed one by one
instead, and always for points so far out that they have no box. O(n) for points that are dense on the scale of the
width, O(n log n) always.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.exact import compensated_cumsum
from rocsteady._src.measures.pairwise.chebyshev import make_boxes, node_weights, nodes, values_at_points
from rocsteady._src.measures.pairwise.direct import windowed_sums

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.measures.pairwise.chebyshev import Boxes
    from rocsteady._src.measures.pairwise.kernels import SmoothKernel

    Array = NDArray[np.float64]
    Side = tuple[Array, Array]

NODES = 22
WIDEST = 1023
AT_ONCE = 256  # distances between boxes
# Targets up to this many box widths from 0 have boxes, and sources up to twice as many: all within reach of those.
# Farther out few floats lie within reach of each other.
MOST_BOXES = 2.0**50
# Rough costs in seconds, to choose between the two ways for near pairs; they need not be exact.
PAIR_COST, POINT_COST, MATRIX_COST = 40e-9, NODES * 8e-9, NODES**2 * 0.2e-9


def smooth_sums(targets: Array, sources: Side, kernel: SmoothKernel) -> Array:
    """For each target x_i the sum over the sources j of w_j f(x_i - y_j); neither set of points decreases."""
    return np.asarray(sums_of_kernels(targets, sources, (kernel,))[0])


def sums_of_kernels(targets: Array, sources: Side, kernels: Sequence[SmoothKernel]) -> Array:
    """Sums of several kernels of the same width and reach, one row each, for little more than the cost of one."""
    points, weights = sources
    reach = kernels[0].reach
    span = float(max(targets[-1], points[-1]) - min(targets[0], points[0]))
    first = np.searchsorted(points, targets - reach, side="left")
    last = np.searchsorted(points, targets + reach, side="right")
    exponent = min(math.frexp(min(kernels[0].width, span or math.inf))[1], WIDEST)
    width = math.ldexp(1.0, exponent)
    spread = int(min(reach, span) / width) + 2
    inner, near = _within(targets, MOST_BOXES * width), _within(points, 2 * MOST_BOXES * width)
    if float((last - first).sum()) * PAIR_COST <= _cost_of_boxes(targets[inner], points[near], width, spread):
        return _one_by_one(targets, sources, kernels, first, last)
    sums = np.empty((len(kernels), targets.size))
    for outer in (slice(0, inner.start), slice(inner.stop, None)):
        sums[:, outer] = _one_by_one(targets[outer], sources, kernels, first[outer], last[outer])
    sums[:, inner] = _by_boxes(targets[inner], (points[near], weights[near]), kernels, exponent, spread)
    if near != slice(0, points.size):
        for row, kernel in zip(sums, kernels, strict=True):
            row[inner] += _far(sources, near.start, near.stop, kernel, targets[inner])
    return sums


def _within(points: Array, limit: float) -> slice:
    """Which of the increasing points lie less than so far from 0."""
    return slice(*np.searchsorted(points, (-limit, limit)).tolist())


def _cost_of_boxes(targets: Array, points: Array, width: float, spread: int) -> float:
    """Estimated time of the way through boxes."""
    if not targets.size:
        return 0.0
    n_boxes = min(targets.size, points.size, (targets[-1] - targets[0]) / width + 1)
    return float((targets.size + points.size) * POINT_COST + n_boxes * (2 * spread + 1) * MATRIX_COST)


def _one_by_one(targets: Array, sources: Side, kernels: Sequence[SmoothKernel], first: Any, last: Any) -> Array:
    sums = np.empty((len(kernels), targets.size))
    for row, kernel in zip(sums, kernels if targets.size else (), strict=False):
        row[:] = windowed_sums(kernel, targets, sources, first, last) + _far(sources, first, last, kernel, targets)
    return sums


def _far(sources: Side, first: Any, last: Any, kernel: SmoothKernel, targets: Array) -> Array:
    """What lies out of reach: sources before ``first`` are far below, sources from ``last`` on are far above."""
    points, weights = sources
    below, above = _until(weights), _from(weights)
    far = np.asarray(kernel.right * below[first] + kernel.left * above[last])
    if not (kernel.leans and points.size):
        return far
    centre = points[points.size // 2]
    moments = weights * (points - centre)
    return far + _leaning(kernel, targets - centre, (below[first], above[last]), _ends(moments, first, last))


def _leaning(kernel: SmoothKernel, targets: Any, masses: tuple[Any, Any], moments: tuple[Any, Any]) -> Array:
    """What the slopes add: the sum of w (x - y) over the sources far below, and over those far above."""
    lower = kernel.right_slope * (targets * masses[0] - moments[0])
    upper = kernel.left_slope * (targets * masses[1] - moments[1])
    return np.asarray(lower + upper)


def _ends(values: Array, first: Any, last: Any) -> tuple[Any, Any]:
    """Sums of the values before ``first`` and from ``last`` on."""
    return _until(values)[first], _from(values)[last]


def _until(values: Array) -> Array:
    return np.concatenate([[0.0], compensated_cumsum(values)])


def _from(values: Array) -> Array:
    return _until(values[::-1])[::-1]


def _by_boxes(targets: Array, sources: Side, kernels: Sequence[SmoothKernel], exponent: int, spread: int) -> Array:
    points, weights = sources
    sums = np.zeros((len(kernels), targets.size))
    if not (targets.size and points.size):
        return sums
    there, here = make_boxes(points, exponent), make_boxes(targets, exponent)
    sent = node_weights(there, weights, NODES)
    neighbours = _neighbours(here, there, spread)
    for row, kernel in zip(sums, kernels, strict=True):
        felt = np.zeros((here.numbers.size, NODES))
        for start in range(0, len(neighbours), AT_ONCE):
            _add_near_boxes(felt, sent, neighbours[start : start + AT_ONCE], kernel, exponent)
        felt += _far_boxes(here, there, sources, kernel, exponent, spread)
        row[:] = values_at_points(here, felt, NODES)
    return sums


def _neighbours(here: Boxes, there: Boxes, spread: int) -> list[tuple[int, Any, Any]]:
    """Distances within reach at which there are boxes, and which boxes these are on both sides."""
    found = ((distance, *matches(here.numbers - distance, there.numbers)) for distance in range(-spread, spread + 1))
    return [each for each in found if each[1].size]


def _add_near_boxes(
    felt: Array, sent: Array, neighbours: list[tuple[int, Any, Any]], kernel: SmoothKernel, exponent: int
) -> None:
    """Add what the nodes of each box feel of the boxes within reach; the kernel is asked for all distances at once."""
    places = nodes(NODES) / 2
    distances = np.array([distance for distance, _, _ in neighbours])
    apart = (distances[:, None, None] + (places[:, None] - places)).reshape(-1, NODES)
    between = kernel(np.ldexp(apart, exponent)).reshape(-1, NODES, NODES)
    for (_, mine, theirs), matrix in zip(neighbours, between, strict=True):
        felt[mine] += sent[theirs] @ matrix.T


def _far_boxes(here: Boxes, there: Boxes, sources: Side, kernel: SmoothKernel, exponent: int, spread: int) -> Array:
    """What the nodes of each box feel of the boxes out of reach."""
    points, weights = sources
    first = np.searchsorted(there.numbers, here.numbers - spread, side="left")
    last = np.searchsorted(there.numbers, here.numbers + spread, side="right")
    below, above = (end[:, None] for end in _ends(np.add.reduceat(weights, there.starts), first, last))
    far = kernel.right * below + kernel.left * above
    if not kernel.leans:
        return np.asarray(far)
    centre = there.numbers[there.numbers.size // 2]
    moments = np.add.reduceat(weights * (points - math.ldexp(float(centre), exponent)), there.starts)
    at = np.ldexp((here.numbers - centre)[:, None] + (nodes(NODES) + 1) / 2, exponent)
    lower, upper = (end[:, None] for end in _ends(moments, first, last))
    return np.asarray(far + _leaning(kernel, at, (below, above), (lower, upper)))


def matches(wanted: Any, available: Any) -> tuple[Any, Any]:
    """Places of the wanted numbers that are available, and where they are; both lists increase."""
    place = np.searchsorted(available, wanted)
    place[place == available.size] = 0
    mine = np.flatnonzero(available[place] == wanted)
    return mine, place[mine]
