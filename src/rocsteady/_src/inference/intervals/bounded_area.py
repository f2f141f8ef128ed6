"""Bounds of an area, and of a difference of areas, that hold for any distribution, for where few rows are misranked.

What each row adds to an area lies between bounds. A class may hold rows that are placed much worse than all that were
seen, and with few misranked rows neither a variance nor a model of the scores tells how many: Gaffke's bound of a mean
of bounded contributions does (see ``bounded_mean``). Both classes contribute. As in the gamma limits of weighted counts
(Fay and Feuer 1997) one class at a time has the row that may have been missed, the worse of both counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.inference.intervals.bounded_mean import normal_score

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.inference.units.components import Area
    from rocsteady._src.ranked import RankedScores, Rows

    Floats = NDArray[np.float64]

# Where the bound is needed, and from where on it no longer is; between them its part falls. Chosen by measurement:
FEW_WRONG = (2.0, 3.0)  # rows of the smaller class on the wrong side, or moved from one model to the other,
NEAR_PERFECT = (0.02, 0.05)  # and as a share of the rows;
FEW_APART = (10.0, 20.0)  # or misranked rows of a class, as if alike (Kish),
FEW_MOVED = (20.0, 40.0)  # of differences so many,
FAR = (-0.6, -0.45)  # that lie far off: minus their variance as a share of the largest that there is,
GOOD = (0.2, 0.3)  # and the share on the wrong side
MOST_PLACES = 400
CLOSEST = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Contributions:
    """What the rows of a class add to a value, and how many rows add each; none can be outside of the bounds."""

    values: Floats
    rows: Floats
    lowest: float = 0.0
    highest: float = 1.0

    @classmethod
    def of(cls, values: Floats, weights: Floats, n: float, bounds: tuple[float, float]) -> Contributions:
        """Values of units with weights that are worth ``n`` equal ones."""
        kept = weights > 0
        return cls(values[kept], weights[kept] * (n / float(weights.sum())), *bounds)

    @property
    def n(self) -> float:
        """Rows of the class."""
        return float(self.rows.sum())

    def mirrored(self, total: float) -> Contributions:
        """The same for ``total`` minus the value."""
        return Contributions(total - self.values, self.rows, total - self.highest, total - self.lowest)

    def apart(self, right: float) -> tuple[float, float]:
        """How many rows are off what is right, as if they were alike (Kish), and how far, weighed by how far."""
        lost = np.abs(self.values - right)
        squares, added = float(self.rows @ lost**2), float(self.rows @ lost)
        return (added**2 / squares, squares / added) if squares > 0 else (0.0, 0.0)

    def moved(self) -> float:
        """Mean distance from 0."""
        return float(self.rows @ np.abs(self.values)) / self.n

    def merged(self) -> Contributions:
        """Distinct values; of very many, the means of neighbours, the closer the nearer they are to a bound."""
        found, where = np.unique(self.values, return_inverse=True)
        if found.size > MOST_PLACES:
            scale = np.clip((self.values - self.lowest) / (self.highest - self.lowest), 0.0, 1.0)
            where = np.unique(np.floor(np.arcsin(np.sqrt(scale)) * MOST_PLACES), return_inverse=True)[1]
        held = np.bincount(where.ravel(), self.rows).astype(np.float64)
        values: Floats = np.bincount(where.ravel(), self.rows * self.values) / held
        return Contributions(values, held, self.lowest, self.highest)


@dataclass(frozen=True, slots=True, eq=False)
class BoundedValue:
    """A value that is moved by means of bounded contributions, of some classes; mirrored it is ``total`` minus it."""

    value: float
    classes: tuple[Contributions, ...]
    total: float = 1.0

    def merged(self) -> BoundedValue:
        """With few distinct contributions."""
        return replace(self, classes=tuple(each.merged() for each in self.classes))

    def mirrored(self) -> BoundedValue:
        """What is lost where this is what is gained."""
        return BoundedValue(
            self.total - self.value, tuple(each.mirrored(self.total) for each in self.classes), self.total
        )

    def p_above(self, place: float) -> float:
        """One-sided p of a value above ``place``."""
        from scipy.special import ndtr

        return float(ndtr(self.score(place))) if place < self.value else 1.0

    def score(self, place: float) -> float:
        """Normal score of that p, for a place below what was seen."""
        return max(self._one_sided(place, one) for one in range(len(self.classes)))

    def low(self, score: float) -> float:
        """The place with this score of p: the lower limit."""
        from scipy.optimize import brentq

        step, floor = 1e-3, self.total - 1.0
        near = max(self.value - CLOSEST, floor)
        while self.score(there := max(self.value - step, floor)) > score:
            if there <= floor:
                return floor
            near, step = there, 2 * step
        if near <= there or self.score(near) <= score:
            return near
        return float(brentq(lambda place: self.score(place) - score, there, near, xtol=CLOSEST))

    def _one_sided(self, place: float, one: int) -> float:
        """With the row that may have been missed in class ``one``.

        All classes move the value to ``place``, each by its part of the variance; about where they then are, sums of
        gamma variables are as good as means, whose sum has no distribution that is as easily found.
        """
        sizes = [each.n for each in self.classes]
        off = [each.values - float(each.rows @ each.values) / n for each, n in zip(self.classes, sizes, strict=True)]
        missed = self.classes[one].lowest - (self.classes[one].values[0] - off[one][0])
        spread = [float(each.rows @ gap**2) for each, gap in zip(self.classes, off, strict=True)]
        spread[one] += missed**2
        parts = np.array(spread) / np.square(sizes)
        moved = (place - self.value) * parts / (parts.sum() or 1.0)
        lengths = [(gap - by) / n for gap, by, n in zip(off, moved, sizes, strict=True)]
        made = np.concatenate(([(missed - moved[one]) / sizes[one]], *lengths)) * sizes[one]
        shapes = np.concatenate(([1.0], *(each.rows for each in self.classes)))
        kept = made != 0
        return normal_score(made[kept], shapes[kept]) if kept.any() else -math.inf


def widened_low(
    bounded: BoundedValue, need: float, level: float, low: float, p_above: Callable[[float], float]
) -> float:
    """The lower end of an interval whose end by a formula is ``low``; ``p_above`` is the p of formula and bound."""
    from scipy.optimize import brentq
    from scipy.special import ndtri

    tail = (1 - level) / 2
    if low <= bounded.total - 1 or (low < bounded.value and p_above(low) <= tail * (1 + CLOSEST)):
        return low
    furthest = min(bounded.low(float(ndtri(tail))), low)
    if need >= 1 or p_above(furthest) > tail:
        return furthest
    return float(brentq(lambda place: p_above(place) - tail, furthest, low, xtol=1e-13))


def need_of_area(bounded: BoundedValue, wrong: float) -> float:
    """How far the bound is needed for an area, 0 to 1; ``wrong`` rows of the smaller class are on the wrong side."""
    lost = min(bounded.value, 1 - bounded.value)
    near = _falling(wrong, FEW_WRONG) * _falling(lost, NEAR_PERFECT)
    right = 1.0 if bounded.value > 0.5 else 0.0
    apart = [each.apart(right) for each in bounded.classes if (each.lowest, each.highest) == (0.0, 1.0)]
    far = (_falling(rows, FEW_APART) * _falling(-(off - lost) / (1 - lost), FAR) for rows, off in apart)
    return max(near, _falling(lost, GOOD) * max(far))


def need_of_difference(bounded: BoundedValue) -> float:
    """How far the bound is needed for a difference of areas on the same rows: where few rows are moved."""
    moved = max(each.moved() for each in bounded.classes)
    near = _falling(moved * min(each.n for each in bounded.classes), FEW_WRONG) * _falling(moved, NEAR_PERFECT)
    apart = [each.apart(0.0) for each in bounded.classes]
    far = (_falling(rows, FEW_MOVED) * _falling(-off, FAR) for rows, off in apart)
    return max(near, _falling(moved, GOOD) * max(far))


def _falling(value: float, between: tuple[float, float]) -> float:
    return min(max((between[1] - value) / (between[1] - between[0]), 0.0), 1.0)


def bounded_area(
    area: Area, ranked: RankedScores, share: float, sizes: tuple[float, float], rows: Rows | None
) -> BoundedValue:
    """The contributions of positives and negatives; rows of a subject, and unequal weights, as so many equal ones."""
    parts, owner = area.components(ranked), 0 if area.whole or area.fpr_range is not None else 1
    made = []
    for side, (values, counts) in enumerate(((parts.of_pos, ranked.pos), (parts.of_neg, ranked.neg))):
        shares = 1 - (1 - values) * area.slope if area.standardize else values / area.reach
        bounds = (0.0, 1.0) if area.whole or side == owner else (float(shares.min()), float(shares.max()))
        held, weights = shares, np.asarray(counts, np.float64)
        if rows is not None and rows.clusters is not None:
            mask = rows.positive if side == 0 else ~rows.positive
            held, weights = by_subject(shares[rows.places[0][mask]], rows, mask)
        made.append(Contributions.of(held, weights, sizes[side], bounds))
    return BoundedValue(share, tuple(made))


def by_subject(values: Floats, rows: Rows, mask: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Means over the rows of each subject in a class, and the weights of these rows together."""
    weights = np.ones(values.size) if rows.weights is None else rows.weights[mask].astype(np.float64)
    if rows.clusters is None:
        return values, weights
    held = np.bincount(rows.clusters[mask], weights).astype(np.float64)
    sums = np.bincount(rows.clusters[mask], weights * values)
    means: Floats = np.divide(sums, held, out=np.zeros(held.size), where=held > 0)
    return means, held
