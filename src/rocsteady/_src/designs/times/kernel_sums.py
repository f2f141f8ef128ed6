"""Sums over all pairs of a smooth function of the distance of two numbers: O(n), to 13 digits.

The line is cut into cells. Within a pair of cells the function is a polynomial of both places (Chebyshev), so that a
row meets the moments of a cell in place of its rows; within a cell, the moments of the rows above it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Kernel = Callable[[Any], Any]

WIDTH, DEGREE = 0.5, 12
FAR = 40.0  # where the function has reached its limit


def sums_above(x: Array, held: Array, kernel: Kernel, limit: float) -> Array:
    """For each of the increasing numbers ``x``, the sum of ``held * kernel(distance)`` over those after it.

    ``kernel`` is smooth on an interval around [0, inf), as functions of exp(-distance) are, and ``limit`` its value far
    away.

    Examples
    --------
    >>> found = sums_above(np.array([0.0, 1.0, 3.0]), np.ones(3), lambda d: 1 / (1 + np.exp(-d)), 1.0)
    >>> found.round(6).tolist()
    [1.683633, 0.880797, 0.0]
    """
    cell, at = np.divmod(x - x[0], WIDTH)
    number = cell.astype(np.int64)
    powers = _powers(2 * at / WIDTH - 1)
    size = int(number[-1]) + 1
    moments = np.array([np.bincount(number, held * power, size) for power in powers]).T
    found = _far(moments, kernel, limit)[number]
    total: Array = np.einsum("ia,ai->i", found, powers)
    return total + _near(number, held, powers, kernel)


def _far(moments: Array, kernel: Kernel, limit: float) -> Array:
    """Coefficients, for each cell, of what the cells after it add to a place in it."""
    size = len(moments)
    found = np.zeros((size, DEGREE))
    reach = min(int(FAR / WIDTH), size - 1)
    for offset in range(1, reach + 1):
        found[:-offset] += moments[offset:] @ _coefficients(kernel, offset).T
    beyond = moments[::-1, 0].cumsum()[::-1]
    if size > reach + 1:
        found[: -reach - 1, 0] += limit * beyond[reach + 1 :]
    return found


def _near(number: NDArray[np.int64], held: Array, powers: list[Array], kernel: Kernel) -> Array:
    """What the rows after it in its own cell add to each row."""
    stop = np.append(np.flatnonzero(np.diff(number)), number.size - 1)[number_of_runs(number)]
    after = []
    for power in powers:
        walked = (held * power).cumsum()
        after.append(walked[stop] - walked)
    table = _coefficients(kernel, 0)
    found = np.zeros(number.size)
    for a, power in enumerate(powers):
        line = np.zeros(number.size)
        for b, more in enumerate(after):
            if table[a, b] != 0:
                line += table[a, b] * more
        found += power * line
    return found


def number_of_runs(number: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of the run of equal values that each of some sorted values is in."""
    found: NDArray[np.int64] = np.concatenate([[0], (np.diff(number) != 0).cumsum()])
    return found


def _powers(place: Array) -> list[Array]:
    """Chebyshev polynomials of places in [-1, 1]."""
    found = [np.ones(place.size), place]
    while len(found) < DEGREE:
        found.append(2 * place * found[-1] - found[-2])
    return found


@cache
def _coefficients(kernel: Kernel, offset: int) -> Array:
    """Of the function between a place in a cell and one in the cell ``offset`` after it: ``[a, b]`` by both."""
    nodes = np.cos((np.arange(DEGREE) + 0.5) * np.pi / DEGREE)
    apart = WIDTH * (offset + (nodes[None, :] - nodes[:, None]) / 2)
    values = kernel(apart)
    basis = np.array(_powers(nodes)) * (2 / DEGREE)
    basis[0] /= 2
    found: Array = basis @ values @ basis.T
    return found
