"""Measures that are watched: what each reads from the sums of days, of a reference or of a block of them.

Where labels are still open, a change is judged as if they would all speak for the model. Of rows with weights a
reading counts as many rows without them as say as much.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.designs.watch.open_labels import rate_bounds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocsteady._src.designs.watch.day_counts import DaySums

    Days = Sequence[DaySums]

FEWEST_OF_CLASS = 10
FEWEST_OF_OUTCOME = 10
FEWEST_ROWS = 30


@dataclass(frozen=True, slots=True)
class Reading:
    """A value of some days; ``hits`` of ``total`` rows count it, and ``row_spread`` is what rows spread by.

    ``low`` and ``high`` are the ends that open labels leave, ``at_least`` and ``at_most`` hits and totals there.
    """

    value: float
    variance: float
    hits: float
    total: float
    low: float
    high: float
    at_least: tuple[float, float]
    at_most: tuple[float, float]
    spreads: tuple[float, float] = (math.nan, math.nan)
    sizes: tuple[float, float] = (math.nan, math.nan)


@dataclass(frozen=True, slots=True)
class Watched:
    """A measure: whether more is ``better`` (1), worse (-1) or neither (0), and how it reads days."""

    name: str
    better: int
    kind: str
    read: Callable[[Days], Reading]
    words: str

    @property
    def on_log_odds(self) -> bool:
        """Whether changes are judged on the scale of log-odds."""
        return self.kind != "mean"


def _area(days: Days) -> Reading:
    """Areas of pairs within days, averaged with the smaller class as weight; spreads are pooled."""
    known = [day for day in days if day.n_pos and day.n_neg]
    rows = np.array([day.sizes for day in known]).reshape(len(known), 2)
    weight = rows.min(axis=1)
    total = float(weight.sum())
    if not known:
        blank = (math.nan, math.nan)
        return Reading(*blank, 0.0, 0.0, 0.0, 1.0, (0.0, 0.0), (0.0, 0.0))
    hits, low, high = (
        float(weight @ np.array([getattr(day, name) for day in known])) for name in ("area", "area_low", "area_high")
    )
    freedom = [float(np.maximum(rows[:, side] - 1, 0).sum()) for side in (0, 1)]
    squares = [sum(getattr(day, name) for day in known) for name in ("squares_pos", "squares_neg")]
    spreads = tuple(s / f if f else math.nan for s, f in zip(squares, freedom, strict=True))
    sizes = tuple(total**2 / float(weight**2 @ (1 / rows[:, side])) for side in (0, 1))
    variance = spreads[0] / sizes[0] + spreads[1] / sizes[1]
    ends = (low / total, high / total, (low, total), (high, total))
    return Reading(hits / total, variance, hits, total, *ends, (spreads[0], spreads[1]), (sizes[0], sizes[1]))


def _rate(
    counts: Callable[[DaySums], tuple[float, float, float, float]], hit: tuple[int, ...], miss: tuple[int, ...]
) -> Callable[[Days], Reading]:
    """A share of rows: hits, total, and how many open rows may join as a hit or as a miss.

    ``hit`` and ``miss`` are the places of both among the squares of weights.
    """

    def read(days: Days) -> Reading:
        hits, total, may_hit, may_miss = (float(sum(column)) for column in zip(*map(counts, days), strict=True))
        value = hits / total if total else math.nan
        if total and days[0].squared:
            squares = (sum(day.squared[place] for day in days for place in part) for part in (hit, miss))
            share = _rows_said(value, total, *squares) / total
            hits, total, may_hit, may_miss = (share * each for each in (hits, total, may_hit, may_miss))
        low, high = rate_bounds(hits, total, may_hit, may_miss)
        variance = value * (1 - value) / total if total else math.nan
        ends = ((hits, total + may_miss), (hits + may_hit, total + may_hit))
        return Reading(value, variance, hits, total, low, high, *ends)

    return read


def _rows_said(value: float, total: float, hits: float, misses: float) -> float:
    """As many rows without weights as say as much of a share: by the weights alone, or fewer by its variance."""
    by_weights = total**2 / (hits + misses)
    spread = ((1 - value) ** 2 * hits + value**2 * misses) / total**2
    return min(by_weights, value * (1 - value) / spread) if spread > 0 and 0 < value < 1 else by_weights


def _mean(name: str, ends: Callable[[DaySums], tuple[float, float]]) -> Callable[[Days], Reading]:
    """A mean over rows."""

    def read(days: Days) -> Reading:
        total = float(sum(day.n_pos + day.n_neg for day in days))
        whole = float(sum(day.n_pos + day.n_neg + day.n_open for day in days))
        if total < 2:
            return Reading(math.nan, math.nan, 0.0, total, math.nan, math.nan, (0.0, 0.0), (0.0, 0.0))
        added, squared = (float(sum(getattr(day, each) for day in days)) for each in (name, f"{name}_squares"))
        value, said = added / total, total
        low, high = (sum(column) / whole for column in zip(*map(ends, days), strict=True))
        if days[0].squared:
            squares = float(sum(sum(day.squared) for day in days))
            crossed = float(sum(getattr(day, f"{name}_crossed") for day in days))
            said = total**2 / squares
            spread = max(squared - 2 * value * crossed + value**2 * squares, 0.0) / squares
            spread *= said / max(said - 1, 1.0)
        else:
            spread = max(squared - added * value, 0.0) / (total - 1)
        joined = said * whole / total
        reach = (low, high, (low * joined, joined), (high * joined, joined))
        return Reading(value, spread / said, value * said, said, *reach, (spread, 0.0), (said, 1.0))

    return read


def _gap_ends(day: DaySums) -> tuple[float, float]:
    return day.gap - day.sum_open, day.gap + day.n_open - day.sum_open


WATCHED = {
    each.name: each
    for each in (
        Watched("auc", 1, "area", _area, "area under the ROC curve, pairs within a day"),
        Watched(
            "recall",
            1,
            "rate",
            _rate(lambda d: (d.true_pos, d.n_pos, d.open_called, d.n_open - d.open_called), (0,), (1,)),
            "share of positives that are called",
        ),
        Watched(
            "false_positive_rate",
            -1,
            "rate",
            _rate(lambda d: (d.false_pos, d.n_neg, d.open_called, d.n_open - d.open_called), (2,), (3,)),
            "share of negatives that are called",
        ),
        Watched(
            "specificity",
            1,
            "rate",
            _rate(lambda d: (d.n_neg - d.false_pos, d.n_neg, d.n_open - d.open_called, d.open_called), (3,), (2,)),
            "share of negatives that are not called",
        ),
        Watched(
            "precision",
            1,
            "rate",
            _rate(lambda d: (d.true_pos, d.true_pos + d.false_pos, d.open_called, d.open_called), (0,), (2,)),
            "share of positives among those called",
        ),
        Watched(
            "accuracy",
            1,
            "rate",
            _rate(
                lambda d: (d.true_pos + d.n_neg - d.false_pos, d.n_pos + d.n_neg, d.n_open, d.n_open), (0, 3), (1, 2)
            ),
            "share of rows called rightly",
        ),
        Watched(
            "prevalence",
            0,
            "rate",
            _rate(lambda d: (d.n_pos, d.n_pos + d.n_neg, d.n_open, d.n_open), (0, 1), (2, 3)),
            "share of positives",
        ),
        Watched(
            "brier_score",
            -1,
            "mean",
            _mean("lost", lambda d: (d.lost_low, d.lost_high)),
            "mean squared distance of probability and label",
        ),
        Watched("calibration_gap", 0, "mean", _mean("gap", _gap_ends), "mean label less probability"),
    )
}
AT_THRESHOLD = ("recall", "false_positive_rate", "specificity", "precision", "accuracy")
OF_PROBABILITIES = ("brier_score", "calibration_gap")


def is_enough(measure: Watched, reading: Reading, days: Days, reference: Reading) -> bool:
    """Whether a block of days has rows enough for a normal approximation; told by counts and the reference alone."""
    if measure.kind == "area":
        return min(reading.sizes[0], reading.sizes[1], *(_class_counts(days))) >= FEWEST_OF_CLASS
    if measure.kind == "rate":
        share = min(max(reference.value, 0.001), 0.999)
        return reading.total * min(share, 1 - share) >= FEWEST_OF_OUTCOME
    return reading.total >= FEWEST_ROWS


def _class_counts(days: Days) -> tuple[float, float]:
    sizes = [day.sizes for day in days]
    return sum(each[0] for each in sizes), sum(each[1] for each in sizes)
