"""Covariance of areas of several models on the same rows: DeLong's, with weights and with clusters."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady.ranked import ModelRows
    from rocsteady.uncertainty.components import Components

    Array = NDArray[np.float64]

WeightType = Literal["frequency", "sampling"]


def weight_type_of(weights: NDArray[Any] | None, asked: str | None) -> str | None:
    """Whole-number weights count repeated rows unless said otherwise; others are sampling weights."""
    if asked not in (None, "frequency", "sampling"):
        raise ArgumentError("weight_type", f"weight_type must be 'frequency' or 'sampling', got {asked!r}")
    if weights is None:
        return None
    whole = weights.dtype.kind in "iu"
    if asked == "frequency" and not whole:
        raise ArgumentError("weight_type", "frequency weights must be whole numbers; these are not: use 'sampling'")
    return asked or ("frequency" if whole else "sampling")


def area_covariance(rows: ModelRows, parts: Sequence[Components], *, weight_type: str | None = None) -> Array:
    """Covariance matrix of the areas; NaN where a class has fewer than two independent units.

    Rows: DeLong, DeLong and Clarke-Pearson 1988. Clusters: Obuchowski 1997. Sampling weights: influence function.
    O(rows x models^2) once ranked.
    """
    kind = weight_type_of(rows.weights, weight_type)
    sides = [
        _deviations(rows, [part.of_pos for part in parts], parts, rows.positive),
        _deviations(rows, [part.of_neg for part in parts], parts, ~rows.positive),
    ]
    if rows.clusters is not None:
        return _clustered(rows, sides, kind)
    masks = (rows.positive, ~rows.positive)
    return sum((_of_side(side, rows, mask, kind) for side, mask in zip(sides, masks, strict=True)), np.zeros(()))


def _deviations(
    rows: ModelRows, values: Sequence[Array], parts: Sequence[Components], mask: NDArray[np.bool_]
) -> Array:
    """What each row of a class adds above the mean, one line per model."""
    chosen = np.flatnonzero(mask)
    side = np.empty((len(parts), chosen.size))
    for model, (value, part) in enumerate(zip(values, parts, strict=True)):
        np.take(value, rows.places[model][chosen], out=side[model])
        side[model] -= part.theta
    return side


def _of_side(side: Array, rows: ModelRows, mask: NDArray[np.bool_], kind: str | None) -> Array:
    n = side.shape[1]
    if kind is None:
        return side @ side.T / _positive(n * (n - 1))
    weights = (rows.weights if rows.weights is not None else np.ones(mask.size))[mask].astype(np.float64)
    total = float(weights.sum())
    if kind == "frequency":
        return (side * weights) @ side.T / _positive(total * (total - 1))
    weighted = side * weights
    scaled: Array = weighted @ weighted.T * (n / _positive((n - 1) * total**2))
    return scaled


def _clustered(rows: ModelRows, sides: list[Array], kind: str | None) -> Array:
    """Sum what the rows of a subject add; its positives and negatives vary together."""
    clusters = rows.clusters if rows.clusters is not None else np.arange(rows.positive.size)
    weights = np.ones(rows.positive.size) if kind is None else np.asarray(rows.weights, dtype=np.float64)
    masks = (rows.positive, ~rows.positive)
    sums, corrections = [], []
    for side, mask in zip(sides, masks, strict=True):
        here, weight = clusters[mask], weights[mask]
        total = weight.sum()
        sums.append(np.array([np.bincount(here, line * weight, rows.n_clusters) / total for line in side]))
        corrections.append(_correction(int(np.count_nonzero(np.bincount(here)))))
    a, b = sums
    both = a @ b.T * _correction(rows.n_clusters)
    covariance: Array = corrections[0] * (a @ a.T) + corrections[1] * (b @ b.T) + both + both.T
    return covariance


def _correction(n: int) -> float:
    return n / (n - 1) if n > 1 else math.nan


def _positive(value: float) -> float:
    return value if value > 0 else math.nan
