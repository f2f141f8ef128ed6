"""Predictive values at another prevalence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.text import format_interval, format_setting
from rocsteady._src.results.base import Result
from rocsteady._src.results.pictures import Forest, line_of, source

if TYPE_CHECKING:
    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.base import Origin
    from rocsteady._src.results.inference import Interval


@dataclass(frozen=True, slots=True, eq=False)
class PredictiveValues(Result):
    """PPV and NPV where ``prevalence`` of the rows are positive, with the rates here that they follow from.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.inference.predictive_values(rs.measures.Confusion(tp=80, fp=10, fn=20, tn=90), prevalence=0.01)
    PredictiveValues(PPV 0.0748 [0.0426, 0.1279], NPV 0.99776 [0.99667, 0.99849] where 0.01 are positive)
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

    @property
    def warnings(self) -> tuple[Any, ...]:
        """Of both intervals, each once."""
        return tuple(dict.fromkeys([*self.ppv.warnings, *self.npv.warnings]))

    def _columns(self) -> Table:
        both = {"ppv": self.ppv, "npv": self.npv}
        table: dict[str, list[Any]] = {"prevalence": [self.prevalence], "threshold": [self.threshold]}
        for name, found in both.items():
            table |= {name: [found.estimate], f"{name}_low": [found.low], f"{name}_high": [found.high]}
        return table

    def _picture(self) -> Forest:
        title = (f"Where {format_setting(self.prevalence)} are positive", *source(self.origin, self.n_pos, self.n_neg))
        return Forest(title, "Share", (line_of("PPV", self.ppv), line_of("NPV", self.npv)))

    def __str__(self) -> str:
        ppv, npv = (format_interval(each.estimate, each.low, each.high) for each in (self.ppv, self.npv))
        return f"PPV {ppv}, NPV {npv} where {format_setting(self.prevalence)} are positive"
