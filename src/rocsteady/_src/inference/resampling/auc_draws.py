"""The bootstrap of the AUC, which needs no groups: the same draws as GroupDraws in half the time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.base.repeat_counts import repeat_by
from rocsteady._src.measures.ranking import auc
from rocsteady._src.measures.requests import parse_requests

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inference.resampling.draws import Draws, GroupDraws


class AucDraws:
    """Negatives are drawn by rank; a drawn positive wins against those drawn from the ranks below it."""

    def __init__(self, draws: GroupDraws) -> None:
        groups = draws.ranked[0]
        self.n_pos, self.n_neg = int(groups.n_pos), int(groups.n_neg)
        self.lower = repeat_by(groups.neg_below, groups.pos)
        upper = repeat_by(groups.neg_through, groups.pos)
        self.upper = None if np.array_equal(self.lower, upper) else upper

    def __call__(self, rng: np.random.Generator) -> tuple[float]:
        """AUC of one resample."""
        positives = _units(rng, self.n_pos)
        below = np.zeros(self.n_neg + 1, dtype=np.int64)
        np.bincount(_units(rng, self.n_neg), minlength=self.n_neg).cumsum(out=below[1:])
        won = int(below.take(self.lower.take(positives)).sum())
        won_or_tied = won if self.upper is None else int(below.take(self.upper.take(positives)).sum())
        return ((won + won_or_tied) / (2 * self.n_pos * self.n_neg),)


def _units(rng: np.random.Generator, total: int) -> NDArray[np.int64]:
    units = rng.random(total)
    units *= total
    return units.astype(np.int64)


def auc_draws(measure: object, params: object, draws: Draws) -> AucDraws | None:
    """The short way, where it leads to the same values: the AUC of one model, classes drawn apart, few repeats."""
    from rocsteady._src.inference.resampling.draws import GroupDraws

    if params or not isinstance(draws, GroupDraws) or not draws.stratified or draws.repeated:
        return None
    named = isinstance(measure, str) or hasattr(measure, "sheet")
    if not named or parse_requests([measure])[0].sheet is not auc.sheet:
        return None
    return AucDraws(draws)
