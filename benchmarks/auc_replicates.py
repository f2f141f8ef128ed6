"""Bootstrap and permutation tests between two AUCs, or other measures of ranks, all resamples of a sample at once.

``compare_measure("auc", ...)`` makes them one by one. Exchanging two models in a row, or two rows between samples,
changes the difference of the AUCs by a sum over rows, so that no permutation compares pairs again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import rankdata

from benchmarks.coverage_kit import LEVEL, holds
from benchmarks.group_replicates import average_precision, sensitivity_at, values_of
from rocsteady._src.inference.comparison.hypotheses import judge
from rocsteady._src.inference.comparison.permute import DIGITS, permutation_p
from rocsteady._src.inference.intervals.measure_facts import draws_within_classes
from rocsteady._src.inference.intervals.replicate_ends import ends, spread_of
from rocsteady._src.inference.resampling.resample import MOST_FAILED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

ALPHA, ROUNDING = 0.05, 1e-12
BY_RANK = {"average_precision": average_precision, "sensitivity_at": sensitivity_at}


def auc_rejections(
    scores: Any, n_pos: int, rng: np.random.Generator, n_resamples: int, *, paired: bool
) -> dict[str, bool]:
    """Which tests tell the models apart, and whether the percentiles of their difference leave out 0."""
    models = [np.asarray(each, dtype=float) for each in scores]
    observed = settled(np.array([area(each, n_pos) for each in models]) @ [1, -1])
    drawn = (drawn_pairs if paired else drawn_samples)(models, n_pos, rng, n_resamples)
    swapped = (exchanged_models if paired else exchanged_rows)(models, n_pos, rng, n_resamples)
    judged = judge(float(observed), spread_of(drawn), "two-sided", None)
    return {
        "bootstrap": bool(judged.pvalue <= ALPHA),
        "bootstrap interval": not holds(ends("percentile", drawn, float(observed), LEVEL), 0.0),
        "permutation": permutation_p(swapped, float(observed), "two-sided")[0] <= ALPHA,
    }


def wins(pos: Array, neg: Array) -> Array:
    """1, 1/2 or 0 for every positive and negative."""
    return (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)


def area(scores: Array, n_pos: int) -> float:
    return float(wins(scores[:n_pos], scores[n_pos:]).mean())


def settled(values: Any) -> Array:
    """What rounding alone makes is none."""
    return np.where(np.abs(values) <= ROUNDING, 0.0, values)


def counts(rng: np.random.Generator, rows: int, resamples: int) -> Array:
    """How often each row is drawn, in each resample."""
    places = rng.integers(0, rows, (resamples, rows)) + rows * np.arange(resamples)[:, None]
    return np.bincount(places.ravel(), minlength=rows * resamples).reshape(resamples, rows).astype(np.float32)


def drawn_areas(won: Array, rng: np.random.Generator, resamples: int) -> Array:
    """Sums of these pairs over rows drawn within classes, as shares of all pairs."""
    pos, neg = (counts(rng, rows, resamples) for rows in won.shape)
    return np.einsum("rj,rj->r", pos @ won.astype(np.float32), neg, dtype=np.float64) / won.size


def drawn_pairs(models: list[Array], n_pos: int, rng: np.random.Generator, resamples: int) -> Array:
    """Differences of the bootstrap, both models on the same rows."""
    one, two = (wins(each[:n_pos], each[n_pos:]) for each in models)
    return settled(drawn_areas(one - two, rng, resamples))


def drawn_samples(models: list[Array], n_pos: int, rng: np.random.Generator, resamples: int) -> Array:
    """Differences of the bootstrap, each model on rows of its own."""
    one, two = (drawn_areas(wins(each[:n_pos], each[n_pos:]), rng, resamples) for each in models)
    return settled(one - two)


def exchanged_models(
    models: list[Array], n_pos: int, rng: np.random.Generator, resamples: int, swapped: Array | None = None
) -> Array:
    """Differences with the ranks of both models exchanged in some rows."""
    ranks = [rankdata(each) for each in models]
    if swapped is None:
        swapped = rng.random((resamples, ranks[0].size)) < 0.5
    won = [[wins(one[:n_pos], two[n_pos:]) for two in ranks] for one in ranks]
    own, across = won[0][0] - won[1][1], won[0][1] - won[1][0]
    lost = swapped[:, :n_pos] @ (own + across).sum(axis=1) + swapped[:, n_pos:] @ (own - across).sum(axis=0)
    return settled((own.sum() - lost) / own.size)


def exchanged_rows(
    models: list[Array], n_pos: int, rng: np.random.Generator, resamples: int, first: Any = None
) -> Array:
    """Differences with rows of the same class dealt to the two samples anew, by their ranks in samples of one size."""
    ranks = [pooled_rank(each, n_pos) for each in models]
    pos, neg = (np.concatenate([each[side] for each in ranks]) for side in (slice(n_pos), slice(n_pos, None)))
    won = wins(pos, neg)
    if first is None:
        first = [dealt(rng, won.shape[axis], resamples) for axis in (0, 1)]
    gained = won.sum(axis=1)[first[0]].sum(axis=1) + won.sum(axis=0)[first[1]].sum(axis=1)
    return settled((gained - won.sum()) / (won.size / 4))


def pooled_rank(scores: Array, n_pos: int) -> Array:
    """Share of lower rows, half of the tied ones included; both samples have the same classes."""
    return ((rankdata(scores) - 0.5) / scores.size).round(DIGITS)


def dealt(rng: np.random.Generator, rows: int, resamples: int) -> Array:
    """Which half of the rows is in the first sample, for each permutation."""
    return rng.random((resamples, rows)).argpartition(rows // 2, axis=1)[:, : rows // 2]


def rank_rejections(
    measure: str, scores: Any, n_pos: int, rng: np.random.Generator, n_resamples: int
) -> dict[str, bool]:
    """The same between two models in another measure on the same rows, of scores without ties.

    Without the bootstrap where too many resamples lack a class, which is refused.
    """
    one, two = (rankdata(each).astype(np.int64) - 1 for each in scores)
    n = one.size
    places = np.broadcast_to(one, (n_resamples, n)), np.broadcast_to(two, (n_resamples, n))
    plain = np.ones((n_resamples, n))
    observed = float(rank_difference(measure, plain[:1], (places[0][:1], places[1][:1]), n_pos)[0])
    swapped = rng.random((n_resamples, n)) < 0.5
    mixed = np.where(swapped, two, one), np.where(swapped, one, two)
    p = permutation_p(rank_difference(measure, plain, mixed, n_pos), observed, "two-sided")[0]
    drawn = rank_difference(measure, rows_drawn(measure, n, n_pos, rng, n_resamples), places, n_pos)
    found = {"permutation": p <= ALPHA}
    if np.isnan(drawn).mean() > MOST_FAILED:
        return found
    judged = judge(observed, spread_of(drawn), "two-sided", None)
    left_out = not holds(ends("percentile", drawn, observed, LEVEL), 0.0)
    return {"bootstrap": bool(judged.pvalue <= ALPHA), "bootstrap interval": left_out, **found}


def rows_drawn(measure: str, n: int, n_pos: int, rng: np.random.Generator, resamples: int) -> Array:
    """How often each row is drawn, within classes or all together as the measure has it."""
    parts = (n_pos, n - n_pos) if draws_within_classes(measure) else (n,)
    return np.hstack([counts(rng, rows, resamples) for rows in parts])


def rank_difference(measure: str, weights: Array, places: tuple[Array, Array], n_pos: int) -> Array:
    """First less second value of rows with such weights at such ranks, a resample in each line."""
    resamples, n = weights.shape
    positive = np.arange(n) < n_pos
    lines = n * np.arange(resamples)[:, None]
    values = []
    for each in places:
        sides = [
            np.bincount((each + lines).ravel(), (weights * side).ravel(), resamples * n).reshape(resamples, n)
            for side in (positive, ~positive)
        ]
        values.append(values_of(BY_RANK[measure], *sides))
    return settled(values[0] - values[1])
