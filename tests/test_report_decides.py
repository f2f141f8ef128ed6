"""The page decides: what a reader types is answered with the library's own numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tools.site.tables import RESULTS, read_rows

import rocsteady as rs
from browser import find_browser, opened, settled, shared_browser, unfold
from rocsteady._src.base.examples import loans
from rocsteady._src.base.text import format_digits, format_interval, format_number
from rocsteady._src.evaluation import choices_elsewhere, decision
from rocsteady._src.evaluation.decision_words import EXCESS
from rocsteady._src.results.cases import count_text, counts_shown, decimals_of, money
from rocsteady._src.views.report.build import HELD
from rocsteady._src.views.report.decision_parts import decision_table
from rocsteady._src.views.report.names import styles
from rocsteady._src.views.report.operating import operating_points
from rocsteady._src.views.report.page import ENDS

EXCESS_ELSEWHERE = f"{EXCESS} was computed for the costs given alone"
MODELS = ["boosted", "logistic", "coin"]


@pytest.fixture(scope="module", autouse=True)
def few_draws() -> Iterator[None]:
    """As few resamples in decisions as the pages of most tests hold: what they choose is compared one by one."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(choices_elsewhere, "FLATTERY", choices_elsewhere.RESAMPLES)
        patched.setattr(decision, "CHOICES", choices_elsewhere.RESAMPLES)
        yield


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    return loans(380)


@pytest.fixture(scope="module")
def result(table: dict[str, Any]) -> rs.Evaluation:
    return rs.evaluate(table, label="defaulted", scores=MODELS, intervals=True, n_resamples=50)


@pytest.fixture(scope="module")
def page_path(tmp_path_factory: pytest.TempPathFactory, result: rs.Evaluation) -> Path:
    find_browser()
    return result.report(tmp_path_factory.mktemp("decides") / "report.html", cost_fp=50, cost_fn=400)


def rows_of(page: Any) -> list[list[str]]:
    lines = page.locator("#table-decision tbody tr").all()
    return [line.locator("th, td").all_inner_texts() for line in lines]


def typed(page: Any, box: str, value: str) -> None:
    page.fill(box, value)
    page.press(box, "Enter")


@pytest.mark.parametrize(
    ("fp", "fn", "share"), [(50, 100, None), (1, 30, None), (10, 10, 5), (50, 400, 40), (1, 900, 0.2)]
)
def test_other_costs_and_prevalence_are_decided_as_the_library_does(
    page_path: Path, result: rs.Evaluation, fp: int, fn: int, share: float | None
) -> None:
    wanted = result.decide(cost_fp=fp, cost_fn=fn, prevalence=None if share is None else share / 100)
    with opened(page_path, drawn=False) as page:
        told = page.locator("#outcome").inner_text()
        typed(page, "#cost-fp", str(fp))
        typed(page, "#cost-fn", str(fn))
        if share is not None:
            typed(page, "#prevalence", str(share))
        shown = {row[0]: row[1:6] for row in rows_of(page)}
        first = rows_of(page)[0][0]
        verdict = page.locator("#verdict").inner_text()
        assert page.locator("#table-decision thead th").first.inner_text() == wanted.cells()[0][0]
        note = page.locator("#decision-note").inner_text()
        assert f"a false alarm costs {fp} and a miss {fn}, and {format_digits(100 * wanted.prevalence, 4)}% of" in note
        assert page.locator("#as-typed").is_visible()
        assert not page.locator("#as-given").is_visible()
        lines = page.locator("#as-typed li").all_inner_texts()
        cards = [card.split("\n", 1)[1] for card in page.locator("[data-check]").all_inner_texts()]
        beyond = {row[0]: row[6] for row in rows_of(page)}
        page.click("#reset")
        assert page.locator("#outcome").inner_text() == told
    for course, cells in zip(wanted.courses, wanted.cells()[1], strict=True):
        assert shown[course.name] == [course.shown.split(" ")[0], *cells[2:6]], course.name
    assert first == wanted.courses[0].name
    assert [verdict, *lines][:-1] == list(wanted.verdict[:-1])
    assert lines[-1] == EXCESS_ELSEWHERE
    assert wanted.verdict[-1].startswith(EXCESS)
    assert cards == [f"{check.question} {check.answer}\n{check.text}" for check in wanted.checks]
    for course, cells in zip(wanted.courses, wanted.cells()[1], strict=True):
        assert beyond[course.name] == cells[6], course.name


def test_where_another_sample_might_choose_follows_the_costs(page_path: Path, result: rs.Evaluation) -> None:
    wanted = result.decide(cost_fp=10, cost_fn=30)
    with opened(page_path) as page:
        typed(page, "#cost-fp", "10")
        typed(page, "#cost-fn", "30")
        line = page.locator("#as-typed li").nth(-2).inner_text()
        shaded = page.evaluate("views.cost.data('choice')[0]")
        typed(page, "#cost-fp", "900")  # at which another model leads, or none does: the chart has whoever does not
        leader = rows_of(page)[0][0]
        others = [row[0] for row in rows_of(page)[1:-2]]
        assert page.evaluate("views['cost-differences'].scale('y').domain()") == others
        assert page.locator("#cost-differences-title").inner_text() == f"Cost of 1,000 cases beyond {leader}"
    assert line == wanted.verdict[-2]
    assert "another sample might choose" in line
    found = wanted.threshold_interval
    assert (shaded["low"], shaded["high"]) == pytest.approx((found.low, found.high), rel=1e-6)


def test_the_card_and_the_curves_follow_a_typed_prevalence(page_path: Path, table: dict[str, Any]) -> None:
    with opened(page_path) as page:
        typed(page, "#typed", "0.31")
        cut = float(page.input_value("#typed"))
        before = page.locator("[data-value=tp]").inner_text()
        typed(page, "#prevalence", "5")
        shown = {
            name: page.locator(f"[data-value={name}]").inner_text()
            for name in ("precision", "npv", "accuracy", "cost", "f1", "matthews_correlation", "tpr", "tp")
        }
        ends = {name: page.locator(f"[data-interval={name}]").inner_text() for name in ("precision", "npv")}
        base, title = page.locator("[data-base]").inner_text(), page.locator("#operating-title").inner_text()
        drawn = page.evaluate("views.rates.data('rates')")
        moved = page.evaluate("views.pr.data('pr').filter((one) => one.model === 'boosted')")
        point = page.evaluate("views.pr.data('op')[0].precision")
        heading = page.locator("#chart-pr").inner_text()
    wanted = rs.inference.predictive_values(
        table["defaulted"], table["boosted"], prevalence=0.05, threshold=cut, cost_fp=50, cost_fn=400
    )
    for name, found in (("precision", wanted.ppv), ("npv", wanted.npv)):
        assert f"{shown[name]} {ends[name]}" == format_interval(found.estimate, found.low, found.high), name
    assert shown["accuracy"] == format_number(wanted.accuracy.estimate)
    assert shown["cost"] == format_number(wanted.cost.estimate)
    recall, alarmed = wanted.recall, 1 - wanted.specificity
    cells = 0.05 * recall, 0.95 * alarmed, 0.05 * (1 - recall), 0.95 * (1 - alarmed)
    counts = rs.measures.Confusion(*(round(1e9 * each) for each in cells))
    assert shown["f1"] == format_number(counts.f1)
    assert shown["matthews_correlation"] == format_number(counts.matthews_correlation)
    assert (base, shown["tp"]) == ("0.9500", before)
    assert title == "At this threshold, on these rows; rates at 5% positive"
    assert "At 5% positive" in heading
    assert point == pytest.approx(wanted.ppv.estimate, abs=1e-6)
    lines = ((float(one["threshold"]), one["value"]) for one in drawn if one["rate"] == "precision")
    _, there = min(line for line in lines if line[0] >= cut)
    assert there == pytest.approx(wanted.ppv.estimate, abs=1e-6)
    for one in moved[:: len(moved) // 9]:
        at = rs.inference.predictive_values(
            table["defaulted"], table["boosted"], prevalence=0.05, threshold=float(one["threshold"])
        )
        assert one["precision"] == pytest.approx(at.ppv.estimate, abs=2e-3)


def test_counts_that_do_not_make_up_the_cost_say_that_they_are_rounded(result: rs.Evaluation) -> None:
    look = styles(result.models)
    for costs in ({"cost_fp": 50, "cost_fn": 400}, {"cost_fp": 1, "cost_fn": 7}, {"cost_fp": 3, "cost_fn": 0.5}):
        table = decision_table(result.decide(**costs), look)
        made = [
            money(float(row[3].replace(",", "")) * costs["cost_fn"] + float(row[4].replace(",", "")) * costs["cost_fp"])
            for row in table.rows
        ]
        exact = made == [row[5] for row in table.rows]
        assert ("Counts and costs are rounded" in table.text) is not exact


def test_a_typed_threshold_is_answered(page_path: Path, table: dict[str, Any], result: rs.Evaluation) -> None:
    with opened(page_path, drawn=False) as page:
        page.select_option("#selected", "1")
        typed(page, "#typed", "0.3")
        told = page.locator("#outcome").inner_text()
        counts = rs.confusion(table["defaulted"], table["logistic"], threshold=0.3)
        shown = [int(page.locator(f"[data-value={cell}]").inner_text()) for cell in ("tp", "fp", "fn", "tn")]
        assert page.locator("#typed").input_value() == page.locator("#threshold-value").inner_text() == "0.3"
        typed(page, "#typed", "many")
        assert page.locator("#typed").get_attribute("aria-invalid") == "true"
    assert shown == [counts.tp, counts.fp, counts.fn, counts.tn]
    share = sum(table["defaulted"]) / 380
    missed, alarms = (
        1000 * share * (1 - counts.tp / (counts.tp + counts.fn)),
        1000 * (1 - share) * counts.fp / (counts.fp + counts.tn),
    )
    cost, found = 400 * missed + 50 * alarms, 1000 * share - missed
    decimals = max(
        decimals_of([(found, missed, alarms, cost)], 50, 400), result.decide(cost_fp=50, cost_fn=400).decimals
    )
    one, two, three = map(count_text, counts_shown(found, missed, alarms, decimals))
    assert f"of 1,000 cases {one} found, {two} missed, {three} false alarms, cost {money(cost)}" in told


def test_a_click_on_the_curve_chooses_its_threshold_and_model(page_path: Path) -> None:
    with opened(page_path) as page:
        page.locator("#chart-roc").scroll_into_view_if_needed()
        axis = page.locator("#chart-roc svg").bounding_box()
        where = page.evaluate(
            """() => { const view = views.roc, [left, top] = view.origin(), columns = data.operating.logistic;
            const i = Math.floor(columns.tp.length / 2);
            return [view.scale("x")(columns.fpr[i]) + left, view.scale("y")(columns.tpr[i]) + top]; }"""
        )
        page.mouse.click(axis["x"] + where[0], axis["y"] + where[1])
        assert page.locator("#selected").input_value() == "1"
        shown = page.evaluate("operatingRecord()")
        columns = page.evaluate("data.operating.logistic")
        near = [columns[name][len(columns["tp"]) // 2] for name in ("fpr", "tpr")]
    assert (shown["fpr"], shown["tpr"]) == pytest.approx(near, abs=0.01)


def test_the_address_holds_the_situation_and_back_restores_it(page_path: Path) -> None:
    with opened(page_path, drawn=False) as page:
        first, note = page.locator("#outcome").inner_text(), page.locator("#decision-note").inner_text()
        assert note in page_path.read_text()
        typed(page, "#cost-fn", "90")
        second = page.locator("#outcome").inner_text()
        page.select_option("#selected", "1")
        third, link = page.locator("#outcome").inner_text(), page.url
        assert len({first, second, third}) == 3
        page.go_back()
        assert page.locator("#outcome").inner_text() == second
        page.go_back()
        assert page.locator("#outcome").inner_text() == first
        assert page.locator("#cost-fn").input_value() == "400"
        page.go_forward()
        assert page.locator("#outcome").inner_text() == second
        page.goto(link)
        page.reload()
        page.wait_for_selector("html[data-ready=yes]")
        assert page.locator("#outcome").inner_text() == third
        page.click("#reset")
        assert page.locator("#outcome").inner_text() == first


def test_without_scripts_the_page_has_first_values_and_pictures(tmp_path: Path, result: rs.Evaluation) -> None:
    find_browser()
    path = result.report(tmp_path / "stills.html", cost_fp=50, cost_fn=400)
    with shared_browser().new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(path.as_uri())
        found = result.decide(cost_fp=50, cost_fn=400)
        assert page.locator("#verdict").inner_text() == found.verdict[0]
        assert page.locator(".view svg").count() == 11
        assert f"threshold {found.courses[0].shown}" in page.locator("#chart-cost").text_content()
        ticks = page.locator("#chart-auc-differences svg text").all_text_contents()
        assert len(set(ticks)) == len(ticks)  # of which no two were rounded to one
        assert page.locator("#outcome").inner_text().endswith(f"cost {money(found.courses[0].cost)}")
        counts = rs.confusion(result.ranked[found.model], threshold=found.threshold)
        assert page.locator("[data-value=tp]").inner_text() == str(counts.tp)


def test_the_neutral_view_weighs_both_classes_alike(page_path: Path, table: dict[str, Any]) -> None:
    best = rs.best_threshold(table["defaulted"], table["boosted"], rule="youden")
    with opened(page_path, drawn=False) as page:
        page.click("#neutral")
        record = page.evaluate("operatingRecord()")
    assert record["threshold"] == best.threshold


def test_pictures_and_tables_are_saved(page_path: Path) -> None:
    with opened(page_path) as page:
        with page.expect_download() as waiting:
            page.locator("[data-png=roc]").click()
        assert waiting.value.path().read_bytes().startswith(b"\x89PNG")
        with page.expect_download() as waiting:
            page.locator("[data-table-csv=decision]").click()
        assert waiting.value.path().read_text().startswith('"of 1,000 cases","threshold"')
        unfold(page, "details[data-chart=roc]")
        heads = page.locator("details[data-chart=roc] thead th").all_inner_texts()
        assert heads[:3] == ["model", "threshold", "recall (TPR)"]
        cell = page.locator("details[data-chart=roc] tbody tr td").nth(1).inner_text()
        assert re.fullmatch(r"[\d.]+ \[[\d.]+, [\d.]+\]", cell)


def test_the_first_number_comes_soon_and_the_page_is_small(page_path: Path) -> None:
    assert page_path.stat().st_size <= 1_600_000
    text = page_path.read_text()
    assert text.index('id="verdict"') < text.index("<script")


def test_what_the_page_says_was_measured_stands_in_the_docs() -> None:
    docs = Path(__file__).parent.parent / "docs"
    auto = [float(line[2].strip("%")) for line in read_rows(RESULTS / "tables" / "coverage-summary.csv")[1:]]
    assert f"held the truth in at least {min(auto):.1f}% of samples with normal scores" in HELD["auc"]
    (others,) = re.findall(r"the lowest was ([\d.]+)%\.\*", (docs / "testing.md").read_text())
    assert HELD["auc"].endswith(f"in {others}% with other shapes")
    told = (docs / "decisions.md").read_text()
    lowest = min(float(found) for found in re.findall(r"held in ([\d.]+)% in one setting", told))
    assert f"at least {lowest}%" in HELD["cost"]


def test_what_cannot_be_is_refused_in_words(page_path: Path) -> None:
    with opened(page_path, drawn=False) as page:
        first = page.locator("#outcome").inner_text()
        for box, value in (("#cost-fn", "-5"), ("#prevalence", "150")):
            before = page.locator(box).input_value()
            typed(page, box, value)
            assert page.locator("#situation-note").inner_text().startswith("Not taken")
            assert page.locator("#outcome").inner_text() == first
            typed(page, box, before)
            assert page.locator("#situation-note").inner_text() == ""
        typed(page, "#typed", "many")
        page.click("#reset")
        assert page.locator("#typed").get_attribute("aria-invalid") == "false"
        assert page.locator("#situation-note").inner_text() == ""


def test_a_threshold_that_was_typed_stays_when_costs_change(page_path: Path, table: dict[str, Any]) -> None:
    with opened(page_path, drawn=False) as page:
        typed(page, "#typed", "0.3")
        typed(page, "#prevalence", "5")
        counts = rs.confusion(table["defaulted"], table["boosted"], threshold=0.3)
        recall, alarmed = counts.tp / (counts.tp + counts.fn), counts.fp / (counts.fp + counts.tn)
        precision = 0.05 * recall / (0.05 * recall + 0.95 * alarmed)
        assert page.locator("[data-value=precision]").inner_text() == format_number(float(precision))
        assert "of these rows, 15.53% of which are positive" in page.locator("#operating-words").inner_text()
        before = page.locator("#outcome").inner_text()
        page.click("#cheapest")
        assert page.locator("#outcome").inner_text() != before


def test_what_follows_from_counts_is_what_the_library_computes(page_path: Path, result: rs.Evaluation) -> None:
    with opened(page_path, drawn=False) as page:
        columns = page.evaluate("data.operating")
    for model, ranked in result.ranked.items():
        wanted = operating_points(ranked, cost_fp=50, cost_fn=400, level=0.95)
        for name in ("tpr", "fpr", "precision", "npv", "accuracy", "f1", "matthews_correlation", *sorted(ENDS)):
            told = [float("nan") if value is None else value for value in columns[model][name]]
            assert told == pytest.approx(wanted[name][::-1].tolist(), abs=1.1e-6, nan_ok=True), (model, name)
        assert columns[model]["chosen"] == wanted["chosen"][::-1].tolist()


def is_in_sight(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    settled(page).evaluate("window.scrollTo(0, document.body.scrollHeight / 2)")
    box = settled(page).locator("#outcome").bounding_box()
    assert 0 <= box["y"] < 300
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_situation_stays_in_sight(page_path: Path) -> None:
    with opened(page_path) as page:
        for width in (1250, 1440, 1024):
            is_in_sight(page, width)


def test_hostile_addresses_change_nothing(page_path: Path) -> None:
    with opened(page_path) as page:
        first = page.locator("#outcome").inner_text()
        page.goto(page_path.as_uri() + "#model=<img src=x onerror=alert(1)>&threshold=x&fp=-3&fn=NaN&positive=7")
        page.reload()
        page.wait_for_selector("html[data-ready=yes]")
        assert page.locator("img").count() == 0
        assert page.locator("#outcome").inner_text().startswith(first.split(" ", 1)[0])


def test_the_situation_stays_in_sight_on_a_phone(page_path: Path) -> None:
    with opened(page_path, width=390) as page:
        is_in_sight(page, 390)


UNLIKE: dict[str, dict[str, Any]] = {
    "weights": {"sample_weight": "weight", "weight_type": "sampling"},
    "subjects": {"cluster": "who"},
}


@pytest.mark.parametrize("how", ["weights", "subjects"])
def test_weighted_rows_and_subjects_are_decided_again_too(tmp_path: Path, table: dict[str, Any], how: str) -> None:
    find_browser()
    rows = {**table, "weight": [1.5 if place % 3 else 0.5 for place in range(380)], "who": np.arange(380) // 2}
    found = rs.evaluate(rows, label="defaulted", scores=["boosted", "logistic"], measures=["auc"], **UNLIKE[how])
    path = found.report(tmp_path / "weighted.html", cost_fp=50, cost_fn=400)
    with opened(path, drawn=False) as page:
        for fn, share in ((100, None), (800, None), (400, 5)):
            page.click("#reset")
            page.fill("#cost-fn", str(fn))
            if share is not None:
                page.fill("#prevalence", str(share))
            wanted = found.decide(cost_fp=50, cost_fn=fn, prevalence=None if share is None else share / 100)
            shown, lines = rows_of(page), page.locator("#as-typed li").all_inner_texts()
            for course, cells, row in zip(wanted.courses, wanted.cells()[1], shown, strict=True):
                assert row[:6] == [cells[0], course.shown.split(" ")[0], *cells[2:6]]
                assert row[6] == cells[6]
            assert page.locator("#verdict").inner_text() == wanted.verdict[0]
            assert lines[0] == wanted.verdict[1]
            assert (lines[-2], lines[-1]) == (wanted.verdict[-2], EXCESS_ELSEWHERE)


def test_a_prevalence_given_at_first_is_that_of_the_card(tmp_path: Path, table: dict[str, Any]) -> None:
    find_browser()
    found = rs.evaluate(table, label="defaulted", scores=["boosted", "logistic"], measures=["auc"])
    path = found.report(tmp_path / "given.html", cost_fp=1, cost_fn=8, prevalence=0.05)
    decided = found.decide(cost_fp=1, cost_fn=8, prevalence=0.05)
    wanted = rs.inference.predictive_values(
        table["defaulted"], table[decided.model], prevalence=0.05, threshold=decided.threshold
    )
    with opened(path, anew=True, drawn=False) as page:
        shown = [page.locator(f"[data-{what}=precision]").inner_text() for what in ("value", "interval")]
        assert " ".join(shown) == format_interval(wanted.ppv.estimate, wanted.ppv.low, wanted.ppv.high)
        assert page.locator("#operating-intervals").inner_text().endswith("are for a threshold given before.")
        card = page.locator("[data-check=probabilities]").inner_text()
        assert decided.checks[2].text in card


def test_the_model_follows_the_costs_until_the_reader_chooses_one(tmp_path: Path) -> None:
    """Two curves that cross: the one is cheaper where false alarms are dear, the other where misses are."""
    find_browser()
    rng = np.random.default_rng(5)
    y = (np.arange(600) % 4 == 0).astype(int)
    few, all_ = rng.normal(size=600) + np.where(rng.random(600) < 0.5, 4, 0) * y, rng.normal(size=600) + 1.3 * y
    path = rs.evaluate(y, {"few": few, "all": all_}, measures=["auc"]).report(
        tmp_path / "crossing.html", cost_fp=10, cost_fn=10
    )
    with opened(path, anew=True, drawn=False) as page:
        chosen = "document.querySelector('#selected').selectedOptions[0].textContent"
        assert page.evaluate(chosen) == "few"
        typed(page, "#cost-fn", "100")
        assert page.evaluate(chosen) == rows_of(page)[0][0] == "all"
        assert page.locator("#outcome strong").inner_text() == "all"
        assert "least is" not in page.locator("#outcome").inner_text()
        page.go_back()
        assert page.evaluate(chosen) == "few"
        page.go_forward()
        assert page.evaluate(chosen) == "all"
        page.select_option("#selected", label="few")
        least = rows_of(page)[0]
        assert page.locator("#outcome").inner_text().endswith(f"; least is {least[5]}, all at {least[1]}")
        typed(page, "#cost-fn", "120")
        assert (page.evaluate(chosen), rows_of(page)[0][0]) == ("few", "all")
        page.click("#reset")
        typed(page, "#cost-fn", "100")
        assert page.evaluate(chosen) == "all"
