"""The threshold of each of several models: one for all, a rule, or what stands for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number, some_values
from rocsteady._src.measures.best_threshold import chosen_by, is_rule
from rocsteady._src.measures.confusion import checked_threshold
from rocsteady._src.measures.reaches_threshold import first_reached
from rocsteady._src.measures.threshold_rules import read_rule
from rocsteady._src.results.as_threshold import AsThreshold

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from rocsteady._src.ranked import RankedScores

    OneThreshold: TypeAlias = float | str | AsThreshold | Callable[..., Any]
    ThresholdOrRule: TypeAlias = OneThreshold | Mapping[str, OneThreshold] | None


def threshold_of_each(ranked: dict[str, RankedScores], threshold: Any) -> dict[str, float]:
    """Thresholds by model: a number or a choice for all, a rule for each, or a mapping of models to any of them."""
    if isinstance(threshold, Mapping):
        _refuse_others(ranked, threshold)
    given = threshold if isinstance(threshold, Mapping) else dict.fromkeys(ranked, threshold)
    return {model: _threshold(groups, given[model]) for model, groups in ranked.items()}


def places_called(ranked: dict[str, RankedScores], threshold: Any) -> dict[str, int]:
    """From which group on each model calls positive."""
    thresholds = threshold_of_each(ranked, threshold)
    return {model: int(first_reached(groups.scores, thresholds[model])) for model, groups in ranked.items()}


def rules_of_models(threshold: Any) -> Any:
    """The rule that chose thresholds on the rows, of all models or by model; None where they were given."""
    if isinstance(threshold, Mapping):
        return {model: each for model, each in threshold.items() if is_rule(each)} or None
    return threshold if is_rule(threshold) else None


def rule_of_model(rules: Any, model: str) -> Any:
    """The rule of one model; None where its threshold was given."""
    return rules.get(model) if isinstance(rules, Mapping) else rules


def _refuse_others(ranked: dict[str, RankedScores], given: Mapping[str, Any]) -> None:
    left, more = [model for model in ranked if model not in given], [name for name in given if name not in ranked]
    if left or more:
        wrong = f"none for {some_values(left)}" if left else f"one for {some_values(more)}, which is no model"
        raise ArgumentError("threshold", f"threshold must hold one entry per model, and there is {wrong}")


def _threshold(groups: RankedScores, given: Any) -> float:
    if is_rule(given):
        given = chosen_by(read_rule(given), groups)
    if isinstance(given, AsThreshold):
        given = given.threshold
    if np.ndim(given) or not is_number(given):
        text = f"evaluate takes one threshold, a rule or a dict of models, got {some_values([given])}"
        several = "; counts and rates at several: rs.confusion(y, s, threshold=[...])" if np.ndim(given) == 1 else ""
        raise ArgumentError("threshold", f"{text}{several}")
    found: float = checked_threshold(groups, given)
    return found
