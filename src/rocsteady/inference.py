"""How sure one can be: intervals and tests."""

from rocsteady._src.designs.diagnostic.adjusted_roc import (
    adjusted_roc,
)
from rocsteady._src.designs.diagnostic.verification import (
    partial_verification,
)
from rocsteady._src.inference.comparison.auc import (
    compare_auc,
)
from rocsteady._src.inference.comparison.contrasts import (
    auc_contrasts,
)
from rocsteady._src.inference.comparison.curves import (
    compare_curves,
)
from rocsteady._src.inference.comparison.goal import (
    goal_test,
)
from rocsteady._src.inference.comparison.learners import (
    compare_learners,
)
from rocsteady._src.inference.comparison.measure import (
    compare_measure,
)
from rocsteady._src.inference.comparison.models_by_measure import (
    compare_models,
)
from rocsteady._src.inference.comparison.multiplicity import (
    adjust_pvalues,
)
from rocsteady._src.inference.comparison.null_measure import (
    measure_null_test,
)
from rocsteady._src.inference.intervals.auc import (
    auc_interval,
    auc_null_test,
)
from rocsteady._src.inference.intervals.measure import (
    measure_interval,
    measure_intervals,
)
from rocsteady._src.inference.intervals.predictive import (
    predictive_values,
    prevalence_curve,
)
from rocsteady._src.inference.intervals.proportions import (
    proportion_interval,
)
from rocsteady._src.inference.intervals.thresholds import (
    threshold_interval,
)
from rocsteady._src.inference.operating.guarantee import (
    threshold_guarantee,
)
from rocsteady._src.inference.operating.point import (
    operating_point,
)
from rocsteady._src.inference.paired.calls import (
    compare_calls,
)
from rocsteady._src.inference.paired.outcomes import (
    compare_outcomes,
)
from rocsteady._src.inference.resampling.bootstrap import (
    bootstrap_interval,
    jackknife_interval,
)
from rocsteady._src.probabilities.calibration.brier import (
    brier_interval,
    compare_brier,
)

__all__ = [
    "adjust_pvalues",
    "adjusted_roc",
    "auc_contrasts",
    "auc_interval",
    "auc_null_test",
    "bootstrap_interval",
    "brier_interval",
    "compare_auc",
    "compare_brier",
    "compare_calls",
    "compare_curves",
    "compare_learners",
    "compare_measure",
    "compare_models",
    "compare_outcomes",
    "goal_test",
    "jackknife_interval",
    "measure_interval",
    "measure_intervals",
    "measure_null_test",
    "operating_point",
    "partial_verification",
    "predictive_values",
    "prevalence_curve",
    "proportion_interval",
    "threshold_guarantee",
    "threshold_interval",
]
