"""Gonen and Heller's concordance probability: of a proportional hazards model of the score alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.base.errors import InputError
from rocsteady._src.designs.times.hazard import fitted_hazard
from rocsteady._src.designs.times.influenced import Influenced
from rocsteady._src.designs.times.kernel_sums import pair_sums
from rocsteady._src.designs.times.rows_by_time import total_of
from rocsteady._src.designs.times.trust import of_hazards
from rocsteady._src.inference.units.units import mean_known
from rocsteady._src.ranked.rowsort import in_order

if TYPE_CHECKING:
    from rocsteady._src.designs.times.rows_by_time import TimedRows


def gonen_heller(rows: TimedRows, model: str) -> Influenced:
    """The mean over pairs of the model's probability that the higher score comes first, with what rows add to it."""
    score = rows.rows.doubles_of(model)
    ranked, order = in_order(score)
    middle = float(ranked[ranked.size // 2])  # counted from there, an outlier costs others no digits
    hazard = fitted_hazard(rows, score, middle, float(ranked[-1] - ranked[0]))
    held, weights = rows.held, None if rows.units.weights is None else rows.held[order]
    sums = pair_sums(abs(hazard.slope) * (ranked - middle), weights)
    total = total_of(held)
    itself = (
        held if rows.units.kind == "sampling" else 1.0
    )  # a row's own repetitions are pairs where weights count them
    pairs = (total**2 - total_of(held * itself)) / 2
    if not pairs > 0:
        raise InputError("no_pairs", "concordance needs two rows or more")
    more, by_slope = (total_of(each if weights is None else weights * each) / 2 / pairs for each in sums)
    pulls = np.empty(held.size)
    pulls[order] = sums[0]
    pulls -= more * (total - (held if rows.units.kind == "sampling" else 0.5))
    pulls /= pairs
    if hazard.slope:
        pulls += by_slope / hazard.slope * hazard.pulls
    value = 0.5 + more
    signed = value if hazard.slope >= 0 else 1 - value
    return Influenced(rows, signed, pulls if hazard.slope >= 0 else -pulls, of_hazards(rows), mean_known)
