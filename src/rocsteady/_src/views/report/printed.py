"""The report on paper: verdict, checks, tables, pictures and provenance, page after page, in the order of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.views.plots.pages import GREY, Pages
from rocsteady._src.views.report.page import MARKS
from rocsteady._src.views.report.threshold_sheet import threshold_sheet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocsteady._src.views.report.document import Document, Section, TableBlock

MOST = 2000  # letters of a paragraph


def printed(document: Document, pictures: Iterable[Any]) -> Pages:
    """The pages of a document; ``pictures`` are figures, each of which gets a page."""
    pages = Pages(f"rocsteady: {_plain(document.title, 80)}")
    pages.keep(100)
    _decided(pages, document)
    models, rest = ([t for t in document.tables if (t.id == "measures") is leads] for leads in (True, False))
    for table in models:
        _titled(pages, table)
    for section in document.sections:
        _section(pages, section, document)
    for table in rest:
        _titled(pages, table)
    _provenance(pages, document)
    for figure in (*pictures, threshold_sheet(document)):
        if figure is not None:
            pages.picture(figure)
    return pages


def _plain(text: Any, most: int = MOST) -> str:
    return printable(str(text), most=most)


def _decided(pages: Pages, document: Document) -> None:
    """What leads: the decision, what must be known before it, the three questions and its table."""
    first, *others = document.verdict or ("",)
    pages.words(_plain(document.title), size=11, colour=GREY, after=6)
    for line in document.alarms:
        pages.words(_plain(line), bold=True, colour="#8a1c1c", after=5)
    pages.words(_plain(first), size=14, bold=True, after=8)
    for check in document.checks:
        pages.words(f"{check.question} {check.answer}", size=9.5, bold=True, mark=MARKS[check.answer], after=0)
        pages.words(_plain(check.text), size=8, colour=GREY, mark=" ", after=5)
    for line in others:
        pages.words(_plain(line), mark="\N{BULLET}")
    if document.decision is not None:
        pages.space(6)
        _titled(pages, document.decision)


def _section(pages: Pages, section: Section, document: Document) -> None:
    """Its words and tables; charts stand on pages of their own."""
    if not (section.lines or section.tables or section.panel == "moves"):
        return
    pages.heading(_plain(section.title))
    for line in section.lines:
        pages.words(_plain(line), mark="\N{BULLET}")
    for table in section.tables:
        _titled(pages, table, 10)
    if section.panel == "moves":
        _moves(pages, document)


def _titled(pages: Pages, table: TableBlock, size: float = 12) -> None:
    pages.heading(_plain(table.title), size)
    if table.text:
        pages.words(_plain(table.text), size=8, colour=GREY)
    pages.table([_plain(cell) for cell in table.header], [[_plain(cell) for cell in row] for row in table.rows])


def _moves(pages: Pages, document: Document) -> None:
    """Who moves, from one model to another."""
    for old, new, tables in document.moves_once():
        pages.heading(f"From {_plain(old)} to {_plain(new)}", 10)
        for table in tables:
            _titled(pages, table, 9)


def _provenance(pages: Pages, document: Document) -> None:
    pages.heading("Provenance")
    for name, value in document.assumptions:
        pages.words(f"{_plain(name)}: {_plain(value)}", size=8)
    if document.command:
        pages.words(f"Make it again: {_plain(document.command)} {_plain(document.supplied)}".strip(), size=8)
    if document.notes:
        pages.heading("Notes")
        for line in document.notes:
            pages.words(_plain(line), size=8, mark="\N{BULLET}")
