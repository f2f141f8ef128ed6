"""Calibration, reclassification, decision curves and other prevalences."""

from __future__ import annotations

from ..case import Case, cases, each

CURVE = "calibration/calibration_curve"
SUMMARY = "calibration/calibration_summary"
HL = "calibration/hosmer_lemeshow"
NRI = "calibration/net_reclassification"
IDI = "calibration/integrated_discrimination"
TABLE = "calibration/reclassification"
DECISION = "calibration/decision_curve"
THRESHOLDS = (0.1, 0.3, 0.5)
DRAWN = {"resamples": 40, "seed": 1}

CALIBRATION: list[Case] = [
    *cases(
        "calibration",
        each("binary", "ties", "large", "few", "certain"),
        SUMMARY,
        new_data=each(None, False),
        n_bins=each(None, 5),
    ),
    *cases("calibration", "large", SUMMARY, level=0.8),
    *cases("calibration", "large", SUMMARY, weight="w"),
    *cases("calibration", "large", SUMMARY, weight="k", weight_type="frequency"),
    *cases("calibration", "large", SUMMARY, cluster="cluster"),
    *cases("calibration", each("one_class", "perfect", "infinite", "constant"), SUMMARY),
    *cases("calibration test", each("binary", "ties", "large"), "calibration/spiegelhalter_test", of="spiegelhalter"),
    *cases("calibration test", "large", "calibration/spiegelhalter_test", of="spiegelhalter", weight="w"),
    *cases(
        "calibration test",
        "large",
        "calibration/spiegelhalter_test",
        of="spiegelhalter",
        weight="k",
        weight_type="frequency",
    ),
    *cases("calibration test", "large", "calibration/spiegelhalter_test", of="spiegelhalter", cluster="cluster"),
    *cases(
        "calibration test",
        each("binary", "ties", "large"),
        HL,
        of="hosmer-lemeshow",
        n_bins=each(None, 5),
        new_data=each(None, False),
    ),
    *cases("calibration test", "large", HL, of="hosmer-lemeshow", weight="k", weight_type="frequency"),
    *cases("calibration test", "large", HL, of="hosmer-lemeshow", cluster="cluster"),
    *cases(
        "curve",
        each("binary", "ties", "large"),
        CURVE,
        of="calibration",
        method="bins",
        n_bins=each(None, 4),
        strategy=each("quantile", "uniform", "isotonic"),
    ),
    *cases("curve", "large", CURVE, of="calibration", method="bins", weight="w"),
    *cases("curve", "large", CURVE, of="calibration", method="bins", weight="k", weight_type="frequency"),
    *cases("curve", "large", CURVE, of="calibration", method="bins", cluster="cluster"),
    *cases("curve", "large", CURVE, of="calibration", method=each("spline", "lowess", "belt"), level=each(None, 0.8)),
    *cases("curve", "large", CURVE, of="calibration", method="spline", n_knots=4),
    *cases("curve", "large", CURVE, of="calibration", method="belt", new_data=False),
    *cases("curve", "large", CURVE, of="calibration", method=each("spline", "lowess"), weight="w"),
    *cases("curve", "large", CURVE, of="calibration", method="spline", cluster="cluster"),
    *cases(
        "curve",
        "binary",
        CURVE,
        kind="resampled",
        of="calibration",
        method=each("bins", "lowess"),
        interval_method="bootstrap",
        **DRAWN,
    ),
    *cases(
        "decomposition",
        each("binary", "ties", "certain"),
        "calibration/brier_decomposition",
        of="brier_score",
        method=each("corp", "bins"),
        n_bins=each(None, 5),
    ),
    *cases(
        "decomposition",
        "binary",
        "calibration/brier_decomposition",
        of="brier_score",
        method="bins",
        strategy="uniform",
    ),
    *cases("decomposition", "binary", "calibration/brier_decomposition", of="brier_score", weight="w"),
    *cases(
        "decomposition",
        each("binary", "ties", "certain"),
        "calibration/log_loss_decomposition",
        of="log_loss",
        weight=each(None, "w"),
    ),
    *cases(
        "smooth calibration error",
        each("binary", "ties", "large"),
        "calibration/smooth_calibration_error",
        weight=each(None, "w"),
    ),
]
RECLASSIFIED: list[Case] = [
    *cases(
        "reclassification",
        each("binary", "ties", "few", "identical"),
        NRI,
        of="nri",
        cutoffs=each(None, (0.2, 0.5)),
        variance=each("estimate", "null"),
    ),
    *cases("reclassification", "binary", NRI, of="nri", method=each("wald", "bonett-price")),
    *cases("reclassification", "binary", NRI, of="nri", cutoffs=(0.3,), method=each("wald", "bonett-price")),
    *cases("reclassification", "binary", NRI, kind="resampled", of="nri", method="bootstrap", **DRAWN),
    *cases("reclassification", "binary", NRI, of="nri", weight="w"),
    *cases("reclassification", "binary", NRI, of="nri", weight="k", weight_type="frequency"),
    *cases("reclassification", "binary", NRI, of="nri", cluster="cluster"),
    *cases(
        "reclassification",
        each("binary", "ties", "few", "identical"),
        IDI,
        of="idi",
        method=each(None, "wald", "welch"),
    ),
    *cases("reclassification", "binary", IDI, kind="resampled", of="idi", method="bootstrap", **DRAWN),
    *cases("reclassification", "binary", IDI, of="idi", weight="w"),
    *cases("reclassification", "binary", IDI, of="idi", weight="k", weight_type="frequency"),
    *cases("reclassification", "binary", IDI, of="idi", cluster="cluster"),
    *cases(
        "reclassification",
        each("binary", "ties", "large"),
        TABLE,
        of="table",
        cutoffs=each((0.2, 0.5), (0.3,)),
        new_data=each(None, True),
    ),
    *cases("reclassification", "large", TABLE, of="table", cutoffs=(0.2, 0.5), weight="w"),
    *cases("reclassification", "large", TABLE, of="table", cutoffs=(0.2, 0.5), cluster="cluster"),
]
CASES: list[Case] = [
    *CALIBRATION,
    *RECLASSIFIED,
    *cases(
        "decision curve",
        each("binary", "ties", "certain"),
        DECISION,
        scores=("a", "b"),
        thresholds=THRESHOLDS,
        prevalence=each(None, 0.1),
    ),
    *cases("decision curve", "binary", DECISION, scores=("a",), level=0.8),
    *cases("decision curve", "binary", DECISION, scores=("a",), thresholds=THRESHOLDS, weight="w"),
    *cases(
        "decision curve", "binary", DECISION, scores=("a",), thresholds=THRESHOLDS, weight="k", weight_type="frequency"
    ),
    *cases("decision curve", "binary", DECISION, scores=("a",), thresholds=THRESHOLDS, cluster="cluster"),
    *cases(
        "decision curve",
        "binary",
        DECISION,
        kind="resampled",
        scores=("a", "b"),
        thresholds=THRESHOLDS,
        interval_method="bootstrap",
        **DRAWN,
    ),
    *cases(
        "prevalence",
        "large",
        "calibration/estimate_prevalence",
        split=200,
        method=each("confusion", "em"),
        threshold=0.5,
    ),
    *cases("prevalence", "large", "calibration/estimate_prevalence", split=200, level=0.8),
    *cases(
        "probabilities elsewhere",
        each("few", "certain"),
        "calibration/shift_prevalence",
        source=0.4,
        target=each(0.02, 0.7),
    ),
    *cases("probabilities elsewhere", "few", "calibration/shift_prevalence", source=0.4, target=1.5),
    *cases("reclassification", "binary", NRI, IDI, of=each("nri", "idi"), level=0.8),
    *cases("reclassification", "large", TABLE, of="table", cutoffs=(0.2, 0.5), weight="k", weight_type="frequency"),
    *cases("difference", "binary", "calibration/compare_brier", of="brier_score", level=0.8),
    *cases("difference", "binary", "calibration/compare_net_benefit", of="net_benefit", threshold=0.2, level=0.8),
    *cases(
        *("difference", "binary", "calibration/compare_net_benefit"),
        of="net_benefit",
        threshold=0.2,
        weight="k",
        weight_type="frequency",
    ),
]
