"""Pages of classes, groups and folds in a real browser: quiet, closed, and what is pressed works."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import numpy as np
import pytest

from browser import find_browser, opened, settled, unfold
from rocsteady.scale import Sketch, evaluate_sketches
from test_report_more import HOSTILE, classes, folded, grouped

if TYPE_CHECKING:
    from pathlib import Path

    from rocsteady._src.results.scale import BracketedEvaluation

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
UNNAMED = """() => [...document.querySelectorAll('button, select, input, summary')].filter((node) =>
    !(node.labels && node.labels.length) && !node.textContent.trim()).map((node) => node.outerHTML)"""


def sketched(names: list[str]) -> BracketedEvaluation:
    """Sketches of few buckets, so that their limits lie apart."""
    rng = np.random.default_rng(3)
    y = rng.random(5000) < 0.3
    coarse = {name: Sketch(bits=6, range=(-4, 5), capacity=0).update(y, y + rng.normal(size=y.size)) for name in names}
    return evaluate_sketches(coarse | {"sure": Sketch().update(y, y + rng.normal(size=y.size).round(1))})


def test_classes_can_be_shown_and_shares_switched_on(tmp_path: Path) -> None:
    find_browser()
    result = classes([*HOSTILE, *(f"class {place}" for place in range(10))], n=700)
    path = result.report(tmp_path / "classes.html")
    with opened(path) as page:
        assert page.locator(".view svg").count() == 4
        assert page.locator(".view[role=img]:not([aria-label])").count() == 0
        assert page.evaluate(UNNAMED) == []
        lines = page.locator("#chart-roc path[aria-roledescription='line mark']")
        before = lines.count()
        unfold(page, "details.others")
        page.get_by_label("class 9", exact=True).check()
        page.get_by_label("micro average", exact=True).uncheck()
        page.get_by_label("macro average", exact=True).uncheck()
        settled(page)
        assert lines.count() == before - 1
        first = page.locator("#chart-confusion .mark-text text").first
        assert first.text_content() == str(result.confusion.matrix[0, 0])
        page.get_by_label("shares of the true class").check()
        settled(page)
        assert first.text_content() == f"{result.confusion.shares[0, 0]:.0%}"
        with page.expect_download() as waiting:
            page.locator("[data-csv=confusion]").click()
        rows = list(csv.DictReader(io.StringIO(waiting.value.path().read_text())))
        assert set(rows[0]) == {"data", "true", "called", "count", "share"}
        assert sum(int(row["count"]) for row in rows) == 700
        page.set_viewport_size({"width": 390, "height": 800})
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.emulate_media(media="print")
        assert page.locator("#chart-confusion").is_visible()
        assert not page.locator("[data-switch]").first.is_visible()


@pytest.mark.parametrize("part", ["groups", "folds"])
def test_sections_follow_the_models_shown(tmp_path: Path, part: str) -> None:
    find_browser()
    result = grouped(tuple(HOSTILE[:3]), "<i>by</i>") if part == "groups" else folded(tuple(HOSTILE), "<i>by</i>")
    with opened(result.report(tmp_path / "page.html")) as page:
        assert page.locator(f"#part-{part}").inner_text().endswith(": <i>by</i>")
        dots = page.locator(f"#chart-{part} path[aria-roledescription=point]")
        before = dots.count()
        assert before == (6 if part == "groups" else 2 * (4 + 1 + 1))
        page.get_by_label("logistic", exact=True).uncheck()
        settled(page)
        assert dots.count() == before // 2
        unfold(page, f"details[data-chart={part}]")
        page.wait_for_selector(f"details[data-chart={part}] tbody tr")
        shown = page.locator(f"details[data-chart={part}] tbody").inner_text()
        assert HOSTILE[0][:20] in shown
        page.set_viewport_size({"width": 390, "height": 800})
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_brackets_are_drawn_as_two_lines_a_model(tmp_path: Path) -> None:
    find_browser()
    found = sketched(HOSTILE[:2])
    with opened(found.report(tmp_path / "brackets.html")) as page:
        assert page.locator(".view svg").count() == 3  # bounds of AUC, and two curves
        assert page.evaluate(UNNAMED) == []
        for chart in ("roc", "pr"):
            edges = page.locator(f"#chart-{chart} path[aria-roledescription='line mark']")
            assert edges.count() == 5 + (chart == "roc")
        page.locator("input[data-model='0']").uncheck()
        settled(page)
        assert page.locator("#chart-pr path[aria-roledescription='line mark']").count() == 3
        with page.expect_download() as waiting:
            page.locator("[data-csv=roc]").click()
        rows = list(csv.DictReader(io.StringIO(waiting.value.path().read_text())))
        assert {row["edge"] for row in rows} >= {"low", "up", "exact"}
        assert HOSTILE[1][:20] in page.locator("#table-measures").inner_text()
