"""p-values of many tests at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.base.errors import InputError, first_rows
from rocsteady._src.base.text import format_count, format_setting
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.intervals.normal import check_choice
from rocsteady._src.ranked import sorted_distinct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

METHODS = ("holm", "bh", "by", "none")


@typed
def adjust_pvalues(pvalues: Sequence[float], method: str = "holm") -> NDArray[np.float64]:
    """Adjust p-values: "holm" bounds the chance of any false finding, "bh" and "by" the share of false findings.

    NaN ones stay NaN and are not counted.

    Parameters
    ----------
    pvalues : sequence of float
        One per test.
    method : {"holm", "bh", "by", "none"}
        Holm 1979; Benjamini and Hochberg 1995, for tests that are independent or positively related; Benjamini and
        Yekutieli 2001, however they are related; or no adjustment.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> adjust_pvalues([0.01, 0.04, 0.03]).round(4).tolist()
    [0.03, 0.06, 0.06]
    >>> adjust_pvalues([0.01, 0.04, 0.03], "bh").round(4).tolist()
    [0.03, 0.04, 0.04]
    >>> adjust_pvalues([0.01, 0.04, 0.03], "by").round(4).tolist()
    [0.055, 0.0733, 0.0733]
    """
    check_choice("adjust", method, METHODS)
    found = _checked(pvalues)
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
        penalty = float((1 / np.arange(1, m + 1)).sum()) if method == "by" else 1.0
        values = np.minimum.accumulate((distinct * penalty * m / last)[::-1])[::-1]
    adjusted[known] = np.minimum(values, 1.0)[place]
    return adjusted


def _checked(pvalues: Sequence[float]) -> NDArray[np.float64]:
    """One number per test, between 0 and 1 or NaN."""
    try:
        given = np.asarray(pvalues)
        with np.errstate(over="ignore"):  # a long double beyond all doubles is infinite, and refused as such
            found = given.astype(np.float64, casting="safe" if given.dtype.kind in "cSUmM" else "unsafe")
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError("pvalue_type", "pvalues must hold one number per test") from error
    if found.ndim != 1:
        raise InputError("pvalue_shape", f"pvalues must be a list of numbers, got {found.ndim} dimensions")
    outside = np.flatnonzero((found < 0) | (found > 1))
    if outside.size:
        text = (
            f"pvalues: {format_count(outside.size)} outside [0, 1], {first_rows(outside, total=outside.size)}, such as"
        )
        raise InputError("pvalue_range", f"{text} {format_setting(found[outside[0]])}; a p-value is a probability")
    return found
