"""Frozen results. They hold numbers and say what they are about; they compute nothing."""

from rocsteady.results.answers import (
    GranularityProfile,
    GranularRoc,
    IntervalAuc,
    SetProperties,
    ThresholdChoice,
    TieDiagnostics,
)
from rocsteady.results.base import DIRECTION, Bounded, Origin, Result
from rocsteady.results.curves import (
    Curve,
    DetCurve,
    GainsCurve,
    HullCurve,
    PrCurve,
    ProbRocCurve,
    RocCurve,
    ScoredCurve,
)
from rocsteady.results.inference import Interval, Resampling, TestResult

__all__ = [
    "DIRECTION",
    "Bounded",
    "Curve",
    "DetCurve",
    "GainsCurve",
    "GranularRoc",
    "GranularityProfile",
    "HullCurve",
    "Interval",
    "IntervalAuc",
    "Origin",
    "PrCurve",
    "ProbRocCurve",
    "Resampling",
    "Result",
    "RocCurve",
    "ScoredCurve",
    "SetProperties",
    "TestResult",
    "ThresholdChoice",
    "TieDiagnostics",
]
