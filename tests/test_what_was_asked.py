"""What was asked for is shown: measures and thresholds of folds and groups, repeats, models that give probabilities."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import rocsteady as rs
from rocsteady._src.views.cli.app import app

RNG = np.random.default_rng(6)
N = 90
Y = RNG.integers(0, 2, N)
TABLE = {
    "y": Y,
    "p": 1 / (1 + np.exp(-(Y + RNG.normal(size=N)))),
    "raw": Y + RNG.normal(size=N),
    "fold": np.arange(N) % 3,
    "site": np.array(["b", "a"])[np.arange(N) % 2],
    "sex": np.array(["m", "f", "f"])[np.arange(N) % 3],
    "w": RNG.integers(20, 90, N),
}
ASKED: dict[str, Any] = {
    "label": "y",
    "scores": ["p", "raw"],
    "measures": ["accuracy", "ks_statistic"],
    "threshold": 0.4,
}


def value_of(found: rs.Evaluation, model: str, measure: str) -> float:
    return next(each["measures"][measure] for each in found.to_dict()["models"] if each["model"] == model)


def folds_by_hand(model: str, measure: str) -> list[float]:
    found = []
    for fold in range(3):
        part = {name: column[TABLE["fold"] == fold] for name, column in TABLE.items()}
        found.append(value_of(rs.evaluate(part, **ASKED), model, measure))
    return found


class TestFolds:
    found = rs.evaluate(TABLE, fold="fold", n_resamples=50, **ASKED)

    def test_values_of_every_fold_their_mean_and_all_rows(self) -> None:
        measured = self.found.to_dict()["measures"]
        pooled = rs.evaluate(TABLE, **ASKED)
        for model in ("p", "raw"):
            for measure in ("accuracy", "ks_statistic"):
                by_hand = folds_by_hand(model, measure)
                assert list(measured[model][measure]["folds"].values()) == by_hand
                assert measured[model][measure]["mean"] == pytest.approx(np.mean(by_hand), abs=1e-15)
                assert measured[model][measure]["pooled"] == value_of(pooled, model, measure)

    def test_text_frame_page_and_json_show_them(self, tmp_path: Path) -> None:
        value = f"{folds_by_hand('p', 'ks_statistic')[1]:.4f}"
        assert value in str(self.found)
        frame = self.found.to_frame("pandas")
        assert frame["accuracy"].tolist() == [*folds_by_hand("p", "accuracy"), *folds_by_hand("raw", "accuracy")]
        for ending in (".md", ".html", ".json"):
            path = self.found.report(tmp_path / f"page{ending}")
            text = Path(path).read_text()
            assert "Measures of each fold" in text or "fold-measures" in text
            assert value in text or ending == ".json"

    def test_nothing_asked_the_default_measures(self) -> None:
        plain = rs.evaluate(TABLE, label="y", scores="p", fold="fold", intervals=False)
        assert list(plain.to_dict()["measures"]["p"]) == list(rs.evaluate(TABLE, label="y", scores="p").columns)

    def test_a_rule_is_applied_to_all_rows_once(self) -> None:
        found = rs.evaluate(TABLE, label="y", scores="p", fold="fold", threshold="youden", measures=["recall"])
        at = found.overall.thresholds["p"]
        here = TABLE["fold"] == 0
        expected = rs.recall(Y[here], TABLE["p"][here], threshold=at)
        assert found.to_dict()["measures"]["p"]["recall"]["folds"]["0"] == expected


def test_pages_of_groups_show_the_measures_and_thresholds(tmp_path: Path) -> None:
    found = rs.evaluate(TABLE, by="site", n_resamples=50, **ASKED)
    text = found.report(tmp_path / "groups.md").read_text()
    assert "Measures by site" in text
    for group in ("a", "b"):
        low, high = found[group].intervals["p"]["accuracy"]
        assert f"{value_of(found[group], 'p', 'accuracy'):.4f} [{low:.4f}, {high:.4f}]" in text


def test_one_model_without_probabilities_leaves_the_others_alone(tmp_path: Path) -> None:
    both = rs.evaluate(TABLE, label="y", scores=["p", "raw"], measures=["auc"])
    page = json.loads(both.report(tmp_path / "page.json").read_text())
    shown = json.dumps(page)
    assert "Calibration and decision curve leave out raw" in shown
    html = both.report(tmp_path / "page.html").read_text()
    assert "Decision curve" in html
    assert "Calibration" in html
    alone = rs.evaluate(TABLE, label="y", scores=["p"], measures=["auc"]).report(tmp_path / "alone.html").read_text()
    assert "leave out" not in alone


def repeated() -> pd.DataFrame:
    rng = np.random.default_rng(2)
    parts = [
        pd.DataFrame({"y": Y, "p": TABLE["p"] * 0.9 + 0.05 * rng.random(N), "row": np.arange(N), "repeat": turn})
        for turn in range(2)
    ]
    return pd.concat([part.assign(fold=rng.permutation(N) % 3) for part in parts], ignore_index=True)


class TestRepeats:
    def test_folds_of_repeats_are_not_merged(self) -> None:
        table = repeated()
        with pytest.raises(rs.ArgumentError, match="would be merged: pass repeat='repeat'"):
            rs.evaluate(table, label="y", scores="p", fold="fold")
        found = rs.evaluate(table, label="y", scores="p", fold="fold", repeat="repeat", id="row", measures=["auc"])
        known = rs.crossval_evaluate(
            table["y"], table["p"], fold=table["fold"], repeat=table["repeat"], id=table["row"]
        )
        assert len(found["p"].folds) == 6
        assert (found["p"].mean.estimate, found["p"].mean.se) == (known.mean.estimate, known.mean.se)
        clustered = rs.auc_interval(table["y"], table["p"], cluster=table["row"])
        assert found.overall.intervals["p"]["auc"].se == clustered.se

    def test_what_is_lacking_is_named(self) -> None:
        table = repeated()
        with pytest.raises(rs.ArgumentError, match="id="):
            rs.evaluate(table, label="y", scores="p", fold="fold", repeat="repeat")
        with pytest.raises(rs.ArgumentError, match="fold="):
            rs.evaluate(table, label="y", scores="p", repeat="repeat", id="row")


class TestCrossvalScores:
    def scored(self, cv: Any, **options: Any) -> tuple[Any, np.ndarray]:
        linear = pytest.importorskip("sklearn.linear_model")
        x = np.column_stack([TABLE["raw"], RNG.normal(size=N)])
        return rs.crossval_scores(linear.LogisticRegression(), x, Y, cv=cv, **options), x

    def test_scores_of_one_repeat_stand_in_the_order_of_the_rows(self) -> None:
        model_selection = pytest.importorskip("sklearn.model_selection")
        linear = pytest.importorskip("sklearn.linear_model")
        cv = model_selection.StratifiedKFold(5, shuffle=True, random_state=1)
        found, x = self.scored(cv)
        theirs = model_selection.cross_val_predict(linear.LogisticRegression(), x, Y, cv=cv, method="predict_proba")
        assert found.y_score == pytest.approx(theirs[:, 1], abs=1e-12)
        assert found.y_true.tolist() == Y.tolist()
        assert rs.auc(Y, found.y_score) == pytest.approx(rs.crossval_evaluate(found).pooled.estimate, abs=1e-15)

    def test_scores_of_repeats_and_of_some_rows_are_refused_beside_other_labels(self) -> None:
        model_selection = pytest.importorskip("sklearn.model_selection")
        halves = model_selection.ShuffleSplit(2, test_size=0.5, random_state=3)
        found, _ = self.scored(halves, unscored="leave_out")
        assert found.y_score.size == N
        with pytest.raises(rs.InputError, match="comes from crossval_scores"):
            rs.auc(Y, found.y_score)
        own = rs.auc(found.y_true, found.y_score)
        assert own == rs.auc(np.asarray(found.y_true), np.asarray(found.y_score))
        repeats, _ = self.scored(model_selection.RepeatedKFold(n_splits=3, n_repeats=2, random_state=1))
        with pytest.raises(rs.InputError):
            rs.auc(Y, repeats.y_score)
        assert rs.crossval_auc(repeats).estimate > 0.5
        plain = {"fold": repeats.fold, "repeat": repeats.repeat, "id": repeats.row}
        assert tuple(rs.crossval_auc(repeats.y_true, repeats.y_score, **plain)) == tuple(rs.crossval_auc(repeats))


class TestCommandLine:
    def run(self, tmp_path: Path, *options: str, table: Any = None) -> str:
        path = tmp_path / "table.csv"
        pd.DataFrame(TABLE if table is None else table).to_csv(path, index=False)
        found = CliRunner().invoke(app, ["evaluate", str(path), "--label", "y", "--score", "p", *options])
        return found.output + (str(found.exception) if found.exception else "")

    def test_weights(self, tmp_path: Path) -> None:
        common = ("--weight", "w", "--measure", "auc", "--format", "json")
        for kind in (None, "sampling", "frequency"):
            options = () if kind is None else ("--weight-type", kind)
            interval = json.loads(self.run(tmp_path, *common, *options))["models"][0]["intervals"]["auc"]
            known = rs.auc_interval(Y, TABLE["p"], sample_weight=TABLE["w"], weight_type=kind)
            assert interval["low"] == pytest.approx(known.low, rel=1e-9)
        assert "--weight-type frequency" in self.run(tmp_path, "--weight", "w", "--measure", "auc")
        assert "not given" in self.run(tmp_path, "--weight-type", "frequency")

    def test_groups_of_two_columns_and_measures_of_folds(self, tmp_path: Path) -> None:
        assert "site=a, sex=f" in self.run(tmp_path, "--by", "site", "--by", "sex", "--measure", "auc")
        shown = self.run(tmp_path, "--fold", "fold", "--measure", "accuracy", "--threshold", "0.4", "--no-intervals")
        assert "nothing" in shown or "accuracy" in shown
        csv = self.run(tmp_path, "--fold", "fold", "--measure", "accuracy", "--threshold", "0.4", "--format", "csv")
        assert "accuracy" in csv.splitlines()[0]

    def test_repeats(self, tmp_path: Path) -> None:
        options = ("--fold", "fold", "--measure", "auc")
        assert "pass repeat='repeat'" in self.run(tmp_path, *options, table=repeated())
        shown = self.run(tmp_path, *options, "--repeat", "repeat", "--id", "row", "--format", "json", table=repeated())
        assert len(json.loads(shown)["models"][0]["folds"]) == 6
