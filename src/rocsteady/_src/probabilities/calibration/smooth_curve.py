"""Smooth calibration curves, as clinicians draw them: spline, lowess or belt, with bands and distances."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, refuse_one_class
from rocsteady._src.base.text import format_count
from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.inference.units.subjects import few_units
from rocsteady._src.inference.units.units import Units, unbiased
from rocsteady._src.inputs.weights import reading_remarks, summed
from rocsteady._src.measures.probability import probabilities_of
from rocsteady._src.probabilities.calibration.belt import fewest_scores, fit_belt
from rocsteady._src.probabilities.calibration.goodness import made_test
from rocsteady._src.probabilities.calibration.smooth import local_lines, one_by_one
from rocsteady._src.probabilities.calibration.subjects import by_units_of, row_scores
from rocsteady._src.probabilities.calibration.terms import (
    LogitCurve,
    by_units,
    fit_terms,
    knots_of,
    logits_of,
    quantiles_of_counts,
    spline_terms,
)
from rocsteady._src.ranked import sorted_distinct
from rocsteady._src.results import Interval
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark
from rocsteady._src.results.smooth_calibration import SmoothCalibrationCurve

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.probabilities.calibration.belt import Belt
    from rocsteady._src.ranked import RankedScores, Rows

    Array = NDArray[Any]

BARS = 40
POINTS = 101  # of the curve, evenly over rows and evenly over scores
DRAWS, SEED = 10_000, 27
MOST_CELLS = 50_000_000  # points of lowess times rows
KNOTS = {5: 100, 4: 50, 3: 0}  # so many knots from so many rows of the smaller class on
FEW_OF_CLASS = 50
NO_SPREAD = 1e-14  # of a variance; rounding leaves about 1e-16, one positive of 500,000 rows 1e-11
WIDE = 0.5  # of the way from 0 to 1: such a band says nothing


class Smoothed(NamedTuple):
    """A curve with ``curve(scores, reach)``, at these points; standard errors to its ends, and what to say of it."""

    shape: LogitCurve | LocalLines
    at: Array
    reach: float
    method: str
    remarks: tuple[Remark, ...] = ()
    knots: tuple[float, ...] | None = None
    belt: Belt | None = None

    @property
    def varies(self) -> bool:
        """Whether rows tell how the curve would vary: not where it goes through every outcome, as of one class."""
        factor = self.shape.factor(self.at)
        return not (factor**2).sum(1).max(initial=0.0) <= NO_SPREAD


@dataclass(frozen=True, slots=True, eq=False)
class LocalLines:
    """Lowess at its points, straight lines between them; ``factor`` has the covariance of its values as product."""

    at: Array
    values: Array
    lines: Array

    def factor(self, scores: Array) -> Array:
        """Lines whose products are the covariance of the curve; at its own points."""
        return self.lines

    def curve(self, scores: Array, reach: float) -> tuple[Array, Array, Array]:
        """The curve at these scores, and its limits so many standard errors away, within 0 and 1."""
        off = reach * np.sqrt((self.lines**2).sum(1))
        ends = (self.values, np.maximum(self.values - off, 0.0), np.minimum(self.values + off, 1.0))
        first, low, high = (np.interp(scores, self.at, each) for each in ends)
        return first, low, high


def smooth_curve(
    ranked: RankedScores, rows: Rows | None, method: str, *, level: float, n_knots: int | None, external: bool
) -> SmoothCalibrationCurve:
    """The curve of one method with both bands, and the distances of all rows from it."""
    scores = probabilities_of(ranked, "calibration_curve")
    if not scores.size:
        raise InputError("empty", "there are no rows")
    if method == "lowess":
        found = _lowess(ranked, rows, level)
    else:
        _refuse_without_logits(ranked, scores)
        found = _spline(ranked, rows, level, n_knots) if method == "spline" else _belt(ranked, rows, level, external)
    without, told = _without_limits(ranked, rows, found), reading_remarks(ranked.origin)
    observed, low, high = found.shape.curve(found.at, math.nan if without else quantile_of(level))
    _, band_low, band_high = found.shape.curve(found.at, math.nan if without else found.reach)
    facts, wide = facts_of(ranked), band_high - band_low > WIDE
    distances: dict[str, Any] = _distances(ranked, found, level, facts, without)
    return SmoothCalibrationCurve(
        predicted=found.at,
        observed=observed,
        low=low,
        high=high,
        band_low=band_low,
        band_high=band_high,
        **_cells(ranked, found.at),
        strategy=method,
        level=level,
        method=found.method + by_units_of(rows),
        **distances,
        knots=found.knots,
        degree=None if found.belt is None else found.belt.degree,
        test=None if found.belt is None else _test(ranked, found.belt),
        warnings=(*told, *(without or found.remarks + _remarks(ranked, distances, found.at[wide]))),
        **facts,
    )


def _without_limits(ranked: RankedScores, rows: Rows | None, found: Smoothed) -> tuple[Remark, ...]:
    """Why there are no limits; empty where there are."""
    if not ranked.counts_rows and rows is None:
        return (Remark("no_limits", why=summed("a limit")),)
    return () if found.varies else (Remark("curve_unvarying"),)


def _remarks(ranked: RankedScores, distances: dict[str, Interval], wide: Array) -> tuple[Remark, ...]:
    fewer = min(float(ranked.n_pos), float(ranked.n_neg))
    few = (Remark("few_for_curve", n=fewer, enough=FEW_OF_CLASS),) if fewer < FEW_OF_CLASS else ()
    told = (Remark("band_wide", low=float(wide[0]), high=float(wide[-1])),) if wide.size else ()
    return (*few, *told, *((Remark("diagonal_in_band"),) if distances["emax"].low == 0 else ()))


def _refuse_without_logits(ranked: RankedScores, scores: Array) -> None:
    if scores[0] == 0 or scores[-1] == 1:
        certain = float((ranked.pos + ranked.neg)[(scores == 0) | (scores == 1)].sum())
        text = f"{format_count(certain)} rows have a score of exactly 0 or 1, which has no logit"
        raise InputError("certain_scores", f"{text}: take the method lowess, or keep probabilities away from 0 and 1")
    refuse_one_class(ranked.n_pos, ranked.n_neg, "a curve on the logit scale needs")


def _spline(ranked: RankedScores, rows: Rows | None, level: float, n_knots: int | None) -> Smoothed:
    fewer, counts = min(float(ranked.n_pos), float(ranked.n_neg)), (ranked.pos + ranked.neg).astype(np.float64)
    asked = next(n for n, rows_from in KNOTS.items() if fewer >= rows_from) if n_knots is None else n_knots
    if asked not in range(3, 8):
        raise ArgumentError("n_knots", f"n_knots must be from 3 to 7, got {n_knots!r}")
    knots = knots_of(logits_of(ranked.doubles), counts, asked)
    if knots.size < 3:
        text = f"ties leave {format_count(knots.size)} of {asked} knots"
        raise InputError("too_few_knots", f"{text}: scores of so few values are shown by bins; take the method bins")
    terms = spline_terms(knots)
    shape = LogitCurve(terms, fit_terms(ranked, terms))
    if not shape.fit.converged:
        raise InputError("not_converged", f"no finite spline of {format_count(knots.size)} knots fits best: {_KNOTS}")
    shape = shape if rows is None else by_units(shape, rows)
    told = [Remark("knots_tied", n=knots.size, asked=asked)] if knots.size < asked else []
    told += [] if rows is None else few_units(rows)
    at = _points(ranked)
    reach = _reach_everywhere(shape.factor(at), level)
    how = f"spline of {format_count(knots.size)} knots on the logit"
    return Smoothed(shape, at, reach, how, tuple(told), knots=tuple(knots.tolist()))


_SEPARATED = "the classes are (nearly) separated; take the method bins or lowess"
_KNOTS = f"{_SEPARATED}, fewer knots, or more rows"


def _belt(ranked: RankedScores, rows: Rows | None, level: float, external: bool) -> Smoothed:
    if rows is not None or not ranked.counts_rows:
        text = "the belt's test takes every row as independent and of like weight"
        raise InputError("rows_of_subjects", f"{text}: take the method spline, whose bands follow subjects and weights")
    needed = fewest_scores(external=external)
    if ranked.scores.size < needed:
        text = f"a belt needs {format_count(needed)} different scores or more, and the rows have"
        raise InputError("too_few_scores", f"{text} {format_count(ranked.scores.size)}: take the method bins or lowess")
    found = fit_belt(ranked, external=external)
    if found is None:
        raise InputError("not_converged", f"no finite curve on the logit scale fits best: {_SEPARATED}, or more rows")
    how = f"belt of degree {found.degree}" + ("" if external else ", rows that made the model")
    told = (Remark("belt_of_degree", degree=found.degree),)
    return Smoothed(found.curve, _points(ranked), found.reach(level), how, told, belt=found)


def _test(ranked: RankedScores, belt: Belt) -> Any:
    words = f"calibration belt, degree {belt.degree}" + ("" if belt.external else ", internal")
    return made_test(ranked, belt.statistic, belt.pvalue, method=words)


def _lowess(ranked: RankedScores, rows: Rows | None, level: float) -> Smoothed:
    x, outcomes = one_by_one(ranked, "calibration_curve")
    found = list(local_lines(x))
    if len(found) * x.size > MOST_CELLS:
        text = f"lowess would hold {format_count(len(found))} weights of each of {format_count(x.size)} rows"
        raise InputError("too_many_rows", f"{text}: take the method spline, which has no such bound")
    counted = np.zeros((len(found), x.size))
    for line, (_, first, weights) in enumerate(found):
        counted[line, first : first + weights.size] = weights
    at = x[[place for place, _, _ in found]]
    values = counted @ outcomes
    shape = LocalLines(at, values, _factor(counted, x, outcomes, at, values, ranked, rows))
    told = (Remark("band_of_smoother"), *(() if rows is None else few_units(rows)))
    return Smoothed(shape, at, _reach_everywhere(shape.lines, level), "lowess through 2/3 of the rows", told)


def _factor(
    counted: Array, x: Array, outcomes: Array, at: Array, values: Array, ranked: RankedScores, rows: Rows | None
) -> Array:
    """Covariance of a weighted sum of outcomes: of rows that vary as the curve says, or of sums over subjects."""
    curve = np.interp(x, at, values).clip(0, 1)
    if rows is None:
        covariance = (counted * (curve * (1 - curve))) @ counted.T
    else:
        # Rows of one score have one weight in each line; a row's own outcome less the curve goes to its subject.
        one = np.searchsorted(x, ranked.doubles)
        pulls = counted[:, one][:, rows.places[0]] * (rows.positive - np.interp(row_scores(rows), at, values))
        covariance = unbiased(rows.n_clusters) * Units.of(rows).sums_by_subject_and_row(pulls)[0]
    sizes, vectors = np.linalg.eigh(covariance)
    found: Array = vectors * np.sqrt(np.maximum(sizes, 0.0))
    return found


def _reach_everywhere(factor: Array, level: float) -> float:
    """Standard errors within which a normal curve stays everywhere with this chance: by simulation, always alike."""
    size = np.sqrt((factor**2).sum(1))
    moving = size > 1e-9 * size.max(initial=0)
    if not moving.any():
        return quantile_of(level)
    lines = factor[moving] / size[moving, None]
    used = lines[:, np.abs(lines).max(0) > 1e-4]
    rng = np.random.default_rng(SEED)
    most = [np.abs(used @ rng.standard_normal((used.shape[1], 1000))).max(0) for _ in range(DRAWS // 1000)]
    return float(np.quantile(np.concatenate(most), level))


def _points(ranked: RankedScores) -> Array:
    """Scores at which the curve is shown: evenly over rows and evenly from the lowest to the highest."""
    scores = ranked.doubles
    counts = (ranked.pos + ranked.neg).astype(np.float64)
    over_rows = quantiles_of_counts(scores, counts, np.linspace(0, 1, POINTS))
    both = np.concatenate([over_rows, np.linspace(scores[0], scores[-1], POINTS)]).clip(scores[0], scores[-1])
    return sorted_distinct(both)[0]


def _cells(ranked: RankedScores, at: Array) -> dict[str, Any]:
    """The rows nearest to each point, and a histogram of all."""
    ends = np.concatenate([[ranked.doubles[0]], (at[1:] + at[:-1]) / 2, [ranked.doubles[-1]]])
    cell = ends[1:-1].searchsorted(ranked.doubles)
    count = np.bincount(cell, ranked.pos + ranked.neg, at.size)
    whole = count.astype(np.int64) if ranked.exact else count
    return {"count": whole, "bin_low": ends[:-1], "bin_high": ends[1:], "histogram": histogram_of(ranked)}


def histogram_of(ranked: RankedScores) -> tuple[float, ...]:
    """Rows in bars of equal width from 0 to 1."""
    if ranked.row_labels is not None:  # one row each: places are counts
        places = ranked.doubles.searchsorted(np.arange(1, BARS) / BARS)
        return tuple(np.diff(places, prepend=0, append=ranked.scores.size).astype(np.float64).tolist())
    bars = np.minimum((ranked.doubles * BARS).astype(np.int64), BARS - 1)
    return tuple(np.bincount(bars, ranked.pos + ranked.neg, BARS).tolist())


def _distances(
    ranked: RankedScores, found: Smoothed, level: float, facts: dict[str, Any], without: tuple[Remark, ...]
) -> dict[str, Interval]:
    """Mean, median, 90% quantile and maximum of the distance of scores from the curve, over rows.

    Wherever the true curve lies within the band, the distances lie between those to its near and to its far edge; so
    intervals hold at least as often as the band does.
    """
    scores, counts = ranked.doubles, (ranked.pos + ranked.neg).astype(np.float64)
    curve, low, high = found.shape.curve(scores, math.nan if without else found.reach)
    near = np.maximum(np.maximum(low - scores, scores - high), 0.0)
    far = np.maximum(np.abs(low - scores), np.abs(high - scores))
    values = [_summaries(each, counts) for each in (np.abs(curve - scores), near, far)]
    how: dict[str, Any] = {"level": level, "method": "simultaneous band", "warnings": without, **facts}
    made = zip(("ici", "e50", "e90", "emax"), *values, strict=True)
    return {name: Interval(middle, least, most, **how) for name, middle, least, most in made}


def _summaries(distances: Array, counts: Array) -> tuple[float, float, float, float]:
    if np.isnan(distances).any():
        return (math.nan,) * 4
    distinct, place = sorted_distinct(distances)
    half, most = quantiles_of_counts(distinct, np.bincount(place, counts), np.array([0.5, 0.9]))
    return float(distances @ counts / counts.sum()), float(half), float(most), float(distances.max())
