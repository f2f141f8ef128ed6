"""Bounds of an area that hold for any distribution, for where few rows are misranked and hardly tell its variance.

What each row adds to an area lies between bounds. A class may hold rows that are placed much worse than all that were
seen, and with few misranked rows neither a variance nor a model of the scores tells how many: Gaffke's bound of a mean
of bounded contributions does (see ``bounded_mean``). Both classes contribute. As in the gamma limits of weighted counts
(Fay and Feuer 1997) one class at a time has the row that may have been missed, the worse of both counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.inference.intervals.bounded_mean import normal_score

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inference.units.components import Area
    from rocsteady._src.ranked import RankedScores, Rows

    Floats = NDArray[np.float64]

FEW_WRONG, SOME_WRONG = 2.0, 3.0  # rows of the smaller class on the wrong side: up to here, and no longer from here on
FEW_APART, SOME_APART = 10.0, 20.0  # the same of rows that are misranked far
NEAR, FAR = 0.35, 0.5  # share of the largest variance that contributions between bounds can have
MOST_PLACES = 400
CLOSEST = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Contributions:
    """What the rows of a class add to an area, as shares of its largest value: distinct values, rows that have them.

    None can be below ``lowest`` or above ``highest``.
    """

    values: Floats
    rows: Floats
    lowest: float
    highest: float

    def turned(self) -> Contributions:
        """The same for one minus the area."""
        return Contributions(1 - self.values, self.rows, 1 - self.highest, 1 - self.lowest)

    def squares(self, mean: float) -> float:
        """Sum of squared distances from the mean."""
        return float(self.rows @ (self.values - mean) ** 2)

    def apart(self, mean: float) -> tuple[float, float]:
        """How many rows are misranked, as if alike (Kish), and their variance as a share of the largest there is."""
        most = mean * (1 - mean)
        lost = 1 - self.values if mean > 0.5 else self.values
        squares, total = float(self.rows @ lost**2), float(self.rows.sum())
        if squares <= 0 or most <= 0:
            return 0.0, 0.0
        return float(self.rows @ lost) ** 2 / squares, self.squares(mean) / total / most


@dataclass(frozen=True, slots=True, eq=False)
class BoundedArea:
    """An area as the mean of bounded contributions of both classes."""

    share: float
    own: Contributions
    other: Contributions
    whole: bool = True

    def turned(self) -> BoundedArea:
        """One minus the area."""
        return BoundedArea(1 - self.share, self.own.turned(), self.other.turned(), self.whole)

    def few(self, wrong: float) -> float:
        """How far the bound is needed, 0 to 1: few rows are on the wrong side, or those misranked are few and far."""
        by_wrong = _falling(wrong, FEW_WRONG, SOME_WRONG)
        apart = (each.apart(self.share) for each in (self.own, self.other)[: 2 if self.whole else 1])
        by_apart = (_falling(rows, FEW_APART, SOME_APART) * _falling(-of_most, -FAR, -NEAR) for rows, of_most in apart)
        return max(by_wrong, *by_apart)

    def score(self, place: float) -> float:
        """Normal score of the one-sided p of an area at most ``place``, which is below what was seen."""
        return max(
            _one_sided(place, self.share, one, other)
            for one, other in ((self.own, self.other), (self.other, self.own))
            if one.rows.sum() > 0
        )

    def low(self, score: float) -> float:
        """The place with this score of p: the lower limit."""
        from scipy.optimize import brentq

        step, near = 1e-3, self.share
        while True:
            there = max(self.share - step, 0.0)
            if self.score(there) <= score:
                break
            if there <= 0:
                return 0.0
            near, step = there, 2 * step
        beyond = self.share - CLOSEST if near == self.share else near
        if beyond <= there or self.score(beyond) <= score:
            return beyond
        return float(brentq(lambda place: self.score(place) - score, there, beyond, xtol=CLOSEST))


def _one_sided(place: float, share: float, one: Contributions, other: Contributions) -> float:
    """With the row that may have been missed in class ``one``.

    Both classes move the area from ``share`` to ``place``, each by its part of the variance; about where they then are
    sums of gamma variables are as good as means, whose sum has no distribution that is as easily found.
    """
    n, m = float(one.rows.sum()), float(other.rows.sum())
    spread = (one.squares(share) + (share - one.lowest) ** 2) / n**2, other.squares(share) / m**2
    moved = (place - share) * spread[1] / sum(spread) if sum(spread) > 0 else 0.0
    here, there = place - moved, share + moved
    lengths = np.concatenate(([one.lowest - here], one.values - here, (other.values - there) * (n / m)))
    shapes = np.concatenate(([1.0], one.rows, other.rows))
    kept = lengths != 0
    return normal_score(lengths[kept], shapes[kept])


def _falling(value: float, full: float, none: float) -> float:
    return min(max((none - value) / (none - full), 0.0), 1.0)


def bounded_area(
    area: Area, ranked: RankedScores, share: float, sizes: tuple[float, float], rows: Rows | None
) -> BoundedArea:
    """The contributions of positives and negatives; rows of a subject, and unequal weights, as so many equal ones."""
    parts = area.components(ranked)
    made = []
    for side, (values, counts, n) in enumerate(
        ((parts.of_pos, ranked.pos, sizes[0]), (parts.of_neg, ranked.neg, sizes[1]))
    ):
        shares = 1 - (1 - values) * area.slope if area.standardize else values / area.reach
        bounds = (0.0, 1.0) if area.whole or side == _owner(area) else (float(shares.min()), float(shares.max()))
        held, weights = _units(shares, np.asarray(counts, np.float64), rows, side)
        kept = weights > 0
        made.append(Contributions(*_distinct(held[kept], weights[kept] * (n / weights.sum())), *bounds))
    own = _owner(area)
    return BoundedArea(share, made[own], made[1 - own], area.whole)


def _owner(area: Area) -> int:
    """The class that an area is a mean over: positives, but for a range of TPR."""
    return 0 if area.whole or area.fpr_range is not None else 1


def _units(values: Floats, counts: Floats, rows: Rows | None, side: int) -> tuple[Floats, Floats]:
    """Means of the rows of each subject, and their weights; without subjects the groups as they are."""
    if rows is None or rows.clusters is None:
        return values, counts
    mask = rows.positive if side == 0 else ~rows.positive
    weights = np.ones(int(mask.sum())) if rows.weights is None else rows.weights[mask].astype(np.float64)
    held = np.bincount(rows.clusters[mask], weights)
    sums = np.bincount(rows.clusters[mask], weights * values[rows.places[0][mask]])
    means: Floats = np.divide(sums, held, out=np.zeros(held.size), where=held > 0)
    return means, held.astype(np.float64)


def _distinct(values: Floats, rows: Floats) -> tuple[Floats, Floats]:
    """Distinct values; of very many, the means of neighbours, narrow where rows are nearly right or wrong."""
    found, where = np.unique(values, return_inverse=True)
    if found.size > MOST_PLACES:
        scale = np.arcsin(np.sqrt(np.clip(values, 0.0, 1.0)))
        where = np.unique(np.floor(scale * (MOST_PLACES / (math.pi / 2))), return_inverse=True)[1]
    held = np.bincount(where.ravel(), rows)
    means: Floats = np.bincount(where.ravel(), rows * values) / held
    return means, held.astype(np.float64)
