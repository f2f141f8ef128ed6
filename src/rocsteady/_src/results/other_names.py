"""What people look for in a result under another name: where it is."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection

ELSEWHERE: dict[str, tuple[str, ...]] = {
    "ax": ("ax_",),
    "axes": ("ax_",),
    "auc": ("area", "averages", "values", "estimate"),
    "best": ("compare()", "verdict"),
    "best_model": ("compare()", "verdict"),
    "describe": ("to_frame()",),
    "folds": ("models", "to_frame()"),
    "mean": ("models", "to_frame()"),
    "interval": ("with_intervals()", "low"),
    "std": ("to_frame()",),
    "to_excel": ("to_frame()",),
    "value": ("threshold", "estimate"),
    "to_numpy": ("to_frame()",),
    "z": ("statistic",),
    "head": ("to_frame()",),
    "iloc": ("to_frame()",),
    "items": ("values", "to_dict()"),
    "sort_values": ("to_frame()",),
    "style": ("to_frame()", "to_markdown()"),
    "average_precision": ("area", "average_precisions"),
    "auc_ci": ("with_intervals()", "intervals"),
    "ci": ("with_intervals()", "low", "intervals"),
    "ci_lower": ("low",),
    "ci_upper": ("high",),
    "confidence_interval": ("with_intervals()", "low"),
    "confidence_intervals": ("with_intervals()", "low"),
    "fig": ("figure_", "plot()"),
    "figure": ("figure_", "plot()"),
    "loc": ("values", "to_frame()"),
    "lower": ("low",),
    "matrix": ("to_frame()",),
    "metrics": ("to_frame()", "columns", "values"),
    **dict.fromkeys(("p", "p_value", "p_values", "pval", "pvalues"), ("pvalue", "pairs[0].test.pvalue", "compare()")),
    "plot_roc": ("plot()",),
    "pvalue": ("pairs[0].test.pvalue", "to_frame()"),
    "result": ("verdict", "to_frame()"),
    "results": ("values", "to_frame()"),
    "save": ("savefig(path)", "report(path)", "save(path)"),
    "savefig": ("plot().savefig(path)",),
    "help": ("to_frame()", "to_markdown()"),
    "score": ("values", "estimate"),
    "scores": ("values", "estimate"),
    "show": ("plot()", "figure_"),
    "summarize": ("to_frame()", "to_markdown()"),
    "summary": ("to_frame()", "to_markdown()"),
    "table": ("to_frame()",),
    "to_csv": ("to_frame()",),
    "to_html": ("report()", "to_markdown()"),
    "to_json": ("to_dict()",),
    "to_latex": ("to_frame()", "to_markdown()"),
    "to_pandas": ("to_frame('pandas')",),
    "to_polars": ("to_frame('polars')",),
    "upper": ("high",),
    "winner": ("verdict", "compare()"),
}
# What is a function of the ranked scores of one model, where a result keeps them.
OF_RANKED = (
    "best_threshold",
    "calibration_curve",
    "confusion",
    "gains_curve",
    "pr_curve",
    "roc_band",
    "roc_curve",
    "tie_diagnostics",
)
# Values of an evaluation, which are asked for by the name of the measure.
OF_VALUES = ("accuracy", "auc", "average_precision", "brier_score", "f1", "gini", "h_measure", "precision", "recall")
TOGETHER = "models are compared in one evaluation of all: rs.evaluate(y, {'a': p, 'b': q}).compare()"
COUNTS = "the four counts are c.tn, c.fp, c.fn, c.tp"
# Why a result has none of its own, where others have.
NOT_HERE: dict[str, dict[str, str]] = {
    "ravel": {"Confusion": COUNTS},
    "flatten": {"Confusion": COUNTS},
    "auc": {"MulticlassEvaluation": "use result['macro_auc']"},
    "youden": {"RocCurve": "its best point is rs.best_threshold(y, s, rule='youden')"},
    "partial_auc": {"RocCurve": "rs.partial_auc(y, s, fpr_range=(0, 0.1))"},
    "interval": {
        "Confusion": "rates with intervals: rs.evaluate(y, s, measures=['recall'], threshold=0.5, intervals=True)"
    },
    "calibration": {"Evaluation": "of each model rs.calibration.calibration_summary(result.ranked[model])"},
    "gate": {"Evaluation": "rs.gate(table, 'old', 'new', label='y', margin=0.01)"},
    "coords": {"RocCurve": "a point of it is rs.best_threshold(y, s, rule='youden')"},
    "ci": {"RocCurve": "of the area rs.auc_interval(y, s), of the curve rs.roc_band(y, s)"},
    "compare": {
        "MulticlassEvaluation": TOGETHER,
        "MultilabelEvaluation": TOGETHER,
    },
    "predict": {
        "Decision": "labels come from a threshold: rs.best_threshold(y, s, rule='cost', cost_fn=5).predict(scores)",
        "Evaluation": "labels come from a threshold: rs.best_threshold(y, s, rule='f1').predict(new_scores)",
    },
    "calibrate": {"Evaluation": "nothing is changed here; how it is now: result.plot('calibration')"},
    "decide": {
        "Multiclass": "a decision has two courses, to flag or not: decide for one class against the rest, with "
        "rs.evaluate(y == one_class, its_scores).decide(cost_fp=..., cost_fn=...)",
        "Multilabel": "a decision is about one label: rs.evaluate(y[:, label], scores[:, label]).decide(...)",
        "Bracketed": "a sketch counts scores in cells and keeps no rows to compare models on: evaluate the rows, or a "
        "sample of them, with rs.evaluate(...).decide(...)",
    },
}

# Pictures that belong to other results; ``model`` is the name of one.
KINDS_ELSEWHERE = {
    **dict.fromkeys(("confusion", "confusion_matrix"), "rs.confusion(result.ranked[model], threshold=0.5).plot()"),
    **dict.fromkeys(("decision", "decision_curve", "net_benefit", "dca"), "rs.decision_curve(y, s).plot()"),
    **dict.fromkeys(("threshold", "thresholds"), "rs.confusion(result.ranked[model], threshold='all').plot()"),
    **dict.fromkeys(("cost", "cost_curve"), "rs.curves.cost_curve(result.ranked[model]).plot()"),
    "lift": "a table of lift is rs.gains_curve(y, s, n_bins=10), and the nearest picture plot('gains')",
    "ks": "rs.ks_statistic(result.ranked[model]) is the number, and the nearest picture plot('roc')",
    "band": "rs.roc_band(y, s).plot()",
    "forest": "result.compare().plot()",
    "comparison": "result.compare().plot()",
}


def unknown_attribute(kind: type, name: str, models: Collection[Any] = ()) -> str:
    """The message for an attribute that a result does not have; ``models`` and numbers it may hold by name.

    Examples
    --------
    >>> class MultilabelEvaluation: ...
    >>> unknown_attribute(MultilabelEvaluation, "decide").partition("; ")[2]
    'a decision is about one label: rs.evaluate(y[:, label], scores[:, label]).decide(...)'
    """
    known = {each for each in dir(kind) if not each.startswith("_")}
    for start, why in NOT_HERE.get(name, {}).items():
        if kind.__name__.startswith(start):
            return f"{kind.__name__!r} object has no attribute {name!r}; {why}"
    if name in models:
        return f"{kind.__name__!r} object has no attribute {name!r}; it is result[{name!r}]"
    if name == "confusion_matrix" and "confusion" not in known:
        name = "confusion"
    if name in OF_RANKED and "ranked" in known:
        line = f"rs.{name}(result.ranked[model])"
        return f"{kind.__name__!r} object has no attribute {name!r}; of each model use {line}"
    if kind.__name__ == "Evaluation" and (name in OF_VALUES or name.removesuffix("_score") in OF_VALUES):
        return f"{kind.__name__!r} object has no attribute {name!r}; use result[{name.removesuffix('_score')!r}]"
    there = [each for each in ELSEWHERE.get(name, ()) if re.split(r"[(\[]", each)[0] in known]
    found = there or _near(kind, name)
    hint = f"; did you mean .{' or .'.join(found)}?" if found else f"; it has: {', '.join(sorted(known))}"
    return f"{kind.__name__!r} object has no attribute {name!r}{hint}"


@lru_cache(maxsize=1000)  # other libraries ask every result for the same names that it does not have
def _near(kind: type, name: str) -> list[str]:
    """Public names of a class that are spelled much like it."""
    return get_close_matches(name, [each for each in dir(kind) if not each.startswith("_")], n=2)
