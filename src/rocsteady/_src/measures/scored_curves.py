"""Curves of the score-aware variants; their areas are the measures of the same name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number, refuse_one_class
from rocsteady._src.base.geometry import trapezoid_area
from rocsteady._src.measures.granularity.consistent import EPSILON, TIE_ULPS
from rocsteady._src.measures.pairwise.engine import sides
from rocsteady._src.measures.scored import prob_auc, score_range, scored_auc
from rocsteady._src.ranked import sorted_distinct
from rocsteady._src.ranked.takes_ranked import takes_ranked
from rocsteady._src.results import ProbRocCurve, ScoredCurve

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

FEW_PAIRS = 100_000


@takes_ranked
def prob_roc(ranked: RankedScores) -> ProbRocCurve:
    """ROC curve whose area is ``prob_auc``: positives count by their score, not by their rank.

    The negatives' scores are set against positives that are each spread evenly over [p - 1, p + 1], so
    TPR(t) = mean of clip((p - t + 1) / 2, 0, 1). The sources name this curve without a construction; this one is ours.
    O(distinct scores).

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`. Scores must lie in [0, 1].

    Returns
    -------
    ProbRocCurve

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.prob_roc([1, 1, 0, 0], [0.9, 0.7, 0.4, 0.2])
    >>> round(curve.area, 6), round(rs.prob_auc([1, 1, 0, 0], [0.9, 0.7, 0.4, 0.2]), 6)
    (0.75, 0.75)
    """
    refuse_one_class(ranked.n_pos, ranked.n_neg, "this curve compares classes and needs")
    prob_auc.sheet.compute(ranked)  # refuses scores that are no probabilities
    scores = ranked.doubles[::-1]
    has_negatives = ranked.neg[::-1] > 0
    steps = scores[has_negatives]
    height = (min(1.0, scores @ ranked.pos[::-1] / ranked.n_pos) + (1 - steps)) / 2
    reached = ranked.called_positive[1][1:][has_negatives] / ranked.n_neg
    fpr = np.concatenate([[0.0, 0.0], np.repeat(reached, 2)])
    tpr = np.concatenate([[0.0], np.repeat(height, 2), [1.0]])
    thresholds = np.concatenate([[np.inf], np.repeat(steps, 2), [-np.inf]])
    return ProbRocCurve(fpr, tpr, thresholds, trapezoid_area(fpr, tpr), ranked.n_pos, ranked.n_neg, ranked.origin)


@takes_ranked
def scored_roc(ranked: RankedScores, *, grid: int = 200) -> ScoredCurve:
    """How fast the share of won pairs falls when all positives are lowered by tau; its area is ``scored_auc``.

    y(tau) = share of pairs with p - tau > n, over tau in [0, R]. With few pairs every step is in the curve, and the
    area is theirs. With many, y is exact at ``grid`` + 1 equally spaced tau, ``exact`` is False, and ``area`` comes
    from ``scored_auc``. O(grid n).

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`. Scores must be finite.
    grid : int
        Number of intervals when there are too many pairs for every step.

    Returns
    -------
    ScoredCurve

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.scored_roc([1, 1, 0, 0], [0.75, 0.5, 0.5, 0.25])
    >>> curve.tau.tolist(), curve.share.tolist(), curve.area
    ([0.0, 0.25, 0.25, 0.5, 0.5], [0.75, 0.75, 0.25, 0.25, 0.0], 0.25)
    """
    refuse_one_class(ranked.n_pos, ranked.n_neg, "this curve compares classes and needs")
    if not is_number(grid) or grid < 1:
        raise ArgumentError("grid", f"grid must be at least 1, got {grid!r}")
    area = float(scored_auc.sheet.compute(ranked))
    (p, p_weights), (n, n_weights) = sides(ranked)
    width = score_range(ranked)
    exact = p.size * n.size <= FEW_PAIRS
    if exact:
        tau, share = _every_step(p[:, None] - n, p_weights[:, None] * n_weights, width)
        area = trapezoid_area(tau, share)
    else:
        tau = np.linspace(0.0, width, grid + 1)
        share = np.array([_won(p, p_weights, n, n_weights, lowered) for lowered in tau])
    return ScoredCurve(tau, share, area, exact, ranked.n_pos, ranked.n_neg, ranked.origin)


def _every_step(gaps: Any, weights: Any, width: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Vertices of the staircase: it falls by the weight of the pairs whose gap is passed."""
    won = gaps > 0
    steps, place = sorted_distinct(gaps[won])
    fall = np.bincount(place, weights[won], minlength=steps.size) / weights.sum()
    left = np.concatenate([np.cumsum(fall[::-1])[::-1], [0.0]])
    tau = np.concatenate([[0.0], np.repeat(steps, 2)])
    share = np.repeat(left, 2)[:-1]
    if tau[-1] < width:
        tau, share = np.append(tau, width), np.append(share, 0.0)
    return tau, share


def _won(p: Any, p_weights: Any, n: Any, n_weights: Any, lowered: float) -> float:
    until = np.concatenate([[0.0], np.cumsum(n_weights)])
    slack = TIE_ULPS * EPSILON * (np.abs(p) + lowered) if lowered else 0.0  # a gap of tau but for rounding is passed
    below = until[np.searchsorted(n, p - lowered - slack, side="left")]
    return float(p_weights @ below / (p_weights.sum() * until[-1]))
