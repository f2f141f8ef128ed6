"""Cross-validation: means over folds, learners compared, pooled rows, curves over folds, and fitted models."""

from __future__ import annotations

from ..case import Case, cases, each

AUC = "crossval/crossval_auc"
COMPARE = "crossval/compare_crossval"
METHODS = each("auto", "wilson", "influence", "delong", "logit", "corrected-t", "pooled")
FIRST = (0.81, 0.79, 0.84, 0.80, 0.78, 0.83, 0.82, 0.80, 0.79, 0.85)
SECOND = (0.80, 0.78, 0.80, 0.81, 0.75, 0.80, 0.82, 0.77, 0.78, 0.82)

CASES: list[Case] = [
    *cases("mean over folds", each("binary", "ties", "few", "perfect"), AUC, fold="fold", method=METHODS),
    *cases("mean over folds", "binary", AUC, fold="fold", method=METHODS, weight="w"),
    *cases("mean over folds", "binary", AUC, fold="fold", method=METHODS, weight="k", weight_type="frequency"),
    *cases("mean over folds", "binary", AUC, fold="fold", method=METHODS, cluster="cluster"),
    *cases("mean over folds", "repeats", AUC, fold="fold", repeat="repeat", row="id", method=METHODS),
    *cases("mean over folds", "few", AUC, fold="fold", undefined=each("nan", "drop")),
    *cases("mean over folds", "one_positive", AUC, fold="fold", undefined=each("nan", "drop")),
    *cases("mean over folds", each("binary", "ties", "few"), "crossval/crossval_evaluate", of="pooling", fold="fold"),
    *cases("mean over folds", "binary", "crossval/crossval_evaluate", of="pooling", fold="fold", weight="w"),
    *cases(
        "mean over folds", "repeats", "crossval/crossval_evaluate", of="pooling", fold="fold", repeat="repeat", row="id"
    ),
    *cases(
        "difference over folds",
        each("binary", "ties", "few", "identical"),
        COMPARE,
        fold="fold",
        method=each("auto", "influence", "nadeau-bengio", "bayesian"),
    ),
    *cases("difference over folds", "binary", COMPARE, fold="fold", method="nadeau-bengio", test_fraction=0.1),
    *cases("difference over folds", "binary", COMPARE, fold="fold", method="bayesian", rope=each(0.005, 0.05)),
    *cases("difference over folds", "binary", COMPARE, fold="fold", alternative=each("greater", "less")),
    *cases(
        "difference over folds",
        "binary",
        COMPARE,
        fold="fold",
        alternative=each("non-inferiority", "superiority", "equivalence"),
        margin=0.05,
    ),
    *cases("difference over folds", "binary", COMPARE, fold="fold", method=each("auto", "influence"), weight="w"),
    *cases(
        "difference over folds",
        "binary",
        COMPARE,
        fold="fold",
        method=each("auto", "influence"),
        weight="k",
        weight_type="frequency",
    ),
    *cases(
        "difference over folds", "binary", COMPARE, fold="fold", method=each("auto", "influence"), cluster="cluster"
    ),
    *cases(
        "difference over folds",
        "repeats",
        COMPARE,
        fold="fold",
        repeat="repeat",
        row="id",
        method=each("auto", "influence", "nadeau-bengio", "bayesian"),
    ),
    *cases(
        "difference of learners",
        "binary",
        "crossval/compare_learners",
        first=FIRST,
        second=SECOND,
        test_fraction=each(0.1, 0.2),
        method=each("auto", "nadeau-bengio"),
    ),
    *cases(
        "difference of learners",
        "binary",
        "crossval/compare_learners",
        first=FIRST,
        second=SECOND,
        test_fraction=0.1,
        method="bayesian",
        rope=each(None, 0.02),
    ),
    *cases(
        "difference of learners",
        "binary",
        "crossval/compare_learners",
        first=FIRST,
        second=SECOND,
        test_fraction=0.1,
        alternative=each("greater", "less"),
    ),
    *cases(
        "difference of learners",
        "binary",
        "crossval/compare_learners",
        first=FIRST,
        second=SECOND,
        test_fraction=0.1,
        alternative=each("non-inferiority", "superiority", "equivalence"),
        margin=0.02,
    ),
    *cases(
        "difference of learners", "binary", "crossval/compare_learners", first=FIRST, second=FIRST, test_fraction=0.1
    ),
    *cases(
        "confusion over folds",
        each("binary", "ties"),
        "crossval/crossval_confusion",
        fold="fold",
        threshold=each(0.4, {0: 0.3, 1: 0.4, 2: 0.5, 3: 0.6}),
    ),
    *cases("confusion over folds", "binary", "crossval/crossval_confusion", fold="fold", threshold=0.4, weight="w"),
    *cases(
        "averaged curve",
        each("binary", "ties"),
        "crossval/averaged_roc",
        fold="fold",
        average=each("vertical", "threshold"),
        points=each(None, (0.1, 0.3, 0.6)),
    ),
    *cases(
        "averaged curve",
        "repeats",
        "crossval/averaged_roc",
        fold="fold",
        repeat="repeat",
        row="id",
        average="vertical",
        points=(0.1, 0.3, 0.6),
    ),
    *cases(
        "averaged curve",
        "binary",
        "crossval/averaged_roc",
        fold="fold",
        average="vertical",
        points=(0.2, 0.5),
        weight="w",
    ),
    *cases("fitted models", "fits", "flat/evaluate_estimators", measures=("auc", "brier_score"), intervals=True),
    *cases("fitted models", "fits", "crossval/crossval_evaluate_estimators", cv=4, measures=("auc", "brier_score")),
    *cases("fitted models", "fits", "crossval/crossval_scores", cv=4, scores_alone=True),
    *cases(
        "averaged curve",
        "one_positive",
        "crossval/averaged_roc",
        fold="fold",
        average="vertical",
        undefined=each("nan", "drop"),
    ),
    *cases(
        "averaged curve",
        "binary",
        "crossval/averaged_roc",
        fold="fold",
        average=each("vertical", "threshold"),
        level=0.8,
    ),
    *cases("difference over folds", "binary", COMPARE, fold="fold", level=0.8),
    *cases("difference over folds", "one_positive", COMPARE, fold="fold", undefined=each("nan", "drop")),
    *cases(
        "difference of learners",
        "binary",
        "crossval/compare_learners",
        first=FIRST,
        second=SECOND,
        test_fraction=0.1,
        level=0.8,
    ),
    *cases("mean over folds", "binary", AUC, fold="fold", level=0.8),
    *cases(
        "mean over folds", "one_positive", "crossval/crossval_evaluate", of="pooling", fold="fold", undefined="drop"
    ),
    *cases(
        "mean over folds",
        "binary",
        "crossval/crossval_evaluate",
        of="pooling",
        fold="fold",
        method=each("logit", "corrected-t"),
        level=0.8,
    ),
    *cases(
        "mean over folds",
        "binary",
        "crossval/crossval_evaluate",
        of="pooling",
        fold="fold",
        weight="k",
        weight_type="frequency",
    ),
    *cases("mean over folds", "binary", "crossval/crossval_evaluate", of="pooling", fold="fold", cluster="cluster"),
    *cases(
        "confusion over folds",
        "repeats",
        "crossval/crossval_confusion",
        fold="fold",
        repeat="repeat",
        row="id",
        threshold=0.4,
    ),
]
