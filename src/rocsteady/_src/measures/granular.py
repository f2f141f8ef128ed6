"""Measures of what is left of an AUC when scores closer than delta cannot be told apart. All are labelled emerging."""

from __future__ import annotations

import math
from functools import partial
from typing import Any, Literal

import numpy as np

from rocsteady._src.base.errors import ArgumentError, Undefined
from rocsteady._src.measures.granularity.bracket import mean_auc_over_up
from rocsteady._src.measures.granularity.consistent import FloatTies, Shifter
from rocsteady._src.measures.granularity.deltas import is_width, resolve_delta
from rocsteady._src.measures.granularity.dong import Windows
from rocsteady._src.measures.pairwise import Ramp, pair_mean
from rocsteady._src.measures.registry import WITHIN_CLASSES, measure
from rocsteady._src.measures.scored import ANY_SHIFT, score_range, won_share
from rocsteady._src.ranked import RankedScores, rank_in_order
from rocsteady._src.results import Bounded

NEAR_ZERO = 2.0**-500  # sums and parts of numbers below lose digits; those above stay far from it

Definition = Literal["consistent", "dong2013"]

granular = partial(
    measure,
    family="granular",
    better="higher",
    bounds=(0, 1),
    invariances=ANY_SHIFT,
    undefined_when=("single_class",),
    needs_finite=True,
    emerging=True,
    resampling=WITHIN_CLASSES,
    ends="student",
    ranker=rank_in_order,
    reference="gROC, Dong et al. 2013; definition 'consistent'",
)


@granular(label="lowAUC")
def low_auc(
    ranked: RankedScores, *, delta: Any = 0.0, definition: Definition = "consistent", float_ties: FloatTies = "exact"
) -> float:
    """Share of pairs in which the positive leads by at least delta; at delta = 0 the AUC.

    The area under the ROC curve after lowering all positives by delta. Falls as delta grows. O(n) once ranked.
    ``definition="dong2013"`` takes tied rows in the order in which they come, as ``granular_roc`` does.

    Parameters
    ----------
    delta : float, "rounding" or "near"
        Scores closer than this cannot be told apart; 0 or more. The words are those of :func:`rocsteady.granular_roc`.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.low_auc([1, 1, 0, 0], [0.9, 0.45, 0.4, 0.1], delta=0.1)
    0.75
    """
    return float(areas_of(ranked, definition, float_ties).low(resolve_delta(ranked, delta)))


@granular(label="upAUC")
def up_auc(
    ranked: RankedScores, *, delta: Any = 0.0, definition: Definition = "consistent", float_ties: FloatTies = "exact"
) -> float:
    """Share of pairs in which the positive is not behind by delta or more; at delta = 0 the AUC.

    The area under the ROC curve after raising all positives by delta. Grows with delta. O(n) once ranked.

    Parameters
    ----------
    delta : float, "rounding" or "near"
        Scores closer than this cannot be told apart; 0 or more. The words are those of :func:`rocsteady.granular_roc`.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.up_auc([1, 1, 0, 0], [0.9, 0.35, 0.4, 0.1], delta=0.1)
    1.0
    """
    return float(areas_of(ranked, definition, float_ties).up(resolve_delta(ranked, delta)))


@granular(label="lambdaAUC")
def lambda_auc(
    ranked: RankedScores, *, delta: Any = 0.0, definition: Definition = "consistent", float_ties: FloatTies = "exact"
) -> float:
    """AUC times low/up: discounted by how much of it rests on gaps smaller than delta.

    Undefined where up is 0, which needs every positive to be behind every negative by delta or more.

    Parameters
    ----------
    delta : float, "rounding" or "near"
        Scores closer than this cannot be told apart; 0 or more. The words are those of :func:`rocsteady.granular_roc`.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.lambda_auc([1, 1, 0, 0], [0.9, 0.45, 0.4, 0.1], delta=0.1)
    0.75
    """
    areas, step = areas_of(ranked, definition, float_ties), resolve_delta(ranked, delta)
    up = areas.up(step)
    return areas.low(step) / up * areas.auc if up else Undefined("zero_division")


@granular(label="rhoAUC")
def rho_auc(
    ranked: RankedScores, *, upper: float | str = 1.0, definition: Definition = "consistent", tolerance: float = 1e-6
) -> float:
    """AUC times rho, the root of mean(low/AUC) times mean(AUC/up) over delta in [0, upper].

    The first mean is exact. The second lies between two bounds that hold; the value is the middle, and ``error_bound``
    reaches both. With few pairs it is exact. O(n log n) per step of the bracket, about a hundred steps.

    Parameters
    ----------
    upper : float or "range"
        The largest delta, above 0: 1 as in the paper unless given, or "range" for the range of the scores.
    tolerance : float
        ``error_bound`` is at most half of it, as far as rounding allows; above 0. "dong2013" does not use it.

    Examples
    --------
    >>> import rocsteady as rs
    >>> value = rs.rho_auc([1, 1, 0, 0], [0.9, 0.45, 0.4, 0.1])
    >>> round(value, 6), value.error_bound < 1e-12
    (0.65192, True)
    """
    limit: Any = score_range(ranked) if upper == "range" else upper
    if limit == 0 and upper == "range":
        return Undefined("zero_division")
    if not is_width(limit) or limit == 0 or not tolerance > 0:
        text = f"upper must be a number above 0 or 'range', and tolerance above 0; got {upper!r} and {tolerance!r}"
        raise ArgumentError("upper", text)
    ranked, limit = _lifted(ranked, limit)
    areas = areas_of(ranked, definition, "exact")
    if areas.auc == 0:
        return Undefined("zero_division")
    if isinstance(areas, Windows):
        return areas.auc * areas.rho(limit)
    return _bracketed_rho_auc(ranked, areas, limit, tolerance)


def _lifted(ranked: RankedScores, limit: float) -> tuple[RankedScores, float]:
    """Scores and limit next to 0, where parts lose digits, multiplied by a power of two, which changes no area."""
    scores = ranked.scores
    if scores.dtype != np.float64 or not scores.size or max(limit, -scores[0], scores[-1]) >= NEAR_ZERO:
        return ranked, limit
    return RankedScores.trusted(scores / NEAR_ZERO, ranked.pos, ranked.neg, ranked.origin), limit / NEAR_ZERO


def _bracketed_rho_auc(ranked: RankedScores, areas: Shifter, limit: float, tolerance: float) -> Bounded:
    shares = zip(_mean_low(ranked, limit), mean_auc_over_up(areas, limit, tolerance), strict=True)
    low, high = (math.sqrt(areas.auc * mean_low * auc_over_up) for mean_low, auc_over_up in shares)
    return Bounded((low + high) / 2, error_bound=(high - low) / 2 + high * 1e-14, method="bracket")


def _mean_low(ranked: RankedScores, limit: float) -> tuple[float, float]:
    """Bounds of the mean of low over [0, limit]: a difference of two ramps, which cancel where limit is small.

    There the ends help: low falls from the share of won pairs to low(limit).
    """
    whole, beyond = pair_mean(ranked, Ramp()), pair_mean(ranked, Ramp(limit))
    unsure = whole.error_bound + beyond.error_bound
    least, most = Shifter(ranked, "ieee").low(limit), won_share(ranked)
    lower, upper = max((whole - beyond - unsure) / limit, least), min((whole - beyond + unsure) / limit, most)
    return min(lower, upper), max(lower, upper)


def areas_of(ranked: RankedScores, definition: str, float_ties: str) -> Any:
    """Low and up areas by either definition."""
    if float_ties not in ("exact", "ieee"):
        raise ArgumentError("float_ties", f"float_ties is 'exact' or 'ieee', got {float_ties!r}")
    if definition == "consistent":
        return Shifter(ranked, float_ties)  # type: ignore[arg-type]
    if definition == "dong2013":
        return Windows.of(ranked, float_ties)  # type: ignore[arg-type]
    raise ArgumentError("definition", f"definition is 'consistent' or 'dong2013', got {definition!r}")
