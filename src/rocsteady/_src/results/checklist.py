"""A reporting checklist with what a result fills in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.text import format_count
from rocsteady._src.results.base import Origin, Result
from rocsteady._src.results.pictures import Bar, Bars, source

if TYPE_CHECKING:
    from rocsteady._src.base.frames import Table


@dataclass(frozen=True, slots=True, eq=False)
class ReportingChecklist(Result):
    """Items of a guideline; ``filled`` is empty where authors must write. ``found["24"]`` is the answer to an item.

    Examples
    --------
    >>> import rocsteady as rs
    >>> found = rs.validation.reporting_checklist(rs.evaluate([1, 1, 0, 0], [0.9, 0.4, 0.5, 0.1]))
    >>> found["11"]
    'no row lacked a label or score'
    """

    guideline: str
    items: tuple[str, ...]
    topics: tuple[str, ...]
    filled: tuple[str, ...]
    n_pos: Any
    n_neg: Any
    origin: Origin

    @property
    def n_filled(self) -> int:
        """How many items have something to say."""
        return sum(map(bool, self.filled))

    def __getitem__(self, item: str) -> str:
        """What is filled in at an item."""
        if item not in self.items:
            raise ArgumentError("item", f"{self.guideline} has the items {', '.join(self.items)}; got {item!r}")
        return self.filled[self.items.index(item)]

    def _columns(self) -> Table:
        return {"item": list(self.items), "about": list(self.topics), "from the result": list(self.filled)}

    def notes(self) -> list[str]:
        """How much is left to do."""
        left = len(self.items) - self.n_filled
        made = (
            f"{self.guideline}: {format_count(self.n_filled)} of {format_count(len(self.items))} items have something"
        )
        return [f"{made} from the result; {format_count(left)} are for the authors, who check all of them"]

    def _brief(self) -> str:
        return self.notes()[0]

    def _picture(self) -> Bars:
        numbers = {"from the result": self.n_filled, "for the authors": len(self.items) - self.n_filled}
        bars = tuple(Bar(name, 0.0, float(value), float(value)) for name, value in numbers.items())
        return Bars((self.guideline, *source(self.origin, self.n_pos, self.n_neg)), "Items", bars)
