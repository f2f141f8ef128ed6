"""Labels that come late, weighted: those that came in time stand for such rows whose labels come later.

Every day is judged once, by labels that came within the days that are waited for, each weighted by the inverse of the
share of labels that came so soon in the reference, among rows of the same label with about the same score. The same
weights are on both sides of the comparison with the reference, so that to the first order their error cancels; what is
assumed is that labels come as late as they did there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.binning import middle_bins
from rocsteady._src.designs.watch.day_counts import DayCounts
from rocsteady._src.ranked import sorted_distinct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Shares = tuple[tuple[float, ...], tuple[float, ...]]

BINS = 50
FEWEST_IN_TIME = 20  # labels that came in time, in a bin of scores


@dataclass(frozen=True, slots=True)
class Delays:
    """Of positives and of negatives: upper ends of bins of scores, and the share of labels there that came in time."""

    pos: Shares
    neg: Shares

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"pos": [list(each) for each in self.pos], "neg": [list(each) for each in self.neg]}

    @classmethod
    def from_dict(cls, held: dict[str, Any]) -> Delays:
        """What ``to_dict`` gave."""
        pos, neg = ((tuple(held[name][0]), tuple(held[name][1])) for name in ("pos", "neg"))
        return cls(pos, neg)


def learned(days: Sequence[DayCounts]) -> Delays | None:
    """Shares of the reference; None where no label of a class came in time."""
    scores, place = sorted_distinct(np.concatenate([each.scores for each in days]))
    early = [each.early or each for each in days]

    def summed(part: Sequence[DayCounts], name: str) -> Array:
        values = np.concatenate([getattr(each, name) for each in part])
        return np.bincount(place, values, minlength=scores.size).astype(np.float64)

    found = [_shares(scores, summed(early, name), summed(days, name)) for name in ("pos", "neg")]
    return None if found[0] is None or found[1] is None else Delays(found[0], found[1])


def _shares(scores: Array, early: Array, whole: Array) -> Shares | None:
    """Bins with about the same number of rows, fifty or fewer: neighbours join until enough labels came in time."""
    if not early.sum():
        return None
    place = middle_bins(whole, BINS)
    soon, rows = (np.bincount(place, each, minlength=BINS) for each in (early, whole))
    ends, found = list[float](), list[list[float]]()
    held = [0.0, 0.0]
    for at in np.flatnonzero(rows):
        held = [held[0] + float(soon[at]), held[1] + float(rows[at])]
        if held[0] >= FEWEST_IN_TIME:
            ends.append(float(scores[place == at][-1]))
            found.append(held)
            held = [0.0, 0.0]
    last = found.pop() if found else [0.0, 0.0]
    found.append([last[0] + held[0], last[1] + held[1]])  # what is left joins the last
    return tuple(ends[: len(found) - 1]), tuple(each[0] / each[1] for each in found)


def weighed(rows: DayCounts, delays: Delays | None) -> DayCounts:
    """The labels of a day that came in time, each with the inverse of its share; no rows without shares."""
    early = rows.early or rows
    nothing = np.zeros(rows.scores.size)
    if delays is None:
        return DayCounts(rows.scores, *(nothing,) * 3, nothing, nothing)
    weights = [_weights(rows.scores, shares) for shares in (delays.pos, delays.neg)]
    pos, neg = (one * weight for one, weight in zip((early.pos, early.neg), weights, strict=True))
    squares = [one * weight**2 for one, weight in zip(early.squared, weights, strict=True)]
    return DayCounts(rows.scores, pos, neg, nothing, squares[0], squares[1])


def _weights(scores: Array, shares: Shares) -> Array:
    place = np.searchsorted(np.asarray(shares[0]), scores, side="left")
    found: Array = 1 / np.asarray(shares[1])[place]
    return found
