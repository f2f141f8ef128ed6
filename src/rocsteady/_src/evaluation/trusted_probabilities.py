"""Can the probabilities be trusted? On average, in their spread, group by group, and at another prevalence."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.base.errors import printable
from rocsteady._src.base.exact import dot
from rocsteady._src.base.text import format_digits, format_interval, format_share
from rocsteady._src.evaluation.probability_checks import summary_of
from rocsteady._src.probabilities.calibration.groups import grouped, n_groups_of
from rocsteady._src.ranked import rows_by_unit
from rocsteady._src.results.decision import Check

if TYPE_CHECKING:
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.probabilities.calibration.groups import Grouped
    from rocsteady._src.ranked import RankedScores
    from rocsteady._src.results import TestResult
    from rocsteady._src.results.calibration import CalibrationSummary
    from rocsteady._src.results.decision import Decision

QUESTION = "Can the probabilities be trusted?"
CLOSE = 0.1  # a slope this near 1, odds this near on average, a mean this near in parts of itself, a share this near
CHANCE = 0.1  # so many groups that miss are put down to chance where it brings as many more often than this


@dataclass(frozen=True, slots=True)
class Trust:
    """The answer on these rows, the text without their means, and mean probabilities of negatives and of positives."""

    answer: str
    text: str
    means: tuple[float, float] | None = None


def trusted(result: Evaluation, decision: Decision) -> Check:
    """The check of the model that leads, at the prevalence of the decision."""
    share = float(result.n_pos / (result.n_pos + result.n_neg))
    there = decision.prevalence if decision.prevalence_given else share
    answer, text = answer_at(trust_of(result, decision.model, decision.level), there, share)
    return Check("probabilities", QUESTION, answer, text)


def answer_at(trust: Trust, prevalence: float, sample: float) -> tuple[str, str]:
    """Answer and text where such a share is positive; where it is another than in the rows, their means shift with it.

    Examples
    --------
    >>> print(*answer_at(Trust("yes", "slope 1.02", (0.1, 0.6)), 0.2, 0.2), sep=": ")
    yes: predicted 20.0% on average, observed 20.0%; slope 1.02
    >>> for part in answer_at(Trust("yes", "slope 1.02", (0.1, 0.6)), 0.1, 0.2)[1].split("; "):
    ...     print(part)
    at 10% positive probabilities would be 15.0% on average, too high
    on these rows, 20% positive: predicted 20.0% on average, observed 20.0%
    slope 1.02
    """
    if trust.means is None:
        return trust.answer, trust.text
    low, high = trust.means
    here = f"predicted {format_share(low + sample * (high - low))} on average, observed {format_share(sample)}"
    here = f"{here}; {trust.text}"
    if prevalence == sample:
        return trust.answer, here
    mean = low + prevalence * (high - low)
    off = abs(mean - prevalence) >= CLOSE * prevalence
    how = f", too {'high' if mean > prevalence else 'low'}" if off else ""
    there = f"at {_percent(prevalence)} positive probabilities would be {format_share(mean)} on average{how}"
    return "no" if off else trust.answer, f"{there}; on these rows, {_percent(sample)} positive: {here}"


def _percent(share: float) -> str:
    return f"{format_digits(100 * share, 4)}%"


def trust_of(result: Evaluation, model: str, level: float) -> Trust:
    """How far the probabilities of a model agree with what happened, on the rows that there are."""
    ranked = result.ranked[model]
    if not are_probabilities(ranked):
        name = printable(model, most=48)
        text = f"the scores of {name} are no probabilities in [0, 1]; thresholds and ranks do not need any"
        return Trust("unknown", text)
    sampled = result.origin.reading == "sampling"
    rows = rows_by_unit(result.rows, model, subjects=result.cluster is not None, sampled=sampled)
    found = summary_of(result, model, level)
    scores = ranked.doubles
    means = dot(scores, ranked.neg) / float(ranked.n_neg), dot(scores, ranked.pos) / float(ranked.n_pos)
    groups = grouped(ranked, rows, n_groups_of(result.origin.n_rows), level)
    return Trust(*_judged(found, groups, float(ranked.n_pos / (ranked.n_pos + ranked.n_neg)), level), means)


def are_probabilities(ranked: RankedScores) -> bool:
    """Whether all scores lie in [0, 1]."""
    scores = ranked.scores
    return bool(scores.dtype.kind == "f" and scores.size and scores[0] >= 0 and scores[-1] <= 1)


def _judged(found: CalibrationSummary, groups: Grouped | None, share: float, level: float) -> tuple[str, str]:
    """The answer, and why: "no" needs more than a sign, namely to be off by enough at the near end of an interval."""
    slope = found.slope
    off, far = _missed(groups, share, level)
    told = [] if groups is None else [_in_groups(groups, off)]
    if math.isnan(slope.estimate):
        why = str(found.warnings[0]) if found.warnings else "no slope"
        return ("no" if far else "partly" if off else "unknown"), "; ".join([why, *told])
    how = "too extreme" if slope.high < 1 else "not spread enough" if slope.low > 1 else "where 1 is right"
    how = how if how.startswith("where") else f"where 1 is right: {how}"
    text = "; ".join([f"slope {format_interval(slope.estimate, slope.low, slope.high, 2)} {how}", *told])
    apart = [_apart(found.in_the_large, 0.0), _apart(slope, 1.0)]
    if far or max(apart) >= CLOSE:
        return "no", text
    return ("partly" if max(apart) > 0 or off or slope.high - slope.low >= 1 else "yes"), text


def _apart(test: TestResult, right: float) -> float:
    """How far the nearer end of an interval is from what would be right; 0 where it holds that."""
    return max(test.low - right, right - test.high, 0.0)


def _missed(groups: Grouped | None, share: float, level: float) -> tuple[bool, bool]:
    """Whether more groups miss than chance explains, and whether one surely is far off.

    More than chance: one that misses when all are to hold together, or several, as many as chance brings in less than
    one of ten tables.
    Far: by a tenth, or by half the share of the rarer class, even at the near end of its interval.
    """
    if groups is None:
        return False, False
    size, count = groups.pvalue.size, int(groups.misses.sum())
    together = bool(groups.pvalue.min() * size < 1 - level)
    apart = np.abs(groups.near - groups.predicted)
    far = bool(apart.max() > min(CLOSE, min(share, 1 - share) / 2))
    return together or (count > 1 and _chance(count, size, 1 - level) < CHANCE), far


def _chance(count: int, size: int, each: float) -> float:
    """How often so many of the groups or more miss, when each does so in that share of samples."""
    return sum(math.comb(size, k) * each**k * (1 - each) ** (size - k) for k in range(count, size + 1))


def _in_groups(groups: Grouped, off: bool) -> str:
    size, count = groups.pvalue.size, int(groups.misses.sum())
    if not (count or off):
        return f"observed as predicted in all {size} groups of rows"
    worst = int(groups.pvalue.argmin())
    observed, low, high = (format_share(each[worst]) for each in (groups.observed, groups.low, groups.high))
    where = f"predicted {format_share(groups.predicted[worst])}, observed {observed} [{low}, {high}]"
    if count < 2:
        return f"1 of {size} groups of rows misses{'' if off else ', as chance may do'}: {where}"
    return f"{count} of {size} groups of rows miss{'' if off else ', as chance may do'}, most clearly one: {where}"
