"""How many rows a comparison needs."""

from rocsteady._src.inference.power.auc import (
    detectable_difference,
    power_auc,
    power_auc_pilot,
)
from rocsteady._src.inference.power.outcomes import (
    power_outcomes,
)

__all__ = [
    "detectable_difference",
    "power_auc",
    "power_auc_pilot",
    "power_outcomes",
]
