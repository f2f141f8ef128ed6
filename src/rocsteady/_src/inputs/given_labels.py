"""Several labels of a row, each there or not: one column of 0 and 1 per label, and one column of scores for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rocsteady._src.base.errors import InputError, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.given import all_names, is_table
from rocsteady._src.inputs.given_classes import has_columns
from rocsteady._src.inputs.tables import all_columns

Columns = dict[Any, Any]
_OR_NAME = ", or name the column of labels with {label=}"


def are_indicators(labels: object, scores: object, label: object) -> bool:
    """Whether labels have several columns: an array, or a table beside an array of scores, or a table of such names."""
    if label is not None or scores is None:
        return False
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


def columns_of_labels(labels: object, scores: object) -> tuple[Columns, Columns]:
    """Indicators and scores of each label by name, in the order of the labels.

    Names are those of the columns of a table, of both alike in any order; else of arrays 0, 1, ....
    """
    _refuse_models(scores)
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


def _refuse_models(scores: object) -> None:
    if isinstance(scores, Mapping) and any(has_columns(each, is_table) for each in scores.values()):
        text = f"scores are those of several models, {some_values(scores)}, and labels have several columns"
        raise InputError("models_of_labels", f"{text}; evaluate one model at a time: evaluate(y, scores of one model)")


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
        raise InputError("scores_shape", f"{text}; pass one column of scores per label")
    return {place: matrix[:, place] for place in range(matrix.shape[1])}
