"""Pages as Sphinx reads them: docs/ and the pages at the root, with links that hold there and tables as pictures."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from tools.about import addresses, bibtex, version
from tools.site.measures import measures_page
from tools.site.pictures import with_pictures
from tools.site.remarks import remarks_page
from tools.site.searched import with_entries
from tools.site.tables import read_page

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
AT_ROOT = ("CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "DESIGN.md", "SECURITY.md")
ELSEWHERE = {"reproductions/README.md": "repository/reproductions.md", "README.md": "index.md"}
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)\s/:]+)\)")
KEPT_OUT = shutil.ignore_patterns("*.ipynb", "__pycache__", "make_*.py", "conftest.py")


def places() -> dict[Path, str]:
    """Where each page of the repository stands on the site."""
    pages = {path: path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    pages |= {ROOT / name: f"repository/{name.lower()}" for name in AT_ROOT if (ROOT / name).exists()}
    return pages | {ROOT / source: place for source, place in ELSEWHERE.items()}


def stage(target: Path) -> None:
    """Copy the pages; those at the root go to repository/."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(DOCS, target, ignore=KEPT_OUT)
    for name, text in {"measures.md": measures_page(), "remarks.md": remarks_page()}.items():
        (target / name).write_text(text, encoding="utf-8")
    for page, place in places().items():
        if place == "index.md" and page.name == "README.md":
            continue
        there = target / place
        there.parent.mkdir(parents=True, exist_ok=True)
        text = with_links(filled(read_page(page)), page)
        for picture in PICTURE.findall(text) if DOCS not in page.parents else []:
            shutil.copy(page.parent / picture, there.parent)
        there.write_text(with_entries(with_pictures(text, place, target), place), encoding="utf-8")


def filled(text: str) -> str:
    """Text with what stands in one place alone: the version, and how to cite it."""
    return text.replace("<!-- version -->", version()).replace("<!-- citation -->", f"```bibtex\n{bibtex()}\n```")


def with_links(text: str, page: Path) -> str:
    """Text whose links hold on the site; ``repository:issues`` and files that are no page lead to the repository."""
    known, repository = places(), addresses()["repository"]
    here = Path(known[page]).parent.as_posix()

    def moved(found: re.Match[str]) -> str:
        words, target, anchor = found[1], found[2], found[3] or ""
        aimed = Path(os.path.normpath(page.parent / target))
        if target.startswith("repository:"):
            return f"[{words}]({f'{repository}/{target[11:]}'.rstrip('/')}{anchor})"
        if "://" in target or not aimed.exists() or aimed.suffix == ".html":
            return found[0]
        if aimed not in known:
            return f"[{words}]({repository}/blob/main/{aimed.relative_to(ROOT).as_posix()}{anchor})"
        return f"[{words}]({os.path.relpath(known[aimed], here)}{anchor})"

    return LINK.sub(moved, text)
