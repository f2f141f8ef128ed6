"""Measures of whole blocks of small sets, summed in the written order of operations.

For every set: positives from the highest to the lowest outside, negatives from the highest to the lowest inside, each
pair's value added to one running sum, divided once at the end. Across the sets of a block each of these additions is
one array operation. Adding the pairs in another order, or as a matrix product, changes last bits, and so some counts.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.extras.lab import granular
from rocsteady._src.extras.lab.formulas import SCORE_AWARE

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from numpy.typing import NDArray

    from rocsteady._src.extras.lab.sets import Block

    Array = NDArray[np.float64]
    Kernel = Callable[[Array, Array, Array], Array]

LARGEST_SET = 128


class Batch:
    """A block with what its measures share: counts, range, margin, and sums over pairs, each made once.

    Arrays of values have one axis (sets row by row) or two (labellings, rows of scores).
    """

    def __init__(self, block: Block) -> None:
        self.block = block
        self.columns = np.ascontiguousarray(block.scores.T)
        self._sums: dict[Hashable, Array] = {}

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of arrays of values."""
        sets = len(self.block.scores)
        return (len(self.block.labels), sets) if self.block.crossed else (sets,)

    @cached_property
    def n_pos(self) -> NDArray[np.int64]:
        """Positives of every set, to be broadcast."""
        counts: NDArray[np.int64] = self.block.labels.sum(axis=1)
        return counts[:, None] if self.block.crossed else counts

    @cached_property
    def n_neg(self) -> NDArray[np.int64]:
        """Negatives of every set, to be broadcast."""
        rest: NDArray[np.int64] = self.block.size - self.n_pos
        return rest

    @cached_property
    def width(self) -> Array:
        """R of every row of scores."""
        found: Array = self.columns[0] - self.columns[-1]
        return found

    @property
    def ends(self) -> tuple[Array, Array]:
        """Lowest and highest score of every row of scores."""
        return self.columns[-1], self.columns[0]

    @cached_property
    def margin(self) -> Array:
        """W: lowest positive minus highest negative."""
        labels = self.block.labels
        lowest = self.block.size - 1 - np.argmax(labels[:, ::-1], axis=1)
        highest = np.argmin(labels, axis=1)
        at = () if self.block.crossed else (np.arange(len(labels)),)
        found: Array = self.columns[(lowest, *at)] - self.columns[(highest, *at)]
        return found

    def pair_mean(self, key: Hashable, kernel: Kernel, *, losing: bool = False) -> Array:
        """Mean over pairs of f(p, n, R), made once for each key; a kernel is 0 for p <= n unless ``losing``."""
        if key not in self._sums:
            self._sums[key] = self._pair_sum(kernel, losing=losing) / (self.n_pos * self.n_neg)
        return self._sums[key]

    def _pair_sum(self, kernel: Kernel, *, losing: bool) -> Array:
        total, labels, columns = np.zeros(self.shape), self.block.labels, self.columns
        for i in range(self.block.size):
            for j in range(0 if losing else i + 1, self.block.size):
                rows = np.flatnonzero(labels[:, i] & ~labels[:, j])
                if not rows.size:
                    continue
                if self.block.crossed:
                    total[rows] += kernel(columns[i], columns[j], self.width)
                else:
                    total[rows] += kernel(columns[i, rows], columns[j, rows], self.width[rows])
        return total

    def class_mean(self, *, positive: bool) -> Array:
        """Mean of the positives' p, or of the negatives' 1 - n."""
        total = np.zeros(self.shape)
        for i, column in enumerate(self.columns):
            rows = np.flatnonzero(self.block.labels[:, i] == positive)
            value = column if positive else 1 - column
            total[rows] += value if self.block.crossed else value[rows]
        return total / (self.n_pos if positive else self.n_neg)

    def gap_mean(self, key: Hashable, kernel: Callable[[Array, Array], Array], *, losing: bool = False) -> Array:
        """Mean over pairs of f(p - n, R)."""
        return self.pair_mean(key, lambda p, n, width: kernel(p - n, width), losing=losing)


def _gini(batch: Batch) -> Array:
    return 2 * granular.auc(batch) - 1


FORMULAS: dict[str, Callable[..., Array]] = {
    "auc": granular.auc,
    "gini": _gini,
    **SCORE_AWARE,
    "low_auc": granular.low,
    "up_auc": granular.up,
    "lambda_auc": granular.lambda_auc,
    "rho_auc": granular.rho_auc,
}
GRANULAR = {"low_auc", "up_auc", "lambda_auc", "rho_auc"}


def formula_of(name: str, params: dict[str, Any], size: int) -> Callable[[Batch], Array] | None:
    """The way to a measure for whole blocks, where there is one; larger sets go one by one."""
    formula = FORMULAS.get(name)
    if formula is None or size > LARGEST_SET or (name in GRANULAR and not granular.suits(name, params)):
        return None
    used = {key: value for key, value in params.items() if key != "exact"}
    return lambda batch: formula(batch, **used).ravel()
