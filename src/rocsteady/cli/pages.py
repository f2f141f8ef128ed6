"""From results to the pages that commands print."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rocsteady.cli.render import Format, Page

if TYPE_CHECKING:
    from rocsteady.evaluation import Evaluation
    from rocsteady.results import Comparison


def evaluation_page(result: Evaluation, form: Format = Format.text) -> Page:
    """The table of an evaluation, with what was assumed and noticed; ends of intervals apart for CSV."""
    if form is not Format.csv:
        header, cells = result.cells()
        return Page(header, [list(row) for row in cells], result.notes(), result.to_dict())
    return frame_page(result, result.notes())


def comparison_page(result: Comparison) -> Page:
    """The verdict, then the table of differences."""
    page = frame_page(result, result.notes())
    return replace(page, lead=list(result.verdict), tail=result.tables())


def frame_page(result: Evaluation | Comparison, notes: list[str]) -> Page:
    """The frame of a result as a page."""
    frame = result._columns()  # noqa: SLF001 - the page is the frame
    rows = [list(row) for row in zip(*frame.values(), strict=True)]
    return Page(list(frame), rows, notes, result.to_dict())
