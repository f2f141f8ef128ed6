"""Rows become groups of equal score, see rowsort and sortkeys for how they are sorted: nothing else sorts scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocsteady._src.ranked.rowsort import in_order
from rocsteady._src.ranked.sortkeys import beyond_float

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.inputs import CleanRows

FEW_ROWS = 1000
FEW_PLACES = 1 << 14


class Groups(NamedTuple):
    """Distinct scores with their positives and negatives; None in place of negatives where each is a row's label."""

    scores: NDArray[Any]
    pos: NDArray[Any]
    neg: NDArray[Any] | None


def group_weighted_rows(rows: CleanRows, weights: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Distinct scores of checked rows, with their weight of positives and of negatives. O(n log n)."""
    zero = np.zeros((), dtype=weights.dtype)
    pos_weights = np.where(rows.positive, weights, zero)
    neg_weights = np.where(rows.positive, zero, weights)
    distinct, pos, neg = group_weighted(rows.scores, pos_weights, neg_weights)
    return widened(distinct), pos, neg


def sort_few(positive: NDArray[np.bool_], scores: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Sorted scores and labels, through indices: the quickest way for few rows."""
    order = scores.argsort(kind="stable")
    return scores.take(order), positive.take(order)


def group_sorted(merged: NDArray[Any], labels: NDArray[np.bool_]) -> Groups:
    """Groups of rows in increasing order of score; None in place of negatives where all scores differ."""
    last = last_of_group(merged)
    if last.all():
        return Groups(widened(merged), labels, None)
    ends = np.flatnonzero(last)
    pos = np.diff(labels.cumsum()[ends], prepend=0)
    return Groups(widened(merged.compress(last)), pos, np.diff(ends, prepend=-1) - pos)


def group_weighted(
    scores: NDArray[Any], pos: NDArray[Any], neg: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Add up weights at equal scores. O(n log n)."""
    return add_up(*in_order(scores), pos, neg)


def add_up(
    merged: NDArray[Any], order: NDArray[np.int64], pos: NDArray[Any], neg: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Distinct scores of rows in order, with the weights of their rows."""
    last = last_of_group(merged)
    if last.all():
        return merged, pos.take(order), neg.take(order)
    if pos.dtype.kind == "f":
        # Floats add up in an order of their own, smallest first, so that the order of rows leaves no trace.
        order = _tied_by_weight(order, last, pos, neg)
    starts = np.concatenate([[0], np.flatnonzero(last)[:-1] + 1])
    return merged.compress(last), np.add.reduceat(pos[order], starts), np.add.reduceat(neg[order], starts)


def _tied_by_weight(
    order: NDArray[np.int64], last: NDArray[np.bool_], pos: NDArray[Any], neg: NDArray[Any]
) -> NDArray[np.int64]:
    tied = ~last
    tied[1:] |= ~last[:-1]
    rows, group = order[tied], (last.cumsum() - last)[tied]
    ordered = order.copy()
    ordered[tied] = rows[np.lexsort((neg[rows], pos[rows], group))]
    return ordered


def group_counted(
    scores: NDArray[Any], pos: NDArray[Any], neg: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Groups of counts that were made elsewhere, in any order and repeated where they come from several places."""
    if not scores.size:
        return scores.copy(), pos, neg
    distinct, pos, neg = group_weighted(scores, pos, neg)
    return widened(distinct), pos, neg


def last_of_group(merged: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether each of some sorted scores is the last of those that equal it."""
    last = np.ones(merged.size, dtype=bool)
    np.not_equal(merged[1:], merged[:-1], out=last[:-1])
    return last


def widened(scores: NDArray[Any]) -> NDArray[Any]:
    """Half and single precision widen without loss; -0.0 becomes 0.0, which equals it."""
    if scores.dtype.kind == "f":
        scores = scores if scores.dtype.itemsize >= 8 else scores.astype(np.float64)
        zero = scores.searchsorted(0.0)
        if zero < scores.size and scores[zero] == 0:
            scores[zero] = 0.0
    return scores


def concatenate_scores(parts: list[NDArray[Any]]) -> NDArray[Any]:
    """NumPy would turn int64 beside float64, or beside uint64, into floats and lose digits."""
    kinds = {part.dtype for part in parts}
    if len(kinds) > 1 and any(part.dtype.kind in "iu" and beyond_float(part) for part in parts):
        parts = [part.astype(object) for part in parts]
    return np.concatenate(parts)


def ascending_order(values: NDArray[Any]) -> NDArray[np.int64]:
    """Rows from the lowest value to the highest; tied rows keep their order."""
    return in_order(values)[1]


def descending_order(scores: NDArray[Any]) -> NDArray[np.int64]:
    """Rows from the highest score to the lowest; tied rows keep their order."""
    return np.flip(scores.size - 1 - ascending_order(scores[::-1]))


def order_points(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.int64]:
    """Order of points by x, then y."""
    return np.lexsort((y, x))


def merge_order(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.int64]:
    """Order that merges two increasing runs, the first before the second where they tie; linear time."""
    return np.concatenate([first, second]).argsort(kind="stable")


def sorted_distinct(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Distinct values, increasing, and the place of each value among them; O(n) for whole numbers close together."""
    if values.dtype.kind in "iu" and values.size > FEW_ROWS:
        low, high = int(values.min()), int(values.max())
        if high - low < FEW_PLACES and low > -(2**62) and high < 2**62:
            return _counted_distinct(values.astype(np.int64) - low, low, high - low + 1, values.dtype)
    distinct, place = np.unique(values, return_inverse=True)
    return distinct, place


def _counted_distinct(
    above: NDArray[np.int64], low: int, size: int, kind: np.dtype[Any]
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    there = np.flatnonzero(np.bincount(above, minlength=size))
    place = np.empty(size, dtype=np.int64)
    place[there] = np.arange(there.size)
    return (there + low).astype(kind), place[above]


def sorted_rows(values: NDArray[Any]) -> NDArray[Any]:
    """Each row of a matrix in increasing order."""
    return np.sort(values, axis=1)


def order_columns(columns: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """Order of rows by the first column, then the second, and so on."""
    return np.lexsort(tuple(reversed(columns)))
