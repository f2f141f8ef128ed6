"""Changes that a few rows show, or none: bounds that hold whatever the rows do that were not seen.

A candidate that fails on one row in a hundred differs on few rows of a sample, and may differ on none of a class: no
formula knows its error. What a row can change is bounded, so that Gaffke's limits hold for any distribution of changes,
with all rows of a class, also those that did not change.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inference.intervals.bounded_mean import gaffke_lower, gaffke_upper
from rocsteady._src.inference.units.row_formulas import ROW_FORMULAS
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.evaluation.gate.carried import Array
    from rocsteady._src.evaluation.gate.evidence import Ends, WithEnds
    from rocsteady._src.evaluation.gate.terms import Term
    from rocsteady._src.ranked import Rows

FEW_MOVED = 0.05  # of all rows: where fewer carry what changed, formulas were seen to pass too easily
CELLS = 1024  # between no change and the largest: changes are joined that differ by less
QUARTER = 4  # cells begin a quarter off, so that no change is a cell's edge because it is 0
LOG_LOSS = "log_loss"
OF_PROBABILITIES = ("brier_score", "scaled_brier", "discrimination_slope", "prob_auc")  # 0 and 1 are their worst scores
WHATEVER = "no closer than whatever few rows do allows"


@dataclass(frozen=True, slots=True)
class Changes:
    """What independent rows of one class, or subjects, change: ``values`` seen ``counts`` times, within ``most``."""

    values: Array
    counts: Array
    most: float

    @classmethod
    def of(cls, values: Array, counts: Array, most: float) -> Changes:
        """Of every row."""
        most = max(most, float(np.abs(values).max(initial=0.0)))
        if not most > 0:
            return cls(np.zeros(1), np.full(1, counts.sum()), 1.0)
        return cls._joined(np.floor((values / most + 1) * CELLS + 1 / QUARTER), values, counts, most)

    @classmethod
    def of_placements(cls, doubled: NDArray[np.int64], counts: Array, others: int) -> Changes:
        """Of whole numbers: how many rows of the other class each passed, twice; cells are those of an engine."""
        return cls._joined(cell_of(doubled, others), doubled / (2.0 * others), counts, 1.0)

    @classmethod
    def _joined(cls, cells: NDArray[Any], values: Array, counts: Array, most: float) -> Changes:
        """Changes of a cell are their mean."""
        _, where = np.unique(cells, return_inverse=True)
        held = np.bincount(where, counts).astype(np.float64)
        kept = held > 0
        return cls(np.bincount(where, counts * values)[kept] / held[kept], held[kept], most)

    def reach(self, level: float) -> Ends:
        """How far the limits lie below and above the mean."""
        alpha, mean = (1 - level) / 2, float(self.values @ self.counts) / float(self.counts.sum())
        low = gaffke_lower(self.values, self.counts, alpha, -self.most)
        return mean - low, gaffke_upper(self.values, self.counts, alpha, self.most) - mean


@dataclass(frozen=True, slots=True)
class Whatever:
    """A difference whose bounds hold whatever few rows of any class do; those of classes join by squares."""

    inner: WithEnds
    parts: tuple[Changes, ...]

    @property
    def estimate(self) -> float:
        """First minus second."""
        return self.inner.estimate

    def ends(self, level: float) -> Ends:
        """Give the interval of the difference."""
        low, high = self.inner.ends(level)
        down, up = (math.hypot(*each) for each in zip(*(part.reach(level) for part in self.parts), strict=True))
        return min(low, self.estimate - down), max(high, self.estimate + up)


def cell_of(doubled: Any, others: int) -> Any:
    """The cell of a change of placement, in whole numbers that an engine has too."""
    return ((doubled + 2 * others) * (QUARTER * CELLS) + 2 * others) // (2 * QUARTER * others)


def changes_of(values: Array, rows: Rows, most: tuple[float, ...]) -> tuple[Changes, ...]:
    """Of every row of the positives and of the negatives; of all rows together where there is one ``most``."""
    masks = [rows.positive, ~rows.positive] if len(most) > 1 else [np.ones(rows.n_rows, dtype=bool)]
    found = []
    for mask, largest in zip(masks, most, strict=True):
        part, held = values[mask], np.ones(int(mask.sum())) if rows.weights is None else rows.weights[mask]
        if rows.clusters is None and rows.reading == "frequency":
            found.append(Changes.of(part, held.astype(np.float64), largest))
            continue
        units = np.arange(part.size)
        if rows.clusters is not None:
            units = np.unique(rows.clusters[mask], return_inverse=True)[1]
        mass = np.bincount(units, held)
        share = mass.size / mass.sum()
        sums = np.bincount(units, held * part) * share
        found.append(Changes.of(sums, np.ones(sums.size), largest * float(mass.max()) * share))
    return tuple(found)


def placement_changes(values: Array, rows: Rows) -> tuple[Changes, ...]:
    """Of the whole AUC: rows that count are whole numbers, as in an engine."""
    if rows.clusters is not None or rows.reading == "sampling":
        return changes_of(values, rows, (1.0, 1.0))
    held = np.ones(rows.n_rows) if rows.weights is None else rows.weights.astype(np.float64)
    sides = zip((rows.positive, ~rows.positive), rows.class_weights[::-1], strict=True)
    return tuple(
        Changes.of_placements(np.rint(values[mask] * (2 * others)).astype(np.int64), held[mask], int(others))
        for mask, others in sides
    )


def moved_share(rows: Rows) -> float:
    """The share of rows that carry what changed in the order of all rows."""
    first, second = (twice_rank(ranked)[places] for ranked, places in zip(rows.ranked, rows.places, strict=True))
    return share_carrying((first - second).astype(np.float64), held_of(rows))


def held_of(rows: Rows) -> Array | None:
    """Weights of rows, if they have any."""
    return None if rows.weights is None else rows.weights.astype(np.float64)


def twice_rank(ranked: Any) -> Array:
    """Twice the middle rank of every group among all rows, but for a constant."""
    found: Array = 2 * (ranked.neg_through + ranked.pos_through) - ranked.neg - ranked.pos
    return found


def share_carrying(values: Array, held: Array | None = None) -> float:
    """The share of rows that carry a sum of squares: 1 where all are alike, 0.01 where one in 100 is not zero."""
    weight, largest = np.ones(values.size) if held is None else held, float(np.abs(values).max(initial=0.0))
    if not 0 < largest < math.inf:
        return 0.0
    squares = (values / largest) ** 2
    return float(weight @ squares) ** 2 / float(weight @ squares**2) / float(weight.sum())


def extremes(rows: Rows) -> Ends:
    """The least and the largest score of all models."""
    return min(float(ranked.scores[0]) for ranked in rows.ranked), max(float(each.scores[-1]) for each in rows.ranked)


def most_changed(rows: Rows, term: Term) -> float:
    """The most that a row adds to a measure by its worst score, less that by its best.

    Of scores that are not bounded by what they are, the worst and the best are those that were seen.
    """
    name, found = term.request.sheet.name, []
    for ranked in rows.ranked:
        own = (0.0, 1.0) if name in OF_PROBABILITIES else (float(ranked.scores[0]), float(ranked.scores[-1]))
        sides = ROW_FORMULAS[name].values(ranked)(np.array(extremes(rows) if name == LOG_LOSS else own))
        found += [float(np.ptp(side)) for side in sides]
    return max(found)


def largest_loss(rows: Rows, most: float) -> Remark:
    """A log loss has no bound: which one was supposed, by the probabilities that were seen."""
    low, high = extremes(rows)
    return Remark("gate_largest_loss", most=most, low=low, high=high)


def unnoticed(rows: float, alpha: float) -> float:
    """The share of rows of which none is among so many in one sample of ``alpha``.

    Examples
    --------
    >>> round(unnoticed(300, 0.05), 4)
    0.0099
    """
    return float(-math.expm1(math.log(alpha) / rows)) if rows > 0 else 1.0
