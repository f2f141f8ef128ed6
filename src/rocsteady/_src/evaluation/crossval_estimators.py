"""crossval_evaluate_estimators: classifiers fitted and judged by cross-validation, all on the same splits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, require
from rocsteady._src.base.near_names import refuse_unknown
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.folds.scores import (
    class_scores,
    crossval_scores,
    labels_of_rows,
    number_tests,
    refuse_lengths,
)
from rocsteady._src.evaluation.evaluate import evaluate
from rocsteady._src.evaluation.options import OPTIONS
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.estimators import (
    are_several,
    classes_of,
    named_estimators,
    refuse_other_order,
    response_of,
    scores_by_class,
    scores_by_label,
    scores_of_class,
    scores_of_classes,
)
from rocsteady._src.inputs.given import one_weight
from rocsteady._src.inputs.given_models import is_cross_validated

if TYPE_CHECKING:
    from typing import Unpack

    from numpy.typing import NDArray

    from rocsteady._src.designs.folds.scores import Unscored
    from rocsteady._src.evaluation.classes.classes_by_fold import MulticlassFolds
    from rocsteady._src.evaluation.evaluation_by_fold import FoldedEvaluation
    from rocsteady._src.evaluation.options import Options

    Rows = NDArray[np.intp]


@typed
def crossval_evaluate_estimators(
    models: Any,
    X: Any,  # noqa: N803 - as scikit-learn calls it
    y: object,
    *,
    cv: Any = 5,
    groups: object = None,
    n_jobs: int | None = None,
    response: str | None = None,
    unscored: Unscored = "raise",
    **options: Unpack[Options],
) -> FoldedEvaluation | MulticlassFolds:
    """Fit and judge classifiers by cross-validation, all on the same splits.

    Parameters
    ----------
    models : mapping of str to classifier, list of classifiers, or one
        They are cloned and fitted for each split. Or what scikit-learn's ``cross_validate(return_estimator=True,
        return_indices=True)`` returned, for one model or by name: then nothing is fitted.
    X, y
        Features and labels, of two classes or more, or several labels of a row, a column each.
    cv : int, splitter or iterable of (train, test)
        As in scikit-learn; a number makes stratified folds.
    groups : array-like, optional
        For splitters that keep groups together.
    n_jobs : int, optional
        How many splits are fitted at the same time; -1 for one per processor. Processes are started for fits that take
        longer than their start, some two seconds in all.
    response, pos_label, unscored
        As in :func:`rocsteady.crossval.crossval_scores`.
    **options
        As of :func:`rocsteady.evaluate`; ``sample_weight`` and ``cluster`` have one value per row of ``X``. Weights
        are for the evaluation; the fits do not see them.

    Returns
    -------
    FoldedEvaluation
        The AUC of each fold, their mean and the pooled AUC of each model, tests of the differences of learners, and the
        ``measures`` that were asked for. Of more than two classes ``MulticlassFolds``, of several labels of a row
        ``MultilabelFolds``: macro AUC and other numbers of each fold, and their means with intervals.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = make_classification(n_samples=200, random_state=1)
    >>> models = {"logistic": LogisticRegression(), "bayes": GaussianNB()}
    >>> result = rs.crossval_evaluate_estimators(models, X, y, cv=5)
    >>> print(result["logistic"].mean)
    0.9075 [0.8376, 0.9491] (0.95 level, wilson, chosen by auto)
    """
    refuse_unknown(
        "crossval_evaluate_estimators", options, {*OPTIONS, "cv", "groups", "n_jobs", "response", "unscored"}
    )
    refuse_other_order("crossval_evaluate_estimators", models, X, y)
    if groups is not None and (cv is None or isinstance(cv, int)):
        splitter = f"cv=StratifiedGroupKFold({5 if cv is None else cv})"
        raise ArgumentError("groups", f"a number of folds does not keep groups together: pass {splitter}")
    if is_cross_validated(models):
        models = {"model": models}
    shared: dict[str, Any] = {"response": response, "pos_label": options.get("pos_label")}
    if isinstance(models, Mapping) and models and all(is_cross_validated(each) for each in models.values()):
        found = {name: _scores_of_fitted(each, X, y, name, **shared) for name, each in models.items()}
    elif (classes := _classes_asked(y, X)) is None or len(classes) > 2:
        how: dict[str, Any] = {"response": response, "unscored": unscored, "n_jobs": n_jobs}
        found = _class_scores_of_models(models, X, y, classes, (cv, groups), how)
    else:
        found = _scores_of_models(models, X, y, cv, groups, n_jobs=n_jobs, unscored=unscored, **shared)
    return _judged(found, options)


def _scores_of_models(models: Any, features: Any, y: object, cv: Any, groups: object, **how: Any) -> dict[str, Any]:
    """Scores of every model by the same splits."""
    selection = require("sklearn.model_selection", extra="sklearn", purpose="crossval_evaluate_estimators()")
    labels, _ = read_column(y, "y")
    splits = list(selection.check_cv(cv, labels, classifier=True).split(features, labels, groups))
    if how["pos_label"] is None:
        how["pos_label"] = np.unique(labels).tolist()[-1]  # as scikit-learn's classes_[1]
    return {
        name: _columns(crossval_scores(each, features, y, cv=splits, **how))
        for name, each in named_estimators(models).items()
    }


def _classes_asked(y: Any, features: Any) -> list[Any] | None:
    """The classes of the labels; None of several labels of a row, which have a column each."""
    return None if are_several(y) else np.unique(labels_of_rows(y, features)).tolist()


def _class_scores_of_models(
    models: Any, features: Any, y: object, classes: list[Any] | None, splits: tuple[Any, object], how: dict[str, Any]
) -> dict[str, Any]:
    """Scores of every class, or label, by every model, by the same splits."""
    selection = require("sklearn.model_selection", extra="sklearn", purpose="crossval_evaluate_estimators()")
    labels, (cv, groups) = np.asarray(y) if classes is None else labels_of_rows(y, features), splits
    refuse_lengths(features, labels)
    made = list(selection.check_cv(cv, labels, classifier=True).split(features, labels, groups))
    told = y if classes is None else labels
    return {
        name: _in_order(told, *class_scores(each, features, labels, classes, made, **how), None, classes)
        for name, each in named_estimators(models).items()
    }


def _columns(scores: Any) -> dict[str, Any]:
    names = ("y_true", "y_score", "fold", "repeat", "row")
    plain = {name: np.asarray(getattr(scores, name)).view(np.ndarray) for name in names}
    return {**plain, "pos_label": scores.pos_label, "n_repeats": scores.n_repeats}


def _judged(found: dict[str, dict[str, Any]], options: Any) -> FoldedEvaluation | MulticlassFolds:
    first = next(iter(found.values()))
    for name, each in found.items():
        if not np.array_equal(each["row"], first["row"]) or not np.array_equal(each["fold"], first["fold"]):
            text = f"{name} was cross-validated by other splits than {next(iter(found))}"
            raise InputError("splits_differ", f"{text}; pass the same cv, with a fixed random_state, to all")
    weight = one_weight(options.pop("weight", None), options.pop("sample_weight", None))
    by_row = {"weight": weight, **{name: options.pop(name, None) for name in ("cluster", "id")}}
    given: dict[str, Any] = {
        name: _of_rows(values, first["row"], name) for name, values in by_row.items() if values is not None
    }
    if first["n_repeats"] > 1:
        given["repeat"] = first["repeat"]
        if not {"cluster", "id"} & set(given):
            given["id"] = first["row"]
    scores = {name: each["y_score"] for name, each in found.items()}
    if classes := first.get("classes"):
        given["classes"] = classes
    elif not are_several(first["y_true"]):
        options["pos_label"] = first["pos_label"]
    judged: FoldedEvaluation | MulticlassFolds
    judged = evaluate(first["y_true"], scores, fold=first["fold"], **given, **options)
    return judged


def _of_rows(values: object, rows: Rows, name: str) -> NDArray[Any]:
    if isinstance(values, str):
        raise ArgumentError(name, f"{name} must be one value per row of X here, got the text {values!r}")
    column, missing = read_column(values, name)
    taken = np.ma.array(column, mask=missing) if missing is not None else column
    return taken[rows]


def _scores_of_fitted(
    returned: Mapping[str, Any], features: Any, y: object, name: str, *, response: str | None, pos_label: Any
) -> dict[str, Any]:
    """Scores of the rows that each fitted estimator was tested on."""
    absent = [key for key in ("estimator", "indices") if key not in returned]
    if absent:
        text = "cross_validate must return the models and the rows of each split"
        raise ArgumentError("models", f"{name}: {text}: return_estimator=True, return_indices=True")
    from sklearn.utils import _safe_indexing

    several, positive = are_several(y), None
    labels: Any = y if several else labels_of_rows(y, features)
    tests = [np.asarray(rows) for rows in returned["indices"]["test"]]
    scores = []
    known = [] if several else np.unique(labels).tolist()
    for model, test in zip(returned["estimator"], tests, strict=True):
        if several:
            scores.append(scores_by_label(model, _safe_indexing(features, test), response_of(model, response), name))
            continue
        classes = classes_of(model, name)
        values = scores_by_class(model, _safe_indexing(features, test), response_of(model, response))
        if len(known) > 2:
            scores.append(scores_of_classes(values, classes, known, name))
            continue
        if len(classes) != 2:
            raise InputError("not_two_classes", f"{name} knows {format_count(len(classes))} classes; two are needed")
        positive = classes[1] if pos_label is None else pos_label
        scores.append(scores_of_class(values, classes, positive))
    return _in_order(labels, tests, scores, positive, known if len(known) > 2 else None)


def _in_order(
    labels: Any, tests: list[Rows], scores: list[Any], pos_label: Any, classes: list[Any] | None = None
) -> dict[str, Any]:
    """Columns of all splits, one after another."""
    from sklearn.utils import _safe_indexing

    folds, repeats = number_tests(tests, np.shape(labels)[0])
    sizes = [test.size for test in tests]
    rows = np.concatenate(tests)
    return {
        "y_true": _safe_indexing(labels, rows),
        "y_score": np.concatenate(scores),
        "fold": np.repeat(folds, sizes),
        "repeat": np.repeat(repeats, sizes),
        "row": rows,
        "pos_label": pos_label,
        "classes": classes,
        "n_repeats": max(repeats) + 1,
    }
