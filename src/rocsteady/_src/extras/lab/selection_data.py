"""Where the rows of a selection experiment come from: arrays, tables, files, scikit-learn's sets, OpenML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, first_rows, printable, require, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.clean import check_lengths
from rocsteady._src.inputs.files import Wanted, format_of, read_file
from rocsteady._src.inputs.files.preview import columns_of, divided_by
from rocsteady._src.inputs.labels import positive_rows
from rocsteady._src.inputs.tables import all_columns, pick_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

PURPOSE = "selecting models"
OPENML = "openml:"
BUNDLED = ("breast_cancer", "digits", "iris", "wine")


@dataclass(frozen=True, slots=True, eq=False)
class FeatureRows:
    """Features, and which rows are positive; ``gaps`` counts the missing values of the columns that have any."""

    name: str
    features: Any
    positive: NDArray[np.bool_]
    pos_label: Any
    gaps: dict[str, int]
    notes: tuple[str, ...] = ()

    def take(self, rows: NDArray[np.int64]) -> Any:
        """Features of some rows, in the container they came in."""
        if isinstance(self.features, np.ndarray):
            return self.features.take(rows, axis=0)
        return require("sklearn.utils", extra="sklearn", purpose=PURPOSE)._safe_indexing(self.features, rows)  # noqa: SLF001


def read_rows(data: Any, *, label: Any = None, pos_label: Any = None) -> FeatureRows:
    """Read a name, a path, a table with a label column, or a pair (X, y); refuse a single class."""
    rows = _read(data, label, pos_label)
    n_pos = int(np.count_nonzero(rows.positive))
    if n_pos in (0, rows.positive.size):
        text = (
            f"all {format_count(rows.positive.size)} rows of {rows.name} are of "
            "one class; models need two to tell apart"
        )
        raise InputError("single_class", text)
    return rows


def _read(data: Any, label: Any, pos_label: Any) -> FeatureRows:
    if isinstance(data, (str, Path)):
        return _from_name(str(data), label, pos_label)
    if isinstance(data, tuple) and len(data) == 2:
        return _from_pair(*data, label, pos_label)
    if not isinstance(data, Mapping) and not hasattr(data, "columns"):
        text = f"data must be a pair (X, y), a table with a label column, a path or a name; got {type(data).__name__}"
        raise ArgumentError("data", text)
    if label is None:
        raise ArgumentError(
            "label", Sentence("which column holds the labels? pass {label=...}, or data as a pair (X, y)")
        )
    return _from_table("table", data, label, pos_label)


def _from_name(name: str, label: Any, pos_label: Any) -> FeatureRows:
    if name.startswith(OPENML):
        return _from_openml(name, label, pos_label)
    if name in BUNDLED:
        return _from_sklearn(name, label, pos_label)
    path = Path(name)
    if not path.is_file():
        known = ", ".join(BUNDLED)
        raise InputError(
            "data_unknown",
            f"{printable(name)!r} is neither a file nor a known data set; known: {known}; {OPENML}NAME fetches "
            "from OpenML",
        )
    kind = format_of(path)
    delimiter = divided_by(path, kind)
    columns = columns_of([path], kind, delimiter)
    if label is None:
        header = some_values(columns, most=40)
        raise ArgumentError("label", f"which column of {printable(name)} holds the labels? it has {header}")
    Wanted((), (label,)).check(columns, path)
    table = read_file(path, Wanted((), tuple(columns)), delimiter=delimiter)
    return _from_table(path.name, table, label, pos_label)


def _from_sklearn(name: str, label: Any, pos_label: Any) -> FeatureRows:
    if label is not None:
        raise ArgumentError("label", f"{name} brings its own labels: leave label out")
    datasets = require("sklearn.datasets", extra="sklearn", purpose=PURPOSE)
    bunch = getattr(datasets, f"load_{name}")()
    rows = _from_pair(bunch.data, bunch.target, None, pos_label)
    names = ", ".join(f"{code} = {text}" for code, text in enumerate(bunch.target_names))
    return FeatureRows(name, rows.features, rows.positive, rows.pos_label, rows.gaps, (f"labels: {names}", *rows.notes))


def _from_openml(name: str, label: Any, pos_label: Any) -> FeatureRows:
    datasets = require("sklearn.datasets", extra="sklearn", purpose=PURPOSE)
    wanted, _, version = name.removeprefix(OPENML).partition("@")
    options: dict[str, Any] = {"version": int(version) if version.isdigit() else "active", "as_frame": True}
    try:
        bunch = datasets.fetch_openml(wanted, target_column=label or "default-target", n_retries=1, **options)
    except OSError as error:
        told = printable(getattr(error, "reason", error), most=120)
        text = f"OpenML cannot be reached ({told}); download {wanted!r} as CSV when online and pass its path and label"
        raise InputError("openml_offline", text) from error
    except (ValueError, KeyError) as error:
        raise InputError("openml_unknown", f"OpenML has no such data: {printable(error, most=200)}") from error
    if bunch.target is None or np.ndim(bunch.target) != 1:
        raise ArgumentError(
            "label", Sentence("{name} has no single target: name its column with {label=...}", name=name)
        )
    return _from_frame(name, bunch.data, np.asarray(bunch.target), pos_label, "the target")


def _from_pair(features: Any, labels: Any, label: Any, pos_label: Any) -> FeatureRows:
    if label is not None:
        raise ArgumentError("label", "data is a pair (X, y), which holds the labels: leave label out")
    if hasattr(features, "columns"):
        positive, found = _positive(labels, pos_label, "y")
        _same_length(len(features), positive.size)
        gaps = {name: _n_missing(column) for name, column in _columns_of(features)}
        return FeatureRows("(X, y)", features, positive, found, _counted(gaps))
    matrix = _matrix(features)
    positive, found = _positive(labels, pos_label, "y")
    _same_length(len(matrix), positive.size)
    gaps = {f"{place}": int(count) for place, count in enumerate(np.isnan(matrix).sum(axis=0)) if count}
    return FeatureRows("(X, y)", matrix, positive, found, gaps)


def _matrix(features: Any) -> NDArray[np.float64]:
    try:
        matrix = np.array(features, dtype=np.float64)
    except (TypeError, ValueError) as error:
        text = Sentence(
            "X holds values that are not numbers; pass a table with {label=...}, whose text columns become 0/1 columns"
        )
        raise InputError("features_not_numbers", text) from error
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise InputError("features_shape", f"X must have rows and columns, its shape is {matrix.shape}")
    if np.isinf(matrix).any():
        places = some_values(np.flatnonzero(np.isinf(matrix).any(axis=0)).tolist())
        raise InputError("features_infinite", f"X holds infinite values, in columns {places}; replace them")
    return matrix


def _from_table(name: str, table: Any, label: Any, pos_label: Any) -> FeatureRows:
    labels = pick_columns(table, [label])[label]
    features = {column: values for column, values in all_columns(table).items() if column != label}
    return _from_frame(name, features, labels, pos_label, str(label))


def _from_frame(name: str, table: Any, labels: Any, pos_label: Any, label: str) -> FeatureRows:
    """Numbers as they are, text and truth values as 0/1 columns: which ones is said in the notes."""
    positive, found = _positive(labels, pos_label, label)
    columns: dict[str, NDArray[np.float64]] = {}
    notes: list[str] = []
    for column, values in _columns_of(table):
        made, note = _encoded(column, values)
        columns |= made
        notes += [note] if note else []
    if not columns:
        raise InputError("no_features", f"{name} has no column besides the label")
    check_lengths({label: positive, **columns})
    gaps = {column: int(np.isnan(values).sum()) for column, values in columns.items()}
    return FeatureRows(
        name, _matrix(np.column_stack(list(columns.values()))), positive, found, _counted(gaps), tuple(notes)
    )


def _encoded(name: str, values: Any) -> tuple[dict[str, NDArray[np.float64]], str]:
    found, missing = _column(values, name)
    if found.dtype.kind == "O" and all(isinstance(value, Real) for value in found[~missing].tolist()):
        found = np.where(missing, np.nan, found).astype(np.float64)
    if found.dtype.kind in "biuf":
        numbers = found.astype(np.float64)
        numbers[missing] = np.nan
        return {name: numbers}, ""
    texts = [None if gap else str(value) for value, gap in zip(found.tolist(), missing.tolist(), strict=True)]
    distinct = sorted({text for text in texts if text is not None})
    made = {f"{name}={word}": np.array([float(text == word) for text in texts]) for word in distinct}
    for column in made.values():
        column[missing] = np.nan
    return (
        made,
        f"column {printable(name)!r} is text: one 0/1 column for each of its {format_count(len(distinct))} values",
    )


def _columns_of(table: Any) -> list[tuple[str, Any]]:
    if isinstance(table, Mapping):
        return [(str(name), values) for name, values in table.items()]
    return [(str(name), table[name]) for name in table.columns]


def _column(values: Any, name: str) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Values, and which of them are missing."""
    found, missing = read_column(values, name)
    return found, np.zeros(found.size, dtype=bool) if missing is None else missing


def _n_missing(column: Any) -> int:
    return int(_column(column, "X")[1].sum())


def _counted(gaps: dict[str, int]) -> dict[str, int]:
    return {name: count for name, count in gaps.items() if count}


def _positive(labels: Any, pos_label: Any, name: str) -> tuple[NDArray[np.bool_], Any]:
    values, missing = _column(labels, name)
    if missing.any():
        rows = np.flatnonzero(missing)
        text = (
            f"{name!r}: {format_count(rows.size)} without a label, {first_rows(rows, total=rows.size)}; leave them out"
        )
        raise InputError("label_missing", text)
    return positive_rows(values, pos_label, name)


def _same_length(features: int, labels: int) -> None:
    if features != labels:
        raise InputError("lengths_differ", f"X has {features} rows and y has {labels}; they must be as many")
