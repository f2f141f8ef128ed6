"""Mean of a value over rows, with standard error: Brier scores, net benefits and their differences are such means."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from rocsteady.inputs.weights import weight_type_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady.calibration.rows import ProbabilityRows
    from rocsteady.ranked import ModelRows, RankedScores

    Array = NDArray[Any]
    Rows: TypeAlias = ProbabilityRows | ModelRows


class RowMean(NamedTuple):
    """A mean and its standard error, NaN with fewer than two independent units."""

    mean: float
    se: float


def mean_of_groups(ranked: RankedScores, values: Callable[[Array], tuple[Array, Array]]) -> RowMean:
    """Mean of values that depend on score and class; every unit of weight is a row of its own. O(distinct scores).

    ``values`` gives those of positives and of negatives at some scores.
    """
    total = float(ranked.n_rows_counted)
    sums, squares, near = [], [], None
    for scores, pos, neg in ranked.chunks():
        up, down = values(scores.astype(np.float64, copy=False))
        near = float(pos @ up + neg @ down) / float(pos.sum() + neg.sum()) if near is None else near
        if not math.isfinite(near):
            return RowMean(near, math.nan)
        up, down = up - near, down - near  # about a value near the mean, so that squares do not cancel
        sums.append(pos @ up + neg @ down)
        squares.append(pos @ up**2 + neg @ down**2)
    away = math.fsum(sums) / total
    return RowMean((near or 0.0) + away, _root(max(math.fsum(squares) - total * away**2, 0.0), total * (total - 1)))


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
        return RowMean(mean, _clustered_error(rows, weights, parts))
    errors = [share**2 * _variance(deviations, weights[mask], kind) for mask, share, _, deviations in parts]
    return RowMean(mean, math.sqrt(math.fsum(errors)))


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


def _clustered_error(rows: Rows, weights: Array, parts: list[tuple[Any, float, float, Array]]) -> float:
    """Sum what the rows of a subject add; subjects are the independent units."""
    pulls = np.zeros(rows.positive.size)
    for mask, share, _, deviations in parts:
        pulls[mask] = share * weights[mask] * deviations / weights[mask].sum()
    sums = np.bincount(rows.clusters if rows.clusters is not None else [], pulls, rows.n_clusters)
    n = rows.n_clusters
    return _root(float(sums @ sums) * n, n - 1)


def _root(squares: float, divisor: float) -> float:
    return math.sqrt(squares / divisor) if divisor > 0 else math.nan
