"""The rows of one day by score, and the sums of them that a watch remembers.

A day is remembered by sums alone, so that the next look needs no row of it. Sums of two sets of rows of one day are
those of the whole only for counts; areas are of pairs within a day, and of days together they are averaged. Where
rows have weights, sums are of weights, and squares of weights are remembered beside them: they tell how many rows
without weights would say as much (Kish).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.designs.watch.calibrated import calibration_logs
from rocsteady._src.designs.watch.expected import expected_of
from rocsteady._src.designs.watch.open_labels import area_bounds, wide_bounds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class DayCounts:
    """Distinct scores, increasing, with how many rows are positive, negative, and not labelled yet; or their weights.

    With weights there are squares of those of labelled rows, and of all rows together.
    """

    scores: Array
    pos: Array
    neg: Array
    open: Array
    pos_squared: Array | None = None
    neg_squared: Array | None = None
    whole_squared: float = math.nan
    n_rows: float = math.nan

    @property
    def squared(self) -> tuple[Array, Array]:
        """Squares of weights of positives and negatives; the counts themselves where rows have none."""
        return (
            self.pos if self.pos_squared is None else self.pos_squared,
            self.neg if self.neg_squared is None else self.neg_squared,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What is summed: calls at a ``threshold``, scores read as ``probabilities``, rows between ``edges``.

    Rows that are ``weighted`` have sampling weights.
    """

    threshold: float | None
    probabilities: bool
    edges: tuple[float, ...]
    weighted: bool = False


@dataclass(frozen=True, slots=True)
class DaySums:
    """What a watch remembers of a day. Counts of rows; areas of pairs; sums over labelled rows.

    ``squares_pos`` and ``squares_neg`` are squared distances of DeLong's placements from the area; ``lost`` is Brier's
    loss, ``gap`` label less probability. ``squared`` are sums of squared weights, of positives that are called and not,
    and of negatives; none where rows have no weights.
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
    squared: tuple[float, ...] = ()
    lost_crossed: float = math.nan
    gap_crossed: float = math.nan
    rows: float = math.nan

    @property
    def n_rows(self) -> float:
        """All rows of the day."""
        return self.n_pos + self.n_neg + self.n_open if math.isnan(self.rows) else self.rows

    @property
    def sizes(self) -> tuple[float, float]:
        """Rows of both classes; where they have weights, as many rows without them as say as much."""
        if not self.squared:
            return self.n_pos, self.n_neg
        squares = self.squared[0] + self.squared[1], self.squared[2] + self.squared[3]
        pairs = zip((self.n_pos, self.n_neg), squares, strict=True)
        return tuple(n**2 / square if square else 0.0 for n, square in pairs)  # type: ignore[return-value]

    def to_dict(self) -> dict[str, Any]:
        """Plain values; those that are undefined, or empty as without weights, are left out."""
        held = {each.name: getattr(self, each.name) for each in fields(self)}
        return {
            name: value
            for name, value in held.items()
            if value != () and not (isinstance(value, float) and math.isnan(value))
        }

    @classmethod
    def from_dict(cls, held: dict[str, Any]) -> DaySums:
        """What ``to_dict`` gave."""
        blank = dict.fromkeys(("area", "squares_pos", "squares_neg", "area_low", "area_high"), math.nan)
        lists = {name: tuple(held.get(name, ())) for name in ("calibration", "bins", "squared")}
        expected = {name: (pair[0], pair[1]) for name, pair in held.get("expected", {}).items()}
        return cls(**{**blank, **held, **lists, "expected": expected})


def day_sums(day: str, rows: DayCounts, plan: Plan) -> DaySums:
    """Everything that is remembered of a day. O(distinct scores)."""
    n_pos, n_neg, n_open = (float(each.sum()) for each in (rows.pos, rows.neg, rows.open))
    low, high = (area_bounds if rows.pos_squared is None else wide_bounds)(rows.pos, rows.neg, rows.open)
    found: dict[str, Any] = {"area_low": low, "area_high": high, "bins": _between(rows, plan.edges)}
    found |= dict(zip(("area", "squares_pos", "squares_neg"), _area_of(rows), strict=True))
    called = np.zeros(rows.scores.size, dtype=bool) if plan.threshold is None else rows.scores >= plan.threshold
    if plan.threshold is not None:
        names = ("true_pos", "false_pos", "open_called")
        found |= {name: float(each[called].sum()) for name, each in zip(names, _classes(rows), strict=True)}
    if rows.pos_squared is not None:
        found["squared"] = tuple(float(each[at].sum()) for each in rows.squared for at in (called, ~called))
        found["rows"] = rows.n_rows
    if plan.probabilities:
        found |= _losses(rows)
        found["calibration"] = () if plan.weighted else calibration_logs(rows.scores, rows.pos, rows.neg)
        found["expected"] = expected_of(rows.scores, rows.pos + rows.neg + rows.open, plan.threshold)
    return DaySums(day, n_pos, n_neg, n_open, **found)


def _classes(rows: DayCounts) -> tuple[Array, Array, Array]:
    return rows.pos, rows.neg, rows.open


def _area_of(rows: DayCounts) -> tuple[float, float, float]:
    """Area and squares; with weights, squares of as many rows without them as say as much."""
    if rows.pos_squared is None:
        return area_and_squares(rows.pos, rows.neg)
    area, below, above = _placements(rows.pos, rows.neg)
    if math.isnan(area):
        return area, math.nan, math.nan
    parts = zip((rows.pos, rows.neg), rows.squared, (below, above), strict=True)
    found = [float(two @ (place - area) ** 2) * (one.sum() / two.sum()) ** 2 for one, two, place in parts]
    return area, float(found[0]), float(found[1])


def area_and_squares(pos: Array, neg: Array) -> tuple[float, float, float]:
    """The area of pairs won, and squared distances of placements of both classes from it; NaN without pairs."""
    area, below, above = _placements(pos, neg)
    if math.isnan(area):
        return area, math.nan, math.nan
    return area, float(pos @ (below - area) ** 2), float(neg @ (above - area) ** 2)


def _placements(pos: Array, neg: Array) -> tuple[float, Array, Array]:
    n_pos, n_neg = float(pos.sum()), float(neg.sum())
    if not n_pos or not n_neg:
        return math.nan, pos, neg
    below = (np.cumsum(neg) - neg / 2) / n_neg
    above = (n_pos - np.cumsum(pos) + pos / 2) / n_pos
    return float(pos @ below) / n_pos, below, above


def _losses(rows: DayCounts) -> dict[str, float]:
    p = rows.scores
    hit, miss = (1 - p) ** 2, p**2
    lost = float(rows.pos @ hit + rows.neg @ miss)
    ups, downs = rows.squared
    crossed = {} if rows.pos_squared is None else {"lost_crossed": float(ups @ hit + downs @ miss)}
    crossed |= {} if rows.pos_squared is None else {"gap_crossed": float(ups @ (1 - p) - downs @ p)}
    return {
        "lost": lost,
        "lost_squares": float(ups @ hit**2 + downs @ miss**2),
        "lost_low": lost + float(rows.open @ np.minimum(hit, miss)),
        "lost_high": lost + float(rows.open @ np.maximum(hit, miss)),
        "gap": float(rows.pos @ (1 - p) - rows.neg @ p),
        "gap_squares": float(ups @ hit + downs @ miss),
        "sum_open": float(rows.open @ p),
        **crossed,
    }


def _between(rows: DayCounts, edges: tuple[float, ...]) -> tuple[float, ...]:
    """Rows in each of the bins that end at the edges, whatever their labels; of weights as many as say as much."""
    places = np.searchsorted(np.asarray(edges), rows.scores, side="left")
    weights = rows.pos + rows.neg + rows.open
    counts = np.bincount(places, weights=weights, minlength=len(edges) + 1)
    if rows.whole_squared > 0:
        counts = counts * (weights.sum() / rows.whole_squared)
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
