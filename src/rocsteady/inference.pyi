"""How sure one can be: intervals and tests.

Made by ``python -m tools.signatures``.
"""

from collections.abc import Mapping
from numpy.typing import ArrayLike
from rocsteady._src.designs.diagnostic.adjusted_roc import adjusted_roc as adjusted_roc
from rocsteady._src.designs.diagnostic.verification import partial_verification as partial_verification
from rocsteady._src.inference.comparison.auc import compare_auc as compare_auc
from rocsteady._src.inference.comparison.contrasts import auc_contrasts as auc_contrasts
from rocsteady._src.inference.comparison.curves import compare_curves as compare_curves
from rocsteady._src.inference.comparison.goal import goal_test as goal_test
from rocsteady._src.inference.comparison.measure import compare_measure as compare_measure
from rocsteady._src.inference.comparison.models_by_measure import compare_models as compare_models
from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues as adjust_pvalues
from rocsteady._src.inference.comparison.null_measure import measure_null_test as measure_null_test
from rocsteady._src.inference.intervals.auc import auc_interval as auc_interval
from rocsteady._src.inference.intervals.auc import auc_null_test as auc_null_test
from rocsteady._src.inference.intervals.measure import measure_interval as measure_interval
from rocsteady._src.inference.intervals.measure import measure_intervals as measure_intervals
from rocsteady._src.inference.intervals.predictive import predictive_values as predictive_values
from rocsteady._src.inference.intervals.predictive import prevalence_curve as prevalence_curve
from rocsteady._src.inference.intervals.proportions import proportion_interval as proportion_interval
from rocsteady._src.inference.intervals.thresholds import threshold_interval as threshold_interval
from rocsteady._src.inference.operating.guarantee import threshold_guarantee as threshold_guarantee
from rocsteady._src.inference.operating.point import operating_point as operating_point
from rocsteady._src.inference.paired.calls import compare_calls as compare_calls
from rocsteady._src.inference.paired.outcomes import compare_outcomes as compare_outcomes
from rocsteady._src.inference.resampling.bootstrap import Kind
from rocsteady._src.inference.resampling.bootstrap import jackknife_interval as jackknife_interval
from rocsteady._src.inputs.clean import Missing
from rocsteady._src.inputs.weights import WeightType
from rocsteady._src.probabilities.calibration.brier import brier_interval as brier_interval
from rocsteady._src.probabilities.calibration.brier import compare_brier as compare_brier
from rocsteady._src.results import Interval
from rocsteady._src.results import TestResult
from rocsteady._src.results.crossval import BayesianComparison
from typing import Any
from typing import Literal
from typing import overload

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

@overload
def bootstrap_interval(
    measure: Any,
    y_true: object,
    y_score: Mapping[str, Any],
    *,
    n_resamples: int = 2000,
    level: float = 0.95,
    random_state: int | None = None,
    method: Kind | None = None,
    stratified: bool | None = None,
    cluster: object = None,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    pos_label: Any = None,
    missing: Missing = 'raise',
    n_jobs: int | None = None,
    params: Mapping[str, Any] | None = None,
) -> dict[str, Interval]: ...

@overload
def bootstrap_interval(
    measure: Any,
    y_true: object,
    y_score: ArrayLike | None = None,
    *,
    n_resamples: int = 2000,
    level: float = 0.95,
    random_state: int | None = None,
    method: Kind | None = None,
    stratified: bool | None = None,
    cluster: object = None,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    pos_label: Any = None,
    missing: Missing = 'raise',
    n_jobs: int | None = None,
    params: Mapping[str, Any] | None = None,
) -> Interval: ...

@overload
def compare_learners(
    first: object,
    second: object,
    *,
    test_share: float,
    method: Literal['auto', 'nadeau-bengio'] = 'auto',
    rope: float | None = None,
    alternative: str = 'two-sided',
    margin: float | None = None,
    level: float = 0.95,
) -> TestResult: ...

@overload
def compare_learners(
    first: object,
    second: object,
    *,
    test_share: float,
    method: Literal['bayesian'],
    rope: float | None = None,
    alternative: str = 'two-sided',
    margin: float | None = None,
    level: float = 0.95,
) -> BayesianComparison: ...
