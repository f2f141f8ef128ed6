"""A measure of all classes where scikit-learn wants a scorer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from warnings import warn

from rocsteady._src.base.errors import Undefined, UndefinedWarning
from rocsteady._src.designs.classes.estimates import JudgedClasses
from rocsteady._src.designs.classes.names import KNOWN, class_measure
from rocsteady._src.designs.classes.scores_by_class import read_classes
from rocsteady._src.inputs.estimators import classes_of, response_of, scores_by_class
from rocsteady._src.measures.requests import parse_call

if TYPE_CHECKING:
    from collections.abc import Callable

# What scikit-learn calls them, and our own function of averaged areas.
RATIOS, KINDS = ("precision", "recall", "f1"), ("macro", "weighted")
OTHER_NAMES = {
    "multiclass_auc": "macro_auc",
    "roc_auc_ovr": "macro_auc",
    "roc_auc_ovr_weighted": "weighted_auc",
    "roc_auc_ovo": "hand_till_auc",
    **{f"{ratio}_{kind}": f"{kind}_{ratio}" for ratio in RATIOS for kind in KINDS},
}


def of_classes(measure: Any, params: dict[str, Any]) -> str | None:
    """The name of a measure of all classes, with its parameters; None where there is no such one."""
    if not isinstance(measure, str):
        return None
    base, inside = parse_call(measure.strip())
    name = OTHER_NAMES.get(base, base)
    if name not in KNOWN:
        return None
    given = {**inside, **params}
    written = ", ".join(f"{key}={value!r}" for key, value in given.items())
    return f"{name}({written})" if given else name


@dataclass(frozen=True, slots=True)
class ClassScorer:
    """Called with estimator, features and labels; losses are negated, as scikit-learn does.

    ``of_two`` judges estimators that know two classes, where the measure is one of two classes too.
    """

    name: str
    of_two: Callable[..., float] | None = None

    def __call__(self, estimator: Any, X: Any, y_true: Any, sample_weight: Any = None) -> float:  # noqa: N803 - theirs
        """The value on these rows."""
        classes = classes_of(estimator, type(estimator).__name__)
        if self.of_two is not None and len(classes) == 2:
            weighted = {} if sample_weight is None else {"sample_weight": sample_weight}
            return self.of_two(estimator, X, y_true, **weighted)
        measure = class_measure(self.name)
        response = response_of(estimator, "predict_proba" if measure.probabilities else None)
        scores = scores_by_class(estimator, X, response)
        rows = read_classes(y_true, scores, labels=classes, sample_weight=sample_weight)
        found = JudgedClasses(rows).estimate(self.name)
        if isinstance(found, Undefined):
            warn(UndefinedWarning(found.reason, f"{self.name} is undefined: {found.explanation}"), stacklevel=2)
            return found
        return found.value if measure.higher else -found.value

    def __repr__(self) -> str:
        return f"scorer({self.name!r})"
