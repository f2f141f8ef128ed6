"""More than two classes: averages of areas, predicted classes, confusions, and ordered classes."""

from __future__ import annotations

from typing import Any

from ..case import Case, cases, each

NAMES = ("cat", "dog", "emu")
MODELS = {"a": ("a_cat", "a_dog", "a_emu"), "b": ("b_cat", "b_dog", "b_emu")}
CALLED = ("called_a", "called_b")
AREAS = each("macro_auc", "weighted_auc", "micro_auc", "hand_till_auc", "macro_ovo_auc", "weighted_ovo_auc", "auc")
OF_CALLS = (
    *("precision", "recall", "specificity", "f1", "f_beta", "jaccard", "matthews_correlation", "accuracy"),
    *("balanced_accuracy", "cohen_kappa"),
)
INTERVAL = "multiclass/multiclass_auc_interval"
COMPARE = "multiclass/compare_multiclass_auc"
DESIGNS: tuple[dict[str, Any], ...] = (
    {},
    {"weight": "w"},
    {"weight": "k", "weight_type": "frequency"},
    {"cluster": "cluster"},
    {"by": "site"},
    {"fold": "fold"},
    {"by": "site", "weight": "w"},
    {"by": "site", "cluster": "cluster"},
    {"fold": "fold", "weight": "w"},
    {"fold": "fold", "cluster": "cluster"},
    {"by": "site", "fold": "fold"},
)


def _line(design: dict[str, Any], called: bool) -> str:
    kind = "Groups" if "by" in design else "Folds" if "fold" in design else "Models"
    return f"multiclass/{'Called' if called else 'Multiclass'}{kind}"


EVALUATIONS: list[Case] = [
    case
    for design in DESIGNS
    for called, models in ((False, {"classes": NAMES, "scores": MODELS}), (True, {"predicted": CALLED}))
    for case in (
        *cases("evaluation", "classes", "flat/evaluate", _line(design, called), **models, **design),
        *cases("comparison", "classes", "members/compare", _line(design, called), **models, **design),
    )
]
CASES: list[Case] = [
    *cases(
        "value of classes",
        each("classes", "absent_class"),
        "multiclass/multiclass_auc",
        of=AREAS,
        weight=each(None, "w"),
    ),
    *cases(
        "value of classes",
        "classes",
        "multiclass/multiclass_auc",
        of=each("macro_auc", "hand_till_auc"),
        average_over=("cat", "dog"),
    ),
    *cases(
        "value of classes",
        "absent_class",
        "multiclass/multiclass_auc",
        of=each("macro_auc", "weighted_auc"),
        undefined="drop",
    ),
    *cases(
        "value of classes",
        "classes",
        "multiclass/multiclass_calibration_error",
        of=each("top_label_calibration_error", "classwise_calibration_error"),
        n_bins=each(None, 5),
        strategy=each(None, "uniform"),
        weight=each(None, "w"),
    ),
    *cases(
        "interval of classes",
        each("classes", "absent_class"),
        INTERVAL,
        of=AREAS,
        method=each("auto", "wilson", "logit", "delong"),
    ),
    *cases("interval of classes", "classes", INTERVAL, of=AREAS, class_sizes="fixed"),
    *cases("interval of classes", "classes", INTERVAL, of=AREAS, weight="w", level=0.9),
    *cases("interval of classes", "classes", INTERVAL, of=AREAS, weight="k", weight_type="frequency"),
    *cases("interval of classes", "classes", INTERVAL, of=AREAS, cluster="cluster"),
    *cases("interval of classes", "classes", "multiclass/top_k_accuracy", of="top_k_accuracy", k=each(1, 2, 3)),
    *cases("interval of classes", "classes", "multiclass/top_k_accuracy", of="top_k_accuracy", k=2, weight="w"),
    *cases("interval of classes", "classes", "multiclass/top_k_accuracy", of="top_k_accuracy", k=2, cluster="cluster"),
    *cases(
        "difference of classes",
        each("classes", "absent_class"),
        COMPARE,
        of=each("macro_auc", "weighted_auc", "micro_auc", "hand_till_auc"),
        method=each("auto", "delong", "delong-t"),
    ),
    *cases("difference of classes", "classes", COMPARE, of="macro_auc", alternative=each("greater", "less")),
    *cases(
        "difference of classes",
        "classes",
        COMPARE,
        of="macro_auc",
        alternative=each("non-inferiority", "superiority", "equivalence"),
        margin=0.05,
    ),
    *cases("difference of classes", "classes", COMPARE, of="macro_auc", class_sizes="fixed"),
    *cases("difference of classes", "classes", COMPARE, of="macro_auc", weight="w"),
    *cases("difference of classes", "classes", COMPARE, of="macro_auc", weight="k", weight_type="frequency"),
    *cases("difference of classes", "classes", COMPARE, of="macro_auc", cluster="cluster"),
    *cases("evaluation of classes", each("classes", "absent_class"), "multiclass/evaluate_multiclass"),
    *cases(
        "evaluation of classes",
        "classes",
        "multiclass/evaluate_multiclass",
        measures=("macro_auc", "log_loss", "brier_score", "top_k_accuracy", "ranked_probability_score"),
    ),
    *cases("evaluation of classes", "classes", "multiclass/evaluate_multiclass", weight="w"),
    *cases("evaluation of classes", "classes", "multiclass/evaluate_multiclass", cluster="cluster"),
    *cases(
        "evaluation of classes",
        "classes",
        "multiclass/evaluate_multiclass",
        auc_method=each("wilson", "logit", "delong"),
        average_over=("cat", "emu"),
    ),
    *cases("curves of classes", "classes", "multiclass/multiclass_curves", of=each("roc", "pr")),
    *cases(
        "confusion of classes",
        "classes",
        "multiclass/multiclass_confusion",
        kind="exact",
        normalize=each(None, "true", "predicted", "all"),
        weight=each(None, "w"),
    ),
    *cases(
        "measures of predicted classes",
        each("classes", "absent_class"),
        "multiclass/multiclass_measures",
        "multiclass/CalledClasses",
        measures=each(None, OF_CALLS[:7]),
    ),
    *cases("measures of predicted classes", "classes", "multiclass/multiclass_measures", weight="w"),
    *cases(
        "measures of predicted classes",
        "classes",
        "multiclass/multiclass_measures",
        weight="k",
        weight_type="frequency",
    ),
    *cases("measures of predicted classes", "classes", "multiclass/multiclass_measures", cluster="cluster"),
    *cases(
        "measures of predicted classes",
        "classes",
        "multiclass/multiclass_measures",
        average_over=("cat", "dog"),
        level=0.9,
    ),
    *EVALUATIONS,
    *cases("gaps", "classes", "members/gaps", classes=NAMES, scores=MODELS, by="site", of="macro_auc"),
    *cases("parts", "classes", "multiclass/MulticlassGroups", classes=NAMES, scores=MODELS, by="site"),
    *cases("parts", "classes", "multiclass/MulticlassFolds", classes=NAMES, scores=MODELS, fold="fold"),
    *cases("saved and read", "classes", "flat/load", classes=NAMES, scores=MODELS),
    *cases("saved and read", "classes", "flat/load", predicted=CALLED),
    *cases("decision", "classes", classes=NAMES, scores=MODELS),
    *cases("ordered classes", "ordered", "multiclass/ordinal_auc", score=each("s", "t"), level=each(None, 0.9)),
    *cases("ordered classes", "ordered", "multiclass/ordinal_auc", weight="w"),
    *cases("ordered classes", "ordered", "multiclass/ordinal_auc", weight="k", weight_type="frequency"),
    *cases("ordered classes", "ordered", "multiclass/ordinal_auc", order=("high", "mid", "low")),
    *cases("difference of classes", "classes", COMPARE, of="macro_auc", level=0.8, average_over=("cat", "dog")),
    *cases("difference of classes", "absent_class", COMPARE, of="macro_auc", undefined="drop"),
    *cases(
        "evaluation of classes",
        "classes",
        "multiclass/evaluate_multiclass",
        weight="k",
        weight_type="frequency",
        level=0.8,
    ),
    *cases("evaluation of classes", "absent_class", "multiclass/evaluate_multiclass", undefined="drop"),
    *cases(
        "evaluation", each("classes", "absent_class"), "flat/evaluate", classes=NAMES, scores=MODELS, undefined="drop"
    ),
    *cases("evaluation", "classes", "flat/evaluate", classes=NAMES, scores=MODELS, average_over=("cat", "dog")),
    *cases("interval of classes", "classes", INTERVAL, of="macro_auc", average_over=("cat", "dog")),
    *cases("interval of classes", "absent_class", INTERVAL, of="macro_auc", undefined="drop"),
    *cases(
        "interval of classes",
        "classes",
        "multiclass/top_k_accuracy",
        of="top_k_accuracy",
        weight="k",
        weight_type="frequency",
        level=0.8,
    ),
    *cases("curves of classes", "classes", "multiclass/multiclass_curves", of="roc", weight="w"),
    *cases("measures of predicted classes", "absent_class", "multiclass/multiclass_measures", undefined="drop"),
]
