"""What a model that MLflow evaluates has said of each row: scores, called classes, or both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocsteady._src.base.errors import InputError, some_values
from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.arrays import read_column

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


class Outputs(NamedTuple):
    """Labels; classes that were called, if any; scores of the rows, one column or one per class, if any."""

    labels: Array
    called: Array | None
    scores: Array | None
    classes: tuple[Any, ...]

    @property
    def several(self) -> bool:
        """Whether there are more than two classes."""
        return len(self.classes) > 2


def read_outputs(model: Any, dataset: Any, column: str | None, config: dict[str, Any]) -> Outputs:
    """Ask the model, or read the column of its predictions where there is no model."""
    labels, gap = read_column(dataset.labels_data, "targets")
    if gap is not None:
        raise InputError("missing_values", f"targets: {int(gap.sum())} labels are missing; drop those rows first")
    given = dataset.predictions_data if model is None else _predicted(model, dataset.features_data, column)
    scores, known = _probabilities(model, dataset.features_data)
    called: Array | None = np.asarray(given)
    if scores is None and _are_scores(np.asarray(given), labels, config):
        called, scores = None, called
    classes = _classes(labels, called, known, config)
    _check_columns(scores, classes)
    return Outputs(labels, called, scores, classes)


def _predicted(model: Any, features: Any, column: str | None) -> Any:
    said = model.predict(features)
    if hasattr(said, "columns"):  # a frame: the column asked for, the only one, or one per class
        names = list(said.columns)
        if column is not None and column not in names:
            raise InputError(
                "column_absent", f"the model's output has no column {column!r}; it has {some_values(names)}"
            )
        said = said[column] if column is not None else (said[names[0]] if len(names) == 1 else said)
    return np.asarray(said)


def _probabilities(model: Any, features: Any) -> tuple[Array | None, tuple[Any, ...] | None]:
    """``predict_proba`` of the model inside, where it has one, with the classes of its columns."""
    inside = getattr(model, "get_raw_model", None)
    raw = None if inside is None else inside()
    ask = getattr(raw, "predict_proba", None)
    if ask is None:
        return None, None
    known = getattr(raw, "classes_", None)
    return np.asarray(ask(features)), None if known is None else tuple(np.asarray(known).tolist())


def _are_scores(said: Array, labels: Array, config: dict[str, Any]) -> bool:
    """Numbers, or columns of numbers, that are not all labels: labels would be classes that were called."""
    if said.ndim == 2:
        return True
    known = set(np.unique(labels).tolist()) | set(config.get("label_list") or ())
    return said.dtype.kind in "fiu" and not set(np.unique(said).tolist()) <= known


def _classes(labels: Array, called: Array | None, known: Any, config: dict[str, Any]) -> tuple[Any, ...]:
    """All classes, in the order of columns of scores; of two, the positive one last."""
    asked, positive = config.get("label_list"), config.get("pos_label")
    if known is not None:
        found = tuple(known)
    elif asked is not None:
        found = tuple(np.unique(np.asarray(asked)).tolist())
    else:
        found = tuple(np.unique(labels if called is None else np.concatenate([labels, called])).tolist())
    if positive is not None and positive not in found:
        raise InputError("pos_label", f"pos_label {positive!r} is no class; they are {some_values(found)}")
    return found


def _check_columns(scores: Array | None, classes: tuple[Any, ...]) -> None:
    if scores is not None and scores.ndim == 2 and scores.shape[1] not in (1, len(classes)):
        text = f"{scores.shape[1]} columns of scores for {format_count(len(classes))} classes, {some_values(classes)}"
        raise InputError("columns_of_classes", f"{text}; name them all as label_list in evaluator_config")
    if scores is not None and scores.ndim == 1 and len(classes) > 2:
        text = f"one column of scores for {format_count(len(classes))} classes, {some_values(classes)}"
        raise InputError("columns_of_classes", f"{text}; the model must give a score for each class")
