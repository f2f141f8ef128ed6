"""What one threshold does in each group or fold: that which leads, and any that a reader types."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_digits, format_interval, format_level
from rocsteady._src.inference.intervals.predictive import intervals_at_prevalence, logit_ratios
from rocsteady._src.inference.intervals.proportions import interval_of
from rocsteady._src.inference.units.subjects import subject_cells
from rocsteady._src.measures.confusion import confusion_at
from rocsteady._src.measures.registry import get_measure
from rocsteady._src.results.cases import money, of_cases
from rocsteady._src.views.report.document import TableBlock
from rocsteady._src.views.report.every_threshold import MOST_HELD as EVERY
from rocsteady._src.views.report.every_threshold import are_doubles, cuts_held, rows_between
from rocsteady._src.views.report.records import ends_of, safe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocsteady._src.measures.confusion import Confusion
    from rocsteady._src.ranked import RankedScores, Rows
    from rocsteady._src.results import Interval
    from rocsteady._src.views.report.document import Document
    from rocsteady._src.views.report.names import Style

RATES = ("recall", "false_positive_rate", "precision")
MOST_HELD = 60_000  # numbers of rows of parts between thresholds, of all models of a page together


@dataclass(frozen=True, slots=True)
class Part:
    """Groups of a model in a part of the rows; ``subjects`` where rows are no units of their own."""

    ranked: RankedScores
    subjects: Rows | None = None

    def at(self, threshold: Any) -> tuple[Confusion, Any]:
        """Counts at a threshold, in all and by subject."""
        if self.subjects is None:
            return confusion_at(self.ranked, threshold), None
        return subject_cells(self.subjects, threshold)


def leading_model(page: Document, look: dict[str, Style]) -> str:
    """The model that the page's decision names."""
    return next(model for model, style in look.items() if style.name == page.numbers["decision"]["model"])


def model_pays(page: Document) -> bool:
    """Whether the page advises a model and a threshold, not to treat all cases alike."""
    leader, *others = page.numbers["decision"]["courses"]
    return bool(leader["cost"] < min(course["cost"] for course in others if course["model"] is None))


def parts_at_threshold(page: Document, parts: Mapping[str, Part], by: object, kind: str, level: float) -> TableBlock:
    """Recall, false alarms and cost of each part where all are called by one threshold."""
    decided = page.numbers["decision"]
    share = page.numbers["settings"]["prevalence"] if page.again["stratified"] else None
    rows, keys, values = [], [], []
    for name, part in parts.items():
        rates, cost = _at(part, decided, level, share)
        rows.append([name, *map(_rate_text, rates), "-" if math.isnan(cost) else money(cost)])
        keys.append([name, *(safe(each.estimate) for each in rates), safe(cost)])
        values.append([name, *map(ends_of, rates), safe(cost)])
    cost_of = f"cost of {of_cases(decided['cases'])}"
    header = [printable(by, most=40), "recall", "false positive rate", "precision", cost_of]
    title = f"{decided['model']} at its threshold, by {printable(by, most=60)}"
    costs = (
        f"a false alarm costs {format_digits(decided['cost_fp'], 4)} and a miss {format_digits(decided['cost_fn'], 4)}"
    )
    where = f"{page.decision.rows[0][1]}, the cheapest where {costs}" if page.decision is not None else "the cheapest"
    alone = all(part.subjects is None for part in parts.values())
    units = "" if alone else ", of units that may be several rows"
    how = f"Intervals ({format_level(level)}) by Wilson{units}, as if the threshold had been given before."
    text = f"One threshold for all {kind}s: {where}. {_positive(kind, share)}{how}"
    return TableBlock(f"{kind}-threshold", title, header, rows, keys, text, values)


def _rate_text(rate: Interval) -> str:
    return "-" if math.isnan(rate.estimate) else format_interval(rate.estimate, rate.low, rate.high, 3)


def _positive(kind: str, share: float | None) -> str:
    """How many of the cases of a part are taken to be positive."""
    if share is None:
        return f"Each {kind} has its own share of positives. "
    return f"In each {kind} {format_digits(100 * share, 4)}% of cases are positive. "


def _at(part: Part, decided: dict[str, Any], level: float, share: float | None) -> tuple[list[Interval], float]:
    """Rates of a part at a threshold, and what so many of its cases cost; its own share positive, or that given."""
    threshold = decided["courses"][0]["threshold"]
    counts, subjects = part.at(float(threshold) if isinstance(threshold, str) else threshold)

    def found(name: str) -> Interval:
        return interval_of(get_measure(name).sheet, counts, level=level, subjects=subjects)

    rates = [found(name) for name in RATES]
    positives, negatives = (float(np.asarray(each)) for each in (counts.tp + counts.fn, counts.fp + counts.tn))
    if share is None:
        share = positives / (positives + negatives)
    elif not math.isnan(rates[2].estimate):
        rates[2] = intervals_at_prevalence(counts, *logit_ratios(counts, level, subjects), share)[0]
    missed, alarmed = (1 - rates[0].estimate, rates[1].estimate)
    worth = [part * each for part, each in ((share, decided["cost_fn"]), (1 - share, decided["cost_fp"]))]
    cost = sum(price * rate for price, rate in zip(worth, (missed, alarmed), strict=True) if price)
    return rates, decided["cases"] * cost


def held_parts(page: Document, parts: Mapping[str, Mapping[str, Part]]) -> dict[str, Any]:
    """By model of the page, rows of each part between thresholds; the first part, all rows, is held elsewhere.

    At all thresholds that the page holds, at those of the slider where these are too many, or None.
    """
    share = len(parts)
    return {name: _held(page.operating[name], each, share) for name, each in parts.items()}


def _held(table: dict[str, Any], parts: Mapping[str, Part], n_models: int) -> dict[str, Any] | None:
    whole, *divided = (part.ranked for part in parts.values())
    if not are_doubles(whole):
        return None
    slider = np.unique(table["threshold"].astype(np.float64))
    more = slider if table["every"] is None else np.union1d(slider, cuts_held(whole, EVERY // n_models))
    for cuts in (more, slider):
        counted = [rows_between(ranked, cuts) for ranked in divided]
        if sum(each["size"] for each in counted) <= MOST_HELD // n_models:
            return {"cuts": cuts.size, "slider": cuts.size == slider.size, "parts": [each["rows"] for each in counted]}
    return None
