"""What a sketch knows: rows between a first and a last key, in cells that do not overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.exact import exact_dot, exact_wins_twice
from rocsteady._src.ranked import RankedScores
from rocsteady._src.scale.sketch_keys import MINUS_ZERO, scores_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.results import Origin
    from rocsteady._src.scale.sketch_keys import Keys, Kind


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Occupied cells, increasing: ``pos`` and ``neg`` rows have keys from ``first`` to ``last``."""

    first: Keys
    last: Keys
    pos: Keys
    neg: Keys
    kind: Kind

    @classmethod
    def made(cls, first: Keys, last: Keys, pos: Keys, neg: Keys, kind: Kind) -> Cells:
        """Leave out the key of -0.0, which no row has."""
        if kind == "float64":
            first, last = first + ((first == MINUS_ZERO) & (last > MINUS_ZERO)), last - (last == MINUS_ZERO)
        return cls(first, last, pos, neg, kind)

    @property
    def known(self) -> NDArray[np.bool_]:
        """Where all rows have the same score."""
        alike: NDArray[np.bool_] = self.first == self.last
        return alike

    def pairs_twice(self) -> tuple[Any, Any, Any]:
        """Twice the pairs won at the least, twice those won at the most, and twice all pairs: Python integers."""
        n_pos, n_neg = int(self.pos.sum()), int(self.neg.sum())
        wins = exact_wins_twice(self.pos, self.neg, most=n_pos * n_neg)
        open_cells = ~self.known
        unsure = exact_dot(self.pos[open_cells], self.neg[open_cells])
        return wins - unsure, wins + unsure, 2 * n_pos * n_neg

    def ordered(self, origin: Origin, *, best: bool) -> RankedScores:
        """Groups with all positives of a cell at its last score and its negatives at the first, or the reverse."""
        known = self.known
        upper, lower = (self.pos, self.neg) if best else (self.neg, self.pos)
        keys = np.stack([self.first, self.last], axis=1).ravel()
        at_first = np.where(known, upper, 0)
        counts = [np.stack([lower, np.zeros_like(lower)], axis=1), np.stack([at_first, upper - at_first], axis=1)]
        neg, pos = counts if best else counts[::-1]
        there = np.flatnonzero((pos + neg).ravel())
        scores = scores_of(keys[there], self.kind)
        return RankedScores.trusted(scores, pos.ravel()[there], neg.ravel()[there], origin)
