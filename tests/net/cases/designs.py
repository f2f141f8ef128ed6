"""Whole tables of two classes: groups, folds, repeats, weights and clusters, and their pairs, with every verb."""

from __future__ import annotations

from typing import Any

from ..case import Case, cases, each

E = "flat/evaluate"
MEASURES = ("auc", "brier_score", "recall", "precision", "log_loss", "f1")
TWO = ("auc", "brier_score", "recall")
DRAWN = {"resamples": 60, "seed": 1}
# Designs, each with the designs that it is paired with.
SINGLE: tuple[dict[str, Any], ...] = (
    {},
    {"weight": "w"},
    {"weight": "w", "weight_type": "sampling"},
    {"weight": "k", "weight_type": "frequency"},
    {"cluster": "cluster"},
    {"by": "site"},
    {"by": "half"},
    {"by": ("site", "half")},
    {"fold": "fold"},
)
PAIRS: tuple[dict[str, Any], ...] = (
    {"weight": "w", "cluster": "cluster"},
    {"weight": "k", "weight_type": "frequency", "cluster": "cluster"},
    {"by": "site", "weight": "w"},
    {"by": "site", "weight": "k", "weight_type": "frequency"},
    {"by": "site", "cluster": "cluster"},
    {"by": "site", "cluster": "nested"},
    {"by": "site", "fold": "fold"},
    {"fold": "fold", "weight": "w"},
    {"fold": "fold", "weight": "k", "weight_type": "frequency"},
    {"fold": "fold", "cluster": "cluster"},
    {"by": "site", "weight": "w", "cluster": "cluster"},
    {"fold": "fold", "weight": "w", "cluster": "cluster"},
)
REPEATED: tuple[dict[str, Any], ...] = (
    {"fold": "fold", "repeat": "repeat"},
    {"fold": "fold", "repeat": "repeat", "row": "id"},
    {"fold": "fold", "repeat": "repeat", "cluster": "cluster"},
    {"fold": "fold", "repeat": "repeat", "weight": "w"},
    {"row": "id"},
    {"cluster": "id"},
)
WITH_FOLDS = tuple(design for design in SINGLE + PAIRS if "fold" in design)
WITHOUT_FOLDS = tuple(design for design in SINGLE + PAIRS if "fold" not in design)
LINES = {"by": ("flat/GroupedEvaluation",), "fold": ("flat/FoldedEvaluation",)}


def _of(design: dict[str, Any]) -> tuple[str, ...]:
    return tuple(line for word, lines in LINES.items() if word in design for line in lines) or ("flat/Evaluation",)


def in_designs(
    verb: str, data: Any, *lines: str, designs: tuple[dict[str, Any], ...] = SINGLE + PAIRS, **words: Any
) -> list[Case]:
    """A question in every design."""
    return [case for design in designs for case in cases(verb, data, *lines, *_of(design), **design, **words)]


EVALUATIONS: list[Case] = [
    *in_designs("evaluation", "binary", E, measures=MEASURES, threshold=0.4, intervals=True),
    *in_designs("evaluation", "ties", E, measures=TWO, threshold=0.4, intervals=True),
    *in_designs("evaluation", "repeats", E, designs=REPEATED, measures=("auc", "brier_score"), intervals=True),
    *cases(
        "evaluation",
        each("few", "perfect", "reversed_order", "constant", "one_class", "one_positive", "infinite", "certain"),
        E,
        measures=("auc", "average_precision", "recall"),
        threshold=0.5,
        intervals=True,
    ),
    *cases(
        "evaluation",
        each("few", "perfect", "constant", "one_positive"),
        E,
        by="half",
        measures=("auc", "recall"),
        threshold=0.5,
        intervals=True,
    ),
    *cases(
        "evaluation",
        each("few", "perfect", "constant", "one_positive"),
        E,
        fold="fold",
        measures=("auc", "recall"),
        threshold=0.5,
        intervals=True,
    ),
    *cases("evaluation", "binary", E, scores=("a", "b", "d")),
    *cases("evaluation", "binary", E, measures=("family:threshold",), threshold=0.4, intervals=each(None, True)),
    *cases("evaluation", "binary", E, measures=("family:probability",), kind="resampled", intervals=True, **DRAWN),
    *cases("evaluation", "binary", E, measures=("family:ranking",), kind="resampled", intervals=True, **DRAWN),
    *cases(
        "evaluation",
        "binary",
        E,
        measures=("partial_auc(fpr_range=(0, 0.2))", "tpr_at_fpr(fpr=0.1)", "f_beta(beta=2)"),
        kind="resampled",
        threshold=0.4,
        intervals=True,
        **DRAWN,
    ),
    *cases(
        "evaluation",
        each("binary", "ties"),
        E,
        measures=("auc", "recall"),
        threshold=each("youden", "f1", "sensitivity(value=0.9)", "cost(cost_fn=5)"),
        intervals=True,
        kind="resampled",
        resamples=60,
    ),
    *cases("evaluation", "binary", E, measures=("recall", "precision"), threshold={"a": 0.3, "b": 0.5}, intervals=True),
    *cases(
        "evaluation",
        "binary",
        E,
        measures=("auc",),
        intervals=True,
        auc_method=each("wilson", "logit", "delong", "newcombe", "hanley-mcneil"),
        level=each(None, 0.9),
    ),
    *cases(
        "evaluation", "binary", E, measures=("auc",), kind="resampled", intervals=True, auc_method="bootstrap", **DRAWN
    ),
    *cases("evaluation", "missing", E, missing=each(None, "drop"), measures=("auc", "brier_score")),
    *cases("evaluation", "binary", E, "errors/ArgumentError", measures=each(("nothing",), ("recall",))),
    *cases("evaluation", "binary", E, "errors/InputError", weight="absent"),
    *cases(
        "intervals made later",
        each("binary", "ties"),
        E,
        measures=MEASURES,
        threshold=0.4,
        again_level=each(0.95, 0.8),
        again_method=each("auto", "logit"),
        kind="resampled",
    ),
    *in_designs("frame", "binary", E, designs=(SINGLE[0], *SINGLE[4:]), measures=TWO, threshold=0.4, intervals=True),
    *in_designs(
        "saved and read",
        "binary",
        "flat/load",
        designs=(SINGLE[0], SINGLE[1], SINGLE[5], SINGLE[8]),
        measures=TWO,
        threshold=0.4,
        intervals=True,
    ),
    *in_designs("saved and read", "binary", "flat/load", designs=(SINGLE[0], SINGLE[5], SINGLE[8]), then="comparison"),
    *cases("metrics of an evaluation", "binary", "trackers/scalars", how="scalars", measures=("auc", "brier_score")),
    *cases(
        "metrics of an evaluation", "binary", "trackers/openmetrics", how="openmetrics", measures=("auc", "brier_score")
    ),
]
COMPARISONS: list[Case] = [
    *in_designs("comparison", each("binary", "ties"), "members/compare", measures=("auc",), scores=("a", "b", "d")),
    *in_designs("comparison", "binary", "members/compare", of="brier_score"),
    *in_designs(
        "comparison",
        "binary",
        "members/compare",
        designs=WITHOUT_FOLDS,
        kind="resampled",
        of="recall",
        threshold=0.4,
        draws=60,
    ),
    *in_designs("comparison", "binary", "members/compare", designs=WITH_FOLDS, of="recall", threshold=0.4),
    *in_designs("comparison", "repeats", "members/compare", designs=REPEATED, of=each("auc", "brier_score")),
    *in_designs(
        "comparison",
        "binary",
        "members/compare",
        designs=(SINGLE[0], SINGLE[5]),
        kind="resampled",
        of=("auc", "brier_score", "recall"),
        threshold=0.4,
        draws=60,
    ),
    *in_designs(
        "comparison",
        "binary",
        "members/compare",
        designs=(SINGLE[8],),
        of=("auc", "brier_score", "recall"),
        threshold=0.4,
    ),
    *in_designs(
        "comparison",
        "binary",
        "members/compare",
        designs=(SINGLE[0], SINGLE[5], SINGLE[8]),
        baseline="b",
        scores=("a", "b", "d"),
    ),
    *cases("comparison", "binary", "members/compare", cutoffs=(0.2, 0.5)),
    *cases("comparison", "binary", "members/compare", simultaneous=True, scores=("a", "b", "d")),
    *cases(
        "comparison",
        "binary",
        "members/compare",
        kind="resampled",
        of="average_precision",
        scores=("a", "b", "d"),
        draws=60,
    ),
    *cases(
        "comparison",
        each("few", "perfect", "constant", "identical", "one_positive"),
        "members/compare",
        by=each(None, "half"),
    ),
    *cases("comparison", each("few", "perfect", "constant", "identical"), "members/compare", fold="fold"),
]
GAPS: list[Case] = [
    *in_designs(
        "gaps",
        each("binary", "ties"),
        "members/gaps",
        designs=tuple(each for each in SINGLE + PAIRS if "by" in each),
        of=each("recall", "auc"),
        threshold=0.4,
    ),
    *cases(
        "gaps",
        "binary",
        "members/gaps",
        by="site",
        of=each("recall", "precision", "selection_rate", "false_positive_rate", "brier_score"),
        threshold=0.4,
        reference=each(None, "north"),
    ),
    *cases(
        "gaps",
        "binary",
        "members/gaps",
        by="site",
        of=each("equalized_odds", "equal_opportunity", "predictive_parity", "demographic_parity"),
        threshold=0.4,
    ),
    *cases("gaps", "few", "members/gaps", by="half", of=each("recall", "auc"), threshold=0.4),
    *in_designs(
        "parts",
        each("binary", "ties"),
        designs=tuple(each for each in SINGLE + PAIRS if "by" in each or "fold" in each),
        measures=("auc",),
    ),
]
DECISIONS: list[Case] = [
    *in_designs("decision", "binary", "members/explore", cost_fp=1.0, cost_fn=5.0),
    *cases("decision", each("binary", "ties", "few", "perfect", "identical", "constant"), cost_fp=1.0, cost_fn=3.0),
    *cases("decision", "binary", cost_fn=5.0, baseline="b", scores=("a", "b", "d")),
    *cases("decision", "binary", cost_fn=5.0, prevalence=0.05, kind="resampled"),
    *cases("decision", "binary"),
]
CASES: list[Case] = [*EVALUATIONS, *COMPARISONS, *GAPS, *DECISIONS]
