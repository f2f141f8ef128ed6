"""What a choice of model and threshold costs on new rows beyond the best choice among the same models.

The excess is the expected cost of the chosen model at its chosen threshold less the smallest expected cost that any of
the models has at any threshold. Both the model and the threshold were chosen on the rows at hand, so that neither is
known to be the best.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocsteady._src.evaluation.decision_tests import called_by, cost_difference, unseen_errors
from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.inference.resampling.draws import RowDraws
from rocsteady._src.inference.resampling.resample import replicate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.evaluation.decision_tests import Situation
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.ranked import RankedScores, Rows
    from rocsteady._src.results.decision import Course

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]

RESAMPLES, FEWEST_RESAMPLES = 200, 20
FULL_WORK = 20_000  # rows that are resampled 200 times; more rows vary less, and are resampled less often
MOST_ROWS = 1_000_000
EVENLY = 30  # thresholds of each model beside those of its hull, where each one takes a pass over the rows
MOST_UNITS = 200_000  # weighted rows, or rows of clusters


class Excess(NamedTuple):
    """The cost of a case beyond the best choice: the expected value, and an upper limit at the level of the decision.

    NaN where the rows are not at hand, or are too many.
    """

    expected: float
    limit: float


UNKNOWN = Excess(math.nan, math.nan)


def excess_of(result: Evaluation, at: Situation, leader: Course, level: float) -> Excess:
    """Expected value, by resamples that choose again, and an upper limit of the excess of a choice."""
    rows = result.rows.of_models(*result.models)
    if rows is None:
        return UNKNOWN
    return Excess(_expected(rows, at, leader), _limit(rows, at, leader, level))


def _expected(rows: Rows, at: Situation, leader: Course) -> float:
    """The mean of what choices of resamples cost on these rows beyond the choice of these rows."""
    if rows.n_rows > MOST_ROWS or min(rows.class_weights) <= 0:
        return math.nan
    draws = RowDraws(rows, stratified=False, frequency=rows.reading == "frequency")
    here = [_costs(at, ranked.pos, ranked.neg) for ranked in draws.ranked]
    least = min(float(costs.min()) for costs in here)

    def beyond(rng: np.random.Generator) -> list[float]:
        there = [_costs(at, pos, neg) for pos, neg in draws.draw(rng)]
        if np.isnan(there[0][0]):
            return [math.nan]
        steps = [int(costs.argmin()) for costs in there]
        chosen = int(np.argmin([costs[step] for costs, step in zip(there, steps, strict=True)]))
        return [float(here[chosen][steps[chosen]]) - least]

    n_resamples = max(FEWEST_RESAMPLES, min(RESAMPLES, RESAMPLES * FULL_WORK // rows.n_rows))
    return float(np.nanmean(replicate(beyond, n_resamples=n_resamples, seed=0, what="decision")))


def _costs(at: Situation, pos: NDArray[Any], neg: NDArray[Any]) -> Array:
    """The cost of a case at every step of the walk down the scores; NaN with one class where a prevalence is given."""
    tp, fp = (np.concatenate([[0], side[::-1].cumsum()]).astype(np.float64) for side in (pos, neg))
    if at.given is None:
        costs: Array = ((tp[-1] - tp) * at.cost_fn + fp * at.cost_fp) / (tp[-1] + fp[-1])
        return costs
    missed, alarmed = at.worth
    if not (tp[-1] and fp[-1]):
        return np.full(tp.size, np.nan)
    by_class: Array = missed * (1 - tp / tp[-1]) + alarmed * fp / fp[-1]
    return by_class


def _limit(rows: Rows, at: Situation, leader: Course, level: float) -> float:
    """The largest upper limit of what the choice costs beyond any threshold of any model.

    Each limit is one-sided, and its level allows for the number of models among which the leader was chosen, at least
    two: its threshold was chosen as well. Coverage is in benchmarks/results/decision_excess.csv.
    """
    reach = quantile_of(1 - 2 * (1 - level) / max(2, len(rows.names)))
    first = called_by(rows, leader)
    counted = rows.clusters is None and rows.ranked[0].counts_rows
    if not counted and rows.n_rows > MOST_UNITS:
        return math.nan
    largest = 0.0
    for name in rows.names:
        gaps, errors = (_counted if counted else _by_units)(rows, name, first, at)
        largest = max(largest, float((reach * errors - gaps).max()))
    return largest


def _counted(rows: Rows, name: str, first: Mask, at: Situation) -> tuple[Array, Array]:
    """What each threshold of a model costs beyond the choice, and its standard error, of rows that are counted."""
    ranked, places = rows.ranked_of(name), rows.places_of(name)
    size = ranked.scores.size
    weights = None if rows.weights is None else rows.weights.astype(np.float64)
    net, apart, totals = [], [], []
    for mask in (rows.positive, ~rows.positive):
        called, not_called = (
            _from_the_top(places[part], None if weights is None else weights[part], size)
            for part in (mask & first, mask & ~first)
        )
        totals.append(called[-1] + not_called[-1])
        net.append(not_called - (called[-1] - called))  # flagged there less flagged here
        apart.append(not_called + (called[-1] - called))
    return _moments(net, apart, totals, at)


def _moments(net: list[Array], apart: list[Array], totals: list[float], at: Situation) -> tuple[Array, Array]:
    """Mean and standard error of what rows cost beyond, from how many rows of a class are flagged otherwise."""
    prices, worth, n = (-at.cost_fn, at.cost_fp), at.worth, sum(totals)
    unseen = math.hypot(*unseen_errors(worth, totals))
    if at.given is None:
        gaps = (prices[0] * net[0] + prices[1] * net[1]) / n
        squares = (prices[0] ** 2 * apart[0] + prices[1] ** 2 * apart[1]) / n
        variance = np.maximum(squares - gaps**2, 0) / (n - 1)
        return gaps, np.hypot(np.sqrt(variance), unseen)
    gaps = -worth[0] * net[0] / totals[0] + worth[1] * net[1] / totals[1]
    positive, negative = (
        each**2 * np.maximum(two / total - (one / total) ** 2, 0) / max(total - 1, 1)
        for each, one, two, total in zip(worth, net, apart, totals, strict=True)
    )
    return gaps, np.hypot(np.sqrt(positive + negative), unseen)


def _from_the_top(places: NDArray[np.int64], weights: Array | None, size: int) -> Array:
    """How many rows each step of the walk down the scores has passed."""
    counts = np.bincount(places, weights, size)
    return np.concatenate([[0.0], counts[::-1].cumsum()])


def _by_units(rows: Rows, name: str, first: Mask, at: Situation) -> tuple[Array, Array]:
    """The same of weighted rows and of clusters, at the thresholds of the hull and at some others."""
    ranked, places = rows.ranked_of(name), rows.places_of(name)
    steps = _some_steps(ranked)
    found = [cost_difference(rows, places >= ranked.scores.size - step, first, at) for step in steps.tolist()]
    return np.array([each.estimate for each in found]), np.array([each.se for each in found])


def _some_steps(ranked: RankedScores) -> NDArray[np.int64]:
    size = ranked.scores.size
    evenly = np.linspace(0, size, min(size + 1, EVENLY)).round().astype(np.int64)
    return np.union1d(evenly, ranked.hull_vertices)
