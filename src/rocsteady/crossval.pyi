"""Scores of a cross-validation, fold by fold.

Made by ``python -m tools.signatures``.
"""

from rocsteady._src.designs.folds.auc import UndefinedFolds
from rocsteady._src.designs.folds.auc import crossval_auc as crossval_auc
from rocsteady._src.designs.folds.counts import crossval_confusion as crossval_confusion
from rocsteady._src.designs.folds.curves import averaged_roc as averaged_roc
from rocsteady._src.designs.folds.evaluate import crossval_evaluate as crossval_evaluate
from rocsteady._src.designs.folds.scores import crossval_scores as crossval_scores
from rocsteady._src.evaluation.crossval_estimators import crossval_evaluate_estimators as crossval_evaluate_estimators
from rocsteady._src.inputs.clean import Missing
from rocsteady._src.inputs.weights import WeightType
from rocsteady._src.results import TestResult
from rocsteady._src.results.crossval import BayesianComparison
from typing import Any
from typing import Literal
from typing import overload

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

@overload
def compare_crossval(
    y_true: object,
    first: object,
    second: object = None,
    *,
    fold: object = None,
    repeat: object = None,
    id: object = None,
    cluster: object = None,
    method: Literal['auto', 'nadeau-bengio', 'influence'] = 'auto',
    rope: float | None = None,
    test_share: float | None = None,
    alternative: str = 'two-sided',
    margin: float | None = None,
    level: float = 0.95,
    undefined: UndefinedFolds = 'nan',
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    pos_label: Any = None,
    missing: Missing = 'raise',
) -> TestResult: ...

@overload
def compare_crossval(
    y_true: object,
    first: object,
    second: object = None,
    *,
    fold: object = None,
    repeat: object = None,
    id: object = None,
    cluster: object = None,
    method: Literal['bayesian'],
    rope: float | None = None,
    test_share: float | None = None,
    alternative: str = 'two-sided',
    margin: float | None = None,
    level: float = 0.95,
    undefined: UndefinedFolds = 'nan',
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    pos_label: Any = None,
    missing: Missing = 'raise',
) -> BayesianComparison: ...

@overload
def compare_learners(
    first: object,
    second: object,
    *,
    test_share: float,
    method: Literal['auto', 'nadeau-bengio'] = 'auto',
    rope: float | None = None,
    alternative: str = 'two-sided',
    margin: float | None = None,
    level: float = 0.95,
) -> TestResult: ...

@overload
def compare_learners(
    first: object,
    second: object,
    *,
    test_share: float,
    method: Literal['bayesian'],
    rope: float | None = None,
    alternative: str = 'two-sided',
    margin: float | None = None,
    level: float = 0.95,
) -> BayesianComparison: ...
