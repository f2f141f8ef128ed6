"""A real browser for tests: Debian's chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
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
    """Path of chromium; without one the test is skipped with the remedy, or fails where a browser is required."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    text = "no browser: 'apt-get install chromium' (Debian, Ubuntu) installs one"
    if os.environ.get("ROCSTEADY_BROWSER") == "required":
        pytest.fail(text)
    pytest.skip(text)


_running: list[Any] = []


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
    for part, end in zip(reversed(_running), ("close", "stop"), strict=False):
        getattr(part, end)()
    _running.clear()


@contextmanager
def opened(path: Path, *, width: int = 1250, height: int = 900, dark: bool = False) -> Iterator[Any]:
    """Open a page, wait until its charts are drawn, and give it; any error or request of it fails the test."""
    complaints: list[str] = []
    context = shared_browser().new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light", accept_downloads=True
    )
    with context:
        page = context.new_page()
        page.on("console", lambda message: complaints.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
        page.on(
            "request",
            lambda request: None if request.url.startswith(("file:", "blob:")) else complaints.append(request.url),
        )
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
        yield page
        page.wait_for_timeout(200)
    assert complaints == [], complaints
