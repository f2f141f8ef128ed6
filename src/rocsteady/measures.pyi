"""Measures, one function each: labels and scores, or ranked scores, in; a number out.

Made by ``python -m tools.signatures``.
"""

from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from numpy.typing import NDArray
from rocsteady._src.measures.confusion import Confusion as Confusion
from rocsteady._src.measures.confusion import Threshold
from rocsteady._src.measures.granular import Definition
from rocsteady._src.measures.granularity.consistent import FloatTies
from rocsteady._src.measures.pairs import pairwise_mean as pairwise_mean
from rocsteady._src.measures.pairwise.kernels import SmoothKernel as SmoothKernel
from rocsteady._src.measures.probability import Strategy
from rocsteady._src.measures.registry import FactSheet as FactSheet
from rocsteady._src.measures.registry import Measure as Measure
from rocsteady._src.measures.registry import get_measure as get_measure
from rocsteady._src.measures.registry import list_measures as list_measures
from rocsteady._src.measures.registry import measure as measure
from rocsteady._src.measures.threshold import relative_error_reduction as relative_error_reduction
from rocsteady._src.results import SetProperties
from rocsteady._src.results import ThresholdChoice
from rocsteady._src.results import TieDiagnostics
from typing import Any
from typing import Literal
from typing import overload
import numpy as np

__all__ = [
    "Confusion",
    "FactSheet",
    "Measure",
    "SmoothKernel",
    "accuracy",
    "auc",
    "auc_acc",
    "auch",
    "average_precision",
    "balanced_accuracy",
    "base_rate",
    "best_threshold",
    "brier_score",
    "cohen_kappa",
    "concordant_partial_auc",
    "confusion",
    "defective_pairs",
    "diagnostic_odds_ratio",
    "discrimination_slope",
    "equal_error_rate",
    "error_rate",
    "expected_calibration_error",
    "f1",
    "f_beta",
    "false_discovery_rate",
    "false_negative_rate",
    "false_omission_rate",
    "false_positive_rate",
    "fnmr_at_fmr",
    "fowlkes_mallows",
    "fpr_at",
    "g_mean",
    "get_measure",
    "gini",
    "h_measure",
    "information_score",
    "jaccard",
    "ks_statistic",
    "lambda_auc",
    "lift",
    "list_measures",
    "log_loss",
    "low_auc",
    "markedness",
    "matthews_correlation",
    "measure",
    "mm1_auc",
    "mm4_auc",
    "mm6_auc",
    "mm7_auc",
    "mm11_auc",
    "mm12_auc",
    "negative_likelihood_ratio",
    "negative_predictive_value",
    "pairwise_mean",
    "partial_auc",
    "partial_pr_auc",
    "positive_likelihood_ratio",
    "pr_auc",
    "precision",
    "precision_at_k",
    "precision_at_recall",
    "prevalence",
    "prg_auc",
    "prob_auc",
    "r_precision",
    "recall",
    "recall_at_k",
    "recall_at_precision",
    "relative_error_reduction",
    "relative_information_score",
    "rho_auc",
    "scaled_brier",
    "scored_auc",
    "scorer",
    "sensitivity_at",
    "set_properties",
    "soft_auc",
    "softened_auc",
    "specificity",
    "specificity_at",
    "tie_diagnostics",
    "tpr_at",
    "two_way_partial_auc",
    "up_auc",
    "youden_j",
]

@overload
def accuracy(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def accuracy(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

def auc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> float: ...

@overload
def auc_acc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def auc_acc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

def auch(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> float: ...

def average_precision(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> float: ...

@overload
def balanced_accuracy(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def balanced_accuracy(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

@overload
def base_rate(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def base_rate(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

def best_threshold(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    rule: str | Callable[..., Any] = 'youden',
    **options: Any,
) -> ThresholdChoice: ...

def brier_score(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> float: ...

@overload
def cohen_kappa(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def cohen_kappa(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

def concordant_partial_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    standardize: bool = False,
) -> float: ...

def confusion(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Threshold | Callable[..., Any] = None,
    prevalence: float | None = None,
) -> Confusion: ...

def defective_pairs(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> float: ...

@overload
def diagnostic_odds_ratio(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def diagnostic_odds_ratio(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

def discrimination_slope(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> float: ...

def equal_error_rate(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> float: ...

@overload
def error_rate(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def error_rate(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

def expected_calibration_error(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    n_bins: int = 10,
    strategy: Strategy = 'quantile',
) -> float: ...

@overload
def f1(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def f1(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

@overload
def f_beta(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
    beta: float = 1.0,
) -> float: ...

@overload
def f_beta(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
    beta: float = 1.0,
) -> NDArray[np.float64]: ...

@overload
def false_discovery_rate(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def false_discovery_rate(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

@overload
def false_negative_rate(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def false_negative_rate(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

@overload
def false_omission_rate(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def false_omission_rate(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

@overload
def false_positive_rate(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def false_positive_rate(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

def fnmr_at_fmr(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    fmr: float = 0.1,
) -> float: ...

@overload
def fowlkes_mallows(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def fowlkes_mallows(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

def fpr_at(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    tpr: float = 0.95,
) -> float: ...

@overload
def g_mean(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def g_mean(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

def gini(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> float: ...

def h_measure(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    alpha: float = 2.0,
    beta: float = 2.0,
    severity_ratio: float | Literal['prevalence'] | None = None,
) -> float: ...

def information_score(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    prevalence: float | None = None,
) -> float: ...

@overload
def jaccard(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def jaccard(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

def ks_statistic(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> float: ...

def lambda_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    delta: Any = 0.0,
    definition: Definition = 'consistent',
    float_ties: FloatTies = 'exact',
) -> float: ...

def lift(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    fraction: float = 0.1,
) -> float: ...

def log_loss(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> float: ...

def low_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    delta: Any = 0.0,
    definition: Definition = 'consistent',
    float_ties: FloatTies = 'exact',
) -> float: ...

@overload
def markedness(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def markedness(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

@overload
def matthews_correlation(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def matthews_correlation(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

def mm1_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    exact: bool = False,
) -> float: ...

def mm4_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    floor: float = 0.5,
    exact: bool = False,
) -> float: ...

def mm6_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    m: float = 0.9,
    n: float = 0.01,
    floor: float = 0.5,
    exact: bool = False,
) -> float: ...

def mm7_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    m: float = 0.9,
    n: float = 0.01,
    floor: float = 0.5,
    exact: bool = False,
) -> float: ...

def mm11_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> float: ...

def mm12_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> float: ...

@overload
def negative_likelihood_ratio(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def negative_likelihood_ratio(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

@overload
def negative_predictive_value(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def negative_predictive_value(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

def partial_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    standardize: bool = False,
) -> float: ...

def partial_pr_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    recall_range: tuple[float, float] = (0.0, 0.5),
    standardize: bool = False,
) -> float: ...

@overload
def positive_likelihood_ratio(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def positive_likelihood_ratio(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

def pr_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> float: ...

@overload
def precision(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def precision(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

def precision_at_k(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    k: float = 10,
) -> float: ...

def precision_at_recall(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    recall: float = 0.9,
) -> float: ...

@overload
def prevalence(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def prevalence(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

def prg_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> float: ...

def prob_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> float: ...

def r_precision(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> float: ...

@overload
def recall(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def recall(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

def recall_at_k(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    k: float = 10,
) -> float: ...

def recall_at_precision(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    precision: float = 0.9,
) -> float: ...

def relative_information_score(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    prevalence: float | None = None,
) -> float: ...

def rho_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    upper: float | str = 1.0,
    definition: Definition = 'consistent',
    tolerance: float = 1e-06,
) -> float: ...

def scaled_brier(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> float: ...

def scored_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    exact: bool = False,
) -> float: ...

@overload
def scorer(
    measure: str | Callable[..., Any],
    **params: Any,
) -> Callable[..., float]: ...

@overload
def scorer(
    measure: Mapping[str, Any] | list[Any] | tuple[Any, ...],
    **params: Any,
) -> dict[str, Callable[..., float]]: ...

def sensitivity_at(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    specificity: float = 0.9,
    fpr: float | None = None,
) -> float: ...

def set_properties(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> SetProperties: ...

def soft_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    beta: float = 7.0,
    exact: bool = False,
) -> float: ...

def softened_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    q: float = 0.14285714285714285,
    exact: bool = False,
) -> float: ...

@overload
def specificity(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def specificity(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...

def specificity_at(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    sensitivity: float = 0.9,
) -> float: ...

def tie_diagnostics(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    near_ulps: int = 4,
) -> TieDiagnostics: ...

def tpr_at(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    fpr: float = 0.1,
) -> float: ...

def two_way_partial_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    max_fpr: float = 0.5,
    min_tpr: float = 0.5,
    standardize: bool = False,
) -> float: ...

def up_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    delta: Any = 0.0,
    definition: Definition = 'consistent',
    float_ties: FloatTies = 'exact',
) -> float: ...

@overload
def youden_j(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: float | ThresholdChoice | None = None,
) -> float: ...

@overload
def youden_j(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    threshold: Literal['all'] | Sequence[float] | NDArray[Any],
) -> NDArray[np.float64]: ...
