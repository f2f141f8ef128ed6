"""rs.scorer("h_measure"): any measure where scikit-learn wants a scorer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, require
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.designs.classes.class_scorer import OTHER_NAMES, ClassScorer, of_classes
from rocsteady._src.designs.classes.names import class_measure
from rocsteady._src.inputs.scorer import positive_class_of_scorer
from rocsteady._src.measures.registry import find_measure, get_measure
from rocsteady._src.measures.requests import parse_call, parse_requests

if TYPE_CHECKING:
    from collections.abc import Callable

    Scorer = Callable[..., float]

PASSED = ("response_method", "pos_label")
RANKING, PROBABILITIES, LABELS = ("decision_function", "predict_proba"), "predict_proba", "predict"


@typed
def scorer(measure: Any, **params: Any) -> Scorer | dict[str, Scorer]:
    """A scorer for scikit-learn's searches and cross-validation: ``GridSearchCV(..., scoring=rs.scorer("h_measure"))``.

    Parameters
    ----------
    measure : str or measure
        A name of :func:`rocsteady.list_measures`, with parameters as in ``"partial_auc(fpr_range=(0, 0.2))"``, or a
        registered measure. Of more than two classes one that ``measures=`` of :func:`rocsteady.evaluate` takes there:
        "macro_auc", "hand_till_auc", "macro_f1", "log_loss", ... A list, tuple or mapping of them makes a scorer of
        each, by name, as ``cross_validate`` and ``GridSearchCV(..., refit="auc")`` take them.
    **params
        Parameters of the measure; and ``response_method`` and ``pos_label`` as of scikit-learn's ``make_scorer``.

    Returns
    -------
    callable, or dict of them
        Called with estimator, features and labels. Higher is better: values of measures that should be low are
        negated, as scikit-learn does with losses. Threshold measures judge the labels that the estimator predicts,
        unless a threshold of its probabilities is given; others take its scores.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import GridSearchCV
    >>> X, y = make_classification(n_samples=200, random_state=1)
    >>> search = GridSearchCV(LogisticRegression(), {"C": [0.01, 1]}, scoring=rs.scorer("h_measure")).fit(X, y)
    >>> search.best_params_
    {'C': 1}
    >>> round(float(rs.scorer("brier_score")(search, X, y)), 4)
    -0.0931
    >>> rs.scorer("macro_auc")                                  # more than two classes
    scorer('macro_auc')
    >>> list(rs.scorer(["auc", "brier_score"]))                 # several at once
    ['auc', 'brier_score']
    """
    if isinstance(measure, (Mapping, list, tuple, set, frozenset)):
        return {name: _one_scorer(each, params) for name, each in _named(measure).items()}
    return _one_scorer(measure, params)


def _named(measures: Any) -> dict[str, Any]:
    """Several measures by name: their own, unless a mapping has others."""
    if not isinstance(measures, Mapping):
        measures = {each if isinstance(each, str) else getattr(each, "__name__", str(each)): each for each in measures}
    if not measures:
        raise ArgumentError("measure", "name at least one measure, such as rs.scorer(['auc', 'brier_score'])")
    return dict(measures)


def _one_scorer(measure: Any, params: dict[str, Any]) -> Scorer:
    several = of_classes(measure, {name: value for name, value in params.items() if name not in PASSED})
    if several is not None and not _is_of_two(measure):
        class_measure(several)
        _refuse_passed(several, params)
        return ClassScorer(several)
    made = _of_two(measure, params)
    return made if several is None else ClassScorer(several, made)


def _is_of_two(measure: str) -> bool:
    """Whether a measure is one of two classes; scikit-learn's names of averages never are."""
    base = parse_call(measure.strip())[0]
    return base not in OTHER_NAMES and find_measure(base) is not None


def _refuse_passed(name: str, params: dict[str, Any]) -> None:
    given = [each for each in PASSED if each in params]
    if given:
        raise ArgumentError("measure_params", f"{name} is of all classes and has no {' or '.join(given)}")


def _of_two(measure: Any, params: dict[str, Any]) -> Scorer:
    sklearn = require("sklearn.metrics", extra="sklearn", purpose="scorer()")
    params = dict(params)
    passed = {name: params.pop(name) for name in PASSED if name in params}
    requests = parse_requests([measure])
    if len(requests) != 1 and requests[0].sheet.name != "accuracy":
        raise ArgumentError("measure", f"a scorer has one measure, and {measure!r} names {format_count(len(requests))}")
    sheet, given = requests[0].sheet, {**requests[0].params, **params}
    unknown = [name for name in given if name not in sheet.params]
    if unknown:
        known = ", ".join(sheet.params) or "none"
        raise ArgumentError("measure_params", f"{sheet.name} has no parameter {', '.join(unknown)}; it has: {known}")
    if sheet.better == "neither":
        raise ArgumentError("measure", f"{sheet.name} has no better side, so a search cannot go by it")
    passed.setdefault("response_method", _response(sheet.family, given))
    lower = sheet.better == "lower"
    judged = get_measure(sheet.name)
    called = passed["response_method"] == LABELS
    made: Scorer = sklearn.make_scorer(
        OfCalledLabels(judged) if called else judged, greater_is_better=not lower, **passed, **given
    )
    return made


@dataclass(frozen=True, slots=True)
class OfCalledLabels:
    """A threshold measure of predicted labels, whatever they are: called positive is what is called ``pos_label``."""

    measure: Any

    @property
    def __name__(self) -> str:
        return str(self.measure.__name__)

    def __call__(self, y_true: Any, y_pred: Any, *, pos_label: Any = None, **options: Any) -> float:
        """The value on these rows."""
        positive = positive_class_of_scorer() if pos_label is None else pos_label
        if positive is None:
            return float(self.measure(y_true, y_pred, **options))
        return float(self.measure(*(np.asarray(each) == positive for each in (y_true, y_pred)), **options))


def _response(family: str, given: dict[str, Any]) -> Any:
    if family == "threshold":
        return PROBABILITIES if "threshold" in given else LABELS
    return PROBABILITIES if family == "probability" else RANKING
