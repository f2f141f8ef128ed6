"""Means over all positive-negative pairs: each kernel goes its fast way, and every answer carries an error bound."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError
from rocsteady._src.base.exact import exact_wins_twice
from rocsteady._src.inputs.scores import is_far
from rocsteady._src.measures.pairwise.direct import all_pairs_sum
from rocsteady._src.measures.pairwise.kernels import Logistic, Power, Ramp, SmoothKernel, Step
from rocsteady._src.measures.pairwise.power import power_sum
from rocsteady._src.measures.pairwise.ramp import ramp_sum, shifted_ramp_sum
from rocsteady._src.measures.pairwise.smooth import smooth_sums
from rocsteady._src.results import Bounded

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

    Array = NDArray[np.float64]
    Side = tuple[Array, Array]

FEW_PAIRS = 1 << 16
TOO_WIDE = "the range of the scores exceeds what a float can hold; rescale them"
EPSILON = float(np.finfo(np.float64).eps)
# Measured errors of the fast ways stay below a tenth of this, see tests/test_pairwise.py.
FAST_ERROR = 2e-13
LARGEST_FAST_Q = 4.0
USUAL_DECAY = 45.0


@dataclass(frozen=True, slots=True)
class Weighed:
    """Points with the weights of both classes, to be scaled so that no product of two leaves the floats.

    ``scales`` are powers of two; ``total`` is the scaled weight of all pairs.
    """

    points: Array
    pos: NDArray[Any]
    neg: NDArray[Any]
    scales: tuple[float, float]
    total: float

    @classmethod
    def of(cls, ranked: RankedScores) -> Weighed:
        """Points and weights of ranked scores."""
        first, second = _near_one(ranked.n_pos), _near_one(ranked.n_neg)
        total = (ranked.n_pos * first) * (ranked.n_neg * second)
        return cls(points_of(ranked), ranked.pos, ranked.neg, (first, second), total)

    def sides(self) -> tuple[Side, Side]:
        """Distinct scores of the positives and of the negatives, with their scaled weights."""
        return _side(self.points, self.pos, self.scales[0]), _side(self.points, self.neg, self.scales[1])

    def ramp_sum(self, shift: float) -> float:
        """Sum of max(d - shift, 0); points that cannot be in a pair with d > shift are left out first."""
        points = self.points
        if not shift:
            return ramp_sum(points, self.pos, self.neg, self.scales)
        high = np.searchsorted(points, np.nextafter(points[0] + shift, -math.inf))
        low = np.searchsorted(points, np.nextafter(points[-1] - shift, math.inf))
        positives, negatives = _side(points[high:], self.pos[high:]), _side(points[:low], self.neg[:low])
        return shifted_ramp_sum(positives, negatives, shift, self.scales)

    def mean(self, total: float, error: float, kernel: Any, method: str) -> Bounded:
        """Mean from a sum and its error; what the rounding of differences adds to the error is added here."""
        mean = total / self.total
        rounding = _rounding_of_differences(kernel, mean, farthest=self.points[-1] - self.points[0])
        return Bounded(mean, error_bound=float(error / self.total + EPSILON * rounding), method=method)


def _near_one(total: float) -> float:
    """The power of two that brings a number into [1/2, 1)."""
    return math.ldexp(1.0, -math.frexp(total)[1])


def _side(points: Array, weights: NDArray[Any], scale: float | None = None) -> Side:
    present = weights > 0
    kept = weights.compress(present)
    return points.compress(present), kept if scale is None else kept * scale


def _rounding_of_differences(kernel: Any, mean: float, *, farthest: float) -> float:
    """Mean of |d f'(d)|, from above: a mean is off by half of that times EPSILON because each d = p - n is rounded.

    For the logistic, |d f'(d)| <= f (1 - log f), and the mean of that is largest when all pairs are alike.
    """
    if isinstance(kernel, Power):
        return kernel.q * mean
    if isinstance(kernel, Ramp):
        return mean + kernel.shift
    if isinstance(kernel, Logistic):
        return mean * (1 - math.log(mean)) if mean else 0.0
    if isinstance(kernel, SmoothKernel):
        return kernel.peak(farthest) * min(kernel.reach, farthest) / kernel.width
    return 0.0


def pair_mean(
    ranked: RankedScores,
    kernel: Any,
    *,
    exact: bool = False,
    progress: Callable[[float], object] | None = None,
) -> Bounded:
    """Weighted mean of f(p - n) over all pairs, with a bound of its absolute error.

    Kernels that declare themselves (Step, Ramp, Power with q up to 4, Logistic, SmoothKernel) cost O(n log n). Other
    functions, few pairs and ``exact=True`` take every pair, in blocks. A function that does not declare itself
    is taken at its word: the bound does not cover what the rounding of differences does to it.
    """
    if isinstance(kernel, Step) and not exact:
        return _by_counts(ranked)
    weighed = Weighed.of(ranked)
    pairs = int(np.count_nonzero(weighed.pos)) * int(np.count_nonzero(weighed.neg))
    with np.errstate(over="ignore", under="ignore"):
        if exact or pairs <= FEW_PAIRS or not _has_fast_way(kernel):
            total, size = all_pairs_sum(kernel, *weighed.sides(), progress=progress)
            return weighed.mean(total, (40 + math.log2(pairs)) * EPSILON * size, kernel, "all pairs")
        total, method = _fast_sum(weighed, kernel)
        return weighed.mean(total, FAST_ERROR * _fast_size(weighed, kernel, total), kernel, method)


def _by_counts(ranked: RankedScores) -> Bounded:
    pairs = ranked.n_pos * ranked.n_neg
    mean = exact_wins_twice(ranked.pos, ranked.neg, most=pairs) / (2 * pairs)
    return Bounded(mean, error_bound=(EPSILON if ranked.exact else FAST_ERROR) * mean, method="exact counts")


def _has_fast_way(kernel: Any) -> bool:
    if isinstance(kernel, Power):
        return kernel.q <= LARGEST_FAST_Q
    return isinstance(kernel, (Ramp, Logistic, SmoothKernel))


def _fast_sum(weighed: Weighed, kernel: Any) -> tuple[float, str]:
    if isinstance(kernel, Ramp):
        return weighed.ramp_sum(kernel.shift), "prefix sums"
    positives, negatives = weighed.sides()
    if isinstance(kernel, Power):
        return power_sum(positives, negatives, kernel.q), "multipole"
    if isinstance(kernel, Logistic):
        return _logistic_sum(kernel, positives, negatives), "Chebyshev boxes"
    return float(positives[1] @ smooth_sums(positives[0], negatives, kernel)), "Chebyshev boxes"


def _fast_size(weighed: Weighed, kernel: Any, total: float) -> float:
    """What errors are relative to: the sum itself where all terms are positive, else the largest it could be."""
    if isinstance(kernel, SmoothKernel):
        return kernel.peak(weighed.points[-1] - weighed.points[0]) * weighed.total
    return total


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
    with np.errstate(over="ignore", under="ignore"):
        return smooth_sums(points, negatives, slope), smooth_sums(points, positives, slope.mirrored())


def sides(ranked: RankedScores) -> tuple[Side, Side]:
    """Distinct scores of the positives and of the negatives, with their weights."""
    points = points_of(ranked)
    return _side(points, ranked.pos, 1.0), _side(points, ranked.neg, 1.0)


def points_of(ranked: RankedScores) -> Array:
    """Scores as float64; other types are counted from the lowest, so that differences keep 53 bits of the range."""
    scores = ranked.scores
    if scores.dtype != np.float64:
        scores = _from_lowest(scores)
    if scores.size and not math.isfinite(float(scores[-1]) - float(scores[0])):
        raise InputError("score_range", TOO_WIDE)
    return scores


def _from_lowest(scores: NDArray[Any]) -> Array:
    """Differences to the lowest score: whole numbers of any type subtract exactly modulo 2**64, others as they are."""
    if scores.dtype.kind == "O":
        if is_far(scores[0]) or is_far(scores[-1]):
            raise InputError("score_range", TOO_WIDE)
        return np.array([_as_float(Fraction(score) - Fraction(scores[0])) for score in scores], dtype=np.float64)
    if scores.dtype.kind in "iu":
        scores = scores.astype(np.uint64)
    with np.errstate(over="ignore"):
        return np.asarray(scores - scores[:1], dtype=np.float64)


def _as_float(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf
