"""Means over all positive-negative pairs: each kernel goes its fast way, and every answer carries an error bound."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.errors import InputError
from rocsteady.exact import exact_wins_twice
from rocsteady.pairwise.direct import all_pairs_sum
from rocsteady.pairwise.kernels import Logistic, Power, Ramp, SmoothKernel, Step
from rocsteady.pairwise.power import power_sum
from rocsteady.pairwise.ramp import ramp_sum
from rocsteady.pairwise.smooth import smooth_sums
from rocsteady.ranked import merge_order
from rocsteady.results import Bounded

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady.ranked import RankedScores

    Array = NDArray[np.float64]
    Side = tuple[Array, Array]

FEW_PAIRS = 1 << 16
EPSILON = float(np.finfo(np.float64).eps)
# Measured errors of the fast ways stay below a tenth of this, see tests/test_pairwise.py.
FAST_ERROR = 2e-13
USUAL_DECAY = 45.0


def pair_mean(
    ranked: RankedScores,
    kernel: Any,
    *,
    exact: bool = False,
    progress: Callable[[float], object] | None = None,
) -> Bounded:
    """Weighted mean of f(p - n) over all pairs, with a bound of its absolute error.

    Kernels that declare themselves (Step, Ramp, Power, Logistic, SmoothKernel) cost O(n log n). Other functions, few
    pairs and ``exact=True`` take every pair, in blocks.
    """
    pairs = ranked.n_pos * ranked.n_neg
    declared = isinstance(kernel, (Step, Ramp, Power, Logistic, SmoothKernel))
    if exact or not declared or _few_pairs(ranked):
        return _by_all_pairs(kernel, ranked, progress)
    total, method = _fast_sum(ranked, kernel)
    return Bounded(total / pairs, error_bound=_fast_bound(total / pairs, kernel), method=method)


def _few_pairs(ranked: RankedScores) -> bool:
    return int(np.count_nonzero(ranked.pos)) * int(np.count_nonzero(ranked.neg)) <= FEW_PAIRS


def _by_all_pairs(kernel: Any, ranked: RankedScores, progress: Any) -> Bounded:
    pairs = ranked.n_pos * ranked.n_neg
    positives, negatives = sides(ranked)
    with np.errstate(over="ignore", under="ignore"):
        total = all_pairs_sum(kernel, positives, negatives, progress=progress)
        size = total if isinstance(kernel, (Step, Ramp, Power, Logistic)) else math.nan
        if math.isnan(size):
            size = all_pairs_sum(lambda d: np.abs(kernel(d)), positives, negatives)
    depth = 40 + math.log2(positives[0].size * negatives[0].size + 1)
    return Bounded(total / pairs, error_bound=depth * EPSILON * size / pairs, method="all pairs")


def _fast_sum(ranked: RankedScores, kernel: Any) -> tuple[float, str]:
    if isinstance(kernel, Step):
        return exact_wins_twice(ranked.pos, ranked.neg, most=ranked.n_pos * ranked.n_neg) / 2, "exact counts"
    if isinstance(kernel, Ramp):
        return _shifted_ramp(ranked, kernel.shift), "prefix sums"
    positives, negatives = sides(ranked)
    if isinstance(kernel, Power):
        return power_sum(positives, negatives, kernel.q), "multipole"
    if isinstance(kernel, Logistic):
        return _logistic_sum(kernel, positives, negatives), "Chebyshev boxes"
    return float(positives[1] @ smooth_sums(positives[0], negatives, kernel)), "Chebyshev boxes"


def _fast_bound(value: float, kernel: Any) -> float:
    if isinstance(kernel, Step):
        return EPSILON * abs(value)
    if isinstance(kernel, SmoothKernel):
        return FAST_ERROR * (abs(value) + max(abs(kernel.left), abs(kernel.right)))
    return FAST_ERROR * abs(value)


def _shifted_ramp(ranked: RankedScores, shift: float) -> float:
    """Ramp with a shift: the negatives move up by it, then neighbours are merged anew."""
    points = points_of(ranked)
    if shift == 0:
        return ramp_sum(points, ranked.pos, ranked.neg)
    has_pos, has_neg = ranked.pos > 0, ranked.neg > 0
    from_lowest = points - points[0]
    raised, kept = from_lowest.compress(has_neg) + shift, from_lowest.compress(has_pos)
    order = merge_order(raised, kept)
    merged = np.concatenate([raised, kept]).take(order)
    weights = np.concatenate([ranked.neg.compress(has_neg), ranked.pos.compress(has_pos)]).take(order)
    pos = weights * (order >= raised.size)
    return ramp_sum(merged, pos, weights - pos)


def _logistic_sum(kernel: Logistic, positives: Side, negatives: Side) -> float:
    """Cut tails where they no longer matter for the value found; the cut is moved out while they would."""
    gap = negatives[0][0] - positives[0][-1]
    if kernel.beta * gap > 37:
        return _separated_sum(kernel.beta, gap, positives, negatives)
    decay = USUAL_DECAY
    while True:
        total = float(positives[1] @ smooth_sums(positives[0], negatives, kernel.smooth(decay)))
        mean = total / float(positives[1].sum() * negatives[1].sum())
        if math.exp(-decay) <= 1e-15 * mean:
            return total
        decay = 36 - math.log(mean) if mean > 0 else 2 * decay


def _separated_sum(beta: float, gap: float, positives: Side, negatives: Side) -> float:
    """All positives lie far below all negatives: the kernel is exp(beta d), which factors."""
    up = positives[1] @ np.exp(beta * (positives[0] - positives[0][-1]))
    down = negatives[1] @ np.exp(-beta * (negatives[0] - negatives[0][0]))
    return float(up * down * math.exp(-beta * gap))


def pair_slopes(ranked: RankedScores, kernel: Logistic | SmoothKernel) -> tuple[Array, Array]:
    """For every distinct score s: sum over negatives of f'(s - n), and sum over positives of f'(p - s).

    For a Logistic, f' is its derivative; a SmoothKernel is taken as the derivative itself. O(n log n).
    """
    slope = kernel.slope() if isinstance(kernel, Logistic) else kernel
    points = points_of(ranked)
    positives, negatives = sides(ranked)
    return smooth_sums(points, negatives, slope), smooth_sums(points, positives, slope.mirrored())


def sides(ranked: RankedScores) -> tuple[Side, Side]:
    """Distinct scores of the positives and of the negatives, with their weights."""
    points = points_of(ranked)
    pos, neg = ranked.pos > 0, ranked.neg > 0
    return (
        (points.compress(pos), ranked.pos.compress(pos).astype(np.float64)),
        (points.compress(neg), ranked.neg.compress(neg).astype(np.float64)),
    )


def points_of(ranked: RankedScores) -> Array:
    """Scores as float64; other types are counted from the lowest, so that their differences stay exact."""
    scores = ranked.scores
    if scores.dtype != np.float64:
        scores = (scores - scores[0]).astype(np.float64) if scores.size else scores.astype(np.float64)
    if scores.size and not math.isfinite(scores[-1] - scores[0]):
        raise InputError("score_range", "the range of the scores exceeds what a float can hold; rescale them")
    return scores
