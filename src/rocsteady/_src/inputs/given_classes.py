"""Several models of more than two classes: each has one column of scores per class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.tables import all_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Columns = dict[str, Any]

NEAR_ONE = 1e-6


def has_columns(values: object, is_table: Callable[[object], bool]) -> bool:
    """Whether this is more than one column: rows by classes."""
    ndim = getattr(values, "ndim", None)
    if ndim is not None and not is_table(values):
        return bool(ndim == 2)
    if isinstance(values, (list, tuple)):
        return bool(values) and not isinstance(values[0], str) and np.ndim(values[0]) == 1
    return is_table(values)


def are_unnamed(scores: object, is_table: Callable[[object], bool]) -> bool:
    """Whether columns of scores, those of every model, are known by their place alone."""
    if isinstance(scores, Mapping):
        return all(has_columns(each, is_table) and not is_table(each) for each in scores.values())
    return not is_table(scores)


def add_up_to_one(matrix: Any) -> bool:
    """Whether rows are probabilities."""
    values = np.asarray(matrix)
    if values.dtype.kind != "f":
        return False
    with np.errstate(invalid="ignore"):
        sums = values.sum(axis=1)
    return bool(np.all(np.abs(sums - 1) <= NEAR_ONE)) and bool((values >= 0).all())


def columns_of_models(
    models: Mapping[Any, Any], found: list[Any], *, asked: bool, is_table: Callable[[object], bool]
) -> dict[str, list[Any]]:
    """Columns of each model in the order of the classes ``found``, ``asked`` for or seen among the labels."""
    odd = [name for name in models if not isinstance(name, str)]
    if odd:
        raise ArgumentError("names", f"models are called by text, and these are not: {some_values(odd)}; rename them")
    flat = [name for name, values in models.items() if not has_columns(values, is_table)]
    if flat:
        text = f"{some_values(flat)} has one column of scores, other models one per class"
        raise InputError("scores_shape", f"{text}; pass them in two calls, or all columns of predict_proba")
    return {
        name: _by_name(name, all_columns(values), found, asked=asked)
        if is_table(values)
        else _by_place(name, values, found)
        for name, values in models.items()
    }


def _by_name(model: str, columns: dict[Any, Any], found: list[Any], *, asked: bool) -> list[Any]:
    if set(columns) == set(found):
        return [columns[label] for label in found]
    if asked and len(columns) == len(found) and not set(columns) & set(found):
        return list(columns.values())
    text = f"the columns of {model!r} are {some_values(columns, most=20)} and the classes {some_values(found, most=20)}"
    words = "{text}; name the columns after the classes, or pass {classes=}, the class of each column"
    raise InputError("columns_and_classes", Sentence(words, text=text))


def _by_place(model: str, values: Any, found: list[Any]) -> list[Any]:
    try:
        matrix = values if hasattr(values, "shape") else np.asarray(values)
    except ValueError as error:
        raise InputError("ragged", f"{model!r}: the rows differ in length; pass one score per class") from error
    if matrix.shape[1] != len(found):
        text = f"{model!r} has {format_count(matrix.shape[1])} columns and there are {format_count(len(found))} classes"
        words = "{text} ({found}); pass {classes=}, the class of each column"
        raise InputError("columns_and_classes", Sentence(words, text=text, found=some_values(found)))
    return [matrix[:, place] for place in range(len(found))]


def named_columns(models: dict[str, list[Any]], found: list[Any]) -> Columns:
    """One name for every model and class."""
    return {
        f"{model}: score of {label}": column
        for model, columns in models.items()
        for label, column in zip(found, columns, strict=True)
    }


def columns_by_model(scores: Mapping[Any, Any], classes: Sequence[Any] | None) -> tuple[tuple[str, ...], ...]:
    """Names of the columns of each model of a table, one per class."""
    if classes is None:
        words = "{scores=} names several columns for each model: say which class each belongs to with {classes=}"
        raise ArgumentError("classes", Sentence(words))
    for model, names in scores.items():
        if not isinstance(names, (list, tuple)) or len(names) != len(classes):
            text = f"model {model!r} names {some_values([names])}"
            raise ArgumentError("scores", f"{text}; name one column per class, {format_count(len(classes))} in all")
    return tuple(tuple(names) for names in scores.values())
