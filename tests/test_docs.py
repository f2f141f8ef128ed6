"""Pages that are made by scripts are up to date; the other pages are executed as doctests."""

from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"


def test_the_table_of_measures_is_up_to_date() -> None:
    made = runpy.run_path(str(DOCS / "make_measures.py"))["page"]()
    assert (DOCS / "measures.md").read_text() == made, "run: python docs/make_measures.py"


def test_links_of_the_readme_lead_somewhere() -> None:
    import re

    readme = DOCS.parent / "README.md"
    for target in re.findall(r"\]\(([^)#]+)\)|src=\"([^\"]+)\"", readme.read_text()):
        assert (readme.parent / (target[0] or target[1])).exists(), target
