"""Measures that are shares of rows, or functions of one: what is counted, among what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocsteady._src.inference.units.subjects import CELLS

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady._src.measures.confusion import Confusion


@dataclass(frozen=True, slots=True)
class Share:
    """What is counted, among what; ``ends`` and ``slope`` lead from this share to a measure that is made of it."""

    hits: tuple[str, ...]
    among: tuple[str, ...]
    ends: Callable[[float, float], tuple[float, float]] | None = None
    slope: Callable[[float], float] | None = None

    def counted(self, counts: Confusion) -> tuple[float, float]:
        """How many of how many."""
        hits, among = (sum(getattr(counts, cell) for cell in cells) for cells in (self.hits, self.among))
        return hits, among


def _larger(low: float, high: float) -> tuple[float, float]:
    """Ends of max(p, 1 - p) for p between low and high."""
    nearest = min(max(low, 0.5), high)
    return max(nearest, 1 - nearest), max(high, 1 - low)


def _f1_of_jaccard(low: float, high: float) -> tuple[float, float]:
    return 2 * low / (1 + low), 2 * high / (1 + high)


# Measures that are shares of rows, or functions of one. All others go through the delta method.
PROPORTIONS = {
    "recall": Share(("tp",), ("tp", "fn")),
    "false_negative_rate": Share(("fn",), ("tp", "fn")),
    "specificity": Share(("tn",), ("tn", "fp")),
    "false_positive_rate": Share(("fp",), ("tn", "fp")),
    "precision": Share(("tp",), ("tp", "fp")),
    "false_discovery_rate": Share(("fp",), ("tp", "fp")),
    "negative_predictive_value": Share(("tn",), ("tn", "fn")),
    "false_omission_rate": Share(("fn",), ("tn", "fn")),
    "accuracy": Share(("tp", "tn"), CELLS),
    "error_rate": Share(("fp", "fn"), CELLS),
    "prevalence": Share(("tp", "fn"), CELLS),
    "base_rate": Share(("tp", "fn"), CELLS, _larger, lambda _: 1.0),
    "jaccard": Share(("tp",), ("tp", "fp", "fn")),
    "f1": Share(("tp",), ("tp", "fp", "fn"), _f1_of_jaccard, lambda jaccard: 2 / (1 + jaccard) ** 2),
}
