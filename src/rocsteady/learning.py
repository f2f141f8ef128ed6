"""Learning by AUC: train for the order of positives and negatives, without touching P*N pairs.

``AUCClassifier`` needs scikit-learn and loads it when it is first touched; the rest needs NumPy and SciPy only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.extras.learning.boosting import lightgbm_objective, xgboost_objective
from rocsteady._src.extras.learning.gradients import pairwise_loss_and_gradient

if TYPE_CHECKING:
    from rocsteady._src.extras.learning.classifier import AUCClassifier

__all__ = ["AUCClassifier", "lightgbm_objective", "pairwise_loss_and_gradient", "xgboost_objective"]


def __getattr__(name: str) -> Any:
    """Load the classifier, and scikit-learn with it, when it is asked for."""
    if name != "AUCClassifier":
        raise AttributeError(f"module 'rocsteady.learning' has no attribute {name!r}")
    from rocsteady._src.extras.learning.classifier import AUCClassifier

    globals()[name] = AUCClassifier
    return AUCClassifier


def __dir__() -> list[str]:
    return list(__all__)
