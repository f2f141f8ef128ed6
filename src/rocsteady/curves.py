"""Curves of a ranking and what can be read off them."""

from rocsteady._src.inference.bands.binormal import (
    binormal_fit,
    smooth_roc,
)
from rocsteady._src.inference.bands.roc_band import (
    roc_band,
)
from rocsteady._src.inference.comparison.crossing import (
    crossing_test,
)
from rocsteady._src.inference.comparison.curves import (
    compare_curves,
)
from rocsteady._src.inference.operating.cost_curve import (
    cost_curve,
)
from rocsteady._src.measures.choice_curves import (
    brier_curve,
    crossings,
    pr_gain_curve,
)
from rocsteady._src.measures.curves import (
    det_curve,
    dominates,
    gains_curve,
    pr_curve,
    roc_curve,
    roc_from_points,
    roc_hull,
    thin_curve,
)
from rocsteady._src.measures.granular_curves import (
    granular_roc,
    granularity_profile,
    interval_auc,
)
from rocsteady._src.measures.roc_walk import (
    roc_points,
    roc_walk,
)
from rocsteady._src.measures.scored_curves import (
    prob_roc,
    scored_roc,
)

__all__ = [
    "binormal_fit",
    "brier_curve",
    "compare_curves",
    "cost_curve",
    "crossing_test",
    "crossings",
    "det_curve",
    "dominates",
    "gains_curve",
    "granular_roc",
    "granularity_profile",
    "interval_auc",
    "pr_curve",
    "pr_gain_curve",
    "prob_roc",
    "roc_band",
    "roc_curve",
    "roc_from_points",
    "roc_hull",
    "roc_points",
    "roc_walk",
    "scored_roc",
    "smooth_roc",
    "thin_curve",
]
