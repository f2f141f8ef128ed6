"""Predictive values where another share of the rows is positive than here, by Bayes' rule."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.base.errors import Undefined
from rocsteady._src.measures.rule import check_share
from rocsteady._src.results.base import Origin

if TYPE_CHECKING:
    from rocsteady._src.measures.confusion import Confusion


def values_at_prevalence(counts: Confusion, prevalence: float) -> tuple[float, float]:
    """Positive and negative predictive value of the rates of one threshold, where ``prevalence`` is positive.

    Examples
    --------
    >>> from rocsteady.measures import Confusion
    >>> values_at_prevalence(Confusion(tp=8, fp=2, fn=2, tn=8), 0.5)
    (0.8, 0.8)
    >>> ppv, npv = values_at_prevalence(Confusion(tp=8, fp=2, fn=2, tn=8), 0.1)
    >>> round(ppv, 4), round(npv, 4)
    (0.3077, 0.973)
    """
    hits, alarms = prevalence * counts.recall, (1 - prevalence) * counts.false_positive_rate
    misses, rightly = prevalence * counts.false_negative_rate, (1 - prevalence) * counts.specificity
    return _share(hits, alarms), _share(rightly, misses)


def counts_at_prevalence(counts: Confusion, prevalence: float) -> Confusion:
    """The counts to expect of as many rows, of which ``prevalence`` are positive: the rates stay as they are.

    They are sums of weights: intervals of them are refused, since the rows behind them are others.

    Examples
    --------
    >>> from rocsteady.measures import Confusion
    >>> there = counts_at_prevalence(Confusion(tp=8, fp=2, fn=2, tn=8), 0.1)
    >>> there.tp, there.fp, round(there.precision, 4)
    (1.6, 3.6, 0.3077)
    """
    check_share(prevalence)
    n_pos, n_neg = counts.tp + counts.fn, counts.fp + counts.tn
    total, sides = n_pos + n_neg, ((prevalence, n_pos), (1 - prevalence, n_neg))
    up, down = (total * share / np.where(size == 0, np.nan, size) for share, size in sides)
    cells = (counts.tp * up, counts.fp * down, counts.fn * up, counts.tn * down)
    tp, fp, fn, tn = (cell if np.ndim(cell) else float(cell) for cell in cells)
    origin = counts.origin or Origin(None, int(np.max(total)))
    there = replace(origin, weighted=True, weight_type="sampling")
    return replace(counts, tp=tp, fp=fp, fn=fn, tn=tn, origin=there)


def _share(part: float, other: float) -> float:
    return part / (part + other) if part + other else Undefined("zero_division")


def ppv_of_ratio(ratio: float, prevalence: float) -> float:
    """Positive predictive value of a positive likelihood ratio, which may be infinite."""
    if math.isinf(ratio):
        return 1.0 if prevalence else math.nan
    return _share(prevalence * ratio, 1 - prevalence)


def npv_of_ratio(ratio: float, prevalence: float) -> float:
    """Negative predictive value of a negative likelihood ratio, which may be infinite."""
    if math.isinf(ratio):
        return 0.0 if prevalence else math.nan
    return _share(1 - prevalence, prevalence * ratio)
