"""Intervals of areas of classes and of their averages."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady.errors import Undefined
from rocsteady.inputs.weights import reading_remarks
from rocsteady.multiclass.areas import (
    absence_text,
    average_of,
    class_area,
    ranked_classes,
    undefined_reason,
)
from rocsteady.multiclass.averages import name_of
from rocsteady.multiclass.influence import (
    influence_on_class,
    influence_on_pool,
    influences_on,
    of_fixed_sizes,
    variance_of,
)
from rocsteady.results import Interval, Origin
from rocsteady.text import format_setting
from rocsteady.uncertainty.advice import interval_warnings
from rocsteady.uncertainty.components import Area, delong_variance
from rocsteady.uncertainty.formulas import logit_ends
from rocsteady.uncertainty.normal import quantile_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocsteady.multiclass.influence import Influence
    from rocsteady.multiclass.rows import ClassRows
    from rocsteady.ranked import RankedScores

FEW = 5
NO_SPREAD = 1e-26  # of a variance; rounding leaves about 1e-32
ROUNDING = 1e-14


def class_intervals(rows: ClassRows, *, method: str, level: float, fixed_sizes: bool = False) -> dict[Any, Interval]:
    """DeLong's interval of each class against the rest; of fixed sizes every class in the rest varies by itself."""
    notes = reading_remarks(rows.origin())
    return {
        rows.labels[place]: _class_interval(rows, place, ranked, (method, level, fixed_sizes), notes)
        for place, ranked in enumerate(ranked_classes(rows))
    }


def _class_interval(
    rows: ClassRows,
    place: int,
    ranked: RankedScores,
    choice: tuple[str, float, bool],
    notes: tuple[str, ...],
) -> Interval:
    method, level, fixed_sizes = choice
    estimate = class_area(ranked)
    origin = ranked.origin
    if isinstance(estimate, Undefined):
        return _undefined(estimate, level, method, origin, estimate.explanation)
    if rows.reading != "sampling" and rows.clusters is None and not fixed_sizes:
        variance = delong_variance(ranked, Area().components(ranked))
    else:
        influence, two = influence_on_class(rows, place, rows.column(place))
        parts = (of_fixed_sizes(influence, rows), rows) if fixed_sizes else (influence, two)
        variance = variance_of(*parts)
    made = interval_of(estimate, variance, method, level, origin, notes)
    remarks = interval_warnings(ranked, estimate, 0.0 if made.se is None else made.se, method, kind=rows.reading)
    return _with(made, remarks, ranked)


def _with(made: Interval, remarks: list[str], ranked: RankedScores) -> Interval:
    return replace(made, n_pos=ranked.n_pos, n_neg=ranked.n_neg, warnings=(*made.warnings, *remarks))


def average_interval(
    rows: ClassRows,
    average: str,
    scheme: str,
    *,
    method: str,
    level: float,
    fixed_sizes: bool = False,
) -> Interval:
    """Interval of an average over all classes."""
    options: dict[str, Any] = {"method": method, "level": level, "fixed_sizes": fixed_sizes}
    (found,) = average_intervals(rows, {"": (average, scheme)}, **options).values()
    return found


def average_intervals(
    rows: ClassRows,
    kinds: Mapping[str, tuple[str, str]],
    *,
    method: str,
    level: float,
    fixed_sizes: bool = False,
) -> dict[str, Interval]:
    """Intervals of several averages, each an average and a scheme by name; columns are ranked once for all."""
    notes = reading_remarks(rows.origin())
    reasons = {name: undefined_reason(rows, average) for name, (average, _) in kinds.items()}
    ranked = [name for name, (average, _) in kinds.items() if reasons[name] is None and average != "micro"]
    influences = dict(
        zip(ranked, influences_on(rows, [average_of(rows, *kinds[name]) for name in ranked]), strict=True)
    )
    found = {}
    for name, (average, scheme) in kinds.items():
        reason = reasons[name]
        if reason is not None:
            text = absence_text(rows) if reason.reason == "class_absent" else reason.explanation
            found[name] = _undefined(reason, level, method, rows.origin(), text)
            continue
        influence, units = _of_pool(rows, fixed_sizes=fixed_sizes) if average == "micro" else (influences[name], rows)
        variance = variance_of(influence, units, fixed_sizes=fixed_sizes)
        theta = _area(influence.theta)
        remarks = _remarks(rows, theta, variance, method, name_of(average, scheme))
        found[name] = interval_of(theta, variance, method, level, rows.origin(), (*notes, *remarks))
    return found


def _of_pool(rows: ClassRows, *, fixed_sizes: bool) -> tuple[Influence, ClassRows]:
    influence, alike = influence_on_pool(rows)
    return (of_fixed_sizes(influence, rows), rows) if fixed_sizes else (influence, alike)


def _remarks(rows: ClassRows, estimate: float, variance: float, method: str, name: str) -> tuple[str, ...]:
    if math.isnan(variance):
        return ("fewer than two independent units in a class: the variance is undefined",)
    if variance <= NO_SPREAD:
        scale = "; the log-odds scale of method='logit' ends there" if method == "logit" and estimate in (0, 1) else ""
        return (f"all rows agree ({name} {format_setting(estimate)}): a width of zero is not certainty{scale}",)
    fewest = int(rows.counts.min())
    if fewest >= FEW:
        return ()
    text = f"only {fewest} rows in the smallest class: 95% intervals held the truth in fewer than 95% of such samples"
    return (text + ("; method='logit' did better" if method == "delong" else ""),)


def _area(theta: float) -> float:
    """A sum of areas whose rounding does not leave [0, 1], nor its ends."""
    return theta if ROUNDING < theta < 1 - ROUNDING else float(round(theta))


def interval_of(
    estimate: float, variance: float, method: str, level: float, origin: Origin, notes: tuple[str, ...] = ()
) -> Interval:
    """Ends on the log-odds scale or in standard errors, within [0, 1]."""
    spread = 0.0 if variance <= NO_SPREAD else variance
    se, z = math.sqrt(spread), quantile_of(level)
    if math.isnan(se):
        low = high = math.nan
    elif method == "logit":
        low, high = logit_ends(estimate, se, z)
    else:
        low, high = (min(max(estimate + side * z * se, 0.0), 1.0) for side in (-1, 1))
    return Interval(estimate, low, high, level, method, se=se, origin=origin, warnings=notes)


def _undefined(value: Undefined, level: float, method: str, origin: Origin, text: str) -> Interval:
    return Interval(value, math.nan, math.nan, level, method, se=math.nan, origin=origin, warnings=(text,))
