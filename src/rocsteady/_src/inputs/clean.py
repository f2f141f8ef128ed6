"""The checking door: labels, scores and weights in, clean aligned arrays out, or an error that says what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, first_rows, printable
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.labels import conventional_negative, other_label, positive_rows, refuse_swapped
from rocsteady._src.inputs.scores import beyond_doubles, ordered_scores
from rocsteady._src.inputs.weights import checked_weights, settled_weights, weight_type_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

Missing = Literal["raise", "drop"]


@dataclass(frozen=True, slots=True)
class Names:
    """What to call the columns in messages."""

    label: str = "y_true"
    score: str = "y_score"
    weight: str = "sample_weight"


@dataclass(frozen=True, slots=True)
class CleanRows:
    """Aligned rows without missing values; ``weights`` is None when every row counts once.

    ``neg_label`` is 0 or -1 where labels spoke for themselves: parts that differ in it do not belong together.
    ``weight_type`` is what was asked for, see :func:`rocsteady._src.inputs.weights.weight_type_of`.
    """

    positive: NDArray[np.bool_]
    scores: NDArray[Any]
    weights: NDArray[Any] | None
    pos_label: Any
    n_dropped: int
    neg_label: int | None = None
    weight_type: str | None = None
    no_doubles: str = ""  # which scores no double holds, for those who need their size
    other_label: Any = None  # the label of all that are not positive, where they have one


DEFAULT_NAMES = Names()


def clean_rows(
    y_true: object,
    y_score: object,
    *,
    sample_weight: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    names: Names = DEFAULT_NAMES,
    weight_type: str | None = None,
) -> CleanRows:
    """Check and align one model's rows; rows of weight zero are left out, as if they were not there."""
    weight_type_of(None, weight_type)
    labels, no_label = read_column(y_true, names.label)
    scores, no_score = read_column(y_score, names.score, numbers_follow=True)
    weights, no_weight = (None, None) if sample_weight is None else read_column(sample_weight, names.weight)
    check_lengths({names.label: labels, names.score: scores, names.weight: weights})
    check_row_labels({names.label: y_true, names.score: y_score, names.weight: sample_weight})
    if weights is not None and no_weight is None:
        weights = checked_weights(weights, names.weight, weight_type)
    gaps = {names.label: no_label, names.score: no_score, names.weight: no_weight}
    keep, n_dropped = rows_to_keep(gaps, labels, no_label, missing, counted=counted_rows(weights, no_weight))
    if keep is not None:
        labels, scores = labels[keep], scores[keep]
        weights = None if weights is None else weights[keep]
    positive, pos_label, neg_label, other = checked_labels(labels, scores, pos_label, names)
    scores = ordered_scores(scores, labels, pos_label, names.score)
    if weights is not None:
        weights = settled_weights(weights, names.weight, weight_type)
    no_doubles = beyond_doubles(scores, names.score)
    return CleanRows(positive, scores, weights, pos_label, n_dropped, neg_label, weight_type, no_doubles, other)


def checked_labels(
    labels: NDArray[Any], scores: NDArray[Any], pos_label: Any, names: Names
) -> tuple[NDArray[np.bool_], Any, int | None, Any]:
    """Which rows are positive, by which label, which of 0 and -1 is negative where labels spoke for themselves.

    And the one label of all rows that are not positive, if there is one.
    """
    named = pos_label is not None
    try:
        positive, pos_label = positive_rows(labels, pos_label, names.label)
    except InputError as error:
        refuse_swapped(labels, scores, names.label, names.score, error)
        raise
    spoken = None if named else conventional_negative(labels, positive)
    return positive, pos_label, spoken, other_label(labels, positive, pos_label, spoken)


def check_lengths(columns: Mapping[str, NDArray[Any] | None]) -> None:
    """Refuse columns of different length."""
    lengths = {name: len(column) for name, column in columns.items() if column is not None}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise InputError("lengths_differ", f"the columns differ in length: {listed} rows; pass one value per row")


def check_row_labels(columns: Mapping[str, object]) -> None:
    """Refuse Series whose row labels differ: paired by position they would mix the rows of different subjects."""
    _check_row_numbers(columns)
    labelled = [(name, index) for name, values in columns.items() if (index := _row_labels(values)) is not None]
    for name, index in labelled[1:]:
        first_name, first = labelled[0]
        if not index.equals(first):
            row = next((row for row, (a, b) in enumerate(zip(first, index, strict=True)) if a != b), 0)
            raise InputError(
                "row_labels_differ",
                f"{first_name} and {name} have different row labels, first in row {row}: {first[row]} and "
                f"{index[row]}; align them by label, or pass .to_numpy() of both to pair rows by position",
            )


def _check_row_numbers(columns: Mapping[str, object]) -> None:
    """Scores of repeats, or of some rows, go with their own labels; see :func:`rocsteady.crossval.crossval_scores`."""
    known = {name: getattr(values, "row_numbers", None) for name, values in columns.items() if values is not None}
    told = {name: rows for name, rows in known.items() if rows is not None}
    if told and not (len(told) == len(known) and len({rows.tobytes() for rows in told.values()}) == 1):
        name = next(iter(told))
        others = ", ".join(each for each in known if each not in told) or "the other column"
        raise InputError(
            "rows_differ",
            f"{name} comes from crossval_scores and does not hold each row once in its order, as {others} may; pass "
            "the result of crossval_scores alone, or its own y_true, y_score, fold, repeat and row as plain arrays",
        )


def _row_labels(values: object) -> Any:
    """The index of a pandas-like Series."""
    if values is None or isinstance(values, (np.ndarray, list)):
        return None
    index = getattr(getattr(values, "to_native", lambda: values)(), "index", None)
    return index if hasattr(index, "equals") else None


def rows_to_keep(
    gaps: dict[str, NDArray[np.bool_] | None],
    labels: NDArray[Any],
    no_label: NDArray[np.bool_] | None,
    missing: Missing,
    *,
    counted: NDArray[np.bool_] | None = None,
) -> tuple[NDArray[np.bool_] | None, int]:
    """Return the mask of rows to keep, None when all are, and how many incomplete rows were dropped.

    Rows of weight zero are absent: they are left out and not asked for their values. Incomplete rows are refused
    unless ``missing`` says to drop them.
    """
    if missing not in ("raise", "drop"):
        raise ArgumentError("missing_policy", f"missing must be 'raise' or 'drop', got {missing!r}")
    found = {name: gap if counted is None else gap & counted for name, gap in gaps.items() if gap is not None}
    found = {name: gap for name, gap in found.items() if gap.any()}
    if found and missing == "raise":
        raise InputError("missing_values", _missing_message(found, labels, no_label))
    if not found:
        return counted, 0
    incomplete: NDArray[np.bool_] = np.logical_or.reduce(list(found.values()))
    return (~incomplete if counted is None else counted & ~incomplete), int(np.count_nonzero(incomplete))


def counted_rows(weights: NDArray[Any] | None, gap: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
    """Rows whose weight is not zero; None when that is all of them, or when none would be left."""
    if weights is None:
        return None
    counted = np.ones(weights.size, dtype=bool)
    present = slice(None) if gap is None else ~gap
    counted[present] = weights[present] != 0
    return None if counted.all() or not counted.any() else counted


def _missing_message(
    found: dict[str, NDArray[np.bool_]], labels: NDArray[Any], no_label: NDArray[np.bool_] | None
) -> str:
    parts = []
    for name, gap in found.items():
        rows = np.flatnonzero(gap)
        by_label = _by_label(labels, gap, no_label)
        parts.append(f"{name}: {format_count(rows.size)} missing, {first_rows(rows, total=rows.size)}{by_label}")
    return Sentence(
        "{gaps}; pass {missing='drop'} to leave incomplete rows out and have them counted", gaps="; ".join(parts)
    )


def _by_label(labels: NDArray[Any], gap: NDArray[np.bool_], no_label: NDArray[np.bool_] | None) -> str:
    known = gap if no_label is None else gap & ~no_label
    values, counts = np.unique(labels[known].astype(str), return_counts=True)
    if not 1 <= values.size <= 10:
        return ""
    listed = ", ".join(
        f"{format_count(count)} with label {printable(value, most=60)}"
        for value, count in zip(values, counts, strict=True)
    )
    return f" ({listed})"
