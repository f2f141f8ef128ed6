"""Rows drawn with replacement, the procedure run on them, and the model judged where it was and was not fitted."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import printable, refuse_outside
from rocsteady._src.base.progress import progress_bar
from rocsteady._src.designs.folds.processes import in_order as done_in_order
from rocsteady._src.designs.validation.procedures import scores_by, taken
from rocsteady._src.measures.registry import FactSheet
from rocsteady._src.probabilities.calibration.logistic import Groups, fit_line, line_slopes
from rocsteady._src.probabilities.calibration.summary import separated
from rocsteady._src.ranked import RankedScores, order_points
from rocsteady._src.ranked.rowsort import in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.designs.validation.procedures import Procedure
    from rocsteady._src.measures.requests import Request
    from rocsteady._src.results.base import Origin

    Array = NDArray[Any]

WHERE = ("training", "all rows", "left out")
MOST_WORDS = 120
IN_CACHE = 1 << 16  # rows of resamples that are judged at once


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Rows of a data set: features, labels, which are positive, and the subject of each, if any."""

    features: Any
    labels: Array
    positive: Array
    unit: Array | None
    origin: Origin

    def drawn(self, rng: np.random.Generator) -> tuple[NDArray[np.intp], Array]:
        """Rows of as many units as there are, drawn with replacement, and the number of the draw of each."""
        if self.unit is None:
            n_rows = self.labels.size
            return rng.integers(n_rows, size=n_rows), np.arange(n_rows)
        n_units = int(self.unit.max()) + 1
        units = rng.integers(n_units, size=n_units)
        sizes = np.bincount(self.unit)
        by_unit, firsts = order_points(self.unit, np.arange(self.unit.size)), np.cumsum(sizes) - sizes
        drawn = np.repeat(np.arange(n_units), sizes[units])
        within = np.arange(drawn.size) - np.repeat(np.cumsum(sizes[units]) - sizes[units], sizes[units])
        return by_unit[firsts[units][drawn] + within], drawn

    def redrawn(self, rng: np.random.Generator) -> Sample:
        """A sample of the same size, drawn with replacement; every draw is a unit of its own."""
        rows, unit = self.drawn(rng)
        subject = None if self.unit is None else unit
        return Sample(taken(self.features, rows), self.labels[rows], self.positive[rows], subject, self.origin)

    def ranked(self, scores: Array) -> Judged:
        """The rows ranked by what a model said of them."""
        merged, order = in_order(scores)
        starts = np.flatnonzero(np.append(True, merged[1:] != merged[:-1]))
        return Judged(self, scores, merged[starts], order, starts, self.positive[order])


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """Rows with the scores of one model: sorted once, then counted as often as rows were drawn.

    ``starts`` are where distinct scores begin in the ``order`` of scores.
    """

    sample: Sample
    scores: Array
    distinct: Array
    order: Array
    starts: Array
    positive: Array

    def values(self, wanted: Sequence[Request], times: Array | None = None) -> Array:
        """Measures of rows that count once, or, a line each, ``times`` times each."""
        counted = np.ones((1, self.order.size), np.int64) if times is None else np.atleast_2d(times)
        pos, neg = self._sums(counted)
        there = pos + neg > 0
        found = np.full((len(counted), len(wanted)), math.nan)
        own = [k for k, each in enumerate(wanted) if each.sheet is SLOPE]
        together = own and self.distinct.size > 1 and self.distinct[0] > 0 and self.distinct[-1] < 1
        apart = [(k, each) for k, each in enumerate(wanted) if not (together and k in own)]
        for line, kept in enumerate(there):
            if kept.any():
                groups = self._groups(pos[line], neg[line], kept)
                found[line, [k for k, _ in apart]] = [each.sheet.compute(groups, **each.params) for _, each in apart]
        if together:
            found[:, own[0]] = _slopes(self.distinct, pos, neg)
        return found[0] if times is None or times.ndim == 1 else found

    def _sums(self, counted: Array) -> tuple[Array, Array]:
        """Positives and negatives at each distinct score, a line for each of ``counted``."""
        both = counted[:, self.order]
        pos = both * self.positive
        if self.distinct.size == self.order.size:
            return pos, both - pos
        first = np.add.reduceat(pos, self.starts, axis=1)
        return first, np.add.reduceat(both, self.starts, axis=1) - first

    def _groups(self, pos: Array, neg: Array, kept: Array) -> RankedScores:
        """Ranked scores; those of rows that count nothing are left out."""
        distinct, first, second = (self.distinct, pos, neg) if kept.all() else (
            self.distinct[kept], pos[kept], neg[kept]
        )  # fmt: skip
        return RankedScores.trusted(distinct, first, second, self.sample.origin)

    def without_information(self, wanted: Sequence[Request]) -> list[float]:
        """Measures if labels had nothing to do with scores: of every label with every score."""
        n_pos, n_rows = int(self.positive.sum()), self.order.size
        sizes = np.diff(self.starts, append=n_rows)
        groups = self._groups(sizes * n_pos, sizes * (n_rows - n_pos), sizes > 0)
        return [float(each.sheet.compute(groups, **each.params)) for each in wanted]


def _slopes(scores: Array, pos: Array, neg: Array) -> Array:
    """Calibration slope of each line; NaN where classes do not overlap. Some lines at a time, in the cache."""
    logits, found = np.log(scores / (1 - scores)), np.full(len(pos), math.nan)
    first_pos, first_neg = ((side > 0).argmax(axis=1) for side in (pos, neg))
    last_pos, last_neg = (scores.size - 1 - (side[:, ::-1] > 0).argmax(axis=1) for side in (pos, neg))
    both = pos.any(axis=1) & neg.any(axis=1)
    overlap = np.flatnonzero(both & (last_neg > first_pos) & (last_pos > first_neg))
    size = max(IN_CACHE // scores.size, 1)
    for start in range(0, overlap.size, size):
        lines = overlap[start : start + size]
        found[lines] = line_slopes(logits, pos[lines].astype(np.float64), (pos[lines] + neg[lines]).astype(np.float64))
    return found


def calibration_slope(ranked: RankedScores) -> float:
    """Slope of the outcome on the log-odds of the score: 1 where scores are as extreme as they should be.

    Undefined where a score is exactly 0 or 1, all are equal, or they separate the classes.
    """
    scores = ranked.doubles
    refuse_outside(
        float(scores[0]), float(scores[-1]), "a calibration slope needs probabilities", "name other measures"
    )
    if scores[0] == 0 or scores[-1] == 1 or scores.size == 1 or not (ranked.n_pos and ranked.n_neg):
        return math.nan
    if separated(ranked):
        return math.nan
    found = fit_line(Groups.of(ranked).levels())
    return float(found.estimates[1]) if found.converged else math.nan


SLOPE = FactSheet(
    "calibration_slope", "Calibration slope", "probability", "neither", (-math.inf, math.inf), calibration_slope
)


@dataclass(frozen=True, slots=True, eq=False)
class Resamples:
    """Measures of the models of all resamples: line, place (training, all rows, left out), measure; NaN where none.

    ``spread`` has measures of the same draws of rows, each with its mean score by the models that had not seen it;
    ``failures`` are words of those fits that failed.
    """

    values: Array
    spread: Array
    failures: tuple[str, ...]


def judged(model: Procedure, sample: Sample, rng: np.random.Generator, rows: Array | None = None) -> Judged:
    """The procedure run on these rows of a sample, and all rows scored by it."""
    given = (sample.features, sample.labels) if rows is None else (taken(sample.features, rows), sample.labels[rows])
    scores = scores_by(model.fitted(*given, rng), sample.features, sample.labels.size, sample.origin.pos_label)
    return sample.ranked(scores)


def resample(
    model: Procedure,
    sample: Sample,
    wanted: Sequence[Request],
    streams: Sequence[Any],
    n_jobs: int | None,
    *,
    out: bool,
) -> Resamples:
    """The procedure on as many resamples as there are random streams."""
    tasks = [(model, sample, tuple(wanted), stream, out) for stream in streams]
    plain = n_jobs in (None, 1)
    nothing = np.full((len(WHERE), len(wanted)), math.nan)
    values, failures, sums, seen = [], [], np.zeros(sample.labels.size), np.zeros(sample.labels.size)
    with progress_bar("resamples") as report:
        for line in (_one(*task) for task in tasks) if plain else done_in_order(_one, tasks, n_jobs):
            if isinstance(line, str):
                failures.append(line)
            else:
                rest = ~np.isnan(line[1])
                sums[rest] += line[1][rest]
                seen += rest
            values.append(nothing if isinstance(line, str) else line[0])
            report(len(values) / len(tasks))
    spread = _spread(sample, wanted, streams, sums, seen)
    return Resamples(np.array(values), spread, tuple(failures))


def _one(
    model: Procedure, sample: Sample, wanted: Sequence[Request], stream: Any, out: bool
) -> tuple[Array, Array] | str:
    """Measures of one resample and scores of the rows that it left out, or why there are none."""
    rng = np.random.default_rng(stream)
    rows, _ = sample.drawn(rng)
    if sample.positive[rows].all() or not sample.positive[rows].any():
        return "the resample has one class"
    try:
        found = judged(model, sample, rng, rows)
        times = np.bincount(rows, minlength=sample.labels.size)
        rest = times == 0
        lines = np.array([times, np.ones_like(times), *([rest] if out else [])])
        values = np.full((len(WHERE), len(wanted)), math.nan)
        values[: len(lines)] = found.values(wanted, lines)
    except Exception as error:
        return printable(f"{type(error).__name__}: {error}", most=MOST_WORDS)
    return values, np.where(rest, found.scores, math.nan)


def _spread(sample: Sample, wanted: Sequence[Request], streams: Sequence[Any], sums: Array, seen: Array) -> Array:
    """Measures of the draws once more, without a fit: of scores by models that had not seen their rows."""
    if not seen.any():
        return np.full((len(streams), len(wanted)), math.nan)
    honest = sample.ranked(sums / np.maximum(seen, 1))
    draws = (sample.drawn(np.random.default_rng(stream))[0] for stream in streams)
    size, lines = max(IN_CACHE // sample.labels.size, 1), []
    for some in _batched(draws, size):
        times = np.array([np.bincount(rows, minlength=sample.labels.size) for rows in some])
        lines.append(honest.values(wanted, times * (seen > 0)))
    return np.concatenate(lines)


def _batched(draws: Iterator[Array], size: int) -> Iterator[list[Array]]:
    """Some draws at a time."""
    while some := list(islice(draws, size)):
        yield some
