"""How large a difference must be for a test like this one to find it: by the same test, at the same level."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.inference.power.outcomes import detectable_share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady._src.results import TestResult

POWER = 0.8
SAME = 1e-12  # relative difference below which two resampled values are equal


def step_level(adjusted: Sequence[float], alpha: float) -> float:
    """The level at which Holm's method tests each hypothesis that it did not reject.

    Examples
    --------
    >>> step_level([0.01, 0.2, 0.4], 0.05), step_level([math.nan, 0.2], 0.05)
    (0.025, 0.05)
    """
    known = [p for p in adjusted if not math.isnan(p)]
    left = len(known) - sum(p < alpha for p in known)
    return alpha / max(left, 1)


def needed_difference(test: TestResult, alpha: float, widest: float = math.inf, power: float = POWER) -> float:
    """The true difference that a two-sided test like ``test`` finds with this power; for tests that found none.

    The test is repeated as it was: with Student's t where it has degrees of freedom, with the standard error under the
    hypothesis where it uses that. Since this test did not reject, its critical value is at least the difference that
    was observed. NaN where no result of such a test reaches the level, or where the difference would have to be larger
    than ``widest``, the largest that there is.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s, t = (rs.examples.loans(200)[name][:40] for name in ("defaulted", "boosted", "logistic"))
    >>> test = rs.compare_auc(y, s, t)
    >>> round(test.estimate, 3), round(needed_difference(test, 0.05), 3), round(needed_difference(test, 0.01), 3)
    (0.181, 0.367, 0.527)
    """
    if not test.se or not math.isfinite(test.se) or smallest_pvalue(test) > alpha:
        return math.nan
    df = test.df if test.df is not None and test.df > 0 else None
    reach, more = quantile_of(1 - alpha, df=df), quantile_of(2 * power - 1, df=df)
    critical = max(reach * _se_of_test(test), abs(test.estimate))
    found = max(critical + more * max(test.se, critical / reach), found_by_outcomes(test, alpha, power))
    return found if found <= widest else math.nan


def found_by_outcomes(test: TestResult, alpha: float, power: float = POWER) -> float:
    """By Connor's formula, as the standard error of few rows that models disagree on is too small; 0 of other tests."""
    cells = [getattr(test, name, 0.0) for name in ("both", "neither", "first_only", "second_only")]
    n = sum(cells)
    return detectable_share(sum(cells[2:]) / n, getattr(test, "worth", n), power, alpha) if n else 0.0


def _se_of_test(test: TestResult) -> float:
    """The standard error that the statistic of the test divides by."""
    if test.method.startswith("score") and test.estimate and test.statistic:
        return abs(test.estimate / test.statistic)
    return math.nan if test.se is None else test.se


def smallest_pvalue(test: TestResult) -> float:
    """The smallest two-sided p-value that a test of these rows can have; 0 where it has no such limit.

    An exact test by rows or by subjects has a limit, and so does one by random permutations.
    """
    exact = {"mcnemar-exact": 2.0, "mcnemar-mid-p": 1.0}.get(test.method.partition(",")[0])
    if exact is not None:
        subjects = getattr(test, "n_subjects", None)
        units = float(getattr(test, "n", math.inf) if subjects is None else subjects)
        return float(exact * 0.5 ** min(units, 1000.0))
    if test.resampling is None or test.resampling.scheme != "permutation":
        return 0.0
    values = np.abs(test.resampling.distribution)
    values = values[~np.isnan(values)]
    largest = float(values.max(initial=0.0))
    as_large = np.count_nonzero(values >= largest - SAME * max(1.0, largest))
    return float((1 + as_large) / (1 + values.size))
