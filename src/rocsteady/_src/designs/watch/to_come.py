"""Rows without a label: what the answer would be once they have one, and days whose labels will not come any more.

A change is judged as if labels that are open spoke for the model. Where they could speak against it so that an alarm
would follow, nothing can be said yet: evidence is computed again with the open rows of days before a change at their
best and of those since then at their worst, which bounds it for all labels that may come.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.designs.watch.day_counts import DaySums
    from rocsteady._src.designs.watch.measures import Watched


def never_labelled(day: DaySums) -> DaySums:
    """The day where labels that are open will not come: labelled rows stand for it, with all of its scores."""
    if not day.n_open:
        return day
    ends: dict[str, Any] = {"area_low": day.area, "area_high": day.area, "lost_low": day.lost, "lost_high": day.lost}
    return replace(day, n_open=0.0, rows=day.n_rows, open_called=0 * day.open_called, sum_open=0 * day.sum_open, **ends)


@dataclass(frozen=True, slots=True)
class Likely:
    """What open rows are taken to be where it hardly matters: the share of positives, and squares of weights."""

    share: float
    square: float = math.nan


def likely(reference: Sequence[DaySums]) -> Likely:
    """As in the reference."""
    pos, neg = (float(sum(getattr(day, name) for day in reference)) for name in ("n_pos", "n_neg"))
    squares = sum(sum(day.squared) for day in reference)
    known = pos + neg
    return Likely(pos / known, squares / known) if known else Likely(0.5, 1.0)


def all_labelled(day: DaySums, measure: Watched, side: int, rest: Likely) -> DaySums:
    """The day as if all labels had come, those that make the measure most (``side`` 1) or least (-1)."""
    if not day.n_open:
        return day
    called = 0.0 if math.isnan(day.open_called) else day.open_called
    agree = (side > 0) == (measure.better > 0)  # calls turn out to be right
    pos = rest.share * day.n_open
    if measure.name == "prevalence":
        pos = day.n_open if side > 0 else 0.0
    elif measure.kind == "rate":
        pos = called if agree else day.n_open - called
    neg = day.n_open - pos
    found: dict[str, Any] = {"n_pos": day.n_pos + pos, "n_neg": day.n_neg + neg, "n_open": 0.0, "rows": day.n_rows}
    if day.squared:
        calls = (called, 0.0) if agree else (0.0, called)
        cells = (calls[0], pos - calls[0], calls[1], neg - calls[1])
        found["squared"] = tuple(
            one + rest.square * max(more, 0.0) for one, more in zip(day.squared, cells, strict=True)
        )
    return replace(day, **found, **_moved(day, side, called, agree=agree))


def _moved(day: DaySums, side: int, called: float, *, agree: bool) -> dict[str, Any]:
    """What open rows add to sums; squares are left to the reference."""
    area = day.area_high if side > 0 else day.area_low
    area = (1.0 if side > 0 else 0.0) if math.isnan(area) else area
    lost = day.lost_high if side > 0 else day.lost_low
    gap = day.gap - day.sum_open + (day.n_open if side > 0 else 0.0)
    moved = {"area": area, "area_low": area, "area_high": area, "lost": lost, "lost_low": lost, "lost_high": lost}
    moved |= {"gap": gap, "sum_open": 0 * day.sum_open, "open_called": 0 * day.open_called}
    moved |= {"true_pos": day.true_pos + called} if agree else {"false_pos": day.false_pos + called}
    unknown = ("squares_pos", "squares_neg", "lost_squares", "gap_squares", "lost_crossed", "gap_crossed")
    return moved | dict.fromkeys(unknown, math.nan)
