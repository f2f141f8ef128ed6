"""Groups and folds on a page follow the threshold, costs and prevalence that its reader types, as the library does."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from browser import find_browser, opened, settled
from rocsteady._src.base.examples import loans
from rocsteady._src.base.text import format_interval
from rocsteady._src.results.cases import money
from rocsteady._src.views.report import operating, parts_at_threshold
from rocsteady._src.views.report.write import document_of

COSTS: dict[str, Any] = {"cost_fp": 50, "cost_fn": 400}
HOW: dict[str, Any] = {"label": "defaulted", "scores": ["boosted", "logistic"], "measures": ["auc"], "intervals": True}
SITES = np.array(["north", "south", "<b>east</b>"])


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    rows = {name: np.asarray(column) for name, column in loans(300).items()}
    return {**rows, "site": SITES[np.arange(300) % 3], "part": np.arange(300) % 4, "w": 1 + np.arange(300) % 5 / 2}


@pytest.fixture(scope="module")
def groups(table: dict[str, Any]) -> Any:
    return rs.evaluate(table, **HOW, by="site")


@pytest.fixture(scope="module")
def page_path(tmp_path_factory: pytest.TempPathFactory, groups: Any) -> Path:
    find_browser()
    path: Path = groups.report(tmp_path_factory.mktemp("parts") / "groups.html", **COSTS)
    return path


def shown(page: Any, kind: str = "group") -> dict[str, list[str]]:
    lines: list[list[str]] = page.evaluate(f"cellsOf('{kind}-threshold')")
    return {cells[0]: cells[1:] for cells in lines[1:]}


def text_of(found: Any) -> str:
    return format_interval(found.estimate, found.low, found.high, 3)


def rates_at(table: dict[str, Any], keep: Any, model: str, threshold: float, **more: Any) -> list[str]:
    """Recall, false positive rate and precision of some rows, by the library's door."""
    y, s = table["defaulted"][keep], table[model][keep]
    names = ("recall", "false_positive_rate", "precision")
    return [text_of(rs.inference.measure_interval(name, y, s, threshold=threshold, **more)) for name in names]


def rows_of_sites(table: dict[str, Any]) -> dict[str, Any]:
    return {"all rows": np.arange(300) >= 0, **{site: table["site"] == site for site in SITES.tolist()}}


def test_groups_follow_a_typed_threshold(page_path: Path, table: dict[str, Any]) -> None:
    with opened(page_path, drawn=False) as page:
        first = shown(page)
        for model, typed_now in ((0, "0.3"), (1, "0.123456"), (1, "7")):
            page.select_option("#selected", str(model))
            page.fill("#typed", typed_now)
            found = shown(page)
            name = HOW["scores"][model]
            assert page.locator("#group-threshold-title").inner_text() == f"{name} at {typed_now}, by site"
            for site, keep in rows_of_sites(table).items():
                wanted = rates_at(table, keep, name, float(typed_now))
                assert found[site][:3] == [text if text[0].isdigit() else "-" for text in wanted], (site, typed_now)
                counts = rs.confusion(table["defaulted"][keep], table[name][keep], threshold=float(typed_now))
                assert found[site][3] == money(1000 * (400 * counts.fn + 50 * counts.fp) / keep.sum())
        page.click("#reset")
        assert shown(page) == first


def test_groups_follow_a_click_on_the_curve_and_the_way_back(page_path: Path, table: dict[str, Any]) -> None:
    with opened(page_path) as page:
        first = shown(page)
        curve = page.locator("#chart-roc svg")
        box = curve.bounding_box()
        curve.click(position={"x": 0.4 * box["width"], "y": 0.3 * box["height"]})
        record = settled(page).evaluate("operatingRecord()")
        for site, keep in rows_of_sites(table).items():
            assert shown(page)[site][:3] == rates_at(table, keep, record["model"], record["threshold"])
        there = shown(page)
        page.go_back()
        assert shown(page) == first
        page.go_forward()
        assert shown(page) == there


@pytest.mark.parametrize("typed_now", [{"cost-fn": "90"}, {"cost-fp": "20", "prevalence": "5"}], ids=str)
def test_groups_follow_typed_costs_and_prevalence_as_a_decision_does(
    page_path: Path, groups: Any, typed_now: dict[str, str]
) -> None:
    asked = {**COSTS, **{name.replace("-", "_"): float(value) for name, value in typed_now.items()}}
    if "prevalence" in asked:
        asked["prevalence"] /= 100
    wanted = groups.decide(**asked)
    told = document_of(groups, **asked)
    at_threshold = next(table for each in told.sections for table in each.tables if table.id == "group-threshold")
    with opened(page_path, drawn=False) as page:
        for name, value in typed_now.items():
            page.fill(f"#{name}", value)
        found, verdict = shown(page), page.locator("#as-typed li").all_inner_texts()
        with page.expect_download() as waiting:
            page.locator("[data-table-csv=group-threshold]").click()
        saved = list(csv.DictReader(waiting.value.path().read_text().splitlines()))
    assert found == {row[0]: row[1:] for row in at_threshold.rows}
    assert [line for line in told.verdict if line.startswith("By site")] == verdict[:1]
    for group, line in zip(wanted.groups, saved[1:], strict=True):
        texts = [text_of(group.rates[name]) for name in ("recall", "false_positive_rate")]
        assert found[group.group][:2] == texts
        assert found[group.group][3] == money(group.course.cost)
        ends = [float(line[name]) for name in ("recall", "recall low", "recall high", "cost of 1,000 cases")]
        recall = group.rates["recall"]
        assert ends == pytest.approx([recall.estimate, recall.low, recall.high, group.course.cost], rel=1e-9)
        assert float(line["threshold"]) == wanted.threshold


def test_what_the_page_counts_again_is_what_it_was_made_with(page_path: Path, groups: Any) -> None:
    """First values come from Python; the script finds the same."""
    counts = "partCounts(given.model, numeric(operatingRecord().threshold)).parts"
    again = f"{counts}.map((part) => partRates(part, data.operating[given.model].z))"
    with opened(page_path, drawn=False) as page:
        texts = page.evaluate(f"{again}.map(({{ rates, cost }}) => [...rates.map(rateText), money(cost)])")
        assert list(shown(page).values()) == texts


def test_folds_follow_too_and_the_headline_stays_pooled(tmp_path: Path, table: dict[str, Any]) -> None:
    find_browser()
    result: Any = rs.evaluate(table, **HOW, fold="part")
    with opened(result.report(tmp_path / "folds.html", **COSTS), drawn=False) as page:
        page.fill("#typed", "0.25")
        found = shown(page, "fold")
        page.fill("#cost-fn", "90")
        headline, lines = page.locator("#verdict").inner_text(), page.locator("#as-typed li").all_inner_texts()
    told = document_of(result, cost_fp=50, cost_fn=90)
    assert headline == told.verdict[0]
    assert lines[:2] == list(told.verdict[1:3])
    for fold in range(4):
        assert found[str(fold)][:3] == rates_at(table, table["part"] == fold, "boosted", 0.25)


def test_of_many_scores_round_thresholds_are_held_for_groups(
    tmp_path: Path, table: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    find_browser()
    rows = {**table, **{name: np.repeat(table[name], 4) for name in ("defaulted", "site")}}
    rows["boosted"] = np.repeat(table["boosted"], 4) + np.tile([0, 1e-4, 2e-4, 3e-4], 300)
    monkeypatch.setattr(operating, "MOST_HELD", 800)
    monkeypatch.setattr(parts_at_threshold, "EVERY", 800)
    rows = {name: rows[name] for name in ("defaulted", "site", "boosted")}
    result: Any = rs.evaluate(rows, **{**HOW, "scores": "boosted"}, by="site")
    with opened(result.report(tmp_path / "many.html", **COSTS), drawn=False) as page:
        assert page.evaluate("data.operating.boosted.every.whole") is False
        page.fill("#typed", "0.21")
        assert shown(page)["north"][:3] == rates_at(rows, rows["site"] == "north", "boosted", 0.21)
    monkeypatch.setattr(parts_at_threshold, "MOST_HELD", 1200)
    with opened(result.report(tmp_path / "slider.html", **COSTS), drawn=False) as page:
        assert page.evaluate("data.parts.models.boosted.slider")
        page.fill("#typed", "0.21")
        note, title = (page.locator(f"#group-threshold-title{after}").inner_text() for after in (" + p", ""))
        cut = float(title.split()[2].strip(","))
        assert 0.21 < cut < 0.23
        assert "the next above yours at which this page holds them" in note
        assert shown(page)["north"][:3] == rates_at(rows, rows["site"] == "north", "boosted", cut)
    monkeypatch.setattr(parts_at_threshold, "MOST_HELD", 10)
    with opened(result.report(tmp_path / "none.html", **COSTS), drawn=False) as page:
        first = shown(page)
        page.fill("#typed", "0.21")
        assert shown(page) == first
        note = page.locator("#group-threshold-title + p").inner_text()
        assert note.startswith("Of so many groups this page holds no other threshold than")


def test_weighted_rows_have_rates_everywhere_and_intervals_where_they_are_known(
    tmp_path: Path, table: dict[str, Any]
) -> None:
    find_browser()
    how: dict[str, Any] = {"sample_weight": "w", "weight_type": "sampling"}
    result: Any = rs.evaluate(table, **HOW, **how, by="site")
    keep = table["site"] == "south"
    rows = {"sample_weight": table["w"][keep], "weight_type": "sampling"}
    with opened(result.report(tmp_path / "weights.html", **COSTS), drawn=False) as page:
        cut = page.evaluate("operatingRecord().threshold")
        assert shown(page)["south"][:3] == rates_at(table, keep, "boosted", cut, **rows)
        page.fill("#typed", "0.3")
        wanted = [text.split(" ")[0] for text in rates_at(table, keep, "boosted", 0.3, **rows)]
        assert shown(page)["south"][:3] == wanted
        assert "intervals are known at the threshold" in page.locator("#group-threshold-title + p").inner_text()
