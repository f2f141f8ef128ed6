"""The definition of the 2013 paper, as its worked example computes it: one window per item, areas in traversal order.

Kept for comparison. It is not monotone in delta, depends on the class ratio and on the order of tied rows, and is no
confidence band. Tied rows stay in the order in which they came; groups, which do not know it, are refused where a score
is shared by both classes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError
from rocsteady._src.base.geometry import trapezoid_area
from rocsteady._src.base.repeat_counts import repeat_by
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.measures.granularity.consistent import FloatTies, least_gap
from rocsteady._src.measures.pairwise.engine import points_of
from rocsteady._src.ranked import OrderedScores, sorted_distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

    Array = NDArray[Any]
    Polygon = tuple[Array, Array]

MOST_ROWS_FOR_EVERY_STEP = 200
STEPS_OTHERWISE = 2000
ORDER_LOST = Sentence(
    "definition 'dong2013' depends on the order of tied rows, which ranked scores do not "
    "keep, and here both classes share a score: pass labels and scores to low_auc, up_auc or "
    "granular_roc, or take {definition='consistent'}"
)


@dataclass(frozen=True)
class Windows:
    """Rows sorted by decreasing score, and the paper's curves for any delta."""

    positive: NDArray[np.bool_]
    scores: Array
    float_ties: FloatTies = "exact"
    order_known: bool = True

    @classmethod
    def of(cls, ranked: RankedScores, float_ties: FloatTies = "exact") -> Windows:
        """Rows of ranked scores, where classes tie in their own order."""
        if not ranked.exact:
            raise InputError("weights", "definition 'dong2013' counts items: it takes no fractional weights")
        tied = ((ranked.pos > 0) & (ranked.neg > 0)).any()
        if tied and isinstance(ranked, OrderedScores):
            positive, places = ranked.descending()
            return cls(positive, points_of(ranked)[places], float_ties)
        counts = np.stack([ranked.neg, ranked.pos], axis=1).ravel()
        flags, points = np.tile([False, True], ranked.scores.size), repeat_by(points_of(ranked).repeat(2), counts)
        return cls(repeat_by(flags, counts)[::-1], points[::-1], float_ties, order_known=not tied)

    @cached_property
    def auc(self) -> float:
        """Plain AUC."""
        tp, fp = np.cumsum(self.positive), np.cumsum(~self.positive)
        last = np.append(self.scores[1:] != self.scores[:-1], True)
        x, y = (np.concatenate([[0], walk[last]]) / walk[-1] for walk in (fp, tp))
        return trapezoid_area(x, y)

    def low(self, delta: float) -> float:
        """Area of the low polygon; the AUC at delta = 0."""
        return trapezoid_area(*self.curves(delta)[0]) if delta else self.auc

    def up(self, delta: float) -> float:
        """Area of the up polygon; the AUC at delta = 0."""
        return trapezoid_area(*self.curves(delta)[1]) if delta else self.auc

    def curves(self, delta: float) -> tuple[Polygon, Polygon]:
        """The low and the up polygon, each as (fpr, tpr) from (0, 0) to (1, 1) in traversal order."""
        if not self.order_known:
            raise InputError("rows_needed", ORDER_LOST)
        tp, fp = np.cumsum(self.positive), np.cumsum(~self.positive)
        n_pos, n_neg = tp[-1], fp[-1]
        before = self.items_before(delta)
        xp, xn = tp - np.concatenate([[0], tp])[before], fp - np.concatenate([[0], fp])[before]
        alone = before == np.arange(self.scores.size)
        low = _ratio(fp + xp, n_neg + xp), _ratio(tp - xp, n_pos - xp)
        up = _ratio(fp - xn, n_neg - xn), _ratio(tp + xn, n_pos + xn)
        plain = fp / n_neg, tp / n_pos
        return _polygon(alone, plain, low), _polygon(alone, plain, up)

    def items_before(self, delta: float) -> NDArray[np.int64]:
        """For each item the number of items whose score is at least its own plus delta."""
        wanted = self.scores + (least_gap(self.scores, delta) if self.float_ties == "exact" else delta)
        upwards = self.scores[::-1]
        found = self.scores.size - np.searchsorted(upwards, wanted, side="left")
        return np.minimum(found, self.scores.size - np.searchsorted(upwards, self.scores, side="right"))

    def rho(self, upper: float) -> float:
        """Root of mean(low/AUC) times mean(AUC/up): over every step of few rows, over many equal steps otherwise."""
        if self.scores.size <= MOST_ROWS_FOR_EVERY_STEP:
            gaps = np.abs(self.scores[:, None] - self.scores).ravel()
            edges = sorted_distinct(np.concatenate([[0.0], gaps[gaps < upper], [upper]]))[0]
        else:
            edges = np.linspace(0.0, upper, STEPS_OTHERWISE + 1)
        middles, widths = (edges[1:] + edges[:-1]) / 2, np.diff(edges) / upper
        mean_low = widths @ np.array([self.low(delta) for delta in middles]) / self.auc
        mean_up = widths @ np.array([self.auc / self.up(delta) for delta in middles])
        return math.sqrt(mean_low * mean_up)


def _polygon(alone: Array, plain: Polygon, other: Polygon) -> Polygon:
    x, y = (np.concatenate([[0.0], np.where(alone, p, o), [1.0]]) for p, o in zip(plain, other, strict=True))
    return x, y


def _ratio(part: Array, whole: Array) -> Array:
    return np.divide(part, whole, out=np.zeros(part.size), where=whole != 0)
