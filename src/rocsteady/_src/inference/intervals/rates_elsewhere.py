"""Accuracy, cost and net benefit where another share of the rows is positive: sums of recall and specificity."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocsteady._src.base.errors import ArgumentError, is_number
from rocsteady._src.inference.intervals.joint_measures import RECALL, SPECIFICITY
from rocsteady._src.inference.intervals.proportions import interval_of
from rocsteady._src.measures.registry import get_measure
from rocsteady._src.results import Interval

if TYPE_CHECKING:
    from rocsteady._src.inference.units.subjects import SubjectCells
    from rocsteady._src.measures.confusion import Confusion

METHOD = "square-and-add of wilson"


@dataclass(frozen=True, slots=True)
class Costs:
    """What a false alarm and a miss cost."""

    false_alarm: float
    miss: float

    @classmethod
    def of(cls, cost_fp: float | None, cost_fn: float | None) -> Costs | None:
        """1 for the one that was not given; None where neither was."""
        if cost_fp is None and cost_fn is None:
            return None
        found = cls(1.0 if cost_fp is None else cost_fp, 1.0 if cost_fn is None else cost_fn)
        for name, cost in (("cost_fp", found.false_alarm), ("cost_fn", found.miss)):
            if not (is_number(cost) and 0 < cost < math.inf):
                raise ArgumentError(name, f"{name} must be a number above 0, got {cost!r}")
        return found


@dataclass(frozen=True, slots=True)
class Rates:
    """Recall and specificity with their intervals, and how they vary together: not at all unless subjects do."""

    recall: Interval
    specificity: Interval
    correlation: float = 0.0

    @classmethod
    def of(cls, counts: Confusion, level: float, subjects: SubjectCells | None) -> Rates:
        """Of counts at one threshold."""
        recall, specificity = (
            interval_of(get_measure(name).sheet, counts, level=level, subjects=subjects)
            for name in ("recall", "specificity")
        )
        return cls(recall, specificity, 0.0 if subjects is None else subjects.together(RECALL, SPECIFICITY))

    def accuracy(self, prevalence: float) -> Interval:
        """Share of right calls."""
        return self._sum(0.0, prevalence, 1 - prevalence)

    def cost(self, prevalence: float, costs: Costs) -> Interval:
        """Expected cost of a row."""
        missed, alarmed = prevalence * costs.miss, (1 - prevalence) * costs.false_alarm
        return self._sum(missed + alarmed, -missed, -alarmed)

    def net_benefit(self, prevalence: float, costs: Costs) -> Interval:
        """True positives per row less false ones at their going rate, what a false alarm costs of a miss."""
        alarmed = (1 - prevalence) * costs.false_alarm / costs.miss
        return self._sum(-alarmed, prevalence, alarmed)

    def _sum(self, constant: float, of_recall: float, of_specificity: float) -> Interval:
        """A constant and multiples of both; distances to the ends are put together by the root of their squares."""
        found = [(of_recall, self.recall), (of_specificity, self.specificity)]
        value = constant + sum(times * each.estimate for times, each in found)
        down, up = [], []
        for times, each in found:
            ends = sorted(times * end for end in (each.low, each.high))
            down.append(times * each.estimate - ends[0])
            up.append(ends[1] - times * each.estimate)
        sign = math.copysign(1.0, of_recall * of_specificity) * self.correlation
        low, high = value - _joined(down, sign), value + _joined(up, sign)
        se = _joined([abs(times) * (each.se or 0.0) for times, each in found], sign)
        known = self.recall
        method = METHOD + known.method.removeprefix("wilson")
        remarks = tuple(dict.fromkeys([*self.recall.warnings, *self.specificity.warnings]))
        facts = {"n_pos": known.n_pos, "n_neg": known.n_neg, "origin": known.origin}
        return Interval(value, low, high, known.level, method, se=se, warnings=remarks, **facts)


def _joined(parts: list[float], correlation: float) -> float:
    one, two = parts
    return math.sqrt(max(one * one + 2 * correlation * one * two + two * two, 0.0))
