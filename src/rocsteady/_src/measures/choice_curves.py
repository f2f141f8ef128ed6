"""Brier curves, precision-recall-gain curves, and where two ROC curves cross."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, refuse_one_class
from rocsteady._src.base.geometry import trapezoid_area, upper_hull
from rocsteady._src.measures.probability import brier_score
from rocsteady._src.measures.regions import gains_of
from rocsteady._src.ranked.takes_ranked import takes_ranked
from rocsteady._src.results.choice_curves import BrierCurve, Crossings, PrgCurve
from rocsteady._src.results.curves import RocCurve

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

    Array = NDArray[Any]


@takes_ranked
def brier_curve(ranked: RankedScores) -> BrierCurve:
    """Brier curve: the expected loss of calling positive from each threshold on, as costs vary.

    At a cost share c of a false positive the best threshold of true risks is c; the loss of taking the scores at their
    word is 2 (c FP + (1 - c) FN) / n with calls at score >= c. Over all c the mean loss is the Brier score.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`; scores are probabilities.

    Returns
    -------
    BrierCurve
        ``cost_share``, ``loss``, and ``area``, the Brier score.

    References
    ----------
    Hernandez-Orallo, Flach and Ferri (2011), Brier curves: a new cost-based visualisation of classifier performance.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 0, 1], [0.9, 0.6, 0.2]
    >>> curve = rs.curves.brier_curve(y, s)
    >>> round(curve.area, 6), round(rs.brier_score(y, s), 6)
    (0.336667, 0.336667)
    """
    area = float(brier_score.sheet.compute(ranked))
    twice = 2 / float(ranked.n_rows_counted)
    alarmed, missed = (walk[::-1] * twice for walk in (ranked.called_positive[1], ranked.called_negative[0]))
    share, loss = np.empty((2, 2 * ranked.scores.size + 2))
    share[0], share[-1] = 0.0, 1.0
    share[1:-1:2] = share[2:-1:2] = ranked.doubles
    alarmed -= missed
    for side in (0, 1):  # a straight line between two scores, with an end at each
        loss[side::2] = share[side::2] * alarmed
        loss[side::2] += missed
    return BrierCurve(share, loss, area, ranked.n_pos, ranked.n_neg, ranked.origin)


@takes_ranked
def pr_gain_curve(ranked: RankedScores) -> PrgCurve:
    """Precision-recall-gain curve, with its area and the thresholds that are best for F-scores.

    Gains are precision and recall on a harmonic scale from the prevalence, 0, to 1; straight lines join the points, and
    lines of equal F-beta are straight with slope -beta^2. So the upper hull holds the thresholds that are best for
    some beta.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`.

    Returns
    -------
    PrgCurve
        ``recall_gain`` from 0 to 1, ``precision_gain``, ``thresholds``, ``area`` as :func:`rocsteady.measures.prg_auc`.

    References
    ----------
    Flach and Kull (2015), Precision-recall-gain curves: PR analysis done right, NeurIPS 28.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.curves.pr_gain_curve([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
    >>> curve.recall_gain.round(3).tolist(), curve.precision_gain.round(3).tolist()
    ([0.0, 0.5, 0.5, 1.0, 1.0, 1.0], [1.0, 1.0, 0.5, 0.667, 0.333, 0.0])
    >>> curve.threshold_for_f(1.0)
    0.6
    """
    refuse_one_class(ranked.n_pos, ranked.n_neg, "gains need")
    recall_gain, precision_gain, before = gains_of(ranked)
    thresholds = np.concatenate([[math.nan], ranked.thresholds[before:].astype(np.float64)])
    area = trapezoid_area(recall_gain, precision_gain)
    sizes: dict[str, Any] = {"n_pos": ranked.n_pos, "n_neg": ranked.n_neg, "origin": ranked.origin}
    return PrgCurve(recall_gain, precision_gain, thresholds, area, _best_for_f(ranked), **sizes)


def _best_for_f(ranked: RankedScores) -> dict[str, list[float]]:
    """Vertices of the hull in gain space with their ranges of beta; on the way up no beta is best.

    Gains are quotients by TP of what is linear in TP and FP, which leaves lines straight: the hull is that of counts.
    """
    begin = int(ranked.called_positive[0].searchsorted(0, side="right"))
    tp, fp = (walk[begin:] for walk in ranked.called_positive)
    hull = upper_hull(fp, tp)
    hull = hull[: int(np.flatnonzero(tp[hull] == ranked.n_pos)[0]) + 1]
    odds, found = float(ranked.n_pos) / float(ranked.n_neg), tp[hull].astype(np.float64)
    x = 1 - odds * (ranked.called_negative[0][begin:][hull] / found)
    y = 1 - odds * (fp[hull] / found)
    slopes = np.diff(y) / np.where(np.diff(x) > 0, np.diff(x), math.nan)
    top = int(np.flatnonzero(y == y.max())[-1])
    kept = [place for place in range(top, hull.size) if place == top or not math.isnan(slopes[place - 1])]
    betas = [0.0, *(math.sqrt(-float(slopes[place - 1])) for place in kept[1:])]
    return {"beta": betas, "threshold": [float(each) for each in ranked.thresholds[begin:][hull[kept]]]}


def crossings(first: RocCurve, second: RocCurve) -> Crossings:
    """Points where two ROC curves cross, straight lines between their points.

    Curves that touch and part on the same side do not cross; where they run together a crossing is put where they part.

    Parameters
    ----------
    first, second : RocCurve
        From scores, measured points, or hulls.

    Returns
    -------
    Crossings
        ``fpr`` and ``tpr`` of the points; none where one curve lies nowhere below the other.

    Examples
    --------
    >>> import rocsteady as rs
    >>> a, b = rs.curves.roc_from_points([0.1], [0.6]), rs.curves.roc_from_points([0.4], [0.9])
    >>> found = rs.curves.crossings(a, b)
    >>> found.fpr.round(4).tolist(), found.tpr.round(4).tolist(), found.first_above
    ([0.3077], [0.6923], (True, False))
    """
    pair: tuple[Any, Any] = (first, second)
    for curve in pair:
        if not isinstance(curve, RocCurve):
            text = f"crossings are of ROC curves, got {type(curve).__name__}; make them by roc_curve or roc_from_points"
            raise ArgumentError("curve", text)
    along, gap, height = _turned_gap(first, second)
    signs = np.sign(np.where(np.abs(gap) <= 1e-12, 0.0, gap))
    seen: list[int] = np.flatnonzero(signs).tolist()
    turns = [(left, right) for left, right in itertools.pairwise(seen) if signs[left] != signs[right]]
    points = [_crossing(along, gap, height, left, right) for left, right in turns]
    above = [bool(signs[seen[0]] > 0)] if seen else []
    for _ in turns:
        above.append(not above[-1])
    x, y = (np.array([point[axis] for point in points], dtype=np.float64) for axis in (0, 1))
    return Crossings(x, y, tuple(above))


def _turned_gap(first: RocCurve, second: RocCurve) -> tuple[Array, Array, Array]:
    """Both curves turned by 45 degrees, where they are functions: fpr + tpr, the first's lead there, its tpr - fpr."""
    turned = [(curve.fpr + curve.tpr, curve.tpr - curve.fpr) for curve in (first, second)]
    along = np.union1d(turned[0][0], turned[1][0])
    lead = [np.interp(along, x, y) for x, y in turned]
    return along, lead[0] - lead[1], lead[0]


def _crossing(along: Array, gap: Array, height: Array, left: int, right: int) -> tuple[float, float]:
    """Where the gap passes 0 between two knots: in between if they are neighbours, else where it leaves 0 at last."""
    if right - left == 1:
        share = gap[left] / (gap[left] - gap[right])
        at, up = (float(each[left] + share * (each[right] - each[left])) for each in (along, height))
    else:
        at, up = float(along[right - 1]), float(height[right - 1])
    return (at - up) / 2, (at + up) / 2
