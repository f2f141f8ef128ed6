"""Statistics of the selection experiment: picks, rank correlations, and a t-test for splits that overlap."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.comparison.learners import corrected_t
from rocsteady._src.inputs.reals import real_numbers
from rocsteady._src.results import TestResult
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

SAME = 1e-12  # measures are exact to this, relative
POWER = 0.8
WORDS: dict[str, Any] = {
    "alternative": "two-sided",
    "method": "corrected resampled t-test (Nadeau and Bengio 2003)",
    "hypothesis": "the mean difference is not 0",
}


@typed
def corrected_test(
    differences: Sequence[float] | Array, *, n_train: float, n_test: float, level: float = 0.95
) -> TestResult:
    """Test whether paired differences over random splits of the same data have mean 0.

    Splits of one data set share rows, so their differences are correlated and the usual t-test finds too much. Nadeau
    and Bengio enlarge the variance of the mean of J differences from s^2 / J to (1/J + n_test/n_train) s^2; the
    statistic is compared with a t distribution of J - 1 degrees of freedom. NaN differences are left out.

    Parameters
    ----------
    differences : sequence of float
        One per split.
    n_train, n_test : float
        Rows of the training and of the test part.
    level : float
        Of the interval.

    Returns
    -------
    TestResult
        Differences that are all equal show no spread, and fewer than two have none: interval and p are NaN, with a
        remark that says why. If all are 0, p is 1.

    Examples
    --------
    >>> from rocsteady.lab import corrected_test
    >>> found = corrected_test([0.02, 0.04, 0.06], n_train=60, n_test=20)
    >>> round(found.estimate, 3), round(found.se, 5), round(found.statistic, 4), found.df
    (0.04, 0.01633, 2.4495, 2)
    """
    if not (n_train > 0 and n_test > 0 and 0 < level < 1):
        text = f"n_train and n_test must be above 0 and level in (0, 1); got {n_train!r}, {n_test!r} and {level!r}"
        raise ArgumentError("corrected_test", text)
    found = real_numbers(differences, "differences")
    found = found[~np.isnan(found)]
    if found.size < 2:
        nothing: dict[str, Any] = dict.fromkeys(("statistic", "pvalue", "low", "high", "se"), math.nan)
        mean = float(found.mean()) if found.size else math.nan
        told = (Remark("splits_too_few"),)
        return TestResult(estimate=mean, **nothing, **WORDS, level=level, df=found.size - 1, warnings=told)
    return replace(corrected_t(found, n_test / (n_train + n_test), level=level), **WORDS)


def detectable_difference(se: float, df: int, level: float) -> float:
    """The true difference that the test finds with a chance of 80%, taking the standard error as known."""
    from scipy.special import stdtrit

    if df < 1 or math.isnan(se):
        return math.nan
    return float((stdtrit(df, (1 + level) / 2) + stdtrit(df, POWER)) * se)


def picks_of(goodness: Array, test_auc: Array) -> tuple[NDArray[np.int64], NDArray[np.int64], Array]:
    """For each measure the first best model (-1: none), how many share its value, and their mean test AUC.

    Parameters
    ----------
    goodness : ndarray of shape (measures, models)
        Higher is better; NaN where undefined, never picked.
    test_auc : ndarray of shape (models,)
        What the mean is taken of: the expected test AUC of a pick at random among the best.
    """
    known = ~np.isnan(goodness)
    best = np.where(known, goodness, -np.inf).max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        tied = known & (goodness >= best - SAME * np.abs(best))
    counts = tied.sum(axis=1)
    means = np.where(counts > 0, (tied @ test_auc) / np.maximum(counts, 1), np.nan)
    return np.where(counts > 0, tied.argmax(axis=1), -1), counts, means


def spearman_rows(goodness: Array, test_auc: Array) -> Array:
    """Rank correlation of each row with the test AUCs, over the models where it is defined; NaN for constants."""
    return np.array([_spearman(row, test_auc) for row in goodness])


def _spearman(values: Array, others: Array) -> float:
    from scipy.stats import rankdata

    known = ~np.isnan(values)
    if not known.any():
        return math.nan
    # Values that differ by rounding only are ties.
    scale = float(np.abs(values[known]).max()) or 1.0
    first, second = (rankdata(each) for each in (np.round(values[known] / scale, 11), others[known]))
    first, second = first - first.mean(), second - second.mean()
    spread: Any = math.sqrt(float(first @ first) * float(second @ second))
    return float(first @ second) / spread if spread else math.nan
