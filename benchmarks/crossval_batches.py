"""Cross-validated intervals of many samples at once: what ``rs.crossval_auc`` gives where nothing is tied."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr

from benchmarks.coverage_kit import LEVEL, Z
from rocsteady._src.designs.folds.auc import trained_ends
from rocsteady._src.inference.intervals.normal import quantile_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Ends = tuple[Array, Array]

BATCH = 400_000  # rows held at once


@dataclass(frozen=True)
class Placed:
    """AUC of each sample, and the mean squares of what its positives and its negatives add to it."""

    auc: Array
    of_pos: Array
    of_neg: Array


def placements(pos: Array, neg: Array) -> Placed:
    """Of scores without ties, a sample in each line."""
    m, n = pos.shape[1], neg.shape[1]
    is_pos = np.concatenate([pos, neg], axis=1).argsort(axis=1) < m
    below = np.cumsum(~is_pos, axis=1) / n
    above = (m - np.cumsum(is_pos, axis=1)) / m
    auc = (below * is_pos).sum(axis=1) / m
    squares = [((value - auc[:, None]) ** 2 * side).sum(axis=1) for value, side in ((below, is_pos), (above, ~is_pos))]
    return Placed(auc, squares[0] / m, squares[1] / n)


@dataclass(frozen=True)
class Batch:
    """Samples of a design: fold AUCs with their squares, the pooled ones, and the true AUC of each trained model."""

    folds: Placed
    pooled: Placed
    true: Array
    sizes: tuple[int, int]
    in_fold: tuple[int, int]

    @property
    def truth(self) -> Array:
        return self.true.mean(axis=1)

    @property
    def mean(self) -> Array:
        return self.folds.auc.mean(axis=1)

    @property
    def delong(self) -> Array:
        """Variance of the mean: DeLong's of each fold, with n - 1."""
        m, n = self.in_fold
        return (self.folds.of_pos / (m - 1) + self.folds.of_neg / (n - 1)).mean(axis=1) / self.true.shape[1]

    @property
    def influence(self) -> Array:
        m, n = self.sizes
        return (self.folds.of_pos / m + self.folds.of_neg / n).mean(axis=1)

    def ends(self) -> dict[str, Ends]:
        """Intervals by method."""
        mean, k = self.mean, self.true.shape[1]
        of_pooled = self.pooled.of_pos / (self.sizes[0] - 1) + self.pooled.of_neg / (self.sizes[1] - 1)
        spread = self.folds.auc.var(axis=1, ddof=1) * (1 / k + 1 / (k - 1))
        return {
            "auto": self._trained(mean, self.delong),
            "influence": _around(mean, Z * np.sqrt(self.influence)),
            "delong": _around(mean, Z * np.sqrt(self.delong)),
            "logit": _logit(mean, self.delong),
            "corrected-t": _around(mean, quantile_of(LEVEL, df=k - 1) * np.sqrt(spread)),
            "pooled": self._trained(self.pooled.auc, of_pooled),
        }

    def _trained(self, areas: Array, variances: Array) -> Ends:
        sizes = float(self.sizes[0]), float(self.sizes[1])
        pairs = zip(areas.tolist(), variances.tolist(), strict=True)
        low, high = np.array([trained_ends(area, variance, sizes, LEVEL) for area, variance in pairs]).T
        return low, high


def _around(centre: Array, reach: Array) -> Ends:
    return np.maximum(centre - reach, 0.0), np.minimum(centre + reach, 1.0)


def _logit(mean: Array, variance: Array) -> Ends:
    """NaN at 0 and 1, which holds nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        centre, reach = np.log(mean / (1 - mean)), Z * np.sqrt(variance) / (mean * (1 - mean))
        return 1 / (1 + np.exp(reach - centre)), 1 / (1 + np.exp(-reach - centre))


def batches(shift: Array, sizes: tuple[int, int], k: int, rng: np.random.Generator, repeats: int) -> Iterator[Batch]:
    """Linear discriminants trained without each of ``k`` folds of even sizes."""
    step = max(1, BATCH // sum(sizes))
    for start in range(0, repeats, step):
        count = min(step, repeats - start)
        pos = rng.standard_normal((count, sizes[0], shift.size)) + shift
        neg = rng.standard_normal((count, sizes[1], shift.size))
        yield judged(pos, neg, k, shift)


def judged(pos: Array, neg: Array, k: int, shift: Array) -> Batch:
    """Train and score fold by fold, rows of a fold standing together."""
    sizes, parts, scores, true = (pos.shape[1], neg.shape[1]), [], [], []
    per_fold = sizes[0] // k, sizes[1] // k
    for fold in range(k):
        held = [np.arange(size) // each == fold for size, each in zip(sizes, per_fold, strict=True)]
        w, b = discriminants(pos[:, ~held[0]], neg[:, ~held[1]])
        here = [x[:, chosen] @ w[:, :, None] + b[:, None, None] for x, chosen in zip((pos, neg), held, strict=True)]
        scores.append([each[:, :, 0] for each in here])
        parts.append(placements(*scores[-1]))
        true.append(ndtr(w @ shift / math.sqrt(2)))
    folds = Placed(*(np.column_stack(each) for each in zip(*((p.auc, p.of_pos, p.of_neg) for p in parts), strict=True)))
    pooled = placements(*(np.concatenate(side, axis=1) for side in zip(*scores, strict=True)))
    return Batch(folds, pooled, np.column_stack(true), sizes, per_fold)


def discriminants(pos: Array, neg: Array) -> tuple[Array, Array]:
    """Fisher's linear discriminants of length 1, and their intercepts."""
    means = pos.mean(axis=1), neg.mean(axis=1)
    off = [x - mean[:, None] for x, mean in zip((pos, neg), means, strict=True)]
    inside = sum((np.einsum("rni,rnj->rij", each, each) for each in off), np.zeros(()))
    w = np.linalg.solve(inside, (means[0] - means[1])[:, :, None])[:, :, 0]
    w /= np.linalg.norm(w, axis=1, keepdims=True)
    return w, -((means[0] + means[1]) * w).sum(axis=1) / 2
