"""Predictive values of two models on the same rows: their ratio with an interval, and tests."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inference.comparison.hypotheses import NormalDifference
from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues
from rocsteady._src.inference.intervals.joint_limits import joint_limits, score_of
from rocsteady._src.inference.intervals.normal import p_value, quantile_of
from rocsteady._src.inference.intervals.share_limits import wilson_limits
from rocsteady._src.inference.units.units import as_for_rows
from rocsteady._src.results.paired import PairPredictive, RelativeValue
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]

FEW = 10


@dataclass(frozen=True, slots=True)
class CalledParts:
    """Rows that both models call, the first alone and the second alone, and how many of each are right.

    The ratio of two predictive values is made of five shares that vary independently; its limits are Wilson's of these,
    put together, which hold where few calls are wrong too: benchmarks/results/relative_values.csv.
    """

    right: tuple[float, float, float]
    rows: tuple[float, float, float]
    estimate: float = math.nan
    se: float = math.nan
    df: float | None = None

    @classmethod
    def of(cls, truth: Array, called: tuple[Array, Array], held: Array) -> CalledParts:
        """Count rows, as often as they are held."""
        first, second = called
        kinds = (first * second, first * (1 - second), (1 - first) * second)
        right, rows = ([float(held @ (each * share)) for each in kinds] for share in (truth, np.ones_like(truth)))
        return cls((right[0], right[1], right[2]), (rows[0], rows[1], rows[2]))

    @property
    def fewest(self) -> float:
        """The least number of right calls, or of wrong ones, that a model has."""
        found = []
        for own in (1, 2):
            right, rows = self.right[0] + self.right[own], self.rows[0] + self.rows[own]
            found += [right, rows - right]
        return min(found)

    def worth(
        self, independent: float, se: float, units: float, n: float, estimate: float, df: float | None
    ) -> CalledParts:
        """Counts of as many independent rows as tell the ratio as surely as units do; one for each if nothing varies.

        ``independent`` is the standard error that independent rows would have, ``se`` that of units.
        """
        share = min((independent / se) ** 2, 1.0) if se > 0 and independent > 0 else units / n
        right, rows = ([share * each for each in side] for side in (self.right, self.rows))
        return CalledParts((right[0], right[1], right[2]), (rows[0], rows[1], rows[2]), estimate, se, df)

    def ends(self, level: float) -> tuple[float, float]:
        """Ends of the logarithm of the ratio."""
        return self._ends(quantile_of(level, df=self.df))

    def statistic(self, null: float) -> float:
        """The distance from ``null``: the quantile at which the interval reaches it."""
        return score_of(self._ends, self.estimate, null)

    def _ends(self, reach: float) -> tuple[float, float]:
        low, high = log_ratio_limits(np.array([self.right]).T, np.array([self.rows]).T, reach)
        return min(float(low[0]), self.estimate), max(float(high[0]), self.estimate)


def log_ratio_limits(right: Array, rows: Array, reach: float) -> tuple[Array, Array]:
    """Ends of the logarithm of the ratio for columns of counts; lines are rows of both, the first and the second alone.

    Examples
    --------
    >>> low, high = log_ratio_limits(np.array([[30.0], [4.0], [2.0]]), np.array([[31.0], [5.0], [2.0]]), 1.96)
    >>> np.exp(low).round(3).tolist(), np.exp(high).round(3).tolist()
    ([0.882], [1.053])
    """
    both, one, two = rows
    hits, totals = np.array([*right, one + two, one]), np.array([both, one, two, both + one + two, one + two])
    return joint_limits(_log_ratio, hits, totals, reach, limits=wilson_limits)


def _log_ratio(shares: Array) -> Array:
    """Of the predictive values, from the shares behind them; a value of 0 is infinitely far."""
    both, first, second, alone, of_first = shares
    one, two, common = alone * of_first, alone * (1 - of_first), 1 - alone
    with np.errstate(divide="ignore", invalid="ignore"):
        values = [(common * both + own * right) / (common + own) for own, right in ((one, first), (two, second))]
        found: Array = np.log(values[0]) - np.log(values[1])
    return found


def relative_values(
    positive: Mask,
    calls: tuple[Mask, Mask],
    weights: NDArray[Any] | None,
    clusters: NDArray[np.int64] | None,
    level: float,
) -> tuple[RelativeValue, RelativeValue]:
    """Relative PPV and NPV of two models that called the same rows."""
    held = np.ones(positive.size) if weights is None else weights.astype(np.float64)
    first, second = (each.astype(np.float64) for each in calls)
    truth = positive.astype(np.float64)
    ppv = relative_value("ppv", truth, (first, second), held, clusters, level)
    return ppv, relative_value("npv", 1 - truth, (1 - first, 1 - second), held, clusters, level)


def relative_value(
    name: str,
    truth: Array,
    called: tuple[Array, Array],
    held: Array,
    clusters: NDArray[np.int64] | None,
    level: float,
) -> RelativeValue:
    """The first value over the second, with the delta method on its logarithm (Moskowitz and Pepe 2006).

    Rows are drawn together, class sizes not fixed. With subjects, what their rows add is added up first. Where few of a
    model's calls are right, or few are wrong, the limits are those of ``CalledParts`` instead. The weighted generalised
    score (Kosinski 2013) stands beside it where rows are independent.
    """
    totals = [float(held @ each) for each in called]
    values = [
        float(held @ (each * truth)) / total if total else math.nan for each, total in zip(called, totals, strict=True)
    ]
    one, two = values
    method = "moskowitz-pepe" if clusters is None else "moskowitz-pepe, by cluster"
    if not (one > 0 and two > 0):
        why = (Remark("relative_value_undefined", value=name.upper()),)
        none = math.nan
        return RelativeValue(name, one, two, none, none, none, none, none, none, level, method, warnings=why)
    added = called[0] * (truth - one) / (one * totals[0]) - called[1] * (truth - two) / (two * totals[1])
    se, df = _error(added, held, clusters)
    log = math.log(one / two)
    parts = CalledParts.of(truth, called, held)
    few = parts.fewest < FEW
    known: Any = NormalDifference(log, se, df)
    if few:
        independent = math.sqrt(float(held @ added**2))
        units = float(held.sum()) if clusters is None else float(np.count_nonzero(np.bincount(clusters)))
        known = parts.worth(independent, se, units, float(held.sum()), log, df)
        method = method.replace("moskowitz-pepe", "wilson")
    low, high = known.ends(level)
    z = known.statistic(0.0)
    score = math.nan if clusters is not None else _weighted_score(truth, called, held, values, totals)
    return RelativeValue(
        name,
        one,
        two,
        one / two,
        math.exp(low),
        math.exp(high),
        z,
        p_value(z, df=df),
        se,
        level,
        method,
        score,
        p_value(math.sqrt(score)) if score >= 0 else math.nan,
        warnings=(Remark("relative_value_few", rows=parts.fewest, value=name.upper()),) if few else (),
    )


def _error(added: Array, held: Array, clusters: NDArray[np.int64] | None) -> tuple[float, float | None]:
    """Standard error of a sum over rows, and degrees of freedom where subjects are the units."""
    if clusters is None:
        return math.sqrt(float(held @ added**2)), None
    sums = np.bincount(clusters, held * added)
    n = int(np.count_nonzero(np.bincount(clusters)))
    return math.sqrt(as_for_rows(n, float(held.sum())) * float(sums @ sums)), float(n - 1)


def _weighted_score(
    truth: Array, called: tuple[Array, Array], held: Array, values: list[float], totals: list[float]
) -> float:
    """The difference of both values, squared, over the variance that it has where they are alike; a chi-square."""
    together = float(held @ (truth * (called[0] + called[1]))) / sum(totals)
    shared = float(held @ (called[0] * called[1] * (truth - together) ** 2)) / sum(totals)
    spread = (together * (1 - together) - 2 * shared) * (1 / totals[0] + 1 / totals[1])
    gap = (values[0] - values[1]) ** 2
    return gap / spread if spread > 1e-15 else (0.0 if not gap else math.inf)


def with_holm(pairs: Sequence[PairPredictive]) -> tuple[PairPredictive, ...]:
    """The same with p of each predictive value adjusted for the number of pairs."""
    adjusted = {
        name: adjust_pvalues([getattr(pair, name).pvalue for pair in pairs], "holm").tolist() for name in ("ppv", "npv")
    }
    return tuple(
        replace(
            pair,
            ppv=replace(pair.ppv, p_holm=adjusted["ppv"][place]),
            npv=replace(pair.npv, p_holm=adjusted["npv"][place]),
        )
        for place, pair in enumerate(pairs)
    )
