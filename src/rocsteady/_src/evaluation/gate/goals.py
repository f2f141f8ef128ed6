"""The candidate by itself against a goal: its value with an interval at any level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady._src.evaluation.gate.carried import STRICTER, Stricter, weights_unlike
from rocsteady._src.evaluation.gate.differences import Evidence, OneModel
from rocsteady._src.inference.comparison.goal import OF_RATIOS
from rocsteady._src.inference.intervals.proportions import interval_of
from rocsteady._src.inference.intervals.shares import PROPORTIONS
from rocsteady._src.measures.confusion import confusion_at
from rocsteady._src.measures.ranking import auc, gini, partial_auc

if TYPE_CHECKING:
    from rocsteady._src.evaluation.gate.differences import Ends, Resamples
    from rocsteady._src.evaluation.gate.terms import Term
    from rocsteady._src.ranked import Rows
    from rocsteady._src.results import Interval

OF_AREAS = (auc.sheet, gini.sheet, partial_auc.sheet)
EXACT = "clopper-pearson"


@dataclass(frozen=True, slots=True)
class ExactShare:
    """A share of rows that count once each, with the exact interval, which never shows a goal too easily."""

    rows: Rows
    term: Term

    def interval(self, level: float) -> Interval:
        """The exact interval."""
        counts = confusion_at(self.rows.ranked[0], self.term.params("candidate")["threshold"])
        return interval_of(self.term.request.sheet, counts, level=level, method=EXACT)

    @property
    def estimate(self) -> float:
        """The share."""
        return self.interval(0.5).estimate

    def ends(self, level: float) -> Ends:
        """Give the two-sided interval at this level."""
        found = self.interval(level)
        return found.low, found.high


def value_of(rows: Rows, term: Term, level: float, resamples: Resamples) -> Evidence:
    """The candidate's value: exact for shares of rows that count, else by the default interval of the measure."""
    sheet = term.request.sheet
    counted = rows.clusters is None and rows.reading != "sampling"
    found: Any = OneModel(rows, term, term.params("candidate"), resamples)
    if counted and sheet.name in PROPORTIONS and sheet.name not in OF_RATIOS:
        found = ExactShare(rows, term)
    interval = found.interval(2 * level - 1)
    if interval is None:
        return Evidence(found, "")
    if sheet in OF_AREAS and weights_unlike(rows):
        return Evidence(Stricter(found), f"{interval.how}, {STRICTER}", interval.warnings)
    return Evidence(found, interval.how, interval.warnings)
