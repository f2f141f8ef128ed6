"""Score-aware measures by their definition over all pairs, for many small tables at once.

They are written once, on tables that add up pairs each in its own way: :class:`~rocsteady._src.extras.lab.batch.Batch`
in the written order, to the last bit, and :class:`~rocsteady._src.extras.lab.selection_batch.Block` all at once. The
public measures in :mod:`rocsteady._src.measures.scored` have the same values in O(n log n), within their error bounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from rocsteady._src.base.errors import refuse_outside
from rocsteady._src.base.text import format_count, format_number

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Kernel = Callable[[Array, Array], Array]


class Tables(Protocol):
    """Many tables of labels and scores, which know the means of their pairs."""

    @property
    def ends(self) -> tuple[Array, Array]:
        """Lowest and highest score of every table."""
        ...

    @property
    def margin(self) -> Array:
        """W: lowest positive minus highest negative."""
        ...

    def gap_mean(self, key: Hashable, kernel: Kernel, *, losing: bool = False) -> Array:
        """Mean over pairs of f(d, R), made once for each key; a kernel is 0 for d <= 0 unless ``losing``."""
        ...

    def class_mean(self, *, positive: bool) -> Array:
        """Mean of the positives' p, or of the negatives' 1 - n."""
        ...


def won_share(tables: Tables) -> Array:
    """Share of pairs with d > 0."""
    return tables.gap_mean("won", lambda d, _: (d > 0).astype(np.float64))


def _prob(tables: Tables) -> Array:
    lowest, highest = tables.ends
    low, high = lowest.min(), highest.max()
    outside = format_count(int(((lowest < 0) | (highest > 1)).sum()))
    told = f", and {outside} sets of scores reach outside, from {format_number(low)} to {format_number(high)}"
    refuse_outside(low, high, "prob_auc needs scores in [0, 1]", "mm12_auc takes any scores", told=told)
    return (tables.class_mean(positive=True) + tables.class_mean(positive=False)) / 2


def _scored(tables: Tables) -> Array:
    return tables.gap_mean("scored", lambda d, _: np.maximum(d, 0.0))


def _softened(tables: Tables, *, q: float = 1 / 7) -> Array:
    if q == 0:
        return tables.gap_mean("auc", lambda d, _: np.heaviside(d, 0.5), losing=True)
    return tables.gap_mean(("softened", q), lambda d, _: np.maximum(d, 0.0) ** q)


def _soft(tables: Tables, *, beta: float = 7.0) -> Array:
    with np.errstate(over="ignore"):
        return tables.gap_mean(("soft", beta), lambda d, _: 1 / (1 + np.exp(-beta * d)), losing=True)


def _share_of_range(d: Array, width: Array) -> Array:
    return np.divide(np.maximum(d, 0.0), width, out=np.zeros_like(d), where=width > 0)


def _mm1(tables: Tables) -> Array:
    return tables.gap_mean("mm1", _share_of_range)


def _mm4(tables: Tables, *, floor: float = 0.5) -> Array:
    return tables.gap_mean(
        ("mm4", floor), lambda d, width: np.where(d > 0, np.maximum(_share_of_range(d, width), floor), 0.0)
    )


def _mm6(tables: Tables, *, m: float = 9 / 10, n: float = 1 / 100, floor: float = 0.5) -> Array:
    values = _mm4(tables, floor=floor) ** m
    wide = tables.margin > 0
    values[wide] *= tables.margin[wide] ** n
    return values


def _mm7(tables: Tables, *, m: float = 9 / 10, n: float = 1 / 100, floor: float = 0.5) -> Array:
    return _mm6(tables, m=m, n=n, floor=floor) * won_share(tables)


def _mm11(tables: Tables) -> Array:
    return tables.gap_mean("mm11", lambda d, _: d, losing=True)


def _mm12(tables: Tables) -> Array:
    return (_mm11(tables) + 1) / 2


SCORE_AWARE: dict[str, Callable[..., Array]] = {
    "prob_auc": _prob,
    "scored_auc": _scored,
    "softened_auc": _softened,
    "soft_auc": _soft,
    "mm1_auc": _mm1,
    "mm4_auc": _mm4,
    "mm6_auc": _mm6,
    "mm7_auc": _mm7,
    "mm11_auc": _mm11,
    "mm12_auc": _mm12,
}
