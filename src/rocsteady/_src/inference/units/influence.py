"""Covariance of areas of several models on the same rows: DeLong's, with weights and with clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.inference.units.units import Units, freedom_of_squares

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.inference.units.components import Components
    from rocsteady._src.ranked import Rows

    Array = NDArray[np.float64]


def area_covariance(rows: Rows, parts: Sequence[Components], *, weight_type: str | None = None) -> Array:
    """Covariance matrix of the areas; NaN where a class has fewer than two independent units.

    Rows: DeLong, DeLong and Clarke-Pearson 1988. Clusters: Obuchowski 1997. Sampling weights: influence function.
    O(rows x models^2) once ranked.
    """
    added = Added(rows, parts)
    found = Units.of(rows, weight_type).covariance(added, (rows.positive, ~rows.positive))
    covariance: Array = found[0, 0] + found[1, 1] + found[0, 1] + found[1, 0]
    return covariance


def subject_sums(rows: Rows, parts: Sequence[Components]) -> Array:
    """What each subject adds to the areas above their means, one line per model: areas vary together through it."""
    added, units = Added(rows, parts), Units.of(rows)
    of_pos, of_neg = (
        units.subject_sums(added(side, np.flatnonzero(mask)), mask)
        for side, mask in enumerate((rows.positive, ~rows.positive))
    )
    return of_pos + of_neg


def area_freedom(rows: Rows, parts: Sequence[Components]) -> Array:
    """Degrees of freedom of the variance of each area, on the diagonal, and of the difference of any two."""
    units, sums = Units.of(rows), subject_sums(rows, parts)
    times = units.held() if units.repeated and rows.weights is not None else None
    if times is not None:
        sums = np.divide(sums, times, out=np.zeros_like(sums), where=times > 0)
    free = np.empty((len(sums), len(sums)))
    for m, one in enumerate(sums):
        for n, two in enumerate(sums[: m + 1]):
            free[m, n] = free[n, m] = freedom_of_squares(one if m == n else one - two, times)
    return free


class Added:
    """What chosen rows of a class, positives first, add above the mean, one line per model."""

    def __init__(self, rows: Rows, parts: Sequence[Components]) -> None:
        self.places = rows.places
        self.values = [part.of_pos for part in parts], [part.of_neg for part in parts]
        self.thetas = np.array([part.theta for part in parts])

    def __call__(self, side: int, chosen: NDArray[np.intp]) -> Array:
        lines = np.empty((self.thetas.size, chosen.size))
        for model, value in enumerate(self.values[side]):
            np.take(value, self.places[model][chosen], out=lines[model])
        lines -= self.thetas[:, None]
        return lines
