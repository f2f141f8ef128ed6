"""evaluate_estimators: fitted classifiers and rows that they have not seen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, some_values
from rocsteady._src.base.near_names import refuse_unknown
from rocsteady._src.base.typed import typed
from rocsteady._src.evaluation.evaluate import evaluate
from rocsteady._src.evaluation.options import OPTIONS
from rocsteady._src.inputs.estimators import (
    are_several,
    classes_of,
    named_estimators,
    refuse_known_rows,
    refuse_other_order,
    response_of,
    scores_by_class,
    scores_by_label,
    scores_of_class,
)
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from typing import Unpack

    from rocsteady._src.evaluation.classes.models import MulticlassModels
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.evaluation.labels.models import MultilabelModels
    from rocsteady._src.evaluation.options import OptionsOfFitted
    from rocsteady._src.results.multiclass import MulticlassEvaluation
    from rocsteady._src.results.multilabel import MultilabelEvaluation


@typed
def evaluate_estimators(
    models: Any,
    X: Any,  # noqa: N803 - as scikit-learn calls it
    y: object,
    *,
    response: str | None = None,
    **options: Unpack[OptionsOfFitted],
) -> Evaluation | MulticlassEvaluation | MulticlassModels | MultilabelEvaluation | MultilabelModels:
    """Judge fitted classifiers on rows that they have not seen.

    Parameters
    ----------
    models : mapping of str to classifier, list of classifiers, or one
        Fitted: scikit-learn's, pipelines and searches, or whatever has ``classes_`` and ``predict_proba`` or
        ``decision_function``. Those of a list are called by their class.
    X, y
        Features and labels, of several labels of a row one column for each. They are refused where an estimator keeps
        the rows it was fitted on and these are they; most do not, and then a remark reminds of it.
    response : {"predict_proba", "decision_function"}, optional
        The first that each estimator has, unless named.
    pos_label : optional
        The label of the positive class; the second of ``classes_`` when absent, as everywhere in scikit-learn.
    **options
        As of :func:`rocsteady.evaluate`: ``measures``, ``threshold``, ``intervals``, ``sample_weight``, ``cluster``,
        ``by`` and others.

    Returns
    -------
    Evaluation
        :class:`MulticlassEvaluation` for more than two classes, :class:`MulticlassModels` of several such models,
        :class:`MultilabelEvaluation` for several columns of labels; with ``by``, as :func:`rocsteady.evaluate`.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = make_classification(n_samples=300, random_state=1)
    >>> models = {"logistic": LogisticRegression(), "bayes": GaussianNB()}
    >>> for model in models.values():
    ...     _ = model.fit(X[:150], y[:150])
    >>> print(rs.evaluate_estimators(models, X[150:], y[150:], measures=["auc"]))
    model        auc
    logistic  0.9215
    bayes     0.9304
    150 rows: 78 positive, 72 negative; positive label 1; a higher score means more positive
    note: if a model was fitted on some of these rows, its values are too good; whether it was cannot be seen
    """
    refuse_unknown("evaluate_estimators", options, {*OPTIONS, "response", "by"})
    refuse_other_order("evaluate_estimators", models, X, y)
    named = named_estimators(models)
    for name, each in named.items():
        refuse_known_rows(each, X, name)
    if are_several(y):
        by_label = {name: scores_by_label(each, X, response_of(each, response), name) for name, each in named.items()}
        judged_labels: MultilabelEvaluation = _reminded(evaluate(y, _one_or_all(by_label), **options))
        return judged_labels
    classes = _common_classes(named)
    scores = {name: scores_by_class(each, X, response_of(each, response)) for name, each in named.items()}
    if len(classes) > 2:
        order = {name: [classes_of(each, name).index(label) for label in classes] for name, each in named.items()}
        of_classes = {name: values[:, order[name]] for name, values in scores.items()}
        found: MulticlassModels = _reminded(evaluate(y, _one_or_all(of_classes), classes=classes, **options))
        return found
    pos_label = options.pop("pos_label", None)
    positive = classes[-1] if pos_label is None else pos_label
    if positive not in classes:
        text = f"pos_label must be a class of the models, {some_values(classes)}, got {pos_label!r}"
        raise ArgumentError("pos_label", text)
    of_class = {
        name: scores_of_class(values, classes_of(named[name], name), positive) for name, values in scores.items()
    }
    judged: Evaluation = _reminded(evaluate(y, of_class, **{**options, "pos_label": positive}))
    return judged


def _one_or_all(scores: dict[str, Any]) -> Any:
    """The scores of one model by themselves, of several by name."""
    return next(iter(scores.values())) if len(scores) == 1 else scores


def _reminded(found: Any) -> Any:
    """The evaluation with the reminder that models flatter rows they know."""
    remark = Remark("rows_may_be_known")
    if hasattr(found, "overall") and not hasattr(found, "whole"):
        return replace(found, overall=_reminded(found.overall))
    place = "remarks" if hasattr(found, "remarks") else "warnings"
    return replace(found, **{place: (*getattr(found, place), remark)})


def _common_classes(models: dict[str, Any]) -> list[Any]:
    """The classes of all models, which must be the same."""
    first = next(iter(models))
    classes = classes_of(models[first], first)
    for name, each in models.items():
        others = classes_of(each, name)
        if set(others) != set(classes):
            text = f"{first} knows the classes {some_values(classes)} and {name} {some_values(others)}"
            raise ArgumentError("classes", f"{text}; compare models of the same classes")
    if len(classes) < 2:
        raise ArgumentError("classes", f"{first} knows one class only, {some_values(classes)}")
    return classes
