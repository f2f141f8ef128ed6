"""What must not be in a built site: links that lead nowhere, and anything that is fetched from elsewhere."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from pathlib import Path

FETCHED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "video": "src"}
NOT_FETCHED = {"canonical", "author", "license"}


class Page(HTMLParser):
    """Links, places that can be linked to, and what a browser fetches."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag names."""
        given = {name: value or "" for name, value in attrs}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        source = given.get(FETCHED.get(tag, ""), "")
        if source and given.get("rel") not in NOT_FETCHED:
            self.fetched.append(source)


@cache
def read(path: Path) -> Page:
    """One page of the site."""
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def faults(site: Path) -> list[str]:
    """Dead links and strangers; a report that is embedded is a page of its own and judged by the test-suite."""
    found = []
    for path in sorted(site.rglob("*.html")):
        if "_static" in path.parts:
            continue
        page, name = read(path), path.relative_to(site)
        found += [f"{name}: fetches {each}" for each in page.fetched if urlsplit(each).netloc]
        inside = [each for each in {*page.links, *page.fetched} if not urlsplit(each).scheme]
        found += [f"{name}: {each} leads nowhere" for each in sorted(inside) if not leads_somewhere(path, each)]
    return found


def leads_somewhere(path: Path, link: str) -> bool:
    """Whether a file is there, and the place in it."""
    parts = urlsplit(link)
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.is_file():
        return False
    made_by_script = parts.fragment in ("", "top") or target.suffix != ".html"
    return made_by_script or unquote(parts.fragment) in read(target).places
