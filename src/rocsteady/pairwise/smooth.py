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

from rocsteady.exact import compensated_cumsum
from rocsteady.pairwise.chebyshev import make_boxes, node_weights, nodes, values_at_points
from rocsteady.pairwise.direct import windowed_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady.pairwise.kernels import SmoothKernel

    Array = NDArray[np.float64]
    Side = tuple[Array, Array]

NODES = 22
WIDEST = 1023
# Targets up to this many box widths from 0 have boxes, and sources up to twice as many: all within reach of those.
# Farther out few floats lie within reach of each other.
MOST_BOXES = 2.0**50
# Rough costs in seconds, to choose between the two ways for near pairs; they need not be exact.
PAIR_COST, POINT_COST, MATRIX_COST = 40e-9, NODES * 8e-9, NODES**2 * 0.2e-9


def smooth_sums(targets: Array, sources: Side, kernel: SmoothKernel) -> Array:
    """For each target x_i the sum over the sources j of w_j f(x_i - y_j); both sets of points increase."""
    points, weights = sources
    span = float(max(targets[-1], points[-1]) - min(targets[0], points[0]))
    first = np.searchsorted(points, targets - kernel.reach, side="left")
    last = np.searchsorted(points, targets + kernel.reach, side="right")
    exponent = min(math.frexp(min(kernel.width, span))[1], WIDEST)
    width = math.ldexp(1.0, exponent)
    spread = int(min(kernel.reach, span) / width) + 2
    inner, near = _within(targets, MOST_BOXES * width), _within(points, 2 * MOST_BOXES * width)
    if float((last - first).sum()) * PAIR_COST <= _cost_of_boxes(targets[inner], points[near], width, spread):
        return _one_by_one(targets, sources, kernel, first, last)
    sums = np.empty(targets.size)
    for outer in (slice(0, inner.start), slice(inner.stop, None)):
        sums[outer] = _one_by_one(targets[outer], sources, kernel, first[outer], last[outer])
    sums[inner] = kernel.right * weights[: near.start].sum() + kernel.left * weights[near.stop :].sum()
    sums[inner] += _by_boxes(targets[inner], (points[near], weights[near]), kernel, exponent, spread)
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


def _one_by_one(targets: Array, sources: Side, kernel: SmoothKernel, first: Any, last: Any) -> Array:
    if not targets.size:
        return targets
    return windowed_sums(kernel, targets, sources, first, last) + _far(sources[1], first, last, kernel)


def _far(weights: Array, first: Any, last: Any, kernel: SmoothKernel) -> Array:
    """What lies out of reach: sources before ``first`` are far below, sources from ``last`` on are far above."""
    until = np.concatenate([[0.0], compensated_cumsum(weights)])
    from_end = np.concatenate([compensated_cumsum(weights[::-1])[::-1], [0.0]])
    return np.asarray(kernel.right * until[first] + kernel.left * from_end[last])


def _by_boxes(targets: Array, sources: Side, kernel: SmoothKernel, exponent: int, spread: int) -> Array:
    points, weights = sources
    if not (targets.size and points.size):
        return np.zeros(targets.size)
    there, here = make_boxes(points, exponent), make_boxes(targets, exponent)
    sent = node_weights(there, weights, NODES)
    felt = np.zeros((here.numbers.size, NODES))
    places = nodes(NODES) / 2
    within = places[:, None] - places
    for distance in range(-spread, spread + 1):
        mine, theirs = matches(here.numbers - distance, there.numbers)
        if mine.size:
            felt[mine] += sent[theirs] @ kernel(np.ldexp(within + distance, exponent)).T
    counts = np.add.reduceat(weights, there.starts)
    first = np.searchsorted(there.numbers, here.numbers - spread, side="left")
    last = np.searchsorted(there.numbers, here.numbers + spread, side="right")
    felt += _far(counts, first, last, kernel)[:, None]
    return values_at_points(here, felt, NODES)


def matches(wanted: Any, available: Any) -> tuple[Any, Any]:
    """Places of the wanted numbers that are available, and where they are; both lists increase."""
    place = np.searchsorted(available, wanted)
    place[place == available.size] = 0
    mine = np.flatnonzero(available[place] == wanted)
    return mine, place[mine]
