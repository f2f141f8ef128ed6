"""Labels that are not there yet: between which ends a measure will lie, whatever they turn out to be.

Of so many open rows that will be positive, an area is largest where these are the highest scores, since exchanging the
labels of two open rows in the wrong order wins pairs and loses none. So all that can happen at best is a split of the
open rows at one place, and at worst the same the other way round. Manski's bounds, sharp.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


def area_bounds(pos: Array, neg: Array, open_rows: Array) -> tuple[float, float]:
    """The least and the largest area under the ROC that labels of the open rows can make; NaN without two classes."""
    if not open_rows.any():
        only = _area(pos, neg)
        return only, only
    turned = -_best(pos[::-1], neg[::-1], open_rows[::-1])  # the worst area is one less the best of turned scores
    return 1 + turned, _best(pos, neg, open_rows)


def wide_bounds(pos: Array, neg: Array, weights: Array) -> tuple[float, float]:
    """Ends that labels of open rows with weights cannot leave: no known pair changes, all others may be won or lost.

    Wider than need be, since the weights of rows that turn positive are free.
    """
    ups, downs, free = (float(each.sum()) for each in (pos, neg, weights))
    known = ups * downs
    won = float(pos @ (np.cumsum(neg) - neg / 2))
    turned = min(max((free + downs - ups) / 2, 0.0), free)
    pairs = (ups + turned) * (downs + free - turned)
    return (won / pairs, 1 - (known - won) / pairs) if pairs else (math.nan, math.nan)


def _area(pos: Array, neg: Array) -> float:
    pairs = float(pos.sum() * neg.sum())
    return float(pos @ (np.cumsum(neg) - neg / 2)) / pairs if pairs else math.nan


def _best(pos: Array, neg: Array, open_rows: Array) -> float:
    """The largest area over all splits: open rows from a place on are positive, those before it negative. O(rows).

    One open row after the other, from the highest score, turns from negative to positive: it wins against negatives
    below it, and positives above it no longer win against it.
    """
    counts = open_rows.astype(np.int64)
    at = np.repeat(np.arange(counts.size), counts)[::-1]
    turned = np.arange(at.size) - (counts.sum() - np.cumsum(counts))[at]  # those of the same score, before it
    neg_below, pos_above = np.cumsum(neg) - neg / 2, pos.sum() - np.cumsum(pos) + pos / 2
    open_below, open_above = np.cumsum(counts) - counts, counts.sum() - np.cumsum(counts)
    won = neg_below[at] + open_below[at] + (counts[at] - turned - 1) / 2
    lost = pos_above[at] + open_above[at] + turned / 2
    first = float(pos @ (np.cumsum(neg + open_rows) - (neg + open_rows) / 2))
    wins = first + np.concatenate([[0.0], np.cumsum(won - lost)])
    ups = pos.sum() + np.arange(at.size + 1)
    pairs = ups * (neg.sum() + at.size - np.arange(at.size + 1))
    areas = np.divide(wins, pairs, out=np.full(wins.shape, -math.inf), where=pairs > 0)
    return float(areas.max()) if (pairs > 0).any() else math.nan


def rate_bounds(hits: float, total: float, may_hit: float, may_miss: float) -> tuple[float, float]:
    """Of a share: rows that may join it as a hit, and rows that may join it as a miss."""
    low = hits / (total + may_miss) if total + may_miss else math.nan
    high = (hits + may_hit) / (total + may_hit) if total + may_hit else math.nan
    return (0.0 if math.isnan(low) else low), (1.0 if math.isnan(high) else high)
