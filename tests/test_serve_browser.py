"""The local page in a real browser: the whole journey, by mouse, keyboard and on a phone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import axe_playwright_python
import duckdb
import pandas as pd
import pytest

import few_resamples
import rocsteady as rs
from browser import UNDRAWN, find_browser, shared_browser
from rocsteady._src.views.report.write import document_of
from rocsteady._src.views.serve.server import Server
from serve_kit import HOSTILE, clinic, flowers, risks, served, write_csv

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
SERIOUS = """async () => (await axe.run(document, { resultTypes: ['violations'], iframes: false })).violations
.filter((one) => ['serious', 'critical'].includes(one.impact)).map((one) => one.id + ': ' + one.nodes[0].html)"""
WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@dataclass
class Window:
    """One tab, and what it did that it should not have."""

    page: Any
    address: str
    complaints: list[str] = field(default_factory=list)

    def goto(self, rest: str = "", *, width: int = 1250) -> Any:
        self.page.set_viewport_size({"width": width, "height": 900})
        if rest:  # else what differs behind the # would load nothing
            self.page.goto("about:blank")
        self.page.goto(self.address + rest)
        self.page.wait_for_selector("html[data-ready=yes]")
        return self.page

    def drop(self, path: Path, selector: str = "#choose") -> Any:
        self.page.set_input_files(selector, str(path))
        return self.page

    def axe(self) -> list[str]:
        if not self.page.evaluate("typeof axe === 'object'"):
            self.page.evaluate(AXE)  # not a script of the page, whose policy forbids it
        return list(self.page.evaluate(SERIOUS))


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    find_browser()
    with patch("rocsteady._src.views.serve.workers.WORK", few_resamples.WORK), served() as made:
        yield made


@pytest.fixture(scope="module")
def drawing(server: Server) -> Window:
    """A tab that draws the charts of the page it frames; the others answer in words, in less time."""
    return open_window(server, drawn=True)


@pytest.fixture(scope="module")
def window(server: Server) -> Window:
    return open_window(server)


def _dismissed(dialog: Any, window: Window) -> None:
    window.complaints.append(f"dialog: {dialog.message}")
    dialog.dismiss()


def open_window(server: Server, *, drawn: bool = False) -> Window:
    page = shared_browser().new_context(accept_downloads=True).new_page()
    if not drawn:
        page.add_init_script(UNDRAWN)
    made = Window(page, server.door.address)
    own = f"http://127.0.0.1:{server.server_port}/"
    page.on("console", lambda message: made.complaints.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: made.complaints.append(f"error: {error}"))
    page.on("dialog", lambda dialog: _dismissed(dialog, made))
    page.on(
        "request",
        lambda sent: (
            None if sent.url.startswith((own, "data:", "blob:", "about:")) else made.complaints.append(sent.url)
        ),
    )
    page.set_default_timeout(60_000)
    return made


@pytest.fixture(autouse=True)
def _calm(window: Window, drawing: Window) -> Iterator[None]:
    for each in (window, drawing):
        each.complaints.clear()
    yield
    assert window.complaints == drawing.complaints == []


def answered(page: Any) -> Any:
    page.wait_for_selector("#main[data-done=yes]")
    return page.frame_locator("#page")


def rows_of(page: Any, selector: str) -> list[list[str]]:
    return list(
        page.eval_on_selector_all(
            f"{selector} tbody tr", "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
        )
    )


def test_the_journey(drawing: Window, tmp_path: Path) -> None:
    """A clinic's file, one marker of which is lower in the ill; every number shown is the library's."""
    path = clinic(tmp_path / "asah.csv")
    page = drawing.goto()
    drawing.drop(path)
    page.wait_for_selector("#confirm")
    assert "step=columns" in page.url
    assert page.input_value("#pos") == "Poor"
    assert "2 values: label?" in page.inner_text(".roles")
    assert drawing.axe() == []
    assert "is lower more positive?" in page.inner_text(".roles tr:nth-child(5)")
    page.select_option("#role-4", "lower")
    assert "is lower more positive?" not in page.inner_text(".roles tr:nth-child(5)")
    page.select_option("#role-3", "")
    assert page.evaluate("document.activeElement.id") == "role-3"
    page.click("#confirm")
    page.fill("#cost_fn", "4")  # the question follows while one types
    assert "Which of s100b and -platelets should decide about outcome = Poor, if a miss costs 4" in page.inner_text(
        ".question"
    )
    assert drawing.axe() == []
    page.press("#cost_fn", "Enter")
    page.wait_for_selector("#verdict .verdict", state="attached")
    shown = page.text_content("#verdict .verdict")
    inner = answered(page)
    table = pd.read_csv(path)
    table["-platelets"] = -table["platelets"]
    result = rs.evaluate(table, label="outcome", scores=["s100b", "-platelets"], pos_label="Poor", intervals=True)
    decided = result.decide(cost_fn=4)
    assert shown == decided.verdict[0]
    document = document_of(result, cost_fn=4)
    assert document.decision is not None
    assert rows_of(page, "#verdict") == document.decision.rows
    assert rows_of(page, "#intervals") == document.sections[0].tables[0].rows
    inner.locator("html[data-ready=yes]").wait_for(state="attached")
    assert inner.locator(".verdict").inner_text() == decided.verdict[0]
    inner.locator("#cost-fn").fill("2")
    inner.locator("#cost-fn").press("Tab")
    inner.locator(".verdict", has_text=result.decide(cost_fn=2).verdict[0]).wait_for()
    assert drawing.axe() == []
    assert "--lower=platelets" in page.text_content("#lines")
    assert "at least -5 would be platelets of 5 or less" in str(page.text_content(".turned"))
    _recomputed_and_exported(page, result, tmp_path)


def _recomputed_and_exported(page: Any, result: Any, folder: Path) -> None:
    """Other costs are decided again; exports are what the page shows; the address brings it all back."""
    page.click("#change summary")
    page.fill("#change #cost_fn", "1")
    page.press("#change #cost_fn", "Tab")
    answered(page)
    want = result.decide(cost_fn=1).verdict[0]
    assert page.text_content("#verdict .verdict") == want
    with page.context.expect_page() as opened:
        page.click("#alone")
    opened.value.wait_for_selector("html[data-ready=yes]")
    assert opened.value.inner_text(".verdict") == want
    opened.value.close()
    for form, name in (("html", "report.html"), ("csv", "tables.zip")):
        with page.expect_download() as saved:
            page.click(f"#save-{form}")
        assert saved.value.suggested_filename == name
        saved.value.save_as(folder / name)
    assert want in (folder / "report.html").read_text(encoding="utf-8")
    page.reload()
    answered(page)
    assert page.text_content("#verdict .verdict") == want
    page.go_back()
    page.wait_for_selector("#decide")
    page.go_back()
    page.wait_for_selector("#confirm")
    assert page.input_value("#role-4") == "lower"


def test_by_keyboard_alone_on_a_phone(drawing: Window, tmp_path: Path) -> None:
    """Pasted columns, Tab and Enter only, 390 pixels wide."""
    text = risks(tmp_path / "r.csv", 60).read_text()
    page = drawing.goto(width=390)
    assert drawing.axe() == []
    tab_to(page, "summary")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "pasted"
    page.keyboard.insert_text(text)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#confirm")
    assert page.evaluate(WIDE) <= 0
    tab_to(page, "#confirm")
    page.keyboard.press("Enter")
    page.wait_for_selector("#decide")
    tab_to(page, "#decide")
    page.keyboard.press("Enter")
    inner = answered(page)
    assert page.evaluate(WIDE) <= 0
    inner.locator("html[data-ready=yes]").wait_for(state="attached")
    assert inner.locator("html").evaluate("html => html.scrollWidth - html.clientWidth") <= 0
    assert drawing.axe() == []


def test_nothing_goes_on_before_it_was_said(window: Window, tmp_path: Path) -> None:
    """Later steps open once columns are confirmed, and those once it is said what happens to rows without a value."""
    path = risks(tmp_path / "r.csv", 80)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:5], lines[5].rsplit(",", 1)[0] + ",", *lines[6:]]) + "\n")
    page = window.goto()
    window.drop(path)
    page.wait_for_selector("#confirm[disabled]")
    assert "say above whether to leave them out" in page.inner_text("#lacking")
    assert page.locator("#steps a").all_inner_texts() == ["1 File", "2 Columns"]
    page.click("#missing-drop")
    assert page.evaluate("document.activeElement.id") == "missing-drop"
    page.click("#confirm")
    assert page.locator("#steps a").count() == 4
    page.click("#decide")
    answered(page)
    assert "--missing=drop" in page.text_content("#lines")


def tab_to(page: Any, selector: str, most: int = 60) -> None:
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            return
    pytest.fail(f"{selector} is not reached by Tab")


def test_in_the_dark(window: Window, tmp_path: Path) -> None:
    path = clinic(tmp_path / "asah.csv")
    window.page.emulate_media(color_scheme="dark")
    page = window.goto()
    assert window.axe() == []
    window.drop(path)
    page.wait_for_selector("#confirm")
    assert window.axe() == []
    window.page.emulate_media(color_scheme="light")


FURTHER_UP = '<p style="height: 9000px">cells before</p>'


def test_a_notebook_shows_the_page(window: Window, tmp_path: Path) -> None:
    """The frame of result.explore(), in a page as a notebook would put it, out of sight: it answers to its controls."""
    result = rs.evaluate(pd.read_csv(risks(tmp_path / "r.csv", 80)), label="y", scores=["old", "new"])
    shown = result.explore(cost_fn=3)
    assert repr(shown) == str(result)
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<!DOCTYPE html><title>notebook</title>{FURTHER_UP}{shown._repr_html_()}", encoding="utf-8")
    page = shared_browser().new_context().new_page()
    told: list[str] = []
    page.on("pageerror", lambda error: told.append(str(error)))
    page.goto(notebook.as_uri())
    inner = page.frame_locator("iframe")
    inner.locator("html[data-ready=yes]").wait_for(state="attached")
    assert inner.locator(".verdict").inner_text() == result.decide(cost_fn=3).verdict[0]
    inner.locator("#cost-fn").fill("1")
    inner.locator("#cost-fn").press("Tab")
    inner.locator(".verdict", has_text=result.decide(cost_fn=1).verdict[0]).wait_for()
    assert told == []
    page.click("summary")
    assert page.locator("table").first.is_visible()
    page.context.close()


def test_several_classes(window: Window, tmp_path: Path) -> None:
    path = flowers(tmp_path / "iris.csv")
    page = window.goto()
    window.drop(path)
    page.click("#confirm")
    page.click("#decide")
    answered(page)
    names = ["setosa", "versicolor", "virginica"]
    result = rs.evaluate(pd.read_csv(path), label="species", scores=[f"p_{name}" for name in names], classes=names)
    assert page.text_content("#verdict .verdict") == document_of(result).verdict[0]


WATCH = """() => { window.told = [];
new MutationObserver((changes) => { for (const change of changes) for (const bar of change.addedNodes)
  if (bar.localName === 'progress') window.told.push([bar.getAttribute('aria-label'), bar.value]);
}).observe(document.getElementById('status'), { childList: true }); }"""


def test_ten_million_rows(window: Window, server: Server, tmp_path: Path) -> None:
    """More than memory may hold: grouped by DuckDB, with progress, and counted alike by a query of its own."""
    path = tmp_path / "large.parquet"
    draw = "SELECT i * 2654435761 % 4294967296 AS h FROM range(10000000) AS t(i)"
    scores = "(h // 7 % 90 + 10 * y)::SMALLINT AS old, (greatest(h // 601, h // 7919 * y) % 100)::SMALLINT AS new"
    duckdb.sql(f"COPY (SELECT h % 2 AS y, {scores} FROM ({draw})) TO '{path}'")  # noqa: S608 - of words above
    page = window.goto()
    page.evaluate(WATCH)
    window.drop(path)
    page.wait_for_selector("#confirm")
    assert "10,000,000" in page.inner_text("main")
    page.select_option("#role-1", "score")
    page.select_option("#role-2", "score")
    page.click("#confirm")
    page.click("#decide")
    page.wait_for_selector("#verdict .verdict", state="attached")
    told = page.text_content("#verdict .verdict")
    words = r"(old|new) and flag scores of at least (\d+): of 1,000 cases it finds ([\d.]+) .* raises ([\d.]+)"
    (model, cut, *shown) = re.findall(words, told)[0]
    query = f"SELECT sum(y), count(*) - sum(y) FROM '{path}' WHERE {model} >= {cut}"  # noqa: S608 - a name of two
    counted = duckdb.sql(query).fetchall()[0]
    places = len(shown[0].partition(".")[2])
    assert [float(each) for each in shown] == [round(each / 10_000, places) for each in counted], told
    answered(page).locator("html[data-ready=yes]").wait_for()
    assert any(what in ("looking at columns", "grouping") and share > 0 for what, share in page.evaluate("window.told"))
    if Path("/proc/self/status").exists():
        peaks = [
            int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1]) for pid in workers(server)
        ]
        assert max(peaks) < 1_000_000  # the gigabyte that was promised


def workers(server: Server) -> list[int]:
    return [each._process.pid for each in server.pool._idle if each.key]


def test_wrong_files_and_hostile_names(drawing: Window, tmp_path: Path) -> None:
    """A sentence, never a trace; what names say stays text."""
    page = drawing.goto()
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and no more")
    drawing.drop(tmp_path / "broken.parquet")
    page.wait_for_selector("[role=alert]")
    told = page.inner_text("[role=alert]")
    assert "broken.parquet cannot be read" in told
    assert "Traceback" not in page.inner_text("body")
    (tmp_path / "x.csv").write_bytes(b"PK\x03\x04....")
    page.goto(drawing.address + "#step=file")
    drawing.drop(tmp_path / "x.csv")
    page.locator("[role=alert]", has_text="zip file").wait_for()
    hostile = f"<img src=x onerror=alert(1)>{HOSTILE}"
    rows = [[i % 2, (i * 7919 % 101) / 101 + 0.2 * (i % 2)] for i in range(80)]
    write_csv(tmp_path / "<b>&.csv", ["y", hostile], rows)
    drawing.drop(tmp_path / "<b>&.csv")
    page.click("#confirm")
    page.click("#decide")
    inner = answered(page)
    inner.locator("html[data-ready=yes]").wait_for()
    assert hostile[:40] in page.text_content("#verdict")
    assert page.locator("main img, main b b").count() == 0
    page.goto(drawing.address + "#step=answer&file=nothing&label=y&scores=a")
    page.locator("[role=alert]", has_text="no longer here").wait_for()
    drawing.complaints[:] = [each for each in drawing.complaints if "404" not in each and "415" not in each]


def test_the_laboratory(window: Window) -> None:
    page = window.goto()
    page.click("text=Laboratory")
    page.fill("#measures", "auc,mm7_auc")
    page.click("#measure")
    answered(page).locator("html[data-ready=yes]").wait_for()
    assert window.axe() == []


def test_tabs_work_at_once_and_each_by_itself(server: Server, window: Window, tmp_path: Path) -> None:
    other = open_window(server)
    try:
        pages = []
        for each, name, n in ((window, "a.csv", 200), (other, "b.csv", 300)):
            page = each.goto()
            each.drop(risks(tmp_path / name, n))
            page.click("#confirm")
            page.click("#decide")
            pages.append((page, name))
        for page, name in pages:
            page.wait_for_selector("#verdict .verdict", state="attached")
            table = pd.read_csv(tmp_path / name)
            want = rs.evaluate(table, label="y", scores=["old", "new"], pos_label=1.0).decide().verdict[0]
            assert page.text_content("#verdict .verdict") == want
        assert other.complaints == []
    finally:
        other.page.context.close()


def test_another_page_learns_nothing(server: Server, window: Window, tmp_path: Path) -> None:
    """A page from elsewhere, with the right address: it cannot read, post or frame."""
    evil = tmp_path / "evil.html"
    evil.write_text(f"<iframe src={json.dumps(server.door.address)}></iframe>")
    context = shared_browser().new_context()
    page = context.new_page()
    page.goto(evil.as_uri())
    read = "async (url) => { try { return (await fetch(url)).status; } catch (error) { return String(error); } }"
    assert "Failed to fetch" in page.evaluate(read, server.door.address + "start")
    sent = """async (url) => { try { await fetch(url, { method: 'POST', mode: 'no-cors', body: 'y,a' }); }
    catch (error) { return String(error); } return 'sent'; }"""
    before = set(server.store._files)
    page.evaluate(sent, server.door.address + "upload")
    assert set(server.store._files) == before
    kept = [path for path in server.store.folder.iterdir() if path.is_file()]  # workers of other tests may add folders
    assert not any(path.stat().st_size == len("y,a") for path in kept)
    framed = [each.content() for each in page.frames if each != page.main_frame]
    assert not any(re.search("Drop a file", text) for text in framed)
    context.close()
