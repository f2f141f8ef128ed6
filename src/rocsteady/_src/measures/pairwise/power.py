"""Sum of (p - n)**q over all pairs with p > n: a one-dimensional multipole for a singular, homogeneous kernel.

Points lie in boxes of a dyadic tree. Two boxes that do not touch interact through node matrices, which are the same
on every level up to the factor width**q; since only p > n counts, the partner is two or three boxes to the left.
Boxes that touch are split, level by level; what is left at the finest level is summed pair by pair. Where points crowd
there, the tree goes on deeper for those boxes alone. O(n log n).

Between two boxes the kernel varies by a factor of up to 3**q, by which rounding errors grow: q must not be large.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.measures.pairwise.chebyshev import Boxes, child_to_parent, make_boxes, node_weights, nodes
from rocsteady._src.measures.pairwise.direct import windowed_sums
from rocsteady._src.measures.pairwise.kernels import Power
from rocsteady._src.measures.pairwise.smooth import matches

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Side = tuple[Array, Array]

NODES = 20
POINTS_PER_BOX = 12
MANY_PAIRS = 4096
MOST_LEVELS = 24
WIDEST = 1024


@dataclass(slots=True)
class Level:
    """Occupied boxes of one class on one level, with their weights on the nodes."""

    numbers: NDArray[np.int64]
    weights: Array

    def parents(self) -> Level:
        """The level above: boxes of twice the width."""
        numbers = self.numbers >> 1
        new = np.concatenate([[True], numbers[1:] != numbers[:-1]])
        place = np.cumsum(new) - 1
        weights = np.zeros((int(place[-1]) + 1, NODES))
        for parity, matrix in enumerate(child_to_parent(NODES)):
            child = (self.numbers & 1) == parity
            weights[place[child]] += self.weights[child] @ matrix
        return Level(numbers[new], weights)


def power_sum(positives: Side, negatives: Side, q: float) -> float:
    """Sum over pairs of w_i w_j (p_i - n_j)**q where p_i > n_j; each side is (increasing points, weights)."""
    lowest, highest = negatives[0][0], positives[0][-1]
    if highest <= lowest:
        return 0.0
    positives, negatives = _clip(positives, low=lowest), _clip(negatives, high=highest)
    total, exponent = 0.0, WIDEST
    while positives[0].size:
        exponent = min(exponent, _covering(positives[0], negatives[0]))
        done, positives, negatives, exponent = _descend(positives, negatives, q, exponent)
        total += done
    return total


def _clip(side: Side, *, low: float = -math.inf, high: float = math.inf) -> Side:
    """Points that can be in a pair with p > n."""
    points, weights = side
    kept = slice(np.searchsorted(points, low, side="right"), np.searchsorted(points, high, side="left"))
    return points[kept], weights[kept]


def _covering(*sets: Array) -> int:
    """Exponent of a box width above the range of all points, so that they lie in boxes that touch."""
    span = max(points[-1] for points in sets) - min(points[0] for points in sets)
    return math.frexp(span)[1]


def _descend(positives: Side, negatives: Side, q: float, exponent: int) -> tuple[float, Side, Side, int]:
    """Settle the pairs of touching boxes of this width down to finer boxes; return what is still crowded there."""
    finest = exponent - _levels_below(positives[0], negatives[0], exponent)
    pos_boxes, neg_boxes = make_boxes(positives[0], finest), make_boxes(negatives[0], finest)
    pos = Level(pos_boxes.numbers, node_weights(pos_boxes, positives[1], NODES))
    neg = Level(neg_boxes.numbers, node_weights(neg_boxes, negatives[1], NODES))
    total = 0.0
    for at in range(finest, exponent):
        apart = _between_levels(pos, neg, q)
        if apart:
            total += apart * _two_to(at, q)
        pos, neg = pos.parents(), neg.parents()
    near, crowded_pos, crowded_neg = _touching(positives, negatives, pos_boxes, neg_boxes, q)
    return total + near, crowded_pos, crowded_neg, finest


def _levels_below(positives: Array, negatives: Array, exponent: int) -> int:
    """How many levels until boxes hold few points on average, as far as box numbers stay exact."""
    points = np.concatenate([positives, negatives])
    n_boxes = np.unique(np.floor(np.ldexp(points, -exponent))).size
    wanted = math.ceil(math.log2(max(points.size / (POINTS_PER_BOX * n_boxes), 1))) + 1
    exact = 51 + exponent - math.frexp(np.abs(points).max())[1]
    return max(1, min(wanted, exact, MOST_LEVELS))


def _two_to(exponent: int, q: float) -> float:
    """2**(exponent q) to full precision, also where 2**exponent is no float; too large ones become inf."""
    product = Fraction(q) * exponent
    whole = round(product)
    return float(np.ldexp(2.0 ** float(product - whole), whole))


def _between_levels(pos: Level, neg: Level, q: float) -> float:
    """Pairs of boxes of width 1 that do not touch while their parents do."""
    places = nodes(NODES) / 2
    within = places[:, None] - places
    total = 0.0
    for distance in (2, 3):
        mine, theirs = matches(pos.numbers - distance, neg.numbers)
        if distance == 3:
            odd = (pos.numbers[mine] & 1) == 1
            mine, theirs = mine[odd], theirs[odd]
        if mine.size:
            felt = neg.weights[theirs] @ ((within + distance) ** q).T
            total += float(np.einsum("ij,ij->", pos.weights[mine], felt))
    return total


def _touching(
    positives: Side, negatives: Side, pos_boxes: Boxes, neg_boxes: Boxes, q: float
) -> tuple[float, Side, Side]:
    """Sum the pairs in the same or the next box; leave out, and return, boxes with too many pairs."""
    points, weights = positives
    starts = np.append(neg_boxes.starts, negatives[0].size)
    first = starts[np.searchsorted(neg_boxes.numbers, pos_boxes.numbers - 1)]
    last = starts[np.searchsorted(neg_boxes.numbers, pos_boxes.numbers, side="right")]
    sizes = pos_boxes.sizes
    crowded = sizes * (last - first) > MANY_PAIRS
    many = np.repeat(crowded, sizes)
    stop = np.searchsorted(negatives[0], points, side="left")
    sums = windowed_sums(Power(q), points[~many], negatives, np.repeat(first, sizes)[~many], stop[~many])
    kept = _marked(first[crowded], last[crowded], negatives[0].size)
    return float(sums @ weights[~many]), _pick(positives, many), _pick(negatives, kept)


def _marked(first: Any, last: Any, size: int) -> NDArray[np.bool_]:
    """Mask of the union of ranges."""
    change = np.zeros(size + 1, dtype=np.int64)
    np.add.at(change, first, 1)
    np.add.at(change, last, -1)
    return np.cumsum(change)[:-1] > 0


def _pick(side: Side, kept: NDArray[np.bool_]) -> Side:
    return side[0][kept], side[1][kept]
