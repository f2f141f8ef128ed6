"""Intervals of areas of classes and of their averages."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rocsteady._src.base.errors import Undefined
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.designs.classes.areas import (
    average_of,
    class_area,
    ranked_classes,
    undefined_reason,
)
from rocsteady._src.designs.classes.averaged import absence_text
from rocsteady._src.designs.classes.averages import name_of
from rocsteady._src.designs.classes.influence import (
    influence_on_class,
    influence_on_pool,
    influences_on,
    of_fixed_sizes,
    variance_of,
)
from rocsteady._src.inference.intervals.advice import interval_warnings
from rocsteady._src.inference.intervals.areas import BOUNDED, with_bounds
from rocsteady._src.inference.intervals.automatic import Evidence, equal_units, whole_area, wrong_side
from rocsteady._src.inference.intervals.formulas import logit_ends, newcombe_rows
from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.inference.units.components import Area, area_spread
from rocsteady._src.inputs.weights import reading_remarks
from rocsteady._src.ranked.columns import SortedColumn
from rocsteady._src.results import Interval, Origin
from rocsteady._src.results.remarks import Remark, undefined_because

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rocsteady._src.designs.classes.influence import Influence
    from rocsteady._src.designs.classes.scores_by_class import ClassRows
    from rocsteady._src.ranked import RankedScores, Rows

FEW = 5
NO_SPREAD = 1e-26  # of a variance; rounding leaves about 1e-32
ROUNDING = 1e-14
DEFAULTS = ("auto", "wilson")


def class_intervals(rows: ClassRows, *, method: str, level: float, fixed_sizes: bool = False) -> dict[Any, Interval]:
    """DeLong's interval of each class against the rest; of fixed sizes every class in the rest varies by itself."""
    notes = reading_remarks(rows.origin())
    return {
        rows.labels[place]: class_interval(rows, place, ranked, (method, level, fixed_sizes), notes)
        for place, ranked in enumerate(ranked_classes(rows))
    }


def class_interval(
    rows: ClassRows,
    place: int,
    ranked: RankedScores,
    choice: tuple[str, float, bool],
    notes: tuple[Remark, ...],
    column: SortedColumn | None = None,
) -> Interval:
    """The interval of one class, by its groups, and by its sorted scores where rows tell more than groups."""
    method, level, fixed_sizes = choice
    estimate, origin = class_area(ranked), ranked.origin
    if isinstance(estimate, Undefined):
        return undefined_interval(estimate, level, method, origin, undefined_because(estimate))
    if rows.reading != "sampling" and rows.clusters is None and not fixed_sizes:
        variance = area_spread(Area(), ranked)
    else:
        influence, two = influence_on_class(rows, place, column or SortedColumn.of(rows.column(place)))
        parts = (of_fixed_sizes(influence, rows), rows) if fixed_sizes else (influence, two)
        variance = variance_of(*parts)
    inside = rows.codes == place
    sizes = units_of(rows, inside), units_of(rows, ~inside)
    known = with_bounds(Area(), ranked, whole_area(estimate, variance, sizes), sizes, _by_subject(rows, place, ranked))
    made = interval_of(known, method, level, origin, notes)
    remarks = interval_warnings(ranked, estimate, 0.0 if made.se is None else made.se, made.method, kind=rows.reading)
    return _with(made, remarks, ranked)


@dataclass(frozen=True, slots=True, eq=False)
class _Subjects:
    """Rows of one class against the rest, as bounds ask for the rows of subjects."""

    positive: NDArray[np.bool_]
    clusters: NDArray[np.int64]
    weights: NDArray[Any] | None
    places: tuple[NDArray[np.intp]]


def _by_subject(rows: ClassRows, place: int, ranked: RankedScores) -> Rows | None:
    if rows.clusters is None:
        return None
    at = np.asarray(ranked.scores).searchsorted(rows.column(place))
    return cast("Rows", _Subjects(rows.codes == place, rows.clusters, rows.weights, (at,)))


def _with(made: Interval, remarks: list[Remark], ranked: RankedScores) -> Interval:
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
    names = ranked_averages(rows, kinds)
    found = influences_on(rows, [average_of(rows, *kinds[name]) for name in names])
    choice = method, level, fixed_sizes
    return intervals_of_averages(rows, kinds, dict(zip(names, found, strict=True)), choice)


def ranked_averages(rows: ClassRows, kinds: Mapping[str, tuple[str, str]]) -> list[str]:
    """Those that are defined and need every class ranked by itself."""
    return [name for name, kind in kinds.items() if kind[0] != "micro" and undefined_reason(rows, *kind) is None]


def intervals_of_averages(
    rows: ClassRows,
    kinds: Mapping[str, tuple[str, str]],
    influences: Mapping[str, Influence],
    choice: tuple[str, float, bool],
    pool: SortedColumn | None = None,
) -> dict[str, Interval]:
    """The same from what rows add to the averages; ``pool`` are all scores sorted, made here unless given."""
    method, level, fixed_sizes = choice
    notes = reading_remarks(rows.origin())
    found = {}
    for name, (average, scheme) in kinds.items():
        reason = undefined_reason(rows, average, scheme)
        if reason is not None:
            text = absence_text(rows) if reason.reason == "class_absent" else undefined_because(reason)
            found[name] = undefined_interval(reason, level, method, rows.origin(), text)
            continue
        of_pool = average == "micro"
        influence, units = _of_pool(rows, pool, fixed_sizes=fixed_sizes) if of_pool else (influences[name], rows)
        variance = variance_of(influence, units, fixed_sizes=fixed_sizes)
        theta = settled_area(influence.theta)
        known = evidence_on_average(rows, average, theta, variance, pairs=scheme != "ovr")
        remarks = _remarks(rows, known, method, name_of(average, scheme))
        found[name] = interval_of(known, method, level, rows.origin(), (*notes, *remarks))
    return found


def _of_pool(rows: ClassRows, pool: SortedColumn | None, *, fixed_sizes: bool) -> tuple[Influence, ClassRows]:
    influence, alike = influence_on_pool(rows, pool)
    return (of_fixed_sizes(influence, rows), rows) if fixed_sizes else (influence, alike)


def units_of(rows: ClassRows, chosen: NDArray[np.bool_]) -> float:
    """Independent rows, or subjects; unequal sampling weights count as fewer equal ones (Kish)."""
    if rows.clusters is None and rows.reading != "sampling":
        return float(np.count_nonzero(chosen) if rows.weights is None else rows.weights[chosen].sum())
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights.astype(np.float64)
    return equal_units(weights[chosen], None if rows.clusters is None else rows.clusters[chosen])


def evidence_on_average(
    rows: ClassRows, average: str, theta: float, variance: float, *, pairs: bool = False
) -> Evidence:
    """Evidence on an average of areas: in the model those of the classes vary by themselves, but for one of them.

    An area of a class against the rest rests on the fewer of both; for two classes this is the evidence on their AUC.
    Of some of the classes all areas vary by themselves, unless the average is over pairs of these, which form a rest.
    """
    chosen = rows.averaged
    if average == "micro":
        inside = np.isin(rows.codes, np.flatnonzero(chosen))
        few = units_of(rows, inside)
        every = few if np.count_nonzero(chosen) > 1 else min(few, units_of(rows, ~inside))
        return Evidence(theta, variance, every, every, every)
    each = np.array([units_of(rows, rows.codes == place) for place in range(rows.n_classes)])
    units, some = each[chosen], bool(each[~chosen].any()) and not pairs
    total = float(each.sum() if some else units.sum())
    shares = units / float(units.sum()) if average == "weighted" else np.full(units.size, 1 / units.size)
    free = 1.0 if some else 1 - 1 / units.size
    fewest = free / float(shares**2 @ (1 / np.minimum(units, total - units)))
    models = np.array([newcombe_rows(theta, size, total - size) for size in units.tolist()])
    return Evidence(theta, variance, fewest, free / float(shares**2 @ (1 / models)), fewest)


def _remarks(rows: ClassRows, known: Evidence, method: str, name: str) -> tuple[Remark, ...]:
    told, fewest = spread_remarks(known, method, name), int(rows.row_counts[rows.averaged].min())
    if told or method in DEFAULTS or fewest >= FEW:
        return told
    return (Remark("few_of_smallest_class", rows=fewest),)


FEW_MISRANKED = 3.0  # rows of a class on the wrong side


def spread_remarks(known: Evidence, method: str, name: str) -> tuple[Remark, ...]:
    """What to know of a variance that is unknown, or zero."""
    if method in DEFAULTS and math.isnan(known.variance):
        return (Remark("single_row_of_class"),)
    if method in DEFAULTS:
        few = wrong_side(known.share, known.seen)
        return (Remark("few_misranked_on_average", n=few),) if few < FEW_MISRANKED else ()
    if math.isnan(known.variance):
        return (Remark("no_variance", better=Sentence("use {method='auto'}")),)
    if known.variance <= NO_SPREAD:
        return (Remark("rows_all_agree", name=name, value=known.share),)
    return ()


def settled_area(theta: float) -> float:
    """A sum of areas whose rounding does not leave [0, 1], nor its ends."""
    return theta if ROUNDING < theta < 1 - ROUNDING else float(round(theta))


def interval_of(known: Evidence, method: str, level: float, origin: Origin, notes: tuple[Remark, ...] = ()) -> Interval:
    """The default interval, Wilson's, or ends on the log-odds scale or in standard errors, within [0, 1]."""
    spread = 0.0 if known.variance <= NO_SPREAD else known.variance
    estimate, se, z, used = known.share, math.sqrt(spread), quantile_of(level), method
    if method == "auto":
        used = "wilson" if math.isnan(se) or not se else known.method
    if used == "wilson":
        low, high = replace(known, variance=spread).wilson_ends(level)
    elif math.isnan(se):
        low = high = math.nan
    elif used == "logit":
        low, high = logit_ends(estimate, se, z)
    else:
        low, high = (min(max(estimate + side * z * se, 0.0), 1.0) for side in (-1, 1))
    auto = method == "auto"
    if auto and known.few:
        bounds = known.ends(level)
        low, high, used = (*bounds, BOUNDED) if bounds != (low, high) else (low, high, used)
    return Interval(estimate, low, high, level, used, se=se, origin=origin, warnings=notes, auto=auto)


def undefined_interval(value: Undefined, level: float, method: str, origin: Origin, text: Remark) -> Interval:
    used, auto = ("wilson", True) if method == "auto" else (method, False)
    ends = math.nan, math.nan
    return Interval(value, *ends, level, used, se=math.nan, origin=origin, warnings=(text,), auto=auto)
