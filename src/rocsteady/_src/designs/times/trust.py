"""Where intervals of censored outcomes fall short, as the coverage in docs/censored.md found it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.base.text import format_setting
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.designs.times.known_at import KnownAt
    from rocsteady._src.designs.times.rows_by_time import TimedRows

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]

FEW_EVENTS = 10
LARGE_WEIGHT = 10.0  # an event that stands for more than so many
ANOTHER_TIME = 0.25  # how far the events near a time may be from it on the whole, as a share of it
ENOUGH_FOR_INTEGRALS = 200  # events by the last time, from which on tests of integrated areas keep their size


def of_pairs(rows: TimedRows, counted: Mask, squares: Array, value: float) -> tuple[Remark, ...]:
    """Few events, and events that stand for many; ``squares`` are of the inverse probability to be seen."""
    found = few_events(rows, counted)
    least = float(squares.max(initial=1.0)) ** -0.5
    return (*found, Remark("rarely_watched", least=least)) if least < 1 / LARGE_WEIGHT else found


def of_hazards(rows: TimedRows) -> tuple[Remark, ...]:
    """Few events."""
    return few_events(rows, rows.event)


def few_events(rows: TimedRows, counted: Mask) -> tuple[Remark, ...]:
    """Independent units that have an event."""
    n = rows.units.count(counted)
    return (Remark("few_events", n=n),) if n < FEW_EVENTS else ()


def at_a_time(known: KnownAt, value: float) -> tuple[Remark, ...]:
    """Few cases or controls by then, and rows that stand for many."""
    units, remarks = known.rows.units, []
    fewest = min(units.count(known.case), units.count(known.control))
    if fewest < FEW_EVENTS:
        remarks.append(Remark("few_at_time", n=fewest, at=format_setting(known.at)))
    if known.least_watched < 1 / LARGE_WEIGHT:
        remarks.append(Remark("rarely_watched_at", least=known.least_watched, at=format_setting(known.at)))
    return tuple(remarks)


def near_a_time(rows: TimedRows, chosen: Mask, at: float) -> tuple[Remark, ...]:
    """Few events near a time, and events near it that came at another on the whole."""
    when = float(np.average(rows.time[chosen], weights=rows.held[chosen]))
    found = few_events(rows, chosen)
    if abs(when - at) <= ANOTHER_TIME * at:
        return found
    return (*found, Remark("events_of_another_time", at=format_setting(at), when=when))


def of_small_gaps(knowns: Sequence[KnownAt]) -> tuple[Remark, ...]:
    """Units with the event, of tests of integrated areas: with fewer than so many they rejected too often."""
    known = knowns[-1]
    n = known.rows.units.count(known.case)
    return (Remark("integrated_test_few", n=n),) if n < ENOUGH_FOR_INTEGRALS else ()
