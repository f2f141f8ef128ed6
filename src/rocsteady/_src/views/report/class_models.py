"""The page of several models of more than two classes: a table of them, their differences, and each by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_count, format_level, format_setting, table_cells
from rocsteady._src.views.report.class_tables import class_tables
from rocsteady._src.views.report.classes import checked_level
from rocsteady._src.views.report.document import Document, Section, TableBlock
from rocsteady._src.views.report.names import short_names
from rocsteady._src.views.report.plain import told_once
from rocsteady._src.views.report.records import ends_of

if TYPE_CHECKING:
    from rocsteady._src.evaluation.classes.models import MulticlassModels
    from rocsteady._src.results import Comparison

TITLE = "Models of more than two classes"


def build_models(result: MulticlassModels, *, title: str = TITLE, level: float | None = None) -> Document:
    """Put the evaluation in order; the models are compared by the first number of the table."""
    checked_level(result, level)
    compared = result.compare() if len(result) > 1 else None
    names = short_names(result.labels)
    sections = [
        Section(
            f"model-{place}",
            printable(model),
            [],
            [_own(table, place) for table in class_tables(found, names)],
            [],
        )
        for place, (model, found) in enumerate(result.models.items())
    ]
    return Document(
        title=title,
        verdict=() if compared is None else tuple(compared.verdict),
        models=[],
        tables=[_models(result), *([] if compared is None else [_differences(compared)])],
        charts=[],
        operating={},
        granular={},
        reclassified={},
        assumptions=[
            ("Classes", f"{format_count(len(result.labels))}: {', '.join(names[:20])}"),
            ("Rows", format_count(result.origin.n_rows)),
            ("Incomplete rows dropped", format_count(result.origin.n_dropped)),
            ("Row weights", "used" if result.origin.weighted else "none"),
            ("Direction", "a higher score means more of that class"),
            ("Confidence level", format_setting(result.level)),
        ],
        notes=told_once(list(result.warnings)),
        sections=sections,
    )


def _own(table: TableBlock, place: int) -> TableBlock:
    """The table of one model, under a name of its own."""
    parts = table.header, table.rows, table.keys, table.text, table.values
    return TableBlock(f"{table.id}-{place}", table.title, *parts)


def _models(result: MulticlassModels) -> TableBlock:
    header, rows = result.cells()
    values = [[model, *(ends_of(result.value(model, name)) for name in result.columns)] for model in result]
    text = f"With {format_level(result.level)} intervals."
    return TableBlock("models", "Models", header, rows, text=text, values=values)


def _differences(compared: Comparison) -> TableBlock:
    columns = compared._columns()  # noqa: SLF001 - the table is the frame
    lines = [list(row) for row in zip(*columns.values(), strict=True)]
    rows = table_cells(list(columns), lines)
    return TableBlock("differences", f"Differences of {compared.measure}", list(columns), rows, values=lines)
