"""Scores as they are, or rounded to a grid when asked for: the same cell on every engine."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked.lazy.columns import LazyColumns


@dataclass(frozen=True, slots=True)
class Grid:
    """Multiples of ``resolution``; of all scores when it is None.

    A score goes to cell floor(score / resolution + 1/2). Floor is the same everywhere; engines round halves their
    own ways. Where 1 / resolution is a whole number scores are multiplied by it, so that 0.001 means decimals.
    """

    resolution: float | None

    @classmethod
    def of(cls, resolution: float | None) -> Grid:
        """Check the resolution."""
        if resolution is not None and not 0 < resolution < math.inf:
            raise ArgumentError("resolution", f"resolution must be a number above 0, got {resolution!r}")
        return cls(None if resolution is None else float(resolution))

    @property
    def _per_unit(self) -> float | None:
        steps = 1 / self.resolution if self.resolution else 0.0
        return round(steps) if steps >= 1 and math.isclose(steps, round(steps), rel_tol=1e-12) else None

    def key(self, columns: LazyColumns, model: str) -> Any:
        """The expression to group by."""
        import narwhals as nw

        score = nw.col(model)
        if self.resolution is None:
            return score
        score = score.cast(nw.Float64)
        steps = self._per_unit
        scaled = score / self.resolution if steps is None else score * float(steps)
        return (scaled + 0.5).floor()

    def scores(self, keys: NDArray[Any], model: str) -> NDArray[Any]:
        """The scores that the keys stand for; the same for every model."""
        if self.resolution is None:
            return keys
        keys = keys.astype(np.float64)
        return keys * self.resolution if self._per_unit is None else keys / float(self._per_unit)

    def key_of(self, score: Any, model: str) -> Any:
        """The key of one of the scores that keys stand for; the same for every model."""
        if self.resolution is None:
            return score
        return float(np.rint(score / self.resolution if self._per_unit is None else score * float(self._per_unit)))
