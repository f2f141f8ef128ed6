"""AUC variants that look at how far apart the scores are, not only at their order. All are labelled emerging.

Notation: d = p - n over all positive-negative pairs, R = range of all scores, W = lowest positive - highest negative.
Each is defined over all P*N pairs and computed in O(n log n); ``exact=True`` takes every pair, for checking.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number, refuse_outside
from rocsteady._src.base.exact import exact_dot, exact_wins_twice
from rocsteady._src.measures.pairwise.engine import pair_mean, points_of
from rocsteady._src.measures.pairwise.kernels import Logistic, Power, Ramp, Step
from rocsteady._src.measures.registry import WITHIN_CLASSES, measure
from rocsteady._src.ranked import RankedScores
from rocsteady._src.results import Bounded

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNBOUNDED = float("inf")
LEAST_EXPONENT = -1022
ANY_SHIFT = ("order", "merge", "weights=repeats", "shift")

score_aware = partial(
    measure,
    family="score-aware",
    better="higher",
    undefined_when=("single_class",),
    needs_finite=True,
    emerging=True,
    resampling=WITHIN_CLASSES,
    ends="student",
)


@score_aware(
    label="probAUC",
    bounds=(0, 1),
    chance=0.5,
    label_swap="1-x",
    invariances=ANY_SHIFT,
    reference="Ferri et al. 2005",
)
def prob_auc(ranked: RankedScores) -> float:
    """Mean of the positives' mean score and one minus the negatives': (mean(p) + mean(1 - n)) / 2.

    Scores must lie in [0, 1]. Order plays no part, and neither does a constant added to all scores, as long as they
    stay there: it is (1 + the mean difference) / 2. Equal to ``mm12_auc`` by algebra. O(n).

    Examples
    --------
    >>> import rocsteady as rs
    >>> round(rs.prob_auc([1, 1, 0, 0], [0.9, 0.7, 0.4, 0.2]), 6)
    0.75
    """
    scores = ranked.scores
    refuse_outside(scores[0], scores[-1], "prob_auc needs scores in [0, 1]", "mm12_auc takes any scores")
    scores = ranked.doubles
    return min(1.0, (_mean(scores, ranked.pos, ranked.n_pos) + _mean(1 - scores, ranked.neg, ranked.n_neg)) / 2)


@score_aware(
    label="scorAUC",
    bounds=(0, UNBOUNDED),
    invariances=ANY_SHIFT,
    reference="Wu and Flach 2005",
)
def scored_auc(ranked: RankedScores, *, exact: bool = False) -> float:
    """Mean of max(d, 0): how far on average the positive lies above the negative, wrong and tied pairs counting 0.

    Grows with the scale of the scores: doubling them doubles it. 0 when no pair is won.

    Examples
    --------
    >>> import rocsteady as rs
    >>> value = rs.scored_auc([1, 1, 0, 0], [0.9, 0.3, 0.4, 0.2])
    >>> round(value, 6), value.method
    (0.325, 'all pairs')
    """
    return pair_mean(ranked, Ramp(), exact=exact)


@score_aware(
    label="sondAUC",
    bounds=(0, UNBOUNDED),
    invariances=ANY_SHIFT,
    reference="softened scored AUC",
)
def softened_auc(ranked: RankedScores, *, q: float = 1 / 7, exact: bool = False) -> float:
    """Mean of d**q over pairs with d > 0, else 0: q = 1 is ``scored_auc``, q towards 0 counts won pairs.

    q = 0 is AUC itself, as its source has it; a tied pair then counts 1/2, for any q above 0 it counts 0. With q above
    4 every pair is taken, as with ``exact=True``.

    Parameters
    ----------
    q : float
        Power of the differences of won pairs, 0 or more; 1/7 unless given.

    Examples
    --------
    >>> import rocsteady as rs
    >>> round(rs.softened_auc([1, 1, 0, 0], [0.9, 0.3, 0.4, 0.2], q=0.5), 6)
    0.464999
    """
    if not (is_number(q) and 0 <= q < UNBOUNDED):
        raise ArgumentError("q", f"q must be at least 0 and finite, got {q!r}")
    kernels: dict[float, Any] = {0: Step(), 1: Ramp()}
    return pair_mean(ranked, kernels.get(q) or Power(q), exact=exact)


@score_aware(
    label="softAUC",
    bounds=(0, 1),
    chance=0.5,
    label_swap="1-x",
    invariances=ANY_SHIFT,
    reference="Calders and Jaroszewicz 2007",
)
def soft_auc(ranked: RankedScores, *, beta: float = 7.0, exact: bool = False) -> float:
    """Mean of 1 / (1 + exp(-beta d)): a step with soft edges. Large beta tends to AUC, small beta to 1/2.

    Parameters
    ----------
    beta : float
        Steepness of the step, above 0, per unit of the scores; 7 unless given.

    Examples
    --------
    >>> import rocsteady as rs
    >>> round(rs.soft_auc([1, 1, 0, 0], [0.9, 0.3, 0.4, 0.2]), 6)
    0.740824
    """
    if not (is_number(beta) and 0 < beta < UNBOUNDED):
        raise ArgumentError("beta", f"beta must be above 0 and finite, got {beta!r}")
    return _at_most_one(pair_mean(ranked, Logistic(beta), exact=exact))


@score_aware(label="mm1AUC", bounds=(0, 1), invariances=(*ANY_SHIFT, "scale"), by_range=True)
def mm1_auc(ranked: RankedScores, *, exact: bool = False) -> float:
    """Mean of max(d, 0) / R: scored AUC on scores stretched to a range of 1. 0 when all scores are equal.

    Examples
    --------
    >>> import rocsteady as rs
    >>> round(rs.mm1_auc([1, 1, 0, 0], [0.9, 0.3, 0.4, 0.2]), 6)
    0.464286
    """
    scaled = _near_unit_range(ranked)
    width = score_range(scaled)
    return _at_most_one(_divided(pair_mean(scaled, Ramp(), exact=exact), width)) if width else _zero()


@score_aware(label="mm4AUC", bounds=(0, 1), invariances=(*ANY_SHIFT, "scale"), by_range=True)
def mm4_auc(ranked: RankedScores, *, floor: float = 0.5, exact: bool = False) -> float:
    """Mean of max(d/R, floor) over pairs with d > 0, else 0: a won pair is worth at least ``floor``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> round(rs.mm4_auc([1, 1, 0, 0], [0.9, 0.3, 0.4, 0.2]), 6)
    0.553571
    """
    if not (is_number(floor) and 0 <= floor <= 1):
        raise ArgumentError("floor", f"floor must lie in [0, 1], got {floor!r}")
    scaled = _near_unit_range(ranked)
    width = score_range(scaled)
    if not width:
        return _zero()
    beyond = _divided(pair_mean(scaled, Ramp(floor * width), exact=exact), width)
    won = floor * won_share(ranked)
    error = beyond.error_bound + 1e-15 * (won + beyond)
    return _at_most_one(Bounded(won + beyond, error_bound=error, method=beyond.method))


@score_aware(label="mm6AUC", bounds=(0, UNBOUNDED), invariances=ANY_SHIFT, by_range=True)
def mm6_auc(
    ranked: RankedScores, *, m: float = 9 / 10, n: float = 1 / 100, floor: float = 0.5, exact: bool = False
) -> float:
    """``mm4_auc**m`` times ``W**n`` where W > 0: a margin between the classes is rewarded.

    Chapter 4 of the source uses n = 1/16, chapter 5 n = 1/100.

    Parameters
    ----------
    m : float
        Power of ``mm4_auc``, above 0; 9/10 unless given.
    n : float
        Power of the margin W, 0 or more; 1/100 unless given, and 0 leaves the margin out.

    Examples
    --------
    >>> import rocsteady as rs
    >>> round(rs.mm6_auc([1, 1, 0, 0], [0.9, 0.7, 0.4, 0.2]), 6)
    0.74629
    """
    _check_exponents(m, n)
    base = mm4_auc.sheet.formula(ranked, floor=floor, exact=exact)
    margin = score_margin(ranked)
    return float(base**m * (margin**n if margin > 0 else 1.0)) if base else 0.0


@score_aware(label="mm7AUC", bounds=(0, UNBOUNDED), invariances=ANY_SHIFT, by_range=True)
def mm7_auc(
    ranked: RankedScores, *, m: float = 9 / 10, n: float = 1 / 100, floor: float = 0.5, exact: bool = False
) -> float:
    """``mm6_auc``, with its ``m`` and ``n``, times the share of pairs with d > 0.

    Parameters
    ----------
    m, n : float
        As in :func:`rocsteady.mm6_auc`.

    Examples
    --------
    >>> import rocsteady as rs
    >>> round(rs.mm7_auc([1, 1, 0, 0], [0.9, 0.3, 0.4, 0.2]), 6)
    0.440471
    """
    return mm6_auc.sheet.formula(ranked, m=m, n=n, floor=floor, exact=exact) * won_share(ranked)


@score_aware(label="mm11AUC", bounds=(-UNBOUNDED, UNBOUNDED), chance=0.0, label_swap="-x", invariances=ANY_SHIFT)
def mm11_auc(ranked: RankedScores) -> float:
    """Mean of d: the mean positive minus the mean negative score, in [-1, 1] for scores in [0, 1]. O(n).

    Also known as the discrimination slope.

    Examples
    --------
    >>> import rocsteady as rs
    >>> round(rs.mm11_auc([1, 1, 0, 0], [0.9, 0.3, 0.4, 0.2]), 6)
    0.3
    """
    return float(_mean_difference(ranked))


@score_aware(label="mm12AUC", bounds=(-UNBOUNDED, UNBOUNDED), chance=0.5, label_swap="1-x", invariances=ANY_SHIFT)
def mm12_auc(ranked: RankedScores) -> float:
    """(``mm11_auc`` + 1) / 2, in [0, 1] for scores in [0, 1], where it equals ``prob_auc``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> round(rs.mm12_auc([1, 1, 0, 0], [0.9, 0.3, 0.4, 0.2]), 6)
    0.65
    """
    return float((1 + _mean_difference(ranked)) / 2)


def score_range(ranked: RankedScores) -> float:
    """R: highest minus lowest score."""
    points = points_of(ranked)
    return float(points[-1] - points[0])


def score_margin(ranked: RankedScores) -> float:
    """W: lowest positive minus highest negative score."""
    points = points_of(ranked)
    (lowest, _), (_, highest) = ends_of_classes(ranked)
    return float(points[lowest] - points[highest])


def ends_of_classes(ranked: RankedScores) -> tuple[tuple[int, int], tuple[int, int]]:
    """The lowest and the highest group that holds positives, and that of negatives."""
    pos, neg = ((int(held.argmax()), held.size - 1 - int(held[::-1].argmax())) for held in map(_held, ranked.steps))
    return pos, neg


def _held(steps: NDArray[Any]) -> NDArray[np.bool_]:
    """Which groups hold rows of a class."""
    return steps if steps.dtype.kind == "b" else np.greater(steps, 0)


def won_share(ranked: RankedScores) -> float:
    """Share of pairs with d > 0, ties not counted; exact."""
    pairs = ranked.n_pos * ranked.n_neg
    if not ranked.exact:
        return float(exact_dot(ranked.pos, ranked.neg_below) / pairs)
    won_twice = exact_wins_twice(ranked.pos, ranked.neg, most=pairs) - exact_dot(ranked.pos, ranked.neg)
    return float(won_twice / (2 * pairs))


def _mean(values: NDArray[Any], weights: NDArray[Any], total: float) -> float:
    return float(values.astype(np.float64) @ weights / total)


def _near_unit_range(ranked: RankedScores) -> RankedScores:
    """The same ranked scores times a power of two: measures without a scale then meet neither huge nor tiny numbers."""
    points = points_of(ranked)
    exponent = max(math.frexp(points[-1] - points[0])[1], LEAST_EXPONENT)
    return RankedScores.trusted(points * math.ldexp(1.0, -exponent), ranked.pos, ranked.neg, ranked.origin)


def _mean_difference(ranked: RankedScores) -> float:
    """Mean score of the positives minus that of the negatives, both counted from the median negative.

    The scores are then no larger on average than a few times the mean of |d|, however far a light one may lie out.
    """
    points = points_of(ranked)
    centred = points - points[np.searchsorted(ranked.neg_through, ranked.n_neg / 2)]
    return float(centred @ (ranked.pos / ranked.n_pos - ranked.neg / ranked.n_neg))


def _divided(value: Bounded, divisor: float) -> Bounded:
    return Bounded(value / divisor, error_bound=value.error_bound / divisor, method=value.method)


def _at_most_one(value: Bounded) -> Bounded:
    """Means of shares pass 1 by rounding only."""
    return Bounded(min(value, 1.0), error_bound=value.error_bound, method=value.method)


def _zero() -> Bounded:
    return Bounded(0.0, error_bound=0.0, method="all scores are equal")


def _check_exponents(m: float, n: float) -> None:
    if not (is_number(m) and is_number(n) and 0 < m < UNBOUNDED and 0 <= n < UNBOUNDED):
        raise ArgumentError("exponents", f"m must be above 0 and n at least 0, both finite, got {m!r} and {n!r}")
