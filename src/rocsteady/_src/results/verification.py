"""A test of which some rows only were verified."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_count, format_interval, format_level, format_number, format_setting
from rocsteady._src.results.base import DIRECTION, Result
from rocsteady._src.results.pictures import Forest, Line
from rocsteady._src.results.remarks import noted

if TYPE_CHECKING:
    from rocsteady._src.base.frames import Table
    from rocsteady._src.results.inference import Interval
    from rocsteady._src.results.remarks import Remark

NAMES = ("sensitivity", "specificity", "ppv", "npv", "prevalence", "auc")


@dataclass(frozen=True, slots=True, eq=False)
class PartialVerification(Result):
    """Rates of all rows, from those whose truth was verified; see :func:`rocsteady.inference.partial_verification`.

    ``naive`` are sensitivity, specificity and AUC of the verified rows alone.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, score = [1, 1, 0, None, 1, 0, 0, None], [3, 3, 3, 3, 1, 1, 1, 1]
    >>> rs.inference.partial_verification(y, score, threshold=2).n_verified
    6
    """

    sensitivity: Interval
    specificity: Interval
    ppv: Interval
    npv: Interval
    prevalence: Interval
    auc: Interval
    naive: dict[str, float]
    method: str
    threshold: float
    level: float
    n_rows: int
    n_verified: int
    pos_label: Any
    warnings: tuple[Remark, ...] = ()

    def _columns(self) -> Table:
        found = [getattr(self, name) for name in NAMES]
        columns: Table = {"name": list(NAMES)}
        columns |= {end: [getattr(each, end) for each in found] for end in ("estimate", "low", "high")}
        return columns | {"verified rows alone": [self.naive.get(name, float("nan")) for name in NAMES]}

    def __str__(self) -> str:
        lines = []
        for name in NAMES:
            each, alone = getattr(self, name), self.naive.get(name)
            rest = "" if alone is None else f"; verified rows alone {format_number(alone)}"
            lines.append(f"{name} {format_interval(each.estimate, each.low, each.high)}{rest}")
        label = printable(repr(self.pos_label), most=40)
        rows = f"{format_count(self.n_verified)} of {format_count(self.n_rows)} rows verified, {self.method}"
        last = f"{rows}; positive label {label}, positive from {format_setting(self.threshold)} on, {DIRECTION}"
        return "\n".join([*lines, f"{last}; {format_setting(self.level)} level", *map(noted, self.warnings)])

    def _picture(self) -> Forest:
        rows = f"{format_count(self.n_verified)} of {format_count(self.n_rows)} rows verified"
        title = (f"Corrected for who was verified ({self.method}), {format_level(self.level)} intervals", rows)
        lines = []
        for name in NAMES:
            each, alone = getattr(self, name), self.naive.get(name)
            lines.append(Line(name, each.estimate, each.low, each.high, () if alone is None else (alone,)))
        return Forest(title, "Corrected; dashed: verified rows alone", tuple(lines))
