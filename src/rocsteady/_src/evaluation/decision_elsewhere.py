"""What it takes to decide again, at any costs and prevalence, with intervals: for who has this and not the rows.

A cheapest threshold is a vertex of the model's hull, whatever the costs. As the price of a miss grows, two models walk
along their hulls together, so that as many pairs of thresholds can meet as both hulls have vertices; how many rows both
flag there is all that the difference of their costs and its standard error need.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.base.geometry import upper_hull
from rocsteady._src.evaluation.decision_checks import agree, enough, leading_values
from rocsteady._src.evaluation.trusted_probabilities import trust_of
from rocsteady._src.inference.intervals.every_measure import MOST_BOOTSTRAPPED
from rocsteady._src.inference.intervals.replicate_ends import quantiles_of
from rocsteady._src.inference.resampling.draws import draws_of_groups
from rocsteady._src.inference.resampling.resample import MOST_FAILED, replicate, sampler

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.evaluation.trusted_probabilities import Trust
    from rocsteady._src.ranked import RankedScores, Rows
    from rocsteady._src.results.decision import Check, Decision

    Whole = NDArray[np.int64]
    Array = NDArray[np.float64]

RESAMPLES = 500
STEPS, OCTAVES = 8, 8  # prices are an eighth of an octave apart, eight octaves to both sides of the neutral one


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Vertices of the hulls of two models that are cheapest at the same price, and the rows that both flag there."""

    first: str
    second: str
    at: list[tuple[int, int]]
    positives: list[int]
    negatives: list[int]


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """What resamples choose at each price.

    By how much they flatter the recall and the share of negatives alarmed, and the interval of the threshold.
    """

    recall: Array
    alarmed: Array
    low: Array
    high: Array


@dataclass(frozen=True, slots=True, eq=False)
class Elsewhere:
    """Vertices of every hull as (true, false) positives, pairs of models, prices of a miss and choices there."""

    hulls: dict[str, list[tuple[int, int]]]
    pairs: list[Pair]
    prices: Array
    choices: dict[str, Choices | None]


def elsewhere(result: Evaluation, level: float, leaders: set[str]) -> Elsewhere | None:
    """None where rows are sampled by weight, repeat subjects or are gone: counts do not tell how sure one can be then.

    ``leaders`` are the models that lead at some price.
    """
    rows = result.rows.of_models(*result.models)
    if rows is None or not rows.ranked[0].counts_rows or rows.clusters is not None:
        return None  # whole frequencies are rows that were counted
    vertices = {model: ranked.hull_vertices for model, ranked in result.ranked.items()}
    hulls = {}
    for model, ranked in result.ranked.items():
        tp, fp = (side[vertices[model]].tolist() for side in ranked.called_positive)
        hulls[model] = [(int(a), int(b)) for a, b in zip(tp, fp, strict=True)]
    pairs = [_pair(rows, vertices, hulls, *names) for names in combinations(result.models, 2)]
    prices = _prices(result.n_neg / result.n_pos)
    choices = {model: _choices(ranked, prices, level) for model, ranked in result.ranked.items() if model in leaders}
    return Elsewhere(hulls, pairs, prices, choices)


def checks_if_leading(
    result: Evaluation, decided: Decision, models: Iterable[str]
) -> dict[str, tuple[Check, Check, Trust]]:
    """The three checks of each model, were it the cheapest, without what other costs or prevalences would change."""
    known, found = leading_values(result), {}
    for model in models:
        led = replace(decided, model=model, prices=(), courses=(decided[model],))
        found[model] = enough(result, led), agree(result, led, known), trust_of(result, model, decided.level)
    return found


def _prices(neutral: float) -> Array:
    between = neutral * 2 ** (np.arange(-OCTAVES * STEPS, OCTAVES * STEPS + 1) / STEPS)
    return np.concatenate([[0.0], between, [np.inf]])


def _pair(
    rows: Rows, vertices: Mapping[str, Whole], hulls: Mapping[str, list[tuple[int, int]]], first: str, second: str
) -> Pair:
    """Count rows by the first vertex of either hull at which they are flagged; sums along both count those flagged."""
    shape = vertices[first].size + 1, vertices[second].size + 1
    places = [_flagged_from(rows, model, vertices[model]) for model in (first, second)]
    together = places[0] * shape[1] + places[1]
    both = []
    for mask in (rows.positive, ~rows.positive):
        times = None if rows.weights is None else rows.weights[mask]
        counts = np.bincount(together[mask], times, minlength=shape[0] * shape[1]).reshape(shape)
        both.append(counts.cumsum(axis=0).cumsum(axis=1))
    at = meeting(hulls[first], hulls[second])
    return Pair(first, second, at, *([int(counts[i, j]) for i, j in at] for counts in both))


def _flagged_from(rows: Rows, model: str, vertices: Whole) -> Whole:
    """Which vertex is the first to flag each row: step s of the walk down the scores flags the s highest of them."""
    size = rows.ranked_of(model).scores.size
    found: Whole = np.searchsorted(vertices, size - rows.places_of(model))
    return found


def meeting(one: list[tuple[int, int]], two: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Pairs of vertices that are cheapest at the same price, as it grows; at a price where both move, all four.

    Examples
    --------
    >>> meeting([(0, 0), (2, 1), (3, 3)], [(0, 0), (3, 2), (3, 3)])
    [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)]
    """
    i = j = 0
    found = [(0, 0)]
    while i + 1 < len(one) or j + 1 < len(two):
        turn = _steeper(one, i, two, j)
        if turn == 0:
            found += [(i + 1, j), (i, j + 1)]
        i, j = i + (turn >= 0), j + (turn <= 0)
        found.append((i, j))
    return found


def _steeper(one: list[tuple[int, int]], i: int, two: list[tuple[int, int]], j: int) -> int:
    """1 where the next edge of the first hull is steeper, so that it moves first; -1 for the second, 0 for both."""
    if j + 1 == len(two):
        return 1
    if i + 1 == len(one):
        return -1
    (up, right), (other_up, other_right) = (
        (hull[k + 1][0] - hull[k][0], hull[k + 1][1] - hull[k][1]) for hull, k in ((one, i), (two, j))
    )
    apart = up * other_right - other_up * right
    return (apart > 0) - (apart < 0)


def _choices(ranked: RankedScores, prices: Array, level: float) -> Choices | None:
    """Resamples that choose again at every price, each from its own hull; None where ``decide`` has none either."""
    if ranked.scores.size > MOST_BOOTSTRAPPED or min(ranked.n_pos, ranked.n_neg) < 2:
        return None
    draws = draws_of_groups(ranked, stratified=False, joins=True)
    ranked = draws.ranked[0]
    size, (own_tp, own_fp) = prices.size, ranked.called_positive

    def chosen(made: list[RankedScores]) -> list[float]:
        there = made[0]
        if not (there.n_pos and there.n_neg):
            return [np.nan] * (3 * size)
        tp, fp = there.called_positive
        steps = cheapest_steps(tp, fp, prices)
        cuts = there.thresholds[steps]
        own = ranked.scores.size - np.searchsorted(ranked.scores, cuts)
        recall = tp[steps] / there.n_pos - own_tp[own] / ranked.n_pos
        alarmed = fp[steps] / there.n_neg - own_fp[own] / ranked.n_neg
        told: list[float] = np.concatenate([recall, alarmed, cuts.astype(np.float64)]).tolist()
        return told

    values = replicate(sampler(draws, chosen), n_resamples=RESAMPLES, seed=0)
    known = values[~np.isnan(values[:, 0])]
    if len(known) < (1 - MOST_FAILED) * RESAMPLES:
        return None
    means = known[:, : 2 * size].mean(axis=0)
    tails = ((1 - level) / 2, (1 + level) / 2)
    ends = np.array([quantiles_of(column, tails) for column in known[:, 2 * size :].T])
    return Choices(means[:size], means[size:], ends[:, 0], ends[:, 1])


def cheapest_steps(tp: Whole, fp: Whole, prices: Array) -> Whole:
    """Steps of the walk down the scores that cost least at each price of a miss; of equal ones the highest threshold.

    Examples
    --------
    >>> tp, fp = np.array([0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 2])
    >>> cheapest_steps(tp, fp, np.array([0, 0.5, 2, np.inf])).tolist()
    [0, 1, 3, 3]
    """
    vertices = upper_hull(fp, tp)
    gained, paid = np.diff(tp[vertices]).astype(np.float64), np.diff(fp[vertices])
    worth = np.divide(paid, gained, out=np.full(gained.size, np.inf), where=gained > 0)
    found: Whole = vertices[np.searchsorted(worth, prices)]
    return found
