"""Granular ROC curves, the profile over delta, and AUC of interval-valued predictions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, RocsteadyWarning, is_number, refuse_one_class, warn
from rocsteady._src.base.exact import exact_dot
from rocsteady._src.base.geometry import trapezoid_area
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.measures.curves import roc_curve
from rocsteady._src.measures.granular import Definition, areas_of
from rocsteady._src.measures.granularity.consistent import FloatTies, Shifter
from rocsteady._src.measures.granularity.deltas import is_width, resolve_delta
from rocsteady._src.measures.granularity.dong import Windows
from rocsteady._src.measures.scored import score_range
from rocsteady._src.ranked import RankedScores, rank_in_order, read_rows, sorted_distinct
from rocsteady._src.ranked.takes_ranked import takes_ranked
from rocsteady._src.results import GranularityProfile, GranularRoc, IntervalAuc, RocCurve
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from rocsteady._src.inputs.clean import Missing

FEW_PAIRS = 20_000


@typed
def granular_roc(
    y_true: object,
    y_score: object = None,
    *,
    delta: Any,
    definition: Definition = "consistent",
    float_ties: FloatTies = "exact",
    sample_weight: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> GranularRoc:
    """ROC curve with its granular band: how much of it rests on score gaps smaller than delta?

    Parameters
    ----------
    y_true, y_score : array-like
        Labels and finite scores, or ranked scores alone.
    delta : float, "rounding" or "near"
        Scores closer than this cannot be told apart. "rounding" takes the decimal step of the scores, "near" a few
        units in the last place of the largest.
    definition : {"consistent", "dong2013"}
        "consistent": all positives are lowered (raised) by delta; low = share of pairs with d >= delta, up = share with
        d > -delta; monotone in delta and free of row order. "dong2013": the paper's windows, kept for comparison; the
        result carries a warning. Tied rows keep their order in it, a row of weight w being w rows; ranked scores, which
        do not know their rows, are refused where both classes share a score.
    float_ties : {"exact", "ieee"}
        Whether differences within a few ulp of delta equal it, as decimal scores mean them, or are compared literally.
    sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`; "dong2013" takes no fractional weights.

    Returns
    -------
    GranularRoc

    Examples
    --------
    >>> import rocsteady as rs
    >>> print(rs.granular_roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.79, 0.6, 0.59, 0.1], delta=0.05))
    AUC 0.888889 [0.666667, 0.888889] when gaps below 0.05 are not told apart
    """
    ranked = rank_in_order(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label, missing=missing)
    check_granular(ranked)
    step = resolve_delta(ranked, delta)
    areas = areas_of(ranked, definition, float_ties)
    low, up = _plain_twice(ranked) if step == 0 else _curves(ranked, areas, step)
    told = (Remark("dong2013"),) if definition == "dong2013" else ()
    for remark in told:
        warn(RocsteadyWarning(remark.code, remark))
    return GranularRoc(
        low=low,
        up=up,
        roc=roc_curve(ranked),
        low_auc=low.area,
        up_auc=up.area,
        auc=areas.auc,
        delta=step,
        definition=definition,
        lambda_auc=low.area / up.area * areas.auc if up.area else float("nan"),
        **facts_of(ranked),
        warnings=told,
    )


@partial(takes_ranked, ranker=rank_in_order)
def granularity_profile(
    ranked: RankedScores,
    *,
    upper: float | None = None,
    grid: int = 200,
    definition: Definition = "consistent",
    float_ties: FloatTies = "exact",
) -> GranularityProfile:
    """low/AUC and AUC/up as delta grows from 0 to ``upper``.

    With few pairs every step is listed: both ratios keep their value from just above one delta up to the next one.
    With many, they are exact on a grid, and since both fall with delta every value in between lies between its
    neighbours. The paper's definition is not monotone: it is taken on the grid, and nothing is known in between. O(n)
    per delta.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`.
    upper : float, optional
        The largest delta; the range of the scores unless given.
    grid : int
        Number of intervals when there are too many pairs for every step.
    definition, float_ties
        As in :func:`rocsteady.granular_roc`.

    Returns
    -------
    GranularityProfile

    Examples
    --------
    >>> import rocsteady as rs
    >>> profile = rs.curves.granularity_profile([1, 1, 0, 0], [0.75, 0.5, 0.5, 0.25])
    >>> profile.delta.tolist(), profile.low_over_auc.round(3).tolist()
    ([0.0, 0.25, 0.5], [1.0, 0.857, 0.286])
    """
    check_granular(ranked)
    areas = areas_of(ranked, definition, float_ties)
    if areas.auc == 0:
        raise InputError("auc_zero", "the AUC is 0, so shares of it are undefined")
    limit = score_range(ranked) if upper is None else upper
    if not is_width(limit) or not is_number(grid) or grid < 1:
        text = f"upper must be a number >= 0 and grid at least 1, got {upper!r} and {grid!r}"
        raise ArgumentError("upper", text)
    steps = _every_step(areas, limit) if isinstance(areas, Shifter) else None
    delta = np.linspace(0.0, limit, grid + 1) if steps is None else steps
    low = np.array([areas.low(step) for step in delta]) / areas.auc
    up = areas.auc / np.array([areas.up(step) for step in delta])
    facts = facts_of(ranked)
    told = (Remark("dong2013"),) if definition == "dong2013" else ()
    return GranularityProfile(
        delta, low, up, steps is not None, areas.auc, **facts, definition=definition, warnings=told
    )


def _every_step(shifter: Shifter, limit: float) -> Any:
    """All gaps between the classes up to a limit, or None where there are too many pairs."""
    points, _, others, _ = shifter.sides
    if points.size * others.size > FEW_PAIRS:
        return None
    gaps = np.abs(points[:, None] - others).ravel()
    return sorted_distinct(np.concatenate([[0.0], gaps[gaps <= limit], [limit]]))[0]


@typed
def interval_auc(
    y_true: object,
    lower: object,
    upper: object,
    *,
    half_open: bool = False,
    sample_weight: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> IntervalAuc:
    """AUC of predictions that come as intervals, from an ensemble, a bootstrap or a conformal method.

    A pair is certainly right when the positive's interval lies above the negative's, certainly wrong when it lies
    below, and undecided when they overlap: AUC_L = share with a+ > b-, AUC_U = share with b+ > a-. O(n log n).

    Parameters
    ----------
    y_true : array-like
        Labels.
    lower, upper : array-like
        Ends of the intervals, lower <= upper.
    half_open : bool
        Intervals [a, b), which decide when they touch: AUC_L = share with a+ >= b-. At equal width delta they give the
        consistent granular ROC. Two of width 0 at the same place stay undecided.
    sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`.

    Returns
    -------
    IntervalAuc

    Examples
    --------
    >>> import rocsteady as rs
    >>> print(rs.interval_auc([1, 1, 0, 0], lower=[0.7, 0.3, 0.2, 0.1], upper=[0.9, 0.6, 0.4, 0.2]))
    AUC between 0.75 and 1: 75.00% of the pairs certainly right, 0.00% certainly wrong, 25.00% undecided
    """
    table = {"y_true": y_true, "lower": lower, "upper": upper, "sample_weight": sample_weight}
    weight = None if sample_weight is None else "sample_weight"
    how: dict[str, Any] = {"weight": weight, "pos_label": pos_label, "missing": missing}
    rows = read_rows(table, label="y_true", scores=("lower", "upper"), **how)
    low, high = rows.clean("lower"), rows.clean("upper")
    wrong = np.flatnonzero(low.scores > high.scores)
    if wrong.size:
        raise InputError(
            "interval_ends", f"{format_count(wrong.size)} intervals have lower > upper, first in row {wrong[0]}"
        )
    positive = low.positive
    ranked_low, ranked_high = rows.ranked
    check_granular(ranked_low)
    check_granular(ranked_high)
    weights = np.ones(positive.size, dtype=np.int64) if low.weights is None else low.weights
    a, b = low.scores, high.scores
    pairs = ranked_low.n_pos * ranked_low.n_neg
    right = _won(positive, weights, a, b, "right" if half_open else "left")
    not_wrong = _won(positive, weights, b, a, "left")
    if half_open and (empty := a == b).any():
        points = positive[empty], weights[empty], a[empty], b[empty]
        tied = _won(*points, "right") - _won(*points, "left")
        right, not_wrong = right - tied, not_wrong + tied
    certain = min(right / pairs, 1.0)
    possible = min(max(not_wrong / pairs, certain), 1.0)
    return IntervalAuc(
        auc_low=certain,
        auc_up=possible,
        certain_right=certain,
        certain_wrong=1 - possible,
        undecided=possible - certain,
        **facts_of(ranked_low),
    )


def _won(positive: Any, weights: Any, of_positives: Any, of_negatives: Any, side: Any) -> Any:
    """Weight of the pairs whose end of the positive lies above that of the negative, or for side "right" at it."""
    points, place = sorted_distinct(of_negatives[~positive])
    counts = np.bincount(place, weights[~positive], minlength=points.size).astype(weights.dtype)
    until = np.concatenate([np.zeros(1, dtype=counts.dtype), np.cumsum(counts)])
    return exact_dot(weights[positive], until[np.searchsorted(points, of_positives[positive], side=side)])


def _curves(ranked: RankedScores, areas: Any, delta: float) -> tuple[RocCurve, RocCurve]:
    if isinstance(areas, Windows):
        return tuple(_polygon(ranked, *polygon) for polygon in areas.curves(delta))  # type: ignore[return-value]
    return _shifted_roc(areas, -delta), _shifted_roc(areas, delta)


def _shifted_roc(shifter: Shifter, shift: float) -> RocCurve:
    """Staircase over the positives, from the highest: right to the negatives above it, then up."""
    ranked, points = shifter.ranked, shifter.sides[0]
    total, climbed, won = shifter.neg_until[-1], shifter.climbed, shifter.won(shift)
    fpr = np.concatenate([[0.0], np.repeat((total - won[::-1]) / total, 2), [1.0]])
    tpr = np.concatenate([[0.0], np.repeat(climbed / climbed[-1], 2)[1:-1], [1.0]])
    thresholds = np.concatenate([[np.inf], np.repeat((points + shift)[::-1], 2), [-np.inf]])
    return RocCurve(fpr, tpr, thresholds, shifter.share_of(won), ranked.n_pos, ranked.n_neg, ranked.origin)


def _polygon(ranked: RankedScores, fpr: Any, tpr: Any) -> RocCurve:
    unknown = np.full(fpr.size, np.nan)
    return RocCurve(fpr, tpr, unknown, trapezoid_area(fpr, tpr), ranked.n_pos, ranked.n_neg, ranked.origin)


def _plain_twice(ranked: RankedScores) -> tuple[RocCurve, RocCurve]:
    plain = roc_curve(ranked)
    return plain, plain


def check_granular(ranked: RankedScores) -> None:
    """Refuse scores that have no gaps between the classes, or infinite ones."""
    refuse_one_class(ranked.n_pos, ranked.n_neg, "granularity compares classes and needs")
    if ranked.has_infinite_scores:
        raise InputError("infinite_scores", "granularity needs finite scores; drop the rows with infinite ones")
