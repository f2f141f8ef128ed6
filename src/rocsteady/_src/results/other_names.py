"""What people look for in a result under another name: where it is."""

from __future__ import annotations

from difflib import get_close_matches

ELSEWHERE: dict[str, tuple[str, ...]] = {
    "auc": ("area", "values", "estimate"),
    "best": ("compare()", "verdict"),
    "best_threshold": ("ranked",),
    "ci": ("with_intervals()", "low", "intervals"),
    "ci_lower": ("low",),
    "ci_upper": ("high",),
    "confidence_interval": ("with_intervals()", "low"),
    "confidence_intervals": ("with_intervals()", "low"),
    "figure": ("figure_",),
    "lower": ("low",),
    "matrix": ("to_frame()",),
    "metrics": ("columns", "values"),
    "p": ("pvalue", "pairs"),
    "p_value": ("pvalue", "pairs"),
    "plot_roc": ("plot()",),
    "pvalue": ("pairs", "to_frame()"),
    "result": ("verdict", "to_frame()"),
    "results": ("values", "to_frame()"),
    "roc_curve": ("ranked", "plot()"),
    "score": ("values", "estimate"),
    "scores": ("values", "estimate"),
    "show": ("plot()",),
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


def unknown_attribute(kind: type, name: str) -> str:
    """The message for an attribute that a result does not have."""
    known = {each for each in dir(kind) if not each.startswith("_")}
    there = [each for each in ELSEWHERE.get(name, ()) if each.partition("(")[0] in known]
    found = there or get_close_matches(name, known, n=2)
    hint = f"; did you mean .{' or .'.join(found)}?" if found else f"; it has: {', '.join(sorted(known))}"
    return f"{kind.__name__!r} object has no attribute {name!r}{hint}"
