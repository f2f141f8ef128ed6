"""Measures of many models on the same rows at once: all pairs of a block of models in one array.

With few pairs NumPy's overhead per model is larger than the work, and a selection experiment judges thousands of
models. What is not listed in ``ON_PAIRS``, or has many pairs, goes through the measure's own formula, ranked once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.extras.lab.formulas import SCORE_AWARE
from rocsteady._src.inputs import CleanRows
from rocsteady._src.measures.granularity.consistent import least_gap
from rocsteady._src.measures.granularity.deltas import is_width
from rocsteady._src.ranked import OrderedScores, sorted_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.measures.requests import Request

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
    means: dict[Hashable, Array] = field(default_factory=dict)

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

    @property
    def ends(self) -> tuple[Array, Array]:
        """Lowest and highest score of each model."""
        return self.scores.min(axis=1), self.scores.max(axis=1)

    @cached_property
    def range(self) -> Array:
        """Highest minus lowest score."""
        return np.asarray(np.ptp(self.scores, axis=1))

    @cached_property
    def margin(self) -> Array:
        """Lowest positive minus highest negative score."""
        pos, neg = self.sides
        return np.asarray(pos.min(axis=1) - neg.max(axis=1))

    def gap_mean(self, key: Hashable, kernel: Callable[[Array, Array], Array], *, losing: bool = False) -> Array:
        """Mean over pairs of f(p - n, R), made once for each key."""
        if key not in self.means:
            self.means[key] = np.asarray(kernel(self.gaps, self.range[:, None]).mean(axis=1))
        return self.means[key]

    def class_mean(self, *, positive: bool) -> Array:
        """Mean of the positives' p, or of the negatives' 1 - n."""
        pos, neg = self.sides
        return np.asarray(pos.mean(axis=1) if positive else (1 - neg).mean(axis=1))


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


ON_PAIRS: dict[str, Callable[..., Array]] = {
    "auc": lambda block: block.auc,
    "gini": lambda block: 2 * block.auc - 1,
    "low_auc": _low,
    "up_auc": _up,
    "lambda_auc": _lambda,
    "rho_auc": _rho,
    **SCORE_AWARE,
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
