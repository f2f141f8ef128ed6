"""Tables of results as text, JSON, CSV or Markdown."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.atomic import refuse_existing, write_whole
from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import json_printable, markdown_text, table_cells, text_table, turned_if_wide
from rocsteady._src.views.cli.words import for_shell

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Format(StrEnum):
    """Output formats."""

    text = "text"
    json = "json"
    csv = "csv"
    markdown = "markdown"
    md = "md"


@dataclass(frozen=True, slots=True)
class Page:
    """What a command answers: sentences that lead, a table, notes and more text below it; the same as data.

    ``data`` is called where it is wanted: hashes of ten million scores take longer than their measures.

    A table of numbers ``turns`` rows into columns where it would be too wide; a list of texts does not.
    """

    header: list[str]
    rows: list[list[Any]]
    notes: list[str]
    data: Callable[[], dict[str, Any]]
    turns: bool = True
    lead: list[str] = field(default_factory=list)
    tail: list[str] = field(default_factory=list)

    def said(self, lines: list[str]) -> list[str]:
        """Lines in the words of the command line."""
        return [for_shell(line) for line in lines]


def refuse_output(output: Path | None, *, force: bool) -> None:
    """Refuse a file that cannot be written, before the work."""
    if output is not None:
        refuse_existing(output, force=force)


def deliver(page: Page, form: Format, output: Path | None, *, force: bool = False) -> None:
    """Print, or write a whole file. CSV holds names as they are; on a terminal they cannot steer it."""
    if output is None and form is Format.text and sys.stdout.isatty():
        _print_rich(page)
    else:
        found = form_of(output, form)
        write_out(RENDERERS[found](page), output, force=force)
        if output is not None:
            sys.stdout.write(
                f"Wrote {printable(output)}{'' if output.suffix.lower() in KNOWN else f' as {found.value}'}.\n"
            )


def write_out(text: str, output: Path | None, *, force: bool = False) -> None:
    """Write a whole file, or print what cannot steer a terminal."""
    if output is not None:
        write_whole(output, text, force=force)
    else:
        sys.stdout.write("\n".join(map(printable, text.split("\n"))) if sys.stdout.isatty() else text)


def form_of(output: Path | None, form: Format) -> Format:
    """The form that was asked for, or, when none was, that of the file's ending."""
    return ENDINGS.get(output.suffix.lower(), form) if output is not None and form is Format.text else form


def is_page(output: Path, form: Format) -> bool:
    """Whether the file's ending asks for a page to open in a browser."""
    return form is Format.text and output.suffix.lower() in (".html", ".htm")


def _as_text(page: Page) -> str:
    header, rows = _formatted(page)
    lead = [*page.said(page.lead), ""] if page.lead else []
    table = text_table(header, rows, numbers=page.turns)
    return "\n".join([*lead, table, "", *page.said(page.notes), *page.tail]).rstrip() + "\n"


def _formatted(page: Page, width: int = 110) -> tuple[list[str], list[list[str]]]:
    rows = table_cells(page.header, page.rows)
    header = [printable(name) for name in page.header]
    return turned_if_wide(header, rows, width) if page.turns else (header, rows)


def _as_markdown(page: Page) -> str:
    rows = [[markdown_text(cell) for cell in row] for row in table_cells(page.header, page.rows)]
    header = [markdown_text(name) for name in page.header]
    lines = [header, [":---", *["---:"] * (len(header) - 1)], *rows]
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    lead, notes = ([markdown_text(line) for line in page.said(lines)] for lines in (page.lead, page.notes))
    return "\n\n".join([*lead, table, *notes, *map(_fenced, page.tail)]) + "\n"


def _fenced(block: str) -> str:
    """Text as it is; the fence is longer than any within."""
    fence = "`" * (1 + max([2, *map(len, re.findall("`+", block))]))
    return f"{fence}text{block}\n{fence}"


def _as_csv(page: Page) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([no_formula(name) for name in page.header])
    writer.writerows([[no_formula(cell) for cell in row] for row in page.rows])
    return out.getvalue()


def no_formula(cell: Any) -> Any:
    """Text that a spreadsheet would run gets a leading quote; numbers stay numbers."""
    if isinstance(cell, str) and cell.lstrip(" \"'").startswith(("=", "+", "-", "@", "\t", "\r")):
        return "'" + cell
    return repr(float(cell)) if isinstance(cell, float) else cell


def _as_json(page: Page) -> str:
    from rocsteady._src.results.plain_values import plain

    text = json.dumps(plain(page.data()), indent=2, allow_nan=False, ensure_ascii=False, default=str)
    return json_printable(text) + "\n"


def _print_rich(page: Page) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    header, rows = _formatted(page, console.width)
    table = Table(box=None, pad_edge=False, header_style="bold", row_styles=["", "dim"] if not page.turns else None)
    for place, name in enumerate(header):
        left = place == 0 or not page.turns
        table.add_column(Text(name), justify="left" if left else "right", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    for line in page.said(page.lead):
        console.print(Text(line, style="bold"))
    if page.lead:
        console.print()
    console.print(table)
    for note in page.said(page.notes):
        console.print(Text(note, style="dim"))
    for block in page.tail:
        console.print(Text(block))


KNOWN = (".csv", ".json", ".markdown", ".md", ".txt")
ENDINGS = {".csv": Format.csv, ".json": Format.json, ".md": Format.markdown, ".markdown": Format.markdown}
RENDERERS = {Format.text: _as_text, Format.json: _as_json, Format.csv: _as_csv, Format.markdown: _as_markdown}
RENDERERS[Format.md] = _as_markdown
