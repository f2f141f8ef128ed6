"""evaluate(y, {"a": predicted, "b": predicted}): classes as ``predict`` returns them, of several models."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, some_values
from rocsteady._src.base.near_names import part_of
from rocsteady._src.base.text import format_count, format_level
from rocsteady._src.designs.classes.averaged import averaging
from rocsteady._src.designs.classes.labels import distinct_labels, numbered
from rocsteady._src.designs.classes.names import asked_measures, class_measure
from rocsteady._src.designs.classes.scores_by_class import read_classes
from rocsteady._src.evaluation.classes.models import MulticlassModels, evaluate_models
from rocsteady._src.evaluation.classes.parts import ALONE
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.clean import check_lengths
from rocsteady._src.results.multiclass import MulticlassMeasures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from pathlib import Path
    from typing import Unpack

    from rocsteady._src.designs.classes.names import ClassMeasure
    from rocsteady._src.designs.classes.scores_by_class import ClassRows
    from rocsteady._src.results.displays import ReportOptions
    from rocsteady._src.results.multiclass import MulticlassConfusion

USUAL = ("accuracy", "balanced_accuracy", "macro_f1", "kappa", "matthews_correlation")
NO_SCORES = "these models were given as predicted classes, which have no scores"
OF_SCORES = ("class_auc", "averages", "roc", "pr", "top_k")
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
        return part_of(self.models, model).measures

    def measure(self, name: Any) -> ClassMeasure:
        """What is known of a number that models have."""
        return _of_calls(name)

    def asked(self, measures: Any) -> tuple[str, ...]:
        """Names of numbers that were asked for."""
        return _asked(measures)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; there are none of scores."""
        told = MulticlassModels.to_dict(self)
        kept = [{key: value for key, value in each.items() if key not in OF_SCORES} for each in told["models"]]
        return told | {"models": kept}

    def assumptions(self) -> str:
        """One line: rows, classes, dropped rows, level."""
        rows, k = format_count(self.origin.n_rows), format_count(len(self.labels))
        weighted = " (weighted)" if self.origin.weighted else ""
        told = (
            f"{rows} rows{weighted} of {k} classes, {some_values(self.labels, most=5)}; predicted classes, not scores"
        )
        return f"{told}; {format_level(self.level)} intervals{self.origin.dropped}"


@dataclass(frozen=True, slots=True, eq=False)
class CalledClasses(MulticlassMeasures):
    """Measures of one model's predicted classes, as :class:`MulticlassMeasures`, with a page; ``models`` holds rows.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y = ["ant", "bee", "cat"] * 10
    >>> round(rs.evaluate(y, y[:20] + ["ant"] * 10).kappa, 4)
    0.65
    """

    models: CalledModels | None = field(default=None, repr=False)

    @property
    def confusion(self) -> MulticlassConfusion:
        """Who is taken for whom."""
        return self._of_rows().models[ALONE].confusion

    def _of_rows(self) -> CalledModels:
        return self.models  # type: ignore[return-value]  # known wherever such a result is made

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, those of :class:`MulticlassMeasures`."""
        return MulticlassMeasures(
            **{each.name: getattr(self, each.name) for each in fields(MulticlassMeasures)}
        ).to_dict()

    def report(self, path: str | PathLike[str] = "report.html", **options: Unpack[ReportOptions]) -> Path:
        """Write one self-contained page and return its path; options as of :meth:`MulticlassEvaluation.report`."""
        return self._of_rows().report(path, **options)


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
    classes, scores = as_scores(labels, called)
    rows = {
        name: averaging(read_classes(labels, each, labels=classes, **how), classes_averaged, absent)
        for name, each in scores.items()
    }
    return evaluate_called_rows(rows, measures=asked, level=level)


def evaluate_called_rows(
    rows: Mapping[str, ClassRows], *, measures: Any = None, level: float, auc_method: str = "auto"
) -> CalledModels:
    """Judge rows that were read: a called class is no score, whose areas would be about the calls once more."""
    found = evaluate_models(rows, measures=_asked(measures), level=level, auc_method=auc_method, scored=False)
    return CalledModels(**{each.name: getattr(found, each.name) for each in fields(found)})


def _asked(measures: Any) -> tuple[str, ...]:
    names = USUAL if measures is None else asked_measures(measures)
    return tuple(_of_calls(name).name for name in names)


def _of_calls(name: Any) -> ClassMeasure:
    measure = class_measure(name)
    if measure.kind == "area" or measure.probabilities or measure.base == "top_k_accuracy":
        raise ArgumentError("measures", f"{measure.name} is about scores, and {NO_SCORES}: {INSTEAD}")
    return measure


def as_scores(labels: object, called: Mapping[str, object]) -> tuple[list[Any], dict[str, Any]]:
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
