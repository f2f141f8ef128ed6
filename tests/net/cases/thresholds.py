"""Thresholds: what is best by a rule, what holds a rate, what promises one on new rows, and how sure each is."""

from __future__ import annotations

from ..case import Case, cases, each

HARD = each("binary", "ties", "few", "perfect", "constant", "one_class", "infinite")
BEST = "measures/best_threshold"
POINT = "inference/operating_point"
PROMISE = "inference/threshold_guarantee"
INTERVAL = "inference/threshold_interval"
RULES = ("youden", "closest-topleft", "f1", "breakeven", "accuracy", "matthews_correlation", "balanced_accuracy")

CASES: list[Case] = [
    *cases("threshold", HARD, BEST, kind="exact", rule=each(*RULES), weight=each(None, "w")),
    *cases("threshold", each("binary", "ties"), BEST, kind="exact", rule="f_beta", beta=each(0.5, 2.0)),
    *cases(
        "threshold",
        each("binary", "ties"),
        BEST,
        kind="exact",
        rule="cost",
        cost_fn=each(1.0, 5.0),
        cost_fp=each(None, 2.0),
        prevalence=each(None, 0.1),
    ),
    *cases(
        "threshold",
        each("binary", "ties"),
        BEST,
        kind="exact",
        rule=each("sensitivity", "specificity", "precision"),
        value=each(0.6, 0.9),
    ),
    *cases(
        "threshold",
        HARD,
        POINT,
        rule=each("fpr <= 0.1", "recall >= 0.8", "precision >= 0.7", "equal-error"),
        method=each(None, "mid-p", "exact"),
    ),
    *cases("threshold", "binary", POINT, rule=each("fpr <= 0.1", "recall >= 0.8"), level=0.8),
    *cases("threshold", "binary", POINT, rule=each("fpr <= 0.1", "recall >= 0.8", "precision >= 0.7"), weight="w"),
    *cases("threshold", "binary", POINT, rule=each("fpr <= 0.1", "recall >= 0.8"), weight="k", weight_type="frequency"),
    *cases("threshold", each("binary", "ties"), POINT, rule=each("fpr <= 0.1", "recall >= 0.8"), cluster="cluster"),
    *cases(
        "threshold",
        each("large", "binary", "ties"),
        PROMISE,
        rule=each("fpr <= 0.1", "fpr <= 0.3", "recall >= 0.8", "precision >= 0.5", "fdr <= 0.5"),
        guarantee=each(0.95, 0.8),
    ),
    *cases("threshold", "large", PROMISE, rule=each("fpr <= 0.2", "recall >= 0.8"), guarantee=0.95, weight="w"),
    *cases(
        "threshold",
        "large",
        PROMISE,
        rule=each("fpr <= 0.2", "recall >= 0.8"),
        guarantee=0.95,
        weight="k",
        weight_type="frequency",
    ),
    *cases(
        "threshold",
        "large",
        PROMISE,
        rule=each("fpr <= 0.2", "recall >= 0.8", "precision >= 0.5"),
        guarantee=0.95,
        cluster="cluster",
    ),
    *cases("threshold", "few", PROMISE, rule=each("fpr <= 0.01", "recall >= 0.99"), guarantee=0.95),
    *cases(
        "interval of a threshold",
        each("binary", "ties"),
        INTERVAL,
        kind="resampled",
        rule=each("youden", "f1", "closest_topleft"),
        resamples=60,
        seed=1,
    ),
    *cases(
        "interval of a threshold",
        "binary",
        INTERVAL,
        kind="resampled",
        rule="cost",
        rule_options={"cost_fn": 5.0},
        resamples=60,
        seed=1,
    ),
    *cases(
        "interval of a threshold",
        "binary",
        INTERVAL,
        kind="resampled",
        rule="youden",
        resamples=60,
        seed=1,
        cluster="cluster",
    ),
    *cases(
        "interval of a threshold", "binary", INTERVAL, kind="resampled", rule="youden", resamples=60, seed=1, weight="w"
    ),
    *cases(
        "confusion",
        HARD,
        "measures/confusion",
        "measures/Confusion",
        kind="exact",
        threshold=each(0.5, 0.2),
        weight=each(None, "w"),
    ),
    *cases("confusion", "binary", "measures/confusion", threshold=0.4, prevalence=each(0.05, 0.5)),
    *cases(
        "value",
        each("binary", "ties", "few", "perfect"),
        "measures/equal_error_rate",
        kind="exact",
        of="equal_error_rate",
        weight=each(None, "w"),
    ),
    *cases(
        "interval of a threshold", "binary", INTERVAL, kind="resampled", rule="youden", level=0.8, resamples=60, seed=1
    ),
    *cases(
        *("interval of a threshold", "binary", INTERVAL),
        kind="resampled",
        rule="youden",
        weight="k",
        weight_type="frequency",
        resamples=60,
        seed=1,
    ),
]
