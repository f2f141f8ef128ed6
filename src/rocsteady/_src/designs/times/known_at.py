"""What is known of each row at a time: cases, controls, and those whose end nobody saw, for whom others stand in."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, first_rows, is_number
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count, format_setting
from rocsteady._src.designs.times.censoring import censoring_of
from rocsteady._src.designs.times.influenced import Influenced
from rocsteady._src.designs.times.rows_by_time import total_of
from rocsteady._src.inputs.reals import real_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.designs.times.censoring import Curve
    from rocsteady._src.designs.times.rows_by_time import TimedRows

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class KnownAt:
    """Rows at a time ``at``: those with the event by then are cases, those without it controls.

    A row that was censored by then is neither; the others weigh more by the inverse probability of being watched until
    their own end, or until ``at``. Rows with a competing event by then never have the event: they are controls.
    """

    rows: TimedRows
    at: float
    curve: Curve | None
    given: Array | None = None

    @classmethod
    def of(cls, rows: TimedRows, at: float, curve: Curve | None = None, given: Array | None = None) -> KnownAt:
        """With weights that are given, or those of the Kaplan-Meier curve of the censoring."""
        if given is not None:
            return cls(rows, at, None, given)
        return cls(rows, at, censoring_of(rows) if curve is None else curve)

    def part(self, kept: Mask) -> KnownAt:
        """Some of the rows, with weights of their own: the censoring among them, or those that were given."""
        return KnownAt.of(self.rows.where(kept), self.at, None, None if self.given is None else self.given[kept])

    @cached_property
    def by_then(self) -> Mask:
        """Whether the time of a row is over."""
        return self.rows.time <= self.at

    @cached_property
    def case(self) -> Mask:
        """Whether the event came by then."""
        return self.rows.event & self.by_then

    @cached_property
    def control(self) -> Mask:
        """Whether it did not, for certain."""
        return ~self.by_then | (self.rows.competing & self.by_then)

    @property
    def followed(self) -> bool:
        """Whether it is known how many had the event by then: unless the last rows were censored before."""
        rows = self.rows
        if self.given is not None or not rows.n_rows or self.at <= rows.time[-1]:
            return True
        last = rows.time.searchsorted(rows.time[-1])
        return bool(rows.ended[last:].all())

    @property
    def stood_for(self) -> bool:
        """Whether the known rows stand for all: unless nobody of those without the event was watched longer."""
        return self.given is not None or self.n_over < self.rows.n_rows or bool(self.rows.ended.all())

    @cached_property
    def n_over(self) -> int:
        """How many rows, which stand in order of time, are over by then."""
        return int(self.rows.time.searchsorted(self.at, side="right"))

    @cached_property
    def inverse(self) -> Array:
        """What each row stands for; 0 of those that are not known."""
        if self.given is not None:
            return np.where(self.case | self.control, self.given, 0.0)
        curve, over = self.curve, self.n_over
        assert curve is not None  # noqa: S101 - for the type checker
        made = np.zeros(self.rows.n_rows)
        np.divide(1.0, curve.left[curve.place[:over]], out=made[:over], where=self.rows.ended[:over])
        np.divide(1.0, curve.left[curve.after(self.at)], out=made[over:])
        return made

    @property
    def mass(self) -> Array:
        """Weight of each row times what it stands for."""
        return self.rows.held * self.inverse

    @property
    def least_watched(self) -> float:
        """The smallest probability of being watched among the known rows."""
        return 1 / float(self.inverse.max(initial=1.0))

    def pulls(self, by_mass: Array) -> Array:
        """Derivative of an estimate by the weights, given that by the masses: through the censoring too."""
        direct = self.inverse * by_mass
        if self.curve is None:
            return direct
        through = self.curve.pulls(self.rows.held * direct, self.curve.after(self.at))
        return np.subtract(direct, through, out=direct)

    def mean(self, values: Array, *, remarks: tuple[Any, ...] = ()) -> Influenced:
        """The mean over all rows of a value that is known of some."""
        total = total_of(self.rows.held)
        value = total_of(self.mass * values) / total
        return Influenced(self.rows, value, self.pulls(values / total) - value / total, remarks)

    def share(self, values: Array, among: Mask, *, remarks: tuple[Any, ...] = ()) -> Influenced:
        """The mean over cases, or over controls."""
        total = total_of(self.mass[among])
        if not total > 0:
            return Influenced(self.rows, math.nan, np.full(among.size, math.nan), remarks)
        value = total_of((self.mass * values)[among]) / total
        return Influenced(self.rows, value, self.pulls(np.where(among, values - value, 0.0) / total), remarks)


def checked_times(at: object) -> tuple[Array, bool]:
    """Times that are asked for, increasing, and whether it was one."""
    alone = is_number(at)
    if at is None or isinstance(at, str) or not np.size(np.asarray(at, dtype=object)):
        raise ArgumentError("at", Sentence("say at which time to judge, as in {at=365} or {at=[365, 1825]}"))
    times = real_numbers(at, "at")
    if not times.size or not np.all((times > 0) & np.isfinite(times)) or np.any(np.diff(times) <= 0):
        words = "{@at} must hold times above 0, each later than the one before, got {times}"
        raise ArgumentError("at", Sentence(words, times=", ".join(format_setting(each) for each in times.tolist())))
    return times, alone


def given_weights(ipcw: object, rows: TimedRows, n_times: int) -> list[Array | None]:
    """Weights of each time: None to estimate them; a column serves one time, several have one each."""
    if ipcw is None:
        return [None] * n_times
    if isinstance(ipcw, str):
        words = "{@ipcw} holds weights, one per row and time, got {given!r}; leave it out for those of Kaplan-Meier"
        raise ArgumentError("ipcw", Sentence(words, given=ipcw))
    table = np.asarray(ipcw, dtype=np.float64)
    table = table.reshape(-1, 1) if table.ndim == 1 else table
    if table.ndim != 2 or table.shape[1] != n_times:
        words = "{@ipcw} must hold one column for each of the {n} times, got the shape {shape}"
        raise ArgumentError("ipcw", Sentence(words, n=n_times, shape=str(np.asarray(ipcw).shape)))
    if len(table) != rows.n_rows:
        words = "{@ipcw} has {n} rows, and there are {rows}; pass one weight per row, without missing values"
        raise ArgumentError("ipcw", Sentence(words, n=format_count(len(table)), rows=format_count(rows.n_rows)))
    odd = np.flatnonzero(~((table >= 0) & np.isfinite(table)).all(axis=1))
    if odd.size:
        where = first_rows(odd, total=odd.size)
        raise InputError("ipcw", f"ipcw must be finite and 0 or more, and {format_count(odd.size)} are not, {where}")
    return list((table if rows.order is None else table[rows.order]).T)


def known_at_each(rows: TimedRows, times: Sequence[float] | Array, ipcw: object = None) -> list[KnownAt]:
    """What is known at each of some times; the censoring is estimated once."""
    given = given_weights(ipcw, rows, len(times))
    curve = censoring_of(rows) if ipcw is None else None
    return [KnownAt.of(rows, float(at), curve, each) for at, each in zip(times, given, strict=True)]
