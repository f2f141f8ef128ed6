"""Shares of rows that count once each, with exact intervals: no condition is shown too easily by them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.inference.comparison.goal import OF_RATIOS
from rocsteady._src.inference.intervals.proportions import interval_of
from rocsteady._src.inference.intervals.shares import PROPORTIONS
from rocsteady._src.measures.confusion import confusion_at

if TYPE_CHECKING:
    from rocsteady._src.evaluation.gate.differences import Ends
    from rocsteady._src.evaluation.gate.terms import Term
    from rocsteady._src.ranked import Rows
    from rocsteady._src.results import Interval

EXACT = "clopper-pearson"


def has_exact_share(rows: Rows, term: Term) -> bool:
    """Whether the measure is a share of rows that count once each."""
    sheet = term.request.sheet
    counted = rows.clusters is None and rows.reading != "sampling"
    return counted and sheet.name in PROPORTIONS and sheet.name not in OF_RATIOS


@dataclass(frozen=True, slots=True)
class ExactShare:
    """A share of rows at a model's threshold, with the exact interval at any level."""

    rows: Rows
    term: Term
    params: dict[str, Any]

    def interval(self, level: float) -> Interval:
        """The exact interval."""
        counts = confusion_at(self.rows.ranked[0], self.params["threshold"])
        return interval_of(self.term.request.sheet, counts, level=level, method=EXACT)

    @property
    def estimate(self) -> float:
        """The share."""
        return self.interval(0.5).estimate

    def ends(self, level: float) -> Ends:
        """Give the two-sided interval at this level."""
        found = self.interval(level)
        return found.low, found.high
