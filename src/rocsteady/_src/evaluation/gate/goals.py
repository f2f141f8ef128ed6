"""The candidate by itself against a goal: its value with an interval at any level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.evaluation.gate.carried import STRICTER, Carried, Stricter, Widened, weights_unlike
from rocsteady._src.evaluation.gate.differences import Evidence, OneModel, area_of
from rocsteady._src.inference.comparison.goal import OF_RATIOS
from rocsteady._src.inference.intervals.proportions import interval_of
from rocsteady._src.inference.intervals.shares import PROPORTIONS
from rocsteady._src.measures.confusion import confusion_at
from rocsteady._src.measures.ranking import auc, gini, partial_auc
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from rocsteady._src.evaluation.gate.differences import Ends, Resamples, WithEnds
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


@dataclass(frozen=True, slots=True)
class Within:
    """A value whose bounds lie within what it can be."""

    inner: WithEnds
    limits: Ends

    @property
    def estimate(self) -> float:
        """The value."""
        return self.inner.estimate

    def ends(self, level: float) -> Ends:
        """Give the two-sided interval at this level."""
        low, high = self.inner.ends(level)
        return max(low, self.limits[0]), min(high, self.limits[1])


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
    how = interval.how
    if sheet in OF_AREAS and rows.reading == "sampling":  # formulas alone were seen to pass too easily
        carried = _carried(rows, term)
        if carried.rows:
            found, how = Within(Widened(found, carried), _range(term)), f"{how}, no closer than by influence"
    if weights_unlike(rows):  # shares and means over rows were seen to pass too easily as well
        found, how = Stricter(found), f"{how}, {STRICTER}"
    return Evidence(found, how, (*interval.warnings, *_turned(term)))


def _turned(term: Term) -> tuple[Remark, ...]:
    """A remark where the goal asks for worse values."""
    higher = term.request.sheet.higher_is_better
    if higher is None or higher == (term.side == "above"):
        return ()
    asks = "more" if term.side == "above" else "less"
    return (Remark("gate_goal_turned", better="higher" if higher else "lower", measure=term.measure, asks=asks),)


def _carried(rows: Rows, term: Term) -> Carried:
    """What every row adds to the area."""
    ranked, places = rows.ranked[0], rows.places[0]
    parts = area_of(term).components(ranked)
    added = np.where(rows.positive, parts.of_pos[places], parts.of_neg[places])
    return Carried.of((2.0 if term.request.sheet is gini.sheet else 1.0) * added, rows, by_class=True)


def _range(term: Term) -> Ends:
    """The least and the largest value that the area can have."""
    if term.request.sheet is gini.sheet:
        return -1.0, 1.0
    area = area_of(term)
    return area.value_of(0.0), area.value_of(1.0)
