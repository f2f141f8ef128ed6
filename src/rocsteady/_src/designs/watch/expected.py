"""What a measure should be before any label is known, if scores are probabilities of a positive label.

A row of probability p is p of a positive and 1 - p of a negative. The area counts pairs of different rows only.
Standard errors are about the rows: how far another sample of them would move the expectation, by influence functions.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Found = dict[str, tuple[float, float]]


def expected_of(p: Array, rows: Array, threshold: float | None) -> Found:
    """Expected measures of rows with these probabilities, each with its standard error."""
    n = float(rows.sum())
    if not n:
        return {}
    found: Found = {"auc": expected_area(p, rows), "prevalence": _ratio(p, np.ones_like(p), rows)}
    found["brier_score"] = _ratio(p * (1 - p), np.ones_like(p), rows)
    if threshold is not None:
        called = (p >= threshold).astype(np.float64)
        one = np.ones_like(p)
        found["recall"] = _ratio(p * called, p, rows)
        found["false_positive_rate"] = _ratio((1 - p) * called, 1 - p, rows)
        found["specificity"] = _ratio((1 - p) * (1 - called), 1 - p, rows)
        found["precision"] = _ratio(p * called, called, rows)
        found["accuracy"] = _ratio(p * called + (1 - p) * (1 - called), one, rows)
    return found


def expected_area(p: Array, rows: Array) -> tuple[float, float]:
    """Expected pairs won over expected pairs, of different rows; and the standard error over rows."""
    ups, downs = rows * p, rows * (1 - p)
    alone = float(rows @ (p * (1 - p)))
    pairs = float(ups.sum() * downs.sum()) - alone
    n = float(rows.sum())
    if not pairs > 0 or n < 2:
        return math.nan, math.nan
    below = np.cumsum(downs) - downs / 2
    above = ups.sum() - np.cumsum(ups) + ups / 2
    area = (float(ups @ below) - alone / 2) / pairs
    share = float(ups.sum()) / n
    moved = p * (below - area * downs.sum()) + (1 - p) * (above - area * ups.sum())
    slope = moved / n / (share * (1 - share))  # what a row moves the area by, times n
    return area, math.sqrt(float(rows @ slope**2)) / n


def _ratio(top: Array, bottom: Array, rows: Array) -> tuple[float, float]:
    total = float(rows @ bottom)
    if not total > 0:
        return math.nan, math.nan
    value = float(rows @ top) / total
    return value, math.sqrt(float(rows @ (top - value * bottom) ** 2)) / total
