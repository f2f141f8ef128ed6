"""How replicates become an interval. Which way is best for a measure was measured: docs/coverage.md, every measure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

KINDS = ("percentile", "basic", "bca", "student", "corrected", "corrected log")
# Noise of a size s turns 0 into s on average, and what noise made into sqrt(2) s: the bias that resamples show is then
# sqrt(2) - 1 of what there is. Where there is no noise to speak of they show all of it.
UNBOUNDED = (-math.inf, math.inf)
MOST_BIAS = 1 / (math.sqrt(2) - 1)
HELD = 2.0  # distances to the nearest bound: one of n rows, less and plus 1.96 standard errors, reaches that far


@dataclass(frozen=True, slots=True)
class Shape:
    """What the ends depend on beside the replicates: bounds of the measure, units of the smaller class, skewness."""

    bounds: tuple[float, float] = (-math.inf, math.inf)
    fewest: int = 1_000_000
    skew: float = 0.0


def ends(kind: str, values: Array, estimate: float, level: float, shape: Shape | None = None) -> tuple[float, float]:
    """Interval from replicates, cut to the bounds of the measure.

    "student": the estimate, on the log-odds scale for bounded measures and on the log scale for positive ones, less and
    plus the standard deviation of the replicates times the quantile of Student's t, whose degrees of freedom are the
    units of the smaller class but one; what reaches past twice the distance to a bound is added on the plain scale.
    "corrected": the estimate less its bias, which is at least what the replicates show and at most 2.41 times that,
    less and plus the same, on the plain scale where more may be hidden. "corrected log" does so on the log scale of the
    distance to the largest value: KS and its kin vary near their smallest value, that of a coin, as elsewhere, and less
    only where few rows stand on the wrong side.
    """
    shape, values = shape or Shape(), values[~np.isnan(values)]
    if not values.size:
        return math.nan, math.nan
    if kind in KINDS[:3] or not (np.isfinite(values).all() and math.isfinite(estimate)):
        low, high = _quantiles(kind, values, estimate, level, shape)
    else:
        low, high = _student(kind, values, estimate, level, shape)
    return within(shape.bounds, low, high)


def _student(kind: str, values: Array, estimate: float, level: float, shape: Shape) -> tuple[float, float]:
    reach = quantile_of(level, df=max(shape.fewest - 1, 1)) * spread_of(values)
    bias = 0.0 if kind == "student" else float(values.mean()) - estimate
    first, last = sorted((estimate - bias, estimate - MOST_BIAS * bias))
    scales = [UNBOUNDED if kind == "corrected" and hidden else shape.bounds for hidden in (bias > 0, bias < 0)]
    if kind == "corrected log":
        scales = [(-math.inf, shape.bounds[1])] * 2
    return moved(first, -reach, scales[0]), moved(last, reach, scales[1])


def moved(centre: float, reach: float, bounds: tuple[float, float]) -> float:
    """From ``centre`` by ``reach``, on the scale on which the bounds are infinitely far; plainly from outside them.

    That scale holds where the spread shrinks towards the bound, as that of a count does: one row on the wrong side is
    known to within twice its share. A longer reach is noise that does not shrink, and its rest is added plainly; on the
    log-odds scale an H-measure of 0.002 that is known to 0.04 would reach from 0 to 1.

    Examples
    --------
    >>> [round(moved(0.02, reach, (0, 1)), 3) for reach in (-0.05, -0.01, 0.01, 0.05)]
    [-0.007, 0.012, 0.033, 0.146]
    """
    below, above = centre - bounds[0], bounds[1] - centre
    nearest = min(below, above)
    if not 0 < nearest < math.inf:
        return centre + reach
    step = math.copysign(min(abs(reach), HELD * nearest), reach)
    if math.isinf(above):
        found = bounds[0] + below * math.exp(step / below)
    elif math.isinf(below):
        found = bounds[1] - above * math.exp(-step / above)
    else:
        odds = math.log(below / above) + step / below + step / above
        found = bounds[0] + (below + above) / (1 + math.exp(-odds))
    return found + (reach - step)


def _quantiles(kind: str, values: Array, estimate: float, level: float, shape: Shape) -> tuple[float, float]:
    from scipy.special import ndtr, ndtri

    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    if kind == "bca":
        below = (np.count_nonzero(values < estimate) + np.count_nonzero(values == estimate) / 2) / values.size
        z0 = ndtri(min(max(below, 0.5 / values.size), 1 - 0.5 / values.size))
        moved = z0 + ndtri(tails)
        tails = ndtr(z0 + moved / (1 - shape.skew * moved))
    low, high = quantiles_of(values, tails)
    if kind == "basic":
        return (2 * estimate - high, 2 * estimate - low) if math.isfinite(estimate) else (math.nan, math.nan)
    return low, high


def quantiles_of(values: Array, tails: Any) -> tuple[float, float]:
    """Two quantiles; between a number and infinity lies neither mean nor line, so there the outer one is taken."""
    sides: tuple[Any, Any] = ("linear", "linear") if np.isfinite(values).all() else ("lower", "higher")
    low, high = (float(np.quantile(values, tail, method=side)) for tail, side in zip(tails, sides, strict=True))
    return low, high


def spread_of(values: Array) -> float:
    """Standard deviation of the replicates that are defined; NaN with fewer than two, or infinite ones."""
    known = values[~np.isnan(values)]
    return float(known.std(ddof=1)) if known.size > 1 and np.isfinite(known).all() else math.nan


def within(bounds: tuple[float, float], low: float, high: float) -> tuple[float, float]:
    """Both ends cut to the bounds; NaN stays."""
    low, high = (end if math.isnan(end) else min(max(end, bounds[0]), bounds[1]) for end in (low, high))
    return low, high


def remarks_on_ends(low: float, high: float, estimate: float, values: Any) -> list[Remark]:
    """Say why there are no ends, why they do not differ, or why they leave out the estimate."""
    if math.isnan(low) or math.isnan(high):
        return [Remark("infinite_resamples")]
    told = [Remark("resamples_agree")] if low == high else []
    near = 1e-12 * max(1.0, abs(estimate))
    if not (low > estimate + near or high < estimate - near):
        return told
    middle = float(np.nanmedian(values))
    side = "above" if middle > estimate else "below"
    return [*told, Remark("estimate_left_out", side=side, middle=middle)]
