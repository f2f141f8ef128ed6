"""Trackers are given what a result says: OpenMetrics text, TensorBoard's event files, runs of Weights & Biases.

Each is read back by its own reader; MLflow has a file of its own, tests/test_mlflow.py.
"""

from __future__ import annotations

import math
import struct
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
        (lambda: rs.trackers.log_wandb(rs.proportion_interval(1, 2)), "no active run; call wandb.init"),
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


def test_what_is_no_report_of_skore_is_refused() -> None:
    """The real one is tried by ``make extras``."""
    with pytest.raises(rs.ArgumentError, match=r"has metrics\.add, and a dict has not"):
        rs.trackers.add_to_skore({})


MISSING = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"mlflow", "wandb", "tensorboard"}:
            raise ImportError(name)
sys.meta_path.insert(0, Hidden())
import rocsteady as rs
found = rs.proportion_interval(8, 10)
for name, rest in (("mlflow", ()), ("wandb", ()), ("tensorboard", ("x",))):
    try:
        getattr(rs.trackers, f"log_{name}")(found, *rest)
    except rs.errors.MissingDependencyError as error:
        print(error)
print(len(rs.trackers.openmetrics(found)) > 100, len(rs.trackers.scalars(found)))
"""


def test_each_tracker_is_asked_for_with_its_command() -> None:
    shown = subprocess.run([sys.executable, "-c", MISSING], capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines() == [
        'logging to MLflow needs mlflow: pip install "rocsteady[mlflow]"',
        'logging to Weights & Biases needs wandb: pip install "rocsteady[wandb]"',
        'logging to TensorBoard needs tensorboard: pip install "rocsteady[tensorboard]"',
        "True 5",
    ]


def test_tensorboard_draws_the_intervals_as_bands(tmp_path: Path) -> None:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    from tensorboard.plugins.custom_scalar import layout_pb2
    from tensorboard.util import tensor_util

    for step, n_rows in ((1, 100), (2, 300)):
        part = rs.evaluate(Y[:n_rows], LOANS["boosted"][:n_rows], measures=["auc"], intervals=True)
        written = rs.trackers.log_tensorboard(part, tmp_path / "run", step=step, prefix="val/")
    read = accumulator.EventAccumulator(str(tmp_path / "run"))
    read.Reload()
    for name, value in written.items():
        events = read.Tensors(name)
        assert [event.step for event in events] == [1, 2]
        assert tensor_util.make_ndarray(events[-1].tensor_proto) == np.float32(value)
    assert read.SummaryMetadata("val/auc").plugin_data.plugin_name == "scalars"
    config = tensor_util.make_ndarray(read.Tensors("custom_scalars__config__")[0].tensor_proto).item()
    (chart,) = layout_pb2.Layout.FromString(config).category[0].chart
    (band,) = chart.margin.series
    assert (band.value, band.lower, band.upper) == ("val/auc", "val/auc_low", "val/auc_high")


def test_weights_and_biases_keeps_numbers_page_and_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"WANDB_SILENT": "true", "WANDB_ERROR_REPORTING": "false", "WANDB_MODE": "offline"}.items():
        monkeypatch.setenv(name, value)
    wandb = pytest.importorskip("wandb")
    result = evaluation()
    with wandb.init(mode="offline", project="rocsteady", dir=str(tmp_path)) as run:
        logged = rs.trackers.log_wandb(result, run, step=3, prefix="val/")
    wandb.teardown()  # its process has then written all
    (file,) = tmp_path.rglob("*.wandb")
    history = {key: value for record in records(file) for key, value in record}
    assert {name: history[name] for name in logged} == logged
    assert logged["val/boosted/auc_low"] == result.intervals["boosted"]["auc"].low
    assert history["_step"] == 3
    assert history["val/report/_type"] == "html-file"
    (page,) = tmp_path.rglob("*.html")
    assert "<html" in page.read_text(encoding="utf-8")
    assert len(list(tmp_path.rglob("*.png"))) == 3


def records(file: Path) -> list[list[tuple[str, Any]]]:
    """What a run's file holds of its history: a log of checked pieces in blocks of 32 KiB, after 7 bytes."""
    import json

    from wandb.proto import wandb_internal_pb2

    data, place, whole, found = file.read_bytes(), 7, b"", []
    while place + 7 <= len(data):
        if (left := 32768 - place % 32768) < 7:
            place += left
            continue
        _, length, kind = struct.unpack("<IHB", data[place : place + 7])
        whole += data[place + 7 : place + 7 + length]
        place += 7 + length
        if kind in (1, 4):  # whole, or the last piece
            record, whole = wandb_internal_pb2.Record.FromString(whole), b""
            if record.WhichOneof("record_type") == "history":
                items = record.history.item
                found.append([(each.key or "/".join(each.nested_key), json.loads(each.value_json)) for each in items])
    return found
