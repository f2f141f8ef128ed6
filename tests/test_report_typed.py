"""What a reader types is answered exactly and at once, saved as numbers, and told in the line that makes it."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import rocsteady as rs
from browser import find_browser, opened
from rocsteady._src.base.examples import loans
from rocsteady._src.base.text import format_interval, format_number
from rocsteady._src.results.cases import money
from rocsteady._src.views.report.write import document_of


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    return loans(380)


@pytest.fixture(scope="module")
def result(table: dict[str, Any]) -> rs.Evaluation:
    how: dict[str, Any] = {"measures": ["auc"], "intervals": True}
    return rs.evaluate(table, label="defaulted", scores=["boosted", "logistic"], **how)


@pytest.fixture(scope="module")
def page_path(tmp_path_factory: pytest.TempPathFactory, result: rs.Evaluation) -> Path:
    find_browser()
    return result.report(tmp_path_factory.mktemp("typed") / "report.html", cost_fp=50, cost_fn=400)


def rows_of(page: Any) -> list[list[str]]:
    lines = page.locator("#table-decision tbody tr").all()
    return [line.locator("th, td").all_inner_texts() for line in lines]


def shown_counts(page: Any) -> list[float]:
    texts = [page.locator(f"[data-value={cell}]").inner_text() for cell in ("tp", "fp", "fn", "tn")]
    return [float(text.replace(",", "")) for text in texts]


def test_costs_count_while_they_are_typed(page_path: Path, result: rs.Evaluation) -> None:
    with opened(page_path, drawn=False) as page:
        first, address = page.locator("#outcome").inner_text(), page.url
        page.fill("#cost-fn", "")
        assert page.locator("#outcome").inner_text() == first
        assert page.locator("#situation-note").inner_text() == ""
        page.fill("#cost-fn", "90")
        assert rows_of(page)[0][5] == money(result.decide(cost_fp=50, cost_fn=90).courses[0].cost)
        assert page.url == address
        page.press("#cost-fn", "Tab")
        assert "fn=90" in page.url
        page.go_back()
        assert page.locator("#outcome").inner_text() == first


def test_a_share_typed_for_percent_is_answered(page_path: Path, result: rs.Evaluation) -> None:
    with opened(page_path, drawn=False) as page:
        page.fill("#prevalence", "5 %")
        assert rows_of(page)[0][5] == money(result.decide(cost_fp=50, cost_fn=400, prevalence=0.05).courses[0].cost)
        assert page.locator("#situation-note").inner_text() == ""
        page.fill("#prevalence", "0.05")
        note = page.locator("#situation-note").inner_text()
        assert note == "Read as 0.05% of cases, which is a share of 0.0005. For a share of 0.05 type 5."


def test_a_recall_that_is_asked_for_finds_the_highest_threshold(page_path: Path, table: dict[str, Any]) -> None:
    y, scores = np.asarray(table["defaulted"]), np.asarray(table["boosted"])
    ranked = np.sort(scores[y == 1])[::-1]
    with opened(page_path, drawn=False) as page:
        for goal in (90, 100, 50):
            page.fill("#goal", str(goal))
            cut = ranked[int(np.ceil(goal / 100 * ranked.size)) - 1]
            counts = rs.confusion(y, scores, threshold=cut)
            assert shown_counts(page) == [counts.tp, counts.fp, counts.fn, counts.tn]
            share = page.locator("[data-value=flagged]").inner_text()
            assert share == format_number(round((counts.tp + counts.fp) / y.size, 6))
        page.fill("#goal", "120")
        assert page.get_attribute("#goal", "aria-invalid") == "true"


def test_a_threshold_may_be_percent_and_one_that_costs_too_much_says_so(page_path: Path, table: dict[str, Any]) -> None:
    with opened(page_path, drawn=False) as page:
        page.fill("#typed", "30%")
        counts = rs.confusion(table["defaulted"], table["boosted"], threshold=0.3)
        assert shown_counts(page) == [counts.tp, counts.fp, counts.fn, counts.tn]
        assert "costs no more" not in page.locator("#outcome").inner_text()
        page.fill("#typed", "0.9")
        everybody = rows_of(page)[-1][5]
        assert page.locator("#outcome").inner_text().endswith(f"; flagging everybody costs no more: {everybody}")


def test_every_model_is_told_whether_its_probabilities_can_be_trusted(page_path: Path, result: rs.Evaluation) -> None:
    for prevalence in (None, 0.05):
        asked = {"cost_fp": 50, "cost_fn": 400, **({} if prevalence is None else {"prevalence": prevalence})}
        lines = next(each.lines for each in document_of(result, **asked).sections if each.id == "trust")
        assert [line.split(":")[0] for line in lines] == ["boosted", "logistic"]
        with opened(page_path, drawn=False) as page:
            if prevalence is not None:
                page.fill("#prevalence", "5")
            assert page.locator("#part-trust ~ .words li").all_inner_texts() == lines


def saved(page: Any, button: str) -> list[list[str]]:
    with page.expect_download() as waiting:
        page.locator(button).click()
    return list(csv.reader(waiting.value.path().read_text().splitlines()))


def test_tables_are_saved_as_numbers(page_path: Path, result: rs.Evaluation) -> None:
    with opened(page_path, drawn=False) as page:
        given = saved(page, "[data-table-csv=decision]")
        measured = saved(page, "[data-table-csv=measures]")
        page.fill("#cost-fn", "90")
        there = saved(page, "[data-table-csv=decision]")
    ends = ["more than the first", "more than the first low", "more than the first high"]
    where = ["cost of a false alarm", "cost of a miss", "share of positives"]
    for told, cost_fn in ((given, 400), (there, 90)):
        wanted = result.decide(cost_fp=50, cost_fn=cost_fn)
        assert told[0] == ["of 1,000 cases", "threshold", "found", "missed", "false alarms", "cost", *ends, *where]
        for line, course in zip(told[1:], wanted.courses, strict=True):
            numbers = [course.threshold, course.found, course.missed, course.false_alarms, course.cost]
            if course.more is not None:
                numbers += [1000 * course.more.estimate]
                assert float(line[8]) == pytest.approx(1000 * course.more.high, rel=1e-6)
            assert line[0] == course.name
            assert [float(cell) for cell in line[1 : 1 + len(numbers)]] == pytest.approx(numbers, rel=1e-9)
            assert [float(cell) for cell in line[-3:]] == pytest.approx([50, cost_fn, wanted.prevalence])
    by_name = dict(zip(measured[0], measured[1], strict=True))
    found = result.intervals[by_name["model"]]["auc"]
    assert [float(by_name[name]) for name in ("auc", "auc low", "auc high")] == [found.estimate, found.low, found.high]


def test_the_headline_says_what_a_positive_is(page_path: Path, table: dict[str, Any]) -> None:
    with opened(page_path, drawn=False) as page:
        assert " positives (defaulted = 1), misses " in page.locator("#verdict").inner_text()
        page.fill("#cost-fn", "300")
        assert " positives (defaulted = 1), misses " in page.locator("#verdict").inner_text()
    words = np.where(np.asarray(table["defaulted"]) == 1, "yes", "no")
    decided = rs.evaluate(words, table["boosted"], pos_label="yes", measures=["auc"]).decide(cost_fn=5)
    assert " positives (label yes), misses " in decided.verdict[0]


def test_the_line_that_makes_it_again_makes_what_is_on_the_screen(
    page_path: Path, table: dict[str, Any], tmp_path: Path
) -> None:
    with opened(page_path, drawn=False) as page:
        first = page.locator("#command").inner_text()
        page.fill("#cost-fp", "20")
        page.fill("#prevalence", "7")
        page.select_option("#selected", "1")
        page.fill("#typed", "0.29")
        line, wanted = page.locator("#command").inner_text(), page.locator("#outcome").inner_text()
        counts = shown_counts(page)
        page.click("#reset")
        assert page.locator("#command").inner_text() == first
    told = re.search(r"report\((.*)\)$", line)
    assert told
    assert told[1].endswith("cost_fp=20, cost_fn=400, prevalence=0.07, model='logistic', threshold=0.29")
    path = tmp_path / "again.html"
    exec(line.replace("'report.html'", repr(str(path))), {"table": table})  # noqa: S102 - as a reader would
    with opened(path, drawn=False) as page:
        assert page.locator("#outcome").inner_text() == wanted
        assert shown_counts(page) == counts
        page.fill("#typed", "0.5")
        page.click("#reset")
        assert page.locator("#outcome").inner_text() == wanted
        assert page.locator("#command").inner_text().endswith("model='logistic', threshold=0.29)")
    text = path.read_text()
    assert re.sub("<[^>]*>", "", text[text.index('id="outcome"') :]).split(">", 1)[1].startswith(wanted.split(";")[0])


def test_a_command_is_told_with_what_is_typed(tmp_path: Path, result: rs.Evaluation) -> None:
    find_browser()
    first = "rocsteady report 'my loans.csv' --label defaulted --score boosted"
    typed_once = f"{first} --cost-fn=9 --prevalence 0.1 -o x.html"
    path = result.report(tmp_path / "c.html", cost_fn=9, prevalence=0.1, command=typed_once)
    with opened(path, drawn=False) as page:
        page.fill("#cost-fn", "30")
        line = page.locator("#command").inner_text()
    assert line == f"{first} -o x.html --cost-fp 1 --cost-fn 30 --prevalence 0.1"


def test_a_page_opens_with_what_was_asked_for_in_every_form(tmp_path: Path, result: rs.Evaluation) -> None:
    with pytest.raises(rs.ArgumentError, match="there is no model 'x'"):
        result.report(tmp_path / "x.html", model="x")
    with pytest.raises(rs.ArgumentError, match="threshold is the number that a page opens with"):
        result.report(tmp_path / "x.html", threshold=cast("Any", [0.1, 0.2]))
    found = result.report(tmp_path / "x.md", cost_fp=50, cost_fn=400, model="logistic", threshold=0.3).read_text()
    assert re.search(r"- As asked: logistic at 0.3: of 1,000 cases [\d.]+ found", found)


def test_rows_of_subjects_have_intervals_at_round_thresholds(tmp_path: Path) -> None:
    find_browser()
    rows = {**loans(500), "who": np.arange(500) // 2}
    found = rs.evaluate(rows, label="defaulted", scores=["boosted"], cluster="who", measures=["auc"])
    path = found.report(tmp_path / "subjects.html", cost_fn=5)
    how: dict[str, Any] = {"threshold": 0.3, "cluster": rows["who"]}
    wanted = rs.inference.measure_interval("recall", rows["defaulted"], rows["boosted"], **how)
    with opened(path, drawn=False) as page:
        page.fill("#typed", "0.3")
        shown = [page.locator(f"[data-{what}=tpr]").inner_text() for what in ("value", "interval")]
        assert " ".join(shown) == format_interval(wanted.estimate, wanted.low, wanted.high)
        page.fill("#typed", "0.30127")
        told = page.locator("#operating-intervals").inner_text()
        assert told.startswith("The intervals are for") or "known at round thresholds" in told


@pytest.mark.parametrize("digits", [6, 17])
def test_any_threshold_that_is_typed_finds_its_own_counts(tmp_path: Path, digits: int) -> None:
    """Positions of the slider are some 200 of 900; what is typed is not moved to them."""
    find_browser()
    table = loans(900)
    scores = np.asarray(table["boosted"]) * (1 if digits == 6 else np.pi / 3.5)
    path = rs.evaluate(table["defaulted"], scores, measures=["auc"]).report(tmp_path / "some.html", cost_fn=5)
    own = sorted(scores.tolist())[333]
    with opened(path, drawn=digits == 6) as page:  # charts take such thresholds too
        assert page.evaluate("data.operating.score.threshold.length") < 400
        for typed_now in ("0.3", "0,31", "0.299999", repr(own), repr(float(np.nextafter(own, 1))), "-7", "7", "inf"):
            page.fill("#typed", typed_now)  # no key that ends it is needed
            cut = float(typed_now.replace(",", "."))
            counts = rs.confusion(table["defaulted"], scores, threshold=cut)
            assert shown_counts(page) == [counts.tp, counts.fp, counts.fn, counts.tn], typed_now
            recall = page.locator("[data-value=tpr]").inner_text()
            assert recall == format_number(float(counts.recall)) if cut < 7 else recall
            assert page.locator("#situation-note").inner_text() == ""
        page.fill("#typed", "0.3")
        page.press("#typed", "Enter")
        assert " at 0.3: of" in page.locator("#outcome").inner_text()
        assert page.input_value("#typed") == "0.3"
        assert "threshold=0.3" in page.url


def test_of_many_scores_round_thresholds_are_exact_and_others_say_what_is_shown(tmp_path: Path) -> None:
    find_browser()
    rng = np.random.default_rng(3)
    y = rng.random(40_000) < 0.02
    scores = 1 / (1 + np.exp(4.5 - 2 * y - rng.normal(size=y.size)))
    path = rs.evaluate(y, scores, measures=["auc"]).report(tmp_path / "many.html", cost_fn=20)
    with opened(path, drawn=False) as page:
        for typed_now in ("0.3", "0.299", "0.0125", "0.00731", "0.5", "1", "0", "2"):
            page.fill("#typed", typed_now)
            counts = rs.confusion(y, scores, threshold=float(typed_now))
            assert shown_counts(page) == [counts.tp, counts.fp, counts.fn, counts.tn], typed_now
            assert page.locator("#situation-note").inner_text() == ""
        page.fill("#typed", "0.01234567")
        outcome, note = page.locator("#outcome").inner_text(), page.locator("#situation-note").inner_text()
        told = re.search(r"score at (\S+) \(the next above 0.01234567 that this page holds\): of", outcome)
        assert told
        counts = rs.confusion(y, scores, threshold=float(told[1]))
        assert shown_counts(page) == [counts.tp, counts.fp, counts.fn, counts.tn]
    assert note.endswith(f"shown is {told[1]}, the next above 0.01234567.")
    assert 0.01234567 < float(told[1]) <= 0.0124
