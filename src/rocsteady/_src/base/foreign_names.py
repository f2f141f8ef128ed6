"""What people know from other libraries by other names: the line to type here instead.

Lines are run by the test-suite, with labels ``y`` of two classes and ``labels`` of three, scores ``s`` and ``t`` of two
models, probabilities ``p`` of three classes, a table ``df`` with columns y, a and b, features ``X``, and a fitted
classifier ``clf``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady._src.base.source_terms import find_term, near_term

if TYPE_CHECKING:
    from collections.abc import Mapping

RATIOS = ("f1", "precision", "recall")
SEARCHED = "rs.scorer('auc')  # for scoring= of scikit-learn's own"
SCIKIT_LEARN = {
    "precision_recall_curve": "rs.pr_curve(y, s)",
    "confusion_matrix": "rs.confusion(y, s, threshold=0.5)",
    "multilabel_confusion_matrix": "rs.multiclass.multiclass_confusion(labels, p.argmax(axis=1))",
    "classification_report": "rs.evaluate(y, s, threshold=0.5)",
    "top_k_accuracy_score": "rs.multiclass.top_k_accuracy(labels, p, k=2)",
    "RocCurveDisplay": "rs.roc_curve(y, s).plot()",
    "PrecisionRecallDisplay": "rs.pr_curve(y, s).plot()",
    "DetCurveDisplay": "rs.curves.det_curve(y, s).plot()",
    "CalibrationDisplay": "rs.calibration_curve(y, s).plot()",
    "ConfusionMatrixDisplay": "rs.confusion(y, s, threshold=0.5).plot()",
    "make_scorer": "rs.scorer('h_measure')",
    "get_scorer": "rs.scorer('auc')",
    "get_scorer_names": "rs.list_measures()",
    "cross_val_score": "rs.crossval_evaluate_estimators(clf, X, y, cv=5)",
    "cross_validate": "rs.crossval_evaluate_estimators(clf, X, y, cv=5)",
    "cross_val_predict": "rs.crossval.crossval_scores(clf, X, y, cv=5)",
    "TunedThresholdClassifierCV": "rs.best_threshold(y, s, rule='youden')",
    "FixedThresholdClassifier": "rs.confusion(y, s, threshold=0.3)",
    "precision_recall_fscore_support": "rs.evaluate(y, s, measures=['precision', 'recall', 'f1'], threshold=0.5)",
    "zero_one_loss": "rs.measures.error_rate(y, s, threshold=0.5)",
    "hamming_loss": "rs.measures.error_rate(y, s, threshold=0.5)",
    "class_likelihood_ratios": "rs.measures.positive_likelihood_ratio(y, s, threshold=0.5)",
    "permutation_test_score": "rs.compare_auc(y, s, t, method='permutation')",
    "confusion_matrix_at_thresholds": "rs.confusion(y, s, threshold='all')",
    "metric_at_thresholds": "rs.confusion(y, s, threshold='all').f1",
    "d2_brier_score": "rs.measures.scaled_brier(y, s)",
    "d2_log_loss_score": "rs.evaluate(y, s, measures=['log_loss', 'scaled_brier'])",
    "hinge_loss": "rs.evaluate(y, s, measures=['auc', 'brier_score', 'log_loss'])",
    "dcg_score": "rs.measures.precision_at_k(y, s, k=10)",
    "ndcg_score": "rs.measures.precision_at_k(y, s, k=10)",
    "mean_squared_error": "rs.brier_score(y, s)",
    "label_ranking_average_precision_score": "rs.evaluate(indicators, p)",
    "label_ranking_loss": "rs.evaluate(indicators, p)",
    "coverage_error": "rs.evaluate(indicators, p)",
    "check_scoring": "rs.scorer('auc')",
    **dict.fromkeys(("learning_curve", "validation_curve", "GridSearchCV", "RandomizedSearchCV"), SEARCHED),
    "train_test_split": "rs.crossval_evaluate_estimators(clf, X, y, cv=5)",
    "StratifiedKFold": "rs.crossval_evaluate_estimators(clf, X, y, cv=5)",
    "CalibratedClassifierCV": "rs.calibration.calibration_summary(y, s)",
}
PROC = {
    "roc": "rs.roc_curve(y, s)",
    "ci": "rs.auc_interval(y, s)",
    "ci_auc": "rs.auc_interval(y, s)",
    "ci_se": "rs.roc_band(y, s)",
    "ci_sp": "rs.roc_band(y, s)",
    "ci_thresholds": "rs.roc_band(y, s)",
    "ci_coords": "rs.inference.threshold_interval(y, s)",
    "roc_test": "rs.compare_auc(y, s, t)",
    "coords": "rs.best_threshold(y, s, rule='youden')",
    "smooth": "rs.curves.smooth_roc(y, s)",
    "power_roc_test": "rs.power_auc(auc=0.8, second_auc=0.85, corr_pos=0.6, corr_neg=0.6, n_pos=50, n_neg=50)",
    "multiclass_roc": "rs.multiclass_auc(labels, p, scheme='hand-till')",
    "cov": "rs.inference.auc_contrasts(y, {'a': s, 'b': t}).covariance",
    "var": "rs.auc_interval(y, s, method='delong')",
    "ggroc": "rs.evaluate(y, {'a': s, 'b': t}).plot()",
    "plot_roc": "rs.roc_curve(y, s).plot()",
    "lines_roc": "rs.evaluate(y, {'a': s, 'b': t}).plot(kind='roc')",
    "plot_ci": "rs.roc_band(y, s).plot()",
    "geom_polygon_auc": "rs.roc_curve(y, s).plot()",
    "are_paired": "rs.compare_auc(y, s, t)",
    "has_partial_auc": "rs.partial_auc(y, s, fpr_range=(0, 0.1))",
    "ci_multiclass_auc": "rs.multiclass.multiclass_auc_interval(labels, p)",
    "aSAH": "rs.examples.loans()",
}
SKORE = {
    "EstimatorReport": "rs.evaluate_estimators(clf, X, y)",
    "CrossValidationReport": "rs.crossval_evaluate_estimators(clf, X, y, cv=5)",
    "ComparisonReport": "rs.evaluate_estimators({'a': clf, 'b': clf}, X, y)",
    "MetricsSummaryDisplay": "rs.evaluate_estimators(clf, X, y).to_frame()",
    "Project": "rs.evaluate_estimators(clf, X, y).save('evaluation.json')",
    "TableReport": "rs.evaluate(df, label='y', scores=['a', 'b']).report('report.html')",
}
YARDSTICK = {
    "metrics": "rs.evaluate(df, label='y', scores=['a', 'b'])",
    "metric_set": "rs.evaluate(y, s, measures=['auc', 'average_precision', 'brier_score'])",
    "conf_mat": "rs.confusion(y, s, threshold=0.5)",
    "mn_log_loss": "rs.log_loss(y, s)",
    "brier_class": "rs.brier_score(y, s)",
    "gain_curve": "rs.gains_curve(y, s)",
    "lift_curve": "rs.gains_curve(y, s)",
    "gain_capture": "rs.gini(y, s)",
    "bal_accuracy": "rs.measures.balanced_accuracy(y, s, threshold=0.5)",
    "kap": "rs.measures.cohen_kappa(y, s, threshold=0.5)",
    "f_meas": "rs.measures.f1(y, s, threshold=0.5)",
    "j_index": "rs.best_threshold(y, s, rule='youden')",
    "roc_aunu": "rs.multiclass_auc(labels, p, average='macro')",
    "roc_aunp": "rs.multiclass_auc(labels, p, average='weighted')",
    "detection_prevalence": "rs.evaluate(y, s, by=labels, threshold=0.5).gaps('selection_rate')",
    "classification_cost": "rs.best_threshold(y, s, rule='cost', cost_fn=5)",
    "two_class_example": "rs.examples.loans()",
    "equal_opportunity": "rs.evaluate(y, s, by=labels, threshold=0.5).gaps('equal_opportunity')",
    "equalized_odds": "rs.evaluate(y, s, by=labels, threshold=0.5).gaps('equalized_odds')",
    "demographic_parity": "rs.evaluate(y, s, by=labels, threshold=0.5).gaps('demographic_parity')",
    "roc_auc_vec": "rs.auc(y, s)",
    "accuracy_vec": "rs.measures.accuracy(y, s, threshold=0.5)",
}
MLSTATKIT = {
    "Delong_test": "rs.compare_auc(y, s, t, method='delong')",
    "Bootstrapping": "rs.bootstrap_interval('auc', y, s, n_resamples=200, random_state=1)",
    "Permutation_test": "rs.compare_measure('average_precision', y, s, t, method='permutation', n_resamples=200)",
    "AUC2OR": "rs.measures.diagnostic_odds_ratio(y, s, threshold=0.5)",
}
CREDIT = {
    "psi": "rs.monitoring.stability_index(s, t)",
    "population_stability_index": "rs.monitoring.stability_index(s, t)",
    "cap_curve": "rs.gains_curve(y, s)",
    "cap": "rs.gains_curve(y, s)",
    "gini_interval": "rs.inference.measure_interval('gini', y, s)",
    "decile_table": "rs.gains_curve(y, s, n_bins=10)",
    "gains_table": "rs.gains_curve(y, s, n_bins=10)",
}
STATSMODELS = {
    "mcnemar": "rs.compare_outcomes((s >= 0.5) == y, (t >= 0.5) == y)",
    "cochrans_q": "rs.compare_outcomes({'a': (s >= 0.5) == y, 'b': (t >= 0.5) == y, 'c': (s + t >= 1) == y})",
    "proportion_confint": "rs.proportion_interval(8, 10)",
    "Logit": "rs.evaluate(y, s)",
    "anova_oneway": "rs.evaluate(y, s, by=labels)",
    "multipletests": "rs.compare_models(y, {'a': s, 'b': t})",
}
TORCHMETRICS = {
    "BinaryAUROC": "rs.auc(y, s)",
    "BinaryROC": "rs.roc_curve(y, s)",
    "BinaryAveragePrecision": "rs.average_precision(y, s)",
    "BinaryPrecisionRecallCurve": "rs.pr_curve(y, s)",
    "BinaryAccuracy": "rs.measures.accuracy(y, s, threshold=0.5)",
    "BinaryF1Score": "rs.measures.f1(y, s, threshold=0.5)",
    "BinaryConfusionMatrix": "rs.confusion(y, s, threshold=0.5)",
    "BinaryCalibrationError": "rs.measures.expected_calibration_error(y, s)",
    "BootStrapper": "rs.bootstrap_interval('auc', y, s, n_resamples=200, random_state=1)",
    "ConfusionMatrix": "rs.confusion(y, s, threshold=0.5)",
    "MetricCollection": "rs.evaluate(y, s, measures=['auc', 'average_precision', 'brier_score'])",
    "MulticlassAUROC": "rs.multiclass_auc(labels, p)",
    "MulticlassAccuracy": "rs.evaluate(labels, p.argmax(axis=1))",
    "MulticlassConfusionMatrix": "rs.multiclass.multiclass_confusion(labels, p.argmax(axis=1))",
    "MulticlassF1Score": "rs.evaluate(labels, p.argmax(axis=1))",
    "MultilabelAUROC": "rs.evaluate(indicators, p)",
    "MultilabelAveragePrecision": "rs.evaluate(indicators, p)",
    "functional": "rs.auc(y, s)",
}
OTHERS = {
    "demo": "rs.evaluate(rs.examples.loans(), label='defaulted', scores=['boosted', 'logistic'])",
    "show_versions": "rs.__version__",
    "delong_roc_test": "rs.compare_auc(y, s, t, method='delong')",
    "ROC": "rs.roc_curve(y, s)",
    "sensitivity_score": "rs.measures.recall(y, s, threshold=0.5)",
    "specificity_score": "rs.measures.specificity(y, s, threshold=0.5)",
    "geometric_mean_score": "rs.measures.g_mean(y, s, threshold=0.5)",
    "delong_roc_variance": "rs.auc_interval(y, s, method='delong')",
    "delong_test": "rs.compare_auc(y, s, t, method='delong')",
    "auc_ci": "rs.auc_interval(y, s)",
    "evaluate_models": "rs.evaluate_estimators({'a': clf}, X, y)",
    "threshold_by_cost": "rs.best_threshold(y, s, rule='cost', cost_fn=5)",
    "cutoff": "rs.best_threshold(y, s, rule='youden')",
    "optimal_threshold": "rs.best_threshold(y, s, rule='youden')",
    "optimal_cutoff": "rs.best_threshold(y, s, rule='youden')",
    "optimal_cutpoint": "rs.best_threshold(y, s, rule='youden')",
    "cutpointr": "rs.best_threshold(y, s, rule='youden')",
    "youden_index": "rs.best_threshold(y, s, rule='youden')",
    "kolmogorov_smirnov": "rs.ks_statistic(y, s)",
    "reliability_diagram": "rs.calibration_curve(y, s).plot()",
    "reliability_curve": "rs.calibration_curve(y, s)",
    "calibration_plot": "rs.calibration_curve(y, s).plot()",
    "net_benefit": "rs.decision_curve(y, s)",
    "plot_roc_curve": "rs.roc_curve(y, s).plot()",
    "plot_precision_recall_curve": "rs.pr_curve(y, s).plot()",
    "plot_confusion_matrix": "rs.confusion(y, s, threshold=0.5).plot()",
    "roc_plot": "rs.roc_curve(y, s).plot()",
    "roc_auc_ci": "rs.auc_interval(y, s)",
    "auc_delong": "rs.auc_interval(y, s, method='delong')",
    "delong_ci": "rs.auc_interval(y, s, method='delong')",
    "summarize": "rs.evaluate(y, {'a': s, 'b': t})",
    "permutation_test": "rs.compare_auc(y, s, t, method='permutation')",
    "venkatraman": "rs.compare_curves(y, s, t)",
    "delong": "rs.compare_auc(y, s, t, method='delong')",
    "improveProb": "rs.net_reclassification(y, s, t)",
    "nri": "rs.net_reclassification(y, s, t)",
    "idi": "rs.integrated_discrimination(y, s, t)",
    "somers2": "rs.gini(y, s)",
    "val_prob": "rs.calibration.calibration_summary(y, s)",
    "dca": "rs.decision_curve(y, {'a': s, 'b': t})",
    "bootstrap": "rs.bootstrap_interval('auc', y, s, n_resamples=200, random_state=1)",
    "confidence_interval": "rs.auc_interval(y, s)",
    "ks_2samp": "rs.ks_statistic(y, s)",
    "gini_score": "rs.gini(y, s)",
    "decide": "rs.evaluate(y, {'a': s, 'b': t}).decide(cost_fp=1, cost_fn=5)",
    "save": "rs.evaluate(y, s).save('evaluation.json')",
    "read_csv": "rs.evaluate(df, label='y', scores=['a', 'b'])",
    "evaluate_multilabel": "rs.evaluate(indicators, p)",
    **dict.fromkeys(("fairness", "MetricFrame"), "rs.evaluate(y, s, by=labels, threshold=0.5).gaps('recall')"),
    "demographic_parity_difference": "rs.evaluate(y, s, by=labels, threshold=0.5).gaps('demographic_parity')",
    "equalized_odds_difference": "rs.evaluate(y, s, by=labels, threshold=0.5).gaps('equalized_odds')",
    "report": "rs.evaluate(y, {'a': s, 'b': t}).report('report.html')",
    "compare": "rs.evaluate(y, {'a': s, 'b': t}).compare()",
    "plot": "rs.evaluate(y, {'a': s, 'b': t}).plot()",
    "help": "rs.list_measures()",
    "sample_size": "rs.power_auc(auc=0.7, power=0.9)",
    "n_samples": "rs.power_auc(auc=0.7, power=0.9)",
    **dict.fromkeys(("load_breast_cancer", "load_digits", "load_iris", "breast_cancer"), "rs.examples.loans()"),
    **dict.fromkeys(("datasets", "load_loans", "load_data", "load_dataset", "fetch_openml"), "rs.examples.loans()"),
    "best_model": "rs.evaluate(y, {'a': s, 'b': t}).compare()",
}
# Of more than two classes another line does it.
OF_CLASSES = {
    "classification_report": "rs.evaluate(labels, p.argmax(axis=1))",
    "confusion_matrix": "rs.multiclass.multiclass_confusion(labels, p.argmax(axis=1))",
    "ConfusionMatrixDisplay": "rs.multiclass.multiclass_confusion(labels, p.argmax(axis=1)).plot()",
    "precision_recall_fscore_support": "rs.multiclass.multiclass_measures(labels, p.argmax(axis=1))",
    "conf_mat": "rs.multiclass.multiclass_confusion(labels, p.argmax(axis=1))",
}
LIBRARIES = {
    "scikit-learn": SCIKIT_LEARN,
    "pROC": PROC,
    "skore": SKORE,
    "yardstick": YARDSTICK,
    "MLstatkit": MLSTATKIT,
    "statsmodels": STATSMODELS,
    "torchmetrics": TORCHMETRICS,
    "": OTHERS | CREDIT,
}
# Lines that do something like it; the others do the same.
NEAREST = frozenset(
    (
        *("d2_log_loss_score", "hinge_loss", "dcg_score", "ndcg_score", "label_ranking_average_precision_score"),
        *("label_ranking_loss", "coverage_error", "learning_curve", "validation_curve", "GridSearchCV"),
        *("RandomizedSearchCV", "train_test_split", "StratifiedKFold", "CalibratedClassifierCV", "aSAH"),
        *("help", "fetch_openml", "read_csv", "load_breast_cancer", "load_digits", "load_iris", "breast_cancer"),
        *("Project", "TableReport", "two_class_example", "detection_prevalence", "AUC2OR"),
    )
)

# Functions of two models, and the line for any number of them.
OF_SEVERAL = {
    "compare_auc": "rs.compare_models(y, models)",
    "compare_brier": "rs.compare_models(y, models, measure='brier_score')",
    "compare_measure": "rs.compare_models(y, models, measure='average_precision')",
}

# Options of scikit-learn's functions of the same names, and the lines that do what they ask for.
NOT_FITTING = ("evaluate", "evaluate_estimators", "compare_models", "crossval_auc")
OF_SPLITS = ("cv", "splitter", "n_splits", "n_folds", "n_repeats")
CROSSVALIDATED = "rs.crossval_evaluate_estimators(clf, X, y, cv=5)"
PER_CLASS = "rs.multiclass.multiclass_measures(labels, p.argmax(axis=1))"
COMPARING = ("compare_auc", "compare_measure", "compare_models")
BY_RULE = "costs decide; a threshold by a rule: rs.best_threshold(result.ranked[model], rule={rule})"
# Options that people look for in methods of results.
OF_METHODS = {
    ("decide", "rule"): BY_RULE.format(rule="'f1'"),
    ("decide", "measure"): BY_RULE.format(rule="'f1'"),
    ("decide", "min_precision"): BY_RULE.format(rule="'precision>=0.5'"),
    ("decide", "min_recall"): BY_RULE.format(rule="'recall>=0.9'"),
    ("decide", "cost_matrix"): "the costs of errors by name: decide(cost_fp=1, cost_fn=5)",
    ("decide", "cost_ratio"): "the costs of errors by name: decide(cost_fp=1, cost_fn=5)",
    ("decide", "budget"): "what is bought by so many calls: rs.measures.precision_at_k(result.ranked[model], k=100)",
}
ONE_SIDED = "rs.compare_auc(y, s, t, alternative='greater')"
RATES_OF_POINT = {
    **dict.fromkeys(("recall", "sensitivity", "hit_rate", "tmr", "tar"), "it is tpr= here: tpr=0.9"),
    **dict.fromkeys(("fmr", "far", "false_positive_rate"), "it is fpr= here: fpr=0.01"),
    **dict.fromkeys(("fnmr", "frr", "fnr", "false_negative_rate"), "0.05 of it is tpr=0.95"),
    **dict.fromkeys(("specificity", "tnr"), "0.99 of it is fpr=0.01"),
    **dict.fromkeys(("ppv",), "it is precision= here: precision=0.9"),
    **dict.fromkeys(("fdr",), "0.1 of it is precision=0.9"),
    **dict.fromkeys(("eer",), "equal_error=True"),
}
KEPT = "every corner of the curve is kept: leave it out"
OPTIONS_ELSEWHERE = {
    ("auc", "multi_class"): "of more than two classes: rs.multiclass_auc(labels, p, average='macro')",
    ("auc", "average"): (
        "of more than two classes: rs.multiclass_auc(labels, p, average='macro'); "
        "of several labels: rs.evaluate(indicators, p)"
    ),
    ("accuracy", "normalize"): "the count is a sum of cells: rs.confusion(y, s, threshold=0.5).tp",
    ("auc", "partial_auc"): "rs.partial_auc(y, s, fpr_range=(0, 0.1))",
    **{(function, option): f"of models: {CROSSVALIDATED}" for function in NOT_FITTING for option in OF_SPLITS},
    ("compare_auc", "scores"): "two columns of a table: rs.compare_auc(df, 'a', 'b', label='y')",
    ("compare_auc", "one_sided"): ONE_SIDED,
    **{(each, "correction"): "p by Holm and by Benjamini and Hochberg are always there" for each in COMPARING},
    ("compare_models", "by"): "rs.evaluate(y, {'a': s, 'b': t}, by=labels).compare()",
    ("evaluate", "cost_fn"): "rs.evaluate(y, s).decide(cost_fn=5)",
    ("evaluate", "cost_fp"): "rs.evaluate(y, s).decide(cost_fp=5)",
    ("compare_models", "alternative"): f"differences are tested in both directions; in one, of two models: {ONE_SIDED}",
    ("compare_models", "margin"): "of two models: rs.compare_auc(y, s, t, alternative='non-inferiority', margin=0.05)",
    **{("operating_point", option): line for option, line in RATES_OF_POINT.items()},
    ("jaccard", "average"): f"of more than two classes: {PER_CLASS}.averages['macro']['jaccard']",
    ("auc", "max_fpr"): "rs.partial_auc(y, s, fpr_range=(0, 0.1), standardize=True)",
    ("average_precision", "average"): "of several labels: rs.evaluate(indicators, p).average_precisions",
    ("roc_curve", "drop_intermediate"): f"{KEPT}, or rs.curves.thin_curve(rs.roc_curve(y, s), 0.001)",
    ("pr_curve", "drop_intermediate"): f"{KEPT}, or rs.curves.thin_curve(rs.pr_curve(y, s), 0.001)",
    ("det_curve", "drop_intermediate"): KEPT,
    ("cohen_kappa", "weights"): f"of more than two classes: {PER_CLASS}.kappa_quadratic",
    ("f_beta", "average"): "of more than two classes: rs.evaluate(labels, p, measures=['macro_f_beta(beta=2)'])",
    ("f1", "zero_division"): "a measure without a value is NaN with its reason: leave it out",
    ("precision", "zero_division"): "a measure without a value is NaN with its reason: leave it out",
    ("recall", "zero_division"): "a measure without a value is NaN with its reason: leave it out",
    **{(name, "average"): f"of more than two classes: {PER_CLASS}.averages['macro']['{name}']" for name in RATIOS},
    **{(name, "labels"): f"of more than two classes: {PER_CLASS}" for name in RATIOS},
}


def option_elsewhere(function: str, option: str, given: Mapping[str, object]) -> str:
    """The line that does what an option of another library's function asks for; empty where there is none.

    Examples
    --------
    >>> option_elsewhere("auc", "multi_class", {"multi_class": "ovr", "average": "weighted"})
    "; of more than two classes: rs.multiclass_auc(labels, p, average='weighted')"
    """
    function = "compare_models" if function == "compare" else function  # of an evaluation
    line = OPTIONS_ELSEWHERE.get((function, option)) or OF_METHODS.get((function, option), "")
    if option == "alternative" and given[option] == "two-sided" and line:
        return "; differences are tested in both directions: leave it out"
    if given.get("alternative") == "less":
        line = line.replace("'greater'", "'less'")
    if given.get("alternative") in ("superiority", "non-inferiority", "equivalence"):
        line = line.replace("'greater'", f"'{given['alternative']}', margin={given.get('margin', 0.05)!r}")
    if given.get("multi_class") == "ovo":
        line = line.replace("average='macro'", "scheme='hand-till'")
    if (average := given.get("average")) in ("weighted", "micro"):
        line = line.replace("'macro'", f"'{average}'")
    return f"; {line}" if line else ""


def line_instead(name: str) -> str:
    """What to type instead of a name of another library or a term of a source; empty where it is none.

    Examples
    --------
    >>> line_instead("tabela reklasyfikacji")
    '; tabela reklasyfikacji (Polish: reclassification table) is here: rs.reclassification(y, s, t, cutoffs=[0.5])'
    """
    for library, lines in LIBRARIES.items():
        if name in lines:
            whose = f"{library}'s {name}" if library else name
            classes = f"; of more than two classes: {OF_CLASSES[name]}" if name in OF_CLASSES else ""
            return f"; {whose} is {'not offered; nearest is' if name in NEAREST else 'here'}: {lines[name]}{classes}"
    term = find_term(name) or near_term(name)
    return "" if term is None else f"; {term.answer}"
