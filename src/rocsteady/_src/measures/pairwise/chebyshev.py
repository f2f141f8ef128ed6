"""Points in boxes as weights on Chebyshev nodes: a smooth function of the points is then a sum over the nodes.

Boxes are intervals [b h, (b+1) h) with h a power of two, so that box numbers and places inside a box are exact in
floating point whatever the offset and spread of the points, as long as the numbers stay below 2**52.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Boxes:
    """Non-empty boxes of sorted points: their numbers, where each starts, and the places in [-1, 1] inside."""

    numbers: NDArray[np.int64]
    starts: NDArray[np.int64]
    places: Array

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many points each box holds."""
        return np.diff(self.starts, append=self.places.size)


def make_boxes(points: Array, exponent: int) -> Boxes:
    """Sort points, which must increase, into boxes of width 2**exponent."""
    scaled = np.ldexp(points, -exponent)
    floor = np.floor(scaled)
    places = 2 * (scaled - floor) - 1
    numbers = floor.astype(np.int64)
    starts = np.flatnonzero(np.concatenate([[True], numbers[1:] != numbers[:-1]]))
    return Boxes(numbers[starts], starts, places)


@lru_cache(maxsize=8)
def nodes(count: int) -> Array:
    """Chebyshev points of the first kind in [-1, 1]."""
    return np.cos(np.pi * (np.arange(count) + 0.5) / count)


@lru_cache(maxsize=8)
def _to_nodes(count: int) -> Array:
    """From Chebyshev coefficients of a density to weights on the nodes."""
    angles = np.pi * (np.arange(count) + 0.5) / count
    table = np.cos(np.outer(np.arange(count), angles)) * 2 / count
    table[0] /= 2
    return np.asarray(table)


def node_weights(boxes: Boxes, weights: Array, count: int) -> Array:
    """Weights on the nodes of each box, one row per box, that stand for the weights of its points. O(n count)."""
    moments = np.empty((count, boxes.numbers.size))
    for number, polynomial in enumerate(_polynomials(boxes.places, count)):
        np.add.reduceat(polynomial * weights, boxes.starts, out=moments[number])
    on_nodes: Array = moments.T @ _to_nodes(count)
    return on_nodes


def values_at_points(boxes: Boxes, node_values: Array, count: int) -> Array:
    """Interpolate node values, one row per box, at the points of the boxes. O(n count)."""
    coefficients = node_values @ _to_nodes(count).T
    sizes = boxes.sizes
    total = np.zeros(boxes.places.size)
    for number, polynomial in enumerate(_polynomials(boxes.places, count)):
        total += polynomial * np.repeat(coefficients[:, number], sizes)
    return total


def _polynomials(places: Array, count: int) -> Iterator[Array]:
    """Chebyshev polynomials T_0, T_1, ... at the places."""
    before, now, twice = np.ones_like(places), places.copy(), 2 * places
    for _ in range(count):
        yield before
        before, now = now, twice * now - before


@lru_cache(maxsize=8)
def child_to_parent(count: int) -> tuple[Array, Array]:
    """Matrices that move node weights of the left and of the right child to the parent box."""
    places = nodes(count)
    return _interpolation((places - 1) / 2, count), _interpolation((places + 1) / 2, count)


def _interpolation(at: Array, count: int) -> Array:
    """Row i: weights on the nodes that stand for a unit weight at place i."""
    angles = np.arccos(np.clip(at, -1, 1))
    rows: Array = np.cos(np.outer(angles, np.arange(count))) @ _to_nodes(count)
    return rows
