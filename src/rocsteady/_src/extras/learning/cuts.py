"""Where a fitted model cuts its scores: at even chances, or where a rule for thresholds says."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.measures.best_threshold import chosen_by
from rocsteady._src.measures.threshold_rules import read_rule
from rocsteady._src.ranked import RankedScores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.measures.rule import Rule

    Array = NDArray[np.float64]

EVEN_CHANCES = "probability"


def read_cut(threshold: object) -> Rule | None:
    """A rule, also as a pair of its name and the rate to be held; None where probabilities are even."""
    if isinstance(threshold, str) and threshold == EVEN_CHANCES:
        return None
    try:
        if isinstance(threshold, (tuple, list)) and len(threshold) == 2:
            return read_rule(threshold[0], {"value": threshold[1]})
        return read_rule(threshold)
    except ArgumentError as error:
        told = Sentence(
            "{told}; {even!r} cuts where the probability is one half", told=error.sentence, even=EVEN_CHANCES
        )
        raise ArgumentError("threshold", told) from error


def cut_by_rule(scores: Array, positive: NDArray[np.bool_], weights: Array, rule: Rule) -> float:
    """Halfway between the threshold that the rule chooses and the next lower score, so that no score lies on it."""
    ranked = RankedScores.from_arrays(positive, scores, sample_weight=weights, pos_label=True)
    threshold = float(chosen_by(rule, ranked))
    if threshold == math.inf:
        return float(np.nextafter(ranked.scores[-1], math.inf))
    place = int(np.searchsorted(ranked.scores, threshold))
    if place == 0:
        return float(np.nextafter(ranked.scores[0], -math.inf))
    lower = float(ranked.scores[place - 1])
    return lower + (threshold - lower) / 2
