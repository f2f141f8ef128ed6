"""A group of rows set against the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_interval, format_level, p_words
from rocsteady._src.results.base import Result
from rocsteady._src.results.pictures import Forest, Line

if TYPE_CHECKING:
    from rocsteady._src.results.base import Origin


@dataclass(frozen=True, slots=True)
class GroupDifference(Result):
    """AUC of a model in a group, less the mean of its AUCs in the other groups.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name] for name in ("defaulted", "boosted", "logistic"))
    >>> rs.evaluate(y, s, by=["north", "south"] * 100).differences[0]
    GroupDifference(score in north: AUC -0.0435 [-0.1329, +0.0497] to the other groups, adjusted p = 0.350)
    """

    model: str
    group: Any
    estimate: float
    low: float
    high: float
    level: float
    statistic: float
    pvalue: float
    pvalue_adjusted: float
    origin: Origin
    method: str

    def __str__(self) -> str:
        found = format_interval(self.estimate, self.low, self.high, signed=True)
        place = f"{printable(self.model)} in {printable(self.group)}"
        return f"{place}: AUC {found} to the other groups, {p_words(self.pvalue_adjusted, 'adjusted p')}"

    def _picture(self) -> Forest:
        line = Line(printable(self.group), self.estimate, self.low, self.high, (0.0,))
        title = (f"{printable(self.model)}: difference to the other groups", f"{format_level(self.level)} interval")
        return Forest(title, "difference in AUC", (line,))
