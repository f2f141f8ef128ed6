"""Time from opening the demo's page in a real browser until its first number is painted, and the size of the page.

``python -m benchmarks.first_number``; needs chromium and Playwright.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.stopwatch import Scoreboard
from rocsteady._src.views.cli.demo import run_demo

ROUNDS, SECONDS, BYTES = 9, 1.5, 1_600_000
# By the browser's own clock, from the start of the navigation: its first paint, and the frame that has the headline.
WATCH = """(() => {
  const seen = (window.seen = {});
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
    if (entry.name === "first-contentful-paint") seen.paint = entry.startTime;
  })).observe({ type: "paint", buffered: true });
  const look = () => {
    const headline = document.getElementById("verdict");
    if (headline && /\\d/.test(headline.textContent) && headline.getBoundingClientRect().height > 0) {
      requestAnimationFrame(() => { seen.number = performance.now(); });
    } else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""


def main() -> list[str]:
    """Print the median and the worst of several openings, each in a browser without a cache."""
    from playwright.sync_api import sync_playwright

    print("\nfirst number of the demo's page")
    board = Scoreboard()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        run_demo(Path(folder) / "demo", force=False)
        page = next((Path(folder) / "demo").glob("*.html"))
        board.at_most("size, MB", page.stat().st_size / 1e6, BYTES / 1e6, " MB")
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        times = [_opened(browser, page) for _ in range(ROUNDS)]
        browser.close()
    for name in ("paint", "number", "ready"):
        each = [found[name] / 1000 for found in times]
        print(f"{name}: median {statistics.median(each):.2f} s, from {min(each):.2f} to {max(each):.2f} s")
    numbers = [found["number"] / 1000 for found in times]
    board.at_most("first number painted, median, s", statistics.median(numbers), SECONDS, " s")
    return board.missed


def _opened(browser: Any, path: Path) -> dict[str, float]:
    """Milliseconds until something, a number, and all charts are painted."""
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        page = context.new_page()
        page.add_init_script(WATCH)
        page.goto(path.as_uri(), wait_until="commit")
        page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
        found: dict[str, float] = page.evaluate("({ ...window.seen, ready: performance.now() })")
        return found


if __name__ == "__main__":
    main()
