"""What the chosen threshold does in each group of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_count, format_interval, format_number

if TYPE_CHECKING:
    from rocsteady._src.results.decision import Course
    from rocsteady._src.results.inference import Interval

RATES = ("recall", "false_positive_rate")


@dataclass(frozen=True, slots=True, eq=False)
class GroupCourse:
    """The course that leads, in the rows of a group; counts and cost are of ``Decision.cases`` cases of the group.

    ``rates`` are recall and false positive rate with intervals; a rate of a class without rows is NaN, and so is what
    rests on it.
    """

    group: Any
    course: Course
    rates: dict[str, Interval]
    n_pos: Any
    n_neg: Any

    def cells(self, unit: int, decimals: int) -> list[str]:
        """A row of the table."""
        _, _, *counts, cost, _ = self.course.cells(unit, decimals)
        name, sizes = printable(self.group, most=40), (self.n_pos, self.n_neg)
        return [name, *map(format_count, sizes), *(self._rate(rate) for rate in RATES), *counts, cost]

    def _rate(self, name: str) -> str:
        found = self.rates.get(name)
        if found is None:
            return format_number(getattr(self.course, name), 3)
        return format_interval(found.estimate, found.low, found.high, 3)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        names = (*RATES, "found", "missed", "false_alarms", "cost")
        plain = {name: getattr(self.course, name) for name in names}
        ends = {name: {"low": found.low, "high": found.high} for name, found in self.rates.items()}
        return {"group": self.group, "n_pos": self.n_pos, "n_neg": self.n_neg, **plain, "intervals": ends}


def group_header(by: str) -> list[str]:
    """Of the table of groups."""
    shown = ["positives", "negatives", "recall", "false alarm rate", "found", "missed", "false alarms", "cost"]
    return [printable(by, most=40), *shown]
