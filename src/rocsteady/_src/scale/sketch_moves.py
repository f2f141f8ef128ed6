"""A sketch without some of its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError
from rocsteady._src.base.text import format_count
from rocsteady._src.ranked.grouping import group_weighted
from rocsteady._src.scale.sketch_agree import both_alone
from rocsteady._src.scale.sketch_keys import scores_of

if TYPE_CHECKING:
    from rocsteady._src.scale.sketch import Sketch
    from rocsteady._src.scale.sketch_counts import Counts

FACTS = ("_n_rows", "_n_dropped", "_total")


class Moves:
    """What a sketch does without counting rows."""

    _counts: Counts | None

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
            _copy_facts(made, self, part)
        return made


def _copy_facts(made: Any, whole: Any, gone: Any) -> None:
    """Labels and numbers of rows of a sketch, less those of a part that is gone."""
    for name in ("_pos_label", "_neg_label", "_weighted"):
        setattr(made, name, getattr(whole, name))
    for name in FACTS:
        setattr(made, name, getattr(whole, name) - getattr(gone, name))


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
