"""What is kept while sets go by: counts per bin, counts per share of positives, and some values for pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.base.binning import counting_edges, equal_edges
from rocsteady._src.results.lab import Breakdown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Wrong = NDArray[np.bool_]

MOST_DRAWN = 4096


class Bins:
    """Correct sets and errors in bins of equal width from 0 to the largest value.

    ``scale`` is the largest magnitude of the scores, whose differences are binned.
    """

    def __init__(self, largest: float, bins: int, measures: int, scale: float) -> None:
        self.edges = equal_edges(0.0, largest, bins)
        self.counted = counting_edges(self.edges, scale)
        self.counts = np.zeros(bins, dtype=np.int64)
        self.errors = np.zeros((measures, bins), dtype=np.int64)

    def add(self, at: Array, wrong: Wrong) -> None:
        """Count a batch: its property, and for each measure which sets are errors."""
        bins = self.counts.size
        place = np.clip(np.searchsorted(self.counted, at, side="right") - 1, 0, bins - 1)
        self.counts += np.bincount(place, minlength=bins)
        for measure, mistaken in enumerate(wrong):
            self.errors[measure] += np.bincount(place[mistaken], minlength=bins)

    def breakdown(self, by: str, measures: tuple[str, ...]) -> Breakdown:
        """The counts as a result."""
        return Breakdown(by, self.edges[:-1], self.edges[1:], self.counts, self.errors, measures)


class Shares:
    """Correct sets and errors for every share of positives that occurs."""

    def __init__(self, measures: int) -> None:
        self.measures = measures
        self.found: dict[float, NDArray[np.int64]] = {}

    def add(self, at: Array, wrong: Wrong) -> None:
        """Count a batch."""
        for share in np.unique(at).tolist():
            here = at == share
            counts = self.found.setdefault(share, np.zeros(1 + self.measures, dtype=np.int64))
            counts[0] += here.sum()
            counts[1:] += wrong[:, here].sum(axis=1)

    def breakdown(self, by: str, measures: tuple[str, ...]) -> Breakdown:
        """The counts as a result, shares increasing."""
        shares = sorted(self.found)
        counts = np.array([self.found[share] for share in shares], dtype=np.int64).reshape(-1, 1 + self.measures)
        at = np.array(shares, dtype=np.float64)
        return Breakdown(by, at, at, counts[:, 0], counts[:, 1:].T, measures)


class Thinned:
    """Every k-th of the values that go by; k doubles whenever there are too many."""

    def __init__(self) -> None:
        self.values: Array = np.zeros(0)
        self.every = 1
        self.seen = 0

    def add(self, values: Array) -> None:
        """Let values go by."""
        first = -self.seen % self.every
        self.values = np.concatenate([self.values, values[first :: self.every]])
        self.seen += values.size
        while self.values.size > MOST_DRAWN:
            self.values = self.values[::2]
            self.every *= 2
