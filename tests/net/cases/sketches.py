"""Sketches: estimates with bounds, intervals that contain those of the rows, and how sketches move."""

from __future__ import annotations

from ..case import Case, cases, each

SKETCH = "scale/Sketch"
TABLE = "scale/sketch_table"
OF_RATES = ("recall", "specificity", "precision", "accuracy", "f1", "matthews_correlation")

CASES: list[Case] = [
    *cases("sketch", each("counted", "binary"), SKETCH, asks="auc", bits=each(4, 8, 16)),
    *cases("sketch", "counted", SKETCH, asks="counts", bits=each(4, 10), range=each(None, (0.2, 0.8))),
    *cases(
        "sketch",
        "counted",
        SKETCH,
        asks="interval",
        bits=6,
        method=each("auto", "logit", "wilson", "delong", "newcombe"),
        level=each(None, 0.9),
    ),
    *cases("sketch", "counted", SKETCH, asks="interval", bits=6, of=each(*OF_RATES), threshold=0.4),
    *cases(
        "sketch",
        "counted",
        SKETCH,
        asks="value",
        bits=6,
        of=each("average_precision", "ks_statistic", "gini", "brier_score"),
    ),
    *cases("sketch", "counted", SKETCH, asks="value", bits=6, of=each(*OF_RATES), threshold=each(0.4, 0.43)),
    *cases(
        "sketch",
        "counted",
        SKETCH,
        asks="threshold",
        bits=8,
        rule=each("fpr <= 0.1", "recall >= 0.8", "precision >= 0.6"),
    ),
    *cases(
        "sketch", "counted", SKETCH, asks="threshold", bits=8, rule=each("fpr <= 0.1", "recall >= 0.8"), guarantee=0.95
    ),
    *cases("sketch", "counted", SKETCH, asks="predictive values", bits=8, threshold=0.5, prevalence=0.1),
    *cases("sketch", "counted", SKETCH, asks="curve", bits=5, curve=each("roc", "pr")),
    *cases("sketch", "counted", TABLE, asks="auc", bits=4, width=each(0.01, 1e-4)),
    *cases("sketch", "counted", TABLE, asks="auc", bits=8, weight="k"),
    *cases("sketch after moves", "counted", SKETCH, move=each("merge", "batches", "bytes", "refine")),
    *cases("sketch after moves", "counted", "scale/load_sketches", "scale/Sketches", move="file"),
    *cases(
        "evaluation of sketches",
        "counted",
        "scale/evaluate_sketches",
        measures=("auc", "average_precision", "recall"),
        threshold=0.4,
        level=each(None, 0.95),
    ),
    *cases(
        "evaluation of sketches",
        "counted",
        "scale/evaluate_sketches",
        bits=12,
        measures=("auc",),
        level=0.95,
        auc_method=each("logit", "delong"),
    ),
    *cases(
        "difference of sketches",
        "counted",
        "scale/compare_sketches",
        split="half",
        alternative=each(None, "greater"),
        level=each(None, 0.9),
    ),
]
