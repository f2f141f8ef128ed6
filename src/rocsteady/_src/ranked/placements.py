"""Placements of rows as whole numbers, and sums of their products without any rounding.

A row's placement, doubled, is a whole number: for a positive 2 x (negatives below) + (negatives tied), for a negative
2 x (positives above) + (positives tied). DeLong's covariance follows from sums of their products, which pass 64 bits;
so placements are cut into limbs of few enough bits that no sum of products of limbs can overflow, and Python's
integers put them together. Whatever adds the rows up, in whatever order, the covariance is rounded once, at the end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.exact import exact_wins_twice

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked.rows import Rows
    from rocsteady._src.ranked.scores import RankedScores

    Pair = tuple[int, int]
    Sums = dict[Pair, int]

INT64_BITS = 63
BLOCK = 1 << 14  # rows whose products fit the cache


@dataclass(frozen=True, slots=True)
class Limbs:
    """How placements are cut: ``count`` limbs of ``bits`` bits, the last one as long as it needs to be."""

    bits: int
    count: int

    @classmethod
    def of(cls, n_pos: int, n_neg: int) -> Limbs:
        """Limbs whose products, summed over all rows, stay below 2**63."""
        longest = (2 * max(n_pos, n_neg)).bit_length()
        bits = (INT64_BITS - (n_pos + n_neg).bit_length()) // 2
        return cls(bits, -(-longest // bits))

    @property
    def pairs(self) -> list[Pair]:
        """Limbs of the first factor beside limbs of the second."""
        return [(a, b) for a in range(self.count) for b in range(self.count)]


@dataclass(frozen=True, slots=True, eq=False)
class PlacementSums:
    """What the covariance of AUCs needs of the rows.

    ``products[side][i, j]`` is the sum of products of doubled placements of models i and j, over positives (side 0)
    and negatives (side 1); ``wins`` are twice the pairs won by each model.
    """

    sizes: tuple[int, int]
    wins: tuple[int, ...]
    products: tuple[Sums, Sums]

    def covariance(self) -> NDArray[np.float64]:
        """DeLong's covariance of the areas, each entry rounded once; NaN with one row in a class."""
        made = np.full((len(self.wins), len(self.wins)), np.nan)
        for i, j in self.products[0] if min(self.sizes) > 1 else ():
            total = sum(self._scaled(side, sums[i, j], self.wins[i] * self.wins[j]) for side, sums in self._sides())
            made[i, j] = made[j, i] = float(total)
        return made

    def contrast(self, first: int, second: int) -> tuple[float, float]:
        """Variance of the difference of two areas that comes from positives, and from negatives."""
        if min(self.sizes) < 2:
            return math.nan, math.nan
        i, j = sorted((first, second))
        gap = (self.wins[i] - self.wins[j]) ** 2
        of_pos, of_neg = (
            float(self._scaled(side, sums[i, i] + sums[j, j] - 2 * sums[i, j], gap)) for side, sums in self._sides()
        )
        return of_pos, of_neg

    def alike(self, first: int, second: int) -> bool:
        """Whether no row is placed differently by the two models."""
        i, j = sorted((first, second))
        return all(sums[i, i] + sums[j, j] == 2 * sums[i, j] for sums in self.products)

    def _sides(self) -> enumerate[Sums]:
        return enumerate(self.products)

    def _scaled(self, side: int, product: int, of_means: int) -> Fraction:
        here, there = self.sizes[side], self.sizes[1 - side]
        return (Fraction(product) - Fraction(of_means, here)) / (4 * there**2 * here * (here - 1))


def placement_sums(models: Rows) -> PlacementSums:
    """Sums over rows in memory that count once, or as often as their weights, whole numbers, say."""
    sizes = int(models.ranked[0].n_pos), int(models.ranked[0].n_neg)
    wins = tuple(wins_twice(groups) for groups in models.ranked)
    masks = models.positive, ~models.positive
    of_pos, of_neg = (_summed(models, side, mask, Limbs.of(*sizes)) for side, mask in enumerate(masks))
    return PlacementSums(sizes, wins, (of_pos, of_neg))


def wins_twice(groups: RankedScores) -> int:
    """Twice the pairs won, ties counted once."""
    return int(exact_wins_twice(groups.pos, groups.neg, most=groups.n_pos * groups.n_neg))


def _summed(models: Rows, side: int, mask: NDArray[np.bool_], limbs: Limbs) -> Sums:
    placed = [doubled(groups, side) for groups in models.ranked]
    size = len(placed)
    totals = np.zeros((len(limbs.pairs), size, size), dtype=np.int64)
    for start in range(0, mask.size, BLOCK):
        chosen = np.flatnonzero(mask[start : start + BLOCK]) + start
        lines = np.stack([line.take(places[chosen]) for line, places in zip(placed, models.places, strict=True)])
        parts = cut(lines, limbs)
        counted = parts
        if models.weights is not None:
            counted = [limb * models.weights[chosen].astype(np.int64) for limb in parts]
        totals += np.stack([counted[a] @ parts[b].T for a, b in limbs.pairs])
    return {
        (i, j): sum(int(total[i, j]) << (a + b) * limbs.bits for (a, b), total in zip(limbs.pairs, totals, strict=True))
        for i, j in combinations_with_replacement(range(size), 2)
    }


def own_products(groups: RankedScores, limbs: Limbs) -> tuple[int, int]:
    """Sums of squares of doubled placements, over positives and over negatives, from the groups of one model."""
    made = []
    for side, counts in enumerate((groups.pos, groups.neg)):
        parts = cut(doubled(groups, side)[None], limbs)
        weighted = counts.astype(np.int64)
        dots = [(a + b, int(((parts[a] * weighted) @ parts[b].T)[0, 0])) for a, b in limbs.pairs]
        made.append(sum(dot << place * limbs.bits for place, dot in dots))
    return made[0], made[1]


def cut(lines: NDArray[np.int64], limbs: Limbs) -> list[NDArray[np.int64]]:
    """Placements in limbs, the lowest first."""
    shifted = [lines >> limb * limbs.bits for limb in range(limbs.count)]
    low = (1 << limbs.bits) - 1
    return [*(limb & low for limb in shifted[:-1]), shifted[-1]]


def doubled(groups: RankedScores, side: int) -> NDArray[Any]:
    """Doubled placements at each distinct score, of positives (side 0) or negatives (side 1)."""
    counts = groups.pos if side else groups.neg
    through = counts.cumsum(dtype=np.int64)
    through *= 2
    through -= counts
    return 2 * int(groups.n_pos) - through if side else through
