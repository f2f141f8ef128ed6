"""The report on paper: every word and number of the page is on it, and inside its margins."""

from __future__ import annotations

from pathlib import Path

import pytest

import rocsteady as rs
from rocsteady._src.views.plots.pages import GAP, HEIGHT, MARGIN, WIDTH, Pages, width_of
from rocsteady._src.views.report.document import Document
from rocsteady._src.views.report.printed import printed
from rocsteady._src.views.report.write import document_of
from rocsteady.examples import loans


@pytest.fixture(scope="module")
def document() -> Document:
    result = rs.evaluate(loans(200), label="defaulted", scores=["boosted", "logistic"], measures=["auc"])
    return document_of(result, cost_fn=4, cutoffs=[0.2], command="rocsteady report loans.csv")


@pytest.fixture(scope="module")
def pages(document: Document) -> Pages:
    return printed(document, [])


def words_of(pages: Pages) -> set[str]:
    return {word for figure in pages.figures for text in figure.texts for word in text.get_text().split()}


def said(document: Document) -> list[str]:
    """All that a document says in words and tables."""
    tables = [document.decision, *document.tables, *(each for part in document.sections for each in part.tables)]
    moved = next(iter(document.reclassified.values()), [])
    cells = [cell for table in [*tables, *moved] if table for row in [table.header, *table.rows] for cell in row]
    lines = [line for part in document.sections for line in part.lines]
    checks = [f"{check.question} {check.answer} {check.text}" for check in document.checks]
    known = [f"{name}: {value}" for name, value in document.assumptions]
    return [*document.verdict, *document.alarms, *checks, *cells, *lines, *known, *document.notes, document.command]


def test_all_words_and_numbers_of_the_page_are_on_paper(document: Document, pages: Pages) -> None:
    there = words_of(pages)
    assert [word for text in said(document) for word in text.split() if word not in there] == []
    assert len(pages.figures[-1].axes) == 3  # cost, rates and scores by class


def test_everything_stands_inside_the_margins(pages: Pages) -> None:
    for figure in pages.figures[:-1]:
        for text in figure.texts:
            x, y = text.get_position()
            bold = text.get_fontweight() == "bold"
            assert x * WIDTH + width_of(text.get_text(), text.get_fontsize(), bold=bold) <= WIDTH - MARGIN + 1
            assert y * HEIGHT >= MARGIN - 4


@pytest.mark.parametrize("columns", [1, 30])
def test_tables_of_any_width_and_length(columns: int) -> None:
    """Wide ones are set smaller and broken, long ones go on with their header."""
    pages = Pages("foot")
    header = [f"a_long_name_without_a_gap_{place} $x_{place}" for place in range(columns)]
    rows = [[f"{row}.{place}" for place in range(columns)] for row in range(70)]
    pages.table(header, rows)
    assert len(pages.figures) > 1
    assert {cell for row in rows for cell in row} <= words_of(pages)
    texts = [text for figure in pages.figures for text in figure.texts]
    assert max(text.get_position()[0] * WIDTH for text in texts) < WIDTH - MARGIN + GAP
    for figure in pages.figures:
        assert "a_lon" in "".join(text.get_text() for text in figure.texts[: 3 * columns])


def test_a_file_of_several_pages(document: Document, tmp_path: Path) -> None:
    pages = printed(document, [])  # of its own: a file has a foot on each page
    pages.save(tmp_path / "page.pdf", {"Keywords": "mine"})
    content = (tmp_path / "page.pdf").read_bytes()
    assert content.startswith(b"%PDF")
    assert content.count(b"/Type /Page /Parent") == len(pages.figures) > 2
