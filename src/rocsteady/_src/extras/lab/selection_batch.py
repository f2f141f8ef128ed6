"""Measures of many models on the same rows at once: all pairs of a block of models in one array.

With few pairs NumPy's overhead per model is larger than the work, and a selection experiment judges thousands of
models. What is not listed in ``ON_PAIRS``, or has many pairs, goes through the measure's own formula, ranked once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import refuse_outside
from rocsteady._src.inputs import CleanRows
from rocsteady._src.measures.granularity.consistent import least_gap
from rocsteady._src.measures.granularity.deltas import is_width
from rocsteady._src.ranked import OrderedScores, sorted_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.measures.specs import Request

    Array = NDArray[np.float64]

MOST_PAIRS = 1 << 16
BLOCK = 1 << 16


def judge(requests: Sequence[Request], positive: NDArray[np.bool_], scores: Array) -> Array:
    """Values of every measure (rows) for every model (columns); ``scores`` has one row per model."""
    values = np.empty((len(requests), len(scores)))
    pairs = int(np.count_nonzero(positive)) * int(np.count_nonzero(~positive))
    by_pairs = [_on_pairs(request) if pairs <= MOST_PAIRS else None for request in requests]
    places = [place for place, formula in enumerate(by_pairs) if formula is not None]
    step = max(BLOCK // pairs, 1)
    for start in range(0, len(scores) if places else 0, step):
        block = Block(positive, scores[start : start + step])
        for place in places:
            values[place, start : start + step] = by_pairs[place](block)  # type: ignore[misc]
    others = [place for place in range(len(requests)) if place not in places]
    for model in range(len(scores) if others else 0):
        ranked = OrderedScores.keeping(CleanRows(positive, scores[model], None, 1, 0))
        for place in others:
            values[place, model] = requests[place].sheet.compute(ranked, **requests[place].params)
    return values


def areas(positive: NDArray[np.bool_], scores: Array) -> Array:
    """AUC of every model, by mid-ranks: exact, since sums of halves are."""
    from scipy.stats import rankdata

    n_pos = int(np.count_nonzero(positive))
    ranks = rankdata(scores, axis=1)[:, positive].sum(axis=1)
    found: Array = (ranks - n_pos * (n_pos + 1) / 2) / (n_pos * (positive.size - n_pos))
    return found


@dataclass(frozen=True)
class Block:
    """Some models on the same rows; what several measures need is computed once."""

    positive: NDArray[np.bool_]
    scores: Array
    floored: dict[float, Array] = field(default_factory=dict)  # mm4_auc by its floor, which others build on

    @cached_property
    def sides(self) -> tuple[Array, Array]:
        """Scores of the positives and of the negatives, one row per model."""
        return self.scores[:, self.positive], self.scores[:, ~self.positive]

    @cached_property
    def gaps(self) -> Array:
        """Positive minus negative score of all pairs, one row per model."""
        pos, neg = self.sides
        return (pos[:, :, None] - neg[:, None, :]).reshape(len(self.scores), -1)

    @cached_property
    def leads(self) -> Array:
        """max(p - n, 0) of all pairs."""
        return np.maximum(self.gaps, 0)

    @cached_property
    def auc(self) -> Array:
        """AUC of each model."""
        return areas(self.positive, self.scores)

    @cached_property
    def scored(self) -> Array:
        """Mean lead."""
        return np.asarray(self.leads.mean(axis=1))

    @cached_property
    def won(self) -> Array:
        """Share of pairs with p > n."""
        return _share(self.gaps > 0)

    @cached_property
    def range(self) -> Array:
        """Highest minus lowest score."""
        return np.asarray(np.ptp(self.scores, axis=1))


def _lambda(block: Block, *, delta: float) -> Array:
    low, up = _low(block, delta=delta), _up(block, delta=delta)
    return np.where(up > 0, low / np.where(up > 0, up, 1) * block.auc, np.nan)


def _low(block: Block, *, delta: float) -> Array:
    if delta == 0:
        return block.auc
    pos, neg = block.sides
    lowered = np.minimum(pos - least_gap(pos, delta), np.nextafter(pos, -np.inf))  # a tied negative is never below
    return _share(neg[:, None, :] <= lowered[:, :, None])


def _up(block: Block, *, delta: float) -> Array:
    if delta == 0:
        return block.auc
    pos, neg = block.sides
    raised = np.maximum(pos + least_gap(pos, delta), np.nextafter(pos, np.inf))  # a tied negative is always below
    return _share(neg[:, None, :] < raised[:, :, None])


def _share(counted: NDArray[np.bool_]) -> Array:
    """Share of pairs; a call for each model counts faster than one along an axis."""
    return np.array([np.count_nonzero(pairs) / pairs.size for pairs in counted])


def _rho(block: Block, *, upper: float) -> Array:
    """AUC sqrt(mean of low times mean of 1/up): after k of the sorted lags, up is k / pairs until the next one."""
    lags = sorted_rows(block.leads - block.gaps)
    pairs = lags.shape[1]
    first = max(int((1 - _share(block.gaps < 0).max()) * pairs) - 2, 0)  # before it there are only zeros
    widths = np.diff(np.minimum(lags[:, first:], upper), axis=1, append=upper)
    mean_inverse = widths @ (pairs / np.arange(first + 1, pairs + 1)) / upper
    mean_low = np.minimum(block.leads, upper).mean(axis=1) / upper
    return np.asarray(np.where(block.auc > 0, block.auc * np.sqrt(mean_low * mean_inverse), np.nan))


def _prob(block: Block) -> Array:
    refuse_outside(
        block.scores.min(), block.scores.max(), "prob_auc needs scores in [0, 1]", "mm12_auc takes any scores"
    )
    pos, neg = block.sides
    return np.asarray(np.minimum((pos.mean(axis=1) + (1 - neg).mean(axis=1)) / 2, 1.0))


def _soft(block: Block, *, beta: float) -> Array:
    with np.errstate(over="ignore"):
        return np.asarray(np.minimum((1 / (1 + np.exp(-beta * block.gaps))).mean(axis=1), 1.0))


def _softened(block: Block, *, q: float) -> Array:
    with np.errstate(divide="ignore"):
        return np.asarray(np.exp(q * np.log(block.leads)).mean(axis=1))


def _mm1(block: Block) -> Array:
    return np.minimum(np.divide(block.scored, block.range, out=np.zeros(len(block.scores)), where=block.range > 0), 1.0)


def _mm4(block: Block, *, floor: float) -> Array:
    if floor not in block.floored:
        beyond = np.maximum(block.gaps - (floor * block.range)[:, None], 0).mean(axis=1)
        share = np.divide(beyond, block.range, out=np.zeros(len(block.scores)), where=block.range > 0)
        block.floored[floor] = np.where(block.range > 0, np.minimum(floor * block.won + share, 1.0), 0.0)
    return block.floored[floor]


def _mm6(block: Block, *, m: float, n: float, floor: float) -> Array:
    pos, neg = block.sides
    margin = pos.min(axis=1) - neg.max(axis=1)
    return _mm4(block, floor=floor) ** m * np.where(margin > 0, margin, 1.0) ** n


def _mm7(block: Block, *, m: float, n: float, floor: float) -> Array:
    return _mm6(block, m=m, n=n, floor=floor) * block.won


def _mm11(block: Block) -> Array:
    return np.asarray(block.gaps.mean(axis=1))


ON_PAIRS: dict[str, Callable[..., Array]] = {
    "auc": lambda block: block.auc,
    "gini": lambda block: 2 * block.auc - 1,
    "low_auc": _low,
    "up_auc": _up,
    "lambda_auc": _lambda,
    "rho_auc": _rho,
    "prob_auc": _prob,
    "scored_auc": lambda block: block.scored,
    "softened_auc": _softened,
    "soft_auc": _soft,
    "mm1_auc": _mm1,
    "mm4_auc": _mm4,
    "mm6_auc": _mm6,
    "mm7_auc": _mm7,
    "mm11_auc": _mm11,
    "mm12_auc": lambda block: (1 + _mm11(block)) / 2,
}
# Parameters that say how to compute, not what: all pairs are taken here anyway.
HOW = {"exact": (True, False), "definition": ("consistent",), "float_ties": ("exact",), "tolerance": None}


def _on_pairs(request: Request) -> Callable[[Block], Array] | None:
    """The formula on all pairs with its parameters, or None where the measure's own must do."""
    formula = ON_PAIRS.get(request.sheet.name)
    params: dict[str, Any] = {**request.sheet.params, **request.params}
    how = {name: params.pop(name) for name in list(params) if name in HOW}
    usual = all(HOW[name] is None or value in HOW[name] for name, value in how.items())  # type: ignore[operator]
    widths = [params[name] for name in ("delta", "upper") if name in params]
    if formula is None or not usual or not all(is_width(width) for width in widths) or params.get("upper") == 0:
        return None
    return lambda block: formula(block, **params)
