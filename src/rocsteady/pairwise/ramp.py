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
    above = compensated_cumsum(pos[:0:-1].astype(np.float64))[::-1]
    below = compensated_cumsum(neg[:-1].astype(np.float64))
    above *= below
    above *= np.diff(points)
    return float(above.sum())
