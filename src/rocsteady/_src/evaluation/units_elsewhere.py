"""The same where rows are weighted or subjects have several: sums over units, and of their products, for any prices.

In a unit, two courses differ by ``a`` in the weight of positives that they flag and by ``b`` in that of negatives. What
a case costs more is linear in both: its mean and standard error at any prices follow from sums and products.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.inference.units.units import Units

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.ranked import Rows

    Array = NDArray[np.float64]
    Whole = NDArray[np.int64]

MOST_ROWS = 200_000  # beyond, the sums take longer than a page should


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Nine sums each: of a and b, of aa, ab, bb, and of both with the weights of positives and of negatives.

    ``alone`` has them for flagging nobody beside each vertex of a model's hull, ``pairs`` for the second of two models
    beside the first, wherever they meet. ``weights`` are of the classes, ``base`` their products over units, ``units``
    the numbers of these in both classes and in all; ``subjects`` tells that one may have rows of both.
    """

    alone: dict[str, list[list[float]]]
    pairs: list[list[list[float]]]
    weights: tuple[float, float]
    base: tuple[float, float, float]
    units: tuple[float, float, float]
    subjects: bool


def moments(
    rows: Rows, places: Mapping[str, tuple[Whole, int]], pairs: Sequence[tuple[str, str, list[tuple[int, int]]]]
) -> Moments:
    """``places`` tells of each model which vertex of its hull is the first to flag each row, and how many there are."""
    units = Units.of(rows, rows.origin.weight_type)
    held, number = units.held(), units.numbers
    masks = (rows.positive, ~rows.positive)
    sides = [np.bincount(number[mask], held[mask], units.n_subjects) for mask in masks]

    def sums(apart: Array) -> list[float]:
        one, two = (np.bincount(number[mask], (held * apart)[mask], units.n_subjects) for mask in masks)
        products = [(one, one), (one, two), (two, two), *((each, side) for each in (one, two) for side in sides)]
        return [float(one.sum()), float(two.sum()), *(float(left @ right) for left, right in products)]

    flags = {
        model: [(place <= each).astype(np.float64) for each in range(many)] for model, (place, many) in places.items()
    }
    return Moments(
        {model: [sums(-flagged) for flagged in each] for model, each in flags.items()},
        [[sums(flags[second][j] - flags[first][i]) for i, j in at] for first, second, at in pairs],
        (float(sides[0].sum()), float(sides[1].sum())),
        (float(sides[0] @ sides[0]), float(sides[0] @ sides[1]), float(sides[1] @ sides[1])),
        (units.count(masks[0]), units.count(masks[1]), float(units.n_subjects)),
        units.clusters is not None,
    )
