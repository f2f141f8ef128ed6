"""Counts that become others: coarser ones, and those without some of the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.text import format_count
from rocsteady._src.ranked.grouping import group_weighted
from rocsteady._src.scale.sketch_agree import both_alone
from rocsteady._src.scale.sketch_counts import Counts
from rocsteady._src.scale.sketch_keys import checked_bits, scores_of

if TYPE_CHECKING:
    import threading

    from rocsteady._src.scale.sketch import Sketch
    from rocsteady._src.scale.sketch_cells import Cells
    from rocsteady._src.scale.sketch_keys import Grid, Kind

FACTS = ("_n_rows", "_n_dropped", "_total")


class Moves:
    """What a sketch does with its counts as they are."""

    _grid: Grid
    _capacity: int
    _dtype: Kind | None
    _counts: Counts | None
    _cells: Cells | None
    _lock: threading.RLock
    _pos_label: Any
    _neg_label: int | None
    _weighted: bool
    _n_rows: int
    _total: int

    def coarsen(self: Sketch, bits: int) -> Sketch:  # type: ignore[misc]  # a part of that class
        """The same rows in 2**bits buckets, fewer than there are: what counting them so gives, to the byte.

        Examples
        --------
        >>> from rocsteady.scale import Sketch
        >>> Sketch(bits=20, range=(0, 1), capacity=0).update([1, 0], [0.9, 0.4]).coarsen(16).bits
        16
        """
        if checked_bits(bits) > self.bits:
            text = f"there are 2**{self.bits} buckets, which cannot become 2**{bits}"
            raise ArgumentError("bits", f"{text}; give fewer bits")
        if self.plan is not None:
            raise ArgumentError("bits", "a refined sketch has cells of its own; coarsen it before it is refined")
        made = type(self)(bits, self.range, capacity=self._capacity, dtype=self._dtype)
        with self._lock:
            copy_facts(made, self)
            if self._counts is not None:
                blank = Counts(made._grid, self._capacity, self._counts.kind)  # noqa: SLF001 - its own
                made._counts = _in_buckets(self._counts, blank, self.bits - bits)  # noqa: SLF001
        return made

    def without(self: Sketch, part: Sketch) -> Sketch:  # type: ignore[misc]  # a part of that class
        """The rows of this sketch but for those of ``part``, all of which it counts: to count them anew.

        Labels that change are taken back with the score they came with, and counted again as they are now. Buckets
        stay buckets, also where few different scores are left.

        Examples
        --------
        >>> from rocsteady.scale import Sketch
        >>> Sketch().update([1, 0, 1], [3, 2, 1]).without(Sketch().update([1], [1])).update([0], [1]).auc().estimate
        1.0
        """
        self.refuse_unlike(part)
        made = self.blank()
        with both_alone(self, part):
            if part.n_rows > self.n_rows:
                raise _others(part.n_rows - self.n_rows)
            if self._counts is not None:
                made._counts = _left(self._counts, part._counts)  # noqa: SLF001 - its own
            copy_facts(made, self, part)
        return made


def copy_facts(made: Any, whole: Any, gone: Any = None) -> None:
    """Labels and numbers of rows of a sketch, less those of a part that is gone."""
    for name in ("_pos_label", "_neg_label", "_weighted"):
        setattr(made, name, getattr(whole, name))
    for name in FACTS:
        setattr(made, name, getattr(whole, name) - (0 if gone is None else getattr(gone, name)))


def _in_buckets(counts: Counts, made: Counts, fewer: int) -> Counts:
    if not counts.collapsed:
        made.add_groups(*counts.groups())
        return made
    buckets, pos, neg = counts.groups()
    coarse = buckets >> fewer
    if counts.grid.range is not None:
        inside = (np.maximum(buckets - 1, 0) >> fewer) + 1
        coarse = np.where(buckets == counts.grid.size - 1, made.grid.size - 1, np.where(buckets == 0, 0, inside))
    made.add_buckets(*group_weighted(coarse, pos, neg))
    return made


def _left(counts: Counts, fewer: Counts | None) -> Counts:
    keys, pos, neg = counts.groups()
    if fewer is not None:
        places, *gone = fewer.groups()
        if fewer.collapsed and not counts.collapsed:
            raise _others(1)
        if counts.collapsed and not fewer.collapsed:
            places = counts.grid.buckets(scores_of(places, counts.kind))
        both = [np.concatenate([mine, -theirs]) for mine, theirs in zip((pos, neg), gone, strict=True)]
        keys, pos, neg = group_weighted(np.concatenate([keys, places]), *both)
    if (pos < 0).any() or (neg < 0).any():
        raise _others(int(-pos[pos < 0].sum() - neg[neg < 0].sum()))
    there, made = np.flatnonzero(pos + neg), counts.blank()
    if counts.collapsed:
        made.add_buckets(keys[there], pos[there], neg[there])
    else:
        made.hold(keys[there], pos[there], neg[there])
    return made


def _others(n: int) -> InputError:
    text = f"{format_count(n)} rows to be taken back are not among those that the sketch counts"
    return InputError("rows_differ", f"{text}; give them with the labels, scores and weights they came with")
