"""Sums of a smooth kernel between two sets of points, through Chebyshev nodes of boxes about one width wide.

The kernel between two boxes is a small matrix that depends on their distance alone. Boxes farther apart than the
kernel's reach see its limits, which needs counts only. Where boxes hold few points the near pairs are summed one by one
instead. O(n) for points that are dense on the scale of the width, O(n log n) always.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.pairwise.chebyshev import make_boxes, node_weights, nodes, values_at_points
from rocsteady.pairwise.direct import windowed_sums
from rocsteady.pairwise.kernels import SmoothKernel, power_of_two_below

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Side = tuple[Array, Array]

NODES = 22
# Rough costs in seconds, to choose between the two ways for near pairs; they need not be exact.
PAIR_COST, POINT_COST, MATRIX_COST = 40e-9, NODES * 8e-9, NODES**2 * 0.2e-9


def smooth_sums(targets: Array, sources: Side, kernel: SmoothKernel) -> Array:
    """For each target x_i the sum over the sources j of w_j f(x_i - y_j); both sets of points increase."""
    points, weights = sources
    first = np.searchsorted(points, targets - kernel.reach, side="left")
    last = np.searchsorted(points, targets + kernel.reach, side="right")
    width = power_of_two_below(2 * kernel.width)
    spread = int(kernel.reach / width) + 2
    if float((last - first).sum()) * PAIR_COST <= _cost_of_boxes(targets, points, width, spread):
        return windowed_sums(kernel, targets, sources, first, last) + _far(weights, first, last, kernel)
    return _by_boxes(targets, sources, kernel, width, spread)


def _cost_of_boxes(targets: Array, points: Array, width: float, spread: int) -> float:
    """Estimated time of the way through boxes; infinite where box numbers would not be exact integers."""
    largest = max(abs(targets[0]), abs(targets[-1]), abs(points[0]), abs(points[-1]))
    if largest / width >= 2**52:
        return float("inf")
    n_boxes = min(targets.size, points.size, (targets[-1] - targets[0]) / width + 1)
    return float((targets.size + points.size) * POINT_COST + n_boxes * (2 * spread + 1) * MATRIX_COST)


def _far(weights: Array, first: Any, last: Any, kernel: SmoothKernel) -> Array:
    """What lies out of reach: sources before ``first`` are far below, sources from ``last`` on are far above."""
    until = np.concatenate([[0.0], np.cumsum(weights)])
    from_end = np.concatenate([np.cumsum(weights[::-1])[::-1], [0.0]])
    return np.asarray(kernel.right * until[first] + kernel.left * from_end[last])


def _by_boxes(targets: Array, sources: Side, kernel: SmoothKernel, width: float, spread: int) -> Array:
    points, weights = sources
    there, here = make_boxes(points, width), make_boxes(targets, width)
    sent = node_weights(there, weights, NODES)
    felt = np.zeros((here.numbers.size, NODES))
    places = nodes(NODES) / 2
    within = places[:, None] - places
    for distance in range(-spread, spread + 1):
        mine, theirs = matches(here.numbers - distance, there.numbers)
        if mine.size:
            felt[mine] += sent[theirs] @ kernel((within + distance) * width).T
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
