"""Scores as probabilities: are they right, and what are they worth?

Made by ``python -m tools.signatures``.
"""

from rocsteady._src.inputs.weights import WeightType
from rocsteady._src.probabilities.calibration.brier import brier_interval as brier_interval
from rocsteady._src.probabilities.calibration.brier import compare_brier as compare_brier
from rocsteady._src.probabilities.calibration.curve import Strategy
from rocsteady._src.probabilities.decisions import compare_net_benefit as compare_net_benefit
from rocsteady._src.probabilities.decisions import decision_curve as decision_curve
from rocsteady._src.probabilities.label_shift import estimate_prevalence as estimate_prevalence
from rocsteady._src.probabilities.label_shift import shift_prevalence as shift_prevalence
from rocsteady._src.probabilities.reclassification.idi import integrated_discrimination as integrated_discrimination
from rocsteady._src.probabilities.reclassification.nri import net_reclassification as net_reclassification
from rocsteady._src.probabilities.reclassification.tables import reclassification as reclassification
from rocsteady._src.results import SmoothCalibrationError
from rocsteady._src.results import TestResult
from rocsteady._src.results.calibration import CalibrationCurve
from rocsteady._src.results.calibration import CalibrationSummary
from rocsteady._src.results.calibration import ScoreDecomposition
from typing import Any
from typing import Literal

__all__ = [
    "brier_decomposition",
    "brier_interval",
    "calibration_curve",
    "calibration_summary",
    "compare_brier",
    "compare_net_benefit",
    "decision_curve",
    "estimate_prevalence",
    "hosmer_lemeshow",
    "integrated_discrimination",
    "log_loss_decomposition",
    "net_reclassification",
    "reclassification",
    "shift_prevalence",
    "smooth_calibration_error",
    "spiegelhalter_test",
]

def brier_decomposition(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    method: Literal['corp', 'bins'] = 'corp',
    n_bins: int = 10,
    strategy: Literal['quantile', 'uniform'] = 'quantile',
) -> ScoreDecomposition: ...

def calibration_curve(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    weight_type: WeightType | None = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    method: Literal['bins', 'spline', 'lowess', 'belt'] = 'bins',
    n_bins: int | None = None,
    strategy: Strategy = 'quantile',
    level: float = 0.95,
    limits: Literal['wilson', 'bootstrap'] = 'wilson',
    n_resamples: int = 500,
    random_state: int | None = None,
    n_jobs: int | None = None,
    n_knots: int | None = None,
    external: bool = True,
    cluster: Any = None,
) -> CalibrationCurve: ...

def calibration_summary(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    weight_type: WeightType | None = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    level: float = 0.95,
    n_bins: int = 10,
    external: bool = True,
    cluster: Any = None,
) -> CalibrationSummary: ...

def hosmer_lemeshow(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    weight_type: WeightType | None = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    n_groups: int = 10,
    external: bool = True,
    cluster: Any = None,
) -> TestResult: ...

def log_loss_decomposition(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> ScoreDecomposition: ...

def smooth_calibration_error(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> SmoothCalibrationError: ...

def spiegelhalter_test(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    weight_type: WeightType | None = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    cluster: Any = None,
) -> TestResult: ...
