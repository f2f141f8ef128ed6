"""What is drawn in a resample: new weights for the groups of equal score. Nothing is sorted again.

Every scheme answers three questions: new weights (``draw``), the weights with one unit left out (``left_out``), and
how it works (``scheme``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from rocsteady._src.base.repeat_counts import repeat_by
from rocsteady._src.ranked import in_canonical_order, joined_negatives

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores, Rows

    Weights = tuple[NDArray[Any], NDArray[Any]]
    Draw = tuple[Weights, ...]

MANY_REPEATS = 8
MANY_GROUPS = 1 << 12  # from here on, groups of negatives alone are joined before they are drawn


@dataclass(frozen=True, slots=True, eq=False)
class LeftOut:
    """Weights without one unit; ``times`` units of ``stratum`` would give the same."""

    draw: Draw
    stratum: int
    times: int


class Draws(Protocol):
    """A resampling scheme for one or more models on the same rows; ``fewest`` units, called so, are of one class."""

    scheme: str
    units: str
    strata: tuple[int, ...]
    ranked: tuple[RankedScores, ...]
    fewest: int

    def draw(self, rng: np.random.Generator) -> Draw:
        """Positive and negative weights at each distinct score, for each model."""
        ...

    def left_out(self) -> Iterator[LeftOut]:
        """All ways to leave one unit out."""
        ...

    def n_left_out(self) -> int:
        """How many ways there are."""
        ...


class GroupDraws:
    """One model whose rows count once or a whole number of times: classes are drawn apart, or all rows together."""

    def __init__(self, ranked: RankedScores, *, stratified: bool = True) -> None:
        self.ranked: tuple[RankedScores, ...] = (ranked,)
        self.stratified = stratified
        self.scheme, self.units = "rows within each class" if stratified else "rows", "rows"
        sizes = (ranked.n_pos, ranked.n_neg)
        self.fewest = int(min(sizes))
        self.strata: tuple[int, ...] = sizes if stratified else (sum(sizes),)
        counts = (ranked.pos, ranked.neg) if stratified else (np.concatenate([ranked.pos, ranked.neg]),)
        self._urns = [_Urn(each) for each in counts]

    @property
    def repeated(self) -> bool:
        """Whether rows repeat so often that counts are drawn instead of rows."""
        return any(urn.repeated for urn in self._urns)

    def draw(self, rng: np.random.Generator) -> Draw:
        """New counts."""
        drawn = [urn.draw(rng) for urn in self._urns]
        pos, neg = drawn if self.stratified else np.split(drawn[0], 2)
        return ((pos, neg),)

    def draws(self, rng: np.random.Generator, size: int) -> list[Weights]:
        """The same draws as ``size`` times one, a line for each."""
        if self.repeated:
            drawn = [self.draw(rng)[0] for _ in range(size)]
            return [(np.stack([pos for pos, _ in drawn]), np.stack([neg for _, neg in drawn]))]
        units = rng.random((size, sum(urn.total for urn in self._urns)))
        starts = np.cumsum([0, *(urn.total for urn in self._urns)])
        sides = [urn.counts(units[:, a:b]) for urn, a, b in zip(self._urns, starts[:-1], starts[1:], strict=True)]
        pos, neg = sides if self.stratified else np.split(sides[0], 2, axis=1)
        return [(pos, neg)]

    def left_out(self) -> Iterator[LeftOut]:
        """One row less, at each score and class where there is one."""
        groups = self.ranked[0]
        for side, counts in enumerate((groups.pos, groups.neg)):
            for place in np.flatnonzero(counts):
                sides = [groups.pos, groups.neg]
                sides[side] = counts.copy()
                sides[side][place] -= 1
                yield LeftOut(((sides[0], sides[1]),), side if self.stratified else 0, int(counts[place]))

    def n_left_out(self) -> int:
        """Scores with a positive, plus scores with a negative."""
        groups = self.ranked[0]
        return int(np.count_nonzero(groups.pos) + np.count_nonzero(groups.neg))


def draws_of_groups(ranked: RankedScores, *, stratified: bool, joins: bool) -> GroupDraws:
    """Draws of one model's rows; ``joins`` where nobody tells neighbouring groups of negatives alone apart."""
    joined = joins and ranked.scores.size > MANY_GROUPS
    return GroupDraws(joined_negatives(ranked) if joined else ranked, stratified=stratified)


class _Urn:
    """As many draws with replacement as there are units; ``counts`` units lie in each cell."""

    def __init__(self, counts: NDArray[np.int64]) -> None:
        self.total, self.n_cells = int(counts.sum()), counts.size
        self.repeated = self.total > MANY_REPEATS * self.n_cells
        self.shares = counts / max(self.total, 1)
        self.cells = None if self.repeated else repeat_by(np.arange(counts.size), counts)

    def draw(self, rng: np.random.Generator) -> NDArray[np.int64]:
        if self.cells is None:
            return rng.multinomial(self.total, self.shares)
        units = rng.random(self.total)  # twice as fast as whole numbers, and as even to 2**-53
        units *= self.total
        return np.bincount(self.cells.take(units.astype(np.int64)), minlength=self.n_cells)

    def counts(self, units: NDArray[np.float64]) -> NDArray[np.int64]:
        """The same of many draws of units between 0 and 1, a line for each."""
        assert self.cells is not None  # noqa: S101 - for the reader of types
        places = self.cells.take((units * self.total).astype(np.int64))
        places += self.n_cells * np.arange(len(units))[:, None]
        return np.bincount(places.ravel(), minlength=places.shape[0] * self.n_cells).reshape(-1, self.n_cells)


class RowDraws:
    """Models on the same rows: rows, or whole subjects, are drawn and taken for all models alike.

    Rows are drawn within their class. Subjects are drawn within theirs where each has rows of one class only, else
    all together. Frequency weights are rows of their own; sampling weights stay with their row. Rows are drawn in a
    canonical order, so that the order in which they came, and the names of subjects, change nothing.
    """

    def __init__(self, rows: Rows, *, stratified: bool = True, frequency: bool = False) -> None:
        rows = in_canonical_order(rows)
        self.rows, self.ranked, self.frequency = rows, rows.ranked, frequency
        self.unit_of_row = np.arange(rows.positive.size) if rows.clusters is None else rows.clusters
        self.weights = np.ones(rows.positive.size) if rows.weights is None else rows.weights.astype(np.float64)
        repeats = _repeats(rows, frequency=frequency)
        apart = _units_by_class(rows)
        self.fewest = fewest_units(rows, frequency=frequency)
        self._members = apart if stratified else []
        what = "rows" if rows.one_row_each else "subjects"
        self.scheme = f"{what} within each class" if self._members else what
        self.units = units_called(rows)
        self._members = self._members or [np.arange(rows.n_clusters)]
        self.strata = tuple(int(repeats[units].sum()) for units in self._members)
        self._urns = [_Urn(repeats[units]) for units in self._members]
        self._whole = rows.weights is None or rows.weights.dtype.kind in "iu"

    def draw(self, rng: np.random.Generator) -> Draw:
        """New weights, from how often each unit was drawn."""
        times = np.zeros(self.rows.n_clusters, dtype=np.int64)
        for units, urn in zip(self._members, self._urns, strict=True):
            times[units] = urn.draw(rng)
        return self._reweigh(times)

    def _reweigh(self, times: NDArray[np.int64]) -> Draw:
        per_row = times[self.unit_of_row].astype(np.float64)
        if not (self.frequency and self.rows.clusters is None):
            per_row *= self.weights
        masks = (self.rows.positive, ~self.rows.positive)
        return tuple(
            tuple(self._summed(places[mask], per_row[mask], groups.scores.size) for mask in masks)  # type: ignore[misc]
            for places, groups in zip(self.rows.places, self.ranked, strict=True)
        )

    def _summed(self, places: NDArray[np.int64], weights: NDArray[np.float64], size: int) -> NDArray[Any]:
        sums = np.bincount(places, weights, size)
        return np.rint(sums).astype(np.int64) if self._whole else sums

    def left_out(self) -> Iterator[LeftOut]:
        """One unit less."""
        full = _repeats(self.rows, frequency=self.frequency)
        for stratum, units in enumerate(self._members):
            for unit in units:
                times = full.copy()
                times[unit] -= 1
                yield LeftOut(self._reweigh(times), stratum, int(full[unit]))

    def n_left_out(self) -> int:
        """Number of units."""
        return self.rows.n_clusters


def fewest_units(rows: Rows, *, frequency: bool) -> int:
    """How many units one class has at least; how many there are where units have rows of both."""
    repeats = _repeats(rows, frequency=frequency)
    return min([int(repeats[units].sum()) for units in _units_by_class(rows)] or [int(repeats.sum())])


def units_called(rows: Rows) -> str:
    """What the fewest units are: rows, subjects of one class, or subjects."""
    if rows.one_row_each:
        return "rows"
    return "subjects of a class" if _units_by_class(rows) else "subjects"


def _repeats(rows: Rows, *, frequency: bool) -> NDArray[np.int64]:
    """How many units of the same kind a unit stands for."""
    if not frequency or rows.weights is None or rows.clusters is not None:
        return np.ones(rows.n_clusters, dtype=np.int64)
    return rows.weights.astype(np.int64)


def _units_by_class(rows: Rows) -> list[NDArray[np.intp]]:
    """Units of positive and of negative rows; none where a unit has rows of both."""
    unit_of_row = np.arange(rows.positive.size) if rows.clusters is None else rows.clusters
    classes = _class_of_units(unit_of_row, rows.positive, rows.n_clusters)
    return [np.flatnonzero(classes == side) for side in (1, 0)] if classes.min(initial=0) >= 0 else []


def _class_of_units(unit_of_row: NDArray[np.int64], positive: NDArray[np.bool_], n_units: int) -> NDArray[np.int64]:
    """1 or 0 for units all of whose rows are positive or negative, -1 for mixed ones."""
    n_rows = np.bincount(unit_of_row, minlength=n_units)
    n_pos = np.bincount(unit_of_row[positive], minlength=n_units)
    return np.where(n_pos == n_rows, 1, np.where(n_pos == 0, 0, -1))
