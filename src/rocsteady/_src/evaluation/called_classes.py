"""evaluate(y, predicted): classes as ``predict`` returns them, where scores were looked for."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.sentences import Sentence, argument, joined
from rocsteady._src.designs.classes.measures import MEASURES, multiclass_measures
from rocsteady._src.designs.classes.names import are_of_classes
from rocsteady._src.evaluation.classes.called_models import CalledClasses, as_scores, evaluate_called_models
from rocsteady._src.evaluation.classes.called_parts import OF_CALLS
from rocsteady._src.evaluation.classes.parts import ALONE
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.given import Given
from rocsteady._src.inputs.tables import pick_columns

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady._src.evaluation.classes.called_models import CalledModels
    from rocsteady._src.evaluation.classes.classes_by_fold import MulticlassFolds
    from rocsteady._src.evaluation.classes.grouped import MulticlassGroups
    from rocsteady._src.evaluation.classes.judge import Forms

    OfCalls = CalledClasses | CalledModels | MulticlassGroups | MulticlassFolds

REFUSED = ("positive_label_required", "score_type", "unknown_measure")  # what evaluation says of predicted classes


def judge_called(
    given: Given,
    error: InputError | ArgumentError,
    read: dict[str, Any],
    measures: Any,
    refused: dict[str, Any],
    in_parts: Callable[[Given, Forms], Any],
    **how: Any,
) -> OfCalls:
    """The measures of predicted classes; ``error``, what evaluation said of them as scores, where they are none.

    ``in_parts`` judges columns of classes in groups or folds.
    """
    if error.code not in REFUSED or read["pos_label"] is not None or given.classes is not None:
        raise error
    parts = [name for name in PARTS if given.options[name]]
    if error.code == "unknown_measure" and not ((parts or len(given.scores) > 1) and are_of_classes(measures)):
        raise error
    columns = pick_columns(given.table, [given.label, *given.scores])
    labels = columns.pop(given.label)
    called = [name for name, values in columns.items() if _are_classes(labels, values)]
    if len(called) < len(columns):
        raise error
    _refuse(refused)
    if parts:
        found: OfCalls = in_parts(given_as_classes(given, labels, columns), OF_CALLS)
        return found
    options = {name: None if (place := given.options[name]) is None else _column(given, place) for name in SIDE}
    kept: dict[str, Any] = {"sample_weight": options["weight"], "cluster": options["cluster"]}
    words = {name: read[name] for name in ("weight_type", "missing")}
    if len(called) > 1:
        return evaluate_called_models(labels, columns, measures, **kept, **words, **how)
    asked = MEASURES if measures is None else measures
    made = multiclass_measures(labels, columns[called[0]], measures=asked, **kept, **words, **how)
    models = evaluate_called_models(labels, {ALONE: columns[called[0]]}, None, **kept, **words, **how)
    return CalledClasses(**{each.name: getattr(made, each.name) for each in fields(made)}, models=models)


SIDE, PARTS = ("weight", "cluster"), ("by", "fold", "repeat", "id")


def given_as_classes(given: Given, labels: object, called: dict[str, Any]) -> Given:
    """The same with a column of scores for each class: 1 where it is called."""
    classes, scores = as_scores(labels, called)
    places = {(name, label): f"{name}: {label}" for name in called for label in classes}
    columns = [given.options[name] for name in (*SIDE, "fold", "repeat", "id")]
    beside = dict.fromkeys([*(given.options["by"] or ()), *(name for name in columns if name is not None)])
    table = pick_columns(given.table, [given.label, *beside])
    for name in called:
        table |= {places[name, label]: column for label, column in zip(classes, scores[name].T, strict=True)}
    models = tuple(called) if len(called) > 1 else None
    return Given(table, given.label, tuple(places.values()), given.options, classes, models)


def _column(given: Given, name: str) -> Any:
    return pick_columns(given.table, [name])[name]


def _refuse(refused: dict[str, Any]) -> None:
    named = [name for name, value in refused.items() if value]
    if named:
        words = "{named} has no meaning with predicted classes: leave it out, or pass all columns of predict_proba"
        raise ArgumentError("called_classes", Sentence(words, named=joined(", ", map(argument, named))))


def _are_classes(labels: object, values: object) -> bool:
    """Whether a column holds classes: texts, or whole numbers all of which are labels."""
    (known, _), (given, gaps) = read_column(labels, "labels"), read_column(values, "scores")
    found = (given if gaps is None else given[~gaps]).tolist()
    if known.dtype.kind in "UO" or given.dtype.kind in "UO":
        return all(isinstance(each, str) for each in found)
    whole = known.dtype.kind in "iu" and given.dtype.kind in "iuf"
    return whole and set(found) <= set(known.tolist())
