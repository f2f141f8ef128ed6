"""Every form of the page has a headline that decides, three checks, and loses no part."""

from __future__ import annotations

import json
import math
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import rocsteady as rs
from page_forms import FORMS
from rocsteady._src.scale.evaluate_sketches import evaluate_sketches
from rocsteady._src.scale.sketch import Sketch
from rocsteady._src.views.report.page import to_html
from rocsteady._src.views.report.sketch_page import build_bracketed
from rocsteady._src.views.report.write import document_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rocsteady._src.views.report.document import Document

CLASSES = ("classes", "class models", "class groups", "class folds")


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return {name: FORMS[name][0]() for name in (*CLASSES, "labels", "folds", "sketch")}


def page_of(result: Any, **options: Any) -> Document:
    return document_of(result, **options)


@pytest.fixture(scope="module")
def pages(made: dict[str, Any]) -> Callable[[str], Document]:
    """Pages of these results without options, each written once."""
    return cache(lambda name: page_of(made[name]))


@pytest.mark.parametrize("name", [*CLASSES, "labels"])
def test_a_headline_three_checks_and_a_table(pages: Callable[[str], Document], name: str) -> None:
    page = pages(name)
    assert re.match(r"(Over 4 folds pooled: )?Use", page.verdict[0])
    assert [check.name for check in page.checks] == ["enough", "agree", "probabilities"]
    assert page.decision is not None
    ids = [chart.id for chart in page.all_charts]
    assert len(set(ids)) == len(ids)
    tables = [table.id for section in page.sections for table in section.tables]
    assert len(set(tables)) == len(tables)


class TestParts:
    def test_groups_say_what_the_threshold_does_in_them(self) -> None:
        result, options = FORMS["groups"]
        grouped = result()
        page = page_of(grouped, **options)
        decided = grouped.overall.decide(**options)
        shares = {}
        for group, each in grouped.groups.items():
            counts = rs.confusion(each.ranked[decided.model], threshold=decided.threshold)
            shares[str(group)] = counts.fp / (counts.fp + counts.tn)
        low, high = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
        ends = f"alarms {100 * shares[low]:.1f}% ({low}) to {100 * shares[high]:.1f}% ({high}) of the negatives"
        assert page.verdict[1].startswith(
            f"By site, the threshold {page.decision.rows[0][1]} finds 100.0% of the positives"
        )
        assert ends in page.verdict[1]

    def test_groups_of_classes_name_the_worst(self, made: dict[str, Any], pages: Callable[[str], Document]) -> None:
        groups = made["class groups"]
        shares = {str(name): float(part.value("model 0", "accuracy").estimate) for name, part in groups.parts.items()}
        worst = min(shares, key=shares.__getitem__)
        assert f"from {100 * shares[worst]:.1f}% right in {worst}, the worst of 4" in pages("class groups").verdict[1]

    def test_accuracy_never_stands_without_its_base_rate(self, pages: Callable[[str], Document]) -> None:
        base = "always answering the largest class has an accuracy of 0.3333"
        for name in ("class models", "class groups", "class folds"):
            page = pages(name)
            shown = [chart.text for chart in page.all_charts if chart.title.lower().startswith("accuracy")]
            tables = [table for section in page.sections for table in section.tables if "accuracy" in table.header]
            assert shown
            assert tables
            assert all(base in text for text in [*shown, *(table.text for table in tables)])

    def test_pages_of_classes_say_how_to_make_them_again(self, pages: Callable[[str], Document]) -> None:
        calls = {name: pages(name).command for name in CLASSES}
        assert calls["classes"] == "import rocsteady as rs; rs.evaluate(y_true, scores).report('report.html')"
        assert pages("classes").supplied.startswith("You supply y_true, of 240 rows, and scores")
        assert "fold=folds" in calls["class folds"]
        assert "by=groups" in calls["class groups"]

    def test_one_model_is_not_asked_which(self) -> None:
        assert page_of(FORMS["one"][0](), cost_fn=5).title == "How good is it?"
        assert page_of(FORMS["one"][0](), cost_fn=5, title="Ours").title == "Ours"


class TestClasses:
    def test_the_table_counts_rows_called_right(self, made: dict[str, Any], pages: Callable[[str], Document]) -> None:
        result, page = made["class models"], pages("class models")
        assert page.decision is not None
        for name, found in result.models.items():
            (row,) = (row for row in page.decision.rows if row[0] == name)
            right = 1000 * found.measures.accuracy.estimate
            assert float(row[1].split(" ")[0]) == pytest.approx(right, abs=0.5)
            assert float(row[1].split(" ")[0]) + float(row[2]) == 1000
        (pair,) = result.compare("accuracy").pairs
        fewer = page.decision.values[1][4]
        assert fewer == pytest.approx({end: 1000 * getattr(pair.test, end) for end in ("estimate", "low", "high")})

    def test_use_only_where_the_rows_tell(self) -> None:
        rng = np.random.default_rng(0)
        y = np.arange(60) % 3
        one = rng.random((60, 3)) + 2 * np.eye(3)[y]
        two = rng.random((60, 3)) + 2 * np.eye(3)[y]
        two[:2] = 1 - two[:2]
        models = {name: raw / raw.sum(axis=1, keepdims=True) for name, raw in (("a", one), ("b", two))}
        alike = page_of(rs.evaluate(y, models))
        assert alike.verdict[0].startswith("Use, for now, a")
        assert "cannot tell which calls more" in alike.verdict[1]

    def test_no_model_where_the_largest_class_is_as_good(self) -> None:
        y = np.array([0] * 40 + [1] * 10 + [2] * 10)
        scores = np.tile([0.2, 0.5, 0.3], (60, 1))
        page = page_of(rs.evaluate(y, scores))
        assert page.verdict[0].startswith("Use no model: always answering 0 calls 667 of 1,000 cases right")
        assert "Only 10 rows of 1" in page.alarms[0]

    def test_measures_that_disagree(self) -> None:
        rng = np.random.default_rng(1)
        y = np.arange(300) % 3
        sharp = np.where(np.eye(3)[y] > 0, 0.4, 0.3)
        flipped = rng.choice(300, 60, replace=False)
        bold = np.where(np.eye(3)[y] > 0, 0.9, 0.05)
        bold[flipped] = np.roll(bold[flipped], 1, axis=1)
        page = page_of(rs.evaluate(y, {"timid": sharp, "bold": bold}))
        agree = next(check for check in page.checks if check.name == "agree")
        assert (agree.answer, "bold has the lowest log loss" in agree.text) == ("no", True)

    def test_parts_are_those_of_the_library(self, made: dict[str, Any], pages: Callable[[str], Document]) -> None:
        for name, word in (("class groups", "groups"), ("class folds", "folds")):
            result, page = made[name], pages(name)
            (section,) = (each for each in page.sections if each.id == word)
            (table,) = (each for each in section.tables if each.id == "parts")
            column = table.header.index("accuracy")
            for row in table.keys:
                if row[0] in ("0", "1", "2", "3"):
                    wanted = result.parts[int(row[0])].value(row[2], "accuracy").estimate
                    assert row[column] == pytest.approx(wanted)
            assert [chart.id for chart in section.charts] == ["parts-0", "parts-1"]

    def test_groups_that_differ_are_named(self) -> None:
        rng = np.random.default_rng(2)
        y, group = np.arange(600) % 3, np.repeat(["near", "far"], 300)
        far = np.where(group == "far", 0.2, 3.0)[:, None]
        raw = np.exp(rng.normal(size=(600, 3)) + far * np.eye(3)[y])
        page = page_of(rs.evaluate(y, raw / raw.sum(axis=1, keepdims=True), by=group))
        assert any("differs between groups" in line and "least in far" in line for line in page.verdict)

    @pytest.mark.parametrize("form", ["md", "json", "png"])
    @pytest.mark.parametrize("name", ["class groups", "class folds", "labels"])
    def test_other_forms(self, made: dict[str, Any], name: str, form: str, tmp_path: Path) -> None:
        path = made[name].report(tmp_path / f"r.{form}")
        if form == "json":
            assert json.loads(path.read_text())["tables"]["decision"]["rows"]
        assert path.stat().st_size > 1000
        if form == "png" and name != "labels":  # whose page is whose does not depend on what a picture shows
            return
        made[name].report(path)  # its own page is replaced
        with pytest.raises(rs.RocsteadyError):
            made["labels" if name != "labels" else "class folds"].report(path)


class TestLabels:
    def test_numbers(self, made: dict[str, Any], pages: Callable[[str], Document]) -> None:
        result, page = made["labels"], pages("labels")
        assert page.decision is not None
        for row in page.decision.values:
            label = int(row[0])
            assert row[2]["estimate"] == result.auc[label].estimate
            assert row[3]["low"] == result.average_precision[label].low

    def test_a_label_that_cannot_be_told_is_named(self) -> None:
        rng = np.random.default_rng(3)
        present = (rng.random((200, 3)) < 0.4).astype(int)
        scores = rng.normal(size=(200, 3))
        scores[:, :2] += 2 * present[:, :2]
        page = page_of(rs.evaluate(present, scores))
        assert page.verdict[0].startswith("Use the scores of 2 of 3 labels: 2 may be ranked no better")
        none = page_of(rs.evaluate(present, rng.normal(size=(200, 3))))
        assert none.verdict[0].startswith("Use no score")


class TestFolds:
    def test_the_decision_leads_and_folds_follow(self, made: dict[str, Any]) -> None:
        result = made["folds"]
        page = page_of(result, cost_fp=50, cost_fn=400)
        wanted = result.overall.decide(cost_fp=50, cost_fn=400)
        assert page.verdict[0] == f"With the scores of all 4 folds pooled: {wanted.verdict[0]}"
        assert page.verdict[1].startswith("Over 4 folds, ")
        (section,) = (each for each in page.sections if each.id == "folds")
        table = next(each for each in section.tables if each.id == "fold-threshold")
        assert [row[0] for row in table.keys] == ["pooled", "0", "1", "2", "3"]
        part = result.folded.folds[2].part
        called = part.scores_of(wanted.model) >= wanted.threshold
        assert table.keys[3][1] == pytest.approx(called[part.positive].mean())

    def test_folds_that_disagree_say_so(self) -> None:
        """Pooled scores of one model are shifted between folds: its mean of folds is best, its pooled cost is not."""
        rng = np.random.default_rng(4)
        y, fold = np.arange(400) % 2, np.repeat([0, 1], 200)
        shifted = y + rng.normal(size=400) / 4 + 3 * fold
        plain = y + rng.normal(size=400) / 2
        page = page_of(rs.evaluate(y, {"shifted": shifted, "plain": plain}, fold=fold), cost_fn=2)
        assert "plain" in page.verdict[0]
        assert page.verdict[1] == "The folds disagree: shifted has the highest mean AUC, plain costs least"


class TestSketch:
    def test_bounds_do_not_look_like_intervals(self, made: dict[str, Any]) -> None:
        page = build_bracketed(made["sketch"], "Which?")
        assert page.verdict[0] == "Use boosted: on these rows it has the greatest AUC, for certain"
        text = to_html(page)
        assert 'class="certain"' in text
        (table,) = page.sections[0].tables
        assert not any("[" in cell for row in table.rows for cell in row)
        low, high = map(float, re.findall(r"[\d.]+", table.rows[0][2])[:2])
        found = made["sketch"].brackets["boosted"]["auc"]
        assert low <= found.low <= found.high <= high
        assert high - low < found.high - found.low + 3e-6

    def test_bounds_that_overlap_are_for_now(self) -> None:
        y = np.arange(200) % 2
        rng = np.random.default_rng(5)
        sketches = {
            name: Sketch(capacity=0, bits=4, range=(0, 1)).update(y, (rng.random(200) + y) / 2) for name in ("a", "b")
        }
        page = build_bracketed(evaluate_sketches(sketches), "Which?")
        assert page.verdict[0].startswith("Use, for now,")
        assert page.checks[1].answer in ("partly", "no")


def test_a_model_without_positives_in_a_fold_is_no_crash() -> None:
    y, fold = np.array([0, 1] * 30 + [0] * 20), np.repeat([0, 1, 2, 3], 20)
    page = page_of(rs.evaluate(y, {"a": np.arange(80.0), "b": np.arange(80.0)[::-1]}, fold=fold))
    table = next(each for section in page.sections for each in section.tables if each.id == "fold-threshold")
    assert table.rows[-1][1] == "-"
    assert not any(isinstance(cell, float) and math.isnan(cell) for row in table.keys for cell in row)


def test_costs_that_were_assumed_are_said_where_they_are_seen() -> None:
    y = np.arange(60) % 2
    scores = {"a": np.arange(60) % 9 + 3 * y, "b": np.arange(60) % 7 + 2 * y}
    page = page_of(rs.evaluate(y, scores))
    assert page.decision is not None
    assert "a false alarm costs 1 and a miss 1 (assumed: none were given), and 50% of" in page.decision.text
    first = to_html(page).split('<details class="rest"')[0]
    assert "No costs were given: a miss was assumed to cost as much as a false alarm (1:1)" in first
