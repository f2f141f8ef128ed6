"""Several labels of a row, in the form that was asked for: one model or several, whole, in groups or in folds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

from rocsteady._src.base.errors import ArgumentError, some_values
from rocsteady._src.base.sentences import Sentence, argument, joined
from rocsteady._src.designs.classes.averaged import Absent
from rocsteady._src.designs.classes.labels import checked_labels
from rocsteady._src.designs.labels.evaluation import judge_labels
from rocsteady._src.designs.labels.rows_by_label import read_label_models
from rocsteady._src.evaluation.classes.classes_by_fold import evaluate_class_folds, fold_members
from rocsteady._src.evaluation.classes.grouped import evaluate_class_groups
from rocsteady._src.evaluation.groups.members import group_members
from rocsteady._src.evaluation.intervals import refuse_repeated_ids
from rocsteady._src.evaluation.labels.models import LABELS, MultilabelFolds, MultilabelGroups, evaluate_label_models
from rocsteady._src.inference.intervals.normal import check_choice
from rocsteady._src.inputs.given_labels import read_given_labels

if TYPE_CHECKING:
    from rocsteady._src.designs.labels.rows_by_label import ColumnsBeside, LabelRows
    from rocsteady._src.evaluation.labels.models import MultilabelModels
    from rocsteady._src.results.multilabel import MultilabelEvaluation

    OfLabels = MultilabelEvaluation | MultilabelModels | MultilabelGroups | MultilabelFolds


def evaluate_labels(
    table: object,
    scores: object,
    label: object,
    *,
    places: dict[str, Any],
    read: dict[str, Any],
    averaged: tuple[Any, str],
    refused: dict[str, Any],
    measures: Any,
    **how: Any,
) -> OfLabels:
    """Judge labels by column.

    ``places`` are columns or their names, ``read`` how rows are read, ``averaged`` which labels averages are over and
    what of those without rows of both kinds, ``refused`` options that have no meaning with labels.
    """
    _refuse(refused)
    given = read_given_labels(table, scores, label, **places)
    beside = dict(given.beside)
    groups, fold, repeat = beside.pop("by", None), beside.pop("fold", None), beside.pop("repeat", None)
    _check_parts(groups, fold, repeat, beside)
    if measures is not None and not (given.named or groups or fold is not None):
        text = "all numbers of one model are given: leave measures out, it chooses the columns of several models"
        raise ArgumentError("measures", f"{text}, of groups and of folds")
    names = {name: places[name] if isinstance(places[name], str) else name for name in ("fold", "repeat")}
    cells = {names["fold"]: fold, names["repeat"]: repeat}
    also = {**(groups or {}), **{name: values for name, values in cells.items() if values is not None}}
    kept: dict[str, Any] = {
        "sample_weight": beside.get("weight"),
        "cluster": beside.get("cluster"),
        "id": beside.get("id"),
    }
    found, sides = read_label_models(given.labels, given.models, also=also, **kept, **read)
    models = {name: _averaging(rows, *averaged) for name, rows in found.items()}
    if repeat is None:
        refuse_repeated_ids(sides, "id" if "cluster" in beside else None)  # type: ignore[arg-type]
    if groups:
        by = tuple(groups)
        options = {"design": LABELS, "made": MultilabelGroups, "measures": measures, **how}
        members = group_members(sides, by)  # type: ignore[arg-type]
        return evaluate_class_groups(models, ", ".join(by), *members, named=given.named, **options)  # type: ignore[return-value]
    if fold is not None:
        options = {"design": LABELS, "made": MultilabelFolds, "measures": measures, **how}
        named_by = names["fold"], None if repeat is None else names["repeat"]
        return _in_folds(models, sides, *named_by, named=given.named, **options)
    if given.named:
        return evaluate_label_models(models, measures=measures, **how)
    return judge_labels(next(iter(models.values())), **how)[0]


def _in_folds(
    models: dict[str, LabelRows], sides: ColumnsBeside, fold: str, repeat: str | None, **options: Any
) -> MultilabelFolds:
    """Every fold, and all rows pooled, where a row of several repeats is one unit."""
    clustered = next(iter(models.values())).rows.clusters is not None
    units = sides.subjects if repeat is not None or clustered else None
    pooled = {name: replace(rows, rows=replace(rows.rows, clusters=units)) for name, rows in models.items()}
    members = fold_members(sides, fold, repeat)  # type: ignore[arg-type]
    return evaluate_class_folds(models, pooled, fold, *members, units, **options)  # type: ignore[return-value]


def _check_parts(groups: Any, fold: Any, repeat: Any, beside: dict[str, Any]) -> None:
    if groups and fold is not None:
        raise ArgumentError("splits", "by and fold cannot be combined: call evaluate once for each")
    if repeat is not None and (fold is None or not {"id", "cluster"} & set(beside)):
        words = "{repeat=} names the repeats of a cross-validation: pass {fold=} too, and {id=} for the row of the data"
        raise ArgumentError("repeat", Sentence(words))
    if "id" in beside and "cluster" in beside:
        raise ArgumentError("cluster", "id and cluster name the subject of a row: give one column, not two")


def _refuse(refused: dict[str, Any]) -> None:
    named = [name for name, value in refused.items() if value is not None and value is not False]
    if named:
        words = "{named} has no meaning with several columns of labels: leave it out, or evaluate one label by itself"
        raise ArgumentError("labels", Sentence(words, named=joined(", ", map(argument, named))))


def _averaging(rows: LabelRows, labels: Any, absent: str) -> LabelRows:
    """The rows with averages over these labels, all when None."""
    check_choice("absent", absent, get_args(Absent))
    if labels is None:
        return replace(rows, skips_absent=absent == "skip")
    asked = checked_labels(labels, "classes_averaged")
    unknown = [label for label in asked if label not in rows.labels]
    if unknown:
        text = f"classes_averaged names {some_values(unknown)}, and the labels are"
        raise ArgumentError("classes_averaged", f"{text} {some_values(rows.labels, most=20)}")
    return replace(rows, chosen=tuple(map(rows.labels.index, asked)), skips_absent=absent == "skip")
