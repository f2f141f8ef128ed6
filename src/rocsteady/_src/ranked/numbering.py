"""Values of any type are numbered in one order, whatever the order of the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.ranked.grouping import sorted_distinct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def numbered(values: NDArray[Any], order: Sequence[Any] = ()) -> tuple[list[Any], NDArray[np.int64]]:
    """Distinct values in order, whatever the order of the rows, and the number of each row's value.

    ``order`` are values of an order of their own, as those of an ordered categorical; others follow, sorted.
    """
    if values.dtype.kind != "O" and not order:
        distinct, place = sorted_distinct(values)
        return distinct.tolist(), place
    listed = values.tolist()
    texts = set() if order else set(listed)
    if texts and all(type(value) is str for value in texts):
        numbers = {value: number for number, value in enumerate(sorted(texts))}
        return list(numbers), np.fromiter(map(numbers.__getitem__, listed), dtype=np.int64, count=len(listed))
    found = {(type(value), value) for value in listed}
    known = {value: number for number, value in enumerate(order)}
    kept = dict.fromkeys(value for value in order if (type(value), value) in found)
    kept |= dict.fromkeys(in_value_order([value for _, value in found if value not in known]))
    numbers = {value: number for number, value in enumerate(kept)}
    return list(numbers), np.array([numbers[value] for value in listed], dtype=np.int64)


def in_value_order(values: Sequence[Any]) -> list[Any]:
    """Values of any types in one order: by themselves, else numbers before text before the rest."""
    try:
        return sorted(values, key=lambda value: (value, type(value).__name__))
    except TypeError:
        return sorted(values, key=_order_of_mixed)


def _order_of_mixed(value: Any) -> tuple[int, str, Any, str]:
    if isinstance(value, (int, float, np.number)):
        return 0, "", value, type(value).__name__
    text = value if isinstance(value, str) else repr(value)
    return 1 if isinstance(value, str) else 2, "" if isinstance(value, str) else type(value).__name__, text, ""
