"""The checking door: labels, scores and weights in, clean aligned arrays out, or an error that says what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady.errors import ArgumentError, InputError, first_rows
from rocsteady.inputs.arrays import read_column
from rocsteady.inputs.labels import positive_rows
from rocsteady.inputs.scores import ordered_scores
from rocsteady.inputs.weights import checked_weights

if TYPE_CHECKING:
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
    """Aligned rows without missing values; ``weights`` is None when every row counts once."""

    positive: NDArray[np.bool_]
    scores: NDArray[Any]
    weights: NDArray[Any] | None
    pos_label: Any
    n_dropped: int


DEFAULT_NAMES = Names()


def clean_rows(
    y_true: object,
    y_score: object,
    *,
    sample_weight: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    names: Names = DEFAULT_NAMES,
) -> CleanRows:
    """Check and align one model's rows; rows of weight zero are left out, as if they were not there."""
    labels, no_label = read_column(y_true, names.label)
    scores, no_score = read_column(y_score, names.score)
    weights, no_weight = (None, None) if sample_weight is None else read_column(sample_weight, names.weight)
    _check_lengths({names.label: labels, names.score: scores, names.weight: weights})
    gaps = {names.label: no_label, names.score: no_score, names.weight: no_weight}
    keep = rows_to_keep(gaps, labels, no_label, missing)
    n_dropped = 0
    if keep is not None:
        n_dropped = int(keep.size - np.count_nonzero(keep))
        labels, scores = labels[keep], scores[keep]
        weights = None if weights is None else weights[keep]
    positive, pos_label = positive_rows(labels, pos_label, names.label)
    scores = ordered_scores(scores, labels, pos_label, names.score)
    if weights is not None:
        weights = checked_weights(weights, names.weight)
        present = weights > 0
        if not present.all():
            positive, scores, weights = positive[present], scores[present], weights[present]
    return CleanRows(positive, scores, weights, pos_label, n_dropped)


def _check_lengths(columns: dict[str, NDArray[Any] | None]) -> None:
    lengths = {name: len(column) for name, column in columns.items() if column is not None}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise InputError("lengths_differ", f"the columns differ in length: {listed} rows; pass one value per row")


def rows_to_keep(
    gaps: dict[str, NDArray[np.bool_] | None],
    labels: NDArray[Any],
    no_label: NDArray[np.bool_] | None,
    missing: Missing,
) -> NDArray[np.bool_] | None:
    """Return the mask of complete rows, None when all are; refuse incomplete ones unless told to drop them."""
    if missing not in ("raise", "drop"):
        raise ArgumentError("missing_policy", f"missing must be 'raise' or 'drop', got {missing!r}")
    found = {name: gap for name, gap in gaps.items() if gap is not None}
    if not found:
        return None
    if missing == "raise":
        raise InputError("missing_values", _missing_message(found, labels, no_label))
    incomplete: NDArray[np.bool_] = np.logical_or.reduce(list(found.values()))
    return ~incomplete


def _missing_message(
    found: dict[str, NDArray[np.bool_]], labels: NDArray[Any], no_label: NDArray[np.bool_] | None
) -> str:
    parts = []
    for name, gap in found.items():
        rows = np.flatnonzero(gap)
        by_label = "" if gap is no_label else _by_label(labels, gap, no_label)
        parts.append(f"{name}: {rows.size} missing, {first_rows(rows, total=rows.size)}{by_label}")
    return "; ".join(parts) + "; pass missing='drop' to leave incomplete rows out and have them counted"


def _by_label(labels: NDArray[Any], gap: NDArray[np.bool_], no_label: NDArray[np.bool_] | None) -> str:
    known = gap if no_label is None else gap & ~no_label
    values, counts = np.unique(labels[known].astype(str), return_counts=True)
    if not 1 <= values.size <= 10:
        return ""
    listed = ", ".join(f"{count} with label {value}" for value, count in zip(values, counts, strict=True))
    return f" ({listed})"
