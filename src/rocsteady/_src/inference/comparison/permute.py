"""Permutations under the hypothesis of no difference; scores are put on one common list once, then only counted."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError
from rocsteady._src.ranked import RankedScores, sorted_distinct

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.inference.comparison.subject_swaps import SubjectSwaps
    from rocsteady._src.ranked import Rows
    from rocsteady._src.results import Origin

    Permute = Callable[[np.random.Generator], list[RankedScores]]

SAME = 1e-12
MOST_DEALT = 10**9  # NumPy's limit
DIGITS = 12  # ranks that differ by less were equal before rounding errors


def permuted_pairs(models: Rows, *, by_rank: bool, frequency: bool) -> Permute:
    """Exchange the two models in randomly chosen rows, or in all rows of randomly chosen subjects.

    A frequency weight stands for so many rows, each of which is exchanged or not.
    """
    values = [_row_values(models, model, by_rank=by_rank) for model in (0, 1)]
    listed, places = sorted_distinct(np.concatenate(values))
    first, second = np.split(places, 2)
    count = _counter(listed, models.origin)
    if frequency and models.clusters is None and models.weights is not None:
        return _exchanged_parts(models.positive, (first, second), models.weights, count)
    subjects = np.arange(first.size) if models.clusters is None else models.clusters

    def permute(rng: np.random.Generator) -> list[RankedScores]:
        swapped = (rng.random(models.n_clusters) < 0.5)[subjects]
        both = (np.where(swapped, second, first), np.where(swapped, first, second))
        return [count(models.positive, placed, models.weights) for placed in both]

    return permute


def _exchanged_parts(
    positive: NDArray[np.bool_],
    places: tuple[NDArray[np.int64], NDArray[np.int64]],
    weights: NDArray[Any],
    count: Callable[..., RankedScores],
) -> Permute:
    twice, both = np.tile(positive, 2), np.concatenate(places)

    def permute(rng: np.random.Generator) -> list[RankedScores]:
        moved = rng.binomial(weights, 0.5)
        stayed = weights - moved
        return [count(twice, both, np.concatenate(parts)) for parts in ((stayed, moved), (moved, stayed))]

    return permute


def permuted_samples(one: Rows, two: Rows, swaps: SubjectSwaps | None, *, by_rank: bool, frequency: bool) -> Permute:
    """Exchange rows of the same class, or subjects of the same composition, between two independent samples."""
    positive = np.concatenate([one.positive, two.positive])
    values = pooled_ranks(one, two) if by_rank else [_row_values(sample, 0, by_rank=False) for sample in (one, two)]
    listed, places = sorted_distinct(np.concatenate(values))
    weights = None if one.weights is None or two.weights is None else np.concatenate([one.weights, two.weights])
    count = _counter(listed, one.origin)
    if frequency and swaps is None and weights is not None:
        return _dealt_again(positive, places, weights, one, count)
    sides = [np.flatnonzero(positive), np.flatnonzero(~positive)]
    n_first = [int(one.positive.sum()), int((~one.positive).sum())]

    def permute(rng: np.random.Generator) -> list[RankedScores]:
        mixed = [rng.permutation(side) for side in sides] if swaps is None else swaps.reorder(rng, sides)
        first = np.concatenate([side[:n] for side, n in zip(mixed, n_first, strict=True)])
        second = np.concatenate([side[n:] for side, n in zip(mixed, n_first, strict=True)])
        return [
            count(positive[rows], places[rows], None if weights is None else weights[rows]) for rows in (first, second)
        ]

    return permute


def _dealt_again(
    positive: NDArray[np.bool_],
    places: NDArray[np.int64],
    weights: NDArray[Any],
    one: Rows,
    count: Callable[..., RankedScores],
) -> Permute:
    """So many rows as the weights count, dealt to the samples anew within each class."""
    if int(weights.sum()) >= MOST_DEALT:
        raise InputError(
            "too_many_rows", f"weights count {int(weights.sum())} rows, too many to deal; use the bootstrap"
        )
    sides = [np.flatnonzero(positive), np.flatnonzero(~positive)]
    n_first = [int(one.ranked[0].n_pos), int(one.ranked[0].n_neg)]

    def permute(rng: np.random.Generator) -> list[RankedScores]:
        first = np.zeros_like(weights)
        for side, n in zip(sides, n_first, strict=True):
            first[side] = rng.multivariate_hypergeometric(weights[side], n, method="marginals")
        return [count(positive, places, part) for part in (first, weights - first)]

    return permute


def pooled_prevalence(*samples: Rows) -> float:
    """Share of positives among the rows of all samples, by weight."""
    groups = [sample.ranked[0] for sample in samples]
    return float(sum(each.n_pos for each in groups) / sum(each.n_pos + each.n_neg for each in groups))


def pooled_ranks(*samples: Rows) -> list[NDArray[np.float64]]:
    """For each row the share of lower scores, half of the tied ones included, in a sample of the pooled prevalence."""
    prevalence = pooled_prevalence(*samples)
    return [_ranks_at(prevalence, sample) for sample in samples]


def _ranks_at(prevalence: float, sample: Rows) -> NDArray[np.float64]:
    groups = sample.ranked[0]
    pos, neg = groups.pos_through - groups.pos / 2, groups.neg_through - groups.neg / 2
    ranks: NDArray[np.float64] = prevalence * pos / groups.n_pos + (1 - prevalence) * neg / groups.n_neg
    return ranks[sample.places[0]].round(DIGITS)


def _row_values(models: Rows, model: int, *, by_rank: bool) -> NDArray[Any]:
    """Scores of the rows, or twice their mid-ranks."""
    groups, places = models.ranked[model], models.places[model]
    if not by_rank:
        return groups.scores[places]
    sizes = groups.pos + groups.neg
    ranks = 2 * sizes.cumsum() - sizes
    if sizes.dtype.kind == "f":
        ranks = (ranks / ranks[-1]).round(DIGITS)
    found: NDArray[Any] = ranks[places]
    return found


def _counter(listed: NDArray[Any], origin: Origin) -> Callable[..., RankedScores]:
    def count(
        positive: NDArray[np.bool_], placed: NDArray[np.int64], weights: NDArray[Any] | None = None
    ) -> RankedScores:
        sums = [
            np.bincount(placed[mask], None if weights is None else weights[mask], listed.size)
            for mask in (positive, ~positive)
        ]
        if weights is not None and weights.dtype.kind in "iu":
            sums = [part.astype(np.int64) for part in sums]
        kept = (sums[0] != 0) | (sums[1] != 0)
        pos, neg = (part.compress(kept) for part in sums)
        return RankedScores.trusted(listed.compress(kept), pos, neg, origin)

    return count


def permutation_p(values: NDArray[np.float64], observed: float, alternative: str) -> tuple[float, float]:
    """Return p = (1 + as extreme) / (1 + permutations), never 0, and its Monte Carlo standard error."""
    values = values[~np.isnan(values)]
    slack = SAME * max(1.0, abs(observed))
    if alternative == "two-sided":
        extreme = np.abs(values) >= abs(observed) - slack
    else:
        extreme = values >= observed - slack if alternative == "greater" else values <= observed + slack
    p = (1 + int(np.count_nonzero(extreme))) / (1 + values.size)
    return p, math.sqrt(p * (1 - p) / values.size)
