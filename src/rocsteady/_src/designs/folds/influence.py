"""Variance of a mean of fold AUCs by influence curves (LeDell, Petersen and van der Laan 2015).

The influence of a positive is (n/P) (share of negatives of its fold below it - AUC of the fold), that of a negative
(n/N) (share of positives above it - AUC); the variance is the mean over folds of the mean square in a fold, over n.
Rows of a subject are added first, and so is the same row in several repeats, which brings no new rows. A subject with
rows in several folds counts in each by its share of rows there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.units import Units, unbiased

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.designs.folds.rows_by_fold import Fold, FoldedRows
    from rocsteady._src.ranked import RankedScores

    Array = NDArray[np.float64]


def fold_aucs(rows: FoldedRows, model: int = 0) -> Array:
    """AUC of each fold, all of which have both classes."""
    return np.array([Area().value(fold.ranked[model]) for fold in rows.folds], dtype=np.float64)


def influence_of_mean(rows: FoldedRows, model: int = 0) -> Array:
    """What each row adds to the mean of fold AUCs, before its weight; its squares add up to the variance."""
    added = np.zeros(rows.positive.size)
    weights = _weights(rows)
    for folds in rows.repeats():
        of_repeat = np.concatenate([fold.rows for fold in folds])
        total = float(weights[of_repeat].sum())
        positives = float(weights[of_repeat] @ rows.positive[of_repeat])
        units = _n_units(rows, of_repeat, weights)
        for fold in folds:
            positive = rows.positive[fold.rows]
            by_class = total / np.where(positive, positives, total - positives)
            in_fold = _units_in_fold(rows, fold.rows, of_repeat, weights)
            step = len(folds) / len(rows.folds) * units / total / math.sqrt(len(folds) * in_fold * units)
            added[fold.rows] = step * by_class * _above_auc(rows, fold.ranked[model], fold.rows, model)
    return added


def delong_of_mean(rows: FoldedRows, model: int = 0) -> Array:
    """The same with the counts of each fold, and n/(n - 1) of its own n rows: squares add up to DeLong's variances.

    NaN for the rows of a class that has a single row, or subject, in its fold.
    """
    added = np.zeros(rows.positive.size)
    weights = _weights(rows)
    for fold in rows.folds:
        above = _above_auc(rows, fold.ranked[model], fold.rows, model) / len(rows.folds)
        for side in (rows.positive[fold.rows], ~rows.positive[fold.rows]):
            chosen = fold.rows[side]
            alone = rows.cluster is None and rows.weight_type == "sampling"
            n = float(chosen.size) if alone else _n_units(rows, chosen, weights)
            added[chosen] = above[side] * math.sqrt(unbiased(n)) / float(weights[chosen].sum())
    return added


def sampled_variance(rows: FoldedRows, fold: Fold, model: int = 0) -> float:
    """Variance of a fold's AUC whose rows have sampling weights, as :func:`rocsteady.auc_interval` has it."""
    above = _above_auc(rows, fold.ranked[model], fold.rows, model)
    positive = rows.positive[fold.rows]
    units = Units(positive.size, _weights(rows)[fold.rows], "sampling")
    return sum(units.variance(above[side], side) for side in (positive, ~positive))


def influence_of_pooled(rows: FoldedRows, model: int = 0) -> Array:
    """What each row adds to the AUC of all scores together, meaned over repeats, before its weight."""
    added = np.zeros(rows.positive.size)
    weights = _weights(rows)
    repeats = rows.repeats()
    for folds in repeats:
        chosen = np.concatenate([fold.rows for fold in folds])
        positive = rows.positive[chosen]
        positives = float(weights[chosen] @ positive)
        totals = np.where(positive, positives, float(weights[chosen].sum()) - positives)
        added[chosen] = _above_auc(rows, rows.ranked(folds, model), chosen, model) / totals / len(repeats)
    return added


def variance_of(rows: FoldedRows, added: Array) -> float:
    """Sum of squares over independent units: subjects, else rows, each counted once over all repeats.

    A frequency weight w stands for w independent rows, a sampling weight for one row that counts more.
    """
    weights = _weights(rows)
    if rows.cluster is None and rows.weight_type == "frequency":
        weights = np.sqrt(weights)
    amounts = weights * added
    units = rows.cluster if rows.cluster is not None else rows.row
    sums = amounts if units is None else np.bincount(units, amounts)
    return float(sums @ sums)


def variance_of_pooled(rows: FoldedRows) -> float:
    """Variance of the AUC of all scores together: DeLong's, or Obuchowski's of subjects; repeats bring no new units."""
    weights, units = _weights(rows), rows.cluster if rows.cluster is not None else rows.row
    units = np.arange(rows.positive.size) if units is None else units
    repeated = rows.cluster is None and rows.weight_type == "frequency"
    amounts = (np.sqrt(weights) if repeated else weights) * influence_of_pooled(rows)
    sides = [rows.positive, ~rows.positive]
    of_pos, of_neg = (np.bincount(units[side], amounts[side], units.max() + 1) for side in sides)
    n_pos, n_neg = (_distinct(units[side], weights[side] if repeated else None) for side in sides)
    alone = unbiased(n_pos) * float(of_pos @ of_pos) + unbiased(n_neg) * float(of_neg @ of_neg)
    return alone if rows.cluster is None else alone + 2 * unbiased(_distinct(units, None)) * float(of_pos @ of_neg)


def _distinct(units: NDArray[np.integer[Any]], weights: Array | None) -> float:
    """Number of different units; a frequency weight stands for so many."""
    times = np.bincount(units)
    if weights is None:
        return float(np.count_nonzero(times))
    return float((np.bincount(units, weights)[times > 0] / times[times > 0]).sum())


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of a positive and a negative, all and those inside one fold, as means over repeats."""

    pooled: float
    within: float
    between: float


def pairs_of(rows: FoldedRows) -> Pairs:
    """Share of pairs ranked right: of all, of those inside folds, of those across folds."""
    found = np.array([_pairs(rows, folds) for folds in rows.repeats()])
    pooled, within, between = (float(value) for value in found.mean(axis=0))
    return Pairs(pooled, within, between)


def _pairs(rows: FoldedRows, folds: list[Fold]) -> tuple[float, float, float]:
    everything = rows.ranked(folds)
    pooled, total = Area().value(everything), float(everything.n_pos) * float(everything.n_neg)
    both = [fold.ranked[0] for fold in folds if not fold.one_class]
    pairs = np.array([float(each.n_pos) * float(each.n_neg) for each in both])
    right = float(pairs @ np.array([Area().value(each) for each in both])) if both else 0.0
    inside = float(pairs.sum())
    within = right / inside if inside else math.nan
    across = total - inside
    return pooled, within, (pooled * total - right) / across if across > 0 else math.nan


def _above_auc(rows: FoldedRows, ranked: RankedScores, chosen: NDArray[np.intp], model: int) -> Array:
    """Share of the other class on the right side of each row, minus the AUC."""
    parts = Area().components(ranked)
    places = ranked.scores.searchsorted(rows.scores(model)[chosen])
    above: Array = np.where(rows.positive[chosen], parts.of_pos[places], parts.of_neg[places]) - parts.theta
    return above


def _weights(rows: FoldedRows) -> Array:
    """Row weights; only ratios of sampling weights matter, so their mean is made 1."""
    if rows.weights is None:
        return np.ones(rows.positive.size)
    weights = rows.weights.astype(np.float64)
    return weights / weights.mean() if rows.weight_type == "sampling" else weights


def _units_in_fold(rows: FoldedRows, fold: NDArray[np.intp], of_repeat: NDArray[np.intp], weights: Array) -> float:
    if rows.cluster is None:
        return _n_units(rows, fold, weights)
    size = int(rows.cluster.max()) + 1
    here, everywhere = (np.bincount(rows.cluster[part], weights[part], size) for part in (fold, of_repeat))
    return float((here[everywhere > 0] / everywhere[everywhere > 0]).sum())


def _n_units(rows: FoldedRows, chosen: NDArray[np.intp], weights: Array) -> float:
    if rows.cluster is None:
        return float(weights[chosen].sum())
    return float(np.count_nonzero(np.bincount(rows.cluster[chosen])))
