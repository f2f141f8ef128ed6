"""Many columns of scores, one after another, against labels that stay the same: memory is used again.

For an area and its variance, negatives between two neighbouring positives are alike. Ranking a column into as many
groups as the positives need costs little more than one sort, however many rows there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.ranked.keyed import SortedKeys
from rocsteady._src.ranked.ranking import Ranking
from rocsteady._src.ranked.rowsort import in_order
from rocsteady._src.ranked.scores import RankedScores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inputs import CleanRows
    from rocsteady._src.ranked.sortkeys import Keys
    from rocsteady._src.results import Origin


class ColumnRanker:
    """Ranks columns of ``size`` scores, each with the mask of its positives."""

    def __init__(self, size: int) -> None:
        self._keys: Keys = np.empty(size, dtype=np.int64)
        self._labels = np.empty(size, dtype=bool)

    def condensed(self, scores: NDArray[Any], positive: NDArray[np.bool_], origin: Origin) -> RankedScores:
        """Groups with the same AUC and the same DeLong variance as all groups: untied negatives are pooled.

        The scores of the groups are their places. Needs both classes. O(n log n) with one sort of plain numbers.
        """
        ordered = SortedKeys.of(positive, scores, self._keys)
        places = np.flatnonzero(ordered.labels(self._labels))
        pos, below, tied = _positive_groups(ordered.keys, places)
        n_neg = scores.size - places.size
        passed = below + tied  # negatives up to the end of each group with positives
        between = np.append(below, n_neg) - np.append(0, passed)
        groups = np.zeros((2, 2 * pos.size + 1), dtype=np.int64)
        groups[0, 1::2], groups[1, 1::2], groups[1, ::2] = pos, tied, between
        groups = groups[:, groups.any(axis=0)]
        ranked = RankedScores.trusted(np.arange(groups.shape[1]), groups[0], groups[1], origin)
        vars(ranked).update(n_pos=places.size, n_neg=n_neg)
        return ranked


def _positive_groups(
    keys: Keys, places: NDArray[np.intp]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """For each distinct score of a positive: its positives, the negatives below, the negatives tied with it."""
    values = keys[places]
    first = np.flatnonzero(np.append(True, values[1:] != values[:-1])) if values.size else places
    start = places[first]
    left = start.copy()
    twins = values[first] ^ 1  # the key of a negative with the same score
    tied = np.flatnonzero((start > 0) & (keys[np.maximum(start - 1, 0)] == twins))
    left[tied] = keys.searchsorted(twins[tied])
    pos = np.diff(first, append=places.size)
    return pos, left - first, start - left


@dataclass(frozen=True, slots=True, eq=False)
class SortedColumn:
    """Scores and their rows in increasing order; ``ends`` are the ends of groups of tied rows, None without ties.

    The labels may change from question to question: the order does not.

    Examples
    --------
    >>> column = SortedColumn.of(np.array([0.5, 0.1, 0.5]))
    >>> column.order.tolist(), column.ends.tolist()
    ([1, 0, 2], [0, 2])
    """

    scores: NDArray[Any]
    order: NDArray[np.intp]
    ends: NDArray[np.intp] | None

    @classmethod
    def of(cls, scores: NDArray[Any]) -> SortedColumn:
        """Sort once."""
        merged, order = in_order(scores)
        last = np.ones(merged.size, dtype=bool)
        np.not_equal(merged[1:], merged[:-1], out=last[:-1])
        return cls(scores, order, None if last.all() else np.flatnonzero(last))

    def groups(self, rows: CleanRows) -> RankedScores:
        """Groups of rows that have these scores."""
        return Ranking.of_sorted(rows, self.scores.take(self.order), self.order).ranked
