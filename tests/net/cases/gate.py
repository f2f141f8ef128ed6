"""May a candidate replace a baseline: margins and goals, in every design, on the same rows and on others."""

from __future__ import annotations

from ..case import Case, cases, each

LINE = "flat/gate"
CONFIG = (
    {"measure": "auc", "margin": 0.1},
    {"measure": "recall", "at_least": 0.3, "threshold": 0.4, "level": 0.9, "name": "finds enough"},
    {"measure": "brier_score", "at_most": 0.3},
)
CASES: list[Case] = [
    *cases(
        "gate", each("binary", "ties", "few", "perfect", "identical", "constant"), LINE, margin=each(0.0, 0.02, 0.3)
    ),
    *cases("gate", each("binary", "identical"), LINE, of=("auc", "brier_score"), margin=(0.05, 0.02)),
    *cases("gate", each("binary", "ties"), LINE, of=each("recall", "precision", "accuracy"), threshold=0.4, margin=0.1),
    *cases("gate", "binary", LINE, of="recall", threshold={"baseline": 0.5, "candidate": 0.3}, margin=0.1),
    *cases("gate", "binary", LINE, of=each("log_loss", "discrimination_slope"), margin=0.1),
    *cases(
        "gate",
        "binary",
        LINE,
        kind="resampled",
        of=each("average_precision", "tpr_at_fpr(fpr=0.1)"),
        margin=0.1,
        resamples=60,
        seed=1,
    ),
    *cases("gate", "binary", LINE, margin=0.02, level=each(0.9, 0.99), power=0.9),
    *cases("gate", "binary", LINE, margin=0.02, goals=("auc >= 0.7", "brier_score <= 0.25 with 90% confidence")),
    *cases("gate", "binary", LINE, baseline=None, goals=each("auc >= 0.75", "auc >= 0.6")),
    *cases("gate", "binary", LINE, of=None, config=CONFIG),
    *cases("gate", each("binary", "ties"), LINE, margin=0.1, by=each("site", "half")),
    *cases("gate", "binary", LINE, margin=0.1, by="site", of="recall", threshold=0.4),
    *cases("gate", "binary", LINE, margin=0.1, weight="w"),
    *cases("gate", "binary", LINE, margin=0.1, weight="k", weight_type="frequency"),
    *cases("gate", "binary", LINE, margin=0.1, cluster="cluster"),
    *cases("gate", "binary", LINE, margin=0.1, cluster="cluster", by="site"),
    *cases("gate", "binary", LINE, of="recall", threshold=0.4, margin=0.1, cluster="cluster"),
    *cases("gate", each("binary", "ties"), LINE, margin=0.1, along="half"),
    *cases("gate", "binary", LINE, margin=0.1, along="half", of="recall", threshold=0.4),
    *cases("gate", each("one_class", "one_positive"), LINE, margin=0.1),
    *cases("gate", "binary", LINE, margin=each(-0.05, 2.0)),
    *cases("gate", "missing", LINE, margin=0.1, missing=each(None, "drop")),
    *cases("gate", "binary", LINE, margin=0.1, along="half", weight="w"),
    *cases("gate", "binary", LINE, margin=0.1, along="half", cluster="nested"),
]
