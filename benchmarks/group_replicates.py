"""Some measures on many resamples, and on all samples with a row left out, at once; scores may be tied.

A line of the weights is a resample: positives and negatives drawn at each distinct score. A test compares the values
with those of the measures, and the ends with those of the public functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from benchmarks.shared_draws import Draws
    from rocsteady._src.ranked import RankedScores

    Array = NDArray[Any]
    LeftOut = list[tuple[Array, Array, int]]


SAME = 4 * float(np.finfo(float).eps)


def auc(pos: Array, neg: Array) -> Array:
    below = neg.cumsum(axis=1) - neg / 2
    return np.einsum("ij,ij->i", pos, below) / (pos.sum(axis=1) * neg.sum(axis=1))


def average_precision(pos: Array, neg: Array) -> Array:
    tp, fp = pos[:, ::-1].cumsum(axis=1), neg[:, ::-1].cumsum(axis=1)
    return np.einsum("ij,ij->i", pos[:, ::-1], tp / np.maximum(tp + fp, 1e-300)) / tp[:, -1]


def partial_auc(pos: Array, neg: Array, stop: float) -> Array:
    """Area of the polygon over false positive rates up to ``stop``."""
    up, right = (side[:, ::-1] / side.sum(axis=1)[:, None] for side in (pos, neg))
    height = up.cumsum(axis=1) - up
    reached = np.minimum(right.cumsum(axis=1), stop)
    width = np.diff(reached, axis=1, prepend=0.0)
    share = np.divide(width, right, out=np.zeros_like(width), where=right > 0)
    return (width * (height + share * up / 2)).sum(axis=1)


def sensitivity_at(pos: Array, neg: Array, specificity: float = 0.9) -> Array:
    """Height of each curve at this specificity; where it rises there, its upper end."""
    up, right = (side[:, ::-1].cumsum(axis=1) for side in (pos, neg))
    at, lines = 1 - specificity, np.arange(len(up))
    reached = (right / right[:, -1:] <= at + SAME / 2).sum(axis=1)
    following = np.minimum(reached, right.shape[1] - 1)
    before, low = (np.where(reached > 0, side[lines, reached - 1], 0) / side[:, -1] for side in (right, up))
    after, high = (side[lines, following] / side[:, -1] for side in (right, up))
    share = np.divide(np.maximum(0.0, at - before), after - before, out=np.zeros(len(up)), where=after > before)
    return low + share * (high - low)


def draw_groups(ranked: RankedScores, draws: Draws, *, within_classes: bool) -> tuple[Array, Array]:
    """Weights of resamples of rows, classes apart or all together."""
    places = np.repeat(np.arange(2 * ranked.scores.size), np.concatenate([ranked.pos, ranked.neg]))
    n_pos = int(ranked.n_pos)
    parts = (places[:n_pos], places[n_pos:]) if within_classes else (places,)
    drawn = np.zeros((draws.resamples, 2 * ranked.scores.size))
    for part, rows in enumerate(parts):
        held, first = np.unique(rows, return_index=True)
        times = draws.counts(rows.size, part)
        drawn[:, held] = times if held.size == rows.size else np.add.reduceat(times, first, axis=1)
    return tuple(np.split(drawn, 2, axis=1))  # type: ignore[return-value]


class Untied:
    """Resamples of rows without ties: how often each positive is drawn, from the highest score down.

    ``above`` counts the negatives drawn above it. Values are those of the functions of groups, for less: measures of
    the ranking change only where a positive is met.
    """

    def __init__(self, ranked: RankedScores, draws: Draws, *, within_classes: bool) -> None:
        n_pos, n_neg = int(ranked.n_pos), int(ranked.n_neg)
        self.pos, self.called, passed = draws.walked(n_pos, n_neg, within_classes=within_classes)
        places = np.flatnonzero(ranked.pos)[::-1]
        self.scores = ranked.scores[places]
        self.above = passed[:, n_neg - ranked.neg.cumsum()[places]]
        self.n_pos, self.n_neg = self.called[:, -1], passed[:, -1]

    def auc(self) -> Array:
        return 1 - np.einsum("ij,ij->i", self.pos, self.above) / (self.n_pos * self.n_neg)

    def partial_auc(self, stop: float) -> Array:
        room = np.maximum((stop * self.n_neg)[:, None] - self.above, 0.0)
        return np.einsum("ij,ij->i", self.pos, room) / (self.n_pos * self.n_neg)

    def average_precision(self) -> Array:
        precision = self.called / np.maximum(self.called + self.above, 1e-300)
        return np.einsum("ij,ij->i", self.pos, precision) / self.n_pos

    def chosen_cuts(self) -> Array:
        """Threshold by Youden's rule, TPR and FPR of each resample that has both classes."""
        known = (self.n_pos > 0) & (self.n_neg > 0)
        tpr = self.called[known] / self.n_pos[known, None]
        fpr = self.above[known] / self.n_neg[known, None]
        gained = tpr - fpr
        best = (gained >= np.maximum(gained.max(axis=1), 0.0)[:, None] - SAME).argmax(axis=1)
        lines = np.arange(best.size)
        found = np.stack([self.scores[best], tpr[lines, best], fpr[lines, best]], axis=1)
        found[gained[lines, best] <= SAME] = np.inf, 0.0, 0.0
        return found


def values_of(measure: Callable[[Array, Array], Array], pos: Array, neg: Array) -> Array:
    """Values, NaN where a class is missing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        known = (pos.sum(axis=1) > 0) & (neg.sum(axis=1) > 0)
        return np.where(known, measure(pos, neg), np.nan)


def auc_without(pos: Array, neg: Array) -> tuple[Array, Array]:
    """AUC without one positive of each group, and without one negative."""
    m, n = pos.sum(), neg.sum()
    below, above = neg.cumsum() - neg / 2, m - pos.cumsum() + pos / 2
    won = pos @ below
    return (won - below) / ((m - 1) * n), (won - above) / (m * (n - 1))


def average_precision_without(pos: Array, neg: Array) -> tuple[Array, Array]:
    """Precision changes from the group of the row downwards."""
    up, right = pos[::-1], neg[::-1]
    tp, called = up.cumsum(), np.maximum((up + right).cumsum(), 1)
    fewer = np.maximum(called - 1, 1)
    kept, less, lower = (_through(up * each) for each in (tp / called, tp / fewer, (tp - 1) / fewer))
    own = (up - 1) * (tp - 1) / fewer
    without_pos = (kept[:-1] + own + lower[-1] - lower[1:]) / (tp[-1] - 1)
    without_neg = (kept[:-1] + less[-1] - less[:-1]) / tp[-1]
    return without_pos[::-1], without_neg[::-1]


def partial_auc_without(pos: Array, neg: Array, stop: float) -> tuple[Array, Array]:
    """A sum over positives, so that one less takes its own area off; fewer negatives reach less far."""
    up, right = pos[::-1], neg[::-1]
    m, n = up.sum(), right.sum()
    width, half = _reached(right, n * stop)
    beyond = width.sum() - width.cumsum() + half
    without_pos = (up @ beyond - beyond) / ((m - 1) * n)
    before, end = right.cumsum() - right, (n - 1) * stop
    far, near = (up @ _beyond(right, reach) for reach in (end, end + 1))
    found = np.where(before >= end, far, near - (up.cumsum() - up / 2))
    for cut in np.flatnonzero((before < end) & (before + right > end + 1)):  # the range ends within this group
        found[cut] = up @ _beyond(right - (np.arange(right.size) == cut), end)
    return without_pos[::-1], found[::-1] / (m * (n - 1))


def _reached(right: Array, end: float) -> tuple[Array, Array]:
    """Negatives of each group in the range, and what a positive of the group has of them."""
    width = np.diff(np.minimum(right.cumsum(), end), prepend=0.0)
    return width, np.divide(width, right, out=np.zeros_like(width), where=right > 0) * width / 2


def _beyond(right: Array, end: float) -> Array:
    """What one positive of each group has of the range."""
    width, half = _reached(right, end)
    return width.sum() - width.cumsum() + half


def _through(values: Array) -> Array:
    return np.append(0.0, values.cumsum())


def left_out(
    without: Callable[[Array, Array], tuple[Array, Array]], ranked: RankedScores, *, within_classes: bool
) -> LeftOut:
    """Values with one row left out, how many rows each stands for, and the size of the stratum."""
    sides = ranked.pos, ranked.neg
    found = []
    for values, counts in zip(without(*(side.astype(np.float64) for side in sides)), sides, strict=True):
        kept = np.flatnonzero(counts)
        found.append((values[kept], counts[kept], int(counts.sum())))
    if within_classes:
        return found
    values, times, totals = zip(*found, strict=True)
    return [(np.concatenate(values), np.concatenate(times), sum(totals))]
