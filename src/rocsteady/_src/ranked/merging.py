"""Groups of several parts of the rows, added up."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.inputs.weights import MOST_EXACT_WEIGHT
from rocsteady._src.ranked.grouping import concatenate_scores, group_weighted
from rocsteady._src.ranked.reading import one_weight_type
from rocsteady._src.ranked.scores import RankedScores
from rocsteady._src.results import Origin


def merge(*parts: RankedScores) -> RankedScores:
    """Add up the groups of several parts; associative and commutative, exact for counts below 2**62.

    Parameters
    ----------
    *parts : RankedScores
        What :func:`rocsteady.rank` made of each part of the rows, one or more, all with the same positive label.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.merge(rs.rank([1, 0], [2, 1]), rs.rank([1, 0], [1, 0]))
    RankedScores(3 distinct scores, 2 positives, 2 negatives)
    """
    if not parts:
        raise ArgumentError("nothing_to_merge", "merge() needs at least one part")
    filled = [part for part in parts if part.scores.size] or list(parts[:1])
    if len(filled) == 1:
        groups = filled[0].scores, filled[0].pos, filled[0].neg
    else:
        scores = concatenate_scores([part.scores for part in filled])
        pos = np.concatenate([part.pos for part in filled])
        neg = np.concatenate([part.neg for part in filled])
        if sum(part.n_rows_counted for part in filled) >= MOST_EXACT_WEIGHT:
            pos, neg = pos.astype(np.float64), neg.astype(np.float64)
        groups = group_weighted(scores, pos, neg)
    return RankedScores.trusted(*groups, _merge_origins([part.origin for part in parts]))


def _merge_origins(origins: list[Origin]) -> Origin:
    labels = {repr(origin.pos_label): origin.pos_label for origin in origins}
    if len(set(labels.values())) > 1:
        raise ArgumentError("merge_pos_label", f"the parts differ in their positive label: {', '.join(labels)}")
    return Origin(
        origins[0].pos_label,
        sum(origin.n_rows for origin in origins),
        sum(origin.n_dropped for origin in origins),
        any(origin.weighted for origin in origins),
        _one_resolution(origins),
        one_weight_type(origins),
        _one_negative(origins),
    )


def _one_negative(origins: list[Origin]) -> Any:
    """The label of negatives, where all parts that tell one tell the same."""
    known = {repr(origin.neg_label): origin.neg_label for origin in origins if origin.neg_label is not None}
    return next(iter(known.values())) if len(known) == 1 else None


def _one_resolution(origins: list[Origin]) -> float | None:
    found = {origin.resolution for origin in origins}
    if len(found) > 1:
        raise ArgumentError("merge_resolution", "the parts were rounded differently before they were ranked")
    return found.pop()


def joined_negatives(ranked: RankedScores) -> RankedScores:
    """The same ranking with neighbouring groups that hold negatives alone joined: few groups where positives are rare.

    Examples
    --------
    >>> import rocsteady as rs
    >>> joined_negatives(rs.rank([0, 0, 1, 0, 0, 0], [1, 2, 3, 4, 5, 6]))
    RankedScores(3 distinct scores, 1 positives, 5 negatives)
    """
    held = ranked.pos != 0
    starts = np.flatnonzero(held | np.append(True, held[:-1]))
    pos, neg = (np.add.reduceat(counts, starts) for counts in (ranked.pos, ranked.neg))
    return RankedScores.trusted(ranked.scores[starts], pos, neg, ranked.origin)
