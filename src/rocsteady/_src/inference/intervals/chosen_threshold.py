"""Measures at a threshold that was chosen on the same rows: how much too good they look, and intervals without that.

Every resample chooses its own threshold, and the measure there is compared with that of the rows themselves at the same
threshold. The mean difference is what the rows themselves flatter; new rows at the threshold will give that much less.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError
from rocsteady._src.inference.intervals.proportions import interval_of, on_scale
from rocsteady._src.inference.intervals.undercoverage import SUBJECTS, of_class
from rocsteady._src.inference.resampling.batches import MOST_GROUPS, cells_of_lines, many_draws
from rocsteady._src.inference.resampling.resample import (
    MOST_FAILED,
    count_failures,
    replicate,
    replicate_many,
    sampler,
)
from rocsteady._src.inference.units.subjects import subject_cells
from rocsteady._src.measures.best_threshold import chosen_by, chosen_if_any
from rocsteady._src.measures.confusion import Confusion, confusion_at
from rocsteady._src.results import Interval, Resampling
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.inference.resampling.draws import Draws
    from rocsteady._src.measures.registry import FactSheet
    from rocsteady._src.measures.rule import Rule
    from rocsteady._src.ranked import RankedScores, Rows

    Asked = tuple[FactSheet, Mapping[str, Any]]

ENOUGH = 50
LESS = "less optimism of the chosen threshold"
FEW_CASES = 2**25  # all of whose rates doubles hold without Python's integers
ABOUT_CHOICE = ("threshold_as_given", "short_when_chosen", "short_when_chosen_of_subjects", "flattered_by_choice")

# The same rows, 10 positives and 17 negatives, at three thresholds.
ALIKE = tuple(Confusion(tp=tp, fp=fp, fn=10 - tp, tn=17 - fp) for tp, fp in ((7, 5), (2, 1), (9, 13)))


def intervals_when_chosen(
    draws: Draws,
    measures: Sequence[Asked],
    rule: Rule,
    *,
    level: float,
    seed: int,
    n_resamples: int,
    rows: Rows | None = None,
) -> list[Interval]:
    """Intervals of measures at the threshold that ``rule`` chooses on these rows."""
    ranked = draws.ranked[0]
    plain = [(sheet, {key: value for key, value in params.items() if key != "threshold"}) for sheet, params in measures]

    how_many: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed}
    if ranked.scores.size <= MOST_GROUPS:
        values = replicate_many(flattery_in_batches(draws, plain, rule), **how_many)
    else:
        values = replicate(sampler(draws, flattery_of_one(ranked, plain, rule)), **how_many)
    cut = chosen_by(rule, ranked).threshold
    counts, subjects = (confusion_at(ranked, cut), None) if rows is None else subject_cells(rows, cut)
    found = []
    for column, (sheet, params) in enumerate(plain):
        n_failed, remarks = count_failures(values[:, column])
        known = n_failed <= MOST_FAILED * n_resamples
        optimism = float(np.nanmean(values[:, column])) if known else 0.0
        made = interval_of(sheet, counts, level=level, subjects=subjects, optimism=optimism, **params)
        told = [
            *remarks,
            *([] if known else [Remark("threshold_as_given")]),
            *_left_out(made, optimism),
            *_short(draws),
        ]
        told += made.warnings
        method = f"{made.method} {LESS}" if known else made.method
        how = Resampling(draws.scheme, n_resamples, n_failed, seed, values[:, column])
        found.append(replace(made, method=method, warnings=tuple(told), resampling=how if known else None))
    return found


def flattery_of_one(
    ranked: RankedScores, plain: Sequence[Asked], rule: Rule
) -> Callable[[list[RankedScores]], list[float]]:
    """How much better each measure is on a resample than on the rows, at the threshold that the resample chooses."""

    def flattered(made: list[RankedScores]) -> list[float]:
        choice = chosen_if_any(rule, made[0])
        if choice is None:
            return [np.nan] * len(plain)
        cut = choice.threshold
        there, here = confusion_at(made[0], cut), confusion_at(ranked, cut)
        return [float(on_scale(sheet, there, params) - on_scale(sheet, here, params)) for sheet, params in plain]

    return flattered


def flattery_in_batches(
    draws: Draws, plain: Sequence[Asked], rule: Rule
) -> Callable[[np.random.Generator, int], NDArray[np.float64]]:
    """The same of many resamples at once; scores that nobody drew stay, and are never the highest of equals."""
    ranked = draws.ranked[0]
    own = confusion_at(ranked, "all")

    def many(rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        pos, neg = many_draws(draws, rng, size)[0]
        cells = cells_of_lines(pos, neg)
        steps = _steps(rule, cells, own.threshold)
        chosen = np.flatnonzero(steps >= 0)
        there = Confusion(*(cell[chosen, steps[chosen]] for cell in cells))
        here = Confusion(*(np.asarray(getattr(own, name))[steps[chosen]] for name in ("tp", "fp", "fn", "tn")))
        found = np.full((size, len(plain)), np.nan)
        for column, (sheet, params) in enumerate(plain):
            found[chosen, column] = on_scale(sheet, there, params) - on_scale(sheet, here, params)
        return found

    return many


def thresholds_in_batches(draws: Draws, rule: Rule) -> Callable[[np.random.Generator, int], NDArray[np.float64]]:
    """The threshold that each of many resamples chooses, as a column; NaN where it has none."""
    thresholds = confusion_at(draws.ranked[0], "all").threshold

    def many(rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        steps = _steps(rule, cells_of_lines(*many_draws(draws, rng, size)[0]), thresholds)
        return np.where(steps < 0, np.nan, np.asarray(thresholds, dtype=np.float64)[steps])[:, None]

    return many


def _steps(rule: Rule, cells: Sequence[NDArray[Any]], thresholds: Any) -> NDArray[Any]:
    """Where each resample stops."""
    n_pos, n_neg = cells[0][:, -1], cells[1][:, -1]
    if rule.of_lines and float(n_pos.max(initial=0)) + float(n_neg.max(initial=0)) < FEW_CASES:
        both = (n_pos > 0) & (n_neg > 0)
        steps = np.full(both.size, -1)
        tp, fp, fn, tn = (cell[both] for cell in cells)
        steps[both] = rule.places(Confusion(tp, fp, fn, tn))
        return steps
    lines = range(len(cells[0]))
    return np.array([_step(rule, [cell[line] for cell in cells], thresholds) for line in lines])


def _step(rule: Rule, cells: Sequence[NDArray[Any]], thresholds: Any) -> int:
    """The step of the walk down the scores where a rule stops; -1 with one class, or where it stops nowhere."""
    tp, fp, fn, tn = cells
    if not (tp[-1] and fp[-1]):
        return -1
    try:
        return rule.place(Confusion(tp, fp, fn, tn, threshold=thresholds))
    except InputError as error:
        if error.code != "rule_unmet":
            raise
        return -1


def about_choice(interval: Interval) -> list[Remark]:
    """What its remarks say about the choice of the threshold."""
    return [remark for remark in interval.warnings if remark.code in ABOUT_CHOICE]


def depends_on_threshold(sheet: FactSheet, params: Mapping[str, Any]) -> bool:
    """Whether a measure can differ between thresholds: class sizes, and what is made of them alone, cannot.

    Examples
    --------
    >>> from rocsteady._src.measures.registry import get_measure
    >>> [depends_on_threshold(get_measure(name).sheet, {}) for name in ("accuracy", "prevalence", "base_rate")]
    [True, False, False]
    """
    plain = {key: value for key, value in params.items() if key != "threshold"}
    return len({float(sheet.formula(counts, **plain)) for counts in ALIKE}) > 1


def _short(draws: Draws) -> list[Remark]:
    """Say where such intervals were measured below 93%: benchmarks/results/threshold_rates.csv."""
    if draws.fewest >= ENOUGH:
        return []
    if draws.units.startswith(SUBJECTS):
        return [Remark("short_when_chosen_of_subjects", n=draws.fewest, of_class=of_class(draws.units), enough=ENOUGH)]
    return [Remark("short_when_chosen", rows=draws.fewest, enough=ENOUGH)]


def _left_out(made: Interval, optimism: float) -> list[Remark]:
    if not (made.low > made.estimate or made.high < made.estimate):
        return []
    return [Remark("flattered_by_choice", optimism=abs(optimism))]
