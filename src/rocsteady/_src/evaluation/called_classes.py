"""evaluate(y, predicted): classes as ``predict`` returns them, where scores were looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.sentences import Sentence, argument, joined
from rocsteady._src.designs.classes.measures import MEASURES, multiclass_measures
from rocsteady._src.designs.classes.names import are_of_classes
from rocsteady._src.inputs.arrays import read_column
from rocsteady._src.inputs.tables import pick_columns

if TYPE_CHECKING:
    from rocsteady._src.evaluation.classes.called_models import CalledModels
    from rocsteady._src.inputs.given import Given
    from rocsteady._src.results.multiclass import MulticlassMeasures

REFUSED = ("positive_label_required", "score_type", "unknown_measure")  # what evaluation says of predicted classes


def judge_called(
    given: Given,
    error: InputError | ArgumentError,
    read: dict[str, Any],
    measures: Any,
    refused: dict[str, Any],
    **how: Any,
) -> MulticlassMeasures | CalledModels:
    """The measures of predicted classes; ``error``, what evaluation said of them as scores, where they are none."""
    if error.code not in REFUSED or read["pos_label"] is not None or given.classes is not None:
        raise error
    if error.code == "unknown_measure" and (len(given.scores) < 2 or not are_of_classes(measures)):
        raise error
    columns = pick_columns(given.table, [given.label, *given.scores])
    labels = columns.pop(given.label)
    called = [name for name, values in columns.items() if _are_classes(labels, values)]
    if len(called) < len(columns):
        raise error
    _refuse(given, refused)
    options = {name: None if (place := given.options[name]) is None else _column(given, place) for name in SIDE}
    kept: dict[str, Any] = {"sample_weight": options["weight"], "cluster": options["cluster"]}
    words = {name: read[name] for name in ("weight_type", "missing")}
    if len(called) > 1:
        from rocsteady._src.evaluation.classes.called_models import evaluate_called_models

        return evaluate_called_models(labels, columns, measures, **kept, **words, **how)
    asked = MEASURES if measures is None else measures
    return multiclass_measures(labels, columns[called[0]], measures=asked, **kept, **words, **how)


SIDE = ("weight", "cluster")


def _column(given: Given, name: str) -> Any:
    return pick_columns(given.table, [name])[name]


def _refuse(given: Given, refused: dict[str, Any]) -> None:
    parts = {name: given.options[name] for name in ("by", "fold", "repeat", "id")}
    named = [name for name, value in {**parts, **refused}.items() if value]
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
