"""What a watch found: measures by day and segment, evidence for a change, alarms."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.checksums import with_checksum
from rocsteady._src.base.decided import ALARM
from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.text import format_count
from rocsteady._src.results.base import Result
from rocsteady._src.results.decided import Decided
from rocsteady._src.results.watched import COLUMNS, HEADER

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.base import Origin
    from rocsteady._src.results.pictures import Paths
    from rocsteady._src.results.remarks import Remark
    from rocsteady._src.results.watched import CalibrationWatch, ScoreDrift, WatchedMeasure


MOST_TOLD = 5


@dataclass(frozen=True, slots=True, eq=False)
class MonitorResult(Decided, Result):
    """What a watch says at a look: ``decision`` is "quiet", "alarm" or "cannot tell"; ``found["auc"]`` is a measure.

    ``alarms`` are the measures that raised one. ``drift`` and ``calibration`` tell of scores and probabilities;
    ``open_rows`` how many labels have not come, and ``never_labelled`` the share of rows whose label will not.
    ``state()`` is what the next look needs, and ``openmetrics()`` what a scraper reads.

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
    calibrations: tuple[CalibrationWatch, ...]
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
    control: str = "familywise"
    label_timeout: int | None = None
    never_labelled: float = 0.0
    state_read: str | None = field(default=None, repr=False)  # its checksum, empty where there was none yet
    asked: tuple[str, ...] = field(default=(), repr=False)  # arguments, as one would type them again

    @property
    def alarms(self) -> tuple[WatchedMeasure, ...]:
        """Measures that raised an alarm at this look or before."""
        return tuple(each for each in self.measures if each.decision == ALARM)

    @property
    def models(self) -> tuple[str, ...]:
        """The models that are watched, where there are several; empty where there is one."""
        return tuple(dict.fromkeys(each.model for each in self.measures if each.model is not None))

    @property
    def calibration(self) -> CalibrationWatch | None:
        """What is told of the probabilities; of several models that against which most speaks."""
        return max(self.calibrations, key=lambda each: (each.refuted, each.n_days and each.strongest), default=None)

    def __getitem__(self, name: str | tuple[str, ...]) -> WatchedMeasure:
        """A measure of all rows or a segment: ``found["auc", "north"]``; of several models, the model comes first."""
        measure, *rest = (name,) if isinstance(name, str) else name
        for each in self.measures:
            named = [part for part in (each.model, each.segment) if part is not None]
            if each.measure == measure and named == rest:
                return each
        known = ", ".join(dict.fromkeys(each.name for each in self.measures))
        raise ArgumentError("measure", f"{name!r} is not watched; there are: {known}")

    def state(self) -> dict[str, Any]:
        """What the next look needs, as plain values with a checksum: sums of every day, and no row."""
        return with_checksum(self.remembered.to_dict())

    def save_state(self, path: str | PathLike[str], *, force: bool = True) -> Path:
        """Write the state as JSON, whole or not at all; refused where another look has written it since it was read.

        While it is compared and written the file is locked, so that no look is lost.
        """
        from rocsteady._src.results.watch_state import write_state

        return write_state(self.state(), path, self.state_read, force=force)

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

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading, one row per measure and segment, of each of several models."""
        if not self.models:
            return list(HEADER), [each.cells() for each in self.measures]
        rows = [
            [first, printable(each.model, most=40), *rest] for each in self.measures for first, *rest in [each.cells()]
        ]
        return [HEADER[0], "model", *HEADER[1:]], rows

    def told(self) -> list[str]:
        """What is promised, and what is told of scores and probabilities; quiet segments are counted where many are."""
        quiet = [each for each in self.drift if each.segment is not None and not each.changed]
        left = quiet if len(quiet) > MOST_TOLD else []
        told = [self.promise, *(str(each) for each in self.drift if each not in left)]
        told += [f"{format_count(len(left))} segments: no change of the scores shown"] if left else []
        return [*told, *map(str, self.calibrations)]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; measures are a list of records with a list per column of days."""
        names = (
            "decision",
            "verdict",
            "alpha",
            "control",
            "level",
            "promise",
            "today",
            "matures",
            "n_waiting",
            "open_rows",
            "label_timeout",
            "never_labelled",
        )
        return {
            **{name: getattr(self, name) for name in names},
            "alarms": [each.name for each in self.alarms],
            "measures": [each.to_dict() | {"pvalue": each.pvalue} for each in self.measures],
            "drift": [each.to_dict() for each in self.drift],
            "calibration": None if self.calibration is None else self.calibration.to_dict(),
            **({"calibrations": [each.to_dict() for each in self.calibrations]} if self.models else {}),
            "reference_days": self.reference_days,
            "vintages": self.vintages,
            "n_pos": self.n_pos,
            "n_neg": self.n_neg,
            **self.origin.to_dict(),
            "warnings": self.warnings,
        }

    def _columns(self) -> Table:
        names = ("measure", *(["model"] if self.models else []), "segment", *COLUMNS)
        found: dict[str, list[Any]] = {name: [] for name in names}
        for each in self.measures:
            for name, column in each._columns().items():  # noqa: SLF001 - of the same kind
                found[name] += list(column)
            found["measure"] += [each.measure] * len(each.day)
            found["segment"] += [each.segment or "all"] * len(each.day)
            if self.models:
                found["model"] += [each.model] * len(each.day)
        return dict(found)

    def _picture(self) -> Paths:
        return self.measures[0]._picture()  # noqa: SLF001 - of the same kind
