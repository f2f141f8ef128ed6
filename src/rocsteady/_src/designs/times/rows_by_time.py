"""Rows with a time: when the event came, or until when a row was watched."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, first_rows, is_number, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.inference.units.units import Units
from rocsteady._src.inputs.reals import doubles_of
from rocsteady._src.inputs.weights import reading_remarks
from rocsteady._src.ranked import Rows, count_rows, read_rows
from rocsteady._src.ranked.later_pairs import LaterPairs
from rocsteady._src.ranked.rowsort import in_order
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.results import Origin

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]

MANY_ROWS = 20_000  # above, sums are added in the order of the rows: rounding then shows in the last digit
FEW_SUBJECTS = 25  # below, intervals and tests by subject fall short, as docs/censored.md measured
TIME, EVENT, WEIGHT, CLUSTER = "time", "event", "sample_weight", "cluster"


def total_of(values: Array) -> float:
    """The sum over rows, correctly rounded where they are not very many."""
    return math.fsum(values) if values.size <= MANY_ROWS else float(values.sum())


@dataclass(frozen=True, eq=False)
class TimedRows:
    """Rows that were read, in order of their times; ``competing`` are events that make the one of interest impossible.

    ``assumed`` says which label was taken for that of censored rows, where nobody said so. ``order`` lists the rows as
    they came, for what is given beside them.
    """

    rows: Rows
    time: Array
    competing: Mask
    assumed: tuple[Remark, ...] = ()
    order: NDArray[np.int64] | None = None

    @property
    def event(self) -> Mask:
        """Whether the event of interest was seen."""
        return self.rows.positive

    @property
    def ended(self) -> Mask:
        """Whether any event was seen; all other rows are censored."""
        return self.event | self.competing

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self.time.size

    @cached_property
    def units(self) -> Units:
        """The independent units behind a variance."""
        return Units.of(self.rows)

    @cached_property
    def held(self) -> Array:
        """The weight of each row."""
        return self.units.held()

    @property
    def repeats(self) -> Array | None:
        """How often each row counts, where weights say so; None where each is one."""
        return self.held if self.units.repeated and self.units.weights is not None else None

    def counted(self, chosen: Any = slice(None)) -> float:
        """How many of the chosen rows there are, each as often as it counts."""
        if self.repeats is not None:
            return float(self.repeats[chosen].sum())
        return float(np.count_nonzero(np.ones(self.n_rows, dtype=bool)[chosen]))

    @cached_property
    def distinct(self) -> tuple[Array, NDArray[np.int64]]:
        """Distinct times, increasing, and the number of each row's."""
        new = np.append(True, self.time[1:] != self.time[:-1])
        return self.time[new], new.cumsum() - 1

    def at_each_time(self, values: Array) -> Array:
        """The sum of values of rows at each distinct time."""
        times, place = self.distinct
        return values if times.size == place.size else np.bincount(place, values, times.size).astype(np.float64)

    @property
    def origin(self) -> Origin:
        """Where the numbers come from."""
        return self.rows.origin

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What every result says of such rows."""
        n = self.units.n_subjects
        few = (Remark("few_subjects_in_time", n=n),) if self.units.clusters is not None and n < FEW_SUBJECTS else ()
        return (*reading_remarks(self.origin), *self.assumed, *few)

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What results say of the rows: positives are those whose event was seen."""
        n_pos, n_neg = self.rows.class_weights
        return {"n_pos": n_pos, "n_neg": n_neg, "origin": self.origin}

    def places(self, model: str) -> NDArray[np.int64]:
        """The number of each row's distinct score."""
        return self.rows.places_of(model)

    def pairs(self, model: str) -> LaterPairs:
        """Rows by time, where an event comes before those that were censored at its time, and by score."""
        return LaterPairs.of(2 * self.distinct[1] + ~self.event, self.places(model))

    def where(self, kept: Mask) -> TimedRows:
        """Some of the rows."""
        return TimedRows(self.rows.where(kept), self.time[kept], self.competing[kept])


def read_times(
    time: object,
    event: object,
    scores: Mapping[str, object],
    *,
    censored: Any = 0,
    competes: bool = False,
    sample_weight: object = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    weight_type: str | None = None,
    also: Mapping[str, object] | None = None,
) -> TimedRows:
    """Check and align columns; rows that lack a value are refused, or dropped for all models alike.

    ``competes`` where other events than that of interest may stand among them.
    """
    extra = {WEIGHT: sample_weight, CLUSTER: cluster}
    given = {name: column for name, column in extra.items() if column is not None} | dict(also or {})
    table = {EVENT: event, TIME: time, **scores, **given}
    rows = read_rows(
        table,
        label=EVENT,
        scores=list(scores),
        weight=WEIGHT if WEIGHT in given else None,
        id=CLUSTER if CLUSTER in given else None,
        also=[TIME, *(also or {})],
        pos_label=pos_label,
        missing=missing,
        weight_type=weight_type,
    )
    return timed_rows(rows, TIME, censored=censored, competes=competes)


def timed_rows(rows: Rows, time: str, *, censored: Any = 0, competes: bool = False) -> TimedRows:
    """Rows that were read, with the column of their times."""
    rows.checked()
    times = _checked_times(rows.columns[time], time)
    if not times.size:
        raise InputError("empty", "there are no rows; pass at least one")
    _refuse_one_subject(rows)
    competing = _competing(rows, censored, competes=competes)
    assumed = _assumed(rows, censored) if not competing.any() else ()
    times, order = in_order(times)  # what is summed over time then stands side by side in memory
    return TimedRows(rows.rearranged(order), times, competing[order], assumed, order)


def _checked_times(column: NDArray[Any], name: str) -> Array:
    times = doubles_of(column, name)
    odd = np.flatnonzero(~((times >= 0) & (times < np.inf)))
    if odd.size:
        where = f"{first_rows(odd, total=odd.size)}: {some_values(times[odd[:3]].tolist())}"
        raise InputError(
            "time_range",
            f"{name} must hold finite times of 0 or more, and {format_count(odd.size)} are not, {where}; count from "
            "the day on which the score was known, and drop what happened before",
        )
    return times + 0.0  # -0.0 becomes 0.0


def _refuse_one_subject(rows: Rows) -> None:
    if rows.clusters is not None and not rows.clusters.any():
        words = "all {n} rows are of one subject, and nothing tells how much subjects differ; bring rows of others, or"
        told = Sentence(f"{words} leave out the column of subjects", n=format_count(rows.clusters.size))
        raise InputError("one_subject", told)


def _assumed(rows: Rows, censored: Any) -> tuple[Remark, ...]:
    """A number that is not the label of censored rows, and is taken for it as there is no other."""
    others = rows.columns[rows.label][~rows.positive]
    taken = np.asarray(others != censored, dtype=bool)
    if not taken.any() or not is_number(others[taken].tolist()[0]):
        return ()
    label = some_values(others[taken][:1].tolist())
    among_all = ~rows.positive
    among_all[among_all] = taken
    return (Remark("taken_as_censored", label=label, n=count_rows(rows, among_all)),)


def _competing(rows: Rows, censored: Any, *, competes: bool) -> Mask:
    """Rows whose label is neither that of the event nor that of rows without one; None of ``censored`` is no label."""
    labels, event = rows.columns[rows.label], rows.positive
    others: Mask = ~event if censored is None else ~event & np.asarray(labels != censored, dtype=bool)
    if not others.any():
        return np.zeros(event.size, dtype=bool)
    found = sorted({str(each) for each in labels[others].tolist()})
    alone = censored is not None and not np.any(~event & ~others)
    said = alone and not (is_number(censored) and censored == 0)  # who says a label that is nowhere has mistyped it
    if alone and not said and len(found) == 1:  # one other label: of those without an event, whatever it is called
        return np.zeros(event.size, dtype=bool)
    if not competes and not said:
        words = (
            "{label} holds other events too: {found}, in {count} rows; make them censored rows to judge the event of "
            "interest alone, or take AUC(t) and Brier(t), which know competing events"
        )
        told = Sentence(words, label=rows.label, found=some_values(found), count=format_count(others.sum()))
        raise InputError("competing_events", told)
    if alone:
        words = (
            "{label} has no row without the event that is {censored!r}: the others are {found}; say which label means "
            "without event, {censored=...}, or {censored=None} where no row is"
        )
        told = Sentence(words, label=rows.label, censored=censored, found=some_values(found))
        raise ArgumentError("censored", told)
    return others
