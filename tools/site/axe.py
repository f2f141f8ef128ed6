"""Judge a built site with axe: ``python -m tools.site.axe AXE`` where AXE is axe.min.js of ``npm pack axe-core``.

Every kind of page, or with ``--all`` every page, is opened at the width of a desk and of a phone, light and dark, in
the Chromium of ``--chromium``, or the first that is installed.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from itertools import product
from pathlib import Path
from typing import Any

HTML = Path(__file__).parent.parent.parent / "build" / "site" / "html"
BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
WIDTHS = {"desk": (1440, 900), "phone": (390, 844)}
LISTED = """
index questions tutorials tutorial tutorial_shell how_to explanation reference coverage calibration measures remarks
commands equivalents comparison limits testing project search genindex names/flat names/rocsteady.evaluate
names/rocsteady.measures names/rocsteady.Interval-class pictures/index pictures/02_roc_band repository/changelog
sources/README
"""
KINDS = LISTED.split()
ASK = """async () => (await axe.run(document, {iframes: false})).violations.map(
    each => [each.id, each.nodes.length, each.nodes[0].target.join(' '), each.nodes[0].html.slice(0, 120)])"""


def judged(site: Path, axe: Path, chromium: str, kinds: list[str]) -> dict[tuple[str, str, str], list[Any]]:
    """Violations of each page, width and colour scheme that has any."""
    from playwright.sync_api import sync_playwright

    found = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for (width, (across, down)), scheme in product(WIDTHS.items(), ("light", "dark")):
            looks: Any = {"viewport": {"width": across, "height": down}, "color_scheme": scheme}
            page = browser.new_context(**looks).new_page()
            for kind in kinds:
                page.goto((site / f"{kind}.html").as_uri())
                page.add_script_tag(path=axe)
                wide = page.evaluate("document.documentElement.scrollWidth") - across
                told = page.evaluate(ASK) + ([["wider than the screen", wide, "", ""]] if wide > 0 else [])
                if told:
                    found[kind, width, scheme] = told
        browser.close()
    return found


def all_pages(site: Path) -> list[str]:
    """Every page of the site's own; the report it embeds and offers has tests of its own."""
    pages = (path.relative_to(site) for path in sorted(site.rglob("*.html")))
    return [path.with_suffix("").as_posix() for path in pages if path.parts[0] not in ("_static", "_downloads")]


def main() -> None:
    """Judge what is asked for; end with the pages that have violations."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("axe", type=Path)
    parser.add_argument("--chromium", default=next(filter(None, map(shutil.which, BROWSERS)), BROWSERS[-1]))
    parser.add_argument("--all", action="store_true")
    asked = parser.parse_args()
    kinds = all_pages(HTML) if asked.all else KINDS
    found = judged(HTML, asked.axe, asked.chromium, kinds)
    for where, told in found.items():
        print(*where, *told, sep="\n  ")
    looks = len(kinds) * 2 * len(WIDTHS)
    sys.exit(f"{len(found)} of {looks} looks have violations" if found else print(f"{looks} looks, no violation"))


if __name__ == "__main__":
    main()
