"""A test against a goal: is the AUC above 0.80, the sensitivity above 0.90?"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, is_number
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_setting
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.intervals.areas import area_interval, evidence_on, with_bounds
from rocsteady._src.inference.intervals.auc import area_variance
from rocsteady._src.inference.intervals.automatic import (
    ENOUGH_WRONG,
    KNOWN_BEFORE,
    Evidence,
    sizes_of,
    wrong_side,
)
from rocsteady._src.inference.intervals.normal import check_level, p_value
from rocsteady._src.inference.intervals.proportions import counted_at, interval_of
from rocsteady._src.inference.intervals.shares import PROPORTIONS
from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.subjects import ranked_and_rows
from rocsteady._src.inputs.weights import reading_remarks
from rocsteady._src.measures.registry import find_measure
from rocsteady._src.results import TestResult
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.inputs.weights import WeightType
    from rocsteady._src.measures.registry import FactSheet

ALTERNATIVE = {"above": "greater", "below": "less"}
FAR = 0.85  # goals from here on were met too often by AUCs that were just the goal, in docs/planning.md
OF_RATIOS = ("f1", "base_rate")  # functions of a share; their goals are not that share's


@typed
def goal_test(
    measure: str,
    y_true: object,
    y_score: object = None,
    *,
    above: float | None = None,
    below: float | None = None,
    threshold: float | None = None,
    level: float = 0.95,
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    label: str | None = None,
) -> TestResult:
    """Test whether a measure is beyond a goal: an AUC above 0.80, a sensitivity above 0.90, an FPR below 0.05.

    A share of rows has the exact binomial test, never above its level; with subjects or sampling weights the score test
    of as many independent rows as these are worth. An AUC has the test that belongs to its default interval: on the
    log-odds scale with DeLong's variance, and where fewer than ten rows of the smaller class are on the wrong side the
    score test behind Wilson's interval, with Student's t; where few rows are misranked p is no smaller than Gaffke's
    bound for any distribution allows. Measured sizes are on the page on planning.

    Parameters
    ----------
    measure : str
        "auc", or a measure that is a share of rows at a threshold, such as "sensitivity", "specificity", "precision".
    y_true, y_score, sample_weight, weight_type, cluster, pos_label, missing
        As in :func:`rocsteady.auc_interval`; a :class:`rocsteady.measures.Confusion` alone for shares.
    above, below : float
        The goal: one of them, between 0 and 1.
    threshold : float, optional
        As in :func:`rocsteady.confusion`, for shares. It should not come from the same rows.
    level : float
        Confidence level of the interval, which is two-sided.
    label : str, optional
        Column of labels, when a table comes first, as in :func:`rocsteady.auc_interval`.

    Returns
    -------
    TestResult
        One-sided p; ``estimate`` is the measure with its interval, ``null`` the goal.

    Examples
    --------
    >>> import rocsteady as rs
    >>> counts = rs.measures.Confusion(tp=96, fp=20, fn=4, tn=80)
    >>> found = rs.inference.goal_test("sensitivity", counts, above=0.9)
    >>> round(found.pvalue, 4), round(found.low, 4), found.hypothesis
    (0.0237, 0.9007, 'sensitivity is above 0.9')
    """
    check_level(level)
    side, goal = goal_of(above, below)
    sheet = goal_sheet(measure)
    rows = {"sample_weight": sample_weight, "cluster": cluster, "pos_label": pos_label, "missing": missing}
    if label is not None:
        named = {name: value for name, value in rows.items() if name != "cluster"}
        y_true, y_score = ranked_and_rows(y_true, y_score, cluster, label, weight_type=weight_type, **named)[0], None
        rows |= {"sample_weight": None, "pos_label": None}
    words: dict[str, Any] = {
        "alternative": ALTERNATIVE[side],
        "hypothesis": f"{measure} is {side} {format_setting(goal)}",
        "level": level,
        "null": goal,
    }
    if sheet.name == "auc":
        if threshold is not None:
            raise ArgumentError("threshold", "an AUC has no threshold: leave it out")
        return _of_area(y_true, y_score, weight_type, rows, words)
    return _of_share(sheet, y_true, y_score, threshold, rows | {"weight_type": weight_type}, words)


def goal_of(above: float | None, below: float | None) -> tuple[str, float]:
    """The side and the goal, refused unless there is one."""
    given = {side: goal for side, goal in (("above", above), ("below", below)) if goal is not None}
    if len(given) != 1:
        raise ArgumentError("goal", Sentence("give the goal as {above=} or {below=}, one of them"))
    ((side, goal),) = given.items()
    if not (is_number(goal) and 0 < goal < 1):
        raise ArgumentError("goal", f"{side} must lie between 0 and 1, got {goal!r}")
    return side, float(goal)


def goal_sheet(measure: str) -> FactSheet:
    """The AUC or a share of rows; others are refused."""
    found = find_measure(measure)
    if found is None or (
        found.sheet.name != "auc" and (found.sheet.name not in PROPORTIONS or found.sheet.name in OF_RATIOS)
    ):
        text = "a goal is tested of auc and of shares at a threshold, such as sensitivity, specificity or precision"
        raise ArgumentError("measure", f"{text}, not of {measure!r}; compare the goal with its interval instead")
    return found.sheet


def _of_area(y_true: object, y_score: object, kind: Any, rows: dict[str, Any], words: dict[str, Any]) -> TestResult:
    area = Area()
    ranked, variance, facts = area_variance(area, y_true, y_score, kind, rows)
    interval = area_interval(area, ranked, variance, "auto", words["level"], **facts)
    sizes = sizes_of(ranked, facts.get("rows"), facts.get("kind"))
    plain = evidence_on(area, interval.estimate, variance, sizes)
    known = with_bounds(area, ranked, plain, sizes, facts.get("rows"))
    statistic, df = known.statistic(words["null"])
    pvalue = (known.p_above if words["alternative"] == "greater" else known.p_below)(words["null"])
    return TestResult(
        statistic=statistic,
        pvalue=pvalue,
        estimate=interval.estimate,
        low=interval.low,
        high=interval.high,
        method=f"{'score' if known.method == 'wilson' else known.method} test, chosen by auto",
        se=interval.se,
        df=df,
        **words,
        **facts_of(ranked),
        warnings=(*reading_remarks(ranked.origin), *interval.warnings, *goal_remarks(known, pvalue, words)),
    )


def goal_remarks(known: Evidence, pvalue: float, words: dict[str, Any]) -> tuple[Remark, ...]:
    """Where few rows stand on the wrong side, and a rejection needs more than the largest variance of an AUC leaves.

    An AUC of g varies by no more than g (1 - g) over the rows of its smaller class. Where that class spreads more than
    the other it comes near, and the variance that is seen is too small whenever the AUC that is seen is too large.
    """
    goal = words["null"]
    few = wrong_side(goal, known.fewest) < ENOUGH_WRONG and max(goal, 1 - goal) >= FAR
    if not few or not pvalue <= 1 - words["level"]:
        return ()
    furthest = (known.share - goal) / math.sqrt(goal * (1 - goal) / known.fewest)
    unlike = p_value(furthest, words["alternative"], df=max(known.fewest, 1.0) - 1 + KNOWN_BEFORE)
    if unlike <= 1 - words["level"]:
        return ()
    return (Remark("goal_rejects", rows=round(known.fewest), goal=goal, pvalue=unlike),)


def _of_share(
    sheet: FactSheet, y_true: object, y_score: object, threshold: Any, rows: dict[str, Any], words: dict[str, Any]
) -> TestResult:
    from scipy.stats import binomtest

    counts, subjects = counted_at(y_true, y_score, threshold, rows)
    hits, total = PROPORTIONS[sheet.name].counted(counts)
    exact = subjects is None and float(hits).is_integer() and float(total).is_integer()
    method = "clopper-pearson" if exact else "wilson"
    found = interval_of(sheet, counts, level=words["level"], method=method, subjects=subjects)
    if not total or math.isnan(found.low):
        statistic = pvalue = math.nan
    elif exact:
        tested = binomtest(int(hits), int(total), words["null"], words["alternative"])
        statistic, pvalue = float(hits), float(tested.pvalue)
    else:
        share = PROPORTIONS[sheet.name]
        worth = (hits, total) if subjects is None else subjects.share(share.hits, share.among)
        goal = words["null"]
        statistic = (worth[0] / worth[1] - goal) / math.sqrt(goal * (1 - goal) / worth[1])
        pvalue = p_value(statistic, words["alternative"])
    how = "exact binomial test" if exact else f"score test; interval by {found.method}"
    made = TestResult(statistic, pvalue, found.estimate, found.low, found.high, method=how, se=found.se, **words)
    return replace(made, n_pos=found.n_pos, n_neg=found.n_neg, origin=found.origin, warnings=found.warnings)
