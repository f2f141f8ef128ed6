"""Small parts of a page as HTML. This is the only place that escapes text for it."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocsteady._src.views.report.document import Document, TableBlock


MOST_BESIDE = 4  # intervals in a row that stand beside their estimates; more stand below them, to fit a page


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
    sort = '<span class="no-print">Press a heading to sort.</span>' if table.keys else ""
    said = f"{escaped(table.text)} {sort}".strip()
    note = f'<p class="note">{said}</p>' if said else ""
    return f"""<section class="card" aria-labelledby="{table.id}-title">
<h3 id="{table.id}-title">{escaped(table.title)}</h3>{note}
<div class="scroll" tabindex="0" role="group" aria-labelledby="{table.id}-title">{bare_table(table)}</div>
{exports(table.id, table.title)}
</section>"""


def bare_table(table: TableBlock) -> str:
    """The table alone. Roles are said, since a narrow screen lays its cells out one below the other."""
    head = "".join(_heading(name, place, sortable=bool(table.keys)) for place, name in enumerate(table.header))
    body = "".join(
        '<tr role="row">'
        + "".join(
            cell(text, place, table.keys[row] if table.keys else None, label)
            for place, (text, label) in enumerate(zip(cells, table.header, strict=True))
        )
        + "</tr>"
        for row, cells in enumerate(table.rows)
    )
    stacked = any(sum(" [" in text for text in cells) > MOST_BESIDE for cells in table.rows)
    looks = {"matrix": table.is_matrix, "sorted": bool(table.keys), "stacked": stacked}
    kinds = [name for name, is_so in looks.items() if is_so]
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    return (
        f'<table id="table-{table.id}" role="table"{kind}><thead role="rowgroup"><tr role="row">{head}</tr></thead>'
        f'<tbody role="rowgroup">{body}</tbody></table>'
    )


def _heading(name: str, place: int, *, sortable: bool) -> str:
    inner = (
        f'<button type="button" class="sort" data-column="{place}">{escaped(name)}</button>'
        if sortable
        else f"<bdi>{escaped(name)}</bdi>"
    )
    return f'<th scope="col" role="columnheader">{inner}</th>'


def cell(text: str, place: int, keys: list[Any] | None, label: str = "") -> str:
    key = "" if keys is None else f' data-key="{escaped("" if keys[place] is None else keys[place])}"'
    if place == 0:
        return f'<th scope="row" role="rowheader"{key}><bdi>{escaped(text)}</bdi></th>'
    value, bracket, interval = text.partition(" [")
    inner = f"{escaped(value)}<small> [{escaped(interval)}</small>" if bracket else escaped(text)
    inner = f'<span class="certain">{inner}</span>' if text.endswith(CERTAIN) else inner
    return f'<td role="cell" data-label="{escaped(label)}"{key}>{inner}</td>'


CERTAIN = "for certain"  # how bounds end that hold whatever the rows: they look unlike intervals of confidence
