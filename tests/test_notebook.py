"""The tutorial as a notebook: it runs, shows tables and figures once, and stays small."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest
from tools.notebook import written

NOTEBOOK = Path(__file__).parent.parent / "docs" / "tutorial.ipynb"
MOST_BYTES, MOST_TEXT = 250_000, 4_000


def test_it_is_made_of_the_tutorial() -> None:
    assert NOTEBOOK.read_text(encoding="utf-8") == written()


@pytest.fixture(scope="module")
def outputs() -> list[list[Any]]:
    book = nbformat.reads(NOTEBOOK.read_text(encoding="utf-8"), as_version=4)
    inline = {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}  # as notebooks have it, whatever tests set
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3").execute(env={**os.environ, **inline})
    return [cell.outputs for cell in book.cells if cell.cell_type == "code"]


def test_it_runs_and_stays_small(outputs: list[list[Any]]) -> None:
    shown = [output for cell in outputs for output in cell]
    assert not [output for output in shown if output.output_type == "error"]
    assert len(json.dumps(shown)) < MOST_BYTES
    for output in shown:
        text = output.get("text", output.get("data", {}).get("text/plain", ""))
        assert len(text) < MOST_TEXT
        assert "array(" not in text


def test_tables_are_shown_as_tables_and_each_figure_once(outputs: list[list[Any]]) -> None:
    pages = [output.data["text/html"] for cell in outputs for output in cell if "text/html" in output.get("data", {})]
    assert any("<table" in page for page in pages)
    figures = [sum("image/png" in output.get("data", {}) for output in cell) for cell in outputs]
    assert max(figures) == 1
    assert sum(figures) == 1
