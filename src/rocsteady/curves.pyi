"""Curves of a ranking and what can be read off them.

Made by ``python -m tools.signatures``.
"""

from rocsteady._src.inference.bands.binormal import FitMethod
from rocsteady._src.inference.bands.roc_band import roc_band as roc_band
from rocsteady._src.inference.comparison.crossing import crossing_test as crossing_test
from rocsteady._src.inference.comparison.curves import compare_curves as compare_curves
from rocsteady._src.measures.choice_curves import crossings as crossings
from rocsteady._src.measures.curves import Interpolation
from rocsteady._src.measures.curves import dominates as dominates
from rocsteady._src.measures.curves import roc_from_points as roc_from_points
from rocsteady._src.measures.curves import thin_curve as thin_curve
from rocsteady._src.measures.granular import Definition
from rocsteady._src.measures.granular_curves import granular_roc as granular_roc
from rocsteady._src.measures.granular_curves import interval_auc as interval_auc
from rocsteady._src.measures.granularity.consistent import FloatTies
from rocsteady._src.measures.roc_walk import roc_points as roc_points
from rocsteady._src.results import DetCurve
from rocsteady._src.results import GainsCurve
from rocsteady._src.results import GranularityProfile
from rocsteady._src.results import HullCurve
from rocsteady._src.results import PrCurve
from rocsteady._src.results import ProbRocCurve
from rocsteady._src.results import RocCurve
from rocsteady._src.results import ScoredCurve
from rocsteady._src.results.bands import BinormalFit
from rocsteady._src.results.bands import SmoothRocCurve
from rocsteady._src.results.choice_curves import BrierCurve
from rocsteady._src.results.choice_curves import CostCurve
from rocsteady._src.results.choice_curves import PrgCurve
from rocsteady._src.results.walks import RocWalk
from typing import Any
from typing import Literal

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

def binormal_fit(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    method: FitMethod = 'binormal',
) -> BinormalFit: ...

def brier_curve(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> BrierCurve: ...

def cost_curve(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    level: float | None = None,
) -> CostCurve: ...

def det_curve(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> DetCurve: ...

def gains_curve(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    n_bins: int | None = None,
) -> GainsCurve: ...

def granularity_profile(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    upper: float | None = None,
    grid: int = 200,
    definition: Definition = 'consistent',
    float_ties: FloatTies = 'exact',
) -> GranularityProfile: ...

def pr_curve(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    interpolation: Interpolation = 'step',
) -> PrCurve: ...

def pr_gain_curve(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> PrgCurve: ...

def prob_roc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> ProbRocCurve: ...

def roc_curve(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> RocCurve: ...

def roc_hull(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> HullCurve: ...

def roc_walk(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
) -> RocWalk: ...

def scored_roc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    grid: int = 200,
) -> ScoredCurve: ...

def smooth_roc(
    y_true: Any,
    y_score: Any = None,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    missing: Literal['raise', 'drop'] = 'raise',
    label: str | None = None,
    method: FitMethod = 'binormal',
    n_points: int = 201,
) -> SmoothRocCurve: ...
