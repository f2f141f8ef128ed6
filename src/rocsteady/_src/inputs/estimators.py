"""Fitted classifiers, as scikit-learn has them: their names, their classes, and the scores they give to rows.

Nothing of scikit-learn is needed for it: whatever has ``classes_`` and ``predict_proba`` or ``decision_function``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, some_values
from rocsteady._src.base.near_names import holds_models
from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.given_models import RETURNED, is_cross_validated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Array = NDArray[Any]

RESPONSES = ("predict_proba", "decision_function")
KEPT_ROWS = ("_fit_X", "X_train_", "X_fit_")  # where estimators that answer from their rows keep them


def named_estimators(models: Any) -> dict[str, Any]:
    """Estimators by name: of a mapping, or of a list or one alone by their class."""
    if isinstance(models, Mapping):
        if not models:
            raise ArgumentError("no_models", "no estimators were given: pass at least one, by name")
        odd = [name for name in models if not isinstance(name, str)]
        if odd:
            raise ArgumentError("names", f"models are called by text, and these are not: {some_values(odd)}")
        return dict(models)
    several = list(models) if isinstance(models, (list, tuple)) else [models]
    if several and all(isinstance(each, tuple) and len(each) == 2 and isinstance(each[0], str) for each in several):
        return dict(several)  # as the steps of a pipeline are written
    kinds = [type(each).__name__ for each in several]
    again = {kind for kind, count in Counter(kinds).items() if count > 1}
    seen: Counter[str] = Counter()
    named = {}
    for kind, each in zip(kinds, several, strict=True):
        seen[kind] += 1
        named[f"{kind} {seen[kind]}" if kind in again else kind] = each
    return named_estimators(named)


def refuse_other_order(function: str, models: Any, rows: Any, labels: Any) -> None:
    """Models come first, then features, then labels; another order is answered with the line."""
    line = f"rs.{function}(models, X, y)"
    if function == "evaluate_estimators" and is_cross_validated(models):
        raise ArgumentError("models_given", RETURNED)
    if not holds_models(models) and (holds_models(rows) or holds_models(labels)):
        raise ArgumentError("order", f"the models come first: {line}")
    if np.ndim(rows) == 1 and np.ndim(labels) == 2 and not isinstance(rows, (list, tuple)):
        raise ArgumentError("order", f"X has one column and y {format_count(np.shape(labels)[1])}: {line}")


def are_several(labels: Any) -> bool:
    """Whether rows have several labels, a column for each."""
    return np.ndim(labels) == 2 and np.shape(labels)[1] > 1


def response_of(estimator: Any, asked: str | None = None) -> str:
    """The method that scores rows: the first of two that the estimator has, unless one is asked for."""
    if asked is not None and asked not in RESPONSES:
        raise ArgumentError("response", f"response must be one of {', '.join(RESPONSES)}, got {asked!r}")
    found = [name for name in RESPONSES if hasattr(estimator, name) and asked in (None, name)]
    if not found:
        what = asked or " nor ".join(RESPONSES)
        raise ArgumentError("response", f"{type(estimator).__name__} has no {what}, so it gives no scores to rank by")
    return found[0]


def classes_of(estimator: Any, name: str) -> list[Any]:
    """The classes that a fitted estimator knows, in its own order."""
    classes = getattr(estimator, "classes_", None)
    owner = getattr(estimator, "__self__", None)
    if classes is None and hasattr(owner, "predict"):
        raise ArgumentError("classes", f"this is a method of a model: pass the {type(owner).__name__} itself")
    if classes is None:
        kind = type(estimator).__name__
        fit = "it is not fitted: call fit, on other rows than these" if hasattr(estimator, "fit") else "no classifier"
        raise ArgumentError("classes", f"{name if name == kind else f'{name} ({kind})'} has no classes_: {fit}")
    if isinstance(classes, (list, tuple)) and classes and np.ndim(classes[0]):
        raise ArgumentError("classes", f"{name} answers several questions at once: evaluate each column of labels")
    return list(np.asarray(classes).tolist())


def scores_by_class(estimator: Any, rows: Any, response: str) -> Array:
    """What the estimator says of each row: one column, or one for each of its classes."""
    return np.asarray(getattr(estimator, response)(rows), dtype=np.float64)


def scores_of_class(values: Array, classes: list[Any], label: Any) -> Array:
    """The scores of one class; a single column of decisions is that of the second class."""
    place = classes.index(label)
    if values.ndim == 2:
        return values[:, place]
    return values if place == 1 else -values


def scores_of_classes(values: Array, classes: list[Any], wanted: Sequence[Any], name: str) -> Array:
    """Columns of scores in the order of the classes that are ``wanted``, all of which the model must know."""
    unknown = [label for label in wanted if label not in classes]
    if unknown:
        text = f"{name}: a training set has no row of {some_values(unknown)}, so the model cannot score that class"
        raise InputError("class_not_trained", f"{text}; stratify the folds, or make fewer")
    if values.ndim != 2 or values.shape[1] != len(classes):
        text = f"{name} gives scores of shape {values.shape} for {format_count(len(classes))} classes"
        raise InputError("scores_shape", f"{text}; one column per class is needed, as of predict_proba")
    return values[:, [classes.index(label) for label in wanted]]


def scores_by_label(estimator: Any, rows: Any, response: str, name: str) -> Array:
    """Scores of several labels, a column for each: as an array, or as scikit-learn's list of both classes of each."""
    if getattr(estimator, "classes_", None) is None:
        classes_of(estimator, name)
    found = getattr(estimator, response)(rows)
    if not isinstance(found, list):
        return np.asarray(found, dtype=np.float64)
    known = [np.asarray(each).tolist() for each in estimator.classes_]
    odd = next((place for place, classes in enumerate(known) if sorted(classes) != [0, 1]), None)
    if odd is not None:
        text = f"{name} knows the classes {some_values(known[odd])} of label {odd}, where 0 and 1 are needed"
        raise InputError("label_not_trained", f"{text}: fit it on rows with and without each label")
    columns = [values[:, classes.index(1)] for values, classes in zip(found, known, strict=True)]
    return np.column_stack(columns).astype(np.float64)


def refuse_known_rows(estimator: Any, rows: Any, name: str) -> None:
    """Refuse rows that the estimator keeps because it was fitted on them."""
    fitted, seen = getattr(estimator, "best_estimator_", estimator), rows
    steps = getattr(fitted, "steps", None)
    if steps:
        fitted = steps[-1][1]
    kept = next((getattr(fitted, place) for place in KEPT_ROWS if hasattr(fitted, place)), None)
    if kept is None or np.shape(kept)[:1] != np.shape(rows)[:1]:
        return
    if steps:
        seen = getattr(estimator, "best_estimator_", estimator)[:-1].transform(rows) if len(steps) > 1 else rows
    if kept is seen or _equal(kept, seen):
        text = f"{name} was fitted on these very rows, which flatters it; evaluate rows that it has not seen"
        raise InputError("rows_known", f"{text}, or let crossval_evaluate_estimators fit it on other rows")


def _equal(kept: Any, rows: Any) -> bool:
    try:
        first, second = (each.toarray() if hasattr(each, "toarray") else np.asarray(each) for each in (kept, rows))
        return bool(np.array_equal(first, second))
    except (TypeError, ValueError):
        return False
