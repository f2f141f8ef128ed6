"""Rows in an order of their own, whatever the order in which they came: what is drawn then depends on the seed alone.

Rows are ordered by label, by the places of their scores in every model and by weight; clusters by what they contain.
Rows, and clusters, that still tie are the same for everything that is computed from them. Names of clusters do not
matter, nor does the order of the models.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.ranked.ranking import Ranking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.ranked.rows import Rows

    Order = NDArray[np.intp]
    Numbers = NDArray[np.int64]


def in_canonical_order(rows: Rows) -> Rows:
    """The same rows and clusters in the order of what they contain."""
    places, models = rows.places, canonical_models(rows)
    keys = [rows.positive, *(places[model] for model in models)]
    order, clusters = canonical_order([*keys, *([] if rows.weights is None else [rows.weights])], rows.clusters)
    made = rows.rearranged(order)
    vars(made)["clusters"] = clusters
    made._rankings.update(  # noqa: SLF001 - the groups are the same in every order
        (name, Ranking(groups, placed=place[order]))
        for name, groups, place in zip(rows.names, rows.ranked, places, strict=True)
    )
    return made


def canonical_order(keys: Sequence[NDArray[Any]], clusters: Numbers | None = None) -> tuple[Order, Numbers | None]:
    """The order of rows by their keys, the first key first, and the new number of the cluster of each row there.

    Examples
    --------
    >>> order, clusters = canonical_order([np.array([2, 1, 1])], np.array([0, 1, 0]))
    >>> order.tolist(), clusters.tolist()
    ([1, 2, 0], [0, 1, 1])
    """
    order = np.lexsort(keys[::-1])
    if clusters is None:
        return order, None
    new = np.zeros(order.size, dtype=bool)
    for key in keys:
        new[1:] |= key[order][1:] != key[order][:-1]
    kinds = np.empty(order.size, dtype=np.int64)
    kinds[order] = new.cumsum()
    numbers = _canonical_clusters(kinds, clusters)[clusters]
    order = np.lexsort((kinds, numbers))
    return order, numbers[order]


def _canonical_clusters(kinds: Numbers, clusters: Numbers) -> Numbers:
    """The place of each cluster among all, ordered by the kinds of its rows."""
    contents = kinds[np.lexsort((kinds, clusters))].astype(">i8")
    ends = np.bincount(clusters).cumsum()
    starts = np.concatenate([[0], ends[:-1]])
    if contents.size == ends.size:
        ordered = contents.argsort(kind="stable")
    else:
        texts = [contents[start:end].tobytes() for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        ordered = np.array(sorted(range(len(texts)), key=texts.__getitem__), dtype=np.intp)
    found = np.empty(ends.size, dtype=np.intp)
    found[ordered] = np.arange(ends.size)
    return found


def canonical_models(rows: Rows) -> list[int]:
    """The models in an order that does not depend on the one in which they came."""
    marks = [_fingerprint(rows, model) for model in range(len(rows.names))]
    found = sorted(range(len(marks)), key=marks.__getitem__)
    if len(marks) == 2 and marks[0] == marks[1]:
        first, second = (rows.places[model] for model in (0, 1))
        one, two = (_joint(rows, *pair) for pair in ((first, second), (second, first)))
        found = [0, 1] if one <= two else [1, 0]
    return found


def canonical_samples(samples: Sequence[Rows]) -> list[int]:
    """The turns in which samples are drawn from, whichever is called the first."""
    return sorted(range(len(samples)), key=lambda number: _fingerprint(samples[number], 0))


def _fingerprint(rows: Rows, model: int) -> tuple[int, bytes, bytes, bytes]:
    """The groups of a model, by which models and samples are ordered."""
    ranked = rows.ranked[model]
    pos, neg = (np.asarray(side, dtype=np.float64).tobytes() for side in (ranked.pos, ranked.neg))
    scores = ranked.scores
    return rows.n_rows, pos, neg, scores.tobytes() if scores.dtype.kind != "O" else repr(scores.tolist()).encode()


def _joint(rows: Rows, first: Numbers, second: Numbers) -> bytes:
    """All rows by the places of two models, one before the other."""
    keys = [rows.positive.astype(np.int64), first, second]
    order = np.lexsort(keys[::-1])
    return np.stack(keys)[:, order].tobytes()
