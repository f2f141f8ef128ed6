"""Several labels of a row, each there or not: one column of 0 and 1 per label, and one column of scores for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.given import all_names, is_table
from rocsteady._src.inputs.given_classes import has_columns
from rocsteady._src.inputs.tables import all_columns, pick_columns

Columns = dict[Any, Any]
ONE = "model"
_OR_NAME = ", or name the column of labels with {label=}"


@dataclass(frozen=True, slots=True)
class GivenLabels:
    """Indicators of each label, and its scores by each of the models, which are ``named`` where several may be.

    ``beside`` are columns that options name: weights, subjects, groups and folds.
    """

    labels: Columns
    models: dict[str, Columns]
    named: bool
    beside: dict[str, Any]


def are_indicators(labels: object, scores: object, label: object) -> bool:
    """Whether labels have several columns: an array, or a table beside an array of scores, or a table of such names."""
    if scores is None:
        return False
    if label is not None:
        return isinstance(label, (list, tuple)) and bool(label) and all(isinstance(each, str) for each in label)
    if not is_table(labels):
        return has_columns(labels, is_table) and _n_columns(labels) > 1
    if not is_table(scores):
        return has_columns(scores, is_table)
    if isinstance(scores, Mapping) and any(has_columns(each, is_table) for each in scores.values()):
        return True
    own, theirs = set(all_names(labels)), set(all_names(scores))
    return len(own) > 1 and bool(own & theirs)


def _n_columns(values: Any) -> int:
    shape = getattr(values, "shape", None)
    return len(values[0]) if shape is None else int(shape[1])


def read_given_labels(table: Any, scores: Any, label: Any, **options: Any) -> GivenLabels:
    """What was meant: columns of a table by name, or labels and scores themselves, with columns beside them."""
    if label is not None:
        own = pick_columns(table, list(label))
        listed = scores if isinstance(scores, Mapping) else {ONE: scores}
        models = {name: _named_columns(table, names, list(own), name) for name, names in listed.items()}
        named = isinstance(scores, Mapping)
    else:
        named = isinstance(scores, Mapping) and any(has_columns(each, is_table) for each in scores.values())
        both = {name: columns_of_labels(table, each) for name, each in (scores if named else {ONE: scores}).items()}
        own = next(iter(both.values()))[0]
        models = {name: _of_same_labels(own, theirs, name) for name, (_, theirs) in both.items()}
    odd = [name for name in models if not isinstance(name, str)]
    if odd:
        raise ArgumentError("names", f"models are called by text, and these are not: {some_values(odd)}; rename them")
    beside = {name: _beside(table, value, name, label is not None) for name, value in options.items()}
    return GivenLabels(own, models, named, {name: value for name, value in beside.items() if value is not None})


def _named_columns(table: Any, names: Any, labels: list[Any], model: str) -> Columns:
    if not isinstance(names, (list, tuple)) or len(names) != len(labels):
        n = len(names) if isinstance(names, (list, tuple)) else 1
        text = f"{model} names {format_count(n)} columns of scores and there are {format_count(len(labels))} labels"
        words = "{text}; name one column per label, in the same order, of several models as {{'a': [...], 'b': [...]}}"
        raise ArgumentError("scores", Sentence(words, text=text))
    return dict(zip(labels, pick_columns(table, list(names)).values(), strict=True))


def _of_same_labels(labels: Columns, theirs: Columns, model: str) -> Columns:
    if set(labels) == set(theirs):
        return {name: theirs[name] for name in labels}
    text = f"the labels are {some_values(labels, most=20)} and the columns of {model!r} {some_values(theirs, most=20)}"
    raise InputError("columns_and_labels", f"{text}; give every model one column per label, of the same name")


def _beside(table: Any, value: Any, option: str, named: bool) -> Any:
    """A column that an option names, or is; of groups several."""
    if value is None:
        return None
    if option == "by" and isinstance(value, (list, tuple)) and value and all(isinstance(each, str) for each in value):
        known = all_names(table) if named else []
        if all(each in known for each in value):
            return pick_columns(table, list(value))
    if option == "by":
        name = value if isinstance(value, str) else getattr(value, "name", None) or "group"
        return {name: _beside(table, value, "", named)}
    if not isinstance(value, str):
        return value
    if not named:
        words = "{value!r} names a column, and labels and scores are no table: pass the values, one per row"
        raise ArgumentError(option or "by", Sentence(words, value=value))
    return pick_columns(table, [value])[value]


def columns_of_labels(labels: object, scores: object) -> tuple[Columns, Columns]:
    """Indicators and scores of each label by name, in the order of the labels.

    Names are those of the columns of a table, of both alike in any order; else of arrays 0, 1, ....
    """
    own = all_columns(labels) if is_table(labels) else _of_array(labels, "labels")
    theirs = all_columns(scores) if is_table(scores) else _of_array(scores, "scores")
    if is_table(labels) and is_table(scores):
        if set(own) != set(theirs):
            first, second = some_values(own, most=20), some_values(theirs, most=20)
            text = f"the labels are {first} and the columns of scores {second}"
            raise InputError("columns_and_labels", f"{text}; give both one column per label, of the same name")
        return own, {name: theirs[name] for name in own}
    if len(own) != len(theirs):
        text = f"there are {format_count(len(own))} labels and {format_count(len(theirs))} columns of scores"
        told = f"{text}; pass one column of scores per label, in the same order"
        raise InputError("columns_and_labels", Sentence(told + (_OR_NAME if is_table(labels) else "")))
    names = list(theirs if is_table(scores) else own)
    return tuple(dict(zip(names, columns.values(), strict=True)) for columns in (own, theirs))  # type: ignore[return-value]


def _of_array(values: Any, what: str) -> Columns:
    values = values.toarray() if hasattr(values, "toarray") else values  # sparse
    try:
        matrix = values if hasattr(values, "shape") else np.asarray(values)
    except ValueError as error:
        raise InputError("ragged", f"{what}: the rows differ in length; pass one value per label") from error
    if matrix.ndim == 3:
        text = f"{what} have 3 dimensions, as predict_proba of several outputs returns them"
        raise InputError("scores_shape", f"{text}; pass np.column_stack([p[:, 1] for p in scores])")
    if matrix.ndim != 2:
        text = f"{what} have {format_count(matrix.ndim)} dimension, and labels have several columns"
        other = "for features and models use rs.evaluate_estimators(model, X, y)"
        raise InputError("scores_shape", f"{text}; pass one column of scores per label; {other}")
    return {place: matrix[:, place] for place in range(matrix.shape[1])}
