"""Rows drawn with replacement, the procedure run on them, and the model judged where it was and was not fitted."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import printable, refuse_outside
from rocsteady._src.base.progress import progress_bar
from rocsteady._src.designs.folds.processes import in_order as done_in_order
from rocsteady._src.designs.validation.procedures import scores_by, taken
from rocsteady._src.designs.validation.together import Together
from rocsteady._src.measures.registry import FactSheet
from rocsteady._src.probabilities.calibration.logistic import Groups, fit_line
from rocsteady._src.probabilities.calibration.summary import separated
from rocsteady._src.ranked import RankedScores, order_points
from rocsteady._src.ranked.rowsort import in_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.designs.validation.procedures import Procedure
    from rocsteady._src.measures.requests import Request
    from rocsteady._src.results.base import Origin

    Array = NDArray[Any]

WHERE = ("training", "all rows", "left out")
MOST_WORDS = 120
IN_CACHE = 1 << 14  # rows of resamples that are judged at once
MOST_KEPT = 1 << 22  # counts of rows of all resamples; more are drawn a second time


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
        found = np.full((len(counted), len(wanted)), math.nan)
        for line, kept in enumerate(pos + neg > 0):
            if kept.any():
                groups = self._groups(pos[line], neg[line], kept)
                found[line] = [each.sheet.compute(groups, **each.params) for each in wanted]
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


def judged(model: Procedure, sample: Sample, rng: np.random.Generator) -> Judged:
    """The procedure run on all rows of a sample, and these scored by it."""
    return sample.ranked(_scores(model, sample, rng, sample.features, sample.labels))


def _scores(model: Procedure, sample: Sample, rng: np.random.Generator, features: Any, labels: Array) -> Array:
    fitted = model.fitted(features, labels, rng)
    return scores_by(fitted, sample.features, sample.labels.size, sample.origin.pos_label)


def _nothing() -> Array:
    return np.empty(0)


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """One resample: how often it drew each row, what its model says of all rows, and measures, as far as there are.

    ``late`` says that those of :class:`Together` are to come. Where the procedure failed, ``failure`` says why.
    """

    times: Array
    scores: Array = field(default_factory=_nothing)
    values: Array = field(default_factory=_nothing)
    late: bool = False
    failure: str = ""


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
    together = Together.of(wanted, SLOPE)
    tasks = [(model, sample, tuple(wanted), together, stream, out) for stream in streams]
    plain = n_jobs in (None, 1)
    values, waiting = np.full((len(tasks), len(WHERE), len(wanted)), math.nan), []
    failures, counted, honest = [], [], Honest(sample, together)
    size = max(IN_CACHE // sample.labels.size, 1)
    with progress_bar("resamples") as report:
        for number, line in enumerate((_one(*task) for task in tasks) if plain else done_in_order(_one, tasks, n_jobs)):
            if line.failure:
                failures.append(line.failure)
            else:
                honest.add(line)
                values[number] = line.values
            waiting += [(number, line)] if line.late else []
            counted.append(line.times if sample.labels.size * len(tasks) <= MOST_KEPT else streams[number])
            if waiting and (len(waiting) >= size or number + 1 == len(tasks)):
                _fill(values, waiting, sample, together, out=out)
                waiting = []
            report((number + 1) / len(tasks))
    return Resamples(values, honest.values(wanted, counted), tuple(failures))


def _one(
    model: Procedure, sample: Sample, wanted: Sequence[Request], together: Together, stream: Any, out: bool
) -> Scored:
    """One resample; its measures, but for those that many resamples have together, or why there are none."""
    rng = np.random.default_rng(stream)
    rows, _ = sample.drawn(rng)
    times = np.bincount(rows, minlength=sample.labels.size)
    positives = int(np.count_nonzero(sample.positive[rows]))
    if positives in (0, rows.size):
        return Scored(times, failure="the resample has one class")
    try:
        scores = _scores(model, sample, rng, taken(sample.features, rows), sample.labels[rows])
        late, values = together.take(scores), np.full((len(WHERE), len(wanted)), math.nan)
        asked = together.apart if late else range(len(wanted))
        if asked:
            lines = _lines(times, out=out)
            found = sample.ranked(scores).values([wanted[k] for k in asked], lines)
            values[: len(lines), list(asked)] = found
    except Exception as error:
        return Scored(times, failure=printable(f"{type(error).__name__}: {error}", most=MOST_WORDS))
    return Scored(times, scores, values, late)


def _lines(times: Array, *, out: bool) -> Array:
    """How often rows count in training, among all rows and, where asked for, among those left out."""
    return np.stack([times, np.ones_like(times), *([times == 0] if out else [])])


def _fill(
    values: Array, waiting: Sequence[tuple[int, Scored]], sample: Sample, together: Together, *, out: bool
) -> None:
    """Measures of resamples that waited for each other."""
    lines = _lines(np.array([line.times for _, line in waiting], np.float64), out=out)
    found = together.values(np.array([line.scores for _, line in waiting]), sample.positive, lines)
    numbers, places = [number for number, _ in waiting], list(together.places)
    values[np.ix_(numbers, list(range(len(lines))), places)] = found.swapaxes(0, 1)


class Honest:
    """For each row the mean of its scores by models that had not seen it, and measures of these in the same draws."""

    def __init__(self, sample: Sample, together: Together) -> None:
        self.sample, self.together = sample, together
        self.sums, self.seen = np.zeros(sample.labels.size), np.zeros(sample.labels.size)

    def add(self, line: Scored) -> None:
        """The scores of rows that a resample left out."""
        rest = line.times == 0
        self.seen += rest
        np.add(self.sums, line.scores, out=self.sums, where=rest)

    def values(self, wanted: Sequence[Request], counted: Sequence[Any]) -> Array:
        """Measures of the draws once more, without a fit; draws are counts of rows, or random streams."""
        found = np.full((len(counted), len(wanted)), math.nan)
        if not self.seen.any():
            return found
        scores = self.sums / np.maximum(self.seen, 1)
        scores[self.seen == 0] = scores[self.seen > 0][0]  # they count nothing
        late = self.together.take(scores)
        apart = list(self.together.apart if late else range(len(wanted)))
        ranked = self.sample.ranked(scores) if apart else None
        size = max(IN_CACHE // scores.size, 1)
        for start in range(0, len(counted), size):
            times = np.array([self._times(each) for each in counted[start : start + size]]) * (self.seen > 0)
            lines = slice(start, start + size)
            if ranked is not None:
                found[lines, apart] = ranked.values([wanted[k] for k in apart], times)
            if late:
                counts = times[:, None].astype(np.float64)
                found[lines, self.together.places] = self.together.values(scores[None], self.sample.positive, counts)[
                    :, 0
                ]
        return found

    def _times(self, draw: Any) -> Array:
        if isinstance(draw, np.ndarray):
            return draw
        return np.bincount(self.sample.drawn(np.random.default_rng(draw))[0], minlength=self.seen.size)
