"""Rows of more than two classes, in the form that was asked for: one model or several, whole, in groups or in folds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Sentence, argument, joined
from rocsteady._src.base.text import format_count
from rocsteady._src.designs.classes.averaged import averaging
from rocsteady._src.designs.classes.evaluation import evaluate_classes
from rocsteady._src.designs.classes.names import KNOWN
from rocsteady._src.designs.classes.scores_by_class import models_of_rows
from rocsteady._src.designs.folds.repeats import cycles_remark, refuse_repeats
from rocsteady._src.evaluation.classes.classes_by_fold import MulticlassFolds, evaluate_class_folds, fold_members
from rocsteady._src.evaluation.classes.grouped import MulticlassGroups, evaluate_class_groups
from rocsteady._src.evaluation.classes.models import evaluate_models
from rocsteady._src.evaluation.classes.parts import ALONE, CLASSES, Design
from rocsteady._src.evaluation.groups.members import group_members
from rocsteady._src.evaluation.intervals import refuse_repeated_ids

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rocsteady._src.designs.classes.scores_by_class import ClassRows
    from rocsteady._src.evaluation.classes.models import MulticlassModels
    from rocsteady._src.inputs.given import Given
    from rocsteady._src.ranked import Rows
    from rocsteady._src.results.multiclass import MulticlassEvaluation
    from rocsteady._src.results.remarks import Remark


class Forms(NamedTuple):
    """How parts of the rows are judged, and what holds them."""

    design: Design
    groups: type[MulticlassGroups]
    folds: type[MulticlassFolds]


OF_SCORES = Forms(CLASSES, MulticlassGroups, MulticlassFolds)


def judge_rows_of_classes(
    rows: Rows,
    given: Given,
    how: dict[str, Any],
    *,
    averaged: tuple[Any, str],
    refused: dict[str, Any],
    forms: Forms = OF_SCORES,
) -> MulticlassEvaluation | MulticlassModels | MulticlassGroups | MulticlassFolds:
    """Judge columns that belong to classes, ``averaged`` over which, and what of absent ones.

    ``refused`` are options that have no meaning with them.
    """
    _refuse_binary(refused)
    classes, columns = list(given.classes or ()), given.options
    n, n_models = len(given.scores), len(given.models or ("",))
    if n != len(classes) * n_models:
        text = f"{format_count(n)} score columns for {format_count(len(classes))} "
        raise ArgumentError("classes", f"{text}classes: name one class per column, in the same order")
    if columns["repeat"] is None:
        refuse_repeated_ids(rows, columns["cluster"])
    step = len(classes)
    parts = [given.scores[first : first + step] for first in range(0, n, step)]

    def read(*, cluster: bool) -> dict[str, ClassRows]:
        found = models_of_rows(rows, classes, parts, cluster=cluster, by_position=given.by_position)
        chosen = [averaging(each, *averaged) for each in found]
        return dict(zip(given.models or (ALONE,), chosen, strict=True))

    clustered, named = columns["cluster"] is not None, given.models is not None
    if columns["by"]:
        by = tuple(columns["by"])
        members, how = group_members(rows, by), {"design": forms.design, "made": forms.groups, **how}
        return evaluate_class_groups(read(cluster=clustered), ", ".join(by), *members, named=named, **how)
    if columns["fold"] is not None:
        again = clustered or columns["repeat"] is not None  # rows of a subject, or the same row in every repeat
        units = rows.clusters if again else None
        both = read(cluster=clustered), read(cluster=again)
        folds, fold_of, share = fold_members(rows, columns["fold"], columns["repeat"])
        how = {"design": forms.design, "made": forms.folds, **how}
        again_seen = _repeats_seen(both[0], fold_of) if columns["repeat"] is None else ()
        found = evaluate_class_folds(*both, columns["fold"], folds, fold_of, share, units, named=named, **how)
        return replace(found, remarks=(*found.remarks, *again_seen))
    models = read(cluster=clustered)
    return evaluate_models(models, **how) if named else evaluate_classes(models[ALONE], **how)


def _repeats_seen(models: dict[str, ClassRows], fold_of: NDArray[np.int64]) -> tuple[Remark, ...]:
    """Refuse repeats that are seen to be such, and say where there may be some."""
    rows = next(iter(models.values()))
    refuse_repeats(rows.codes, fold_of, next(iter(rows.columns())))
    return cycles_remark(rows.codes, fold_of)


def _refuse_binary(asked: dict[str, Any]) -> None:
    named = [name for name, value in asked.items() if value is not None]
    if named:
        words = (
            "{named} has no meaning with {classes=}: leave it out; {measures=} takes numbers about all classes: {known}"
        )
        told = joined(", ", map(argument, named))
        raise ArgumentError("classes", Sentence(words, named=told, known=", ".join(KNOWN)))
