"""What a watch found: measures by day and segment, evidence for a change, alarms."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.decided import ALARM
from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.sentences import safe
from rocsteady._src.base.text import (
    format_count,
    format_interval,
    format_level,
    format_number,
    format_setting,
    text_table,
)
from rocsteady._src.results.base import DIRECTION, Result
from rocsteady._src.results.pictures import Paths
from rocsteady._src.results.reading import one_line
from rocsteady._src.results.remarks import noted

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.base import Origin
    from rocsteady._src.results.remarks import Remark

HEADER = ["measure", "segment", "decision", "reference", "last judged", "since the watch began", "evidence", "since"]
COLUMNS = (
    *("day", "judged", "value", "low", "high", "open_low", "open_high", "n", "n_open"),
    *("so_far", "so_far_low", "so_far_high", "evidence", "expected", "expected_low", "expected_high"),
)


@dataclass(frozen=True, slots=True, eq=False)
class WatchedMeasure(Result):
    """One measure of one segment, None for all of them, over days.

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

    @property
    def strongest(self) -> float:
        """The largest evidence at any look; NaN without one."""
        known = self.evidence[~np.isnan(self.evidence)]
        return float(known.max()) if known.size else math.nan

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
        """The measure, with its segment."""
        return self.measure if self.segment is None else f"{self.measure} of {printable(self.segment, most=60)}"

    def cells(self) -> list[str]:
        """One row of a table."""
        known = np.flatnonzero(~np.isnan(self.value) & self.judged)
        last = format_number(self.value[known[-1]]) if known.size else "none"
        level = self.level_words or "none"
        said = f"{format_number(self.strongest, 3)} of {format_setting(round(self.limit, 1))}"
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
class ScoreDrift(Result):
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

    def __str__(self) -> str:
        where = "all rows" if self.segment is None else printable(self.segment, most=60)
        told = "no change of the scores shown" if not self.changed else "the scores changed"
        when = f" ({self.first_day} to {self.last_day})" if self.changed else ""
        return f"{where}: {told}{when}; p {format_number(self.pvalue, 3)} over all looks"

    def _columns(self) -> Table:
        return {"day": list(self.day), "distance": list(self.distances), "psi": list(self.psi)}

    def _picture(self) -> Paths:
        paths = {"distance": self.distances, "PSI": self.psi}
        return Paths((str(self),), "Days of the watch", "Distance from the reference", np.arange(len(self.day)), paths)


@dataclass(frozen=True, slots=True, eq=False)
class MonitorResult(Result):
    """What a watch says at a look: ``decision`` is "quiet", "alarm" or "cannot tell"; ``found["auc"]`` is a measure.

    ``alarms`` are the measures that raised one. ``drift`` and ``calibration`` tell of scores and probabilities;
    ``open_rows`` how many labels have not come. ``state()`` is what the next look needs, and ``openmetrics()`` what a
    scraper reads.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> y, day = rng.random(4000) < 0.3, np.repeat(np.arange(20), 200)
    >>> worse = np.where(day < 14, 1.0, 0.2) * y + rng.normal(size=4000)
    >>> found = rs.monitor({"y": y, "s": worse, "day": day}, "s", label="y", day="day", reference=10)
    >>> found.decision, found["auc"].alarm_day, found["auc"].change_day
    ('alarm', '15', '14')
    """

    decision: str
    verdict: tuple[str, ...]
    measures: tuple[WatchedMeasure, ...]
    drift: tuple[ScoreDrift, ...]
    calibration: CalibrationWatch | None
    alpha: float
    level: float
    promise: str
    today: str
    matures: int
    n_waiting: int
    open_rows: float
    reference_days: int
    n_pos: Any
    n_neg: Any
    origin: Origin
    vintages: tuple[tuple[str, int, float, float, float], ...] = ()
    warnings: tuple[Remark, ...] = ()
    remembered: Any = field(default=None, repr=False)

    @property
    def alarms(self) -> tuple[WatchedMeasure, ...]:
        """Measures that raised an alarm at this look or before."""
        return tuple(each for each in self.measures if each.decision == ALARM)

    def __getitem__(self, name: str | tuple[str, str]) -> WatchedMeasure:
        """A measure of all rows, or with a segment: ``found["auc", "north"]``."""
        measure, segment = (name, None) if isinstance(name, str) else name
        for each in self.measures:
            if (each.measure, each.segment) == (measure, segment):
                return each
        known = ", ".join(dict.fromkeys(each.name for each in self.measures))
        raise ArgumentError("measure", f"{name!r} is not watched; there are: {known}")

    def state(self) -> dict[str, Any]:
        """What the next look needs, as plain values: sums of every day, and no row."""
        held: dict[str, Any] = self.remembered.to_dict()
        return held

    def save_state(self, path: str | PathLike[str], *, force: bool = True) -> Path:
        """Write the state as JSON, whole or not at all."""
        import json

        from rocsteady._src.base.atomic import named_file, write_whole

        target = named_file(path)
        write_whole(target, json.dumps(self.state(), separators=(",", ":"), sort_keys=True), force=force)
        return target

    def openmetrics(self) -> str:
        """The newest values as text that Prometheus and its like read (OpenMetrics)."""
        from rocsteady._src.views.trackers.watch_gauges import openmetrics_text

        return openmetrics_text(self)

    def report(
        self, path: str | PathLike[str], *, title: str = "Has the model become worse?", force: bool = False
    ) -> Path:
        """Write a page over time: .html, .md or .json, whole or not at all."""
        from rocsteady._src.views.report.watch_page import write_watch

        return write_watch(self, path, title=title, force=force)

    def _brief(self) -> str:
        return one_line(safe(self.verdict[0]))

    def _above(self) -> tuple[str, ...]:
        return tuple(safe(line) for line in self.verdict)

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading, one row per measure and segment."""
        return list(HEADER), [each.cells() for each in self.measures]

    def notes(self) -> list[str]:
        """What is promised and assumed, what is open, what to beware of."""
        told = [self.promise, *(str(each) for each in self.drift)]
        told += [] if self.calibration is None else [str(self.calibration)]
        told += [self.assumptions(), *map(noted, self.warnings)]
        return [safe(line) for line in told]

    def assumptions(self) -> str:
        """Rows, the positive label and the direction of scores."""
        rows = self.origin.sizes(self.n_pos, self.n_neg)
        return f"{rows}; positive label {printable(self.origin.pos_label)}; {DIRECTION}{self.origin.dropped}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; measures are a list of records with a list per column of days."""
        names = ("decision", "verdict", "alpha", "level", "promise", "today", "matures", "n_waiting", "open_rows")
        return {
            **{name: getattr(self, name) for name in names},
            "alarms": [each.name for each in self.alarms],
            "measures": [each.to_dict() | {"pvalue": each.pvalue} for each in self.measures],
            "drift": [each.to_dict() for each in self.drift],
            "calibration": None if self.calibration is None else self.calibration.to_dict(),
            "reference_days": self.reference_days,
            "vintages": self.vintages,
            "n_pos": self.n_pos,
            "n_neg": self.n_neg,
            **self.origin.to_dict(),
            "warnings": self.warnings,
        }

    def _columns(self) -> Table:
        found: dict[str, list[Any]] = {name: [] for name in ("measure", "segment", *COLUMNS)}
        for each in self.measures:
            for name, column in each._columns().items():  # noqa: SLF001 - of the same kind
                found[name] += list(column)
            found["measure"] += [each.measure] * len(each.day)
            found["segment"] += [each.segment or "all"] * len(each.day)
        return dict(found)

    def _picture(self) -> Paths:
        return self.measures[0]._picture()  # noqa: SLF001 - of the same kind

    def __str__(self) -> str:
        return "\n".join([*self._above(), "", text_table(*self.cells(), numbers=False), "", *self.notes()])


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

    @property
    def strongest(self) -> float:
        """The largest evidence at any look."""
        return float(np.max(self.evidence)) if np.size(self.evidence) else math.nan

    def __str__(self) -> str:
        if not self.n_days:
            return "probabilities: no labelled day yet, so that what is expected rests on an untested assumption"
        said = f"evidence {format_number(self.strongest, 3)} of {format_setting(round(self.limit, 1))}"
        if self.refuted:
            return f"probabilities: not calibrated, shown on {self.alarm_day} ({said}): do not trust what is expected"
        return f"probabilities: nothing speaks against their calibration on {format_count(self.n_days)} days ({said})"

    def _columns(self) -> Table:
        return {"day": list(self.day), "evidence": list(self.evidence)}

    def _picture(self) -> Paths:
        paths = {"evidence": np.asarray(self.evidence)}
        return Paths((str(self),), "Days with labels", "Evidence", np.arange(1, len(self.day) + 1), paths)
