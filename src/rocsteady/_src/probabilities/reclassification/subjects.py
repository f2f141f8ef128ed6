"""Covariance of class means when subjects, not rows, are independent: sums over the rows of a subject."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.probabilities.reclassification.rows import TwoModels

    Array = NDArray[np.float64]


def unbiased(n_subjects: int, n_rows: float) -> float:
    """Divide by one subject less, as a variance over rows divides by one row less."""
    return n_subjects / (n_subjects - 1) if n_subjects > 1 else math.nan


def as_for_rows(n_subjects: int, n_rows: float) -> float:
    """The same, less what a formula that divides by the number of rows leaves out: 1 when every row is a subject."""
    return unbiased(n_subjects, n_rows) * (n_rows - 1) / n_rows


def mean_known(n_subjects: int, n_rows: float) -> float:
    """Deviations from a mean that was not estimated need no correction."""
    return 1.0


def subject_covariance(
    rows: TwoModels, values: Array, means: Array, correction: Callable[[int, float], float]
) -> Array:
    """Covariance of the means of the events, then of the nonevents: one line of ``values`` each (Obuchowski 1997).

    ``means`` has a line for each class, events first. A subject with rows of both classes ties them together. Sums of
    products are multiplied by ``correction``: of the subjects and rows that a class has, and of all between classes.
    Frequency weights are so many rows.
    """
    clusters = rows.clusters if rows.clusters is not None else np.arange(rows.positive.size)
    n = int(clusters.max()) + 1
    weights = np.ones(rows.positive.size) if rows.weights is None else rows.weights
    n_rows = np.bincount(rows.positive, weights if rows.weight_type == "frequency" else None, 2)
    sums, own = [], []
    for side, mean in zip((1, 0), means, strict=True):
        mask = rows.positive == side
        here, share = clusters[mask], weights[mask] / weights[mask].sum()
        sums += [np.bincount(here, share * (line[mask] - centre), n) for line, centre in zip(values, mean, strict=True)]
        own.append(correction(int(np.count_nonzero(np.bincount(here))), float(n_rows[side])))
    columns = np.array(sums, dtype=np.float64)
    products: Array = columns @ columns.T
    between = correction(n, float(n_rows.sum()))
    factors = np.array([[own[0], between], [between, own[1]]])
    scaled: Array = products * np.kron(factors, np.ones((len(values), len(values))))
    return scaled
