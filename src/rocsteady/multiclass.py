"""More than two classes."""

from rocsteady._src.designs.classes.auc import (
    compare_multiclass_auc,
    multiclass_auc,
    multiclass_auc_interval,
)
from rocsteady._src.designs.classes.calibration import (
    multiclass_calibration_error,
)
from rocsteady._src.designs.classes.curves import (
    multiclass_curves,
)
from rocsteady._src.designs.classes.evaluation import (
    evaluate_multiclass,
)
from rocsteady._src.designs.classes.measures import (
    multiclass_confusion,
    multiclass_measures,
    top_k_accuracy,
)
from rocsteady._src.designs.classes.ordered_volume import (
    ordinal_auc,
)
from rocsteady._src.evaluation.classes.called_models import (
    CalledClasses,
    CalledModels,
)
from rocsteady._src.evaluation.classes.called_parts import (
    CalledFolds,
    CalledGroups,
)
from rocsteady._src.evaluation.classes.classes_by_fold import (
    MulticlassFolds,
)
from rocsteady._src.evaluation.classes.grouped import (
    MulticlassGroups,
)
from rocsteady._src.evaluation.classes.models import (
    MulticlassModels,
)
from rocsteady._src.evaluation.labels.models import (
    MultilabelFolds,
    MultilabelGroups,
    MultilabelModels,
)

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
