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
    from collections.abc import Callable

    from numpy.typing import NDArray

    from benchmarks.shared_draws import Draws

    Array = NDArray[Any]

ALPHA, ROUNDING, AT_HAND = 0.05, 1e-12, 16_000
BY_RANK = {"average_precision": average_precision, "sensitivity_at": sensitivity_at}


def auc_rejections(scores: Any, n_pos: int, draws: Draws, *, paired: bool) -> dict[str, bool]:
    """Which tests tell the models apart, and whether the percentiles of their difference leave out 0."""
    models = [np.asarray(each, dtype=float) for each in scores]
    observed = settled(np.array([area(each, n_pos) for each in models]) @ [1, -1])
    drawn = (drawn_pairs if paired else drawn_samples)(models, n_pos, draws)
    swapped = (exchanged_models if paired else exchanged_rows)(models, n_pos, draws)
    judged = judge(float(observed), spread_of(drawn), "two-sided", None)
    return {
        "bootstrap": bool(judged.pvalue <= ALPHA),
        "bootstrap interval": not holds(ends("percentile", drawn, float(observed), LEVEL), 0.0),
        "permutation": permutation_p(swapped, float(observed), "two-sided")[0] <= ALPHA,
    }


def wins(pos: Array, neg: Array) -> Array:
    """1, 1/2 or 0 for every positive and negative."""
    won = (pos[:, None] > neg).astype(np.float32)
    won += (pos[:, None] >= neg).view(np.int8)
    return won / np.float32(2)


def won_by(scores: Array, others: Array) -> Array:
    """How many of the others each score is above, ties counted one half."""
    ordered = np.sort(others)
    return (ordered.searchsorted(scores) + ordered.searchsorted(scores, side="right")) / 2


def area(scores: Array, n_pos: int) -> float:
    return float(won_by(scores[:n_pos], scores[n_pos:]).mean() / (scores.size - n_pos))


def settled(values: Any) -> Array:
    """What rounding alone makes is none."""
    return np.where(np.abs(values) <= ROUNDING, 0.0, values)


def drawn_areas(won: Array, pos: Array, neg: Array) -> Array:
    """Sums of these pairs over rows that were drawn so often, as shares of all pairs."""
    return np.einsum("rj,rj->r", pos @ won, neg, dtype=np.float64) / won.size


def drawn_pairs(models: list[Array], n_pos: int, draws: Draws) -> Array:
    """Differences of the bootstrap, both models on the same rows."""
    one, two = (wins(each[:n_pos], each[n_pos:]) for each in models)
    pos, neg = (draws.counts(rows, part) for part, rows in enumerate(one.shape))
    return settled(drawn_areas(one - two, pos, neg))


def drawn_samples(models: list[Array], n_pos: int, draws: Draws) -> Array:
    """Differences of the bootstrap, each model on rows of its own: negatives in the order of their scores."""
    found = []
    for model, scores in enumerate(models):
        pos, neg = scores[:n_pos], np.sort(scores[n_pos:])
        passed = draws.passed(neg.size, 2 * model + 1)
        below, through = (neg.searchsorted(pos, side=side) for side in ("left", "right"))
        lost = passed[:, neg.size - through]
        if (below != through).any():
            lost = (lost + passed[:, neg.size - below]) / 2
        found.append(np.einsum("ij,ij->i", draws.counts(n_pos, 2 * model), lost) / (n_pos * neg.size))
    return settled(found[1] - found[0])


def exchanged_models(models: list[Array], n_pos: int, draws: Draws) -> Array:
    """Differences with the ranks of both models exchanged in some rows."""
    ranks, swapped = [rankdata(each) for each in models], draws.coins(models[0].size)
    n_neg = swapped.shape[1] - n_pos
    pos, neg = ([rank[side] for rank in ranks] for side in (slice(n_pos), slice(n_pos, None)))
    own, across = (won_by(pos[0], neg[i]) - won_by(pos[1], neg[1 - i]) for i in (0, 1))
    lost_own, lost_across = (won_by(neg[1 - i], pos[1]) - won_by(neg[i], pos[0]) for i in (0, 1))
    lost = swapped[:, :n_pos] @ (own + across) + swapped[:, n_pos:] @ (lost_own - lost_across)
    return settled((own.sum() - lost) / (n_pos * n_neg))


def exchanged_rows(models: list[Array], n_pos: int, draws: Draws) -> Array:
    """Differences with rows of the same class dealt to the two samples anew, by their ranks in samples of one size."""
    ranks = [pooled_rank(each, n_pos) for each in models]
    pos, neg = (np.concatenate([each[side] for each in ranks]) for side in (slice(n_pos), slice(n_pos, None)))
    above, below = won_by(pos, neg), pos.size - won_by(neg, pos)
    gained = draws.dealt(pos.size, 0) @ above + draws.dealt(neg.size, 1) @ below
    return settled((gained - above.sum()) / (pos.size * neg.size / 4))


def pooled_rank(scores: Array, n_pos: int) -> Array:
    """Share of lower rows, half of the tied ones included; both samples have the same classes."""
    return ((rankdata(scores) - 0.5) / scores.size).round(DIGITS)


def rank_rejections(measure: str, scores: Any, n_pos: int, draws: Draws) -> dict[str, bool]:
    """The same between two models in another measure on the same rows, of scores without ties.

    Without the bootstrap where too many resamples lack a class, which is refused.
    """
    one, two = (rankdata(each).astype(np.int64) - 1 for each in scores)
    swapped = draws.coins(one.size) > 0
    observed = float(rank_difference(measure, (one[None], two[None]), n_pos)[0])
    mixed = np.where(swapped, two, one), np.where(swapped, one, two)
    p = permutation_p(rank_difference(measure, mixed, n_pos), observed, "two-sided")[0]
    drawn = drawn_difference(measure, rows_drawn(measure, one.size, n_pos, draws), (one, two), n_pos)
    found = {"permutation": p <= ALPHA}
    if np.isnan(drawn).mean() > MOST_FAILED:
        return found
    judged = judge(observed, spread_of(drawn), "two-sided", None)
    left_out = not holds(ends("percentile", drawn, observed, LEVEL), 0.0)
    return {"bootstrap": bool(judged.pvalue <= ALPHA), "bootstrap interval": left_out, **found}


def rows_drawn(measure: str, n: int, n_pos: int, draws: Draws) -> Array:
    """How often each row is drawn, within classes or all together as the measure has it."""
    parts = (n_pos, n - n_pos) if draws_within_classes(measure) else (n,)
    return np.hstack([draws.counts(rows, part) for part, rows in enumerate(parts)])


def drawn_difference(measure: str, weights: Array, ranks: tuple[Array, Array], n_pos: int) -> Array:
    """First less second value of rows with such weights, a resample in each line; no ranks are tied."""
    orders = [rank.argsort() for rank in ranks]

    def values(order: Array, lines: slice) -> Array:
        placed, positive = weights[lines, order].astype(np.float64), order < n_pos
        return values_of(BY_RANK[measure], placed * positive, placed * ~positive)

    return _in_parts(*weights.shape, lambda lines: values(orders[0], lines) - values(orders[1], lines))


def rank_difference(measure: str, places: tuple[Array, Array], n_pos: int) -> Array:
    """First less second value of rows at such ranks, a permutation in each line."""
    n = places[0].shape[1]

    def values(placed: Array) -> Array:
        cells = placed + n * np.arange(len(placed))[:, None]
        sides = (cells[:, :n_pos], cells[:, n_pos:])
        return values_of(
            BY_RANK[measure], *(np.bincount(s.ravel(), minlength=cells.size).reshape(-1, n) for s in sides)
        )

    return _in_parts(*places[0].shape, lambda lines: values(places[0][lines]) - values(places[1][lines]))


def _in_parts(resamples: int, rows: int, difference: Callable[[slice], Array]) -> Array:
    """Some lines at a time, so that they stay at hand."""
    step = max(1, AT_HAND // rows)
    return settled(np.concatenate([difference(slice(start, start + step)) for start in range(0, resamples, step)]))
