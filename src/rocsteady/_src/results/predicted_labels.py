"""Labels of new scores at a threshold, of the kind that the data had."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, first_rows, some_values
from rocsteady._src.base.text import format_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.results.base import Origin


def predicted_labels(scores: object, threshold: Any, origin: Origin | None, neg_label: Any = None) -> NDArray[Any]:
    """The positive label where ``score >= threshold``, else the negative one."""
    negative = neg_label if neg_label is not None or origin is None else origin.neg_label
    if origin is None or negative is None:
        text = "which label the negatives have is not known here (they had several, or came as counts)"
        raise ArgumentError("neg_label", f"{text}; say which one with neg_label=")
    if negative == origin.pos_label:
        raise ArgumentError("neg_label", f"neg_label={negative!r} is the positive label")
    same = type(origin.pos_label) is type(negative)
    labels = np.array([negative, origin.pos_label], dtype=None if same else object)
    found: NDArray[Any] = labels[_reach(_column(scores), threshold).astype(np.intp)]
    return found


def _column(scores: object) -> NDArray[Any]:
    values = np.asarray(scores)
    if values.ndim != 1:
        text = f"scores must be one column, one per row, got an array of {values.ndim} dimensions"
        raise InputError("scores_shape", f"{text}; of predict_proba take the column of the positive class")
    if values.dtype.kind not in "biufO":
        raise InputError("scores_type", f"scores must be numbers, got {some_values(values[:3].tolist())}")
    return values


def _reach(values: NDArray[Any], threshold: Any) -> NDArray[np.bool_]:
    """Compared as Python compares, without rounding, where NumPy would make doubles of whole numbers."""
    doubles = values.dtype.kind == "f" and isinstance(threshold, float)
    if doubles:
        _refuse_missing(np.isnan(values))
        return np.asarray(
            values >= np.float64(threshold)
        )  # a plain float would be rounded to the type of narrow scores
    each = values.tolist()
    try:
        _refuse_missing(np.array([value is None or bool(value != value) for value in each], dtype=bool))  # noqa: PLR0124
        return np.array([bool(value >= threshold) for value in each], dtype=bool)
    except TypeError as error:
        raise InputError("scores_type", f"scores must be numbers: {error}") from error


def _refuse_missing(missing: NDArray[np.bool_]) -> None:
    rows = np.flatnonzero(missing)
    if rows.size:
        text = f"scores: {format_count(rows.size)} missing, {first_rows(rows, total=rows.size)}"
        raise InputError("missing_values", f"{text}; a missing score has no label, leave these rows out")
