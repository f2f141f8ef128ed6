"""Small parts of a page as HTML. This is the only place that escapes text for it."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocsteady._src.views.report.document import Document, TableBlock


def escaped(value: object) -> str:
    """Text for HTML, in which a name of any direction stays in its place."""
    return html.escape(str(value), quote=True)


def options_of(document: Document) -> str:
    names = enumerate(style.name for style in document.models)
    return "".join(f'<option value="{place}">{escaped(name)}</option>' for place, name in names)


def items(lines: list[str]) -> str:
    return "".join(f"<li><bdi>{escaped(line)}</bdi></li>" for line in lines)


def exports(name: str, title: str) -> str:
    """Buttons that copy a table, or save it."""
    whose = f'<span class="away"> of {escaped(title)}</span>'
    return (
        f'<p class="buttons no-print"><button type="button" data-copy="{name}">Copy{whose}</button>'
        f'<button type="button" data-table-csv="{name}">CSV{whose}</button></p>'
    )


def table_html(table: TableBlock) -> str:
    sortable = bool(table.keys)
    head = "".join(
        f'<th scope="col"><button type="button" class="sort" data-column="{place}">{escaped(name)}</button></th>'
        if sortable
        else f'<th scope="col"><bdi>{escaped(name)}</bdi></th>'
        for place, name in enumerate(table.header)
    )
    body = "".join(
        "<tr>"
        + "".join(cell(text, place, table.keys[row] if sortable else None) for place, text in enumerate(cells))
        + "</tr>"
        for row, cells in enumerate(table.rows)
    )
    said = " ".join([table.text, *(["Press a heading to sort."] if sortable else [])]).strip()
    note = f'<p class="note">{escaped(said)}</p>' if said else ""
    return f"""<section class="card" aria-labelledby="{table.id}-title">
<h3 id="{table.id}-title">{escaped(table.title)}</h3>{note}
<div class="scroll" tabindex="0" role="region" aria-labelledby="{table.id}-title"><table id="table-{table.id}">
<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{exports(table.id, table.title)}
</section>"""


def cell(text: str, place: int, keys: list[Any] | None) -> str:
    key = "" if keys is None else f' data-key="{escaped("" if keys[place] is None else keys[place])}"'
    if place == 0:
        return f'<th scope="row"{key}><bdi>{escaped(text)}</bdi></th>'
    value, bracket, interval = text.partition(" [")
    inner = f"{escaped(value)}<small> [{escaped(interval)}</small>" if bracket else escaped(text)
    return f"<td{key}>{inner}</td>"
