"""Losses of a pair, L(d) with d = positive - negative, and their sums and slopes over all pairs without the pairs.

Every loss falls as d grows and is a function of beta d. Exponential loss factors: O(n). Squared hinge takes one sort
and prefix sums; logistic loss and soft AUC go through Chebyshev boxes: O(n log n).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from rocsteady._src.measures.pairwise.hinge import squared_hinge_sums
from rocsteady._src.measures.pairwise.kernels import Logistic, SmoothKernel
from rocsteady._src.measures.pairwise.smooth import sums_of_kernels
from rocsteady._src.measures.pairwise.sums import EPSILON, PairSums, farthest_apart
from rocsteady._src.ranked.grouping import ascending_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.measures.pairwise.sums import Side

    Array = NDArray[np.float64]

# Beyond this many units of 1/beta tails are cut, counted from the gap between the classes if there is one.
DECAY = 45.0
UNDERFLOW = 760.0
# Measured errors stay below a tenth of this, see tests/test_learning_losses.py.
FAST_ERROR = 2e-13


class PairLoss(Protocol):
    """A loss of one pair, with its derivative, and its sums over all pairs."""

    @property
    def convex(self) -> bool:
        """Whether L is convex."""
        ...

    def __call__(self, d: Array) -> Array:
        """L(d)."""
        ...

    def slope(self, d: Array) -> Array:
        """The derivative of L."""
        ...

    def curvature(self, d: Array) -> Array:
        """The second derivative of L, or a bound of it where L is not convex."""
        ...

    def sums(self, positives: Side, negatives: Side, *, curvature: bool = False) -> PairSums:
        """Sums over all pairs, for points in any order."""
        ...


@dataclass(frozen=True, slots=True)
class ExponentialLoss:
    """exp(-beta d): the loss of RankBoost. Its sum over pairs is a product of two sums."""

    beta: float = 1.0
    convex = True

    def __call__(self, d: Array) -> Array:
        """L(d)."""
        return np.exp(-self.beta * d)

    def slope(self, d: Array) -> Array:
        """The derivative of L."""
        return -self.beta * self(d)

    def curvature(self, d: Array) -> Array:
        """The second derivative of L."""
        return self.beta**2 * self(d)

    def sums(self, positives: Side, negatives: Side, *, curvature: bool = False) -> PairSums:
        """Exponents are counted from their largest, so that only a sum too large for a float becomes inf."""
        (p, p_weights), (n, n_weights) = positives, negatives
        lowest, highest = p.min(), n.max()
        with np.errstate(over="ignore", under="ignore"):
            up, down = p_weights @ np.exp(self.beta * (lowest - p)), n_weights @ np.exp(self.beta * (n - highest))
            at_pos, at_neg = _scaled(self.beta * (highest - p), down), _scaled(self.beta * (n - lowest), up)
            total = float(p_weights @ at_pos)
            error = EPSILON * (40 + np.log2(p.size + n.size) + 2 * self.beta * farthest_apart(p, n)) * total
            bends = (self.beta**2 * at_pos, self.beta**2 * at_neg) if curvature else None
            return PairSums(total, error, "factored", -self.beta * at_pos, -self.beta * at_neg, bends)


def _scaled(exponents: Array, factor: float) -> Array:
    """Exponentials times a factor, which may bring back into range what would be too large without it."""
    values = np.exp(exponents) * factor
    beyond = np.isinf(values)
    if beyond.any():
        values[beyond] = np.exp(exponents[beyond] + np.log(factor))
    return np.asarray(values)


@dataclass(frozen=True, slots=True)
class SquaredHingeLoss:
    """max(0, 1 - beta d)**2: pairs won by more than 1/beta cost nothing."""

    beta: float = 1.0
    convex = True

    def __call__(self, d: Array) -> Array:
        """L(d)."""
        return np.maximum(1 - self.beta * d, 0.0) ** 2

    def slope(self, d: Array) -> Array:
        """The derivative of L."""
        return -2 * self.beta * np.maximum(1 - self.beta * d, 0.0)

    def curvature(self, d: Array) -> Array:
        """The second derivative of L, taken from the right where it jumps."""
        return np.where(self.beta * d < 1, 2 * self.beta**2, 0.0)

    def sums(self, positives: Side, negatives: Side, *, curvature: bool = False) -> PairSums:
        """From gaps between neighbours, once the positives have moved down by 1/beta."""
        return squared_hinge_sums(positives, negatives, self.beta, curvature=curvature)


@dataclass(frozen=True, slots=True)
class LogisticLoss:
    """log(1 + exp(-beta d)): the loss of RankNet."""

    beta: float = 1.0
    convex = True

    def __call__(self, d: Array) -> Array:
        """L(d)."""
        return np.logaddexp(0.0, -self.beta * d)

    def slope(self, d: Array) -> Array:
        """The derivative of L."""
        return -self.beta * Logistic(self.beta)(-d)

    def curvature(self, d: Array) -> Array:
        """The second derivative of L."""
        return self.beta * Logistic(self.beta).derivative(d)

    def sums(self, positives: Side, negatives: Side, *, curvature: bool = False) -> PairSums:
        """Through Chebyshev boxes; beyond their reach L is the line -beta d, or nothing."""
        reach = _reach(self.beta, positives[0], negatives[0])
        loss = SmoothKernel(self, 1 / self.beta, reach, left_slope=-self.beta)
        slope = SmoothKernel(self.slope, 1 / self.beta, reach, left=-self.beta)
        bend = SmoothKernel(self.curvature, 1 / self.beta, reach)
        return _smooth_sums(positives, negatives, (loss, slope, bend) if curvature else (loss, slope))


@dataclass(frozen=True, slots=True)
class SoftAUCLoss:
    """1 / (1 + exp(beta d)): 1 - soft AUC, the share of lost pairs with soft edges. Not convex."""

    beta: float = 1.0
    convex = False

    def __call__(self, d: Array) -> Array:
        """L(d)."""
        return Logistic(self.beta)(-d)

    def slope(self, d: Array) -> Array:
        """The derivative of L."""
        return -Logistic(self.beta).derivative(d)

    def curvature(self, d: Array) -> Array:
        """A bound of the second derivative, which has both signs: beta^2 f (1 - f)."""
        return self.beta * Logistic(self.beta).derivative(d)

    def sums(self, positives: Side, negatives: Side, *, curvature: bool = False) -> PairSums:
        """Through Chebyshev boxes; beyond their reach L is 1 or 0."""
        reach = _reach(self.beta, positives[0], negatives[0])
        loss = SmoothKernel(self, 1 / self.beta, reach, left=1.0)
        slope = SmoothKernel(self.slope, 1 / self.beta, reach)
        bend = SmoothKernel(self.curvature, 1 / self.beta, reach)
        return _smooth_sums(positives, negatives, (loss, slope, bend) if curvature else (loss, slope))


def _reach(beta: float, p: Array, n: Array) -> float:
    """Where tails are cut: far below the steepest pair if the classes lie apart, unless that is no float itself."""
    apart = max(beta * float(p.min() - n.max()), beta * float(n.min() - p.max()), 0.0)
    return (DECAY + min(apart, UNDERFLOW)) / beta


def _smooth_sums(positives: Side, negatives: Side, kernels: tuple[SmoothKernel, ...]) -> PairSums:
    """Values of the loss at the positives; slopes and curvatures at both."""
    places = ascending_order(positives[0]), ascending_order(negatives[0])
    lower, upper = (
        (points[at], weights[at]) for (points, weights), at in zip((positives, negatives), places, strict=True)
    )
    with np.errstate(over="ignore", under="ignore"):
        at_pos = sums_of_kernels(lower[0], upper, kernels)
        at_neg = sums_of_kernels(upper[0], lower, [kernel.mirrored() for kernel in kernels[1:]])
    total = float(lower[1] @ at_pos[0])
    near = min(kernels[0].reach, farthest_apart(lower[0], upper[0]))
    size = total + kernels[0].peak(near) * float(lower[1].sum() * upper[1].sum())
    pos, neg = _scattered(at_pos[1:], places[0]), _scattered(at_neg, places[1])
    bends = (pos[1], neg[1]) if len(kernels) > 2 else None
    return PairSums(total, FAST_ERROR * size, "Chebyshev boxes", pos[0], neg[0], bends)


def _scattered(rows: Array, places: NDArray[np.int64]) -> Array:
    """Columns back in the order of the rows they came from."""
    back = np.empty_like(rows)
    back[:, places] = rows
    return back
