"""Watching a model over days: measures by day and segment, changes, late labels; and the names of credit scoring."""

from rocsteady._src.evaluation.monitor.credit import (
    lift_table,
    stability_index,
)
from rocsteady._src.evaluation.monitor.monitor import (
    monitor,
)
from rocsteady._src.evaluation.monitor.vintages import (
    vintage_table,
)

__all__ = [
    "lift_table",
    "monitor",
    "stability_index",
    "vintage_table",
]
