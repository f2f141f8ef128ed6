"""The document without pictures: Markdown for people, plain data for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady.errors import printable
from rocsteady.report.build import operating_record

if TYPE_CHECKING:
    from rocsteady.report.document import Document, TableBlock


def to_markdown(document: Document) -> str:
    """Verdict, tables and assumptions."""
    first, *others = document.verdict
    parts = [f"# {_safe(document.title)}", f"**{_safe(first)}**", "\n".join(f"- {_safe(line)}" for line in others)]
    models, rest = ([t for t in document.tables if (t.id == "measures") is leads] for leads in (True, False))
    parts += [_titled(table) for table in models]
    for section in document.sections:
        told = "\n".join(f"- {_safe(line)}" for line in section.lines)
        parts += [f"## {_safe(section.title)}", told, *(_titled(table, 3) for table in section.tables)]
    parts += [_titled(table) for table in rest]
    for key, tables in document.reclassified.items():
        old, new = key.split("\n")
        blocks = "\n\n".join(f"{_table(table)}\n\n{_safe(table.text)}" for table in tables)
        parts.append(f"## From {_safe(old)} to {_safe(new)}\n\n{blocks}")
    parts.append("## What was assumed\n\n" + "\n".join(f"- {_safe(k)}: {_safe(v)}" for k, v in document.assumptions))
    if document.notes:
        parts.append("## Notes\n\n" + "\n".join(f"- {_safe(note)}" for note in document.notes))
    return "\n\n".join(part for part in parts if part) + "\n"


def _titled(table: TableBlock, depth: int = 2) -> str:
    return f"{'#' * depth} {_safe(table.title)}\n\n{_table(table)}"


def _table(table: TableBlock) -> str:
    lines = [table.header, [":---", *["---:"] * (len(table.header) - 1)], *table.rows]
    return "\n".join("| " + " | ".join(_safe(cell) for cell in line) + " |" for line in lines)


def _safe(text: object) -> str:
    """Text that Markdown shows as it is: no HTML, no table borders, no links."""
    shown = printable(text)
    for mark in ("\\", "`", "|", "<", ">", "[", "]", "*", "_"):
        shown = shown.replace(mark, {"<": "&lt;", ">": "&gt;"}.get(mark, f"\\{mark}"))
    return shown


def to_json_data(document: Document) -> dict[str, Any]:
    """Everything the page says and draws, as plain values."""
    return {
        "title": document.title,
        "verdict": list(document.verdict),
        "models": [style.name for style in document.models],
        "tables": _tables(document.tables),
        "sections": {
            section.id: {"title": section.title, "lines": section.lines, "tables": _tables(section.tables)}
            for section in document.sections
        },
        "charts": {
            chart.id: {"title": chart.title, "text": chart.text, "data": chart.data} for chart in document.all_charts
        },
        "operating": {
            model: [operating_record(model, table, place) for place in range(len(table["threshold"]))]
            for model, table in document.operating.items()
        },
        "granular": document.granular,
        "assumptions": dict(document.assumptions),
        "notes": document.notes,
    }


def _tables(tables: list[TableBlock]) -> dict[str, Any]:
    return {table.id: {"header": table.header, "rows": table.rows} for table in tables}
