"""Results read well: one line, a table, Markdown, a notebook; and they can be saved and loaded."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

import rocsteady as rs

mpl.use("Agg")

TABLE = rs.examples.loans(200)
Y = np.asarray(TABLE["defaulted"])
MODELS = {name: np.asarray(TABLE[name]) for name in ("boosted", "logistic")}
FIRST, SECOND = MODELS.values()
RESULT = rs.evaluate(Y, MODELS)
CLASSES = np.arange(90) % 3
PROBABILITIES = np.random.default_rng(0).dirichlet(np.ones(3), 90)

RESULTS: dict[str, Any] = {
    "evaluation": RESULT,
    "with intervals": RESULT.with_intervals(n_resamples=50),
    "comparison": RESULT.compare(),
    "with cutoffs": RESULT.compare(cutoffs=[0.1, 0.3]),
    "groups": rs.evaluate(Y, MODELS, by=np.arange(200) % 2, intervals=False),
    "folds": rs.evaluate(Y, MODELS, fold=np.arange(200) % 2, intervals=False),
    "classes": rs.evaluate(CLASSES, PROBABILITIES),
    "interval": rs.auc_interval(Y, FIRST),
    "bootstrap": rs.bootstrap_interval("auc", Y, FIRST, n_resamples=50, random_state=1),
    "test": rs.compare_auc(Y, FIRST, SECOND),
    "roc": rs.roc_curve(Y, FIRST),
    "pr": rs.pr_curve(Y, FIRST),
    "hull": rs.roc_hull(Y, FIRST),
    "gains": rs.gains_curve(Y, FIRST),
    "band": rs.roc_band(Y, FIRST, n_resamples=50, random_state=1),
    "confusion": rs.confusion(Y, FIRST, threshold=0.5),
    "threshold": rs.best_threshold(Y, FIRST),
    "calibration": rs.calibration_curve(Y, FIRST),
    "decision": rs.decision_curve(Y, MODELS),
    "nri": rs.net_reclassification(Y, SECOND, FIRST),
    "idi": rs.integrated_discrimination(Y, SECOND, FIRST),
    "reclassification": rs.reclassification(Y, SECOND, FIRST, cutoffs=[0.1, 0.3]),
    "granular": rs.granular_roc(Y, FIRST, delta=0.1),
    "power": rs.power_auc(auc=0.7, n_pos=50, n_neg=50),
    "cost": rs.curves.cost_curve(Y, FIRST, level=0.9),
    "brier": rs.curves.brier_curve(Y, FIRST),
    "prg": rs.curves.pr_gain_curve(Y, FIRST),
    "crossing test": rs.curves.crossing_test(Y, FIRST, SECOND, n_resamples=20, random_state=1),
    "crossings": rs.curves.crossings(rs.roc_curve(Y, FIRST), rs.roc_curve(Y, SECOND)),
    "width": rs.power.plan_width("auc", 0.8, width=0.1, prevalence=0.2),
    "goal": rs.power.power_goal("sensitivity", 0.95, above=0.9, n=200),
    "validation": rs.power.validation_size(prevalence=0.1, auc=0.8, threshold=0.1),
    "goal test": rs.inference.goal_test("auc", Y, FIRST, above=0.8),
    "set": rs.set_properties(Y, FIRST),
}


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_reads_well(name: str) -> None:
    result = RESULTS[name]
    shown = repr(result)
    assert "\n" not in shown
    assert len(shown) <= 150
    assert shown.startswith(type(result).__name__ + "(")
    assert "array(" not in shown + str(result)
    assert "Origin(" not in shown + str(result)
    page = result._repr_html_()
    assert page.startswith(("<table", "<pre", "<p>"))
    assert len(page) < 50_000
    markdown = result.to_markdown()
    table = [line for line in markdown.splitlines() if line.startswith("|")]
    assert len({line.count(" | ") for line in table}) == 1


def test_markup_in_names_is_text() -> None:
    hostile = rs.evaluate(Y, {"<script>alert(1)</script>": FIRST, "a|b": SECOND})
    for page in (hostile._repr_html_(), hostile.compare()._repr_html_()):
        assert "<script>" not in page
    assert "a\\|b" in hostile.to_markdown()


def test_a_comparison_says_its_verdict_first() -> None:
    compared = RESULT.compare()
    assert compared.to_markdown().startswith(f"**{compared.verdict[0]}**")
    assert repr(compared) == f"Comparison({compared.verdict[0]})"


def test_parts_by_name() -> None:
    assert RESULT["boosted"].models == ("boosted",)
    assert RESULT["boosted"]["auc"] == rs.auc(Y, FIRST)
    assert RESULT["auc"] == {"boosted": rs.auc(Y, FIRST), "logistic": rs.auc(Y, SECOND)}
    alone = RESULT["boosted"].with_intervals(n_resamples=50)
    assert tuple(alone.intervals["boosted"]["auc"]) == tuple(rs.auc_interval(Y, FIRST))
    with pytest.raises(rs.ArgumentError, match="models: 'boosted', 'logistic'; measures: 'auc'"):
        RESULT["xgboost"]


@pytest.mark.parametrize(
    ("name", "attribute", "words"),
    [
        ("evaluation", "summary", "did you mean .to_frame or .to_markdown?"),
        ("evaluation", "ci", "did you mean .intervals or .with_intervals?"),
        ("evaluation", "to_csv", "did you mean .to_frame?"),
        ("interval", "lower", "did you mean .low?"),
        ("test", "p_value", "did you mean .pvalue?"),
        ("comparison", "winner", "did you mean .verdict"),
        ("power", "nothing_like_it", "has no attribute 'nothing_like_it'"),
    ],
)
def test_attributes_under_other_names_are_answered(name: str, attribute: str, words: str) -> None:
    with pytest.raises(AttributeError) as told:
        getattr(RESULTS[name], attribute)
    assert words in str(told.value)


def test_displays_are_one_line() -> None:
    displays = RESULT.plot()
    assert repr(displays) == "CurveDisplays(2 curves)"
    assert displays.ax_ is displays[1].ax_
    for display in (
        displays[0],
        rs.calibration_curve(Y, FIRST).plot(),
        RESULT.compare().plot(),
        RESULTS["power"].plot(),
    ):
        assert "\n" not in repr(display)
        assert len(repr(display)) < 200
    plt.close("all")


class TestSaving:
    @pytest.mark.parametrize(
        "options",
        [
            {},
            {"threshold": "youden"},
            {"intervals": True, "n_resamples": 60},
            {"sample_weight": np.arange(200) % 3 + 1, "weight_type": "frequency"},
            {"measures": ["family:ranking", "partial_auc(fpr_range=(0, 0.2))"]},
        ],
    )
    def test_what_was_saved_is_what_is_loaded(self, tmp_path: Path, options: dict[str, Any]) -> None:
        result = rs.evaluate(Y, MODELS, **options)
        loaded = rs.load(result.save(tmp_path / "result.json"))
        assert str(loaded) == str(result)
        assert loaded.to_dict() == result.to_dict()
        assert loaded.compare().to_dict() == result.compare().to_dict()
        again = loaded.with_intervals(n_resamples=60)
        assert again.to_dict() == result.with_intervals(n_resamples=60).to_dict()
        assert loaded["boosted"].to_dict() == result["boosted"].to_dict()

    def test_its_report_says_the_same(self, tmp_path: Path) -> None:
        loaded = rs.load(RESULT.save(tmp_path / "result.json"))
        first, second = (each.report(tmp_path / f"{n}.md") for n, each in enumerate((RESULT, loaded)))
        whole, saved = (path.read_text() for path in (first, second))
        parts = [text.split("## Compare")[1].split("## Notes")[0] for text in (whole, saved)]
        assert parts[1] == parts[0]
        assert "how sure the difference is cannot be told without the rows" in saved

    @pytest.mark.parametrize("options", [{"cluster": np.arange(200) // 2}, {"sample_weight": np.arange(200) % 3 + 0.5}])
    def test_what_needs_rows_is_refused(self, tmp_path: Path, options: dict[str, Any]) -> None:
        result = rs.evaluate(Y, MODELS, **options)
        loaded = rs.load(result.save(tmp_path / "result.json"))
        assert str(loaded) == str(result)
        with pytest.raises(rs.InputError, match="evaluate the rows again"):
            loaded.compare()
        with pytest.raises(rs.InputError):
            loaded.with_intervals(n_resamples=50)

    def test_odd_values_and_labels(self, tmp_path: Path) -> None:
        scores = FIRST.copy()
        scores[0] = np.inf
        labels = np.where(Y == 1, "yes", "no")
        with pytest.warns(rs.RocsteadyWarning, match="infinite") as told:
            result = rs.evaluate(labels, {"näme": scores}, pos_label="yes", measures=["auc", "family:probability"])
        assert told[0].filename == __file__
        assert rs.load(result.save(tmp_path / "a.json")).to_dict() == result.to_dict()

    def test_other_files_are_refused(self, tmp_path: Path) -> None:
        path = RESULT.save(tmp_path / "result.json")
        assert RESULT.save(path) == path  # its own file is replaced
        (tmp_path / "other.json").write_text("mine")
        with pytest.raises(rs.InputError, match="exists"):
            RESULT.save(tmp_path / "other.json")
        told = json.loads(path.read_text())
        own = told["result"]["own"]
        for change, words in (
            ({"version": 99}, "version 99"),
            ({"format": "x"}, "no evaluation"),
            ({"result": {**told["result"], "own": {**own, "groups": {"a": {}}}}}, "damaged"),
            ({"result": {**told["result"], "own": {**own, "origin": {"nothing": 1}}}}, "damaged"),
        ):
            path.write_text(json.dumps({**told, **change}))
            with pytest.raises(rs.InputError, match=words):
                rs.load(path)
        path.write_text("{")
        with pytest.raises(rs.InputError, match="cannot be read"):
            rs.load(path)
        with pytest.raises(rs.InputError, match="there is no file"):
            rs.load(tmp_path / "absent.json")

    def test_no_row_is_in_the_file(self, tmp_path: Path) -> None:
        result = rs.evaluate(Y, MODELS, cluster=np.array([f"patient-{row}" for row in range(200)]))
        assert "patient-" not in result.save(tmp_path / "result.json").read_text()


class TestItsOwnPage:
    @pytest.mark.parametrize("form", ["html", "md", "json", "png", "svg"])
    def test_the_same_data_replace_their_page_and_no_other(
        self, tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Which file is whose is written beside the pictures, which are none here: drawing takes seconds."""
        monkeypatch.setattr("rocsteady._src.views.report.write.sheet", lambda *_: Figure())
        path = tmp_path / f"page.{form}"
        RESULT.report(path)
        RESULT.report(path, title="Another title")
        other = rs.evaluate(Y, {"boosted": -FIRST, "logistic": SECOND})
        with pytest.raises(rs.InputError, match="exists"):
            other.report(path)
        other.report(path, force=True)

    def test_a_strangers_file_stays(self, tmp_path: Path) -> None:
        path = tmp_path / "page.html"
        path.write_text("mine")
        with pytest.raises(rs.InputError, match="exists"):
            RESULT.report(path)
        assert path.read_text() == "mine"

    def test_every_kind_of_evaluation(self, tmp_path: Path) -> None:
        for name in ("groups", "folds", "classes"):
            path = tmp_path / f"{name}.md"
            RESULTS[name].report(path)
            RESULTS[name].report(path)
            with pytest.raises(rs.InputError, match="exists"):
                RESULT.report(path)


def test_no_result_dumps_its_fields() -> None:
    for result in RESULTS.values():
        told = repr(result)
        assert told.startswith(f"{type(result).__name__}(")
        assert "\n" not in told
        assert not [field.name for field in dataclasses.fields(result) if f"{field.name}=" in told]
