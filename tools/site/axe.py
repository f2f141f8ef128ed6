"""Judge a built site with axe: ``python -m tools.site.axe AXE`` where AXE is axe.min.js of ``npm pack axe-core``.

Every kind of page is opened at the width of a desk and of a phone, light and dark, in the Chromium of ``--chromium``.
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path
from typing import Any

HTML = Path(__file__).parent.parent.parent / "build" / "site" / "html"
WIDTHS = {"desk": (1440, 900), "phone": (390, 844)}
LISTED = """
index questions tutorials tutorial tutorial_shell how_to explanation reference coverage calibration measures remarks
commands from_sklearn from_proc why_not limits testing project search genindex names/flat names/rocsteady.evaluate
names/rocsteady.measures names/rocsteady.Interval-class pictures/index pictures/02_roc_band repository/changelog
sources/README
"""
KINDS = LISTED.split()
ASK = """async () => (await axe.run(document, {iframes: false})).violations.map(
    each => [each.id, each.nodes.length, each.nodes[0].target.join(' '), each.nodes[0].html.slice(0, 120)])"""


def judged(site: Path, axe: Path, chromium: str) -> dict[tuple[str, str, str], list[Any]]:
    """Violations of each page, width and colour scheme that has any."""
    from playwright.sync_api import sync_playwright

    found = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for (width, (across, down)), scheme in product(WIDTHS.items(), ("light", "dark")):
            looks: Any = {"viewport": {"width": across, "height": down}, "color_scheme": scheme}
            page = browser.new_context(**looks).new_page()
            for kind in KINDS:
                page.goto((site / f"{kind}.html").as_uri())
                page.add_script_tag(path=axe)
                wide = page.evaluate("document.documentElement.scrollWidth") - across
                told = page.evaluate(ASK) + ([["wider than the screen", wide, "", ""]] if wide > 0 else [])
                if told:
                    found[kind, width, scheme] = told
        browser.close()
    return found


if __name__ == "__main__":
    asked = sys.argv[1:]
    at = asked.index("--chromium") if "--chromium" in asked else None
    faults = judged(HTML, Path(asked[0]), "/usr/bin/chromium" if at is None else asked[at + 1])
    for where, told in faults.items():
        print(*where, *told, sep="\n  ")
    sys.exit(f"{len(faults)} of {len(KINDS) * 4} looks have violations" if faults else 0)
