"""Report of brackets: every number and curve with its bounds, as a page, Markdown or JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.atomic import refuse_existing, write_whole
from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.geometry import thin
from rocsteady._src.base.text import format_digits, json_printable
from rocsteady._src.results import DIRECTION
from rocsteady._src.views.report.charts import axis, base, chance_line, hover_points, lines, tips
from rocsteady._src.views.report.document import Document, TableBlock, chart_of
from rocsteady._src.views.report.names import styles
from rocsteady._src.views.report.page import to_html
from rocsteady._src.views.report.records import DEVIATION, as_records
from rocsteady._src.views.report.words import to_markdown
from rocsteady._version import __version__

if TYPE_CHECKING:
    from rocsteady._src.results.scale import BracketedEvaluation
    from rocsteady._src.views.report.document import Chart, Records
    from rocsteady._src.views.report.names import Style

BETWEEN = "One line is the exact curve; of two lines, the curve of all rows lies between them, for certain."
DRAWN = f"Lines are drawn with fewer points, none of which moves by more than {DEVIATION}."
HEADER = ["Model", "Measure", "Estimate", "Low", "High", "Exact"]


def write_bracketed(result: BracketedEvaluation, path: object, *, title: str, force: bool) -> Path:
    """Write a report whole or not at all; the form follows the file's ending."""
    target = Path(str(path))
    form = target.suffix.lower()
    if form not in (".md", ".html", ".htm", ".json"):
        raise ArgumentError("format", f"a report of brackets is an .md, .html or .json file, got {target.suffix!r}")
    refuse_existing(target, force=force)
    if form == ".json":
        text = json_printable(json.dumps(result.to_dict(), allow_nan=False, ensure_ascii=False, indent=1) + "\n")
    else:
        document = build_bracketed(result, title)
        text = to_markdown(document) if form == ".md" else to_html(document)
    write_whole(target, text, force=force)
    return target


def build_bracketed(result: BracketedEvaluation, title: str) -> Document:
    """What the report says; nothing here knows HTML."""
    look = styles(tuple(result.models))
    flat = [(look[model].name, name, found) for model, row in result.brackets.items() for name, found in row.items()]
    rows = [
        [model, name, *map(_number, (found.estimate, found.low, found.high)), _yes(found.exact)]
        for model, name, found in flat
    ]
    return Document(
        title=title,
        verdict=_verdict(result),
        models=list(look.values()),
        tables=[TableBlock("measures", "Measures with the bounds of their exact value", HEADER, rows)],
        charts=_charts(result, look),
        operating={},
        granular={},
        reclassified={},
        assumptions=[("Direction", DIRECTION), ("Exact", _yes(result.exact)), ("rocsteady", __version__)],
        notes=result.notes(),
    )


def _charts(result: BracketedEvaluation, look: dict[str, Style]) -> list[Chart]:
    """Both limits of each curve; the exact curve lies between them."""
    if not result.curves:
        return []
    roc = [
        (model, edge, {"fpr": curve.fpr, "tpr": curve.tpr})
        for model, found in result.curves.items()
        for edge, curve in ([("exact", found.up)] if found.exact else [("low", found.low), ("up", found.up)])
    ]
    pr = [
        (model, edge, {"recall": found.recall, "precision": side})
        for model, found in result.pr_curves.items()
        for edge, side in ([("exact", found.high)] if found.exact else [("low", found.low), ("up", found.high)])
    ]
    styles, chance = list(look.values()), [{"x": 0, "y": 0}, {"x": 1, "y": 1}]
    return [
        chart_of("roc", "ROC", BETWEEN, _roc(styles), {"edges": _records(roc, look), "chance": chance}, DRAWN),
        chart_of("pr", "Precision-recall", BETWEEN, _pr(styles), {"edges": _records(pr, look)}, DRAWN),
    ]


def _records(edges: list[tuple[str, str, dict[str, Any]]], look: dict[str, Style]) -> Records:
    made: Records = []
    for model, edge, columns in edges:
        x, y = columns.values()
        kept = thin(x, y, DEVIATION)
        thinned = {name: values[kept].round(6) for name, values in columns.items()}
        made += [{**record, "edge": edge} for record in as_records(look[model].name, thinned)]
    return made


def _roc(styles: list[Style]) -> dict[str, Any]:
    x, y = axis("fpr", "False positive rate", domain=(0, 1)), axis("tpr", "True positive rate", domain=(0, 1))
    return base(styles, [chance_line(), *_edges(styles, x, y)], height=360)


def _pr(styles: list[Style]) -> dict[str, Any]:
    x, y = axis("recall", "Recall", domain=(0, 1)), axis("precision", "Precision", domain=(0, 1))
    return base(styles, _edges(styles, x, y, interpolate="step-before"), height=360)


def _edges(styles: list[Style], x: dict[str, Any], y: dict[str, Any], **mark: Any) -> list[dict[str, Any]]:
    told = [*tips((x["field"], x["title"]), (y["field"], y["title"])), {"field": "edge", "title": "limit"}]
    curve = lines("edges", styles, x, y, told, strokeWidth=1.4, **mark)
    curve["encoding"]["detail"] = {"field": "edge"}
    return [curve, hover_points("edges", styles, x, y, told)]


def _verdict(result: BracketedEvaluation) -> tuple[str, ...]:
    """Which AUC is greater, where the brackets decide it; how sure other rows would agree is another question."""
    areas = {model: row["auc"] for model, row in result.brackets.items() if "auc" in row}
    lines = [f"{printable(model)}: AUC {found}" for model, found in areas.items()]
    best = max(areas, key=lambda model: areas[model].low, default=None)
    if best is None or len(areas) < 2:
        return tuple(lines) or ("Measures of counted scores",)
    decided = all(areas[best].low > found.high for model, found in areas.items() if model != best)
    first = f"{printable(best)} has the greatest AUC on these rows" if decided else "the brackets overlap: refine them"
    return (first, *lines)


def _number(value: float) -> str:
    return format_digits(value, 12)


def _yes(exact: bool) -> str:
    return "yes" if exact else "no"
