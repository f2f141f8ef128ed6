"""How far a measure lies apart between groups of rows, whether by more than chance, and by how much at most.

Shares of rows at a threshold, such as recall, are counts: gaps between them have Fisher's mid-p test and the interval
that agrees with it, and a chi-square test (Pearson) asks whether all groups are alike. Gaps of AUCs have the test with
the variance under the hypothesis, other measures Student's t: the standard error of one small group alone is too unsure
for p-values that are adjusted over many groups. Two groups are one hypothesis, with one p-value and one interval. The
largest of more gaps is bounded by intervals of all pairs that hold together (Tukey and Kramer), so that it reaches down
to 0 where groups are alike, which no bootstrap of a maximum does: that is never below what was seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, some_values
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.evaluation.groups.gap_errors import freedom_and_sizes, joint_errors
from rocsteady._src.evaluation.groups.tests import on_logit_scale, pair_of_sizes, welch_freedom
from rocsteady._src.inference.comparison.automatic import few_on_the_wrong_side
from rocsteady._src.inference.comparison.hypotheses import NormalDifference, all_equal, judged_difference
from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues
from rocsteady._src.inference.comparison.score import ScoreDifference
from rocsteady._src.inference.intervals.every_measure import intervals_of_measures
from rocsteady._src.inference.intervals.normal import check_level
from rocsteady._src.inference.intervals.proportions import proportion_interval
from rocsteady._src.inference.intervals.shares import PROPORTIONS, Share
from rocsteady._src.inference.intervals.two_shares import ShareDifference
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
    Gap = NormalDifference | ScoreDifference | ShareDifference

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
    """A measure in each group: values, ends, and what tests go by: ``centre`` with its ``se``; ``weight`` in means.

    ``joint_se`` is no less than it would be if all groups were alike, for the largest of many gaps. ``hits`` are the
    counts of a share; ``sizes`` of both classes are those of an AUC, and ``free`` the degrees of freedom of ``se``.
    """

    values: Array
    low: Array
    high: Array
    centre: Array
    se: Array
    weight: Array
    joint_se: Array
    free: Array | None = None
    hits: Array | None = None
    sizes: Array | None = None

    @property
    def usable(self) -> NDArray[np.bool_]:
        """Groups whose measure varies, so that they can be compared."""
        found: NDArray[np.bool_] = self.se > 0
        return found


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
            test = homogeneity(known, gaps)
            largest = _largest(known, gaps, each)
            found.append(MeasureGaps(model, str(name), at.get(model), gaps, *test, largest))
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
    found = [freedom_and_sizes(part, model, whole_area=name == "auc") for part in parts]
    free, sizes = np.array([each for each, _ in found]), np.array([each for _, each in found])
    if name != "auc":
        return Known(values, low, high, values, se, weight, se, free)
    joint = joint_errors(values, se, weight, sizes)
    return Known(values, low, high, values, se, weight, joint, free, sizes=sizes)


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
    errors = np.sqrt(own), np.sqrt(np.maximum(own, joint))
    return Known(values, low, high, centre, errors[0], among, errors[1], hits=counted)


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


def homogeneity(known: Known, gaps: Sequence[GroupGap] = ()) -> tuple[float, float, int]:
    """Chi-square of whether all groups are alike, p and degrees of freedom; of groups that have a standard error.

    Of two groups it is the test of their gap.
    """
    some = known.usable
    if np.count_nonzero(some) < 2:
        return math.nan, math.nan, 0
    if np.count_nonzero(some) == 2 and gaps:
        pvalue = next(each.pvalue for each in gaps if not math.isnan(each.pvalue))
        return _chi_square_of(pvalue), pvalue, 1
    if known.hits is not None:
        return pearson(known.hits[some])
    values, spread = known.centre[some], np.diag(known.se[some] ** 2)
    values, spread = on_logit_scale(values, spread) if known.sizes is not None else (values, spread)
    return all_equal(values, spread, free=None if known.free is None else known.free[some])


def pearson(counted: Array) -> tuple[float, float, int]:
    """Chi-square of hits among so many in each group, its p-value and degrees of freedom.

    Examples
    --------
    >>> statistic, pvalue, df = pearson(np.array([[8.0, 10.0], [5.0, 10.0], [2.0, 10.0]]))
    >>> round(statistic, 3), round(pvalue, 4), df
    (7.2, 0.0273, 2)
    """
    from scipy.special import chdtrc

    hits, among = counted.T
    share, df = float(hits.sum() / among.sum()), hits.size - 1
    if not 0 < share < 1:
        return 0.0, 1.0, df
    statistic = float(((hits - among * share) ** 2 / (among * share * (1 - share))).sum())
    return statistic, float(chdtrc(df, statistic)), df


def _chi_square_of(pvalue: float) -> float:
    """The chi-square with one degree of freedom that has this p-value."""
    from scipy.special import chdtri

    return float(chdtri(1, pvalue))


def _gaps(known: Known, groups: list[Any], reference: Any, level: float) -> tuple[GroupGap, ...]:
    against = None if reference is None else groups.index(reference)
    found = [_gap(known, place, against) for place in range(len(groups))]
    judged = [math.nan if each is None else _pvalue(each) for each in found]
    one = reference is None and np.count_nonzero(known.usable) == 2  # both gaps are the same
    made = []
    for place, (each, adjusted) in enumerate(zip(found, judged if one else adjust_pvalues(judged), strict=True)):
        value = (float(known.values[place]), float(known.low[place]), float(known.high[place]))
        ends = (math.nan,) * 3 if each is None else (each.estimate, *each.ends(level))
        weight = float(known.weight[place])
        made.append(GroupGap(groups[place], *value, *ends, judged[place], float(adjusted), weight))
    return tuple(made)


def _pvalue(gap: Gap) -> float:
    return gap.pvalue if isinstance(gap, ShareDifference) else judged_difference(gap, "two-sided").pvalue


def _gap(known: Known, place: int, against: int | None) -> Gap | None:
    """A group less the rest, or the reference; None where one of them cannot be compared."""
    others = known.usable & (np.arange(known.se.size) != place)
    if against is not None:
        others &= np.arange(known.se.size) == against
    if not (known.usable[place] and known.weight[others].sum() > 0):
        return None
    if known.hits is not None:
        hits, among = known.hits[others].sum(axis=0).tolist()
        return ShareDifference(tuple(known.hits[place].tolist()), (hits, among))
    share = np.where(others, known.weight, 0.0) / known.weight[others].sum()
    both = float(known.values[place]), float(share[others] @ known.values[others])
    parts = np.where(others, share**2, np.arange(share.size) == place) * np.where(known.usable, known.se, 0.0) ** 2
    free = np.full(share.size, math.inf) if known.free is None else known.free
    df, se = welch_freedom(parts, free), math.sqrt(float(parts.sum()))
    if known.sizes is not None:
        sizes = pair_of_sizes(known.sizes[place], known.sizes[others].sum(axis=0))
        if np.count_nonzero(known.usable) > 2 or few_on_the_wrong_side(both, sizes, "two-sided"):
            return ScoreDifference(both, sizes, 0.0, se, df)
    return NormalDifference(both[0] - both[1], se, df)


def _largest(known: Known, gaps: Sequence[GroupGap], level: float) -> LargestGap:
    some = np.flatnonzero(known.usable)
    if some.size < 2:
        return LargestGap(None, None, math.nan, math.nan, math.nan)
    values = known.values[some]
    top, bottom = int(some[values.argmax()]), int(some[values.argmin()])
    gap = float(known.values[top] - known.values[bottom])
    if some.size == 2 and not math.isnan(gaps[top].gap_low):
        low, high = gaps[top].gap_low, gaps[top].gap_high
        low, high = (low, high) if low > 0 else (0.0, max(-low, high))
    else:
        free = math.inf if known.free is None else float(known.free[some].min())
        low, high = largest_gap_ends(known.centre[some], known.joint_se[some], level, free)
    return LargestGap(gaps[top].group, gaps[bottom].group, gap, min(low, gap), max(high, gap))


def largest_gap_ends(values: Array, se: Array, level: float, df: float = math.inf) -> tuple[float, float]:
    """Interval of the largest difference between estimates that are independent: from intervals of all pairs.

    The true largest gap is no less than any true difference, and is one of them; so its interval reaches from the
    largest of their lower ends, 0 at least, to the largest of their upper ends, and holds where all of them do.

    Examples
    --------
    >>> low, high = largest_gap_ends(np.array([0.5, 0.52, 0.55]), np.array([0.05, 0.05, 0.05]), 0.95)
    >>> low, round(high, 3)
    (0.0, 0.216)
    """
    reach = _range_quantile(level, values.size, df)
    apart = values[:, None] - values[None, :]
    spread = reach * np.sqrt(se[:, None] ** 2 + se[None, :] ** 2)
    return max(float((apart - spread).max()), 0.0), float((apart + spread).max())


@cache
def _range_quantile(level: float, n_groups: int, df: float) -> float:
    """Of the studentised range of so many normal estimates, over that of a difference."""
    from scipy.stats import studentized_range

    return float(studentized_range.ppf(level, n_groups, df)) / math.sqrt(2)
