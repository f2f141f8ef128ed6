"""How each band is made: limits of the true positive rate at given false positive rates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inference.bands.binormal import binormal_fit, slanted
from rocsteady._src.inference.intervals.beta import beta_quantile
from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.ranked import RankedScores

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rocsteady._src.inference.resampling.draws import RowDraws
    from rocsteady._src.inference.units.subjects import CurveWorth
    from rocsteady._src.results.remarks import Remark

    Array = NDArray[np.float64]

# Replicates are drawn at this many thresholds at most; the others lie less than 1/2000 of the way from one of them.
MOST_STEPS = 2000
MOST_PLACES, EVEN_PLACES = 512, 101
# Bands of all levels stretch the same arms, so that a higher level holds a lower one.
ARMS_LEVEL = 0.95
BLOCK = 4_000_000
STEP_OF_Z = 0.1


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits at the given places, the numbers that set the width, and the curve inside if it is not the data's."""

    low: Array
    high: Array
    critical: tuple[float, ...] = ()
    centre: Array | None = None
    warnings: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class Steps:
    """The points of an empirical ROC curve, with the number of rows behind each rate."""

    fpr: Array
    tpr: Array
    n_pos: float
    n_neg: float
    worth: CurveWorth | None = None

    @classmethod
    def of(cls, ranked: RankedScores) -> Steps:
        """Points of the groups, from (0, 0) to (1, 1)."""
        tp, fp = ranked.called_positive
        n_pos, n_neg = float(ranked.n_pos), float(ranked.n_neg)
        return cls(fp / n_neg, tp / n_pos, n_pos, n_neg)

    def rows_at(self, at: Array) -> tuple[Any, Any, Any]:
        """Rows that the rates at these places are worth, and the correlation of both rates where rows go together."""
        if self.worth is None:
            return self.n_pos, self.n_neg, None
        return self.worth.at(np.maximum(np.searchsorted(self.fpr, at, side="right") - 1, 0))

    def top(self, at: Array) -> Array:
        """Height of the curve, the upper end where it is vertical."""
        left = np.searchsorted(self.fpr, at, side="right") - 1
        return self._between(np.maximum(left, 0), at)

    def bottom(self, at: Array) -> Array:
        """Height of the curve, the lower end where it is vertical."""
        right = np.searchsorted(self.fpr, at, side="left")
        return self._between(np.maximum(right - 1, 0), at)

    def _between(self, left: NDArray[Any], at: Array) -> Array:
        right = np.minimum(left + 1, self.fpr.size - 1)
        width = self.fpr[right] - self.fpr[left]
        share = np.clip((at - self.fpr[left]) / np.where(width > 0, width, 1.0), 0, 1)
        rise = share * (self.tpr[right] - self.tpr[left])
        height: Array = np.minimum(self.tpr[left] + rise, self.tpr[right])
        return height


@dataclass(frozen=True, slots=True)
class Arms:
    """How far a pointwise interval reaches down and up from the curve."""

    tpr: Array
    down: Array
    up: Array


@dataclass(frozen=True, slots=True)
class Reach:
    """Where the empirical false positive rate lies, at ``level``, of the threshold whose true one is ``at``.

    It is Binomial(N, t) / N, close to normal, so that this depends on neither the scores nor the positives. With
    several rows per subject N is what they are worth, and so is ``n_pos``; ``together`` correlates the two rates.
    """

    at: Array
    left: Array
    right: Array
    level: float
    n_pos: Any
    together: Any

    @classmethod
    def of(cls, steps: Steps, at: Array, level: float) -> Reach:
        """Normal quantiles with the variance that is known for a given t."""
        n_pos, n_neg, together = steps.rows_at(at)
        half = quantile_of(level) * np.sqrt(at * (1 - at)) / np.maximum(np.sqrt(n_neg), 1e-100)
        return cls(at, np.maximum(at - half, 0), np.minimum(at + half, 1), level, n_pos, together)

    def arms(self, steps: Steps) -> Arms:
        """Add up what is unsure about the rate at its threshold (Wilson) and about the threshold.

        The distances of both kinds of limits add as squares ("variance estimates recovery"), so that no slope
        of the curve has to be estimated.
        """
        tpr = steps.top(self.at)
        down, up = self.distances(steps, tpr)
        return Arms(tpr, self.joined(*down), self.joined(*up))

    def distances(self, steps: Steps, tpr: Array) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        """Down and up: how far the limits of the rate, and those of the threshold, lie from the curve."""
        low, high = wilson(tpr, self.n_pos, self.level)
        return (tpr - low, tpr - steps.bottom(self.left)), (high - tpr, steps.top(self.right) - tpr)

    def joined(self, of_rate: Array, of_threshold: Array) -> Array:
        """Rates that rise together leave the curve where it is."""
        if self.together is None:
            joined: Array = np.hypot(of_rate, of_threshold)
            return joined
        squares: Array = of_rate**2 + of_threshold**2 - 2 * self.together * of_rate * of_threshold
        return np.sqrt(np.maximum(squares, 0.0))


def pointwise_limits(steps: Steps, at: Array, level: float) -> Limits:
    """Arms of the curve itself, widened to limits that never fall."""
    arms = Reach.of(steps, at, level).arms(steps) if steps.worth is None else _nested_arms(steps, at, level)
    return Limits(*widened(arms.tpr - arms.down, arms.tpr + arms.up))


def widened(low: Array, high: Array) -> tuple[Array, Array]:
    """Limits that never fall, as no ROC curve does, and hold where these hold."""
    return np.minimum.accumulate(low[::-1])[::-1], np.maximum.accumulate(high)


def _nested_arms(steps: Steps, at: Array, level: float) -> Arms:
    """The longest arms of this level and all below it, so that a higher level holds a lower one.

    Where the rates rise together an arm may shrink while one of its two distances grows, as on the foot of a step. Both
    distances grow with the level, and the arm is convex in them: between two levels it is longest at a corner.
    """
    from scipy.special import ndtr

    tpr, most = steps.top(at), quantile_of(level)
    below = [float(2 * ndtr(z) - 1) for z in np.arange(1, math.ceil(most / STEP_OF_Z)) * STEP_OF_Z]
    longest = [np.zeros(at.size), np.zeros(at.size)]
    before = [(np.zeros(at.size),) * 2] * 2
    for each in (*below, level):
        reach = Reach.of(steps, at, each)
        now = reach.distances(steps, tpr)
        for side, (old, new) in enumerate(zip(before, now, strict=True)):
            corners = [reach.joined(rate, threshold) for rate in (old[0], new[0]) for threshold in (old[1], new[1])]
            longest[side] = np.maximum.reduce([longest[side], *corners])
        before = list(now)
    return Arms(tpr, *longest)


def wilson(share: Array, rows: Any, level: float) -> tuple[Array, Array]:
    """Wilson's score limits of a proportion."""
    z2 = quantile_of(level) ** 2
    middle = (share * rows + z2 / 2) / (rows + z2)
    half = np.sqrt(z2 * (share * (1 - share) * rows + z2 / 4)) / (rows + z2)
    return middle - half, middle + half


def clopper_pearson(share: Array, rows: Any, level: float) -> tuple[Array, Array]:
    """Exact limits of a proportion; they need not be of whole counts."""
    hits, tail = share * rows, (1 - level) / 2
    misses = rows - hits
    low = np.where(hits > 0, beta_quantile(np.maximum(hits, 1e-300), misses + 1, tail), 0.0)
    high = np.where(misses > 0, beta_quantile(hits + 1, np.maximum(misses, 1e-300), 1 - tail), 1.0)
    return low, high


def ks_limits(steps: Steps, at: Array, level: float) -> Limits:
    """Both distribution functions lie within Kolmogorov-Smirnov distances, at a joint level."""
    up, right = (_ks_distance(math.sqrt(level), max(round(rows), 1)) for rows in (steps.n_pos, steps.n_neg))
    return displaced(steps, at, right, up)


@lru_cache(maxsize=256)
def _ks_distance(level: float, rows: int) -> float:
    """Quantile of the exact distribution for finitely many rows; slow to find, so kept."""
    from scipy.stats import kstwo

    return float(kstwo.ppf(level, rows))


def displaced(steps: Steps, at: Array, right: float, up: float) -> Limits:
    """The curve moved left and up, and right and down: all curves whose points are within a box of the data's."""
    high = steps.top(np.minimum(at + right, 1.0)) + up
    low = steps.bottom(np.maximum(at - right, 0.0)) - up
    return Limits(low, high, critical=(right, up))


def fixed_width_limits(
    drawn: RankedScores | RowDraws,
    steps: Steps,
    at: Array,
    level: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> Limits:
    """Displace the curve by the distance that ``level`` of the replicates stay within."""
    places = _few_steps(steps)
    fpr, tpr = steps.fpr[places], steps.tpr[places]
    along, across = slanted(fpr, tpr, steps.n_neg, steps.n_pos)
    farthest = []
    for fprs, tprs in _replicates(drawn, places, n_resamples, rng):
        for row_fpr, row_tpr in zip(fprs, tprs, strict=True):
            there, here = slanted(row_fpr, row_tpr, steps.n_neg, steps.n_pos)
            off_points = np.abs(here - np.interp(there, along, across)).max()
            off_corners = np.abs(across - np.interp(along, there, here)).max()
            farthest.append(max(off_points, off_corners))
    distance = _upper_quantile(np.array(farthest), level)
    return displaced(steps, at, distance / math.sqrt(steps.n_neg), distance / math.sqrt(steps.n_pos))


def bootstrap_limits(
    drawn: RankedScores | RowDraws,
    steps: Steps,
    at: Array,
    level: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> Limits:
    """Pointwise arms times the factor with which ``level`` of the replicates' own bands hold the whole curve."""
    everywhere, places = Reach.of(steps, usual_places(steps), ARMS_LEVEL), _few_steps(steps)
    # Between the points drawn, replicates are straight lines, and so has to be the curve they are compared with.
    curve = Steps(steps.fpr[places], steps.tpr[places], steps.n_pos, steps.n_neg).top(everywhere.at)
    farthest = [
        _arms_needed(curve, everywhere.arms(Steps(fpr, tpr, steps.n_pos, steps.n_neg)))
        for fprs, tprs in _replicates(drawn, places, n_resamples, rng)
        for fpr, tpr in zip(fprs, tprs, strict=True)
    ]
    factor = _upper_quantile(np.array(farthest), level)
    arms = Reach.of(steps, at, ARMS_LEVEL).arms(steps)
    low, high = _tightened(arms.tpr - factor * arms.down, arms.tpr + factor * arms.up)
    return Limits(low, high, critical=(factor,))


def _arms_needed(curve: Array, arms: Arms) -> float:
    """The factor with which a band reaches the curve everywhere."""
    off = curve - arms.tpr
    arm = np.where(off > 0, arms.up, arms.down)
    return float(np.max(np.abs(off) / np.where(off == 0, 1.0, np.maximum(arm, 1e-12))))


def usual_places(steps: Steps) -> Array:
    """False positive rates of the curve, thinned, and even ones."""
    own = np.unique(steps.fpr)
    return np.union1d(own[evenly(own, MOST_PLACES - EVEN_PLACES)], np.linspace(0, 1, EVEN_PLACES))


def evenly(along: Array, most: int) -> NDArray[np.intp]:
    """Indices of at most that many entries, evenly spread along an increasing coordinate, with both ends."""
    if along.size <= most:
        return np.arange(along.size)
    share = np.floor((along - along[0]) / (along[-1] - along[0]) * (most - 2))
    new = np.concatenate([[True], share[1:] != share[:-1]])
    new[-1] = True
    return np.flatnonzero(new)


def working_hotelling_limits(ranked: RankedScores, at: Array, level: float) -> Limits:
    """Band of the straight line a + b x on the probit scale."""
    from scipy.special import ndtr, ndtri

    fit = binormal_fit(ranked)
    factor = math.sqrt(-2 * math.log(1 - level))  # the square root of the chi-square quantile, two degrees of freedom
    x = ndtri(np.clip(at, 1e-300, 1 - 1e-16))
    (var_a, covariance), (_, var_b) = fit.covariance
    half = factor * np.sqrt(np.maximum(var_a + 2 * x * covariance + x**2 * var_b, 0))
    line = fit.a + fit.b * x
    low, high = _tightened(ndtr(line - half), ndtr(line + half))
    return Limits(low, high, critical=(factor,), centre=fit.roc(at), warnings=fit.warnings)


def _tightened(low: Array, high: Array) -> tuple[Array, Array]:
    """A ROC curve never falls, so a band that holds it holds it still when its limits never fall."""
    return np.maximum.accumulate(low), np.minimum.accumulate(high[::-1])[::-1]


def _upper_quantile(values: Array, level: float) -> float:
    return float(np.quantile(values, level, method="higher"))


def _few_steps(steps: Steps) -> NDArray[np.intp]:
    """Points of the curve to draw replicates at: all, or evenly many along it."""
    return evenly(steps.fpr + steps.tpr, MOST_STEPS)


def _replicates(
    drawn: RankedScores | RowDraws, places: NDArray[np.intp], n_resamples: int, rng: np.random.Generator
) -> Iterator[tuple[Array, Array]]:
    """Yield blocks of resampled curves at these points; nothing is sorted."""
    if isinstance(drawn, RankedScores):
        return _of_rows(drawn, places, n_resamples, rng)
    return _of_subjects(drawn, places, n_resamples, rng)


def _of_subjects(
    draws: RowDraws, places: NDArray[np.intp], n_resamples: int, rng: np.random.Generator
) -> Iterator[tuple[Array, Array]]:
    """Whole subjects; drawn again where all are of one class."""
    made = 0
    while made < n_resamples:
        ((pos, neg),) = draws.draw(rng)
        if not (pos.any() and neg.any()):
            continue
        made += 1
        tpr, fpr = (np.append(0, counts[::-1].cumsum())[places] for counts in (pos, neg))
        yield fpr[None, :] / fpr[-1], tpr[None, :] / tpr[-1]


def _of_rows(
    ranked: RankedScores, places: NDArray[np.intp], n_resamples: int, rng: np.random.Generator
) -> Iterator[tuple[Array, Array]]:
    """Rows of each class."""
    shares = []
    for walked, total in zip(ranked.called_positive, (ranked.n_pos, ranked.n_neg), strict=True):
        jumps = np.diff(walked[places]) / float(total)
        shares.append((max(round(total), 1), jumps / jumps.sum()))
    block = max(1, BLOCK // places.size)
    for start in range(0, n_resamples, block):
        size = min(block, n_resamples - start)
        tpr, fpr = (_walks(rng.multinomial(rows, jumps, size), rows) for rows, jumps in shares)
        yield fpr, tpr


def _walks(counts: NDArray[np.int64], rows: int) -> Array:
    walked = np.zeros((counts.shape[0], counts.shape[1] + 1))
    np.cumsum(counts, axis=1, out=walked[:, 1:])
    walked /= rows
    return np.minimum(walked, 1.0)  # sums of counts beyond 2**53 round
