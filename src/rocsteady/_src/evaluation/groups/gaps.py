"""How far a measure lies apart between groups of rows, whether by more than chance, and by how much at most.

Shares of rows at a threshold, such as recall, are counts: their standard errors, and the ends of gaps, follow Agresti
and Caffo, with a hit and a miss added to each group. The largest of all gaps is bounded by intervals of all pairs that
hold together (Tukey and Kramer), so that it reaches down to 0 where groups are alike, which no bootstrap of a maximum
does: that is never below what was seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.inference.comparison.hypotheses import all_equal, judge
from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues
from rocsteady._src.inference.intervals.every_measure import intervals_of_measures
from rocsteady._src.inference.intervals.normal import check_level, quantile_of
from rocsteady._src.inference.intervals.proportions import proportion_interval
from rocsteady._src.inference.intervals.shares import PROPORTIONS, Share
from rocsteady._src.inference.units.subjects import CELLS, subject_cells
from rocsteady._src.measures.confusion import confusion_at
from rocsteady._src.measures.model_thresholds import threshold_of_each
from rocsteady._src.measures.requests import parse_requests
from rocsteady._src.probabilities.calibration.summary import calibration_summary
from rocsteady._src.results.gaps import GroupGap, GroupGaps, LargestGap, MeasureGaps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.evaluation.evaluation import Evaluation

    Array = NDArray[np.float64]

SELECTION = Share(("tp", "fp"), CELLS)
NAMED = {
    "equal_opportunity": ("recall",),
    "equalized_odds": ("recall", "false_positive_rate"),
    "equalised_odds": ("recall", "false_positive_rate"),
    "predictive_parity": ("precision",),
    "demographic_parity": ("selection_rate",),
}
IN_THE_LARGE = "calibration_in_the_large"


@dataclass(frozen=True, slots=True)
class Known:
    """A measure in each group: values, ends, and what gaps go by: ``centre`` with its ``se``; ``weight`` in means.

    ``joint_se`` is no less than it would be if all groups were alike, for the largest of many gaps.
    """

    values: Array
    low: Array
    high: Array
    centre: Array
    se: Array
    weight: Array
    joint_se: Array


def gaps_between(
    whole: Evaluation,
    groups: Mapping[Any, Evaluation],
    by: str,
    measure: str | Sequence[str],
    *,
    threshold: float | str | None = None,
    reference: Any = None,
    level: float = 0.95,
) -> GroupGaps:
    """Gaps of every model, at one threshold for all groups; see :meth:`GroupedEvaluation.gaps`."""
    check_level(level)
    if reference is not None and reference not in groups:
        raise ArgumentError("reference", f"there is no group {reference!r}; groups: {some_values(tuple(groups))}")
    wanted = measures_named(measure)
    at = _thresholds(whole, wanted, threshold)
    each = 1 - (1 - level) / len(wanted)  # of the largest gap, which may be that of either measure
    found = []
    for model in whole.models:
        for name in wanted:
            known = _known(list(groups.values()), model, name, at.get(model), level)
            gaps = _gaps(known, list(groups), reference, level)
            test = homogeneity(known)
            found.append(MeasureGaps(model, str(name), at.get(model), gaps, *test, _largest(known, list(groups), each)))
    return GroupGaps(
        by, measure if isinstance(measure, str) else ", ".join(wanted), reference, level, tuple(found), whole.origin
    )


GAPS_NEED = "a threshold is needed for {measures}: pass {threshold=}, or {measure='auc'}, which needs none"


def _thresholds(whole: Evaluation, wanted: tuple[str, ...], threshold: float | str | None) -> dict[str, float]:
    if not any(needs_threshold(name) for name in wanted):
        return {}
    if threshold is not None:
        return threshold_of_each(whole.ranked, threshold)
    if whole.thresholds:
        return whole.thresholds
    raise ArgumentError("threshold", Sentence(GAPS_NEED, measures=", ".join(wanted)))


def measures_named(measure: str | Sequence[str]) -> tuple[str, ...]:
    """The measures behind a name of fairness, or the measure itself; of several, each once."""
    several = [measure] if isinstance(measure, str) else measure
    if not isinstance(several, list | tuple) or not several or not all(isinstance(name, str) for name in several):
        text = f"measure must be a name such as 'recall' or 'equalized_odds', or a list of names, got {measure!r}"
        raise ArgumentError("measure", text)
    found = [NAMED.get(name.lower().replace(" ", "_"), (name,)) for name in several]
    return tuple(dict.fromkeys(name for names in found for name in names))


def needs_threshold(name: str) -> bool:
    """Whether a measure is of rows that are called positive."""
    if name in (IN_THE_LARGE, "selection_rate"):
        return name != IN_THE_LARGE
    request = parse_requests([name])[0]
    return "threshold" in request.sheet.params and "threshold" not in request.params


def _share(name: str) -> Share | None:
    """What is counted among what, of measures that are plain shares."""
    if name == "selection_rate":
        return SELECTION
    request = None if name == IN_THE_LARGE else parse_requests([name])[0]
    found = None if request is None or request.params else PROPORTIONS.get(request.sheet.name)
    return found if found is not None and found.ends is None else None


def _known(parts: list[Evaluation], model: str, name: str, threshold: float | None, level: float) -> Known:
    share = _share(name)
    if share is not None:
        return shares_of(np.array([_counted(part, model, share, threshold) for part in parts]), level)
    lines = [_of_part(part, model, name, threshold, level) for part in parts]
    values, low, high, se, weight = np.array(lines, dtype=np.float64).T
    return Known(values, low, high, values, se, weight, se)


def _counted(part: Evaluation, model: str, share: Share, threshold: float | None) -> tuple[float, float]:
    """Hits and rows; of subjects and weights as many independent rows as tell the share as surely."""
    ranked = part.ranked[model]
    if part.cluster is None and ranked.counts_rows:
        return share.counted(confusion_at(ranked, threshold))
    rows = part.rows.paired(part.ranked).in_memory()
    if rows is None:
        return share.counted(confusion_at(ranked, threshold))
    counts, subjects = subject_cells(rows.of_models(model).by_row(), threshold)
    return share.counted(counts) if subjects is None else subjects.share(share.hits, share.among)


def shares_of(counted: Array, level: float) -> Known:
    """A share in each group, from hits and rows in columns."""
    hits, among = counted.T
    known = among > 0
    values = np.divide(hits, among, out=np.full(hits.shape, math.nan), where=known)
    ends = [proportion_interval(h, n, level=level) if n > 0 else (math.nan, math.nan) for h, n in counted]
    low, high = np.array([tuple(each) for each in ends]).T
    centre = np.where(known, (hits + 1) / (among + 2), math.nan)
    together = float((hits[known] + 1).sum() / (among[known] + 2).sum()) if known.any() else math.nan
    own, joint = (each * (1 - each) / (among + 2) for each in (centre, together))
    return Known(values, low, high, centre, np.sqrt(own), among, np.sqrt(np.maximum(own, joint)))


def _of_part(part: Evaluation, model: str, name: str, threshold: float | None, level: float) -> tuple[float, ...]:
    ranked, rows = part.ranked[model], part.rows.paired(part.ranked).in_memory()
    nothing = (math.nan,) * 4 + (0.0,)
    if not (ranked.n_pos and ranked.n_neg):
        return nothing
    kept = None if rows is None or (part.cluster is None and ranked.counts_rows) else rows.of_models(model)
    if name == IN_THE_LARGE:
        found = calibration_summary(ranked if kept is None else kept, level=level).in_the_large
        return found.estimate, found.low, found.high, float(found.se or math.nan), float(ranked.n_rows_counted)
    request = parse_requests([name])[0]
    at = {"threshold": threshold} if "threshold" in request.sheet.params else {}
    asked = [(request.sheet, {**at, **request.params})]
    made = intervals_of_measures(ranked, asked, level=level, seed=0, rows=kept)[0]
    if made is None:
        return nothing
    se = math.nan if made.se is None else made.se
    return float(made.estimate), made.low, made.high, se, float(ranked.n_rows_counted)


def homogeneity(known: Known) -> tuple[float, float, int]:
    """Chi-square of whether all groups are alike, p and degrees of freedom; of groups that have a standard error."""
    some = known.se > 0
    if np.count_nonzero(some) < 2:
        return math.nan, math.nan, 0
    return all_equal(known.centre[some], np.diag(known.se[some] ** 2))


def _gaps(known: Known, groups: list[Any], reference: Any, level: float) -> tuple[GroupGap, ...]:
    lines = [_gap(known, place, None if reference is None else groups.index(reference)) for place in range(len(groups))]
    judged = [judge(apart, se, "two-sided").pvalue if se > 0 else math.nan for _, apart, se in lines]
    reach, made = quantile_of(level), []
    for place, (group, (gap, apart, se), pvalue, adjusted) in enumerate(
        zip(groups, lines, judged, adjust_pvalues(judged), strict=True)
    ):
        value = (float(known.values[place]), float(known.low[place]), float(known.high[place]))
        ends = (min(apart - reach * se, gap), max(apart + reach * se, gap))
        made.append(GroupGap(group, *value, gap, *ends, pvalue, float(adjusted), float(known.weight[place])))
    return tuple(made)


def _gap(known: Known, place: int, against: int | None) -> tuple[float, float, float]:
    """The gap as it is, as gaps go by, and its standard error."""
    if place == against or not known.se[place] > 0:
        return math.nan, math.nan, math.nan
    weights = known.weight * (known.se > 0)
    weights[place] = 0.0
    if against is not None:
        weights = np.where(np.arange(weights.size) == against, 1.0, 0.0) * (known.se > 0)
    if not weights.sum() > 0:
        return math.nan, math.nan, math.nan
    contrast = -weights / weights.sum()
    contrast[place] = 1.0
    used = contrast != 0
    gap, apart = (float(contrast[used] @ each[used]) for each in (known.values, known.centre))
    return gap, apart, math.sqrt(float(contrast[used] ** 2 @ known.se[used] ** 2))


def _largest(known: Known, groups: list[Any], level: float) -> LargestGap:
    some = np.flatnonzero(known.se > 0)
    if some.size < 2:
        return LargestGap(None, None, math.nan, math.nan, math.nan)
    values = known.values[some]
    top, bottom = int(some[values.argmax()]), int(some[values.argmin()])
    low, high = largest_gap_ends(known.centre[some], known.joint_se[some], level)
    gap = float(known.values[top] - known.values[bottom])
    return LargestGap(groups[top], groups[bottom], gap, min(low, gap), max(high, gap))


def largest_gap_ends(values: Array, se: Array, level: float) -> tuple[float, float]:
    """Interval of the largest difference between estimates that are independent: from intervals of all pairs.

    The true largest gap is no less than any true difference, and is one of them; so its interval reaches from the
    largest of their lower ends, 0 at least, to the largest of their upper ends, and holds where all of them do.

    Examples
    --------
    >>> low, high = largest_gap_ends(np.array([0.5, 0.52, 0.55]), np.array([0.05, 0.05, 0.05]), 0.95)
    >>> low, round(high, 3)
    (0.0, 0.216)
    """
    reach = _range_quantile(level, values.size)
    apart = values[:, None] - values[None, :]
    spread = reach * np.sqrt(se[:, None] ** 2 + se[None, :] ** 2)
    return max(float((apart - spread).max()), 0.0), float((apart + spread).max())


@cache
def _range_quantile(level: float, n_groups: int) -> float:
    """Of the studentised range of so many normal estimates, over that of a difference."""
    from scipy.stats import studentized_range

    return float(studentized_range.ppf(level, n_groups, np.inf)) / math.sqrt(2)
