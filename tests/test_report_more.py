"""Reports of groups, folds and more than two classes: what they say equals the results, whatever names are."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady._src.base.text import format_interval
from rocsteady._src.views.report.folds import mean_verdict
from rocsteady._src.views.report.page import to_html
from rocsteady._src.views.report.plain import for_readers
from rocsteady._src.views.report.records import interval_text
from rocsteady._src.views.report.words import to_json_data, to_markdown
from rocsteady._src.views.report.write import document_of
from rocsteady.examples import loans
from test_report import Tags, own_markup

if TYPE_CHECKING:
    from pathlib import Path

    from rocsteady._src.evaluation.evaluation_by_fold import FoldedEvaluation
    from rocsteady._src.evaluation.groups import GroupedEvaluation
    from rocsteady._src.results.multiclass import MulticlassEvaluation
    from rocsteady._src.views.report.document import Document, TableBlock

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
MODELS = ["boosted", "logistic"]
HOSTILE = [
    "</script><script>document.title='broken'</script>",
    '"><img src=x onerror=alert(1)>',
    "\U0001f989 <b>",
    "\u202e\u05d0\u05d1",
]


def grouped(
    names: tuple[str, ...] = ("north", "south", "tiny"), by: str = "region", **options: Any
) -> GroupedEvaluation:
    """The scores of the second group are mostly noise, the third group is small."""
    table = loans(600)
    rng = np.random.default_rng(3)
    place = np.arange(600) % 2
    place[:14] = 2
    noise = rng.random(600)
    mixed = np.where(place == 1, 0.1 * np.array(table["boosted"]) + 0.9 * noise, table["boosted"])
    columns = {**table, "boosted": mixed.tolist(), by: [names[each] for each in place]}
    return rs.evaluate(columns, label="defaulted", scores=MODELS, by=by, **({"measures": ["auc"]} | options))


def folded(names: tuple[str, ...] = ("0", "1", "2", "3"), fold: str = "fold") -> FoldedEvaluation:
    table = loans(400)
    columns = {**table, fold: [names[place % len(names)] for place in range(400)]}
    return rs.evaluate(columns, label="defaulted", scores=MODELS, fold=fold, measures=["auc"])


def classes(names: list[Any], n: int = 400, **options: Any) -> MulticlassEvaluation:
    """Later classes are told better."""
    k = len(names)
    rng = np.random.default_rng(5)
    y = np.arange(n) % k
    scores = np.exp(rng.normal(size=(n, k)) + np.linspace(0.3, 3, k) * np.eye(k)[y])
    table = dict(zip(names, (scores / scores.sum(axis=1, keepdims=True)).T, strict=True))
    return rs.evaluate_multiclass([names[place] for place in y], table, **options)


def table_of(document: Document, name: str) -> TableBlock:
    sections = [table for section in document.sections for table in section.tables]
    return next(table for table in [*document.tables, *sections] if table.id == name)


def records_of(document: Document, chart: str, data: str) -> list[dict[str, Any]]:
    return next(each for each in document.all_charts if each.id == chart).data[data]


class TestGroups:
    @pytest.fixture(scope="class")
    @classmethod
    def result(cls) -> GroupedEvaluation:
        return grouped()

    @pytest.fixture(scope="class")
    @classmethod
    def document(cls, result: GroupedEvaluation) -> Document:
        return document_of(result)

    def test_table_has_the_numbers(self, result: GroupedEvaluation, document: Document) -> None:
        rows = table_of(document, "group-areas").rows
        parts = [("all rows", result.overall), *result.groups.items()]
        for row, (name, each) in zip(rows, parts, strict=True):
            shown = [interval_text(each.intervals[model]["auc"]) for model in MODELS]
            assert row[:-1] == [name, str(each.origin.n_rows), str(each.n_pos), *shown]

    def test_chart_has_the_numbers(self, result: GroupedEvaluation, document: Document) -> None:
        found = {(each["row"], each["model"]): each for each in records_of(document, "groups", "forest")}
        assert len(found) == 6
        for (group, model), each in found.items():
            interval = result[group].intervals[model]["auc"]
            assert (each["estimate"], each["low"], each["high"]) == (interval.estimate, interval.low, interval.high)
        reference = {each["model"]: each["estimate"] for each in records_of(document, "groups", "reference")}
        assert reference == {model: float(result.overall.values[model]["auc"]) for model in MODELS}

    def test_small_groups_are_marked(self, document: Document) -> None:
        marks = {row[0]: row[-1] for row in table_of(document, "group-areas").rows}
        assert marks == {"all rows": "", "north": "", "south": "", "tiny": "fewer than 20 of a class"}

    def test_words_are_the_notes(self, result: GroupedEvaluation, document: Document) -> None:
        section = document.sections[1]
        assert section.title == "Groups: region"
        assert section.lines == [note.removeprefix("note: ") for note in result.notes()[1:]]
        assert any("AUC within groups" in line for line in section.lines)

    def test_differences(self, result: GroupedEvaluation, document: Document) -> None:
        rows = table_of(document, "group-differences").rows
        tested = [each for each in result.differences if each.pvalue_adjusted <= 1]
        assert [row[:2] for row in rows] == [[each.group, each.model] for each in tested]
        assert {each.group for each in result.differences} - {each.group for each in tested} == {"tiny"}
        first = result.differences[0]
        assert rows[0][2] == f"{first.estimate:+.3f} [{first.low:+.3f}, {first.high:+.3f}]"

    def test_the_verdict_says_when_groups_differ(self, result: GroupedEvaluation, document: Document) -> None:
        areas = [float(result[group].values["boosted"]["auc"]) for group in ("south", "north")]
        assert result.tests["boosted"].pvalue < 0.001
        start = f"Groups of region differ: AUC of boosted from {areas[0]:.3f} in south to {areas[1]:.3f} in north"
        assert document.verdict[2].startswith(start)
        assert document.verdict[0] == result.overall.decide().verdict[0]

    def test_the_verdict_says_nothing_otherwise(self, result: GroupedEvaluation) -> None:
        tests = {model: replace(test, pvalue=0.4) for model, test in result.tests.items()}
        pairs = {pair: replace(test, pvalue=0.06) for pair, test in result.interactions.items()}
        alike = replace(result, tests=tests, interactions=pairs)
        first, at_threshold, *others = document_of(alike).verdict
        assert (first, *others) == result.overall.decide().verdict
        assert at_threshold.startswith("By region, the threshold 0.590427 finds ")
        assert "tiny" not in at_threshold

    def test_stands_after_the_models(self, document: Document) -> None:
        page = to_html(document)
        places = [page.index(mark) for mark in ('id="table-measures"', 'id="part-groups"', 'id="operating-title"')]
        assert places == sorted(places)

    def test_areas_are_made_where_there_are_none(self, result: GroupedEvaluation) -> None:
        bare = grouped(intervals=False, measures=["average_precision"])
        assert table_of(document_of(bare), "group-areas").rows == table_of(document_of(result), "group-areas").rows

    def test_a_group_of_one_class(self) -> None:
        table = loans(300)
        y = np.array(table["defaulted"])
        only = np.where((np.arange(300) < 60) & (y == 0), "calm", np.where(np.arange(300) % 2, "a", "b"))
        found = rs.evaluate({**table, "g": only.tolist()}, label="defaulted", scores=MODELS, by="g", measures=["auc"])
        rows = {row[0]: row for row in table_of(document_of(found), "group-areas").rows}
        assert rows["calm"][3:] == ["-", "-", "one class only"]
        assert json.dumps(to_json_data(document_of(found)), allow_nan=False)

    def test_another_level_is_refused(self, result: GroupedEvaluation, tmp_path: Path) -> None:
        with pytest.raises(rs.ArgumentError, match="evaluate again"):
            result.report(tmp_path / "x.md", level=0.8)
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize("ending", ["md", "json", "html", "svg"])
    def test_forms(self, result: GroupedEvaluation, tmp_path: Path, ending: str) -> None:
        text = result.report(tmp_path / f"r.{ending}", title="Mine").read_text()
        assert ("Groups: region" in text) == (ending != "svg")


class TestFolds:
    @pytest.fixture(scope="class")
    @classmethod
    def result(cls) -> FoldedEvaluation:
        return folded()

    @pytest.fixture(scope="class")
    @classmethod
    def document(cls, result: FoldedEvaluation) -> Document:
        return document_of(result)

    def test_table_has_the_numbers(self, result: FoldedEvaluation, document: Document) -> None:
        rows = table_of(document, "fold-areas").rows
        assert [row[0] for row in rows] == ["mean of folds", "pooled", "0", "1", "2", "3"]
        assert rows[0][3:] == [interval_text(result[model].mean) for model in MODELS]
        assert rows[1][3:] == [interval_text(result[model].pooled) for model in MODELS]
        for row, one, two in zip(rows[2:], result["boosted"].folds, result["logistic"].folds, strict=True):
            assert row[1:] == [str(one.n_pos), str(one.n_neg), f"{one.auc:.4f}", f"{two.auc:.4f}"]

    def test_chart_has_the_numbers(self, result: FoldedEvaluation, document: Document) -> None:
        drawn = records_of(document, "folds", "folds")
        assert [each["estimate"] for each in drawn] == [fold.auc for model in MODELS for fold in result[model].folds]
        mean = {each["model"]: each["estimate"] for each in records_of(document, "folds", "mean")}
        assert mean == {model: result[model].mean.estimate for model in MODELS}

    def test_the_decision_leads_and_the_mean_of_folds_follows(
        self, result: FoldedEvaluation, document: Document
    ) -> None:
        test = result.comparisons["boosted", "logistic"]
        assert (test.method, test.auto) == ("corrected resampled t", True)
        assert test.low < 0 < test.high
        assert document.verdict[1].startswith("Over 4 folds, boosted and logistic cannot be told apart with 400 rows")
        above = replace(test, pvalue=0.01, low=0.01)
        sure = replace(result, comparisons={("boosted", "logistic"): above})
        ends = format_interval(above.estimate, above.low, above.high, 3, signed=True)
        assert document_of(sure).verdict[1] == f"Over 4 folds, boosted ranks better than logistic: mean AUC {ends}"
        assert document.verdict[2].startswith(f"Mean AUC of the folds: boosted {interval_text(result['boosted'].mean)}")
        pooled = f"With the scores of all 4 folds pooled: {result.overall.decide().verdict[0]}"
        assert document.verdict[0] == pooled
        assert table_of(document, "measures").text.startswith("Scores of all folds pooled.")

    def test_explains_and_compares(self, result: FoldedEvaluation, document: Document) -> None:
        lines = document.sections[1].lines
        for model in MODELS:
            named = [line for line in lines if model in line.partition(": ")[0]]  # what is said of both is said once
            assert all(any(line.endswith(f": {text}") for line in named) for text in result[model].explanation)
        (row,) = table_of(document, "fold-comparisons").rows
        test = result.comparisons["boosted", "logistic"]
        assert 0.05 < test.pvalue < 0.1
        assert row[:3] == [*MODELS, format_interval(test.estimate, test.low, test.high, 3, signed=True)]
        assert float(row[3]) == pytest.approx(test.pvalue, abs=1e-3)
        assert "corrected resampled t, chosen by auto" in table_of(document, "fold-comparisons").text
        assert {for_readers(text) for text in test.warnings} <= set(lines)

    def test_speaks_to_readers_not_to_programmers(self, document: Document) -> None:
        for text in [*(line for each in document.sections for line in each.lines), *document.notes]:
            assert "method=" not in text
            assert "docs/" not in text

    @pytest.mark.parametrize(("p", "words"), [(0.01, "ranks better than"), (0.4, "cannot be told apart")])
    def test_what_folds_say_follows_the_test(self, result: FoldedEvaluation, p: float, words: str) -> None:
        low = 0.01 if p < 0.05 else -0.01
        pairs = {pair: replace(test, pvalue=p, low=low) for pair, test in result.comparisons.items()}
        made = document_of(replace(result, comparisons=pairs))
        assert words in made.verdict[1]
        assert made.verdict[3].endswith("not by the better model") == (p > 0.05)  # one story from here on
        first, *pooled = made.sections[0].lines
        assert first == made.verdict[1]
        assert pooled
        assert all(line.startswith("These scores pooled, without how models vary") for line in pooled)

    def test_one_model_and_folds_that_cannot_be_compared(self, result: FoldedEvaluation) -> None:
        lost = document_of(replace(result, comparisons={})).verdict
        assert lost[1].endswith("could not be compared, as a fold has one class only")
        alone = replace(result, models={"boosted": result["boosted"]})
        assert mean_verdict(alone)[0].startswith("Over 4 folds, boosted ranks better than chance: mean AUC 0.92")

    def test_pictures_say_the_same(self, result: FoldedEvaluation, document: Document, tmp_path: Path) -> None:
        text = result.report(tmp_path / "r.svg").read_text()
        assert document.verdict[0][:40] in text


class TestClasses:
    @pytest.fixture(scope="class")
    @classmethod
    def result(cls) -> MulticlassEvaluation:
        return classes(["ant", "bee", "cat"])

    @pytest.fixture(scope="class")
    @classmethod
    def document(cls, result: MulticlassEvaluation) -> Document:
        return document_of(result)

    def test_verdict(self, result: MulticlassEvaluation, document: Document) -> None:
        macro = result.averages["macro"]
        right = int(1000 * result.measures.accuracy.estimate + 0.5)
        assert document.verdict[0].startswith(f"Use it: of 1,000 cases it calls {right} right")
        assert document.verdict[1].endswith(f"macro AUC {format_interval(macro.estimate, macro.low, macro.high, 3)}")
        areas = {name: found.estimate for name, found in result.class_auc.items()}
        assert f"Told best: {max(areas, key=areas.get)}, AUC {max(areas.values()):.4f}" in document.verdict[2]
        assert f"told worst: {min(areas, key=areas.get)}, AUC {min(areas.values()):.4f}" in document.verdict[2]
        wrong = {
            (true, called): result.confusion.matrix[i, j]
            for i, true in enumerate(result.labels)
            for j, called in enumerate(result.labels)
            if i != j
        }
        worst = max(wrong, key=wrong.get)
        assert f"Confused most: {worst[0]} called {worst[1]}, {wrong[worst]} of " in document.verdict[3]

    def test_the_decision_comes_first_then_curves_then_who_is_taken_for_whom(self, document: Document) -> None:
        assert [chart.id for chart in document.all_charts] == ["roc", "areas", "pr", "confusion"]
        page = to_html(document)
        assert page.index('id="table-decision"') < page.index('id="chart-roc"') < page.index('id="chart-confusion"')
        assert 'id="threshold"' not in page

    def test_confusion(self, result: MulticlassEvaluation, document: Document) -> None:
        cells = records_of(document, "confusion", "confusion")
        counts = np.array([each["count"] for each in cells]).reshape(3, 3)
        assert (counts == result.confusion.matrix).all()
        shares = np.array([each["share"] for each in cells]).reshape(3, 3)
        assert shares == pytest.approx(result.confusion.shares, abs=1e-6)
        rows = table_of(document, "confusion-counts").rows
        assert [[int(cell) for cell in row[1:]] for row in rows] == result.confusion.matrix.tolist()

    def test_curves_keep_their_bound(self, document: Document) -> None:
        rng = np.random.default_rng(5)
        y = np.arange(400) % 3
        scores = np.exp(rng.normal(size=(400, 3)) + np.linspace(0.3, 3, 3) * np.eye(3)[y])
        exact = rs.multiclass_curves(y, scores / scores.sum(axis=1, keepdims=True)).per_class
        for place, name in enumerate(["ant", "bee", "cat"]):
            drawn = [each for each in records_of(document, "roc", "curves") if each["model"] == name]
            real = exact[place]
            # the least distance, in either direction, of each real point to the drawn line
            at = np.interp(real.fpr + real.tpr, *_along(drawn, ("fpr", "tpr")))
            assert np.abs(at - real.tpr).max() <= 2 * 0.0055
            assert len(drawn) < len(real)

    def test_tables(self, result: MulticlassEvaluation, document: Document) -> None:
        rows = table_of(document, "class-areas").rows
        assert [row[2] for row in rows] == [interval_text(found) for found in result.class_auc.values()]
        shown = [row[1] for row in table_of(document, "averages").rows]
        assert shown == [interval_text(result.averages[name]) for name in ("macro", "weighted", "hand-till", "micro")]
        measures = table_of(document, "class-measures")
        place = measures.header.index("recall")
        for i, row in enumerate(measures.rows):
            ends = (result.measures.low["recall"][i], result.measures.high["recall"][i])
            assert row[place] == format_interval(result.measures.per_class["recall"][i], *ends)
        micro = [row[1] for row in table_of(document, "measure-averages").rows]
        assert micro[2:] == [f"{result.measures.averages[name]['precision']:.4f}" for name in ("micro", "micro_mean")]
        whole = dict(table_of(document, "whole").rows)
        assert whole["top 2 accuracy"] == interval_text(result.top_k[2])

    def test_warnings_of_intervals_name_their_classes(self) -> None:
        result = classes(["few", "many", "more"], n=9, auc_method="logit")
        (text,) = {text for found in result.class_auc.values() for text in found.warnings}
        document = document_of(result)
        assert f"few, many, more: {for_readers(text)}" in document.notes
        assert document.verdict[1] == "The 3 classes have macro AUC 1.000, without an interval: see the notes"

    def test_assumptions(self, document: Document) -> None:
        facts = dict(document.assumptions)
        assert facts["Classes"] == "3: ant, bee, cat"
        assert (facts["Rows"], facts["Row weights"], facts["Confidence level"]) == ("400", "none", "0.95")

    @pytest.mark.parametrize("ending", ["html", "md", "json", "png"])
    def test_forms(self, result: MulticlassEvaluation, tmp_path: Path, ending: str) -> None:
        content = result.report(tmp_path / f"r.{ending}").read_bytes()
        assert content.startswith({"html": b"<!DOCTYPE", "md": b"# How well", "json": b"{", "png": b"\x89PNG"}[ending])

    def test_options_of_two_classes_are_refused(self, result: MulticlassEvaluation, tmp_path: Path) -> None:
        with pytest.raises(rs.ArgumentError, match="no cost_fp"):
            result.report(tmp_path / "r.html", cost_fp=2)
        with pytest.raises(rs.ArgumentError, match="evaluate again"):
            result.report(tmp_path / "r.html", level=0.9)

    def test_options_that_ask_for_nothing_are_taken(self, result: MulticlassEvaluation, document: Document) -> None:
        usual = {"cost_fp": None, "cost_fn": None, "cutoffs": None, "level": 0.95, "title": "Which model is better?"}
        assert document_of(result, **usual).title == document.title
        assert document_of(result, title="Mine").title == "Mine"

    def test_a_hundred_and_ten_classes(self) -> None:
        result = classes([f"c{place}" for place in range(110)], n=1100)
        document = document_of(result)
        areas = sorted(result.class_auc, key=lambda label: result.class_auc[label].estimate)
        shown = [style.name for style in document.models if style.shown]
        assert shown == ["macro average", "micro average", *areas[:12]]
        assert len(document.models) == 102
        chart = next(each for each in document.all_charts if each.id == "roc")
        assert "the 12 classes with the lowest AUC" in chart.note
        assert "Of 110 classes, the 100" in chart.note
        cells = records_of(document, "confusion", "confusion")
        kept = [label for label in result.labels if label in set(areas[:100])]
        inside = [result.labels.index(label) for label in kept]
        matrix = result.confusion.matrix[np.ix_(inside, inside)]
        assert len(cells) == np.count_nonzero(matrix)
        assert sum(each["count"] for each in cells) == matrix.sum()
        assert len(table_of(document, "class-areas").rows) == 110
        assert len(own_markup(to_html(document))) < 3_000_000

    def test_an_absent_class_and_weights(self) -> None:
        y = ["a", "b", "a", "b", "a", "b"] * 5
        rng = np.random.default_rng(0)
        table = {name: rng.random(30) for name in "abc"}
        result = rs.evaluate_multiclass(y, table, labels=["a", "b", "c"], sample_weight=rng.random(30))
        document = document_of(result)
        assert document.verdict[1].startswith("The macro AUC of 3 classes is undefined: ")
        assert [row[2] for row in table_of(document, "class-areas").rows][2] == "-"
        cells = records_of(document, "confusion", "confusion")
        assert [each["share"] for each in cells[6:]] == [None] * 3
        assert sum(each["count"] for each in cells) == pytest.approx(result.confusion.matrix.sum(), abs=1e-5)
        assert json.dumps(to_json_data(document), allow_nan=False)

    def test_one_class_alone_makes_a_page(self) -> None:
        result = rs.evaluate_multiclass(["a", "a"], {"a": [0.5, 0.6], "b": [0.5, 0.4]}, labels=["a", "b"])
        assert "No row was called a wrong class" in " ".join(document_of(result).verdict)
        assert to_html(document_of(result)).startswith("<!DOCTYPE")


def _along(records: list[dict[str, Any]], names: tuple[str, str]) -> tuple[list[float], list[float]]:
    """Height of a curve by its way along both axes, which never goes back."""
    return [each[names[0]] + each[names[1]] for each in records], [each[names[1]] for each in records]


def timed(names: list[str]) -> Any:
    rng = np.random.default_rng(3)
    rows = {"time": rng.exponential(5, 60), "event": np.arange(60) % 3 > 0, **{name: rng.random(60) for name in names}}
    return rs.evaluate(rows, label="event", time="time", scores=names, at=4)


def read(names: list[str]) -> Any:
    reader, modality, case = (each.ravel() for each in np.indices((3, 2, 12)))
    rating = np.random.default_rng(4).normal(size=case.size) + case % 2
    table = {"who": reader, "by": np.array(names)[modality], "case": case, "ill": case % 2, "rating": rating}
    return rs.readers.analyze(table, reader="who", modality="by", case="case", label="ill", score="rating")


class TestHostileNames:
    def documents(self, names: list[str], column: str) -> list[Document]:
        return [
            document_of(grouped(tuple(names[:3]), column)),
            document_of(folded(tuple(names), column)),
            document_of(classes(names)),
            document_of(timed(names[:2])),
            document_of(read(names[:2])),
        ]

    def test_names_stay_text(self) -> None:
        plain = self.documents(["p", "q", "r", "s"], "column")
        for document, harmless in zip(self.documents(HOSTILE, "<i>by</i>"), plain, strict=True):
            tags = []
            for each in (document, harmless):
                parser = Tags()
                parser.feed(own_markup(to_html(each)))
                tags.append([(tag, sorted(name for name, _ in attrs)) for tag, attrs in parser.seen])
            assert tags[0] == tags[1]
            text = to_markdown(document)
            assert "<script>" not in text
            assert "<i>" not in text

    def test_names_that_collide_are_told_apart(self) -> None:
        document = document_of(classes(["macro average", "x" * 60 + "1", "x" * 60 + "2"]))
        names = [style.name for style in document.models]
        assert len(set(names)) == 5
        assert names[2] == "macro average (2)"
        cells = records_of(document, "confusion", "confusion")
        assert len({(each["true"], each["called"]) for each in cells}) == 9
