"""What resamples say of the optimism of a measure: Harrell's correction, .632 and .632+, and their intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocsteady._src.inference.intervals.replicate_ends import quantiles_of, spread_of, within

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.measures.registry import FactSheet

    Array = NDArray[Any]

OUTSIDE = 0.632  # Efron's rounding of 1 - 1/e, the share of rows that a resample holds
TRACE = 1e-12  # what rounding leaves between values that are the same


class Correction(NamedTuple):
    """A measure of the final model: as it looks, as it looks on average in resamples, and as it should be."""

    apparent: float
    training: float
    test: float
    corrected: float

    @property
    def optimism(self) -> float:
        """What is taken off."""
        return self.apparent - self.corrected


def corrected(method: str, apparent: float, nothing: float, values: Array, sheet: FactSheet) -> Correction:
    """The correction of one measure; ``values`` are those of resamples in training, on all rows, on those left out."""
    training, tested, left_out = (_mean(column) for column in values.T)
    if method == "harrell":
        both = values[:, 0] - values[:, 1]
        return Correction(apparent, training, tested, apparent - _mean(both))
    weight, outside = OUTSIDE, left_out
    if method == ".632+":
        weight, outside = _plus(apparent, nothing, left_out, sheet)
    return Correction(apparent, training, left_out, (1 - weight) * apparent + weight * outside)


def _plus(apparent: float, nothing: float, outside: float, sheet: FactSheet) -> tuple[float, float]:
    """Weight of the rows left out, and their value, no worse than no information; by the relative overfitting rate."""
    if sheet.better == "lower":
        outside = min(outside, max(nothing, apparent))
    elif sheet.better == "higher":
        outside = max(outside, min(nothing, apparent))
    span, lost = apparent - nothing, apparent - outside
    sign = {"higher": 1, "lower": -1}.get(sheet.better, 1 if span > 0 else -1)
    if math.isnan(span + lost):
        return math.nan, outside
    rate = min(lost / span, 1.0) if sign * span > 0 and sign * lost > 0 else 0.0
    return OUTSIDE / (1 - (1 - OUTSIDE) * rate), outside


def shifted_ends(
    centre: float, spread: Array, models: Array, level: float, bounds: tuple[float, float]
) -> tuple[float, float, float]:
    """Quantiles of values that spread as the estimate does, moved so that their mean is ``centre``; and the error.

    What models show of their own resamples spreads too little: of a perfect fit, or of a slope that is 1 by
    construction, not at all. ``models`` are values of the resamples' models on all rows: how much these differ is how
    much the very model may be better or worse than the procedure's mean, and is added.
    """
    known, error = spread[~np.isnan(spread)], spread_of(spread)
    if not known.size or math.isnan(centre):
        return math.nan, math.nan, error
    low, high = quantiles_of(known, ((1 - level) / 2, (1 + level) / 2))
    mean, whole = float(known.mean()), math.hypot(error, spread_of(models))
    wider = whole / error if error > 0 and math.isfinite(whole) else 1.0
    low, high = (centre + wider * (end - mean) for end in (low, high))
    return *within(bounds, low, high), wider * error


def nothing_varies(values: Array) -> bool:
    """Whether all values that there are agree: those of a constant model do, and say nothing of how sure it is."""
    known = values[~np.isnan(values)]
    return not known.size or float(np.ptp(known)) <= TRACE * max(1.0, float(np.abs(known).max()))


def _mean(values: Array) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else math.nan
