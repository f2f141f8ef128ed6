"""Sums of max(p - n, 0) over all pairs, from gaps between neighbours: only positive terms, so no digits are lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.exact import compensated_cumsum

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Side = tuple[Array, Array]

BLOCK = 1 << 15


def ramp_sum(points: Array, pos: NDArray[Any], neg: NDArray[Any], scales: tuple[float, float] = (1.0, 1.0)) -> float:
    """Sum over pairs of max(p - n, 0): each gap between neighbouring points counts once for every pair astride it.

    ``points`` do not decrease; ``pos`` and ``neg`` are the weights there, to be multiplied by ``scales``. O(n).
    """
    return _sum_over_gaps((points,), pos, neg, scales)


def shifted_ramp_sum(positives: Side, negatives: Side, shift: float, scales: tuple[float, float] = (1.0, 1.0)) -> float:
    """Sum over pairs of max(p - n - shift, 0): the negatives move up by ``shift``, then neighbours are merged anew.

    Each side is (increasing points, weights). Moved points are kept as sums of two floats, which are exact, so that
    a pair that clears the shift by a hair keeps its digits. O(n log n).
    """
    kept, pos = positives
    high, neg = negatives[0] + shift, negatives[1]
    low = _lost(negatives[0], shift, high)
    size = kept.size + high.size
    moved = np.arange(high.size) + _kept_below(kept, high, low)
    unmoved = _others(moved, size)
    points = _spread(high, moved, size)
    points[unmoved] = kept
    parts = (points, _spread(low, moved, size))
    return _sum_over_gaps(parts, _spread(pos, unmoved, size), _spread(neg, moved, size), scales)


def _sum_over_gaps(
    points: tuple[Array, ...], pos: NDArray[Any], neg: NDArray[Any], scales: tuple[float, float]
) -> float:
    """Sum of the gaps, each times the weights of negatives below and of positives above it; points are sums of parts.

    In blocks that stay in the processor's cache: fresh memory costs more than the arithmetic.
    """
    if pos.size < 2:
        return 0.0
    blocks = [slice(start, min(start + BLOCK, pos.size - 1)) for start in range(0, pos.size - 1, BLOCK)]
    above = _sums_after([pos[block.start + 1 : block.stop + 1].sum() * scales[0] for block in blocks])
    below = _sums_after([neg[block].sum() * scales[1] for block in blocks[::-1]])[::-1]
    total = 0.0
    for block, higher, lower in zip(blocks, above, below, strict=True):
        astride = _cumulated(pos[block.stop : block.start : -1], scales[0])[::-1] + higher
        astride *= _cumulated(neg[block], scales[1]) + lower
        astride *= sum(np.diff(part[block.start : block.stop + 1]) for part in points)
        total += float(astride.sum())
    return total


def _cumulated(weights: NDArray[Any], scale: float) -> Array:
    """Prefix sums of counts are exact; those of other weights are compensated."""
    return weights.cumsum() * scale if weights.dtype.kind == "i" else compensated_cumsum(weights * scale)


def _sums_after(sums: list[float]) -> Array:
    """For each the sum of those after it."""
    return np.append(compensated_cumsum(np.array(sums[:0:-1]))[::-1], 0.0)


def _lost(first: Array, second: float, total: Array) -> Array:
    """What rounding took from a sum, exactly (Knuth)."""
    part = total - first
    return np.asarray((first - (total - part)) + (second - part))


def _kept_below(kept: Array, high: Array, low: Array) -> NDArray[np.int64]:
    """How many of the kept points lie below each moved one."""
    below: NDArray[np.int64] = np.searchsorted(kept, high, side="left")
    beside = np.append(kept, np.inf)[below] == high
    below += beside & (low > 0)
    return below


def _others(places: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Places from 0 to size - 1 that are not listed."""
    free = np.ones(size, dtype=bool)
    free[places] = False
    return np.flatnonzero(free)


def _spread(values: NDArray[Any], places: NDArray[np.int64], size: int) -> NDArray[Any]:
    """Values at some places, zeros at the others."""
    spread = np.zeros(size, dtype=values.dtype)
    spread[places] = values
    return spread
