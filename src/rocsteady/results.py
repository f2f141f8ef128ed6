"""What functions give back: immutable, with to_dict, to_frame, plot and str."""

from rocsteady._src.results.adjusted import (
    AdjustedRoc,
)
from rocsteady._src.results.bands import (
    BinormalFit,
    RocBand,
    SmoothRocCurve,
)
from rocsteady._src.results.base import (
    Bounded,
    Origin,
    Result,
)
from rocsteady._src.results.calibration import (
    CalibrationCurve,
    CalibrationSummary,
    DecisionCurves,
    ScoreDecomposition,
    SmoothCalibrationError,
)
from rocsteady._src.results.choice_curves import (
    BrierCurve,
    CostCurve,
    Crossings,
    PrgCurve,
)
from rocsteady._src.results.comparison import (
    Comparison,
    ModelProbabilities,
    PairComparison,
    PairReclassification,
)
from rocsteady._src.results.comparisons import (
    Comparisons,
)
from rocsteady._src.results.contrasts import (
    AucContrasts,
)
from rocsteady._src.results.credit import (
    StabilityIndex,
)
from rocsteady._src.results.crossing import (
    CrossingTest,
)
from rocsteady._src.results.crossval import (
    AveragedRoc,
    BayesianComparison,
    CrossValidation,
    CrossvalScores,
    FoldAuc,
    FoldCounts,
    ScoresByRow,
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
from rocsteady._src.results.decision import (
    Course,
    Decision,
)
from rocsteady._src.results.gaps import GroupGap, GroupGaps, LargestGap, MeasureGaps
from rocsteady._src.results.gate import GateCondition, GateResult
from rocsteady._src.results.grouped_comparison import GroupedComparison, Interaction
from rocsteady._src.results.guarantee import ThresholdGuarantee
from rocsteady._src.results.inference import (
    Interval,
    Resampling,
    TestResult,
)
from rocsteady._src.results.lab import (
    Breakdown,
    ErrorCounts,
    Sweep,
)
from rocsteady._src.results.lab_values import DifferenceFunctions, OrderErrorCounts, SetValues
from rocsteady._src.results.measures import (
    GranularityProfile,
    GranularRoc,
    IntervalAuc,
    SetProperties,
    ThresholdChoice,
    TieDiagnostics,
)
from rocsteady._src.results.monitor import MonitorResult
from rocsteady._src.results.multiclass import (
    MulticlassConfusion,
    MulticlassCurves,
    MulticlassEvaluation,
    MulticlassMeasures,
)
from rocsteady._src.results.multilabel import (
    MultilabelEvaluation,
)
from rocsteady._src.results.operating import OperatingPoint
from rocsteady._src.results.ordinal import (
    OrdinalAuc,
)
from rocsteady._src.results.paired import (
    CallComparison,
    OutcomePower,
    OutcomeTest,
    PairPredictive,
    RelativeValue,
)
from rocsteady._src.results.planning import (
    Criterion,
    GoalPower,
    ValidationSize,
    WidthPlan,
)
from rocsteady._src.results.power import (
    PowerResult,
)
from rocsteady._src.results.predictive import (
    PredictiveValues,
    PrevalenceCurve,
)
from rocsteady._src.results.readers import (
    ReaderAnalysis,
    ReaderPlan,
    ReaderStudy,
)
from rocsteady._src.results.reclassification import (
    Estimate,
    IntegratedDiscrimination,
    NetReclassification,
    Reclassification,
)
from rocsteady._src.results.scale import (
    Bracket,
    BracketedEvaluation,
    BracketedPr,
    BracketedRoc,
)
from rocsteady._src.results.selection import (
    BinormalSimulation,
    MeasureSelection,
    ModelSelection,
)
from rocsteady._src.results.smooth_calibration import (
    SmoothCalibrationCurve,
)
from rocsteady._src.results.subgroups import (
    GroupDifference,
)
from rocsteady._src.results.validation import (
    PooledCurve,
)
from rocsteady._src.results.verification import (
    PartialVerification,
)
from rocsteady._src.results.walks import RocPoints, RocWalk
from rocsteady._src.results.watched import CalibrationWatch, ScoreDrift, WatchedMeasure

__all__ = [
    "AdjustedRoc",
    "AucContrasts",
    "AveragedRoc",
    "BayesianComparison",
    "BinormalFit",
    "BinormalSimulation",
    "Bounded",
    "Bracket",
    "BracketedEvaluation",
    "BracketedPr",
    "BracketedRoc",
    "Breakdown",
    "BrierCurve",
    "CalibrationCurve",
    "CalibrationSummary",
    "CalibrationWatch",
    "CallComparison",
    "Comparison",
    "Comparisons",
    "CostCurve",
    "Course",
    "Criterion",
    "CrossValidation",
    "CrossingTest",
    "Crossings",
    "CrossvalScores",
    "Curve",
    "Decision",
    "DecisionCurves",
    "DetCurve",
    "DifferenceFunctions",
    "ErrorCounts",
    "Estimate",
    "FoldAuc",
    "FoldCounts",
    "GainsCurve",
    "GateCondition",
    "GateResult",
    "GoalPower",
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
    "MonitorResult",
    "MulticlassConfusion",
    "MulticlassCurves",
    "MulticlassEvaluation",
    "MulticlassMeasures",
    "MultilabelEvaluation",
    "NetReclassification",
    "OperatingPoint",
    "OrderErrorCounts",
    "OrdinalAuc",
    "Origin",
    "OutcomePower",
    "OutcomeTest",
    "PairComparison",
    "PairPredictive",
    "PairReclassification",
    "PartialVerification",
    "PooledCurve",
    "PowerResult",
    "PrCurve",
    "PredictiveValues",
    "PrevalenceCurve",
    "PrgCurve",
    "ProbRocCurve",
    "ReaderAnalysis",
    "ReaderPlan",
    "ReaderStudy",
    "Reclassification",
    "RelativeValue",
    "Resampling",
    "Result",
    "RocBand",
    "RocCurve",
    "RocPoints",
    "RocWalk",
    "ScoreDecomposition",
    "ScoreDrift",
    "ScoredCurve",
    "ScoresByRow",
    "SetProperties",
    "SetValues",
    "SmoothCalibrationCurve",
    "SmoothCalibrationError",
    "SmoothRocCurve",
    "StabilityIndex",
    "Sweep",
    "TestResult",
    "ThresholdChoice",
    "ThresholdGuarantee",
    "TieDiagnostics",
    "ValidationSize",
    "WatchedMeasure",
    "WidthPlan",
]
