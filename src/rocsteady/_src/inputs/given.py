"""What people hand to the main door: a table and the names of its columns, or labels and scores themselves.

Arrays become columns of a table under names that nothing else has, so that all that follows knows names only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sized
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.arrays import is_one, read_column
from rocsteady._src.inputs.given_classes import (
    add_up_to_one,
    are_unnamed,
    columns_by_model,
    columns_of_models,
    has_columns,
    named_columns,
)
from rocsteady._src.inputs.given_models import by_name, refuse_models
from rocsteady._src.inputs.tables import all_columns, column_names

if TYPE_CHECKING:
    from collections.abc import Sequence

ONE_MODEL = "score"
LABELS = "y_true"


@dataclass(frozen=True, slots=True)
class Given:
    """A table and the names of its columns; ``classes`` where each column of scores belongs to one of them.

    Then ``models`` are the names of several, whose columns follow each other, or None for one; ``by_position`` tells
    that neither columns nor the call named the classes.
    """

    table: Any
    label: str
    scores: tuple[str, ...]
    options: dict[str, Any]
    classes: list[Any] | None = None
    models: tuple[str, ...] | None = None
    by_position: bool = False


def read_given(
    table: object,
    scores: object,
    label: object,
    *,
    classes: Sequence[Any] | None = None,
    pos_label: Any = None,
    **options: Any,
) -> Given:
    """Settle what was meant: ``options`` are names of columns or columns, such as weights, subjects and folds."""
    refuse_models(table, scores)
    scores = by_name(scores)
    table = _only_column(table, scores, label)
    if isinstance(table, (str, PathLike)) and _is_name(label) and scores is not None:
        table = _read_path(table, scores, label, options)
    _refuse_unlabelled(table, scores, label)
    if _is_name(label):
        return _of_table(table, scores, label, classes, options)
    if label is not None:  # the labels by themselves, beside a table of scores
        table, scores = label, _named_part(table, scores)
    return _of_arrays(table, scores, classes, pos_label, options)


def _only_column(table: Any, scores: object, label: object) -> Any:
    """The labels of a table that has no other column, beside scores that are no names."""
    if label is not None or scores is None or isinstance(scores, str) or not is_table(table):
        return table
    if isinstance(scores, (list, tuple)) and all(isinstance(each, str) for each in scores):
        return table
    names = all_names(table)
    return all_columns(table)[names[0]] if len(names) == 1 else table


def one_weight(weight: object, sample_weight: object) -> object:
    """Weights, whose column has a name in tables and another in scikit-learn."""
    if weight is not None and sample_weight is not None:
        raise ArgumentError("weight", "weight and sample_weight are two names of one thing: give one of them")
    return sample_weight if weight is None else weight


def is_table(values: object) -> bool:
    """Whether these are named columns: a mapping or a DataFrame, in memory or lazy."""
    if values is None or isinstance(values, (np.ndarray, list, tuple, str, bytes)):
        return False
    if isinstance(values, Mapping):
        return True
    import narwhals as nw

    try:
        return isinstance(nw.from_native(values, pass_through=True), (nw.DataFrame, nw.LazyFrame))
    except nw.exceptions.DuplicateError:
        return True


def _is_name(value: object) -> TypeGuard[str]:
    """Whether this names a column: a text, or any one value that is no column itself."""
    return (value is not None and not isinstance(value, Sized | Mapping) and is_one(value)) or isinstance(value, str)


def _refuse_unlabelled(table: object, scores: object, label: object) -> None:
    """A table alone does not say which column holds the labels, and labels alone have no scores."""
    names_columns = isinstance(scores, str) or (isinstance(scores, list) and any(isinstance(s, str) for s in scores))
    if label is None and is_table(table) and scores is not None and not names_columns and _is_flat(scores):
        text = "labels come first, then scores: rs.evaluate(y, scores); of features and labels"
        raise ArgumentError("order", f"{text} rs.evaluate_estimators(model, X, y)")
    if label is None and is_table(table):
        names = some_values(all_names(table), most=20)
        asked = Sentence("which column of the table holds the labels? Name it: {label='...'}; the columns are")
        raise ArgumentError("label", Sentence("{asked} {names}", asked=asked, names=names))
    if label is None and isinstance(table, (str, PathLike)):
        told = Sentence("{path}: name the columns of a file with {label=} and {scores=}", path=repr(str(table)))
        raise ArgumentError("label", told)
    if _is_name(label) and type(table).__name__.endswith("GroupBy"):
        raise InputError("table_type", Sentence("pass the table itself, and its column of groups with {by=}"))
    if _is_name(label) and not is_table(table):
        text = "pass a pandas, polars or pyarrow DataFrame, a dict of columns or the path of a file"
        words = "the table is a {kind}: {text}; for labels and scores leave {label=} out: evaluate(y_true, scores)"
        raise InputError("table_type", Sentence(words, kind=type(table).__name__, text=text))
    if scores is None and (label is None or _is_name(label)):
        if label is None:
            raise ArgumentError("no_scores", "no scores were given: pass them after the labels, evaluate(y, scores)")
        words = "no scores were given: name their columns with {scores=}; the columns are {names}"
        raise ArgumentError("no_scores", Sentence(words, names=some_values(all_names(table), most=20)))


def all_names(table: Any) -> list[Any]:
    if isinstance(table, Mapping):
        return list(table)
    import narwhals as nw

    frame = nw.from_native(table, pass_through=True)
    return list(frame.collect_schema().names()) if isinstance(frame, nw.LazyFrame) else column_names(table)


def _named_part(table: object, scores: Any) -> Any:
    """The columns of a table that are scores: all of them unless some are named."""
    if scores is None or not is_table(table):
        return table if scores is None else scores
    columns = all_columns(table)
    names = [scores] if isinstance(scores, str) else scores
    return {name: columns[name] for name in names} if set(names) <= set(columns) else scores


def _read_path(path: str | PathLike[str], scores: Any, label: str, options: dict[str, Any]) -> dict[str, Any]:
    """The columns of a file that are named."""
    from rocsteady._src.inputs.files import Wanted, read_file

    named: dict[str, Any] = {option: _names_in(value) for option, value in options.items()}
    weights = tuple(named.pop("weight", ()))
    labels = (label, *(name for names in named.values() for name in names))
    models = _listed(scores)
    wanted = Wanted(numbers=(*models, *weights), labels=tuple(dict.fromkeys(labels)), weights=weights)
    return dict(read_file(Path(path), wanted))


def _of_table(table: Any, scores: object, label: str, classes: Sequence[Any] | None, options: dict[str, Any]) -> Given:
    """Columns of a table by name; those that are handed over by themselves stand beside them."""
    table, scores = _renamed(table, scores)
    by_model = isinstance(scores, Mapping) and bool(scores) and all(_names_columns(each) for each in scores.values())
    if by_model:
        columns_by_model(scores, classes)  # type: ignore[arg-type]
    models = _listed(scores) if by_model or not isinstance(scores, Mapping) else (scores,)
    if not models:
        raise ArgumentError("no_scores", "name at least one score column")
    odd = [each for each in models if not isinstance(each, str) and np.ndim(each) > 0]
    beside, named = _beside(options, {label, *(m for m in models if isinstance(m, str))})
    if odd or (isinstance(scores, Mapping) and not by_model):
        words = "{label=} names a column, so {scores=} must name columns too; for arrays use evaluate(y_true, scores)"
        raise ArgumentError("scores", Sentence(words))
    if beside:
        table = {**all_columns(table), **beside}
    several: tuple[str, ...] | None = tuple(scores) if by_model else None  # type: ignore[arg-type]
    return Given(table, label, models, named, None if classes is None else list(classes), several)


def _renamed(table: Any, scores: object) -> tuple[Any, object]:
    """The table with score columns under names of their own, where a mapping of such names to columns says so."""
    if not isinstance(scores, Mapping) or not scores or not all(isinstance(each, str) for each in scores.values()):
        return table, scores
    known = all_names(table)
    taken = [name for name, column in scores.items() if name in known and name != column]
    if taken:
        words = "{scores=} gives a column the name {taken}, which another column of the table has; choose another"
        raise ArgumentError("scores", Sentence(words, taken=some_values(taken)))
    columns = {name: column for name, column in scores.items() if column in known and name != column}
    if len(columns) + sum(name == column for name, column in scores.items()) < len(scores):
        return table, list(scores.values())  # one is not there, which is told where columns are read
    if isinstance(table, Mapping):
        return {**table, **{name: table[column] for name, column in columns.items()}}, list(scores)
    import narwhals as nw

    frame = nw.from_native(table)
    return frame.with_columns(*(nw.col(column).alias(name) for name, column in columns.items())).to_native(), list(
        scores
    )


def _names_columns(names: object) -> bool:
    return isinstance(names, (list, tuple)) and bool(names) and all(isinstance(each, str) for each in names)


def _listed(scores: Any) -> tuple[Any, ...]:
    """Columns that are named, one after another."""
    if isinstance(scores, Mapping):
        return tuple(name for names in scores.values() for name in _listed(names))
    return tuple(scores) if isinstance(scores, (list, tuple)) else (scores,)


def _of_arrays(
    labels: object, scores: object, classes: Sequence[Any] | None, pos_label: Any, options: dict[str, Any]
) -> Given:
    """Labels and scores by themselves."""
    several: tuple[str, ...] | None = None
    by_position = classes is None and are_unnamed(scores, is_table)
    if isinstance(scores, Mapping) and any(has_columns(each, is_table) for each in scores.values()):
        scores, several, classes = _of_models(labels, scores, classes, pos_label)
    columns, extra, classes = _columns_of(labels, scores, classes, pos_label, options)
    beside, named = _beside(options, {LABELS, *columns, *extra}, {*columns, *extra})
    label = _free(LABELS, {*columns, *extra, *beside})
    table = {label: labels, **columns, **extra, **beside}
    listed = None if classes is None else list(classes)
    return Given(table, label, tuple(columns), named, listed, several, by_position)


def _of_models(
    labels: object, scores: Mapping[Any, Any], classes: Sequence[Any] | None, pos_label: Any
) -> tuple[dict[str, Any], tuple[str, ...] | None, list[Any] | None]:
    """Models of one column per class; of two classes the column of the positive one, as of ``predict_proba``."""
    found = _distinct(labels) if classes is None else list(classes)
    columns = columns_of_models(scores, found, asked=classes is not None, is_table=is_table)
    if len(found) == 2 and classes is None:
        place = found.index(pos_label) if pos_label in found else 1
        return {name: each[place] for name, each in columns.items()}, None, None
    return named_columns(columns, found), tuple(columns), found


def _columns_of(
    labels: object, scores: object, classes: Sequence[Any] | None, pos_label: Any, options: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any], Sequence[Any] | None]:
    """One column per model; other columns that options name; the class of each column, if these are classes."""
    if is_table(scores):
        return _of_named(labels, all_columns(scores), classes, options)
    if _is_flat(scores):
        return {_name_of(scores, ONE_MODEL): scores}, {}, classes
    matrix = _matrix(scores, labels)
    if matrix.ndim != 2:
        text = f"scores have {matrix.ndim} dimensions; pass one column, a mapping of names to columns, or a DataFrame"
        raise InputError("scores_shape", text)
    return _of_matrix(labels, matrix, classes, pos_label)


def _matrix(scores: object, labels: object) -> Any:
    """Rows by models; a list of as many columns as there are models is turned."""
    if hasattr(scores, "shape"):
        return scores
    try:
        matrix = np.asarray(scores)
    except ValueError as error:
        raise InputError("ragged", "scores: the columns differ in length; pass one score per row") from error
    turned = matrix.ndim == 2 and isinstance(labels, Sized) and matrix.shape[0] != len(labels) == matrix.shape[1]
    return matrix.T if turned else matrix


def _of_named(
    labels: object, columns: dict[Any, Any], classes: Sequence[Any] | None, options: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any], Sequence[Any] | None]:
    asked = {name for value in options.values() for name in _names_in(value, columns)}
    extra = {name: values for name, values in columns.items() if name in asked}
    models = {name: values for name, values in columns.items() if name not in asked}
    if not models:
        raise ArgumentError("no_scores", "no scores were given: pass at least one column, by name of its model")
    if classes is None:
        found = _distinct(labels)
        if len(found) > 2 and set(models) == set(found):
            return {str(name): values for name, values in models.items()}, extra, list(models)
    odd = [name for name in models if not isinstance(name, str)]
    if odd and classes is None:
        text = f"models are called by text, and these are not: {some_values(odd)}; rename the columns"
        raise ArgumentError("names", text)
    return {str(name): values for name, values in models.items()}, extra, classes


def _names_in(value: object, known: object = None) -> list[str]:
    """The columns that an option names."""
    if isinstance(value, str):
        return [value]
    several = isinstance(value, (list, tuple)) and _is_list_of_columns(value, known)
    return [each for each in value if isinstance(each, str)] if several else []  # type: ignore[attr-defined]


def _of_matrix(
    labels: object, matrix: Any, classes: Sequence[Any] | None, pos_label: Any
) -> tuple[dict[str, Any], dict[str, Any], Sequence[Any] | None]:
    """Columns of an array: of the classes in their order, as ``predict_proba`` gives them."""
    n_columns = matrix.shape[1]
    if n_columns == 1:
        return {ONE_MODEL: matrix[:, 0]}, {}, classes
    found = _distinct(labels) if classes is None else list(classes)
    if len(found) > 2 or classes is not None:
        if len(found) != n_columns:
            text = f"scores have {format_count(n_columns)} columns and the labels {format_count(len(found))} classes"
            words = "{text} ({found}); pass {classes=}, the class of each column, or a mapping of names to columns"
            raise ArgumentError("classes", Sentence(words, text=text, found=some_values(found)))
        return {_column_of(label): matrix[:, place] for place, label in enumerate(found)}, {}, found
    if n_columns == 2 and len(found) == 2 and add_up_to_one(matrix):
        place = found.index(pos_label) if pos_label in found else 1
        return {f"probability of {found[place]}": matrix[:, place]}, {}, None
    return {f"model {place + 1}": matrix[:, place] for place in range(n_columns)}, {}, None


def _column_of(label: Any) -> str:
    return f"score of {label}"


def _distinct(labels: object) -> list[Any]:
    """The classes in their order, as far as labels can be read; what is wrong with them is said where rows are."""
    values, missing = read_column(labels, LABELS)
    kept = values if missing is None else values[~missing]
    try:
        return list(np.unique(kept).tolist())
    except TypeError:
        return list(dict.fromkeys(kept.tolist()))


def _is_flat(values: object) -> bool:
    """Whether this is one column; of what has no shape the first item tells."""
    ndim = getattr(values, "ndim", None)
    if ndim is not None:
        return bool(ndim == 1)
    if isinstance(values, (list, tuple)):
        return not values or isinstance(values[0], str) or np.ndim(values[0]) == 0
    return True


def _beside(options: dict[str, Any], taken: set[str], known: object = None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Columns that were handed over by themselves, and every option as a name.

    A list of texts names columns where all of them are ``known``, or differ, and is else a column of texts.
    """
    beside: dict[str, Any] = {}

    def placed(value: object, word: str) -> str:
        if _is_name(value):
            return value
        name = _free(_name_of(value, word), {*taken, *beside})
        beside[name] = value
        return name

    named: dict[str, Any] = {
        option: None if value is None else placed(value, option) for option, value in options.items() if option != "by"
    }
    by: Any = options.get("by")
    if is_table(by):
        named["by"] = [placed(column, str(name)) for name, column in all_columns(by).items()]
    elif isinstance(by, np.ndarray) and by.ndim == 2:
        named["by"] = [placed(column, f"group {place}") for place, column in enumerate(by.T, start=1)]
    elif _is_list_of_columns(by, known):
        one = len(by) == 1
        named["by"] = [placed(each, "group" if one else f"group {place}") for place, each in enumerate(by, start=1)]
    else:
        named["by"] = None if by is None else [placed(by, "group")]
    return beside, named


def _is_list_of_columns(by: object, known: object) -> bool:
    if not isinstance(by, (list, tuple)) or not by:
        return False
    if all(isinstance(each, str) for each in by):
        return len(set(by)) == len(by) if known is None else all(each in known for each in by)  # type: ignore[operator]
    return np.ndim(by[0]) != 0


def _name_of(values: object, otherwise: str) -> str:
    """The name that a Series carries, or what the column is used for."""
    name = getattr(values, "name", None)
    return name if isinstance(name, str) and name else otherwise


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name
