"""Report of brackets: every number and curve with its bounds, as a page, Markdown or JSON."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.atomic import refuse_existing, write_whole
from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.geometry import thin
from rocsteady._src.base.text import format_count, format_digits, format_interval, json_printable
from rocsteady._src.results import DIRECTION
from rocsteady._src.results.cases import FEW, VERY_FEW
from rocsteady._src.results.decision import Check
from rocsteady._src.views.report.charts import axis, base, chance_line, hover_points, lines, tips
from rocsteady._src.views.report.document import Document, Section, TableBlock, chart_of
from rocsteady._src.views.report.forests import certain
from rocsteady._src.views.report.markup import CERTAIN
from rocsteady._src.views.report.names import styles
from rocsteady._src.views.report.page import to_html
from rocsteady._src.views.report.provenance import made_on
from rocsteady._src.views.report.records import DEVIATION, as_records
from rocsteady._src.views.report.words import to_markdown
from rocsteady._version import __version__

if TYPE_CHECKING:
    from rocsteady._src.results.scale import Bracket, BracketedEvaluation
    from rocsteady._src.views.report.document import Chart, Records
    from rocsteady._src.views.report.names import Style

BETWEEN = "One line is the exact curve; of two lines, the curve of all rows lies between them, for certain."
DRAWN = f"Lines are drawn with fewer points, none of which moves by more than {DEVIATION}."
HEADER = ["Model", "Measure", "Bounds", "Middle", "Exact"]
FINE = 10**6
CERTAINLY = (
    "The value of these rows lies within the bounds, for certain. How much other rows would differ they do not tell."
)


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
    rows = [[model, name, _bounds(found), _number(found.estimate), _yes(found.exact)] for model, name, found in flat]
    values = [[model, name, [found.low, found.high], found.estimate, found.exact] for model, name, found in flat]
    header = [*HEADER, *(["Interval"] if result.intervals else [])]
    if result.intervals:
        ends = [result.intervals.get(model, {}).get(name) for model, row in result.brackets.items() for name in row]
        shown = ["" if each is None else format_interval(each.estimate, each.low, each.high) for each in ends]
        both = [None if each is None else [each.low, each.high] for each in ends]
        rows = [[*row, text] for row, text in zip(rows, shown, strict=True)]
        values = [[*row, pair] for row, pair in zip(values, both, strict=True)]
    table = TableBlock("measures", "Measures with the bounds of their exact value", header, rows, text=CERTAINLY)
    areas, *curves = _charts(result, look)
    return Document(
        title=title,
        verdict=_verdict(result),
        alarms=_alarms(result),
        checks=_checks(result),
        models=list(look.values()),
        sections=[Section("compare", "Compare", [], [replace(table, values=values)], [areas, *curves])],
        command="import rocsteady as rs; rs.scale.evaluate_sketches(sketches).report('report.html')",
        supplied="You supply sketches, by model: rs.scale.Sketch() after update() with all rows.",
        assumptions=[
            ("Made on", made_on()),
            *((f"Rows of {printable(model, most=40)}", _rows(row)) for model, row in result.brackets.items()),
            ("Direction", DIRECTION),
            ("Exact", _yes(result.exact)),
            ("rocsteady", __version__),
        ],
        notes=result.notes(),
    )


def _one(row: dict[str, Bracket]) -> Bracket:
    return next(iter(row.values()))


def _rows(row: dict[str, Bracket]) -> str:
    return f"{format_count(_one(row).n_pos)} positives, {format_count(_one(row).n_neg)} negatives"


def _bounds(found: Bracket) -> str:
    """Bounds that hold: in words, since brackets are for intervals of confidence."""
    if found.exact:
        return f"{_number(found.estimate)} {CERTAIN}"
    low, high = math.floor(found.low * FINE) / FINE, math.ceil(found.high * FINE) / FINE  # outwards: they must hold
    return f"{_number(low)} to {_number(high)} {CERTAIN}"


def _charts(result: BracketedEvaluation, look: dict[str, Style]) -> list[Chart]:
    """Both limits of each curve; the exact curve lies between them."""
    areas = _areas(result, look)
    if not result.curves:
        return [areas]
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
        areas,
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


def _areas(result: BracketedEvaluation, look: dict[str, Style]) -> Chart:
    """Bounds of every AUC, or of the first measure, as bars with ends: no dot, and no whisker."""
    measure = "auc" if "auc" in result.measures else result.measures[0]
    lines = [
        {"model": look[model].name, "row": look[model].name, "low": row[measure].low, "high": row[measure].high}
        for model, row in result.brackets.items()
    ]
    styles, rows = list(look.values()), [look[model].name for model in result.brackets]
    text = "Bars with ends: the value of these rows lies within them, for certain. They are no confidence intervals."
    spec = certain(styles, rows, "AUC" if measure == "auc" else measure)
    return chart_of(
        "bounds", f"Bounds of {'AUC' if measure == 'auc' else measure}", text, spec, {"bounds": lines}, wide=True
    )


def _leaders(result: BracketedEvaluation) -> dict[str, str | None]:
    """For each measure, the model whose bounds lie above those of all others; None where they overlap."""
    found: dict[str, str | None] = {}
    for measure in result.measures:
        known = {model: row[measure] for model, row in result.brackets.items() if measure in row}
        best = max(known, key=lambda model: known[model].low)
        others = (each.high for model, each in known.items() if model != best)
        found[measure] = best if all(known[best].low > high for high in others) else None
    return found


def _verdict(result: BracketedEvaluation) -> tuple[str, ...]:
    """Which AUC is greater, where the bounds decide it; how sure other rows would agree is another question."""
    measure = "auc" if "auc" in result.measures else result.measures[0]
    name = "AUC" if measure == "auc" else measure
    areas = {model: row[measure] for model, row in result.brackets.items() if measure in row}
    lines = [f"{printable(model)}: {name} {_bounds(found)}" for model, found in areas.items()]
    if len(areas) < 2:
        ((model, found),) = areas.items()
        better = "ranks better than chance on these rows" if found.low > 0.5 else "may rank no better than chance"
        return (f"{printable(model)} {better}: {name} {_bounds(found)}" if name == "AUC" else lines[0], OTHER_ROWS)
    best = _leaders(result)[measure]
    if best is None:
        leads = max(areas, key=lambda model: areas[model].low)
        first = (
            f"Use, for now, {printable(leads)}: bounds of {name} overlap, so that counting more finely may change it"
        )
        return (first, *lines, OTHER_ROWS)
    first = f"Use {printable(best)}: on these rows it has the greatest {name}, for certain"
    return (first, *lines, OTHER_ROWS)


def _alarms(result: BracketedEvaluation) -> tuple[str, ...]:
    told = []
    for model, row in result.brackets.items():
        fewest = min(_one(row).n_pos, _one(row).n_neg)
        if fewest < VERY_FEW:
            told.append(f"{printable(model)}: only {format_count(fewest)} rows of a class: another sample may differ")
        if "auc" in row and row["auc"].high < 0.5:
            told.append(f"{printable(model)} ranks worse than chance: if low scores mean positive, negate them")
    return tuple(told)


def _checks(result: BracketedEvaluation) -> tuple[Check, ...]:
    fewest = min(min(_one(row).n_pos, _one(row).n_neg) for row in result.brackets.values())
    answer = "no" if fewest < VERY_FEW else "partly" if fewest < FEW else "yes"
    leaders = _leaders(result)
    named = {model for model in leaders.values() if model is not None}
    open_ones = [measure for measure, model in leaders.items() if model is None]
    agree, text = "unknown", "there is only one model"
    if len(result.brackets) > 1:
        agree = "no" if len(named) > 1 else "partly" if open_ones else "yes"
        told = [f"{measure}: {printable(model, most=40)}" for measure, model in leaders.items() if model is not None]
        told += [f"{measure}: open, as bounds overlap" for measure in open_ones]
        text = "; ".join(told)
    return (
        Check("enough", "Enough data?", answer, f"{format_count(fewest)} rows of the smaller class"),
        Check("agree", "Do the measures agree?", agree, text),
        Check("probabilities", "Can the probabilities be trusted?", "unknown", "counts in cells do not tell"),
    )


OTHER_ROWS = (
    "A threshold and its cost need the rows: rocsteady report reads them, and tells how sure other rows would agree"
)


def _number(value: float) -> str:
    return format_digits(value, 12)


def _yes(exact: bool) -> str:
    return "yes" if exact else "no"
