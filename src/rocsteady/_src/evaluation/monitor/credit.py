"""Names of credit scoring where they are counts that are there anyway: lift by tenths, stability of scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, refuse_one_class
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.watch.drift import LEAST_SHARE, two_samples
from rocsteady._src.inference.intervals.proportions import proportion_bounds
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.scores import as_doubles, ordered_scores
from rocsteady._src.ranked import sorted_distinct
from rocsteady._src.ranked.takes_ranked import takes_ranked
from rocsteady._src.results.credit import LiftTable, StabilityIndex

if TYPE_CHECKING:
    from rocsteady._src.ranked import RankedScores

ROUNDING = 1e-12  # of shares that are added up


@takes_ranked
def lift_table(ranked: RankedScores, *, bins: int = 10, level: float = 0.95) -> LiftTable:
    """Lift, gains and Kolmogorov-Smirnov distance by bands of scores, the highest first.

    Rows of one score stay together, in the band where the middle of them falls, so that bands differ in size where
    scores are tied, and the order of rows changes nothing.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`.
    bins : int
        How many bands: 10 are tenths of the rows.
    level : float
        Of the intervals of shares.

    Returns
    -------
    LiftTable
        ``to_frame()`` has a line for each band that holds rows.

    Examples
    --------
    >>> import rocsteady as rs
    >>> found = rs.monitoring.lift_table([1, 1, 0, 1, 0, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1], bins=4)
    >>> found.lift.round(2).tolist(), found.gain.round(2).tolist()
    ([2.67, 1.33, 0.0, 0.0], [0.67, 1.0, 1.0, 1.0])
    """
    _check(bins)
    refuse_one_class(ranked.n_pos, ranked.n_neg, "a lift table needs")
    pos, neg = (np.asarray(each, dtype=np.float64)[::-1] for each in (ranked.pos, ranked.neg))
    whole = pos + neg
    middle = (np.cumsum(whole) - whole / 2) / whole.sum()
    place = np.minimum((middle * bins).astype(np.int64), bins - 1)
    there, at = sorted_distinct(place)
    ups, n = np.bincount(at, pos), np.bincount(at, whole)
    scores = np.asarray(ranked.scores, dtype=np.float64)[::-1]
    first = np.concatenate([[True], place[1:] != place[:-1]])
    low, high = proportion_bounds(ups, n, level=level, method="wilson")
    gain = np.cumsum(ups) / ups.sum()
    false = np.cumsum(n - ups) / (n - ups).sum()
    whole_numbers = not ranked.origin.weighted
    return LiftTable(
        band=there + 1,
        from_score=scores[np.append(np.flatnonzero(first)[1:] - 1, scores.size - 1)],
        to_score=scores[first],
        n=n.astype(np.int64) if whole_numbers else n,
        positives=ups.astype(np.int64) if whole_numbers else ups,
        rate=ups / n,
        low=low,
        high=high,
        lift=ups / n / (ups.sum() / n.sum()),
        gain=gain,
        ks=gain - false,
        level=level,
        n_pos=ranked.n_pos,
        n_neg=ranked.n_neg,
        origin=ranked.origin,
    )


@typed
def stability_index(reference: Any, scores: Any, *, bins: int = 10) -> StabilityIndex:
    """Population stability index (PSI) of scores against those of a reference, by bins of about equal size there.

    Parameters
    ----------
    reference, scores : array-like
        Scores of both samples.
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
    _check(bins)
    first, second = (_numbers(values, name) for values, name in ((reference, "reference"), (scores, "scores")))
    both, place = sorted_distinct(np.concatenate([first, second]))
    counts = [np.bincount(part, minlength=both.size).astype(np.float64) for part in np.split(place, [first.size])]
    share = np.cumsum(counts[0]) / first.size
    ends_of_bins = both[np.searchsorted(share, np.arange(1, bins) / bins - ROUNDING)]
    bin_of = np.searchsorted(ends_of_bins, both)
    binned = [np.bincount(bin_of, each, minlength=bins) for each in counts]
    kept = np.flatnonzero(binned[0] + binned[1])
    known, now = (np.maximum(each[kept] / each.sum(), LEAST_SHARE) for each in binned)
    adds = (now - known) * np.log(now / known)
    ends = [both[np.flatnonzero(bin_of == each)[[0, -1]]] for each in kept]
    return StabilityIndex(
        index=float(adds.sum()),
        expected=(kept.size - 1) * (1 / first.size + 1 / second.size),
        pvalue=two_samples(*counts)[1],
        from_score=np.array([each[0] for each in ends]),
        to_score=np.array([each[1] for each in ends]),
        reference_share=binned[0][kept] / first.size,
        share=binned[1][kept] / second.size,
        adds=adds,
        n_reference=first.size,
        n=second.size,
    )


def _check(bins: int) -> None:
    if bins < 2:
        raise ArgumentError("bins", f"bins must be 2 or more, got {bins}")


def _numbers(values: Any, name: str) -> Any:
    array, gap = read_column(values, name, numbers_follow=True)
    if gap is not None or not array.size:
        missing = 0 if gap is None else int(gap.sum())
        told = f"{name}: {format_count(missing)} values are missing" if missing else f"{name} has no rows"
        raise InputError("missing_values" if missing else "empty", f"{told}; pass complete scores")
    return as_doubles(ordered_scores(array, array, None, name), name)
