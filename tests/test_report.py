"""The report without a browser: what the file holds, in all its forms, and how it is written."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from html import escape
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import rocsteady as rs
from command import Ended, rocsteady
from rocsteady._src.views.report.build import Options, build
from rocsteady._src.views.report.page import packed, to_html
from rocsteady._src.views.report.records import DEVIATION, histogram_edges, safe, walk
from rocsteady.examples import loans
from test_report_browser import HOSTILE, embedded

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def result() -> rs.Evaluation:
    table = loans(300)
    return rs.evaluate(table, label="defaulted", scores=["boosted", "grade"], intervals=True, n_resamples=50)


@pytest.fixture(scope="module")
def page(result: rs.Evaluation) -> str:
    return to_html(build(result, Options()))


def own_markup(page: str) -> str:
    """The page without the library it carries."""
    return re.sub(r"<script>const n=.*?</script>", "", page, count=1, flags=re.S)


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, list[tuple[str, str | None]]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, attrs))


class TestPage:
    def test_reaches_nobody(self, page: str) -> None:
        markup = own_markup(page)
        assert len(markup) < len(page) - 500_000
        for mark in ("http:", "https:", "@import", "src=", "srcset", "innerHTML", "eval("):
            assert mark not in markup
        assert not re.search(r"url\((?!#)", markup)

    def test_no_rows_of_data(self, result: rs.Evaluation, page: str) -> None:
        assert "loan" not in json.dumps(embedded_text(page)["models"])
        assert len(own_markup(page)) < 2_000_000

    def test_opens_with_the_verdict(self, result: rs.Evaluation, page: str) -> None:
        headline = escape(result.decide().verdict[0])
        assert page.index(headline) < page.index("<main") < page.index(escape(result.compare().verdict[0]))

    def test_every_assumption_is_stated(self, page: str) -> None:
        for text in (
            "Positive label",
            "a higher score means more positive",
            "Fingerprint of boosted",
            "Seed",
            rs.__version__,
        ):
            assert text in page

    def test_hostile_names_stay_text(self) -> None:
        table = loans(80)
        columns = {"y": table["defaulted"], **dict.fromkeys(HOSTILE, table["boosted"])}
        made = to_html(build(rs.evaluate(columns, label="y", scores=HOSTILE, measures=["auc"]), Options(title="<b>&")))
        parser = Tags()
        parser.feed(own_markup(made))
        assert not {tag for tag, _ in parser.seen} & {"img", "b", "iframe", "object"}
        assert not [name for _, attrs in parser.seen for name, _ in attrs if name.startswith("on")]
        assert "x" * 100 not in made

    def test_scores_that_are_no_probabilities_have_no_calibration(self, page: str) -> None:
        assert "Calibration and decision curve leave out grade" in page
        alone = rs.evaluate(loans(300), label="defaulted", scores=["grade"])
        without = to_html(build(alone, Options()))
        assert 'id="chart-calibration"' not in without
        assert 'id="chart-roc"' in without

    def test_one_model(self) -> None:
        table = loans(200)
        alone = rs.evaluate(table, label="defaulted", scores=["boosted"], intervals=True, n_resamples=20)
        assert "boosted ranks better than chance" in to_html(build(alone, Options()))


def embedded_text(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert found is not None
    return json.loads(found.group(1))


class TestRecords:
    def test_drawn_curve_is_near_the_real_one(self) -> None:
        rng = np.random.default_rng(1)
        y = rng.random(20_000) < 0.3
        ranked = rs.rank(y, rng.normal(size=y.size) + y)
        points, _ = walk("a", ranked, 0.95)
        assert len(points) < 2 / DEVIATION + 4
        curve = rs.roc_curve(ranked)
        drawn = np.interp(curve.fpr, [point["fpr"] for point in points], [point["tpr"] for point in points])
        assert np.abs(drawn - curve.tpr).max() < 3 * DEVIATION

    def test_numbers_json_can_hold(self) -> None:
        assert [safe(value) for value in (float("nan"), float("inf"), -float("inf"), 2**60, 1.5, None)] == [
            None,
            "inf",
            "-inf",
            str(2**60),
            1.5,
            None,
        ]

    def test_packing_keeps_every_record(self) -> None:
        records = [{"a": "x", "b": 1}, {"a": "y", "b": None}]
        assert packed(records) == {"a": {"values": ["x", "y"], "codes": [0, 1]}, "b": [1, None]}
        assert packed([]) == {}

    @pytest.mark.parametrize("scores", [[], [2.0], [1.0, 2.0, 5.0], list(np.linspace(0, 1, 500)), [-1e308, 1e308]])
    def test_bins_hold_every_score(self, scores: list[float]) -> None:
        values = np.array(scores)
        for edges in histogram_edges(values):
            assert (np.diff(edges) > 0).all()
            if scores:
                assert np.histogram(values, edges)[0].sum() == values.size

    def test_decimals_on_an_edge_are_counted_above_it(self) -> None:
        values = np.arange(201) / 200  # bins from 0 by 0.025, five scores each, the last with both its ends
        _, counted = histogram_edges(values)
        assert np.histogram(values, counted)[0].tolist() == [5] * 39 + [6]

    @pytest.mark.parametrize(
        "scores",
        [
            [np.inf, 0.5, -np.inf, 0.2, 0.1, 0.3],
            [2**60, 2**60 + 1, 5, 7, 8, 1],
            [1, 1, 1, 1, 1, 1],
            [0, 1, 0, 1, 0, 0],
        ],
    )
    @pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
    def test_odd_scores_make_a_page(self, scores: list[Any], tmp_path: Path) -> None:
        table = {"y": [1, 0, 1, 0, 1, 0], "a": scores, "b": [6, 5, 4, 3, 2, 1]}
        result = rs.evaluate(table, label="y", scores=["a", "b"], measures=["auc"], intervals=True)
        assert embedded(result.report(tmp_path / "odd.html"))["models"][0]["name"] == "a"


class TestForms:
    @pytest.mark.parametrize("ending", ["md", "json", "png", "svg", "html"])
    def test_endings(self, result: rs.Evaluation, tmp_path: Path, ending: str) -> None:
        path = result.report(tmp_path / f"report.{ending}")
        start = {
            "png": b"\x89PNG",
            "svg": b"<?xml",
            "html": b"<!DOCTYPE",
            "md": b"# Which",
            "json": b"{",
        }
        assert path.read_bytes().startswith(start[ending])
        if ending == "json":
            data = json.loads(path.read_text())
            assert data["operating"]["boosted"][0]["threshold"] == "inf"
            assert data["verdict"] == list(result.decide().verdict)
            assert data["sections"]["compare"]["lines"] == list(result.compare().verdict)

    def test_markdown_is_harmless(self, tmp_path: Path) -> None:
        names = ["a|b", "<script>", "[x](y)"]
        table = {"y": [1, 0, 1, 0], **{name: [4, 2, 3, 1] for name in names}}
        text = rs.evaluate(table, label="y", scores=names, measures=["auc"]).report(tmp_path / "r.md").read_text()
        assert "<script>" not in text
        assert "a\\|b" in text

    def test_unknown_form(self, result: rs.Evaluation, tmp_path: Path) -> None:
        with pytest.raises(rs.ArgumentError, match="html, md, json"):
            result.report(tmp_path / "report.docx")

    def test_existing_files_are_kept(self, result: rs.Evaluation, tmp_path: Path) -> None:
        path = tmp_path / "report.html"
        path.write_text("mine")
        with pytest.raises(rs.InputError, match="exists"):
            result.report(path)
        assert path.read_text() == "mine"
        result.report(path, force=True)
        assert path.read_text().startswith("<!DOCTYPE")

    def test_notebooks(self, result: rs.Evaluation) -> None:
        assert result._repr_html_().startswith("<table>")
        assert "<svg" in result._repr_html_()


TELLS_OF_RESAMPLES = """import numpy
made = numpy.random.SFC64
def told(stream):
    print("resampling", flush=True)
    return made(stream)
numpy.random.SFC64 = told
from rocsteady.__main__ import main
main()"""


class TestCommand:
    def run(self, folder: Path, *more: str) -> Ended:
        return rocsteady("report", "loans.csv", "--label", "defaulted", "--score", "boosted", *more, cwd=folder)

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        pl = pytest.importorskip("polars")
        pl.DataFrame(loans(200)).write_csv(tmp_path / "loans.csv")
        return tmp_path

    def test_writes_a_page(self, folder: Path) -> None:
        done = self.run(folder, "--score", "logistic", "--cutoffs", "0.1,0.4", "--resamples", "50", "-o", "out.html")
        assert done.returncode == 0, done.stderr
        assert "out.html" in done.stdout
        assert "Who moves between risk categories" in (folder / "out.html").read_text()

    def test_refuses_before_the_work(self, folder: Path) -> None:
        (folder / "report.html").write_text("mine")
        done = self.run(folder)
        assert done.returncode == 2
        assert "--force" in done.stderr
        assert (folder / "report.html").read_text() == "mine"

    def test_ctrl_c_leaves_the_old_file(self, folder: Path) -> None:
        path = folder / "report.html"
        path.write_text("mine")
        call = [sys.executable, "-c", TELLS_OF_RESAMPLES, "report", "loans.csv", "--label", "defaulted"]
        options = ["--score", "boosted", "--force", "--resamples", "2000000"]
        running = subprocess.Popen([*call, *options], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert running.stdout is not None
        assert running.stdout.readline() == b"resampling\n"
        os.kill(running.pid, signal.SIGINT)
        running.communicate(timeout=120)
        assert running.returncode != 0
        assert path.read_text() == "mine"
        assert sorted(each.name for each in folder.iterdir()) == ["loans.csv", "report.html"]


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
def test_everything_is_drawn_for_print_by_one_argument() -> None:
    import matplotlib.pyplot as plt

    table = loans(200)
    y, s, other = table["defaulted"], table["boosted"], table["logistic"]
    results = [
        rs.roc_curve(y, s),
        rs.pr_curve(y, s),
        rs.gains_curve(y, s),
        rs.granular_roc(y, s, delta=0.05),
        rs.granularity_profile(y, s),
        rs.interval_auc(y, [x - 0.05 for x in s], [x + 0.05 for x in s]),
        rs.roc_band(y, s),
        rs.calibration_curve(y, s),
        rs.decision_curve(y, {"a": s, "b": other}),
        rs.reclassification(y, other, s, cutoffs=[0.2]),
        rs.compare_models(y, {"a": s, "b": other, "$c": table["grade"]}),
        rs.evaluate(table, label="defaulted", scores=["boosted", "logistic"], measures=["auc"]),
    ]
    for result in results:
        plain, paper = (result.plot(publication=flag) for flag in (False, True))
        shown, printed = (np.ravel(each)[0] for each in (plain, paper))
        assert printed.figure_.get_size_inches()[0] < 0.7 * shown.figure_.get_size_inches()[0]
        assert np.ravel(printed.ax_)[0].xaxis.label.get_fontfamily() == ["serif"]
        assert plt.rcParams["font.family"] != ["serif"]
        plt.close("all")
