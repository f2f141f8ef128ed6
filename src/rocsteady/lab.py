"""Laboratory: measure the measures, on small score sets and by the models they pick."""

from rocsteady._src.extras.lab.counting import (
    count_errors,
)
from rocsteady._src.extras.lab.generators import (
    generate,
    sample_labellings,
)
from rocsteady._src.extras.lab.parse import (
    parse_sets,
)
from rocsteady._src.extras.lab.selection import (
    select_models,
)
from rocsteady._src.extras.lab.selection_binormal import (
    simulate_binormal,
)
from rocsteady._src.extras.lab.selection_stats import (
    corrected_test,
)
from rocsteady._src.extras.lab.set_values import (
    count_order_errors,
    difference_functions,
    set_values,
)
from rocsteady._src.extras.lab.sets import (
    ScoreSets,
)
from rocsteady._src.extras.lab.sweeps import (
    sweep,
)

__all__ = [
    "ScoreSets",
    "corrected_test",
    "count_errors",
    "count_order_errors",
    "difference_functions",
    "generate",
    "parse_sets",
    "sample_labellings",
    "select_models",
    "set_values",
    "simulate_binormal",
    "sweep",
]
