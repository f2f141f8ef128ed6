"""The rows of one day by score, and the sums of them that a watch remembers.

A day is remembered by sums alone, so that the next look needs no row of it. Sums of two sets of rows of one day are
those of the whole only for counts; areas are of pairs within a day, and of days together they are averaged.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.designs.watch.calibrated import calibration_logs
from rocsteady._src.designs.watch.expected import expected_of
from rocsteady._src.designs.watch.open_labels import area_bounds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class DayCounts:
    """Distinct scores, increasing, with how many rows are positive, negative, and not labelled yet."""

    scores: Array
    pos: Array
    neg: Array
    open: Array


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What is summed: calls at a ``threshold``, scores read as ``probabilities``, rows between ``edges``."""

    threshold: float | None
    probabilities: bool
    edges: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class DaySums:
    """What a watch remembers of a day. Counts of rows; areas of pairs; sums over labelled rows.

    ``squares_pos`` and ``squares_neg`` are squared distances of DeLong's placements from the area; ``lost`` is Brier's
    loss, ``gap`` label less probability.
    """

    day: str
    n_pos: float
    n_neg: float
    n_open: float
    area: float
    squares_pos: float
    squares_neg: float
    area_low: float
    area_high: float
    true_pos: float = math.nan
    false_pos: float = math.nan
    open_called: float = math.nan
    lost: float = math.nan
    lost_squares: float = math.nan
    lost_low: float = math.nan
    lost_high: float = math.nan
    gap: float = math.nan
    gap_squares: float = math.nan
    sum_open: float = math.nan
    calibration: tuple[float, ...] = ()
    bins: tuple[float, ...] = ()
    expected: dict[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def n_rows(self) -> float:
        """All rows of the day."""
        return self.n_pos + self.n_neg + self.n_open

    def to_dict(self) -> dict[str, Any]:
        """Plain values; those that are undefined are left out."""
        found = asdict(self)
        return {name: value for name, value in found.items() if not (isinstance(value, float) and math.isnan(value))}

    @classmethod
    def from_dict(cls, held: dict[str, Any]) -> DaySums:
        """What ``to_dict`` gave."""
        blank = dict.fromkeys(("area", "squares_pos", "squares_neg", "area_low", "area_high"), math.nan)
        lists = {name: tuple(held.get(name, ())) for name in ("calibration", "bins")}
        expected = {name: (pair[0], pair[1]) for name, pair in held.get("expected", {}).items()}
        return cls(**{**blank, **held, **lists, "expected": expected})


def day_sums(day: str, rows: DayCounts, plan: Plan) -> DaySums:
    """Everything that is remembered of a day. O(distinct scores)."""
    n_pos, n_neg, n_open = (float(each.sum()) for each in (rows.pos, rows.neg, rows.open))
    low, high = area_bounds(rows.pos, rows.neg, rows.open)
    found: dict[str, Any] = {"area_low": low, "area_high": high, "bins": _between(rows, plan.edges)}
    found |= dict(zip(("area", "squares_pos", "squares_neg"), area_and_squares(rows.pos, rows.neg), strict=True))
    if plan.threshold is not None:
        called = rows.scores >= plan.threshold
        names = ("true_pos", "false_pos", "open_called")
        found |= {name: float(each[called].sum()) for name, each in zip(names, _classes(rows), strict=True)}
    if plan.probabilities:
        found |= _losses(rows)
        found["calibration"] = calibration_logs(rows.scores, rows.pos, rows.neg)
        found["expected"] = expected_of(rows.scores, rows.pos + rows.neg + rows.open, plan.threshold)
    return DaySums(day, n_pos, n_neg, n_open, **found)


def _classes(rows: DayCounts) -> tuple[Array, Array, Array]:
    return rows.pos, rows.neg, rows.open


def area_and_squares(pos: Array, neg: Array) -> tuple[float, float, float]:
    """The area of pairs won, and squared distances of placements of both classes from it; NaN without pairs."""
    n_pos, n_neg = float(pos.sum()), float(neg.sum())
    if not n_pos or not n_neg:
        return math.nan, math.nan, math.nan
    below = (np.cumsum(neg) - neg / 2) / n_neg
    above = (n_pos - np.cumsum(pos) + pos / 2) / n_pos
    area = float(pos @ below) / n_pos
    return area, float(pos @ (below - area) ** 2), float(neg @ (above - area) ** 2)


def _losses(rows: DayCounts) -> dict[str, float]:
    p = rows.scores
    hit, miss = (1 - p) ** 2, p**2
    lost = float(rows.pos @ hit + rows.neg @ miss)
    return {
        "lost": lost,
        "lost_squares": float(rows.pos @ hit**2 + rows.neg @ miss**2),
        "lost_low": lost + float(rows.open @ np.minimum(hit, miss)),
        "lost_high": lost + float(rows.open @ np.maximum(hit, miss)),
        "gap": float(rows.pos @ (1 - p) - rows.neg @ p),
        "gap_squares": float(rows.pos @ hit + rows.neg @ miss),
        "sum_open": float(rows.open @ p),
    }


def _between(rows: DayCounts, edges: tuple[float, ...]) -> tuple[float, ...]:
    """Rows in each of the bins that end at the edges, whatever their labels."""
    places = np.searchsorted(np.asarray(edges), rows.scores, side="left")
    counts = np.bincount(places, weights=rows.pos + rows.neg + rows.open, minlength=len(edges) + 1)
    return tuple(float(count) for count in counts)


def quantile_edges(rows: list[DayCounts], most: int) -> tuple[float, ...]:
    """Scores that part the rows of a reference into bins of about the same size: the ends of all bins but the last."""
    from rocsteady._src.ranked import sorted_distinct

    scores, place = sorted_distinct(np.concatenate([each.scores for each in rows]))
    counts = np.bincount(place, weights=np.concatenate([each.pos + each.neg + each.open for each in rows]))
    share = np.cumsum(counts) / counts.sum()
    ends = np.searchsorted(share, np.arange(1, most) / most - 1e-12)
    kept = dict.fromkeys(int(each) for each in ends if each < scores.size - 1)
    return tuple(float(scores[each]) for each in kept)
