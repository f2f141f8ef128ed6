"""Sums of max(p - n, 0) over all pairs, from gaps between neighbours: only positive terms, so no digits are lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.exact import compensated_cumsum

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


def ramp_sum(points: Array, pos: NDArray[Any], neg: NDArray[Any]) -> float:
    """Sum over pairs of max(p - n, 0): each gap between neighbouring points counts once for every pair astride it.

    ``points`` do not decrease; ``pos`` and ``neg`` are the weights there. O(n).
    """
    if points.size < 2:
        return 0.0
    gaps = np.diff(points)
    gaps *= _cumulated(pos[:0:-1])[::-1]
    gaps *= _cumulated(neg[:-1])
    return float(gaps.sum())


def _cumulated(weights: NDArray[Any]) -> NDArray[Any]:
    return weights.cumsum() if weights.dtype.kind == "i" else compensated_cumsum(weights)
