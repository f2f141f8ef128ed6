"""Values of every measure: with weights, ties, few rows, one class, perfect and infinite scores, and their options."""

from __future__ import annotations

from ..case import Case, cases, each

RANKING = (
    *("auc", "gini", "defective_pairs", "average_precision", "pr_auc", "r_precision", "precision_at_k"),
    *("recall_at_k", "lift", "ks_statistic", "auch", "h_measure", "equal_error_rate", "sensitivity_at_specificity"),
    *("specificity_at_sensitivity", "tpr_at_fpr", "fpr_at_tpr", "fnmr_at_fmr", "precision_at_recall"),
    *("recall_at_precision", "pr_gain_auc", "two_way_partial_auc", "partial_pr_auc"),
)
AT_A_THRESHOLD = (
    *("recall", "specificity", "precision", "negative_predictive_value", "false_positive_rate"),
    *("false_negative_rate", "false_discovery_rate", "false_omission_rate", "accuracy", "error_rate"),
    *("balanced_accuracy", "f1", "f_beta", "g_mean", "fowlkes_mallows", "matthews_correlation", "cohen_kappa"),
    *("youden", "positive_likelihood_ratio", "negative_likelihood_ratio", "diagnostic_odds_ratio", "markedness"),
    *("jaccard", "prevalence", "no_information_rate", "auc_accuracy"),
)
OF_PROBABILITIES = (
    *("brier_score", "scaled_brier", "log_loss", "information_score", "relative_information_score"),
    *("expected_calibration_error", "discrimination_slope"),
)
SCORE_AWARE = (
    *("prob_auc", "scored_auc", "softened_auc", "soft_auc", "mm1_auc", "mm4_auc", "mm6_auc", "mm7_auc", "mm11_auc"),
    "mm12_auc",
)
GRANULAR = ("low_auc", "up_auc", "lambda_auc")
PLAIN = each(
    "binary", "ties", "few", "perfect", "reversed_order", "constant", "one_class", "one_positive", "infinite", "certain"
)
RANGES = ((0.0, 0.2), (0.1, 0.4))

OF_OPTIONS: list[Case] = [
    *cases(
        "value",
        each("binary", "ties"),
        kind="exact",
        of="partial_auc",
        fpr_range=each(*RANGES),
        standardize=each(None, True),
        weight=each(None, "w"),
    ),
    *cases(
        "value",
        "binary",
        kind="exact",
        of="partial_auc",
        tpr_range=each((0.8, 1.0), (0.5, 0.9)),
        standardize=each(None, True),
    ),
    *cases(
        "value",
        "binary",
        kind="exact",
        of="concordant_partial_auc",
        fpr_range=each(*RANGES),
        standardize=each(None, True),
    ),
    *cases("value", "binary", kind="exact", of="concordant_partial_auc", tpr_range=(0.7, 1.0)),
    *cases(
        "value",
        "binary",
        kind="exact",
        of="two_way_partial_auc",
        max_fpr=each(0.3, 0.6),
        min_tpr=0.6,
        standardize=each(None, True),
    ),
    *cases(
        "value",
        "binary",
        kind="exact",
        of="partial_pr_auc",
        recall_range=each((0.0, 0.5), (0.3, 0.9)),
        standardize=each(None, True),
    ),
    *cases("value", "binary", kind="exact", of=each("precision_at_k", "recall_at_k"), k=each(1, 5, 119, 500)),
    *cases("value", each("binary", "ties"), kind="exact", of="lift", fraction=each(0.05, 0.3, 1.0)),
    *cases("value", "binary", of="h_measure", alpha=each(2.0, 1.0), beta=each(2.0, 5.0)),
    *cases("value", "binary", of="h_measure", severity_ratio=each(0.5, "prevalence"), weight=each(None, "w")),
    *cases(
        "value",
        "ties",
        "measures/sensitivity_at",
        kind="exact",
        of="sensitivity_at_specificity",
        specificity=each(0.5, 0.95, 1.0),
    ),
    *cases("value", "ties", kind="exact", of="specificity_at_sensitivity", sensitivity=each(0.5, 0.95, 1.0)),
    *cases("value", "ties", kind="exact", of="tpr_at_fpr", fpr=each(0.0, 0.05, 0.3)),
    *cases("value", "ties", kind="exact", of="fpr_at_tpr", tpr=each(0.5, 0.8, 1.0)),
    *cases("value", "ties", kind="exact", of="fnmr_at_fmr", fmr=each(0.01, 0.2)),
    *cases("value", "ties", kind="exact", of="precision_at_recall", recall=each(0.3, 0.95)),
    *cases("value", "ties", kind="exact", of="recall_at_precision", precision=each(0.5, 0.99)),
    *cases("value", "binary", kind="exact", of="f_beta", threshold=0.4, beta=each(0.5, 2.0)),
    *cases("value", "ties", kind="exact", of=each(*AT_A_THRESHOLD), threshold=0.3, weight=each(None, "w")),
    *cases("value", "binary", of=each("information_score", "relative_information_score"), prevalence=each(0.1, 0.5)),
    *cases(
        "value",
        each("binary", "ties"),
        of="expected_calibration_error",
        n_bins=each(4, 15),
        strategy=each("quantile", "uniform"),
    ),
    *cases("value", "binary", of="softened_auc", q=each(0.05, 0.4), exact=each(None, True)),
    *cases("value", "binary", of="soft_auc", beta=each(2.0, 20.0), exact=each(None, True)),
    *cases("value", "binary", of=each("scored_auc", "mm1_auc", "mm4_auc", "mm6_auc", "mm7_auc"), exact=True),
    *cases("value", "binary", of="mm4_auc", floor=each(0.0, 0.3)),
    *cases(
        "value", "binary", of=each("mm6_auc", "mm7_auc"), m=each(0.5, 1.0), n=each(0.0625, 0.2), floor=each(None, 0.2)
    ),
    *cases(
        "value",
        each("binary", "ties"),
        kind="exact",
        of=each(*GRANULAR),
        delta=each(0.02, 0.1, 0.5),
        definition=each("consistent", "dong2013"),
    ),
    *cases("value", "ties", kind="exact", of=each(*GRANULAR), delta=each(0.1, 0.3), float_ties="ieee"),
    *cases(
        "value", each("binary", "ties"), of="rho_auc", upper=each(None, 0.3), definition=each("consistent", "dong2013")
    ),
    *cases("value", "binary", of="rho_auc", tolerance=1e-3),
]

CASES: list[Case] = [
    *cases("value", PLAIN, kind="exact", of=each(*RANKING), weight=each(None, "w", "k")),
    *cases("value", each("binary", "few"), of=each("h_measure", "auc", "average_precision"), score="s", weight="w"),
    *cases(
        "value",
        PLAIN,
        "measures/confusion",
        kind="exact",
        of=each(*AT_A_THRESHOLD),
        threshold=0.5,
        weight=each(None, "w"),
    ),
    *cases("value", PLAIN, of=each(*OF_PROBABILITIES), weight=each(None, "w")),
    *cases("value", PLAIN, of=each(*SCORE_AWARE), weight=each(None, "k")),
    *cases("value", PLAIN, of=each(*GRANULAR, "rho_auc"), weight=each(None, "k")),
    *cases("value", each("missing", "texts"), "errors/InputError", kind="exact", of=each("auc", "brier_score")),
    *cases("value", "missing", kind="exact", of=each("auc", "brier_score", "recall"), threshold=None, missing="drop"),
    *cases("value", "texts", kind="exact", of="auc", pos_label=each("ill", "well")),
    *OF_OPTIONS,
    *cases(
        "value",
        "binary",
        "errors/ArgumentError",
        kind="exact",
        of="partial_auc",
        fpr_range=each((0.5, 0.2), (0.0, 2.0)),
    ),
    *cases(
        "ties",
        each("binary", "ties", "constant", "one_class"),
        "measures/tie_diagnostics",
        kind="exact",
        weight=each(None, "k"),
    ),
    *cases("ties", "binary", "measures/tie_diagnostics", kind="exact", near_ulps=each(1, 1 << 40)),
    *cases("properties of a set", PLAIN, "measures/set_properties", kind="exact"),
    *cases(
        "mean over pairs",
        each("binary", "ties"),
        "measures/pairwise_mean",
        "measures/SmoothKernel",
        function=each("logistic", "step", "square"),
        weight=each(None, "k"),
    ),
    *cases("mean over pairs", "few", "measures/pairwise_mean", function="logistic", exact=True),
    *cases(
        "own measure",
        each("binary", "few"),
        "measures/measure",
        "measures/Measure",
        kind="resampled",
        resamples=60,
        seed=1,
    ),
    *cases(
        "facts of a measure",
        "binary",
        "measures/get_measure",
        "measures/FactSheet",
        kind="exact",
        of=each(*RANKING, *AT_A_THRESHOLD, *OF_PROBABILITIES, *SCORE_AWARE, *GRANULAR),
    ),
    *cases(
        "number of measures",
        "binary",
        "measures/list_measures",
        kind="exact",
        family=each("ranking", "threshold", "probability", "score-aware", "granular"),
    ),
    *cases(
        "relative error reduction",
        "binary",
        "measures/relative_error_reduction",
        kind="exact",
        first=each(0.8, 1.0),
        second=each(0.85, 0.7),
    ),
    *cases("scorer", "binary", "measures/scorer", kind="exact", of=each("auc", "brier_score", "average_precision")),
    *cases(
        "ranked",
        each("binary", "ties", "perfect", "one_class"),
        "flat/rank",
        "flat/RankedScores",
        kind="exact",
        weight=each(None, "w"),
    ),
    *cases("ranked", each("binary", "ties"), "flat/rank", weight="k", weight_type="frequency"),
    *cases("ranked", each("binary", "ties"), "flat/merge", split=each("site", "half"), weight=each(None, "w")),
    *cases("joined", "binary", "flat/join_by_id", scores=("a", "b")),
    *cases("joined", "binary", "flat/join_by_id", scores=("a", "b"), shift=7, unmatched=each(None, "drop")),
    *cases("joined", "binary", "flat/join_by_id", scores=("a", "b", "d")),
    *cases("properties of a set", "ties", "measures/set_properties", kind="exact", weight="k"),
]
