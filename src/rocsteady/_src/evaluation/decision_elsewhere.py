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

from rocsteady._src.base.text import format_threshold
from rocsteady._src.evaluation.choices_elsewhere import choices, prices_of
from rocsteady._src.evaluation.decision_checks import TOO_FEW, agree, enough, leading_values
from rocsteady._src.evaluation.decision_tests import Situation
from rocsteady._src.evaluation.trusted_probabilities import trust_of
from rocsteady._src.evaluation.units_elsewhere import MOST_ROWS, moments
from rocsteady._src.measures.confusion import confusion_at
from rocsteady._src.ranked import rows_by_unit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from rocsteady._src.evaluation.choices_elsewhere import Choices
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.evaluation.trusted_probabilities import Trust
    from rocsteady._src.evaluation.units_elsewhere import Moments
    from rocsteady._src.ranked import Rows
    from rocsteady._src.results.decision import Check, Course, Decision

    Whole = NDArray[np.int64]
    Array = NDArray[np.float64]

UNSETTLED = TOO_FEW  # what is said of rows that do not tell the cheapest course


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Vertices of the hulls of two models that are cheapest at the same price, and the rows that both flag there."""

    first: str
    second: str
    at: list[tuple[int, int]]
    positives: list[int]
    negatives: list[int]


@dataclass(frozen=True, slots=True, eq=False)
class Elsewhere:
    """Vertices of every hull as (true, false) positives, pairs of models, prices of a miss and choices there.

    Where units are not rows, pairs have no counts, and ``moments`` tell how sure a difference is.
    """

    hulls: dict[str, list[tuple[float, float]]]
    pairs: list[Pair]
    prices: Array
    choices: dict[str, Choices | None]
    moments: Moments | None = None


def elsewhere(result: Evaluation, level: float, leaders: set[str]) -> Elsewhere | None:
    """None where rows are gone, or are weighted and very many: nobody knows how sure one can be then.

    ``leaders`` are the models that lead at some price.
    """
    rows = result.rows.of_models(*result.models)
    if rows is None:
        return None
    counted = rows.ranked[0].counts_rows and rows.clusters is None  # whole frequencies are rows that were counted
    if not counted and rows.n_rows > MOST_ROWS:
        return None
    vertices = {model: ranked.hull_vertices for model, ranked in result.ranked.items()}
    hulls: dict[str, list[tuple[float, float]]] = {}
    for model, ranked in result.ranked.items():
        tp, fp = (side[vertices[model]].tolist() for side in ranked.called_positive)
        hulls[model] = list(zip(tp, fp, strict=True))
    named = [each for each in combinations(result.models, 2) if counted or leaders & set(each)]
    pairs = [_pair(rows, vertices, hulls, *names) if counted else _met(hulls, *names) for names in named]
    groups = next(iter(result.ranked.values()))
    prices = prices_of(float(groups.n_neg / groups.n_pos))
    by_unit = {model: None if counted else _units_of(result, model) for model in leaders}
    made = {model: choices(result.ranked[model], prices, level, by_unit[model]) for model in leaders}
    return Elsewhere(hulls, pairs, prices, made, None if counted else _moments(rows, vertices, pairs))


def _units_of(result: Evaluation, model: str) -> Rows | None:
    sampled = result.origin.reading == "sampling"
    return rows_by_unit(result.rows, model, subjects=result.cluster is not None, sampled=sampled)


def _met(hulls: Mapping[str, list[tuple[float, float]]], first: str, second: str) -> Pair:
    return Pair(first, second, meeting(hulls[first], hulls[second]), [], [])


def _moments(rows: Rows, vertices: Mapping[str, Whole], pairs: list[Pair]) -> Moments:
    places = {model: (_flagged_from(rows, model, each), each.size) for model, each in vertices.items()}
    return moments(rows, places, [(pair.first, pair.second, pair.at) for pair in pairs])


def checks_if_leading(
    result: Evaluation, decided: Decision, models: Iterable[str]
) -> dict[str, tuple[Check, Check, Trust]]:
    """The three checks of each model, were it the cheapest, without what other costs or prevalences would change."""
    known, found = leading_values(result), {}
    for model in models:
        led = replace(decided, model=model, prices=(), courses=(decided[model],))
        found[model] = enough(result, led), agree(result, led, known), trust_of(result, model, decided.level)
    return found


def course_at(result: Evaluation, decided: Decision, model: str, threshold: float | None) -> Course:
    """What a model does at a threshold that somebody chose, or at its cheapest, in the situation of a decision."""
    if threshold is None:
        return decided[model]
    ranked, told = result.ranked[model], (decided.cost_fp, decided.cost_fn, decided.prevalence)
    at = Situation(*told, given=None, costs=decided.costs, cases=decided.cases)
    counts = confusion_at(ranked, threshold)
    rates = (float(counts.tp / ranked.n_pos), float(counts.fp / ranked.n_neg))
    return at.course(model, model, threshold, format_threshold(threshold), rates)


def _pair(
    rows: Rows, vertices: Mapping[str, Whole], hulls: Mapping[str, list[tuple[float, float]]], first: str, second: str
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
    of_groups = np.searchsorted(vertices, size - np.arange(size))
    found: Whole = of_groups[rows.places_of(model)]
    return found


def meeting(one: list[tuple[float, float]], two: list[tuple[float, float]]) -> list[tuple[int, int]]:
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


def _steeper(one: list[tuple[float, float]], i: int, two: list[tuple[float, float]], j: int) -> int:
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
