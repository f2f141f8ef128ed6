"""A real browser for tests: Debian's chromium, driven by Playwright.

Opening a page costs a second of a processor, four fifths of which draw its charts. So a page is opened once for all
tests that can share it, and without its charts where a test asks for words alone.
"""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def find_browser() -> str:
    """Path of chromium; without one the test is skipped with the remedy, or fails where a browser is required.

    The one without windows comes first: it takes a fifth less time.
    """
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    text = "no browser: 'apt-get install chromium-headless-shell' (Debian) or 'chromium' (Ubuntu too) installs one"
    if os.environ.get("ROCSTEADY_BROWSER") == "required":
        pytest.fail(text)
    pytest.skip(text)


# All of a page that a reader can see or change, and where the reader is.
STATE = """() => {
  const copy = document.body.cloneNode(true), all = (what) => [...document.querySelectorAll(what)];
  const unread = 'script, [hidden], .view > *, #vg-tooltip-element:not(.visible)';
  copy.querySelectorAll(unread).forEach((one) => one.remove());
  return {
    fields: all('input, select').map((one) => [one.value, one.checked ?? null]),
    open: all('details').map((one) => one.open),
    charts: all('.view').map((one) => one.innerHTML.split('<').sort().join('<')), // ticks come in any order
    rest: [location.href, scrollX, scrollY, document.activeElement.tagName, copy.innerHTML],
  };
}"""
# Everything back by the page's own means; whether that made it as it was is seen by comparing.
RESET = """async ([was, url]) => {
  const state = STATE, frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  document.activeElement.blur();
  document.querySelector('#reset')?.click();
  document.querySelectorAll('[aria-invalid]').forEach((one) => one.removeAttribute('aria-invalid'));
  document.querySelectorAll('details').forEach((one, i) => { one.open = was.open[i]; });
  document.querySelectorAll('input, select').forEach((one, i) => {
    const [value, checked] = was.fields[i];
    if (one.value !== value) one.value = value;
    else if ((one.checked ?? null) !== checked) one.checked = checked;
    else return;
    ['input', 'change'].forEach((name) => one.dispatchEvent(new Event(name)));
  });
  history.replaceState(null, '', url);
  scrollTo(0, 0);
  for (let tried = 0; tried < 12; tried += 1) {
    await frame();
    if (JSON.stringify(state()) === JSON.stringify(was)) return true;
  }
  return false;
}""".replace("STATE", STATE)
SETTLED = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  await frame();
  if (typeof views !== 'undefined') for (const view of Object.values(views)) await view.runAsync();
  await frame();
}"""
# Charts that hold their data and signals, and are never drawn: all else of the page is as it is.
UNDRAWN = """Object.defineProperty(window, 'vegaEmbed', { set() {}, get: () => async (where, spec) => {
  const sets = { ...spec.datasets }, signals = {};
  const view = {
    data(name, rows) { if (rows === undefined) return sets[name]; sets[name] = rows; return view; },
    signal(name, value) { if (value === undefined) return signals[name]; signals[name] = value; return view; },
    async runAsync() { return view; },
    addEventListener() { return view; },
  };
  return { view };
} })"""

_running: list[Any] = []


@dataclass
class Tab:
    """One of the two tabs of the tests of a file, with charts and without: a tab of its own costs as much as a page."""

    page: Any
    complaints: list[str] = field(default_factory=list)
    shown: tuple[object, ...] | None = None
    state: Any = None


_tabs: dict[bool, Tab] = {}


def shared_browser() -> Any:
    """A browser that is started once for the tests of a file: a start costs more than most of what they look at."""
    from playwright.sync_api import sync_playwright

    if not _running:
        path = find_browser()
        _running.append(sync_playwright().start())
        _running.append(_running[0].chromium.launch(executable_path=path, args=list(QUIET)))
    return _running[-1]


def close_browser() -> None:
    """End it; Playwright's event loop would be in the way of tests that have one of their own."""
    _tabs.clear()
    for part, end in zip(reversed(_running), ("close", "stop"), strict=False):
        getattr(part, end)()
    _running.clear()


def _tab(drawn: bool) -> Tab:
    if drawn not in _tabs:
        made = Tab(shared_browser().new_context(accept_downloads=True).new_page())
        told = made.complaints
        made.page.on("console", lambda message: told.append(f"console: {message.text}"))
        made.page.on("pageerror", lambda error: told.append(f"error: {error}"))
        made.page.on("dialog", lambda dialog: told.append(f"dialog: {dialog.message}"))
        made.page.on(
            "request",
            lambda request: None if request.url.startswith(("file:", "blob:")) else told.append(request.url),
        )
        if not drawn:
            made.page.add_init_script(UNDRAWN)
        _tabs[drawn] = made
    return _tabs[drawn]


def _is_as_opened(tab: Tab, url: str) -> bool:
    tab.page.mouse.move(0, 0)
    return bool(tab.page.evaluate(RESET, [tab.state, url]))


def settled(page: Any) -> Any:
    """The page once all that was pressed, typed or resized is drawn."""
    page.evaluate(SETTLED)
    return page


def unfold(page: Any, folded: str) -> None:
    """Open what is folded, and wait for what the page puts there: a browser tells it of the opening a moment later."""
    page.locator(f"{folded} > summary").click()
    settled(page)


@contextmanager
def opened(
    path: Path, *, width: int = 1250, height: int = 900, dark: bool = False, anew: bool = False, drawn: bool = True
) -> Iterator[Any]:
    """Give a page with its charts drawn, as it is when it is opened; any error or request of it fails the test.

    A page that the test before had open is used again, where it can be brought back to what it was. One whose charts
    are not ``drawn`` answers with words and numbers in a fifth of the time.
    """
    tab, wanted = _tab(drawn), (path, path.stat().st_mtime_ns, width)
    page, before, tab.shown = tab.page, tab.shown, None
    tab.complaints.clear()  # of a test that failed
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(media="screen", color_scheme="dark" if dark else "light")
    if anew or before != wanted or not _is_as_opened(tab, path.as_uri()):
        page.goto("about:blank")
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
        tab.state = settled(page).evaluate(STATE)
    yield page
    settled(page)
    assert tab.complaints == [], tab.complaints
    tab.shown = wanted
