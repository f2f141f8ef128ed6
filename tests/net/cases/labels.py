"""Several labels of a row: evaluations, comparisons and their designs."""

from __future__ import annotations

from typing import Any

from ..case import Case, cases, each

NAMES = ("red", "round", "big")
ONE = tuple(f"a_{name}" for name in NAMES)
MODELS = {"a": ONE, "b": tuple(f"b_{name}" for name in NAMES)}
DESIGNS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Models", {}),
    ("Models", {"weight": "w"}),
    ("Models", {"weight": "k", "weight_type": "frequency"}),
    ("Models", {"cluster": "cluster"}),
    ("Groups", {"by": "site"}),
    ("Groups", {"by": "site", "weight": "w"}),
    ("Groups", {"by": "site", "cluster": "cluster"}),
    ("Folds", {"fold": "fold"}),
    ("Folds", {"fold": "fold", "weight": "w"}),
    ("Folds", {"fold": "fold", "cluster": "cluster"}),
    ("Folds", {"fold": "fold", "by": "site"}),
)
CASES: list[Case] = [
    *(
        case
        for kind, design in DESIGNS
        for case in cases(
            "evaluation",
            "labels",
            "flat/evaluate",
            f"multiclass/Multilabel{kind}",
            label=NAMES,
            scores=each(ONE, MODELS),
            **design,
        )
    ),
    *(
        case
        for kind, design in DESIGNS
        for case in cases(
            "comparison",
            "labels",
            "members/compare",
            f"multiclass/Multilabel{kind}",
            label=NAMES,
            scores=MODELS,
            **design,
        )
    ),
    *cases(
        "evaluation",
        "labels",
        "flat/evaluate",
        label=NAMES,
        scores=MODELS,
        auc_method=each("logit", "delong"),
        level=0.9,
    ),
    *cases(
        "evaluation",
        "labels",
        "flat/evaluate",
        label=NAMES,
        scores=MODELS,
        measures=("macro_auc", "micro_auc", "macro_average_precision", "micro_average_precision"),
    ),
    *cases("evaluation", "labels", "flat/evaluate", label=NAMES, scores=MODELS, average_over=("red", "big")),
    *cases(
        "comparison", "labels", "members/compare", label=NAMES, scores=MODELS, of=each("macro_auc", "micro_auc", "red")
    ),
    *cases("parts", "labels", "multiclass/MultilabelGroups", label=NAMES, scores=MODELS, by="site"),
    *cases("saved and read", "labels", "flat/load", label=NAMES, scores=MODELS),
    *cases("frame", "labels", "flat/evaluate", label=NAMES, scores=MODELS),
]
