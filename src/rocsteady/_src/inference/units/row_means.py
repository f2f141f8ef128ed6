"""Mean of a value over rows, with standard error: Brier scores, net benefits and their differences are such means."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from rocsteady._src.inputs.weights import weight_type_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores
    from rocsteady._src.results import Origin

    Array = NDArray[Any]


class Rows(Protocol):
    """What is asked of rows: their classes, and weights and subjects where there are some."""

    @property
    def positive(self) -> NDArray[np.bool_]:
        """Which rows are positive."""
        ...

    @property
    def weights(self) -> NDArray[Any] | None:
        """Weight of each row."""
        ...

    @property
    def clusters(self) -> NDArray[np.int64] | None:
        """Subject of each row."""
        ...

    @property
    def n_clusters(self) -> int:
        """Number of subjects."""
        ...

    @property
    def origin(self) -> Origin:
        """Where the rows come from, and how their weights are read."""
        ...


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
        squares.append(pos @ up**2 + neg @ down**2)
        cubes.append(pos @ up**3 + neg @ down**3)
    away, square, cube = (math.fsum(parts) for parts in (sums, squares, cubes))
    away /= total
    spread = max(square - total * away**2, 0.0)
    third = cube - 3 * away * square + 2 * total * away**3
    return RowMean((near or 0.0) + away, _root(spread, total * (total - 1)), _skewness(third, spread))


def mean_of_rows(values: Array, rows: Rows, weight_type: str | None = None, prevalence: float | None = None) -> RowMean:
    """Mean over rows, whose units are rows, repeated rows, weighted rows or subjects.

    With ``prevalence`` the class means are combined in that proportion, and each class varies by itself.
    """
    kind = weight_type_of(rows.weights, weight_type or rows.origin.weight_type)
    weights = np.ones(values.size) if rows.weights is None else rows.weights.astype(np.float64)
    strata: list[tuple[Any, float]] = [(slice(None), 1.0)]
    if prevalence is not None:
        strata = [(rows.positive, prevalence), (~rows.positive, 1 - prevalence)]
    parts = [(mask, share, *_centred(values[mask], weights[mask])) for mask, share in strata]
    mean = math.fsum(share * centre for _, share, centre, _ in parts)
    if rows.clusters is not None:
        return RowMean(mean, *_clustered_error(rows, weights, parts))
    errors = [share**2 * _variance(deviations, weights[mask], kind) for mask, share, _, deviations in parts]
    pulls = [(share * deviations, weights[mask]) for mask, share, _, deviations in parts]
    powers = [[_power(each, held, kind, k) for each, held in pulls] for k in (2, 3)]
    return RowMean(mean, math.sqrt(math.fsum(errors)), _skewness(math.fsum(powers[1]), math.fsum(powers[0])))


def _power(deviations: Array, weights: Array, kind: str | None, k: int) -> float:
    """Sum of powers of what the units add: weighted rows, or rows that a weight repeats."""
    return float(((weights * deviations) ** k).sum() if kind == "sampling" else weights @ deviations**k)


def _skewness(cubes: float, squares: float) -> float:
    """Of a sum of independent parts, from the sums of their powers."""
    return cubes / squares**1.5 if squares > 0 else 0.0


def _centred(values: Array, weights: Array) -> tuple[float, Array]:
    total = weights.sum()
    mean = float(weights @ values / total) if total else math.nan
    return mean, values - mean


def _variance(deviations: Array, weights: Array, kind: str | None) -> float:
    """Variance of a weighted mean: whole weights count rows, sampling weights belong to one row each."""
    total, n = float(weights.sum()), weights.size
    if kind == "sampling":
        return _root(float(((weights * deviations) ** 2).sum()) * n, (n - 1) * total**2) ** 2
    return _root(float(weights @ deviations**2), total * (total - 1)) ** 2


def _clustered_error(rows: Rows, weights: Array, parts: list[tuple[Any, float, float, Array]]) -> tuple[float, float]:
    """Sum what the rows of a subject add; subjects are the independent units. Standard error and skewness."""
    pulls = np.zeros(rows.positive.size)
    for mask, share, _, deviations in parts:
        pulls[mask] = share * weights[mask] * deviations / weights[mask].sum()
    sums = np.bincount(rows.clusters if rows.clusters is not None else [], pulls, rows.n_clusters)
    n = rows.n_clusters
    return _root(float(sums @ sums) * n, n - 1), _skewness(float((sums**3).sum()), float(sums @ sums))


def _root(squares: float, divisor: float) -> float:
    return math.sqrt(squares / divisor) if divisor > 0 else math.nan
