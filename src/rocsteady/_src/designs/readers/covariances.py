"""How measures of readers vary together because they judged the same cases: DeLong's, jackknife and unbiased."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.influence import Added
from rocsteady._src.ranked import RankedScores, rank

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.inference.units.spread import Areas
    from rocsteady._src.ranked import Rows

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]

Covariance = Literal["delong", "jackknife", "unbiased"]
WHOLE = Area()
MOST_PAIRS = 2_000_000  # that are held at a time


def covariance_of(areas: Areas, rows: Rows, method: Covariance) -> Array:
    """Covariance matrix of the areas; NaN with one case in a class.

    "delong": DeLong, DeLong and Clarke-Pearson (1988). "jackknife": each case left out in turn, which makes the
    analysis that of Dorfman, Berbaum and Metz. "unbiased": the U-statistic whose mean is the covariance.
    """
    n_pos, n_neg = (int(np.count_nonzero(mask)) for mask in (rows.positive, ~rows.positive))
    if method == "delong" or min(n_pos, n_neg) < 2:
        return areas.covariance
    of_pos, of_neg = _products(rows)
    if method == "jackknife":
        n = n_pos + n_neg
        return (n - 1) / n * (of_pos / (n_pos - 1) ** 2 + of_neg / (n_neg - 1) ** 2)
    return unbiased_covariance(np.stack(rows.places).astype(np.float64), rows.positive)[1]


def _products(rows: Rows) -> tuple[Array, Array]:
    """Sums of products of what positives, and what negatives, add above the mean."""
    added = Added(rows, [WHOLE.components(ranked) for ranked in rows.ranked])
    lines = [added(side, np.flatnonzero(mask)) for side, mask in enumerate((rows.positive, ~rows.positive))]
    of_pos, of_neg = (line @ line.T for line in lines)
    return of_pos, of_neg


def unbiased_covariance(scores: Array, positive: Mask) -> tuple[Array, Array]:
    """AUC of each line of scores, NaN where there is none, and their covariance without bias, in any design.

    The product of two AUCs, less the mean product of a pair of cases of the one and a pair of the other that have no
    case in common: its expectation is the product of the true ones (Gallas 2006).
    """
    of_pos, of_neg = scores[:, positive], scores[:, ~positive]
    seen_pos, seen_neg = (np.isfinite(each).astype(np.float64) for each in (of_pos, of_neg))
    n_pos, n_neg = seen_pos.sum(axis=1), seen_neg.sum(axis=1)
    by_pos, by_neg, by_pair = _shared_wins(of_pos, of_neg)
    wins = by_pos.sum(axis=1)
    all_pairs = np.outer(wins, wins) - by_neg @ by_neg.T - by_pos @ by_pos.T + by_pair
    counted = np.outer(n_pos, n_pos) - seen_pos @ seen_pos.T
    counted *= np.outer(n_neg, n_neg) - seen_neg @ seen_neg.T
    areas = np.divide(wins, n_pos * n_neg, out=np.full(wins.size, np.nan), where=n_pos * n_neg > 0)
    apart = np.divide(all_pairs, counted, out=np.full(counted.shape, np.nan), where=counted > 0)
    return areas, np.outer(areas, areas) - apart


def _shared_wins(of_pos: Array, of_neg: Array) -> tuple[Array, Array, Array]:
    """Wins of each line by positive, by negative, and sums over pairs of products of two lines; ties count one half."""
    n_lines = len(of_pos)
    by_pos, by_neg = np.zeros(of_pos.shape), np.zeros(of_neg.shape)
    by_pair = np.zeros((n_lines, n_lines))
    step = max(1, MOST_PAIRS // max(of_pos.size, 1))
    for start in range(0, of_neg.shape[1], step):  # some negatives at a time, which bounds the memory
        part = slice(start, start + step)
        won = (np.sign(of_pos[:, None, :] - of_neg[:, part, None]) + 1) / 2
        won[np.isnan(won)] = 0.0
        by_pos += won.sum(axis=1)
        by_neg[:, part] = won.sum(axis=2)
        flat = won.reshape(n_lines, -1)
        by_pair += flat @ flat.T
    return by_pos, by_neg, by_pair


def jackknifed(compute: Callable[[RankedScores], float], scores: Array, positive: Mask) -> tuple[Array, Array]:
    """Any measure of each line of scores, NaN where there is none, and their covariance by leaving out cases.

    A case adds to the covariance of two lines that both have it.
    """
    values, added = np.full(len(scores), np.nan), np.zeros(scores.shape)
    for place, line in enumerate(scores):
        seen = np.flatnonzero(np.isfinite(line))
        if not seen.size:
            continue
        ranked = rank(positive[seen], line[seen])
        values[place] = compute(ranked)
        left = _left_out(compute, ranked, line[seen], positive[seen])
        n = seen.size
        added[place, seen] = np.sqrt((n - 1) / n) * (left - left.mean()) if n > 1 else np.nan
    return values, added @ added.T


def _left_out(compute: Callable[[RankedScores], float], ranked: RankedScores, line: Array, positive: Mask) -> Array:
    """The measure without each row; rows of one score and class are all the same."""
    group = np.searchsorted(ranked.scores, line)
    found: dict[tuple[int, bool], float] = {}
    for key in zip(group.tolist(), positive.tolist(), strict=True):
        if key not in found:
            found[key] = compute(_without(ranked, *key))
    return np.array([found[key] for key in zip(group.tolist(), positive.tolist(), strict=True)])


def _without(ranked: RankedScores, group: int, of_pos: bool) -> RankedScores:
    pos, neg = ranked.pos.copy(), ranked.neg.copy()
    (pos if of_pos else neg)[group] -= 1
    kept = pos + neg > 0
    return RankedScores.trusted(ranked.scores[kept], pos[kept], neg[kept], ranked.origin)
