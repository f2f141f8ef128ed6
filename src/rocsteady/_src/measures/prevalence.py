"""Predictive values where another share of the rows is positive than here, by Bayes' rule."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rocsteady._src.base.errors import Undefined

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
