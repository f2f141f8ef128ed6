"""Whether a state agrees with itself: counts that can be counted, areas between their ends, bins of all rows."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from rocsteady._src.evaluation.monitor.reading import ALL

if TYPE_CHECKING:
    from rocsteady._src.designs.watch.day_counts import DaySums, Plan
    from rocsteady._src.evaluation.monitor.remembered import Remembered

NEAR = 1e-9
COUNTS = ("n_pos", "n_neg", "n_open")
PARTS = (("true_pos", "n_pos"), ("false_pos", "n_neg"), ("open_called", "n_open"))


def refuse_contradictions(held: Remembered) -> Remembered:
    """The same state; an error where it cannot have been written of any rows."""
    edges = held.plan.edges
    if any(not low < high for low, high in pairwise(edges)) or ALL not in held.reference:
        raise ValueError("edges are not in order, or there is no reference of all rows")
    for days in (*held.reference.values(), *(list(each.values()) for each in held.days.values())):
        for day in days:
            _refuse_day(day, held.plan)
    if held.n_rows != int(sum(day.n_rows for day in held.days.get(ALL, {}).values())):
        raise ValueError("days do not add up to the number of rows")
    return held


def _refuse_day(day: DaySums, plan: Plan) -> None:
    counts = [getattr(day, name) for name in COUNTS]
    if not all(math.isfinite(each) and each >= 0 for each in counts):
        raise ValueError(f"counts of {day.day}")
    areas = [each for each in (day.area_low, day.area, day.area_high) if not math.isnan(each)]
    if any(not 0 <= each <= 1 for each in areas) or any(a > b + NEAR for a, b in pairwise(areas)):
        raise ValueError(f"areas of {day.day}")
    for part, whole in PARTS:
        called = getattr(day, part)
        if not math.isnan(called) and not 0 <= called <= getattr(day, whole) * (1 + NEAR):
            raise ValueError(f"{part} of {day.day}")
    if not plan.weighted and (len(day.bins) != len(plan.edges) + 1 or sum(day.bins) != sum(counts)):
        raise ValueError(f"bins of {day.day}")
