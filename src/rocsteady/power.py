"""How many rows a comparison, an interval, a test against a goal or a validation needs."""

from rocsteady._src.inference.power.auc import (
    detectable_difference,
    power_auc,
    power_auc_pilot,
)
from rocsteady._src.inference.power.goal import (
    power_goal,
)
from rocsteady._src.inference.power.outcomes import (
    power_outcomes,
)
from rocsteady._src.inference.power.validation import (
    validation_size,
)
from rocsteady._src.inference.power.width import (
    plan_width,
)

__all__ = [
    "detectable_difference",
    "plan_width",
    "power_auc",
    "power_auc_pilot",
    "power_goal",
    "power_outcomes",
    "validation_size",
]
