"""Learners compared over the splits of one data set, whose differences are correlated: Nadeau-Bengio, and Bayes."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, first_rows, is_number
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.comparison.hypotheses import NormalDifference, check_alternative, result_of
from rocsteady._src.inference.comparison.rounding import rounding, settled
from rocsteady._src.inference.intervals.normal import check_choice, check_level, quantile_of
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.reals import doubles_of
from rocsteady._src.results import TestResult
from rocsteady._src.results.crossval import BayesianComparison
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.results import TestResult

    Array = NDArray[np.float64]

METHODS = ("auto", "nadeau-bengio", "bayesian")
CORRECTED = "corrected resampled t"
SAME = 1e-10  # differences as close as that, relative, differ by rounding: they show no spread


def corrected_t(
    differences: object,
    test_share: float,
    *,
    alternative: str = "two-sided",
    margin: float | None = None,
    level: float = 0.95,
) -> TestResult:
    """Test paired differences over splits of one data set with the corrected resampled t (Nadeau and Bengio 2003).

    Splits share rows, so that their differences are correlated and a plain t-test finds too much. The variance of
    the mean of J differences is taken as (1/J + q/(1 - q)) s^2 instead of s^2 / J, q being the share of rows tested;
    the statistic is compared with Student's t of J - 1 degrees of freedom.

    Parameters
    ----------
    differences : array-like
        First minus second, one per split; of k folds repeated r times, k r of them.
    test_share : float
        Share of rows tested in a split: 1/k for k folds.
    alternative, margin, level
        As in :func:`rocsteady.compare_auc`.

    Returns
    -------
    TestResult
        Differences that are all equal show no spread, so that interval and p are NaN, with a remark; if all are 0, a
        two-sided or one-sided p is 1.

    Examples
    --------
    >>> found = corrected_t([0.02, 0.04, 0.06], test_share=0.25)
    >>> round(found.estimate, 3), round(found.se, 5), round(found.statistic, 4), found.df
    (0.04, 0.01633, 2.4495, 2)
    """
    check_alternative(alternative, margin)
    check_level(level)
    mean, se, n = _moments(differences, test_share)
    if se == 0:
        return _without_spread(mean, n, alternative, margin, level)
    found = result_of(NormalDifference(mean, se, n - 1), alternative, margin, level, CORRECTED)
    return replace(found, warnings=())


def _without_spread(mean: float, n: int, alternative: str, margin: float | None, level: float) -> TestResult:
    """Undefined: equal differences do not tell how much others would differ. No difference at all is no evidence."""
    found = result_of(NormalDifference(mean, math.nan, n - 1), alternative, margin, level, CORRECTED)
    found = replace(found, warnings=_same_everywhere(mean))
    return replace(found, statistic=0.0, pvalue=1.0, se=0.0) if mean == 0 and margin is None else found


def correlated_posterior(
    differences: object, test_share: float, *, rope: float = 0.01, level: float = 0.95
) -> BayesianComparison:
    """Posterior of the mean difference over splits: the Bayesian correlated t-test (Corani and Benavoli 2015).

    Student's t around the mean with scale sqrt((1/J + q/(1 - q)) s^2) and J - 1 degrees of freedom, the flat-prior
    counterpart of :func:`corrected_t`. Differences that are all equal have no posterior: NaN, with a remark.

    Parameters
    ----------
    differences, test_share
        As in :func:`corrected_t`.
    rope : float
        Region of practical equivalence: learners whose difference is between -rope and rope are alike.
    level : float
        Probability of the credible interval.

    Returns
    -------
    BayesianComparison

    Examples
    --------
    >>> found = correlated_posterior([0.02, 0.04, 0.06], test_share=0.25)
    >>> round(found.p_left, 4), round(found.p_rope, 4), round(found.p_right, 4)
    (0.0461, 0.0577, 0.8962)
    """
    from scipy.special import stdtr

    check_level(level)
    if not (is_number(rope) and 0 <= rope < math.inf):
        raise ArgumentError("rope", f"rope must be a number >= 0, the difference that does not matter; got {rope!r}")
    mean, scale, n = _moments(differences, test_share)
    known = scale if scale > 0 else math.nan
    reach = quantile_of(level, df=n - 1) * known
    left, right = (float(stdtr(n - 1, (-rope - away) / known)) for away in (mean, -mean))
    return BayesianComparison(
        p_left=left,
        p_rope=max(1 - left - right, 0.0) if scale > 0 else math.nan,
        p_right=right,
        estimate=mean,
        scale=scale,
        df=n - 1,
        rope=float(rope),
        test_share=float(test_share),
        low=mean - reach,
        high=mean + reach,
        level=level,
        warnings=() if scale > 0 else _same_everywhere(mean),
    )


@typed
def compare_learners(
    first: object,
    second: object,
    *,
    test_share: float,
    method: str = "auto",
    rope: float | None = None,
    alternative: str = "two-sided",
    margin: float | None = None,
    level: float = 0.95,
) -> TestResult | BayesianComparison:
    """Compare two learners by a value per fold, such as AUC or accuracy, on the same folds.

    Parameters
    ----------
    first, second : array-like
        One value per split of each learner, splits in the same order; higher means better.
    test_share : float
        Share of rows tested in a split: 1/k for k folds, also when they are repeated.
    method : {"auto", "nadeau-bengio", "bayesian"}
        A test, see :func:`corrected_t`, which "auto" takes, or a posterior, see :func:`correlated_posterior`.
    rope : float, optional
        For "bayesian": the difference that does not matter, 0.01 unless given.
    alternative, margin
        For "nadeau-bengio", as in :func:`rocsteady.compare_auc`.
    level : float
        Of the interval.

    Returns
    -------
    TestResult or BayesianComparison
        About first minus second.

    Examples
    --------
    >>> import rocsteady as rs
    >>> first, second = [0.84, 0.81, 0.86, 0.83, 0.80], [0.82, 0.80, 0.83, 0.82, 0.80]
    >>> print(rs.inference.compare_learners(first, second, test_share=1 / 5))
    +0.0140 [-0.0072, +0.0352] (0.95 level), p = 0.141 (corrected resampled t, chosen by auto);
    alternative: first and second differ
    >>> print(rs.inference.compare_learners(first, second, test_share=1 / 5, method="bayesian"))
    first better 0.6857, alike within 0.01 0.2969, second better 0.0175;
    difference +0.0140 [-0.0072, +0.0352] (0.95 credible)
    """
    check_choice("method", method, METHODS)
    values = [_values(column, name) for column, name in ((first, "first"), (second, "second"))]
    if values[0].size != values[1].size:
        text = (
            f"first has {format_count(values[0].size)} values and second {format_count(values[1].size)}; "
            "pass one per split, in the same order"
        )
        raise InputError("lengths_differ", text)
    differences = values[0] - values[1]
    differences[np.abs(differences) <= rounding(1, *values[0].tolist(), *values[1].tolist())] = 0.0
    if method == "bayesian":
        if alternative != "two-sided" or margin is not None:
            raise ArgumentError("alternative", "a posterior answers every alternative: leave it out, and set rope=")
        return correlated_posterior(differences, test_share, rope=0.01 if rope is None else rope, level=level)
    if rope is not None:
        raise ArgumentError(
            "rope", Sentence("rope is of {method='bayesian'}; a test takes {margin=} and an alternative")
        )
    found = corrected_t(differences, test_share, alternative=alternative, margin=margin, level=level)
    return replace(found, auto=method == "auto")


def _moments(differences: object, test_share: float) -> tuple[float, float, int]:
    """Mean, corrected standard error, and number of splits."""
    if not (is_number(test_share) and 0 < test_share < 1):
        raise ArgumentError("test_share", f"test_share must lie between 0 and 1, 1/k for k folds; got {test_share!r}")
    found = _values(differences, "differences")
    n = found.size
    if n < 2:
        raise InputError("one_split", f"there is {n} difference: the spread over splits needs at least two")
    if np.abs(found).max() > 1e150:
        raise InputError("not_finite", "the differences are too large to be squared; rescale them")
    if float(np.ptp(found)) <= SAME * float(np.abs(found).max()):  # rounding must not invent a spread
        return float(found[0]), 0.0, n
    mean = settled(float(found.mean()), rounding(n, *found.tolist()))
    return mean, math.sqrt((1 / n + test_share / (1 - test_share)) * float(found.var(ddof=1))), n


def _values(column: object, name: str) -> Array:
    shape = np.shape(column) if isinstance(column, np.ndarray) else ()
    if len(shape) > 1:
        text = f"{name} has shape {shape}, as of repeats and folds; pass all values in one row, {name}.ravel()"
        raise InputError("not_one_dimensional", f"{text}, each learner's in the same order")
    values, gap = read_column(column, name, numbers_follow=True)
    if gap is not None:
        rows = np.flatnonzero(gap)
        raise InputError(
            "undefined_split",
            f"{name}: {format_count(rows.size)} undefined, {first_rows(rows, total=rows.size)}; "
            "a fold with one class has no AUC: "
            "stratify the folds, or leave these splits out of both learners",
        )
    numbers = doubles_of(values, name)
    if not np.isfinite(numbers).all():
        raise InputError("not_finite", f"{name} holds an infinite value; differences of it mean nothing")
    return numbers


def _same_everywhere(mean: float) -> tuple[Remark, ...]:
    return (Remark("splits_agree" if mean else "splits_alike"),)
