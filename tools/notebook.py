"""Make docs/tutorial.ipynb of docs/tutorial.md: python -m tools.notebook. Its cells are run by the test-suite.

Text becomes cells of text, each block of examples a cell of code; what a block prints last is shown by the notebook.
"""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent.parent / "docs"
BLOCK = re.compile(r"```python\n(.*?)\n```\n?", re.DOTALL)
SHOWN = re.compile(r"^print\(([\w.\[\]\"']+)\)$")


def notebook() -> dict[str, Any]:
    """The notebook of the tutorial, without outputs."""
    pieces = BLOCK.split((DOCS / "tutorial.md").read_text(encoding="utf-8"))
    cells = [_code(piece) if place % 2 else _text(piece) for place, piece in enumerate(pieces) if piece.strip()]
    for place, cell in enumerate(cells):
        cell["id"] = f"tutorial-{place}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _text(piece: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": piece.strip()}


def _code(piece: str) -> dict[str, Any]:
    lines = [example.source for example in doctest.DocTestParser().get_examples(piece)]
    lines[-1] = SHOWN.sub(r"\1", lines[-1].rstrip("\n"))
    source = "".join(lines).rstrip("\n")
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source}


def written() -> str:
    """The file's content."""
    return json.dumps(notebook(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    (DOCS / "tutorial.ipynb").write_text(written(), encoding="utf-8")
