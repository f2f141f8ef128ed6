"""A model's outputs judged by rocsteady, under the names that MLflow gives such numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import quietly
from rocsteady._src.evaluation.evaluate import evaluate
from rocsteady._src.views.trackers.readings import scalars

if TYPE_CHECKING:
    from rocsteady._src.results.base import Result
    from rocsteady._src.views.trackers.mlflow_outputs import Outputs

NAMES = {
    "auc": "roc_auc",
    "average_precision": "precision_recall_auc",
    "accuracy": "accuracy_score",
    "recall": "recall_score",
    "precision": "precision_score",
    "f1": "f1_score",
}
ENDS = ("", "_low", "_high")
AT_THRESHOLD = ("recall", "specificity", "precision", "f1", "accuracy")
CALLED = ("recall", "precision", "f1", "accuracy")
OPTIONS = ("level", "n_resamples", "random_state", "auc_method", "cluster", "weight_type")


def judged(outputs: Outputs, config: dict[str, Any]) -> tuple[dict[str, float], Result]:
    """Metrics by name, and the result that the page and the pictures show."""
    how = {name: config[name] for name in OPTIONS if config.get(name) is not None}
    if config.get("sample_weights") is not None:
        how["sample_weight"] = config["sample_weights"]
    if outputs.several:
        return _several_classes(outputs, config, how)
    return _two_classes(outputs, config, how)


def renamed(found: dict[str, float], after: str = "") -> dict[str, float]:
    """Numbers under MLflow's names, which keep the model before them, and ``_low`` and ``_high`` at their end.

    Examples
    --------
    >>> renamed({"new/auc": 0.9, "new/auc_low": 0.8, "gini": 0.8})
    {'new/roc_auc': 0.9, 'new/roc_auc_low': 0.8, 'gini': 0.8}
    """
    told = {f"{name}{end}": f"{NAMES.get(name, name)}{after}{end}" for name in _stems(found) for end in ENDS}
    paths = {path: path.rpartition("/") for path in found}
    return {f"{before}{stroke}{told[name]}": found[path] for path, (before, stroke, name) in paths.items()}


def _stems(found: dict[str, float]) -> list[str]:
    names = [path.rpartition("/")[2] for path in found]
    ends = {f"{name}{end}" for name in names for end in ENDS[1:]}
    return [name for name in names if name not in ends]


def _two_classes(outputs: Outputs, config: dict[str, Any], how: dict[str, Any]) -> tuple[dict[str, float], Result]:
    positive = config.get("pos_label")
    positive = outputs.classes[-1] if positive is None else positive
    how = {**how, "intervals": True, "pos_label": positive}
    metrics, results = {"example_count": float(outputs.labels.size)}, []
    if outputs.scores is not None:
        found, result = _scored(outputs.labels, _of_positive(outputs, positive), config, how)
        metrics |= found
        results.append(result)
    if outputs.called is not None:
        found, result = _called(outputs.labels, np.asarray(outputs.called == positive), how)
        metrics |= found
        results.append(result)
    return metrics, results[0]


def _called(labels: Any, called: Any, how: dict[str, Any]) -> tuple[dict[str, float], Result]:
    """Measures of the classes that the model calls."""
    with quietly():  # calls are no scores, which is known here
        result = evaluate(labels, {"model": called.astype(float)}, measures=CALLED, threshold=1.0, **how)
    return {**_counts(labels == how["pos_label"], called), **renamed(_measured(result, CALLED))}, result


def _scored(labels: Any, scores: Any, config: dict[str, Any], how: dict[str, Any]) -> tuple[dict[str, float], Result]:
    """Measures of scores; those at a threshold are told apart from those of the classes that the model calls."""
    chances = bool(np.all((scores >= 0) & (scores <= 1)))
    plain = ["auc", "average_precision", *(["log_loss", "brier_score"] if chances else [])]
    more = [each for each in config.get("measures") or () if each not in plain]
    threshold = config.get("threshold", "youden")
    at = [] if threshold is None else list(AT_THRESHOLD)
    result = evaluate(labels, {"model": scores}, measures=[*plain, *more, *at], threshold=threshold, **how)
    found = renamed(_measured(result, [name for name in result.columns if name not in at]))
    if at:
        found |= {"threshold": result.thresholds["model"], **renamed(_measured(result, at), "_at_threshold")}
    return found, result


def _measured(result: Any, names: Any) -> dict[str, float]:
    wanted = {f"{name}{end}" for name in names for end in ENDS}
    return {name: value for name, value in scalars(result).items() if name in wanted}


def _of_positive(outputs: Outputs, positive: Any) -> Any:
    """The column of the positive class."""
    scores = outputs.scores
    if scores is None or scores.ndim == 1:
        return scores
    return scores[:, -1 if scores.shape[1] == 1 else outputs.classes.index(positive)]


def _counts(truth: Any, called: Any) -> dict[str, float]:
    """Rows, as MLflow counts them: without weights."""
    return {
        "true_negatives": float(np.sum(~truth & ~called)),
        "false_positives": float(np.sum(~truth & called)),
        "false_negatives": float(np.sum(truth & ~called)),
        "true_positives": float(np.sum(truth & called)),
    }


def _several_classes(outputs: Outputs, config: dict[str, Any], how: dict[str, Any]) -> tuple[dict[str, float], Result]:
    """Averages over classes, weighted by their rows unless ``average`` says otherwise, as in MLflow."""
    average = config.get("average", "weighted")
    names = {f"{average}_{name}": NAMES[name] for name in ("recall", "precision", "f1")}
    names |= {"accuracy": "accuracy_score"}
    truth: Any = outputs.labels
    if outputs.scores is not None:
        names |= {f"{average}_auc": "roc_auc", "log_loss": "log_loss"}
        measures = [*names, *(config.get("measures") or ())]
        result: Any = evaluate(truth, outputs.scores, classes=outputs.classes, measures=measures, **how)
        values = result.values
    else:
        values, result = _called_classes(truth, outputs.called, average, how)
    metrics = {"example_count": float(truth.size)}
    for name, value in values.items():
        ends = (value.estimate, value.low, value.high) if hasattr(value, "estimate") else (float(value),)
        metrics |= {f"{names.get(name, name)}{end}": float(at) for end, at in zip(ENDS, ends, strict=False)}
    return metrics, result


def _called_classes(truth: Any, called: Any, average: str, how: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    result: Any = evaluate(truth, called, **how)
    means = result.averages[average]
    return {
        "accuracy": result.accuracy,
        **{f"{average}_{name}": means[name] for name in ("recall", "precision", "f1")},
    }, result
