"""Where a fitted model cuts its scores: rules by name."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.measures.best_threshold import best_threshold
from rocsteady._src.ranked import RankedScores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Rule = tuple[str, float | None]

PLAIN_RULES = ("probability", "youden", "closest_topleft", "f_beta", "cost")
RULES_OF_A_VALUE = ("sensitivity", "specificity")


def read_rule(threshold: object) -> Rule:
    """A rule by its name, or by its name and value."""
    if isinstance(threshold, str) and threshold in PLAIN_RULES:
        return threshold, None
    if isinstance(threshold, (tuple, list)) and len(threshold) == 2 and threshold[0] in RULES_OF_A_VALUE:
        name, value = threshold
        if isinstance(value, (int, float)) and 0 <= value <= 1:
            return name, float(value)
    known = ", ".join([*map(repr, PLAIN_RULES), *(f"({name!r}, share)" for name in RULES_OF_A_VALUE)])
    raise ArgumentError("threshold", f"there is no threshold rule {threshold!r}; rules: {known}")


def cut_by_rule(scores: Array, positive: NDArray[np.bool_], weights: Array, rule: Rule) -> float:
    """Halfway between the threshold that the rule chooses and the next lower score, so that no score lies on it."""
    name, value = rule
    options: dict[str, Any] = {} if value is None else {"value": value}
    ranked = RankedScores.from_arrays(positive, scores, sample_weight=weights, pos_label=True)
    threshold = float(best_threshold(ranked, rule=name, **options).threshold)
    if threshold == math.inf:
        return float(np.nextafter(ranked.scores[-1], math.inf))
    place = int(np.searchsorted(ranked.scores, threshold))
    if place == 0:
        return float(np.nextafter(ranked.scores[0], -math.inf))
    lower = float(ranked.scores[place - 1])
    return lower + (threshold - lower) / 2
