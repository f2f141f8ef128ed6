"""Predictive values of two models on the same rows: their ratio with an interval, and tests."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues
from rocsteady._src.inference.intervals.normal import p_value, quantile_of
from rocsteady._src.inference.units.units import as_for_rows
from rocsteady._src.results.paired import PairPredictive, RelativeValue
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]


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

    Rows are drawn together, class sizes not fixed. With subjects, what their rows add is added up first. The weighted
    generalised score (Kosinski 2013) stands beside it where rows are independent.
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
    reach, log = quantile_of(level, df=df) * se, math.log(one / two)
    z = log / se if se > 0 else (0.0 if log == 0 else math.copysign(math.inf, log))
    score = math.nan if clusters is not None else _weighted_score(truth, called, held, values, totals)
    return RelativeValue(
        name,
        one,
        two,
        one / two,
        math.exp(log - reach),
        math.exp(log + reach),
        z,
        p_value(z, df=df),
        se,
        level,
        method,
        score,
        p_value(math.sqrt(score)) if score >= 0 else math.nan,
        warnings=() if se > 0 else (Remark("relative_value_unvarying", value=name.upper()),),
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
