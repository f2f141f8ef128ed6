"""The report in a real browser: nothing fails, nothing is fetched, and what moves shows the right numbers."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Any

import pytest

import rocsteady as rs
from browser import find_browser, opened, settled, unfold
from rocsteady._src.base.text import format_interval, format_number, format_threshold
from rocsteady._src.views.report.operating import GIVEN
from rocsteady.examples import loans

if TYPE_CHECKING:
    from pathlib import Path


MODELS = ["boosted", "logistic"]


HOSTILE = [
    "</script><script>document.title='broken'</script>",
    '"><img src=x onerror=alert(1)>',
    "🦉 emoji 'quotes' \"double\" & <b>bold</b>",
    "\u202eright to left \u05d0\u05d1",
    "x" * 10_000,
    "=cmd|' /C calc'!A0",
    "__proto__",
    "constructor",
]


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    return loans(400)


@pytest.fixture(scope="module")
def page_path(tmp_path_factory: pytest.TempPathFactory, table: dict[str, Any]) -> Path:
    find_browser()
    path = tmp_path_factory.mktemp("report") / "report.html"
    result = rs.evaluate(table, label="defaulted", scores=MODELS, intervals=True, n_resamples=50)
    return result.report(path, cutoffs=[0.1, 0.4], cost_fn=5)


def embedded(path: Path) -> dict[str, Any]:
    text = re.search(r'<script type="application/json" id="data">(.*?)</script>', path.read_text(), re.S)
    assert text is not None
    return json.loads(text.group(1))


def test_opens_quietly_with_all_charts(page_path: Path) -> None:
    with opened(page_path) as page:
        assert page.locator(".view svg").count() == 11
        assert page.locator(".verdict").inner_text().startswith("Use boosted and flag scores of at least ")
        policy = page.locator("meta[http-equiv=Content-Security-Policy]").get_attribute("content")
        assert "default-src 'none'" in policy
        assert "unsafe-eval" not in policy
        assert policy.count("sha256-") == 2


def test_threshold_slider_shows_the_right_numbers(page_path: Path, table: dict[str, Any]) -> None:
    thresholds = embedded(page_path)["operating"]["logistic"]["threshold"]
    with opened(page_path, drawn=False) as page:
        page.select_option("#selected", "1")
        for position in (0, 40, len(thresholds) // 2, len(thresholds) - 1):
            page.locator("#threshold").fill(str(position))
            value = float(thresholds[position])
            counts = rs.confusion(table["defaulted"], table["logistic"], threshold=value)
            shown = [int(page.locator(f"[data-value={cell}]").inner_text()) for cell in ("tp", "fp", "fn", "tn")]
            assert shown == [counts.tp, counts.fp, counts.fn, counts.tn]
            cost = (counts.fp + 5 * counts.fn) / 400
            assert page.locator("[data-value=cost]").inner_text() == format_number(float(cost))
        interval = rs.measure_interval("recall", table["defaulted"], table["logistic"], threshold=float(thresholds[40]))
        page.locator("#threshold").fill("40")
        ends = format_interval(interval.estimate, interval.low, interval.high)
        assert ends.endswith(page.locator("[data-interval=tpr]").inner_text())


def test_intervals_say_whether_they_count_the_choice_of_the_threshold(page_path: Path) -> None:
    with opened(page_path, drawn=False) as page:
        said = page.locator("#operating-intervals")
        assert said.inner_text().startswith("Least cost chose this threshold on these rows; the intervals count that")
        page.locator("#threshold").fill("3")
        assert "for a threshold given before looking at these rows" in said.inner_text()


def test_the_first_threshold_is_the_cheapest(page_path: Path, table: dict[str, Any]) -> None:
    best = rs.best_threshold(table["defaulted"], table["boosted"], rule="cost", cost_fn=5)
    with opened(page_path, drawn=False) as page:
        assert page.locator("#threshold-value").inner_text() == format_threshold(best.threshold, best.next_lower)


def test_the_slider_runs_as_the_axis_of_scores_does(page_path: Path, table: dict[str, Any]) -> None:
    rule = "#chart-dist line[aria-roledescription='rule mark']"
    with opened(page_path) as page:
        last = int(page.locator("#threshold").get_attribute("max"))
        where = []
        for position in (0, last // 2, last - 1, last):
            page.locator("#threshold").fill(str(position))
            settled(page)
            line = page.locator(rule)
            where.append((line.bounding_box()["x"], line.get_attribute("opacity")))
        assert page.locator("#threshold-value").inner_text() == "inf (above every score)"
        page.locator("#threshold").fill("0")
        assert float(page.locator("#threshold-value").inner_text()) == pytest.approx(min(table["boosted"]), rel=0.01)
    assert where[0][0] < where[1][0] < where[2][0]
    assert [opacity == "0" for _, opacity in where] == [False, False, False, True]


def test_the_point_moves_in_the_charts(page_path: Path) -> None:
    with opened(page_path) as page:
        where = []
        for position in ("20", "150"):
            page.locator("#threshold").fill(position)
            settled(page)
            marks = page.locator("#chart-roc path[transform][aria-roledescription=point]")
            where.append(marks.last.get_attribute("transform"))
        assert where[0] != where[1]


def test_delta_slider(page_path: Path, table: dict[str, Any]) -> None:
    family = embedded(page_path)["granular"]["boosted"]
    with opened(page_path) as page:
        unfold(page, "#fold-statisticians")
        for place in (0, 2, 5):
            page.locator("#delta").fill(str(place))
            step = family[place]
            words = page.locator("#delta-value").inner_text()
            assert words == f"{step['delta']:g}, AUC from {format_number(step['low'])} to {format_number(step['up'])}"
    found = rs.granular_roc(table["defaulted"], table["boosted"], delta=family[5]["delta"])
    assert (family[5]["low"], family[5]["up"]) == pytest.approx((found.low_auc, found.up_auc), abs=1e-3)


def test_charts_read_as_tables_and_download(page_path: Path) -> None:
    with opened(page_path) as page:
        unfold(page, "details[data-chart=calibration]")
        page.wait_for_selector("details[data-chart=calibration] tbody tr")
        assert page.locator("details[data-chart=calibration] tbody tr").count() == 20
        with page.expect_download() as waiting:
            page.locator("[data-csv=roc]").click()
        rows = list(csv.DictReader(io.StringIO(waiting.value.path().read_text())))
        assert {"model", "threshold", "tpr", "fpr", "precision", "tpr_low"} <= set(rows[0])
        with page.expect_download() as waiting:
            page.locator("[data-svg=roc]").click()
        assert waiting.value.path().read_text().startswith("<svg")


def test_reclassification_follows_the_choice(page_path: Path, table: dict[str, Any]) -> None:
    moved = rs.reclassification(table["defaulted"], table["logistic"], table["boosted"], cutoffs=[0.1, 0.4])
    with opened(page_path, drawn=False) as page:
        unfold(page, "#fold-statisticians")
        page.select_option("#old", "1")
        page.select_option("#new", "0")
        cells = page.locator("#moves table").first.locator("tbody td").all_inner_texts()
        assert [float(cell) for cell in cells] == moved.events.ravel().tolist()
        page.select_option("#new", "1")
        assert "two different models" in page.locator("#moves").inner_text()


def test_keyboard_and_names(page_path: Path) -> None:
    with opened(page_path) as page:
        page.locator("#threshold").focus()
        before = page.locator("#threshold-value").inner_text()
        page.keyboard.press("ArrowRight")
        assert float(page.locator("#threshold-value").inner_text()) > float(before)
        unnamed = page.evaluate(
            """() => [...document.querySelectorAll('button, select, input, summary')].filter((node) =>
                !(node.labels && node.labels.length) && !node.textContent.trim() && !node.getAttribute('aria-label')
            ).map((node) => node.outerHTML)"""
        )
        assert unnamed == []
        assert page.locator(".view[role=img]:not([aria-label])").count() == 0


def test_hover_tells_rates_with_intervals(page_path: Path, table: dict[str, Any]) -> None:
    with opened(page_path) as page:
        page.locator("#chart-roc").scroll_into_view_if_needed()
        page.locator("#chart-roc path[aria-roledescription=point]").last.hover(force=True)
        page.wait_for_selector("#vg-tooltip-element.visible")
        told = page.locator("#vg-tooltip-element").inner_text()
        best = rs.best_threshold(table["defaulted"], table["boosted"], rule="cost", cost_fn=5)
        points = page.evaluate("data.operating.boosted")
        ends = [points[f"tpr_{end}"][points["start"]] for end in ("low", "high")]
        assert str(best.threshold) in told
        for value in (best.tpr, best.fpr, best.precision, *ends):
            assert format_number(value) in told
        assert points["chosen"][points["start"]] in told


def test_hover_on_a_curve_says_that_its_intervals_do_not_count_a_choice(page_path: Path) -> None:
    with opened(page_path) as page:
        page.locator("#chart-roc").scroll_into_view_if_needed()
        page.locator("#chart-roc path[aria-roledescription=point]").nth(3).hover(force=True)
        page.wait_for_selector("#vg-tooltip-element.visible")
        assert GIVEN in page.locator("#vg-tooltip-element").inner_text()


def test_prints_with_a_legend_and_whole_tables(page_path: Path) -> None:
    with opened(page_path) as page:
        page.set_viewport_size({"width": 760, "height": 900})
        settled(page).emulate_media(media="print")
        assert page.locator("#chart-roc .role-legend text", has_text="boosted").first.is_visible()
        assert not page.locator("#threshold").is_visible()
        assert not page.locator("[data-csv=roc]").is_visible()
        table = page.locator("#table-measures").bounding_box()
        assert table["x"] + table["width"] <= 760


def assert_cards_fit(page: Any, width: int) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    cards = page.evaluate("[...document.querySelectorAll('main > .card, footer')].map((e) => e.offsetWidth)")
    assert len(set(cards)) == 1


def test_fits_the_dark(page_path: Path) -> None:
    with opened(page_path, dark=True) as page:
        assert_cards_fit(page, 1250)
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 27)"


def test_models_can_be_toggled_and_sorted(page_path: Path) -> None:
    with opened(page_path) as page:
        lines = page.locator("#chart-roc path[aria-roledescription='line mark']")
        before = lines.count()
        page.get_by_label("logistic", exact=True).uncheck()
        settled(page)
        assert lines.count() < before
        names = page.locator("#table-measures tbody th")
        page.get_by_role("button", name="auc", exact=True).click()
        assert names.first.inner_text() == "boosted"
        page.get_by_role("button", name="auc", exact=True).click()
        assert names.first.inner_text() == "logistic"


def test_fits_a_phone(page_path: Path) -> None:
    with opened(page_path, width=390) as page:
        assert_cards_fit(page, 390)
        unfold(page, "#fold-statisticians")
        scrolled = page.locator("#table-diagnostics").locator("..")
        assert scrolled.evaluate("(e) => e.scrollWidth <= e.clientWidth")
        assert "gradient" in scrolled.evaluate("(e) => getComputedStyle(e).backgroundImage")


def test_hostile_names_change_nothing(tmp_path: Path) -> None:
    find_browser()
    data = loans(120)
    columns: dict[str, Any] = {"<i>label</i>": ["<u>yes</u>" if flag else "no" for flag in data["defaulted"]]}
    for place, name in enumerate(HOSTILE):
        columns[name] = [round(value * 0.9 + 0.01 * place, 6) for value in data["boosted"]]
    result = rs.evaluate(
        columns, label="<i>label</i>", scores=HOSTILE, pos_label="<u>yes</u>", intervals=True, n_resamples=20
    )
    plain = rs.evaluate(
        {"y": data["defaulted"], **{f"m{i}": columns[name] for i, name in enumerate(HOSTILE)}},
        label="y",
        scores=[f"m{i}" for i in range(len(HOSTILE))],
        intervals=True,
        n_resamples=20,
    )
    paths = [found.report(tmp_path / f"{i}.html", title="</title><h1>x") for i, found in enumerate((result, plain))]
    tags = []
    for path in paths:
        with opened(path) as page:
            assert page.title() == "</title><h1>x"
            tags.append(
                page.evaluate("[...document.querySelectorAll('body *:not(svg *)')].map((e) => e.tagName).join()")
            )
            page.select_option("#selected", "6")
            page.locator("#threshold").fill("30")
            unfold(page, "details[data-chart=roc]")
            assert page.locator("img, iframe, object, script[src]").count() == 0
    assert tags[0] == tags[1]
