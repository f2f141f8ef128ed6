"""Trackers receive the numbers of a result; OpenMetrics text is read back by its own parser.

MLflow has a file of its own, tests/test_mlflow.py.
"""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case

LOANS = rs.examples.loans(300)
Y = LOANS["defaulted"]


def evaluation(**more: Any) -> rs.Evaluation:
    how = {"measures": ["auc", "f1"], "threshold": 0.2, "intervals": True, **more}
    return rs.evaluate(LOANS, label="defaulted", scores=["boosted", "logistic"], **how)


def hostile() -> rs.Evaluation:
    scores: Any = {'a"} 9\n# EOF': [0.9, 0.4, 0.5, 0.1], "b\\": [0.1, 0.4, 0.5, 0.1], "\ud800": [1, 2, 3, 4]}
    return rs.evaluate([1, 1, 0, 0], scores, measures=["auc", "partial_auc(fpr_range=(0, 0.5))"])


def gated() -> Any:
    how: dict[str, Any] = {
        "margin": 0.01,
        "goals": ["auc >= 0.5", "auc >= 0.5 with 90% confidence"],
        "by": np.arange(300) % 2,
    }
    return rs.gate(Y, LOANS["logistic"], LOANS["boosted"], **how)


RESULTS = {
    "evaluation": evaluation,
    "one model": lambda: evaluation()["boosted"],
    "comparison": lambda: evaluation().compare(),
    "comparisons": lambda: evaluation().compare(measures=["auc", "f1"]),
    "decision": lambda: evaluation().decide(),
    "groups": lambda: rs.evaluate(LOANS, label="defaulted", scores="boosted", by=np.arange(300) % 2),
    "folds": lambda: rs.evaluate(LOANS, label="defaulted", scores="boosted", fold=np.arange(300) % 3),
    "classes": lambda: rs.evaluate(np.arange(90) % 3, np.random.default_rng(0).dirichlet([1, 1, 1], 90)),
    "test": lambda: rs.compare_auc(Y, LOANS["boosted"], LOANS["logistic"]),
    "interval": lambda: rs.auc_interval(Y, LOANS["boosted"]),
    "threshold": lambda: rs.best_threshold(Y, LOANS["boosted"], rule="youden"),
    "infinite": lambda: rs.evaluate([1, 0, 0], [0.0, 0.5, 1.0], measures=["log_loss"]),
    "hostile names": hostile,
    "gate": gated,
    "condition": lambda: gated().conditions[0],
}


@each_case("name", list(RESULTS))
def test_prometheus_reads_every_number(name: str) -> None:
    parser = pytest.importorskip("prometheus_client.openmetrics.parser")
    result = RESULTS[name]()
    families = list(parser.text_string_to_metric_families(rs.trackers.openmetrics(result, labels={"release": 'v"1\\'})))
    gauges = [sample for family in families if family.type == "gauge" for sample in family.samples]
    read, given = [sample.value for sample in gauges], list(rs.trackers.scalars(result).values())
    assert np.array_equal(np.sort(read), np.sort(given), equal_nan=True)
    assert all(sample.labels["release"] == 'v"1\\' for sample in gauges)
    (info,) = [sample for family in families if family.type == "info" for sample in family.samples]
    assert info.labels["version"] == rs.__version__


def test_labels_say_whose_a_number_is() -> None:
    parser = pytest.importorskip("prometheus_client.openmetrics.parser")
    result = evaluation()
    families = {each.name: each for each in parser.text_string_to_metric_families(rs.trackers.openmetrics(result))}
    found = {sample.labels["model"]: sample.value for sample in families["rocsteady_auc_low"].samples}
    assert found == {model: result.intervals[model]["auc"].low for model in ("boosted", "logistic")}
    (info,) = families["rocsteady"].samples
    assert (info.labels["pos_label"], info.labels["n_rows"]) == ("1", "300")
    pair = rs.trackers.openmetrics(result.compare())
    assert 'rocsteady_difference_low{measure="AUC",first="boosted",second="logistic"}' in pair


def test_a_file_for_prometheus_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "model.prom"
    path.write_text("old")
    assert rs.trackers.openmetrics(evaluation(), path) == path.read_text()
    assert [each.name for each in tmp_path.iterdir()] == ["model.prom"]


def test_scalars_are_named_by_model_group_fold_and_pair() -> None:
    result = evaluation()
    flat = rs.trackers.scalars(result, prefix="val/")
    assert flat["val/boosted/auc_high"] == result.intervals["boosted"]["auc"].high
    assert rs.trackers.scalars(result["boosted"])["auc"] == result["auc"]["boosted"]
    pair = rs.trackers.scalars(result.compare())
    assert pair["AUC/boosted - logistic/difference"] == result.compare().pairs[0].test.estimate
    assert "fold 0/auc_low" in rs.trackers.scalars(RESULTS["folds"]())
    assert "group 1/auc" in rs.trackers.scalars(RESULTS["groups"]())
    classes = RESULTS["classes"]()
    assert rs.trackers.scalars(classes)["macro_auc_low"] == classes.values["macro_auc"].low
    gate = gated()
    flat = rs.trackers.scalars(gate)
    assert flat["auc > baseline - 0.01, by 1/estimate_low"] == gate.conditions[2].low
    assert (flat["passed"], flat["failed"], flat["auc >= 0.5/passed"]) == (float(gate.passed), 0, 1)
    one = rs.evaluate([1, 1], [0.2, 0.1], measures=["auc"])
    assert math.isnan(rs.trackers.scalars(one)["auc"])


@each_case(
    ("call", "told"),
    [
        (lambda: rs.trackers.scalars({"auc": 1}), "take what rocsteady gives back, such as an evaluation; got dict"),
        (lambda: rs.trackers.scalars(rs.roc_curve(Y, LOANS["boosted"])), "points and no number; log its picture"),
        (lambda: rs.trackers.openmetrics(evaluation(), prefix="a-b"), "prefix must be a name of letters"),
        (lambda: rs.trackers.openmetrics(evaluation(), labels={"a b": 1}), "labels must be names of letters"),
        (lambda: rs.trackers.openmetrics(evaluation(), labels={"model": "x"}), "label 'model' is 'boosted'"),
        (lambda: rs.trackers.openmetrics(_alike()), "more than one number would be called 'rocsteady_top_5"),
    ],
)
def test_what_cannot_be_logged_is_refused(call: Any, told: str) -> None:
    with pytest.raises(rs.RocsteadyError, match=told):
        call()


def _alike() -> rs.Evaluation:
    """Two measures whose names differ in what no name of a gauge may hold."""
    shares = {"top-5": 5, "top_5": 6}
    measures = [lambda y, s, k=k: float(k) for k in shares.values()]
    for measure, name in zip(measures, shares, strict=True):
        measure.__name__ = name
    return rs.evaluate(Y, LOANS["boosted"], measures=measures)


MISSING = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "mlflow":
            raise ImportError(name)
sys.meta_path.insert(0, Hidden())
import rocsteady as rs
found = rs.proportion_interval(8, 10)
try:
    rs.trackers.log_mlflow(found)
except rs.errors.MissingDependencyError as error:
    print(error)
print(len(rs.trackers.openmetrics(found)) > 100, len(rs.trackers.scalars(found)))
"""


def test_each_tracker_is_asked_for_with_its_command() -> None:
    shown = subprocess.run([sys.executable, "-c", MISSING], capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines() == [
        'logging to MLflow needs mlflow: pip install "rocsteady[mlflow]"',
        "True 5",
    ]
