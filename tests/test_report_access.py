"""Every form of the page for every reader: axe, phones, keyboards, dark screens, large letters and paper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest

from browser import find_browser, opened, settled
from page_forms import FORMS, write_form

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
# Of the charts as tables the first alone, and of the rows of a table, made alike, the first 8 of up to thousands.
ALL_OPEN = """document.querySelectorAll('details:not(.as-table)').forEach((one) => { one.open = true; });
document.querySelector('details.as-table').open = true"""
FEW_ROWS = "document.querySelectorAll('tbody tr:nth-child(n + 9)').forEach((one) => one.remove())"
# Charts are pictures with a name and a table; with their thousands of points axe takes a minute a page. Ended, they
# are not drawn again for the other width.
WITHOUT_POINTS = """if (typeof views !== 'undefined') Object.values(views).forEach((one) => { one.finalize(); });
document.querySelectorAll('.view svg').forEach((one) => one.remove())"""
# Contrast takes two thirds of axe's time. Of texts of the same colour and size on the same backgrounds two are enough.
LOOKS = """(() => {
  const grounds = new Map([[null, '']]), numbers = {}, found = {};
  const ground = (one) => {
    if (grounds.has(one)) return grounds.get(one);
    const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(one);
    const all = [ground(one.parentElement), backgroundColor, backgroundImage, opacity, position].join();
    grounds.set(one, numbers[all] ??= Object.keys(numbers).length);
    return numbers[all];
  };
  const isText = (part) => part.nodeType === Node.TEXT_NODE && part.data.trim();
  const tells = (one) => one.matches('input, select, button') || [...one.childNodes].some(isText);
  [...document.body.querySelectorAll('*')].filter((one) => tells(one) && one.checkVisibility()).forEach((one) => {
    const { color, fontSize, fontWeight } = getComputedStyle(one);
    (found[[ground(one), color, fontSize, fontWeight, one.disabled]] ??= []).push(one);
  });
  return Object.values(found).flatMap((alike) => alike.slice(0, 2));
})()"""
RUN = "axe.run(document, { rules: { 'color-contrast': { enabled: false } }, resultTypes: ['violations'] })"
CONTRAST = "axe.run(WHERE, { runOnly: ['color-contrast'], resultTypes: ['violations'] })"


WIDE = """[...document.querySelectorAll('.scroll')].filter((one) => one.querySelector('table:not(.matrix)')
&& one.scrollWidth > one.clientWidth + 1).map((one) => one.outerHTML.slice(0, 200))"""
DARK = ("two", "classes", "sketch")


@dataclass(frozen=True)
class Seen:
    """What a phone shows of a page, and what axe says of it on a wide screen, light and dark."""

    width: int
    cut_off: list[str]
    first_label: str
    violations: list[str]
    dark_violations: list[str]


@pytest.fixture(scope="module")
def page_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    find_browser()
    folder = tmp_path_factory.mktemp("access")
    return cache(lambda name: write_form(name, folder))


@pytest.fixture(scope="module")
def seen(page_of: Callable[[str], Path]) -> Callable[[str], Seen]:
    return cache(lambda name: look(page_of(name), dark=name in DARK))


def look(path: Path, *, dark: bool) -> Seen:
    """Opened once, since that takes longest."""
    with opened(path, width=390, height=800) as page:
        page.evaluate(ALL_OPEN)
        cells = page.locator("table:not(.matrix, .confusion) tbody td:visible")
        label = cells.first.evaluate("(one) => getComputedStyle(one, '::before').content")
        on_phone = page.evaluate("document.documentElement.scrollWidth"), page.evaluate(WIDE), label
        page.evaluate(WITHOUT_POINTS)
        page.evaluate(FEW_ROWS)
        page.set_viewport_size({"width": 1250, "height": 900})
        page.evaluate(AXE)
        light = [*complaints(page, RUN), *complaints(page, CONTRAST.replace("WHERE", LOOKS))]
        page.emulate_media(color_scheme="dark")
        return Seen(*on_phone, light, complaints(page, CONTRAST.replace("WHERE", "document")) if dark else [])


def complaints(page: Any, run: str) -> list[str]:
    found = page.evaluate(run)["violations"]
    return [f"{each['impact']} {each['id']} {each['nodes'][0]['html'][:200]}" for each in found]


@pytest.mark.parametrize("name", FORMS)
def test_axe_finds_nothing(seen: Callable[[str], Seen], name: str) -> None:
    assert seen(name).violations == []


@pytest.mark.parametrize("name", DARK)
def test_dark_screens_have_contrast(seen: Callable[[str], Seen], name: str) -> None:
    assert seen(name).dark_violations == []


@pytest.mark.parametrize("name", FORMS)
def test_a_phone_needs_no_sideways_scrolling(seen: Callable[[str], Seen], name: str) -> None:
    found = seen(name)
    assert found.width <= 390
    assert found.cut_off == []
    assert found.first_label not in ("none", '""')


def test_letters_of_twice_the_size_still_fit(page_of: Callable[[str], Path]) -> None:
    """1,280 pixels at 200% are 640 of the page's own."""
    with opened(page_of("two"), width=640, height=450) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 640
        page.evaluate("window.scrollTo(0, document.body.scrollHeight / 2)")
        settled(page)
        bar = page.locator(".controls").bounding_box()
        assert bar["height"] < 450 * 0.75  # what is read must not be covered by what can be typed


def test_a_keyboard_reaches_everything_in_the_order_of_the_page(page_of: Callable[[str], Path]) -> None:
    with opened(page_of("two"), anew=True) as page:
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


def test_paper_has_all_parts_and_no_buttons(page_of: Callable[[str], Path]) -> None:
    with opened(page_of("two")) as page:
        page.set_viewport_size({"width": 800, "height": 900})
        settled(page).emulate_media(media="print")
        assert not any(one.is_visible() for one in page.locator("button:not(.sort)").all())
        assert page.evaluate(
            "[...document.querySelectorAll('.card')].every((one) => one.scrollWidth <= one.clientWidth + 1)"
        )
        paper = page.pdf(format="A4")
    assert paper.startswith(b"%PDF")
    assert paper.count(b"/Type /Page\n") + paper.count(b"/Type /Page ") <= 14
