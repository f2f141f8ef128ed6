"""Covariance of areas of several models on the same rows: DeLong's, with weights and with clusters."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.inputs.weights import weight_type_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.inference.units.components import Components
    from rocsteady._src.ranked import ModelRows

    Array = NDArray[np.float64]

BLOCK = 1 << 14  # rows whose products fit the cache; fresh memory costs more than the arithmetic


def area_covariance(rows: ModelRows, parts: Sequence[Components], *, weight_type: str | None = None) -> Array:
    """Covariance matrix of the areas; NaN where a class has fewer than two independent units.

    Rows: DeLong, DeLong and Clarke-Pearson 1988. Clusters: Obuchowski 1997. Sampling weights: influence function.
    O(rows x models^2) once ranked.
    """
    kind = weight_type_of(rows.weights, weight_type or rows.origin.weight_type)
    sides = [([part.of_pos for part in parts], rows.positive), ([part.of_neg for part in parts], ~rows.positive)]
    thetas = np.array([part.theta for part in parts])
    if rows.clusters is not None:
        return _clustered(rows, sides, thetas, kind)
    return sum((_of_side(rows, values, mask, thetas, kind) for values, mask in sides), np.zeros(()))


def _deviations(rows: ModelRows, values: Sequence[Array], thetas: Array, chosen: NDArray[np.intp]) -> Array:
    """What each chosen row adds above the mean, one line per model."""
    side = np.empty((thetas.size, chosen.size))
    for model, value in enumerate(values):
        np.take(value, rows.places[model][chosen], out=side[model])
    side -= thetas[:, None]
    return side


def _of_side(
    rows: ModelRows, values: Sequence[Array], mask: NDArray[np.bool_], thetas: Array, kind: str | None
) -> Array:
    """Products of what the rows of a class add, summed in blocks, over the degrees of freedom."""
    products = np.zeros((thetas.size, thetas.size))
    n, total = int(np.count_nonzero(mask)), 0.0
    for start in range(0, mask.size, BLOCK):
        chosen = np.flatnonzero(mask[start : start + BLOCK]) + start
        side = _deviations(rows, values, thetas, chosen)
        if kind is None or rows.weights is None:
            products += side @ side.T
            continue
        weights = rows.weights[chosen].astype(np.float64)
        total += float(weights.sum())
        products += (side * (weights if kind == "frequency" else weights**2)) @ side.T
    if kind == "sampling":
        return products / _positive((n - 1) * (total * total / max(n, 1)))
    total = total if kind == "frequency" else float(n)
    return products / _positive(total * (total - 1))


def _clustered(
    rows: ModelRows, sides: list[tuple[list[Array], NDArray[np.bool_]]], thetas: Array, kind: str | None
) -> Array:
    """Sum what the rows of a subject add; its positives and negatives vary together."""
    (a, n_a), (b, n_b) = (_subject_sums(rows, values, mask, thetas, kind) for values, mask in sides)
    both = a @ b.T * _correction(rows.n_clusters)
    covariance: Array = _correction(n_a) * (a @ a.T) + _correction(n_b) * (b @ b.T) + both + both.T
    return covariance


def _subject_sums(
    rows: ModelRows, values: Sequence[Array], mask: NDArray[np.bool_], thetas: Array, kind: str | None
) -> tuple[Array, int]:
    """What the rows of a class add for each subject, one line per model; and how many subjects have such rows."""
    clusters = rows.clusters if rows.clusters is not None else np.arange(rows.positive.size)
    chosen = np.flatnonzero(mask)
    here, side = clusters[chosen], _deviations(rows, values, thetas, chosen)
    weight = np.ones(chosen.size) if kind is None else np.asarray(rows.weights, dtype=np.float64)[chosen]
    sums = np.array([np.bincount(here, line * weight, rows.n_clusters) / weight.sum() for line in side])
    return sums, int(np.count_nonzero(np.bincount(here)))


def subject_sums(rows: ModelRows, parts: Sequence[Components]) -> Array:
    """What each subject adds to the areas above their means, one line per model: areas vary together through it."""
    kind, thetas = rows.reading, np.array([part.theta for part in parts])
    of_pos, _ = _subject_sums(rows, [part.of_pos for part in parts], rows.positive, thetas, kind)
    of_neg, _ = _subject_sums(rows, [part.of_neg for part in parts], ~rows.positive, thetas, kind)
    return of_pos + of_neg


def _correction(n: int) -> float:
    return n / (n - 1) if n > 1 else math.nan


def _positive(value: float) -> float:
    return value if value > 0 else math.nan
