"""Which rows are the reference: the first days, days from one to another, or other rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.text import format_count
from rocsteady._src.evaluation.monitor.days import one_day
from rocsteady._src.evaluation.monitor.reading import ALL, Days, are_sketches, read_days
from rocsteady._src.inputs.given import all_names, is_table

if TYPE_CHECKING:
    from rocsteady._src.evaluation.monitor.reading import Columns


def reference_of(found: Days, reference: Any, columns: Columns) -> tuple[Days, int | None, int]:
    """The reference; after which day rows are watched, None for all; and how many days are in neither."""
    if isinstance(reference, bool) or (isinstance(reference, int) and reference < 1):
        raise ArgumentError("reference", f"reference must be at least one day, got {reference!r}")
    days = sorted(found.counts[ALL])
    if isinstance(reference, int):
        if reference >= len(days):
            told = f"the first {format_count(reference)} days of {format_count(len(days))} leave none to watch"
            raise ArgumentError("reference", f"{told}; take fewer, or pass rows of their own")
        return _between(found, days[0], days[reference - 1])
    if isinstance(reference, (tuple, list)) and len(reference) == 2:
        first, last = (one_day(each, "reference") for each in reference)
        return _between(found, first, last)
    if are_sketches(reference):
        return read_days(reference, columns), None, 0
    if is_table(reference):
        return _of_table(reference, columns), None, 0
    told = "reference is a number of first days, a pair of days such as ('2026-01-01', '2026-03-31'), or a table"
    raise ArgumentError("reference", f"{told}; got {printable(repr(reference), most=60)}")


def _of_table(reference: Any, columns: Columns) -> Days:
    """Other rows, which need no day and no segment of their own."""
    own = columns if columns.day in all_names(reference) else replace(columns, day=None)
    segments = own.segment is None or own.segment in all_names(reference)
    own = own if segments else replace(own, segment=None)
    return read_days(reference, replace(own, arrived=None))


def _between(found: Days, first: int, last: int) -> tuple[Days, int | None, int]:
    inside = {
        name: {day: rows for day, rows in days.items() if first <= day <= last} for name, days in found.counts.items()
    }
    if not inside[ALL]:
        ends = f"{found.shown(first)} to {found.shown(last)}"
        raise ArgumentError("reference", f"no rows were scored on the days of the reference, {ends}")
    before = sum(day < first for day in found.counts[ALL])
    kept = {name: days for name, days in inside.items() if days}
    return replace(found, counts=kept, last=last, n_dropped=0, ages={}), last, before
