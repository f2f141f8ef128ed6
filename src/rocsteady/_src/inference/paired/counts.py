"""What two models have right of the same rows, in four counts; by subject where rows belong to some."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inference.units.subjects import rows_worth
from rocsteady._src.inference.units.units import as_for_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Column = NDArray[np.bool_]
    Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Subjects:
    """Of each subject: how many rows the first model has right, the second, and how many there are."""

    first: Array
    second: Array
    rows: Array

    @classmethod
    def of(cls, first: Column, second: Column, weights: NDArray[Any] | None, clusters: NDArray[np.int64]) -> Subjects:
        """Add up the rows of each."""
        held = np.ones(first.size) if weights is None else weights.astype(np.float64)
        size = int(clusters.max(initial=-1)) + 1

        def added(values: Array) -> Array:
            return np.bincount(clusters, values, size).astype(np.float64)

        return cls(added(held * first), added(held * second), added(held))

    @property
    def n(self) -> int:
        """How many subjects have rows."""
        return int(np.count_nonzero(self.rows))

    @property
    def differences(self) -> Array:
        """Rows that the first has right and the second has not, less those the other way round."""
        return self.first - self.second


@dataclass(frozen=True, slots=True, eq=False)
class PairedCounts:
    """Rows that both models have right, only the first, only the second, and neither.

    Examples
    --------
    >>> right, wrong = np.array([True, True, False]), np.array([True, False, False])
    >>> counts = PairedCounts.of(right, wrong)
    >>> counts.both, counts.first_only, counts.second_only, counts.neither, round(counts.difference, 3)
    (1, 1, 0, 1, 0.333)
    """

    both: Any
    first_only: Any
    second_only: Any
    neither: Any
    subjects: Subjects | None = None

    @classmethod
    def of(
        cls,
        first: Column,
        second: Column,
        weights: NDArray[Any] | None = None,
        clusters: NDArray[np.int64] | None = None,
    ) -> PairedCounts:
        """Count rows, as often as ``weights`` say; ``clusters`` numbers the subject of each."""
        subjects = None if clusters is None else Subjects.of(first, second, weights, clusters)
        if weights is None:
            return cls(*_cells(first, second), subjects)
        cell = np.where(first, np.where(second, 0, 1), np.where(second, 2, 3))
        counts = np.bincount(cell, weights, 4)
        whole = weights.dtype.kind in "iub"
        both, first_only, second_only, neither = counts.astype(np.int64).tolist() if whole else counts.tolist()
        return cls(both, first_only, second_only, neither, subjects)

    @property
    def n(self) -> Any:
        """How many rows there are."""
        return self.both + self.first_only + self.second_only + self.neither

    @property
    def discordant(self) -> Any:
        """Rows that the models do not agree on."""
        return self.first_only + self.second_only

    @property
    def shares(self) -> tuple[float, float]:
        """The share of rows that each model has right; NaN without rows."""
        if not self.n:
            return math.nan, math.nan
        return (self.both + self.first_only) / self.n, (self.both + self.second_only) / self.n

    @property
    def difference(self) -> float:
        """Share of the first less that of the second."""
        return (self.first_only - self.second_only) / self.n if self.n else math.nan

    @property
    def df(self) -> float | None:
        """Degrees of freedom where subjects are the units; None where rows are."""
        return None if self.subjects is None else float(self.subjects.n - 1)

    @property
    def worth(self) -> float:
        """How many independent rows tell the difference as surely: never more than there are.

        Where it does not vary among rows, each subject counts as one.
        """
        if self.subjects is None or not self.n:
            return float(self.n)
        if self.subjects.n < 2:
            return math.nan
        spread = self.discordant / self.n - self.difference**2
        off = (self.subjects.differences - self.difference * self.subjects.rows) / self.n
        variance = as_for_rows(self.subjects.n, float(self.n)) * float(off @ off)
        if not spread > 0:
            return float(self.subjects.n)
        return min(spread / variance, float(self.n)) if variance > 0 else float(self.n)

    @property
    def se(self) -> float:
        """Standard error of the difference."""
        if not self.n:
            return math.nan
        return math.sqrt(max(self.discordant / self.n - self.difference**2, 0.0) / self.worth)

    @property
    def scaled(self) -> tuple[float, float, float]:
        """Rows that only the first has right, only the second, and all, of as many as are worth the same."""
        share = self.worth / self.n if self.n else math.nan
        return self.first_only * share, self.second_only * share, self.worth

    def margin_worth(self) -> tuple[float, float]:
        """How many independent rows tell the share of each model as surely."""
        if self.subjects is None:
            return float(self.n), float(self.n)
        known = self.subjects
        one, two = (float(rows_worth(hits, known.rows, float(self.n))) for hits in (known.first, known.second))
        return one, two

    def correlation(self) -> float:
        """Of the two shares, drawn half a row towards 0 where it is positive (Newcombe 1998, his method 10)."""
        if self.subjects is not None:
            return self._by_subject()
        a, b, c, d = (float(each) for each in (self.both, self.first_only, self.second_only, self.neither))
        margins = (a + b) * (c + d) * (a + c) * (b + d)
        product = a * d - b * c
        product = product if product < 0 else max(product - (a + b + c + d) / 2, 0.0)
        return product / math.sqrt(margins) if margins > 0 else 0.0

    def _by_subject(self) -> float:
        known, shares = self.subjects, self.shares
        assert known is not None  # noqa: S101 - for the type checker
        one, two = known.first - shares[0] * known.rows, known.second - shares[1] * known.rows
        size = math.sqrt(float(one @ one) * float(two @ two))
        return float(one @ two) / size if size > 0 else 0.0


def _cells(first: Column, second: Column) -> tuple[int, int, int, int]:
    """Rows that both have right, one of them only, and neither."""
    both, one, other = (int(np.count_nonzero(each)) for each in (np.logical_and(first, second), first, second))
    return both, one - both, other - both, int(first.size) - one - other + both
