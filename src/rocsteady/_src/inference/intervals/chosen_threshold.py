"""Measures at a threshold that was chosen on the same rows: how much too good they look, and intervals without that.

Every resample chooses its own threshold, and the measure there is compared with that of the rows themselves at the same
threshold. The mean difference is what the rows themselves flatter; new rows at the threshold will give that much less.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inference.intervals.proportions import interval_of, on_scale
from rocsteady._src.inference.intervals.shares import PROPORTIONS
from rocsteady._src.inference.resampling.resample import MOST_FAILED, count_failures, replicate, sampler
from rocsteady._src.inference.units.subjects import subject_cells
from rocsteady._src.measures.best_threshold import chosen_by, chosen_if_any
from rocsteady._src.measures.confusion import Confusion, confusion_at
from rocsteady._src.results import Interval, Resampling
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocsteady._src.inference.resampling.draws import Draws
    from rocsteady._src.measures.registry import FactSheet
    from rocsteady._src.measures.rule import Rule
    from rocsteady._src.ranked import RankedScores, Rows

    Asked = tuple[FactSheet, Mapping[str, Any]]

ENOUGH, ENOUGH_OF_SHARES = 50, 15
LESS = "less optimism of the chosen threshold"
ABOUT_CHOICE = ("threshold_as_given", "short_when_chosen", "flattered_by_choice")

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

    def flattered(made: list[RankedScores]) -> list[float]:
        choice = chosen_if_any(rule, made[0])
        if choice is None:
            return [np.nan] * len(plain)
        cut = choice.threshold
        there, here = confusion_at(made[0], cut), confusion_at(ranked, cut)
        return [on_scale(sheet, there, params) - on_scale(sheet, here, params) for sheet, params in plain]

    values = replicate(sampler(draws, flattered), n_resamples=n_resamples, seed=seed)
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
            *_short(sheet, draws.fewest),
        ]
        told += made.warnings
        method = f"{made.method} {LESS}" if known else made.method
        how = Resampling(draws.scheme, n_resamples, n_failed, seed, values[:, column])
        found.append(replace(made, method=method, warnings=tuple(told), resampling=how if known else None))
    return found


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


def _short(sheet: FactSheet, fewest: int) -> list[Remark]:
    """Say where such intervals were measured below 92%: docs/coverage.md, table chosen."""
    enough = ENOUGH_OF_SHARES if sheet.name in PROPORTIONS else ENOUGH
    return [Remark("short_when_chosen", rows=fewest, enough=enough)] if fewest < enough else []


def _left_out(made: Interval, optimism: float) -> list[Remark]:
    if not (made.low > made.estimate or made.high < made.estimate):
        return []
    return [Remark("flattered_by_choice", optimism=abs(optimism))]
