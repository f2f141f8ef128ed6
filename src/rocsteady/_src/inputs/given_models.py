"""Models where labels and scores belong, and scores with names as scikit-learn writes models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.near_names import holds_models

RETURNED = "this is what cross_validate returned: use rs.crossval_evaluate_estimators(returned, X, y)"


def is_cross_validated(value: Any) -> bool:
    """Whether this is what ``cross_validate`` returned."""
    return isinstance(value, Mapping) and "fit_time" in value and "score_time" in value


def refuse_models(*given: object) -> None:
    """Fitted models have a door of their own."""
    for each in given:
        if is_cross_validated(each):
            text = f"{RETURNED}, after return_estimator=True, return_indices=True"
            raise ArgumentError("models_given", text)
        if holds_models(each):
            text = "these are models, not labels and scores: use rs.evaluate_estimators(models, X, y)"
            raise ArgumentError("models_given", f"{text}, or rs.crossval_evaluate_estimators(models, X, y)")


def by_name(scores: Any) -> Any:
    """Pairs of a name and a column, as scikit-learn writes models, as a mapping of them."""
    pairs = isinstance(scores, list) and all(isinstance(each, tuple) and len(each) == 2 for each in scores)
    named = pairs and scores and all(isinstance(name, str) and not isinstance(each, str) for name, each in scores)
    return dict(scores) if named else scores
