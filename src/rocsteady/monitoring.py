"""Watching a model over days: measures by day and segment, changes, late labels; and how far scores moved."""

from rocsteady._src.evaluation.monitor.credit import (
    stability_index,
)
from rocsteady._src.evaluation.monitor.monitor import (
    monitor,
)

__all__ = [
    "monitor",
    "stability_index",
]
