"""Classes and their order: labels become whole numbers, once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, first_rows, some_values
from rocsteady._src.inputs.arrays import is_missing, kind_of
from rocsteady._src.ranked import sorted_distinct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

FEW_VALUES = 1 << 16


def distinct_labels(labels: NDArray[Any], name: str) -> tuple[list[Any], NDArray[Any]]:
    """Distinct labels, increasing, and the number of each row's label among them."""
    labels = _uniform(labels, name)
    if labels.dtype.kind in "iu" and labels.size:
        low = int(labels.min())
        if int(labels.max()) - low < FEW_VALUES:
            return _small_whole(labels, low)
    distinct, places = sorted_distinct(labels)
    return distinct.tolist(), places.ravel()


def _small_whole(labels: NDArray[Any], low: int) -> tuple[list[Any], NDArray[Any]]:
    """Whole numbers close together need no sort."""
    shifted = (labels - low).astype(np.uint16) if low else labels.astype(np.uint16)
    found = np.flatnonzero(np.bincount(shifted))
    places = np.zeros(int(found[-1]) + 1, dtype=np.intp)
    places[found] = np.arange(found.size)
    return [place + low for place in found.tolist()], places[shifted]


def _uniform(labels: NDArray[Any], name: str) -> NDArray[Any]:
    if labels.dtype.kind != "O":
        return labels
    kinds = {kind_of(value) for value in labels.tolist()}
    if len(kinds) > 1:
        text = f"{name} mixes {' and '.join(sorted(kinds))} values; convert them to one type"
        raise InputError("label_mixed_types", text)
    plain = np.array(labels.tolist())
    if plain.ndim == 1 and plain.dtype.kind in "biufU":
        return plain
    raise InputError("label_type", f"{name} must hold text, numbers or booleans, got {', '.join(kinds)}; convert them")


def checked_labels(labels: object, name: str = "labels") -> list[Any]:
    """The classes asked for: a list of distinct values."""
    if isinstance(labels, (str, bytes)) or not hasattr(labels, "__iter__") or getattr(labels, "ndim", 1) != 1:
        raise ArgumentError("labels", f"{name} must be a list of the classes, got {labels!r}")
    listed = [value.item() if isinstance(value, np.generic) else value for value in labels]
    if any(is_missing(value) for value in listed):
        raise ArgumentError("labels", f"{name} holds a missing value; name each class")
    if len(set(listed)) < len(listed):
        raise ArgumentError("labels", f"{name} names a class twice: {some_values(listed)}")
    if not listed:
        raise ArgumentError("labels", f"{name} is empty; name each class")
    return listed


def numbered(
    distinct: Sequence[Any], places: NDArray[Any], labels: Sequence[Any], *, name: str, where: str
) -> NDArray[Any]:
    """The class number of every row; a label that is none of the classes is refused by name."""
    number = {label: place for place, label in enumerate(labels)}
    unknown = [value for value in distinct if value not in number]
    if unknown:
        rows = np.flatnonzero(np.isin(places, [place for place, value in enumerate(distinct) if value not in number]))
        raise InputError(
            "class_without_scores",
            f"{name} holds {some_values(unknown)}, for which there is no {where} ({some_values(labels)}), "
            f"{first_rows(rows, total=rows.size)}; add it, or leave these rows out{_type_hint(unknown, labels)}",
        )
    kind = np.min_scalar_type(max(len(labels) - 1, 0))
    if not len(distinct):
        return np.zeros(0, dtype=kind)
    codes: NDArray[Any] = np.array([number[value] for value in distinct], dtype=kind)[places]
    return codes


def _type_hint(unknown: Sequence[Any], labels: Sequence[Any]) -> str:
    named = {str(label) for label in labels}
    if not all(str(value) in named for value in unknown):
        return ""
    return "; labels and names differ only in type: pass labels=[...] as they stand in y_true, in the order of columns"
