"""The ROC curve as a walk on a grid, and classifiers that are single points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, printable, refuse_one_class
from rocsteady._src.base.typed import typed
from rocsteady._src.measures.confusion import Confusion
from rocsteady._src.ranked.takes_ranked import takes_ranked
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.walks import RocPoints, RocWalk

if TYPE_CHECKING:
    from rocsteady._src.ranked import RankedScores


@takes_ranked
def roc_walk(ranked: RankedScores) -> RocWalk:
    """ROC curve as the walk that draws it: every distinct score, from the highest, is one step.

    On a grid of N by P cells a score moves up by its positives and right by its negatives, both at once where they tie.
    A step adds to the area below the curve what lies under it: nothing when it goes straight up, a column of cells as
    high as the walk has come when it goes straight right.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`. Both classes must be present.

    Returns
    -------
    RocWalk
        A step per distinct score: ``score``, ``positives``, ``negatives``, ``fpr``, ``tpr``, ``area``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> walk = rs.curves.roc_walk([1, 1, 0, 1, 0], [0.9, 0.8, 0.8, 0.6, 0.2])
    >>> print(walk)
    score  positives  negatives     fpr     tpr    area
    0.9000         1          0  0.0000  0.3333  0.0000
    0.8000         1          1  0.5000  0.6667  0.2500
    0.6000         1          0  0.5000  1.0000  0.0000
    0.2000         0          1  1.0000  1.0000  0.5000
    >>> float(walk.area.sum()) == rs.auc([1, 1, 0, 1, 0], [0.9, 0.8, 0.8, 0.6, 0.2])
    True
    """
    refuse_one_class(ranked.n_pos, ranked.n_neg, "a walk needs")
    tp, fp = ranked.called_positive
    fpr, tpr = fp / ranked.n_neg, tp / ranked.n_pos
    area = np.diff(fp) * (tp[1:] + tp[:-1]) / (2 * ranked.n_pos * ranked.n_neg)
    steps = (ranked.scores[::-1], np.diff(tp), np.diff(fp), fpr[1:], tpr[1:], area)
    return RocWalk(*steps, **facts_of(ranked))


@typed
def roc_points(points: Any) -> RocPoints:
    """Classifiers without scores as points in the ROC plane; none is joined to another or to the corners.

    Parameters
    ----------
    points : dict
        By name, a pair (FPR, TPR) or a confusion matrix at one threshold.

    Returns
    -------
    RocPoints
        ``to_frame()`` adds Youden's J, ``plot()`` draws. For the curve through measured points see
        :func:`rocsteady.curves.roc_from_points`.

    Examples
    --------
    >>> import rocsteady as rs
    >>> found = rs.curves.roc_points({"A": (0.1, 0.4), "D": rs.Confusion(tp=2, fn=8, fp=6, tn=4)})
    >>> print(found)
    name     fpr     tpr  youden_j
    A     0.1000  0.4000    0.3000
    D     0.6000  0.2000   -0.4000
    """
    if not isinstance(points, Mapping) or not points:
        text = "points come as a dict of names and pairs, such as {'A': (0.1, 0.4)}, or of confusion matrices"
        raise InputError("roc_points", f"{text}; got {type(points).__name__}")
    rates = np.array([_rates(str(name), point) for name, point in points.items()])
    return RocPoints(tuple(map(str, points)), rates[:, 0], rates[:, 1])


def _rates(name: str, point: Any) -> tuple[float, float]:
    pair = (point.false_positive_rate, point.recall) if isinstance(point, Confusion) else point
    try:
        x, y = (float(rate) for rate in pair)
    except (TypeError, ValueError):
        text = f"{printable(name)!r} is no pair (FPR, TPR) and no confusion matrix at one threshold"
        raise InputError("roc_points", text) from None
    if not (0 <= x <= 1 and 0 <= y <= 1):
        text = f"the rates of {printable(name)!r} are {x} and {y}, outside [0, 1]; give shares, not percentages"
        raise InputError("rates_outside", text)
    return x, y
