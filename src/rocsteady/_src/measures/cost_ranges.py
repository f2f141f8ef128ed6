"""Which of several models is cheapest, as the price of a miss grows: the hull of all their ROC curves together."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from rocsteady._src.measures.curves import roc_hull

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocsteady._src.ranked import RankedScores

    Point = tuple[float, float, str | None]


TRACE = 1e-12  # edges that bend by rounding alone make no range


class CheapestRange(NamedTuple):
    """From ``low`` to ``high`` false alarms for a miss, ``model`` is cheapest; None where flagging all alike is.

    ``flags_all`` says which way, where no model is.
    """

    model: str | None
    low: float
    high: float
    flags_all: bool = False


def cheapest_by_price(ranked: Mapping[str, RankedScores], prevalence: float) -> list[CheapestRange]:
    """The cheapest model at every price of a miss in false alarms, each with its best threshold; O(n) after ranking.

    Costs of a threshold are prevalence * price * (1 - TPR) + (1 - prevalence) * FPR: lines of equal cost are straight
    in the ROC plane, so that only vertices of the common hull can be cheapest. Of models that share one the first is
    named.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y = [1, 1, 1, 0, 0, 0]
    >>> ranked = {"a": rs.rank(y, [6, 2, 1, 5, 4, 3]), "b": rs.rank(y, [5, 4, 3, 6, 2, 1])}
    >>> [(each.model, round(each.low, 9), round(each.high, 9)) for each in cheapest_by_price(ranked, 0.5)]
    [('a', 0.0, 0.5), ('b', 0.5, inf)]
    """
    corners = _common_hull(ranked)
    prices = [0.0]
    for (x, y, _), (right, up, _) in pairwise(corners):
        prices.append(_price(right - x, up - y, prevalence))
    prices.append(math.inf)
    found: list[CheapestRange] = []
    for place, (x, _, model) in enumerate(corners):
        low, high = prices[place], prices[place + 1]
        if not high > low * (1 + TRACE):
            continue
        if found and found[-1].model == model and model is not None:
            found[-1] = found[-1]._replace(high=high)
        else:
            found.append(CheapestRange(model, low, high, model is None and x > 0))
    return found


def _price(paid: float, gained: float, prevalence: float) -> float:
    """At this price both ends of an edge of the hull cost the same."""
    return paid * (1 - prevalence) / (gained * prevalence) if gained * prevalence > 0 else math.inf


def _common_hull(ranked: Mapping[str, RankedScores]) -> list[Point]:
    """Vertices from nobody to everybody, which belong to no model."""
    points: list[Point] = []
    for model, scores in ranked.items():
        hull = roc_hull(scores)
        corners = zip(hull.fpr.tolist(), hull.tpr.tolist(), strict=True)
        points += [(x, y, model) for x, y in corners if (x, y) not in ((0.0, 0.0), (1.0, 1.0))]
    hull_points: list[Point] = []
    inner = sorted(points, key=lambda point: (point[0], -point[1]))
    for point in [(0.0, 0.0, None), *inner, (1.0, 1.0, None)]:
        if hull_points and point[1] <= hull_points[-1][1]:
            continue  # no further up, but as far right or farther
        while len(hull_points) > 1 and not _turns_right(hull_points[-2], hull_points[-1], point):
            hull_points.pop()
        hull_points.append(point)
    return hull_points


def _turns_right(first: Point, middle: Point, last: Point) -> bool:
    """Whether the middle point lies above the line between the others, so that the hull bends there."""
    up = (middle[1] - first[1]) * (last[0] - first[0])
    return up > (last[1] - first[1]) * (middle[0] - first[0])
