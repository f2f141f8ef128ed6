"""Promises about rows that come in subjects: the mean over subjects of the share of a subject's rows that err.

Rows of a subject may depend on each other in any way; subjects are independent and alike. The share of errors among a
subject's rows lies between 0 and 1, and a mean of n such shares falls to a value or below no more often than the
inequalities of Hoeffding and Bentkus allow, whatever they are distributed like. The mean grows as the threshold lets in
more, so the furthest step whose tail at the bound is within the risk keeps the promise, as of single rows.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.inference.operating.binomial_tails import at_most_so_many
from rocsteady._src.inference.operating.promised import Stop

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inference.operating.guarantee import Promise
    from rocsteady._src.ranked import Rows

    Array = NDArray[np.float64]

STEPS, DIGITS = 60, 9


def mean_tail(mean: float, n: int, rate: float) -> float:
    """How often at the most the mean of n shares, whose expectation is ``rate``, falls to ``mean`` or below.

    Examples
    --------
    >>> round(mean_tail(0.0, 59, 0.05), 4), round(mean_tail(0.02, 500, 0.05), 6)  # 0.95^59, and between bounds
    (0.0485, 0.00125)
    """
    if mean >= rate:
        return 1.0
    apart = 0.0 if mean == 0 else mean * math.log(mean / rate)
    hoeffding = math.exp(-n * (apart + (1 - mean) * math.log((1 - mean) / (1 - rate))))
    bentkus = math.e * float(at_most_so_many(math.ceil(round(n * mean, DIGITS)), n, rate))
    return min(hoeffding, bentkus, 1.0)


def largest_mean(n: int, rate: float, risk: float) -> float:
    """The largest mean share that still shows the rate; below 0 where none does.

    Examples
    --------
    >>> largest_mean(58, 0.05, 0.05), round(largest_mean(300, 0.1, 0.05), 4)
    (-1.0, 0.0633)
    """
    if mean_tail(0.0, n, rate) > risk:
        return -1.0
    low, high = 0.0, rate
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if mean_tail(middle, n, rate) <= risk else (low, middle)
    return round(high, DIGITS)


class SubjectShares:
    """Of the subjects that have rows of a class: what each row adds to the mean share, and how many they are."""

    def __init__(self, rows: Rows, promise: Promise) -> None:
        among = rows.positive if promise.whose == "positives" else ~rows.positive
        subjects = np.asarray(rows.clusters)[among]
        weights = np.ones(subjects.size) if rows.weights is None else rows.weights[among].astype(np.float64)
        sizes = np.bincount(subjects, weights, rows.n_clusters)
        self.n = int(np.count_nonzero(sizes))
        self.single = bool(
            np.bincount(subjects, minlength=rows.n_clusters).max(initial=0) <= 1 and rows.weights is None
        )
        share = weights / sizes[subjects] / max(self.n, 1)
        added: Any = np.bincount(rows.places[0][among], share, rows.ranked[0].scores.size)
        self.added: Array = added

    def stop(self, promise: Promise, rate: float, risk: float) -> Stop | None:
        """Where to stop so that the mean share of errors is shown to be within the rate; None if nothing shows it."""
        most = largest_mean(self.n, rate, risk)
        if most < 0:
            return None
        errors = self.errors(promise)
        kept = np.flatnonzero(np.round(errors, DIGITS) <= most)
        return Stop(int(kept[-1]), above=True) if promise.errors == "fp" else Stop(int(kept[0]), above=False)

    def errors(self, promise: Promise) -> Array:
        """Mean share of errors at each step of the walk down the scores."""
        if promise.errors == "fp":
            return np.concatenate([[0.0], self.added[::-1].cumsum()])
        below: Any = np.concatenate([[0.0], self.added.cumsum()])[::-1]
        return np.asarray(below, dtype=np.float64)
