"""Mean of a value over rows, with standard error: Brier scores, net benefits and their differences are such means."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocsteady._src.base.exact import dot
from rocsteady._src.inference.units.units import Units, over_rows, skewness

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores, Rows

    Array = NDArray[Any]


class RowMean(NamedTuple):
    """A mean, its standard error, NaN with fewer than two independent units, and the skewness of its distribution."""

    mean: float
    se: float
    skew: float = 0.0


def mean_of_groups(ranked: RankedScores, values: Callable[[Array], tuple[Array, Array]]) -> RowMean:
    """Mean of values that depend on score and class; every unit of weight is a row of its own. O(distinct scores).

    ``values`` gives those of positives and of negatives at some scores.
    """
    total = float(ranked.n_rows_counted)
    sums, squares, cubes, near = [], [], [], None
    for scores, pos, neg in ranked.chunks():
        up, down = values(scores.astype(np.float64, copy=False))
        near = float(pos @ up + neg @ down) / float(pos.sum() + neg.sum()) if near is None else near
        if not math.isfinite(near):
            return RowMean(near, math.nan)
        up, down = up - near, down - near  # about a value near the mean, so that squares do not cancel
        sums.append(pos @ up + neg @ down)
        up_squared, down_squared = up**2, down**2
        squares.append(pos @ up_squared + neg @ down_squared)
        cubes.append(pos @ (up_squared * up) + neg @ (down_squared * down))  # powers above 2 take ten times as long
    away, square, cube = (math.fsum(parts) for parts in (sums, squares, cubes))
    away /= total
    spread = max(square - total * away**2, 0.0)
    third = cube - 3 * away * square + 2 * total * away**3
    return RowMean((near or 0.0) + away, math.sqrt(over_rows(spread, total)), skewness(third, spread))


def mean_of_rows(values: Array, rows: Rows, weight_type: str | None = None, prevalence: float | None = None) -> RowMean:
    """Mean over rows, whose units are rows, repeated rows, weighted rows or subjects.

    With ``prevalence`` the class means are combined in that proportion, and each class varies by itself.
    """
    units = Units.of(rows, weight_type)
    strata: list[tuple[Any, float]] = [(slice(None), 1.0)]
    if prevalence is not None:
        strata = [(rows.positive, prevalence), (~rows.positive, 1 - prevalence)]
    deviations, means = np.empty(values.size), []
    for mask, share in strata:
        held = units.held(mask)
        total = held.sum()
        mean = dot(held, values[mask]) / float(total) if total else math.nan
        means.append(share * mean)
        deviations[mask] = values[mask] - mean
    return RowMean(math.fsum(means), *units.error(deviations, strata))
