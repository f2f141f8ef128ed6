"""What every course costs beyond the one that leads, and how sure that is when the rows chose both."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.evaluation.decision_words import TIMES
from rocsteady._src.inference.comparison.hypotheses import NormalDifference, result_of
from rocsteady._src.inference.comparison.rounding import rounding, settled
from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.inference.units.row_means import mean_of_rows
from rocsteady._src.inference.units.units import Units
from rocsteady._src.measures.costs import cost_rule
from rocsteady._src.measures.reaches_threshold import first_reached
from rocsteady._src.ranked import read_models
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.cases import unit_of
from rocsteady._src.results.decision import Course

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.measures.rule import Rule
    from rocsteady._src.ranked import RankedScores, Rows
    from rocsteady._src.results import TestResult

    Array = NDArray[np.float64]

UNSEEN = 3  # rows of each class called otherwise that these rows did not show; measured in docs/decisions.md
MANY_ROWS = 100_000  # from here on it is quicker to count the ways in which rows differ than to look at each


@dataclass(frozen=True, slots=True)
class Situation:
    """Costs of both errors, the share of positives, and the rule that they make.

    ``given`` is the prevalence where it is not that of the rows.
    """

    cost_fp: float
    cost_fn: float
    prevalence: float
    given: float | None
    costs: str
    cases: int = 0

    @property
    def unit(self) -> int:
        """Of how many cases counts are: those asked for, or as many as suit the prevalence."""
        return self.cases or unit_of(self.prevalence)

    @property
    def rule(self) -> Rule:
        """The threshold of least cost."""
        return cost_rule(cost_fp=self.cost_fp, cost_fn=self.cost_fn, prevalence=self.given)

    @property
    def worth(self) -> tuple[float, float]:
        """What a rate of 1 costs a case on average: of misses, and of false alarms."""
        return self.prevalence * self.cost_fn, (1 - self.prevalence) * self.cost_fp

    def course(self, name: str, model: str | None, threshold: Any, shown: str, rates: tuple[float, float]) -> Course:
        """What happens to so many cases at a recall and a false positive rate."""
        recall, alarmed = rates
        positives, negatives = self.unit * self.prevalence, self.unit * (1 - self.prevalence)
        missed = positives * (1 - recall) if positives else 0.0  # a group may have one class alone
        false_alarms = negatives * alarmed if negatives else 0.0
        cost = missed * self.cost_fn + false_alarms * self.cost_fp
        counts: dict[str, Any] = {
            "found": positives * recall if positives else 0.0,
            "missed": missed,
            "false_alarms": false_alarms,
            "cost": cost,
        }
        return Course(name, model, threshold, shown, recall, alarmed, **counts)


def compared(result: Evaluation, at: Situation, courses: list[Course], optimism: float, level: float) -> list[Course]:
    """Every course with what it costs beyond the first, where rows can tell."""
    rows = result.rows.of_models(*result.models)
    if rows is None:
        return _beside_no_model(result, at, courses, optimism, level)
    first, *others = courses
    calls = called_by(rows, first)
    tests = [cost_difference(rows, called_by(rows, course), calls, at) for course in others]
    facts: dict[str, Any] = facts_of(rows.ranked_of(rows.names[0]), rows.origin)
    n_models = len(others) - 2
    plain = [result_of(test, "two-sided", None, level, "", **facts).pvalue for test in tests[:n_models]]
    adjusted = beside_the_best(plain)
    alike = max(2, 1 + sum(not p < 1 - level for p in adjusted))
    made = []
    for course, test, p in zip(others, tests, [*adjusted, math.nan, math.nan], strict=True):
        by_choice = TIMES * optimism if course.model is None and test.se else 0.0
        made.append(replace(course, more=_beyond(test, alike, by_choice, level, facts), p_holm=p))
    return [first, *made]


def _beside_no_model(
    result: Evaluation, at: Situation, courses: list[Course], optimism: float, level: float
) -> list[Course]:
    """Of rows that are elsewhere: the leader beside flagging nobody and everybody, for which its counts suffice."""
    first, *others = courses
    groups = result.ranked[str(first.model)]
    if not groups.counts_rows:
        return courses
    rows, calls = _counted(groups, first.threshold)
    facts: dict[str, Any] = facts_of(groups, result.origin)
    alike, made = max(2, len(others) - 1), [first]  # models that were not tested count as if they were alike
    for course in others:
        if course.model is not None:
            made.append(course)
            continue
        test = cost_difference(rows, np.full(rows.n_rows, course.threshold < 0), calls, at)
        made.append(replace(course, more=_beyond(test, alike, TIMES * optimism if test.se else 0.0, level, facts)))
    return made


def _counted(groups: RankedScores, threshold: Any) -> tuple[Rows, NDArray[np.bool_]]:
    """Rows with frequencies that stand for all rows at a threshold, and which of them are called."""
    found, alarms = groups.called_from(np.array([first_reached(groups.scores, threshold)]))
    tp, fp = int(found[0]), int(alarms[0])
    counts = np.array([tp, groups.n_pos - tp, fp, groups.n_neg - fp])
    kept, labels, calls = counts > 0, np.array([1, 1, 0, 0]), np.array([1, 0, 1, 0])
    frequencies: dict[str, Any] = {"sample_weight": counts[kept], "weight_type": "frequency"}
    return read_models(labels[kept], {"called": calls[kept]}, **frequencies), calls[kept] == 1


def beside_the_best(pvalues: Sequence[float]) -> list[float]:
    """p-values of the models that did not lead, for a leader that the same rows chose; Holm's steps.

    At each step the leader may be any of those not yet told apart, so that all pairs among these count: of three
    models the smaller p counts three times, the larger once. NaN stays NaN.

    Examples
    --------
    >>> [round(p, 3) for p in beside_the_best([0.01, 0.04])], beside_the_best([0.04])
    ([0.03, 0.04], [0.04])
    """
    found = [math.nan] * len(pvalues)
    largest, left = 0.0, sum(not math.isnan(p) for p in pvalues) + 1
    for place in sorted(range(len(pvalues)), key=lambda each: (math.isnan(pvalues[each]), pvalues[each])):
        if math.isnan(pvalues[place]):
            continue
        largest = max(largest, min(1.0, pvalues[place] * left * (left - 1) / 2))
        found[place], left = largest, left - 1
    return found


def _beyond(
    difference: NormalDifference, alike: int, by_choice: float, level: float, facts: dict[str, Any]
) -> TestResult:
    """The test, with an interval for a leader chosen among so many that cannot be told apart.

    The leader's pairs are 2 of ``alike`` of all pairs, so that the share of intervals that miss is 1 - level in all
    (Benjamini and Yekutieli 2005). What the choice of its threshold flatters is taken off the lower end.
    """
    method = "wald, paired, three unseen rows of each class"
    method += "" if alike == 2 else f", the first of {alike} alike"
    shifted = NormalDifference(difference.estimate - by_choice, difference.se)
    inner = 1 - 2 * (1 - level) / alike
    found = result_of(shifted, "two-sided", None, inner, method, **facts)
    high = difference.estimate + quantile_of(inner) * difference.se
    return replace(found, estimate=difference.estimate, high=high, level=level)


def called_by(rows: Rows, course: Course) -> NDArray[np.bool_]:
    """Which rows a course flags."""
    if course.model is None:
        return np.full(rows.n_rows, course.threshold < 0)
    reached = first_reached(rows.ranked_of(course.model).scores, course.threshold)
    called: NDArray[np.bool_] = rows.places_of(course.model) >= reached
    return called


def cost_difference(rows: Rows, called: NDArray[np.bool_], first: NDArray[np.bool_], at: Situation) -> NormalDifference:
    """The mean difference of what rows cost, with its standard error.

    Thresholds are near their best, where cost is flat, so that their choice adds little; what rows of a class did not
    show is allowed for as if three more had been called otherwise (docs/decisions.md has the coverage).
    """
    rows, called, first = _in_cells(rows, called, first)
    price = np.where(rows.positive, -at.cost_fn, at.cost_fp)
    apart: Array = price * (called.astype(np.int8) - first)
    found = mean_of_rows(apart, rows, rows.origin.weight_type, at.given)
    bound = rounding(apart.size, float(np.abs(apart).mean()))
    same = bool((called == first).all() and (called.all() or not called.any()))
    se = 0.0 if same else math.hypot(settled(found.se, bound), *_unseen(rows, at))
    return NormalDifference(settled(found.mean, bound), se)


def _in_cells(
    rows: Rows, called: NDArray[np.bool_], first: NDArray[np.bool_]
) -> tuple[Rows, NDArray[np.bool_], NDArray[np.bool_]]:
    """The same with a row for each way in which rows differ, and how often it comes, where rows count by themselves.

    There are eight ways at most, so that ten million rows take as long as it takes to count them.
    """
    units = Units.of(rows)
    if not units.repeated or rows.positive.size < MANY_ROWS:
        return rows, called, first
    ways = list(product((False, True), repeat=3))
    masks = ((rows.positive == label) & (called == one) & (first == two) for label, one, two in ways)
    weights = rows.weights
    counts = [int(np.count_nonzero(mask) if weights is None else weights[mask].sum()) for mask in masks]
    kept = [way for way, count in zip(ways, counts, strict=True) if count]
    labels, calls, firsts = (np.array(column) for column in zip(*kept, strict=True))
    how: dict[str, Any] = {"sample_weight": [count for count in counts if count], "weight_type": "frequency"}
    return read_models(labels, {"called": calls.astype(np.int8)}, **how), calls, firsts


def _unseen(rows: Rows, at: Situation) -> list[float]:
    """What rows that were not seen add to the standard error, in each class (after Bonett and Price 2012)."""
    units = Units.of(rows, rows.origin.weight_type)
    return unseen_errors(at.worth, [units.count(mask) for mask in (rows.positive, ~rows.positive)])


def unseen_errors(worth: Sequence[float], counts: Sequence[float]) -> list[float]:
    """The same from what a rate of 1 costs in each class, and how many units it has."""
    return [each * math.sqrt(UNSEEN) / (n + 2) for each, n in zip(worth, counts, strict=True)]
