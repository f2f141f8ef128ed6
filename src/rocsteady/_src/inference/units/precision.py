"""What each row adds to an average precision: its influence, in the terms of :class:`Components`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.inference.units.components import Components
from rocsteady._src.measures.ranking import average_precision

if TYPE_CHECKING:
    from rocsteady._src.ranked import RankedScores


def precision_components(ranked: RankedScores) -> Components:
    """What a positive and a negative at each score add to the average precision; over all rows their mean is it.

    With precision p at a group that calls B rows and holds k positives, a row more moves the average by p less the
    average if it is positive, and by k (1 - p) / B or -k p / B of each group at its score or below, over all positives.

    Examples
    --------
    >>> import rocsteady as rs
    >>> found = precision_components(rs.rank([1, 0, 1], [0.9, 0.6, 0.2]))
    >>> round(found.theta, 4), found.of_pos.round(4).tolist(), found.of_neg.round(4).tolist()
    (0.8333, [0.75, 0.5, 1.25], [0.5, 0.5, -1.0])
    """
    theta = float(average_precision.sheet.compute(ranked))
    tp, fp = (walk[:0:-1].astype(np.float64) for walk in ranked.called_positive)
    called = tp + fp
    precision, per_row = tp / called, ranked.pos / called
    lost = np.cumsum(per_row * precision)
    won = np.cumsum(per_row) - lost
    times = float(ranked.n_rows_counted) / float(ranked.n_pos)
    return Components(theta, theta + times * (precision - theta + won), theta - times * lost)


def furthest_precision(ranked: RankedScores) -> float:
    """What one row could take from an average precision of 1 at most: a negative above all positives, per row.

    Examples
    --------
    >>> import rocsteady as rs
    >>> round(furthest_precision(rs.rank([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1])), 4)
    3.3863
    """
    n_pos, n_rows = float(ranked.n_pos), float(ranked.n_rows_counted)
    return float(n_rows / n_pos * (1 + np.log(max(n_pos, 1.0))))
