"""Every form of the page for every reader: axe, phones, keyboards, dark screens, large letters and paper."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest

from browser import find_browser, opened, shared_browser
from page_forms import FORMS, write_form

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
# Of the charts as tables the first alone: they are made alike, and some have thousands of rows.
ALL_OPEN = """document.querySelectorAll('details:not(.as-table)').forEach((one) => { one.open = true; });
document.querySelector('details.as-table').open = true"""
# Charts are pictures with a name and a table; with their thousands of points axe takes a minute a page.
WITHOUT_POINTS = "document.querySelectorAll('.view svg').forEach((one) => one.remove())"
RUN = "axe.run(document, { resultTypes: ['violations'] })"
CONTRAST = "axe.run(document, { runOnly: ['color-contrast'], resultTypes: ['violations'] })"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    find_browser()
    folder = tmp_path_factory.mktemp("access")
    return {name: write_form(name, folder) for name in FORMS}


def complaints(path: Path, run: str, **how: Any) -> list[str]:
    with shared_browser().new_context(bypass_csp=True, viewport={"width": 1250, "height": 900}, **how) as context:
        page = context.new_page()
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
        page.evaluate(ALL_OPEN)
        page.evaluate(WITHOUT_POINTS)
        page.evaluate(AXE)
        found = page.evaluate(run)["violations"]
    return [f"{each['impact']} {each['id']} {each['nodes'][0]['html'][:200]}" for each in found]


@pytest.mark.parametrize("name", FORMS)
def test_axe_finds_nothing(pages: dict[str, Path], name: str) -> None:
    assert complaints(pages[name], RUN) == []


@pytest.mark.parametrize("name", ["two", "classes", "sketch"])
def test_dark_screens_have_contrast(pages: dict[str, Path], name: str) -> None:
    assert complaints(pages[name], CONTRAST, color_scheme="dark") == []


@pytest.mark.parametrize("name", FORMS)
def test_a_phone_needs_no_sideways_scrolling(pages: dict[str, Path], name: str) -> None:
    with opened(pages[name], width=390, height=800) as page:
        page.evaluate(ALL_OPEN)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        wide = page.evaluate(
            """[...document.querySelectorAll('.scroll')].filter((one) => one.querySelector('table:not(.matrix)')
            && one.scrollWidth > one.clientWidth + 1).map((one) => one.outerHTML.slice(0, 200))"""
        )
        assert wide == []
        cells = page.locator("table:not(.matrix, .confusion) tbody td:visible")
        assert cells.first.evaluate("(one) => getComputedStyle(one, '::before').content") not in ("none", '""')


def test_letters_of_twice_the_size_still_fit(pages: dict[str, Path]) -> None:
    """1,280 pixels at 200% are 640 of the page's own."""
    with opened(pages["two"], width=640, height=450) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 640
        page.evaluate("window.scrollTo(0, document.body.scrollHeight / 2)")
        page.wait_for_timeout(100)
        bar = page.locator(".controls").bounding_box()
        assert bar["height"] < 450 * 0.75  # what is read must not be covered by what can be typed


def test_a_keyboard_reaches_everything_in_the_order_of_the_page(pages: dict[str, Path]) -> None:
    with opened(pages["two"]) as page:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        seen, tops = [], []
        for _ in range(400):
            page.keyboard.press("Tab")
            at = page.evaluate(
                """() => { const one = document.activeElement; if (one === document.body) return null;
                const outline = getComputedStyle(one).outlineStyle, box = one.getBoundingClientRect();
                const name = one.id || one.dataset.copy || one.tagName;
                return [name, outline, box.top + scrollY, !!one.closest('.controls')]; }"""
            )
            if at is None:
                break
            seen.append(at[0])
            assert at[1] != "none", at
            if not at[3]:
                tops.append(at[2])
        wanted = ["selected", "typed", "cost-fp", "cost-fn", "prevalence", "cheapest", "neutral", "reset", "threshold"]
        assert [name for name in seen if name in wanted] == wanted
        assert sum(b < a - 400 for a, b in pairwise(tops)) == 0
        page.focus("#threshold")
        before = page.locator("#outcome").inner_text()
        page.keyboard.press("ArrowRight")
        assert page.locator("#outcome").inner_text() != before


def test_paper_has_all_parts_and_no_buttons(pages: dict[str, Path]) -> None:
    with opened(pages["two"], width=800) as page:
        page.emulate_media(media="print")
        assert not any(one.is_visible() for one in page.locator("button:not(.sort)").all())
        assert page.evaluate(
            "[...document.querySelectorAll('.card')].every((one) => one.scrollWidth <= one.clientWidth + 1)"
        )
        paper = page.pdf(format="A4")
    assert paper.startswith(b"%PDF")
    assert paper.count(b"/Type /Page\n") + paper.count(b"/Type /Page ") <= 14
