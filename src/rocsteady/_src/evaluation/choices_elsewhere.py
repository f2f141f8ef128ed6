"""What resamples choose at every price of a miss: how the interval of a cheapest threshold moves with the costs.

Each resample walks along its own hull as the price grows, so that its choice changes at finitely many prices, and so do
quantiles over all resamples: the interval at any costs is looked up, and is the one that a decision there would have.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.base.geometry import upper_hull
from rocsteady._src.inference.intervals.every_measure import MOST_BOOTSTRAPPED
from rocsteady._src.inference.resampling.draws import RowDraws, draws_of_groups
from rocsteady._src.inference.resampling.resample import MOST_FAILED, replicate, sampler

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.evaluation.decision_tests import Situation
    from rocsteady._src.inference.resampling.draws import Draws
    from rocsteady._src.ranked import RankedScores, Rows

    Whole = NDArray[np.int64]
    Array = NDArray[np.float64]

RESAMPLES = 500  # of the threshold, whose ends are quantiles
FLATTERY = 200  # the first of them: of what they flatter only a mean is taken
AT_ONCE = 4096  # prices
STEPS, OCTAVES = 8, 8  # prices are an eighth of an octave apart, eight octaves to both sides of the neutral one
DECIMALS = 6  # of rates that a page holds: a decision takes the same


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """A function of the price with finitely many values: each holds above the price before it, up to its own."""

    prices: Array
    values: Array

    def at(self, price: float) -> float:
        """Its value there."""
        return float(self.values[np.searchsorted(self.prices, price * (1 - 1e-9))])


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """What resamples choose.

    By how much they flatter the recall and the share of negatives alarmed, at prices apart; and both ends of the
    interval of the threshold, ``by_count`` at the price of a miss in false alarms, and ``by_rate``, where a prevalence
    is given, at that of missing all positives, in alarms of all negatives.
    """

    recall: Array
    alarmed: Array
    by_count: tuple[Steps, Steps]
    by_rate: tuple[Steps, Steps]


@dataclass(frozen=True, slots=True, eq=False)
class _Walk:
    """A resample: thresholds along its hull, the prices at which it moves on, and positives for a negative."""

    worth: Array
    cuts: Array
    odds: float

    @property
    def came_at(self) -> Array:
        """The price above which it is at each of its thresholds, or beyond; never at one that it has not."""
        return np.concatenate([[-np.inf], self.worth[: self.cuts.size - 1], [np.inf]])


def choices(ranked: RankedScores, prices: Array, level: float, rows: Rows | None = None) -> Choices | None:
    """Resamples that choose again at every price, each from its own hull; None where ``decide`` has none either.

    ``rows`` are given where they, or their subjects, are drawn: those of sampling weights.
    """
    walks: list[_Walk] = []
    rates = _flattery(ranked, prices, rows, RESAMPLES, walks)
    if rates is None:
        return None
    by_rate = [_Walk(walk.worth * walk.odds, walk.cuts, 1.0) for walk in walks]
    return Choices(*rates, _ends(walks, level), _ends(by_rate, level))


def flattered(ranked: RankedScores, at: Situation, rows: Rows | None = None) -> float:
    """How much less than new cases these rows cost at the threshold of least cost: the larger at two prices around.

    Prices are those of a page that decides again for its reader, so that both have the same interval.
    """
    rates = _flattery(ranked, prices_around(at, float(ranked.n_pos / ranked.n_neg)), rows, FLATTERY, [])
    if rates is None:
        return 0.0
    missed, alarmed = at.worth
    return max(0.0, float((missed * rates[0] - alarmed * rates[1]).max()))


def prices_of(neutral: float) -> Array:
    """Prices of a miss, in false alarms, at which a page knows what a choice flatters."""
    between = neutral * 2 ** (np.arange(-OCTAVES * STEPS, OCTAVES * STEPS + 1) / STEPS)
    return np.concatenate([[0.0], between, [np.inf]])


def prices_around(at: Situation, odds: float) -> Array:
    """Those between which a situation lies, or the one that it has; ``odds`` are those of the rows.

    Examples
    --------
    >>> from rocsteady._src.evaluation.decision_tests import Situation
    >>> prices_around(Situation(1.0, 4.0, 0.5, None, "given"), 1.0).tolist()
    [4.0]
    >>> prices_around(Situation(1.0, 1.05, 0.5, None, "given"), 1.0).round(3).tolist()
    [1.0, 1.091]
    """
    missed, alarmed = at.worth
    price = missed / alarmed / odds if alarmed else np.inf
    prices = prices_of(1 / odds)
    above = int(np.searchsorted(prices, price * (1 - 1e-9)))
    same = above == 0 or (price < np.inf and abs(prices[above] - price) <= 1e-9 * price)
    return prices[above : above + 1] if same else prices[above - 1 : above + 1]


def _flattery(
    ranked: RankedScores, prices: Array, rows: Rows | None, n_resamples: int, walks: list[_Walk]
) -> tuple[Array, Array] | None:
    """By how much resamples flatter the recall and the share alarmed at each price; ``walks`` are added to."""
    if ranked.scores.size > MOST_BOOTSTRAPPED or min(ranked.n_pos, ranked.n_neg) < 2:
        return None
    if rows is not None:
        draws: Draws = RowDraws(rows, stratified=False)
    else:
        draws = draws_of_groups(ranked, stratified=False, joins=True)
    values = replicate(sampler(draws, _flattery_of_one(draws, prices, walks)), n_resamples=n_resamples, seed=0)
    known = ~np.isnan(values[:, 0])
    if known.sum() < (1 - MOST_FAILED) * n_resamples:
        return None
    means = values[:FLATTERY][known[:FLATTERY]].mean(axis=0).round(DECIMALS)
    return means[: prices.size], means[prices.size :]


def _flattery_of_one(
    draws: Draws, prices: Array, walks: list[_Walk]
) -> Callable[[list[RankedScores]], Sequence[float]]:
    ranked = draws.ranked[0]
    own_tp, own_fp = ranked.called_positive

    def chosen(made: list[RankedScores]) -> list[float]:
        there = made[0]
        if not (there.n_pos and there.n_neg):
            return [np.nan] * (2 * prices.size)
        tp, fp = there.called_positive
        vertices, worth = hull_prices(tp, fp)
        cuts = there.thresholds[vertices]
        walks.append(_Walk(worth, cuts.astype(np.float64), float(there.n_pos / there.n_neg)))
        places = np.searchsorted(worth, prices)
        own = (ranked.scores.size - np.searchsorted(ranked.scores, cuts))[places]
        steps = vertices[places]
        recall = tp[steps] / there.n_pos - own_tp[own] / ranked.n_pos
        alarmed = fp[steps] / there.n_neg - own_fp[own] / ranked.n_neg
        told: list[float] = np.concatenate([recall, alarmed]).tolist()
        return told

    return chosen


def hull_prices(tp: Whole, fp: Whole) -> tuple[Whole, Array]:
    """Steps at the vertices of the hull, and the price of a miss, in false alarms, above which each is left."""
    vertices = upper_hull(fp, tp)
    gained, paid = np.diff(tp[vertices]).astype(np.float64), np.diff(fp[vertices])
    return vertices, np.divide(paid, gained, out=np.full(gained.size, np.inf), where=gained > 0)


def cheapest_steps(tp: Whole, fp: Whole, prices: Array) -> Whole:
    """Steps of the walk down the scores that cost least at each price of a miss; of equal ones the highest threshold.

    Examples
    --------
    >>> tp, fp = np.array([0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 2])
    >>> cheapest_steps(tp, fp, np.array([0, 0.5, 2, np.inf])).tolist()
    [0, 1, 3, 3]
    """
    vertices, worth = hull_prices(tp, fp)
    found: Whole = vertices[np.searchsorted(worth, prices)]
    return found


def _ends(walks: list[_Walk], level: float) -> tuple[Steps, Steps]:
    """Both quantiles of what the resamples choose, at every price where one of them moves."""
    moves = np.unique(np.concatenate([walk.worth for walk in walks]))
    prices = np.append(moves[np.isfinite(moves)], np.inf)
    lasts = len(walks) - 1
    low, high = (tail * lasts for tail in ((1 - level) / 2, (1 + level) / 2))
    around = [0, int(low), min(int(low) + 1, lasts), int(high), min(int(high) + 1, lasts), lasts]
    least, *inner, most = _ordered(walks, prices, around)
    whole = np.isfinite(least) & np.isfinite(most)  # where some choices are infinite, the outer ones, as quantiles_of
    outer_high = inner[3] if high % 1 else inner[2]
    lows = np.where(whole, _between(inner[0], inner[1], low % 1), inner[0])
    highs = np.where(whole, _between(inner[2], inner[3], high % 1), outer_high)
    return _steps(prices, lows), _steps(prices, highs)


def _ordered(walks: list[_Walk], prices: Array, ranks: list[int]) -> list[Array]:
    """The choices of these ranks, from the lowest, at every price where a resample moves.

    Thresholds fall as the price grows, so that the choice of rank k is at most t from the price on at which k + 1
    resamples have come to t. Thresholds are far fewer than prices.
    """
    cuts = np.unique(np.concatenate([walk.cuts for walk in walks]))[::-1]
    moved = prices * (1 - 1e-12)  # a price that one resample shares with another
    since = []
    for start in range(0, cuts.size, AT_ONCE):
        some = -cuts[start : start + AT_ONCE]
        came = np.array([walk.came_at[np.searchsorted(-walk.cuts, some)] for walk in walks])
        came.partition(ranks, axis=0)
        since.append(came[ranks])
    at = np.arange(prices.size)
    places = moved.searchsorted(np.concatenate(since, axis=1), side="right")  # of the first price that has moved on
    return [cuts[each.searchsorted(at, side="right") - 1] for each in places]


def _between(below: Array, above: Array, share: float) -> Array:
    """Two choices mixed as quantiles are, to the bit."""
    finite = np.isfinite(below) & np.isfinite(above)
    low, high = (np.where(finite, each, 0.0) for each in (below, above))
    found: Array = np.quantile(np.stack([low, high]), share, axis=0)
    return found


def _steps(prices: Array, values: Array) -> Steps:
    """Without prices at which nothing changes."""
    last = np.append(values[:-1] != values[1:], True)
    return Steps(prices[last], values[last])
