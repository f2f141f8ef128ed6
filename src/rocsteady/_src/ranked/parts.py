"""Rows divided into parts: who belongs where is settled once, and an order of all rows becomes one of each part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

from collections.abc import Mapping


def part_by_part(part_of: Numbers, n_parts: int) -> tuple[Numbers, Numbers]:
    """Rows in the order of their parts, as they came within each, and where each part ends; O(n).

    Examples
    --------
    >>> [each.tolist() for each in part_by_part(np.array([1, 0, 1]), 2)]
    [[1, 0, 2], [1, 3]]
    """
    small = part_of.astype(np.min_scalar_type(max(n_parts - 1, 1)))  # which NumPy sorts by its digits
    return small.argsort(kind="stable"), np.bincount(part_of, minlength=n_parts).cumsum()


class Split:
    """``rows[part]`` are the rows of each part as they came; O(n) for all parts together."""

    def __init__(self, part_of: Numbers, n_parts: int) -> None:
        self._part_of = part_of.astype(np.min_scalar_type(max(n_parts - 1, 1)))
        by_part, self._ends = part_by_part(part_of, n_parts)
        counts = np.diff(self._ends, prepend=0)
        self.rows: list[Numbers] = np.split(by_part, self._ends[:-1])
        self._number = np.empty(part_of.size, dtype=np.int64)
        self._number[by_part] = np.arange(part_of.size) - np.repeat(self._ends - counts, counts)
        self._orders: dict[str, list[Numbers]] = {}

    def order(self, model: str, of_all: Numbers, part: int) -> Numbers:
        """The rows of a part, numbered within it, in the order that a model gives all rows."""
        if model not in self._orders:
            grouped = of_all[self._part_of[of_all].argsort(kind="stable")]
            self._orders[model] = np.split(self._number[grouped], self._ends[:-1])
        return self._orders[model][part]


class Picked(Mapping[str, "NDArray[Any]"]):
    """Columns of some rows, each picked when it is asked for."""

    def __init__(self, columns: Mapping[str, NDArray[Any]], rows: Numbers) -> None:
        self._columns, self._rows = columns, rows
        self._made: dict[str, NDArray[Any]] = {}

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._made:
            self._made[name] = self._columns[name][self._rows]
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)
