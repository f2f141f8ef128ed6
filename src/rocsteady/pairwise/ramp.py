"""Sums of max(p - n, 0) over all pairs, from gaps between neighbours: only positive terms, so no digits are lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.exact import compensated_cumsum

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


def shifted_ramp_sum(positives: Side, negatives: Side, shift: float) -> float:
    """Sum over pairs of max(p - n - shift, 0): the negatives move up by ``shift``, then neighbours are merged anew.

    Each side is (increasing points, weights). Moved points are kept as sums of two floats, which are exact, so that
    a pair that clears the shift by a hair keeps its digits. O(n log n).
    """
    kept, pos = positives
    neg = negatives[1]
    high = negatives[0] + shift
    low = _lost(negatives[0], shift, high)
    places = np.arange(high.size) + _kept_below(kept, high, low)
    is_pos = np.ones(kept.size + high.size, dtype=bool)
    is_pos[places] = False
    points = _merged(is_pos, kept, high), _merged(is_pos, 0.0, low)
    return _sum_over_gaps(points, _merged(is_pos, pos, 0.0), _merged(is_pos, 0.0, neg))


def _sum_over_gaps(
    points: tuple[Array, ...], pos: NDArray[Any], neg: NDArray[Any], scales: tuple[float, float] = (1.0, 1.0)
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
        astride = compensated_cumsum(pos[block.stop : block.start : -1] * scales[0])[::-1] + higher
        astride *= compensated_cumsum(neg[block] * scales[1]) + lower
        astride *= sum(np.diff(part[block.start : block.stop + 1]) for part in points)
        total += float(astride.sum())
    return total


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


def _merged(is_pos: NDArray[np.bool_], of_positives: Any, of_negatives: Any) -> Array:
    values = np.empty(is_pos.size)
    values[is_pos], values[~is_pos] = of_positives, of_negatives
    return values
