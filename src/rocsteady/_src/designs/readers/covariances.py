"""How the AUCs of readers vary together because they judged the same cases: DeLong's, jackknife and unbiased."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.influence import Added

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inference.units.spread import Areas
    from rocsteady._src.ranked import Rows

    Array = NDArray[np.float64]

Covariance = Literal["delong", "jackknife", "unbiased"]
WHOLE = Area()


def covariance_of(areas: Areas, rows: Rows, method: Covariance) -> Array:
    """Covariance matrix of the areas; NaN with one case in a class.

    "delong": DeLong, DeLong and Clarke-Pearson (1988). "jackknife": each case left out in turn, which makes the
    analysis that of Dorfman, Berbaum and Metz. "unbiased": the U-statistic whose mean is the covariance.
    """
    n_pos, n_neg = (int(np.count_nonzero(mask)) for mask in (rows.positive, ~rows.positive))
    if method == "delong" or min(n_pos, n_neg) < 2:
        return areas.covariance
    of_pos, of_neg = _products(rows)
    if method == "jackknife":
        n = n_pos + n_neg
        return (n - 1) / n * (of_pos / (n_pos - 1) ** 2 + of_neg / (n_neg - 1) ** 2)
    pairs = _over_pairs(rows) - n_pos * n_neg * np.outer(areas.values, areas.values)
    found: Array = n_neg**2 * of_pos + n_pos**2 * of_neg - pairs
    return found / (n_pos * (n_pos - 1) * n_neg * (n_neg - 1))


def _products(rows: Rows) -> tuple[Array, Array]:
    """Sums of products of what positives, and what negatives, add above the mean."""
    added = Added(rows, [WHOLE.components(ranked) for ranked in rows.ranked])
    lines = [added(side, np.flatnonzero(mask)) for side, mask in enumerate((rows.positive, ~rows.positive))]
    of_pos, of_neg = (line @ line.T for line in lines)
    return of_pos, of_neg


def _over_pairs(rows: Rows) -> Array:
    """Sums over all pairs of a positive and a negative of products of what two models make of the pair."""
    places = np.stack(rows.places)
    of_pos, of_neg = places[:, rows.positive], places[:, ~rows.positive]
    total = np.zeros((len(places), len(places)))
    for place in of_pos.T:  # a line of negatives at a time, which bounds the memory
        won = (np.sign(place[:, None] - of_neg) + 1) / 2
        total += won @ won.T
    return total
