"""Results about censored outcomes: numbers at several times, and models side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import (
    format_column,
    format_count,
    format_interval,
    format_level,
    format_number,
    format_setting,
)
from rocsteady._src.results.base import Origin, Result
from rocsteady._src.results.pictures import Forest, Line, Paths, source
from rocsteady._src.results.remarks import noted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.inference import Interval
    from rocsteady._src.results.remarks import Remark

DIRECTION = "a higher score means more risk"
GROUP_ENDS = {"observed": "estimate", "low": "low", "high": "high"}
ENDS = ("estimate", "low", "high")


@dataclass(frozen=True, slots=True, eq=False)
class TimedValues(Result):
    """A measure at several times, with an interval at each.

    ``cases`` had the event by each time, ``controls`` had not, ``unknown`` were censored before it.

    Examples
    --------
    >>> import rocsteady as rs
    >>> days, died = [5, 8, 12, 20, 21, 30, 31, 40], [1, 1, 0, 1, 1, 0, 1, 0]
    >>> found = rs.times.auc_at(days, died, [7, 9, 4, 6, 2, 3, 5, 1], at=[10, 25])
    >>> found.estimate.round(4).tolist(), found.cases.tolist(), found.controls.tolist(), found.unknown.tolist()
    ([1.0, 0.8182], [2, 4], [6, 3], [0, 1])
    """

    name: str
    at: Any
    intervals: tuple[Interval, ...]
    cases: Any
    controls: Any
    unknown: Any
    level: float
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()

    @property
    def estimate(self) -> Any:
        """The value at each time."""
        return np.array([each.estimate for each in self.intervals])

    @property
    def low(self) -> Any:
        """Lower end at each time."""
        return np.array([each.low for each in self.intervals])

    @property
    def high(self) -> Any:
        """Upper end at each time."""
        return np.array([each.high for each in self.intervals])

    @property
    def se(self) -> Any:
        """Standard error at each time."""
        return np.array([each.se for each in self.intervals])

    @property
    def method(self) -> str:
        """How the intervals are made."""
        return self.intervals[0].method

    def __iter__(self) -> Iterator[Interval]:
        """The intervals, time by time."""
        return iter(self.intervals)

    def __len__(self) -> int:
        return len(self.intervals)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, a list for each column."""
        facts = {"name": self.name, "level": self.level, "method": self.method, "origin": self.origin}
        return facts | dict(self._columns()) | {"warnings": list(self.warnings)}

    def _columns(self) -> Table:
        ends = {name: getattr(self, name) for name in (*ENDS, "se")}
        return {"at": self.at, **ends, "cases": self.cases, "controls": self.controls, "unknown": self.unknown}

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading."""
        numbers = [format_column([getattr(each, end) for each in self.intervals]) for end in ENDS]
        counts = [list(map(format_count, column)) for column in (self.cases, self.controls, self.unknown)]
        at = [format_setting(each) for each in np.asarray(self.at).tolist()]
        header = ["at", self.name, "low", "high", "cases", "controls", "unknown"]
        return header, [list(line) for line in zip(at, *numbers, *counts, strict=True)]

    def notes(self) -> list[str]:
        """What was assumed, and what to beware of."""
        rows = "" if self.origin is None else f"{format_count(self.origin.n_rows)} rows{self.origin.dropped}; "
        told = f"{rows}intervals at level {format_setting(self.level)}, by {self.method}; {DIRECTION}"
        return [told, *map(noted, self.warnings)]

    def _brief(self) -> str:
        return f"{self.name} at {format_count(len(self.intervals))} times"

    def _picture(self) -> Paths:
        title = (f"{self.name}, {format_level(self.level)} intervals at each time", *source(self.origin))
        bands = {self.name: (self.low, self.high)}
        return Paths(title, "Time", self.name, np.asarray(self.at, float), {self.name: self.estimate}, bands)


@dataclass(frozen=True, slots=True, eq=False)
class TimedCalibration(Result):
    """Predicted risks at a time against what came: over all rows, and in groups of like risk.

    ``ratio`` is observed over expected, 1 where they agree; ``groups`` hold the Kaplan-Meier incidence of each group
    with its interval, beside its mean ``predicted`` risk and number of ``rows``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> days, died = [5, 8, 12, 20, 21, 30, 31, 40], [1, 1, 0, 1, 1, 0, 1, 0]
    >>> found = rs.times.calibration_at(days, died, [0.8, 0.9, 0.4, 0.6, 0.2, 0.3, 0.5, 0.1], at=25, n_groups=2)
    >>> round(found.ratio.estimate, 3), found.predicted.round(3).tolist()
    (1.158, [0.25, 0.7])
    """

    at: float
    observed: Interval
    expected: float
    ratio: Interval
    predicted: Any
    groups: tuple[Interval, ...]
    rows: Any
    level: float
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with a list for each column of the groups."""
        names = ("at", "observed", "expected", "ratio", "level", "origin")
        facts = {name: getattr(self, name) for name in names}
        return facts | {"groups": dict(self._columns()), "warnings": list(self.warnings)}

    def _columns(self) -> Table:
        ends = {name: np.array([getattr(each, end) for each in self.groups]) for name, end in GROUP_ENDS.items()}
        return {"predicted": self.predicted, **ends, "rows": self.rows}

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows for reading."""
        columns = self._columns()
        *numbers, rows = columns.values()
        shown = [*(format_column(list(each)) for each in numbers), list(map(format_count, rows))]
        return list(columns), [list(line) for line in zip(*shown, strict=True)]

    def notes(self) -> list[str]:
        """Observed over expected, and what to beware of."""
        at, level = format_setting(self.at), format_setting(self.level)
        ends = format_interval(self.ratio.estimate, self.ratio.low, self.ratio.high)
        both = f"observed {format_number(self.observed.estimate)}, expected {format_number(self.expected)}"
        told = f"by {at}: {both}, observed/expected {ends}"
        return [told, f"intervals at level {level}; groups of like risk, by Kaplan-Meier", *map(noted, self.warnings)]

    def _brief(self) -> str:
        ends = format_interval(self.ratio.estimate, self.ratio.low, self.ratio.high)
        return f"observed/expected {ends} at {format_setting(self.at)}"

    def _picture(self) -> Forest:
        title = (f"Observed risk by {format_setting(self.at)} in groups of predicted risk", *source(self.origin))
        lines = tuple(
            Line(f"predicted {format_number(value, 3)}", each.estimate, each.low, each.high, (float(value),))
            for value, each in zip(self.predicted, self.groups, strict=True)
        )
        return Forest(title, f"Observed, {format_level(self.level)} intervals; dashed: predicted", lines)


@dataclass(frozen=True, slots=True, eq=False)
class TimedNetBenefit(Result):
    """Net benefit at a time of treating those above each threshold of risk, beside treating all; none has 0.

    Examples
    --------
    >>> import rocsteady as rs
    >>> days, died = [5, 8, 12, 20, 21, 30, 31, 40], [1, 1, 0, 1, 1, 0, 1, 0]
    >>> risk = [0.8, 0.9, 0.4, 0.6, 0.2, 0.3, 0.5, 0.1]
    >>> rs.times.net_benefit_at(days, died, risk, at=25, thresholds=[0.2, 0.5]).net_benefit.round(4).tolist()
    [0.4844, 0.25]
    """

    at: float
    thresholds: Any
    model: tuple[Interval, ...]
    treat_all: tuple[Interval, ...]
    level: float
    origin: Origin | None = None
    warnings: tuple[Remark, ...] = ()

    @property
    def net_benefit(self) -> Any:
        """Of the model, at each threshold."""
        return np.array([each.estimate for each in self.model])

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, a list for each column."""
        facts = {"at": self.at, "level": self.level, "origin": self.origin}
        return facts | dict(self._columns()) | {"warnings": list(self.warnings)}

    def _columns(self) -> Table:
        ends = {"net_benefit": "estimate", "low": "low", "high": "high"}
        own = {name: np.array([getattr(each, end) for each in self.model]) for name, end in ends.items()}
        return {"threshold": self.thresholds, **own, "treat_all": np.array([each.estimate for each in self.treat_all])}

    def notes(self) -> list[str]:
        """What was assumed, and what to beware of."""
        told = f"at {format_setting(self.at)}, intervals at level {format_setting(self.level)}; treating none has 0"
        return [told, *map(noted, self.warnings)]

    def _brief(self) -> str:
        return f"{format_count(len(self.model))} thresholds at {format_setting(self.at)}"

    def _picture(self) -> Paths:
        title = (
            f"Net benefit by {format_setting(self.at)}, {format_level(self.level)} intervals",
            *source(self.origin),
        )
        columns = self._columns()
        paths = {"model": columns["net_benefit"], "treat all": columns["treat_all"]}
        bands = {"model": (columns["low"], columns["high"])}
        return Paths(title, "Threshold", "Net benefit", np.asarray(self.thresholds), paths, bands)
