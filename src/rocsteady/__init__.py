"""rocsteady: which classifier is better, at what threshold, and how sure can I be?

Names load when they are first used, so that ``import rocsteady`` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rocsteady._version import __version__

if TYPE_CHECKING:
    from rocsteady.calibration.brier import brier_interval, compare_brier
    from rocsteady.calibration.curve import calibration_curve
    from rocsteady.calibration.decomposition import brier_decomposition, log_loss_decomposition
    from rocsteady.calibration.goodness import hosmer_lemeshow, spiegelhalter_test
    from rocsteady.calibration.smooth import smooth_calibration_error
    from rocsteady.calibration.summary import calibration_summary
    from rocsteady.comparison.auc import compare_auc
    from rocsteady.comparison.curves import compare_curves
    from rocsteady.comparison.measure import compare_measure
    from rocsteady.comparison.models import compare_models
    from rocsteady.comparison.multiplicity import adjust_pvalues
    from rocsteady.comparison.power import detectable_difference, power_auc, power_auc_pilot
    from rocsteady.comparison.resampled import compare_learners
    from rocsteady.crossval.auc import crossval_auc
    from rocsteady.crossval.compare import compare_crossval
    from rocsteady.crossval.counts import crossval_confusion
    from rocsteady.crossval.curves import averaged_roc
    from rocsteady.crossval.evaluate import crossval_evaluate
    from rocsteady.crossval.scores import crossval_scores
    from rocsteady.curves import (
        det_curve,
        dominates,
        gains_curve,
        pr_curve,
        roc_curve,
        roc_from_points,
        roc_hull,
        thin_curve,
    )
    from rocsteady.decisions import compare_net_benefit, decision_curve
    from rocsteady.errors import (
        ArgumentError,
        InputError,
        MissingDependencyError,
        RocsteadyError,
        RocsteadyWarning,
        Undefined,
        UndefinedWarning,
    )
    from rocsteady.evaluating import evaluate
    from rocsteady.evaluation import Evaluation
    from rocsteady.folded import FoldedEvaluation
    from rocsteady.granular_curves import granular_roc, granularity_profile, interval_auc
    from rocsteady.inputs.join import join_by_id
    from rocsteady.measures import Confusion, FactSheet, Measure, confusion, get_measure, list_measures, measure
    from rocsteady.measures.choose import best_threshold
    from rocsteady.measures.granular import lambda_auc, low_auc, rho_auc, up_auc
    from rocsteady.measures.pairs import pairwise_mean
    from rocsteady.measures.points import sensitivity_at, specificity_at
    from rocsteady.measures.probability import (
        brier_score,
        discrimination_slope,
        expected_calibration_error,
        log_loss,
        scaled_brier,
    )
    from rocsteady.measures.ranking import (
        auc,
        auch,
        average_precision,
        defective_pairs,
        gini,
        h_measure,
        ks_statistic,
        lift,
        partial_auc,
        pr_auc,
        precision_at_k,
        r_precision,
        recall_at_k,
    )
    from rocsteady.measures.scored import (
        mm1_auc,
        mm4_auc,
        mm6_auc,
        mm7_auc,
        mm11_auc,
        mm12_auc,
        prob_auc,
        scored_auc,
        soft_auc,
        softened_auc,
    )
    from rocsteady.measures.sets import set_properties
    from rocsteady.measures.threshold import (
        accuracy,
        balanced_accuracy,
        base_rate,
        cohen_kappa,
        diagnostic_odds_ratio,
        error_rate,
        f1,
        f_beta,
        false_discovery_rate,
        false_negative_rate,
        false_omission_rate,
        false_positive_rate,
        g_mean,
        jaccard,
        markedness,
        matthews_correlation,
        negative_likelihood_ratio,
        negative_predictive_value,
        positive_likelihood_ratio,
        precision,
        prevalence,
        recall,
        relative_error_reduction,
        specificity,
        youden_j,
    )
    from rocsteady.measures.ties import tie_diagnostics
    from rocsteady.multiclass.auc import compare_multiclass_auc, multiclass_auc, multiclass_auc_interval
    from rocsteady.multiclass.curves import multiclass_curves
    from rocsteady.multiclass.evaluation import evaluate_multiclass
    from rocsteady.multiclass.metrics import multiclass_confusion, multiclass_metrics, top_k_accuracy
    from rocsteady.ranked import RankedScores, merge, rank
    from rocsteady.reclassified.idi import integrated_discrimination
    from rocsteady.reclassified.nri import net_reclassification
    from rocsteady.reclassified.tables import reclassification
    from rocsteady.results import Bounded, Interval, TestResult
    from rocsteady.scored_curves import prob_roc, scored_roc
    from rocsteady.subgroups import GroupedEvaluation
    from rocsteady.uncertainty.auc import auc_interval, auc_null_test
    from rocsteady.uncertainty.bands import roc_band
    from rocsteady.uncertainty.binormal import binormal_fit, smooth_roc
    from rocsteady.uncertainty.bootstrap import bootstrap_interval, jackknife_interval
    from rocsteady.uncertainty.proportions import metric_interval, metric_intervals, proportion_interval
    from rocsteady.uncertainty.thresholds import threshold_interval

_HOMES = {
    "calibration.brier": "brier_interval compare_brier",
    "calibration.curve": "calibration_curve",
    "calibration.decomposition": "brier_decomposition log_loss_decomposition",
    "calibration.goodness": "hosmer_lemeshow spiegelhalter_test",
    "calibration.smooth": "smooth_calibration_error",
    "calibration.summary": "calibration_summary",
    "decisions": "compare_net_benefit decision_curve",
    "measures.probability": "brier_score discrimination_slope expected_calibration_error log_loss scaled_brier",
    "comparison.auc": "compare_auc",
    "comparison.curves": "compare_curves",
    "comparison.measure": "compare_measure",
    "comparison.models": "compare_models",
    "comparison.multiplicity": "adjust_pvalues",
    "comparison.power": "detectable_difference power_auc power_auc_pilot",
    "comparison.resampled": "compare_learners",
    "crossval.auc": "crossval_auc",
    "crossval.compare": "compare_crossval",
    "crossval.counts": "crossval_confusion",
    "crossval.curves": "averaged_roc",
    "crossval.evaluate": "crossval_evaluate",
    "crossval.scores": "crossval_scores",
    "curves": "det_curve dominates gains_curve pr_curve roc_curve roc_from_points roc_hull thin_curve",
    "errors": (
        "ArgumentError InputError MissingDependencyError RocsteadyError RocsteadyWarning Undefined UndefinedWarning"
    ),
    "evaluating": "evaluate",
    "evaluation": "Evaluation",
    "folded": "FoldedEvaluation",
    "subgroups": "GroupedEvaluation",
    "granular_curves": "granular_roc granularity_profile interval_auc",
    "inputs.join": "join_by_id",
    "measures": "Confusion FactSheet Measure confusion get_measure list_measures measure",
    "measures.choose": "best_threshold",
    "measures.granular": "lambda_auc low_auc rho_auc up_auc",
    "measures.pairs": "pairwise_mean",
    "measures.points": "sensitivity_at specificity_at",
    "measures.ranking": (
        "auc auch average_precision defective_pairs gini h_measure ks_statistic lift partial_auc pr_auc "
        "precision_at_k r_precision recall_at_k"
    ),
    "measures.scored": "mm1_auc mm4_auc mm6_auc mm7_auc mm11_auc mm12_auc prob_auc scored_auc soft_auc softened_auc",
    "measures.sets": "set_properties",
    "measures.threshold": (
        "accuracy balanced_accuracy base_rate cohen_kappa diagnostic_odds_ratio error_rate f1 f_beta "
        "false_discovery_rate false_negative_rate false_omission_rate false_positive_rate g_mean jaccard "
        "markedness matthews_correlation negative_likelihood_ratio negative_predictive_value "
        "positive_likelihood_ratio precision prevalence recall relative_error_reduction specificity youden_j"
    ),
    "measures.ties": "tie_diagnostics",
    "multiclass.auc": "compare_multiclass_auc multiclass_auc multiclass_auc_interval",
    "multiclass.curves": "multiclass_curves",
    "multiclass.evaluation": "evaluate_multiclass",
    "multiclass.metrics": "multiclass_confusion multiclass_metrics top_k_accuracy",
    "ranked": "RankedScores merge rank",
    "reclassified.idi": "integrated_discrimination",
    "reclassified.nri": "net_reclassification",
    "reclassified.tables": "reclassification",
    "results": "Bounded Interval TestResult",
    "scored_curves": "prob_roc scored_roc",
    "uncertainty.auc": "auc_interval auc_null_test",
    "uncertainty.bands": "roc_band",
    "uncertainty.binormal": "binormal_fit smooth_roc",
    "uncertainty.bootstrap": "bootstrap_interval jackknife_interval",
    "uncertainty.proportions": "metric_interval metric_intervals proportion_interval",
    "uncertainty.thresholds": "threshold_interval",
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}
_MODULES = {
    "curves",
    "errors",
    "examples",
    "granularity",
    "lab",
    "learning",
    "measures",
    "pairwise",
    "plots",
    "ranked",
    "results",
    "scale",
}


def __getattr__(name: str) -> Any:
    """Load a public name from the module it lives in."""
    if name in _MODULES:
        return import_module(f"rocsteady.{name}")
    if name not in _HOME_OF:
        return import_module("rocsteady.measures.registry").attribute_of_package(name)
    value = getattr(import_module(f"rocsteady.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])


__all__ = [
    "ArgumentError",
    "Bounded",
    "Confusion",
    "Evaluation",
    "FactSheet",
    "FoldedEvaluation",
    "GroupedEvaluation",
    "InputError",
    "Interval",
    "Measure",
    "MissingDependencyError",
    "RankedScores",
    "RocsteadyError",
    "RocsteadyWarning",
    "TestResult",
    "Undefined",
    "UndefinedWarning",
    "__version__",
    "accuracy",
    "adjust_pvalues",
    "auc",
    "auc_interval",
    "auc_null_test",
    "auch",
    "average_precision",
    "averaged_roc",
    "balanced_accuracy",
    "base_rate",
    "best_threshold",
    "binormal_fit",
    "bootstrap_interval",
    "brier_decomposition",
    "brier_interval",
    "brier_score",
    "calibration_curve",
    "calibration_summary",
    "cohen_kappa",
    "compare_auc",
    "compare_brier",
    "compare_crossval",
    "compare_curves",
    "compare_learners",
    "compare_measure",
    "compare_models",
    "compare_multiclass_auc",
    "compare_net_benefit",
    "confusion",
    "crossval_auc",
    "crossval_confusion",
    "crossval_evaluate",
    "crossval_scores",
    "decision_curve",
    "defective_pairs",
    "det_curve",
    "detectable_difference",
    "diagnostic_odds_ratio",
    "discrimination_slope",
    "dominates",
    "error_rate",
    "evaluate",
    "evaluate_multiclass",
    "expected_calibration_error",
    "f1",
    "f_beta",
    "false_discovery_rate",
    "false_negative_rate",
    "false_omission_rate",
    "false_positive_rate",
    "g_mean",
    "gains_curve",
    "get_measure",
    "gini",
    "granular_roc",
    "granularity_profile",
    "h_measure",
    "hosmer_lemeshow",
    "integrated_discrimination",
    "interval_auc",
    "jaccard",
    "jackknife_interval",
    "join_by_id",
    "ks_statistic",
    "lambda_auc",
    "lift",
    "list_measures",
    "log_loss",
    "log_loss_decomposition",
    "low_auc",
    "markedness",
    "matthews_correlation",
    "measure",
    "merge",
    "metric_interval",
    "metric_intervals",
    "mm1_auc",
    "mm4_auc",
    "mm6_auc",
    "mm7_auc",
    "mm11_auc",
    "mm12_auc",
    "multiclass_auc",
    "multiclass_auc_interval",
    "multiclass_confusion",
    "multiclass_curves",
    "multiclass_metrics",
    "negative_likelihood_ratio",
    "negative_predictive_value",
    "net_reclassification",
    "pairwise_mean",
    "partial_auc",
    "positive_likelihood_ratio",
    "power_auc",
    "power_auc_pilot",
    "pr_auc",
    "pr_curve",
    "precision",
    "precision_at_k",
    "prevalence",
    "prob_auc",
    "prob_roc",
    "proportion_interval",
    "r_precision",
    "rank",
    "recall",
    "recall_at_k",
    "reclassification",
    "relative_error_reduction",
    "rho_auc",
    "roc_band",
    "roc_curve",
    "roc_from_points",
    "roc_hull",
    "scaled_brier",
    "scored_auc",
    "scored_roc",
    "sensitivity_at",
    "set_properties",
    "smooth_calibration_error",
    "smooth_roc",
    "soft_auc",
    "softened_auc",
    "specificity",
    "specificity_at",
    "spiegelhalter_test",
    "thin_curve",
    "threshold_interval",
    "tie_diagnostics",
    "top_k_accuracy",
    "up_auc",
    "youden_j",
]
