"""Brier curves, precision-recall-gain curves, and where two ROC curves cross."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, refuse_one_class
from rocsteady._src.base.geometry import trapezoid_area
from rocsteady._src.base.threads import for_blocks, for_each
from rocsteady._src.measures.probability import brier_score, probabilities_of
from rocsteady._src.measures.regions import gains_of
from rocsteady._src.ranked.takes_ranked import takes_ranked
from rocsteady._src.results.choice_curves import BrierCurve, Crossings, PrgCurve
from rocsteady._src.results.curves import RocCurve

if TYPE_CHECKING:
    from collections.abc import Callable

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
    probabilities_of(ranked, "brier_score")
    parts: tuple[Callable[[RankedScores], Any], ...] = (brier_score.sheet.compute, _lines)
    area, (share, loss) = for_each(lambda part: part(ranked), parts, n_rows=ranked.doubles.size)
    return BrierCurve(share, loss, float(area), ranked.n_pos, ranked.n_neg, ranked.origin)


def _lines(ranked: RankedScores) -> tuple[Array, Array]:
    """Cost shares and losses before and after the jump at each score, between ends without a loss at 0 and 1."""
    twice = 2 / float(ranked.n_rows_counted)
    share, loss = (np.empty(2 * ranked.scores.size + 2) for _ in range(2))
    share[0], share[-1], loss[0], loss[-1] = 0.0, 1.0, 0.0, 0.0
    jumps = share[1:-1].reshape(-1, 2), loss[1:-1].reshape(-1, 2)
    _misses_from(ranked, slice(0, 0), twice)  # what both threads look up is made once
    for_blocks(lambda places: _fill_jumps(ranked, places, twice, *jumps), ranked.scores.size)
    return share, loss


def _fill_jumps(ranked: RankedScores, places: slice, twice: float, share: Array, loss: Array) -> None:
    """At a score c the loss is c times false alarms, (1 - c) times misses: of calls from it on, and of those above."""
    scores, (missed, more) = ranked.doubles[places], _misses_from(ranked, places, twice)
    for side in (0, 1):
        share[places, side] = scores
        at = scores * more[side : side + scores.size]
        np.add(at, missed[side : side + scores.size], out=loss[places, side])


def _misses_from(ranked: RankedScores, places: slice, share: float) -> tuple[Array, Array]:
    """Positives below these places and the next one, and how many more negatives are from there on; shares of rows."""
    steps = slice(places.start, places.stop + 1)
    if ranked.row_labels is not None:  # each place has one row more below it
        more = np.arange(ranked.n_neg - steps.start, ranked.n_neg - steps.stop, -1.0)
        more *= share
        return ranked.walked_up[0][steps] * share, more
    if ranked.exact:
        missed, passed = (walk[steps] for walk in ranked.walked_up)
        return missed * share, (ranked.n_neg - passed - missed) * share
    missed = ranked.called_negative[0][::-1][steps]
    return missed * share, (ranked.called_positive[1][::-1][steps] - missed) * share


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
    parts: tuple[Callable[[RankedScores], Any], ...] = (_gains_and_area, _best_for_f)
    (recall_gain, precision_gain, before, area), best = for_each(
        lambda part: part(ranked), parts, n_rows=ranked.scores.size
    )
    thresholds = np.empty(recall_gain.size, dtype=object if ranked.scores.dtype == object else np.float64)
    thresholds[0], thresholds[1:] = math.nan, ranked.scores[: ranked.scores.size + 1 - before][::-1]
    sizes: dict[str, Any] = {"n_pos": ranked.n_pos, "n_neg": ranked.n_neg, "origin": ranked.origin}
    return PrgCurve(recall_gain, precision_gain, thresholds, area, best, **sizes)


def _gains_and_area(ranked: RankedScores) -> tuple[Array, Array, int, float]:
    recall_gain, precision_gain, before = gains_of(ranked)
    return recall_gain, precision_gain, before, trapezoid_area(recall_gain, precision_gain)


def _as_double(threshold: Any) -> Any:
    """A threshold as a double; integers beyond the range of doubles as they are."""
    try:
        return float(threshold)
    except OverflowError:
        return threshold


def _best_for_f(ranked: RankedScores) -> dict[str, list[float]]:
    """Vertices of the hull in gain space with their ranges of beta; on the way up no beta is best.

    Gains are quotients by TP of what is linear in TP and FP, which leaves lines straight: the hull is that of counts.
    """
    begin = int(ranked.walked[0].searchsorted(0, side="right"))
    hull = ranked.hull_from(begin) + begin
    tp, fp = (walk[hull] for walk in ranked.walked)
    hull, tp, fp = (each[: int(np.flatnonzero(tp == ranked.n_pos)[0]) + 1] for each in (hull, tp, fp))
    odds, found = float(ranked.n_pos) / float(ranked.n_neg), tp.astype(np.float64)
    missed = ranked.n_pos - tp if ranked.exact else ranked.called_negative[0][hull]
    x = 1 - odds * (missed / found)
    y = 1 - odds * (fp / found)
    slopes = np.diff(y) / np.where(np.diff(x) > 0, np.diff(x), math.nan)
    top = int(np.flatnonzero(y == y.max())[-1])
    kept = [place for place in range(top, hull.size) if place == top or not math.isnan(slopes[place - 1])]
    betas = [0.0, *(math.sqrt(-float(slopes[place - 1])) for place in kept[1:])]
    return {"beta": betas, "threshold": [_as_double(each) for each in ranked.thresholds_at(hull[kept])]}


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
