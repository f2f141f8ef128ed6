"""Shares of rows that count once each, with exact intervals: no condition is shown too easily by them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inference.comparison.goal import OF_RATIOS
from rocsteady._src.inference.intervals.binomial import bounds_of
from rocsteady._src.inference.intervals.normal import p_value, quantile_of
from rocsteady._src.inference.intervals.proportions import cell_slopes, interval_of
from rocsteady._src.inference.intervals.shares import PROPORTIONS
from rocsteady._src.inference.operating.binomial_tails import complement
from rocsteady._src.inference.operating.rate_intervals import Known, known_at
from rocsteady._src.inference.paired.difference import joined_reach
from rocsteady._src.inference.units.subjects import CELLS
from rocsteady._src.measures.at_rate import step_of
from rocsteady._src.measures.confusion import Confusion, confusion_at
from rocsteady._src.measures.curve_points import sensitivity_at, specificity_at
from rocsteady._src.measures.reaches_threshold import first_reached

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.evaluation.gate.evidence import Ends, OneModel
    from rocsteady._src.evaluation.gate.terms import Term
    from rocsteady._src.inference.paired.counts import PairedCounts
    from rocsteady._src.measures.registry import FactSheet
    from rocsteady._src.ranked import Rows
    from rocsteady._src.results import Interval

EXACT = "clopper-pearson"
ON_THE_LINE = (sensitivity_at.sheet, specificity_at.sheet)


def has_exact_share(rows: Rows, term: Term) -> bool:
    """Whether the measure is a share of rows that count once each."""
    sheet = term.request.sheet
    counted = rows.clusters is None and rows.reading != "sampling"
    return counted and sheet.name in PROPORTIONS and sheet.name not in OF_RATIOS


@dataclass(frozen=True, slots=True)
class ExactShare:
    """A share of rows at a model's threshold, with the exact interval at any level."""

    rows: Rows
    term: Term
    params: dict[str, Any]

    def interval(self, level: float) -> Interval:
        """The exact interval."""
        counts = confusion_at(self.rows.ranked[0], self.params["threshold"])
        return interval_of(self.term.request.sheet, counts, level=level, method=EXACT)

    @property
    def estimate(self) -> float:
        """The share."""
        return self.interval(0.5).estimate

    def ends(self, level: float) -> Ends:
        """Give the two-sided interval at this level."""
        found = self.interval(level)
        return found.low, found.high


@dataclass(frozen=True, slots=True)
class AtRate:
    """A point of the curve where a rate is held, no closer than exact tails over order statistics allow.

    Resamples of rows of which few fail hold too few of them, or none.
    """

    inner: OneModel

    @property
    def estimate(self) -> float:
        """The value."""
        return self.inner.estimate

    def interval(self, level: float) -> Interval | None:
        """The interval of the measure, widened; None where it is undefined."""
        found, rows = self.inner.interval(level), self.inner.rows
        if found is None:
            return None
        held, of, rate, turned = rate_held(self.inner.term.request.sheet, self.inner.params)
        ranked = rows.ranked[0]
        threshold = ranked.thresholds_at(np.array([step_of(ranked, held, rate)]))[0]
        plain = rows.by_row() if rows.clusters is not None or rows.reading == "sampling" else None
        exact = of(known_at(ranked, plain, None, threshold, (level, "exact")), rate)
        low, high = (1 - exact.high, 1 - exact.low) if turned else (exact.low, exact.high)
        told = f"{found.method}, no closer than by {exact.method}"
        return replace(found, low=min(found.low, low), high=max(found.high, high), method=told)

    def ends(self, level: float) -> Ends:
        """Give the two-sided interval at this level."""
        found = self.interval(level)
        return (math.nan, math.nan) if found is None else (found.low, found.high)


def rate_held(sheet: FactSheet, params: dict[str, Any]) -> tuple[str, Any, float, bool]:
    """Which rate is held, what has the interval there, the rate, and whether that is of the opposite."""
    given = {**sheet.params, **params}
    if sheet is specificity_at.sheet:
        return "tpr", Known.fpr, float(given["sensitivity"]), True
    fpr = given.get("fpr")
    return "fpr", Known.tpr, complement(given["specificity"]) if fpr is None else float(fpr), False


@dataclass(frozen=True, slots=True)
class ExactPair:
    """The difference of two shares of the same rows: exact intervals of the rows that only one model has right, joined.

    Both kinds of rows take from the same total, which their correlation allows for. Score intervals decide too easily
    where few rows differ: counts of few are skewed. With subjects the counts are those of as many independent rows as
    they are worth, and the level is that of Student's t.

    Examples
    --------
    >>> from rocsteady._src.inference.paired.counts import PairedCounts
    >>> low, high = ExactPair(PairedCounts(80, 5, 10, 5)).ends(0.9)
    >>> round(low, 4), round(high, 4)
    (-0.1225, 0.0213)
    """

    counts: PairedCounts

    @property
    def estimate(self) -> float:
        """First minus second."""
        return self.counts.difference

    def ends(self, level: float) -> Ends:
        """Give the interval of the difference."""
        first, second, n = self.counts.scaled
        if not n > 0:  # no rows, or a single subject
            return math.nan, math.nan
        df = self.counts.df
        sure = level if df is None else 1 - p_value(quantile_of(level, df=df))
        hits = np.array([first, second])
        (low, other_low), (high, other_high) = bounds_of(hits, np.full(2, n), sure, EXACT)
        one, two = hits / n
        rest = (n - first) * (n - second)
        common = -min(math.sqrt(first * second / rest), 1.0) if rest > 0 else -1.0
        down = float(joined_reach(one - low, other_high - two, common))
        up = float(joined_reach(high - one, two - other_low, common))
        return max(self.estimate - down, -1.0), min(self.estimate + up, 1.0)


def call_by_rows(rows: Rows, model: int, term: Term, params: dict[str, Any]) -> NDArray[np.float64] | None:
    """What every row adds to a measure of one model's calls, by the cell it falls into; None where it is no such one.

    Joined intervals alone were seen to pass too easily in precision.
    """
    sheet, rest = term.request.sheet, dict(params)
    if Confusion not in sheet.ready or "threshold" not in rest:
        return None
    ranked, places = rows.ranked[model], rows.places[model]
    counts = confusion_at(ranked, rest.pop("threshold"))
    called = places >= int(first_reached(ranked.scores, counts.threshold))
    cell = np.where(rows.positive, np.where(called, 0, 2), np.where(called, 1, 3))
    cells = _cells(counts)
    slopes = cell_slopes(sheet, cells, rest)
    return cells.sum() * slopes[cell] if np.isfinite(slopes).all() else None


def furthest_call(rows: Rows, model: int, term: Term, params: dict[str, Any]) -> float:
    """How far a row moves a measure by being called otherwise, over its share of all: as 1 or 3 of a class do.

    Three are expected of rows of which one sample in twenty shows none. Slopes know nothing of cells that are empty.
    """
    sheet, rest = term.request.sheet, dict(params)
    cells = _cells(confusion_at(rows.ranked[model], rest.pop("threshold")))
    moves = np.array([[-1, 0, 1, 0], [1, 0, -1, 0], [0, -1, 0, 1], [0, 1, 0, -1]]).T
    row, held = cells.sum() / rows.n_rows, cells[np.argmin(moves, axis=0)]
    moved = np.concatenate([np.minimum(size * row, held) for size in (1, 3)])
    there = np.c_[cells, cells[:, None] + moved * np.tile(moves, 2)]
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(sheet.formula(Confusion(*there), **rest), dtype=np.float64)
        steeps = np.abs(values[1:] - values[0]) / moved
    return float(cells.sum() * np.max(steeps, where=np.isfinite(steeps), initial=0.0))


def _cells(counts: Confusion) -> NDArray[np.float64]:
    return np.array([float(getattr(counts, name)) for name in CELLS])
