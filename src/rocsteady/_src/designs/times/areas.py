"""Areas under time-dependent ROC curves, with what each row adds to them."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.base.text import format_setting
from rocsteady._src.designs.times.influenced import Influenced, disjoint_pairs
from rocsteady._src.designs.times.rows_by_time import total_of
from rocsteady._src.designs.times.trust import at_a_time, near_a_time
from rocsteady._src.inference.intervals.automatic import equal_units
from rocsteady._src.ranked.later_pairs import earlier_total, later_total
from rocsteady._src.ranked.rowsort import in_order
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.designs.times.known_at import KnownAt
    from rocsteady._src.designs.times.rows_by_time import TimedRows

    Array = NDArray[np.float64]


def cumulative_area(known: KnownAt, model: str) -> Influenced:
    """Probability that a case by then scores higher than one who is none; O(n) once ranked."""
    rows, mass = known.rows, known.mass
    place = rows.places(model)
    size = int(place.max(initial=0)) + 1
    which = [np.flatnonzero(known.case), _controls(known)]
    of_cases, of_controls = (mass[each] for each in which)
    by_case, by_control = (place[each] for each in which)
    cases, controls = total_of(of_cases), total_of(of_controls)
    if not (cases > 0 and controls > 0):
        return undefined_at(known)
    at_controls, at_cases = np.bincount(by_control, of_controls, size), np.bincount(by_case, of_cases, size)
    below = (at_controls.cumsum() - at_controls / 2)[by_case] / controls
    value = total_of(of_cases * below) / cases
    by_mass = np.zeros(rows.n_rows)
    by_mass[which[0]] = (below - value) / cases
    above = at_cases[::-1].cumsum()[::-1] - at_cases / 2
    by_mass[which[1]] = (above[by_control] / cases - value) / controls
    pairs = min(equal_units(of_cases), equal_units(of_controls)) * rows.units.count() / rows.n_rows
    return Influenced(rows, value, known.pulls(by_mass), at_a_time(known, value), pairs=pairs)


def _controls(known: KnownAt) -> NDArray[np.int64] | slice:
    """Where controls stand: all rows whose time is not over, and others where events compete."""
    return np.flatnonzero(known.control) if known.rows.competing.any() else slice(known.n_over, None)


def undefined_at(known: KnownAt, code: str | None = None) -> Influenced:
    """No number, with why: nobody had the event by then, or nobody was watched longer."""
    code = code or ("no_cases_at" if not known.case.any() else "no_controls_at")
    return Influenced(
        known.rows, math.nan, np.full(known.rows.n_rows, math.nan), (Remark(code, at=format_setting(known.at)),)
    )


def incident_area(rows: TimedRows, model: str, at: float, span: float | None = None) -> Influenced:
    """Probability that who has the event at a time scores higher than those who then have not: Saha and Heagerty.

    The mean, over the events nearest in time, of the share of rows at risk that score lower.
    """
    place = 2 * rows.distinct[1] + ~rows.event
    later = later_total(place, rows.held)
    counted = rows.event & (later > 0)
    chosen = _nearest(rows, counted, at, span)
    total = total_of(rows.held[chosen])
    if not total > 0 or at > rows.time[counted].max(initial=-math.inf):
        none = np.full(rows.n_rows, math.nan)
        return Influenced(rows, math.nan, none, (Remark("no_controls_at", at=format_setting(at)),))
    loads = np.where(chosen, rows.held / np.where(later > 0, later, 1.0), 0.0) / total
    held = None if rows.units.weights is None else rows.held
    below, above = rows.pairs(model).sums(held, loads)
    shares = np.where(chosen, below / np.where(later > 0, later, 1.0), 0.0)
    value = total_of((rows.held * shares)[chosen]) / total
    earlier = earlier_total(place, loads * shares)
    pulls = np.where(chosen, shares - value, 0.0) / total + above - earlier
    pairs = disjoint_pairs(rows, chosen) if value in (0.0, 1.0) else 0.0
    return Influenced(rows, value, pulls, near_a_time(rows, chosen, at), pairs=pairs)


def _nearest(rows: TimedRows, counted: NDArray[np.bool_], at: float, span: float | None) -> NDArray[np.bool_]:
    """The share ``span`` of the counted events that are nearest to a time; ties of distance go together."""
    n = int(rows.counted(counted))
    if not n:
        return counted
    wanted = max(1, math.ceil(n * (n**-0.2 if span is None else span)))
    apart = np.abs(rows.time - at)
    if rows.repeats is None:
        within = np.partition(apart[counted], wanted - 1)[wanted - 1]
    else:
        ordered, order = in_order(apart[counted])
        within = ordered[rows.repeats[counted][order].cumsum().searchsorted(wanted)]
    near: NDArray[np.bool_] = counted & (apart <= within)
    return near


def integrated_area(knowns: Sequence[KnownAt], areas: Sequence[Influenced]) -> Influenced:
    """Mean of areas over times, each weighing as the share of cases that come between it and the time before."""
    arrived = [known.mean(known.case.astype(np.float64)) for known in knowns]
    rows, kept = knowns[0].rows, [k for k, area in enumerate(areas) if not math.isnan(area.value)]
    if not kept:
        return areas[0]
    first = [Influenced(rows, 0.0, np.zeros(rows.n_rows)), *(arrived[k] for k in kept)]
    steps = [now - before for before, now in pairwise(first)]
    total = math.fsum(step.value for step in steps)
    value = math.fsum(step.value * areas[k].value for step, k in zip(steps, kept, strict=True)) / total
    pulls = np.zeros(rows.n_rows)
    for step, k in zip(steps, kept, strict=True):
        pulls += (step.value * areas[k].pulls + (areas[k].value - value) * step.pulls) / total
    remarks = tuple(dict.fromkeys(remark for area in areas for remark in area.remarks))
    return Influenced(rows, value, pulls, remarks, pairs=min(areas[k].pairs for k in kept))
