"""Watching a model over days: measures by day and segment, changes, late labels; and the names of credit scoring.

Made by ``python -m tools.signatures``.
"""

from rocsteady._src.evaluation.monitor.credit import stability_index as stability_index
from rocsteady._src.evaluation.monitor.monitor import monitor as monitor
from rocsteady._src.evaluation.monitor.vintages import vintage_table as vintage_table
from rocsteady._src.results.credit import LiftTable
from typing import Any
from typing import Literal

__all__ = [
    "lift_table",
    "monitor",
    "stability_index",
    "vintage_table",
]

def lift_table(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    bins: int = 10,
    level: float = 0.95,
) -> LiftTable: ...
