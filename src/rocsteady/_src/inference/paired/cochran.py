"""Whether several models have the same share of the rows right: Cochran's Q, for rows or whole subjects."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.results import TestResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def cochran_test(
    right: Sequence[NDArray[np.bool_]],
    weights: NDArray[Any] | None = None,
    clusters: NDArray[np.int64] | None = None,
    **facts: Any,
) -> TestResult:
    """Cochran's Q (1950): if models are alike, any of them may have any of the answers of a row, or of a subject.

    What the models have right in a unit is compared with their mean there; sums over units are then as far from 0 as
    the squares of these allow. With one row per subject this is Cochran's own formula, with two models McNemar's.

    Examples
    --------
    >>> first, second, third = (np.array(each, bool) for each in ([1, 1, 1, 0], [1, 0, 0, 0], [1, 1, 0, 0]))
    >>> found = cochran_test([first, second, third])
    >>> round(found.statistic, 4), round(found.pvalue, 4)
    (3.0, 0.2231)
    """
    from scipy.special import chdtrc

    answers = np.array([column.astype(np.float64) for column in right])
    if weights is not None and clusters is not None:
        answers = answers * weights
    if clusters is not None:
        answers = np.array([np.bincount(clusters, line) for line in answers])
    off = answers - answers.mean(axis=0)
    times = weights.astype(np.float64) if weights is not None and clusters is None else np.ones(off.shape[1])
    sums, squares = off @ times, float((off * off).sum(axis=0) @ times)
    df = len(right) - 1
    statistic = df * float(sums @ sums) / squares if squares > 0 else 0.0
    pvalue = float(chdtrc(df, statistic)) if squares > 0 else 1.0
    words = f"omnibus Cochran's Q on {df} degrees of freedom" + ("" if clusters is None else ", by cluster")
    shares = np.average(np.array(right), axis=1, weights=weights)
    apart, nothing, told = float(shares.max() - shares.min()), math.nan, "not all models are alike"
    return TestResult(statistic, pvalue, apart, nothing, nothing, "two-sided", words, told, df=float(df), **facts)
