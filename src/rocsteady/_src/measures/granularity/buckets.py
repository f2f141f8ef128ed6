"""Searching rising values again and again: a multiplication leads to the bucket, a few steps to the place."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

MANY_VALUES = 1 << 12
FULLEST = 16
SPARE = 1 << 22


@dataclass(frozen=True, slots=True, eq=False)
class Buckets:
    """Rising values, then NaN, which nothing reaches; and how many of them lie in lower buckets, for each bucket."""

    values: Array
    before: NDArray[np.int32]
    lowest: float
    scale: float

    @classmethod
    def of(cls, values: Array) -> Buckets | None:
        """Buckets of equal width, more than values while memory allows; None where some are full, or values few."""
        if not MANY_VALUES <= values.size < 2**31 or values.dtype != np.float64:
            return None
        lowest, width = float(values[0]), float(values[-1]) - float(values[0])
        size = max(values.size, min(4 * values.size, SPARE))
        if not (math.isfinite(width) and width > 0 and math.isfinite(size / width)):
            return None
        made = cls(np.append(values, np.nan), np.zeros(size, dtype=np.int32), lowest, size / width)
        held = np.bincount(made._bucket(values), minlength=size)
        np.cumsum(held[:-1], out=made.before[1:])
        return made if held.max() <= FULLEST else None

    def _bucket(self, values: Array) -> NDArray[np.int32]:
        """A number that never falls as values rise, however the arithmetic rounds."""
        with np.errstate(over="ignore"):
            inside = np.clip((values - self.lowest) * self.scale, 0, self.before.size - 1)
        return inside.astype(np.int32)

    def search(self, sought: Array, *, right: bool) -> NDArray[Any]:
        """``np.searchsorted``: what lies in a lower bucket is lower, the rest is compared."""
        reaches = np.greater_equal if right else np.greater
        places = self.before[self._bucket(sought)]
        moving = np.flatnonzero(reaches(sought, self.values[places]))
        while moving.size:
            places[moving] += 1
            moving = moving[reaches(sought[moving], self.values[places[moving]])]
        return places
