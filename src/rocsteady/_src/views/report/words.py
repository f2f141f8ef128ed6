"""The document without pictures: Markdown for people, plain data for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.text import json_printable
from rocsteady._src.base.text import markdown_text as safe
from rocsteady._src.views.report.chart_parts import operating_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.views.report.document import Document, TableBlock


def to_markdown(document: Document) -> str:
    """The decision first, then what it rests on, in the order of the page."""
    first, *others = document.verdict or ("",)
    parts = [f"# {safe(document.title)}", *(f"**{safe(line)}**" for line in document.alarms), f"**{safe(first)}**"]
    parts += [_listed(others), _listed([f"{each.question} {each.answer}: {each.text}" for each in document.checks])]
    if document.decision is not None:
        parts += [safe(document.decision.text), _table(document.decision)]
    models, rest = ([t for t in document.tables if (t.id == "measures") is leads] for leads in (True, False))
    parts += [_titled(table) for table in models]
    for section in document.sections:
        tables = [_titled(table, 3) for table in section.tables]
        moved = _moves(document) if section.panel == "moves" else []
        parts += [f"## {safe(section.title)}", _listed(section.lines), *tables, *moved]
    parts += [_titled(table) for table in rest]
    parts.append("## Provenance\n\n" + "\n".join(f"- {safe(k)}: {safe(v)}" for k, v in document.assumptions))
    if document.command:
        parts.append(" ".join([f"Make it again: {safe(document.command)}", safe(document.supplied)]).strip())
    if document.notes:
        parts.append("## Notes\n\n" + _listed(document.notes))
    return "\n\n".join(part for part in parts if part) + "\n"


def _listed(lines: Sequence[str]) -> str:
    return "\n".join(f"- {safe(line)}" for line in lines)


def _moves(document: Document) -> list[str]:
    """Who moves, from one model to another."""
    parts = []
    for old, new, tables in document.moves_once():
        parts += [f"### From {safe(old)} to {safe(new)}", *(_titled(table, 4) for table in tables)]
    return parts


def _titled(table: TableBlock, depth: int = 2) -> str:
    said = [safe(table.text)] if table.text else []
    return "\n\n".join([f"{'#' * depth} {safe(table.title)}", *said, _table(table)])


def _table(table: TableBlock) -> str:
    lines = [table.header, [":---", *["---:"] * (len(table.header) - 1)], *table.rows]
    return "\n".join("| " + " | ".join(safe(cell) for cell in line) + " |" for line in lines)


def to_json_data(document: Document) -> dict[str, Any]:
    """Everything the page says and draws, as plain values: text as shown, and numbers beside it."""
    return {
        "title": document.title,
        "alarms": list(document.alarms),
        "verdict": list(document.verdict),
        "models": [style.name for style in document.models],
        **document.numbers,
        "tables": _tables([*_decided(document), *document.tables]),
        "sections": {
            section.id: {"title": section.title, "lines": section.lines, "tables": _tables(section.tables)}
            for section in document.sections
        },
        "reclassified": [
            dict(zip(("old", "new"), key.split("\n"), strict=True)) | {"tables": _tables(tables)}
            for key, tables in document.reclassified.items()
        ],
        "charts": _charts(document),
        "operating": {
            model: [
                _told(operating_record(model, table, place), ("model", "drawn")) for place in range(table["tp"].size)
            ]
            for model, table in document.operating.items()
        },
        "granular": {model: [_step(step) for step in family] for model, family in document.granular.items()},
        "assumptions": dict(document.assumptions),
        "command": document.command,
        "notes": document.notes,
    }


def _decided(document: Document) -> list[TableBlock]:
    return [] if document.decision is None else [document.decision]


def _tables(tables: list[TableBlock]) -> dict[str, Any]:
    return {
        table.id: {
            "title": table.title,
            "text": table.text,
            "header": table.header,
            "rows": table.rows,
            "values": table.values or table.keys or table.rows,
        }
        for table in tables
    }


def _charts(document: Document) -> dict[str, Any]:
    """Data sets of the charts, each once: a chart that draws another's, or a step of a slider, has no copy."""
    taken = {id(step["records"]) for family in document.granular.values() for step in family}
    made = {}
    for chart in document.all_charts:
        data = {name: records for name, records in chart.data.items() if id(records) not in taken}
        taken |= {id(records) for records in data.values()}
        told = {name: [_told(record, ("i", "drawn")) for record in records] for name, records in data.items()}
        made[chart.id] = {"title": chart.title, "text": chart.text, "data": told}
    return made


def _told(record: dict[str, Any], left_out: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name not in left_out and not name.startswith("_")}


def _step(step: dict[str, Any]) -> dict[str, Any]:
    """One delta: bounds of the AUC, and both curves as columns."""
    curves: dict[str, dict[str, list[float]]] = {}
    for record in step["records"]:
        curve = curves.setdefault(record["edge"], {"fpr": [], "tpr": []})
        for name, column in curve.items():
            column.append(record[name])
    return {"delta": step["delta"], "low": step["low"], "up": step["up"], "curves": curves}


def to_json(document: Document) -> str:
    """JSON with one record a line."""
    return json_printable(_lines(to_json_data(document), 0) + "\n")


def _lines(value: Any, depth: int) -> str:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if not any(isinstance(part, (dict, list)) for part in parts):
        return json.dumps(value, allow_nan=False, ensure_ascii=False)
    ends, names = ("[", "]"), [""] * len(value)
    if isinstance(value, dict):
        ends, names = ("{", "}"), [json.dumps(name, ensure_ascii=False) + ": " for name in value]
    inner = " " * (depth + 1)
    lines = [f"{inner}{name}{_lines(part, depth + 1)}" for name, part in zip(names, parts, strict=True)]
    return f"{ends[0]}\n" + ",\n".join(lines) + f"\n{' ' * depth}{ends[1]}"
