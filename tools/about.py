"""What is said about the project stands once: CITATION.cff is made of pyproject.toml, the version and the changelog.

``python -m tools.about`` writes it; a test holds that it is up to date.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PLACEHOLDER = "OWNER"
HEADING = re.compile(r"^## (\d+\.\d+\.\d+)(?: \((\d{4}-\d\d-\d\d)\))?$", re.MULTILINE)


def project() -> dict[str, Any]:
    """All of pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def version() -> str:
    """The version, from the one place that holds it."""
    text = (ROOT / "src" / "rocsteady" / "_version.py").read_text(encoding="utf-8")
    return re.search(r"__version__ = \"([^\"]+)\"", text)[1]  # type: ignore[index]


def addresses() -> dict[str, str]:
    """Repository and site."""
    found: dict[str, str] = project()["tool"]["hatch"]["metadata"]["hooks"]["custom"]
    return found


def released() -> tuple[str, str | None]:
    """The newest version of the changelog, and its date once it has one."""
    found = HEADING.search((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    if found is None:
        raise ValueError("CHANGELOG.md has no heading such as '## 0.1.0' or '## 0.1.0 (2026-01-31)'")
    return found[1], found[2]


def bibtex() -> str:
    """The same as an entry for BibTeX; the year is that of the release, once it has one."""
    about, where, (_, date) = project()["project"], addresses(), released()
    author = " and ".join(f"{{{each['name']}}}" for each in about["authors"])
    fields = {
        "author": author,
        "title": f"{about['name']}: {about['description']}",
        "version": version(),
        "year": date[:4] if date else "",
        "url": where["repository"],
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@software{{{about['name']},", *lines, "}"])


def citation() -> str:
    """CITATION.cff, whole."""
    about, where, (_, date) = project()["project"], addresses(), released()
    lines = [
        "# made by `python -m tools.about` from pyproject.toml, the version and the changelog",
        "cff-version: 1.2.0",
        "message: If you use rocsteady in your work, please cite it as below.",
        "type: software",
        f"title: {about['name']}",
        f'abstract: "{about["description"]}"',
        "authors:",
        *(f"  - name: {author['name']}" for author in about["authors"]),
        f"version: {version()}",
        *([f"date-released: {date}"] if date else []),
        f"license: {about['license']}",
        f"repository-code: {where['repository']}",
        f"url: {where['site']}",
        "keywords:",
        *(f"  - {word}" for word in about["keywords"]),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (ROOT / "CITATION.cff").write_text(citation(), encoding="utf-8")
