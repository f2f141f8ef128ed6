"""Scores of a cross-validation, fold by fold."""

from rocsteady._src.designs.folds.auc import (
    crossval_auc,
)
from rocsteady._src.designs.folds.compare import (
    compare_crossval,
)
from rocsteady._src.designs.folds.counts import (
    crossval_confusion,
)
from rocsteady._src.designs.folds.curves import (
    averaged_roc,
)
from rocsteady._src.designs.folds.evaluate import (
    crossval_evaluate,
)
from rocsteady._src.designs.folds.scores import (
    crossval_scores,
)
from rocsteady._src.evaluation.crossval_estimators import (
    crossval_evaluate_estimators,
)
from rocsteady._src.inference.comparison.learners import (
    compare_learners,
)

__all__ = [
    "averaged_roc",
    "compare_crossval",
    "compare_learners",
    "crossval_auc",
    "crossval_confusion",
    "crossval_evaluate",
    "crossval_evaluate_estimators",
    "crossval_scores",
]
