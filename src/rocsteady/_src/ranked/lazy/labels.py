"""Which rows are positive, said by the engine: labels become a handful of codes, so that any column groups small."""

from __future__ import annotations

import numbers
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inputs.arrays import is_missing
from rocsteady._src.inputs.labels import positive_rows
from rocsteady._src.ranked.lazy.fetch import fetch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked.lazy.columns import LazyColumns

POSITIVE, NEGATIVE, MINUS_ONE, OTHER = 1, 0, -1, 2
LABELS_SHOWN = 12
LEAST_STORED, MOST_STORED = -(2**63), 2**64 - 1


def label_code(columns: LazyColumns, pos_label: Any) -> Any:
    """1 for a positive row, null for a row without a label, 0 or -1 for negatives, 2 for what nobody explained."""
    import narwhals as nw

    kind, label = columns.types[columns.label], nw.col(columns.label)
    if pos_label is not None:
        meant = _as_stored(columns, pos_label)
        if isinstance(kind, (nw.Categorical, nw.Enum)):
            label = label.cast(nw.String)
        code = nw.when(label == meant).then(nw.lit(POSITIVE)).otherwise(nw.lit(NEGATIVE))
    elif kind == nw.Boolean:
        code = nw.when(label).then(nw.lit(POSITIVE)).otherwise(nw.lit(NEGATIVE))
    else:
        _refuse_unless_numbers(columns)
        code = nw.lit(OTHER)
        for value in (MINUS_ONE, NEGATIVE, POSITIVE):
            code = nw.when(label == value).then(nw.lit(value)).otherwise(code)
    return nw.when(~columns.gap(columns.label)).then(code)


def label_sides(columns: LazyColumns, pos_label: Any) -> tuple[Any, Any]:
    """Whether a row is positive, and whether it is negative as most labels have it; where neither, codes tell."""
    import narwhals as nw

    kind, label = columns.types[columns.label], nw.col(columns.label)
    if pos_label is not None:
        meant = _as_stored(columns, pos_label)
        if isinstance(kind, (nw.Categorical, nw.Enum)):
            label = label.cast(nw.String)
        return label == meant, (label != meant) & ~columns.gap(columns.label)
    if kind == nw.Boolean:
        return label, ~label
    _refuse_unless_numbers(columns)
    return label == POSITIVE, label == NEGATIVE


def _as_stored(columns: LazyColumns, pos_label: Any) -> Any:
    """The positive label in the type of its column; a number beside text is refused, as in memory."""
    import narwhals as nw

    kind = columns.types[columns.label]
    numeric = kind.is_numeric() or kind == nw.Boolean
    unlike = numeric != isinstance(pos_label, (numbers.Real, Decimal, np.bool_))
    if np.ndim(pos_label) or is_missing(pos_label) or unlike:
        positive_rows(_distinct(columns), pos_label, columns.label)
    if isinstance(pos_label, np.generic):
        pos_label = pos_label.item()
    if isinstance(pos_label, int) and not LEAST_STORED <= pos_label <= MOST_STORED:  # which engines cannot compare
        positive_rows(_distinct(columns), pos_label, columns.label)
    if kind == nw.Boolean and pos_label in (0, 1):
        return bool(pos_label)
    return int(pos_label) if isinstance(pos_label, bool) and numeric else pos_label


def _refuse_unless_numbers(columns: LazyColumns) -> None:
    if not columns.types[columns.label].is_numeric():
        positive_rows(_distinct(columns), None, columns.label)


def positive_codes(columns: LazyColumns, codes: NDArray[Any], pos_label: Any) -> NDArray[np.bool_]:
    """Which codes are positive; the engine lists labels for a refusal."""
    positive: NDArray[np.bool_] = codes == POSITIVE
    if pos_label is not None:
        if codes.size and not positive.any():
            positive_rows(_distinct(columns), pos_label, columns.label)
        return positive
    found = {int(code) for code in np.unique(codes)}
    if OTHER in found or {NEGATIVE, MINUS_ONE} <= found:
        positive_rows(_distinct(columns), None, columns.label)
    return positive


def taken_as_positive(columns: LazyColumns, pos_label: Any) -> Any:
    """The label that counts as positive."""
    import narwhals as nw

    if pos_label is not None:
        return pos_label
    return True if columns.types[columns.label] == nw.Boolean else 1


def _distinct(columns: LazyColumns) -> NDArray[Any]:
    """Some of the labels that occur."""
    import narwhals as nw

    label = columns.frame.filter(~columns.gap(columns.label)).select(nw.col(columns.label).alias("label"))
    values, _ = fetch(label.unique().head(LABELS_SHOWN))["label"]
    return values
