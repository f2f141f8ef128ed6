"""Stability of scores: how far they have moved from those of a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.watch.drift import LEAST_SHARE, two_samples
from rocsteady._src.evaluation.remarks import warn_of
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.given import is_table
from rocsteady._src.inputs.scores import as_doubles, ordered_scores
from rocsteady._src.inputs.tables import pick_columns
from rocsteady._src.ranked import sorted_distinct
from rocsteady._src.ranked.lazy.columns import is_lazy
from rocsteady._src.ranked.lazy.score_counts import EngineColumn, HeldColumn, score_counts
from rocsteady._src.results.credit import StabilityIndex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.ranked.lazy.score_counts import Column
    from rocsteady._src.results.remarks import Remark

    Counted = tuple[NDArray[np.float64], NDArray[np.float64] | None]

ROUNDING = 1e-12  # of shares that are added up


@typed
def stability_index(reference: Any, scores: Any, *, score: str | None = None, bins: int = 10) -> StabilityIndex:
    """Population stability index (PSI) of scores against those of a reference, by bins of about equal size there.

    Parameters
    ----------
    reference, scores : array-like, or tables with ``score``
        Scores of both samples. Lazy tables are counted by their engine.
    score : str, optional
        Name of the column of scores, of tables.
    bins : int
        How many; 10 are tenths of the reference, each with its upper end. Empty bins count as a share of 0.0001.

    Returns
    -------
    StabilityIndex
        ``index``, what is ``expected`` of unchanged scores, a test, and a line for each bin.

    Examples
    --------
    >>> import rocsteady as rs
    >>> round(rs.monitoring.stability_index([1, 2, 3, 4], [1, 1, 3, 4], bins=2).index, 12)
    0.0
    >>> round(rs.monitoring.stability_index([1, 2, 3, 4], [1, 2, 2, 4], bins=2).index, 4)
    0.2747
    """
    if score is None:
        if is_table(reference) or is_table(scores):
            raise ArgumentError("score", "which column of the tables holds the scores? name it with score=")
        columns = ((reference, "reference"), (scores, "scores"))
        return stability_of(*((_numbers(values, name), None) for values, name in columns), bins=bins)
    tables = [(reference, f"{score} of reference"), (scores, f"{score} of scores")]
    counted, rounded = counted_scores(tables, score)
    warn_of([] if rounded is None else [rounded])
    return stability_of(*counted, bins=bins)


def stability_of(reference: Counted, now: Counted, *, bins: int = 10) -> StabilityIndex:
    """The index of two samples, each as its scores and how often each of them occurs (None: once)."""
    _check(bins)
    (first, _), (second, _) = reference, now
    both, place = sorted_distinct(np.concatenate([first, second]))
    parts = zip(np.split(place, [first.size]), (reference, now), strict=True)
    counts = [np.bincount(part, often, minlength=both.size).astype(np.float64) for part, (_, often) in parts]
    n_first, n_second = (int(each.sum()) for each in counts)
    share = np.cumsum(counts[0]) / n_first
    ends_of_bins = both[np.searchsorted(share, np.arange(1, bins) / bins - ROUNDING)]
    bin_of = np.searchsorted(ends_of_bins, both)
    binned = [np.bincount(bin_of, each, minlength=bins) for each in counts]
    kept = np.flatnonzero(binned[0] + binned[1])
    known, now = (np.maximum(each[kept] / each.sum(), LEAST_SHARE) for each in binned)
    adds = (now - known) * np.log(now / known)
    ends = [both[np.flatnonzero(bin_of == each)[[0, -1]]] for each in kept]
    return StabilityIndex(
        index=float(adds.sum()),
        expected=(kept.size - 1) * (1 / n_first + 1 / n_second),
        pvalue=two_samples(*counts)[1],
        from_score=np.array([each[0] for each in ends]),
        to_score=np.array([each[1] for each in ends]),
        reference_share=binned[0][kept] / n_first,
        share=binned[1][kept] / n_second,
        adds=adds,
        n_reference=n_first,
        n=n_second,
    )


def _check(bins: int) -> None:
    if bins < 2:
        raise ArgumentError("bins", f"bins must be 2 or more, got {bins}")


def _numbers(values: Any, name: str) -> Any:
    array, gap = read_column(values, name, numbers_follow=True)
    return _complete(array, 0 if gap is None else int(gap.sum()), name)


def _complete(array: Any, missing: int, name: str) -> Any:
    if missing or not array.size:
        told = f"{name}: {format_count(missing)} values are missing" if missing else f"{name} has no rows"
        raise InputError("missing_values" if missing else "empty", f"{told}; pass complete scores")
    return as_doubles(ordered_scores(array, array, None, name), name)


def counted_scores(tables: Sequence[tuple[Any, str]], score: str, **limits: int) -> tuple[list[Counted], Remark | None]:
    """Scores of tables and how often each occurs; tables come with what messages call their column.

    Too many scores are rounded down, which the remark says.
    """
    columns: list[Column] = [
        EngineColumn.of(table, score)
        if is_lazy(table)
        else HeldColumn(_numbers(pick_columns(table, [score])[score], name))
        for table, name in tables
    ]
    found, rounded = score_counts(columns, **limits)
    counted: list[Counted] = [
        (_complete(values, int(n[gap].sum()), name), n.astype(np.float64))
        for (values, gap, n), (_, name) in zip(found, tables, strict=True)
    ]
    return counted, rounded
