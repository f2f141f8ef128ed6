"""Curves of each class as charts. No numbers are made here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.views.report.charts import axis, base, chance_line, hover_points, lines, note

if TYPE_CHECKING:
    from rocsteady._src.views.report.names import Style

    Spec = dict[str, Any]


def _told(x: tuple[str, str], y: tuple[str, str]) -> list[Spec]:
    numbers = [{"field": name, "title": title, "type": "quantitative", "format": ".4f"} for name, title in (x, y)]
    names = [{"field": "model", "title": "class", "type": "nominal"}]
    return [*names, *numbers, {"field": "threshold", "title": "threshold", "type": "nominal"}]


def class_roc(styles: list[Style]) -> Spec:
    """ROC curves of each class against the rest, and their averages."""
    x, y = axis("fpr", "False positive rate", domain=(0, 1)), axis("tpr", "True positive rate", domain=(0, 1))
    told = _told(("fpr", "FPR"), ("tpr", "TPR"))
    words = note("chance", 0.56, 0.53, align="left", baseline="top")
    layers = [chance_line(), words, lines("curves", styles, x, y, told), hover_points("curves", styles, x, y, told)]
    return base(styles, layers, height=360)


def class_pr(styles: list[Style]) -> Spec:
    """Precision against recall of each class; steps, as average precision counts them."""
    x, y = axis("recall", "Recall", domain=(0, 1)), axis("precision", "Precision", domain=(0, 1))
    told = _told(("recall", "recall"), ("precision", "precision"))
    curve = lines("curves", styles, x, y, told, interpolate="step-before")
    return base(styles, [curve, hover_points("curves", styles, x, y, told)], height=360)
