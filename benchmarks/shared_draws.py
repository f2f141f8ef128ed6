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
        self._kept: dict[tuple[object, ...], Any] = {}
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

    def walked(self, n_pos: int, n_neg: int, *, within_classes: bool) -> tuple[Array, Array, Array]:
        """How often positives are drawn, from the highest score down, their running sum, and that of negatives."""
        return self.once(("walked", n_pos, n_neg, within_classes), lambda: self._walk(n_pos, n_neg, within_classes))

    def _walk(self, n_pos: int, n_neg: int, within_classes: bool) -> tuple[Array, Array, Array]:
        if within_classes:
            pos, neg = self.counts(n_pos, 0), self.counts(n_neg, 1)
        else:
            pos, neg = np.split(self.counts(n_pos + n_neg, 0), [n_pos], axis=1)
        passed = running(neg)
        drawn = pos[:, ::-1].astype(np.float64)
        return drawn, drawn.cumsum(axis=1), passed

    def passed(self, rows: int, part: int) -> Array:
        """How many of these rows are drawn above each, of rows in ascending order."""
        return self.once(("passed", rows, part), lambda: running(self.counts(rows, part)))

    def _once(self, kind: str, rows: int, part: int, draw: Callable[[np.random.Generator, int, int], Array]) -> Array:
        return self.once((kind, rows, part), lambda: draw(self.rng, rows, self.resamples))

    def once(self, key: tuple[object, ...], make: Callable[[], Any]) -> Any:
        """What follows from the draws alone, made for the first sample that asks."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]


def running(drawn: Array) -> Array:
    """Sums of the last columns, of none, one and more of them."""
    found = np.zeros((drawn.shape[0], drawn.shape[1] + 1))
    np.cumsum(drawn[:, ::-1], axis=1, out=found[:, 1:])
    return found


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
