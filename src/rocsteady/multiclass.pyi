"""More than two classes.

Made by ``python -m tools.signatures``.
"""

from collections.abc import Sequence
from numpy.typing import NDArray
from rocsteady._src.designs.classes.auc import ClassSizes
from rocsteady._src.designs.classes.auc import Method
from rocsteady._src.designs.classes.auc import compare_multiclass_auc as compare_multiclass_auc
from rocsteady._src.designs.classes.averaged import Absent
from rocsteady._src.designs.classes.averages import AverageName
from rocsteady._src.designs.classes.averages import Scheme
from rocsteady._src.designs.classes.calibration import multiclass_calibration_error as multiclass_calibration_error
from rocsteady._src.designs.classes.curves import multiclass_curves as multiclass_curves
from rocsteady._src.designs.classes.evaluation import evaluate_multiclass as evaluate_multiclass
from rocsteady._src.designs.classes.measures import multiclass_confusion as multiclass_confusion
from rocsteady._src.designs.classes.measures import multiclass_measures as multiclass_measures
from rocsteady._src.designs.classes.measures import top_k_accuracy as top_k_accuracy
from rocsteady._src.designs.classes.ordered_volume import ordinal_auc as ordinal_auc
from rocsteady._src.evaluation.classes.called_models import CalledClasses as CalledClasses
from rocsteady._src.evaluation.classes.called_models import CalledModels as CalledModels
from rocsteady._src.evaluation.classes.called_parts import CalledFolds as CalledFolds
from rocsteady._src.evaluation.classes.called_parts import CalledGroups as CalledGroups
from rocsteady._src.evaluation.classes.classes_by_fold import MulticlassFolds as MulticlassFolds
from rocsteady._src.evaluation.classes.grouped import MulticlassGroups as MulticlassGroups
from rocsteady._src.evaluation.classes.models import MulticlassModels as MulticlassModels
from rocsteady._src.evaluation.labels.models import MultilabelFolds as MultilabelFolds
from rocsteady._src.evaluation.labels.models import MultilabelGroups as MultilabelGroups
from rocsteady._src.evaluation.labels.models import MultilabelModels as MultilabelModels
from rocsteady._src.inputs.clean import Missing
from rocsteady._src.inputs.weights import WeightType
from rocsteady._src.results import Interval
from typing import Any
from typing import overload
import numpy as np

__all__ = [
    "CalledClasses",
    "CalledFolds",
    "CalledGroups",
    "CalledModels",
    "MulticlassFolds",
    "MulticlassGroups",
    "MulticlassModels",
    "MultilabelFolds",
    "MultilabelGroups",
    "MultilabelModels",
    "compare_multiclass_auc",
    "evaluate_multiclass",
    "multiclass_auc",
    "multiclass_auc_interval",
    "multiclass_calibration_error",
    "multiclass_confusion",
    "multiclass_curves",
    "multiclass_measures",
    "ordinal_auc",
    "top_k_accuracy",
]

@overload
def multiclass_auc(
    y_true: object,
    y_score: object,
    *,
    average: AverageName = 'macro',
    scheme: Scheme = 'ovr',
    labels: object = None,
    sample_weight: object = None,
    missing: Missing = 'raise',
    classes_averaged: Sequence[Any] | None = None,
    absent: Absent = 'undefined',
) -> float: ...

@overload
def multiclass_auc(
    y_true: object,
    y_score: object,
    *,
    average: None,
    scheme: Scheme = 'ovr',
    labels: object = None,
    sample_weight: object = None,
    missing: Missing = 'raise',
    classes_averaged: Sequence[Any] | None = None,
    absent: Absent = 'undefined',
) -> NDArray[np.float64]: ...

@overload
def multiclass_auc_interval(
    y_true: object,
    y_score: object,
    *,
    average: AverageName = 'macro',
    scheme: Scheme = 'ovr',
    labels: object = None,
    method: Method = 'auto',
    level: float = 0.95,
    class_sizes: ClassSizes = 'random',
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    missing: Missing = 'raise',
    classes_averaged: Sequence[Any] | None = None,
    absent: Absent = 'undefined',
) -> Interval: ...

@overload
def multiclass_auc_interval(
    y_true: object,
    y_score: object,
    *,
    average: None,
    scheme: Scheme = 'ovr',
    labels: object = None,
    method: Method = 'auto',
    level: float = 0.95,
    class_sizes: ClassSizes = 'random',
    sample_weight: object = None,
    weight_type: WeightType | None = None,
    cluster: object = None,
    missing: Missing = 'raise',
    classes_averaged: Sequence[Any] | None = None,
    absent: Absent = 'undefined',
) -> dict[Any, Interval]: ...
