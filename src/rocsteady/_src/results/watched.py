"""Parts of a watch: one measure over days, the scores themselves, the probabilities."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.decided import ALARM
from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_count, format_interval, format_level, format_number, format_setting
from rocsteady._src.results.base import Result
from rocsteady._src.results.pictures import Paths
from rocsteady._src.results.reading import one_line

if TYPE_CHECKING:
    from rocsteady._src.base.frames import Table

HEADER = ["measure", "segment", "decision", "reference", "last judged", "since the watch began", "evidence", "since"]
COLUMNS = (
    *("day", "judged", "value", "low", "high", "open_low", "open_high", "n", "n_open"),
    *("so_far", "so_far_low", "so_far_high", "evidence", "expected", "expected_low", "expected_high"),
)
ALL_ROWS = "all rows"


def place_of(model: str | None, segment: str | None) -> str:
    """Of which rows and scores something is told: of all, of a segment, of one of several models."""
    named = [printable(each, most=60) for each in (model, segment) if each is not None]
    return ", ".join(named) or ALL_ROWS


class _Placed:
    """What is told of a model and a segment."""

    __slots__ = ()
    model: str | None
    segment: str | None

    @property
    def where(self) -> str:
        """The model where there are several, and the segment; "all rows" where there is neither."""
        return place_of(self.model, self.segment)


@dataclass(frozen=True, slots=True, eq=False)
class WatchedMeasure(_Placed, Result):
    """One measure of one segment, None for all of them, over days; ``model`` is None where one is watched.

    ``reference`` is its value there. Days that are not ``judged`` wait for their labels. Of every day there are
    ``value`` with ends ``low`` and ``high`` that hold for all days together, ``open_low`` and ``open_high``, between
    which open labels leave it for certain, ``so_far``, the mean since the watch began, with ends that hold at all looks
    together, and ``evidence``, which reaches ``limit`` with at most the probability that is promised where there is no
    change. ``change_day`` is the likely first day of a change.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> y, day = rng.random(4000) < 0.3, np.repeat(np.arange(20), 200)
    >>> table = {"y": y, "s": y + rng.normal(size=4000), "day": day}
    >>> found = rs.monitor(table, "s", label="y", day="day", reference=10)
    >>> found["auc"].decision, len(found["auc"].day)
    ('quiet', 10)
    """

    measure: str
    segment: str | None
    decision: str
    reference: float
    reference_low: float
    reference_high: float
    limit: float
    level: float
    method: str
    alarm_day: str | None
    change_day: str | None
    day: tuple[str, ...]
    judged: Any
    value: Any
    low: Any
    high: Any
    open_low: Any
    open_high: Any
    n: Any
    n_open: Any
    so_far: Any
    so_far_low: Any
    so_far_high: Any
    evidence: Any
    expected: Any
    expected_low: Any
    expected_high: Any
    reason: str = ""
    n_waiting: int = 0
    model: str | None = None

    @property
    def strongest(self) -> float:
        """The largest evidence at any look; NaN without one."""
        known = self.evidence[~np.isnan(self.evidence)]
        return float(known.max()) if known.size else math.nan

    @property
    def shown_evidence(self) -> float:
        """The largest evidence; the newest where segments are decided by what is there now, and it fell back."""
        known = self.evidence[~np.isnan(self.evidence)]
        passed = self.decision != ALARM and self.strongest >= self.limit
        return float(known[-1]) if passed else self.strongest

    @property
    def pvalue(self) -> float:
        """A p value that holds whenever one looks: 1 over the largest evidence."""
        return min(1.0, 1 / self.strongest) if self.strongest > 0 else 1.0

    @property
    def level_words(self) -> str:
        """The mean since the watch began with its ends, at the newest look; empty without one."""
        known = np.flatnonzero(~np.isnan(self.so_far))
        if not known.size:
            return ""
        at = known[-1]
        return format_interval(self.so_far[at], self.so_far_low[at], self.so_far_high[at], 3)

    @property
    def name(self) -> str:
        """The measure, with its model where there are several, and its segment."""
        return self.measure if self.where == ALL_ROWS else f"{self.measure} of {self.where}"

    def cells(self) -> list[str]:
        """One row of a table."""
        known = np.flatnonzero(~np.isnan(self.value) & self.judged)
        last = format_number(self.value[known[-1]]) if known.size else "none"
        level = self.level_words or "none"
        said = f"{format_number(self.shown_evidence, 3)} of {format_setting(round(self.limit, 1))}"
        where = "all" if self.segment is None else printable(self.segment, most=40)
        since = self.change_day or ""
        told = [format_number(self.reference), last, level, said if not math.isnan(self.strongest) else self.reason]
        return [self.measure, where, self.decision, *told, since]

    def _reading(self) -> tuple[list[str], list[list[str]]]:
        return list(HEADER), [self.cells()]

    def _columns(self) -> Table:
        return {name: list(getattr(self, name)) for name in COLUMNS}

    def _brief(self) -> str:
        return one_line(f"{self.name}: {self.decision}, {format_count(len(self.day))} days")

    def __str__(self) -> str:
        return self._brief()

    def _picture(self) -> Paths:
        paths = {"by day": self.value, "since the watch began": self.so_far}
        bands = {"since the watch began": (self.so_far_low, self.so_far_high)}
        title = (f"{self.name}: {self.decision}", f"{format_level(self.level)} at all looks together")
        return Paths(title, "Days of the watch", self.measure, np.arange(1, len(self.day) + 1), paths, bands)


@dataclass(frozen=True, slots=True, eq=False)
class ScoreDrift(_Placed, Result):
    """Whether the scores of a segment are those of the reference: tests of days and of longer windows, and an index.

    ``pvalue`` is adjusted for all windows that will ever be looked at. ``psi`` is the population stability index of
    each day, by tenths of the reference; it has no error probability, and grows as rows get few.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> y, day = rng.random(4000) < 0.3, np.repeat(np.arange(20), 200)
    >>> scores = y + rng.normal(size=4000) + (day > 15)
    >>> found = rs.monitor({"y": y, "s": scores, "day": day}, "s", label="y", day="day", reference=10)
    >>> found.drift[0].changed, found["auc"].decision
    (True, 'quiet')
    """

    segment: str | None
    changed: bool
    pvalue: float
    first_day: str | None
    last_day: str | None
    distance: float
    alpha: float
    day: tuple[str, ...]
    distances: Any
    psi: Any
    model: str | None = None

    def __str__(self) -> str:
        where = self.where
        told = "no change of the scores shown" if not self.changed else "the scores changed"
        when = f" ({self.first_day} to {self.last_day})" if self.changed else ""
        return f"{where}: {told}{when}; p {format_number(self.pvalue, 3)} over all looks"

    def _columns(self) -> Table:
        return {"day": list(self.day), "distance": list(self.distances), "psi": list(self.psi)}

    def _picture(self) -> Paths:
        paths = {"distance": self.distances, "PSI": self.psi}
        return Paths((str(self),), "Days of the watch", "Distance from the reference", np.arange(len(self.day)), paths)


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationWatch(Result):
    """Whether scores are probabilities, tested as labels come: the assumption behind what is expected without labels.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> p, day = rng.random(4000), np.repeat(np.arange(20), 200)
    >>> table = {"y": rng.random(4000) < p, "p": p, "day": day}
    >>> found = rs.monitor(table, "p", label="y", day="day", reference=10, probabilities=True)
    >>> found.calibration.refuted
    False
    """

    refuted: bool
    alarm_day: str | None
    limit: float
    day: tuple[str, ...]
    evidence: Any
    n_days: int
    model: str | None = None

    @property
    def strongest(self) -> float:
        """The largest evidence at any look."""
        return float(np.max(self.evidence)) if np.size(self.evidence) else math.nan

    def __str__(self) -> str:
        whose = "probabilities" if self.model is None else f"probabilities of {printable(self.model, most=60)}"
        if not self.n_days:
            return f"{whose}: no labelled day yet, so that what is expected rests on an untested assumption"
        said = f"evidence {format_number(self.strongest, 3)} of {format_setting(round(self.limit, 1))}"
        if self.refuted:
            return f"{whose}: not calibrated, shown on {self.alarm_day} ({said}): do not trust what is expected"
        return f"{whose}: nothing speaks against their calibration on {format_count(self.n_days)} days ({said})"

    def _columns(self) -> Table:
        return {"day": list(self.day), "evidence": list(self.evidence)}

    def _picture(self) -> Paths:
        paths = {"evidence": np.asarray(self.evidence)}
        return Paths((str(self),), "Days with labels", "Evidence", np.arange(1, len(self.day) + 1), paths)
