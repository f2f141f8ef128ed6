"""Three measures on many resamples, and on all samples with a row left out, at once; scores may be tied.

A line of the weights is a resample: positives and negatives drawn at each distinct score. A test compares the values
with those of the measures, and the ends with those of the public functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady.ranked import RankedScores

    Array = NDArray[Any]
    LeftOut = list[tuple[Array, Array, int]]


def auc(pos: Array, neg: Array) -> Array:
    below = neg.cumsum(axis=1) - neg / 2
    return np.einsum("ij,ij->i", pos, below) / (pos.sum(axis=1) * neg.sum(axis=1))


def average_precision(pos: Array, neg: Array) -> Array:
    tp, fp = pos[:, ::-1].cumsum(axis=1), neg[:, ::-1].cumsum(axis=1)
    return np.einsum("ij,ij->i", pos[:, ::-1], tp / np.maximum(tp + fp, 1e-300)) / tp[:, -1]


def partial_auc(pos: Array, neg: Array, stop: float) -> Array:
    """Area of the polygon over false positive rates up to ``stop``."""
    up, right = (side[:, ::-1] / side.sum(axis=1)[:, None] for side in (pos, neg))
    height = up.cumsum(axis=1) - up
    reached = np.minimum(right.cumsum(axis=1), stop)
    width = np.diff(reached, axis=1, prepend=0.0)
    share = np.divide(width, right, out=np.zeros_like(width), where=right > 0)
    return (width * (height + share * up / 2)).sum(axis=1)


def draw_groups(
    ranked: RankedScores, rng: np.random.Generator, count: int, *, within_classes: bool
) -> tuple[Array, Array]:
    """Weights of ``count`` resamples of rows, classes apart or all together."""
    places = np.repeat(np.arange(2 * ranked.scores.size), np.concatenate([ranked.pos, ranked.neg]))
    n_pos = int(ranked.n_pos)
    parts = (places[:n_pos], places[n_pos:]) if within_classes else (places,)
    lines, width = np.arange(count)[:, None], 2 * ranked.scores.size
    drawn = np.zeros(count * width)
    for rows in parts:
        taken = rows[rng.integers(rows.size, size=(count, rows.size))] + width * lines
        drawn += np.bincount(taken.ravel(), minlength=count * width)
    return tuple(np.split(drawn.reshape(count, width), 2, axis=1))  # type: ignore[return-value]


def values_of(measure: Callable[[Array, Array], Array], pos: Array, neg: Array) -> Array:
    """Values, NaN where a class is missing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        known = (pos.sum(axis=1) > 0) & (neg.sum(axis=1) > 0)
        return np.where(known, measure(pos, neg), np.nan)


def left_out(measure: Callable[[Array, Array], Array], ranked: RankedScores, *, within_classes: bool) -> LeftOut:
    """Values with one row left out, how many rows each stands for, and the size of the stratum."""
    found = []
    for side, (counts, total) in enumerate(((ranked.pos, ranked.n_pos), (ranked.neg, ranked.n_neg))):
        kept = np.flatnonzero(counts)
        sides = [np.tile(each.astype(np.float64), (kept.size, 1)) for each in (ranked.pos, ranked.neg)]
        sides[side][np.arange(kept.size), kept] -= 1
        found.append((values_of(measure, *sides), counts[kept], int(total)))
    if within_classes:
        return found
    values, times, totals = zip(*found, strict=True)
    return [(np.concatenate(values), np.concatenate(times), sum(totals))]
