"""Groups of neighbouring probabilities: in which of them does something else happen than was predicted?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inference.intervals.proportions import proportion_bounds
from rocsteady._src.probabilities.calibration.blocks import blocks_of
from rocsteady._src.probabilities.calibration.curve import design_effects

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores, Rows

    Array = NDArray[Any]

MOST, ROWS_OF_EACH = 10, 20


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """Groups of about equally many rows: what was predicted and observed in each, and how sure that is.

    ``low`` and ``high`` are Wilson's, of each group by itself, as a calibration curve shows them. ``pvalue`` is that of
    the exact binomial test of the mean prediction; within a group predictions differ, which makes counts vary less than
    that (Hoeffding 1956), so that it errs on the careful side. ``near`` is the end of the exact interval nearest to
    the prediction when all groups are to hold together (Bonferroni); the prediction itself where it lies inside.
    """

    predicted: Array
    observed: Array
    low: Array
    high: Array
    pvalue: Array
    near: Array

    @property
    def misses(self) -> Array:
        """Whose interval leaves out the prediction."""
        missed: Array = (self.predicted < self.low) | (self.predicted > self.high)
        return missed


def n_groups_of(n_rows: int) -> int:
    """Ten, or fewer where they would have fewer than twenty rows, but two.

    Examples
    --------
    >>> [n_groups_of(n) for n in (12, 100, 10_000)]
    [2, 5, 10]
    """
    return int(min(MOST, max(2, n_rows // ROWS_OF_EACH)))


def grouped(ranked: RankedScores, rows: Rows | None, n_groups: int, level: float) -> Grouped | None:
    """None where weights are sums that no longer count rows; ``rows`` where subjects repeat or weights are sampled."""
    if not (ranked.counts_rows or rows is not None):
        return None
    blocks = blocks_of(ranked, "quantile", n_groups, "calibration")
    fewer: Any = 1.0 if rows is None else design_effects(rows, blocks)
    hits, total = blocks.pos / fewer, blocks.rows / fewer
    low, high = proportion_bounds(hits, total, level)
    predicted = blocks.predicted.clip(0, 1)
    at_most, at_least = _tails(hits, total, predicted)
    pvalue = np.minimum(1.0, 2 * np.minimum(at_most, at_least))
    near = _nearest(hits, total, predicted, (1 - level) / total.size)
    return Grouped(predicted, blocks.observed, low, high, pvalue, near)


def _tails(hits: Array, total: Array, share: Array) -> tuple[Array, Array]:
    """Chances of at most and of at least so many hits; of counts that are not whole by the same beta function."""
    from scipy.special import betainc

    misses = total - hits
    at_most = np.where(misses > 0, betainc(np.maximum(misses, 1e-300), hits + 1, 1 - share), 1.0)
    at_least = np.where(hits > 0, betainc(np.maximum(hits, 1e-300), misses + 1, share), 1.0)
    return at_most, at_least


def _nearest(hits: Array, total: Array, predicted: Array, alpha: float) -> Array:
    """The end of Clopper and Pearson's interval on the side of the prediction, or the prediction where it is inside."""
    from scipy.special import betaincinv

    misses = total - hits
    low = np.where(hits > 0, betaincinv(np.maximum(hits, 1e-300), misses + 1, alpha / 2), 0.0)
    high = np.where(misses > 0, betaincinv(hits + 1, np.maximum(misses, 1e-300), 1 - alpha / 2), 1.0)
    inside: Array = predicted.clip(low, high)
    return inside
