"""MLflow finds the evaluator by its entry point, and a local store keeps what it logs.

MLflow's own evaluator is the second witness: every number that both name is the same.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.views.trackers.mlflow_outputs import read_outputs
from rocsteady._src.views.trackers.mlflow_values import judged

ROOT = Path(__file__).parent.parent
GROUP = "mlflow.model_evaluator"
QUIET = {
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_ENABLE_SYSTEM_METRICS_LOGGING": "false",
    "GIT_PYTHON_REFRESH": "quiet",
    "MLFLOW_ALLOW_FILE_STORE": "true",  # tables of a database take seconds to make
}
IGNORED = (UserWarning, DeprecationWarning, ResourceWarning, ImportWarning)  # of MLflow and what it loads
pytestmark = pytest.mark.filterwarnings(*(f"ignore::{each.__name__}" for each in IGNORED))
RNG = np.random.default_rng(5)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """MLflow with a store of its own, in files, for all tests."""
    folder = tmp_path_factory.mktemp("mlflow")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in QUIET.items():
            patch.setenv(name, value)
        _announce(folder, patch)
        mlflow = pytest.importorskip("mlflow", reason="MLflow is absent: pip install 'rocsteady[mlflow]'")
        patch.chdir(folder)
        mlflow.set_tracking_uri((folder / "runs").as_uri())
        mlflow.create_experiment("rocsteady", artifact_location=(folder / "kept").as_uri())
        mlflow.set_experiment("rocsteady")
        yield mlflow
        mlflow.set_tracking_uri(None)
        hooks = [each for each in sys.meta_path if type(each).__module__.startswith("mlflow")]
        for hook in hooks:  # which would warn in tests of others, of every package they watch for
            sys.meta_path.remove(hook)


def _announce(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """The entry point of pyproject.toml, where the package was installed before it had one."""
    if any(each.name == "rocsteady" for each in entry_points(group=GROUP)):
        return
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"][GROUP]
    about = folder / "announced" / "announced-0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: announced\nVersion: 0\n")
    (about / "entry_points.txt").write_text(f"[{GROUP}]\nrocsteady = {declared['rocsteady']}\n")
    patch.syspath_prepend(str(about.parent))


def table(n_rows: int = 240) -> Any:
    pd = pytest.importorskip("pandas")
    y = RNG.integers(0, 2, n_rows)
    features = y[:, None] + RNG.normal(size=(n_rows, 2))
    return pd.DataFrame({"a": features[:, 0], "b": features[:, 1], "ill": np.where(y == 1, "yes", "no")})


@pytest.fixture(scope="module")
def model(store: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A classifier as MLflow saves it."""
    linear = pytest.importorskip("sklearn.linear_model")
    data, path = table(), tmp_path_factory.mktemp("model") / "saved"
    fitted = linear.LogisticRegression().fit(data[["a", "b"]], data["ill"])
    store.sklearn.save_model(fitted, path, serialization_format="cloudpickle", pip_requirements=[])
    return str(path)


def test_numbers_that_mlflow_names_too_are_the_same_and_have_intervals(store: Any, model: str) -> None:
    data = table()
    asked = {"targets": "ill", "model_type": "classifier"}
    theirs = store.models.evaluate(
        model, data, evaluators="default", evaluator_config={"log_model_explainability": False}, **asked
    )
    with store.start_run() as run:
        ours = store.models.evaluate(model, data, evaluators="rocsteady", **asked)
    shared = theirs.metrics.keys() - {"score"}  # which is scikit-learn's word for accuracy
    assert shared <= ours.metrics.keys()
    for name in shared:
        assert ours.metrics[name] == pytest.approx(theirs.metrics[name], rel=1e-12), name
    counts = {"example_count", "true_positives", "false_positives", "true_negatives", "false_negatives"}
    for name in {*shared, "brier_score", "f1_score_at_threshold", "recall_score_at_threshold"} - counts:
        assert ours.metrics[f"{name}_low"] < ours.metrics[name] < ours.metrics[f"{name}_high"], name
    kept = store.MlflowClient().get_run(run.info.run_id).data
    assert kept.metrics == pytest.approx(ours.metrics)
    assert (kept.tags["rocsteady.pos_label"], kept.tags["rocsteady.n_rows"]) == ("yes", "240")
    files = {each.path for each in store.MlflowClient().list_artifacts(run.info.run_id)}
    assert files == {
        "rocsteady_report.html",
        "rocsteady_roc_curve_plot.png",
        "rocsteady_precision_recall_curve_plot.png",
        "rocsteady_calibration_curve_plot.png",
    }
    assert "<html" in ours.artifacts["rocsteady_report"].content
    assert ours.artifacts["rocsteady_roc_curve_plot"].content.size[0] > 300


def test_scores_in_a_column_are_judged_as_evaluate_does(store: Any) -> None:
    data = table()[["a", "ill"]]
    config = {"pos_label": "yes", "threshold": 0.5, "measures": ["partial_auc(fpr_range=(0, 0.2))"], "report": False}
    config |= {"plots": False, "level": 0.9, "metric_prefix": "val_"}
    found = store.models.evaluate(
        data=data,
        targets="ill",
        predictions="a",
        model_type="classifier",
        evaluators="rocsteady",
        evaluator_config=config,
    ).metrics
    own = rs.evaluate(data, label="ill", scores="a", pos_label="yes", threshold=0.5, level=0.9, intervals=True)
    assert found["val_roc_auc"] == own["auc"]
    assert found["val_roc_auc_low"] == own.intervals["a"]["auc"].low
    assert found["val_threshold"] == 0.5
    assert "val_partial_auc_fpr_range_0_0.2" in found
    assert not {"val_log_loss", "val_recall_score"} & found.keys()  # neither probabilities nor called classes


def test_a_result_in_hand_goes_to_the_active_run(store: Any) -> None:
    result = rs.evaluate([1, 1, 0, 0], {"a": [0.9, 0.4, 0.5, 0.1], "b": [4, 3, 2, 1]}, measures=["auc"])
    with store.start_run() as run:
        logged = rs.trackers.log_mlflow(result, report=False)
    assert logged == {"a/roc_auc": 0.75, "b/roc_auc": 1.0, "n_pos": 2.0, "n_neg": 2.0}
    assert store.MlflowClient().get_run(run.info.run_id).data.metrics == logged
    again = rs.trackers.log_mlflow(result.compare(), run_id=run.info.run_id, prefix="pair_", report=False, plots=False)
    assert "pair_AUC/a - b/difference_low" in again
    gate = rs.gate(np.arange(40) % 2, np.arange(40) % 3, np.arange(40) % 5, margin=0.01, goals="auc >= 0.8")
    told = rs.trackers.log_mlflow(gate, run_id=run.info.run_id, plots=False)
    assert told["auc above baseline - 0.01/estimate_low"] == gate.conditions[0].low
    assert {"auc at least 0.8/passed", "passed", "failed"} <= told.keys()
    both = rs.evaluate([1, 0], {"a+b": [2, 1], "a*b": [2, 1]}, measures=["auc"])
    with pytest.raises(
        rs.ArgumentError, match=r"'a[+]b/roc_auc' and 'a[*]b/roc_auc' would both be called 'a_b/roc_auc'"
    ):
        rs.trackers.log_mlflow(both, run_id=run.info.run_id)


class Raw:
    """A model inside a model of MLflow."""

    def __init__(self, chances: Any, classes: list[Any]) -> None:
        self.chances, self.classes_ = np.asarray(chances), np.asarray(classes)

    def predict_proba(self, _features: Any) -> Any:
        return self.chances

    def predict(self, _features: Any) -> Any:
        return self.classes_[self.chances.argmax(axis=1)]

    def get_raw_model(self) -> Raw:
        return self


def dataset(labels: Any, predictions: Any = None) -> Any:
    return SimpleNamespace(labels_data=np.asarray(labels), predictions_data=predictions, features_data=None)


def test_more_than_two_classes_as_mlflow_averages_them(store: Any) -> None:
    classifier = sys.modules["mlflow.models.evaluation.evaluators.classifier"]
    assert store.models.list_evaluators()[-1] == "rocsteady"
    y, chances = np.arange(120) % 3, RNG.dirichlet([1, 2, 3], 120)
    raw = Raw(chances, [0, 1, 2])
    weights = RNG.random(120)
    for average in ("weighted", "macro"):
        for weight in (None, weights):
            config = {"average": average, "sample_weights": weight}
            found, _ = judged(read_outputs(raw, dataset(y), None, config), config)
            theirs = classifier._get_multiclass_classifier_metrics(
                y_true=y,
                y_pred=raw.predict(None),
                y_proba=chances,
                labels=[0, 1, 2],
                average=average,
                sample_weights=weight,
            )
            for name, value in theirs.items():
                assert found[name] == pytest.approx(value, rel=1e-12), (average, name)
            assert found["roc_auc_low"] < found["roc_auc"] < found["roc_auc_high"]
    called, _ = judged(read_outputs(None, dataset(y, raw.predict(None)), None, {}), {})
    assert called["f1_score"] == pytest.approx(theirs_f1(y, raw.predict(None)), rel=1e-12)
    assert called["accuracy_score_low"] < called["accuracy_score"]


def theirs_f1(y: Any, called: Any) -> float:
    metrics = pytest.importorskip("sklearn.metrics")
    return float(metrics.f1_score(y, called, average="weighted"))


def test_the_positive_class_has_its_own_column() -> None:
    chances = np.array([[0.1, 0.9], [0.6, 0.4], [0.5, 0.5], [0.9, 0.1]])
    for positive, scores in (("a", chances[:, 0]), ("b", chances[:, 1])):
        config = {"pos_label": positive}
        outputs = read_outputs(Raw(chances, ["a", "b"]), dataset(["b", "b", "a", "a"]), None, config)
        found, shown = judged(outputs, config)
        assert found["roc_auc"] == rs.auc(["b", "b", "a", "a"], scores, pos_label=positive)
        assert shown.origin.pos_label == positive
        assert found["true_positives"] == np.sum((outputs.labels == positive) & (outputs.called == positive))


@each_case(
    ("model", "data", "config", "told"),
    [
        (None, dataset([0, 1, 2], np.array([0.5, 0.1, 0.2])), {}, "one column of scores for 3 classes"),
        (Raw([[1, 0]], [0, 1]), dataset([0, 1]), {"pos_label": 7}, "pos_label 7 is no class; they are 0, 1"),
        (None, dataset([0, 1], np.ones((2, 3))), {}, "3 columns of scores for 2 classes, 0, 1; name them all"),
        (None, dataset([0.0, np.nan], np.ones(2)), {}, "targets: 1 labels are missing"),
        (
            SimpleNamespace(predict=lambda _: rs.roc_curve([1, 0], [2, 1]).to_frame()),
            dataset([0, 1]),
            {},
            "no column 'p'",
        ),
    ],
)
def test_outputs_that_cannot_be_read_are_refused(model: Any, data: Any, config: dict[str, Any], told: str) -> None:
    with pytest.raises(rs.InputError, match=told):
        read_outputs(model, data, "p", config)


def test_only_classifiers_are_taken_and_unknown_options_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from rocsteady._src.views.trackers import mlflow_evaluator

    evaluator, told = mlflow_evaluator.MlflowEvaluator, []
    assert evaluator.can_evaluate(model_type="classifier", evaluator_config={})
    assert not evaluator.can_evaluate(model_type="regressor", evaluator_config=None)
    monkeypatch.setattr(mlflow_evaluator._logger, "warning", lambda words, *rest: told.append(words % rest))
    mlflow_evaluator._warn_of_strangers({"treshold": 1, "log_model_explainability": False, "level": 0.9}, None, None)
    mlflow_evaluator._warn_of_strangers({}, [1], None)
    assert [each[:52] for each in told] == [
        "the rocsteady evaluator knows no option 'treshold'; ",
        "extra_metrics and custom_artifacts are made by MLflo",
    ]
