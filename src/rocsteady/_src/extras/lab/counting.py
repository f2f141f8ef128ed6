"""Errors of measures on score sets, in two passes over batches: the best incorrect value, then what lies below."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, is_number
from rocsteady._src.base.progress import progress_bar
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.extras.lab.batch import Batch
from rocsteady._src.extras.lab.measure_requests import Asked, read_measures
from rocsteady._src.extras.lab.sets import ScoreSets, as_sets
from rocsteady._src.extras.lab.tallies import Bins, Shares, Thinned
from rocsteady._src.results.lab import ErrorCounts, MeasureErrors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Progress = bool | Callable[[float], object]

# Values of correct sets are kept for the second pass up to this number (8 MB), else they are computed again.
MOST_KEPT = 1 << 20
BINS = 10


@typed
def count_errors(
    sets: Any,
    measures: Any = None,
    tolerance: float = 0.0,
    *,
    progress: Progress = False,
) -> ErrorCounts:
    """Count how often a measure values a correctly ranked set below an incorrectly ranked one.

    A set is correctly ranked when every positive lies above every negative (W > 0). A measure errs on it when it
    values it strictly below the best-valued incorrectly ranked set. AUC makes no errors, by construction: it is 1 on
    the correct sets and on no others.

    Parameters
    ----------
    sets : ScoreSets or list of (labels, scores)
        What ``parse_sets`` or ``generate`` returns, or pairs with labels 1 and 0.
    measures : list, str, callable or dict, optional
        Registered names (``"mm7_auc"``, ``"mm7_auc(n=0.0625)"``, ``"family:score-aware"``), measure functions, your own
        ``f(y_true, y_score)``, higher meaning better, or a dict of names and such functions. AUC and all score-aware
        measures by default; these take whole batches, others are called set by set.
    tolerance : float
        A value counts as below only when it is so by more than this. 0 counts in plain float64 and in the written order
        of operations, rounding included.
    progress : bool or callable
        Show a progress bar, or call this with the share done.

    Returns
    -------
    ErrorCounts
        Iterate for rows with ``measure, errors, min_correct, max_incorrect, n_sets, n_correct``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> source = rs.lab.parse_sets("1.0p 0.9p 0.8p 0.2n 0.1n 0.0n")
    >>> sets = rs.lab.generate(source, range_steps=30, distribution=True)
    >>> print(rs.lab.count_errors(sets, ["auc", "scored_auc", "mm7_auc"]))  # doctest: +ELLIPSIS
    measure     errors  min over correct  max over incorrect
    auc              0            1.0000              0.8889
    scored_auc     136            0.0200              0.6125
    mm7_auc          0            0.7203              0.6041
    <BLANKLINE>
    1,860 sets, 150 of them correctly ranked ...
    """
    if not (is_number(tolerance) and 0 <= tolerance < float("inf")):
        raise ArgumentError("tolerance", f"tolerance must be 0 or more, got {tolerance!r}")
    found = as_sets(sets)
    bar = progress_bar("sets") if progress is True else nullcontext(progress or None)
    with bar as report:
        return count_at(found, read_measures(measures), float(tolerance), report or _silent)


def _silent(_: float) -> None:
    pass


@dataclass(slots=True)
class Correct:
    """The correct sets of one batch: a row of signed values per measure, range, margin, share of positives."""

    values: Array
    width: Array
    margin: Array
    share: Array


@dataclass
class Survey:
    """The first pass: what is best among incorrect sets, worst among correct ones, and how far properties reach."""

    asked: list[Asked]
    best: Array = field(init=False)
    worst: Array = field(init=False)
    undefined: NDArray[np.int64] = field(init=False)
    clouds: list[tuple[Thinned, Thinned]] = field(init=False)
    left_out: list[str] = field(default_factory=list)
    n_sets: int = 0
    n_correct: int = 0
    widest: float = 0.0
    largest_margin: float = 0.0
    largest_score: float = 0.0

    def __post_init__(self) -> None:
        self._start()

    def _start(self) -> None:
        count = len(self.asked)
        self.best, self.worst = np.full(count, -np.inf), np.full(count, np.inf)
        self.undefined = np.zeros(count, dtype=np.int64)
        self.clouds = [(Thinned(), Thinned()) for _ in range(count)]

    def leave_out_unsuited(self, sets: ScoreSets) -> None:
        """Drop members of a family that refuse these scores, and say so; what was named is refused aloud."""
        for asked in [asked for asked in self.asked if not asked.named and asked.registered == "prob_auc"]:
            try:
                for block in sets.blocks():
                    asked.values(Batch(block))
            except InputError as error:
                self.asked.remove(asked)
                self.left_out.append(f"{asked.name} is left out: {error}")
        self._start()

    def judge(self, batch: Batch) -> Correct:
        """Take one batch into account and return its correct sets."""
        margin = batch.margin.ravel()
        correct = margin > 0
        kept = np.empty((len(self.asked), int(correct.sum())))
        for place, asked in enumerate(self.asked):
            values = asked.values(batch)
            kept[place] = values[correct]
            self._take(place, kept[place], values[~correct])
        width = np.broadcast_to(batch.width, batch.shape).ravel()[correct]
        share = np.broadcast_to(batch.n_pos / batch.block.size, batch.shape).ravel()[correct]
        self.n_sets += margin.size
        self.n_correct += kept.shape[1]
        self.widest = max(self.widest, float(width.max(initial=0.0)))
        self.largest_margin = max(self.largest_margin, float(margin.max(initial=0.0)))
        self.largest_score = max(self.largest_score, *(float(np.abs(end).max(initial=0.0)) for end in batch.ends))
        return Correct(kept, width, margin[correct], share)

    def _take(self, place: int, correct: Array, incorrect: Array) -> None:
        self.undefined[place] += np.isnan(correct).sum() + np.isnan(incorrect).sum()
        self.worst[place] = min(self.worst[place], np.fmin.reduce(correct, initial=np.inf))
        self.best[place] = max(self.best[place], np.fmax.reduce(incorrect, initial=-np.inf))
        for cloud, values in zip(self.clouds[place], (correct, incorrect), strict=True):
            cloud.add(values)


def count_at(
    sets: ScoreSets, asked: list[Asked], tolerance: float, report: Callable[[float], object] = _silent
) -> ErrorCounts:
    """Error counts; values are computed once, where they can be kept."""
    survey = Survey(asked)
    survey.leave_out_unsuited(sets)
    total = len(sets)
    kept: list[Correct] | None = []
    for block in sets.blocks():
        found = survey.judge(Batch(block))
        kept = None if kept is None or survey.n_correct * len(survey.asked) > MOST_KEPT else [*kept, found]
        report(survey.n_sets / total * (0.5 if kept is None else 1.0))
    parts = _judged_again(sets, survey.asked, total, report) if kept is None else iter(kept)
    return _tallied(sets, survey, parts, tolerance)


def _judged_again(
    sets: ScoreSets, asked: list[Asked], total: int, report: Callable[[float], object]
) -> Iterator[Correct]:
    second = Survey(asked)
    for block in sets.blocks():
        yield second.judge(Batch(block))
        report(0.5 + second.n_sets / total / 2)


def _tallied(sets: ScoreSets, survey: Survey, parts: Iterator[Correct], tolerance: float) -> ErrorCounts:
    bars = survey.best[:, None] - tolerance
    tallies: dict[str, Bins | Shares] = {
        "range": Bins(survey.widest, BINS, len(survey.asked), survey.largest_score),
        "margin": Bins(survey.largest_margin, BINS, len(survey.asked), survey.largest_score),
        "ratio": Shares(len(survey.asked)),
    }
    errors = np.zeros(len(survey.asked), dtype=np.int64)
    for part in parts:
        wrong = part.values < bars
        errors += wrong.sum(axis=1)
        for tally, at in zip(tallies.values(), (part.width, part.margin, part.share), strict=True):
            tally.add(at, wrong)
    names = tuple(one.name for one in survey.asked)
    return ErrorCounts(
        rows=_rows(survey, errors),
        n_sets=survey.n_sets,
        n_correct=survey.n_correct,
        tolerance=tolerance,
        breakdowns={by: tally.breakdown(by, names) for by, tally in tallies.items()},
        notes=(*sets.notes(), *survey.left_out, *_remarks(survey)),
        clouds=_clouds(survey),
    )


def _rows(survey: Survey, errors: NDArray[np.int64]) -> tuple[MeasureErrors, ...]:
    return tuple(
        MeasureErrors(
            measure=one.name,
            errors=int(errors[place]),
            min_correct=_finite(one.sign * survey.worst[place]),
            max_incorrect=_finite(one.sign * survey.best[place]),
            n_sets=survey.n_sets,
            n_correct=survey.n_correct,
            n_undefined=int(survey.undefined[place]),
            better=one.better,
        )
        for place, one in enumerate(survey.asked)
    )


def _finite(value: float) -> float:
    return float(value) if np.isfinite(value) else float("nan")


def _clouds(survey: Survey) -> dict[str, tuple[Array, Array]]:
    return {
        one.name: (one.sign * correct.values, one.sign * incorrect.values)
        for one, (correct, incorrect) in zip(survey.asked, survey.clouds, strict=True)
    }


def _remarks(survey: Survey) -> list[str]:
    found = []
    if not survey.n_correct:
        found.append("no set is correctly ranked, so no measure can err; give sets whose positives all lie above")
    if survey.n_correct == survey.n_sets:
        found.append("every set is correctly ranked, so there is nothing to confuse them with; add distribution=True")
    found += [
        f"{one.name} is undefined on {format_count(missing)} sets, which are left out of its counts"
        for one, missing in zip(survey.asked, survey.undefined.tolist(), strict=True)
        if missing
    ]
    lower = [one.name for one in survey.asked if one.better == "lower"]
    if lower:
        found.append(f"lower is better for {', '.join(lower)}: there, worst means highest and best means lowest")
    return found
