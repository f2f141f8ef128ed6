"""Cost curves: the least expected cost for every mix of prevalence and costs, with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, refuse_one_class
from rocsteady._src.base.geometry import trapezoid_area
from rocsteady._src.inference.intervals.binomial import bounds_of
from rocsteady._src.inference.intervals.normal import check_level
from rocsteady._src.inputs.weights import summed
from rocsteady._src.ranked.takes_ranked import takes_ranked
from rocsteady._src.results.choice_curves import CostCurve
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

    Array = NDArray[np.float64]


@takes_ranked
def cost_curve(ranked: RankedScores, *, level: float | None = None) -> CostCurve:
    """Cost curve: the least normalised expected cost against the probability cost, over all thresholds.

    The probability cost PC is p C(miss) / (p C(miss) + (1 - p) C(false alarm)) for prevalence p; a threshold costs
    FNR PC + FPR (1 - PC), a straight line, as a share of what calling everything wrong costs. The curve is the lower
    envelope of all thresholds' lines, whose corners are the edges of the ROC hull; PC and 1 - PC are the costs of
    calling nothing and everything positive.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`.
    level : float, optional
        Level of an interval at every point, from Wilson's intervals of both rates at the threshold that is best there
        (square and add). It is about that threshold; since the same rows chose it, the least cost is a little too good,
        and ``warnings`` say how much that matters.

    Returns
    -------
    CostCurve
        ``probability_cost``, ``cost``, ``low``, ``high``, ``thresholds``, and ``area``, the mean least cost.

    References
    ----------
    Drummond and Holte (2006), Cost curves: an improved method for visualizing classifier performance, Machine Learning
    65:95-130. Zou and Donner (2008), Statistics in Medicine 27:1693-1702, for the intervals.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.curves.cost_curve([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
    >>> curve.probability_cost.tolist(), curve.cost.round(4).tolist(), curve.thresholds.tolist()
    ([0.0, 0.5, 1.0], [0.0, 0.1667, 0.0], [0.8, 0.6, 0.6])
    """
    refuse_one_class(ranked.n_pos, ranked.n_neg, "a cost curve needs")
    if level is not None and not ranked.counts_rows:
        raise InputError("weights_summed", summed("an interval of a cost"))
    corners = ranked.hull_vertices
    found, alarms = (walk[corners] for walk in ranked.walked)
    first, last = int(np.flatnonzero(alarms == 0)[-1]), int(np.flatnonzero(found == ranked.n_pos)[0])
    corners, found, alarms = (each[first : last + 1] for each in (corners, found, alarms))
    missed = ranked.n_pos - found if ranked.exact else ranked.called_negative[0][corners]
    right, up = np.diff(alarms) * float(ranked.n_pos), np.diff(found) * float(ranked.n_neg)
    place = np.concatenate([[0.0], right / (right + up), [1.0]])
    at = np.append(np.arange(corners.size), corners.size - 1)
    rates = missed[at] / ranked.n_pos, alarms[at] / ranked.n_neg
    cost = rates[0] * place + rates[1] * (1 - place)
    counts = (missed[at], float(ranked.n_pos)), (alarms[at], float(ranked.n_neg))
    low, high = _ends(place, counts, level)
    sizes: dict[str, Any] = {"n_pos": ranked.n_pos, "n_neg": ranked.n_neg, "origin": ranked.origin}
    sizes["warnings"] = () if level is None else (Remark("cost_chosen"),)
    thresholds, area = ranked.thresholds_at(corners[at]), trapezoid_area(place, cost)
    return CostCurve(place, cost, low, high, thresholds, area, level, **sizes)


def _ends(place: Array, counts: tuple[tuple[Any, float], ...], level: float | None) -> tuple[Array, Array]:
    """Square and add: the reach of each rate, times its share of the cost."""
    if level is None:
        return np.full(place.size, np.nan), np.full(place.size, np.nan)
    check_level(level)
    cost, below, above = (np.zeros(place.size) for _ in range(3))
    for (hits, total), share in zip(counts, (place, 1 - place), strict=True):
        rate = np.asarray(hits, dtype=np.float64) / total
        low, high = bounds_of(rate * total, np.full(place.size, total), level, "wilson")
        cost += share * rate
        below += (share * (rate - low)) ** 2
        above += (share * (high - rate)) ** 2
    return np.maximum(cost - np.sqrt(below), 0.0), np.minimum(cost + np.sqrt(above), 1.0)
