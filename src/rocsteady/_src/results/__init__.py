"""Frozen results. They hold numbers and say what they are about; they compute nothing."""

from rocsteady._src.results.bands import BinormalFit, RocBand, SmoothRocCurve
from rocsteady._src.results.base import DIRECTION, Bounded, Origin, Result
from rocsteady._src.results.calibration import (
    CalibrationCurve,
    CalibrationSummary,
    DecisionCurves,
    ScoreDecomposition,
    SmoothCalibrationError,
)
from rocsteady._src.results.comparison import Comparison, ModelProbabilities, PairComparison, PairReclassification
from rocsteady._src.results.comparisons import Comparisons
from rocsteady._src.results.crossval import (
    AveragedRoc,
    BayesianComparison,
    CrossValidation,
    CrossvalScores,
    FoldAuc,
    FoldCounts,
)
from rocsteady._src.results.curves import (
    Curve,
    DetCurve,
    GainsCurve,
    HullCurve,
    PrCurve,
    ProbRocCurve,
    RocCurve,
    ScoredCurve,
)
from rocsteady._src.results.exploring import PagedResult
from rocsteady._src.results.gaps import GroupGap, GroupGaps, LargestGap, MeasureGaps
from rocsteady._src.results.grouped_comparison import GroupedComparison, Interaction
from rocsteady._src.results.guarantee import ThresholdGuarantee
from rocsteady._src.results.inference import Interval, Resampling, TestResult
from rocsteady._src.results.measures import (
    GranularityProfile,
    GranularRoc,
    IntervalAuc,
    SetProperties,
    ThresholdChoice,
    TieDiagnostics,
)
from rocsteady._src.results.operating import OperatingPoint
from rocsteady._src.results.power import PowerResult
from rocsteady._src.results.predictive import PredictiveValues
from rocsteady._src.results.reclassification import (
    Estimate,
    IntegratedDiscrimination,
    NetReclassification,
    Reclassification,
)
from rocsteady._src.results.selection import BinormalSimulation, MeasureSelection, ModelSelection
from rocsteady._src.results.smooth_calibration import SmoothCalibrationCurve
from rocsteady._src.results.subgroups import GroupDifference
from rocsteady._src.results.walks import RocPoints, RocWalk

__all__ = [
    "DIRECTION",
    "AveragedRoc",
    "BayesianComparison",
    "BinormalFit",
    "BinormalSimulation",
    "Bounded",
    "CalibrationCurve",
    "CalibrationSummary",
    "Comparison",
    "Comparisons",
    "CrossValidation",
    "CrossvalScores",
    "Curve",
    "DecisionCurves",
    "DetCurve",
    "Estimate",
    "FoldAuc",
    "FoldCounts",
    "GainsCurve",
    "GranularRoc",
    "GranularityProfile",
    "GroupDifference",
    "GroupGap",
    "GroupGaps",
    "GroupedComparison",
    "HullCurve",
    "IntegratedDiscrimination",
    "Interaction",
    "Interval",
    "IntervalAuc",
    "LargestGap",
    "MeasureGaps",
    "MeasureSelection",
    "ModelProbabilities",
    "ModelSelection",
    "NetReclassification",
    "OperatingPoint",
    "Origin",
    "PagedResult",
    "PairComparison",
    "PairReclassification",
    "PowerResult",
    "PrCurve",
    "PredictiveValues",
    "ProbRocCurve",
    "Reclassification",
    "Resampling",
    "Result",
    "RocBand",
    "RocCurve",
    "RocPoints",
    "RocWalk",
    "ScoreDecomposition",
    "ScoredCurve",
    "SetProperties",
    "SmoothCalibrationCurve",
    "SmoothCalibrationError",
    "SmoothRocCurve",
    "TestResult",
    "ThresholdChoice",
    "ThresholdGuarantee",
    "TieDiagnostics",
]
