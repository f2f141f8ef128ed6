"""p-values of many tests at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocsteady.ranked import sorted_distinct
from rocsteady.uncertainty.normal import check_choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

METHODS = ("holm", "bh", "none")


def adjust_pvalues(pvalues: Sequence[float], method: str = "holm") -> NDArray[np.float64]:
    """Adjust p-values: "holm" bounds the chance of any false finding, "bh" the share of false findings.

    NaN ones stay NaN and are not counted.

    Parameters
    ----------
    pvalues : sequence of float
        One per test.
    method : {"holm", "bh", "none"}
        Holm 1979, Benjamini and Hochberg 1995, or no adjustment.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> adjust_pvalues([0.01, 0.04, 0.03]).round(4).tolist()
    [0.03, 0.06, 0.06]
    >>> adjust_pvalues([0.01, 0.04, 0.03], "bh").round(4).tolist()
    [0.03, 0.04, 0.04]
    """
    check_choice("adjust", method, METHODS)
    found = np.asarray(pvalues, dtype=np.float64)
    known = ~np.isnan(found)
    p, m = found[known], int(known.sum())
    adjusted = np.full(found.size, np.nan)
    if method == "none" or m == 0:
        return found.copy()
    distinct, place = sorted_distinct(p)
    last = np.bincount(place).cumsum()  # rank of the last of equal ones, from 1
    first = np.concatenate([[0], last[:-1]])
    if method == "holm":
        values = np.maximum.accumulate(distinct * (m - first))
    else:
        values = np.minimum.accumulate((distinct * m / last)[::-1])[::-1]
    adjusted[known] = np.minimum(values, 1.0)[place]
    return adjusted
