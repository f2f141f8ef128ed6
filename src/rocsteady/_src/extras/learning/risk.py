"""The risk that is minimised: the weighted mean over pairs of a loss, perhaps for the hardest negatives only."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, printable
from rocsteady._src.measures.pairwise import ExponentialLoss, LogisticLoss, SoftAUCLoss, SquaredHingeLoss
from rocsteady._src.ranked import sorted_distinct
from rocsteady._src.results import Bounded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.measures.pairwise import PairLoss

    Array = NDArray[np.float64]
    Range = tuple[float, float] | None

LOSSES: dict[str, type[PairLoss]] = {
    "logistic": LogisticLoss,
    "squared_hinge": SquaredHingeLoss,
    "exponential": ExponentialLoss,
    "soft_auc": SoftAUCLoss,
}


class Risk(NamedTuple):
    """Mean loss over pairs, its gradient by the score of each row, and the diagonal of its Hessian if asked for."""

    value: Bounded
    gradient: Array
    curvature: Array | None = None


@dataclass(frozen=True, slots=True)
class PairRisk:
    """Mean over pairs of a loss, as a function of the scores of some rows.

    Attributes
    ----------
    size : int
        Number of rows.
    pos, neg : ndarray
        Rows of the positives and of the negatives that have a weight above zero.
    pos_weights, neg_weights : ndarray
        Their weights; each class adds up to 1.
    """

    size: int
    pos: NDArray[np.int64]
    neg: NDArray[np.int64]
    pos_weights: Array
    neg_weights: Array
    loss: PairLoss
    fpr_range: Range = None

    @classmethod
    def of(
        cls, positive: NDArray[np.bool_], weights: Array | None, loss: PairLoss, fpr_range: Range = None
    ) -> PairRisk:
        """Split rows by class; refuse a class without weight."""
        counted = np.ones(positive.size) if weights is None else np.asarray(weights, dtype=np.float64)
        rows = np.flatnonzero(positive & (counted > 0)), np.flatnonzero(~positive & (counted > 0))
        for found, name in zip(rows, ("positive", "negative"), strict=True):
            if not found.size:
                raise InputError(
                    "single_class", f"there is no {name} row with a weight above zero: pairs need both classes"
                )
        pos_weights, neg_weights = (_shares(counted[found]) for found in rows)
        return cls(positive.size, *rows, pos_weights, neg_weights, loss, fpr_range)

    @property
    def convex(self) -> bool:
        """Whether the risk is convex in the scores: a convex loss, of all negatives or of the hardest."""
        return self.loss.convex and (self.fpr_range is None or not self.fpr_range[0])

    def at(self, scores: Array, *, curvature: bool = False) -> Risk:
        """Value and derivatives at some scores. O(n log n), O(n) for exponential loss without ``fpr_range``."""
        p, n = scores[self.pos], scores[self.neg]
        neg, neg_weights = self.neg, self.neg_weights
        if self.fpr_range is not None:
            neg_weights = focused_weights(n, neg_weights, self.fpr_range)
            kept = neg_weights > 0
            n, neg, neg_weights = n[kept], neg[kept], neg_weights[kept]
        sums = self.loss.sums((p, self.pos_weights), (n, neg_weights), curvature=curvature)
        gradient, bends = np.zeros(self.size), None
        gradient[self.pos] = self.pos_weights * sums.at_pos
        gradient[neg] -= neg_weights * sums.at_neg
        if sums.bends is not None:
            bends = np.zeros(self.size)
            bends[self.pos], bends[neg] = self.pos_weights * sums.bends[0], neg_weights * sums.bends[1]
        return Risk(Bounded(sums.total, error_bound=sums.error, method=sums.method), gradient, bends)


def _shares(weights: Array) -> Array:
    """Weights that add up to 1, also where their sum is no float."""
    weights = weights / weights.max()
    return np.asarray(weights / weights.sum())


def focused_weights(scores: Array, weights: Array, fpr_range: tuple[float, float]) -> Array:
    """Weights of the negatives that a threshold passes while the false positive rate goes through a range.

    From the highest score down, the shares of the negatives cover [0, 1]; each negative keeps the part of its share
    inside the range. Tied negatives cover their stretch together and keep the same part. The new weights add up to 1.
    """
    low, high = fpr_range
    distinct, places = sorted_distinct(scores)
    shares = np.bincount(places, weights, minlength=distinct.size)
    through = np.cumsum(shares[::-1])
    before = np.append(0.0, through[:-1])
    inside = np.clip(through / through[-1], low, high) - np.clip(before / through[-1], low, high)
    kept = weights * (inside[::-1] / shares)[places]
    return np.asarray(kept / kept.sum())


def make_loss(loss: str, beta: float) -> PairLoss:
    """The loss of a name, as a function of beta d."""
    if loss not in LOSSES:
        raise ArgumentError("loss", f"there is no loss {loss!r}; losses: {', '.join(LOSSES)}")
    if not (isinstance(beta, (int, float, np.number)) and 0 < beta < math.inf):
        raise ArgumentError("beta", f"beta must be above 0 and finite, got {beta!r}")
    return LOSSES[loss](float(beta))  # type: ignore[call-arg]


def checked_range(fpr_range: object) -> Range:
    """A pair 0 <= low < high <= 1, or None for all negatives."""
    if fpr_range is None:
        return None
    try:
        low, high = (float(end) for end in fpr_range)  # type: ignore[attr-defined]
    except (TypeError, ValueError, OverflowError):
        low = high = math.nan
    if not 0 <= low < high <= 1:
        raise ArgumentError(
            "fpr_range",
            f"fpr_range must be (low, high) with 0 <= low < high <= 1, got {printable(repr(fpr_range), most=60)}",
        )
    return None if (low, high) == (0, 1) else (low, high)
