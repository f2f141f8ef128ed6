"""The page of a laboratory run: numbers of the results, in a browser, with scripts or without."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import rocsteady as rs
from browser import find_browser, opened, settled, shared_browser
from command import rocsteady as run
from rocsteady import lab
from test_report_access import look

if TYPE_CHECKING:
    from pathlib import Path


SOURCE = "1.0p 0.9p 0.8p 0.2n 0.1n 0.0n"


MEASURES = ["auc", "scored_auc", "mm7_auc"]


HOSTILE = "<script>alert(1)</script>"


SECTIONS = ["errors", "where", "order", "sweeps", "values", "functions"]


UNNAMED = """() => [...document.querySelectorAll('button, select, input, summary')].filter((node) =>
    !(node.labels && node.labels.length) && !node.textContent.trim()).map((node) => node.outerHTML)"""


def hostile(y: Any, s: Any) -> float:
    return float(np.mean(s[y == 1]) - np.mean(s[y == 0]))


@pytest.fixture(scope="module")
def counted() -> Any:
    sets = lab.generate(SOURCE, range_steps=5, margin_steps=3, distribution=True)
    return sets, lab.count_errors(sets, MEASURES)


@pytest.fixture(scope="module")
def page_of_all(counted: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    sets, found = counted
    values = lab.set_values("(0.9p 0.8p 0.2n)\n(0.9p 0.8n 0.2p)", {HOSTILE: hostile, "auc": rs.auc})
    also = [
        lab.count_order_errors(sets, MEASURES),
        lab.sweep(sets, "mm7_auc", n=[0, 0.01, 0.25]),
        lab.sweep(sets, "mm7_auc", n=[0.01, 0.1], m=[0.5, 0.9]),
        values,
        lab.difference_functions(n=41),
    ]
    path = tmp_path_factory.mktemp("lab") / "lab.html"
    return also, found.report(path, also=also, title=f"Lab {HOSTILE}", command="rocsteady lab <x>")


def test_all_that_was_found_is_on_the_page(counted: Any, page_of_all: Any) -> None:
    _, found = counted
    find_browser()
    with opened(page_of_all[1], width=1440) as page:
        assert [page.locator(f"#part-{name}").count() for name in SECTIONS] == [1] * len(SECTIONS)
        assert page.locator("#verdict").inner_text() == (
            f"Fewest errors: mm7_auc, {found['mm7_auc'].errors} of {found.n_correct} correctly ranked sets "
            f"({100 * found['mm7_auc'].errors / found.n_correct:.1f}%)"
        )
        for place, row in enumerate(found):
            cells = page.locator("#table-counts tbody tr").nth(place).locator("th, td").all_inner_texts()
            assert cells[:2] == [row.measure, f"{row.errors:,}"]
            assert float(cells[3]) == pytest.approx(row.min_correct, abs=5e-5)
        assert page.locator(".view svg").count() == 10
        assert page.locator(".view[role=img]:not([aria-label])").count() == 0
        assert page.evaluate(UNNAMED) == []
        with page.expect_download() as waiting:
            page.locator("[data-csv=by-margin]").click()
        rows = list(csv.DictReader(io.StringIO(waiting.value.path().read_text())))
        split = found.breakdown("margin")
        assert sum(int(row["errors"]) for row in rows) == split.errors.sum()
        bars = page.locator("#chart-errors path[aria-roledescription=bar]")
        before = bars.count()
        page.get_by_label("scored_auc", exact=True).uncheck()
        settled(page)
        assert (before, bars.count()) == (3, 2)


def test_it_fits_a_phone(page_of_all: Any) -> None:
    find_browser()
    with opened(page_of_all[1], width=390, height=844) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.emulate_media(color_scheme="dark")
        assert settled(page).evaluate("document.documentElement.scrollWidth") <= 390


def test_axe_finds_nothing(page_of_all: Any) -> None:
    find_browser()
    seen = look(page_of_all[1], dark=True)
    assert seen.violations == []
    assert seen.dark_violations == []


def test_it_is_read_without_scripts_and_asks_nobody(page_of_all: Any) -> None:
    find_browser()
    asked: list[str] = []
    with shared_browser().new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(page_of_all[1].as_uri())
        assert page.locator(".view svg").count() == 10
        assert page.locator("#table-sets").is_visible()
        assert page.locator("h1").inner_text() == f"Lab {HOSTILE}"
    assert [url for url in asked if not url.startswith("file:")] == []
    text = page_of_all[1].read_text(encoding="utf-8")
    assert HOSTILE not in text
    assert not re.search(r"(?:src|href)=[\"'](?!#)", text.split("<script", 1)[0])


def test_numbers_for_programs_are_those_of_the_results(counted: Any, page_of_all: Any, tmp_path: Path) -> None:
    _, found = counted
    order, swept, mapped, values, functions = page_of_all[0]
    told = json.loads(found.report(tmp_path / "lab.json", also=page_of_all[0]).read_text(encoding="utf-8"))
    sections = told["sections"]
    counts = sections["errors"]["tables"]["counts"]["values"]
    assert [(row[0], row[1]) for row in counts] == [(row.measure, row.errors) for row in found]
    for by in ("range", "margin", "ratio"):
        rows = np.array(sections["bins"]["tables"][f"split-{by}"]["values"])
        assert rows[:, 3:].T.tolist() == found.breakdown(by).errors.tolist()
        drawn = told["charts"][f"by-{by}"]["data"]["shares"]
        assert sum(row["errors"] for row in drawn) == found.breakdown(by).errors.sum()
    assert [row[1:3] for row in sections["order"]["tables"]["order-counts"]["values"]] == [
        [row.errors, row.excess] for row in order
    ]
    assert [row[1] for row in sections["sweeps"]["tables"]["grid-0"]["values"]] == swept.errors.tolist()
    assert [row["errors"] for row in told["charts"]["sweep-1"]["data"]["swept"]] == mapped.errors.ravel().tolist()
    rows = sections["values"]["tables"]["sets"]["values"]
    assert [row[3] for row in rows] == pytest.approx(values.values[HOSTILE].tolist())
    adds = [row["adds"] for row in told["charts"]["functions"]["data"]["functions"] if row["model"] == "soft_auc"]
    assert adds == pytest.approx(functions.values["soft_auc"].tolist())


@pytest.mark.parametrize(
    ("made", "leads"),
    [
        (lambda sets: lab.set_values(sets, MEASURES), "sets by 3 measures"),
        (lambda sets: lab.count_order_errors(sets, MEASURES), "Fewest errors in the order of sets: auc, "),
        (lambda sets: lab.sweep(sets, "mm7_auc", n=[0, 0.25]), "at n = 0"),
        (lambda _: lab.difference_functions(n=5), "Difference functions of auc"),
        (lambda _: lab.count_errors("0.9n 0.1p", ["auc"]), "No set is correctly ranked"),
        (lambda _: lab.count_errors("0.9p 0.1n", ["auc"]), "No errors"),
    ],
)
def test_every_result_has_a_page_of_its_own(counted: Any, made: Any, leads: str, tmp_path: Path) -> None:
    text = made(counted[0]).report(tmp_path / "lab.md").read_text(encoding="utf-8").replace("\\_", "_")
    assert leads in text.splitlines()[2]


def test_its_own_page_is_replaced_and_no_other_file(counted: Any, tmp_path: Path) -> None:
    _, found = counted
    path = found.report(tmp_path / "lab.md")
    assert found.report(path) == path
    with pytest.raises(rs.RocsteadyError, match="exists"):
        lab.difference_functions(n=5).report(path)
    with pytest.raises(rs.ArgumentError, match=r"is an \.html, \.md or \.json file, got '\.png'"):
        found.report(tmp_path / "lab.png")
    with pytest.raises(rs.ArgumentError, match="cannot show Breakdown"):
        found.report(tmp_path / "other.md", also=[found.breakdown("range")])
    with pytest.raises(rs.ArgumentError, match="a page shows one ErrorCounts, got 2"):
        found.report(tmp_path / "other.md", also=[found])


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    (tmp_path / "sets.txt").write_text(f"({SOURCE})\n(0.85p 0.80n 0.75p)\n")
    path = tmp_path / "lab.html"
    ended = run(
        "lab",
        str(tmp_path / "sets.txt"),
        "--range",
        "4",
        "--sweep",
        "n=0.01,0.1",
        "--measure",
        "mm7AUC",
        "-o",
        str(path),
    )
    assert ended.returncode == 0, ended.stderr
    assert "Wrote " in ended.stderr
    text = path.read_text(encoding="utf-8")
    assert all(f'id="part-{name}"' in text for name in SECTIONS)
    assert "--sweep n=0.01,0.1" in text
    again = run("lab", str(tmp_path / "sets.txt"), "--values", "-o", str(path))
    assert again.returncode == 2
    assert "exists" in again.stderr
