"""Make the README's picture: ``python docs/make_screenshot.py`` writes docs/report.png from the demo's report.

Needs chromium and the development packages.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from rocsteady._src.views.cli.demo import run_demo

HERE = Path(__file__).parent


def main() -> None:
    """Draw the first screen of the report."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        run_demo(Path(folder), force=True)
        chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1180, "height": 1420})
        page.goto((Path(folder) / "report.html").as_uri())
        page.wait_for_selector("html[data-ready=yes]")
        page.screenshot(path=HERE / "report.png")
        browser.close()


if __name__ == "__main__":
    main()
