"""Predictive values at another prevalence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import format_interval, format_level, format_setting
from rocsteady._src.results.base import Result
from rocsteady._src.results.pictures import Forest, Paths, line_of, source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.base import Origin
    from rocsteady._src.results.inference import Interval

NAMES = {"ppv": "PPV", "npv": "NPV", "accuracy": "accuracy", "cost": "cost", "net_benefit": "net benefit"}


@dataclass(frozen=True, slots=True, eq=False)
class PredictiveValues(Result):
    """PPV and NPV where ``prevalence`` of the rows are positive, with the rates here that they follow from.

    Examples
    --------
    >>> import rocsteady as rs
    >>> print(rs.inference.predictive_values(rs.measures.Confusion(tp=80, fp=10, fn=20, tn=90), prevalence=0.01))
    PPV 0.0748 [0.0426, 0.1279], NPV 0.99776 [0.99667, 0.99849], accuracy 0.8990 [0.8254, 0.9433]
    where 0.01 are positive
    """

    ppv: Interval
    npv: Interval
    prevalence: float
    threshold: Any
    recall: float
    specificity: float
    n_pos: Any
    n_neg: Any
    origin: Origin | None = None
    accuracy: Interval | None = None
    cost: Interval | None = None
    net_benefit: Interval | None = None

    @property
    def warnings(self) -> tuple[Any, ...]:
        """Of all intervals, each once."""
        return tuple(dict.fromkeys(remark for found in self.intervals.values() for remark in found.warnings))

    @property
    def intervals(self) -> dict[str, Interval]:
        """What is known there, by name."""
        found = {name: getattr(self, name) for name in NAMES}
        return {name: each for name, each in found.items() if each is not None}

    def _columns(self) -> Table:
        both = self.intervals
        table: dict[str, list[Any]] = {"prevalence": [self.prevalence], "threshold": [self.threshold]}
        for name, found in both.items():
            table |= {name: [found.estimate], f"{name}_low": [found.low], f"{name}_high": [found.high]}
        return table

    def _picture(self) -> Forest:
        title = (f"Where {format_setting(self.prevalence)} are positive", *source(self.origin, self.n_pos, self.n_neg))
        lines = tuple(line_of(NAMES[name], found) for name, found in self.intervals.items())
        return Forest(title, "Share, cost or benefit per row", lines)

    def __str__(self) -> str:
        told = [
            f"{NAMES[name]} {format_interval(found.estimate, found.low, found.high)}"
            for name, found in self.intervals.items()
        ]
        line = f"{', '.join(told)} where {format_setting(self.prevalence)} are positive"
        return "\n".join([line, *self._notes()])


@dataclass(frozen=True, slots=True, eq=False)
class PrevalenceCurve(Result):
    """What calls are worth over prevalences: ``values`` are :class:`PredictiveValues`, one each.

    Examples
    --------
    >>> import rocsteady as rs
    >>> counts = rs.measures.Confusion(tp=80, fp=10, fn=20, tn=90)
    >>> rs.inference.prevalence_curve(counts, prevalences=[0.1, 0.5]).ppv.round(3).tolist()
    [0.471, 0.889]
    """

    values: tuple[PredictiveValues, ...]
    level: float

    @property
    def prevalence(self) -> NDArray[np.float64]:
        """Shares of positives."""
        return np.array([found.prevalence for found in self.values])

    @property
    def ppv(self) -> NDArray[np.float64]:
        """Positive predictive values."""
        return self._line("ppv")

    @property
    def npv(self) -> NDArray[np.float64]:
        """Negative predictive values."""
        return self._line("npv")

    def _line(self, name: str, end: str = "estimate") -> NDArray[np.float64]:
        return np.array([float(getattr(found.intervals[name], end)) for found in self.values])

    def _columns(self) -> Table:
        tables = [found._columns() for found in self.values]  # noqa: SLF001 - its lines
        return {name: [table[name][0] for table in tables] for name in tables[0]} if tables else {}

    def _picture(self) -> Paths:
        first = self.values[0]
        paths = {NAMES[name]: self._line(name) for name in first.intervals}
        bands = {NAMES[name]: (self._line(name, "low"), self._line(name, "high")) for name in first.intervals}
        title = (
            f"What calls are worth, {format_level(self.level)} intervals",
            *source(first.origin, first.n_pos, first.n_neg),
        )
        return Paths(title, "Prevalence", "Share, cost or benefit per row", self.prevalence, paths, bands)
