"""evaluate(y, {"a": predicted, "b": predicted}): classes as ``predict`` returns them, of several models."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, some_values
from rocsteady._src.base.text import format_count, format_level
from rocsteady._src.designs.classes.averaged import averaging
from rocsteady._src.designs.classes.labels import distinct_labels, numbered
from rocsteady._src.designs.classes.names import asked_measures, class_measure
from rocsteady._src.designs.classes.scores_by_class import read_classes
from rocsteady._src.evaluation.classes.models import MulticlassModels, evaluate_models
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.clean import check_lengths

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocsteady._src.designs.classes.names import ClassMeasure
    from rocsteady._src.results.multiclass import MulticlassMeasures

USUAL = ("accuracy", "balanced_accuracy", "macro_f1", "kappa", "matthews_correlation")
NO_SCORES = "these models were given as predicted classes, which have no scores"
INSTEAD = "pass all columns of predict_proba for each model"


@dataclass(frozen=True, slots=True, eq=False)
class CalledModels(MulticlassModels):
    """Models given as predicted classes on the same rows: ``result["name"]`` has the measures of one of them.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y = ["ant", "bee", "cat"] * 10
    >>> rs.evaluate(y, {"first": y[:20] + ["ant"] * 10, "second": ["bee"] * 30})
    CalledModels(3 classes; first accuracy 0.7667; second accuracy 0.3333)
    """

    def __getitem__(self, model: str) -> MulticlassMeasures:  # type: ignore[override]  # as of one such model
        return self.models[model].measures

    def measure(self, name: Any) -> ClassMeasure:
        """What is known of a number that models have."""
        return _of_calls(name)

    def asked(self, measures: Any) -> tuple[str, ...]:
        """Names of numbers that were asked for."""
        return _asked(measures)

    def report(self, path: object, **options: Any) -> NoReturn:
        """Refuse: a page is about scores."""
        text = (
            f"{NO_SCORES}, and a page is about these: {INSTEAD}; to_markdown(), to_frame() and plot() show the models"
        )
        raise ArgumentError("report", text)

    def assumptions(self) -> str:
        """One line: rows, classes, dropped rows, level."""
        rows, k = format_count(self.origin.n_rows), format_count(len(self.labels))
        weighted = " (weighted)" if self.origin.weighted else ""
        told = (
            f"{rows} rows{weighted} of {k} classes, {some_values(self.labels, most=5)}; predicted classes, not scores"
        )
        return f"{told}; {format_level(self.level)} intervals{self.origin.dropped}"


def evaluate_called_models(
    labels: object,
    called: Mapping[str, object],
    measures: Any,
    *,
    level: float,
    classes_averaged: Sequence[Any] | None,
    absent: Any,
    **how: Any,
) -> CalledModels:
    """Judge predicted classes of several models: a called class is a score of 1 beside zeros, and read as a call."""
    asked = _asked(measures)
    classes, scores = _as_scores(labels, called)
    rows = {
        name: averaging(read_classes(labels, each, labels=classes, **how), classes_averaged, absent)
        for name, each in scores.items()
    }
    found = evaluate_models(rows, measures=asked, level=level, auc_method="auto")
    facts = {each.name: getattr(found, each.name) for each in fields(found)}
    told = tuple(dict.fromkeys(remark for each in found.models.values() for remark in each.measures.warnings))
    return CalledModels(**{**facts, "warnings": told})


def _asked(measures: Any) -> tuple[str, ...]:
    names = USUAL if measures is None else asked_measures(measures)
    return tuple(_of_calls(name).name for name in names)


def _of_calls(name: Any) -> ClassMeasure:
    measure = class_measure(name)
    if measure.kind == "area" or measure.probabilities or measure.base == "top_k_accuracy":
        raise ArgumentError("measures", f"{measure.name} is about scores, and {NO_SCORES}: {INSTEAD}")
    return measure


def _as_scores(labels: object, called: Mapping[str, object]) -> tuple[list[Any], dict[str, Any]]:
    """All classes, and a column for each: 1 where it is called; a row that lacks a call of any model has none."""
    read = {name: read_column(values, name) for name, values in {"y_true": labels, **called}.items()}
    check_lengths({name: values for name, (values, _) in read.items()})
    known = {name: np.ones(len(values), bool) if gap is None else ~gap for name, (values, gap) in read.items()}
    found = {name: distinct_labels(values[known[name]], name) for name, (values, _) in read.items()}
    every = {label for distinct, _ in found.values() for label in distinct}
    try:
        classes = sorted(every)
    except TypeError as error:
        text = f"labels and predicted classes hold values of different types, as {some_values(list(every))}"
        raise InputError("label_mixed_types", f"{text}; convert them to one type") from error
    complete = np.logical_and.reduce([known[name] for name in called])
    scores = {}
    for name in called:
        made = np.zeros((complete.size, len(classes)))
        codes = numbered(*found[name], classes, name=name, where="class")
        made[np.flatnonzero(known[name]), codes] = 1.0
        made[~complete] = np.nan
        scores[name] = made
    return classes, scores
