"""Many resamples of a measure at once: the values that its formula has one by one, without a call for each.

A line of ``pos`` and ``neg`` is a resample: the weight of both classes at each distinct score, in ascending order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.geometry import pooled_starts
from rocsteady._src.inference.resampling.draws import GroupDraws
from rocsteady._src.inference.resampling.resample import reweighted
from rocsteady._src.measures.expected_loss import saved_shares
from rocsteady._src.measures.ranking import average_precision, h_measure, ks_statistic

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.inference.resampling.draws import Draws
    from rocsteady._src.measures.registry import FactSheet

    Array = NDArray[Any]
    Asked = tuple[FactSheet, Mapping[str, Any]]
    Many = Callable[[np.random.Generator, int], Array]

MOST_GROUPS = 1 << 12  # beyond, a resample takes longer than the calls it needs
APART = 2.0  # between the slopes of one resample and those of the next, none of which is above 1


def average_precisions(pos: Array, neg: Array) -> Array:
    """Average precision of each line; NaN without positives."""
    tp, called = _walked(pos), _walked(pos + neg)
    precision = np.divide(tp, called, out=np.zeros(tp.shape), where=called > 0)
    return _over((pos[:, ::-1] * precision).sum(axis=1), tp[:, -1])


def ks_statistics(pos: Array, neg: Array) -> Array:
    """KS of each line; NaN with one class."""
    tp, fp = _walked(pos), _walked(neg)
    above = _over(tp, tp[:, -1:]) - _over(fp, fp[:, -1:])
    largest: Array = np.maximum(above.max(axis=1), 0.0)
    return largest


def h_measures(pos: Array, neg: Array) -> Array:
    """H-measure of each line, with its defaults; NaN with one class.

    The hulls of all lines are one: slopes of a line lie above those of the next, so that none are pooled together.
    """
    totals = pos.sum(axis=1), neg.sum(axis=1)
    found = np.full(len(pos), np.nan)
    known = np.flatnonzero((totals[0] > 0) & (totals[1] > 0))
    if not known.size:
        return found
    gained, paid = (side[known, ::-1].astype(np.float64) for side in (pos, neg))
    upward, along = gained / gained.sum(axis=1)[:, None], paid / paid.sum(axis=1)[:, None]
    length = upward + along
    line, step = np.nonzero(length > 0)
    longer = length[line, step]
    corners = pooled_starts(upward[line, step] - APART * line * longer, longer)
    risen, run = (np.add.reduceat(side[line, step], corners) for side in (gained, paid))
    found[known] = saved_shares(risen, run, line[corners], known.size)
    return found


BATCHED = (
    (average_precision.sheet, average_precisions),
    (ks_statistic.sheet, ks_statistics),
    (h_measure.sheet, h_measures),
)


def in_batches(draws: Draws, asked: Sequence[Asked]) -> Many | None:
    """Values of many resamples, a line for each with the measures of every model; None where it would not be faster."""
    short = [batch_of(*wanted) for wanted in asked]
    if not any(short) or max(ranked.scores.size for ranked in draws.ranked) > MOST_GROUPS:
        return None

    def many(rng: np.random.Generator, size: int) -> Array:
        drawn = many_draws(draws, rng, size)
        columns = [
            None if batch is None else sheet.settled(batch(*model))
            for model in drawn
            for (sheet, _), batch in zip(asked, short, strict=True)
        ]
        if any(each is None for each in columns):
            lines = [_one_by_one(draws, drawn, line, asked, short) for line in range(size)]
            left = iter(np.array(lines, dtype=np.float64).T)
            columns = [next(left) if each is None else each for each in columns]
        return np.stack([each for each in columns if each is not None], axis=1)

    return many


def batch_of(sheet: FactSheet, params: Mapping[str, Any]) -> Callable[[Array, Array], Array] | None:
    """The formula of many lines, of a measure with its defaults."""
    given = {name: value for name, value in params.items() if value != sheet.params.get(name)}
    return next((batch for known, batch in BATCHED if known is sheet and not given), None)


def many_draws(draws: Draws, rng: np.random.Generator, size: int) -> list[tuple[Array, Array]]:
    """Of each model the weights of both classes, a line for each resample."""
    return draws.draws(rng, size) if isinstance(draws, GroupDraws) else _stacked(draws, rng, size)


def cells_of_lines(pos: Array, neg: Array) -> tuple[Array, Array, Array, Array]:
    """TP, FP, FN and TN of each line at all steps of the walk down the scores, which begins with nothing."""
    tp, fp = (np.concatenate([np.zeros((len(side), 1), side.dtype), _walked(side)], axis=1) for side in (pos, neg))
    return tp, fp, tp[:, -1:] - tp, fp[:, -1:] - fp


def _stacked(draws: Draws, rng: np.random.Generator, size: int) -> list[tuple[Array, Array]]:
    drawn = [draws.draw(rng) for _ in range(size)]
    return [
        (np.stack([each[model][0] for each in drawn]), np.stack([each[model][1] for each in drawn]))
        for model in range(len(draws.ranked))
    ]


def _one_by_one(
    draws: Draws, drawn: Sequence[tuple[Array, Array]], line: int, asked: Sequence[Asked], short: Sequence[Any]
) -> list[float]:
    made = reweighted(draws, tuple((pos[line], neg[line]) for pos, neg in drawn))
    return [
        float(sheet.compute(ranked, **params))
        for ranked in made
        for (sheet, params), batch in zip(asked, short, strict=True)
        if batch is None
    ]


def _walked(side: Array) -> Array:
    """Sums from the highest score down."""
    walked: Array = side[:, ::-1].cumsum(axis=1)
    return walked


def _over(values: Array, totals: Array) -> Array:
    shares: Array = np.divide(values, totals, out=np.full(values.shape, np.nan), where=totals > 0)
    return shares
