"""Random draws that samples of one size share, some at a time: they know nothing of the scores.

``compare_measure`` and ``bootstrap_interval`` with a seed draw the same rows for all samples of one size, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Array = NDArray[Any]

SHARED = 10  # samples by the same draws


class Draws:
    """Counts, coins and deals of so many resamples; ``next_sample`` says that another sample asks."""

    def __init__(self, rng: np.random.Generator, resamples: int) -> None:
        self.rng, self.resamples = rng, resamples
        self._kept: dict[tuple[str, int, int], Array] = {}
        self._samples = 0

    def next_sample(self) -> Draws:
        self._samples += 1
        if self._samples % SHARED == 1:
            self._kept.clear()
        return self

    def counts(self, rows: int, part: int = 0) -> Array:
        """How often each row is drawn, a line for each resample; independent ones by part."""
        return self._once("counts", rows, part, counts)

    def coins(self, rows: int) -> Array:
        """1 for the rows that change places, else 0."""
        return self._once("coins", rows, 0, coins)

    def dealt(self, rows: int, part: int = 0) -> Array:
        """1 for a random half of the rows, else 0."""
        return self._once("dealt", rows, part, dealt)

    def _once(self, kind: str, rows: int, part: int, draw: Callable[[np.random.Generator, int, int], Array]) -> Array:
        key = kind, rows, part
        if key not in self._kept:
            self._kept[key] = draw(self.rng, rows, self.resamples)
        return self._kept[key]


def counts(rng: np.random.Generator, rows: int, resamples: int) -> Array:
    places = rng.integers(0, rows, (resamples, rows)) + rows * np.arange(resamples)[:, None]
    return np.bincount(places.ravel(), minlength=rows * resamples).reshape(resamples, rows).astype(np.float32)


def coins(rng: np.random.Generator, rows: int, resamples: int) -> Array:
    return (rng.random((resamples, rows)) < 0.5).astype(np.float64)


def dealt(rng: np.random.Generator, rows: int, resamples: int) -> Array:
    order = rng.random((resamples, rows)).argpartition(rows // 2, axis=1)
    chosen = np.zeros((resamples, rows))
    np.put_along_axis(chosen, order[:, : rows // 2], 1.0, axis=1)
    return chosen
