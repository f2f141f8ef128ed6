"""The page for a notebook: the same document, without files."""

from __future__ import annotations

from typing import Any

from rocsteady._src.results.exploring import ExploredPage
from rocsteady._src.views.report.page import to_html
from rocsteady._src.views.report.still_pictures import NoDrawer
from rocsteady._src.views.report.write import document_of


def explored(result: Any, **options: Any) -> ExploredPage:
    """The page of a result, and what is shown where it cannot be."""
    options = {name: value for name, value in options.items() if name not in ("format", "force")}
    page = to_html(document_of(result, **options), NoDrawer())
    return ExploredPage(page, result._repr_html_(), str(result))
