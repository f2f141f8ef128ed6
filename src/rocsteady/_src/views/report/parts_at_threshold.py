"""What the threshold that leads does in each group or fold."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_digits, format_interval, format_level
from rocsteady._src.inference.intervals.proportions import proportion_bounds
from rocsteady._src.measures.confusion import confusion_at
from rocsteady._src.results.cases import money, of_cases
from rocsteady._src.views.report.document import TableBlock
from rocsteady._src.views.report.records import safe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocsteady._src.ranked import RankedScores
    from rocsteady._src.views.report.document import Document
    from rocsteady._src.views.report.names import Style


def leading_model(page: Document, look: dict[str, Style]) -> str:
    """The model that the page's decision names."""
    return next(model for model, style in look.items() if style.name == page.numbers["decision"]["model"])


def parts_at_threshold(
    page: Document, parts: Mapping[str, RankedScores], by: object, kind: str, level: float
) -> TableBlock:
    """Recall, false alarms and cost of each part where all are called by one threshold."""
    decided = page.numbers["decision"]
    rows, keys = [], []
    for name, ranked in parts.items():
        texts, numbers = _at(ranked, decided, level)
        rows.append([name, *texts])
        keys.append([name, *numbers])
    cost = f"cost of {of_cases(decided['cases'])}"
    header = [printable(by, most=40), "recall", "false positive rate", "precision", cost]
    title = f"{decided['model']} at its threshold, by {printable(by, most=60)}"
    costs = (
        f"a false alarm costs {format_digits(decided['cost_fp'], 4)} and a miss {format_digits(decided['cost_fn'], 4)}"
    )
    where = f"{page.decision.rows[0][1]}, the cheapest where {costs}" if page.decision is not None else "the cheapest"
    text = f"One threshold for all {kind}s: {where}. Intervals ({format_level(level)}) by Wilson."
    return TableBlock(f"{kind}-threshold", title, header, rows, keys, text)


def _at(ranked: RankedScores, decided: dict[str, Any], level: float) -> tuple[list[str], list[Any]]:
    """Rates of a part at a threshold, and what so many of its cases cost."""
    threshold = decided["courses"][0]["threshold"]
    counts = confusion_at(ranked, float(threshold) if isinstance(threshold, str) else threshold)
    tp, fp, fn, tn = (float(np.asarray(getattr(counts, cell)).item()) for cell in ("tp", "fp", "fn", "tn"))
    texts: list[str] = []
    numbers: list[Any] = []
    for hits, total in ((tp, tp + fn), (fp, fp + tn), (tp, tp + fp)):
        low, high = (float(end) for end in proportion_bounds(np.float64(hits), np.float64(total), level, "wilson"))
        value = hits / total if total else math.nan
        texts.append(format_interval(value, low, high, 3) if total else "-")
        numbers.append(safe(value))
    cost = decided["cases"] * (fn * decided["cost_fn"] + fp * decided["cost_fp"]) / (tp + fp + fn + tn)
    return [*texts, money(cost)], [*numbers, cost]
