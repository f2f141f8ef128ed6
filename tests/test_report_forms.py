"""Other forms of the report: numbers in JSON, captions in Markdown, pictures, and what every form refuses."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.stats import norm

import rocsteady as rs
from rocsteady._src.base.text import format_share
from rocsteady._src.views.report.names import styles
from rocsteady._src.views.report.options import Options
from rocsteady._src.views.report.pictures import sheet
from rocsteady._src.views.report.tables import diagnostics
from rocsteady._src.views.report.write import document_of
from rocsteady.examples import loans

if TYPE_CHECKING:
    from pathlib import Path

MODELS = ["boosted", "logistic", "coin"]
FORMS = ["html", "md", "json", "png", "svg"]


@pytest.fixture(scope="module")
def result() -> rs.Evaluation:
    return rs.evaluate(loans(300), label="defaulted", scores=MODELS, intervals=True, n_resamples=50)


@pytest.fixture(scope="module")
def folder(result: rs.Evaluation, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("forms")
    for ending in ("json", "md"):
        result.report(made / f"r.{ending}", cutoffs=[0.1, 0.4], cost_fn=5)
    return made


@pytest.fixture(scope="module")
def data(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "r.json").read_text())


class TestJson:
    def test_measures_are_numbers(self, result: rs.Evaluation, data: dict[str, Any]) -> None:
        for model in MODELS:
            for measure, found in result.intervals[model].items():
                wanted = {"estimate": result.values[model][measure], "low": found.low, "high": found.high}
                assert data["measures"][model][measure] == wanted
        models = data["sections"]["compare"]["tables"]["measures"]
        assert models["values"][0][models["header"].index("auc")] == data["measures"]["boosted"]["auc"]

    def test_differences_are_numbers(self, result: rs.Evaluation, data: dict[str, Any]) -> None:
        for pair, told in zip(result.compare().pairs, data["comparisons"], strict=True):
            assert (told["first"], told["second"]) == (pair.first, pair.second)
            assert (told["estimate"], told["p"], told["p_holm"]) == (pair.test.estimate, pair.test.pvalue, pair.p_holm)
        leader = data["decision"]["model"]
        told = data["comparisons"][0]
        assert told["first"] == leader
        others = {row[0]: row[1] for row in data["sections"]["compare"]["tables"]["differences"]["values"]}
        assert leader not in others
        assert others[told["second"]]["estimate"] == -told["estimate"]
        assert (others[told["second"]]["low"], others[told["second"]]["high"]) == (-told["high"], -told["low"])

    def test_the_decision_is_that_of_the_library(self, result: rs.Evaluation, data: dict[str, Any]) -> None:
        found = result.decide(cost_fn=5)
        assert data["decision"]["model"] == found.model
        assert data["decision"]["threshold"] == found.threshold
        rows = {row[0]: row for row in data["tables"]["decision"]["values"]}
        for course in found.courses:
            assert rows[course.name][5] == course.cost

    def test_settings_are_numbers(self, data: dict[str, Any]) -> None:
        told = data["settings"]
        assert [told[name] for name in ("n_rows", "n_dropped", "level", "cost_fp", "cost_fn")] == [300, 0, 0.95, 1, 5]
        assert told["n_pos"] + told["n_neg"] == 300
        assert told["cutoffs"] == [0.1, 0.4]
        assert data["assumptions"]["Rows"] == "300"

    def test_every_table_has_text_and_values(self, data: dict[str, Any]) -> None:
        for table in data["tables"].values():
            assert [len(row) for row in table["rows"]] == [len(row) for row in table["values"]]

    def test_reclassification(self, data: dict[str, Any]) -> None:
        table = loans(300)
        (told,) = (each for each in data["reclassified"] if (each["old"], each["new"]) == ("logistic", "boosted"))
        found = rs.net_reclassification(table["defaulted"], table["logistic"], table["boosted"], cutoffs=[0.1, 0.4])
        values = told["tables"]["moves-gains"]["values"][0][1]
        assert (values["estimate"], values["p"]) == pytest.approx((found.nri.estimate, found.nri.pvalue))
        counts = rs.reclassification(table["defaulted"], table["logistic"], table["boosted"], cutoffs=[0.1, 0.4])
        assert [row[1:] for row in told["tables"]["moves-events"]["values"]] == counts.events.tolist()
        up, down = (format_share(counts.moved["events"][way]) for way in ("up", "down"))
        start = f"Risk categories, from logistic to boosted: of positives {up} move up and {down} down, of negatives "
        assert data["verdict"][-1].startswith(start)

    def test_nothing_is_written_twice(self, folder: Path, data: dict[str, Any]) -> None:
        assert (folder / "r.json").stat().st_size < 900_000
        assert "roc" in data["charts"]["roc"]["data"]
        assert "roc" not in data["charts"]["granular"]["data"]
        step = data["granular"]["boosted"][5]
        table = loans(300)
        found = rs.granular_roc(table["defaulted"], table["boosted"], delta=step["delta"])
        assert (step["low"], step["up"]) == (found.low_auc, found.up_auc)
        assert step["curves"]["low"]["tpr"][-1] == 1


@pytest.mark.parametrize("ending", ["json", "svg"])
def test_weights_that_are_no_counts(tmp_path: Path, ending: str) -> None:
    table = {**loans(200), "weight": np.random.default_rng(0).random(200)}
    found = rs.evaluate(table, label="defaulted", scores=MODELS[:2], weight="weight", measures=["auc"])
    path = found.report(tmp_path / f"r.{ending}", cutoffs=[0.2])
    if ending == "json":
        drawn = json.loads(path.read_text())["charts"]["decision"]["data"]["decision"]
        wanted = rs.decision_curve(table["defaulted"], table["boosted"], sample_weight=table["weight"])
        shown = [record["net_benefit"] for record in drawn if record["model"] == "boosted"]
        (benefit,) = wanted.net_benefit.values()
        assert shown == pytest.approx(benefit, abs=1e-5)


class TestMarkdown:
    def test_tables_have_captions(self, folder: Path) -> None:
        text = (folder / "r.md").read_text()
        for title in ("Really positive", "Really negative", "Net reclassification (NRI)"):
            assert text.count(f"#### {title}") == 3
        assert "### From boosted to logistic" in text
        assert "### From logistic to boosted" not in text

    def test_calibration_and_net_benefit_stand_beside(self, result: rs.Evaluation, folder: Path) -> None:
        text = (folder / "r.md").read_text()
        part = text.split("### Calibration and net benefit")[1].split("##")[0]
        for each in result.compare(cutoffs=[0.1, 0.4]).probabilities:
            assert f"| {each.model} | {each.brier.estimate:.4f} " in part
            assert f"| {each.net_benefit['0.4']:.4f} |" in part
        assert "method=" not in text


class TestRefused:
    @pytest.mark.parametrize("form", FORMS)
    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"cutoffs": [0.4, 0.1]}, "increase"),
            ({"level": 95}, "level"),
            ({"baseline": "nobody"}, "no model 'nobody'"),
            ({"cost_fp": -1}, "costs"),
            ({"colour": "red"}, "no colour"),
        ],
    )
    def test_alike_in_every_form(
        self, result: rs.Evaluation, tmp_path: Path, form: str, options: dict[str, Any], words: str
    ) -> None:
        with pytest.raises(rs.ArgumentError, match=words):
            result.report(tmp_path / f"r.{form}", **options)
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize("form", FORMS)
    def test_cutoffs_of_what_is_no_probability(self, tmp_path: Path, form: str) -> None:
        found = rs.evaluate(loans(100), label="defaulted", scores=["boosted", "grade"], measures=["auc"])
        with pytest.raises(rs.InputError, match="grade must hold probabilities") as refused:
            found.report(tmp_path / f"r.{form}", cutoffs=[0.5])
        assert refused.value.code == "not_probabilities"

    def test_one_model_says_that_cutoffs_are_of_no_use(self) -> None:
        found = rs.evaluate(loans(100), label="defaulted", scores=["boosted"], measures=["auc"])
        assert any("two models" in note for note in document_of(found, cutoffs=[0.5]).notes)


class TestDigits:
    def test_scores_have_six_digits_and_whole_keys(self) -> None:
        scores = [0.03613948734587429, 1 / 3, 2 / 3, 0.9876543210123]
        found = rs.evaluate({"y": [0, 1, 0, 1], "a": scores}, label="y", scores="a", measures=["auc"])
        table = diagnostics(found, styles(found.models))
        assert table.rows[0][2:5] == ["0.0361395", "0.5", "0.987654"]
        assert table.keys[0][2:5] == [scores[0], pytest.approx(0.5), scores[-1]]

    def test_deltas_shown_are_those_used(self, result: rs.Evaluation) -> None:
        for step in document_of(result).granular["boosted"]:
            assert len(f"{step['delta']:.12g}".lstrip("0.").replace(".", "")) <= 3


class TestDet:
    def test_axes_are_normal_deviates(self) -> None:
        import matplotlib.pyplot as plt

        table = loans(500)
        display = rs.det_curve(table["defaulted"], table["boosted"]).plot(name="a")
        to_axis = display.ax_.xaxis.get_transform()
        for share in (0.05, 0.5, 0.8):
            assert float(to_axis.transform(share)) == pytest.approx(norm.ppf(share))
        labels = [tick.get_text() for tick in display.ax_.get_xticklabels()]
        assert {"1%", "50%", "99%"} <= set(labels)
        assert set(display.line_.get_xdata()) <= set(display.result.fpr)
        plt.close("all")

    @pytest.mark.parametrize("scores", [[4, 2, 3, 1], [1, 1, 1, 1], [1, 3, 2, 4]])
    def test_rates_of_0_and_1_lie_on_the_edge(self, scores: list[int]) -> None:
        import matplotlib.pyplot as plt

        curve = rs.det_curve([1, 0, 1, 0], scores)
        display = curve.plot()
        display.figure_.draw_without_rendering()
        low, high = display.ax_.get_xlim()
        ends = display.ax_.xaxis.get_transform().transform(np.array([0.0, 1.0]))
        assert ends == pytest.approx(norm.ppf([low, high]))
        assert low + high == pytest.approx(1)
        plt.close("all")

    def test_the_wider_curve_sets_the_edge(self) -> None:
        import matplotlib.pyplot as plt

        rng = np.random.default_rng(0)
        y = rng.random(5000) < 0.5
        small = rs.det_curve([1, 0, 1, 0, 1], [4, 2, 3, 5, 1])
        large = rs.det_curve(y, rng.normal(size=y.size) + y)
        edges = []
        for pair in ((small, large), (large, small)):
            ax = plt.subplots()[1]
            for curve in pair:
                curve.plot(ax)
            edges.append(ax.get_xlim())
        assert edges[0] == pytest.approx(edges[1])
        assert edges[0][0] < 0.001
        plt.close("all")


def test_the_sheet_fills_its_page(result: rs.Evaluation, tmp_path: Path) -> None:
    import matplotlib.pyplot as plt

    figure = sheet(result, Options(title="Which one?", cutoffs=[0.1, 0.4]))
    figure.savefig(tmp_path / "r.png", dpi=40)
    picture = plt.imread(tmp_path / "r.png")
    ink = np.flatnonzero((picture[..., :3] < 0.5).any(axis=(0, 2)))
    assert ink[0] < 0.04 * picture.shape[1]
    assert ink[-1] > 0.96 * picture.shape[1]
    assert figure.get_suptitle().splitlines() == ["Which one?", *textwrap.wrap(result.decide().verdict[0], 92)]
    titles = [ax.get_title() for ax in figure.axes if ax.get_visible()]
    compared = ["Differences in AUC"] if len(result.models) > 2 else []
    benefit = "Net benefit; dotted: the cutoffs"
    first = ["ROC", "Precision and recall", *compared, "Calibration", benefit]
    assert titles == [*first, "Cumulative gains", "DET"]
    plt.close("all")


def test_a_note_on_one_pair_names_it() -> None:
    table = loans()
    found = rs.evaluate(table, label="defaulted", scores=["coin", "boosted", "logistic"]).compare(cutoffs=[0.1, 0.4])
    unstable = [text for text in found.warnings if "relative IDI is unstable" in text]
    assert unstable
    assert all(text.startswith(("from coin to ", "from boosted to coin", "from logistic to coin")) for text in unstable)
    assert sum("NRI rises for miscalibrated models" in text for text in found.warnings) == 1
