"""How any result is read: in one line, as text, as Markdown, and in a notebook."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import format_count, markdown_text, table_cells, text_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.base.frames import Table

    Cells = tuple[list[str], list[list[str]]]

MOST_LINES = 20
LINE = 100
RECORD = ["", "value"]
STYLE = "white-space:pre;overflow-x:auto;margin:0.25em 0"


def one_line(text: str) -> str:
    """The first line of a text, cut where it is long."""
    first = " ".join(text.split("\n", 1)[0].split())
    return first if len(first) <= LINE else first[: LINE - 4].rstrip() + " ..."


def cells_of(columns: Table) -> Cells:
    """Columns as cells for reading: of one row, a line for each value."""
    lists = {name: _listed(values) for name, values in columns.items()}
    length = max((len(values) for values in lists.values()), default=0)
    if length != 1:
        rows = [list(row) for row in zip(*lists.values(), strict=True)]
        return list(lists), table_cells(list(lists), rows)
    values = table_cells(list(lists), [[each[0] for each in lists.values()]])[0]
    return list(RECORD), [[name, value] for name, value in zip(lists, values, strict=True)]


def _listed(values: Any) -> list[Any]:
    return values.tolist() if isinstance(values, np.ndarray) else list(values)


def text_of(cells: Cells, notes: Sequence[str]) -> str:
    """A table to print; of a long one its beginning."""
    header, rows = cells
    more = len(rows) - MOST_LINES
    left_out = [f"... and {format_count(more)} more lines"] if more > 0 else []
    return "\n".join([text_table(header, rows[:MOST_LINES]), *left_out, *notes])


def markdown_of(cells: Cells, notes: Sequence[str], above: Sequence[str] = ()) -> str:
    """A table in Markdown with notes below, each on a line of its own, and a verdict above."""
    header, rows = cells
    lines = [[markdown_text(cell) for cell in row] for row in (header, *rows)]
    rule = ["---"] + ["--:"] * (len(header) - 1)
    table = ["| " + " | ".join(row) + " |" for row in (lines[0], rule, *lines[1:])]
    below = [f"- {markdown_text(note)}" for note in notes]
    verdict = [f"**{markdown_text(line)}**\n" for line in above]
    return "\n".join([*verdict, *table, *([""] if below else []), *below]) + "\n"


def html_of_table(cells: Cells, notes: Sequence[str], above: Sequence[str] = ()) -> str:
    """A plain table with notes, for notebooks, and a verdict above."""
    header, rows = cells
    head = "".join(f"<th>{html.escape(name)}</th>" for name in header)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    below = "".join(f"<p><small>{html.escape(note)}</small></p>" for note in notes)
    verdict = "".join(f"<p><strong>{html.escape(line)}</strong></p>" for line in above)
    return f"{verdict}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"


def html_of_text(text: str) -> str:
    """Lines as they are printed, for notebooks."""
    return f'<pre style="{STYLE}">{html.escape(text)}</pre>'
