"""Gonen and Heller's concordance probability: of a proportional hazards model of the score alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError
from rocsteady._src.designs.times.influenced import Influenced
from rocsteady._src.designs.times.kernel_sums import sums_above
from rocsteady._src.designs.times.rows_by_time import total_of
from rocsteady._src.designs.times.trust import of_hazards
from rocsteady._src.inference.units.units import mean_known
from rocsteady._src.ranked.rowsort import in_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.designs.times.kernel_sums import Kernel
    from rocsteady._src.designs.times.rows_by_time import TimedRows

    Array = NDArray[np.float64]

STEPS, CLOSE, FARTHEST = 100, 1e-10, 500.0


def gonen_heller(rows: TimedRows, model: str) -> Influenced:
    """The mean over pairs of the model's probability that the higher score comes first, with what rows add to it."""
    score = rows.rows.doubles_of(model)
    hazard = fitted_hazard(rows, score)
    _, order = in_order(score)
    x, held = abs(hazard.slope) * score[order], rows.held[order]
    sums, steps = (_both_sides(x, held, *kernel) for kernel in (SHARE, SLOPE))
    total, own = total_of(held), 0.5 * held if rows.units.kind == "sampling" else np.full(held.size, 0.5)
    squares = total_of(held * own) * 2  # pairs of a row with itself: with its repetitions where weights count them
    pairs = (total**2 - squares) / 2
    if not pairs > 0:
        raise InputError("no_pairs", "concordance needs two rows or more")
    value = (total_of(held * sums) - squares / 2) / 2 / pairs
    by_weight = sums - own / (1 if rows.units.kind == "sampling" else 2)
    by_weight -= value * (total - own * (2 if rows.units.kind == "sampling" else 1))
    pulls = np.empty(held.size)
    pulls[order] = by_weight / pairs
    if hazard.slope:
        pulls += total_of(held * steps) / 2 / pairs / hazard.slope * hazard.pulls
    signed = value if hazard.slope >= 0 else 1 - value
    return Influenced(rows, signed, pulls if hazard.slope >= 0 else -pulls, of_hazards(rows), mean_known)


@dataclass(frozen=True, eq=False)
class Hazard:
    """The log hazard ratio of the score, with what each row adds to it."""

    slope: float
    pulls: Array


def fitted_hazard(rows: TimedRows, score: Array) -> Hazard:
    """Fit Cox's model to one score by Newton's method; tied events by Breslow's likelihood. O(n) a step."""
    spread = float(score.max() - score.min())
    if not spread > 0 or not rows.event.any():
        if not rows.event.any():
            raise InputError("no_pairs", "no event was seen: concordance needs one")
        return Hazard(0.0, np.zeros(score.size))
    shifted = (score - score.mean()) / spread
    slope, step = 0.0, math.inf
    for _ in range(STEPS):
        gradient, curvature = _likelihood(rows, shifted, slope)[:2]
        if not curvature > 0 or abs(slope) > FARTHEST:
            break
        step = min(max(gradient / curvature, -2.0), 2.0)
        slope += step
        if abs(step) <= CLOSE * max(abs(slope), 1.0):
            _, curvature, own = _likelihood(rows, shifted, slope)
            return Hazard(slope / spread, own / curvature / spread)
    text = "the proportional hazards model of the score has no finite slope: scores order all events"
    raise InputError("no_finite_slope", f"{text}; use Harrell's or Uno's C")


def _likelihood(rows: TimedRows, score: Array, slope: float) -> tuple[float, float, Array]:
    """Derivatives of the log partial likelihood by the slope, and what each row adds to the first."""
    times, place = rows.distinct
    risk, held = np.exp(slope * score), rows.held
    s0, s1, s2 = (np.bincount(place, held * risk * score**k, times.size)[::-1].cumsum()[::-1] for k in range(3))
    mean = s1 / s0
    events = np.bincount(place, held * rows.event, times.size)
    curvature = total_of(events * (s2 / s0 - mean**2))
    base, of_mean = (events / s0).cumsum()[place], (events * mean / s0).cumsum()[place]
    own = rows.event * (score - mean[place]) - risk * (score * base - of_mean)
    return total_of(held * own), curvature, own


def _both_sides(x: Array, held: Array, kernel: Kernel, limit: float) -> Array:
    """Sums over all rows, itself included, of a function of the distance."""
    up = sums_above(x, held, kernel, limit)
    down = sums_above(-x[::-1], held[::-1], kernel, limit)[::-1]
    found: Array = up + down + held * kernel(0.0)
    return found


def _share(d: Any) -> Any:
    return 1 / (1 + np.exp(-np.minimum(d, 700.0)))


def _slope(d: Any) -> Any:
    share = _share(d)
    return d * share * (1 - share)


SHARE, SLOPE = (_share, 1.0), (_slope, 0.0)
