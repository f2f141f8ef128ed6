"""Counts by key: the table that grows while rows stream by, and the array of counts by bucket."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.ranked.cells import counted_keys
from rocsteady._src.ranked.grouping import group_weighted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Keys = NDArray[np.int64]

LEAST_WAITING = 1 << 19


class KeyTable:
    """Distinct keys, increasing, with their positives and negatives. Rows wait until many can be added at once."""

    def __init__(self, keys: Keys | None = None, counts: tuple[Keys, Keys] | None = None) -> None:
        self._keys = np.zeros(0, dtype=np.int64) if keys is None else keys
        self._counts = counts or (np.zeros_like(self._keys), np.zeros_like(self._keys))
        self._waiting: tuple[list[Keys], list[Keys]] = ([], [])
        self._n_waiting = 0

    @property
    def size(self) -> int:
        """Number of distinct keys, without those of rows that wait."""
        return self._keys.size

    def wait(self, keys: Keys, *, positive: bool) -> None:
        """Add rows of one class, later."""
        self._waiting[positive].append(keys)
        self._n_waiting += keys.size
        if self._n_waiting >= max(LEAST_WAITING, self._keys.size):
            self.settle()

    def settle(self) -> tuple[Keys, Keys, Keys]:
        """Keys, positives and negatives, when all that waited is counted."""
        for positive, parts in enumerate(self._waiting):
            if parts:
                self._add(*counted_keys(np.concatenate(parts)), positive=bool(positive))
                parts.clear()
        self._n_waiting = 0
        neg, pos = self._counts
        return self._keys, pos, neg

    def add_groups(self, keys: Keys, pos: Keys, neg: Keys) -> None:
        """Add counts of keys in any order."""
        if keys.size:
            keys, pos, neg = group_weighted(keys, pos, neg)
            for counts, positive in ((pos, True), (neg, False)):
                there = np.flatnonzero(counts)
                self._add(keys[there], counts[there], positive=positive)

    def _add(self, keys: Keys, counts: Keys, *, positive: bool) -> None:
        """Add counts of increasing keys; linear time, and in place where no key is new."""
        places = self._keys.searchsorted(keys)
        new = np.ones(keys.size, dtype=bool)
        inside = np.flatnonzero(places < self._keys.size)
        new[inside] = self._keys[places[inside]] != keys[inside]
        if new.any():
            at = places[new]
            self._keys = np.insert(self._keys, at, keys[new])
            neg, pos = (np.insert(column, at, 0) for column in self._counts)
            self._counts = (neg, pos)
            places += np.cumsum(new) - new
        self._counts[positive][places] += counts
