"""The interval of an area under the ROC once its variance is known: whole or partial, of rows, subjects or weights."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.inference.intervals.advice import few_inside, interval_warnings
from rocsteady._src.inference.intervals.automatic import (
    Evidence,
    partial_area,
    sizes_of,
    whole_area,
    wrong_side,
)
from rocsteady._src.inference.intervals.bounded_area import FEW_APART, bounded_area
from rocsteady._src.inference.intervals.formulas import hanley_mcneil_variance, logit_ends, newcombe_ends
from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.inputs.weights import sampled
from rocsteady._src.results import Interval
from rocsteady._src.results.base import facts_of

if TYPE_CHECKING:
    from rocsteady._src.inference.units.components import Area
    from rocsteady._src.ranked import RankedScores, Rows


FORMULAS = ("auto", "wilson", "logit", "delong", "newcombe", "hanley-mcneil")
BOUNDED = "gaffke"  # what "auto" is called where the bound for any distribution decides
OF_COUNTS = ("newcombe", "hanley-mcneil")


def area_interval(
    area: Area,
    ranked: RankedScores,
    variance: float,
    method: str,
    level: float,
    *,
    rows: Rows | None = None,
    kind: str | None = None,
) -> Interval:
    """Interval by a formula, or by the one that "auto" takes; ``rows`` and ``kind`` tell subjects and weights."""
    refuse_counts(method, area, clustered=rows is not None and rows.clusters is not None, kind=kind)
    estimate = area.value(ranked)
    if method in OF_COUNTS:
        variance = hanley_mcneil_variance(estimate, ranked.n_pos, ranked.n_neg)
    sizes = sizes_of(ranked, rows, kind)
    se, known = math.sqrt(max(variance, 0.0)), evidence_on(area, estimate, variance, sizes)
    by = used = known.method if method == "auto" else method
    low, high = _ends(area, ranked, estimate, se, known, used, level)
    if method == "auto":
        known = with_bounds(area, ranked, known, sizes, rows)
        bounds = _as_areas(area, known.ends(level), estimate) if known.few else (low, high)
        low, high, by = (low, high, used) if bounds == (low, high) else (*bounds, BOUNDED)
    remarks = interval_warnings(ranked, estimate, se, used, partial=not area.whole, rows=rows, kind=kind)
    return Interval(
        estimate=estimate,
        low=low,
        high=high,
        level=level,
        method=by,
        se=se,
        **facts_of(ranked),
        warnings=tuple(remarks or few_inside(area, sizes)),
        auto=method == "auto",
    )


def refuse_counts(method: str, area: Area, *, clustered: bool, kind: str | None) -> None:
    """Formulas of the AUC and the class sizes alone know neither partial areas, nor subjects, nor sampling weights."""
    if method not in OF_COUNTS:
        return
    if not area.whole:
        raise ArgumentError("method", f"{method} is about the whole AUC; use 'auto', 'logit', 'delong' or 'bootstrap'")
    if clustered:
        raise ArgumentError(
            "method", Sentence("{method} counts independent rows; use {method='auto'} with {cluster=}", method=method)
        )
    if kind == "sampling":
        raise ArgumentError("method", Sentence("{sampled}, or use 'auto' or 'logit'", sampled=sampled(method)))


def evidence_on(area: Area, estimate: float, variance: float, sizes: tuple[float, float]) -> Evidence:
    """What is known of an area, as a share of the largest that it can be."""
    if area.whole:
        return whole_area(estimate, variance, sizes)
    own, other = sizes if area.fpr_range is not None else sizes[::-1]
    return partial_area(area.share_of(estimate), variance * area.slope**2, own, other, area.reach)


def with_bounds(
    area: Area, ranked: RankedScores, known: Evidence, sizes: tuple[float, float], rows: Rows | None
) -> Evidence:
    """The same with what each row adds, where few rows are misranked.

    Misranked rows are no fewer, as if alike, than there are on the wrong side: with many of these nothing is looked up.
    """
    if not wrong_side(known.share, known.seen) < FEW_APART[1]:
        return known
    found = replace(known, bounded=bounded_area(area, ranked, known.share, sizes, rows))
    return replace(known, bounded=found.bounded.merged()) if found.few and found.bounded is not None else known


def _as_areas(area: Area, ends: tuple[float, float], estimate: float) -> tuple[float, float]:
    return min(area.value_of(ends[0]), estimate), max(area.value_of(ends[1]), estimate)


def _ends(
    area: Area, ranked: RankedScores, estimate: float, se: float, known: Evidence, method: str, level: float
) -> tuple[float, float]:
    z = quantile_of(level)
    if method == "wilson":
        return _as_areas(area, known.wilson_ends(level), estimate)
    if method == "logit":
        return logit_ends(estimate, se, z, width=area.width)
    if method == "newcombe":
        return newcombe_ends(estimate, ranked.n_pos, ranked.n_neg, z)
    low, high = (min(max(estimate + side * z * se, 0.0), area.width) for side in (-1, 1))
    return low, high
