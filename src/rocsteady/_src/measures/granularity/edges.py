"""Low and up curves of many deltas as they are drawn: few points of each, found without making the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocsteady._src.base.geometry import thin, thin_rising
from rocsteady._src.measures.curves import roc_curve
from rocsteady._src.measures.granular_curves import check_granular
from rocsteady._src.measures.granularity.consistent import Shifter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

    Array = NDArray[np.float64]


MANY_SHIFTS = 3  # buckets take as long to make as so many searches


class Edge(NamedTuple):
    """Points of a curve that are enough to draw it, and the area under all of it."""

    fpr: Array
    tpr: Array
    area: float


def granular_edges(ranked: RankedScores, deltas: Sequence[float], max_deviation: float) -> Iterator[tuple[Edge, Edge]]:
    """Low and up curve of :func:`rocsteady.granular_roc` for each delta, thinned; O(positives) each for the area."""
    check_granular(ranked)
    shifter = Shifter(ranked, many_shifts=len(deltas) > MANY_SHIFTS)
    for delta in deltas:
        if delta == 0:
            plain = roc_curve(ranked)
            kept = thin(plain.fpr, plain.tpr, max_deviation)
            edge = Edge(plain.fpr[kept], plain.tpr[kept], float(plain.area))
            yield edge, edge
        else:
            yield _edge(shifter, -delta, max_deviation), _edge(shifter, delta, max_deviation)


def _edge(shifter: Shifter, shift: float, max_deviation: float) -> Edge:
    """A staircase over the positives from the highest: right to the negatives above it, then up."""
    won, climbed, total = shifter.won(shift), shifter.climbed, shifter.neg_until[-1]
    last = 2 * won.size + 1

    def fpr(step: NDArray[np.int64]) -> Array:
        inside = (total - won[won.size - 1 - (step - 1).clip(0, last - 2) // 2]) / total
        return np.where(step == 0, 0.0, np.where(step == last, 1.0, inside))

    def tpr(step: NDArray[np.int64]) -> Array:
        return np.asarray(climbed[step // 2] / climbed[-1], dtype=np.float64)

    kept = thin_rising((fpr, tpr), last + 1, max_deviation)
    return Edge(fpr(kept), tpr(kept), shifter.share_of(won))
