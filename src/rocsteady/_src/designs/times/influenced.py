"""An estimate together with what each row adds to it: intervals and tests by the influence function.

``pulls`` are derivatives by the weights of the rows, so that weights, subjects, differences and averages of estimates
need nothing more (the infinitesimal jackknife).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.designs.times.rows_by_time import MANY_ROWS
from rocsteady._src.inference.comparison.hypotheses import NormalDifference, result_of
from rocsteady._src.inference.intervals.formulas import logit_ends
from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.inference.units.units import freedom_of_squares, unbiased
from rocsteady._src.results.inference import Interval

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.designs.times.rows_by_time import TimedRows
    from rocsteady._src.inference.units.units import Factor
    from rocsteady._src.results import TestResult
    from rocsteady._src.results.remarks import Remark

    Array = NDArray[np.float64]
    Ends = Callable[[float, float, float], tuple[float, float]]

ROUNDING = 1e-14  # standard errors of shares are never so small, whatever the number of rows
NEAR = 1e-9  # of 0 or 1, where no row would change the value
IN_CACHE = 1 << 15  # rows whose squares are summed at once


@dataclass(frozen=True, eq=False)
class Influenced:
    """A value of rows and its derivative by the weight of each; ``remarks`` say where not to trust it.

    ``factor`` corrects the sum of squares for the number of units. ``pairs`` is how many pairs of rows, none of which
    share a row, a share of pairs rests on; 0 where it is none, or unknown.
    """

    rows: TimedRows
    value: float
    pulls: Array
    remarks: tuple[Remark, ...] = ()
    factor: Factor = unbiased
    pairs: float = 0.0

    def __sub__(self, other: Influenced) -> Influenced:
        """One estimate less another of the same rows."""
        both = tuple(dict.fromkeys((*self.remarks, *other.remarks)))
        return Influenced(self.rows, self.value - other.value, self.pulls - other.pulls, both, self.factor)

    @property
    def se(self) -> float:
        """Standard error; 0, but for rounding, says that no row would change the value, which is no certainty."""
        found = math.sqrt(max(float(covariance_of([self])[0, 0]), 0.0))
        return 0.0 if found <= ROUNDING * max(1.0, abs(self.value)) else found

    @property
    def df(self) -> float | None:
        """Degrees of freedom, by how unequal the units' pulls are, and fewer than there are subjects."""
        units = self.rows.units
        times = units.held() if units.repeated and units.weights is not None else None
        sums: Array = self.pulls
        if times is None and (units.clusters is not None or units.weights is not None):
            sums = np.bincount(units.numbers, units.held() * self.pulls).astype(np.float64)
        found = freedom_of_squares(sums, times) if sums.size <= MANY_ROWS else _freedom_of_many(sums, times)
        found = found if units.clusters is None else min(found, units.count() - 1)
        return None if math.isinf(found) else found

    def interval(self, level: float, method: str, scale: str = "logit") -> Interval:
        """Of a share by its log-odds, of a positive number by its logarithm, of others as they are."""
        se, reach, value = self.se, quantile_of(level, df=self.df), self.value
        if se == 0 and abs(value - round(value)) <= NEAR:  # sums of weights give 1 but for rounding
            value = float(round(value))
        low, high = ENDS[scale](value, se, reach) if se > 0 else self._ends_at_bound(value, level)
        told = f"{method}, {scale}" if method else scale
        facts: dict[str, Any] = {
            **self.rows.facts,
            "warnings": (*_no_ends(value, low), *self.rows.remarks, *self.remarks),
        }
        return Interval(value, low, high, level, told, se if se > 0 else math.nan, **facts)

    def _ends_at_bound(self, value: float, level: float) -> tuple[float, float]:
        """Where all pairs are right, or all wrong: as rare as the level says for pairs that share no row."""
        if self.pairs < 1 or value not in (0.0, 1.0):
            return math.nan, math.nan
        least = ((1 - level) / 2) ** (1 / self.pairs)
        return (least, 1.0) if value else (0.0, 1 - least)

    def test(self, alternative: str, margin: float | None, level: float, method: str) -> TestResult:
        """Whether this difference is none."""
        found = NormalDifference(self.value, self.se, self.df)
        facts: dict[str, Any] = {"remarks": (*self.rows.remarks, *self.remarks), **self.rows.facts}
        return result_of(found, alternative, margin, level, method, **facts)


def disjoint_pairs(rows: TimedRows, counted: NDArray[np.bool_]) -> float:
    """At least how many pairs of a counted event and a later row there are that share no row, or no subject."""
    places = 2 * rows.distinct[1] + ~rows.event
    events, all_there = np.bincount(places, counted), np.bincount(places)
    free = found = 0
    for n_events, n_there in zip(events[::-1].tolist(), all_there[::-1].tolist(), strict=True):
        taken = min(int(n_events), free)
        found += taken
        free += n_there - 2 * taken
    return found * rows.units.count() / rows.n_rows


def _freedom_of_many(pulls: Array, times: Array | None) -> float:
    """The same of so many units that the order of adding them does not matter.

    Products are summed here and below without BLAS, whose threads would wait for each other longer than they work, and
    whose number would show in the last digit.
    """
    total = float(pulls.size if times is None else times.sum())
    of_squares = of_fourths = 0.0
    for at in range(0, pulls.size, IN_CACHE):
        squares = np.square(pulls[at : at + IN_CACHE])
        counted = squares if times is None else times[at : at + IN_CACHE] * squares
        of_squares += float(counted.sum())
        of_fourths += float(np.multiply(counted, squares, out=squares).sum())
    unequal = of_fourths / of_squares**2 - 1 / total if of_squares else 0.0
    return max(2 / unequal, 1.0) if unequal > 0 else math.inf


def covariance_of(estimates: Sequence[Influenced]) -> Array:
    """Covariance of estimates of the same rows."""
    units, alone = estimates[0].rows.units, len(estimates) == 1
    pulls = estimates[0].pulls[None] if alone else np.array([each.pulls for each in estimates])
    scale = estimates[0].factor(units.count(), math.nan)
    if units.repeated and units.weights is None:
        products: Array = np.einsum("ai,bi->ab", pulls, pulls)
        return scale * products
    by_subject, by_row = units.sums_by_subject_and_row(pulls)
    return scale * (by_row if units.repeated else by_subject)


def _wald(value: float, se: float, reach: float) -> tuple[float, float]:
    return value - reach * se, value + reach * se


def _log(value: float, se: float, reach: float) -> tuple[float, float]:
    if not value > 0:
        return math.nan, math.nan
    factor = math.exp(min(reach * se / value, 700.0))
    return value / factor, value * factor


def _no_ends(value: float, low: float) -> tuple[Remark, ...]:
    from rocsteady._src.results.remarks import Remark

    return (Remark("nothing_varies"),) if math.isnan(low) and not math.isnan(value) else ()


ENDS: dict[str, Callable[[float, float, float], tuple[float, float]]] = {
    "logit": logit_ends,
    "wald": _wald,
    "log": _log,
}
