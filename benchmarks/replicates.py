"""All measures on many resamples at once, for samples without ties: the same values as one by one, but faster.

A line of ``pos`` or ``neg`` is a resample: how often each row, sorted by score, was drawn. A test compares every
function with the measure of the same name.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import isotonic_regression
from scipy.special import expit

from rocsteady._src.measures.expected_loss import saved_share

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Array = NDArray[Any]

NODES, SHARES = np.polynomial.legendre.leggauss(8)


class Replicates:
    """Resamples of rows sorted by score; ``positive`` tells the class of each."""

    def __init__(self, scores: Array, positive: Array, drawn: Array) -> None:
        self.scores, self.positive, self.drawn = scores, positive, drawn
        self.pos, self.neg = drawn * positive, drawn * ~positive
        self.n_pos, self.n_neg = self.pos.sum(axis=1), self.neg.sum(axis=1)
        self.n = drawn.sum(axis=1)
        self.known = (self.n_pos > 0) & (self.n_neg > 0)

    @cached_property
    def tp(self) -> Array:
        """Positives called at each threshold, from none down."""
        return _walk(self.pos)

    @cached_property
    def fp(self) -> Array:
        return _walk(self.neg)

    @cached_property
    def called(self) -> Array:
        return self.tp + self.fp

    @cached_property
    def segments(self) -> list[tuple[Array, Array] | None]:
        """Positives and negatives along the edges of each hull."""
        return [self._hull(line) if self.known[line] else None for line in range(len(self.drawn))]

    def _hull(self, line: int) -> tuple[Array, Array]:
        kept = np.flatnonzero(self.drawn[line])[::-1]
        labels, weights = self.positive[kept].astype(np.float64), self.drawn[line][kept].astype(np.float64)
        starts = isotonic_regression(labels, weights=weights, increasing=False).blocks[:-1]
        return np.add.reduceat(labels * weights, starts), np.add.reduceat((1 - labels) * weights, starts)

    def pair_mean(self, kernel: Array, lines: Any = slice(None)) -> Array:
        """Mean over all pairs of one value per pair of rows."""
        pos, neg = (part[lines].astype(np.float32) for part in (self._positives, self._negatives))
        return np.einsum("ij,ij->i", pos @ kernel.astype(np.float32), neg) / (self.n_pos * self.n_neg)[lines]

    @cached_property
    def _positives(self) -> Array:
        return self.drawn[:, self.positive].astype(np.float32)

    @cached_property
    def _negatives(self) -> Array:
        return self.drawn[:, ~self.positive].astype(np.float32)

    @cached_property
    def gaps(self) -> Array:
        return self.scores[self.positive][:, None] - self.scores[~self.positive]

    @cached_property
    def won(self) -> Array:
        below = self.neg.cumsum(axis=1)
        return np.einsum("ij,ij->i", self.pos, below) / (self.n_pos * self.n_neg)

    @cached_property
    def won_by(self) -> Array:
        return self.pair_mean(np.maximum(self.gaps, 0))

    @cached_property
    def width(self) -> Array:
        """Range of the scores drawn."""
        first, last = self._ends(self.drawn)
        return self.scores[last] - self.scores[first]

    @staticmethod
    def _ends(drawn: Array) -> tuple[Array, Array]:
        return (drawn > 0).argmax(axis=1), drawn.shape[1] - 1 - (drawn[:, ::-1] > 0).argmax(axis=1)

    @cached_property
    def floored(self) -> Array:
        """Mean over won pairs of their distance over the range, or one half if that is more."""
        beyond = np.full(len(self.drawn), np.nan)
        for width in np.unique(self.width):
            lines = self.width == width
            beyond[lines] = self.pair_mean(np.maximum(self.gaps - width / 2, 0), lines) / (width or 1)
        return self.won / 2 + beyond

    @cached_property
    def rewarded(self) -> Array:
        lowest, highest = self._ends(self.pos)[0], self._ends(self.neg)[1]
        margin = self.scores[lowest] - self.scores[highest]
        return self.floored**0.9 * np.where(margin > 0, np.maximum(margin, 1e-300) ** 0.01, 1.0)

    def hits(self, k: Any) -> Array:
        """Positives among the k highest, ties in random order."""
        k = np.broadcast_to(k, len(self.drawn))
        full = (self.called <= k[:, None]).sum(axis=1) - 1
        lines, following = np.arange(len(full)), np.minimum(full + 1, self.called.shape[1] - 1)
        step = np.maximum(self.called[lines, following] - self.called[lines, full], 1)
        gained = self.tp[lines, following] - self.tp[lines, full]
        return self.tp[lines, full] + (k - self.called[lines, full]) / step * gained


def _walk(weights: Array) -> Array:
    walked = np.zeros((weights.shape[0], weights.shape[1] + 1))
    np.cumsum(weights[:, ::-1], axis=1, out=walked[:, 1:])
    return walked


def _height(x: Array, y: Array, at: float) -> Array:
    """The highest y of each rising chain at one place."""
    last = (x <= at + 4e-16).sum(axis=1) - 1
    lines, following = np.arange(len(x)), np.minimum(last + 1, x.shape[1] - 1)
    width = x[lines, following] - x[lines, last]
    share = np.where(width > 0, np.maximum(0, at - x[lines, last]) / np.where(width > 0, width, 1), 0)
    return y[lines, last] + share * (y[lines, following] - y[lines, last])


def average_precision(r: Replicates) -> Array:
    precision = r.tp[:, 1:] / np.maximum(r.called[:, 1:], 1)
    return np.einsum("ij,ij->i", r.pos[:, ::-1], precision) / r.n_pos


def pr_auc(r: Replicates) -> Array:
    step, from_tp, from_fp = r.pos[:, ::-1].astype(np.float64), r.tp[:, :-1], r.fp[:, :-1]
    before = np.maximum(from_tp + from_fp, 1e-300)
    lost = np.where(from_fp > 0, from_fp * np.log1p(np.where(from_fp > 0, step / before, 0)), 0)
    return (step - lost).sum(axis=1) / r.n_pos


def ks_statistic(r: Replicates) -> Array:
    return (r.tp / r.n_pos[:, None] - r.fp / r.n_neg[:, None]).max(axis=1)


def sensitivity_at(r: Replicates) -> Array:
    return _height(r.fp / r.n_neg[:, None], r.tp / r.n_pos[:, None], 1 - 0.9)


def specificity_at(r: Replicates) -> Array:
    missed, right = (1 - r.tp / r.n_pos[:, None])[:, ::-1], (1 - r.fp / r.n_neg[:, None])[:, ::-1]
    return _height(missed, right, 1 - 0.9)


def auch(r: Replicates) -> Array:
    return _of_hulls(r, lambda gained, paid: float((gained.cumsum() - gained / 2) @ paid / gained.sum() / paid.sum()))


def h_measure(r: Replicates) -> Array:
    def share(gained: Array, paid: Array) -> float:
        both = (paid, gained) if gained.sum() > paid.sum() else (gained, paid)
        return saved_share(*both, 2.0, 2.0)

    return _of_hulls(r, share)


def _of_hulls(r: Replicates, value: Callable[[Array, Array], float]) -> Array:
    return np.array([np.nan if edges is None else value(*edges) for edges in r.segments])


def expected_calibration_error(r: Replicates) -> Array:
    return np.array([_calibration_error(r.scores, r.positive, line) for line in r.drawn])


def _calibration_error(scores: Array, positive: Array, drawn: Array) -> float:
    kept = np.flatnonzero(drawn)
    weights, values, labels = drawn[kept], scores[kept], positive[kept]
    through, n = weights.cumsum(), int(weights.sum())
    inner = through.searchsorted(np.arange(1, 10) * (n - 1) // 10, side="right") + 1
    starts = np.unique(np.append(0, inner))
    starts = starts[starts < kept.size]
    return float(np.abs(np.add.reduceat(weights * (labels - values), starts)).sum() / n)


def _rates(r: Replicates) -> tuple[Array, Array]:
    return r.fp / r.n_neg[:, None], r.tp / r.n_pos[:, None]


def _area(x: Array, y: Array) -> Array:
    return np.einsum("ij,ij->i", np.diff(x, axis=1), y[:, 1:] + y[:, :-1]) / 2


def two_way_partial_auc(r: Replicates) -> Array:
    """Steps of rows without ties go up or right, so that cutting both rates off is exact."""
    fpr, tpr = _rates(r)
    return _area(np.minimum(fpr, 0.5), np.maximum(tpr - 0.5, 0.0))


def concordant_partial_auc(r: Replicates) -> Array:
    fpr, tpr = _rates(r)
    top = _height(fpr, tpr, 0.1)
    below, left = _area(np.minimum(fpr, 0.1), np.minimum(tpr, top[:, None])), np.minimum(fpr, 0.1)
    return (below + top - _area(np.minimum(tpr, top[:, None]), left)) / 2


def partial_pr_auc(r: Replicates) -> Array:
    """A step up, at a number of false positives, from so many true ones to so many, cut at half of all."""
    half = (r.n_pos / 2)[:, None]
    from_tp = np.minimum(r.tp[:, :-1], half)
    step, from_fp = np.minimum(r.tp[:, 1:], half) - from_tp, r.fp[:, :-1]
    before = np.maximum(from_tp + from_fp, 1e-300)
    lost = np.where(from_fp > 0, from_fp * np.log1p(np.where(from_fp > 0, step / before, 0)), 0)
    return (step - lost).sum(axis=1) / r.n_pos


def prg_auc(r: Replicates) -> Array:
    """From the recall gain of 0 on, which a step up passes at a number of false positives."""
    n_pos, n_neg = (each[:, None].astype(float) for each in (r.n_pos, r.n_neg))
    start = n_pos * n_pos / (n_pos + n_neg)
    found = np.maximum(r.tp, start)
    recall_gain, precision_gain = 1 - (n_pos - found) * n_pos / n_neg / found, 1 - r.fp * n_pos / n_neg / found
    return _area(recall_gain, precision_gain)


def _slope(r: Replicates) -> Array:
    return r.pos @ r.scores / r.n_pos - r.neg @ r.scores / r.n_neg


def information_score(r: Replicates) -> Array:
    share = (r.n_pos / r.n)[:, None]
    above = r.scores >= share
    bits = np.log2(np.where(above, r.scores / share, (1 - r.scores) / (1 - share)))
    return ((r.pos - r.neg) * np.where(above, bits, -bits)).sum(axis=1) / r.n


def _entropy(r: Replicates) -> Array:
    share = r.n_pos / r.n
    return -(share * np.log2(share) + (1 - share) * np.log2(1 - share))


def auc_acc(r: Replicates) -> Array:
    right, weight = r.drawn @ (r.positive == (r.scores >= 0.5)) / r.n, 4 * r.n_pos * r.n_neg
    return (weight * r.won + right) / (weight + 1)


def rho_auc(r: Replicates) -> Array:
    """The mean of 1 / up over delta by eight nodes instead of all steps."""
    over_up = sum(share / 2 / r.pair_mean(r.gaps > -(1 + node) / 2) for node, share in zip(NODES, SHARES, strict=True))
    return np.sqrt(r.won * r.won_by * r.won * over_up)


VALUES: dict[str, Callable[[Replicates], Array]] = {
    "auc": lambda r: r.won,
    "gini": lambda r: 2 * r.won - 1,
    "defective_pairs": lambda r: (1 - r.won) * 2 * r.n_pos * r.n_neg / (r.n * (r.n - 1)),
    "average_precision": average_precision,
    "pr_auc": pr_auc,
    "r_precision": lambda r: r.hits(r.n_pos) / r.n_pos,
    "precision_at_k": lambda r: r.hits(10) / 10,
    "recall_at_k": lambda r: r.hits(10) / r.n_pos,
    "lift": lambda r: r.hits(0.1 * r.n) / r.n_pos / 0.1,
    "ks_statistic": ks_statistic,
    "auch": auch,
    "two_way_partial_auc": two_way_partial_auc,
    "concordant_partial_auc": concordant_partial_auc,
    "partial_pr_auc": partial_pr_auc,
    "prg_auc": prg_auc,
    "h_measure": h_measure,
    "sensitivity_at": sensitivity_at,
    "specificity_at": specificity_at,
    "scored_auc": lambda r: r.won_by,
    "softened_auc": lambda r: r.pair_mean(np.maximum(r.gaps, 0) ** (1 / 7)),
    "soft_auc": lambda r: r.pair_mean(expit(7 * r.gaps)),
    "mm1_auc": lambda r: r.won_by / r.width,
    "mm4_auc": lambda r: r.floored,
    "mm6_auc": lambda r: r.rewarded,
    "mm7_auc": lambda r: r.rewarded * r.won,
    "mm11_auc": _slope,
    "mm12_auc": lambda r: (1 + _slope(r)) / 2,
    "prob_auc": lambda r: (1 + _slope(r)) / 2,
    "low_auc": lambda r: r.won,
    "up_auc": lambda r: r.won,
    "lambda_auc": lambda r: r.won,
    "rho_auc": rho_auc,
    "brier_score": lambda r: r.drawn @ (r.positive - r.scores) ** 2 / r.n,
    "scaled_brier": lambda r: 1 - VALUES["brier_score"](r) * r.n**2 / (r.n_pos * r.n_neg),
    "log_loss": lambda r: -(r.drawn @ np.log(np.where(r.positive, r.scores, 1 - r.scores))) / r.n,
    "expected_calibration_error": expected_calibration_error,
    "discrimination_slope": _slope,
    "information_score": information_score,
    "relative_information_score": lambda r: information_score(r) / _entropy(r),
    "auc_acc": auc_acc,
}


def values_of(name: str, resamples: Replicates) -> Array:
    """Values of one measure, NaN where a class is missing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(resamples.known, VALUES[name](resamples), np.nan)


def draw_rows(positive: Array, rng: np.random.Generator, n_resamples: int, *, within_classes: bool) -> Array:
    """How often each row is drawn, a line per resample; classes apart or all rows together."""
    drawn = np.zeros((n_resamples, positive.size), dtype=np.int64)
    for rows in (
        (np.flatnonzero(positive), np.flatnonzero(~positive)) if within_classes else (np.arange(positive.size),)
    ):
        cells = rng.integers(rows.size, size=(n_resamples, rows.size)) + rows.size * np.arange(n_resamples)[:, None]
        drawn[:, rows] = np.bincount(cells.ravel(), minlength=n_resamples * rows.size).reshape(n_resamples, -1)
    return drawn
