"""Intervals of NRI and IDI where events or nonevents are few: there z times the standard error is too short.

Measured by benchmarks/reclassification_coverage.py. z and p are those of the interval, so that both say one thing;
standard errors stay those of the formulas.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.sentences import Option, Sentence
from rocsteady._src.inference.comparison.nested import alike_remarks
from rocsteady._src.inference.intervals.normal import p_value, quantile_of
from rocsteady._src.inference.units.units import welch_degrees
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from rocsteady._src.probabilities.reclassification.two_models import AnyPair
    from rocsteady._src.results import Estimate

FEW, VERY_FEW = 50, 10  # rows in the smaller class


def counts_rows(rows: AnyPair) -> bool:
    """Whether the rows are counted one by one: neither subjects nor sampling weights."""
    return rows.clusters is None and rows.weight_type != "sampling"


def chosen(method: str, rows: AnyPair, sizes: tuple[Any, Any], better: str) -> str:
    """What "auto" takes: the better method where rows are few and counted, Wald's elsewhere."""
    if method != "auto":
        return method
    return better if counts_rows(rows) and min(sizes) < FEW else "wald"


def short_remarks(method: str, rows: AnyPair, sizes: tuple[Any, Any], better: str) -> tuple[Remark, ...]:
    """Where intervals were measured below 92%."""
    fewest = min(sizes)
    if rows.clusters is None:
        if method == "wald" and 1 < fewest < FEW:
            named = Sentence("use {option}", option=Option("method", (better,)))
            way_out = named if counts_rows(rows) else "only more rows help"
            return (Remark("wald_short", rows=fewest, better=way_out),)
        if method == "welch" and 1 < fewest < VERY_FEW:
            return (Remark("welch_short", rows=fewest),)
        if method == "bonett-price" and 1 < fewest < VERY_FEW:
            return (Remark("few_to_move", rows=fewest, step=1 / float(fewest)),)
    return ()


def nested(rows: AnyPair) -> tuple[Remark, ...]:
    """On models whose predictions are nearly the same; of a lazy table they are not known here."""
    known = rows.in_memory()
    return () if known is None else alike_remarks(known.old, known.new)


def bonett_price(
    parts: list[Estimate], up: list[float], down: list[float], sizes: list[float], *, keeps_test: bool = False
) -> list[Estimate]:
    """NRI, events and nonevents with one more row moved up and one down in each class (Bonett and Price 2012).

    ``keeps_test`` where another variance was asked for the test.
    """
    level = parts[0].level
    centres, variances = [], []
    for more, less, n in zip(up, down, sizes, strict=True):
        plus, minus = (more * n + 1) / (n + 2), (less * n + 1) / (n + 2)
        centres.append(plus - minus)
        variances.append((plus + minus - (plus - minus) ** 2) / (n + 2))
    middles = (centres[0] - centres[1], centres[0], -centres[1])
    spreads = (sum(variances), *variances)
    bounds = (2.0, 1.0, 1.0)
    made = []
    for part, middle, variance, bound in zip(parts, middles, spreads, bounds, strict=True):
        reach = quantile_of(level) * math.sqrt(variance)
        low, high = max(middle - reach, -bound), min(middle + reach, bound)
        low, high = min(low, part.estimate), max(high, part.estimate)
        found = replace(part, low=low, high=high, method="bonett-price")
        z = middle / math.sqrt(variance)
        kept = keeps_test or math.isnan(part.se)
        made.append(found if kept else replace(found, statistic=z, pvalue=p_value(z)))
    return made


def welch(part: Estimate, variances: tuple[float, ...], sizes: tuple[float, ...]) -> Estimate:
    """The same with a quantile of Student's t, degrees of freedom by Satterthwaite from the classes it is made of."""
    from scipy.special import stdtrit

    degrees = welch_degrees(variances, sizes)
    if math.isnan(degrees) or not part.se > 0:  # no spread
        return replace(part, method="welch")
    reach = float(stdtrit(degrees, (1 + part.level) / 2)) * part.se
    pvalue = p_value(part.statistic, df=degrees)
    return replace(part, low=part.estimate - reach, high=part.estimate + reach, pvalue=pvalue, method="welch")
