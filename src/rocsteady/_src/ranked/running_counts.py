"""Running counts of a class that are summed where somebody looks: an array of them costs more than the answers do."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.geometry import STRIDE, sums_of_strides

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Counts = NDArray[np.int64]


class RunningCounts:
    """The rows of a class below each place among the groups; or, walking down, from the highest to each step.

    It is asked like the array that it stands for: at a step, at an array of steps, in a range of them, and by
    ``searchsorted`` for whole numbers. Sums are kept for every 64th group.

    Examples
    --------
    >>> counts = RunningCounts(np.array([1, 0, 2, 1]), down=True)
    >>> counts[:].tolist(), int(counts[2]), counts[np.array([4, 1])].tolist(), int(counts.searchsorted(2))
    ([0, 1, 3, 3, 4], 3, [4, 1], 2)
    """

    dtype = np.dtype(np.int64)

    def __init__(self, steps: NDArray[Any], *, down: bool) -> None:
        self._steps, self._down = steps, down
        self.size = steps.size + 1
        self._below: Counts = np.append(0, sums_of_strides(steps).cumsum())  # the groups of each stride, and all
        self.total = int(self._below[-1])

    def __getitem__(self, steps: Any) -> Any:
        if isinstance(steps, slice):
            return self._range(*steps.indices(self.size)[:2])
        at = np.asarray(steps)
        if not at.ndim:
            return np.int64(self._one(int(at)))
        if at.size > self.size // STRIDE:
            return self[:][at]
        places = np.where(at < 0, at + self.size, at).ravel()
        found = self.total - self._up_to(self._steps.size - places) if self._down else self._up_to(places)
        return found.reshape(at.shape)

    def _one(self, step: int) -> int:
        place = step if step >= 0 else step + self.size
        place = self._steps.size - place if self._down else place
        stride = place // STRIDE
        below = int(self._below[stride]) + int(self._steps[stride * STRIDE : place].sum(dtype=np.int64))
        return self.total - below if self._down else below

    def _up_to(self, places: NDArray[np.intp]) -> Counts:
        strides = places // STRIDE
        return self._below[strides] + self._rows.before(strides, places - strides * STRIDE)

    @cached_property
    def _rows(self) -> _Bits | _Numbers:
        return _Bits(self._steps) if self._steps.dtype.kind == "b" else _Numbers(self._steps)

    def _range(self, start: int, stop: int) -> Counts:
        """Counts at neighbouring steps."""
        if stop <= start:
            return np.zeros(0, dtype=np.int64)
        counts = np.empty(stop - start, dtype=np.int64)
        counts[0] = self._one(start)
        size = self._steps.size
        steps = self._steps[size - stop + 1 : size - start][::-1] if self._down else self._steps[start : stop - 1]
        counts[1:] = steps
        return counts.cumsum(out=counts)

    def searchsorted(self, values: Any, side: Literal["left", "right"] = "left") -> Any:
        """The first step that has so many rows, or on the right the first that has more."""
        sought = np.asarray(values)
        if sought.dtype.kind not in "iu":
            raise TypeError("counts are whole numbers")
        wanted = np.atleast_1d(sought).astype(np.int64) + (side == "right")
        found = self._steps.size - self._last_with(self.total - wanted) if self._down else self._first_with(wanted)
        return found.reshape(sought.shape)[()]

    def _last_with(self, most: Counts) -> NDArray[np.intp]:
        """The last place below which so many rows lie at most; -1 where none is."""
        return self._first_with(most + 1) - 1

    def _first_with(self, least: Counts) -> NDArray[np.intp]:
        """The first place below which so many rows lie at least; one beyond the last where none is."""
        if not self._steps.size:
            return np.where(least > 0, 1, 0)
        strides = np.clip(self._below.searchsorted(least, side="left") - 1, 0, self._below.size - 2)
        found = strides * STRIDE + self._rows.first_with(strides, least - self._below[strides]) + 1
        return np.where(least <= 0, 0, np.where(least > self.total, self.size, found))


class Rising:
    """Numbers that never fall from step to step, made where somebody looks; ``searchsorted`` takes one of them."""

    def __init__(self, at: Callable[[Any], Any], size: int) -> None:
        self._at, self.size = at, size

    @classmethod
    def rates(cls, counts: RunningCounts, total: Any) -> Rising:
        """Running counts over their total."""
        return cls(lambda steps: counts[steps] / total, counts.size)

    def __getitem__(self, steps: Any) -> Any:
        return self._at(steps)

    def flipped(self) -> Rising:
        """What is left to 1, from the last step on."""
        return Rising(lambda steps: 1 - self[self.size - 1 - steps], self.size)

    def searchsorted(self, value: float, side: Literal["left", "right"] = "left") -> int:
        """The first step whose number is not below this one, or on the right above it."""
        low, high = -1, self.size
        while high - low > 1:
            middle = (low + high) // 2
            found = self[middle]
            low, high = (low, middle) if (found > value if side == "right" else found >= value) else (middle, high)
        return high


class _Numbers:
    """Groups of any number of rows, looked up by stride."""

    def __init__(self, steps: NDArray[Any]) -> None:
        self._steps = steps

    def _inside(self, strides: NDArray[np.intp]) -> Counts:
        at = strides[:, np.newaxis] * STRIDE + np.arange(STRIDE)
        inside: Counts = self._steps[np.minimum(at, self._steps.size - 1)].astype(np.int64)
        return inside

    def before(self, strides: NDArray[np.intp], groups: NDArray[np.intp]) -> Counts:
        """Rows in so many groups from the start of each stride."""
        rows: Counts = np.where(np.arange(STRIDE) < groups[:, np.newaxis], self._inside(strides), 0).sum(axis=1)
        return rows

    def first_with(self, strides: NDArray[np.intp], least: Counts) -> NDArray[np.intp]:
        """The group of each stride with which so many rows are reached."""
        walked = self._inside(strides).cumsum(axis=1)
        passed: NDArray[np.intp] = np.count_nonzero(walked < least[:, np.newaxis], axis=1)
        return passed


class _Bits:
    """Groups of one row or none, one bit each in words of a stride."""

    def __init__(self, labels: NDArray[np.bool_]) -> None:
        packed = np.packbits(labels, bitorder="little")
        packed.resize((packed.size // 8 + 1) * 8, refcheck=False)
        self._words = packed.view("<u8")

    def before(self, strides: NDArray[np.intp], groups: NDArray[np.intp]) -> Counts:
        """Rows in so many groups from the start of each stride."""
        kept = (np.uint64(1) << groups.astype(np.uint64)) - np.uint64(1)
        rows: Counts = np.bitwise_count(self._words[strides] & kept).astype(np.int64)
        return rows

    def first_with(self, strides: NDArray[np.intp], least: Counts) -> NDArray[np.intp]:
        """The group of each stride with which so many rows are reached, found by halving."""
        group = np.zeros(strides.size, dtype=np.intp)
        width = STRIDE // 2
        while width:
            group += np.where(self.before(strides, group + width) < least, width, 0)
            width //= 2
        return group
