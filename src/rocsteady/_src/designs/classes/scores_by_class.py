"""Rows of more than two classes: a label and one score per class."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, first_rows, some_values
from rocsteady._src.base.text import format_count
from rocsteady._src.designs.classes.labels import checked_labels, distinct_labels, numbered
from rocsteady._src.inputs.arrays import is_missing, read_column
from rocsteady._src.inputs.clean import check_lengths, check_row_labels, counted_rows, rows_to_keep
from rocsteady._src.inputs.scores import is_real, ordered_scores, to_doubles
from rocsteady._src.inputs.tables import all_columns
from rocsteady._src.inputs.weights import checked_weights, rows_counted, settled_weights, weight_type_of
from rocsteady._src.ranked import numbered as number_values
from rocsteady._src.results import Origin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.ranked import Rows

    Column = NDArray[Any]

LABEL, WEIGHT, CLUSTER = "y_true", "sample_weight", "cluster"
TOGETHER, ROWS_AT_ONCE = 8, 1 << 12
ROUNDED = 0.5e-3  # what writing a probability with three decimals may cost, for each class of a row
MOST_ROUNDED = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class ClassRows:
    """Rows of several classes: ``codes`` number the class of each row, ``scores`` are columns in the same order.

    ``scores`` is a matrix of rows by classes, or a tuple of columns; ``clusters`` number the subjects. Averages are
    over the classes at the places ``chosen``, all when None, of those that have rows where absent ones are skipped.
    ``by_position`` tells that nothing named the columns: they were taken in the order of the sorted labels.
    """

    labels: tuple[Any, ...]
    codes: Column
    scores: Any
    weights: Column | None
    clusters: Column | None
    n_dropped: int
    weight_type: str | None = None
    chosen: tuple[int, ...] | None = None
    skips_absent: bool = False
    by_position: bool = False

    @property
    def averaged(self) -> NDArray[np.bool_]:
        """Which classes averages are over."""
        found = np.full(self.n_classes, self.chosen is None)
        found[list(self.chosen or ())] = True
        return found & (self.counts > 0) if self.skips_absent else found

    @property
    def reading(self) -> str | None:
        """How weights are read, "frequency" or "sampling"; None without any."""
        return weight_type_of(self.weights, self.weight_type)

    @property
    def n_classes(self) -> int:
        """Number of classes, present or not."""
        return len(self.labels)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.codes.size)

    @property
    def counts(self) -> NDArray[np.int64]:
        """Rows of each class."""
        return np.bincount(self.codes, minlength=self.n_classes)

    @property
    def row_counts(self) -> NDArray[np.int64]:
        """The same, where a frequency weight stands for so many rows."""
        return self.sizes.astype(np.int64) if self.reading == "frequency" else self.counts

    @property
    def sizes(self) -> NDArray[np.float64]:
        """Weight of each class."""
        return np.bincount(self.codes, self.weights, self.n_classes).astype(np.float64)

    def origin(self, label: Any = None) -> Origin:
        """Where results come from; ``label`` is the class that counts as positive."""
        weighted = self.weights is not None
        kind = self.weight_type if weighted else None
        n_rows = rows_counted(self.n_rows, self.weights, kind)
        return Origin(label, n_rows, self.n_dropped, weighted, weight_type=kind)

    def columns(self) -> Iterator[Column]:
        """Columns of scores, one class after another; one is valid until the next is asked for."""
        if isinstance(self.scores, tuple) or self.scores.flags.f_contiguous:
            yield from (self.column(place) for place in range(self.n_classes))
            return
        # A row of the matrix is contiguous: several columns are copied at once, so that each line is read once.
        together = np.empty((min(TOGETHER, self.n_classes), self.n_rows), dtype=self.scores.dtype)
        for first in range(0, self.n_classes, TOGETHER):
            some = self.scores[:, first : first + TOGETHER]
            for start in range(0, self.n_rows, ROWS_AT_ONCE):
                block = slice(start, start + ROWS_AT_ONCE)
                together[: some.shape[1], block] = some[block].T
            yield from together[: some.shape[1]]

    def column(self, place: int) -> Column:
        """Scores of one class."""
        column: Column = self.scores[place] if isinstance(self.scores, tuple) else self.scores[:, place]
        return column

    def matrix(self) -> Column:
        """All scores as rows by classes."""
        return np.column_stack(self.scores) if isinstance(self.scores, tuple) else self.scores

    def blocks(self) -> Iterator[tuple[slice, Column]]:
        """Scores of some rows at a time, rows by classes."""
        step = max(1, (1 << 17) // max(self.n_classes, 1))
        for start in range(0, self.n_rows, step):
            block = slice(start, start + step)
            part = self.scores
            yield block, np.column_stack([col[block] for col in part]) if isinstance(part, tuple) else part[block]


def read_classes(
    y_true: object,
    y_score: object,
    *,
    labels: object = None,
    sample_weight: object = None,
    cluster: object = None,
    missing: Missing = "raise",
    weight_type: str | None = None,
) -> ClassRows:
    """Check and align; rows that lack a value are refused or dropped."""
    options: dict[str, Any] = {"sample_weight": sample_weight, "weight_type": weight_type, "cluster": cluster}
    return read_models_of_classes(y_true, {"y_score": y_score}, labels=labels, missing=missing, **options)[0]


def read_models_of_classes(
    y_true: object,
    models: Mapping[str, object],
    *,
    labels: object = None,
    sample_weight: object = None,
    cluster: object = None,
    missing: Missing = "raise",
    weight_type: str | None = None,
) -> list[ClassRows]:
    """Several models on the same rows, each with one column per class in the same order of classes."""
    side = {LABEL: y_true, WEIGHT: sample_weight, CLUSTER: cluster}
    given = {name: read_column(values, name) for name, values in side.items() if values is not None or name == LABEL}
    tables = {name: _read_scores(score, name, labels) for name, score in models.items()}
    lengths = {name: values for name, (values, _) in given.items()}
    check_lengths({**lengths, **{name: table.first for name, table in tables.items()}})
    check_row_labels({**{name: side[name] for name in given}, **models})
    gaps: dict[str, Any] = {name: gap for name, (_, gap) in given.items()}
    for table in tables.values():
        gaps.update(table.gaps)
    counted = counted_weights(given, weight_type)
    keep, n_dropped = rows_to_keep(gaps, *given[LABEL], missing, counted=counted)
    kept = {name: values if keep is None else values[keep] for name, (values, _) in given.items()}
    distinct, places = distinct_labels(kept[LABEL], LABEL)
    weights = settled_weights(kept[WEIGHT], WEIGHT, weight_type) if WEIGHT in kept else None
    clusters = number_clusters(kept.get(CLUSTER))
    chosen = _classes(tables, distinct, labels)
    codes = numbered(distinct, places, chosen, name=LABEL, where="column of scores")
    shared: dict[str, Any] = {"weights": weights, "clusters": clusters, "n_dropped": n_dropped}
    shared |= {"weight_type": weight_type, "by_position": labels is None and _unnamed(tables)}
    return [
        ClassRows(tuple(chosen), codes, _in_order(name, table, chosen, keep), **shared)
        for name, table in tables.items()
    ]


def models_of_rows(
    rows: Rows, classes: object, models: Sequence[tuple[str, ...]], *, cluster: bool, by_position: bool = False
) -> list[ClassRows]:
    """Rows that were read, of models with a column of scores for each class: labels, weights and subjects are shared.

    Subjects count where ``cluster`` says so.
    """
    chosen = checked_labels(classes, "classes")
    distinct, places = distinct_labels(rows.columns[rows.label], rows.label)
    codes = numbered(distinct, places, chosen, name=rows.label, where="column of scores")
    nothing = np.zeros(0)
    clusters, shared = rows.clusters if cluster else None, rows.weights
    facts = rows.n_dropped, rows.weight_type
    return [
        ClassRows(
            tuple(chosen),
            codes,
            tuple(ordered_scores(rows.columns[name], nothing, None, name) for name in names),
            shared,
            clusters,
            *facts,
            by_position=by_position,
        )
        for names in models
    ]


def part_of_rows(rows: ClassRows, chosen: NDArray[Any]) -> ClassRows:
    """Some of the rows, by place, with all classes; rows dropped before belong to the whole."""
    scores = rows.scores
    return replace(
        rows,
        codes=rows.codes[chosen],
        scores=tuple(column[chosen] for column in scores) if isinstance(scores, tuple) else scores[chosen],
        weights=None if rows.weights is None else rows.weights[chosen],
        clusters=None if rows.clusters is None else number_values(rows.clusters[chosen])[1],
        n_dropped=0,
    )


def counted_weights(given: dict[str, Any], weight_type: str | None) -> NDArray[np.bool_] | None:
    """Rows whose weight is not zero; whole frequencies are looked for before any row is left out."""
    weight_type_of(None, weight_type)
    if WEIGHT not in given:
        return None
    values, gap = given[WEIGHT]
    if gap is None:
        given[WEIGHT] = checked_weights(values, WEIGHT, weight_type), None
    return counted_rows(*given[WEIGHT])


def number_clusters(values: Column | None) -> Column | None:
    """Number the subjects from 0 on."""
    return None if values is None else number_values(values)[1]


@dataclass(frozen=True, slots=True, eq=False)
class _Scores:
    """What was handed in as scores: columns with names or a matrix without, and masks of missing values."""

    names: tuple[Any, ...] | None
    scores: Any
    gaps: dict[str, Any]

    @property
    def first(self) -> Column:
        column: Column = self.scores if self.names is None else self.scores[0]
        return column


def _read_scores(scores: object, name: str, labels: object) -> _Scores:
    if isinstance(scores, Mapping) or is_table(scores):
        return _read_columns(all_columns(scores), name, labels)
    matrix, gap = _matrix(scores, name)
    return _Scores(None, matrix, {} if gap is None else {name: gap})


def _read_columns(columns: dict[Any, Any], name: str, labels: object) -> _Scores:
    """Named columns; labels pick among them, or, where they are other names, name all of them by position."""
    wanted = list(columns)
    if not wanted:
        raise InputError("no_columns", f"{name} has no columns; pass one column of scores per class")
    asked = wanted if labels is None else checked_labels(labels)
    absent = [label for label in asked if label not in columns]
    if not absent:
        wanted = asked
    elif len(asked) != len(wanted) or len(absent) != len(asked):
        text = f"{name} has no column {some_values(absent)}; it has {some_values(columns, most=20)}"
        raise InputError("column_absent", text)
    read = {key: read_column(columns[key], f"{name}[{key!r}]") for key in wanted}
    check_lengths({f"{name}[{key!r}]": values for key, (values, _) in read.items()})
    gaps = {f"{name}[{key!r}]": gap for key, (_, gap) in read.items() if gap is not None}
    return _Scores(tuple(asked), tuple(values for values, _ in read.values()), gaps)


def is_table(scores: object) -> bool:
    """Whether narwhals knows it as a table."""
    if isinstance(scores, (np.ndarray, list, tuple)):
        return False
    import narwhals as nw

    try:
        return isinstance(nw.from_native(scores, pass_through=True), (nw.DataFrame, nw.LazyFrame))
    except nw.exceptions.DuplicateError:  # a table, which all_columns refuses with a remedy
        return True


def _matrix(scores: object, name: str) -> tuple[Column, NDArray[np.bool_] | None]:
    mask = np.ma.getmaskarray(scores) if isinstance(scores, np.ma.MaskedArray) else None
    try:
        plain = scores.data if isinstance(scores, np.ma.MaskedArray) else scores
        try:
            matrix = np.asarray(plain)
        except OverflowError:  # whole numbers beside floats that none can hold
            matrix = np.asarray(plain, dtype=object)
    except ValueError as error:
        raise InputError("ragged", f"{name}: the rows differ in length; pass one score per class") from error
    if matrix.ndim != 2:
        raise InputError(
            "not_two_dimensional",
            f"{name} must have one column per class, got shape {matrix.shape}; "
            "pass all columns of predict_proba, or use rs.auc for the scores of one class",
        )
    if matrix.dtype.kind == "O":
        matrix, empty = _numbers(matrix, name)
        mask = empty if mask is None else mask | empty
    if matrix.dtype.kind not in "biuf":
        raise InputError("score_type", f"{name} must hold numbers, got the type {matrix.dtype}; convert them")
    if matrix.dtype.kind == "f" and matrix.size and np.isnan(matrix.max()):
        mask = np.isnan(matrix) if mask is None else mask | np.isnan(matrix)
    return matrix, None if mask is None else np.asarray(mask.any(axis=1))


def _numbers(matrix: Column, name: str) -> tuple[Column, NDArray[np.bool_]]:
    """Doubles; what is no number, and what doubles do not hold, is refused. Columns of a table keep whole numbers."""
    cells = matrix.ravel()
    empty = np.fromiter((is_missing(value) for value in cells), dtype=bool, count=cells.size)
    odd = [place for place in np.flatnonzero(~empty).tolist() if not is_real(cells[place])]
    if odd:
        raise InputError("score_type", _cells_message(matrix, odd, name, "are no numbers", "convert or drop them"))
    filled = np.where(empty, np.nan, cells)
    doubles, beyond = to_doubles(filled)
    big = np.flatnonzero(np.abs(doubles) >= 2**53).tolist()
    lost = [*beyond.tolist(), *(place for place in big if _rounded(cells[place], doubles[place]))]
    if lost:
        told = _cells_message(matrix, lost, name, "are beyond what doubles hold", "rescale them")
        raise InputError("beyond_doubles", f"{told}, or pass a table with a column per class")
    return doubles.reshape(matrix.shape), empty.reshape(matrix.shape)


def _rounded(value: Any, double: float) -> bool:
    return isinstance(value, numbers.Integral) and int(value) != float(double)


def _cells_message(matrix: Column, places: list[int], name: str, what: str, remedy: str) -> str:
    rows = list(dict.fromkeys(place // matrix.shape[1] for place in places))
    shown = some_values(matrix.ravel()[place] for place in places[:3])
    return f"{name}: {format_count(len(places))} values {what}, {first_rows(rows, total=len(rows))}: {shown}; {remedy}"


def _unnamed(tables: dict[str, _Scores]) -> bool:
    return all(table.names is None for table in tables.values())


def _classes(tables: dict[str, _Scores], distinct: list[Any], labels: object) -> list[Any]:
    """The classes in their order: as asked, else as the columns are named, else the sorted labels."""
    if labels is not None:
        return checked_labels(labels)
    named = [table.names for table in tables.values() if table.names is not None]
    if not named:
        return distinct
    for names in named[1:]:
        if set(names) != set(named[0]):
            text = f"the models have different columns, {some_values(named[0])} and {some_values(names)}"
            raise InputError("columns_differ", text + "; give both one column per class, of the same name")
    return list(named[0])


def _in_order(name: str, table: _Scores, chosen: list[Any], keep: NDArray[np.bool_] | None) -> Any:
    """Score columns in the order of the classes, kept rows only."""
    names, scores = table.names, table.scores
    if names is not None:
        columns = [scores[names.index(label)] for label in chosen]
        kept = [column if keep is None else column[keep] for column in columns]
        nothing = np.zeros(0)
        return tuple(
            ordered_scores(column, nothing, None, f"{name}[{label!r}]")
            for label, column in zip(chosen, kept, strict=True)
        )
    if scores.shape[1] != len(chosen):
        raise InputError(
            "columns_and_classes",
            f"{name} has {scores.shape[1]} columns and there are {format_count(len(chosen))} "
            f"classes ({some_values(chosen)}); "
            "pass labels=[...] with the class of each column",
        )
    matrix = scores if keep is None else scores[keep]
    return matrix.view(np.uint8) if matrix.dtype.kind == "b" else matrix


def sum_to_one(rows: ClassRows) -> bool:
    """Whether the scores of every row are probabilities: none negative, their sum 1, but for three decimals or more."""
    near = min(ROUNDED * rows.n_classes, MOST_ROUNDED) + 1e-9
    for _, part in rows.blocks():
        with np.errstate(invalid="ignore"):
            sums = part.sum(axis=1, dtype=np.float64)
        if not (np.all(np.abs(sums - 1) <= near) and bool(np.all(part >= 0))):
            return False
    return True
